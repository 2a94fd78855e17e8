"""Good sequences for the oracles' own tests: a live table in this process, and what was seen of each entry."""

import json
import random
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from controller.core.protocol.events import CardDealt
from controller.runtime.staff.permissions import TokenRole
from controller.web.api.page_state_redaction import redact_page_state
from tests.evenings.oracles.standing import CARD_STEPS, get_first_step
from tests.evenings.seen import Seen, Truth
from tests.two_worlds.live_table import KEY, PAGE, LiveTable

TOKENS = (TokenRole.WATCH, TokenRole.FLOOR_READ, TokenRole.ROOM)
NO_LIMIT = {"structure": "no-limit", "small_blind": 1, "big_blind": 2}
FIXED = {"structure": "fixed-limit", "small_bet": 4, "big_bet": 8, "ante": 1, "bring_in": 2}
CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]

Line = Mapping[str, Any]


def make_line(game: str = "holdem", *, book: str = "roberts-7", seats: int = 5, **more: object) -> dict[str, Any]:
    """A table to be set up."""
    players = [{"seat": seat, "player": f"Player {seat}", "stack": 60 + 40 * seat} for seat in range(1, seats + 1)]
    line: dict[str, Any] = {"ev": "table", "rulebook": book, "game": game, "betting": NO_LIMIT, "seats": players}
    if not game.startswith(("stud", "razz")):
        line["button"] = 1
    return {**line, "sensors": ["identity"], "discards": "unknown", "live": True, **more}


class Recorder:
    """A table that is told things, and what was seen of each."""

    def __init__(self, folder: Path, line: Line, seed: int = 1, *, is_signed: bool = True) -> None:
        self.chance = random.Random(seed)
        self.table = LiveTable(folder, line)
        self.line = line
        self.is_signed = is_signed
        """Whether people sign what they enter; nobody signs in at this table, so that no proof finds their keys."""
        self.seen: list[Seen] = []
        self.stub: list[str] = []
        self.left: list[str | None] = []
        self.shuffle()

    @property
    def journal(self) -> Path:
        return self.table.directory / "journal.sqlite"

    def shuffle(self) -> None:
        """Put a whole deck into the shoe."""
        self.stub, self.left = self.chance.sample(CARDS, len(CARDS)), []

    def read_page(self) -> dict[str, Any]:
        """The page as the floor has it now."""
        latest = self.table.hub.get_latest()
        assert latest is not None
        page: dict[str, Any] = json.loads(latest[1])
        return page

    def enter(self, role: str = "dealer", /, **entry: object) -> Seen:
        """Enter a line of the table script on a page."""
        return self._watch(role, "page", entry, lambda: self.table._submit(entry, role if self.is_signed else KEY))

    def deal(self) -> Seen:
        """A card leaves the shoe."""
        card = self.stub.pop(0)
        self.left.append(card)
        return self._watch("shoe", "device", {"card": card}, lambda: self.table._sense(CardDealt(card)))

    def restart(self) -> Seen:
        """Cut the power and start again."""
        return self._watch("power", "power", {"power": "start"}, self._cut_power)

    def _cut_power(self) -> str:
        self.table.close()
        self.table._open()
        return ""

    def _watch(self, role: str, way: str, entry: Line, do: Callable[[], str]) -> Seen:
        before = self.read_page()
        self.table.loop._inbox._budget_by_source.clear()  # people are slower than this
        said = do()
        self.table.drain()
        after = self.read_page()
        status, _, rest = said.partition(" ")
        code, _, message = rest.partition(" ")
        answer: dict[str, object] = {"status": int(status)} if status else {}
        if code not in ("", "None"):
            answer |= {"code": code, "message": message}
        taken = after["entry"] > before["entry"] and after["refusal"] is None
        self.seen.append(
            Seen(
                number=len(self.seen) + 1,
                role=role,
                way=way,
                entry=entry,
                taken=taken or way == "power",
                answer=answer,
                before=before,
                after=after,
                pages={token.value: dict(redact_page_state(after, token)) for token in TOKENS},
                journal=self.journal,
                room=None,
                truth=Truth(self.line["rulebook"], self.line["game"], left_shoe=tuple(self.left)),
            )
        )
        return self.seen[-1]

    def answer_step(self) -> Seen:
        """Give the table what it asks for first, as truthful people do."""
        step = get_first_step(self.read_page()["table"])
        kind = step.get("step")
        if kind is None:
            self.shuffle()
            return self.enter(ev="start")
        if kind in CARD_STEPS:
            return self.deal()
        if kind == "act":
            return self.enter(ev="act", seat=step["seat"], **self._choose_act(step))
        if kind == "draw":
            return self.enter(ev="draw", seat=step["seat"], discard=self.chance.randrange(3))
        if kind == "show":
            return self.enter(ev="show", seat=step["seat"])
        return self.enter(ev="done")

    def _choose_act(self, step: Line) -> dict[str, object]:
        options = step["options"]
        word = self.chance.choice(["call", "call", "check", "check", "raise", "bet", "fold", "complete", "bring-in"])
        if word not in options or (word == "fold" and self.chance.random() < 0.5):
            word = next(each for each in ("check", "call", "bring-in", "all-in", "fold") if each in options)
        return {"do": word, **({"to": step["min_to"]} if word in ("bet", "raise", "complete") else {})}

    def play_hand(self, *, short: bool = False) -> None:
        """Play until the hand that is on, or the next one, is over; `short`: who faces a bet folds."""
        self.answer_step()
        for _ in range(400):
            step = get_first_step(self.read_page()["table"])
            if not step:
                return
            if short and "fold" in step.get("options", ()):
                self.enter(ev="act", seat=step["seat"], do="fold")
            else:
                self.answer_step()
        raise AssertionError(self.read_page()["table"])


def record_evening(folder: Path, *, is_signed: bool = True) -> Iterator[Seen]:
    """Hands at hold'em: some as the book has it, one with a report, refusals, undo, people who come and go, a start."""
    recorder = Recorder(folder, make_line(seats=3), seed=3, is_signed=is_signed)
    recorder.play_hand()
    recorder.play_hand(short=True)
    recorder.enter(ev="sit", seat=7, player="Guest", stack=100)
    recorder.enter(ev="undo")
    recorder.enter("floor", ev="leave", seat=9)
    recorder.answer_step()
    for _ in range(4):
        recorder.deal()
    recorder.enter(ev="report", what="exposed")
    recorder.enter(ev="undo")
    recorder.enter(PAGE, ev="done")
    recorder.enter(ev="report", what="exposed")
    recorder.restart()
    recorder.play_hand(short=True)
    recorder.enter(ev="leave", seat=2)
    recorder.play_hand(short=True)
    recorder.table.close()
    yield from recorder.seen


def record_stud(folder: Path, game: str = "stud-7") -> Iterator[Seen]:
    """A hand at seven-card stud, and the beginning of another."""
    recorder = Recorder(folder, make_line(game, betting=FIXED, seats=3), seed=5)
    recorder.play_hand()
    recorder.play_hand(short=True)
    recorder.table.close()
    yield from recorder.seen


def record_tournament(folder: Path) -> Iterator[Seen]:
    """A tournament that ends, and another that begins at the table."""
    recorder = Recorder(folder, make_line(book="tda-2024", mode="tournament", seats=3), seed=9)
    recorder.play_hand(short=True)
    recorder.enter("floor", ev="tournament-over")
    for seat in (1, 2, 4):
        recorder.enter("floor", ev="sit", seat=seat, player=f"Next {seat}", stack=500)
    recorder.play_hand(short=True)
    recorder.table.close()
    yield from recorder.seen

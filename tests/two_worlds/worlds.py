"""One public history over two orders of the hidden cards, and what is looked at on the way."""

import logging
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

from config import game_file, rulebook_file
from controller.core.engine.output import outcome_rendering
from controller.core.model.table_state import TableState
from controller.core.play.dealing.step_execution import destination
from controller.core.protocol.steps import (
    ActStep,
    AwardStep,
    BettingRoundStep,
    CardStep,
    DiscardStep,
    DrawStep,
    FloorStep,
    HoldStep,
    QuestionStep,
    ShowStep,
)
from controller.core.values.cards import build_deck
from controller.core.values.piles import hand_place
from controller.records.public_view import find_open_cards
from controller.runtime.journal import system_clocks
from controller.runtime.storage.state_directory import STAFF_FILE
from tests.app.canary import faces_in
from tests.core import arbitrary
from tests.core.arbitrary import BETTING, STUD_BETTING
from tests.two_worlds.entries import TURNED_UP, EntryWords, Line, list_entries
from tests.two_worlds.live_table import KEY, LOG, ROLES, ROOM, LiveTable, Look
from tests.two_worlds.whole_house import look_at_house
from tests.web.house import _make_staff_file

GAMES = ("holdem", "omaha", "stud-7", "stud-5", "razz", "draw-high", "lowball-27", "manila-2")

FORMS: list[tuple[str, str]] = [
    (book, game)
    for book in rulebook_file.list_rulebooks()
    for game in GAMES
    if game in rulebook_file.load_rulebook(book).games
]
FORMS += [("wsop-2024", "triple-draw-27"), ("tda-2024", "badugi"), ("wsop-live-2024", "crazy-pineapple")]

EVERY_FORM = [
    (book, game) for book in rulebook_file.list_rulebooks() for game in rulebook_file.load_rulebook(book).games
]

COUNTED = 0.1
"""Of so many entries that are tried what is counted for Prometheus is looked at: it takes as long as all the others."""


FOLLOWED = 0.25
"""After so many entries that fit the hand is gone on with for some moves, instead of taking them back."""


class Difference(AssertionError):
    """The worlds can be told apart: where, by what, and the lines of the hand that lead there."""

    def __init__(
        self,
        surfaces: Sequence[str],
        when: str,
        line: object,
        role: str,
        looks: Sequence[Look],
        script: Sequence[object],
    ) -> None:
        """`surfaces` differ; what they show of the first of them is said, and the hand up to there."""
        first, second = (look.get(surfaces[0], "") for look in looks)
        pairs = enumerate(zip(first, second, strict=False))
        at = next((i for i, (one, other) in pairs if one != other), min(len(first), len(second)))
        said = [text[max(0, at - 60) : at + 120] for text in (first, second)]
        hand = "\n".join(map(str, script))
        named = ", ".join(surfaces)
        super().__init__(f"{named}: {when} {line} by {role}: {said[0]!r} or {said[1]!r}\n{hand}")
        self.surfaces, self.when, self.line, self.role = tuple(surfaces), when, line, role


@dataclass
class Figures:
    """What was looked at: entries by kind and role, surfaces; and what differed."""

    entries: Counter[tuple[str, str]] = field(default_factory=Counter)
    taken: Counter[tuple[str, str]] = field(default_factory=Counter)
    looks: Counter[str] = field(default_factory=Counter)
    disclosures: int = 0
    worlds: int = 0
    cost_s: list[float] = field(default_factory=lambda: [0.0, 0.0])


def make_line(book: str, game: str, seed: int) -> dict[str, Any]:
    """The `table` line of a form: four players and plain stakes for the first seeds, then any table at all."""
    chance = random.Random(f"{book} {game} {seed}")
    if seed > len(BETTING):
        games = [name for name in arbitrary.games_of(book) if name != game]
        found = arbitrary.make_table_line(chance.randrange, book, games or [game], game)
        return found | {"seats": [{**seat, "player": f"Player {seat['seat']}"} for seat in found["seats"]]}
    line: dict[str, Any] = {"ev": "table", "rulebook": book, "game": game, "places": 8}
    line["seats"] = [{"seat": seat, "player": f"Player {seat}", "stack": 200} for seat in (1, 3, 4, 8)]
    if not game_file.load_game(game).has_button:
        return line | {"betting": STUD_BETTING}
    return line | {"betting": [*BETTING.values()][seed - 1], "button": 1}


class Worlds:
    """Two tables in one public history. What differs is raised as `Difference`, or kept in `found` where that is."""

    def __init__(
        self,
        directory: Path,
        book: str,
        game: str,
        seed: int,
        figures: Figures | None = None,
        found: list[Difference] | None = None,
    ) -> None:
        self.chance = random.Random(f"{book} {game} {seed}")
        self.line = make_line(book, game, seed)
        self.seats = [seat["seat"] for seat in self.line["seats"]]
        self.empty = next(seat for seat in range(1, 12) if seat not in self.seats)
        self.showing = self.seats[1::2]
        """Whose cards are the same in both worlds: they show them at the showdown, and the others give theirs up."""
        self.figures = figures or Figures()
        self.found = found
        folders = [directory / name for name in ("first", "second")]
        self._clocks: list[Any] = [
            patch.object(system_clocks, "format_wall_time", lambda: "2026-11-29T12:00:00.000+00:00"),
            patch.object(system_clocks, "read_uptime_ms", lambda: 1),
        ]
        for clock in self._clocks:
            clock.start()
        logging.getLogger().addHandler(LOG)
        for folder in folders:
            folder.mkdir(parents=True)
            (folder / STAFF_FILE).write_bytes(_make_staff_file())
        self.tables = [LiveTable(folder, self.line) for folder in folders]
        self.script: list[object] = [self.line]
        """What was entered since the hand began: the common history, the cards of both worlds side by side."""
        self.figures.worlds += 1
        self._deal_pools()

    def close(self) -> None:
        for clock in self._clocks:
            clock.stop()
        logging.getLogger().removeHandler(LOG)
        for table in self.tables:
            table.close()
        for index, table in enumerate(self.tables):
            self.figures.cost_s[index] += table.cost_s

    @property
    def state(self) -> TableState:
        return self.tables[0].loop.outcome.state

    def _deal_pools(self) -> None:
        """Which cards of the coming hand are seen, or of seats that show: they come at the same moment in both."""
        whole = list(build_deck(self.state.setup.deck_size, self.state.setup.has_joker))
        whole = [card for card in whole if card != "joker"]
        self.chance.shuffle(whole)
        split = 6 * len(whole) // 13
        self.public, hidden = whole[:split], whole[split:]
        other = hidden[:]
        self.chance.shuffle(other)
        self.hidden = [hidden[:], other]

    # The public history

    def enter(self, line: Line, role: str) -> None:
        """Enter a line in both, and compare."""
        self.script.append((role, line))
        self.compare("history", line, role, [table.enter(line, role) for table in self.tables])

    def deal_card(self) -> bool:
        """A card leaves the shoe: the same in both where it goes face up, or to a seat that will show it."""
        step = self.state.plan[0]
        place, up = destination(step) if isinstance(step, CardStep) else ("aside", False)
        if not (self.public and self.hidden[0]):
            return False
        if up or place in {hand_place(seat) for seat in self.showing}:
            cards: list[str | None] = [self.public.pop()] * 2
        else:
            cards = [hidden.pop() for hidden in self.hidden]
        if self.chance.random() < 0.02 and not up:
            cards = [None, None]  # nothing read it
        self.script.append(("shoe", {"ev": "card", "card": cards}))
        looks = [table.deal_card(card) for table, card in zip(self.tables, cards, strict=True)]
        self.compare("history", "a card", "shoe", looks)
        return True

    def move(self) -> bool:
        """Go on as the first step wants it, or where that leads nowhere give the hand up; say whether it could."""
        if self.chance.random() < 0.03:
            self._read_by_antenna()
        if self._make_move():
            return True
        waiting = self.state.plan
        for decision in ("misdeal", "void"):
            self.enter({"ev": "floor", "decide": decision}, "floor")
            if self.state.plan != waiting:
                return True
        return False

    def _read_by_antenna(self) -> None:
        """An antenna reads a card where it lies, face down or open."""
        hand = self.state.hand
        if hand is None or not self.state.is_hand_on:
            return
        place = self.chance.choice(["board", *(hand_place(seat) for seat in self.seats)])
        piles = [table.loop.outcome.state.hand_in_play.cards.piles.cards_at(place) for table in self.tables]
        cards = [pile[-1].card if pile else None for pile in piles]
        if None in cards:
            return
        self.script.append(("antenna", {"ev": "seen", "at": place, "card": cards}))
        looks = [table.read_card(place, str(card)) for table, card in zip(self.tables, cards, strict=True)]
        self.compare("history", f"a card read at {place}", "antenna", looks)

    def leave_in(self) -> None:
        """Make some entry of those that anybody could make, and let it stand."""
        kinds = [*self.list_tries().values()]
        line = self.chance.choice(self.chance.choice([lines for lines in kinds if lines]))
        if not may_disclose(line):
            self.enter(line, self.chance.choice(ROLES))

    def _make_move(self) -> bool:
        role = self.chance.choice(("dealer", "dealer", "floor", KEY))
        match self.state.plan[0] if self.state.plan else None:
            case None:
                if self.state.hand_count:
                    self._deal_pools()
                    self.script = [self.line]
                for table in self.tables:
                    table.rest()
                count = self.state.hand_count
                self.enter({"ev": "start"}, "dealer")
                return self.state.hand_count > count
            case ActStep(seat=seat):
                self._act(seat, role)
            case BettingRoundStep():
                self.enter({"ev": "closed"}, role)
            case DrawStep(seat=seat):
                self.enter({"ev": "draw", "seat": seat, "discard": self.chance.randrange(3)}, role)
            case ShowStep(seat=seat):
                word = "show" if seat in self.showing else "muck"
                waiting = self.state.plan
                self.enter({"ev": word, "seat": seat}, "dealer")
                return self.state.plan != waiting
            case AwardStep(is_unread=True):
                return False
            case FloorStep():
                return self._answer_floor()
            case QuestionStep() | HoldStep():
                return self._answer_question()
            case step if isinstance(step, CardStep | DiscardStep):
                return self.deal_card()
            case _:
                waiting = self.state.plan
                self.enter({"ev": "done"}, role)
                return self.state.plan != waiting
        return True

    def _act(self, seat: int, role: str) -> None:
        words = outcome_rendering.render_outcome(self.tables[0].loop.outcome, 0)["next"][0]["options"]
        for word in ("check", "call", "bring-in", "bet", "open", "complete", "fold"):
            if word in words and (word != "fold" or len(words) == 1 or not self.chance.randrange(9)):
                self.enter({"ev": "act", "seat": seat, "do": word}, role)
                return
        self.enter({"ev": "act", "seat": seat, "do": words[-1]}, role)

    def _answer_floor(self) -> bool:
        """The floor answers what it is asked; say whether it could."""
        before = self.state.plan
        for decision in ("play-on", "bind", "release", "dead-hand", "passive"):
            self.enter({"ev": "floor", "decide": decision}, "floor")
            if self.state.plan != before:
                return True
        return False

    def _answer_question(self) -> bool:
        before = self.state.plan
        step = before[0]
        options = step.options if isinstance(step, QuestionStep) else ()
        for what in options:
            card = {"card": self.public[-1]} if what == "misread" and self.public else {}
            if what in ("act", "done", "closed"):
                continue
            self.enter({"ev": "report", "what": what} | card, "dealer")
            if self.state.plan != before:
                return True
        return False

    def restart(self) -> None:
        """Cut the power of both, start them again, and say that the table was compared."""
        self.script.append("the power is cut")
        self.compare("history", "a restart", "nobody", [table.restart() for table in self.tables])
        if self.state.is_hand_on:
            self.enter({"ev": "done"}, "dealer")

    def compare_house(self) -> None:
        """Compare everything that can be read of the tables as they stand."""
        self.compare("whole house", "as it stands", "everybody", [look_at_house(table) for table in self.tables])

    # What is tried at a point of it

    def list_words(self) -> EntryWords:
        """What entries may speak of here."""
        downs = [self.find_hidden(index) for index in (0, 1)]
        both = [set(down) for down in downs]
        only = [sorted(both[0] - both[1]), sorted(both[1] - both[0])]
        names = [card for cards in only for card in self.chance.sample(cards, min(2, len(cards)))]
        names += [cards[-1] for cards in self.hidden if cards]  # what comes next in either world
        names += self.public[:1]
        names += sorted(find_open_cards(self.state))[:1]
        names += ["joker"]
        lines = [(each["entry"], each["told"]) for each in self.tables[0].loop.list_amendable_entries()]
        return EntryWords((*self.seats[:5], self.empty), tuple(dict.fromkeys(names)), lines[-12:])

    def find_hidden(self, world: int) -> list[str]:
        """The cards that lie face down in a world, by name."""
        hand = self.tables[world].loop.outcome.state.hand
        if hand is None:
            return []
        piles = hand.cards.piles.cards_by_place.values()
        return [one.card for pile in piles for one in pile if one.card and not one.is_known]

    def list_tries(self) -> dict[str, list[Line]]:
        """Every entry that anybody could make here, by its kind; of names, also the very cards of either world."""
        kinds = list_entries(self.state, self.list_words())
        hits: list[Line] = []
        for table in self.tables:
            hand = table.loop.outcome.state.hand
            if hand is None:
                continue
            for seat in self.seats:
                pile = hand.cards.piles.cards_at(hand_place(seat))
                named: dict[str, Any] = {"ev": "report", "what": "misread", "seat": seat}
                hits += [named | {"nth": nth, "card": one.card} for nth, one in enumerate(pile, 1) if one.card]
                cards = [one.card for one in pile if one.card]
                hits += [{"ev": "show", "seat": seat, "cards": cards}] if cards else []
            for place in ("burn", "board"):
                pile = hand.cards.piles.cards_at(place)
                named = {"ev": "report", "what": "misread", "where": place}
                hits += [named | {"nth": nth, "card": one.card} for nth, one in enumerate(pile, 1) if one.card]
        return kinds | ({"a name that is right": hits} if hits else {})

    def probe(self, each: int | None = None) -> None:
        """Try of each kind of entry so many, by any role, each twice with what takes it back; `None`: all, by all."""
        for kind, lines in self.list_tries().items():
            tries: Iterable[tuple[Line, str]]
            if each is None:
                tries = [(line, role) for line in lines for role in ROLES]
            else:
                picked = self.chance.sample(lines, min(each, len(lines)))
                tries = [(line, self.chance.choice(ROLES)) for line in picked]
            for line, role in tries:
                self.attempt(kind, line, role)

    def attempt(self, kind: str, line: Line, role: str) -> None:
        """Try one entry, take it back, try it again and take that back; compare after each, and leave no trace."""
        first, second = self.tables
        try:
            counted = self.chance.random() < COUNTED
            with first.rewound(counted=counted), second.rewound(counted=counted):
                self._attempt(kind, line, role)
        except Difference as difference:
            if self.found is None:
                raise
            self.found.append(difference)
        except Exception as failure:
            raise AssertionError(f"{line} by {role} ends the program\n{self.script}") from failure

    def _attempt(self, kind: str, line: Line, role: str) -> None:
        self.figures.entries[kind, role] += 1
        known = [faces_of(table.look()) for table in self.tables] if may_disclose(line) else []
        by = "floor" if line["ev"] == "floor" else role
        due = {step.seat for step in self.state.plan if isinstance(step, ShowStep)}
        for turn in ("with", "a second time with"):
            entry = self.tables[0].journal.last_entry_number
            looks = [table.enter(line, role) for table in self.tables]
            if known and self._is_disclosure(line, role, due):
                self._compare_disclosures(line, role, looks, known)
                looks = [table.enter({"ev": "undo"}, by) for table in self.tables]
                self._compare_disclosures(line, role, looks, known)
                return
            self.compare(turn, line, role, looks)
            view = self.tables[0].view
            if view is None or view.refusal is not None or self.tables[0].journal.last_entry_number == entry:
                return
            self.figures.taken[kind, role] += turn == "with"
            if turn == "with" and self.chance.random() < FOLLOWED:
                self._play_on()
                return
            undone = [table.enter({"ev": "undo"}, by) for table in self.tables]
            self.compare(f"after the undo of what was {turn}", line, role, undone)

    def _play_on(self) -> None:
        """Go on for some moves with what was tried, as if it stood; what they compare is the history's."""
        kept = self.public, self.hidden, self.script
        self.public, self.hidden, self.script = self.public[:], [cards[:] for cards in self.hidden], self.script[:]
        for _ in range(4):
            if self.state.plan and not self._make_move():
                break
        self.public, self.hidden, self.script = kept

    def _is_disclosure(self, line: Line, role: str, due: set[int]) -> bool:
        """Whether both tables took what turns cards up: of a seat that was `due` to show, or by the floor."""
        if any(table.view is None or table.view.refusal is not None for table in self.tables):
            return False
        if line["ev"] == "show":
            return line["seat"] in due and line["seat"] not in self.showing
        return role in ("floor", ROOM) and line.get("seat") not in self.showing

    def _compare_disclosures(self, line: Line, role: str, looks: Sequence[Look], known: Sequence[set[str]]) -> None:
        """What may be known now may be named in each world; it is the cards that were turned up and no other."""
        for look, before, table in zip(looks, known, self.tables, strict=True):
            hand = table.loop.outcome.state.hand
            piles = () if hand is None else hand.cards.piles.cards_by_place.values()
            shown = {one.card for pile in piles for one in pile if one.is_known} | set(line.get("cards", ()))
            if more := faces_of(look) - before - shown:
                raise Difference(["page"], f"names {sorted(more)} besides", line, role, looks, self.script)
        self.figures.disclosures += 1

    def compare(self, when: str, line: object, role: str, looks: Sequence[Look]) -> None:
        """Raise `Difference` where what left the tables differs."""
        self.figures.looks.update(looks[0].keys())
        if looks[0] != looks[1]:
            differing = [surface for surface in looks[0] if looks[0][surface] != looks[1][surface]]
            raise Difference(differing, when, line, role, looks, self.script)


def may_disclose(line: Line) -> bool:
    """Whether an entry is of those that make a card known."""
    return line["ev"] == "show" or TURNED_UP in line.values()


def faces_of(look: Look) -> set[str]:
    """Every card that anything names."""
    return {face for text in look.values() for face in faces_in(text)}


def play(worlds: Worlds, moves: int, probe: Callable[[Worlds], None]) -> int:
    """Play so many moves, with what `probe` does before each; return how many could be made."""
    for made in range(moves):
        probe(worlds)
        if not worlds.move():
            return made
    return moves


def try_entries(worlds: Worlds, *, points: float, each: int, left_in: float = 0.0, cut: float = 0.0) -> None:
    """At one move in so many try of each kind of entry so many; leave something in the hand, cut the power."""
    if worlds.chance.random() < cut:
        worlds.restart()
    if worlds.chance.random() < points:
        worlds.probe(each)
    if worlds.chance.random() < left_in:
        worlds.leave_in()

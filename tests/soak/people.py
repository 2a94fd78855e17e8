"""Dealer and players who look at the page, deal from the shoe and press keys of the panel."""

import random
from collections.abc import Sequence
from time import monotonic
from typing import Any

from tests.soak.far_ends import Board, Reader
from tests.soak.program import Page

STACK = 1_000_000
PRESS = {
    "start": {"ev": "start"},
    "done": {"ev": "done"},
    "fold": {"ev": "act", "do": "fold", "seat": "turn"},
    "call": {"ev": "act", "do": ["check", "call", "bring-in", "all-in"], "seat": "turn"},
    "raise": {"ev": "act", "do": ["bet", "raise", "complete", "all-in"], "to": "least", "seat": "turn"},
    "show": {"ev": "show", "seat": "turn"},
    "muck": {"ev": "muck", "seat": "turn"},
    "draw_0": {"ev": "draw", "seat": "turn", "discard": 0},
    "draw_1": {"ev": "draw", "seat": "turn", "discard": 1},
    "draw_2": {"ev": "draw", "seat": "turn", "discard": 2},
    "exposed": {"ev": "report", "what": "exposed"},
    "away": {"ev": "away", "seat": 6},
    "back": {"ev": "back", "seat": 6, "post": True},
    "leave": {"ev": "leave", "seat": 6},
    "sit": {"ev": "sit", "seat": 6, "player": "Gwen", "stack": STACK, "post": True},
}
"""The keys of the panel. Seat 6 is that of the guest who comes and goes."""

GUEST = "6"
SEEN_SECONDS = 10.0
LAMPS_WATCHED = 0.03
"""After so many of the cards the lamp is waited for: the board hears of lamps 50 times a second, which sets a pace."""


class NoReactionError(Exception):
    """The table did not take up what people did."""


class People:
    """They play hand after hand. `samples` are the seconds from a card to the next seat's lamp and to the page."""

    def __init__(self, page: Page, reader: Reader, board: Board, cards: Sequence[str], seed: int, guest: bool) -> None:
        self._page = page
        self._reader = reader
        self._board = board
        self._cards = cards
        self._chance = random.Random(seed)
        self._guest = guest
        self._stub: list[str] = []
        self._tight = True
        self.lamps_watched = LAMPS_WATCHED
        self.to_lamp: list[float] = []
        self.to_page: list[float] = []
        self.refused = 0
        self.events = 0

    def hand(self) -> None:
        """Play a hand from its start, or the rest of the one that is on."""
        if not self._page.table["next"]:
            if self._guest:
                self._come_or_go()
            self._stub = list(self._cards)
            self._chance.shuffle(self._stub)
            self._tight = self._chance.random() < 0.85
            self._press("start")
            # An entry of the program's own may come first, with the refusal of a key that was pressed before.
            if not self._page.wait(lambda: bool(self._page.table["next"]), SEEN_SECONDS):
                raise NoReactionError(f"no hand starts: {self._describe_state()}")
        while self._page.table["next"]:
            self.step()

    def into_hand(self, steps: int) -> None:
        """Begin a hand, and go some steps into it."""
        self._stub = list(self._cards)
        self._chance.shuffle(self._stub)
        self._press("start")
        for _ in range(steps):
            if self._page.table["next"]:
                self.step()

    def step(self) -> None:
        """Do what is first in `next`."""
        table = self._page.table
        step = table["next"][0]
        match step["step"]:
            case "deal" | "burn" | "board":
                self._card(table)
            case "act":
                self._act(step)
            case "draw":
                some = self._chance.choice((0, 1, 1, 2))
                self._press(f"draw_{step.get('discard', some)}")
            case "show":
                self._press("show")
                if self._page.shown["refusal"] is not None:
                    self._press("muck")
            case _:
                self._press("done")
        if self._page.shown["refusal"] is not None:
            self.refused += 1
            if self.refused > 20 + self.events // 100:
                raise NoReactionError(f"refused again and again: {self._describe_state()}")

    def confirm(self) -> None:
        """Say after a cut that the table is as the display shows it."""
        if any(fault["code"] == "power-lost" for fault in self._page.shown["faults"]):
            self._press("done")

    @property
    def stub(self) -> list[str]:
        return self._stub

    def go_on_with(self, stub: Sequence[str]) -> None:
        self._stub = list(stub)

    def mistake(self) -> None:
        """Press a key that makes no sense between hands; the table refuses it in words, and records that."""
        self._press("exposed")
        if self._page.shown["refusal"] is None:
            raise NoReactionError("an exposed card between hands was not refused")

    def _come_or_go(self) -> None:
        if self._chance.random() > 0.2:
            return
        there = self._page.shown["players"].get(GUEST)
        if there is None:
            self._press("sit")
        elif there["away"]:
            self._press(self._chance.choice(("back", "leave")))
        else:
            self._press(self._chance.choice(("away", "leave")))

    def _act(self, step: dict[str, Any]) -> None:
        options = step["options"]
        if "fold" in options and step.get("to_call") and self._chance.random() < (0.85 if self._tight else 0.1):
            self._press("fold")
        elif {"check", "call", "bring-in"} & set(options) and (self._chance.random() < 0.93 or "min_to" not in step):
            self._press("call")
        elif {"bet", "raise", "complete"} & set(options):
            self._press("raise")
        else:
            self._press("fold" if "fold" in options else "call")

    def _card(self, table: dict[str, Any]) -> None:
        card = self._stub.pop()
        steps = table["next"]
        here, after = steps[0], steps[1] if len(steps) > 1 else {}
        lamp = None
        if here["step"] == after.get("step") == "deal" and here["seat"] != after["seat"]:
            lamp = ("deal", int(after["seat"]))
        if lamp is not None and (self._chance.random() > self.lamps_watched or self._board.lights(*lamp)):
            lamp = None
        self._board.await_lamp(lamp)
        before = self._looks()
        begun = monotonic()
        self._reader.pass_card(card)
        self._wait_until_noticed(before, "a card")
        self.to_page.append(monotonic() - begun)
        if lamp is not None:
            self._page.wait(lambda: self._board.awaited is None, SEEN_SECONDS)
            if (lit_at := self._board.lit_at) is None:
                raise NoReactionError(f"the lamp {lamp} was not lit")
            self.to_lamp.append(lit_at - begun)

    def _press(self, key: str) -> None:
        before = self._looks()
        self._board.press(key)
        self._wait_until_noticed(before, f"the key {key}")

    def _wait_until_noticed(self, before: "tuple[int, tuple[object, ...]]", what: str) -> None:
        """Wait until the table has gone on, or refused; that it halts for a device, and is back, is neither."""
        self.events += 1

        def is_noticed() -> bool:
            entry, looks = self._looks()
            return entry > before[0] and (looks != before[1] or self._page.shown["refusal"] is not None)

        if not self._page.wait(is_noticed, SEEN_SECONDS):
            raise NoReactionError(f"the table did not notice {what}: {self._describe_state()}")

    def _looks(self) -> "tuple[int, tuple[object, ...]]":
        shown, table = self._page.shown, self._page.table
        faults = [fault["code"] for fault in shown["faults"] if fault["code"] != "device-lost"]
        kept = ("hand", "next", "piles", "bets", "stacks", "board")
        return self._page.entry, (faults, shown["players"], *(table.get(key) for key in kept))

    def _describe_state(self) -> str:
        shown = self._page.shown
        kept = {key: shown.get(key) for key in ("refusal", "faults", "notices", "devices")}
        return f"{shown['table']['phase']}, {shown['table']['next'][:1]}, {kept}"

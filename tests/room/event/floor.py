"""A room without cards: tables that play hands of chips, links that are lost, and the truth of who sits where."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from controller.room_contract.table_request import TableReply


@dataclass
class Table:
    """A table at the level of chips: what it is told it does by the rules of the table script.

    `played`: hands that have begun. `waits`: hand for hand, the next deal waits for the floor.
    """

    name: str
    places: int
    chairs: dict[int, list[Any]] = field(default_factory=dict)
    entry: int = 0
    hand: int = 0
    on: tuple[int, ...] = ()
    all_in: bool = False
    hand_for_hand: bool = False
    waits: bool = False
    halted: bool = False
    button: int = 1
    big: int = 2
    timer: bool = False
    told: list[Mapping[str, Any]] = field(default_factory=list)
    let_go: list[list[str]] = field(default_factory=list)
    """Who sat there, each time that the table was let go."""
    way: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Who has left a chair of the room and not sat down in another: stack and penalty. All tables share it."""
    left: dict[str, tuple[int, int]] = field(default_factory=dict)
    new: list[tuple[str, int]] = field(default_factory=list)
    """Who has come to a chair from outside, with how many chips. All tables share it."""

    def state(self) -> dict[str, Any]:
        holds = (not self.on and (self.waits or self.halted)) or self.all_in
        return {
            "entry": self.entry,
            "hand": self.hand,
            "places": self.places + 1,
            "phase": "floor" if self.all_in else ("bet" if self.on else "idle"),
            "next": [{"step": "hold"}] if holds else [],
            "lamps": {"button": [self.button] if self.on else [], "big_blind": [self.big] if self.on else []},
            "seats": [
                {"seat": seat, "player": who, "stack": stack, "misses": misses}
                for seat, (who, stack, misses) in sorted(self.chairs.items())
            ],
            "timer": {"stage": "level", "level": 1, "left": 600.0, "running": True} if self.timer else None,
        }

    def refuses(self, line: Mapping[str, Any]) -> tuple[str, str] | None:
        seat = line.get("seat", 0)
        match line["ev"]:
            case "sit" if seat in self.chairs:
                return "chair-taken", f"{self.chairs[seat][0]} sits there"
            case "leave" if seat in self.on:
                return "in-hand", "holds a live hand"
            case "leave" if seat not in self.chairs:
                return "empty-chair", "nobody sits there"
            case "hand-for-hand" if line.get("go") and not (self.waits or self.all_in):
                return "nothing-waits", "nothing waits"
            case "hand-for-hand" if "on" in line and line["on"] is self.hand_for_hand:
                return "nothing-waits", "it is so already"
            case _:
                return None

    def enter(self, line: Mapping[str, Any], seen: int) -> TableReply:
        if seen != self.entry:
            return TableReply(False, None, "moved-on", "the table has moved on")
        refused = self.refuses(line)
        if refused:
            return TableReply(False, None, *refused)
        self.entry += 1
        self.told.append(line)
        match line:
            case {"ev": "sit", "seat": seat, "player": who, **rest}:
                self.chairs[seat] = [who, rest["stack"], 0]
                if rest.get("moved"):
                    del self.way[who]
                else:
                    self.new.append((who, rest["stack"]))
            case {"ev": "leave", "seat": seat}:
                who, stack, misses = self.chairs.pop(seat)
                self.way[who] = (stack, misses)
                self.left[who] = (stack, misses)
            case {"ev": "penalty", "seat": seat, "hands": hands}:
                self.chairs[seat][2] = hands
            case {"ev": "timer"}:
                self.timer = True
            case {"ev": "halt", **rest}:
                self.halted = rest.get("on", True)
            case {"ev": "tournament-over"}:
                assert not self.on, "a table is let go between hands"
                self.let_go.append([chair[0] for chair in self.chairs.values()])
                self.chairs.clear()
                self.timer = self.halted = self.waits = self.hand_for_hand = False
            case {"ev": "hand-for-hand", "on": on}:
                self.hand_for_hand = on
                self.waits, self.all_in = False, False
            case _:
                self.waits, self.all_in = False, False
        return TableReply(True, self.entry)

    def may_deal(self) -> bool:
        return not self.on and not self.waits and not self.halted and sum(c[1] > 0 for c in self.chairs.values()) > 1

    def deal(self) -> None:
        self.hand += 1
        self.entry += 1
        self.on = tuple(sorted(seat for seat, chair in self.chairs.items() if chair[1] > 0))
        ring = [*[s for s in self.on if s > self.button], *[s for s in self.on if s <= self.button]]
        self.button = ring[0]
        later = [*[s for s in self.on if s > self.button], *[s for s in self.on if s <= self.button]]
        self.big = later[1 % len(later)]

    def finish(self, lot: random.Random, speed: float) -> list[tuple[str, int]]:
        """The hand ends: some lose to one. Returns who is out, with the stack at its start, the smaller one first."""
        self.entry += 1
        before = {seat: self.chairs[seat][1] for seat in self.on}
        live = [seat for seat in self.on if self.chairs[seat][2] == 0] or list(self.on)
        winner = lot.choice(live)
        for seat in live:
            if seat != winner and lot.random() < speed:
                self._pay(seat, winner, self.chairs[seat][1] if lot.random() < 0.5 else lot.randrange(1, 400))
        for seat in self.on:
            self.chairs[seat][2] = max(0, self.chairs[seat][2] - 1)
        out = sorted((seat for seat in self.on if self.chairs[seat][1] == 0), key=lambda seat: before[seat])
        names = [(self.chairs.pop(seat)[0], before[seat]) for seat in out]
        self.on, self.all_in = (), False
        self.waits = self.hand_for_hand
        return names

    def _pay(self, seat: int, winner: int, chips: int) -> None:
        paid = min(chips, self.chairs[seat][1], self.chairs[winner][1] + 100_000)
        self.chairs[seat][1] -= paid
        self.chairs[winner][1] += paid


class Floor:
    """All tables and the links to them. A link that is down takes no request; one that is torn loses the answer."""

    def __init__(self, names: Mapping[str, int], lot: random.Random) -> None:
        self.way: dict[str, tuple[int, int]] = {}
        self.new: list[tuple[str, int]] = []
        self.tables = {name: Table(name, places, way=self.way, new=self.new) for name, places in names.items()}
        self.down: dict[str, int] = {}
        self.torn: set[str] = set()
        self.lot = lot
        self.asks = 0

    async def enter(self, table: str, line: Mapping[str, Any], by: str, seen: int) -> TableReply:
        assert by
        self.asks += 1
        if table in self.down:
            return TableReply(False, None, "not-reached", "no link")
        answer = self.tables[table].enter(line, seen)
        if table in self.torn:
            self.torn.discard(table)
            self.down[table] = self.lot.randrange(1, 6)
            return TableReply(False, None, "no-answer", "the link was lost")
        return answer

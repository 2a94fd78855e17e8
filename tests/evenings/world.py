"""The things round the table: cards in a shoe and on the felt, chips that people brought, cables that are in or out.

The world knows nothing of the program but what a person at the table sees and does.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.evenings.seen import Truth

MONEY_WORDS = ("sit", "leave", "stack", "buy", "tournament-over")
"""Words of the table script by which chips come to a table or go from it."""


@dataclass
class World:
    """What is true, whatever the table says."""

    book: str = ""
    game: str = ""
    cards: Sequence[str] = ()
    """Every card of the deck in play."""
    is_tournament: bool = False
    deck: list[str] = field(default_factory=list)
    stub: list[str] = field(default_factory=list)
    """The cards in the shoe, the next last."""
    left: list[str | None] = field(default_factory=list)
    lying: dict[str, list[str]] = field(default_factory=dict)
    """The cards outside of the shoe by where the dealer put them."""
    bought: dict[int, int] = field(default_factory=dict)
    taken: dict[int, int] = field(default_factory=dict)
    is_money_known: bool = True
    money_before: list[tuple[dict[int, int], dict[int, int]]] = field(default_factory=list)
    """How the money was before each entry that an undo may take back, the newest last."""
    unplugged: set[str] = field(default_factory=set)
    power: bool = False
    is_demo: bool = False
    """Whether the devices are simulated in the program itself: then nobody here knows a card."""
    language: str = "en"
    clock: float = 0.0

    def begin_session(self, line: Mapping[str, Any], cards: Sequence[str]) -> None:
        """Set everything up anew for a `table` line."""
        self.book, self.game, self.cards = str(line["rulebook"]), str(line["game"]), tuple(cards)
        self.is_tournament = line.get("mode") == "tournament" or bool(line.get("schedule"))
        self.bought = {int(seat["seat"]): int(seat.get("stack", 0)) for seat in line["seats"]}
        self.taken, self.money_before, self.is_money_known = {}, [], line.get("amounts") != "untracked"
        self.put_in(list(self.cards))

    def put_in(self, order: Sequence[str]) -> None:
        """Put a deck into the shoe; its first card leaves first."""
        self.deck, self.stub, self.left, self.lying = list(order), list(order)[::-1], [], {}

    def make_shuffled_order(self, chance: random.Random) -> list[str]:
        """A new order of all cards."""
        order = list(self.cards)
        chance.shuffle(order)
        return order

    def take_out(self, card: str, place: str) -> None:
        """A card leaves the shoe and lies at a place; in a shortened script it need not be the next one."""
        if card in self.stub:
            self.stub.remove(card)
            first = len(self.deck) - len(self.stub) - 1
            self.deck = [*self.deck[:first], card, *self.stub[::-1]]
        self.left.append(card)
        self.lying.setdefault(place, []).append(card)

    def do_step(self, step: Mapping[str, Any]) -> None:
        """Carry the cards of a step that is confirmed."""
        match step.get("step"):
            case "return" | "discard" | "move" if "from" in step and step.get("what") != "button":
                self._move(str(step["from"]), str(step.get("to", "muck")), int(step.get("count", 1)))
            case _:
                pass

    def _move(self, source: str, to: str, count: int) -> None:
        if source == "all":
            gathered = [card for pile in self.lying.values() for card in pile]
            self.lying.clear()
        else:
            pile = self.lying.get(source, [])
            gathered = pile[::-1][:count]
            del pile[len(pile) - len(gathered) :]
        own = [card for card in gathered if card in self.cards and card not in self.stub]
        if to == "stub":
            self.stub += own
        elif to == "stub-bottom":
            self.stub[:0] = own
        else:
            self.lying.setdefault(to, []).extend(gathered)

    def follow_line(self, line: Mapping[str, Any], stacks: Mapping[str, int]) -> None:
        """Take what an entry that the table took did to the chips; `stacks` as the page had them before."""
        word = line.get("ev")
        if word == "undo":
            if self.money_before:
                self.bought, self.taken = self.money_before.pop()
            return
        if word == "amend":
            told = str(line)
            self.is_money_known &= not any(f"'{each}'" in told for each in MONEY_WORDS)
        if word in ("card", "device", "call-floor"):
            return
        self.money_before.append((dict(self.bought), dict(self.taken)))
        seat = line.get("seat")
        if not isinstance(seat, int):
            return
        before = int(stacks.get(str(seat), 0))
        match word:
            case "sit" if "from" in line:
                self.bought[seat] = self.bought.pop(int(line["from"]), 0)
                self.taken[seat] = self.taken.pop(int(line["from"]), 0)
            case "sit":
                self.bought[seat] = self.bought.get(seat, 0) + int(line.get("stack", 0))
            case "stack":
                self.bought[seat] = self.bought.get(seat, 0) + int(line.get("stack", 0)) - before
            case "buy":
                self.bought[seat] = self.bought.get(seat, 0) + int(line.get("chips", 0))
            case "leave":
                self.taken[seat] = self.taken.get(seat, 0) + before
            case _:
                pass

    def tell(self) -> Truth:
        """What is true now, for whoever looks."""
        return Truth(
            book=self.book,
            game=self.game,
            deck=tuple(self.deck),
            left_shoe=tuple(self.left),
            in_shoe=tuple(self.stub[::-1]),
            bought_in=dict(self.bought) if self.is_money_known else {},
            taken_away=dict(self.taken) if self.is_money_known else {},
            is_tournament=self.is_tournament,
            power=self.power,
            unplugged=tuple(sorted(self.unplugged)),
            language=self.language,
            clock=round(self.clock, 3),
        )

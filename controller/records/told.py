"""One event of a hand as it may be told to anybody: without the cards that nobody had seen."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from controller.core.engine.display import view
from controller.core.engine.past.amend import is_the_floors
from controller.core.engine.past.history import History, Struck, Taken
from controller.core.model.outcome import Outcome
from controller.core.model.setup import AnyEvent, Opened
from controller.core.model.state import State
from controller.core.play.showdown.run_it_twice import boards
from controller.core.protocol import script
from controller.core.protocol.events import Card, Device, Time
from controller.core.protocol.steps import Act

NAMING = ("card", "cards")
"""Keys of a line of the table script that name cards."""


def told(event: AnyEvent, outcome: Outcome) -> dict[str, object]:
    """Write `event` as its line of the table script, leaving out every card that does not lie open in `outcome`.

    The line's time and the set-up of a `table` line are left out too.
    """
    if isinstance(event, Opened):
        return {"ev": "table"}
    line = _without(dict(script.write(event)), open_cards(outcome.state))
    line.pop("t", None)
    return line


def stood_there(struck: Struck, after: Outcome) -> dict[str, object] | None:
    """The line that was struck through; of a card that lay open, with the name under which everybody saw it."""
    if struck.was is None:
        return None
    line = told(struck.was, after)
    return {**line, "card": struck.was.card} if struck.faces_up and isinstance(struck.was, Card) else line


def entered(history: History) -> list[dict[str, Any]]:
    """What was entered since the end of the hand before, the oldest first, as an amendment may name it.

    Each has its `entry`, what was `told`, the step that was `due` (`None`: an act, or nothing) and whether only the
    `floor` may put it right. Of one that was put right, `was` is what stood there; one that was taken out is `out`.
    """
    last = next((i for i in range(len(history.entries) - 1, -1, -1) if _is_card(history.entries[i])), -1)
    after = Outcome(history.entries[-1].after or history.base) if history.entries else Outcome(history.base)
    found: list[dict[str, Any]] = [
        {
            "entry": each.line,
            "told": told(each.event, after),
            "due": None if each.first is None or isinstance(each.first, Act) else view.step_shown(None, each.first),
            "floor": index < last or is_the_floors(each.event),
        }
        for index, each in enumerate(history.entries)
        if not isinstance(each.event, Time | Device)
    ]
    for amendment in history.amendments:
        for struck in amendment.struck:
            was = stood_there(struck, after)
            if struck.now is None:
                place = next((i for i, each in enumerate(found) if each["entry"] > struck.at), len(found))
                found.insert(place, {"entry": struck.line, "told": was, "due": None, "floor": False, "out": True})
            elif was is not None:
                found = [each | ({"was": was} if each["entry"] == struck.line else {}) for each in found]
    return found


def _is_card(entry: Taken) -> bool:
    return isinstance(entry.event, Card)


def _without(line: dict[str, object], seen: frozenset[str]) -> dict[str, object]:
    """The line, and the lines that an amendment holds, without the cards that nobody has seen."""
    for key in NAMING:
        named = line.get(key)
        if named is not None and not seen.issuperset([named] if isinstance(named, str) else _texts(named)):
            del line[key]
    if isinstance(to := line.get("to"), dict):
        line["to"] = _without(dict(to), seen)
    if isinstance(also := line.get("also"), list):
        line["also"] = [_without(dict(change), seen) for change in also]
    return line


def open_cards(state: State) -> frozenset[str]:
    """Every card of the hand that lies face up for certain, or was tabled."""
    hand = state.hand
    if hand is None:
        return frozenset()
    lying = {card.public for pile in hand.cards.piles.out.values() for card in pile if card.up and card.public}
    return frozenset(lying.union(*(cards or () for cards in hand.showdown.tabled.values())))


def hands_tabled(state: State) -> Mapping[str, list[str]]:
    """Seat (as text) -> the cards that it tabled at the showdown, where they are known."""
    hand = state.hand
    return {} if hand is None else {str(seat): list(cards) for seat, cards in hand.showdown.tabled.items() if cards}


@dataclass(frozen=True, slots=True)
class ShownDown:
    """What everybody saw of a hand that is over: cards by seat that were tabled, and the first board.

    `pot`: what all had put in, 0 where amounts are untracked; `dealt`: how many were dealt in.
    """

    tabled: Mapping[int, tuple[str, ...]]
    board: tuple[str, ...]
    pot: int
    dealt: int


def shown_down(outcome: Outcome) -> ShownDown | None:
    """What was shown in the hand, once it is over and its pot was pushed; `None` before, and of one that was not."""
    hand = outcome.state.hand
    if hand is None or hand.plan or not hand.showdown.took:
        return None
    tabled = {seat: cards for seat, cards in hand.showdown.tabled.items() if cards}
    board = tuple(lying.public for lying in boards(hand)[0] if lying.up and lying.public)
    return ShownDown(tabled, board, sum(hand.showdown.put_in.values()), len(hand.order))


def players_of(outcome: Outcome) -> dict[int, Mapping[str, object]]:
    """Say who sits at the table, and of whoever is still to act on the round which one they are, from 1."""
    state = outcome.state
    turns = state.hand.round.queue if state.hand is not None and state.hand.round and state.plan else ()
    return {
        seat: {"player": chair.player, "away": chair.away, "waits": chair.waits}
        | ({"turn": turns.index(seat) + 1} if seat in turns else {})
        | ({"misses": chair.penalty} if chair.penalty else {})
        for seat, chair in sorted(state.seating.chairs.items())
    }


def _texts(named: object) -> list[str]:
    return [str(card) for card in named] if isinstance(named, list | tuple) else []

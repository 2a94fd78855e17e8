"""One event of a hand as it may be told to anybody: without the cards that nobody had seen."""

from collections.abc import Mapping

from controller.core.model.outcome import Outcome
from controller.core.model.setup import AnyEvent, Opened
from controller.core.model.state import State
from controller.core.protocol import script

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


def _texts(named: object) -> list[str]:
    return [str(card) for card in named] if isinstance(named, list | tuple) else []

"""One event of a hand as it may be told to anybody: without the cards that nobody had seen."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from controller.core.engine.amendments.amendment_replay import is_floor_only
from controller.core.engine.amendments.hand_history import AcceptedEntry, AmendedEntry, HandHistory
from controller.core.engine.output import outcome_rendering
from controller.core.model.outcome import Outcome
from controller.core.model.setup import AnyEvent, TableOpened
from controller.core.model.table_state import TableState
from controller.core.play.showdown.run_it_twice import boards
from controller.core.protocol import script_lines
from controller.core.protocol.events import CardDealt, DeviceChanged, TimePassed
from controller.core.protocol.steps import ActStep
from controller.core.values.seat_state import ChargeStanding

CARD_KEYS = ("card", "cards")
"""Keys of a line of the table script that name cards."""


def render_public_line(event: AnyEvent, outcome: Outcome, is_open: bool | None = None) -> dict[str, object]:
    """Write `event` as its line of the table script, leaving out every card that does not lie open in `outcome`.

    `is_open`: whether the card lies open that left the shoe with it; `None`: it is the last one. One of that name may
    lie open that is another, of a deal before. The line's time and the set-up of a `table` line are left out too.
    """
    if isinstance(event, TableOpened):
        return {"ev": "table"}
    seen = find_open_cards(outcome.state)
    if isinstance(event, CardDealt) and not (_is_card_open(outcome.state) if is_open is None else is_open):
        seen = frozenset()
    line = _remove_unseen_cards(dict(script_lines.format_line(event)), seen)
    line.pop("t", None)
    return line


def render_struck_line(struck: AmendedEntry, after: Outcome) -> dict[str, object] | None:
    """The line that was struck through; of a card that lay open, with the name under which everybody saw it."""
    if struck.original is None:
        return None
    line = render_public_line(struck.original, after, is_open=False)
    return (
        {**line, "card": struck.original.card}
        if struck.was_face_up and isinstance(struck.original, CardDealt)
        else line
    )


def list_amendable_entries(history: HandHistory) -> list[dict[str, Any]]:
    """What was entered since the end of the hand before, the oldest first, as an amendment may name it.

    Each has its `entry`, what was `render_public_line`, the step that was `due` (`None`: an act, or nothing) and
    whether only the `floor` may put it right. Of one that was put right, `was` is what stood there; one that was taken
    out is `out`.
    """
    last = next((i for i in range(len(history.entries) - 1, -1, -1) if _is_card_entry(history.entries[i])), -1)
    after = Outcome(history.state)
    found: list[dict[str, Any]] = [
        {
            "entry": each.line,
            "told": render_public_line(each.event, after, _is_card_open(after.state, each.last_serial)),
            "due": None
            if each.first_step is None or isinstance(each.first_step, ActStep)
            else outcome_rendering.render_step(None, each.first_step),
            "floor": index < last or is_floor_only(each.event),
        }
        for index, each in enumerate(history.entries)
        if not isinstance(each.event, TimePassed | DeviceChanged)
    ]
    for amendment in history.amendments:
        for struck in amendment.amended_entries:
            was = render_struck_line(struck, after)
            if struck.replacement is None:
                place = next((i for i, each in enumerate(found) if each["entry"] > struck.at_line), len(found))
                found.insert(place, {"entry": struck.line, "told": was, "due": None, "floor": False, "out": True})
            elif was is not None:
                found = [each | ({"was": was} if each["entry"] == struck.line else {}) for each in found]
    return found


def _is_card_entry(entry: AcceptedEntry) -> bool:
    return isinstance(entry.event, CardDealt)


def _remove_unseen_cards(line: dict[str, object], seen: frozenset[str]) -> dict[str, object]:
    """The line, and the lines that an amendment holds, without the cards that nobody has seen."""
    for key in CARD_KEYS:
        named = line.get(key)
        if named is not None and not seen.issuperset([named] if isinstance(named, str) else _list_cards(named)):
            del line[key]
    if isinstance(to := line.get("to"), dict):
        line["to"] = _remove_unseen_cards(dict(to), seen)
    if isinstance(also := line.get("also"), list):
        line["also"] = [_remove_unseen_cards(dict(change), seen) for change in also]
    return line


def _is_card_open(state: TableState, serial: int | None = None) -> bool:
    """Whether the card with this number lies open for certain, or was tabled; `None`: the last one."""
    if state.hand is None:
        return False
    piles = state.hand.cards.piles
    number = piles.dealt_count if serial is None else serial
    return any(
        lying.serial == number and lying.is_known and lying.is_face_up
        for pile in piles.cards_by_place.values()
        for lying in pile
    )


def find_open_cards(state: TableState) -> frozenset[str]:
    """Every card of the hand that lies face up for certain, or was tabled."""
    hand = state.hand
    if hand is None:
        return frozenset()
    lying = {
        card.known_card
        for pile in hand.cards.piles.cards_by_place.values()
        for card in pile
        if card.is_face_up and card.known_card
    }
    return frozenset(lying.union(*(cards or () for cards in hand.showdown.tabled_cards_by_seat.values())))


@dataclass(frozen=True, slots=True)
class ShowdownResult:
    """What everybody saw of a hand that is over: cards by seat that were tabled, and the first board.

    `pot_chips`: what all had put in, 0 where amounts are untracked; `dealt_in_count`: how many were dealt in.
    """

    tabled_cards_by_seat: Mapping[int, tuple[str, ...]]
    board_cards: tuple[str, ...]
    pot_chips: int
    dealt_in_count: int


def find_showdown_result(outcome: Outcome) -> ShowdownResult | None:
    """What was shown in the hand, once it is over and its pot was pushed; `None` before, and of one that was not."""
    hand = outcome.state.hand
    if hand is None or outcome.state.is_hand_on or not hand.showdown.won_chips_by_seat:
        return None
    tabled = {seat: cards for seat, cards in hand.showdown.tabled_cards_by_seat.items() if cards}
    board = tuple(lying.known_card for lying in boards(hand)[0] if lying.is_face_up and lying.known_card)
    return ShowdownResult(tabled, board, sum(hand.showdown.contribution_by_seat.values()), len(hand.dealing_order))


def describe_players(outcome: Outcome) -> dict[int, Mapping[str, object]]:
    """Say who sits at the table, and of whoever is still to act on the round which one they are, from 1."""
    state = outcome.state
    turns = state.hand.round.queue if state.hand is not None and state.hand.round and state.is_hand_on else ()
    return {
        seat: {"player": chair.player, "away": chair.is_away, "waits": chair.waits_for_big_blind}
        | ({"turn": turns.index(seat) + 1} if seat in turns else {})
        | ({"misses": chair.penalty_hands} if chair.penalty_hands else {})
        | ({"unpaid": True} if chair.charge is not ChargeStanding.SETTLED else {})
        for seat, chair in sorted(state.seating.state_by_seat.items())
    }


def _list_cards(named: object) -> list[str]:
    return [str(card) for card in named] if isinstance(named, list | tuple) else []

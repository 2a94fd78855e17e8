"""What a state is, whatever its suits and seats are called: two that differ in those names alone have one digest.

Seats are counted from the button where the game has one: all that its rules say of seats is clockwise from there. Of
suits the first that lies out is the first; where the rules rank suits their order is kept.
"""

import re
from collections.abc import Callable
from hashlib import blake2b
from typing import Any

from msgspec.msgpack import encode

from controller.core.engine.table import Table
from controller.core.model.setup import Setup, Stakes
from controller.core.model.table_state import PreviousEntry, TableState
from controller.core.rules.policies.odd_chip import order_clockwise
from controller.core.tournament.schedule import BlindLevel
from controller.core.values.cards import SUITS
from controller.core.values.piles import hand_place
from controller.core.values.value import MutableValue, Struct, Value

DIGEST_BYTES = 8
"""A million states fall together by chance once in thirty million nights."""

MAX_KEPT_VALUES = 20_000

SEATS = frozenset({
    "seat", "seats", "concerned_seat", "odd_order", "last_dealt_seats", "dealing_order", "button", "small_blind",
    "big_blind", "big_blinds", "big_blind_seats", "middle_blinds", "winner_button", "looked_seats", "straddler",
    "live_seats", "all_in_seats", "killed_seats", "acted_seats", "checked_seats", "absent_before_misdeal_seats",
    "early_checker_seats", "acting_order", "queue", "aggressor", "no_raise_seats", "no_fold_seats",
    "early_caller_seats", "doubtful_seats", "killer", "receiving_seats", "forced_bet_seat", "faceup_downcard_seats",
    "all_in_option_seats", "drawing_seats", "opener", "sitting_out_seat", "called_seat", "main_pot_winners", "by",
    "answering_seat", "held_seats", "button_payer", "first_button", "corrected_button", "passed_over_seat",
    "frozen_button", "asking_seat", "intended_seat", "previous_seat", "last_winner", "leg_seat", "required_killer",
    "pledged_killer", "due_seat", "substitute_seat", "choice_button",
    "opener_by_street", "rule_opener_by_street", "served_seats_by_street", "eliminated_seats_by_street",
    "winners_by_part",
})  # fmt: skip
"""Fields whose numbers are seats; of a dictionary, those of its values."""
SEAT_KEYED = frozenset({"actions_behind"})
"""Fields of pairs that begin with a seat, as those whose name ends in `_by_seat`."""
AMOUNTS = (BlindLevel, Stakes)
"""Whose blinds are chips."""
LEFT_OUT = {
    "opening_setup",  # stands from the beginning
    "play_rulings",  # empty between events
    "facts",  # so are they
}

PAST_STATES = ("state_before_hand", "state_before_last_hand")

_CARD = re.compile(rb"\xa2([2-9TJQKA])([cdhs])")
_PLAIN = frozenset({int, str, bool, float, type(None)})


def has_ranked_suits(setup: Setup) -> bool:
    """Whether a rule at this table says that one suit is higher than another."""
    if setup.rotation or not setup.game.has_button:
        return True
    showdown, is_exact = setup.rulebook.showdown, setup.game.hole_cards_to_play is not None
    return (showdown.odd_chip_exact if is_exact else showdown.odd_chip_button).value is not order_clockwise


class CanonicalForm:
    """Makes digests of the states of one table."""

    def __init__(self, setup: Setup) -> None:
        self._places = setup.seat_count
        self._has_button = setup.game.has_button and not setup.rotation
        self._keeps_order = has_ranked_suits(setup)
        self._kept: dict[tuple[int, int], tuple[object, Any]] = {}
        self._turn = 0
        self._seat_by_seat: dict[int | None, int | None] = {}
        self._name_by_name: dict[str, str] = {}
        self._set_turn(0)

    def make_digest(self, table: Table) -> int:
        """The digest of how a table stands; of its past no more than whether something can be taken back."""
        state = table.outcome.state
        button = None if not self._has_button else _find_button(state)
        self._set_turn(0 if button is None else button - 1)
        can_undo = len(table.histories) > 1
        plain = [can_undo, self._make_plain(state)]
        named = self._name_suits(encode(plain))
        return int.from_bytes(blake2b(named, digest_size=DIGEST_BYTES).digest())

    def forget_values(self) -> None:
        """Make every plain form anew: a value that somebody wrote into would not be noticed otherwise."""
        self._kept.clear()

    def _set_turn(self, turn: int) -> None:
        if turn == self._turn and self._seat_by_seat:
            return
        self._turn = turn
        chairs = range(1, self._places + 1)
        self._seat_by_seat = {seat: (seat - 1 - turn) % self._places + 1 for seat in chairs}
        self._name_by_name = {
            hand_place(seat): hand_place(found) for seat, found in self._seat_by_seat.items() if seat and found
        }

    def _name_suits(self, packed: bytes) -> bytes:
        found = dict.fromkeys(match[2] for match in _CARD.finditer(packed))
        suits = sorted(found, key=lambda suit: SUITS.index(suit.decode())) if self._keeps_order else list(found)
        named = {suit: SUITS[nth].encode() for nth, suit in enumerate(suits)}
        if all(suit == name for suit, name in named.items()):
            return packed
        return _CARD.sub(lambda match: b"\xa2" + match[1] + named[match[2]], packed)

    def _make_plain(self, value: Any) -> Any:  # noqa: ANN401 - any value of a table
        kind = type(value)
        if kind in _PLAIN:
            return self._name_by_name.get(value, value) if kind is str else value
        if isinstance(value, Setup):
            terms = self._make_plain(value.collection)
            return [value.game.name, self._make_plain(value.stakes), value.deck_size, value.has_joker, terms]
        if isinstance(value, PreviousEntry):
            return [type(value.event).__name__, self._make_plain(value.event), value.has_ruling]
        if isinstance(value, Value) or (isinstance(value, TableState) and value.hand is None):
            return self._keep(value)
        if isinstance(value, MutableValue):
            return self._make_fields(value)
        return self._make_other(value)

    def _keep(self, value: Struct) -> Any:  # noqa: ANN401 - lists, numbers, texts
        """A value's plain form, made once: all that is not changed stays the same object from state to state."""
        key = id(value), self._turn
        kept = self._kept.get(key)
        if kept is not None and kept[0] is value:
            return kept[1]
        if len(self._kept) > MAX_KEPT_VALUES:
            self._kept.clear()
        plain = self._make_fields(value)
        self._kept[key] = value, plain
        return plain

    def _make_fields(self, value: Struct) -> list[Any]:
        amounts = isinstance(value, AMOUNTS)
        plain: list[Any] = [type(value).__name__]
        for name in value.__struct_fields__:
            if name in LEFT_OUT:
                continue
            each = getattr(value, name)
            if name in PAST_STATES:
                plain.append(self._make_past(each))
            else:
                plain.append(self._make_field(name, each, amounts=amounts))
        return plain

    def _make_past(self, state: TableState | None) -> Any:  # noqa: ANN401 - lists, numbers, texts
        """Who sat there before the hand, with what; how the hand before went on is of the past."""
        if state is None:
            return None
        return [
            self._make_plain(each)
            for each in (state.hand_count, state.setup, state.seating, state.button, state.kill, state.rotation_state)
        ]

    def _make_field(self, name: str, value: Any, *, amounts: bool = False) -> Any:  # noqa: ANN401 - of any kind
        if name in SEATS and not amounts and not isinstance(value, Struct):
            return self._rename(value)
        if name.endswith("_by_seat") and isinstance(value, dict):
            return sorted([self._seat_by_seat.get(seat, seat), self._make_plain(each)] for seat, each in value.items())
        if name in SEAT_KEYED:
            return [[self._seat_by_seat.get(seat, seat), self._make_plain(each)] for seat, each in value]
        return self._make_plain(value)

    def _rename(self, value: Any) -> Any:  # noqa: ANN401 - a seat, or seats
        kind = type(value)
        if kind is int or value is None:
            return self._seat_by_seat.get(value, value)
        if kind is dict:
            return sorted([self._make_plain(key), self._rename(each)] for key, each in value.items())
        renamed = [self._seat_by_seat.get(each, each) for each in value]
        return renamed if kind is tuple else sorted(renamed, key=str)

    def _make_other(self, value: Any) -> Any:  # noqa: ANN401 - a collection or an enum's member
        if isinstance(value, dict):
            items = [[self._make_plain(key), self._make_plain(each)] for key, each in value.items()]
            return sorted(items, key=_by_key)
        if isinstance(value, frozenset):
            return sorted((self._make_plain(each) for each in value), key=str)
        if isinstance(value, tuple):
            names = getattr(value, "_fields", None)
            if names is None:
                return [self._make_plain(each) for each in value]
            return [self._make_field(name, each) for name, each in zip(names, value, strict=True)]
        return str(value.value)


_by_key: Callable[[list[Any]], str] = lambda item: str(item[0])  # noqa: E731 - typed


def _find_button(state: TableState) -> int | None:
    hand = state.hand
    if hand is not None:
        return hand.positions.button
    return state.setup.button

"""A finished hand as PHH (poker hand history, one TOML file a hand).

The regular part is played through PokerKit while it is written: PokerKit's state says what comes next, the record says
what it was. Where a hand cannot be told in PHH's regular terms (a game without a variant code, an order of action that
a ruling changed, hands that nobody read) the regular fields `variant` and `actions` are left out, `_regular` is false
and `_why` says what was in the way; the user-defined fields hold the whole hand in either case. In a file of several
such a hand is a comment: PokerKit reads none of a file that has a hand without these fields.

What the house takes has no field in PHH. Stacks are those that were played with: behind the button's fee and the time
charges, and at the end behind what the pots gave. PokerKit comes to them with the `rake` of `make_rake`.

PHH: Kim, "Recording and Describing Poker Hands", IEEE CoG 2024; the fields are listed in `docs/records.md`.
"""

import json
import warnings
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from controller.core.model.setup import BettingStructure
from controller.core.protocol.script_lines import format_collection
from controller.core.protocol.vocabulary import ActionType
from controller.core.rules.rulings import Ruling
from controller.records.hand_record import (
    AmendmentRecorded,
    CollectionRecorded,
    DecisionRecorded,
    HandRecord,
    SeatPayment,
    format_game_title,
    is_tournament,
)

if TYPE_CHECKING:
    from pokerkit import State

VARIANT_BY_GAME = {
    ("holdem", BettingStructure.FIXED_LIMIT): "FT",
    ("holdem", BettingStructure.NO_LIMIT): "NT",
    ("omaha", BettingStructure.POT_LIMIT): "PO",
    ("omaha-8", BettingStructure.FIXED_LIMIT): "FO/8",
    ("stud-7", BettingStructure.FIXED_LIMIT): "F7S",
    ("stud-8", BettingStructure.FIXED_LIMIT): "F7S/8",
    ("razz", BettingStructure.FIXED_LIMIT): "FR",
    ("lowball-27", BettingStructure.NO_LIMIT): "N2L1D",
    ("triple-draw-27", BettingStructure.FIXED_LIMIT): "F2L3D",
    ("badugi", BettingStructure.FIXED_LIMIT): "FB",
    ("short-deck", BettingStructure.NO_LIMIT): "NS",
}
"""The games that PHH has a code for."""

DECK_SIZE_BY_VARIANT = {"NS": 36}
"""The decks that PHH supposes where it is not the one of 52."""

COMMENT_PREFIX = "# "
"""What stands before each line of a hand that has no regular part, in a file of several."""

Rake = Callable[[int, "State"], tuple[int, int]]
"""What PokerKit asks of a pot of so many chips when it pushes them: how many are taken, how many are left."""

UNKNOWN_CARD = "??"


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a record comes from: the table's name for it, the session, when the hand began (UTC).

    `dealer_names`: who signed entries of it as a dealer. `signature_by_entry`: of entries of people, entry -> Ed25519
    signature. `journal_signature`: how the table signed the journal when the hand was over: `upto`, `chain`,
    `signature`.
    """

    session: int | None = None
    began_at: datetime | None = None
    program: str | None = None
    dealer_names: tuple[str, ...] = ()
    signature_by_entry: Mapping[int, str] = field(default_factory=dict)
    journal_signature: Mapping[str, Any] | None = None

    def make_hand_id(self, number: int) -> str:
        """Digits that name hand `number` of the session among all hands of a house: the millisecond at which it began.

        Where that is not known, the session's number and the hand's in six digits.
        """
        if self.began_at is not None:
            return str(round(self.began_at.timestamp() * 1000))
        return f"{self.session or 1}{number:06}"


class IrregularHandError(Exception):
    """The hand cannot be told in PHH's regular terms; the message says why."""


def build_fields(record: HandRecord, place: Provenance | None = None) -> dict[str, Any]:
    """Every field of the hand's file, in the order in which they are written."""
    place = place or Provenance()
    written: dict[str, Any] = {}
    try:
        regular = _build_opening_fields(record)
        written = {**regular, "actions": _build_actions(record, regular)}
    except IrregularHandError as why:
        written = {**_build_stack_fields(record), "_why": str(why)}
    written |= {
        "finishing_stacks": [record.finishing_stack_by_seat[seat] for seat in record.dealing_order]
        if record.setup.tracks_amounts
        else None,
        "players": [record.player_by_seat[seat] for seat in record.dealing_order],
        "seats": list(record.dealing_order),
        "seat_count": record.setup.seat_count,
        "hand": record.number,
        **_build_time_fields(place),
        "_regular": "_why" not in written,
        **build_own_fields(record, place),
    }
    return {key: value for key, value in written.items() if value is not None}


def render_text(content: Mapping[str, Any]) -> str:
    """Write the fields as TOML."""
    return "".join(f"{key} = {_render_toml(value)}\n" for key, value in content.items())


def render_section(number: int, content: Mapping[str, Any]) -> str:
    """Write the fields as one of several hands of a file; one without a regular part as a comment."""
    section = f"[{number}]\n{render_text(content)}"
    if "_why" in content:
        section = "".join(f"{COMMENT_PREFIX}{line}" for line in section.splitlines(keepends=True))
    return f"{section}\n"


def make_rake(chips_by_pot: Mapping[int, int]) -> Rake:
    """The `rake` of PokerKit's `HandHistory` by which each pot (the main pot is 0) gives what it gave at the table.

    PokerKit asks it of amounts, not of pots, and anew where pots become one; it counts as the pots are pushed.
    """
    asked: list[int] = []

    def rake(amount: int, state: "State") -> tuple[int, int]:
        if not chips_by_pot or state.street_index is not None:
            return 0, amount
        whole = copy(state)
        whole.rake = lambda amount, _: (0, amount)
        amounts = [pot.amount for pot in whole.pots]
        if amount != amounts[len(asked)]:  # more of this pot follows
            return 0, amount
        taken = sum(chips_by_pot.values()) if len(amounts) == 1 else chips_by_pot.get(len(asked), 0)
        if taken > amount:  # PokerKit counts no chips of the last raiser that nobody has called
            raise ValueError(f"the house took {taken} of a pot that there holds {amount}")
        asked.append(amount)
        if len(asked) == len(amounts):
            asked.clear()
        return taken, amount - taken

    return rake


def _build_opening_fields(record: HandRecord) -> dict[str, Any]:
    """The fields from which the hand begins."""
    setup, stakes = record.setup, record.setup.stakes
    variant = VARIANT_BY_GAME.get((setup.game.name, stakes.structure))
    if variant is None:
        raise IrregularHandError(f"PHH has no code for {format_game_title(setup)}")
    if not setup.tracks_amounts:
        raise IrregularHandError("amounts were not tracked")
    if setup.has_joker or setup.deck_size != DECK_SIZE_BY_VARIANT.get(variant, 52):
        raise IrregularHandError("the deck is not the one that PHH supposes")
    if setup.game.streets[0].board_count:
        raise IrregularHandError("the betting began on the flop")
    if len(record.board) > sum(street.board_count for street in setup.game.streets):
        raise IrregularHandError("the rest of the board was dealt more than once")
    blinds = [
        -record.blind_by_seat[seat] if seat in record.non_opening_seats else record.blind_by_seat.get(seat, 0)
        for seat in record.dealing_order
    ]
    antes = [record.ante_by_seat.get(seat, 0) for seat in record.dealing_order]
    if len(record.dealing_order) == 2:  # of two, PHH tells what the button puts in first
        antes, blinds = antes[::-1], blinds[::-1]
    opening: dict[str, Any] = {
        "variant": variant,
        "ante_trimming_status": len(set(antes)) == 1,
        "antes": antes,
    }
    if setup.game.has_button:
        opening["blinds_or_straddles"] = blinds
    else:
        opening["bring_in"] = stakes.bring_in
    if stakes.structure is BettingStructure.FIXED_LIMIT:
        opening |= {"small_bet": stakes.small_bet, "big_bet": stakes.big_bet}
    else:
        opening["min_bet"] = stakes.effective_min_bet
    return {**opening, **_build_stack_fields(record)}


def _build_stack_fields(record: HandRecord) -> dict[str, Any]:
    return (
        {"starting_stacks": [record.starting_stack_by_seat[seat] for seat in record.dealing_order]}
        if record.setup.tracks_amounts
        else {}
    )


def _build_actions(record: HandRecord, opening: Mapping[str, Any]) -> list[str]:
    """Play the hand through PokerKit; raises `IrregularHandError` where it will not go, or ends elsewhere."""
    from pokerkit import HandHistory  # 14 MiB that no table holds before a hand leaves it

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PokerKit warns of folds that were not forced; people make them
        try:
            rake: Any = make_rake(record.taken_by_pot)  # the history's type knows no state
            state = HandHistory(**opening, actions=[], rake=rake).create_state()
            written = _ActionsBuilder(record, state).build_actions()
        except (ValueError, AssertionError, IndexError, KeyError) as why:
            raise IrregularHandError(f"PokerKit does not follow it: {why}") from why
    told = [int(stack) for stack in state.stacks]
    ours = [record.finishing_stack_by_seat[seat] for seat in record.dealing_order]
    if told != ours:
        raise IrregularHandError(f"by PHH's rules the stacks would be {told}, at this table they were {ours}")
    return written


class _ActionsBuilder:
    """One hand being told: the record's facts, taken in the order in which PokerKit asks for them."""

    def __init__(self, record: HandRecord, state: "State") -> None:
        self._record = record
        self._state = state
        self._pending_actions = deque(record.actions)
        self._pending_draws_by_seat: dict[int, deque[int]] = {}
        for drew in record.draws:
            self._pending_draws_by_seat.setdefault(drew.seat, deque()).append(drew.card_count)
        self._pending_board = deque(card or UNKNOWN_CARD for card in record.board)
        self._pending_upcards_by_seat = {
            seat: deque(card or UNKNOWN_CARD for card in cards) for seat, cards in record.upcards_by_seat.items()
        }
        self._written_actions: list[str] = []

    def build_actions(self) -> list[str]:
        """Return the actions."""
        while self._state.status:
            self._play_next()
        if self._pending_actions:
            raise IrregularHandError(f"{len(self._pending_actions)} acts came after the hand was over by PHH's rules")
        return self._written_actions

    def _play_next(self) -> None:
        state = self._state
        if state.can_burn_card():
            state.burn_card(UNKNOWN_CARD)
        elif (drawer := state.stand_patter_or_discarder_index) is not None:
            pending = self._pending_draws_by_seat.get(self._find_seat(drawer))
            if not pending:
                raise IrregularHandError(f"seat {self._find_seat(drawer)} did not draw")
            self._perform(f"p{drawer + 1} sd {UNKNOWN_CARD * pending.popleft()}".rstrip())
        elif (dealt := state.hole_dealee_index) is not None:
            self._deal(dealt)
        elif state.can_deal_board():
            count = sum(street.board_dealing_count for street in (state.street,) if street is not None)
            cards = [self._pending_board.popleft() if self._pending_board else UNKNOWN_CARD for _ in range(count)]
            self._perform(f"d db {''.join(cards)}")
        elif (actor := state.actor_index) is not None:
            self._act(actor)
        elif (shower := state.showdown_index) is not None:
            self._show(shower)
        else:
            raise IrregularHandError("PHH's rules leave nothing to be done")

    def _deal(self, player: int) -> None:
        seat = self._find_seat(player)
        up = self._pending_upcards_by_seat.get(seat)
        cards = [
            (up.popleft() if up else UNKNOWN_CARD) if face_up else UNKNOWN_CARD
            for face_up in self._state.hole_dealing_statuses[player]
        ]
        self._perform(f"d dh p{player + 1} {''.join(cards)}")

    def _act(self, player: int) -> None:
        seat = self._find_seat(player)
        if not self._pending_actions and not self._state.checking_or_calling_amount:
            self._perform(f"p{player + 1} cc")  # nobody is left to bet against, so the table asked no more
            return
        if not self._pending_actions:
            raise IrregularHandError(f"seat {seat} would have to act and did not")
        if self._pending_actions[0].seat != seat:
            if any(act.seat == seat for act in self._pending_actions) or seat in self._record.tabled_cards_by_seat:
                raise IrregularHandError(
                    f"seat {self._pending_actions[0].seat} acted where seat {seat} would be to act"
                )
            self._perform(f"p{player + 1} f # dead hand")  # a ruling killed it before its turn came
            return
        act = self._pending_actions.popleft()
        if act.action_type is ActionType.FOLD:
            self._perform(f"p{player + 1} f")
        elif act.is_bring_in(self._record.setup):
            self._perform(f"p{player + 1} pb")
        elif act.is_wager and self._can_be_called(player):
            self._perform(f"p{player + 1} cbr {act.total}")
        else:
            self._perform(f"p{player + 1} cc")

    def _can_be_called(self, player: int) -> bool:
        """Whether anybody has chips beyond the bet; if nobody has, a wager is no more than a call."""
        state = self._state
        high = max(state.bets)
        return any(
            state.statuses[other] and state.stacks[other] + state.bets[other] > high
            for other in state.player_indices
            if other != player
        )

    def _show(self, player: int) -> None:
        seat = self._find_seat(player)
        if seat not in self._record.tabled_cards_by_seat:
            if self._state.all_in_status:
                raise IrregularHandError(f"seat {seat} gave up a hand that PHH's rules show, somebody being all-in")
            self._perform(f"p{player + 1} sm")
            return
        cards = self._record.tabled_cards_by_seat[seat]
        if cards is None:
            raise IrregularHandError(f"nobody read the hand of seat {seat}")
        held = len(self._state.hole_cards[player])  # in stud an all-in seat shows before it has all of them, and again
        self._perform(f"p{player + 1} sm {''.join(cards[:held])}")

    def _perform(self, action: str) -> None:
        from pokerkit.notation import parse_action

        parse_action(self._state, action)
        self._written_actions.append(action)

    def _find_seat(self, player: int) -> int:
        return self._record.dealing_order[player]


def _build_time_fields(place: Provenance) -> dict[str, Any]:
    began = place.began_at
    if began is None:
        return {}
    return {
        "time": began.time().replace(microsecond=0),
        "time_zone": "UTC",
        "day": began.day,
        "month": began.month,
        "year": began.year,
    }


def build_own_fields(record: HandRecord, place: Provenance) -> dict[str, Any]:
    """The user-defined fields: what no format has a field for; `None` where there is nothing to say."""
    setup = record.setup
    return {
        "_game": setup.game.name,
        "_structure": setup.stakes.structure.value,
        "_rulebook": setup.rulebook.title,
        "_tournament": is_tournament(setup),
        "_button": record.button_seat,
        "_deals": record.deal_count,
        "_burns": record.burn_count,
        "_board": [card or UNKNOWN_CARD for card in record.board] or None,
        "_tabled": [
            {"seat": seat, "cards": "".join(cards or ())} for seat, cards in sorted(record.tabled_cards_by_seat.items())
        ]
        or None,
        "_acts": [
            f"{act.seat} {act.action_type.value}" + (f" {act.total}" if act.is_wager else "") for act in record.actions
        ],
        "_draws": [f"{drew.seat} {drew.card_count}" for drew in record.draws] or None,
        "_rulings": [_describe_ruling(ruled.deal_number, ruled.action_count, ruled.ruling) for ruled in record.rulings],
        "_decisions": [_describe_decision(each, place.signature_by_entry) for each in record.decisions] or None,
        "_put_right": [_describe_amendment(each) for each in record.amendments] or None,
        "_collection": None if record.collection is None else _describe_collection(record.collection),
        "_entries": [record.first_entry, record.last_entry],
        "_session": place.session,
        "_dealers": list(place.dealer_names) or None,
        "_signed": place.journal_signature,
        "_program": place.program,
    }


def _describe_collection(collected: CollectionRecorded) -> dict[str, Any]:
    def describe_payment(paid: SeatPayment) -> dict[str, int]:
        return {"seat": paid.seat, "amount": paid.amount}

    fee, terms = collected.button_fee, format_collection(collected.terms)
    if collected.total is None:
        return {"terms": terms, "dropped": collected.is_dropped}
    told = {
        "pots": [{"pot": pot, "amount": amount} for pot, amount in sorted(collected.chips_by_pot.items())],
        "button": None if fee is None else describe_payment(fee),
        "time": [describe_payment(paid) for paid in collected.time_charges],
    }
    return {"terms": terms, **{key: value for key, value in told.items() if value}, "total": collected.total}


def _describe_amendment(struck: AmendmentRecorded) -> dict[str, Any]:
    lines = {"was": struck.original, "now": struck.replacement}
    told = {key: json.dumps(line, ensure_ascii=False) for key, line in lines.items() if line is not None}
    return {"entry": struck.entry, "at": struck.at_entry, "by": struck.amending_entry, **told}


def _describe_decision(decided: DecisionRecorded, signatures: Mapping[int, str]) -> dict[str, Any]:
    shown = {
        "entry": decided.entry,
        "deal": decided.deal_number,
        "acts": decided.action_count,
        "decide": decided.decision.value,
    }
    more = {
        "seat": decided.seat,
        "who": decided.floor_name,
        "why": decided.reason,
        "signature": signatures.get(decided.entry),
    }
    return shown | {key: value for key, value in more.items() if value is not None}


def _describe_ruling(deal: int, acts: int, ruling: Ruling) -> dict[str, Any]:
    shown = {"deal": deal, "acts": acts, "finding": ruling.finding, "verdict": ruling.verdict.value}
    if ruling.seat is not None:
        shown["seat"] = ruling.seat
    return {**shown, "cite": [cite.split("#")[0] for cite in ruling.cite], "text": ruling.text}


def _render_toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} = {_render_toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, Sequence):
        return "[" + ", ".join(_render_toml(item) for item in value) + "]"
    return str(value)

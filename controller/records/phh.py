"""A finished hand as PHH (poker hand history, one TOML file a hand).

The regular part is played through PokerKit while it is written: PokerKit's state says what comes next, the record says
what it was. Where a hand cannot be told in PHH's regular terms (a game without a variant code, an order of action that
a ruling changed, hands that nobody read) the regular fields `variant` and `actions` are left out, `_regular` is false
and `_why` says what was in the way; the user-defined fields hold the whole hand in either case.

PHH: Kim, "Recording and Describing Poker Hands", IEEE CoG 2024; the fields are listed in `docs/records.md`.
"""

import json
import warnings
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from controller.core.model.setup import Structure
from controller.core.protocol.vocabulary import Do
from controller.core.rules.rulings import Ruling
from controller.records.hand import Decided, PutRight, Record, is_tournament, title

if TYPE_CHECKING:
    from pokerkit import State

VARIANTS = {
    ("holdem", Structure.FIXED_LIMIT): "FT",
    ("holdem", Structure.NO_LIMIT): "NT",
    ("omaha", Structure.POT_LIMIT): "PO",
    ("omaha-8", Structure.FIXED_LIMIT): "FO/8",
    ("stud-7", Structure.FIXED_LIMIT): "F7S",
    ("stud-8", Structure.FIXED_LIMIT): "F7S/8",
    ("razz", Structure.FIXED_LIMIT): "FR",
    ("lowball-27", Structure.NO_LIMIT): "N2L1D",
}
"""The games that PHH has a code for."""

UNKNOWN = "??"


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a record comes from: the table's name for it, the session, when the hand began (UTC).

    `dealers`: who signed entries of it as a dealer. `signatures`: of entries of people, entry -> Ed25519 signature.
    `signed`: how the table signed the journal when the hand was over: `upto`, `chain`, `signature`.
    """

    session: int | None = None
    began: datetime | None = None
    program: str | None = None
    dealers: tuple[str, ...] = ()
    signatures: Mapping[int, str] = field(default_factory=dict)
    signed: Mapping[str, Any] | None = None

    def hand_id(self, number: int) -> str:
        """Digits that name hand `number` of the session among all hands of a house: the millisecond at which it began.

        Where that is not known, the session's number and the hand's in six digits.
        """
        if self.began is not None:
            return str(round(self.began.timestamp() * 1000))
        return f"{self.session or 1}{number:06}"


class Irregular(Exception):
    """The hand cannot be told in PHH's regular terms; the message says why."""


def fields(record: Record, place: Provenance | None = None) -> dict[str, Any]:
    """Every field of the hand's file, in the order in which they are written."""
    place = place or Provenance()
    written: dict[str, Any] = {}
    try:
        regular = _opening(record)
        written = {**regular, "actions": _actions(record, regular)}
    except Irregular as why:
        written = {**_stacks(record), "_why": str(why)}
    written |= {
        "finishing_stacks": [record.finishing[seat] for seat in record.order] if record.setup.tracked else None,
        "players": [record.players[seat] for seat in record.order],
        "seats": list(record.order),
        "seat_count": record.setup.places,
        "hand": record.number,
        **_when(place),
        "_regular": "_why" not in written,
        **own(record, place),
    }
    return {key: value for key, value in written.items() if value is not None}


def text(content: Mapping[str, Any]) -> str:
    """Write the fields as TOML."""
    return "".join(f"{key} = {_toml(value)}\n" for key, value in content.items())


def section(number: int, content: Mapping[str, Any]) -> str:
    """Write the fields as one of several hands of a file."""
    return f"[{number}]\n{text(content)}\n"


def _opening(record: Record) -> dict[str, Any]:
    """The fields from which the hand begins."""
    setup, stakes = record.setup, record.setup.betting
    variant = VARIANTS.get((setup.game.name, stakes.structure))
    if variant is None:
        raise Irregular(f"PHH has no code for {title(setup)}")
    if not setup.tracked:
        raise Irregular("amounts were not tracked")
    if setup.joker or setup.deck != 52:
        raise Irregular("the deck is not the one that PHH supposes")
    if setup.game.streets[0].board:
        raise Irregular("the betting began on the flop")
    if len(record.board) > sum(street.board for street in setup.game.streets):
        raise Irregular("the rest of the board was dealt more than once")
    blinds = [-record.blinds[seat] if seat in record.posted else record.blinds.get(seat, 0) for seat in record.order]
    antes = [record.antes.get(seat, 0) for seat in record.order]
    opening: dict[str, Any] = {
        "variant": variant,
        "ante_trimming_status": len(set(antes)) == 1,
        "antes": antes,
    }
    if setup.game.button:
        opening["blinds_or_straddles"] = blinds[::-1] if len(blinds) == 2 else blinds
    else:
        opening["bring_in"] = stakes.bring_in
    if stakes.structure is Structure.FIXED_LIMIT:
        opening |= {"small_bet": stakes.small_bet, "big_bet": stakes.big_bet}
    else:
        opening["min_bet"] = stakes.minimum
    return {**opening, **_stacks(record)}


def _stacks(record: Record) -> dict[str, Any]:
    return {"starting_stacks": [record.starting[seat] for seat in record.order]} if record.setup.tracked else {}


def _actions(record: Record, opening: Mapping[str, Any]) -> list[str]:
    """Play the hand through PokerKit; raises `Irregular` where it will not go, or ends elsewhere."""
    from pokerkit import HandHistory  # 14 MiB that no table holds before a hand leaves it

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PokerKit warns of folds that were not forced; people make them
        try:
            state = HandHistory(**opening, actions=[]).create_state()
            written = _Telling(record, state).tell()
        except (ValueError, AssertionError, IndexError, KeyError) as why:
            raise Irregular(f"PokerKit does not follow it: {why}") from why
    told = [int(stack) for stack in state.stacks]
    ours = [record.finishing[seat] for seat in record.order]
    if told != ours:
        raise Irregular(f"by PHH's rules the stacks would be {told}, at this table they were {ours}")
    return written


class _Telling:
    """One hand being told: the record's facts, taken in the order in which PokerKit asks for them."""

    def __init__(self, record: Record, state: "State") -> None:
        self._record = record
        self._state = state
        self._acts = deque(record.acts)
        self._draws = {drew.seat: drew.cards for drew in record.draws}
        self._board = deque(card or UNKNOWN for card in record.board)
        self._up = {seat: deque(card or UNKNOWN for card in cards) for seat, cards in record.up.items()}
        self._written: list[str] = []

    def tell(self) -> list[str]:
        """Return the actions."""
        while self._state.status:
            self._next()
        if self._acts:
            raise Irregular(f"{len(self._acts)} acts came after the hand was over by PHH's rules")
        return self._written

    def _next(self) -> None:
        state = self._state
        if state.can_burn_card():
            state.burn_card(UNKNOWN)
        elif (drawer := state.stand_patter_or_discarder_index) is not None:
            count = self._draws.get(self._seat(drawer))
            if count is None:
                raise Irregular(f"seat {self._seat(drawer)} did not draw")
            self._do(f"p{drawer + 1} sd {UNKNOWN * count}".rstrip())
        elif (dealt := state.hole_dealee_index) is not None:
            self._deal(dealt)
        elif state.can_deal_board():
            count = sum(street.board_dealing_count for street in (state.street,) if street is not None)
            cards = [self._board.popleft() if self._board else UNKNOWN for _ in range(count)]
            self._do(f"d db {''.join(cards)}")
        elif (actor := state.actor_index) is not None:
            self._act(actor)
        elif (shower := state.showdown_index) is not None:
            self._show(shower)
        else:
            raise Irregular("PHH's rules leave nothing to be done")

    def _deal(self, player: int) -> None:
        seat = self._seat(player)
        up = self._up.get(seat)
        cards = [
            (up.popleft() if up else UNKNOWN) if face_up else UNKNOWN
            for face_up in self._state.hole_dealing_statuses[player]
        ]
        self._do(f"d dh p{player + 1} {''.join(cards)}")

    def _act(self, player: int) -> None:
        seat = self._seat(player)
        if not self._acts and not self._state.checking_or_calling_amount:
            self._do(f"p{player + 1} cc")  # nobody is left to bet against, so the table asked no more
            return
        if not self._acts:
            raise Irregular(f"seat {seat} would have to act and did not")
        if self._acts[0].seat != seat:
            if any(act.seat == seat for act in self._acts) or seat in self._record.tabled:
                raise Irregular(f"seat {self._acts[0].seat} acted where seat {seat} would be to act")
            self._do(f"p{player + 1} f # dead hand")  # a ruling killed it before its turn came
            return
        act = self._acts.popleft()
        if act.do is Do.FOLD:
            self._do(f"p{player + 1} f")
        elif act.do is Do.BRING_IN:
            self._do(f"p{player + 1} pb")
        elif act.wagers and self._can_be_met(player):
            self._do(f"p{player + 1} cbr {act.to}")
        else:
            self._do(f"p{player + 1} cc")

    def _can_be_met(self, player: int) -> bool:
        """Whether anybody has chips beyond the bet; if nobody has, a wager is no more than a call."""
        state = self._state
        high = max(state.bets)
        return any(
            state.statuses[other] and state.stacks[other] + state.bets[other] > high
            for other in state.player_indices
            if other != player
        )

    def _show(self, player: int) -> None:
        seat = self._seat(player)
        if seat not in self._record.tabled:
            if self._state.all_in_status:
                raise Irregular(f"seat {seat} gave up a hand that PHH's rules show, somebody being all-in")
            self._do(f"p{player + 1} sm")
            return
        cards = self._record.tabled[seat]
        if cards is None:
            raise Irregular(f"nobody read the hand of seat {seat}")
        self._do(f"p{player + 1} sm {''.join(cards)}")

    def _do(self, action: str) -> None:
        from pokerkit.notation import parse_action

        parse_action(self._state, action)
        self._written.append(action)

    def _seat(self, player: int) -> int:
        return self._record.order[player]


def _when(place: Provenance) -> dict[str, Any]:
    began = place.began
    if began is None:
        return {}
    return {
        "time": began.time().replace(microsecond=0),
        "time_zone": "UTC",
        "day": began.day,
        "month": began.month,
        "year": began.year,
    }


def own(record: Record, place: Provenance) -> dict[str, Any]:
    """The user-defined fields: what no format has a field for; `None` where there is nothing to say."""
    setup = record.setup
    return {
        "_game": setup.game.name,
        "_structure": setup.betting.structure.value,
        "_rulebook": setup.rulebook.title,
        "_tournament": is_tournament(setup),
        "_button": record.button,
        "_deals": record.deals,
        "_burns": record.burns,
        "_board": [card or UNKNOWN for card in record.board] or None,
        "_tabled": [{"seat": seat, "cards": "".join(cards or ())} for seat, cards in sorted(record.tabled.items())]
        or None,
        "_acts": [f"{act.seat} {act.do.value}" + (f" {act.to}" if act.wagers else "") for act in record.acts],
        "_draws": [f"{drew.seat} {drew.cards}" for drew in record.draws] or None,
        "_rulings": [_ruling(ruled.deal, ruled.acts, ruled.ruling) for ruled in record.rulings],
        "_decisions": [_decision(each, place.signatures) for each in record.decisions] or None,
        "_put_right": [_put_right(each) for each in record.put_right] or None,
        "_entries": [record.first_entry, record.last_entry],
        "_session": place.session,
        "_dealers": list(place.dealers) or None,
        "_signed": place.signed,
        "_program": place.program,
    }


def _put_right(struck: PutRight) -> dict[str, Any]:
    lines = {"was": struck.was, "now": struck.now}
    told = {key: json.dumps(line, ensure_ascii=False) for key, line in lines.items() if line is not None}
    return {"entry": struck.entry, "at": struck.at, "by": struck.by, **told}


def _decision(decided: Decided, signatures: Mapping[int, str]) -> dict[str, Any]:
    shown = {"entry": decided.entry, "deal": decided.deal, "acts": decided.acts, "decide": decided.decide.value}
    more = {
        "seat": decided.seat,
        "who": decided.who,
        "why": decided.why,
        "signature": signatures.get(decided.entry),
    }
    return shown | {key: value for key, value in more.items() if value is not None}


def _ruling(deal: int, acts: int, ruling: Ruling) -> dict[str, Any]:
    shown = {"deal": deal, "acts": acts, "finding": ruling.finding, "verdict": ruling.verdict.value}
    if ruling.seat is not None:
        shown["seat"] = ruling.seat
    return {**shown, "cite": [cite.split("#")[0] for cite in ruling.cite], "text": ruling.text}


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, Sequence):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    return str(value)

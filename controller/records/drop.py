"""What the house dropped at a table: a row a hand, and sums of rows. Pure: made of what the table answered.

A row says what the table's own account says of the hand (`TableCollection`), so that what was taken back, amended or
declared void is in none: all rows of a session and what was charged since are its `drop.session`. Source: table
script 3, section 1.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime, time, timedelta, tzinfo
from enum import Enum, unique
from typing import Any, Self

from controller.core.engine.amendments.hand_history import MAX_ENTRIES, HandHistory
from controller.core.model.hand import Hand
from controller.core.model.outcome import Outcome
from controller.core.model.table_state import TableCollection, TableState
from controller.core.play.game_flow import house_account
from controller.core.protocol.collection_terms import CollectionKind
from controller.core.protocol.facts import (
    ChipsCollected,
    EntryAmended,
    EntryTakenBack,
    Fact,
    HandBegan,
    HandOver,
    HandReopened,
)
from controller.records.hand_record import format_game_title

MAX_RECENT_ROWS = 16
"""Hands that are remembered where somebody else keeps the rows."""

MAX_RECENT_CHARGES = 400

DEALER_ROLE = "dealer"
"""The role of whoever deals, as the journal has it."""

DEFAULT_SHIFT_STARTS = (time(6), time(14), time(22))
"""When the shifts of a house begin that names no others, by its own clock."""


@dataclass(frozen=True, slots=True)
class DropRow:
    """What one hand gave: its pots, the button's fee and the time charges since the hand before.

    `began_at`, `ended_at`: when, by the table's clock (UTC, ISO 8601). `amount_by_kind`: chips by what was taken, the
    kind of the hand among them; `None` where amounts are untracked, which is not 0. `dealer`: who signed last as its
    dealer, else who was signed in, else empty. `paying_seats`: who paid for time.
    """

    session: int
    hand: int
    began_at: str
    ended_at: str
    game: str
    kind: str
    amount_by_kind: Mapping[str, int | None]
    dealer: str = ""
    paying_seats: tuple[int, ...] = ()

    @property
    def amount(self) -> int | None:
        """All that the hand gave; `None` where nobody knows."""
        return _add_chips(self.amount_by_kind.values())

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Self:
        """Read a row that was written as JSON; raises `KeyError` for what is none."""
        return cls(
            session=content["session"],
            hand=content["hand"],
            began_at=content["began"],
            ended_at=content["ended"],
            game=content["game"],
            kind=content["kind"],
            amount_by_kind=dict(content["by_kind"]),
            dealer=content["dealer"],
            paying_seats=tuple(content["seats"]),
        )

    def to_json(self) -> dict[str, object]:
        """Write it as pages, files and the room have it."""
        return {
            "session": self.session,
            "hand": self.hand,
            "began": self.began_at,
            "ended": self.ended_at,
            "game": self.game,
            "kind": self.kind,
            "amount": self.amount,
            "by_kind": dict(self.amount_by_kind),
            "dealer": self.dealer,
            "seats": list(self.paying_seats),
        }


@dataclass(frozen=True, slots=True)
class _Charges:
    """Who has paid for time since the last hand was over, and who had before it was."""

    seats: tuple[int, ...] = ()
    last_seats: tuple[int, ...] = ()

    def follow(self, facts: Iterable[Fact]) -> "_Charges":
        """The same after what happened."""
        found = self
        for fact in facts:
            match fact:
                case ChipsCollected(amount, seat=int() as seat, is_button_fee=False) if (
                    amount and seat not in found.seats
                ):
                    found = replace(found, seats=(*found.seats, seat))
                case HandOver():
                    found = _Charges((), found.seats)
                case HandReopened():
                    found = _Charges((*found.last_seats, *found.seats))
                case _:
                    pass
        return found


@dataclass(slots=True)
class _HandNotes:
    """What the account does not say of the hand that is on: when it began and who signed as its dealer."""

    began_at: str
    dealer: str = ""


@dataclass(frozen=True, slots=True)
class RestingDrop:
    """The rows of a session as the table last rested; those of hands after `last_hand` that were told before are void.

    `rows`: all, or the newest where the others are kept elsewhere.
    """

    session: int
    rows: tuple[DropRow, ...]
    last_hand: int


@dataclass(frozen=True, slots=True)
class DropMark:
    """What a recorder knew beside the rows of hands before `row` as the table rested, so that another goes on there.

    `row`: of the last hand. `begun_chips`, `carried_chips`, `resting_*`: as the recorder has them.
    """

    session: int
    begun_chips: int
    carried_chips: int
    resting_chips: int
    resting_account: int
    resting_hand: int
    row: DropRow | None
    charged_seats: tuple[int, ...]
    last_charged_seats: tuple[int, ...]
    began_at: str
    dealer: str
    signed_in_dealer: str

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Self:
        """Read a mark that was written as JSON; raises `KeyError` and `TypeError` for what is none."""
        row = content["row"]
        seats = {key: tuple(content[key]) for key in ("charged_seats", "last_charged_seats")}
        return cls(**{**content, **seats, "row": None if row is None else DropRow.from_json(row)})

    def to_json(self) -> dict[str, object]:
        """Write it for a file."""
        content = {each.name: getattr(self, each.name) for each in fields(self)}
        return content | {"row": None if self.row is None else self.row.to_json()}


class DropRecorder:
    """Takes what a table answered to each entry of a session that it did not refuse, in order.

    `begun`: the table from which the session goes on, where another left it; what that had taken is not this one's.
    """

    def __init__(self, session: int, begun: TableState | None = None) -> None:
        self._session = session
        self._row_by_hand: dict[int, DropRow] = {}
        """Hand -> its row, as the table last rested."""
        self._state = begun
        account = None if begun is None else begun.collection
        self._carried_chips = 0 if account is None else account.settled_chips
        self.begun_chips = 0 if account is None else account.settled_chips + account.charge_chips
        """What the table's account had when the session began."""
        self._resting_chips = 0 if account is None else account.charge_chips
        self._resting_account = self.begun_chips
        self._resting_hand = 0 if begun is None else begun.hand_count
        self._charges = _Charges()
        self._recent_charges: deque[tuple[TableState, _Charges]] = deque(maxlen=2 * MAX_ENTRIES)
        """What was known when the table stood as it did: an amendment begins there again."""
        self._notes = _HandNotes("")
        self._signed_in_dealer = ""

    @classmethod
    def resume(cls, mark: DropMark, state: TableState, rows: Iterable[DropRow]) -> "DropRecorder":
        """Go on from `mark`, as the table stood in `state`; `rows`: of the hands of this session up to there."""
        made = cls(mark.session, state)
        made._carried_chips, made.begun_chips = mark.carried_chips, mark.begun_chips
        made._resting_chips, made._resting_account = mark.resting_chips, mark.resting_account
        made._resting_hand = mark.resting_hand
        known = [row for row in rows if row.hand < mark.resting_hand]
        made._row_by_hand = {row.hand: row for row in (*known, *([] if mark.row is None else [mark.row]))}
        made._charges = _Charges(mark.charged_seats, mark.last_charged_seats)
        made._recent_charges.append((state, made._charges))
        made._notes = _HandNotes(mark.began_at, mark.dealer)
        made._signed_in_dealer = mark.signed_in_dealer
        return made

    def make_mark(self) -> DropMark:
        """What this one knows, no hand being on."""
        return DropMark(
            self._session, self.begun_chips, self._carried_chips,
            self._resting_chips, self._resting_account, self._resting_hand,
            self._row_by_hand.get(self._resting_hand),
            self._charges.seats, self._charges.last_seats,
            self._notes.began_at, self._notes.dealer, self._signed_in_dealer,
        )  # fmt: skip

    def begin_session(self, session: int, begun: TableState | None = None) -> "DropRecorder":
        """What takes the entries of the next session: who is signed in stays so."""
        following = DropRecorder(session, begun)
        following._signed_in_dealer = self._signed_in_dealer
        return following

    def receive_sign_in(self, name: str, role: str, *, is_sign_out: bool = False) -> None:
        """Somebody of the house signed in or out: a hand that nobody signs as its dealer is of the one signed in."""
        if role == DEALER_ROLE and not is_sign_out:
            self._signed_in_dealer = name
        elif role == DEALER_ROLE and name == self._signed_in_dealer:
            self._signed_in_dealer = ""

    def receive_outcome(
        self, outcome: Outcome, history: HandHistory, at: str, signer: Mapping[str, object] | None = None
    ) -> DropRow | None:
        """Take what came of an entry at `at` that `signer` signed; `history`: that of the table after it.

        Returns the row of the last hand where no hand is on: it stands for all that was told of this hand before, and
        rows of later hands are void. `None` while a hand is on, or where the house has taken nothing.
        """
        before, state = self._state, outcome.state
        self._state = state
        if outcome.has_fact(EntryTakenBack, EntryAmended):
            self._rebuild_charges(history)
        else:
            self._charges = self._charges.follow(outcome.facts)
        self._recent_charges.append((state, self._charges))
        if outcome.has_fact(HandBegan) and (before is None or state.hand_count > before.hand_count):
            self._notes = _HandNotes(at)
        if signer is not None and signer.get("role") == DEALER_ROLE and state.is_hand_on | outcome.has_fact(HandOver):
            self._notes.dealer = str(signer["name"])
        if state.is_hand_on:
            return None
        return self._rest(outcome, at)

    @property
    def rows(self) -> tuple[DropRow, ...]:
        """The hands that are over, in order; one that is on again is none of them."""
        rows = self._row_by_hand.values()
        on = self._state is not None and self._state.is_hand_on and self._state.hand_count
        return tuple(row for row in rows if not on or row.hand < on)

    @property
    def rows_at_rest(self) -> tuple[DropRow, ...]:
        """The rows as the table last rested: what stays where a hand that is on is given up."""
        return tuple(self._row_by_hand.values())

    @property
    def open_chips(self) -> int | None:
        """What the house has that is in no row yet: of the hand that is on, charged since the last; `None`: unknown."""
        if self._state is None or self._state.collection is None:
            return 0
        if not self._state.setup.tracks_amounts:
            return None if self._state.setup.collection is not None else 0
        known = sum(row.amount or 0 for row in self.rows)
        return house_account.count_session_chips(self._state) - self._carried_chips - known

    @property
    def open_chips_at_rest(self) -> int:
        """What was charged after the last hand, as the table last rested."""
        return self._resting_chips

    @property
    def account_at_rest(self) -> int | None:
        """The table's account as it last rested; `None` where a hand gave what nobody knows."""
        is_unknown = any(row.amount is None for row in self._row_by_hand.values())
        return None if is_unknown else self._resting_account

    def read_at_rest(self) -> RestingDrop:
        """What stands now, for whoever keeps the rows elsewhere."""
        return RestingDrop(self._session, self.rows_at_rest, self._resting_hand)

    def copy(self) -> "DropRecorder":
        """Another that goes on from here by itself."""
        other = copy(self)
        vars(other).update(
            _recent_charges=self._recent_charges.copy(),
            _notes=replace(self._notes),
            _row_by_hand=dict(self._row_by_hand),
        )
        return other

    def forget_old_rows(self) -> None:
        """Keep the newest alone, for whoever has the others: as far back as a table takes back."""
        for hand in list(self._row_by_hand)[:-MAX_RECENT_ROWS]:
            self._carried_chips += self._row_by_hand.pop(hand).amount or 0
        while len(self._recent_charges) > MAX_RECENT_CHARGES:
            self._recent_charges.popleft()

    def _rest(self, outcome: Outcome, at: str) -> DropRow | None:
        """Write down what the last hand gave, as it stands now."""
        state, number = outcome.state, outcome.state.hand_count
        account, hand = state.collection, state.hand
        self._row_by_hand = {key: row for key, row in self._row_by_hand.items() if key <= number}
        self._resting_hand = number
        self._resting_chips = 0 if account is None else account.charge_chips
        self._resting_account = house_account.count_session_chips(state)
        known = self._row_by_hand.get(number)
        if account is None or hand is None or (known is None and not outcome.has_fact(HandOver)):
            return None
        terms = hand.setup.collection
        kind = CollectionKind.NONE if terms is None else terms.kind
        row = DropRow(
            self._session,
            number,
            self._notes.began_at if known is None else known.began_at,
            at if known is None or outcome.has_fact(HandOver) else known.ended_at,
            format_game_title(hand.setup),
            kind.value,
            _find_amounts(account, hand, kind),
            self._notes.dealer or self._signed_in_dealer if known is None else known.dealer or self._notes.dealer,
            tuple(sorted(self._charges.last_seats)),
        )
        self._row_by_hand[number] = row
        return row

    def _rebuild_charges(self, history: HandHistory) -> None:
        """Gather who has paid from where the entries of a table begin."""
        base = history.base_state
        found = next((kept for state, kept in reversed(self._recent_charges) if state is base), _Charges())
        self._recent_charges.clear()
        self._recent_charges.append((base, found))
        for taken in history.entries:
            if taken.state_after is not None:
                found = found.follow(taken.facts)
                self._recent_charges.append((taken.state_after, found))
        self._charges = found


def _find_amounts(account: TableCollection, hand: Hand, kind: CollectionKind) -> dict[str, int | None]:
    """What the hand that is over gave, by kind."""
    if not hand.setup.tracks_amounts:
        return {kind.value: 0 if kind is CollectionKind.NONE else None}
    fee, charges = hand.collection.button_fee, account.last_charge_chips
    of_pots = account.last_hand_chips - fee - charges
    found = {CollectionKind.BUTTON: fee, CollectionKind.TIME: charges}
    amounts: dict[str, int | None] = {kind.value: found.get(kind, of_pots)}
    return amounts | {other.value: chips for other, chips in found.items() if chips and other is not kind}


def _add_chips(amounts: Iterable[int | None]) -> int | None:
    """The sum of amounts that are all known."""
    known = list(amounts)
    return None if None in known else sum(chips for chips in known if chips is not None)


@unique
class DropGrouping(Enum):
    """By what rows are summed up; a hand belongs to the hour and the shift in which it was over."""

    HAND = "hand"
    HOUR = "hour"
    DEALER = "dealer"
    SHIFT = "shift"
    GAME = "game"
    KIND = "kind"


@dataclass(frozen=True, slots=True)
class DropSum:
    """What some hands gave. `label`: their hour or shift as it began (ISO 8601), their dealer, game, kind or number.

    `chips`: what is known of it, `None` where nothing is; `unknown_count`: hands of which nobody knows what they gave.
    """

    label: str
    hand_count: int
    chips: int | None
    unknown_count: int = 0


@dataclass(frozen=True, slots=True)
class ShiftClock:
    """By what clock hours and shifts are told: its `zone`, `None` for this machine's, and when shifts begin."""

    zone: tzinfo | None = UTC
    starts: tuple[time, ...] = field(default=DEFAULT_SHIFT_STARTS)

    def format_minute(self, at: str) -> str:
        """`at` by this clock, to the minute."""
        return self._read(at).isoformat(sep=" ", timespec="minutes")[:16]

    def find_hour(self, at: str) -> str:
        """The hour in which `at` lies, as it began."""
        return f"{self.format_minute(at)[:-2]}00"

    def find_shift(self, at: str) -> str:
        """The shift in which `at` lies, as it began."""
        local = self._read(at)
        begun = [start for start in sorted(self.starts) if start <= local.time()]
        day = local.date() if begun else local.date() - timedelta(days=1)
        start = max(begun or self.starts)
        return f"{day.isoformat()} {start.isoformat(timespec='minutes')}"

    def _read(self, at: str) -> datetime:
        """`at` by this clock, the seconds left out."""
        time_of_day = datetime.fromisoformat(at).replace(second=0, microsecond=0)
        with suppress(OverflowError):  # the last day that there is may have no name in the zone: it keeps its own
            time_of_day = time_of_day.astimezone(self.zone)
        return time_of_day


UTC_CLOCK = ShiftClock()


def sum_drop(rows: Iterable[DropRow], grouping: DropGrouping, clock: ShiftClock = UTC_CLOCK) -> tuple[DropSum, ...]:
    """Sum rows up; hours and shifts in order, all else as it came first."""
    find_labels: Mapping[DropGrouping, Callable[[DropRow], str]] = {
        DropGrouping.HAND: lambda row: f"{row.session}/{row.hand}",
        DropGrouping.HOUR: lambda row: clock.find_hour(row.ended_at),
        DropGrouping.DEALER: lambda row: row.dealer,
        DropGrouping.SHIFT: lambda row: clock.find_shift(row.ended_at),
        DropGrouping.GAME: lambda row: row.game,
    }
    parts: dict[str, list[int | None]] = {}
    for row in rows:
        if grouping is DropGrouping.KIND:
            for kind, chips in row.amount_by_kind.items():
                parts.setdefault(kind, []).append(chips)
        else:
            parts.setdefault(find_labels[grouping](row), []).append(row.amount)
    in_order = sorted(parts) if grouping in (DropGrouping.HOUR, DropGrouping.SHIFT) else parts
    return tuple(sum_amounts(label, parts[label]) for label in in_order)


def sum_amounts(label: str, amounts: Sequence[int | None]) -> DropSum:
    """What hands gave that gave these amounts; of no hand at all it is 0."""
    known = [chips for chips in amounts if chips is not None]
    unknown = len(amounts) - len(known)
    return DropSum(label, len(amounts), sum(known) if known or not amounts else None, unknown)

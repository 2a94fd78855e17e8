"""When a fault is raised by what happened at the table, and whether somebody may say that it is over.

What lasts is in the table's state (`State.down`), and so in the journal; this only decides. It is asked after every
entry, and before the two kinds of entry that a latched fault forbids or ends.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from controller.core.engine.amendments.hand_history import HandHistory
from controller.core.model.outcome import Outcome
from controller.core.model.setup import Sensor
from controller.core.model.table_state import TableState
from controller.core.protocol import events, vocabulary
from controller.core.protocol.facts import EntryAmended, EntryTakenBack, HandOver
from controller.core.protocol.table_error import Refused
from controller.core.rules.rulings import Ruling, Verdict
from controller.runtime.faults.fault_table import (
    FAULT_BY_DECK_FINDING,
    FAULT_DEVICE_PREFIX,
    FAULTS,
    MIN_UNREAD_FOR_FAULT,
    OUT_OF_SERVICE,
    Fault,
    HaltScope,
    find_fault_by_device,
    list_latched_faults,
)

FAULT_BY_STATUS = {
    vocabulary.DeviceChange.LOST: "device-lost",
    vocabulary.DeviceChange.JAM: "jam",
    vocabulary.DeviceChange.LID_OPEN: "lid-open",
}
"""The fault that news of a device is."""

HAND_ENDING_VERDICTS = (Verdict.MISDEAL, Verdict.VOID_HAND)
"""Verdicts with which there is no hand left to be played to its end."""


@dataclass(frozen=True, slots=True)
class FaultStatus:
    """A fault that is up, for the page."""

    code: str
    text: str
    stops: str
    clears: tuple[str, ...]
    """Roles that may say it is over; empty: what reported it also reports its end."""
    id: str
    """The pseudo-device to be said `back`; empty for a fault that does not latch."""
    people: tuple[tuple[str, str], ...] = field(default=(), compare=False)
    """Name and role of each who has brought it about, where people do; both empty of whoever has not signed in."""

    def to_json(self) -> dict[str, object]:
        """Write it as the page has it."""
        said: dict[str, object] = {"code": self.code, "text": self.text, "stops": self.stops, "clears": self.clears}
        said["id"] = self.id
        return {**said, "people": self.people} if self.people else said

    @classmethod
    def from_fault(cls, fault: Fault, device: str = "") -> "FaultStatus":
        """Describe a fault, of `device` where it is one of the table's."""
        text = f"{fault.text} ({device})" if device else fault.text
        return cls(
            fault.code, text, fault.halt_scope.value, fault.clearing_roles, fault.device_id if fault.latches else ""
        )


class FaultLatches:
    """Decides about the faults of one table.

    `anybody`: at a simulated table everybody in the room has every role. `still` says why a fault that the self-check
    can prove is still there, or nothing when it is gone.
    """

    def __init__(self, *, anybody: bool, still: Callable[[Fault], str | None] = lambda _fault: None) -> None:
        self._anybody_can_clear = anybody
        self._find_remaining_cause = still
        self._codes_at_hand_end: list[str] = []

    def on_entry(self, event: events.Event, outcome: Outcome, history: HandHistory) -> list[Fault]:
        """Say which faults the table's answer to `event` raises now; `history`: what stands of what was entered."""
        if isinstance(event, events.DeviceChanged):
            return []
        found = [] if isinstance(event, events.HandStarted) else _find_deck_faults(outcome.rulings)
        now = [code for code, at_once in found if at_once]
        if outcome.state.is_hand_on and outcome.has_fact(EntryTakenBack, EntryAmended):
            of_hand = takewhile(
                lambda entry: not isinstance(entry.event, events.HandStarted), reversed(history.entries)
            )
            standing = tuple(ruling for entry in of_hand for ruling in entry.rulings)
            self._codes_at_hand_end = [code for code, at_once in _find_deck_faults(standing) if not at_once]
        self._codes_at_hand_end += [code for code, at_once in found if not at_once]
        if not outcome.state.is_hand_on:
            over = outcome.has_fact(HandOver)
            now += self._codes_at_hand_end or (_find_faults_left_by_hand(outcome.state) if over else [])
            now += _find_reader_faults(outcome.state) if over else []
            self._codes_at_hand_end = []
        return self.filter_new_faults(now, outcome.state)

    def find_faults_at_power_loss(self, outcome: Outcome) -> list[str]:
        """Say which faults the last entry before a cut of the power raises, as its latch may be missing."""
        if outcome.state.is_hand_on:
            return [code for code, at_once in _find_deck_faults(outcome.rulings) if at_once]
        return [*_find_faults_left_by_hand(outcome.state), *_find_reader_faults(outcome.state)]

    def filter_new_faults(self, codes: Sequence[str], state: TableState) -> list[Fault]:
        """Leave out what is latched already."""
        up = list_latched_faults(state.faults)
        return [FAULTS[code] for code in dict.fromkeys(codes) if FAULTS[code] not in up]

    def find_refusal(self, event: events.Event, by: Mapping[str, object] | None, state: TableState) -> Refused | None:
        """Say why an entry that a person makes is not taken because of a fault; `None` when it is."""
        if isinstance(event, events.HandStarted) and state.faults:
            return Refused("halted", "No hand starts while a fault is up: see to it first.")
        if not isinstance(event, events.DeviceChanged) or not event.device_id.startswith(FAULT_DEVICE_PREFIX):
            return None
        fault = find_fault_by_device(event.device_id)
        if fault is not None and fault.code == OUT_OF_SERVICE and event.change is vocabulary.DeviceChange.LOST:
            return self._find_service_refusal(fault, by, state)
        if (
            fault is None
            or event.change is not vocabulary.DeviceChange.BACK
            or fault not in list_latched_faults(state.faults)
        ):
            return Refused("no-fault", "Only a fault that is up can be said to be over.")
        if not self._can_clear(fault, by):
            return Refused("fault-role", f"Only the {' or the '.join(fault.clearing_roles)} may say that this is over.")
        why = self._find_remaining_cause(fault) if fault.is_proved_by_self_check else None
        return None if why is None else Refused("fault-remains", f"It is not over: {why}")

    def _find_service_refusal(self, fault: Fault, by: Mapping[str, object] | None, state: TableState) -> Refused | None:
        """Why the table cannot be taken out of service now."""
        if not self._can_clear(fault, by):
            return Refused(
                "fault-role", f"Only the {' or the '.join(fault.clearing_roles)} may take the table out of service."
            )
        if state.is_hand_on:
            return Refused("hand-on", "A hand is being played: finish it first.")
        return (
            None
            if fault not in list_latched_faults(state.faults)
            else Refused("no-fault", "The table is out of service already.")
        )

    def _can_clear(self, fault: Fault, by: Mapping[str, object] | None) -> bool:
        """At a table where nobody has signed in, whoever stands at it is its dealer."""
        return self._anybody_can_clear or ("dealer" if by is None else by.get("role")) in fault.clearing_roles


def describe_faults(down: tuple[str, ...]) -> tuple[FaultStatus, ...]:
    """Describe everything that halts a table, the faults that latch and those of its devices."""
    return tuple(_describe_fault(*entry.rpartition(" ")[::2]) for entry in down)


def _describe_fault(device: str, status: str) -> FaultStatus:
    fault = find_fault_by_device(device)
    if fault is not None:
        return FaultStatus.from_fault(fault)
    return FaultStatus.from_fault(FAULTS[FAULT_BY_STATUS[vocabulary.DeviceChange(status)]], device)


def _find_deck_faults(rulings: tuple[Ruling, ...]) -> list[tuple[str, bool]]:
    """What rulings say against the deck, each with whether the hand is over by them."""
    return [
        (code, ruling.verdict in HAND_ENDING_VERDICTS or FAULTS[code].halt_scope is HaltScope.AT_ONCE)
        for ruling in rulings
        if (code := FAULT_BY_DECK_FINDING.get(ruling.finding)) is not None
    ]


def _find_faults_left_by_hand(state: TableState) -> list[str]:
    """What the hand that is over says of the deck, where it was ruled on before this start."""
    return ["deck-count"] if state.hand is not None and state.hand.cards.has_wrong_count else []


def _find_reader_faults(state: TableState) -> list[str]:
    if state.hand is None or Sensor.IDENTITY not in state.setup.sensors:
        return []
    unread = sum(
        lying.card is None and not (lying.is_foreign or lying.is_forgotten)
        for pile in state.hand.cards.piles.cards_by_place.values()
        for lying in pile
    )
    return ["reader-failing"] if unread >= MIN_UNREAD_FOR_FAULT else []

"""When a fault is raised by what happened at the table, and whether somebody may say that it is over.

What lasts is in the table's state (`State.down`), and so in the journal; this only decides. It is asked after every
entry, and before the two kinds of entry that a latched fault forbids or ends.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from controller.core.model.outcome import Outcome
from controller.core.model.setup import Sensor
from controller.core.model.state import State
from controller.core.protocol import events, vocabulary
from controller.core.protocol.display import Phase
from controller.core.protocol.errors import Refused
from controller.core.rules.rulings import Ruling, Verdict
from controller.runtime.faults.faults import (
    DECK_FINDINGS,
    FAULTS,
    IN_SERVICE,
    PREFIX,
    UNREAD_LIMIT,
    Fault,
    Stops,
    latched,
    latched_by,
)

OF_STATUS = {
    vocabulary.Status.LOST: "device-lost",
    vocabulary.Status.JAM: "jam",
    vocabulary.Status.LID_OPEN: "lid-open",
}
"""The fault that news of a device is."""

OVER = (Verdict.MISDEAL, Verdict.VOID_HAND)
"""Verdicts with which there is no hand left to be played to its end."""


@dataclass(frozen=True, slots=True)
class FaultStanding:
    """A fault that is up, for the page."""

    code: str
    text: str
    stops: str
    clears: tuple[str, ...]
    """Roles that may say it is over; empty: what reported it also reports its end."""
    id: str
    """The pseudo-device to be said `back`; empty for a fault that does not latch."""

    def to_json(self) -> dict[str, object]:
        """Write it as the page has it."""
        return {"code": self.code, "text": self.text, "stops": self.stops, "clears": self.clears, "id": self.id}

    @classmethod
    def of(cls, fault: Fault, device: str = "") -> "FaultStanding":
        """Describe a fault, of `device` where it is one of the table's."""
        text = f"{fault.text} ({device})" if device else fault.text
        return cls(fault.code, text, fault.stops.value, fault.clears, fault.device if fault.latches else "")


class Latches:
    """Decides about the faults of one table.

    `anybody`: at a simulated table everybody in the room has every role. `still` says why a fault that the self-check
    can prove is still there, or nothing when it is gone.
    """

    def __init__(self, *, anybody: bool, still: Callable[[Fault], str | None] = lambda _fault: None) -> None:
        self._anybody = anybody
        self._still = still
        self._when_hand_ends: list[str] = []

    def after(self, event: events.Event, outcome: Outcome, *, in_hand: bool) -> list[Fault]:
        """Say which faults the table's answer to `event` raises now; `in_hand`: a hand was on before it."""
        if isinstance(event, events.Device):
            return []
        found = [] if isinstance(event, events.Start) else _of_the_deck(outcome.rulings)
        now = [code for code, at_once in found if at_once]
        self._when_hand_ends += [code for code, at_once in found if not at_once]
        if outcome.state.planned_phase is Phase.IDLE:
            now += self._when_hand_ends or (_left_by_hand(outcome.state) if in_hand else [])
            now += _by_reader(outcome.state) if in_hand else []
            self._when_hand_ends = []
        return self.new(now, outcome.state)

    def cut_off(self, outcome: Outcome) -> list[str]:
        """Say which faults the last entry before a cut of the power raises, as its latch may be missing."""
        if outcome.state.planned_phase is not Phase.IDLE:
            return [code for code, at_once in _of_the_deck(outcome.rulings) if at_once]
        return [*_left_by_hand(outcome.state), *_by_reader(outcome.state)]

    def new(self, codes: Sequence[str], state: State) -> list[Fault]:
        """Leave out what is latched already."""
        up = latched(state.down)
        return [FAULTS[code] for code in dict.fromkeys(codes) if FAULTS[code] not in up]

    def refusal(self, event: events.Event, by: Mapping[str, object] | None, state: State) -> Refused | None:
        """Say why an entry that a person makes is not taken because of a fault; `None` when it is."""
        if isinstance(event, events.Start) and state.down:
            return Refused("halted", "No hand starts while a fault is up: see to it first.")
        if not isinstance(event, events.Device) or not event.id.startswith(PREFIX):
            return None
        fault = latched_by(event.id)
        if fault is not None and fault.code == IN_SERVICE and event.status is vocabulary.Status.LOST:
            return self._no_service(fault, by, state)
        if fault is None or event.status is not vocabulary.Status.BACK or fault not in latched(state.down):
            return Refused("no-fault", "Only a fault that is up can be said to be over.")
        if not self._may_clear(fault, by):
            return Refused("fault-role", f"Only the {' or the '.join(fault.clears)} may say that this is over.")
        why = self._still(fault) if fault.by_self_check else None
        return None if why is None else Refused("fault-remains", f"It is not over: {why}")

    def _no_service(self, fault: Fault, by: Mapping[str, object] | None, state: State) -> Refused | None:
        """Why the table cannot be taken out of service now."""
        if not self._may_clear(fault, by):
            return Refused("fault-role", f"Only the {' or the '.join(fault.clears)} may take the table out of service.")
        if state.planned_phase is not Phase.IDLE:
            return Refused("hand-on", "A hand is being played: finish it first.")
        return None if fault not in latched(state.down) else Refused("no-fault", "The table is out of service already.")

    def _may_clear(self, fault: Fault, by: Mapping[str, object] | None) -> bool:
        """At a table where nobody has signed in, whoever stands at it is its dealer."""
        return self._anybody or ("dealer" if by is None else by.get("role")) in fault.clears


def standings(down: tuple[str, ...]) -> tuple[FaultStanding, ...]:
    """Describe everything that halts a table, the faults that latch and those of its devices."""
    return tuple(_standing(*entry.rpartition(" ")[::2]) for entry in down)


def _standing(device: str, status: str) -> FaultStanding:
    fault = latched_by(device)
    if fault is not None:
        return FaultStanding.of(fault)
    return FaultStanding.of(FAULTS[OF_STATUS[vocabulary.Status(status)]], device)


def _of_the_deck(rulings: tuple[Ruling, ...]) -> list[tuple[str, bool]]:
    """What rulings say against the deck, each with whether the hand is over by them."""
    return [
        (code, ruling.verdict in OVER or FAULTS[code].stops is Stops.AT_ONCE)
        for ruling in rulings
        if (code := DECK_FINDINGS.get(ruling.finding)) is not None
    ]


def _left_by_hand(state: State) -> list[str]:
    """What the hand that is over says of the deck, where it was ruled on before this start."""
    return ["deck-count"] if state.hand is not None and state.hand.cards.miscounted else []


def _by_reader(state: State) -> list[str]:
    if state.hand is None or Sensor.IDENTITY not in state.setup.sensors:
        return []
    unread = sum(
        lying.card is None and not (lying.strange or lying.forgotten)
        for pile in state.hand.cards.piles.out.values()
        for lying in pile
    )
    return ["reader-failing"] if unread >= UNREAD_LIMIT else []

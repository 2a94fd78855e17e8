"""The one table of faults: what each stops, whether it latches, what proves it gone, and who may say that it is.

A fault that latches is news of a pseudo-device, `fault:` and its code, in the journal: so the table halts, the gate is
shut, and a restart finds it as it was (a table that was switched off in a fault is still in it). It ends by an entry of
its own, with the name of who made it. Faults of real devices do not latch: what reported them also reports their end,
which is the best proof there is.

`clears` names roles, the least first. What each person does about a code is in the error catalogue, kind `fault`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, unique

from controller.core.protocol import events, vocabulary

DEALER, FLOOR, TECHNICIAN = "dealer", "floor", "technician"

OUT_OF_SERVICE = "in-service"
"""The one fault that a person raises: a technician is at work on the table, between hands."""

FAULT_DEVICE_PREFIX = "fault:"
"""What the pseudo-devices of latched faults are called; no device of a table's file can be named so."""


CONTROLLER_SOURCE = "controller"
"""The source of what the controller enters by itself."""


@unique
class HaltScope(Enum):
    """What a fault stops: the gate is shut, no hand starts."""

    AT_ONCE = "at once"
    BETWEEN_HANDS = "before the next deal"
    """The hand is played to its end, unless the rulebook has just declared it void or a misdeal."""
    NOTHING = "nothing"
    """It is shown as long as it lasts."""


@unique
class ClearanceProof(Enum):
    """What shows that a fault is over."""

    DEVICE = "the device itself"
    SELF_CHECK = "the self-check"
    """A person may ask for it; while it still fails nobody can clear the fault."""
    START = "a start"
    """The journal could be read and written again."""
    PERSON = "a person's word"
    PASSES_BY_ITSELF = "it passes"


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault; `text` is for the page and the log and names no card."""

    code: str
    halt_scope: HaltScope
    latches: bool
    proof: ClearanceProof
    clearing_roles: tuple[str, ...]
    text: str

    @property
    def device_id(self) -> str:
        """The pseudo-device of a fault that latches."""
        return FAULT_DEVICE_PREFIX + self.code

    @property
    def is_proved_by_self_check(self) -> bool:
        """Whether the self-check can prove that it is over."""
        return self.proof is ClearanceProof.SELF_CHECK


_FAULT_ROWS = (
    # code, stops, latches, proof, clears, text
    Fault("device-lost", HaltScope.AT_ONCE, False, ClearanceProof.DEVICE, (), "A device that the deal depends on "
        "does not answer."),
    Fault("accessory-lost", HaltScope.NOTHING, False, ClearanceProof.DEVICE, (), "A device that no card needs does "
        "not answer."),
    Fault("jam", HaltScope.AT_ONCE, False, ClearanceProof.DEVICE, (), "A card stands in the mouth of the shoe."),
    Fault("lid-open", HaltScope.AT_ONCE, False, ClearanceProof.DEVICE, (), "The lid of the shoe is open."),
    Fault("unread", HaltScope.NOTHING, False, ClearanceProof.PASSES_BY_ITSELF, (), "A card left the shoe unread."),
    Fault(
        "reader-failing", HaltScope.BETWEEN_HANDS, True, ClearanceProof.PERSON, (FLOOR, TECHNICIAN),
        "Too many cards of one hand left the shoe unread.",
    ),
    Fault(
        "events-missed", HaltScope.AT_ONCE, True, ClearanceProof.PERSON, (DEALER, FLOOR, TECHNICIAN),
        "The shoe may have given cards that this table did not see: compare the cards on the table with the display.",
    ),
    Fault(
        "power-lost", HaltScope.AT_ONCE, True, ClearanceProof.PERSON, (DEALER, FLOOR, TECHNICIAN),
        "The controller was cut short in a hand: compare cards, pot and button with the display.",
    ),
    Fault(
        "deck-foreign", HaltScope.BETWEEN_HANDS, True, ClearanceProof.PERSON, (FLOOR,),
        "A card of another deck was in the shoe: this deck must leave the table.",
    ),
    Fault(
        "deck-duplicate", HaltScope.BETWEEN_HANDS, True, ClearanceProof.PERSON, (FLOOR,),
        "Two cards of one rank and suit were in the shoe: this deck must leave the table.",
    ),
    Fault(
        "deck-count", HaltScope.BETWEEN_HANDS, True, ClearanceProof.PERSON, (FLOOR,),
        "The last hand showed a wrong number of cards: count the deck; one that is not complete must leave the table.",
    ),
    Fault(
        "deck-defective", HaltScope.BETWEEN_HANDS, True, ClearanceProof.PERSON, (FLOOR,),
        "The deck is defective: it must leave the table.",
    ),
    Fault(
        "deck-unregistered", HaltScope.AT_ONCE, True, ClearanceProof.SELF_CHECK, (TECHNICIAN,),
        "No deck is registered: the table knows no card yet.",
    ),
    Fault(
        "staff-replaced", HaltScope.BETWEEN_HANDS, True, ClearanceProof.SELF_CHECK, (TECHNICIAN,),
        "The staff's file is not the one that this table had: nobody is let in by it.",
    ),
    Fault(
        "queue-full", HaltScope.AT_ONCE, True, ClearanceProof.PERSON, (FLOOR, TECHNICIAN),
        "More came from the devices than the controller could take, and what came last was dropped: compare the cards "
        "on the table with the display.",
    ),
    Fault(
        "self-check", HaltScope.AT_ONCE, True, ClearanceProof.SELF_CHECK, (TECHNICIAN,),
        "The self-check failed: program, rules or disk are not as they should be.",
    ),
    Fault(
        "program-fault", HaltScope.AT_ONCE, True, ClearanceProof.PERSON, (TECHNICIAN,),
        "The program itself failed on an entry; the table stands as before it.",
    ),
    Fault(
        "disk-low", HaltScope.BETWEEN_HANDS, True, ClearanceProof.SELF_CHECK, (TECHNICIAN,),
        "The disk has little room left for the journal.",
    ),
    Fault(
        OUT_OF_SERVICE, HaltScope.AT_ONCE, True, ClearanceProof.PERSON, (TECHNICIAN,),
        "A technician has taken the table out of service: no card is dealt.",
    ),
    Fault(
        "journal-trouble", HaltScope.AT_ONCE, False, ClearanceProof.START, (),
        "The journal cannot be written: the controller ends, and deals again only when a start finds it sound.",
    ),
    Fault(
        "clock-unset", HaltScope.NOTHING, False, ClearanceProof.SELF_CHECK, (),
        "The clock has not been set: the times in the journal are wrong, the play is not.",
    ),
    Fault(
        "certificate-ended", HaltScope.NOTHING, False, ClearanceProof.PASSES_BY_ITSELF, (),
        "The certificate of the page has ended: browsers refuse the page, or warn of it.",
    ),
)  # fmt: skip

FAULTS: Mapping[str, Fault] = {fault.code: fault for fault in _FAULT_ROWS}
"""Every fault by its code."""

FAULT_BY_DECK_FINDING: Mapping[str, str] = {
    "foreign-back": "deck-foreign",
    "duplicate": "deck-duplicate",
    "joker": "deck-count",
    "missing-card": "deck-count",
    "count-mismatch": "deck-count",
    "deck-defective": "deck-defective",
}
"""What a finding of the rulebook says about the deck: it may not be dealt from again (COMAR 36.05.03.27.C)."""

MIN_UNREAD_FOR_FAULT = 3
"""So many unread cards in one hand are no accident any more: about one card in seven of a two-handed deal."""


def find_fault_by_device(device: str) -> Fault | None:
    """The fault whose pseudo-device this is; `None` for a device of the table."""
    fault = FAULTS.get(device.removeprefix(FAULT_DEVICE_PREFIX)) if device.startswith(FAULT_DEVICE_PREFIX) else None
    return fault if fault is not None and fault.latches else None


def make_raise_event(code: str) -> events.DeviceChanged:
    """The entry that latches a fault."""
    return events.DeviceChanged(FAULTS[code].device_id, vocabulary.DeviceChange.LOST, is_needed=True)


def make_clear_event(code: str) -> events.DeviceChanged:
    """The entry that ends a latched fault."""
    return events.DeviceChanged(FAULTS[code].device_id, vocabulary.DeviceChange.BACK, is_needed=True)


def list_latched_faults(down: tuple[str, ...]) -> tuple[Fault, ...]:
    """The faults that are latched at a table whose state says that `down` is down."""
    found = (find_fault_by_device(entry.rpartition(" ")[0]) for entry in down)
    return tuple(fault for fault in found if fault is not None)

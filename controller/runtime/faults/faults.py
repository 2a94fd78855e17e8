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

IN_SERVICE = "in-service"
"""The one fault that a person raises: a technician is at work on the table, between hands."""

PREFIX = "fault:"
"""What the pseudo-devices of latched faults are called; no device of a table's file can be named so."""


@unique
class Stops(Enum):
    """What a fault stops: the gate is shut, no hand starts."""

    AT_ONCE = "at once"
    BETWEEN_HANDS = "before the next deal"
    """The hand is played to its end, unless the rulebook has just declared it void or a misdeal."""
    NOTHING = "nothing"
    """It is shown as long as it lasts."""


@unique
class Proof(Enum):
    """What shows that a fault is over."""

    DEVICE = "the device itself"
    SELF_CHECK = "the self-check"
    """A person may ask for it; while it still fails nobody can clear the fault."""
    START = "a start"
    """The journal could be read and written again."""
    WORD = "a person's word"
    ITSELF = "it passes"


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault; `text` is for the page and the log and names no card."""

    code: str
    stops: Stops
    latches: bool
    proof: Proof
    clears: tuple[str, ...]
    text: str

    @property
    def device(self) -> str:
        """The pseudo-device of a fault that latches."""
        return PREFIX + self.code

    @property
    def by_self_check(self) -> bool:
        """Whether the self-check can prove that it is over."""
        return self.proof is Proof.SELF_CHECK


_ROWS = (
    # code, stops, latches, proof, clears, text
    Fault("device-lost", Stops.AT_ONCE, False, Proof.DEVICE, (), "A device that the deal depends on does not answer."),
    Fault("accessory-lost", Stops.NOTHING, False, Proof.DEVICE, (), "A device that no card needs does not answer."),
    Fault("jam", Stops.AT_ONCE, False, Proof.DEVICE, (), "A card stands in the mouth of the shoe."),
    Fault("lid-open", Stops.AT_ONCE, False, Proof.DEVICE, (), "The lid of the shoe is open."),
    Fault("unread", Stops.NOTHING, False, Proof.ITSELF, (), "A card left the shoe unread."),
    Fault(
        "reader-failing", Stops.BETWEEN_HANDS, True, Proof.WORD, (FLOOR, TECHNICIAN),
        "Too many cards of one hand left the shoe unread.",
    ),
    Fault(
        "events-missed", Stops.AT_ONCE, True, Proof.WORD, (DEALER, FLOOR, TECHNICIAN),
        "The shoe may have given cards that this table did not see: compare the cards on the table with the display.",
    ),
    Fault(
        "power-lost", Stops.AT_ONCE, True, Proof.WORD, (DEALER, FLOOR, TECHNICIAN),
        "The controller was cut short in a hand: compare cards, pot and button with the display.",
    ),
    Fault(
        "deck-foreign", Stops.BETWEEN_HANDS, True, Proof.WORD, (FLOOR,),
        "A card of another deck was in the shoe: this deck must leave the table.",
    ),
    Fault(
        "deck-duplicate", Stops.BETWEEN_HANDS, True, Proof.WORD, (FLOOR,),
        "Two cards of one rank and suit were in the shoe: this deck must leave the table.",
    ),
    Fault(
        "deck-count", Stops.BETWEEN_HANDS, True, Proof.WORD, (FLOOR,),
        "The last hand showed a wrong number of cards: count the deck; one that is not complete must leave the table.",
    ),
    Fault(
        "deck-defective", Stops.BETWEEN_HANDS, True, Proof.WORD, (FLOOR,),
        "The deck is defective: it must leave the table.",
    ),
    Fault(
        "deck-unregistered", Stops.AT_ONCE, True, Proof.SELF_CHECK, (TECHNICIAN,),
        "No deck is registered: the table knows no card yet.",
    ),
    Fault(
        "queue-full", Stops.AT_ONCE, True, Proof.WORD, (FLOOR, TECHNICIAN),
        "More came from the devices than the controller could take, and what came last was dropped: compare the cards "
        "on the table with the display.",
    ),
    Fault(
        "self-check", Stops.AT_ONCE, True, Proof.SELF_CHECK, (TECHNICIAN,),
        "The self-check failed: program, rules or disk are not as they should be.",
    ),
    Fault(
        "program-fault", Stops.AT_ONCE, True, Proof.WORD, (TECHNICIAN,),
        "The program itself failed on an entry; the table stands as before it.",
    ),
    Fault(
        "disk-low", Stops.BETWEEN_HANDS, True, Proof.SELF_CHECK, (TECHNICIAN,),
        "The disk has little room left for the journal.",
    ),
    Fault(
        IN_SERVICE, Stops.AT_ONCE, True, Proof.WORD, (TECHNICIAN,),
        "A technician has taken the table out of service: no card is dealt.",
    ),
    Fault(
        "journal-trouble", Stops.AT_ONCE, False, Proof.START, (),
        "The journal cannot be written: the controller ends, and deals again only when a start finds it sound.",
    ),
    Fault(
        "clock-unset", Stops.NOTHING, False, Proof.SELF_CHECK, (),
        "The clock has not been set: the times in the journal are wrong, the play is not.",
    ),
    Fault(
        "certificate-ended", Stops.NOTHING, False, Proof.ITSELF, (),
        "The certificate of the page has ended: browsers refuse the page, or warn of it.",
    ),
)  # fmt: skip

FAULTS: Mapping[str, Fault] = {fault.code: fault for fault in _ROWS}
"""Every fault by its code."""

DECK_FINDINGS: Mapping[str, str] = {
    "foreign-back": "deck-foreign",
    "duplicate": "deck-duplicate",
    "joker": "deck-count",
    "missing-card": "deck-count",
    "count-mismatch": "deck-count",
    "deck-defective": "deck-defective",
}
"""What a finding of the rulebook says about the deck: it may not be dealt from again (COMAR 36.05.03.27.C)."""

UNREAD_LIMIT = 3
"""So many unread cards in one hand are no accident any more: about one card in seven of a two-handed deal."""


def latched_by(device: str) -> Fault | None:
    """The fault whose pseudo-device this is; `None` for a device of the table."""
    fault = FAULTS.get(device.removeprefix(PREFIX)) if device.startswith(PREFIX) else None
    return fault if fault is not None and fault.latches else None


def raised(code: str) -> events.Device:
    """The entry that latches a fault."""
    return events.Device(FAULTS[code].device, vocabulary.Status.LOST, needed=True)


def cleared(code: str) -> events.Device:
    """The entry that ends a latched fault."""
    return events.Device(FAULTS[code].device, vocabulary.Status.BACK, needed=True)


def latched(down: tuple[str, ...]) -> tuple[Fault, ...]:
    """The faults that are latched at a table whose state says that `down` is down."""
    found = (latched_by(entry.rpartition(" ")[0]) for entry in down)
    return tuple(fault for fault in found if fault is not None)

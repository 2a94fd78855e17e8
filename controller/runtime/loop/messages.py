"""What reaches the loop: everything that threads put on its queue, each with the monotonic second it came."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Event
from controller.runtime.devices.decks import Deck
from controller.runtime.faults.self_check import Result
from drivers.contract.base import DeviceEvent
from drivers.ports.open_port import BytePort


@dataclass(frozen=True, slots=True)
class PortOpened:
    """The port of `device` is open, for the first time or again."""

    device: str
    port: BytePort
    at: float


@dataclass(frozen=True, slots=True)
class PortBytes:
    """Bytes came from `device`."""

    device: str
    data: bytes = field(repr=False)
    at: float


@dataclass(frozen=True, slots=True)
class PortLost:
    """The port of `device` is gone, cannot be opened, or its reader died."""

    device: str
    why: str
    at: float


@dataclass(frozen=True, slots=True)
class DevicesSaid:
    """Devices said something that is no bytes: the sampler saw it on the pins, or a driver was given up."""

    events: Sequence[DeviceEvent]
    at: float


@dataclass(frozen=True, slots=True)
class Asked:
    """Somebody who is not at the table asks for an entry after entry `seen`, and waits to hear what came of it.

    `heard` is told the number of the entry, and why the table did not take it; of neither, where it had moved on.
    """

    seen: int
    heard: Callable[[int | None, Refused | None], None] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Entered:
    """Somebody entered an event at `source`: a page, a terminal. `by`: name, role and signature, of who signed in."""

    event: Event = field(repr=False)
    source: str
    at: float
    by: Mapping[str, object] | None = None
    asked: Asked | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """A self-check was made, because somebody at `source` asked for it."""

    results: tuple[Result, ...]
    source: str
    at: float


@dataclass(frozen=True, slots=True)
class SignIn:
    """Somebody of the house signed in; `key` is the public key, in base64, that their entries are signed with."""

    name: str
    role: str
    key: str
    at: float


@dataclass(frozen=True, slots=True)
class SignOut:
    """Somebody of the house signed out by their own word."""

    name: str
    role: str
    at: float


@dataclass(frozen=True, slots=True)
class FloorCalled:
    """The floor was called to the table, or has come; `by` is who said so, empty where nobody signs in."""

    wanted: bool
    by: str
    at: float


@dataclass(frozen=True, slots=True)
class DeckRegistered:
    """A deck was registered at the table: how many cards, their checksum, and by whom (empty as in `FloorCalled`)."""

    deck: str
    cards: int
    checksum: str
    by: str
    at: float


@dataclass(frozen=True, slots=True)
class DeckChosen:
    """Somebody chose a registered deck to be dealt from; `by` is empty as in `FloorCalled`."""

    deck: Deck
    by: str
    at: float


@dataclass(frozen=True, slots=True)
class DeckChanged:
    """Another registered deck is in play from this hand on: how many cards it has, their checksum, and who chose it.

    `by` is empty where its first card said so.
    """

    deck: str
    cards: int
    checksum: str
    by: str
    at: float


@dataclass(frozen=True, slots=True)
class BroadcastDelayed:
    """Hole cards are shown `delay` seconds later, from the next hand on; `None`: when the hand is over.

    `by`: who agreed on it, or took it back.
    """

    delay: int | None
    by: tuple[Mapping[str, object], ...]
    at: float


@dataclass(frozen=True, slots=True)
class RoomAsked:
    """Somebody of the room asked, and signed, something that is no entry: a release, a file, an announcement."""

    line: Mapping[str, object]
    by: Mapping[str, object]
    at: float


@dataclass(frozen=True, slots=True)
class Announced:
    """The room tells whoever is at the table something; `by` whose word it is."""

    text: str
    by: str
    at: float


@dataclass(frozen=True, slots=True)
class Stop:
    """The program is to end."""

    why: str
    at: float


Message = (
    PortOpened | PortBytes | PortLost | DevicesSaid | Entered | Checked | SignIn | SignOut | FloorCalled
    | DeckRegistered | DeckChosen | DeckChanged | BroadcastDelayed | RoomAsked | Announced | Stop
)  # fmt: skip

"""What reaches the loop: everything that threads put on its queue, each with the monotonic second it came."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from controller.core.protocol.events import Event
from controller.core.protocol.table_error import Refused
from controller.runtime.devices.deck_store import Deck
from controller.runtime.devices.port_messages import PortMessage
from controller.runtime.faults.self_check import SelfCheckResult


@dataclass(frozen=True, slots=True)
class RemoteRequest:
    """Somebody who is not at the table asks for an entry after entry `seen_entry`, and waits to hear what came of it.

    `on_result` is told the number of the entry, and why the table did not take it; of neither, where it had moved on.
    """

    seen_entry: int
    on_result: Callable[[int | None, Refused | None], None] = field(repr=False)


@dataclass(slots=True)
class EntryBatch:
    """What one touch enters: where the table refuses one entry, those after it are not meant any more.

    All of the batch share it; the loop's thread alone writes it.
    """

    is_refused: bool = False


@dataclass(frozen=True, slots=True)
class EntrySubmitted:
    """Somebody entered an event at `source`: a page, a terminal.

    `signer`: name, role and signature, of who signed in. `batch`: of which it is, where one touch enters several.
    """

    event: Event = field(repr=False)
    source: str
    at: float
    signer: Mapping[str, object] | None = None
    remote_request: RemoteRequest | None = None
    batch: EntryBatch | None = None


@dataclass(frozen=True, slots=True)
class SelfCheckFinished:
    """A self-check was made, because somebody at `source` asked for it."""

    results: tuple[SelfCheckResult, ...]
    source: str
    at: float


@dataclass(frozen=True, slots=True)
class PersonSignedIn:
    """Somebody of the house signed in.

    `public_key` is the public key, in base64, that their entries are signed with.
    """

    name: str
    role: str
    public_key: str
    at: float


@dataclass(frozen=True, slots=True)
class PersonSignedOut:
    """Somebody of the house signed out by their own word."""

    name: str
    role: str
    at: float


@dataclass(frozen=True, slots=True)
class FloorCalled:
    """The floor was called to the table, or has come; `called_by` is who said so, empty where nobody signs in.

    A key is no message of this kind; its panel's name stands in the journal in place of a person's.
    """

    is_called: bool
    called_by: str
    at: float


@dataclass(frozen=True, slots=True)
class DeckRegistered:
    """A deck was registered at the table: how many cards, their checksum, and by whom (empty as in `FloorCalled`).

    `deck_list`: which tag is which card, as text; the journal seals it.
    """

    deck_name: str
    card_count: int
    checksum: str
    deck_list: str = field(repr=False)
    registered_by: str
    at: float


@dataclass(frozen=True, slots=True)
class DeckChosen:
    """Somebody chose a registered deck to be dealt from; `chosen_by` is empty as in `FloorCalled`."""

    deck: Deck
    chosen_by: str
    at: float


@dataclass(frozen=True, slots=True)
class DeckChanged:
    """Another registered deck is in play from this hand on: how many cards it has, their checksum, and who chose it.

    `chosen_by` is empty where its first card said so.
    """

    deck_name: str
    card_count: int
    checksum: str
    chosen_by: str
    at: float


@dataclass(frozen=True, slots=True)
class BroadcastDelayChanged:
    """Hole cards are shown `delay_s` seconds later, from the next hand on; `None`: when the hand is over.

    `signers`: who agreed on it, or took it back.
    """

    delay_s: int | None
    signers: tuple[Mapping[str, object], ...]
    at: float


@dataclass(frozen=True, slots=True)
class BoxCounted:
    """The drop box was counted in session `session`, whose account had `account_chips`; `line` says what was found.

    `signers`: who counted, and who watched. `on_result` is told `None` once it is written down, or why it is not.
    """

    line: Mapping[str, object]
    session: int
    account_chips: int
    signers: tuple[Mapping[str, object], ...]
    on_result: Callable[[Refused | None], None] = field(repr=False)
    at: float

    @property
    def box(self) -> int:
        """The number of the box."""
        return int(str(self.line["box"]))


@dataclass(frozen=True, slots=True)
class RoomRequestReceived:
    """Somebody of the room asked, and signed, something that is no entry: a release, a file, an announcement."""

    request_line: Mapping[str, object]
    signer: Mapping[str, object]
    at: float


@dataclass(frozen=True, slots=True)
class AnnouncementReceived:
    """The room tells whoever is at the table something; `author` whose word it is."""

    text: str
    author: str
    at: float


@dataclass(frozen=True, slots=True)
class StopRequested:
    """The program is to end."""

    reason: str
    at: float


LoopMessage = (
    PortMessage | EntrySubmitted | SelfCheckFinished | PersonSignedIn | PersonSignedOut | FloorCalled
    | DeckRegistered | DeckChosen | DeckChanged
    | BroadcastDelayChanged | BoxCounted | RoomRequestReceived | AnnouncementReceived | StopRequested
)  # fmt: skip

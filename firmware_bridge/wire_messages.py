"""The messages of TB/1: one class a message, one table of all; the truth both ends are built from.

A field's annotation says how it travels (all numbers high byte first). `firmware_bridge.c_header` turns this table into
the C header of the firmware, and `SCHEMA`, a CRC-32 of the table's text, travels in `Hello`: two ends that disagree
about one field find out before the first card.

Codes: 01 and 02 hello and acknowledgement; 10 to 1F requests of the host, answered with 80 more; 40 to 5F events of
the board; 7F refusal.
"""

from binascii import crc32
from dataclasses import dataclass
from enum import Enum, IntEnum, IntFlag, unique
from struct import Struct
from typing import Annotated, Any, ClassVar, get_args, get_type_hints

from firmware_bridge.limits import KEYS, LAMPS, LIMITS
from firmware_bridge.wire_frames import Frame

KEY_BYTES = KEYS // 8
LAMP_STATE_BYTES = LAMPS // 4

U8 = Annotated[int, "B"]
U16 = Annotated[int, "H"]
U32 = Annotated[int, "I"]
KeyBits = Annotated[bytes, f"{KEY_BYTES}s"]


@unique
class Direction(Enum):
    """Who sends a message, and what the other does."""

    REQUEST = "host to board, answered"
    ANSWER = "board to host"
    ACK = "host to board, not answered"
    EVENT = "board to host, repeated until acknowledged"


@unique
class KeyAction(IntEnum):
    """What a debounced key did."""

    UP = 0
    DOWN = 1
    HELD = 2
    STUCK = 3


@unique
class Lamp(IntEnum):
    """What a lamp shows; the board blinks by itself: slow at 1 Hz, fast at 4 Hz."""

    OFF = 0
    ON = 1
    SLOW = 2
    FAST = 3


@unique
class Verdict(IntEnum):
    """The board's answer to a request for the gate."""

    DONE = 0
    COOLING = 1
    LID_OPEN = 2


@unique
class ShutReason(IntEnum):
    """Why the board shut the gate by itself."""

    LEASE_ENDED = 1
    TOO_LONG = 2
    LID_OPENED = 3


@unique
class Refusal(IntEnum):
    """Why the board refuses a frame."""

    BAD_FRAME = 1
    UNKNOWN_TYPE = 2
    BAD_LENGTH = 3
    BAD_VALUE = 4
    NO_SESSION = 5


class ResetCause(IntFlag):
    """Why the board started: the low bits of the ATmega's MCUSR. Unknown bits are kept, any cause is accepted."""

    POWER_ON = 1
    EXTERNAL = 2
    BROWN_OUT = 4
    WATCHDOG = 8


class Sensors(IntFlag):
    """The sensors of a shoe in a `State`."""

    COVERED = 1
    LID_OPEN = 2
    FACE_UP = 4
    JAMMED = 8


class Capability(IntFlag):
    """What is wired to a board."""

    KEYS = 1
    LAMPS = 2
    GATE = 4
    SHOE = 8


class HelloFlag(IntFlag):
    """Remarks of the board about itself."""

    COUNTER_NOT_STORED = 1


@dataclass(frozen=True, slots=True)
class Message:
    """What every message has: its name in the specification, its code, who sends it, its layout.

    `NAME` and the names of the fields are part of `SCHEMA` and of the firmware's macros.
    """

    NAME: ClassVar[str] = ""
    CODE: ClassVar[int] = 0
    DIRECTION: ClassVar[Direction] = Direction.ANSWER


@dataclass(frozen=True, slots=True)
class Hello(Message):
    """Who the board is. Sent by itself, numbered 0, after every reset, and in answer to `Identify`."""

    NAME = "Hello"
    CODE = 0x01
    protocol: U8
    cause: Annotated[ResetCause, "B"]
    boots: U16
    flags: Annotated[HelloFlag, "B"]
    oldest_protocol: U8
    schema: U32
    oldest_event: U16
    capabilities: Annotated[Capability, "H"]
    keys: U8
    lamps: U8
    ring: U8
    firmware: Annotated[bytes, "3s"]
    build: U32
    serial: Annotated[bytes, "8s"]


@dataclass(frozen=True, slots=True)
class EventAck(Message):
    """The host has every event of boot `boot` (low byte) up to and with `number`."""

    NAME = "EventAck"
    CODE = 0x02
    DIRECTION = Direction.ACK
    boot: U8
    number: U16


@dataclass(frozen=True, slots=True)
class Ping(Message):
    """Are you there."""

    NAME = "Ping"
    CODE = 0x10
    DIRECTION = Direction.REQUEST


@dataclass(frozen=True, slots=True)
class Pong(Message):
    """The board lives: its clock in milliseconds since reset, and what it counted since."""

    NAME = "Pong"
    CODE = 0x90
    boots: U16
    clock: U32
    overruns: U16
    bad_frames: U16
    lost_events: U16
    generation: U8
    open: U8


@dataclass(frozen=True, slots=True)
class Gate(Message):
    """Open the gate for `lease` milliseconds from receipt (`on` 1), or shut it (`on` 0, `lease` 0)."""

    NAME = "Gate"
    CODE = 0x11
    DIRECTION = Direction.REQUEST
    on: U8
    lease: U16


@dataclass(frozen=True, slots=True)
class GateAnswer(Message):
    """Whether the gate is open now, for how many milliseconds still, and what became of the request."""

    NAME = "GateAnswer"
    CODE = 0x91
    open: U8
    left: U16
    verdict: Annotated[Verdict, "B"]


@dataclass(frozen=True, slots=True)
class Identify(Message):
    """Say hello; begins a session: the board forgets its stored answer."""

    NAME = "Identify"
    CODE = 0x12
    DIRECTION = Direction.REQUEST


@dataclass(frozen=True, slots=True)
class Lamps(Message):
    """The state of every lamp, whole: two bits a lamp (`Lamp`), lamp 0 in the low bits of the first byte.

    `generation` is 1 to 255; 0 means that the board shows nothing of the host's.
    """

    NAME = "Lamps"
    CODE = 0x13
    DIRECTION = Direction.REQUEST
    generation: U8
    states: Annotated[bytes, f"{LAMP_STATE_BYTES}s"]


@dataclass(frozen=True, slots=True)
class LampsAnswer(Message):
    """The generation the board shows now."""

    NAME = "LampsAnswer"
    CODE = 0x93
    generation: U8


@dataclass(frozen=True, slots=True)
class ReadState(Message):
    """How does everything stand."""

    NAME = "ReadState"
    CODE = 0x14
    DIRECTION = Direction.REQUEST


@dataclass(frozen=True, slots=True)
class State(Message):
    """How everything stands: keys down and keys masked (key 0 in bit 0 of the first byte), sensors, gate, lamps.

    `newest_event` is the number of the last event the board made: every event up to it is in this state already.
    """

    NAME = "State"
    CODE = 0x94
    down: KeyBits
    stuck: KeyBits
    sensors: Annotated[Sensors, "B"]
    open: U8
    left: U16
    generation: U8
    newest_event: U16


@dataclass(frozen=True, slots=True)
class Event(Message):
    """What every event has: low byte of the boot counter, its number in that boot, the board's clock in ms."""

    DIRECTION = Direction.EVENT
    boot: U8
    number: U16
    at: U32


@dataclass(frozen=True, slots=True)
class Key(Event):
    """A debounced key did something."""

    NAME = "Key"
    CODE = 0x40
    key: U8
    action: Annotated[KeyAction, "B"]


@dataclass(frozen=True, slots=True)
class Edge(Event):
    """The card-edge sensor was covered or came free; `lasted` is how many ms the state before it lasted (max 65535)."""

    NAME = "Edge"
    CODE = 0x41
    covered: U8
    lasted: U16


@dataclass(frozen=True, slots=True)
class Lid(Event):
    """The lid was opened or closed."""

    NAME = "Lid"
    CODE = 0x42
    open: U8


@dataclass(frozen=True, slots=True)
class Face(Event):
    """The face sensor sees the card in the mouth face up, or not."""

    NAME = "Face"
    CODE = 0x43
    up: U8


@dataclass(frozen=True, slots=True)
class Jam(Event):
    """The edge sensor has been covered longer than a card can cover it."""

    NAME = "Jam"
    CODE = 0x44


@dataclass(frozen=True, slots=True)
class GateShut(Event):
    """The board shut the gate by itself."""

    NAME = "GateShut"
    CODE = 0x45
    why: Annotated[ShutReason, "B"]


@dataclass(frozen=True, slots=True)
class EventsLost(Event):
    """The ring was full: `count` events that stood here are gone."""

    NAME = "Lost"
    CODE = 0x46
    count: U16


@dataclass(frozen=True, slots=True)
class Nak(Message):
    """A frame was refused; `type` is its type, or 0 when unreadable; `bad_frames` is the board's count of those."""

    NAME = "Nak"
    CODE = 0x7F
    reason: Annotated[Refusal, "B"]
    type: U8
    bad_frames: U16


MESSAGE_TYPES: tuple[type[Message], ...] = (
    Hello, EventAck, Ping, Pong, Gate, GateAnswer, Identify, Lamps, LampsAnswer, ReadState, State,
    Key, Edge, Lid, Face, Jam, GateShut, EventsLost, Nak,
)  # fmt: skip
"""Every message, in reading order."""

MESSAGE_TYPE_BY_CODE: dict[int, type[Message]] = {kind.CODE: kind for kind in MESSAGE_TYPES}
"""Every message by its code."""

FIELD_ENUMS: dict[type[IntEnum] | type[IntFlag], str] = {
    KeyAction: "KeyAction",
    Lamp: "Lamp",
    Verdict: "Verdict",
    ShutReason: "Shut",
    Refusal: "Refusal",
    ResetCause: "ResetCause",
    Sensors: "Sensors",
    Capability: "Capability",
    HelloFlag: "HelloFlag",
}
"""Every set of values a field may hold, and its name in the specification; part of `SCHEMA` like `Message.NAME`."""


@dataclass(frozen=True, slots=True)
class MessageField:
    """One field of a message: `code` is its `struct` format, `kind` the Python type it becomes."""

    name: str
    code: str
    kind: type


def list_fields(kind: type[Message]) -> tuple[MessageField, ...]:
    """Give the fields of a message in the order they travel."""
    hints: dict[str, Any] = get_type_hints(kind, include_extras=True)
    names = getattr(kind, "__dataclass_fields__", {})
    return tuple(
        MessageField(name, get_args(hint)[1], get_args(hint)[0])
        for name, hint in hints.items()
        if name in names and not name.isupper()
    )


_FIELDS_BY_TYPE = {kind: list_fields(kind) for kind in MESSAGE_TYPES}
_LAYOUT_BY_TYPE = {kind: Struct(">" + "".join(field.code for field in _FIELDS_BY_TYPE[kind])) for kind in MESSAGE_TYPES}


def get_payload_size(kind: type[Message]) -> int:
    """Count the bytes of the payload; every message has one length."""
    return _LAYOUT_BY_TYPE[kind].size


def pack_payload(message: Message) -> bytes:
    """Give the fields as they travel. Raises `struct.error` for a number that does not fit its field."""
    kind = type(message)
    return _LAYOUT_BY_TYPE[kind].pack(*(getattr(message, field.name) for field in _FIELDS_BY_TYPE[kind]))


def make_frame(message: Message, seq: int) -> Frame:
    """Put the message in a frame."""
    return Frame(type=message.CODE, seq=seq, payload=pack_payload(message))


@dataclass(frozen=True, slots=True)
class UnreadableMessage:
    """A sound frame whose content is no message of this table."""

    type: int
    reason: str


def parse_message(got: Frame) -> Message | UnreadableMessage:
    """Read the message in a frame, or say what is wrong with it."""
    kind = MESSAGE_TYPE_BY_CODE.get(got.type)
    if kind is None:
        return UnreadableMessage(got.type, f"no message has type {got.type:02X}")
    layout = _LAYOUT_BY_TYPE[kind]
    if len(got.payload) != layout.size:
        return UnreadableMessage(got.type, f"{kind.NAME} has {layout.size} bytes, these are {len(got.payload)}")
    values = []
    for field, value in zip(_FIELDS_BY_TYPE[kind], layout.unpack(got.payload), strict=True):
        if not issubclass(field.kind, IntEnum | IntFlag):
            values.append(value)
            continue
        try:
            values.append(field.kind(value))
        except ValueError:
            return UnreadableMessage(got.type, f"{kind.NAME}.{field.name} is {value}, no {FIELD_ENUMS[field.kind]}")
    return kind(*values)


def render_message_table() -> str:
    """Give the table as canonical text: every message, every value, every limit, one a line."""
    lines = [f"limit {name} {value}" for name, value in LIMITS.items()]
    lines += [f"value {name}.{one.name} {one.value}" for kind, name in FIELD_ENUMS.items() for one in kind]
    lines += [
        f"message {kind.CODE:02X} {kind.NAME} {kind.DIRECTION.name} "
        + " ".join(f"{field.name}:{field.code}" for field in _FIELDS_BY_TYPE[kind])
        for kind in MESSAGE_TYPES
    ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


SCHEMA = crc32(render_message_table().encode())
"""CRC-32 of `render_message_table`."""

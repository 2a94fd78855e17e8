"""What the API says and takes, as types: the table writes them, the client reads them, the OpenAPI document lists them.

Seats are numbers from 1; as keys of an object they are texts (`"3"`), as JSON has it. Amounts are in units of the game.
A new key may come with any release; none goes or changes its meaning within `v1`.
"""

from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypedDict


class Step(TypedDict):
    """A step that must happen: its kind, what to say, and by kind what else the table script tells of it."""

    step: str
    text: str
    short: str
    seat: NotRequired[int]
    face: NotRequired[str]
    why: NotRequired[str]
    street: NotRequired[str]
    options: NotRequired[list[str]]
    question: NotRequired[str]
    done: NotRequired[bool]


class Pot(TypedDict):
    """Chips in the middle, and who plays for them."""

    amount: int
    seats: list[int]


class Seat(TypedDict):
    """A chair with a player. `turn`: as which, from 1, they act on the round; `cards` lie before them, `stack` is left.

    `stack` and `bet` are there where amounts are tracked; `misses`: so many hands of a penalty are left.
    """

    seat: int
    player: str | None
    away: bool
    waits: bool
    cards: int
    turn: NotRequired[int]
    stack: NotRequired[int]
    bet: NotRequired[int]
    misses: NotRequired[int]
    up: NotRequired[list[str | None]]


class Ruling(TypedDict):
    """What the rulebook prescribed: `cite` names its clauses."""

    finding: str
    verdict: str
    cite: list[str]
    text: str
    seat: NotRequired[int]


class Fault(TypedDict):
    """What halts the table. `text`, `clears` (the roles that may say it is over) and `dealer` are for the staff.

    `since`, for the staff: when this start of the program first said so, Unix seconds.
    """

    code: str
    stops: str
    text: NotRequired[str]
    clears: NotRequired[list[str]]
    dealer: NotRequired[str | None]
    since: NotRequired[float]


class DeviceState(TypedDict):
    """A device: `waiting` (not heard of yet), `ready` or `lost`, and then `why`; `noise`: bytes dropped.

    `firmware`: the version of its own program, empty where it has said none.
    """

    name: str
    driver: str
    state: str
    why: str
    noise: int
    firmware: str


class Notice(TypedDict):
    """One thing to know; `device` is where it came from."""

    code: str
    device: str
    text: str


class Refused(TypedDict):
    """Why the last entry was not taken; `source` is where it was entered."""

    code: str
    message: str
    source: str


class Staff(TypedDict):
    """What the staff see of the table's own state; `longest_delay` in seconds."""

    devices: list[DeviceState]
    notices: list[Notice]
    refusal: Refused | None
    power_lost: bool
    longest_delay: float


class Collection(TypedDict):
    """What the house takes: `terms` as the table script has them, `sign` in words, `due` on the drop slide by now."""

    terms: dict[str, Any]
    sign: list[str]
    due: int


class SeatKnockout(TypedDict):
    """A seat that lost its last chip with the hand, and the seats that have knocked it out, the first for an odd chip.

    `shares`: how many parts of a bounty each of them has; all the same where it is not there.
    """

    seat: int
    by: list[int]
    shares: NotRequired[list[int]]


class Table(TypedDict):
    """The table as every spectator sees it, whole; `staff` where the role of the token is told so.

    `number` counts publications since the start and is the `id` of the event; `entry` is the number of the last entry,
    to be sent back as `seen`. `rulings` are the last that were made, in hand `ruled_in`; `remedy` their steps.
    `timer`: of a tournament, as the table script has it; `out`: who is out of it with the hand that is
    over. `collection`: where the house takes, or has taken, money.
    """

    number: int
    entry: int
    mode: str
    program: str
    rulebook: str
    game: str
    tournament: bool
    places: int
    betting: dict[str, Any]
    hand: int
    phase: str
    street: str | None
    halted: bool
    next: list[Step]
    lamps: dict[str, list[int]]
    gate: Literal["open", "locked"]
    board: list[Any]
    pots: list[Pot]
    piles: dict[str, Any]
    seats: list[Seat]
    rulings: list[Ruling]
    ruled_in: int
    remedy: list[Step]
    faults: list[Fault]
    floor_called: bool
    timer: NotRequired[dict[str, Any]]
    collection: NotRequired[Collection]
    out: NotRequired[list[SeatKnockout]]
    staff: NotRequired[Staff]


class SealedPart(TypedDict):
    """A part of the table: its name or version, and the SHA-256 of what says which files it has; empty: unknown."""

    version: str
    sha256: str


class Update(TypedDict):
    """The last update that was tried: `result` as the log of updates has it, `at` in ISO 8601."""

    version: str
    result: str
    at: str


class Inventory(TypedDict):
    """What runs at the table: the program, by the list of its files, the rulebook that it plays by, the last update."""

    program: SealedPart
    rulebook: SealedPart
    update: Update | None


class HandRow(TypedDict):
    """One hand of the record; `began` in UTC, ISO 8601; `taken`: what the house took, `None` where it takes nothing."""

    session: int
    hand: int
    began: str
    over: bool
    game: str
    deals: int
    players: list[str]
    dealers: list[str]
    winners: list[str]
    rulings: int
    findings: list[str]
    clauses: list[str]
    taken: int | None


class Hands(TypedDict):
    """What one look at the record found, the newest first. `further`: what the next look takes as `before`.

    `whole`: whether the list has all hands; after a cut of the power it is made anew.
    """

    hands: list[HandRow]
    further: str | None
    whole: bool


class HandSteps(TypedDict):
    """A hand entry by entry: `told` what was entered, `table` what the table said, `by` whom, `struck` if put right."""

    steps: list[dict[str, Any]]
    setup: dict[str, Any]


class ErrorEntry(TypedDict):
    """A code of the error catalogue, and what each of three people does."""

    kind: str
    code: str
    cause: str
    dealer: str
    floor: str
    technician: str


class Health(TypedDict):
    """Whether the table is up: `starting` before its first publication, `halted` while a fault stops it, else `ok`."""

    status: Literal["ok", "halted", "starting"]
    api: str
    mode: str | None
    entry: int | None


class Call(TypedDict):
    """Calls the floor to the table. That it has come a person says."""

    wanted: Literal[True]


class Light(TypedDict):
    """Lights a step of the walk of lamps, from 0; `null`: none, and the table's own lamps again."""

    step: int | None


class Walk(TypedDict):
    """The walk of lamps: which step is lit, and how many there are."""

    step: int | None
    steps: int


class Entry(TypedDict):
    """A line of the table script (`/api/v1/script.schema.json`) as answer to the table at entry `seen`."""

    seen: int
    line: dict[str, Any]


class EntrySigner(TypedDict):
    """Who signed an entry of the journal; `docs/journal.md` says what is signed."""

    name: str
    role: str
    key: str
    signature: str
    seen: int


class RoomEntry(TypedDict):
    """A line of the table script that somebody of the room enters."""

    line: dict[str, Any]
    by: EntrySigner


class RoomStaff(TypedDict):
    """The room's list of staff, as text, and the room's signature of it (hexadecimal)."""

    list: str
    signature: str


class RoomFetch(TypedDict):
    """A release that is to come to this machine: its name, its bytes, and the hash of the list of its hashes."""

    name: str
    size: int
    sha256: str
    by: EntrySigner


class RoomRelease(TypedDict):
    """Which of the releases that were fetched is to be installed; `null`: the one before is used again."""

    name: str | None
    by: EntrySigner


class RoomWord(TypedDict):
    """Asked by the word of a person, and of nothing else."""

    by: EntrySigner


class RoomText(TypedDict):
    """A table's file, or what is to be said at the table."""

    text: str
    by: EntrySigner


class RoomAnswer(TypedDict):
    """`taken`, then `entry` numbers the entry of the journal, if there is one; else `code` and `message` say why."""

    taken: bool
    entry: int | None
    code: str
    message: str
    told: NotRequired[dict[str, Any]]


class Refusal(TypedDict):
    """Why a request was not taken: a code of the error catalogue, and a sentence. `wait`: seconds to the next try."""

    code: str
    message: str
    wait: NotRequired[float]


SCHEMA_NAMES: Mapping[Any, str] = {
    Step: "Step",
    Pot: "Pot",
    Seat: "Seat",
    Ruling: "Ruling",
    Fault: "Fault",
    DeviceState: "DeviceState",
    Notice: "Notice",
    Refused: "Refused",
    Staff: "Staff",
    Collection: "Collection",
    SeatKnockout: "SeatKnockout",
    Table: "Table",
    SealedPart: "Sealed",
    Update: "Update",
    Inventory: "Inventory",
    HandRow: "HandRow",
    Hands: "Hands",
    HandSteps: "HandSteps",
    ErrorEntry: "ErrorEntry",
    Health: "Health",
    Call: "Call",
    Light: "Light",
    Walk: "Walk",
    Entry: "Entry",
    EntrySigner: "Signed",
    RoomEntry: "RoomEntry",
    RoomStaff: "RoomStaff",
    RoomFetch: "RoomFetch",
    RoomRelease: "RoomRelease",
    RoomWord: "RoomWord",
    RoomText: "RoomText",
    RoomAnswer: "RoomAnswer",
    Refusal: "Refusal",
}
"""What the OpenAPI document calls each shape; programs are made from it, so that these names stay."""

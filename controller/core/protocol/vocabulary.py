"""The words of the table script that a key may hold: acts, reports, decisions, places, news of a device.

The kinds of text and number that are more than their type are here, too; `script_lines.find_shape` reads a key by its
kind.
"""

from enum import Enum, unique
from typing import Annotated


@unique
class ValueForm(Enum):
    """What a text, a number or a flag of an event is, beyond its type."""

    CARD = "a card's name"
    PLACE = "board, muck or seat N"
    FROM_ONE = "a whole number from 1"
    FACE = "up or down"


CardName = Annotated[str, ValueForm.CARD]
PlaceName = Annotated[str, ValueForm.PLACE]
PositiveInt = Annotated[int, ValueForm.FROM_ONE]
"""A seat, or a count of something that is there."""
FaceUpFlag = Annotated[bool, ValueForm.FACE]


@unique
class ActionType(Enum):
    """The kinds of action a player has."""

    FOLD = "fold"
    CHECK = "check"
    CALL = "call"
    BET = "bet"
    RAISE = "raise"
    ALL_IN = "all-in"
    COMPLETE = "complete"
    BRING_IN = "bring-in"
    STRADDLE = "straddle"
    KILL = "kill"
    OPEN = "open"


@unique
class ReportKind(Enum):
    """What a report says happened."""

    EXPOSED = "exposed"
    BOXED = "boxed"
    OFF_TABLE = "off-table"
    WRONG_SEAT = "wrong-seat"
    SKIPPED = "skipped"
    NOT_ENTITLED = "not-entitled"
    EXTRA_CARD = "extra-card"
    SHORT_HAND = "short-hand"
    BUTTON_WRONG = "button-wrong"
    NO_BURN = "no-burn"
    DOUBLE_BURN = "double-burn"
    BOARD_EXTRA = "board-extra"
    PREMATURE = "premature"
    TWO_EXPOSED = "two-exposed"
    JOKER = "joker"
    DUPLICATE = "duplicate"
    FOREIGN_BACK = "foreign-back"
    MISSING_CARD = "missing-card"
    STUB_FOULED = "stub-fouled"
    DECK_DEFECTIVE = "deck-defective"
    NOT_SHUFFLED = "not-shuffled"
    EXPOSED_CUTTING = "exposed-cutting"
    LOOKED = "looked"
    MISREAD = "misread"
    PUT_BACK = "put-back"
    WRONG_OPENER = "wrong-opener"
    LAST_FACEUP = "last-faceup"
    OWES_BLIND = "owes-blind"
    FALSE_OPENERS = "false-openers"
    STRING_BET = "string-bet"
    OVERPOT = "overpot"
    UNDERBET = "underbet"
    ACTED = "acted"
    OPENED = "opened"
    PASSED_OUT = "passed-out"


_WINDOW_KEYS = ("acted", "chips")
_LAST_CARD_KEYS = ("seat", "nth", "count", "card", "by", "from", *_WINDOW_KEYS)

KEYS_BY_REPORT_KIND: dict[ReportKind, tuple[str, ...]] = {
    ReportKind.EXPOSED: _LAST_CARD_KEYS,
    ReportKind.OFF_TABLE: _LAST_CARD_KEYS,
    ReportKind.BOXED: ("seat", "nth", *_WINDOW_KEYS),
    ReportKind.WRONG_SEAT: ("seat", "nth", "count", "from", *_WINDOW_KEYS),
    ReportKind.SKIPPED: ("seat", *_WINDOW_KEYS),
    ReportKind.NOT_ENTITLED: ("seat", *_WINDOW_KEYS),
    ReportKind.EXTRA_CARD: ("seat", "nth", "count", *_WINDOW_KEYS),
    ReportKind.SHORT_HAND: ("seat", "count", *_WINDOW_KEYS),
    ReportKind.BUTTON_WRONG: ("seat", "hand", *_WINDOW_KEYS),
    ReportKind.NO_BURN: ("street", *_WINDOW_KEYS),
    ReportKind.DOUBLE_BURN: ("count", "street", *_WINDOW_KEYS),
    ReportKind.BOARD_EXTRA: ("count", *_WINDOW_KEYS),
    ReportKind.PREMATURE: ("count", "burned", *_WINDOW_KEYS),
    ReportKind.TWO_EXPOSED: ("count", *_WINDOW_KEYS),
    ReportKind.JOKER: ("where", "seat", "nth", *_WINDOW_KEYS),
    ReportKind.DUPLICATE: ("where", "seat"),
    ReportKind.FOREIGN_BACK: ("where", "seat"),
    ReportKind.MISSING_CARD: ("where", "seat"),
    ReportKind.STUB_FOULED: ("mixed",),
    ReportKind.DECK_DEFECTIVE: ("where", "seat"),
    ReportKind.NOT_SHUFFLED: _WINDOW_KEYS,
    ReportKind.EXPOSED_CUTTING: _WINDOW_KEYS,
    ReportKind.LOOKED: ("seat",),
    ReportKind.MISREAD: ("where", "seat", "nth", "card"),
    ReportKind.PUT_BACK: (),
    ReportKind.WRONG_OPENER: ("seat", *_WINDOW_KEYS),
    ReportKind.LAST_FACEUP: ("seat",),
    ReportKind.OWES_BLIND: ("seat",),
    ReportKind.FALSE_OPENERS: ("seat",),
    ReportKind.STRING_BET: ("seat",),
    ReportKind.OVERPOT: ("seat", "to"),
    ReportKind.UNDERBET: ("seat", "to"),
    ReportKind.ACTED: ("count", "chips"),
    ReportKind.OPENED: ("seat",),
    ReportKind.PASSED_OUT: (),
}
"""The keys that each report uses, besides `what` and `t`: any other is refused, for somebody meant something by it."""


@unique
class ExposedBy(Enum):
    """Who exposed a card."""

    DEALER = "dealer"
    PLAYER = "player"


@unique
class CardPlace(Enum):
    """Where an irregular card was found."""

    HAND = "hand"
    BOARD = "board"
    STUB = "stub"
    BURN = "burn"


@unique
class StubMixture(Enum):
    """What a dropped stub was mixed with: NONE, its order can be rebuilt; STUB, it is out of order by itself."""

    NONE = "none"
    STUB = "stub"
    MUCK = "muck"
    BURNS = "burns"
    MUCK_AND_BURNS = "muck-and-burns"


@unique
class ReportedHand(Enum):
    """Which hand a report about the button speaks of."""

    THIS = "this"
    PREVIOUS = "previous"


@unique
class LevelStartHand(Enum):
    """From which hand on a level counts: the next one, or the one that is on, begun on the old level by mistake."""

    NEXT = "next"
    CURRENT = "current"


@unique
class FloorDecision(Enum):
    """What the floor can decide."""

    MISDEAL = "misdeal"
    PLAY_ON = "play-on"
    DEAD_HAND = "dead-hand"
    VOID = "void"
    BIND = "bind"
    RELEASE = "release"
    REVIVE = "revive"
    FORFEIT = "forfeit"
    PASSIVE = "passive"


@unique
class PriorChips(Enum):
    """What became of the chips of an earlier bet, not pulled in yet, when new ones were added [TDA-46]."""

    LEFT = "left"
    PULLED = "pulled"
    PART = "part"


@unique
class TimerCommand(Enum):
    """What is done to the tournament's timer."""

    START = "start"
    PAUSE = "pause"
    RESUME = "resume"


@unique
class DeviceChange(Enum):
    """News of a device."""

    LOST = "lost"
    BACK = "back"
    JAM = "jam"
    LID_OPEN = "lid-open"
    LID_CLOSED = "lid-closed"

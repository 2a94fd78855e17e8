"""The words of the table script that a key may hold: acts, reports, decisions, places, news of a device.

The kinds of text and number that are more than their type are here, too; `script.reader_of` reads a key by its kind.
"""

from enum import Enum, unique
from typing import Annotated


@unique
class Form(Enum):
    """What a text, a number or a flag of an event is, beyond its type."""

    CARD = "a card's name"
    PLACE = "board, muck or seat N"
    FROM_ONE = "a whole number from 1"
    FACE = "up or down"


CardName = Annotated[str, Form.CARD]
PlaceName = Annotated[str, Form.PLACE]
FromOne = Annotated[int, Form.FROM_ONE]
"""A seat, or a count of something that is there."""
FaceUp = Annotated[bool, Form.FACE]


@unique
class Do(Enum):
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
class What(Enum):
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


_WINDOW = ("acted", "chips")
_LAST = ("seat", "nth", "count", "card", "by", "from", *_WINDOW)

USES: dict[What, tuple[str, ...]] = {
    What.EXPOSED: _LAST,
    What.OFF_TABLE: _LAST,
    What.BOXED: ("seat", "nth", *_WINDOW),
    What.WRONG_SEAT: ("seat", "nth", "count", "from", *_WINDOW),
    What.SKIPPED: ("seat", *_WINDOW),
    What.NOT_ENTITLED: ("seat", *_WINDOW),
    What.EXTRA_CARD: ("seat", "nth", "count", *_WINDOW),
    What.SHORT_HAND: ("seat", "count", *_WINDOW),
    What.BUTTON_WRONG: ("seat", "hand", *_WINDOW),
    What.NO_BURN: ("street", *_WINDOW),
    What.DOUBLE_BURN: ("count", "street", *_WINDOW),
    What.BOARD_EXTRA: ("count", *_WINDOW),
    What.PREMATURE: ("count", "burned", *_WINDOW),
    What.TWO_EXPOSED: ("count", *_WINDOW),
    What.JOKER: ("where", "seat", "nth", *_WINDOW),
    What.DUPLICATE: ("where", "seat"),
    What.FOREIGN_BACK: ("where", "seat"),
    What.MISSING_CARD: ("where", "seat"),
    What.STUB_FOULED: ("mixed",),
    What.DECK_DEFECTIVE: ("where", "seat"),
    What.NOT_SHUFFLED: _WINDOW,
    What.EXPOSED_CUTTING: _WINDOW,
    What.LOOKED: ("seat",),
    What.MISREAD: ("where", "seat", "nth", "card"),
    What.PUT_BACK: (),
    What.WRONG_OPENER: ("seat", *_WINDOW),
    What.LAST_FACEUP: ("seat",),
    What.OWES_BLIND: ("seat",),
    What.FALSE_OPENERS: ("seat",),
    What.STRING_BET: ("seat",),
    What.OVERPOT: ("seat", "to"),
    What.UNDERBET: ("seat", "to"),
    What.ACTED: ("count", "chips"),
    What.OPENED: ("seat",),
    What.PASSED_OUT: (),
}
"""The keys that each report uses, besides `what` and `t`: any other is refused, for somebody meant something by it."""


@unique
class By(Enum):
    """Who exposed a card."""

    DEALER = "dealer"
    PLAYER = "player"


@unique
class Where(Enum):
    """Where an irregular card was found."""

    HAND = "hand"
    BOARD = "board"
    STUB = "stub"
    BURN = "burn"


@unique
class Mixed(Enum):
    """What a dropped stub was mixed with: NONE, its order can be rebuilt; STUB, it is out of order by itself."""

    NONE = "none"
    STUB = "stub"
    MUCK = "muck"
    BURNS = "burns"
    MUCK_AND_BURNS = "muck-and-burns"


@unique
class Which(Enum):
    """Which hand a report about the button speaks of."""

    THIS = "this"
    PREVIOUS = "previous"


@unique
class FromHand(Enum):
    """From which hand on a level counts: the next one, or the one that is on, begun on the old level by mistake."""

    NEXT = "next"
    CURRENT = "current"


@unique
class Decide(Enum):
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
class Prior(Enum):
    """What became of the chips of an earlier bet, not pulled in yet, when new ones were added [TDA-46]."""

    LEFT = "left"
    PULLED = "pulled"
    PART = "part"


@unique
class Set(Enum):
    """What is done to the tournament's timer."""

    START = "start"
    PAUSE = "pause"
    RESUME = "resume"


@unique
class Status(Enum):
    """News of a device."""

    LOST = "lost"
    BACK = "back"
    JAM = "jam"
    LID_OPEN = "lid-open"
    LID_CLOSED = "lid-closed"

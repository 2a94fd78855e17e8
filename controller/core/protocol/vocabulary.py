"""The words of the table script that a key may hold: acts, reports, decisions, places, news of a device.

The kinds of text and number that are more than their type are here, too; `script_lines.find_shape` reads a key by its
kind.
"""

from enum import Enum, unique
from typing import Annotated, NamedTuple, Self


@unique
class ValueForm(Enum):
    """What a text, a number or a flag of an event is, beyond its type."""

    CARD = "a card's name"
    PLACE = "board, muck or seat N"
    FROM_ONE = "a whole number from 1"
    FACE = "up or down"
    PERCENT = "a whole or half number from 0 to 10"


CardName = Annotated[str, ValueForm.CARD]
PlaceName = Annotated[str, ValueForm.PLACE]
PositiveInt = Annotated[int, ValueForm.FROM_ONE]
"""A seat, or a count of something that is there."""
FaceUpFlag = Annotated[bool, ValueForm.FACE]
HalfPercent = Annotated[int, ValueForm.PERCENT]
"""A percentage in halves."""


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


_WINDOW_KEYS = ("acted", "chips")
_LAST_CARD_KEYS = ("seat", "nth", "count", "card", "by", "from", *_WINDOW_KEYS)


class ReportTerms(NamedTuple):
    """What is to be said of a report besides its finding, which `report_handlers.FINDING_BY_REPORT_KIND` names.

    `keys`: those that it uses besides `what`, `t` and `witnessed`; any other is refused, for somebody meant something
    by it. `decided_by`: how the dotted keys of a rulebook begin that decide it, for `tablectl rules explain`.
    `between_hands`: it is also taken when no hand is on. `empty_seat`: its `seat` may be an empty chair; that of all
    others is a player's.
    """

    word: str
    keys: tuple[str, ...]
    decided_by: tuple[str, ...]
    between_hands: bool = False
    empty_seat: bool = False


@unique
class ReportKind(Enum):
    """What a report says happened, by its word."""

    _value_: str
    terms: ReportTerms

    def __new__(cls, *fields: object) -> Self:
        """The member of these terms, whose fields `Enum` hands over one by one."""
        member = object.__new__(cls)
        member.terms = ReportTerms._make(fields)
        member._value_ = member.terms.word
        return member

    @property
    def value(self) -> str:
        """The word; mypy would take the value of a member that `__new__` makes for anything."""
        return self._value_

    EXPOSED = ReportTerms("exposed", _LAST_CARD_KEYS, ("exposed.", "misdeal.window"))
    BOXED = ReportTerms("boxed", ("seat", "nth", *_WINDOW_KEYS), ("boxed.", "misdeal.window"))
    OFF_TABLE = ReportTerms("off-table", _LAST_CARD_KEYS, ("exposed.", "misdeal.window"))
    WRONG_SEAT = ReportTerms(
        "wrong-seat", ("seat", "nth", "count", "from", *_WINDOW_KEYS), ("sequence.", "misdeal.window"), empty_seat=True
    )
    SKIPPED = ReportTerms("skipped", ("seat", *_WINDOW_KEYS), ("sequence.", "misdeal.window"))
    NOT_ENTITLED = ReportTerms(
        "not-entitled", ("seat", *_WINDOW_KEYS), ("sequence.", "misdeal.window"), empty_seat=True
    )
    EXTRA_CARD = ReportTerms("extra-card", ("seat", "nth", "count", *_WINDOW_KEYS), ("counts.", "misdeal.window"))
    SHORT_HAND = ReportTerms("short-hand", ("seat", "count", *_WINDOW_KEYS), ("counts.", "exchange.", "misdeal.window"))
    BUTTON_WRONG = ReportTerms(
        "button-wrong",
        ("seat", "hand", *_WINDOW_KEYS),
        ("procedure.", "misdeal.window"),
        between_hands=True,
        empty_seat=True,
    )
    NO_BURN = ReportTerms("no-burn", ("street", "refused", *_WINDOW_KEYS), ("burns.",))
    DOUBLE_BURN = ReportTerms("double-burn", ("count", "street", "refused", *_WINDOW_KEYS), ("burns.",))
    BOARD_EXTRA = ReportTerms("board-extra", ("count", *_WINDOW_KEYS), ("board.",))
    PREMATURE = ReportTerms("premature", ("count", "burned", *_WINDOW_KEYS), ("premature.",))
    TWO_EXPOSED = ReportTerms("two-exposed", ("count", *_WINDOW_KEYS), ("board.",))
    JOKER = ReportTerms("joker", ("where", "seat", "nth", *_WINDOW_KEYS), ("deck.joker",), between_hands=True)
    DUPLICATE = ReportTerms("duplicate", ("where", "seat"), ("deck.duplicate",), between_hands=True)
    FOREIGN_BACK = ReportTerms(
        "foreign-back", ("where", "seat"), ("deck.foreign", "deck.foreign-stub"), between_hands=True
    )
    MISSING_CARD = ReportTerms("missing-card", ("where", "seat"), ("deck.missing", "deck.counted"), between_hands=True)
    STUB_FOULED = ReportTerms("stub-fouled", ("mixed",), ("stub.",))
    DECK_DEFECTIVE = ReportTerms("deck-defective", ("where", "seat"), ("deck.defective",), between_hands=True)
    NOT_SHUFFLED = ReportTerms("not-shuffled", _WINDOW_KEYS, ("procedure.",))
    EXPOSED_CUTTING = ReportTerms("exposed-cutting", _WINDOW_KEYS, ("procedure.",))
    LOOKED = ReportTerms("looked", ("seat",), ("exposed.", "procedure."))
    MISREAD = ReportTerms("misread", ("where", "seat", "nth", "card"), ("procedure.",))
    PUT_BACK = ReportTerms("put-back", (), ("procedure.",))
    WRONG_OPENER = ReportTerms("wrong-opener", ("seat", *_WINDOW_KEYS), ("upcards.",))
    LAST_FACEUP = ReportTerms("last-faceup", ("seat",), ("upcards.",))
    OWES_BLIND = ReportTerms("owes-blind", ("seat",), ("people.missed-dead", "people.owing-looked-dead"))
    FALSE_OPENERS = ReportTerms("false-openers", ("seat",), ("exchange.",))
    STRING_BET = ReportTerms("string-bet", ("seat",), ("turns.string-raise",))
    OVERPOT = ReportTerms("overpot", ("seat", "to"), ("wagers.over-pot",))
    UNDERBET = ReportTerms("underbet", ("seat", "to"), ("wagers.least", "wagers.under-pot"))
    ACTED = ReportTerms("acted", ("count", "chips"), ("misdeal.window", "burns."))
    OPENED = ReportTerms("opened", ("seat",), ("exchange.",))
    PASSED_OUT = ReportTerms("passed-out", (), ("exchange.",))


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
    TURNED_UP = "turned-up"


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

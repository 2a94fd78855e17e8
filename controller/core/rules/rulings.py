"""Rulings: a finding, the book's verdict, its clause, and a sentence for the dealer."""

from enum import Enum, unique

from controller.core.rules.questions.rule import Rule
from controller.core.values.value import Value


@unique
class Verdict(Enum):
    """What a rulebook says to a finding."""

    PLAY_ON = "play-on"
    MUST_KEEP = "must-keep"
    REPLACE = "replace"
    RETURN_AS_BURN = "return-as-burn"
    SCRAP = "scrap"
    REDEAL_BOARD = "redeal-board"
    REDEAL_STREET = "redeal-street"
    SET_ASIDE = "set-aside"
    RESTRICT_BET = "restrict-bet"
    CORRECT = "correct"
    DEAD_HAND = "dead-hand"
    MISDEAL = "misdeal"
    VOID_HAND = "void-hand"
    BIND = "bind"
    ASK = "ask"
    FLOOR = "floor"


class Ruling(Value):
    """A finding, what the book says to it, and by which clause.

    `cite` holds catalogue ids, the deciding clause first; it is empty only for `ask`. `text` is for the dealer.
    """

    finding: str
    verdict: Verdict
    cite: tuple[str, ...]
    text: str
    seat: int | None = None


def build_ruling(finding: str, verdict: Verdict, rule: Rule[object], sentence: str, seat: int | None = None) -> Ruling:
    """A ruling by one answer of the book; `sentence` has no full stop, the clause follows it."""
    return Ruling(finding, verdict, rule.cite, f"{sentence} ({rule.source}).", seat)


def printed_rule_id(clause: str) -> str:
    """The id of the printed rule: a catalogue id without its `#x`, which tells outcomes of one rule apart."""
    return clause.partition("#")[0]


def build_ask_ruling(finding: str, sentence: str) -> Ruling:
    """Something has several causes and only the dealer can say which it was."""
    return Ruling(finding, Verdict.ASK, (), f"{sentence}.")

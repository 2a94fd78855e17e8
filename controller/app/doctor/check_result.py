"""What an examination finds: a sentence about one thing, how bad it is, and what to do."""

from dataclasses import dataclass
from enum import Enum, unique


@unique
class Grade(Enum):
    """How a thing is."""

    GOOD = "ok"
    DOUBTFUL = "look"
    BAD = "BAD"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing examined; `remedy` is empty when nothing is to be done."""

    about: str
    grade: Grade
    text: str
    remedy: str = ""


def good(about: str, text: str) -> Finding:
    """Nothing is to be done."""
    return Finding(about, Grade.GOOD, text)


def doubtful(about: str, text: str, remedy: str) -> Finding:
    """It works, or may; look at it."""
    return Finding(about, Grade.DOUBTFUL, text, remedy)


def bad(about: str, text: str, remedy: str) -> Finding:
    """The table cannot be relied on like this."""
    return Finding(about, Grade.BAD, text, remedy)

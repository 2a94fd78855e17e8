"""What an examination finds: a sentence about one thing, how bad it is, and what to do."""

from dataclasses import dataclass
from enum import Enum, unique


@unique
class CheckGrade(Enum):
    """How a thing is."""

    GOOD = "ok"
    DOUBTFUL = "look"
    BAD = "BAD"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One thing examined; `remedy` is empty when nothing is to be done."""

    subject: str
    grade: CheckGrade
    text: str
    remedy: str = ""


def report_good(about: str, text: str) -> CheckResult:
    """Nothing is to be done."""
    return CheckResult(about, CheckGrade.GOOD, text)


def report_doubtful(about: str, text: str, remedy: str) -> CheckResult:
    """It works, or may; look at it."""
    return CheckResult(about, CheckGrade.DOUBTFUL, text, remedy)


def report_bad(about: str, text: str, remedy: str) -> CheckResult:
    """The table cannot be relied on like this."""
    return CheckResult(about, CheckGrade.BAD, text, remedy)

"""Making a ruling: the finding, the book's verdict, its clause, and a sentence for the dealer."""

from typing import Any

from controller.core.outcome import Ruling, Verdict
from controller.core.rules.rule import Rule


def ruled(finding: str, verdict: Verdict, rule: Rule[Any], sentence: str, seat: int | None = None) -> Ruling:
    """A ruling by one answer of the book; `sentence` has no full stop, the clause follows it."""
    return Ruling(finding, verdict, rule.cite, f"{sentence} ({rule.source}).", seat)


def asked(finding: str, sentence: str) -> Ruling:
    """Something has several causes and only the dealer can say which it was."""
    return Ruling(finding, Verdict.ASK, (), f"{sentence}.")

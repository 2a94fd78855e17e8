"""What a key of a rulebook is: an answer and its source."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Rule(Generic[T]):
    """An answer and its source.

    `cite` holds catalogue ids, the deciding clause first; `clause` is that one as printed. `by_default` marks an answer
    that the book does not give and that falls back on another book's clause.
    """

    value: T
    cite: tuple[str, ...]
    clause: str
    by_default: bool = False

    @property
    def source(self) -> str:
        """The clause for a ruling's text."""
        return f"{self.clause}, by default" if self.by_default else self.clause


TOLD = "told"
"""Mark of a key that only people act on: the table cannot see what it speaks of, and shows it where they look it up."""


def told(key: Any) -> Any:  # noqa: ANN401 (a dataclass field stands for any type)
    """Mark a key as one that people act on and the table does not."""
    return field(metadata={**key.metadata, TOLD: True})


def policy(answers: Mapping[str, object], question: str) -> Any:  # noqa: ANN401 (a dataclass field stands for any type)
    """A key that names one of `answers`."""
    return field(metadata={"answers": answers, "question": question})


def choice(members: type[Enum], question: str) -> Any:  # noqa: ANN401
    """A key that names a member of an `Enum`."""
    return field(metadata={"answers": {member.value: member for member in members}, "question": question})


def number(question: str) -> Any:  # noqa: ANN401
    """A key that holds a whole number."""
    return field(metadata={"type": int, "question": question})


def switch(question: str) -> Any:  # noqa: ANN401
    """A key that holds true or false."""
    return field(metadata={"type": bool, "question": question})

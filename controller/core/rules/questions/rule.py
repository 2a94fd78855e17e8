"""What a key of a rulebook is: an answer and its source."""

from collections.abc import Mapping
from dataclasses import Field, field
from enum import Enum
from typing import Generic, TypeVar, cast

from controller.core.values.data import dataclass

T = TypeVar("T")
A_co = TypeVar("A_co", covariant=True)
E = TypeVar("E", bound=Enum)


@dataclass(frozen=True, slots=True)
class Rule(Generic[A_co]):
    """An answer and its source.

    `cite` holds catalogue ids, the deciding clause first; `clause` is that one as printed. `by_default` marks an answer
    that the book does not give and that falls back on another book's clause.
    """

    value: A_co
    cite: tuple[str, ...]
    clause: str
    by_default: bool = False

    @property
    def source(self) -> str:
        """The clause for a ruling's text."""
        return f"{self.clause}, by default" if self.by_default else self.clause


TOLD = "told"
"""Mark of a key that only people act on: the table cannot see what it speaks of, and shows it where they look it up."""


def told(key: Rule[T]) -> Rule[T]:
    """Mark a key as one that people act on and the table does not."""
    return _key({**cast(Field[T], key).metadata, TOLD: True})


def policy(answers: Mapping[str, T], question: str) -> Rule[T]:
    """A key that names one of `answers`."""
    return _key({"answers": answers, "question": question})


def choice(members: type[E], question: str) -> Rule[E]:
    """A key that names a member of an `Enum`."""
    return _key({"answers": {member.value: member for member in members}, "question": question})


def number(question: str) -> Rule[int]:
    """A key that holds a whole number."""
    return _key({"type": int, "question": question})


def switch(question: str) -> Rule[bool]:
    """A key that holds true or false."""
    return _key({"type": bool, "question": question})


def _key(metadata: Mapping[str, object]) -> Rule[T]:
    """A field of a data class, which stands where its value will: the type checker compares that with the answers."""
    return cast(Rule[T], field(metadata=metadata))

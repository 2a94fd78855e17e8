"""What a key of a rulebook is: an answer and its source."""

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import Any, Generic, TypeVar, cast

from controller.core.values.value import Value

T = TypeVar("T")
A_co = TypeVar("A_co", covariant=True)
E = TypeVar("E", bound=Enum)


class Rule(Value, Generic[A_co]):
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
        """The clause for a ruling's text, which stands in brackets: a list's number ("6)") loses its own there."""
        clause = self.clause if self.clause.count("(") == self.clause.count(")") else self.clause.removesuffix(")")
        return f"{clause}, by default" if self.by_default else clause


Asked = Mapping[str, Any]
"""What a key asks: its `question`, and its `answers` by name or the `type` of its answer."""

PEOPLE_ONLY = "told"
"""Mark of a key that only people act on: the table cannot see what it speaks of, and shows it where they look it up."""


def mark_people_only(key: Rule[T]) -> Rule[T]:
    """Mark a key as one that people act on and the table does not."""
    return _build_key({**cast(Asked, key), PEOPLE_ONLY: True})


def policy(answers: Mapping[str, T], question: str) -> Rule[T]:
    """A key that names one of `answers`."""
    return _build_key({"answers": answers, "question": question})


def choice(members: type[E], question: str) -> Rule[E]:
    """A key that names a member of an `Enum`."""
    return _build_key({"answers": {member.value: member for member in members}, "question": question})


def number(question: str) -> Rule[int]:
    """A key that holds a whole number."""
    return _build_key({"type": int, "question": question})


def switch(question: str) -> Rule[bool]:
    """A key that holds true or false."""
    return _build_key({"type": bool, "question": question})


def _build_key(question: Asked) -> Rule[T]:
    """A question, which stands where its answer will: the type checker compares that with the answers."""
    return cast(Rule[T], MappingProxyType(question))


def questions_of(section: type[Value]) -> dict[str, Asked]:
    """What each field of a table of a rulebook asks."""
    return dict(zip(section.__struct_fields__, section.__struct_defaults__, strict=True))

"""Answers on record: for each case a short digest of every answer, so that the first one that differs can be named.

A file of them has a line a case: its name, and the digests in their order. What should alter no answer leaves the file
alone; what should alter some writes it anew, and the commit shows which cases.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from controller.core.values.value import Value

DIGITS = 4
"""Of a digest: an answer that differs passes once in 65,536 times, and seldom is one the only that does."""

CHECKOUT = f"{Path(__file__).parents[1]}/"
"""Where these files lie, which no answer on record may depend on."""

MAX_SHOWN = 5000
"""Signs of the answers that are shown where they differ."""


def to_plain(value: Any) -> Any:  # noqa: ANN401 - whatever an answer has in it
    """A value of the program as JSON has it, the same in every process."""
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: to_plain(getattr(value, each.name)) for each in fields(value) if each.repr}
    if isinstance(value, Value):
        return {name: to_plain(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, Mapping):
        return {str(to_plain(key)): to_plain(inner) for key, inner in value.items()}
    if isinstance(value, set | frozenset):
        return sorted((to_plain(inner) for inner in value), key=str)
    if isinstance(value, list | tuple):
        return [to_plain(inner) for inner in value]
    return value if isinstance(value, int | float | None) else str(value).replace(CHECKOUT, "")


def digest(answer: str) -> str:
    """The first digits of an answer's SHA-256."""
    return hashlib.sha256(answer.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]


def render(answer: object) -> str:
    """An answer as one line."""
    return to_plain(answer) if isinstance(answer, str) else json.dumps(to_plain(answer), ensure_ascii=False)


class RecordedAnswers:
    """The answers that a file has on record, a digest for so many in a `run`; `remedy` writes the file anew."""

    def __init__(self, path: Path, remedy: str, run: int = 1) -> None:
        self.path = path
        self.remedy = remedy
        self.run = run
        rows = (line.split() for line in path.read_text(encoding="utf-8").splitlines()) if path.exists() else ()
        self.digests_by_case = {name: digests for name, *digests in rows}

    def compare(self, case: str, answers: Sequence[object]) -> None:
        """Raise `AssertionError` that shows the first answers that are not those on record."""
        recorded = self.digests_by_case[case]
        shown = self._render_runs(answers)
        for place, text in enumerate(shown):
            known = recorded[place] if place < len(recorded) else "none"
            assert digest(text) == known, (
                f"{case}: from answer {place * self.run + 1} on it is not what is on record; "
                f"where that is meant, {self.remedy}\n{text[:MAX_SHOWN]}"
            )
        assert len(shown) == len(recorded), f"{case}: fewer answers than on record: {len(shown)} of {len(recorded)}"

    def write(self, answers_by_case: Mapping[str, Sequence[object]]) -> None:
        """Put these answers on record; those of other cases stay."""
        made = {name: list(map(digest, self._render_runs(told))) for name, told in answers_by_case.items()}
        rows = [" ".join((name, *digests)) for name, digests in {**self.digests_by_case, **made}.items()]
        self.path.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")

    def _render_runs(self, answers: Sequence[object]) -> list[str]:
        lines = [render(answer) for answer in answers]
        return ["\n".join(lines[place : place + self.run]) for place in range(0, len(lines), self.run)]

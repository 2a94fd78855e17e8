"""What people read: each ruling names a clause, and no sentence has a trace of the program in it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.evenings.oracles.standing import Page, Watcher, get_line
from tests.evenings.seen import Seen

TRACES = re.compile(
    r"\b(?:None|True|False|null|nan|NaN|undefined)\b"
    r"|[{}<>]"
    r"|\b[a-z]+_[a-z_]+\b"
    r"|\b[A-Z][a-z]+[A-Z][A-Za-z]*\("
    r"|\b0x[0-9a-f]+\b|\bobject at\b|Traceback|\[\]|\(\)|''|%[sd]"
)
"""Words that only a program says: values, braces, identifiers, representations, places that nothing filled."""

WITHOUT_CLAUSE = ("ask",)
"""Verdicts that may name none (docs/table-script.md, section 3)."""

FOR_PROGRAMS = (
    *("not-understood", "not-json", "bad-line", "no-such-route"),
    *("key-missing", "unused-key", "unknown-key", "value"),
)
"""Codes of refusals that tell whoever wrote a line what a line may have: with its keys and braces."""


class SentenceOracle(Watcher):
    """Reads everything that a page says to people."""

    name = "sentences"

    def __init__(self) -> None:
        self.read: set[str] = set()
        """Sentences that were found good already."""
        self.last_rulings: object = None

    def look(self, seen: Seen) -> Iterator[str]:
        """Read what is new on the pages after an entry."""
        yield from self._look_at_page(seen.after, "floor")
        for role, page in seen.pages.items():
            yield from self._look_at_page(page, role)
        said = seen.answer.get("message")
        if not seen.taken and seen.answer.get("code") not in FOR_PROGRAMS and isinstance(said, str):
            yield from self._look_at_sentence(said, "the answer")  # a room's word on what was taken is empty

    def _look_at_page(self, page: Page, role: str) -> Iterator[str]:
        line = get_line(page) if "table" in page else page
        for step in line.get("next") or ():
            for key in ("text", "short"):
                yield from self._look_at_sentence(step.get(key), f"{key} of the step {step.get('step')} ({role})")
        clauses = page.get("clauses")
        for where, rulings in (("line", line.get("rulings")), ("page", page.get("rulings"))):
            yield from self._look_at_rulings(rulings or (), f"{where}, {role}", clauses if where == "page" else None)
        for key, part in (("notices", "text"), ("notices", "dealer"), ("faults", "text"), ("faults", "dealer")):
            for each in page.get(key) or ():
                said = each.get(part)
                if said is not None or (part == "text" and "text" in each):
                    yield from self._look_at_sentence(said, f"{key} {each.get('code')} ({role})")
        refusal = page.get("refusal")
        if refusal and refusal.get("code") not in FOR_PROGRAMS:
            yield from self._look_at_sentence(refusal.get("message"), f"refusal {refusal.get('code')} ({role})")

    def _look_at_rulings(
        self, rulings: Sequence[Mapping[str, Any]], where: str, clauses: Mapping[str, Any] | None
    ) -> Iterator[str]:
        for ruling in rulings:
            cites = ruling.get("cite") or []
            if not cites and ruling.get("verdict") not in WITHOUT_CLAUSE:
                yield f"the ruling {ruling.get('finding')} names no clause ({where})"
            if clauses is not None:
                yield from (f"the clause {cite} is not on the page ({where})" for cite in cites if cite not in clauses)
            for key in ("finding", "verdict"):
                if not ruling.get(key):
                    yield f"a ruling without {key} ({where})"
            yield from self._look_at_sentence(ruling.get("text"), f"ruling {ruling.get('finding')} ({where})")

    def _look_at_sentence(self, text: object, where: str) -> Iterator[str]:
        if not isinstance(text, str) or not text.strip():
            yield f"{where}: nothing is said ({text!r})"
            return
        if text in self.read:
            return
        found = TRACES.search(text)
        if found:
            yield f"{where}: {found.group()!r} in {text!r}"
            return
        if text != text.strip() or "  " in text:
            yield f"{where}: blanks too many in {text!r}"
            return
        self.read.add(text)

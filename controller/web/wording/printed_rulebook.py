"""The printed rulebook beside ours: finds the passage that a clause names in the house's own copy of the text.

Rulebooks belong to others and do not come with the program; `rulebook_text` in the section [page] names the file.
Books number alike but print differently, so a passage is looked for by what all have: a heading with the section's
words, and under it a line that begins with the rule's number.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

NUMBERED_LINE_PATTERN = re.compile(r"^[\s>*#-]*\**(?:rule\s+)?(\d+(?:\.\d+)*)(?:[.)\]:]|\s)", re.IGNORECASE)
LETTERED_LINE_PATTERN = re.compile(r"^[\s>*#-]*\**\(?([a-z]|[ivx]+)[).]", re.IGNORECASE)
MAX_PASSAGE_LINES = 40
"""Lines of a passage that are shown at most."""


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines `first_line` to `last_line` (from 1, inclusive) of the printed text.

    `is_exact`: the rule itself, else its section.
    """

    first_line: int
    last_line: int
    text: str
    is_exact: bool

    def to_json(self) -> dict[str, object]:
        """Write it as the page has it."""
        return {"first": self.first_line, "last": self.last_line, "text": self.text, "exact": self.is_exact}


def find_passage(text: str, section: str) -> Passage | None:
    """Find what a clause's `section` ("Section 3, Irregularities, rule 12", "clause 9.3(f)") names in `text`."""
    lines = text.splitlines()
    clause = re.search(r"clause (\d+(?:\.\d+)*)((?:\([a-z]+\))*)", section)
    if clause is not None:
        return _find_clause(lines, clause[1], re.findall(r"\(([a-z]+)\)", clause[2]))
    number = re.search(r"rule (\d+)", section)
    titles = [part for part in re.split(r",\s*", re.sub(r"[\[\]]", "", section)) if not part.startswith("rule ")]
    at = _find_heading(lines, titles)
    if at is None:
        return None
    if number is None:
        return _cut_passage(lines, at, exact=True)
    wanted, highest = int(number[1]), 0
    for index in range(at + 1, len(lines)):
        found = re.match(r"^[\s>*#-]*\**(\d+)[.)]\s", lines[index])
        if found is None:
            continue
        if int(found[1]) == wanted and highest == wanted - 1:
            return _cut_passage(lines, index, exact=True)
        if int(found[1]) <= highest:
            break  # the numbers begin anew: another list
        highest = int(found[1])
    return _cut_passage(lines, at, exact=False)


def _find_clause(lines: Sequence[str], number: str, letters: Sequence[str]) -> Passage | None:
    at = next(
        (i for i, line in enumerate(lines) if (found := NUMBERED_LINE_PATTERN.match(line)) and found[1] == number), None
    )
    if at is None:
        return None
    for letter in letters:
        following = range(at, min(len(lines), at + 200))
        under = next(
            (i for i in following if (m := LETTERED_LINE_PATTERN.match(lines[i])) and m[1].lower() == letter), None
        )
        if under is None:
            return _cut_passage(lines, at, exact=False)
        at = under
    return _cut_passage(lines, at, exact=True)


def _find_heading(lines: Sequence[str], titles: Sequence[str]) -> int | None:
    """Where the last of the nested titles stands: the heading with the fewest other words, below the section's own.

    A table of contents comes first in a book, so of a section's headings the last counts.
    """
    headed = [(i, _split_words(line)) for i, line in enumerate(lines) if _is_heading(line)]
    of_section = [i for i, words in headed if len(titles) > 1 and _split_words(titles[0]) <= words]
    start = of_section[-1] if of_section else 0
    wanted = _split_words(titles[-1]) if titles else frozenset()
    found = [(len(words), i < start, -i if i < start else i) for i, words in headed if wanted and wanted <= words]
    if not found:
        return None
    _, before, at = min(found)
    return -at if before else at


def _split_words(text: str) -> frozenset[str]:
    bare = re.sub(r"['\u2019]", "", text.lower())
    return frozenset(re.findall(r"[a-z0-9]+", bare)) - {"rules", "list", "the"}


def _is_heading(line: str) -> bool:
    bare = line.strip().strip("#*_ ")
    return 0 < len(bare) < 80 and not bare.endswith((".", ",", ";"))


def _cut_passage(lines: Sequence[str], at: int, *, exact: bool) -> Passage:
    """From line `at` up to the next rule or heading, or a few lines more where the text has no such marks."""
    last = at
    for index in range(at + 1, min(len(lines), at + MAX_PASSAGE_LINES)):
        marked = (
            NUMBERED_LINE_PATTERN.match(lines[index])
            or LETTERED_LINE_PATTERN.match(lines[index])
            or lines[index].startswith("#")
        )
        if marked and exact:
            break
        last = index
    while last > at and not lines[last].strip():
        last -= 1
    return Passage(at + 1, last + 1, "\n".join(lines[at : last + 1]), exact)

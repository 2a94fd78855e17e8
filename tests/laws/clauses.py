"""What is true of the clause of every ruling: it is the first that is cited, and another book's is one by default."""

from collections.abc import Iterable

from config import rulebook_file
from controller.core.rules.rulings import Ruling, Verdict

OWN = {
    "casino-au": "AU-", "fish-n-chips": "FC-", "house-rules": "HR-", "maryport": "MP-", "roberts-7": "R7-",
    "tda-2024": "TDA-", "wsop-2024": "WSOP-T-", "wsop-live-2024": "WSOP-L-",
}  # fmt: skip
"""How the ids of each book's clauses begin."""


def hold_the_law_of_clauses(book: str, rulings: Iterable[Ruling]) -> None:
    """Each ends with its deciding clause in brackets, which close as often as they open."""
    clauses = rulebook_file.load_clauses()
    for ruling in rulings:
        if ruling.verdict is Verdict.ASK and not ruling.cite:
            continue
        told, first = ruling.text, ruling.cite[0]
        printed = clauses[first] if clauses[first].count("(") == clauses[first].count(")") else clauses[first][:-1]
        said = [f"({printed}, by default)."]  # of an own clause, too, that is applied to what it does not name
        if first.startswith(OWN[book]):
            said.append(f"({printed}).")
        assert told.endswith(tuple(said)), f"{book}: {told} {ruling.cite}"
        assert told.count("(") == told.count(")"), told

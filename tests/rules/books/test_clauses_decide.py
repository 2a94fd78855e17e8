"""Every answer of every book cites first a clause that speaks of what is asked: by its topic in the catalogue."""

import csv

import pytest

from config import rulebook_file
from controller.cli.rules.rulebook_comparison import iter_answers

ROWS = {row["id"]: row for row in csv.DictReader(rulebook_file.CATALOGUE_FILE.read_text(encoding="utf-8").splitlines())}
TOPICS_BY_SECTION = {
    "betting": {"raise-cap", "all-in-reopen", "betting", "blinds", "action-order"},
    "board": {"board", "burn"},
    "boxed": {"boxed", "deck"},
    "burns": {"burn"},
    "clock": {"clock"},
    "counts": {"missing-card", "extra-card", "dead-hand", "misdeal", "burn", "draw-phase"},
    "deck": {"deck", "joker", "boxed", "missing-card"},
    "exposed": {"exposed", "misdeal", "deal-order"},
    "floor": {"ruling", "ruling-window", "dead-hand"},
    "misdeal": {"misdeal"},
    "premature": {"premature", "board", "burn"},
    "sequence": {"deal-order", "misdeal", "seating"},
    "stub": {"deck", "insufficient-cards", "board"},
    "turns": {"out-of-turn", "clock", "betting", "dead-hand"},
    "upcards": {
        "stud-opener", "exposed", "insufficient-cards", "deal-order", "dead-hand", "missing-card", "betting",
        "showdown-order",
    },
    "wagers": {"betting", "undercall", "all-in-reopen"},
}  # fmt: skip
"""What the clauses speak of that a table of a rulebook may cite. The other tables are of too many things for it."""

OTHERWISE = {
    "R7-5.holdem.8#a": "its first sentence is of every dealing error at the turn, its row of the premature one",
    "MP-5.holdem.8#a": "as above",
}
"""Clauses of another topic that decide all the same, and why."""


@pytest.mark.parametrize("book", rulebook_file.list_rulebooks())
def test_the_first_clause_of_an_answer_speaks_of_what_is_asked(book: str) -> None:
    """An answer without words of its own in the book falls back; it is not hung on the next best clause."""
    astray = {
        key: rule.cite[0]
        for key, rule, _ in iter_answers(rulebook_file.load_rulebook(book))
        if (topics := TOPICS_BY_SECTION.get(key.split(".")[0])) is not None
        and ROWS[rule.cite[0]]["topic"] not in topics
        and rule.cite[0] not in OTHERWISE
    }
    assert astray == {}

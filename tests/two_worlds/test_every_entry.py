"""Whatever anybody enters, nobody learns a card that lies face down: two worlds that differ in those alone are one.

The quick form tries of each kind of entry one at some points of a few hands; `python -m tests.two_worlds` tries more.
"""

from pathlib import Path

import pytest

from controller.core.values.piles import BOARD
from tests.two_worlds.entries import TURNED_UP, list_entries
from tests.two_worlds.live_table import ROLES
from tests.two_worlds.worlds import FORMS, Figures, Worlds, play, try_entries

QUICK = FORMS[::14]
"""A form of most kinds of poker and books; the others are tried by the gate's `worlds` and at night."""

MOVES = 34
"""So many moves of each: a hand, with its showdown, and the beginning of the next."""


@pytest.mark.parametrize(("book", "game"), QUICK)
def test_no_entry_tells_a_hidden_card(tmp_path: Path, book: str, game: str) -> None:
    worlds = Worlds(tmp_path, book, game, 1)
    try:
        play(worlds, MOVES, lambda worlds: try_entries(worlds, points=0.09, each=1))
    finally:
        worlds.close()
    assert sum(worlds.figures.taken.values()) > 0, "some of it fits"


def test_whatever_was_entered_before_no_entry_tells_a_hidden_card(tmp_path: Path) -> None:
    """Entries that fit or not are left in the hand, with what the table made of them; the power is cut now and then."""
    worlds = Worlds(tmp_path, "roberts-7", "holdem", 2)
    try:
        play(worlds, 45, lambda worlds: try_entries(worlds, points=0.04, each=1, left_in=0.2, cut=0.05))
    finally:
        worlds.close()


def test_whoever_reads_a_table_and_its_disk_reads_the_same(tmp_path: Path) -> None:
    """In mid-hand, with entries that were left in: every route for every role and token, files, exports, backups."""
    worlds = Worlds(tmp_path, "tda-2024", "stud-7", 1)
    try:
        while worlds.state.hand_count < 2 or len(worlds.script) < 20:
            worlds.move()
        worlds.enter({"ev": "report", "what": "exposed", "seat": 1, "nth": 1}, "dealer")
        worlds.enter({"ev": "undo"}, "dealer")
        worlds.compare_house()
    finally:
        worlds.close()


def test_every_kind_of_entry_is_tried_by_every_role(tmp_path: Path) -> None:
    worlds = Worlds(tmp_path, "tda-2024", "holdem", 1, figures := Figures())
    try:
        play(worlds, 6, lambda _worlds: None)
        kinds = list_entries(worlds.state, worlds.list_words())
        assert {f"report {what}" for what in ("misread", "exposed", "boxed", "no-burn", "duplicate")} < kinds.keys()
        assert {"show", "muck", "done", "sit", "leave", "penalty", "amend card", "amend start"} < kinds.keys()
        assert all(lines for lines in kinds.values())
        for role in ROLES:
            worlds.attempt("undo", {"ev": "undo"}, role)
    finally:
        worlds.close()
    assert {role for _, role in figures.entries} == set(ROLES)


@pytest.mark.parametrize("role", ROLES)
def test_the_floor_alone_has_cards_turned_up_and_they_stay_known(tmp_path: Path, role: str) -> None:
    """What is turned up with everybody looking is named, no other card is, and `undo` does not unlearn it."""
    worlds = Worlds(tmp_path, "roberts-7", "holdem", 1)
    try:
        while worlds.tables[0].loop.outcome.state.hand is None or len(worlds.script) < 8:
            worlds.move()
        worlds.attempt("floor", {"ev": "floor", "decide": TURNED_UP, "seat": 1, "nth": 1}, role)
    finally:
        worlds.close()
    assert worlds.figures.disclosures == (2 if role in ("floor", "the room's floor") else 0)


def test_a_name_that_is_right_is_told_from_no_other(tmp_path: Path) -> None:
    """The floor names open cards and hidden ones by every name that lies face down in one of the worlds, and undoes."""
    worlds = Worlds(tmp_path, "roberts-7", "holdem", 1)
    try:
        while not worlds.state.hand or len(worlds.state.hand.cards.piles.cards_at(BOARD)) < 3:
            worlds.move()
        names = [name for world in (0, 1) for name in worlds.find_hidden(world)]
        entry = worlds.tables[0].journal.last_entry_number
        for name in dict.fromkeys(names):
            for line in (
                {"ev": "report", "what": "misread", "where": "board", "nth": 1, "card": name},
                {"ev": "report", "what": "misread", "seat": 1, "nth": 1, "card": name},
                {"ev": "amend", "line": entry, "to": {"ev": "card", "card": name}},
                {"ev": "amend", "before": entry, "to": {"ev": "card", "card": name}},
            ):
                worlds.attempt("a name", line, "floor")
    finally:
        worlds.close()

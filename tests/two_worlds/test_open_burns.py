"""A burn that somebody says lies open is a card; which one a sensor says, or everybody who saw it turned up."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from config import rulebook_file
from controller.core.values.piles import BOARD, BURN
from tests.two_worlds.entries import TURNED_UP
from tests.two_worlds.live_table import LiveTable
from tests.two_worlds.worlds import Worlds

WRONG_BURNS = ("no-burn", "double-burn", "board-extra", "two-exposed")


def lay_flop(directory: Path, book: str) -> Worlds:
    """Worlds in which the flop of a hand lies."""
    worlds = Worlds(directory, book, "holdem", 1)
    while not worlds.state.hand or len(worlds.state.hand.cards.piles.cards_at(BOARD)) < 3:
        worlds.move()
    return worlds


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    worlds = lay_flop(tmp_path, "roberts-7")
    yield worlds.tables[0]
    worlds.close()


@pytest.mark.parametrize("book", rulebook_file.list_rulebooks())
def test_a_burn_that_is_said_to_lie_open_is_a_card(tmp_path: Path, book: str) -> None:
    """The finding: one entry and `undo` put the face of the burn on every page."""
    worlds = lay_flop(tmp_path, book)
    try:
        for what in WRONG_BURNS:
            for role in ("dealer", "floor"):
                worlds.attempt(what, {"ev": "report", "what": what}, role)
    finally:
        worlds.close()


def find_burn(table: LiveTable) -> str | None:
    return table.loop.outcome.state.hand_in_play.cards.piles.cards_at(BURN)[0].card


def read_board(table: LiveTable) -> list[str | None]:
    assert table.view is not None
    board = table.view.output_line["board"]
    assert isinstance(board, list)
    return board


def test_a_sensor_or_the_floor_may_say_that_it_lies_open(table: LiveTable) -> None:
    burn = find_burn(table)
    assert burn is not None
    for shown in ("sensor", "floor"):
        with table.rewound():
            if shown == "sensor":
                table.read_card("board", burn)
            else:
                table.enter({"ev": "floor", "decide": TURNED_UP, "where": "burn", "nth": 1}, "floor")
            table.enter({"ev": "report", "what": "no-burn"}, "dealer")
            assert read_board(table)[0] == burn


def test_the_floor_that_has_seen_it_lie_open_names_it_by_no_report(table: LiveTable) -> None:
    table.enter({"ev": "report", "what": "no-burn"}, "floor")
    assert read_board(table)[0] is None

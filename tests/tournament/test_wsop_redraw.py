"""WSOP 67 c: the number of entrants says at how many tables seats are drawn anew."""

from config.rulebook_file import load
from controller.core.tournament.advice import Todo, advise
from controller.core.tournament.balance import TableView

WSOP = load("wsop-2024").tournament


def test_WSOP_T_67_c_by_entrants() -> None:
    """A hundred entrants or more draw anew at three tables, fewer only at two: the advice is told how many entered.

    Covers: WSOP-T-67.c
    """
    four = tuple(TableView(name, tuple(range(1, 7)), 1, 3) for name in "ABCD")
    kinds = {
        entrants: [one.todo for one in advise(WSOP, four, 12, order=("D",), entrants=entrants)]
        for entrants in (100, 99)
    }
    assert kinds[100] == [Todo.BREAK, Todo.REDRAW]
    assert Todo.REDRAW not in kinds[99]

"""WSOP 67 c: the number of entrants says at how many tables seats are drawn anew."""

from config.rulebook_file import load_rulebook
from controller.core.tournament.advice import AdviceKind, advise
from controller.core.tournament.balance import TableOccupancy

WSOP = load_rulebook("wsop-2024").tournament


def test_WSOP_T_67_c_by_entrants() -> None:
    """A hundred entrants or more draw anew at three tables, fewer only at two: the advice is told how many entered.

    Covers: WSOP-T-67.c
    """
    four = tuple(TableOccupancy(name, tuple(range(1, 7)), 1, 3) for name in "ABCD")
    kinds = {
        entrants: [one.kind for one in advise(WSOP, four, 12, order=("D",), entrants=entrants)]
        for entrants in (100, 99)
    }
    assert kinds[100] == [AdviceKind.BREAK, AdviceKind.REDRAW]
    assert AdviceKind.REDRAW not in kinds[99]

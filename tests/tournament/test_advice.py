"""What a director does next, in the right order."""

import pytest

from config.rulebook_file import load_rulebook
from controller.core.rules.questions.house.tournament_rules import TournamentRules
from controller.core.tournament.advice import Advice, AdviceKind, advise
from controller.core.tournament.balance import TableOccupancy

BOOKS = ("roberts-7", "fish-n-chips", "maryport", "wsop-2024")
R7, FC, MP, WSOP = (load_rulebook(name).tournament for name in BOOKS)


def table(name: str, *seats: int, button: int = 1, big: int = 3) -> TableOccupancy:
    return TableOccupancy(name, seats, button, big)


def kinds(found: tuple[Advice, ...]) -> list[AdviceKind]:
    return [advice.kind for advice in found]


def test_nothing_to_do() -> None:
    assert advise(FC, (table("A", *range(1, 8)), table("B", *range(1, 7))), 2) == ()


def test_FC_10_moving_3_several() -> None:
    """Three went out on one hand at the lower table: the seat closest to the left of the button is filled first.

    Covers: FC-10.moving.1#a, FC-10.moving.3
    """
    lower, higher = table("B", 1, 2, 4, 9, button=4), table("A", *range(1, 9), button=2)
    found = advise(FC, (higher, lower), 2, eliminated={"B": [3, 7]})
    assert [(one.table, one.seat, one.to_table, one.to_seat) for one in found] == [("A", 3, "B", 7), ("A", 7, "B", 3)]
    assert found[0].cite == ("FC-10.moving.1#a",)


def test_FC_10_final_in_order() -> None:
    """Ten left at tables of six and four: one moves, then hand for hand; nine left: nothing but the final table.

    Covers: FC-10.final#a, FC-10.final#b
    """
    ten = advise(FC, (table("A", *range(1, 7)), table("B", *range(1, 5))), 2)
    assert kinds(ten) == [AdviceKind.MOVE, AdviceKind.HAND_FOR_HAND]
    nine = advise(FC, (table("A", *range(1, 6)), table("B", *range(1, 5))), 2)
    assert nine == (Advice(AdviceKind.FINAL_TABLE, ("FC-10.final#b",)),)


def test_R7_15_tourn_13_then_18() -> None:
    """A table breaks: its players take empty seats, the smaller table first; at three tables all draw anew.

    Covers: R7-15.tourn.13, R7-15.tourn.18, MP-7.tourn.14, MP-7.tourn.17
    """
    names = ("A", "B", "C", "D", "E")
    five = [table(name, *range(1, 9)) for name in names[:-1]] + [table("E", *range(1, 6), button=2)]
    found = advise(R7, five, 8, order=("E", "D"))
    assert found[0] == Advice(AdviceKind.BREAK, ("R7-15.tourn.13",), "E")
    assert [one.seat for one in found[1:]] == [2, 3, 4, 5, 1]
    assert sorted(one.to_table for one in found[1:]) == ["A", "A", "B", "C", "D"]
    assert len({(one.to_table, one.to_seat) for one in found[1:]}) == 5
    four = [table(name, *range(1, 7)) for name in names[:4]]
    assert kinds(advise(R7, four, 8, order=("D",))) == [AdviceKind.BREAK, AdviceKind.REDRAW]
    assert advise(MP, four, 8, order=("D",))[0].cite == ("MP-7.tourn.14",)


def test_no_table_breaks_before_there_is_room() -> None:
    """Eighteen players need two tables; one empty seat too few, and the table stays."""
    full = (table("A", *range(1, 10)), table("B", *range(1, 10)), table("C", 1, 2, 5))
    assert AdviceKind.BREAK not in kinds(advise(R7, full, 3, order=("C",)))
    assert AdviceKind.BREAK in kinds(advise(R7, (*full[:2], table("C", 1, 2)), 3, order=("C",)))


def test_WSOP_T_67_c_by_entrants() -> None:
    """A hundred entrants or more draw anew at three tables, fewer only at two: the advice is told how many entered.

    Covers: WSOP-T-67.c
    """
    four = [table(name, *range(1, 7)) for name in "ABCD"]
    assert kinds(advise(WSOP, four, 12, order=("D",), entrants=100)) == [AdviceKind.BREAK, AdviceKind.REDRAW]
    assert AdviceKind.REDRAW not in kinds(advise(WSOP, four, 12, order=("D",), entrants=99))


@pytest.mark.parametrize("book", [R7, FC, MP])
def test_moves_go_on_until_the_tables_are_balanced(book: TournamentRules) -> None:
    tables = (table("A", *range(1, 11)), table("B", 1, 2, 3, 4), table("C", *range(1, 8)))
    found = advise(book, tables, 3)
    sizes = {view.name: len(view.seats) for view in tables}
    for one in found:
        sizes[one.table] -= 1
        sizes[one.to_table] += 1
    assert max(sizes.values()) - min(sizes.values()) <= (2 if book is MP else 1)
    assert len({(one.to_table, one.to_seat) for one in found}) == len(found)

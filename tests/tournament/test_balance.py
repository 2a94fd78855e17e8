"""Advice for several tables."""

import pytest

from config.rulebook_file import load_rulebook
from controller.core.rules.questions.house.tournament_rules import TournamentRules
from controller.core.tournament.balance import (
    TableOccupancy,
    assign_drawn_seats,
    fill_order,
    find_breaking_table,
    find_earliest_due_seat,
    find_final_table_rule,
    find_hand_for_hand_rule,
    find_max_spread,
    find_move,
    find_redraw_rule,
)

R7, FC, MP = (load_rulebook(name).tournament for name in ("roberts-7", "fish-n-chips", "maryport"))


def table(name: str, *seats: int, button: int = 1, big: int = 3) -> TableOccupancy:
    return TableOccupancy(name, seats, button, big)


def test_R7_15_tourn_15() -> None:
    """The player due for the big blind moves, to the earliest open seat due for it [MP-7.tourn.15].

    Covers: R7-15.tourn.15, MP-7.tourn.15
    """
    full, short = table("A", 1, 2, 3, 4, 6, 8, 9, 10, big=6), table("B", 1, 2, 3, 6, 8, 9, button=8, big=1)
    found = find_move(R7, (full, short))
    assert found is not None
    assert (found.from_table, found.seat, found.to_table, found.to_seat) == ("A", 8, "B", 4)
    assert found.rule.cite == ("R7-15.tourn.15",)
    assert find_move(R7, (full, short), {"B": 7}) == found
    again = find_move(MP, (full, table("B", 1, 2, 6, 8, 9, button=8, big=1)), {"B": 7})
    assert again is not None
    assert (again.from_table, again.seat, again.to_seat, again.rule.cite) == ("A", 8, 3, ("MP-7.tourn.15",))


def test_R7_15_tourn_17() -> None:
    """Within two with more than six tables, within one up to six; MP within two always [MP-7.tourn.16#b].

    Covers: R7-15.tourn.17, MP-7.tourn.16#b
    """
    assert (
        find_max_spread(R7, 7).value,
        find_max_spread(R7, 6).value,
        find_max_spread(MP, 3).value,
        find_max_spread(FC, 9).value,
    ) == (2, 1, 2, 1)
    seven, five = table("A", *range(1, 8)), table("B", *range(1, 6))
    assert find_move(R7, (seven, five)) is not None
    assert find_move(MP, (seven, five)) is None
    assert find_move(R7, (seven, table("B", *range(1, 7)))) is None


def test_FC_10_moving_1_a() -> None:
    """The player in the same position relative to the button moves to the eliminated player's seat."""
    lower = table("B", 1, 2, 4, 5, 7, button=5)
    higher = table("A", 1, 2, 3, 5, 6, 8, 9, button=2)
    found = find_move(FC, (higher, lower), {"B": 8})
    assert found is not None
    assert (found.seat, found.to_seat) == (5, 8)
    button = find_move(FC, (higher, table("B", 1, 2, 4, 7, 8, button=5)), {"B": 5})
    assert button is not None
    assert (button.seat, button.to_seat) == (2, 5)


def test_FC_10_moving_3() -> None:
    """Several must move: first to the seat closest to the left of the button."""
    assert fill_order(table("B", 1, 2, button=5), (3, 5, 8)) == (8, 3, 5)


def test_R7_15_tourn_13() -> None:
    """Tables break in the pre-set order, once the others have room [MP-7.tourn.14].

    Covers: R7-15.tourn.13, MP-7.tourn.14
    """
    tables = (table("A", *range(1, 9)), table("B", *range(1, 9)), table("C", *range(1, 6)))
    assert find_breaking_table(tables, ("C", "B", "A")) is None
    smaller = (table("A", *range(1, 9)), table("B", *range(1, 8)), table("C", *range(1, 6)))
    assert find_breaking_table(smaller, ("C", "B", "A")) == "C"


@pytest.mark.parametrize(
    ("book", "tables", "at_start", "due"),
    [
        (R7, 3, 8, True),
        (R7, 4, 8, False),
        (R7, 3, 5, False),
        (R7, 2, 5, True),
        (MP, 2, 5, False),
        (MP, 3, 6, True),
        (FC, 2, 4, False),
        (FC, 1, 2, True),
    ],
)
def test_R7_15_tourn_18(book: TournamentRules, tables: int, at_start: int, due: bool) -> None:
    """Seats are drawn anew at three, two and one table; small events need it less often [MP-7.tourn.17].

    Covers: R7-15.tourn.18, MP-7.tourn.17
    """
    assert (find_redraw_rule(book, tables, at_start) is not None) is due


def test_FC_10_final() -> None:
    """Ten left: two tables of five, hand for hand; nine: the final table.

    Covers: FC-10.final#a, FC-10.final#b
    """
    assert find_hand_for_hand_rule(FC, 10, 2) is not None
    assert find_hand_for_hand_rule(FC, 11, 2) is None
    assert find_final_table_rule(FC, 10, 2) is None
    found = find_final_table_rule(FC, 9, 2)
    assert found is not None
    assert found.cite == ("FC-10.final#b",)


def test_FC_10_seating_1_draw() -> None:
    """At most ten a table, as evenly as possible, by lot [R7-15.tourn.2, MP-7.tourn.2].

    Covers: FC-10.seating.1, R7-15.tourn.2, MP-7.tourn.2
    """
    names = [f"p{n}" for n in range(13)]
    seats = assign_drawn_seats(names, ("A", "B"), 10, list(range(19, -1, -1)))
    assert len(set(seats.values())) == 13
    assert [seats[name] for name in names[:2]] == [("B", 10), ("B", 9)]
    assert assign_drawn_seats(names, ("A", "B"), 10, [7, *range(7), *range(8, 20)])["p0"] == ("A", 8)
    assert sorted([sum(name == "A" for name, _ in seats.values()), sum(name == "B" for name, _ in seats.values())]) == [
        6,
        7,
    ]
    for players, draw in ((["p"] * 21, list(range(20))), (["p"], [0] * 20)):
        with pytest.raises(ValueError, match=r"fit|draw"):
            assign_drawn_seats(players, ("A", "B"), 10, draw)


def test_earliest_seat() -> None:
    assert find_earliest_due_seat(table("B", 1, 2, 4, big=9)) == 10

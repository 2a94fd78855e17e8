"""Places and prizes, to the cent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config import payout_file, rulebook_file
from controller.core.tournament.finishing_order import Elimination, award_prizes, rank_finishes
from controller.core.tournament.payouts import (
    SHARES_PER_PERCENT,
    PayoutColumn,
    PayoutStructure,
    compute_part,
    compute_prizes,
    find_payout_column,
    split_equally,
    split_satellite,
)

CLUB, STANDARD = payout_file.load_payouts("fish-n-chips"), payout_file.load_payouts("standard")
STRUCTURES = [payout_file.load_payouts(name) for name in payout_file.list_payouts()]


def find_club_column(players: int) -> PayoutColumn:
    return find_payout_column(CLUB, players)


def compute_club_prizes(purse: int, players: int) -> tuple[int, ...]:
    return compute_prizes(CLUB, purse, players)


@pytest.mark.parametrize(
    ("players", "shares", "clause"),
    [
        (5, (1000,), "FC-10.payouts.5orfewer"),
        (6, (667, 333), "FC-10.payouts.6-8"),
        (14, (545, 273, 182), "FC-10.payouts.9-14"),
        (15, (480, 240, 160, 120), "FC-10.payouts.15-20"),
        (21, (438, 219, 146, 109, 88), "FC-10.payouts.21-30"),
        (40, (409, 204, 135, 102, 82, 68), "FC-10.payouts.31-40"),
    ],
)
def test_FC_10_payouts(players: int, shares: tuple[int, ...], clause: str) -> None:
    """The printed percentages.

    Covers: FC-10.payouts.5orfewer, FC-10.payouts.6-8, FC-10.payouts.9-14, FC-10.payouts.15-20,
    FC-10.payouts.21-30, FC-10.payouts.31-40
    """
    row = find_club_column(players)
    assert (row.shares, row.cite) == (tuple(10 * share for share in shares), clause)
    assert sum(row.shares) == 100 * SHARES_PER_PERCENT
    assert clause in rulebook_file.load_clauses()


def test_FC_10_payouts_beyond_the_table() -> None:
    """Its scheme goes on: a place more for ten players, the n-th with a share of 1/n."""
    assert [len(find_club_column(players).shares) for players in (40, 41, 50, 51, 120, 500)] == [6, 7, 7, 8, 14, 52]
    for row in CLUB.columns[3:]:
        whole = sum(1 / place for place in range(1, len(row.shares) + 1))
        assert all(abs(share - 10_000 / n / whole) < 15 for n, share in enumerate(row.shares, 1))
    found = compute_club_prizes(12_000_00, 120)
    assert sum(found) == 12_000_00
    assert sorted(found, reverse=True) == list(found)
    with pytest.raises(ValueError, match="players"):
        find_club_column(0)


def test_FC_10_payouts_a_to_the_cent() -> None:
    """A tenth of the buy-ins, half a cent rounded up."""
    assert [compute_part(cents, 100) for cents in (20 * 40_00, 5, 4, 15)] == [80_00, 1, 0, 2]


def test_FC_10_payouts_round() -> None:
    """720 for 20 players: 345.60, 172.80, 115.20, 86.40 become 345, 175, 115, 85."""
    assert compute_club_prizes(720_00, 20) == (345_00, 175_00, 115_00, 85_00)


def test_FC_10_payouts_round_adjusts_the_lowest_first() -> None:
    """252 for 7 players: 170 and 85 would be 3 too many; the lower place gets 82."""
    assert compute_club_prizes(252_00, 7) == (170_00, 82_00)


@given(
    st.sampled_from(STRUCTURES),
    st.integers(1, 40) | st.integers(41, 20_000),
    st.integers(0, 20_000_000) | st.integers(0, 10**12),
)
def test_prizes_add_up_and_descend(structure: PayoutStructure, players: int, purse: int) -> None:
    """Of any structure, any number of players, and of any pool, be it of cents."""
    found = compute_prizes(structure, purse, players)
    assert sum(found) == purse
    assert all(amount >= 0 for amount in found)
    assert list(found) == sorted(found, reverse=True)
    assert len(found) == len(find_payout_column(structure, players).shares)


@pytest.mark.parametrize("players", [1_000, 10_000])
def test_in_the_largest_fields_every_paid_place_is_paid(players: int) -> None:
    """Shares in tenths of a per cent would leave the last hundreds of places without any."""
    found = compute_club_prizes(players * 36_00, players)
    assert found[-1] > 0
    assert sum(found) == players * 36_00


@given(st.integers(1, 3_000), st.integers(0, 10**9), st.integers(1, 10**7))
def test_a_satellites_places_add_up_and_descend(players: int, purse: int, seat: int) -> None:
    seats, found = split_satellite(purse, seat, players)
    assert sum(found) == purse
    assert list(found) == sorted(found, reverse=True)
    assert seats == min(purse // seat, players)
    assert all(worth >= seat for worth in found[:seats])
    assert len(found) <= players


def order(*out: Elimination, entrants: int, remaining: tuple[str, ...] = ()) -> dict[str, int]:
    return {finish.player: finish.place for finish in rank_finishes(entrants, out, remaining)}


def test_FC_10_winning_1() -> None:
    out = [Elimination(player, hand, 100) for hand, player in enumerate(("d", "c", "b"), start=1)]
    assert order(*out, entrants=4, remaining=("a",)) == {"a": 1, "b": 2, "c": 3, "d": 4}


def test_FC_10_winning_2() -> None:
    """Two out on one hand: who began it with 1,600 finishes above who began it with 1,400."""
    assert order(Elimination("A", 9, 1400), Elimination("B", 9, 1600), entrants=4, remaining=("x", "y")) == {
        "B": 3,
        "A": 4,
    }


@pytest.mark.parametrize("book", ["fish-n-chips", "roberts-7", "maryport"])
def test_hand_for_hand_too_the_larger_stack_finishes_higher(book: str) -> None:
    """At whatever table.

    Covers: FC-10.winning.2, R7-15.tourn.35, MP-7.tourn.30
    """
    together = rulebook_file.load_rulebook(book).tournament.hand_for_hand_places.value
    out = [
        Elimination(player, 9, stack, table=table, hand_for_hand_number=1)
        for player, stack, table in (("A", 1400, "x"), ("B", 1600, "y"))
    ]
    assert [(each.player, each.place) for each in rank_finishes(4, out, ("c", "d"), together)] == [("B", 3), ("A", 4)]


def last_two_out(entrants: int, *stacks: int) -> list[tuple[str, float, int]]:
    """Player, mean place and prize of A and B, who go out on one hand as the third and fourth, of a purse of 10,000."""
    gone = [Elimination(f"p{n}", n, 1) for n in range(entrants - 4)]
    last = [Elimination(player, 90, stack) for player, stack in zip("AB", stacks, strict=True)]
    found = award_prizes(rank_finishes(entrants, [*gone, *last]), find_club_column(entrants).shares)
    return [(finish.player, finish.mean_place, finish.prize_cents) for finish in found[:2]]


def test_FC_10_winning_2_example_2() -> None:
    """14 players: B is third and gets 18.2 % of the purse, A nothing."""
    found = award_prizes(rank_finishes(14, [Elimination("A", 9, 1400), Elimination("B", 9, 1600)]), [545, 273, 182])
    assert [(finish.player, finish.place, finish.prize_cents) for finish in found] == [("B", 13, 0), ("A", 14, 0)]
    assert last_two_out(14, 1400, 1600) == [("B", 3, 1820), ("A", 4, 0)]


def test_FC_10_winning_2_example_3() -> None:
    """20 players: A is fourth with 12 %, B third with 16 %."""
    assert last_two_out(20, 1400, 1600) == [("B", 3, 1600), ("A", 4, 1200)]


def test_FC_10_winning_2_example_4() -> None:
    """20 players, equal stacks: tied third, (12 % + 16 %) / 2 = 14 % each."""
    assert last_two_out(20, 1500, 1500) == [("A", 3.5, 1400), ("B", 3.5, 1400)]


def test_R7_15_tourn_35() -> None:
    """Equal prize money, odd cents first [MP-7.tourn.30].

    Covers: R7-15.tourn.35, MP-7.tourn.30
    """
    assert split_equally((101, 100)) == (101, 100)
    assert sum(split_equally((7, 3, 0))) == 10


def test_too_many_players() -> None:
    with pytest.raises(ValueError, match="tournament of 2"):
        rank_finishes(2, [Elimination("a", 1, 1)], ("b", "c"))


def test_table_is_printed_once() -> None:
    assert [row.max_players for row in CLUB.columns] == [5, 8, 14, 20, 30, 40]

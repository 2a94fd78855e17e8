"""Laws of the draw for seats, by a second way to work it out."""

import random

import pytest

from controller.core.tournament.balance import assign_drawn_seats


def draw_slowly(players: int, tables: list[str], places: int, draw: list[int]) -> list[tuple[str, int]]:
    """Hand chairs out one after the other: the next of the lot at a table that may still have one more."""
    chairs = [(tables[number // places], 1 + number - places * (number // places)) for number in draw]
    most = {name: len(range(at, players, len(tables))) for at, name in enumerate(tables)}
    found: list[tuple[str, int]] = []
    for chair in chairs:
        if sum(table == chair[0] for table, _ in found) < most[chair[0]]:
            found.append(chair)
    return found


@pytest.mark.parametrize("seed", range(60))
def test_any_lot_spreads_any_players_evenly_over_chairs_that_are_there(seed: int) -> None:
    chance = random.Random(seed)
    places, tables = chance.randrange(2, 11), [f"table {number}" for number in range(1, chance.randrange(2, 6))]
    count = chance.choice((places * len(tables), chance.randrange(places * len(tables) + 1)))
    players = [f"player {number}" for number in range(count)]
    draw = chance.sample(range(places * len(tables)), places * len(tables))
    drawn = assign_drawn_seats(players, tables, places, draw)
    assert list(drawn) == players
    assert list(drawn.values()) == draw_slowly(count, tables, places, draw)
    assert len(set(drawn.values())) == count
    assert {seat for _, seat in drawn.values()} <= set(range(1, places + 1))
    sizes = [sum(table == name for table, _ in drawn.values()) for name in tables]
    assert sizes == sorted(sizes, reverse=True)
    assert max(sizes) - min(sizes) <= 1


def test_no_more_players_than_chairs_and_no_other_lot_than_each_chair_once() -> None:
    with pytest.raises(ValueError, match=r"5 players do not fit on 2 tables of 2\."):
        assign_drawn_seats("abcde", "xy", 2, [0, 1, 2, 3])
    for draw in ([0, 1, 2], [0, 1, 2, 2], [1, 2, 3, 4], [0, 1, 2, 3, 4]):
        with pytest.raises(ValueError, match=r"each number from 0 to 3 once\."):
            assign_drawn_seats("abcd", "xy", 2, draw)
    assert set(assign_drawn_seats("abcd", "xy", 2, [3, 1, 0, 2]).values()) == {(t, n) for t in "xy" for n in (1, 2)}

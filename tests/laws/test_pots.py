"""Pots by their definition: each chip belongs to those who can still win and have put in as much."""

import random

from controller.core.play.betting.pots import Pot, split_into_pots


def split_chip_by_chip(paid: dict[int, int], live: tuple[int, ...], dead: int) -> tuple[Pot, ...]:
    """Lay the chips out in layers, one of each seat; a layer that no live seat reaches goes with the one below it."""
    layers = [(tuple(sorted(live)), dead)]
    for layer in range(1, max(paid.values(), default=0) + 1):
        able = tuple(sorted(seat for seat in live if paid.get(seat, 0) >= layer))
        layers.append((able or layers[-1][0], sum(chips >= layer for chips in paid.values())))
    amount_by_seats: dict[tuple[int, ...], int] = {}
    for seats, amount in layers:
        amount_by_seats[seats] = amount_by_seats.get(seats, 0) + amount
    return tuple(Pot(amount, seats) for seats, amount in amount_by_seats.items() if amount)


def test_every_chip_lies_in_the_pot_of_those_who_matched_it() -> None:
    chance = random.Random(0)
    beyond = 0
    for _ in range(2000):
        seats = chance.sample(range(1, 11), chance.randint(1, 7))
        paid = {seat: chance.choice((0, 1, 2, 5, 5, 9)) for seat in seats if chance.random() < 0.9}
        live = tuple(chance.sample(seats, chance.randint(1, len(seats))))
        dead = chance.choice((0, 0, 3))
        found = split_into_pots(paid, live, dead)
        assert found == split_chip_by_chip(paid, live, dead), (paid, live, dead)
        assert sum(pot.amount for pot in found) == sum(paid.values()) + dead
        beyond += len(found) > 1 and max(paid.values(), default=0) > max(paid.get(seat, 0) for seat in live)
    assert beyond > 50, "somebody who is out had bet more than all who are left, beside a side pot"

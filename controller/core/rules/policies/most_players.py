"""How many players may sit at one table, where the book has no number for the game (`[players]`)?"""

from collections.abc import Callable

MostPlayers = Callable[[str, int], int | None]
"""(name of the game, cards of its deck) -> the most players, `None` where only the chairs count."""


def as_many_as_chairs(game: str, deck: int) -> int | None:
    """No number is printed: as many as there are chairs."""
    return None


def ten(game: str, deck: int) -> int | None:
    """Ten at a table [FC-10.seating.1]."""
    return 10


ANSWERS: dict[str, MostPlayers] = {
    "as-many-as-chairs": as_many_as_chairs,
    "ten": ten,
}

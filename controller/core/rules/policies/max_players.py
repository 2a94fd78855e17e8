"""How many players may sit at one table, where the book has no number for the game (`[players]`)?"""

from collections.abc import Callable

MaxPlayersPolicy = Callable[[str, int], int | None]
"""(name of the game, cards of its deck) -> the most players, `None` where only the chairs count."""


def allow_all_chairs(game: str, deck: int) -> int | None:
    """No number is printed: as many as there are chairs."""
    return None


def allow_ten_players(game: str, deck: int) -> int | None:
    """Ten at a table [FC-10.seating.1]."""
    return 10


POLICY_BY_NAME: dict[str, MaxPlayersPolicy] = {
    "as-many-as-chairs": allow_all_chairs,
    "ten": allow_ten_players,
}

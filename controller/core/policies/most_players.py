"""How many players may sit at one table?"""

from collections.abc import Callable

MostPlayers = Callable[[str, int], int | None]
"""(name of the game, cards of its deck) -> the most players, `None` where only the chairs count."""

BY_GAME_AND_DECK = {
    ("draw-high", 52): 8,
    ("stud-5", 52): 10,
    ("stud-7", 52): 8,
    ("holdem", 52): 10,
    ("omaha", 52): 10,
    ("draw-high", 40): 6,
    ("stud-5", 40): 8,
    ("stud-7", 40): 6,
    ("manila-3", 36): 9,
    ("draw-high", 32): 5,
    ("stud-5", 32): 6,
    ("stud-7", 32): 4,
    ("manila-2", 32): 11,
    ("manila-3", 32): 7,
}
"""The table of AU-5.1."""


def as_many_as_chairs(game: str, deck: int) -> int | None:
    """No number is printed: as many as there are chairs."""
    return None


def by_game_and_deck(game: str, deck: int) -> int | None:
    """A number for each game and deck [AU-5.1(a)(i) to AU-5.1(d)(v)]."""
    return BY_GAME_AND_DECK.get((game, deck))


def ten(game: str, deck: int) -> int | None:
    """Ten at a table [FC-10.seating.1]."""
    return 10


ANSWERS: dict[str, MostPlayers] = {
    "as-many-as-chairs": as_many_as_chairs,
    "by-game-and-deck": by_game_and_deck,
    "ten": ten,
}

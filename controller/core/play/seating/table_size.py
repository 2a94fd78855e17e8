"""How many players a game and its deck can serve."""

from controller.core.model.setup import Setup
from controller.core.rules.questions.rule import Rule
from controller.core.values.cards import deck

LARGEST = 100
"""More players than any table has."""


def most_players(setup: Setup) -> tuple[int | None, Rule[object]]:
    """The most players and the clause that says so; `None` where the book sets no number.

    In a rotation that is the number of the game that takes the fewest.
    """
    found = [_most(each) for each in _each_game(setup)]
    return min(found, key=lambda most: most[0] or LARGEST)


def _each_game(setup: Setup) -> tuple[Setup, ...]:
    return tuple(setup.playing(entry.game, entry.betting) for entry in setup.rotation) or (setup,)


def _most(setup: Setup) -> tuple[int | None, Rule[object]]:
    table = setup.rulebook.players.get(setup.game.name)
    if table is not None:
        rule = table.of(setup.deck)
        return rule.value, rule
    chairs = setup.rulebook.people.most_players
    return chairs.value(setup.game.name, setup.deck), chairs


def served(setup: Setup) -> int:
    """How many players the deck can give a starting hand to, with the cards that the board gets along with it."""
    return min(
        (len(deck(each.deck, each.joker)) - each.game.streets[0].board) // len(each.game.streets[0].deal)
        for each in _each_game(setup)
    )

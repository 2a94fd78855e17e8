"""How many players a game and its deck can serve."""

from controller.core.model.setup import Setup
from controller.core.rules.questions.rule import Rule
from controller.core.values.cards import build_deck

UNLIMITED_PLAYERS = 100
"""More players than any table has."""


def max_players(setup: Setup) -> tuple[int | None, Rule[object]]:
    """The most players and the clause that says so; `None` where the book sets no number.

    In a rotation that is the number of the game that takes the fewest.
    """
    found = [_max_players_of_game(each) for each in _setups_in_rotation(setup)]
    return min(found, key=lambda most: most[0] or UNLIMITED_PLAYERS)


def _setups_in_rotation(setup: Setup) -> tuple[Setup, ...]:
    return tuple(setup.replace_game(entry.game, entry.stakes) for entry in setup.rotation) or (setup,)


def _max_players_of_game(setup: Setup) -> tuple[int | None, Rule[object]]:
    table = setup.rulebook.players.get(setup.game.name)
    if table is not None:
        rule = table.find_limit(setup.deck_size)
        return rule.value, rule
    chairs = setup.rulebook.people.most_players
    return chairs.value(setup.game.name, setup.deck_size), chairs


def max_players_by_deck(setup: Setup) -> int:
    """How many players the deck can give a starting hand to and still fill the board, should nobody fold.

    Burns are not counted: where the stub runs out they come back into play.
    """
    return min(
        (len(build_deck(each.deck_size, each.has_joker)) - sum(street.board_count for street in each.game.streets))
        // len(each.game.streets[0].deal_faces)
        for each in _setups_in_rotation(setup)
    )

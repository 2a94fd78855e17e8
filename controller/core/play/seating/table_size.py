"""How many players a game and its deck can serve."""

from controller.core.model.setup import Setup
from controller.core.rules.questions.rule import Rule
from controller.core.values.cards import deck


def most_players(setup: Setup) -> tuple[int | None, Rule[object]]:
    """The most players and the clause that says so; `None` where the book sets no number."""
    table = setup.rulebook.players.get(setup.game.name)
    if table is not None:
        rule = table.of(setup.deck)
        return rule.value, rule
    chairs = setup.rulebook.people.most_players
    return chairs.value(setup.game.name, setup.deck), chairs


def served(setup: Setup) -> int:
    """How many players the deck can give a starting hand to, with the cards that the board gets along with it."""
    first = setup.game.streets[0]
    return (len(deck(setup.deck, setup.joker)) - first.board) // len(first.deal)

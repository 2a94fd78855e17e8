"""How many players a game may have, by the size of its deck; one table for each game."""

from controller.core.rules.questions.rule import Rule, number
from controller.core.values.value import Value


class PlayerLimitRules(Value):
    """The most players with each deck; 0 where the game is not played with it."""

    deck_52: Rule[int] = number("How many players at most with 52 cards? (0: no such deck)")
    deck_40: Rule[int] = number("How many with 40?")
    deck_36: Rule[int] = number("How many with 36?")
    deck_32: Rule[int] = number("How many with 32?")

    def find_limit(self, deck: int) -> Rule[int]:
        """The limit of one deck."""
        limit: Rule[int] = getattr(self, f"deck_{deck}")
        return limit

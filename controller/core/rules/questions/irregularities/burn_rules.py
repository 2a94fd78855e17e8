"""Missed and surplus burns before board cards; one table for each form of game."""

from enum import Enum, unique

from controller.core.rules.questions.rule import Rule, choice, number, switch
from controller.core.values.value import Value


@unique
class BurnErrorRemedy(Enum):
    """What becomes of a flop that came after no burn, or after one too many, and lies open.

    PUT_RIGHT: the cards go back on the stub and come again in their right places. RESHUFFLED: the flop is shuffled back
    and dealt anew. ONE_IS_THE_BURN: its cards are scrambled face down, one picked blind is the burn, the next of the
    stub completes it.
    """

    PUT_RIGHT = "put-right"
    RESHUFFLED = "reshuffled"
    ONE_IS_THE_BURN = "one-is-the-burn"


@unique
class UncorrectedBurn(Enum):
    """What follows from a burn error that can no longer be put right.

    AS_WITHOUT_ERROR: later cards are those that would have come without it: a surplus burn goes back on the stub, for
    a missing one the next street burns one more. WRONG_NUMBER: the hand goes on with a wrong number of burns.
    """

    AS_WITHOUT_ERROR = "as-without-error"
    WRONG_NUMBER = "wrong-number"


class BurnRules(Value):
    """Missed and surplus burns."""

    no_burn_flop: Rule[BurnErrorRemedy] = choice(
        BurnErrorRemedy, "What becomes of an open flop that came without a burn?"
    )
    surplus_flop: Rule[BurnErrorRemedy] = choice(
        BurnErrorRemedy, "What becomes of an open flop that came after too many burns?"
    )
    put_right: Rule[bool] = switch("Is a burn error before a single board card put right?")
    stands_after: Rule[int] = number("How many players must have acted on the street for its cards to stand?")
    afterwards: Rule[UncorrectedBurn] = choice(UncorrectedBurn, "What follows from a burn error that is not put right?")
    without_betting: Rule[bool] = switch(
        "Is a burn error put right on a street without betting until the pot is awarded?"
    )

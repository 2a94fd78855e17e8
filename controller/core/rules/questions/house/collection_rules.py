"""What the house takes for the game: rake, fee per hand, button fee, time charge."""

from enum import Enum, unique

from controller.core.rules.questions.rule import Rule, choice, number, switch
from controller.core.values.value import Value


@unique
class UnwillingPlayer(Enum):
    """What becomes of a player who does not pay the time charge.

    UNTIL_THE_BLIND: plays until the big blind reaches the seat. ONE_HAND: plays this hand. DEALT_OUT: is dealt out at
    once.
    """

    UNTIL_THE_BLIND = "until-the-blind"
    ONE_HAND = "one-hand"
    DEALT_OUT = "dealt-out"


class CollectionRules(Value):
    """What the house takes for the game."""

    least_percent: Rule[int] = number("What is the least percentage of a rake, if any is taken?")
    blinds_only_free: Rule[bool] = switch("Is nothing taken of a hand in which no wager beyond the blinds was called?")
    equal_hands_free: Rule[bool] = switch(
        "Is nothing taken of a pot that equal hands share, if nobody else has put a chip in?"
    )
    no_flop_no_drop: Rule[bool] = switch("Is nothing taken of a hand that ends before its second round?")
    charges_absent: Rule[bool] = switch("Do players who are away pay the time charge, too?")
    unwilling: Rule[UnwillingPlayer] = choice(
        UnwillingPlayer, "What becomes of a player who does not pay the time charge?"
    )
    unwilling_stud: Rule[UnwillingPlayer] = choice(
        UnwillingPlayer, "What becomes of that player in a game without a button?"
    )
    most_waiting: Rule[int] = number("Of how many who wait for a seat may nobody decline the time charge any more?")

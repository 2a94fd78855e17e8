"""Hands with a wrong number of cards; one table for each form of game."""

from enum import Enum, unique

from controller.core.rules.questions.rule import Rule, choice, switch
from controller.core.values.value import Value


@unique
class ExtraCardRemedy(Enum):
    """What becomes of cards too many that can be told from the others.

    BURN: it goes back to the deck and is the next burn. STUB: it goes back on the stub, the street burns as always.
    MISDEAL: all cards are dealt again.
    """

    BURN = "burn"
    STUB = "stub"
    MISDEAL = "misdeal"


@unique
class FouledHandRemedy(Enum):
    """What becomes of a hand with a wrong number of cards.

    MISDEAL: all cards are dealt again. DEAD: it is dead, its money stays. REFUNDED: it is dead, its money goes back.
    """

    MISDEAL = "misdeal"
    DEAD = "dead"
    REFUNDED = "refunded"


@unique
class LastFouledHand(Enum):
    """What becomes of a hand with a wrong number of cards when no other is left.

    MISDEAL: all wagers go back. STANDS: it takes the pot.
    """

    MISDEAL = "misdeal"
    STANDS = "stands"


class CountRules(Value):
    """Too many and too few cards."""

    extra_first: Rule[ExtraCardRemedy] = choice(
        ExtraCardRemedy, "The first player gets one card more when all hands are complete: and then?"
    )
    extra_one: Rule[ExtraCardRemedy] = choice(
        ExtraCardRemedy, "What becomes of any other single extra card before the betting?"
    )
    extra_several: Rule[ExtraCardRemedy] = choice(ExtraCardRemedy, "What becomes of two or more extra cards?")
    wrong_count: Rule[FouledHandRemedy] = choice(
        FouledHandRemedy, "What is a wrong number of cards while a misdeal can be called?"
    )
    top_card: Rule[bool] = switch("May the top card be dealt to a hand that missed just this card?")
    button_late: Rule[bool] = switch("May the top card, too late for a misdeal, be dealt to the button until it acts?")
    acted_in_time: Rule[FouledHandRemedy] = choice(
        FouledHandRemedy, "What is a wrong number of cards, in time for a misdeal, of a hand that has acted?"
    )
    acted_too_late: Rule[FouledHandRemedy] = choice(
        FouledHandRemedy, "What is it, too late for a misdeal, when that hand's player has acted?"
    )
    waiting_too_late: Rule[FouledHandRemedy] = choice(
        FouledHandRemedy, "What is it, too late for a misdeal, when that player has not acted?"
    )
    last_hand: Rule[LastFouledHand] = choice(LastFouledHand, "What if the last hand left has a wrong number of cards?")

"""Board cards dealt before the betting was over; one table for each form of game."""

from enum import Enum, unique

from controller.core.rules.questions.rule import Rule, choice, switch
from controller.core.values.value import Value


@unique
class PrematureCardRemedy(Enum):
    """What becomes of board cards that came before the betting was over.

    NEXT_CARD: they go out of play for the round, the street gets the cards that come then, and they are shuffled back
    before the street after it. RESHUFFLED: when the betting is over they are shuffled back and the street is dealt
    anew. STANDS: they are used, and nobody may wager more on the round than was wagered already.
    ELIMINATED: in stud, they stay out of play; when the betting is over so many cards more go out of play as complete
    the street, which is then dealt with a new burn.
    """

    NEXT_CARD = "next-card"
    RESHUFFLED = "reshuffled"
    STANDS = "stands"
    ELIMINATED = "eliminated"


class PrematureRules(Value):
    """Premature board cards."""

    flop: Rule[PrematureCardRemedy] = choice(PrematureCardRemedy, "What becomes of a premature flop?")
    turn: Rule[PrematureCardRemedy] = choice(
        PrematureCardRemedy, "What becomes of a premature single card with a street after it?"
    )
    river: Rule[PrematureCardRemedy] = choice(PrematureCardRemedy, "What becomes of a premature last board card?")
    burn_again: Rule[bool] = switch("Is a card burned before a single board card dealt after such a shuffle?")
    burn_missing: Rule[bool] = switch("Is the burn made then that did not come with a premature card?")
    at_once: Rule[bool] = switch("In stud: is a premature card shuffled back at once, not when the betting is over?")
    burn_alone: Rule[bool] = switch("Does a premature burn stand as the burn of its street when no other card came?")

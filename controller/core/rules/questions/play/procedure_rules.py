"""The deal's procedure: the button, the shuffle, the cut; one table for each form of game."""

from enum import Enum, unique

from controller.core.rules.questions.rule import Rule, choice, number, switch
from controller.core.values.value import Value


@unique
class ComplaintDeadline(Enum):
    """Until when a complaint makes a misdeal.

    WINDOW: as long as any misdeal can be called. LOOKED: until a player has looked at a hand or acted. ALWAYS: until
    the pot is pushed; the book sets no end to it.
    """

    WINDOW = "while-a-misdeal-can-be-called"
    LOOKED = "until-a-hand-is-looked-at"
    ALWAYS = "until-the-pot-is-pushed"


class ProcedureRules(Value):
    """What precedes the first card."""

    entry_post: Rule[int] = number("How many big blinds does a newcomer post to be dealt in at once?")
    entry_post_big_bet: Rule[bool] = switch(
        "Does a newcomer post to be dealt in at once in no-limit and pot-limit, too?"
    )
    button: Rule[bool] = switch("Is it a misdeal when the button stood wrong?")
    button_previous: Rule[bool] = switch("Is a button that stood wrong on the hand before put right on the new hand?")
    not_shuffled: Rule[ComplaintDeadline] = choice(
        ComplaintDeadline, "Until when is a deck not shuffled or cut a misdeal?"
    )
    exposed_cutting: Rule[ComplaintDeadline] = choice(
        ComplaintDeadline, "Until when are cards exposed in cutting a misdeal?"
    )
    put_back: Rule[bool] = switch("Does the deal go on with a card that was put back on the stub unused?")
    misread: Rule[bool] = switch("Does a card count as what it is, whatever a sensor called it?")

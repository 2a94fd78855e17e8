"""Defects of the deck: jokers, duplicates, foreign backs, missing cards."""

from enum import Enum, unique

from controller.core.rules.questions.cards.boxed import Defect, Scrapped
from controller.core.rules.questions.irregularities.counts import Fouled
from controller.core.rules.questions.rule import Rule, choice, switch
from controller.core.values.value import Value


@unique
class Joker(Enum):
    """What a joker is in a game without one.

    SCRAP: a scrap of paper, replaced like a boxed card. DEFECT: it makes the deck defective, and the hand a misdeal.
    MISDEAL_IN_TIME: it, or another card that the game does not have, is a misdeal while one can be called, afterwards a
    scrap of paper.
    """

    SCRAP = "scrap"
    DEFECT = "defect"
    MISDEAL_IN_TIME = "misdeal-in-time"


class DeckRules(Value):
    """What is wrong with the deck."""

    joker: Rule[Joker] = choice(Joker, "What is a joker that turns up before its holder acts?")
    joker_to: Rule[Scrapped] = choice(Scrapped, "Where does such a joker go?")
    joker_acted: Rule[Fouled] = choice(Fouled, "What is a hand with a joker on which its holder has acted?")
    joker_stub: Rule[Defect] = choice(Defect, "What does a joker found in the stub change?")
    duplicate: Rule[Defect] = choice(Defect, "What do two cards of the same rank and suit change?")
    duplicate_late: Rule[Defect] = choice(
        Defect, "What do they change when they are found after the last award, before the next deal?"
    )
    foreign: Rule[Defect] = choice(Defect, "What does a card with another back change when it appears in a hand?")
    foreign_stub: Rule[Defect] = choice(
        Defect, "What does a card with another back change when it is found in the stub?"
    )
    foreign_stub_early: Rule[Defect] = choice(
        Defect, "What does another back change in the stub while a misdeal can be called?"
    )
    missing: Rule[Defect] = choice(Defect, "What does a card missing from the deck change?")
    surplus: Rule[Defect] = choice(Defect, "What does a card change that leaves a stub empty by the count?")
    defective: Rule[Defect] = choice(Defect, "What does any other defect of the deck change?")
    counted: Rule[bool] = switch(
        "Is the deck counted before the next deal when a hand has shown that its number is wrong?"
    )

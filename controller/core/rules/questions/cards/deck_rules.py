"""Defects of the deck: jokers, duplicates, foreign backs, missing cards."""

from enum import Enum, unique

from controller.core.rules.questions.cards.boxed_rules import DefectConsequence, ScrapPlace
from controller.core.rules.questions.irregularities.count_rules import FouledHandRemedy
from controller.core.rules.questions.rule import Rule, choice, switch
from controller.core.values.value import Value


@unique
class JokerConsequence(Enum):
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

    joker: Rule[JokerConsequence] = choice(JokerConsequence, "What is a joker that turns up before its holder acts?")
    joker_to: Rule[ScrapPlace] = choice(ScrapPlace, "Where does such a joker go?")
    joker_acted: Rule[FouledHandRemedy] = choice(
        FouledHandRemedy, "What is a hand with a joker on which its holder has acted?"
    )
    joker_stub: Rule[DefectConsequence] = choice(DefectConsequence, "What does a joker found in the stub change?")
    duplicate: Rule[DefectConsequence] = choice(
        DefectConsequence, "What do two cards of the same rank and suit change?"
    )
    duplicate_late: Rule[DefectConsequence] = choice(
        DefectConsequence, "What do they change when they are found after the last award, before the next deal?"
    )
    foreign: Rule[DefectConsequence] = choice(
        DefectConsequence, "What does a card with another back change when it appears in a hand?"
    )
    foreign_stub: Rule[DefectConsequence] = choice(
        DefectConsequence, "What does a card with another back change when it is found in the stub?"
    )
    foreign_stub_early: Rule[DefectConsequence] = choice(
        DefectConsequence, "What does another back change in the stub while a misdeal can be called?"
    )
    missing: Rule[DefectConsequence] = choice(DefectConsequence, "What does a card missing from the deck change?")
    surplus: Rule[DefectConsequence] = choice(
        DefectConsequence, "What does a card change that leaves a stub empty by the count?"
    )
    defective: Rule[DefectConsequence] = choice(DefectConsequence, "What does any other defect of the deck change?")
    counted: Rule[bool] = switch(
        "Is the deck counted before the next deal when a hand has shown that its number is wrong?"
    )

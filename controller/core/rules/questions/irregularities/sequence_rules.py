"""Cards dealt to the wrong place; one table for each form of game."""

from enum import Enum, unique

from controller.core.rules.questions.rule import Rule, choice, switch
from controller.core.values.value import Value


@unique
class RepairCondition(Enum):
    """Whether cards that went wrong are moved to where they belong, in place of a misdeal.

    NEVER: they are not. IF_TOLD_APART: whenever it is known which cards they are. IF_UNSEEN: the same, and no player
    has looked at any card.
    """

    NEVER = "never"
    IF_TOLD_APART = "if-told-apart"
    IF_UNSEEN = "if-unseen"


class SequenceRules(Value):
    """Wrong seats, seats passed over, seats that should have had no cards."""

    first_card: Rule[bool] = switch("Is it a misdeal when the first card went to the wrong seat?")
    out_of_order: Rule[bool] = switch("Is it a misdeal when a later card went to the wrong seat?")
    repair_order: Rule[RepairCondition] = choice(RepairCondition, "Is a card at the wrong seat moved instead?")
    skipped: Rule[bool] = switch("Is it a misdeal when a player entitled to a hand got none?")
    not_entitled: Rule[bool] = switch("Is it a misdeal when an empty chair, or one not entitled to a hand, got cards?")
    repair_hands: Rule[RepairCondition] = choice(
        RepairCondition, "Is a hand dealt out, or one too many, put right instead?"
    )

"""What the floor may do."""

from controller.core.rules.questions.rule import Rule, switch
from controller.core.values.value import Value


class FloorRules(Value):
    """What the floor may do."""

    overrules: Rule[bool] = switch("May the floor set the letter of a rule aside in the interest of fairness?")
    corrected: Rule[bool] = switch("Is what was entered wrongly put right until the next deal begins?")
    revived: Rule[bool] = switch("May a folded or mucked hand be given back?")
    uncalled_back: Rule[bool] = switch("Does the uncalled part of its wager go back to a hand that is killed?")

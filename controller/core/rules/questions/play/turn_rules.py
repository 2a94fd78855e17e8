"""Acts out of turn, and wagers made in more than one motion."""

from enum import Enum, unique

from controller.core.rules.questions.rule import Rule, choice, number, switch
from controller.core.values.value import Value


@unique
class EarlyActionEffect(Enum):
    """What an act out of turn, other than a check, comes to.

    BINDS: it binds at once. FLOOR: a person decides whether it binds.
    """

    BINDS = "binds"
    FLOOR = "floor"


@unique
class EarlyCheckEffect(Enum):
    """What a check out of turn comes to.

    RESTRICTS: its player may neither bet nor raise at the next turn. BINDS: it is a check, unless somebody bets
    meanwhile.
    """

    RESTRICTS = "restricts"
    BINDS = "binds"


@unique
class InterveningAction(Enum):
    """What somebody else's act, before the seat's own turn, does to an act that binds.

    RELEASES: it binds no longer. FLOOR: a person decides whether it still binds. STANDS: nothing.
    """

    RELEASES = "releases"
    FLOOR = "floor"
    STANDS = "stands"


class TurnRules(Value):
    """Acts out of turn."""

    early_check: Rule[EarlyCheckEffect] = choice(EarlyCheckEffect, "What does a check out of turn come to?")
    early_act: Rule[EarlyActionEffect] = choice(EarlyActionEffect, "What does any other act out of turn come to?")
    raise_between: Rule[InterveningAction] = choice(
        InterveningAction, "What does a bet or raise in between do to an act that binds?"
    )
    call_between: Rule[InterveningAction] = choice(
        InterveningAction, "What does a call in between do to an act that binds?"
    )
    early_fold_stands: Rule[bool] = switch("Does a fold out of turn bind whatever comes in between?")
    early_fold_dead: Rule[bool] = switch("Is the hand dead of one who folds out of turn and faces a bet?")
    early_fold_mucked: Rule[bool] = switch("Is a hand that is folded out of turn mucked at once?")
    early_call_never_raises: Rule[bool] = switch("Is a call out of turn never changed into a raise?")
    string_raise: Rule[bool] = switch("Is a wager in more than one motion only worth its first?")
    acted_behind: Rule[int] = number(
        "How many players must act behind one who let it pass, before the right to act is in doubt?"
    )
    skipped_asks: Rule[bool] = switch("Is the floor asked of one whom substantial action has passed, not a number?")
    early_passive: Rule[bool] = switch("Heads-up: does a passive act out of turn leave its player only such acts?")

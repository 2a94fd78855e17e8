"""Time called on a player."""

from enum import Enum, unique

from controller.core.rules.questions.rule import Rule, choice, mark_people_only, number, switch
from controller.core.values.value import Value


@unique
class ClockCaller(Enum):
    """Who has the clock put on a player.

    FLOOR: the dealer as a floorperson directs, when a player asks. DEALER: the dealer, when a player asks.
    ANY_PLAYER: any player of the tournament, also one of another table.
    """

    FLOOR = "floor"
    DEALER = "dealer"
    ANY_PLAYER = "any-player"


class ClockRules(Value):
    """Time called on a player."""

    called_by: Rule[ClockCaller] = mark_people_only(choice(ClockCaller, "Who has the clock put on a player?"))
    seconds: Rule[int] = number("How many seconds has a player on whom the clock is put?")
    warning: Rule[int] = number("How many seconds before the end is the player warned?")
    shot: Rule[bool] = switch("May every decision be put on the clock?")
    kills_big_bet: Rule[bool] = switch(
        "Is a hand dead that lets its time pass facing a bet, in no-limit and pot-limit?"
    )
    kills_limit: Rule[bool] = switch("Is a hand dead that lets its time pass facing a bet, in limit games?")
    checks: Rule[bool] = switch("Is a hand that lets its time pass and faces no bet checked?")

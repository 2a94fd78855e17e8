"""The stub."""

from enum import Enum, unique

from controller.core.rules.questions.rule import Rule, choice, switch
from controller.core.values.value import Value


@unique
class StubRefill(Enum):
    """What is shuffled to deal on from when the stub runs out in the middle of a round.

    BURNS: the burns and what was taken out of play; the muck only where there are none. ENOUGH: the muck, too, where
    they do not suffice for what is to come [WSOP-L-212]. ALL: the muck with them.
    """

    BURNS = "burns"
    ENOUGH = "burns-if-they-suffice"
    ALL = "burns-and-muck"


class StubRules(Value):
    """The stub."""

    fouled: Rule[bool] = switch("Is the deal played out from a rebuilt stub when the stub was fouled?")
    fouled_in_order: Rule[bool] = switch("Is a fouled stub put back in its order, if that is possible?")
    fouled_mixed: Rule[bool] = switch("Is what a fouled stub was mixed with shuffled into it?")
    run_out: Rule[StubRefill] = choice(
        StubRefill, "What is shuffled in when the stub runs out in the middle of a round?"
    )

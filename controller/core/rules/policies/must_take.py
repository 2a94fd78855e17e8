"""Which exposed cards must a lowball player take before the draw?"""

from collections.abc import Callable

from controller.core.values.cards import JOKER

MustTake = Callable[[str], bool]
"""The card -> whether its player keeps it; a joker is a low card."""


def seven_or_lower(card: str) -> bool:
    """An ace to a seven [R7-11.a5.3]."""
    return card == JOKER or card[0] in "A234567"


def five_or_lower(card: str) -> bool:
    """An ace to a five [R7-11.nlpl.2a]."""
    return card == JOKER or card[0] in "A2345"


def seven_but_no_six(card: str) -> bool:
    """A seven, five, four, three or two [R7-11.27.2, R7-11.nlpl.2b]."""
    return card == JOKER or card[0] in "23457"


ANSWERS: dict[str, MustTake] = {
    "seven-or-lower": seven_or_lower,
    "five-or-lower": five_or_lower,
    "seven-but-no-six": seven_but_no_six,
}

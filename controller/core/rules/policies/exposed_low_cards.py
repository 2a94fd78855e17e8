"""Which exposed cards must a lowball player take before the draw?"""

from collections.abc import Callable

from controller.core.values.cards import JOKER

ExposedLowCardPolicy = Callable[[str], bool]
"""The card -> whether its player keeps it; a joker is a low card."""


def is_seven_or_lower(card: str) -> bool:
    """An ace to a seven [R7-11.a5.3]."""
    return card == JOKER or card[0] in "A234567"


def is_five_or_lower(card: str) -> bool:
    """An ace to a five [R7-11.nlpl.2a]."""
    return card == JOKER or card[0] in "A2345"


def is_seven_but_no_six(card: str) -> bool:
    """A seven, five, four, three or two [R7-11.27.2, R7-11.nlpl.2b]."""
    return card == JOKER or card[0] in "23457"


POLICY_BY_NAME: dict[str, ExposedLowCardPolicy] = {
    "seven-or-lower": is_seven_or_lower,
    "five-or-lower": is_five_or_lower,
    "seven-but-no-six": is_seven_but_no_six,
}

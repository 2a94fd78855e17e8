"""Cards that lie face up in the deck."""

from dataclasses import dataclass
from enum import Enum, unique

from controller.core.rules.rule import Rule, choice, number


@unique
class Scrapped(Enum):
    """Where a card that is a scrap of paper goes."""

    ASIDE = "aside"
    MUCK = "muck"
    STUB_BOTTOM = "stub-bottom"


@dataclass(frozen=True, slots=True)
class BoxedRules:
    """Boxed cards."""

    one: Rule[Scrapped] = choice(Scrapped, "Where does a boxed card go?")
    misdeal: Rule[int] = number("How many boxed cards make a misdeal? (0: no number does)")
    defective: Rule[int] = number("How many boxed cards make the deck defective? (0: no number does)")

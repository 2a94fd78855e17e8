"""Cards that lie face up in the deck."""

from enum import Enum, unique

from controller.core.rules.questions.rule import Rule, choice, number
from controller.core.values.value import Value


@unique
class ScrapPlace(Enum):
    """Where a card that is a scrap of paper goes."""

    ASIDE = "aside"
    MUCK = "muck"
    STUB_BOTTOM = "stub-bottom"


@unique
class LateReplacement(Enum):
    """When a boxed card is replaced that is found when later cards have been dealt.

    AFTER_THE_ROUND: when all other cards of that round are dealt. AT_ONCE: by the next card.
    """

    AFTER_THE_ROUND = "after-the-round"
    AT_ONCE = "at-once"


@unique
class DefectConsequence(Enum):
    """What becomes of the hand when the deck proves wrong.

    STANDS: all action stands. VOID: all action is void, all chips go back. MISDEAL: the same by name of a misdeal.
    """

    STANDS = "stands"
    VOID = "void"
    MISDEAL = "misdeal"


class BoxedRules(Value):
    """Boxed cards."""

    one: Rule[ScrapPlace] = choice(ScrapPlace, "Where does a boxed card go?")
    late: Rule[LateReplacement] = choice(
        LateReplacement, "When is it replaced if the next card has been dealt already?"
    )
    misdeal: Rule[int] = number("How many boxed cards make a misdeal? (0: no number does)")
    defective: Rule[int] = number("How many boxed cards make the deck defective? (0: no number does)")
    defect: Rule[DefectConsequence] = choice(
        DefectConsequence, "What does that change, when no misdeal can be called for them?"
    )

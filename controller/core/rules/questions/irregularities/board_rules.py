"""Too many cards on the board, and a flop dealt again; one table for each form of game."""

from enum import Enum, unique

from controller.core.rules.questions.rule import Rule, choice, switch
from controller.core.values.value import Value


@unique
class SurplusBoardCard(Enum):
    """Where board cards go that were turned together with the right one.

    NEXT_BURN: to the burns, as the next burn; to the muck when none is due any more. SHUFFLED_BACK: into the stub,
    which is shuffled and cut.
    """

    NEXT_BURN = "next-burn"
    SHUFFLED_BACK = "shuffled-back"


@unique
class OversizedFlop(Enum):
    """What becomes of a flop with too many cards, even where the extra card is known.

    DEALT_AGAIN: it is shuffled back and dealt anew. RIGHT_CARDS_STAY: as on the other streets. SCRAMBLED: four cards
    are scrambled face down, a person picks the next burn blind, the others are the flop; a larger one is dealt again.
    """

    DEALT_AGAIN = "dealt-again"
    RIGHT_CARDS_STAY = "right-cards-stay"
    SCRAMBLED = "scrambled"


class BoardRules(Value):
    """Too many cards on the board."""

    too_many: Rule[OversizedFlop] = choice(OversizedFlop, "What becomes of a flop with too many cards?")
    burn_back: Rule[bool] = switch("Do the burns go back into the stub with a flop that is dealt again?")
    burn_again: Rule[bool] = switch("Is a card burned before a flop that is dealt again?")
    one_extra: Rule[SurplusBoardCard] = choice(
        SurplusBoardCard, "Where does one board card too many go on the other streets?"
    )
    more_extra: Rule[SurplusBoardCard] = choice(SurplusBoardCard, "Where do two or more board cards too many go?")

"""Cards exposed while they are dealt, before the first betting round; one table for each form of game."""

from enum import Enum, unique

from controller.core.rules.questions.rule import Rule, choice, number, switch
from controller.core.values.value import Value


@unique
class ExposedCardRemedy(Enum):
    """What becomes of a single card that the dealer exposed.

    REPLACED: the deal is finished, the top card replaces it, the exposed card is the burn. KEPT: the player keeps it.
    BY_STREET: in stud, see `[upcards]`, another card of the hand changes its face. BY_RANK: in lowball, see
    `[lowball]`, low cards are kept, others replaced.
    """

    REPLACED = "replaced"
    KEPT = "kept"
    BY_STREET = "by-street"
    BY_RANK = "by-rank"


class ExposedRules(Value):
    """Exposed cards."""

    first_cards: Rule[int] = number("How many of the first cards of the deal make a misdeal when exposed? (0: none)")
    several: Rule[int] = number("How many exposed cards make a misdeal? (0: no number does)")
    one: Rule[ExposedCardRemedy] = choice(ExposedCardRemedy, "What becomes of a single card that the dealer exposed?")
    looked: Rule[bool] = switch("Must the card be kept when its player looked at it before saying so?")
    by_player: Rule[ExposedCardRemedy] = choice(
        ExposedCardRemedy, "What becomes of a card that its own player exposed?"
    )
    off_table: Rule[bool] = switch("Is a downcard dealt off the table an exposed card?")

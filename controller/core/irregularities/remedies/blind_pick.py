"""Cards scrambled face down, of which a person picks one blind: a flop of four, a flop without a burn [TDA-39].

Which card was picked is known only when somebody who saw it says so, or when an antenna reads the others: until then
none of them has a name. The step names one card that would go (`cards`) and all among which it is picked (`among`).
"""

from controller.core.model.hand import Hand
from controller.core.model.known_cards import card_to_rule_by, is_name_taken
from controller.core.protocol.steps import ReturnStep
from controller.core.protocol.table_error import Refused
from controller.core.values.value import replace


def resolve_pick(hand: Hand, step: ReturnStep, name: str | None) -> ReturnStep:
    """The step with the card that was picked. Raises `Refused` for a card that is not among those scrambled."""
    (serial,) = step.serials
    if name is None:
        for each in step.candidate_serials:
            hand.cards = replace(hand.cards, piles=hand.cards.piles.identify_card(each, None))
        return step
    laid = [(card_to_rule_by(hand, hand.cards.piles.get_card(each)), each) for each in step.candidate_serials]
    named = {card: each for card, each in laid if card is not None}
    hidden = [each for card, each in laid if card is None]
    if name not in named and len(hidden) == 1 and hand.setup.is_live and not is_name_taken(hand, name):
        named = {name: hidden[0]}  # whatever the table has read there: the others are known, and it is none of them
    if name not in named:
        raise Refused("no-card", f"{name} is none of the {len(step.candidate_serials)} cards that were scrambled.")
    _change_places(hand, serial, named[name])
    return replace(step, serials=(named[name],))


def _change_places(hand: Hand, one: int, other: int) -> None:
    """Each of two cards has had the step of the other."""
    swapped = {one: other, other: one}
    hand.cards = replace(
        hand.cards,
        street_cards=tuple(
            card._replace(serial=swapped.get(card.serial, card.serial)) for card in hand.cards.street_cards
        ),
    )

"""A card outside the stub is another than the shoe said."""

from controller.core.irregularities.deck import defective_deck
from controller.core.model.hand import Hand
from controller.core.model.known_cards import is_duplicate, is_name_taken
from controller.core.model.table_state import TableState
from controller.core.play.showdown import pot_awards
from controller.core.protocol.events import Report
from controller.core.protocol.steps import AwardStep
from controller.core.protocol.vocabulary import CardPlace, ReportKind
from controller.core.rules.questions.cards.deck_rules import JokerConsequence
from controller.core.rules.rulings import Ruling
from controller.core.values.piles import BOARD, seat_of_place
from controller.core.values.value import replace


def correct_card_name(
    state: TableState, hand: Hand, serial: int, card: str, *, is_named: bool = False
) -> tuple[Ruling, ...]:
    """A card outside the stub is another than the shoe said; so is what was shown, or opened on, with it.

    `is_named`: a person says so, not an antenna.
    """
    place = hand.cards.piles.find_place(serial)
    assert place is not None
    if card == "joker" and not hand.setup.has_joker and (place == BOARD or seat_of_place(place) is not None):
        nth = [lying.serial for lying in hand.cards.piles.cards_at(place)].index(serial) + 1
        where = CardPlace.BOARD if place == BOARD else CardPlace.HAND
        return defective_deck.rule_on_joker(
            state, Report(ReportKind.JOKER, seat=seat_of_place(place), nth=nth, card_place=where)
        )
    old = next(lying.card for lying in hand.cards.piles.cards_at(place) if lying.serial == serial)
    if card != old and (is_name_taken(hand, card) if is_named else is_duplicate(hand, card, is_open=False)):
        return (defective_deck.rule_on_defect(state, "duplicate", hand.setup.rulebook.deck.duplicate),)
    late = (
        hand.setup.rulebook.deck.joker.value is JokerConsequence.MISDEAL_IN_TIME
        and place != BOARD
        and seat_of_place(place) is None
    )
    if card != old and defective_deck.is_stripped_card(hand, card) and not late:
        return defective_deck.rule_on_stripped_card(state, place, hand.cards.piles.get_card(serial), card)
    hand.cards = replace(hand.cards, piles=hand.cards.piles.identify_card(serial, card, named=is_named))
    hand.showdown = replace(
        hand.showdown,
        tabled_cards_by_seat={
            seat: None if cards is None else tuple(card if each == old else each for each in cards)
            for seat, cards in hand.showdown.tabled_cards_by_seat.items()
        },
    )
    hand.openers = replace(
        hand.openers,
        opener_cards=tuple(
            lying._replace(card=card) if (lying.serial == serial if old is None else lying.card == old) else lying
            for lying in hand.openers.opener_cards
        ),
    )
    if hand.plan.has_step(AwardStep) and len(hand.betting.live_seats) > 1:
        pot_awards.replan_awards(hand)
    return ()

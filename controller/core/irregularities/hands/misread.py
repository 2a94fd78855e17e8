"""A card outside the stub is another than the shoe said."""

from controller.core.irregularities.deck import defective_deck
from controller.core.model.hand import Hand
from controller.core.model.state import State
from controller.core.play.showdown import showdown
from controller.core.protocol.events import Report
from controller.core.protocol.steps import Award
from controller.core.protocol.vocabulary import What, Where
from controller.core.rules.questions.cards.deck import Joker
from controller.core.rules.rulings import Ruling
from controller.core.values.piles import BOARD, seat_of
from controller.core.values.value import replace


def renamed(state: State, hand: Hand, serial: int, card: str) -> tuple[Ruling, ...]:
    """A card outside the stub is another than the shoe said; so is what was shown, or opened on, with it."""
    place = hand.cards.piles.place_of(serial)
    assert place is not None
    if card == "joker" and not hand.setup.joker and (place == BOARD or seat_of(place) is not None):
        nth = [lying.serial for lying in hand.cards.piles.at(place)].index(serial) + 1
        where = Where.BOARD if place == BOARD else Where.HAND
        return defective_deck.joker(state, Report(What.JOKER, seat=seat_of(place), nth=nth, where=where))
    old = next(lying.card for lying in hand.cards.piles.at(place) if lying.serial == serial)
    if card != old and hand.cards.piles.holds(card):
        return (defective_deck.defect(state, "duplicate", hand.setup.rulebook.deck.duplicate),)
    late = hand.setup.rulebook.deck.joker.value is Joker.MISDEAL_IN_TIME and place != BOARD and seat_of(place) is None
    if card != old and defective_deck.stripped(hand, card) and not late:
        return defective_deck.lacking(state, place, hand.cards.piles.card(serial), card)
    hand.cards = replace(hand.cards, piles=hand.cards.piles.known(serial, card))
    hand.showdown = replace(
        hand.showdown,
        tabled={
            seat: None if cards is None else tuple(card if each == old else each for each in cards)
            for seat, cards in hand.showdown.tabled.items()
        },
    )
    hand.openers = replace(
        hand.openers,
        opened_on=tuple(
            lying._replace(card=card) if (lying.serial == serial if old is None else lying.card == old) else lying
            for lying in hand.openers.opened_on
        ),
    )
    if hand.plan.has(Award) and len(hand.betting.live) > 1:
        showdown.awards_again(hand)
    return ()

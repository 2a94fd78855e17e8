"""The shoe named a card wrongly: everything is as if it had said the true one."""

from controller.core.engine.machine import actions
from controller.core.irregularities.common.rules_for_game import table_of
from controller.core.irregularities.common.subject import Subject, subject
from controller.core.irregularities.hands.misread import renamed
from controller.core.irregularities.stud import stud_deal
from controller.core.model.hand import Hand
from controller.core.model.state import State
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Card, Report
from controller.core.protocol.vocabulary import Where
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.piles import BOARD, BURN
from controller.core.values.value import replace


def misread(state: State, event: Report) -> tuple[Ruling, ...]:
    """The card that the report names, or else the last one that left the shoe, is `card`.

    Raises `Refused` (`key-missing`, `value`, `no-card`).
    """
    if event.card is None:
        raise Refused("key-missing", "`misread` needs the true `card`.")
    rule = table_of(state.setup, state.setup.rulebook.procedure).misread
    hand, previous = state.hand_in_play, state.undo.previous
    found = named(hand, event)
    serial = hand.cards.piles.left if found is None else found.lying.serial
    seat = None if found is None else found.seat
    noted = ruled(event.what.value, Verdict.CORRECT, rule, "the card counts as what it is", seat)
    if serial == hand.cards.piles.left and previous is not None and isinstance(previous.event, Card):
        state.become(previous.state)
        again = replace(previous.event, card=event.card, foreign=False, t=None)
        return (noted, *actions.card(state, again))
    if hand.cards.piles.place_of(serial) is None:
        raise Refused("no-card", "`misread` speaks of the last card that left the shoe; none is out.")
    return (noted, *renamed(state, hand, serial, event.card), *stud_deal.opener_misread(state))


PLACES = {Where.BOARD: BOARD, Where.BURN: BURN}


def named(hand: Hand, event: Report) -> Subject | None:
    """The card that the report names exactly; `None`: the last one that left the shoe.

    Raises `Refused` (`key-missing`, `value`, `no-card`).
    """
    if event.where is None and event.seat is None:
        if event.nth is not None:
            raise Refused("key-missing", "`nth` counts the cards of a place: say `where`, or whose `seat`.")
        return None
    if event.where is Where.STUB:
        raise Refused("value", "a card in the stub has not been read; `where` may be hand, board, burn.")
    if event.where in PLACES and event.seat is not None:
        raise Refused("value", f"no card of a seat lies at the {PLACES[event.where]}: leave `seat` out.")
    if event.where not in PLACES:
        if event.seat is None:
            raise Refused("key-missing", "name the `seat` that holds the hand.")
        return subject(hand, event)
    place = PLACES[event.where]
    pile = hand.cards.piles.at(place)
    nth = len(pile) if event.nth is None else event.nth
    if not 1 <= nth <= len(pile):
        raise Refused("no-card", f"cards at the {place}: {len(pile)}; `nth` is 1 to {len(pile)}.")
    return Subject(pile[nth - 1], place, nth)

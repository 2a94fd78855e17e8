"""The shoe named a card wrongly: everything is as if it had said the true one."""

from dataclasses import replace

from controller.core import entries, showdown
from controller.core.errors import Refused
from controller.core.events import Card, Report, What, Where
from controller.core.findings import deck, stud
from controller.core.findings.forms import table_of
from controller.core.findings.subject import subject
from controller.core.hand import Hand
from controller.core.piles import BOARD, seat_of
from controller.core.rules.rule import Rule
from controller.core.rulings import Ruling, Verdict, ruled
from controller.core.state import State
from controller.core.steps import Award


def misread(state: State, event: Report) -> tuple[Ruling, ...]:
    """The last card that left the shoe is `card`."""
    if event.card is None:
        raise Refused("key-missing", "`misread` needs the true `card`.")
    rule = table_of(state.setup, state.setup.rulebook.procedure).misread
    if event.seat is not None and state.hand is not None:
        return _named(state, state.hand, event, rule)
    previous = state.previous
    noted = ruled(event.what.value, Verdict.CORRECT, rule, "the card counts as what it is")
    if previous is not None and isinstance(previous.event, Card):
        state.become(previous.state)
        again = replace(previous.event, card=event.card, foreign=False, t=None)
        return (noted, *entries.card(state, again))
    hand = state.hand_in_play
    serial = hand.piles.left
    if hand.piles.place_of(serial) is None:
        raise Refused("no-card", "`misread` speaks of the last card that left the shoe; none is out.")
    return (noted, *renamed(state, hand, serial, event.card), *stud.opener_misread(state))


def _named(state: State, hand: Hand, event: Report, rule: Rule[bool]) -> tuple[Ruling, ...]:
    """A card of a seat, also an earlier one, is `card`."""
    assert event.card is not None
    found = subject(hand, event)
    if found.lying.card is not None and not found.lying.up and found.lying.serial != hand.piles.left:
        raise Refused(
            "card-known", "only the last card, or an open or unread one, can be named; the others lie face down."
        )
    noted = ruled(event.what.value, Verdict.CORRECT, rule, "the card counts as what it is", found.seat)
    return (noted, *renamed(state, hand, found.lying.serial, event.card), *stud.opener_misread(state))


def renamed(state: State, hand: Hand, serial: int, card: str) -> tuple[Ruling, ...]:
    """A card outside the stub is another than the shoe said; a hand that was shown with it changes too."""
    place = hand.piles.place_of(serial)
    assert place is not None
    if card == "joker" and not hand.setup.joker and (place == BOARD or seat_of(place) is not None):
        nth = [lying.serial for lying in hand.piles.at(place)].index(serial) + 1
        where = Where.BOARD if place == BOARD else Where.HAND
        return deck.joker(state, Report(What.JOKER, seat=seat_of(place), nth=nth, where=where))
    old = next(lying.card for lying in hand.piles.at(place) if lying.serial == serial)
    if card != old and hand.piles.holds(card):
        return (deck.defect(state, "duplicate", hand.setup.rulebook.deck.duplicate),)
    hand.piles = hand.piles.known(serial, card)
    hand.tabled = {
        seat: cards if cards is None else tuple(card if each == old else each for each in cards)
        for seat, cards in hand.tabled.items()
    }
    if any(isinstance(step, Award) for step in hand.plan) and len(hand.live) > 1:
        showdown.awards_again(hand)
    return ()

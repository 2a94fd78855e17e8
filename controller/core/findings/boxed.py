"""A card lay face up in the deck."""

from controller.core import remedies
from controller.core.errors import Refused
from controller.core.events import Report
from controller.core.findings.subject import last
from controller.core.findings.window import closed
from controller.core.outcome import Ruling, Verdict
from controller.core.piles import seat_of
from controller.core.rulings import ruled
from controller.core.state import State
from controller.core.steps import Board, Burn, Deal


def boxed(state: State, serial: int, step: Deal | Burn | Board) -> tuple[Ruling, ...]:
    """The card with this number was boxed; `step` is what it should have fulfilled, already off the plan."""
    hand = state.hand
    assert hand is not None
    book = hand.setup.rulebook.boxed
    place = hand.piles.place_of(serial)
    assert place is not None
    seat = seat_of(place)
    hand.piles = hand.piles.known(serial, next(x.card for x in hand.piles.at(place) if x.serial == serial), up=True)
    hand.boxed = (*hand.boxed, serial)
    count = len(hand.boxed)
    if book.defective.value and count >= book.defective.value:
        remedies.deal_again(state)
        sentence = f"{count} boxed cards make the deck defective: misdeal, all money back"
        return (ruled("boxed", Verdict.MISDEAL, book.defective, sentence, seat),)
    if book.misdeal.value and count >= book.misdeal.value and not closed(hand):
        remedies.deal_again(state)
        return (ruled("boxed", Verdict.MISDEAL, book.misdeal, f"{count} boxed cards: misdeal", seat),)
    remedies.once_more(hand, step)
    remedies.scrapped(hand, serial, "boxed", book.one.value, seat)
    sentence = "a boxed card is a scrap of paper: take it out of play, the next card takes its place"
    return (ruled("boxed", Verdict.SCRAP, book.one, sentence, seat),)


def reported(state: State, event: Report) -> tuple[Ruling, ...]:
    """The dealer says that the last card was boxed."""
    hand = state.hand
    assert hand is not None
    found = last(hand, event)
    if hand.last is None or hand.last[0] != found.lying.serial:
        raise Refused("no-card", "the last card that left the shoe has been dealt with already.")
    if found.lying.serial in hand.boxed:
        raise Refused("already-ruled", "this card was found boxed already; carry out the steps.")
    step = hand.last[1]
    assert isinstance(step, Deal | Burn | Board)
    return boxed(state, found.lying.serial, step)

"""A card lay face up in the deck."""

from controller.core.irregularities.common.misdeal_window import closed
from controller.core.irregularities.common.subject import subject
from controller.core.irregularities.remedies import plan_edits, scrapped_cards
from controller.core.model.hand import Hand
from controller.core.model.state import State
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Card, Report
from controller.core.protocol.steps import Board, Burn, Deal, Face, Return
from controller.core.rules.questions.cards.boxed import Defect, FoundLate, Scrapped
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.piles import ASIDE, BURN, Lying, seat_of
from controller.core.values.value import replace

TAKEN_OUT = {
    Scrapped.ASIDE: "a boxed card is a scrap of paper: take it out of play",
    Scrapped.MUCK: "a boxed card does not exist: put it in the muck",
    Scrapped.STUB_BOTTOM: "a boxed card goes face down under the stub",
}
"""What the dealer does with it, by where the book sends it."""


def boxed(state: State, serial: int, step: Deal | Burn | Board) -> tuple[Ruling, ...]:
    """The last card was boxed; `step` is what it should have fulfilled, already off the plan."""
    hand, place = state.hand_in_play, _place(state.hand_in_play, serial)
    empty = scrapped_cards.ruled_off(hand, serial)
    rulings = _counted(state, serial, place)
    if rulings:
        return rulings
    book, seat = hand.setup.rulebook.boxed, seat_of(place)
    if empty:
        hand.plan = hand.plan.once_more(step)
    plan_edits.scrapped(hand, serial, "boxed", book.one.value, seat)
    comes = "the next card takes its place" if empty else "no card comes for it"
    return (ruled("boxed", Verdict.SCRAP, book.one, f"{TAKEN_OUT[book.one.value]}, {comes}", seat),)


def not_due(state: State, event: Card) -> tuple[Ruling, ...]:
    """A card that lay face up left the shoe when none was due: whatever was meant with it, it is no card."""
    hand = state.hand_in_play
    hand.cards = replace(hand.cards, piles=hand.cards.piles.dealt(ASIDE, event.card, up=True))
    hand.cards = replace(hand.cards, undue=(*hand.cards.undue, hand.cards.piles.left))
    return _not_due(state, hand.cards.piles.left)


def _not_due(state: State, serial: int) -> tuple[Ruling, ...]:
    """The card left when none was due and lies aside: boxed it is no card, and it is known what it was."""
    hand, book = state.hand_in_play, state.hand_in_play.setup.rulebook.boxed
    hand.cards = replace(hand.cards, undue=tuple(other for other in hand.cards.undue if other != serial))
    rulings = _counted(state, serial, ASIDE)
    if rulings:
        return rulings
    if book.one.value is not Scrapped.ASIDE:
        hand.plan = hand.plan.first(Return("boxed", ASIDE, book.one.value.value, 1, (serial,), ruled=True))
    return (ruled("boxed", Verdict.SCRAP, book.one, f"{TAKEN_OUT[book.one.value]}, no card comes for it"),)


def reported(state: State, event: Report) -> tuple[Ruling, ...]:
    """The dealer says that a card was boxed: the last one, or one that was dealt to a seat before.

    Raises `Refused` (`no-card`).
    """
    hand = state.hand_in_play
    found = subject(hand, event)
    scrapped_cards.must_be_new(hand, found.lying.serial)
    if found.lying.serial in hand.cards.undue:
        return _not_due(state, found.lying.serial)
    if hand.cards.last is not None and hand.cards.last.serial == found.lying.serial:
        return boxed(state, found.lying.serial, hand.cards.last.step)
    if found.seat is None:
        raise Refused("no-card", "only the last card, or one that lies at a seat, can be found boxed; name `seat`.")
    return _late(state, found.lying, found.place, found.seat)


def _late(state: State, lying: Lying, place: str, seat: int) -> tuple[Ruling, ...]:
    """Later cards have been dealt: the seat gets another card when the round is complete, or at once."""
    hand, belongs = state.hand_in_play, scrapped_cards.owner(state.hand_in_play, lying.serial) or seat
    empty = scrapped_cards.ruled_off(hand, lying.serial)
    face: Face = "up" if hand.cards.piles.card(lying.serial).up else "down"
    rulings = _counted(state, lying.serial, place)
    if rulings:
        return rulings
    book = hand.setup.rulebook.boxed
    again = Deal(belongs, face, "replacement", ruled=True, concerns=belongs)
    if empty and book.late.value is FoundLate.AT_ONCE:
        hand.plan = hand.plan.first(again)
    elif empty:
        plan_edits.after_the_round(hand, again)
    plan_edits.scrapped(hand, lying.serial, "boxed", book.one.value, seat)
    comes = f"seat {belongs} gets another card for it" if empty else "no card comes for it"
    return (ruled("boxed", Verdict.SCRAP, book.late, f"{TAKEN_OUT[book.one.value]}, {comes}", seat),)


def _counted(state: State, serial: int, place: str) -> tuple[Ruling, ...]:
    """Note the card; its ruling when their number spoils the deal or the deck."""
    hand, seat = state.hand_in_play, seat_of(place)
    book = hand.setup.rulebook.boxed
    hand.cards = replace(
        hand.cards,
        piles=hand.cards.piles.known(serial, hand.cards.piles.card(serial).card, up=place != BURN),
        boxed=(*hand.cards.boxed, serial),
    )
    count = len(hand.cards.boxed)
    if book.misdeal.value and count >= book.misdeal.value and not closed(hand):
        plan_edits.deal_again(state)
        return (ruled("boxed", Verdict.MISDEAL, book.misdeal, f"{count} boxed cards: misdeal", seat),)
    if book.defective.value and count >= book.defective.value:
        plan_edits.deal_again(state)
        void = book.defect.value is Defect.VOID
        sentence = f"{count} boxed cards make the deck defective: {'void' if void else 'misdeal'}, all money back"
        return (ruled("boxed", Verdict.VOID_HAND if void else Verdict.MISDEAL, book.defective, sentence, seat),)
    return ()


def _place(hand: Hand, serial: int) -> str:
    place = hand.cards.piles.place_of(serial)
    assert place is not None
    return place

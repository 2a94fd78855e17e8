"""A card lay face up in the deck."""

from controller.core.irregularities.common.misdeal_status import is_misdeal_window_closed
from controller.core.irregularities.common.reported_card import find_reported_card
from controller.core.irregularities.remedies import plan_edits, scrapped_cards
from controller.core.model.hand import Hand
from controller.core.model.table_state import TableState
from controller.core.protocol.events import CardDealt, Report
from controller.core.protocol.steps import BoardStep, BurnStep, DealStep, Face, ReturnStep
from controller.core.protocol.table_error import Refused
from controller.core.rules import ruling_sentences as said
from controller.core.rules.questions.cards.boxed_rules import DefectConsequence, LateReplacement, ScrapPlace
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.piles import ASIDE, BURN, PlacedCard, seat_of_place
from controller.core.values.value import replace

NEXT_CARD_SENTENCES = {
    ScrapPlace.ASIDE: said.BOXED_ASIDE_NEXT,
    ScrapPlace.MUCK: said.BOXED_MUCK_NEXT,
    ScrapPlace.STUB_BOTTOM: said.BOXED_UNDER_NEXT,
}
NO_CARD_SENTENCES = {
    ScrapPlace.ASIDE: said.BOXED_ASIDE_NONE,
    ScrapPlace.MUCK: said.BOXED_MUCK_NONE,
    ScrapPlace.STUB_BOTTOM: said.BOXED_UNDER_NONE,
}
ANOTHER_CARD_SENTENCES = {
    ScrapPlace.ASIDE: said.BOXED_ASIDE_ANOTHER,
    ScrapPlace.MUCK: said.BOXED_MUCK_ANOTHER,
    ScrapPlace.STUB_BOTTOM: said.BOXED_UNDER_ANOTHER,
}
"""What the dealer does with it and which card comes for it, by where the book sends it."""


def rule_on_boxed_card(state: TableState, serial: int, step: DealStep | BurnStep | BoardStep) -> tuple[Ruling, ...]:
    """The last card was boxed; `step` is what it should have fulfilled, already off the plan."""
    hand, place = state.hand_in_play, _card_place(state.hand_in_play, serial)
    empty = scrapped_cards.cancel_remedies(hand, serial)
    rulings = _count_boxed_card(state, serial, place)
    if rulings:
        return rulings
    book, seat = hand.setup.rulebook.boxed, seat_of_place(place)
    if empty:
        hand.plan = hand.plan.repeat_step(step)
    plan_edits.scrap_card(hand, serial, "boxed", book.one.value, seat)
    sentence = (NEXT_CARD_SENTENCES if empty else NO_CARD_SENTENCES)[book.one.value]
    return (build_ruling("boxed", Verdict.SCRAP, book.one, sentence, seat),)


def rule_on_unexpected_boxed_card(state: TableState, event: CardDealt) -> tuple[Ruling, ...]:
    """A card that lay face up left the shoe when none was due: whatever was meant with it, it is no card."""
    hand = state.hand_in_play
    piles = hand.cards.piles.deal_card(ASIDE, event.card, up=True, boxed=True, named=event.is_named)
    hand.cards = replace(hand.cards, piles=piles)
    hand.cards = replace(hand.cards, unexpected_serials=(*hand.cards.unexpected_serials, hand.cards.piles.dealt_count))
    return _scrap_unexpected_card(state, hand.cards.piles.dealt_count)


def _scrap_unexpected_card(state: TableState, serial: int) -> tuple[Ruling, ...]:
    """The card left when none was due and lies aside: boxed it is no card, and it is known what it was."""
    hand, book = state.hand_in_play, state.hand_in_play.setup.rulebook.boxed
    hand.cards = hand.cards.explain_cards((serial,))
    rulings = _count_boxed_card(state, serial, ASIDE)
    if rulings:
        return rulings
    if book.one.value is not ScrapPlace.ASIDE:
        hand.plan = hand.plan.prepend(ReturnStep("boxed", ASIDE, book.one.value.value, 1, (serial,), is_ruled=True))
    return (build_ruling("boxed", Verdict.SCRAP, book.one, NO_CARD_SENTENCES[book.one.value]),)


def rule_on_boxed_report(state: TableState, event: Report) -> tuple[Ruling, ...]:
    """The dealer says that a card was boxed: the last one, or one that was dealt to a seat before.

    Raises `Refused` (`no-card`).
    """
    hand = state.hand_in_play
    found = find_reported_card(hand, event)
    scrapped_cards.refuse_if_scrapped(hand, found.placed_card.serial)
    if found.placed_card.serial in hand.cards.unexpected_serials:
        return _scrap_unexpected_card(state, found.placed_card.serial)
    if hand.cards.last_dealt is not None and hand.cards.last_dealt.serial == found.placed_card.serial:
        return rule_on_boxed_card(state, found.placed_card.serial, hand.cards.last_dealt.step)
    if found.seat is None:
        raise Refused("no-card", "only the last card, or one that lies at a seat, can be found boxed; name `seat`.")
    return _rule_on_late_report(state, found.placed_card, found.place, found.seat)


def _rule_on_late_report(state: TableState, lying: PlacedCard, place: str, seat: int) -> tuple[Ruling, ...]:
    """Later cards have been dealt: the seat gets another card when the round is complete, or at once."""
    hand, belongs = state.hand_in_play, scrapped_cards.card_owner(state.hand_in_play, lying.serial) or seat
    empty = scrapped_cards.cancel_remedies(hand, lying.serial)
    face: Face = "up" if hand.cards.piles.get_card(lying.serial).is_face_up else "down"
    rulings = _count_boxed_card(state, lying.serial, place)
    if rulings:
        return rulings
    book = hand.setup.rulebook.boxed
    again = DealStep(belongs, face, "replacement", is_ruled=True, concerned_seat=belongs)
    if empty and book.late.value is LateReplacement.AT_ONCE:
        hand.plan = hand.plan.prepend(again)
    elif empty:
        plan_edits.insert_after_dealing_round(hand, again)
    plan_edits.scrap_card(hand, lying.serial, "boxed", book.one.value, seat)
    template = (ANOTHER_CARD_SENTENCES if empty else NO_CARD_SENTENCES)[book.one.value]
    return (build_ruling("boxed", Verdict.SCRAP, book.late, template.format(seat=belongs), seat),)


def _count_boxed_card(state: TableState, serial: int, place: str) -> tuple[Ruling, ...]:
    """Note the card; its ruling when their number spoils the deal or the deck."""
    hand, seat = state.hand_in_play, seat_of_place(place)
    book = hand.setup.rulebook.boxed
    hand.cards = replace(
        hand.cards,
        piles=hand.cards.piles.identify_card(serial, hand.cards.piles.get_card(serial).card, up=place != BURN),
        boxed_serials=(*hand.cards.boxed_serials, serial),
    )
    count = len(hand.cards.boxed_serials)
    if book.misdeal.value and count >= book.misdeal.value and not is_misdeal_window_closed(hand):
        why = said.CARDS_BOXED.format(count=count)
        return (plan_edits.call_misdeal(state, "boxed", book.misdeal, why, seat),)
    if book.defective.value and count >= book.defective.value:
        plan_edits.void_and_redeal(state)
        void = book.defect.value is DefectConsequence.VOID
        sentence = (said.BOXED_DECK_VOID if void else said.BOXED_DECK_MISDEAL).format(count=count)
        return (build_ruling("boxed", Verdict.VOID_HAND if void else Verdict.MISDEAL, book.defective, sentence, seat),)
    return ()


def _card_place(hand: Hand, serial: int) -> str:
    place = hand.cards.piles.find_place(serial)
    assert place is not None
    return place

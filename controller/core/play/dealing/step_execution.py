"""A card leaves the shoe, and a confirmed step is carried out."""

from controller.core.model.hand import Hand, LastDealtCard, StreetCard
from controller.core.play.opening import first_to_act
from controller.core.play.posting import forced_bets
from controller.core.protocol.events import CardDealt
from controller.core.protocol.facts import DealBegan
from controller.core.protocol.steps import (
    BoardStep,
    BurnStep,
    DealStep,
    DiscardStep,
    MoveStep,
    PostStep,
    ReturnStep,
    Step,
)
from controller.core.values.cards import build_deck
from controller.core.values.piles import ALL, ASIDE, BOARD, BURN, MUCK, Piles, hand_place
from controller.core.values.value import replace


def lay(hand: Hand, event: CardDealt) -> DealStep | BurnStep | BoardStep:
    """The card lies where the first step, which wants one, sends it; that step has had it."""
    step = _first_card_step(hand)
    place, up = destination(step)
    piles = hand.cards.piles.deal_card(place, event.card, up, event.is_foreign, event.face_up, event.is_named)
    _complete_step(hand, step, piles, piles.dealt_count)
    return step


def _first_card_step(hand: Hand) -> DealStep | BurnStep | BoardStep:
    step = hand.plan[0]
    assert isinstance(step, (DealStep, BurnStep, BoardStep))
    return step


def _complete_step(hand: Hand, step: DealStep | BurnStep | BoardStep, piles: Piles, serial: int) -> None:
    """The first step has had this card, with which the cards lie as `piles`."""
    laid = hand.cards.street_cards
    if step.street_index >= 0 and not isinstance(step, DealStep):
        laid = (*laid, StreetCard(serial, step.street_index, isinstance(step, BurnStep)))
    hand.cards = replace(hand.cards, piles=piles, last_dealt=LastDealtCard(serial, step), street_cards=laid)
    hand.plan = hand.plan.use_cards(step)
    if step.street_index >= 0 and step.street_index != hand.streets.reached_street:
        hand.streets = replace(hand.streets, reached_street=step.street_index)


def fulfil_step(hand: Hand, event: CardDealt) -> None:
    """The card fulfils the first step, which wants one."""
    _update_plan(hand, lay(hand, event))


def fulfil_step_from_aside(hand: Hand, serial: int) -> None:
    """A card that lies aside, because none was due when it left, fulfils the first step, which wants one."""
    step = _first_card_step(hand)
    place, up = destination(step)
    _complete_step(hand, step, hand.cards.piles.move_cards(frozenset((serial,)), ASIDE, place, up), serial)
    _update_plan(hand, step)


def _update_plan(hand: Hand, step: DealStep | BurnStep | BoardStep) -> None:
    if is_dealt_open(step):
        first_to_act.reconsider_opener(hand)


def discard_card(hand: Hand, event: CardDealt) -> None:
    """The card is one of those that the first step takes out of play: the shoe has seen it."""
    step = hand.plan[0]
    assert isinstance(step, DiscardStep)
    piles = hand.cards.piles.deal_card(step.destination, event.card, up=False, named=event.is_named)
    hand.cards = replace(hand.cards, piles=piles, last_dealt=None)
    hand.plan = hand.plan.use_cards(step)


def is_dealt_open(step: Step | None) -> bool:
    """Whether a step lays its card open."""
    return isinstance(step, BoardStep) or (isinstance(step, DealStep) and step.face == "up")


def destination(step: DealStep | BurnStep | BoardStep) -> tuple[str, bool]:
    """Where the plan sends a card, and whether it lies open there."""
    if isinstance(step, DealStep):
        return hand_place(step.seat), step.face == "up"
    if isinstance(step, BurnStep):
        return BURN, False
    return BOARD, True


def carry_out(hand: Hand, step: Step) -> None:
    """What a step that the dealer confirms does to the piles."""
    if isinstance(step, ReturnStep) and step.source == ALL:
        if hand.cards.piles.dealt_count:
            hand.tell(DealBegan())
        restore_deck(hand, len(build_deck(hand.setup.deck_size, hand.setup.has_joker)))
    elif isinstance(step, (ReturnStep, MoveStep)):
        _move_cards(hand, step.source, step.destination, step.serials)
        first_to_act.reconsider_opener(hand)
    elif isinstance(step, PostStep):
        forced_bets.accept_post(hand, step)
    elif isinstance(step, DiscardStep):
        for _ in range(step.count):
            hand.cards = replace(hand.cards, piles=hand.cards.piles.deal_card(step.destination, None, up=False))


def _move_cards(hand: Hand, source: str, to: str, cards: tuple[int, ...]) -> None:
    serials = frozenset(cards) or frozenset(lying.serial for lying in hand.cards.piles.cards_at(source))
    up = False if to in (BURN, MUCK) else None
    hand.cards = replace(hand.cards, piles=hand.cards.piles.move_cards(serials, source, to, up))


def restore_deck(hand: Hand, deck: int) -> None:
    """All cards are back and the deck is whole; what is none of its cards stays aside or goes with a defective deck."""
    if hand.cards.needs_new_deck:
        hand.cards = replace(hand.cards, needs_new_deck=False, piles=Piles(deck, {}))
        return
    aside = hand.cards.piles.cards_at(ASIDE)
    elsewhere = (pile for place, pile in hand.cards.piles.cards_by_place.items() if place != ASIDE)
    strange = [lying for pile in (aside, *elsewhere) for lying in pile if lying.is_foreign]
    # The new deal counts its cards from 1: those of no deal count backwards.
    left = tuple(lying._replace(serial=-i) for i, lying in enumerate(strange, start=1))
    hand.cards = replace(hand.cards, piles=Piles(deck, {ASIDE: left} if left else {}))

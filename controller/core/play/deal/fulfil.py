"""A card leaves the shoe, and a confirmed step is carried out."""

from controller.core.model.hand import Hand, Laid, LastCard
from controller.core.play.deal import planner
from controller.core.play.opening import first_to_act
from controller.core.play.posting import blinds
from controller.core.protocol.events import Card
from controller.core.protocol.steps import Board, Burn, Deal, Discard, Move, Post, Return, Step
from controller.core.values.cards import deck
from controller.core.values.piles import ALL, ASIDE, BOARD, BURN, MUCK, Piles, hand_of
from controller.core.values.value import replace


def lay(hand: Hand, event: Card) -> Deal | Burn | Board:
    """The card lies where the first step, which wants one, sends it; that step has had it."""
    place, up = destination(_wanting(hand))
    piles = hand.cards.piles.dealt(place, event.card, up, event.foreign, event.face_up)
    return _had(hand, piles, piles.left)


def _wanting(hand: Hand) -> Deal | Burn | Board:
    step = hand.plan[0]
    assert isinstance(step, (Deal, Burn, Board))
    return step


def _had(hand: Hand, piles: Piles, serial: int) -> Deal | Burn | Board:
    """The first step has had this card, with which the cards lie as `piles`."""
    step = _wanting(hand)
    laid = hand.cards.laid
    if step.of >= 0 and not isinstance(step, Deal):
        laid = (*laid, Laid(serial, step.of, isinstance(step, Burn)))
    hand.cards = replace(hand.cards, piles=piles, last=LastCard(serial, step), laid=laid)
    hand.plan = hand.plan.served(step)
    if step.of >= 0 and step.of != hand.streets.reached:
        hand.streets = replace(hand.streets, reached=step.of)
    return step


def fulfil(hand: Hand, event: Card) -> None:
    """The card fulfils the first step, which wants one."""
    _seen_by_the_plan(hand, lay(hand, event))


def let_stand(hand: Hand, serial: int) -> None:
    """A card that lies aside, because none was due when it left, fulfils the first step, which wants one."""
    place, up = destination(_wanting(hand))
    piles = hand.cards.piles.moved(frozenset((serial,)), ASIDE, place, up)
    _seen_by_the_plan(hand, _had(hand, piles, serial))


def _seen_by_the_plan(hand: Hand, step: Deal | Burn | Board) -> None:
    if isinstance(step, Board) or (isinstance(step, Deal) and step.face == "up"):
        first_to_act.reconsider(hand)
    planner.extend(hand)


def discarded(hand: Hand, event: Card) -> None:
    """The card is one of those that the first step takes out of play: the shoe has seen it."""
    step = hand.plan[0]
    assert isinstance(step, Discard)
    hand.cards = replace(hand.cards, piles=hand.cards.piles.dealt(step.to, event.card, up=False), last=None)
    hand.plan = hand.plan.served(step)
    planner.extend(hand)


def destination(step: Deal | Burn | Board) -> tuple[str, bool]:
    """Where the plan sends a card, and whether it lies open there."""
    if isinstance(step, Deal):
        return hand_of(step.seat), step.face == "up"
    if isinstance(step, Burn):
        return BURN, False
    return BOARD, True


def carry_out(hand: Hand, step: Step) -> None:
    """What a step that the dealer confirms does to the piles."""
    if isinstance(step, Return) and step.source == ALL:
        sound(hand, len(deck(hand.setup.deck, hand.setup.joker)))
    elif isinstance(step, Return | Move):
        _return(hand, step.source, step.to, step.cards)
        first_to_act.reconsider(hand)
    elif isinstance(step, Post):
        blinds.put_up(hand, step)
    elif isinstance(step, Discard):
        for _ in range(step.count):
            hand.cards = replace(hand.cards, piles=hand.cards.piles.dealt(step.to, None, up=False))


def _return(hand: Hand, source: str, to: str, cards: tuple[int, ...]) -> None:
    serials = frozenset(cards) or frozenset(lying.serial for lying in hand.cards.piles.at(source))
    up = False if to in (BURN, MUCK) else None
    hand.cards = replace(hand.cards, piles=hand.cards.piles.moved(serials, source, to, up))


def sound(hand: Hand, deck: int) -> None:
    """All cards are back and the deck is whole; what is none of its cards stays aside or goes with a defective deck."""
    if hand.cards.new_deck:
        hand.cards = replace(hand.cards, new_deck=False, piles=Piles(deck, {}))
        return
    aside = hand.cards.piles.at(ASIDE)
    elsewhere = (pile for place, pile in hand.cards.piles.out.items() if place != ASIDE)
    strange = [lying for pile in (aside, *elsewhere) for lying in pile if lying.strange]
    # The new deal counts its cards from 1: those of no deal count backwards.
    left = tuple(lying._replace(serial=-i) for i, lying in enumerate(strange, start=1))
    hand.cards = replace(hand.cards, piles=Piles(deck, {ASIDE: left} if left else {}))

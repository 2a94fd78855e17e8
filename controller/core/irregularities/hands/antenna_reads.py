"""What an antenna reads at a seat, the board or the muck: it confirms a place, names an unread card, or disagrees."""

from controller.core.irregularities.draw import thrown_away
from controller.core.irregularities.hands.misread import renamed
from controller.core.irregularities.hands.wrong_count import extra_card
from controller.core.irregularities.hands.wrong_seat import misplaced, not_entitled
from controller.core.model.hand import Hand
from controller.core.model.state import State
from controller.core.play.betting import whole_round
from controller.core.play.deal import fulfil, planner
from controller.core.play.refusals import not_now
from controller.core.protocol.events import Act as ActEvent
from controller.core.protocol.events import Report, Seen
from controller.core.protocol.steps import Act, Award, Bet, Cut, Move, Return, Say, Show, Shuffle
from controller.core.protocol.vocabulary import Do, What
from controller.core.rules.rulings import Ruling, asked
from controller.core.values.piles import ALL, BOARD, BURN, MUCK, Lying, hand_of, seat_of
from controller.core.values.value import replace

FINDING = "card-elsewhere"


def seen(state: State, event: Seen) -> tuple[Ruling, ...]:
    """A card lies in an antenna's field; raises `Refused` (`not-now`)."""
    hand = state.hand
    if hand is None:
        raise not_now(state, f"seen at {event.at}")
    if not hand.plan or _late(hand, event):
        return ()
    if any(lying.card is None for lying in hand.cards.piles.at(event.at)):
        thrown_away.comes_back(hand, event)
    found = _named(hand, event.card)
    if (found is None or found[0] != event.at) and thrown_away.lies_there(hand, event, found and found[1]):
        return ()
    if found is None:
        return _unread(state, hand, event)
    place, lying = found
    if place == event.at:
        thrown_away.proved(hand, lying)
        return ()
    if event.at == MUCK and _folds(hand, place, lying):
        return ()
    if _confirms(hand, lying, event.at) or (event.at == MUCK and _given_up(hand, place)):
        return ()
    return _elsewhere(state, hand, lying, place, event.at)


def _late(hand: Hand, event: Seen) -> bool:
    """Whether the antenna speaks of what was before: cards being gathered, or a hand that has left its seat."""
    gathered = any(step.source == ALL for step in hand.plan.every(Return))
    mixed = bool(hand.plan.due(Shuffle) or hand.plan.due(Cut))
    seat = seat_of(event.at)
    gone = seat is not None and not hand.cards.piles.at(event.at) and _lies_in(hand, event.card, MUCK)
    before = (
        (event.at, event.card) in hand.cards.lay_before
        and not hand.betting.acted
        and not hand.cards.piles.holds(event.card)
    )
    return gathered or mixed or not hand.cards.piles.left or gone or before


def _lies_in(hand: Hand, card: str, place: str) -> bool:
    return any(lying.card in (card, None) for lying in hand.cards.piles.at(place))


def _named(hand: Hand, card: str) -> tuple[str, Lying] | None:
    """Where the card of this name lies outside the stub: the deck's own, or a strange one that left in this deal."""
    found = (
        (place, lying)
        for place, pile in hand.cards.piles.out.items()
        for lying in pile
        if lying.card == card and lying.serial > 0
    )
    return min(found, key=lambda each: each[1].strange, default=None)


def _confirms(hand: Hand, lying: Lying, at: str) -> bool:
    """The card has gone where the first step sends it: the step is done."""
    step = hand.plan.due(Return) or hand.plan.due(Move)
    if step is None or step.cards != (lying.serial,) or step.to != at:
        return False
    fulfil.carry_out(hand, step)
    hand.plan = hand.plan.done()
    planner.extend(hand)
    return True


def _unread(state: State, hand: Hand, event: Seen) -> tuple[Ruling, ...]:
    """A card that nothing has read yet: an unread one of that place, or the last one that went there instead.

    While the cards are dealt, and in the muck, it may be one that an antenna still reads from the hand before.
    """
    unread = [lying for lying in hand.cards.piles.at(event.at) if lying.card is None]
    if unread:
        return renamed(state, hand, unread[0].serial, event.card)
    last = hand.cards.piles.left
    place = hand.cards.piles.place_of(last)
    if place is not None and place != event.at:
        lying = hand.cards.piles.card(last)
        if lying.card is None:
            hand.cards = replace(hand.cards, piles=hand.cards.piles.known(last, event.card))
            return _elsewhere(state, hand, lying, place, event.at)
    if event.at == MUCK or not hand.betting.acted or not hand.cards.piles.at(event.at):
        return ()
    return _ask(hand, (What.MISREAD, What.EXTRA_CARD, What.DUPLICATE, What.DECK_DEFECTIVE), event.at)


def _folds(hand: Hand, place: str, lying: Lying) -> bool:
    """A card lies in the muck of a seat that may fold now: told rounds it has; told acts once all its cards do."""
    bet, turn, seat = hand.plan.due(Bet), hand.plan.due(Act), seat_of(place)
    if bet is not None and seat in bet.seats:
        whole_round.fact(hand, ActEvent(seat, Do.FOLD))
        hand.plan = hand.plan.done()
        planner.extend(hand)
        return True
    if turn is not None and turn.seat == seat:
        hand.cards = replace(hand.cards, in_muck=hand.cards.in_muck | {lying.serial})
    return False


def has_folded(state: State) -> int | None:
    """The seat that is to act, where all its cards have been read in the muck."""
    turn = None if state.hand is None else state.hand.plan.due(Act)
    if state.hand is None or turn is None:
        return None
    cards = {lying.serial for lying in state.hand.cards.piles.at(hand_of(turn.seat))}
    return turn.seat if cards and cards <= state.hand.cards.in_muck else None


def _given_up(hand: Hand, place: str) -> bool:
    """Whether cards that lie at `place` may be in the muck before anybody has entered why.

    The seat whose turn it is has folded, or one out of turn, one that is to show gives its hand up, or the pot is
    being pushed.
    """
    turn, seat = hand.plan.due(Act), seat_of(place)
    early = None if hand.round is None or seat is None else {**hand.round.early, **hand.round.bound}.get(seat)
    if early is not None and early.word == Do.FOLD.value:
        return True
    if turn:
        return turn.seat == seat
    return bool(hand.plan.due(Show) or hand.plan.due(Award))


def _elsewhere(state: State, hand: Hand, lying: Lying, place: str, at: str) -> tuple[Ruling, ...]:
    """A card lies in another place than the plan sent it to."""
    belongs, seat = seat_of(place), seat_of(at)
    if belongs is not None and seat is not None:
        if not hand.betting.acted and _being_dealt(hand, lying):
            return misplaced(state, lying.serial, seat)
        return _ask(hand, (What.WRONG_SEAT, What.MISREAD, What.DUPLICATE), at)
    if hand.cards.undue == (lying.serial,) and seat is not None:
        return _not_due(state, hand, seat)
    if place == BURN and at == BOARD:
        return _ask(hand, (What.NO_BURN, What.MISREAD), at)
    if place == BOARD and at == MUCK:
        return _ask(hand, (What.DOUBLE_BURN, What.MISREAD), at)
    if lying.serial in hand.cards.undue:
        return _ask(hand, (What.EXTRA_CARD, What.NOT_ENTITLED, What.PREMATURE, What.BOARD_EXTRA), at)
    if at == MUCK and belongs is not None:
        if belongs not in hand.betting.live:
            return ()
        return _ask(hand, (What.MISREAD, What.SHORT_HAND, What.DECK_DEFECTIVE), at, belongs)
    if place == BURN and at == MUCK:
        return ()
    return _ask(hand, (What.MISREAD, What.DUPLICATE, What.EXTRA_CARD), at)


def _being_dealt(hand: Hand, lying: Lying) -> bool:
    """Whether no ruling is about to take the card elsewhere."""
    moving = hand.plan.every(Return, Move)
    return all(lying.serial not in step.cards for step in moving) and lying.serial not in hand.cards.exposed


def _not_due(state: State, hand: Hand, seat: int) -> tuple[Ruling, ...]:
    """The card that left when none was due lies at a seat: nobody needs to be asked."""
    if hand.plan.due(Say):
        hand.plan = hand.plan.done()
    if seat in hand.order:
        return extra_card(state, Report(What.EXTRA_CARD, seat=seat, count=1))
    return not_entitled(state, Report(What.NOT_ENTITLED, seat=seat))


def _ask(hand: Hand, whats: tuple[What, ...], at: str, folded: int | None = None) -> tuple[Ruling, ...]:
    """Only the dealer can say why; nothing is asked twice at a time. `folded`: a seat that may have done so early."""
    if not hand.plan.due(Say):
        hand.plan = hand.plan.first(Say(tuple(what.value for what in whats), concerns=folded))
    words = "say what happened" if folded is None else f"enter the fold of seat {folded}, or say what happened"
    return (asked(FINDING, f"An antenna reads a card at {at} that should lie elsewhere: {words}"),)

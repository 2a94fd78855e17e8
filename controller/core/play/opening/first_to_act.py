"""Who opens a street, and the betting round that this begins."""

from controller.core.model.hand import Hand
from controller.core.model.setup import Structure
from controller.core.play.betting import betting_round
from controller.core.play.posting import blinds, position_poker
from controller.core.protocol.steps import Board, Deal, Floor, Turn
from controller.core.rules.games import Opener
from controller.core.rules.questions.play.stud import AllInOpener, StudRules
from controller.core.values import showing_cards
from controller.core.values.cards import JOKER
from controller.core.values.piles import BOARD, hand_of
from controller.core.values.seat_order import after, from_
from controller.core.values.value import replace

BY_CARDS = (Opener.LOW_CARD, Opener.HIGH_CARD, Opener.HIGH_HAND, Opener.LOW_HAND)
"""Openers that open cards decide."""


def open_round(hand: Hand, index: int) -> bool:
    """Begin the betting round of street `index`; false while the cards that decide the opener are still to come."""
    opener = hand.setup.game.streets[index].opener
    if opener in BY_CARDS:
        if not _by_cards(hand, index, opener):
            return False
    elif index == 0:
        blinds.open_first_round(hand)
    elif opener is Opener.DRAW_OPENER:
        book = hand.setup.rulebook.exchange[hand.setup.game.form]
        ring = book.opener.value(hand.order, hand.openers.opener, blinds.last_blind(hand))
        betting_round.opened(hand, index, tuple(ring))
    else:
        betting_round.opened(hand, index, position_poker.later(hand, hand.order))
    if hand.round is None or hand.round.street != index:
        return False
    hand.streets = replace(hand.streets, reached=index)
    return True


def reconsider(hand: Hand) -> None:
    """Open cards have changed: where nobody has acted in turn on the street, its opener is found anew."""
    round_ = hand.round
    if round_ is None or round_.street != hand.streets.planned or not round_.queue:
        return
    if len(hand.betting.acted) > hand.betting.acted_before.get(hand.streets.planned, 0):
        return
    opener = hand.setup.game.streets[hand.streets.planned].opener
    if opener not in BY_CARDS or not hand.plan or not isinstance(hand.plan[-1], Turn):
        return
    if pending(hand) or leader(hand, hand.streets.planned, opener) != round_.ring[0]:
        asked = (step for step in hand.plan.every(Floor) if step.seat in round_.early)
        hand.plan = hand.plan.less(*asked).without_last()  # an act out of turn of a round that has not begun is none
        hand.round = None


def pending(hand: Hand) -> bool:
    """Whether open cards are still to come that may decide who opens."""
    return hand.plan.has(Board) or any(deal.face == "up" for deal in hand.plan.every(Deal))


def unread(hand: Hand) -> tuple[int, ...]:
    """Live seats with an open card that nothing has read."""
    return tuple(
        seat
        for seat in hand.betting.live
        if any(lying.up and lying.card is None for lying in hand.cards.piles.at(hand_of(seat)))
    )


def common_unread(hand: Hand) -> bool:
    """Whether a common card lies there that nothing has read."""
    return any(lying.card is None for lying in hand.cards.piles.at(BOARD))


def _by_cards(hand: Hand, index: int, opener: Opener) -> bool:
    last = index + 1 == len(hand.setup.game.streets)
    if len(hand.contenders) < 2 and not last and not _owes(hand):
        # Nobody will be asked: the street needs no opener, and its cards need not wait for one.
        betting_round.opened(hand, index, hand.order)
        return True
    if pending(hand):
        return False
    seat = leader(hand, index, opener)
    if seat is None:
        return False
    hand.stud = replace(hand.stud, led={**hand.stud.led, index: seat})
    if opener in (Opener.LOW_CARD, Opener.HIGH_CARD):
        _forced(hand, index, seat)
    else:
        betting_round.opened(hand, index, from_(hand.order, seat))
        _open_pair(hand, index)
    return True


def _owes(hand: Hand) -> bool:
    """Whether the only seat with chips has something to match."""
    able = hand.contenders
    return bool(able) and hand.chips.bets.get(able[0], 0) < max(hand.chips.bets.values(), default=0)


def leader(hand: Hand, index: int, opener: Opener) -> int | None:
    """The seat whose open cards decide; `None` while one of them is unread."""
    book = hand.setup.rulebook.upcards[hand.setup.game.form]
    if unread(hand) or (book.common_counts.value and common_unread(hand)):
        return None
    ruled = hand.stud.led.get(hand.stud.led_by_rule.get(index, -1))
    if ruled is not None:
        return ruled
    if opener in (Opener.LOW_CARD, Opener.HIGH_CARD):
        return _forced_seat(hand, opener, book)
    return _best_showing(hand, opener, book)


def showing(hand: Hand, seat: int) -> tuple[str, ...]:
    """A seat's open cards."""
    cards = (lying.card for lying in hand.cards.piles.at(hand_of(seat)) if lying.up)
    return tuple(card for card in cards if card is not None and card != JOKER)


def _forced_seat(hand: Hand, opener: Opener, book: StudRules) -> int | None:
    """The seat of the lowest card by suit, or of the highest, the ace low [R7-8.stud.2#a, R7-9.razz.3, AU-13.2(a)]."""
    ace_low = opener is Opener.HIGH_CARD
    seats = hand.betting.live
    if book.all_in_opener.value is AllInOpener.NEXT_CARD:
        seats = tuple(seat for seat in seats if seat not in hand.betting.all_in) or seats
    by_card = {seat: showing_cards.by_suit(cards[0], ace_low) for seat in seats if (cards := showing(hand, seat))}
    if not by_card:
        return seats[0]
    return max(by_card, key=by_card.__getitem__) if ace_low else min(by_card, key=by_card.__getitem__)


def _best_showing(hand: Hand, opener: Opener, book: StudRules) -> int:
    """The seat of the best open hand, ties by the book."""
    board = [lying.card for lying in hand.cards.piles.at(BOARD) if lying.card not in (None, JOKER)]
    common = tuple(board) if book.common_counts.value else ()
    cards = {seat: (*showing(hand, seat), *common) for seat in hand.betting.live}
    low = opener is Opener.LOW_HAND
    worth = {seat: (showing_cards.low if low else showing_cards.high)(cards[seat]) for seat in hand.betting.live}
    best = (min if low else max)(worth.values())
    tied = tuple(seat for seat in hand.betting.live if worth[seat] == best)
    split = len(hand.setup.game.rankings) > 1
    tie = book.tie_low if low else book.tie_split if split else book.tie
    return tied[0] if len(tied) == 1 else tie.value(tied, cards)


def _forced(hand: Hand, index: int, seat: int) -> None:
    """The first round opens with a forced bet, which a seat that is all-in cannot make [R7-8.stud.4#a, HR-stud.7]."""
    book, stakes = hand.setup.rulebook.upcards[hand.setup.game.form], hand.setup.betting
    wrongly_up = seat in hand.stud.faceup and book.exposed_low_card.value
    free = wrongly_up or seat in hand.betting.all_in
    ring = after(hand.order, seat) if free else from_(hand.order, seat)
    betting_round.opened(hand, index, ring)
    assert hand.round is not None
    if not hand.round.queue:
        return
    full = betting_round.wager_size(hand, index)
    due = stakes.bring_in or full
    if not hand.setup.tracked:
        due = 1 if stakes.bring_in else full
    hand.stud = replace(hand.stud, forced=hand.round.queue[0])
    hand.round = replace(hand.round, due=due, free=free)


def _open_pair(hand: Hand, index: int) -> None:
    """An open pair lets any player bet either limit where the game says so [R7-8.stud.7, HR-stud.4]."""
    game, stakes = hand.setup.game, hand.setup.betting
    if game.opening_pair != game.streets[index].name or stakes.structure is not Structure.FIXED_LIMIT:
        return
    if not hand.setup.tracked or not hand.setup.rulebook.upcards[game.form].open_pair.value:
        return
    if any(showing_cards.paired(showing(hand, seat)) for seat in hand.betting.live):
        assert hand.round is not None
        hand.round = replace(hand.round, option=stakes.big_bet)

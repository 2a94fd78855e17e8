"""Who opens a street, and the betting round that this begins."""

from controller.core.model.hand import Hand
from controller.core.model.known_cards import card_to_rule_by, is_hidden
from controller.core.model.setup import BettingStructure
from controller.core.play.betting import betting_round
from controller.core.play.posting import forced_bets, position_poker
from controller.core.protocol.steps import BettingStep, BoardStep, DealStep, FloorStep
from controller.core.rules.games import StreetOpener
from controller.core.rules.questions.play.stud_rules import AllInOpener, StudRules
from controller.core.values import upcard_ranks
from controller.core.values.cards import JOKER, card_sort_key
from controller.core.values.piles import BOARD, hand_place
from controller.core.values.seat_order import seats_after, seats_from
from controller.core.values.value import replace

CARD_OPENERS = (StreetOpener.LOW_CARD, StreetOpener.HIGH_CARD, StreetOpener.HIGH_HAND, StreetOpener.LOW_HAND)
"""Openers that open cards decide."""


def find_street_opener(hand: Hand, index: int) -> StreetOpener:
    """What decides who opens street `index`: the kill where it stands for the bring-in [WSOP-L-190]."""
    opener = hand.setup.game.streets[index].opener
    killed = hand.kill.killer is not None and not index
    return StreetOpener.LEFT_OF_BLINDS if killed and opener in CARD_OPENERS else opener


def is_opener_known(hand: Hand, index: int) -> bool:
    """Whether street `index` can begin: the cards that decide its opener, where any do, have come and were read."""
    opener = find_street_opener(hand, index)
    if opener not in CARD_OPENERS or _is_nobody_asked(hand, index):
        return True
    return not has_upcards_to_come(hand) and find_opener_by_cards(hand, index, opener) is not None


def open_round(hand: Hand, index: int) -> None:
    """Begin the betting round of street `index`, whose opener is known."""
    opener = find_street_opener(hand, index)
    if opener in CARD_OPENERS:
        _open_by_cards(hand, index, opener)
    elif index == 0:
        forced_bets.open_first_round(hand)
    elif opener is StreetOpener.DRAW_OPENER:
        book = hand.setup.rulebook.exchange[hand.setup.game.rules_form]
        ring = book.opener.value(hand.dealing_order, hand.openers.opener, forced_bets.last_blind_seat(hand))
        betting_round.begin_round(hand, index, tuple(ring))
    else:
        betting_round.begin_round(hand, index, position_poker.postflop_order(hand, hand.dealing_order))
    hand.streets = replace(hand.streets, reached_street=index)


def reconsider_opener(hand: Hand) -> None:
    """Open cards have changed: where nobody has acted in turn on the street, its opener is found anew."""
    round_ = hand.round
    if round_ is None or round_.street != hand.streets.planned_street or not round_.queue:
        return
    if len(hand.betting.acted_seats) > hand.betting.acted_count_by_street.get(hand.streets.planned_street, 0):
        return
    opener = find_street_opener(hand, hand.streets.planned_street)
    if opener not in CARD_OPENERS or not hand.plan or not isinstance(hand.plan[-1], BettingStep):
        return
    if (
        has_upcards_to_come(hand)
        or find_opener_by_cards(hand, hand.streets.planned_street, opener) != round_.acting_order[0]
    ):
        asked = (step for step in hand.plan.steps_of_type(FloorStep) if step.seat in round_.early_action_by_seat)
        hand.plan = hand.plan.drop_steps(*asked).drop_last()  # an act out of turn of a round that has not begun is none
        hand.round = None


def has_upcards_to_come(hand: Hand) -> bool:
    """Whether open cards are still to come that may decide who opens."""
    return hand.plan.has_step(BoardStep) or any(deal.face == "up" for deal in hand.plan.steps_of_type(DealStep))


def seats_with_unread_upcards(hand: Hand) -> tuple[int, ...]:
    """Live seats with an open card that nothing has read."""
    return tuple(
        seat
        for seat in hand.betting.live_seats
        if any(
            lying.is_face_up and card_to_rule_by(hand, lying) is None
            for lying in hand.cards.piles.cards_at(hand_place(seat))
        )
    )


def find_hidden_upcard(hand: Hand) -> tuple[int | None, int] | None:
    """A card that is said to lie open and that not everybody knows: seat (`None`: the board) and number, from 1."""
    for seat in (*hand.betting.live_seats, None):
        pile = hand.cards.piles.cards_at(BOARD if seat is None else hand_place(seat))
        for nth, lying in enumerate(pile, start=1):
            if lying.is_face_up and is_hidden(hand, lying):
                return seat, nth
    return None


def has_unread_common_card(hand: Hand) -> bool:
    """Whether a common card lies there that nothing has read."""
    return any(card_to_rule_by(hand, lying) is None for lying in hand.cards.piles.cards_at(BOARD))


def _is_nobody_asked(hand: Hand, index: int) -> bool:
    """Whether nobody will be asked: the street needs no opener, and its cards need not wait for one."""
    last = index + 1 == len(hand.setup.game.streets)
    return len(hand.contenders) < 2 and not last and not _has_bet_to_match(hand)


def _open_by_cards(hand: Hand, index: int, opener: StreetOpener) -> None:
    if _is_nobody_asked(hand, index):
        betting_round.begin_round(hand, index, hand.dealing_order)
        return
    seat = find_opener_by_cards(hand, index, opener)
    assert seat is not None
    hand.stud = replace(hand.stud, opener_by_street={**hand.stud.opener_by_street, index: seat})
    if opener in (StreetOpener.LOW_CARD, StreetOpener.HIGH_CARD):
        _begin_with_forced_bet(hand, index, seat)
    else:
        betting_round.begin_round(hand, index, seats_from(hand.dealing_order, seat))
        _apply_open_pair(hand, index)


def _has_bet_to_match(hand: Hand) -> bool:
    """Whether the only seat with chips has something to match."""
    able = hand.contenders
    return bool(able) and hand.chips.bet_by_seat.get(able[0], 0) < max(hand.chips.bet_by_seat.values(), default=0)


def find_first_seat(hand: Hand, index: int, *, as_ruled: bool = True) -> int | None:
    """The seat that is to act first on a street that open cards open; `None` while one of them is unread.

    `as_ruled`: by the ruling where one was made, else by the cards alone.
    """
    opener = hand.setup.game.streets[index].opener
    seat = find_opener_by_cards(hand, index, opener, as_ruled=as_ruled)
    if seat is None:
        return None
    brought_in = opener in (StreetOpener.LOW_CARD, StreetOpener.HIGH_CARD)
    ring = seats_after if brought_in and _is_free_of_forced_bet(hand, seat) else seats_from
    return next((each for each in ring(hand.dealing_order, seat) if each in hand.contenders), None)


def find_opener_by_cards(hand: Hand, index: int, opener: StreetOpener, *, as_ruled: bool = True) -> int | None:
    """The seat that was ruled to open, or whose open cards decide; `None` while one of these is unread."""
    book = hand.setup.rulebook.upcards[hand.setup.game.rules_form]
    ruled = hand.stud.opener_by_street.get(hand.stud.rule_opener_by_street.get(index, -1))
    if ruled is not None and as_ruled:
        return ruled
    if seats_with_unread_upcards(hand) or (book.common_counts.value and has_unread_common_card(hand)):
        return None
    if opener in (StreetOpener.LOW_CARD, StreetOpener.HIGH_CARD):
        return _find_bring_in_seat(hand, opener, book)
    return _find_best_upcards_seat(hand, opener, book)


def known_upcards(hand: Hand, seat: int) -> tuple[str, ...]:
    """A seat's open cards."""
    cards = (card_to_rule_by(hand, lying) for lying in hand.cards.piles.cards_at(hand_place(seat)) if lying.is_face_up)
    return tuple(card for card in cards if card is not None and card != JOKER)


def _find_bring_in_seat(hand: Hand, opener: StreetOpener, book: StudRules) -> int | None:
    """The seat of the lowest card by suit, or of the highest, the ace low.

    The clauses are R7-8.stud.2#a, R7-9.razz.3, AU-13.2(a), and WSOP-T-IX, where the king of spades is the highest card.
    """
    ace_low = opener is StreetOpener.HIGH_CARD
    seats = hand.betting.live_seats
    if book.all_in_opener.value is AllInOpener.NEXT_CARD:
        seats = tuple(seat for seat in seats if seat not in hand.betting.all_in_seats) or seats
    by_card = {seat: card_sort_key(cards[0], ace_low=ace_low) for seat in seats if (cards := known_upcards(hand, seat))}
    if not by_card:
        return seats[0]
    return max(by_card, key=by_card.__getitem__) if ace_low else min(by_card, key=by_card.__getitem__)


def _find_best_upcards_seat(hand: Hand, opener: StreetOpener, book: StudRules) -> int:
    """The seat of the best open hand, ties by the book."""
    board = (card_to_rule_by(hand, lying) for lying in hand.cards.piles.cards_at(BOARD))
    common = tuple(card for card in board if card is not None and card != JOKER) if book.common_counts.value else ()
    cards = {seat: (*known_upcards(hand, seat), *common) for seat in hand.betting.live_seats}
    low = opener is StreetOpener.LOW_HAND
    worth = {
        seat: (upcard_ranks.rank_upcards_low if low else upcard_ranks.rank_upcards_high)(cards[seat])
        for seat in hand.betting.live_seats
    }
    best = (min if low else max)(worth.values())
    tied = tuple(seat for seat in hand.betting.live_seats if worth[seat] == best)
    split = len(hand.setup.game.rankings) > 1
    tie = book.tie_low if low else book.tie_split if split else book.tie
    return tied[0] if len(tied) == 1 else tie.value(tied, cards)


def _begin_with_forced_bet(hand: Hand, index: int, seat: int) -> None:
    """The first round opens with a forced bet, which a seat that is all-in cannot make [R7-8.stud.4#a, HR-stud.7]."""
    stakes = hand.setup.stakes
    free = _is_free_of_forced_bet(hand, seat)
    ring = seats_after(hand.dealing_order, seat) if free else seats_from(hand.dealing_order, seat)
    betting_round.begin_round(hand, index, ring)
    assert hand.round is not None
    if not hand.round.queue:
        return
    full = betting_round.find_full_bet_size(hand, index)
    due = stakes.bring_in or full
    if not hand.setup.tracks_amounts:
        due = 1 if stakes.bring_in else full
    hand.stud = replace(hand.stud, forced_bet_seat=hand.round.queue[0])
    hand.round = replace(hand.round, forced_bet=due, opener_may_fold=free)


def _is_free_of_forced_bet(hand: Hand, seat: int) -> bool:
    """Whether the seat of the card that decides makes no forced bet: its card is up by mistake, or it is all-in."""
    book = hand.setup.rulebook.upcards[hand.setup.game.rules_form]
    wrongly_up = seat in hand.stud.faceup_downcard_seats and book.exposed_low_card.value
    return bool(wrongly_up) or seat in hand.betting.all_in_seats


def _apply_open_pair(hand: Hand, index: int) -> None:
    """An open pair lets any player bet either limit where the game says so [R7-8.stud.7, HR-stud.4]."""
    game, stakes = hand.setup.game, hand.setup.stakes
    if game.open_pair_street != game.streets[index].name or stakes.structure is not BettingStructure.FIXED_LIMIT:
        return
    if not hand.setup.tracks_amounts or not hand.setup.rulebook.upcards[game.rules_form].open_pair.value:
        return
    if any(upcard_ranks.has_pair(known_upcards(hand, seat)) for seat in hand.betting.live_seats):
        hand.round = replace(hand.round_in_play, larger_limit=stakes.big_bet)

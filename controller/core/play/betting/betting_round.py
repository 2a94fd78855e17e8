"""A betting round: how it begins, and what an act changes.

What a seat may do stands in `legal_actions`. Where amounts are untracked the same round runs on counts: a full wager is
two units, an all-in of less than a raise one.
"""

from controller.core.model.hand import FoldedHand, Hand, Round, RoundAtAction
from controller.core.model.setup import BettingStructure
from controller.core.play.betting import pots, raise_cap
from controller.core.play.betting.legal_actions import (
    LegalActions,
    can_raise,
    describe_actions,
    find_legal_actions,
    has_short_forced_bet,
    needs_forced_bet,
)
from controller.core.protocol.events import PlayerActed
from controller.core.protocol.facts import RoundBegan, SeatActed
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import ActionType
from controller.core.values.piles import MUCK, hand_place
from controller.core.values.value import replace

UNTRACKED_WAGER = 2


def find_full_bet_size(hand: Hand, street: int) -> int:
    """The size of a full bet on a street."""
    betting = hand.setup.stakes
    if not hand.setup.tracks_amounts:
        return UNTRACKED_WAGER
    if betting.structure is BettingStructure.FIXED_LIMIT:
        return betting.big_bet if hand.setup.game.streets[street].bet_limit == "big" else betting.small_bet
    return max(betting.effective_min_bet, hand.chips.straddle_total)


def begin_round(hand: Hand, street: int, ring: tuple[int, ...], bet_to_match: int = 0) -> None:
    """Begin a round: `ring` in acting order; `bet_to_match`: the blind or straddle that counts as a full bet, or 0."""
    size = find_full_bet_size(hand, street)
    full = max(size, bet_to_match) if bet_to_match and hand.setup.tracks_amounts else size
    level = bet_to_match if bet_to_match >= size else 0
    queue = tuple(seat for seat in ring if seat in hand.betting.live_seats and seat not in hand.betting.all_in_seats)
    hand.round = Round(street, ring, queue, bet_to_match, level, full, int(level > 0), starting_player_count=len(queue))
    hand.betting = replace(
        hand.betting,
        acted_count_by_street={**hand.betting.acted_count_by_street, street: len(hand.betting.acted_seats)},
        checked_seats=frozenset(),
    )
    hand.tell(RoundBegan(street))
    close_round_if_no_action(hand)


def close_round_if_no_action(hand: Hand) -> None:
    """Nobody is asked who can neither be bet at nor has anything to match."""
    round_ = hand.round
    if round_ is None or not round_.queue:
        return
    able = hand.contenders
    if len(able) > 1:
        return
    matched = max(
        (hand.chips.bet_by_seat.get(seat, 0) for seat in hand.betting.live_seats if seat not in able), default=0
    )
    if len(hand.betting.live_seats) < 2 or not able or hand.chips.bet_by_seat.get(able[0], 0) >= matched:
        hand.round = replace(round_, queue=())


def apply_action(hand: Hand, event: PlayerActed) -> None:
    """Carry out an act of the seat whose turn it is; refuses what is not among its options.

    Raises `Refused` (`act-not-open`, `amount`).
    """
    round_ = hand.round_in_play
    seat, open_ = event.seat, find_legal_actions(hand, event.seat)
    if event.action_type.value not in open_.actions:
        raise Refused("act-not-open", f"seat {seat} cannot {event.action_type.value} now: {describe_actions(open_)}.")
    record_action(hand, seat, event.action_type)
    if event.action_type is ActionType.FOLD:
        hand.tell(SeatActed(seat, event.action_type, None, 0, round_.current_bet, round_.street))
        keep_receiving_cards(hand, round_, seat)
        fold(hand, seat)
        return
    total = _compute_total(hand, round_, event, open_)
    tracked, paid = hand.setup.tracks_amounts, total - hand.chips.bet_by_seat.get(seat, 0)
    said, moved = (total, paid) if tracked else (None, 0)
    hand.tell(SeatActed(seat, event.action_type, said, moved, round_.current_bet, round_.street))
    if event.action_type is ActionType.CHECK:
        hand.betting = replace(hand.betting, checked_seats=hand.betting.checked_seats | {seat})
    elif hand.openers.opener is None:
        hand.openers = replace(
            hand.openers, opener=seat, opener_cards=hand.cards.piles.cards_at(hand_place(seat)), opening_wager=total
        )
    if tracked:
        if paid:
            pots.wager(hand, seat, paid)
    else:
        hand.chips = replace(hand.chips, bet_by_seat={**hand.chips.bet_by_seat, seat: total})
        if event.action_type is ActionType.ALL_IN:
            hand.betting = replace(hand.betting, all_in_seats=hand.betting.all_in_seats | {seat})
    if total > round_.current_bet:
        muck_receiving_hands(hand)
        brought_in = needs_forced_bet(round_) and total <= round_.forced_bet < round_.full_raise_size
        counted = event.action_type is not ActionType.ALL_IN or event.is_full_raise
        hand.round = (
            apply_forced_bet(hand, round_, seat)
            if brought_in
            else apply_bet_or_raise(hand, round_, seat, total, counted)
        )
    else:
        acted = {**round_.last_action_by_seat, seat: RoundAtAction(round_.current_bet, round_.full_raise_count)}
        hand.round = replace(round_, queue=round_.queue[1:], last_action_by_seat=acted)
    close_round_if_no_action(hand)


def record_action(hand: Hand, seat: int, do: ActionType) -> None:
    """A seat has acted."""
    hand.betting = replace(
        hand.betting, acted_seats=(*hand.betting.acted_seats, seat), action_types=(*hand.betting.action_types, do)
    )


def _compute_total(hand: Hand, round_: Round, event: PlayerActed, open_: LegalActions) -> int:
    """The seat's total on the round after the act; refuses an amount that does not fit."""
    seat, bet = event.seat, hand.chips.bet_by_seat.get(event.seat, 0)
    if not hand.setup.tracks_amounts:
        return _compute_untracked_total(round_, event, bet, can_raise(hand, round_, seat))
    whole = bet + hand.chips.stack_by_seat[seat]
    if event.action_type is ActionType.BRING_IN:
        if event.total not in (None, min(round_.forced_bet, whole)):
            raise Refused(
                "amount", f"the forced bet of seat {seat} is {min(round_.forced_bet, whole)}; leave `to` out."
            )
        return min(round_.forced_bet, whole)
    if event.action_type in (ActionType.CHECK, ActionType.CALL):
        total = min(round_.current_bet, whole)
        if event.total is not None and event.total != total:
            raise Refused("amount", f"a {event.action_type.value} of seat {seat} makes {total} in all; leave `to` out.")
        return max(total, bet)
    if event.action_type is ActionType.ALL_IN:
        if event.total is not None and event.total != whole:
            raise Refused("amount", f"all-in of seat {seat} is {whole} in all; leave `to` out.")
        return whole
    low, top = open_.min_total, open_.max_total
    if low is None or top is None:
        raise Refused("act-not-open", f"seat {seat} cannot {event.action_type.value} now: {describe_actions(open_)}.")
    total = low if event.total is None and low == top else event.total or 0
    if event.total is None and low != top:
        raise Refused(
            "amount", f"a {event.action_type.value} of seat {seat} needs `to`: its total, from {low} to {top}."
        )
    if not low <= total <= top:
        raise Refused(
            "amount", f"a {event.action_type.value} of seat {seat} must make {low} to {top} in all, not {total}."
        )
    if round_.larger_limit and total not in (low, top, whole):
        raise Refused("amount", f"a {event.action_type.value} of seat {seat} makes {low} or {top} in all, not {total}.")
    if total % hand.setup.stakes.smallest_chip and total not in (low, top, whole):
        raise Refused(
            "amount", f"{total} is not payable: the smallest chip that plays is {hand.setup.stakes.smallest_chip}."
        )
    return total


def _compute_untracked_total(round_: Round, event: PlayerActed, bet: int, raising: bool) -> int:
    if event.total is not None:
        raise Refused("amount", "this table does not track amounts; leave `to` out.")
    if event.action_type in (ActionType.CHECK, ActionType.CALL) or (
        event.action_type is ActionType.ALL_IN and not raising
    ):
        return round_.current_bet
    if event.action_type is ActionType.BRING_IN:
        return round_.forced_bet
    if event.action_type is ActionType.ALL_IN and not event.is_full_raise:
        return max(round_.current_bet + 1, bet)
    return max(
        round_.current_bet + 1,
        (round_.last_full_wager if has_short_forced_bet(round_) else round_.current_bet) + UNTRACKED_WAGER,
    )


def apply_forced_bet(hand: Hand, round_: Round, seat: int) -> Round:
    """The round after the forced bet: all others come in for at least that, even if it was short [R7-8.stud.4#b]."""
    place = round_.acting_order.index(seat)
    others = round_.acting_order[place + 1 :] + round_.acting_order[:place]
    queue = tuple(
        other for other in others if other in hand.betting.live_seats and other not in hand.betting.all_in_seats
    )
    acted = {**round_.last_action_by_seat, seat: RoundAtAction(round_.forced_bet, round_.full_raise_count)}
    return replace(round_, queue=queue, current_bet=round_.forced_bet, last_action_by_seat=acted)


def keep_receiving_cards(hand: Hand, round_: Round, seat: int) -> None:
    """A seat that folds without a wager goes on receiving cards where seats get them singly [R7-8.stud.9, AU-19.19]."""
    book = hand.setup.rulebook.upcards.get(hand.setup.game.rules_form)
    if book is None or not hand.setup.game.deals_later_cards:
        return
    forced = book.forced_keeps_receiving.value and seat == hand.stud.forced_bet_seat and round_.street == 0
    if forced or (not round_.current_bet and book.keeps_receiving.value):
        hand.stud = replace(hand.stud, receiving_seats=(*hand.stud.receiving_seats, seat))


def muck_receiving_hands(hand: Hand) -> None:
    """A wager sends the cards of seats without a live hand to the muck, and they get no more."""
    if not hand.stud.receiving_seats:
        return
    for seat in hand.stud.receiving_seats:
        hand.cards = replace(hand.cards, piles=hand.cards.piles.move_all_cards(hand_place(seat), MUCK, up=False))
    hand.stud = replace(hand.stud, receiving_seats=())


def apply_bet_or_raise(hand: Hand, round_: Round, seat: int, total: int, is_untracked_full_wager: bool) -> Round:
    """The round after a seat has bet or raised to `total`; the last parameter counts where amounts are untracked."""
    limit = hand.setup.stakes.structure is BettingStructure.FIXED_LIMIT
    spread = hand.setup.stakes.structure is BettingStructure.SPREAD_LIMIT
    size = round_.full_raise_size if round_.larger_limit or spread else find_full_bet_size(hand, round_.street)
    if (limit or spread) and hand.setup.tracks_amounts:
        book = hand.setup.rulebook.betting.full_wager.value
        is_raise = round_.last_full_wager > 0 and round_.current_bet == round_.last_full_wager
        is_full_wager = book(total - round_.last_full_wager, size, is_raise)
    elif not hand.setup.tracks_amounts:
        is_full_wager = is_untracked_full_wager
    else:
        is_full_wager = total - (0 if has_short_forced_bet(round_) else round_.current_bet) >= round_.full_raise_size
    ring, able = round_.acting_order, hand.contenders
    place = ring.index(seat) + 1
    queue = tuple([other for other in ring[place:] + ring[: place - 1] if other in able])
    full_raises = round_.full_raise_count + is_full_wager
    full = round_.full_raise_size
    if is_full_wager and not limit:
        full = max(full, total - round_.current_bet)
    if round_.larger_limit and total - round_.last_full_wager >= round_.larger_limit:
        full = round_.larger_limit
    after = replace(
        round_,
        queue=queue,
        current_bet=total,
        last_full_wager=total if is_full_wager else round_.last_full_wager,
        full_raise_size=full,
        wager_count=round_.wager_count + is_full_wager,
        full_raise_count=full_raises,
        aggressor=seat,
        last_action_by_seat={**round_.last_action_by_seat, seat: RoundAtAction(total, full_raises)},
    )
    return replace(after, is_capped=True) if (limit or spread) and raise_cap.is_cap_reached(hand, after) else after


def record_folded_hand(hand: Hand, seat: int, *, mucked: bool = False) -> None:
    """Note which cards a hand that is given up has, and what it had bet."""
    pile = hand.cards.piles.cards_at(hand_place(seat))
    street = hand.streets.planned_street if hand.round is None else hand.round.street
    cards = tuple([lying.serial for lying in pile])
    up = tuple([lying.serial for lying in pile if lying.is_face_up])
    how = FoldedHand(street, cards, up, hand.chips.bet_by_seat.get(seat, 0), mucked)
    hand.folds = replace(hand.folds, folded_hand_by_seat={**hand.folds.folded_hand_by_seat, seat: how})


def fold(hand: Hand, seat: int) -> None:
    """A hand is out: its cards go to the muck, its turn is over."""
    record_folded_hand(hand, seat)
    hand.betting = replace(
        hand.betting, live_seats=tuple([other for other in hand.betting.live_seats if other != seat])
    )
    hand.cards = replace(hand.cards, piles=hand.cards.piles.move_all_cards(hand_place(seat), MUCK, up=False))
    if hand.round is not None:
        hand.round = replace(hand.round, queue=tuple([other for other in hand.round.queue if other != seat]))
        close_round_if_no_action(hand)

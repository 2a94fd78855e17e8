"""What is left to match when a dead hand's wagers go back to its player: a bet that was returned cannot be called."""

from controller.core.model.hand import Hand, Round
from controller.core.play.betting import betting_round
from controller.core.values.value import replace


def refund_all(hand: Hand, seat: int) -> None:
    """Give the seat all its wagers, forced bets and blinds back, dead ones too [AU-19.1(f)]."""
    dead = hand.chips.dead_post_by_seat.get(seat, 0)
    back = hand.chips.bet_by_seat.get(seat, 0) + hand.chips.paid_earlier_by_seat.get(seat, 0) + dead
    hand.chips = replace(
        hand.chips,
        dead_chips=hand.chips.dead_chips - dead,
        dead_post_by_seat={other: post for other, post in hand.chips.dead_post_by_seat.items() if other != seat},
    )
    if hand.setup.tracks_amounts:
        hand.chips = replace(
            hand.chips, stack_by_seat={**hand.chips.stack_by_seat, seat: hand.chips.stack_by_seat[seat] + back}
        )
    hand.chips = replace(
        hand.chips,
        bet_by_seat={other: bet for other, bet in hand.chips.bet_by_seat.items() if other != seat},
        paid_earlier_by_seat={other: paid for other, paid in hand.chips.paid_earlier_by_seat.items() if other != seat},
    )
    hand.betting = replace(hand.betting, all_in_seats=hand.betting.all_in_seats - {seat})


def refund_uncalled(hand: Hand, seat: int) -> bool:
    """Give a hand that is killed back what nobody has called of its bet or raise, where the book does; says whether.

    What it would have had to call stays in the pot, forced bets among it [WSOP-T-91, WSOP-T-108, TDA-65-A].
    """
    round_ = hand.round
    if not hand.setup.rulebook.floor.uncalled_back.value or round_ is None or round_.aggressor != seat:
        return False
    others = (bet for other, bet in hand.chips.bet_by_seat.items() if other != seat)
    before = hand.chips.bet_by_seat.get(seat, 0)
    refund_beyond(hand, seat, max(_find_forced_bet(hand, round_), *others, 0))
    return hand.chips.bet_by_seat.get(seat, 0) < before


def refund_beyond(hand: Hand, seat: int, kept: int) -> None:
    """Give the seat back what it has wagered on this round but for `kept` [R7-12.jacks.2]."""
    back = hand.chips.bet_by_seat.get(seat, 0) - kept
    if back <= 0 or not hand.setup.tracks_amounts:
        return
    hand.chips = replace(
        hand.chips,
        stack_by_seat={**hand.chips.stack_by_seat, seat: hand.chips.stack_by_seat[seat] + back},
        bet_by_seat={**hand.chips.bet_by_seat, seat: kept},
    )
    hand.betting = replace(hand.betting, all_in_seats=hand.betting.all_in_seats - {seat})


def lower_to_live_bets(hand: Hand, seat: int) -> None:
    """The round goes on from the highest bet of a live hand: nobody has to call one whose hand is dead, or who left.

    The forced bet of the first round has to be matched even when it was the dead hand's.
    """
    round_ = hand.round
    if round_ is None or round_.aggressor != seat:
        return
    forced = _find_forced_bet(hand, round_)
    bets = sorted({forced, *(bet for other, bet in hand.chips.bet_by_seat.items() if other in hand.betting.live_seats)})
    if bets[-1] >= round_.current_bet:
        return
    hand.round = _lower_round(hand, round_, bets)
    betting_round.close_round_if_no_action(hand)


def _find_forced_bet(hand: Hand, round_: Round) -> int:
    """What has to be matched on the round though nobody bets."""
    blind = max(hand.setup.stakes.big_blind, hand.chips.straddle_total)
    if not hand.setup.tracks_amounts:
        blind = betting_round.UNTRACKED_WAGER if hand.positions.big_blinds else 0
    return max(blind, round_.forced_bet) if round_.street == 0 else round_.forced_bet


def _lower_round(hand: Hand, round_: Round, bets: list[int]) -> Round:
    """The round as if the returned wager had not been made; `bets` ascends."""
    high = bets[-1]
    size = betting_round.find_full_bet_size(hand, round_.street)
    bettor = next(
        (seat for seat in round_.last_action_by_seat if hand.chips.bet_by_seat.get(seat, 0) == high and high > bets[0]),
        None,
    )
    return replace(
        round_,
        current_bet=high,
        last_full_wager=high if high >= size else 0,
        full_raise_size=max(size, high - bets[-2]) if len(bets) > 1 else size,
        wager_count=max(round_.wager_count - 1, 0),
        full_raise_count=max(round_.full_raise_count - 1, 0),
        is_capped=False,
        aggressor=bettor,
        queue=tuple(
            s for s in round_.queue if s not in round_.last_action_by_seat or hand.chips.bet_by_seat.get(s, 0) < high
        ),
    )

"""What is left to match when a dead hand's wagers go back to its player: a bet that was returned cannot be called."""

from controller.core.model.hand import Hand, Round
from controller.core.play.betting import betting_round
from controller.core.values.value import replace


def returned(hand: Hand, seat: int) -> None:
    """Give the seat all its wagers, forced bets and blinds back, dead ones too [AU-19.1(f)]."""
    dead = hand.chips.dead_posts.get(seat, 0)
    back = hand.chips.bets.get(seat, 0) + hand.chips.paid.get(seat, 0) + dead
    hand.chips = replace(
        hand.chips,
        dead=hand.chips.dead - dead,
        dead_posts={other: post for other, post in hand.chips.dead_posts.items() if other != seat},
    )
    if hand.setup.tracked:
        hand.chips = replace(hand.chips, stacks={**hand.chips.stacks, seat: hand.chips.stacks[seat] + back})
    hand.chips = replace(
        hand.chips,
        bets={other: bet for other, bet in hand.chips.bets.items() if other != seat},
        paid={other: paid for other, paid in hand.chips.paid.items() if other != seat},
    )
    hand.betting = replace(hand.betting, all_in=hand.betting.all_in - {seat})


def beyond(hand: Hand, seat: int, kept: int) -> None:
    """Give the seat back what it has wagered on this round but for `kept` [R7-12.jacks.2]."""
    back = hand.chips.bets.get(seat, 0) - kept
    if back <= 0 or not hand.setup.tracked:
        return
    hand.chips = replace(
        hand.chips,
        stacks={**hand.chips.stacks, seat: hand.chips.stacks[seat] + back},
        bets={**hand.chips.bets, seat: kept},
    )
    hand.betting = replace(hand.betting, all_in=hand.betting.all_in - {seat})


def unmatched(hand: Hand, seat: int) -> None:
    """The round goes on from the highest bet of a live hand: nobody has to call one whose hand is dead, or who left.

    The forced bet of the first round has to be matched even when it was the dead hand's.
    """
    round_ = hand.round
    if round_ is None or round_.aggressor != seat:
        return
    blind = max(hand.setup.betting.big_blind, hand.chips.straddled)
    if not hand.setup.tracked:
        blind = betting_round.UNTRACKED_WAGER if hand.positions.big else 0
    forced = max(blind, round_.due) if round_.street == 0 else round_.due
    bets = sorted({forced, *(bet for other, bet in hand.chips.bets.items() if other in hand.betting.live)})
    if bets[-1] >= round_.high:
        return
    hand.round = _from(hand, round_, bets)
    betting_round.pruned(hand)


def _from(hand: Hand, round_: Round, bets: list[int]) -> Round:
    """The round as if the returned wager had not been made; `bets` ascends."""
    high = bets[-1]
    size = betting_round.wager_size(hand, round_.street)
    bettor = next((seat for seat in round_.acted if hand.chips.bets.get(seat, 0) == high and high > bets[0]), None)
    return replace(
        round_,
        high=high,
        level=high if high >= size else 0,
        full=max(size, high - bets[-2]) if len(bets) > 1 else size,
        wagers=max(round_.wagers - 1, 0),
        full_raises=max(round_.full_raises - 1, 0),
        capped=False,
        aggressor=bettor,
        queue=tuple(s for s in round_.queue if s not in round_.acted or hand.chips.bets.get(s, 0) < high),
    )

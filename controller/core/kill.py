"""Kill pots: who must kill the next one, and at which stakes it is played [R7-13].

A full kill is twice the big blind and doubles the limits, a half kill is half as much again. The killer posts before
the cards and acts in turn. `State.leg` has the kill button, `State.kills` must kill the next pot.
"""

from dataclasses import replace

from controller.core import money
from controller.core.betting import UNTRACKED_WAGER
from controller.core.hand import Hand
from controller.core.setup import Betting, Setup
from controller.core.state import State

HALVES = {"full": 4, "half": 3}
"""A kill in halves of the big blind and of the limits."""


def halves(setup: Setup) -> int:
    """The kill of this house in halves of the big blind; 0 where it plays none."""
    return HALVES.get(str(dict(setup.house).get("kill")), 0)


def killed(setup: Setup) -> Setup:
    """The table at the stakes of a killed pot."""
    stakes, times = setup.betting, halves(setup)
    least = stakes.min_bet or stakes.big_blind

    def raised(amount: int) -> int:
        return amount * times // 2

    dearer: Betting = replace(
        stakes,
        small_bet=raised(stakes.small_bet),
        big_bet=raised(stakes.big_bet),
        min_bet=raised(least),
        max_bet=raised(stakes.max_bet),
    )
    return setup.at_stakes(dearer)


def post(hand: Hand, times: int) -> None:
    """The killer's blind; what it has posted as another blind is part of it."""
    seat = hand.killer
    if seat is None:
        return
    if not hand.setup.tracked:
        hand.bets = {**hand.bets, seat: UNTRACKED_WAGER}
        return
    amount = hand.setup.betting.big_blind * times // 2
    missing = amount - hand.bets.get(seat, 0)
    if missing > 0:
        money.wager(hand, seat, missing)


def blind(hand: Hand, big: int) -> int:
    """What the blinds come to for those who act: the kill where the pot is killed."""
    return big if hand.killer is None else big * halves(hand.setup) // 2


def settle(state: State, hand: Hand) -> None:
    """The pots are pushed: who has the kill button, and whether that player must kill the next pot."""
    if not halves(state.setup):
        return
    book, winners = state.setup.rulebook.kill, tuple(sorted(hand.took))
    had, killer = state.leg, hand.killer
    state.kills = None
    if len(winners) != 1:
        keeps = had if had in winners and book.split_keeps.value else None
        state.leg, state.legs = keeps, state.legs if keeps is not None else 0
        if killer is not None and killer in winners and book.split_keeps.value:
            state.kills = state.leg = killer
        return
    winner = winners[0]
    state.legs = state.legs + 1 if winner == had else 1
    state.leg = winner
    if winner == killer and book.again.value:
        state.kills = winner
    elif len(hand.setup.game.rankings) > 1:
        large = book.scoop.value * max(hand.setup.betting.big_bet, hand.setup.betting.small_bet)
        state.kills = winner if not hand.setup.tracked or hand.took[winner] >= large else None
    elif state.legs >= book.pots.value and _qualifies(hand, winner, book.bets.value):
        state.kills = winner


def _qualifies(hand: Hand, winner: int, bets: int) -> bool:
    """Whether the pot holds so many full bets of others beyond the blinds [R7-13.kill.3]."""
    if not hand.setup.tracked:
        return True
    stakes = hand.setup.betting
    own = hand.put_in.get(winner, 0)
    blinds = stakes.small_blind * (hand.small not in (None, winner))
    blinds += stakes.big_blind * sum(seat != winner for seat in hand.big)
    return hand.took[winner] - own - blinds >= bets * (stakes.small_bet or stakes.minimum)

"""Who has knocked out whom: the bounty of a player who has lost the last chip lies in a pot, and goes with it.

It lies in the last pot, main or side, that the player could win, which is the last one with a chip of the player in it
[WSOP-T-39.a]; so it does where the hand was dead, of somebody who was absent. How a bounty is shared whose pot is split
no book says. By default it goes as the pot does: each board has an equal part, and of that high and low, and of that
each of the tied hands.
"""

from fractions import Fraction
from math import gcd, lcm

from controller.core.model.hand import Hand, SeatKnockout
from controller.core.play.betting import pots as money
from controller.core.protocol.steps import AwardStep
from controller.core.rules.questions.house.table_rules import GameMode


def find_knockouts(hand: Hand) -> tuple[SeatKnockout, ...]:
    """Whom the hand, of which all pots are pushed, has put out of a tournament, by seat; amounts are tracked."""
    if hand.setup.mode is not GameMode.TOURNAMENT:
        return ()
    return tuple(_find_knockout(hand, seat) for seat, stack in sorted(hand.chips.stack_by_seat.items()) if not stack)


def _find_knockout(hand: Hand, seat: int) -> SeatKnockout:
    index = _find_last_pot(hand, seat) if hand.setup.rulebook.tournament.bounty_in_last_pot.value else 0
    part_by_seat = _split_bounty([award for award in hand.showdown.pushed_awards if award.pot == index])
    parts = tuple(part_by_seat.values())
    if len(set(parts)) < 2:
        return SeatKnockout(seat, tuple(part_by_seat))
    whole = lcm(*(part.denominator for part in parts))
    shares = [int(part * whole) for part in parts]
    return SeatKnockout(seat, tuple(part_by_seat), tuple(share // gcd(*shares) for share in shares))


def _find_last_pot(hand: Hand, seat: int) -> int:
    """Which pot has the last chip that the seat put in; the main pot has what it posted as dead money."""
    paid = hand.chips.paid_earlier_by_seat
    tops = [min(paid.get(each, 0) for each in pot.seats) for pot in money.build_pots(hand)]
    return sum(top < paid.get(seat, 0) for top in tops[:-1])


def _split_bounty(awards: list[AwardStep]) -> dict[int, Fraction]:
    """What part of a pot each has who has got a chip of it, in the order in which they come for an odd one."""
    paid = {seat for award in awards for seat, amount in zip(award.seats, award.amounts or (), strict=False) if amount}
    found: dict[int, Fraction] = {}
    for board in dict.fromkeys(award.board for award in awards):
        halves = [
            [seat for seat in award.odd_order or award.seats if seat in paid]
            for award in awards
            if award.board == board
        ]
        halves = [half for half in halves if half]
        for half in halves:
            for seat in half:
                found[seat] = found.get(seat, Fraction(0)) + Fraction(1, len(halves) * len(half))
    return found

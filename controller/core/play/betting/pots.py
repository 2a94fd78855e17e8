"""Chips: what each seat has put in, the pots that it makes, and what nobody called.

All amounts are whole units. Chips never appear or vanish: stacks, bets of the round, what was paid in earlier rounds
and dead money always add up to what was there before the hand.
"""

from controller.core.model.hand import Hand
from controller.core.values.value import Value, replace


class Pot(Value):
    """An amount and the seats, ascending, that can still win it."""

    amount: int
    seats: tuple[int, ...]


def wager(hand: Hand, seat: int, amount: int) -> int:
    """Put up to `amount` of a stack in front of the seat; returns what went. An empty stack is all-in."""
    going = min(amount, hand.chips.stacks[seat])
    hand.chips = replace(
        hand.chips,
        stacks={**hand.chips.stacks, seat: hand.chips.stacks[seat] - going},
        bets={**hand.chips.bets, seat: hand.chips.bets.get(seat, 0) + going},
    )
    if not hand.chips.stacks[seat]:
        hand.betting = replace(hand.betting, all_in=hand.betting.all_in | {seat})
    return going


def ante(hand: Hand, seat: int, amount: int) -> None:
    """Pay an ante into the pot at once."""
    going = min(amount, hand.chips.stacks[seat])
    hand.chips = replace(
        hand.chips,
        stacks={**hand.chips.stacks, seat: hand.chips.stacks[seat] - going},
        paid={**hand.chips.paid, seat: hand.chips.paid.get(seat, 0) + going},
    )
    if not hand.chips.stacks[seat]:
        hand.betting = replace(hand.betting, all_in=hand.betting.all_in | {seat})


def dead_post(hand: Hand, seat: int, amount: int) -> None:
    """Pay money that is no part of the seat's bet into the middle of the pot."""
    going = min(amount, hand.chips.stacks[seat])
    hand.chips = replace(
        hand.chips,
        stacks={**hand.chips.stacks, seat: hand.chips.stacks[seat] - going},
        dead=hand.chips.dead + going,
        dead_posts={**hand.chips.dead_posts, seat: hand.chips.dead_posts.get(seat, 0) + going},
    )
    if not hand.chips.stacks[seat]:
        hand.betting = replace(hand.betting, all_in=hand.betting.all_in | {seat})


def collect(hand: Hand) -> None:
    """End a round: what nobody called goes back, the bets go into the pots."""
    if hand.round is not None:
        highs = {**hand.given_up.highs, hand.round.street: hand.round.high}
        hand.given_up = replace(hand.given_up, highs=highs, uncalled={})
    if not hand.setup.tracked:
        hand.chips = replace(hand.chips, paid_last=hand.chips.bets, bets={})
        return
    ranked = sorted(hand.chips.bets.values(), reverse=True)
    if ranked:
        matched = ranked[1] if len(ranked) > 1 else 0
        for seat, bet in hand.chips.bets.items():
            if bet > matched and seat in hand.betting.live:
                hand.chips = replace(
                    hand.chips,
                    stacks={**hand.chips.stacks, seat: hand.chips.stacks[seat] + bet - matched},
                    bets={**hand.chips.bets, seat: matched},
                )
                hand.betting = replace(hand.betting, all_in=hand.betting.all_in - {seat})
                hand.given_up = replace(hand.given_up, uncalled={seat: bet - matched})
    paid = dict(hand.chips.paid)
    for seat, bet in hand.chips.bets.items():
        if bet:
            paid[seat] = paid.get(seat, 0) + bet
    hand.chips = replace(hand.chips, paid=paid, paid_last=hand.chips.bets, bets={})


def pots(hand: Hand) -> tuple[Pot, ...]:
    """The pots of the rounds before this one, the main pot first; neighbours with the same seats are one."""
    if not hand.setup.tracked:
        return ()
    return layered(hand.chips.paid, hand.betting.live, hand.chips.dead)


def layered(paid: dict[int, int], live: tuple[int, ...], dead: int) -> tuple[Pot, ...]:
    """Split what was paid into pots by what each live seat put in; `dead` money belongs to the main pot."""
    found: list[Pot] = []
    floor, carried = 0, dead
    levels = sorted({paid.get(seat, 0) for seat in live})
    for level in levels:
        amount = carried + sum(min(sum_, level) - min(sum_, floor) for sum_ in paid.values())
        seats = tuple(sorted(seat for seat in live if paid.get(seat, 0) >= level))
        carried, floor = 0, level
        if not amount:
            continue
        if found and found[-1].seats == seats:
            found[-1] = Pot(found[-1].amount + amount, seats)
        else:
            found.append(Pot(amount, seats))
    beyond = carried + sum(sum_ - min(sum_, floor) for sum_ in paid.values())
    if beyond and found:
        found[-1] = Pot(found[-1].amount + beyond, found[-1].seats)
    elif beyond:
        found.append(Pot(beyond, tuple(sorted(live))))
    return tuple(found)


def total(hand: Hand) -> int:
    """All chips in play: stacks, bets, pots."""
    return (
        sum(hand.chips.stacks.values())
        + sum(hand.chips.bets.values())
        + sum(hand.chips.paid.values())
        + hand.chips.dead
    )

"""Chips: what each seat has put in, the pots that it makes, and what nobody called.

All amounts are whole units. Chips never appear or vanish: stacks, bets of the round, what was paid in earlier rounds
and dead money always add up to what was there before the hand.
"""

from controller.core.model.hand import Hand
from controller.core.protocol.facts import RoundOver
from controller.core.values.value import Value, replace


class Pot(Value):
    """An amount and the seats, ascending, that can still win it."""

    amount: int
    seats: tuple[int, ...]


def wager(hand: Hand, seat: int, amount: int) -> int:
    """Put up to `amount` of a stack in front of the seat; returns what went. An empty stack is all-in."""
    going = min(amount, hand.chips.stack_by_seat[seat])
    hand.chips = replace(
        hand.chips,
        stack_by_seat={**hand.chips.stack_by_seat, seat: hand.chips.stack_by_seat[seat] - going},
        bet_by_seat={**hand.chips.bet_by_seat, seat: hand.chips.bet_by_seat.get(seat, 0) + going},
    )
    if not hand.chips.stack_by_seat[seat]:
        hand.betting = replace(hand.betting, all_in_seats=hand.betting.all_in_seats | {seat})
    return going


def ante(hand: Hand, seat: int, amount: int) -> None:
    """Pay an ante into the pot at once."""
    going = min(amount, hand.chips.stack_by_seat[seat])
    hand.chips = replace(
        hand.chips,
        stack_by_seat={**hand.chips.stack_by_seat, seat: hand.chips.stack_by_seat[seat] - going},
        paid_earlier_by_seat={
            **hand.chips.paid_earlier_by_seat,
            seat: hand.chips.paid_earlier_by_seat.get(seat, 0) + going,
        },
    )
    if not hand.chips.stack_by_seat[seat]:
        hand.betting = replace(hand.betting, all_in_seats=hand.betting.all_in_seats | {seat})


def post_dead_money(hand: Hand, seat: int, amount: int) -> None:
    """Pay money that is no part of the seat's bet into the middle of the pot."""
    going = min(amount, hand.chips.stack_by_seat[seat])
    hand.chips = replace(
        hand.chips,
        stack_by_seat={**hand.chips.stack_by_seat, seat: hand.chips.stack_by_seat[seat] - going},
        dead_chips=hand.chips.dead_chips + going,
        dead_post_by_seat={**hand.chips.dead_post_by_seat, seat: hand.chips.dead_post_by_seat.get(seat, 0) + going},
    )
    if not hand.chips.stack_by_seat[seat]:
        hand.betting = replace(hand.betting, all_in_seats=hand.betting.all_in_seats | {seat})


def collect(hand: Hand) -> None:
    """End a round: what nobody called goes back, the bets go into the pots."""
    if hand.round is not None:
        if hand.round.street not in hand.folds.current_bet_by_street:
            hand.tell(RoundOver(hand.round.street))
        highs = {**hand.folds.current_bet_by_street, hand.round.street: hand.round.current_bet}
        hand.folds = replace(hand.folds, current_bet_by_street=highs, returned_bet_by_seat={})
    if not hand.setup.tracks_amounts:
        hand.chips = replace(hand.chips, paid_last_round_by_seat=hand.chips.bet_by_seat, bet_by_seat={})
        return
    seat, uncalled = find_uncalled_bet(hand)
    if seat is not None:
        hand.chips = replace(
            hand.chips,
            stack_by_seat={**hand.chips.stack_by_seat, seat: hand.chips.stack_by_seat[seat] + uncalled},
            bet_by_seat={**hand.chips.bet_by_seat, seat: hand.chips.bet_by_seat[seat] - uncalled},
        )
        hand.betting = replace(hand.betting, all_in_seats=hand.betting.all_in_seats - {seat})
        hand.folds = replace(hand.folds, returned_bet_by_seat={seat: uncalled})
    paid = dict(hand.chips.paid_earlier_by_seat)
    for seat, bet in hand.chips.bet_by_seat.items():
        if bet:
            paid[seat] = paid.get(seat, 0) + bet
    hand.chips = replace(
        hand.chips, paid_earlier_by_seat=paid, paid_last_round_by_seat=hand.chips.bet_by_seat, bet_by_seat={}
    )


def find_uncalled_bet(hand: Hand) -> tuple[int | None, int]:
    """The live seat of whose bet nobody has called all, and what nobody called; amounts are tracked."""
    bets = hand.chips.bet_by_seat
    if not bets or not hand.setup.tracks_amounts:
        return None, 0
    ranked = sorted(bets.values(), reverse=True)
    uncalled = ranked[0] - (ranked[1] if len(ranked) > 1 else 0)
    if not uncalled:
        return None, 0
    seat = max(bets, key=bets.__getitem__)
    return (seat, uncalled) if seat in hand.betting.live_seats else (None, 0)


def build_pots(hand: Hand) -> tuple[Pot, ...]:
    """The pots of the rounds before this one, the main pot first; neighbours with the same seats are one."""
    if not hand.setup.tracks_amounts:
        return ()
    return split_into_pots(hand.chips.paid_earlier_by_seat, hand.betting.live_seats, hand.chips.dead_chips)


def split_into_pots(paid: dict[int, int], live: tuple[int, ...], dead: int) -> tuple[Pot, ...]:
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


def total_chips(hand: Hand) -> int:
    """All chips in play: stacks, bets, pots."""
    return (
        sum(hand.chips.stack_by_seat.values())
        + sum(hand.chips.bet_by_seat.values())
        + sum(hand.chips.paid_earlier_by_seat.values())
        + hand.chips.dead_chips
    )

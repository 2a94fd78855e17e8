"""Prize pool, places and prizes, to the cent where they are not rounded [FC-10, Payouts].

Amounts are whole cents throughout, so that nothing is lost between the purse and its shares.
"""

from collections.abc import Sequence
from fractions import Fraction

from controller.core.values.value import Value

CENTS_PER_UNIT = 100
MILLION = 10**6
ROUNDING_STEP_CENTS = 5 * CENTS_PER_UNIT
"""Prizes are multiples of 5 [FC-10.payouts#round]."""

RAKE_SHARE = Fraction(1, 10)
"""Part of the buy-ins that goes to the Championship [FC-10.payouts#a]."""


class PayoutColumn(Value):
    """A column of the table: up to how many players, the share of each place, and its clause.

    Shares are tenths of a per cent in the printed columns, and millionths beyond them.
    """

    max_players: int
    shares: tuple[int, ...]
    cite: str


PAYOUT_TABLE = (
    PayoutColumn(5, (1000,), "FC-10.payouts.5orfewer"),
    PayoutColumn(8, (667, 333), "FC-10.payouts.6-8"),
    PayoutColumn(14, (545, 273, 182), "FC-10.payouts.9-14"),
    PayoutColumn(20, (480, 240, 160, 120), "FC-10.payouts.15-20"),
    PayoutColumn(30, (438, 219, 146, 109, 88), "FC-10.payouts.21-30"),
    PayoutColumn(40, (409, 204, 135, 102, 82, 68), "FC-10.payouts.31-40"),
)


def find_payout_column(players: int) -> PayoutColumn:
    """The column for the number of players at the start; raises `ValueError` for none.

    Beyond the printed table its own scheme goes on: a place more for every ten players begun, the n-th place with a
    share in proportion to 1/n.
    """
    if players < 1:
        raise ValueError(f"{players} players make no tournament.")
    for row in PAYOUT_TABLE:
        if players <= row.max_players:
            return row
    last = PAYOUT_TABLE[-1]
    more = -(-(players - last.max_players) // 10)
    places = len(last.shares) + more
    whole = sum(1 / place for place in range(1, places + 1))
    shares = tuple(round(MILLION / place / whole) for place in range(1, places + 1))
    return PayoutColumn(last.max_players + 10 * more, shares, last.cite)


def split_pool(buy_ins: int, others: int) -> tuple[int, int]:
    """(prize pool, rake) of an event in cents: 90 % of buy-ins, all rebuys and add-ons [FC-10.payouts#a]."""
    rake = _round_to_step(RAKE_SHARE * buy_ins, 1)
    return buy_ins - rake + others, rake


def compute_championship_pool(buy_ins: int, rakes: int) -> int:
    """The pool of the Championship: its buy-ins and the rakes of the season [FC-11.postpay]."""
    return buy_ins + rakes


def compute_prizes(purse: int, players: int, step: int = ROUNDING_STEP_CENTS) -> tuple[int, ...]:
    """What each paid place gets, first place first, in cents.

    Each share is rounded to the nearest `step`; what that leaves over or short is put right at the lowest place first
    and upward from there, no place falling below the next one [FC-10.payouts#round].

    Raises `ValueError`.
    """
    if purse < 0:
        raise ValueError("a prize pool is an amount from 0.")
    row = find_payout_column(players)
    whole = sum(row.shares)
    shares = [_round_to_step(Fraction(share * purse, whole), step) for share in row.shares]
    return _adjust_rounding(shares, purse)


def _adjust_rounding(shares: list[int], purse: int) -> tuple[int, ...]:
    """Put the rounding right from the lowest place upward: the shares add up to the purse."""
    left = purse - sum(shares)
    for place in reversed(range(len(shares))):
        below = shares[place + 1] if place + 1 < len(shares) else 0
        above = shares[place - 1] if place else None
        change = max(left, below - shares[place])
        if above is not None:
            change = min(change, above - shares[place])
        shares[place] += change
        left -= change
        if not left:
            break
    shares[0] += left
    return tuple(shares)


def split_satellite(purse: int, seat: int, players: int) -> tuple[int, tuple[int, ...]]:
    """How many seats of another event a prize pool buys, and what each place is worth, in cents.

    The first places have a seat each, which costs `seat`; what is left goes to the next place in cash. A pool that buys
    everybody a seat is shared equally. Raises `ValueError`.
    """
    if seat <= 0 or purse < 0 or players < 1:
        raise ValueError("a seat has a price above 0, a prize pool is an amount from 0, and somebody plays for it.")
    seats, rest = divmod(purse, seat)
    if seats >= players:
        return players, split_equally((purse, *(0,) * (players - 1)))
    return seats, (*(seat,) * seats, *((rest,) if rest else ()))


def split_equally(amounts: Sequence[int]) -> tuple[int, ...]:
    """Equal parts of the prizes of tied places, odd cents from the first on [FC-10.winning.2, R7-15.tourn.35]."""
    each, rest = divmod(sum(amounts), len(amounts))
    return tuple(each + (index < rest) for index in range(len(amounts)))


def _round_to_step(value: Fraction, step: int) -> int:
    """The nearest multiple, a half rounded up."""
    return int((value / step + Fraction(1, 2)).__floor__()) * step

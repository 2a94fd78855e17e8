"""Payout structures, places and prizes, to the cent where they are not rounded [FC-10, Payouts].

Amounts are whole cents throughout, so that nothing is lost between the purse and its shares.
"""

from collections.abc import Sequence
from enum import Enum, unique
from fractions import Fraction

from controller.core.values.value import Value

CENTS_PER_UNIT = 100
MILLION = 10**6
SHARES_PER_PERCENT = 100
"""Shares of a structure's columns are hundredths of a per cent."""


class PayoutColumn(Value):
    """A column of a payout table: up to how many players, the share of each place, and its clause ("": none).

    Shares are hundredths of a per cent in the columns of a structure, and millionths beyond them.
    """

    max_players: int
    shares: tuple[int, ...]
    cite: str = ""


@unique
class RoundingPlace(Enum):
    """Where rounding goes: what the rounded shares leave over or short of the pool.

    LOWEST_FIRST: shares are rounded to the nearest unit, and put right at the lowest place first and upward from there.
    FIRST_PLACE: shares are rounded down, and the first place has what is left.
    """

    LOWEST_FIRST = "lowest-first"
    FIRST_PLACE = "first-place"


class PayoutStructure(Value):
    """How a prize pool is divided: columns by the number of players, and how it is rounded.

    `cite`: the clause of a book; "" where no book says it, and it holds by default. `rounding_cents`: prizes are
    multiples of it. `players_per_place`: beyond the last column there is a place more for so many players begun; 0:
    the last column holds for any number.
    """

    name: str
    title: str
    columns: tuple[PayoutColumn, ...]
    rounding_cents: int
    rounding_place: RoundingPlace = RoundingPlace.LOWEST_FIRST
    players_per_place: int = 0
    cite: str = ""


def find_payout_column(structure: PayoutStructure, players: int) -> PayoutColumn:
    """The column for the number of players at the start; raises `ValueError` for none.

    Beyond the last column its scheme goes on: a place more for every `players_per_place` players begun, the n-th place
    with a share in proportion to 1/n.
    """
    if players < 1:
        raise ValueError(f"{players} players make no tournament.")
    for row in structure.columns:
        if players <= row.max_players:
            return row
    last, step = structure.columns[-1], structure.players_per_place
    if not step:
        return last
    more = -(-(players - last.max_players) // step)
    places = len(last.shares) + more
    whole = sum(1 / place for place in range(1, places + 1))
    shares = tuple(round(MILLION / place / whole) for place in range(1, places + 1))
    return PayoutColumn(last.max_players + step * more, shares, last.cite)


def format_amount(cents: int) -> str:
    """An amount for people: without its cents where there are none."""
    return f"{cents // CENTS_PER_UNIT:,}" if cents % CENTS_PER_UNIT == 0 else f"{cents / CENTS_PER_UNIT:,.2f}"


def compute_part(cents: int, tenths: int) -> int:
    """A part of an amount in tenths of a per cent, to the nearest cent, a half rounded up [FC-10.payouts#a]."""
    return _round_to_step(Fraction(cents * tenths, 1000), 1)


def compute_prizes(structure: PayoutStructure, purse: int, players: int) -> tuple[int, ...]:
    """What each paid place gets, first place first, in cents; they come to the purse.

    Each share is rounded to the structure's unit, and what that leaves goes where it says; no place falls below the
    next one [FC-10.payouts#round].

    Raises `ValueError`.
    """
    if purse < 0:
        raise ValueError("a prize pool is an amount from 0.")
    row, step = find_payout_column(structure, players), structure.rounding_cents
    whole = sum(row.shares)
    exact = [Fraction(share * purse, whole) for share in row.shares]
    if structure.rounding_place is RoundingPlace.FIRST_PLACE:
        below = [int(amount / step) * step for amount in exact[1:]]
        return (purse - sum(below), *below)
    return _adjust_rounding([_round_to_step(amount, step) for amount in exact], purse)


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

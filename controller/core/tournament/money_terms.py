"""What an entry consists of and what becomes of it: prize pool, fee, bounty, staff, season.

A line that opens an event says all of it (`parse_terms` reads it, `to_json` writes it), with the payout structure
itself: an event pays by what it began with, whatever becomes of the file.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from controller.core.tournament.payouts import (
    CENTS_PER_UNIT,
    SHARES_PER_PERCENT,
    PayoutColumn,
    PayoutStructure,
    RoundingPlace,
)
from controller.core.values.value import Value

MAX_AMOUNT = 10**15
MAX_COLUMNS = 100
TENTHS_PER_PERCENT = 10
AMOUNT_KEYS = ("fee", "rebuy_fee", "add_on_fee")
TERMS_KEYS = (*AMOUNT_KEYS, "staff", "carried", "carried_in", "payouts")
"""What the line that opens an event says of its money beside buy-in, bounty and a satellite's seat."""


class MoneyTerms(Value):
    """The parts of what players pay, beside buy-in and bounty, and how the pool is paid out.

    `fee`, `rebuy_fee`, `add_on_fee`: the house's, of each entry, rebuy, add-on, in whole units. `staff_tenths`: what is
    withheld for the staff of all that goes into the prize pool, in tenths of a per cent, rounded down to the cent.
    `carried_tenths`: what part of the buy-ins goes to the season's Championship [FC-10.payouts#a]; `carried_in_cents`:
    what a season brings into this event's pool [FC-11.postpay]. `has_account`: the event's line says all of this, and
    its account must balance; records of older versions say nothing.
    """

    structure: PayoutStructure
    fee: int = 0
    rebuy_fee: int = 0
    add_on_fee: int = 0
    staff_tenths: int = 0
    carried_tenths: int = 0
    carried_in_cents: int = 0
    has_account: bool = True


def _make_column(max_players: int, percents: Sequence[str], cite: str) -> PayoutColumn:
    shares = tuple(int(Fraction(percent) * SHARES_PER_PERCENT) for percent in percents)
    return PayoutColumn(max_players, shares, f"FC-10.payouts.{cite}")


UNSAID_STRUCTURE = PayoutStructure(
    "fish-n-chips",
    "Fish 'N' Chips",
    (
        _make_column(5, ("100",), "5orfewer"),
        _make_column(8, ("66.7", "33.3"), "6-8"),
        _make_column(14, ("54.5", "27.3", "18.2"), "9-14"),
        _make_column(20, ("48", "24", "16", "12"), "15-20"),
        _make_column(30, ("43.8", "21.9", "14.6", "10.9", "8.8"), "21-30"),
        _make_column(40, ("40.9", "20.4", "13.5", "10.2", "8.2", "6.8"), "31-40"),
    ),
    5 * CENTS_PER_UNIT,
    players_per_place=10,
    cite="FC-10.payouts#a",
)
UNSAID_TERMS = MoneyTerms(UNSAID_STRUCTURE, carried_tenths=100, has_account=False)
"""What a record means that says nothing of its money, as older versions wrote them. It never changes: it pays what it
paid."""


def parse_terms(line: Mapping[str, Any]) -> MoneyTerms:
    """The terms that a line says; those of older records where it says none. Raises `ValueError`, in words."""
    if "payouts" not in line:
        said = [key for key in TERMS_KEYS if key in line]
        if said:
            raise ValueError(f"`{said[0]}` goes with `payouts`: an event's money is said whole, or not at all.")
        return UNSAID_TERMS
    fee, rebuy_fee, add_on_fee = (parse_whole(line.get(key, 0), key) for key in AMOUNT_KEYS)
    staff, carried = (parse_tenths(line.get(key, 0), key) for key in ("staff", "carried"))
    if staff + carried > 100 * TENTHS_PER_PERCENT:
        raise ValueError("`staff` and `carried` come to more than 100 per cent: nothing is left to be won.")
    carried_in = parse_cents(line.get("carried_in", 0), "carried_in")
    return MoneyTerms(
        parse_structure(line["payouts"]),
        fee,
        rebuy_fee,
        add_on_fee,
        staff_tenths=staff,
        carried_tenths=carried,
        carried_in_cents=carried_in,
    )


def terms_to_json(terms: MoneyTerms) -> dict[str, Any]:
    """Every key that a new line says of its money, those too that are 0."""
    return {
        "fee": terms.fee,
        "rebuy_fee": terms.rebuy_fee,
        "add_on_fee": terms.add_on_fee,
        "staff": to_number(terms.staff_tenths, TENTHS_PER_PERCENT),
        "carried": to_number(terms.carried_tenths, TENTHS_PER_PERCENT),
        "carried_in": to_number(terms.carried_in_cents, CENTS_PER_UNIT),
        "payouts": structure_to_json(terms.structure),
    }


def to_number(amount: int, per_unit: int) -> int | float:
    """An amount in units: whole where it is."""
    return amount // per_unit if amount % per_unit == 0 else amount / per_unit


def parse_whole(value: object, key: str) -> int:
    """A whole number from 0; raises `ValueError`."""
    if type(value) is not int or not 0 <= value <= MAX_AMOUNT:
        raise ValueError(f"`{key}` is a whole number from 0; it is {value!r}.")
    return value


def parse_tenths(value: object, key: str) -> int:
    """A percentage in tenths of a per cent; raises `ValueError`."""
    found = _parse_parts(value, TENTHS_PER_PERCENT)
    if found is None or found > 100 * TENTHS_PER_PERCENT:
        raise ValueError(f"`{key}` is a percentage from 0 to 100, with one decimal at most; it is {value!r}.")
    return found


def parse_cents(value: object, key: str) -> int:
    """An amount in units and cents, as cents; raises `ValueError`."""
    found = _parse_parts(value, CENTS_PER_UNIT)
    if found is None:
        raise ValueError(f"`{key}` is an amount from 0, with two decimals at most; it is {value!r}.")
    return found


def _parse_parts(value: object, per_unit: int) -> int | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= MAX_AMOUNT:
        return None
    parts = Fraction(str(value)) * per_unit
    return int(parts) if parts.denominator == 1 else None


def structure_to_json(structure: PayoutStructure) -> dict[str, Any]:
    """Write a structure as JSON has it; shares in per cent."""
    return {
        "name": structure.name,
        "title": structure.title,
        "cite": structure.cite,
        "round_to": to_number(structure.rounding_cents, CENTS_PER_UNIT),
        "rounding": structure.rounding_place.value,
        "players_per_place": structure.players_per_place,
        "columns": [
            {
                "players": column.max_players,
                "shares": [to_number(share, SHARES_PER_PERCENT) for share in column.shares],
                "cite": column.cite,
            }
            for column in structure.columns
        ],
    }


def parse_structure(body: object) -> PayoutStructure:
    """Read what `structure_to_json` wrote; raises `ValueError` for what makes no structure."""
    columns = body.get("columns") if isinstance(body, Mapping) else None
    if not isinstance(body, Mapping) or not isinstance(columns, list) or not 0 < len(columns) <= MAX_COLUMNS:
        raise ValueError("`payouts` has a name, round_to, and columns of players and shares.")
    places = {place.value: place for place in RoundingPlace}
    rounding = body.get("rounding", RoundingPlace.LOWEST_FIRST.value)
    if not isinstance(rounding, str) or rounding not in places:
        raise ValueError(f"`rounding` is one of {', '.join(places)}; it is {rounding!r}.")
    found: list[PayoutColumn] = []
    for number, column in enumerate(columns, start=1):
        if not isinstance(column, Mapping):
            raise ValueError(f"column {number}: it has `players` and `shares`; it is {column!r}.")
        before = found[-1].max_players if found else None
        try:
            found.append(parse_column(column.get("players"), column.get("shares"), str(column.get("cite", "")), before))
        except ValueError as why:
            raise ValueError(f"column {number}: {why}") from why
    name, title, cite = (str(body.get(key, "")) for key in ("name", "title", "cite"))
    step = parse_cents(body.get("round_to", 1), "round_to")
    if not step:
        raise ValueError("`round_to` is an amount above 0: prizes are multiples of it.")
    per_place = parse_whole(body.get("players_per_place", 0), "players_per_place")
    return PayoutStructure(name, title, tuple(found), step, places[rounding], per_place, cite)


def parse_column(players: object, shares: object, cite: str, players_before: int | None) -> PayoutColumn:
    """A column of a structure, after one that ends with so many players; raises `ValueError` with what is right."""
    fewest = 1 if players_before is None else players_before + 1
    if type(players) is not int or not fewest <= players <= MAX_AMOUNT:
        after = "" if players_before is None else f", as the column before ends with {players_before}"
        raise ValueError(f"`players` is a whole number from {fewest}{after}; it is {players!r}.")
    if not isinstance(shares, list) or not shares:
        raise ValueError(f"`shares` is a list of percentages, first place first; it is {shares!r}.")
    parts = [_parse_parts(share, SHARES_PER_PERCENT) for share in shares]
    wrong = [share for share, part in zip(shares, parts, strict=True) if not part]
    if wrong:
        raise ValueError(f"a share is a percentage above 0, with two decimals at most; {wrong[0]!r} is none.")
    known = [part for part in parts if part]
    for place, (above, below) in enumerate(pairwise(known), start=2):
        if below > above:
            raise ValueError(f"place {place} has {shares[place - 1]} %, more than place {place - 1}: shares descend.")
    if sum(known) != 100 * SHARES_PER_PERCENT:
        raise ValueError(f"the shares come to {to_number(sum(known), SHARES_PER_PERCENT)} %; they come to 100 %.")
    if len(known) > max(fewest, 2):
        raise ValueError(
            f"{len(known)} places are paid where {max(fewest, 2)} may be all that play: fewer places, or a column for "
            "fewer players before it."
        )
    return PayoutColumn(players, tuple(known), cite)

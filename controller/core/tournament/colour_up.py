"""Colour-up: the smallest chips leave the table, by a race for the odd ones or by rounding up."""

from collections.abc import Mapping, Sequence

from controller.core.rules.questions.house.tournament_rules import OddChipExchange
from controller.core.values.cards import card_sort_key
from controller.core.values.seat_order import seats_from
from controller.core.values.value import Value


class ColourUpError(ValueError):
    """Chips that cannot be changed as asked; the message says why."""


class ColourUpResult(Value):
    """What a colour-up comes to: each seat's stack, and who got how many new chips for odd ones."""

    stack_by_seat: dict[int, int]
    awarded_by_seat: dict[int, int]


def count_odd_chips(stacks: Mapping[int, int], old: int, new: int) -> dict[int, int]:
    """How many chips of `old` each seat keeps when all that make whole new chips are changed directly.

    Raises `ColourUpError`.
    """
    if old < 1 or new <= old or new % old:
        raise ColourUpError(f"chips of {old} are changed into larger ones that are a multiple, not into {new}.")
    uneven = [seat for seat, stack in sorted(stacks.items()) if stack % old]
    if uneven:
        raise ColourUpError(f"seat {uneven[0]} has {stacks[uneven[0]]}, which chips of {old} and more cannot make.")
    return {seat: stack % new // old for seat, stack in stacks.items()}


def race_deal_order(odd: Mapping[int, int]) -> tuple[int, ...]:
    """To which seat each card of the race goes: all of a seat's own, clockwise from seat 1 [R7-15.tourn.10]."""
    return tuple(seat for seat in seats_from(odd, 1) for _ in range(odd[seat]))


def colour_up_stacks(
    rule: OddChipExchange, stacks: Mapping[int, int], old: int, new: int, cards: Sequence[str] = ()
) -> ColourUpResult:
    """Change all chips of `old` into `new` as the book says; `cards` are those of the race, in the order dealt."""
    odd = count_odd_chips(stacks, old, new)
    if rule is OddChipExchange.ROUND_UP:
        awarded = {seat: 1 for seat, count in odd.items() if count}
    else:
        only_odd = {seat for seat, stack in stacks.items() if 0 < stack < new}
        awarded = run_race(odd, new // old, cards, only_odd, one_each=rule is OddChipExchange.RACE_ONE)
    whole = {seat: stack - stack % new for seat, stack in stacks.items()}
    return ColourUpResult({seat: whole[seat] + awarded.get(seat, 0) * new for seat in sorted(stacks)}, awarded)


def run_race(
    odd: Mapping[int, int], need: int, cards: Sequence[str], only_odd: set[int], *, one_each: bool = False
) -> dict[int, int]:
    """How many new chips each seat gets for its odd ones [R7-15.tourn.10].

    The highest card by suit takes enough odd chips for one new chip, the next highest likewise. Nobody is eliminated:
    those of `only_odd` (who have no other chips) that would get nothing have a chip before anybody else. Of what is
    left the highest remaining card gets a chip if it is half of one or more.

    `one_each`: nobody is awarded more than one, and who would be raced out has one besides [TDA-24-A, WSOP-T-77].

    Raises `ColourUpError`.
    """
    places = race_deal_order(odd)
    if len(cards) != len(places) or len(set(cards)) != len(cards):
        raise ColourUpError(f"the race wants {len(places)} different cards, one for each odd chip, not {len(cards)}.")
    ranked = [seat for _, seat in sorted(zip(map(card_sort_key, cards), places, strict=True), reverse=True)]
    total = sum(odd.values())
    chips = total // need + (2 * (total % need) >= need and total % need > 0)
    if one_each:
        winners = list(dict.fromkeys(ranked))[:chips]
        return dict.fromkeys(sorted({*winners, *only_odd}), 1)
    saved: set[int] = set()
    while True:
        winners = [seat for seat in ranked if seat not in saved][: max(0, chips - len(saved))]
        broke = only_odd - saved - set(winners)
        if not broke:
            break
        saved |= broke
    awarded = dict.fromkeys(sorted(saved), 1)
    for seat in winners:
        awarded[seat] = awarded.get(seat, 0) + 1
    return awarded


class Purchase(Value):
    """The big stack takes `chips_taken` small chips of a seat, gives `chips_given` new ones, leaves `odd_chips`."""

    seat: int
    chips_taken: int
    chips_given: int
    odd_chips: int


def plan_big_stack_purchases(counts: Mapping[int, int], big: int, need: int) -> tuple[Purchase, ...]:
    """How the big stack buys the even amounts of everybody else; the odd ones are changed last [FC-10.play.2c, 2d]."""
    return tuple(
        Purchase(seat, count - count % need, count // need, count % need)
        for seat, count in sorted(counts.items())
        if seat != big and count
    )

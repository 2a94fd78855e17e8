"""Who opens the betting after the draw in draw high?"""

from collections.abc import Callable, Sequence

from controller.core.values.seat_order import seats_after, seats_from

DrawOpenerPolicy = Callable[[Sequence[int], int | None, int | None], Sequence[int]]
"""(seats in dealing order, who opened the pot, the last blind) -> the seats in acting order."""


def order_from_opener(order: Sequence[int], opened: int | None, last_blind: int | None) -> Sequence[int]:
    """The opener, or the next player clockwise [R7-12.intro]."""
    return tuple(order) if opened is None else seats_from(order, opened)


def order_after_last_blind(order: Sequence[int], opened: int | None, last_blind: int | None) -> Sequence[int]:
    """The first active player left of the last blind [AU-11.4(a)]."""
    return tuple(order) if last_blind is None else seats_after(order, last_blind)


POLICY_BY_NAME: dict[str, DrawOpenerPolicy] = {
    "who-opened": order_from_opener,
    "left-of-last-blind": order_after_last_blind,
}

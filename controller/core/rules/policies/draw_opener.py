"""Who opens the betting after the draw in draw high?"""

from collections.abc import Callable, Sequence

from controller.core.values.seat_order import after, from_

OpensAfterDraw = Callable[[Sequence[int], int | None, int | None], Sequence[int]]
"""(seats in dealing order, who opened the pot, the last blind) -> the seats in acting order."""


def who_opened(order: Sequence[int], opened: int | None, last_blind: int | None) -> Sequence[int]:
    """The opener, or the next player clockwise [R7-12.intro]."""
    return tuple(order) if opened is None else from_(order, opened)


def left_of_last_blind(order: Sequence[int], opened: int | None, last_blind: int | None) -> Sequence[int]:
    """The first active player left of the last blind [AU-11.4(a)]."""
    return tuple(order) if last_blind is None else after(order, last_blind)


ANSWERS: dict[str, OpensAfterDraw] = {"who-opened": who_opened, "left-of-last-blind": left_of_last_blind}

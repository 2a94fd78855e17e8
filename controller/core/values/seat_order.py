"""The order of seats: clockwise is ascending, and after the last comes the first."""

from collections.abc import Iterable


def seats_after(seats: Iterable[int], seat: int) -> tuple[int, ...]:
    """All of `seats` clockwise, beginning with the first one past `seat`, and `seat` itself, if it is there, last."""
    ordered = sorted(seats)
    return (*(s for s in ordered if s > seat), *(s for s in ordered if s <= seat))


def seats_from(seats: Iterable[int], seat: int) -> tuple[int, ...]:
    """All of `seats` clockwise, beginning with `seat` or, if it is not there, the first one past it."""
    ordered = sorted(seats)
    return (*(s for s in ordered if s >= seat), *(s for s in ordered if s < seat))


def rotate_after(ring: tuple[int, ...], seat: int) -> tuple[int, ...]:
    """The ring from the place after `seat` on, `seat` last."""
    place = ring.index(seat) + 1
    return ring[place:] + ring[:place]

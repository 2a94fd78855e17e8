"""Where the button and the blinds go, and who is dealt in.

Moving button: the button goes to the next player, the blinds adjust; whoever's turn at the big blind has come posts one,
so that there may be several [R7-4.blinds.2, HR-blinds.1]. Dead button: the big blind goes to the player due for it,
small blind and button follow to where the blinds were, even to an empty chair [FC-4.blinds.2, R7-15.tourn.30].
"""

from collections.abc import Iterable

from controller.core.clockwise import after
from controller.core.rules.table import BecomingHeadsUp, ButtonRule, HeadsUp, Mode
from controller.core.setup import Setup
from controller.core.state import Chair, Positions


def first(setup: Setup, seats: Iterable[int]) -> Positions:
    """The positions of the first hand, from where the table line puts the button (and the blinds)."""
    seats = tuple(seats)
    button = setup.button if setup.button is not None else min(seats)
    if setup.blind_seats is not None:
        small, big = setup.blind_seats
        return Positions(button, small, big, small in seats, (big,))
    return placed(setup, seats, button)


def placed(setup: Setup, seats: tuple[int, ...], button: int) -> Positions:
    """The blinds that go with a button, nobody's turn having come before."""
    ring = after(seats, button)
    if len(ring) == 2 and setup.rulebook.table.heads_up.value is HeadsUp.ON_BUTTON:
        small, big = ring[-1], ring[0]
    else:
        small, big = ring[0], ring[1 % len(ring)]
    return Positions(button, small, big, True, (big,))


def moved(setup: Setup, last: Positions, seats: tuple[int, ...], dealt_before: tuple[int, ...]) -> Positions:
    """The positions of the next hand; `seats` will be dealt in, `dealt_before` were in the last one."""
    becoming = setup.rulebook.table.becoming_heads_up.value
    if len(seats) == 2:
        if len(dealt_before) > 2 and becoming is BecomingHeadsUp.LAST_BIG_BLIND and last.big in seats:
            return placed(setup, seats, last.big)
        if setup.button_rule is ButtonRule.DEAD:
            big = after(seats, last.big)[0]
            button = next(seat for seat in seats if seat != big)
            return placed(setup, seats, button)
    if setup.button_rule is ButtonRule.DEAD:
        big = after(seats, last.big)[0]
        return Positions(last.small, last.big, big, last.big in seats and last.big != big, (big,))
    return _moving(setup, last, seats, dealt_before)


def _moving(setup: Setup, last: Positions, seats: tuple[int, ...], dealt_before: tuple[int, ...]) -> Positions:
    button = after(seats, last.button)[0]
    plain = placed(setup, seats, button)
    if len(seats) == 2:
        return plain
    due = between(last.big, plain.big, tuple(seat for seat in seats if seat in dealt_before))
    bigs = tuple(sorted({*due, plain.big}))
    return Positions(button, plain.small, plain.big, plain.small not in bigs, bigs)


def between(start: int, end: int, seats: Iterable[int]) -> tuple[int, ...]:
    """The seats strictly between two places, clockwise."""
    found = []
    for seat in after(seats, start):
        if seat in (start, end) or not _within(start, seat, end):
            continue
        found.append(seat)
    return tuple(found)


def _within(start: int, seat: int, end: int) -> bool:
    """Whether `seat` comes before `end`, going clockwise from `start`."""
    return start < seat < end if start < end else seat > start or seat < end


def dealt_in(setup: Setup, chair: Chair) -> bool:
    """Whether the chair's player takes part without any question of posting.

    In a tournament an absent player is always dealt a hand [R7-15.tourn.6, FC-10.absent.intro, MP-7.tourn.7].
    """
    if setup.tracked and not chair.stack:
        return False
    if chair.waits:
        return False
    return setup.mode is Mode.TOURNAMENT or not chair.away

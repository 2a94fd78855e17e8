"""Where the button and the blinds go.

Moving button: the button goes to the next player, the blinds adjust; whoever is due for the big blind posts one, so
that there may be several [R7-4.blinds.2, HR-blinds.1]. Dead button: the big blind goes to the player due for it,
small blind and button follow to where the blinds were, even to an empty chair [FC-4.blinds.2, R7-15.tourn.30].
"""

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType

from controller.core.model.positions import Positions
from controller.core.model.setup import Setup
from controller.core.rules.questions.house.people import FirstButton
from controller.core.rules.questions.house.table import BecomingHeadsUp, ButtonRule, HeadsUp
from controller.core.values.cards import by_suit
from controller.core.values.seat_order import after

NOBODY: Mapping[int, int | None] = MappingProxyType({})


def first(setup: Setup, seats: tuple[int, ...]) -> Positions:
    """The positions of the first hand, from where the table line puts the button (and the blinds).

    A moving button goes on to the next player where nobody plays at that chair by then, and so does a dead one from a
    chair that nobody had when the table was set up: nobody has had the button there.
    """
    button = setup.button if setup.button is not None else min(seats)
    if setup.blind_seats is not None:
        small, named = setup.blind_seats
        big = named if named in seats else after(seats, named)[0]
        return Positions(button, small, big, small in seats and small != big, (big,))
    had = setup.button_rule is ButtonRule.DEAD and any(place.seat == button for place in setup.seats)
    if button not in seats and not had:
        button = after(seats, button)[0]
    return placed(setup, seats, button)


def placed(setup: Setup, seats: tuple[int, ...], button: int) -> Positions:
    """The blinds that go with a button, nobody's turn having come before."""
    ring = after(seats, button)
    if setup.betting.single_blind:
        return Positions(button, ring[0], ring[0], False, (ring[0],))
    if len(ring) == 2 and setup.rulebook.table.heads_up.value is HeadsUp.ON_BUTTON:
        small, big = ring[-1], ring[0]
    else:
        small, big = ring[0], ring[1 % len(ring)]
    return Positions(button, small, big, True, (big,))


def moved(
    setup: Setup,
    last: Positions,
    seats: tuple[int, ...],
    heads_up_before: bool,
    entering: Collection[int] = (),
    had_big: Mapping[int, int | None] = NOBODY,
) -> Positions:
    """The positions of the next hand, in which `seats` will be dealt in; those `entering` have had no turn yet.

    `had_big`: seat -> the hand on which its player had the big blind last.
    """
    if len(seats) == 2:
        return _heads_up(setup, last, seats, heads_up_before, had_big)
    if setup.button_rule is ButtonRule.DEAD:
        big = after(seats, last.big)[0]
        if setup.betting.single_blind:
            return Positions(last.big, big, big, False, (big,))
        button = after(seats, last.big)[-2] if heads_up_before and last.big in seats else last.small
        return Positions(button, last.big, big, last.big in seats and last.big != big, (big,))
    staying = tuple(seat for seat in seats if seat not in entering)
    plain = placed(setup, seats, after(staying or seats, last.button)[0])
    due = between(last.big, plain.big, staying) if _advances(last, plain, setup.places) else ()
    bigs = tuple(sorted({*due, plain.big}))
    return Positions(plain.button, plain.small, plain.big, plain.small not in bigs, bigs)


def _advances(last: Positions, plain: Positions, places: int) -> bool:
    """Whether the big blind goes past where it was; with somebody new between button and blinds it need not."""

    def steps(start: int, end: int) -> int:
        return (end - start - 1) % places + 1

    return steps(last.button, plain.button) + steps(plain.button, plain.big) > steps(last.button, last.big)


def _heads_up(
    setup: Setup, last: Positions, seats: tuple[int, ...], heads_up_before: bool, had_big: Mapping[int, int | None]
) -> Positions:
    """Two players: by the moving button it goes on; else the big blind goes to the one whose turn is next.

    In FC who had the big blind most recently is given the button on becoming heads-up [FC-4.blinds.3#b], which is not
    the same where somebody came between who never had it.
    """
    becoming = not heads_up_before and setup.rulebook.table.becoming_heads_up.value is BecomingHeadsUp.LAST_BIG_BLIND
    if setup.button_rule is ButtonRule.MOVING and not becoming:
        return placed(setup, seats, after(seats, last.button)[0])
    one, two = (had_big.get(seat) or 0 for seat in seats)
    if becoming and one != two:
        return placed(setup, seats, seats[0] if one > two else seats[1])
    big, other = after(seats, last.big)
    on_button = setup.betting.single_blind or setup.rulebook.table.heads_up.value is HeadsUp.ON_BUTTON
    return placed(setup, seats, other if on_button else big)


def drawn(cards: Mapping[int, str], lowest: bool = False) -> int:
    """The seat that gets the first button: the highest card by suit, or the lowest [R7-2.seating.6, HR-general.1]."""
    return (min if lowest else max)(cards, key=lambda seat: by_suit(cards[seat]))


def drawn_for(rule: FirstButton) -> bool:
    """Whether cards are drawn for the first button."""
    return rule in (FirstButton.HIGH_CARD, FirstButton.HIGH_OR_LOW_CARD)


def begins(rule: FirstButton, places: int, cards: Mapping[int, str], low_game: bool) -> int:
    """Where the first button goes among the seats that drew `cards`; where none are drawn the cards do not matter.

    The dealer sits between the last place and seat 1, so that the player directly right has the highest number
    [AU-16.1(b)#b]. In FC's tournaments seat 1 deals first [FC-10.seating.2].
    """
    if rule is FirstButton.SEAT_ONE:
        return after(cards, places)[0]
    if rule is FirstButton.RIGHT_OF_DEALER:
        return max(cards)
    return drawn(cards, lowest=low_game and rule is FirstButton.HIGH_OR_LOW_CARD)


def dealt_for_seats(places: Iterable[int]) -> tuple[int, ...]:
    """To whom cards go that settle a seating question, when they are dealt: clockwise from the dealer's left.

    The button does not matter [R7-3.ties.2, HR-ties.2]; the dealer sits between the last place and seat 1.
    """
    return tuple(sorted(places))


def between(start: int, end: int, seats: Iterable[int]) -> tuple[int, ...]:
    """The seats strictly between two places, clockwise."""
    return tuple(seat for seat in after(seats, start) if seat not in (start, end) and _within(start, seat, end))


def passed(start: int, end: int, seat: int) -> bool:
    """Whether something that went clockwise from `start` to `end` went past `seat` or came to it."""
    return start != end and (seat == end or (seat != start and _within(start, seat, end)))


def _within(start: int, seat: int, end: int) -> bool:
    """Whether `seat` comes before `end`, going clockwise from `start`; from a place to itself is once round."""
    return start < seat < end if start < end else seat > start or seat < end

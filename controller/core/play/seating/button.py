"""Where the button and the blinds go.

Moving button: the button goes to the next player, the blinds adjust; whoever is due for the big blind posts one, so
that there may be several [R7-4.blinds.2, HR-blinds.1]. Dead button: the big blind goes to the player due for it,
small blind and button follow to where the blinds were, even to an empty chair [FC-4.blinds.2, R7-15.tourn.30].

Of several blinds each goes to the player on the left of the one before, the last is the big one [AU-11.1(c)(ii)]. By a
moving button they all start anew from it; by a dead one each goes to the chair of the next. Where fewer play than there
are blinds, everybody has one and the first ones fall away.
"""

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType

from controller.core.model.positions import Positions
from controller.core.model.setup import Setup, Stakes
from controller.core.rules.questions.house.people_rules import FirstButton
from controller.core.rules.questions.house.table_rules import ButtonRule, HeadsUpButton, HeadsUpSmallBlind
from controller.core.values.cards import card_sort_key
from controller.core.values.seat_order import seats_after
from controller.core.values.value import replace

NO_BIG_BLINDS_HAD: Mapping[int, int | None] = MappingProxyType({})


def first_positions(setup: Setup, seats: tuple[int, ...]) -> Positions:
    """The positions of the first hand, from where the table line puts the button (and the blinds).

    A moving button goes on to the next player where nobody plays at that chair by then, and so does a dead one from a
    chair that nobody had when the table was set up: nobody has had the button there.
    """
    button = setup.button if setup.button is not None else min(seats)
    if setup.blind_seats is not None:
        small, *middle, named = setup.blind_seats
        big = named if named in seats else seats_after(seats, named)[0]
        return Positions(button, small, big, small in seats and small != big, (big,), tuple(middle))
    had = setup.button_rule is ButtonRule.DEAD and any(place.seat == button for place in setup.players)
    if button not in seats and not had:
        button = seats_after(seats, button)[0]
    return positions_from_button(setup, seats, button)


def positions_from_button(setup: Setup, seats: tuple[int, ...], button: int) -> Positions:
    """The blinds that go with a button, nobody's turn having come before."""
    ring = seats_after(seats, button)
    if not setup.stakes.has_usual_blinds:
        return _several_from_button(setup, ring, button)
    if setup.stakes.has_single_blind:
        return Positions(button, ring[0], ring[0], False, (ring[0],))
    if len(ring) == 2 and setup.rulebook.table.heads_up.value is HeadsUpSmallBlind.ON_BUTTON:
        small, big = ring[-1], ring[0]
    else:
        small, big = ring[0], ring[1 % len(ring)]
    return Positions(button, small, big, True, (big,))


def _several_from_button(setup: Setup, ring: tuple[int, ...], button: int) -> Positions:
    """Each blind left of the one before, from the left of the button or from the button itself.

    Heads-up with two or more the last but one is on the button where the book has the small blind there. The only blind
    is never dead: from a button at which nobody plays it goes on to the next player, and the button with it.
    """
    on_button = setup.stakes.is_first_blind_on_button
    count = _count_posted(setup.stakes, ring)
    if on_button and count == 1 and button not in ring:
        button = ring[0]
    if len(ring) == count == 2:
        on_button = on_button or setup.rulebook.table.heads_up.value is HeadsUpSmallBlind.ON_BUTTON
    others = tuple(seat for seat in ring if seat != button)
    chairs = ((button, *others) if on_button else (*others, button))[:count]
    return _place_blinds(button, chairs, ring)


def _count_posted(stakes: Stakes, seats: Collection[int]) -> int:
    """How many blinds are posted: no player posts two."""
    return min(len(stakes.blinds), len(seats))


def _place_blinds(
    button: int, chairs: tuple[int, ...], seats: Collection[int], bigs: tuple[int, ...] | None = None
) -> Positions:
    """The positions by the chairs of the blinds: a chair is dead whose player is not dealt in or posts a big blind."""
    bigs = chairs[-1:] if bigs is None else bigs
    small = chairs[0]
    is_posted = len(chairs) > 1 and small in seats and small not in bigs
    return Positions(button, small, chairs[-1], is_posted, bigs, chairs[1:-1])


def next_positions(
    setup: Setup,
    last: Positions,
    seats: tuple[int, ...],
    heads_up_before: bool,
    entering: Collection[int] = (),
    had_big: Mapping[int, int | None] = NO_BIG_BLINDS_HAD,
) -> Positions:
    """The positions of the next hand, in which `seats` will be dealt in; those `entering` have had no turn yet.

    `had_big`: seat -> the hand on which its player had the big blind last.
    """
    setup = _keep_blind_places(setup, last)
    if len(seats) == 2:
        return _heads_up_positions(setup, last, seats, heads_up_before, had_big)
    if setup.button_rule is ButtonRule.DEAD:
        if not setup.stakes.has_usual_blinds or _had_other_blinds(setup, last):
            return _several_dead(setup, last, seats)
        big = seats_after(seats, last.big_blind)[0]
        if setup.stakes.has_single_blind:
            return Positions(last.big_blind, big, big, False, (big,))
        button = (
            seats_after(seats, last.big_blind)[-2] if heads_up_before and last.big_blind in seats else last.small_blind
        )
        return Positions(button, last.big_blind, big, last.big_blind in seats and last.big_blind != big, (big,))
    staying = tuple(seat for seat in seats if seat not in entering)
    plain = positions_from_button(setup, seats, seats_after(staying or seats, last.button)[0])
    due = (
        seats_between(last.big_blind, plain.big_blind, staying)
        if _is_big_blind_advancing(last, plain, setup.seat_count)
        else ()
    )
    bigs = tuple(sorted({*due, plain.big_blind}))
    if not setup.stakes.has_usual_blinds:
        return _place_blinds(plain.button, plain.blind_chairs, seats, bigs)
    return Positions(plain.button, plain.small_blind, plain.big_blind, plain.small_blind not in bigs, bigs)


def _keep_blind_places(setup: Setup, last: Positions) -> Setup:
    """In a rotation a game without blinds moves the places of as many as the game before had."""
    if setup.stakes.blinds or not _had_other_blinds(setup, last):
        return setup
    places = replace(
        setup.stakes,
        small_blind=int(len(last.blind_chairs) > 1),
        middle_blinds=(1,) * len(last.middle_blinds),
        big_blind=1,
        is_first_blind_on_button=last.small_blind == last.button,
    )
    return setup.replace_stakes(places)


def _had_other_blinds(setup: Setup, last: Positions) -> bool:
    """Whether the hand before, of another game or level, had more than two blinds, or one on the button."""
    began_on_button = last.small_blind == last.button
    return bool(last.middle_blinds) or (
        began_on_button and any(entry.stakes.is_first_blind_on_button for entry in setup.rotation)
    )


def _several_dead(setup: Setup, last: Positions, seats: tuple[int, ...]) -> Positions:
    """The dead button with other than the usual two blinds: all go one chair on, the big blind to the next player.

    With more blinds than on the hand before, or somebody new between them whom the big blind has gone past, the places
    before fall to the players on the right.
    """
    count = _count_posted(setup.stakes, seats)
    big = seats_after(seats, last.big_blind)[0]
    moved = (*last.blind_chairs, big)
    chairs: tuple[int, ...] = (big,)
    for chair in reversed(moved[-count:-1]):
        if chair in chairs:
            break
        chairs = (chair, *chairs)
    found = len(chairs) == count
    while len(chairs) < count:
        chairs = (next(seat for seat in _seats_before(seats, chairs[0]) if seat not in chairs), *chairs)
    if setup.stakes.is_first_blind_on_button:
        return _place_blinds(chairs[0], chairs, seats)
    button = moved[-count - 1] if found and len(moved) > count else _seats_before(seats, chairs[0])[0]
    return _place_blinds(button, chairs, seats)


def _seats_before(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    """All other seats counterclockwise, beginning on the right of `seat`."""
    return tuple(other for other in reversed(seats_after(seats, seat)) if other != seat)


def _is_big_blind_advancing(last: Positions, plain: Positions, places: int) -> bool:
    """Whether the big blind goes past where it was; with somebody new between button and blinds it need not."""

    def steps(start: int, end: int) -> int:
        return (end - start - 1) % places + 1

    return steps(last.button, plain.button) + steps(plain.button, plain.big_blind) > steps(last.button, last.big_blind)


def _heads_up_positions(
    setup: Setup, last: Positions, seats: tuple[int, ...], heads_up_before: bool, had_big: Mapping[int, int | None]
) -> Positions:
    """Two players: by the moving button it goes on; else the big blind goes to the one whose turn is next.

    In FC who had the big blind most recently is given the button on becoming heads-up [FC-4.blinds.3#b], which is not
    the same where somebody came between who never had it.
    """
    becoming = not heads_up_before and setup.rulebook.table.becoming_heads_up.value is HeadsUpButton.LAST_BIG_BLIND
    if setup.button_rule is ButtonRule.MOVING and not becoming:
        return positions_from_button(setup, seats, seats_after(seats, last.button)[0])
    one, two = (had_big.get(seat) or 0 for seat in seats)
    if becoming and one != two:
        return positions_from_button(setup, seats, seats[0] if one > two else seats[1])
    big, other = seats_after(seats, last.big_blind)
    stakes, on_button = setup.stakes, setup.rulebook.table.heads_up.value is HeadsUpSmallBlind.ON_BUTTON
    if stakes.is_first_blind_on_button:
        return positions_from_button(setup, seats, big if stakes.has_single_blind else other)
    return positions_from_button(setup, seats, other if on_button or stakes.has_single_blind else big)


def find_draw_winner(cards: Mapping[int, str], lowest: bool = False) -> int:
    """The seat that gets the first button: the highest card by suit, or the lowest [R7-2.seating.6, HR-general.1]."""
    return (min if lowest else max)(cards, key=lambda seat: card_sort_key(cards[seat]))


def is_button_drawn_for(rule: FirstButton) -> bool:
    """Whether cards are drawn for the first button."""
    return rule in (FirstButton.HIGH_CARD, FirstButton.HIGH_OR_LOW_CARD)


def find_first_button(rule: FirstButton, places: int, cards: Mapping[int, str], low_game: bool) -> int:
    """Where the first button goes among the seats that drew `cards`; where none are drawn the cards do not matter.

    The dealer sits between the last place and seat 1, so that the player directly right has the highest number
    [AU-16.1(b)#b]. In FC's tournaments seat 1 deals first [FC-10.seating.2].
    """
    if rule is FirstButton.SEAT_ONE:
        return seats_after(cards, places)[0]
    if rule is FirstButton.RIGHT_OF_DEALER:
        return max(cards)
    return find_draw_winner(cards, lowest=low_game and rule is FirstButton.HIGH_OR_LOW_CARD)


def seat_draw_order(places: Iterable[int]) -> tuple[int, ...]:
    """To whom cards go that settle a seating question, when they are dealt: clockwise from the dealer's left.

    The button does not matter [R7-3.ties.2, HR-ties.2]; the dealer sits between the last place and seat 1.
    """
    return tuple(sorted(places))


def seats_between(start: int, end: int, seats: Iterable[int]) -> tuple[int, ...]:
    """The seats strictly between two places, clockwise."""
    return tuple(
        seat for seat in seats_after(seats, start) if seat not in (start, end) and _is_between(start, seat, end)
    )


def has_passed(start: int, end: int, seat: int) -> bool:
    """Whether something that went clockwise from `start` to `end` went past `seat` or came to it."""
    return start != end and (seat == end or (seat != start and _is_between(start, seat, end)))


def _is_between(start: int, seat: int, end: int) -> bool:
    """Whether `seat` comes before `end`, going clockwise from `start`; from a place to itself is once round."""
    return start < seat < end if start < end else seat > start or seat < end

"""The start of a hand: who is dealt in, where the button goes, forced money, the deal on the plan."""

from controller.core import blinds, button, stretch
from controller.core.cards import deck
from controller.core.clockwise import after
from controller.core.errors import Refused
from controller.core.piles import Piles
from controller.core.setup import Setup
from controller.core.state import Chair, Hand, Positions, State
from controller.core.tournament.stakes import at_level


def start(state: State) -> None:
    """Begin the next hand: the button moves, blinds and antes post themselves, the plan reaches the first act."""
    before = state.copy()
    before.before = None
    before.hand = None
    before.dealt = state.hand.order if state.hand else ()
    state.dealt = before.dealt
    state.before = before
    state.number += 1
    if state.level:
        stacks = [chair.stack for chair in state.chairs.values() if chair.stack is not None]
        level = state.setup.levels[state.level]
        state.setup = state.setup.at_stakes(at_level(state.setup.betting, level, stacks))
    deal(state, *taking_part(state))


def redeal(state: State, at: int | None) -> None:
    """Deal the hand again as if it had not begun, from the same button or from the seat `at`; it keeps its number."""
    before = state.before
    assert before is not None
    state.chairs, state.positions = before.chairs, before.positions
    positions, seats, posting = taking_part(state)
    if at is not None:
        positions = button.placed(state.setup, seats, at)
    deal(state, positions, seats, posting)


def deal(state: State, positions: Positions, seats: tuple[int, ...], posting: tuple[Chair, ...]) -> None:
    """Lay out a hand at given positions."""
    setup = state.setup
    _passed_over(state, positions, seats)
    state.positions = positions
    order = after(seats, positions.button) if setup.game.button else tuple(sorted(seats))
    blinded = bool(setup.betting.big_blind or setup.betting.small_blind) and setup.game.button
    hand = Hand(
        number=state.number,
        setup=setup,
        order=order,
        button=positions.button if setup.game.button else None,
        small=positions.small if blinded and positions.small_posts and setup.betting.small_blind else None,
        big=positions.bigs if blinded and setup.betting.big_blind else (),
        piles=Piles(len(deck(setup.deck, setup.joker))),
        stacks={seat: state.chairs[seat].stack or 0 for seat in order} if setup.tracked else {},
        live=order,
    )
    blinds.post(hand, posting)
    for chair in posting:
        state.chairs = {**state.chairs, chair.seat: chair.with_(owes_small=False, owes_big=False, fresh=False)}
    for seat in order:
        chair = state.chairs[seat]
        if chair.waits or chair.posts or chair.fresh or chair.moved:
            settled = chair.with_(waits=False, posts=False, fresh=False, moved=False)
            state.chairs = {**state.chairs, seat: settled}
    state.hand = hand
    state.clock = None
    stretch.begin(hand)


def taking_part(state: State) -> tuple[Positions, tuple[int, ...], tuple[Chair, ...]]:
    """The positions, the seats to be dealt in, and the chairs among them that post to come in."""
    setup = state.setup
    regular = tuple(seat for seat, chair in sorted(state.chairs.items()) if button.dealt_in(setup, chair))
    if state.positions is None or not setup.game.button:
        joining = tuple(seat for seat, chair in sorted(state.chairs.items()) if _can_play(setup, chair))
        _enough(joining)
        return _positions(state, joining), joining, ()
    due = _due_for_big(state, regular)
    regular = tuple(sorted({*regular, *due}))
    _enough(regular)
    positions = _positions(state, regular)
    posting = tuple(
        chair
        for seat, chair in sorted(state.chairs.items())
        if chair.waits and chair.posts and seat not in regular and _can_play(setup, chair)
        if seat not in positions.bigs and not _between_button_and_big(positions, seat)
    )
    return positions, tuple(sorted({*regular, *(chair.seat for chair in posting)})), posting


def _due_for_big(state: State, regular: tuple[int, ...]) -> tuple[int, ...]:
    """Waiting chairs that the big blind reaches with this hand."""
    assert state.positions is not None
    candidates = {*regular, *(s for s, c in state.chairs.items() if c.waits and _can_play(state.setup, c))}
    if len(candidates) < 2:
        return ()
    positions = button.moved(state.setup, state.positions, tuple(sorted(candidates)), _last_order(state))
    return tuple(seat for seat in positions.bigs if seat not in regular)


def _can_play(setup: Setup, chair: Chair) -> bool:
    return not chair.away and bool(chair.stack or not setup.tracked)


def _between_button_and_big(positions: Positions, seat: int) -> bool:
    """Where nobody enters and no blind is made up [R7-4.blinds.8, HR-blinds.7]."""
    return seat == positions.small or seat in button.between(positions.button, positions.big, (seat,))


def _positions(state: State, seats: tuple[int, ...]) -> Positions:
    if state.positions is None:
        return button.first(state.setup, seats)
    return button.moved(state.setup, state.positions, seats, _last_order(state))


def _last_order(state: State) -> tuple[int, ...]:
    return state.dealt


def _enough(seats: tuple[int, ...]) -> None:
    if len(seats) < 2:
        raise Refused("too-few-players", f"a hand needs two players who can be dealt in; there are {len(seats)}.")


def _passed_over(state: State, positions: Positions, seats: tuple[int, ...]) -> None:
    """Note which absent players the blinds pass with this hand."""
    last = state.positions
    if last is None or not state.setup.game.button:
        return
    for seat, chair in state.chairs.items():
        if seat in seats or not chair.away:
            continue
        big = seat in button.between(last.big, positions.big, (seat,)) or seat == positions.big
        small = seat in button.between(last.small, positions.small, (seat,)) or seat == positions.small
        if big or small:
            owing = chair.with_(owes_big=chair.owes_big or big, owes_small=chair.owes_small or small)
            state.chairs = {**state.chairs, seat: owing}

"""What each entry does to the hand: cards, acts, draws, the showdown, confirmed steps, time, devices."""

from controller.core import blinds, dealing, draws, kill, opening, passed_out, showdown, stretch
from controller.core import twice as twice_
from controller.core.events import (
    Act,
    Card,
    Chop,
    Clock,
    Device,
    Do,
    Done,
    Draw,
    Muck,
    Report,
    Show,
    Start,
    Status,
    Time,
    Twice,
    Undo,
    What,
    Where,
    Won,
)
from controller.core.findings import boxed, deck, openers, stud, turns, undue
from controller.core.findings import clock as clocks
from controller.core.hand import Hand
from controller.core.refusals import not_now
from controller.core.rulings import Ruling
from controller.core.start import start as begin
from controller.core.state import State
from controller.core.steps import Act as ActStep
from controller.core.steps import Award, Cut, Deal, Discard, Move, Post, Return, Shuffle

CONFIRMED = (Return, Shuffle, Cut, Move, Discard, Post, Award)
"""Steps that the dealer confirms."""

HARMLESS = ("lamps", "panel", "display", "seat", "board", "muck")
"""How devices are named whose loss stops no card, where the news does not say it: all others halt the table."""


def start(state: State, event: Start) -> tuple[Ruling, ...]:  # noqa: ARG001 (one signature for all entries)
    """The first riffle."""
    counted = deck.counted(state)
    lay = state.hand.piles.named() if state.hand is not None else frozenset()
    rulings = begin(state)
    state.hand_in_play.lay_before = lay
    return (*counted, *rulings)


def card(state: State, event: Card) -> tuple[Ruling, ...]:
    """A card left the shoe."""
    hand = state.hand_in_play
    finding = deck.strange(hand, event)
    if finding is not None:
        return deck.left(state, event, finding)
    if isinstance(hand.plan[0], Discard):
        dealing.discarded(hand, event)
        return ()
    if not isinstance(hand.plan[0], dealing.WANTS_CARD):
        return undue.left(hand, event)
    if event.face_up:
        step = dealing.lay(hand, event)
        return boxed.boxed(state, hand.piles.left, step)
    dealing.fulfil(hand, event)
    return ()


def act(state: State, event: Act) -> tuple[Ruling, ...]:
    """A seat acted."""
    hand = state.hand_in_play
    if event.do is Do.STRADDLE:
        if not isinstance(hand.plan[0], Deal):
            raise not_now(state, "act straddle")
        blinds.straddle(hand, event.seat)
        hand.plan = tuple(step for step in hand.plan if not isinstance(step, ActStep))
        stretch.extend(hand)
        return ()
    if event.do is Do.KILL:
        if not isinstance(hand.plan[0], Deal):
            raise not_now(state, "act kill")
        kill.volunteer(hand, event.seat)
        hand.plan = tuple(step for step in hand.plan if not isinstance(step, ActStep))
        stretch.extend(hand)
        return ()
    first = hand.plan[0]
    if not isinstance(first, ActStep):
        raise not_now(state, "act")
    if event.do is Do.OPEN:
        opening.declare(hand, event.seat)
        hand.plan = hand.plan[:-1]
        state.clock = None
        stretch.extend(hand)
        return ()
    if event.do is Do.ALL_IN and stud.declares_all_in(hand, event):
        return stud.declared(hand, event)
    if stud.brings_in_wrongly(hand, event):
        return stud.brought_in_wrongly(hand, event)
    if event.seat != first.seat:
        return turns.out_of_turn(state, event)
    return turns.in_turn(state, event)


def draw(state: State, event: Draw) -> tuple[Ruling, ...]:
    """A seat says how many cards it exchanges."""
    hand = state.hand_in_play
    draws.draw(hand, event)
    stretch.extend(hand)
    return ()


def show(state: State, event: Show) -> tuple[Ruling, ...]:
    """A seat tables its hand, in which there may be a joker that the deck does not have."""
    hand = state.hand_in_play
    if showdown.is_joker_shown(hand, event):
        rulings = deck.joker(state, Report(What.JOKER, seat=event.seat, where=Where.HAND))
        stretch.extend(state.hand_in_play)
        return rulings
    showdown.show(hand, event)
    rulings = openers.proved(hand, event.seat)
    stretch.extend(hand)
    return rulings


def muck(state: State, event: Muck) -> tuple[Ruling, ...]:
    """A seat gives its hand up."""
    hand = state.hand_in_play
    showdown.muck(hand, event)
    stretch.extend(hand)
    return ()


def won(state: State, event: Won) -> tuple[Ruling, ...]:
    """The dealer names a winner."""
    showdown.won(state.hand_in_play, event)
    return ()


def twice(state: State, event: Twice) -> tuple[Ruling, ...]:
    """Those in the pot agree to deal the rest more than once."""
    hand = state.hand_in_play
    ruling = twice_.agreed(hand, event)
    stretch.extend(hand)
    return (ruling,)


def done(state: State, event: Done) -> tuple[Ruling, ...]:  # noqa: ARG001
    """The dealer confirms the first step."""
    hand = state.hand_in_play
    step = hand.plan[0]
    if not isinstance(step, CONFIRMED):
        raise not_now(state, "done")
    if isinstance(step, Award):
        showdown.pay(hand, step)
        hand.plan = hand.plan[1:]
        if not hand.plan:
            _end(state, hand)
        return ()
    dealing.carry_out(hand, step)
    hand.plan = hand.plan[1:]
    stretch.extend(hand)
    return ()


def chop(state: State, event: Chop) -> tuple[Ruling, ...]:  # noqa: ARG001
    """The blinds take their bets back: the hand is over, with no board."""
    hand = state.hand_in_play
    blinds.chop(hand)
    _end(state, hand)
    return ()


def _end(state: State, hand: Hand) -> None:
    """The last award is pushed: stacks go back to the chairs; who has none left frees the chair."""
    state.before = None
    state.won_last = next(iter(hand.main_pot_to)) if len(hand.main_pot_to) == 1 else None
    kill.settle(state, hand)
    passed_out.over(state)
    hand.paid, hand.dead, hand.live = {}, 0, ()
    if not hand.setup.tracked:
        return
    chairs = dict(state.chairs)
    for seat, stack in hand.stacks.items():
        if seat not in chairs:
            continue
        if stack:
            chairs[seat] = chairs[seat].changed(stack=stack)
        else:
            state.gone = {**state.gone, seat: chairs.pop(seat).changed(stack=0, lost=(state.level, state.number))}
    state.chairs = chairs


def clock(state: State, event: Clock) -> tuple[Ruling, ...]:
    """Time is called on the seat that is to act."""
    return clocks.called(state, event)


def time(state: State, event: Time) -> tuple[Ruling, ...]:
    """Nothing but time passes, which may be that of the player on whom the clock runs."""
    return clocks.expired(state) if clocks.runs_out(state, event) else ()


def undo(state: State, event: Undo) -> tuple[Ruling, ...]:  # noqa: ARG001
    """Taken back by the table itself, which keeps the states before each entry."""
    return ()


def pass_time(state: State, t: float) -> tuple[Ruling, ...]:
    """Time has come to `t` before the event."""
    return clocks.passed(state, t)


def device(state: State, event: Device) -> tuple[Ruling, ...]:
    """News of a device: a fault of one that the deal depends on halts the table until it is mended."""
    down = {*state.down}
    mends = {Status.BACK: (Status.LOST, Status.JAM), Status.LID_CLOSED: (Status.LID_OPEN,)}
    if event.status in mends:
        down -= {f"{event.id} {fault.value}" for fault in mends[event.status]}
    elif event.needed or (event.needed is None and not event.id.startswith(HARMLESS)):
        down |= {f"{event.id} {event.status.value}"}
    state.down = tuple(sorted(down))
    return ()

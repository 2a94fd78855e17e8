"""What each entry does to the hand: cards, acts, draws, the showdown, confirmed steps, time, devices."""

from controller.core.irregularities.common import unexpected_card
from controller.core.irregularities.conduct import absent_player, chips_and_words, out_of_turn, told_by_rounds
from controller.core.irregularities.conduct import time_called as clocks
from controller.core.irregularities.deck import defective_deck
from controller.core.irregularities.draw import false_openers, thrown_away
from controller.core.irregularities.hands import boxed
from controller.core.irregularities.remedies import blind_pick
from controller.core.irregularities.stud import stud_deal
from controller.core.model.hand import Hand
from controller.core.model.setup import Follow
from controller.core.model.state import State
from controller.core.play.betting import carried_pot, whole_round
from controller.core.play.deal import draws, fulfil, hand_for_hand, planner
from controller.core.play.deal.start_hand import start as begin
from controller.core.play.opening import declared_open
from controller.core.play.posting import blinds, kill_pots
from controller.core.play.refusals import not_now
from controller.core.play.showdown import run_it_twice as twice_
from controller.core.play.showdown import showdown
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import (
    Act,
    Amend,
    Card,
    Chop,
    Clock,
    Closed,
    Device,
    Done,
    Draw,
    Motion,
    Muck,
    Report,
    Show,
    Start,
    Time,
    Twice,
    Undo,
    Won,
)
from controller.core.protocol.steps import Act as ActStep
from controller.core.protocol.steps import Award, Bet, Deal, Discard, FromShoe, Hold, Return, Say, Turn
from controller.core.protocol.steps import Floor as FloorStep
from controller.core.protocol.steps import Show as ShowStep
from controller.core.protocol.vocabulary import (
    Do,
    Status,
    What,
    Where,
)
from controller.core.rules.rulings import Ruling
from controller.core.values.chair import DealtOn
from controller.core.values.value import replace

HARMLESS = ("lamps", "panel", "display", "seat", "board", "muck")
"""How devices are named whose loss stops no card, where the news does not say it: all others halt the table."""


def start(state: State, event: Start) -> tuple[Ruling, ...]:
    """The first riffle."""
    counted = defective_deck.counted(state)
    lay = state.hand.cards.piles.named() if state.hand is not None else frozenset()
    rulings = begin(state, event.bomb_pot or 0, alone=event.alone)
    state.hand_in_play.cards = replace(state.hand_in_play.cards, lay_before=lay)
    return (*counted, *rulings)


def card(state: State, event: Card) -> tuple[Ruling, ...]:
    """A card left the shoe; raises `Refused` (`not-now`) while an all-in hand waits for the floor."""
    hand = state.hand_in_play
    if hand.plan.due(Hold):
        raise not_now(state, "card")
    thrown_away.comes_back(hand, event)
    finding = defective_deck.strange(hand, event)
    if finding is not None:
        return defective_deck.left(state, event, finding)
    if hand.plan.due(Discard):
        fulfil.discarded(hand, event)
        return ()
    if not hand.plan.due(FromShoe):
        return boxed.not_due(state, event) if event.face_up else unexpected_card.left(hand, event)
    if event.face_up:
        step = fulfil.lay(hand, event)
        return boxed.boxed(state, hand.cards.piles.left, step)
    fulfil.fulfil(hand, event)
    return ()


def act(state: State, event: Act | Motion) -> tuple[Ruling, ...]:
    """A seat acted; raises `Refused` (`not-now`)."""
    hand = state.hand_in_play
    if isinstance(event, Motion):
        return _motion(state, hand, event)
    if event.do is Do.STRADDLE:
        if not hand.plan.due(Deal):
            raise not_now(state, "act straddle")
        blinds.straddle(hand, event.seat, event.to)
        hand.plan = hand.plan.without(Turn)
        planner.extend(hand)
        return ()
    if event.do is Do.KILL:
        if not hand.plan.due(Deal):
            raise not_now(state, "act kill")
        kill_pots.volunteer(hand, event.seat)
        hand.plan = hand.plan.without(Turn)
        planner.extend(hand)
        return ()
    asked = hand.plan.due(Say)
    if asked and asked.concerns == event.seat and event.do is Do.FOLD:
        hand.plan = hand.plan.done()
    if hand.plan.due(Bet):
        return _fact(state, hand, event)
    turn = hand.plan.due(ActStep)
    if turn is None:
        raise not_now(state, "act")
    if event.do is Do.OPEN:
        declared_open.declare(hand, event.seat)
        hand.plan = hand.plan.without_last()
        state.time = replace(state.time, clock=None)
        planner.extend(hand)
        return ()
    if event.do is Do.ALL_IN and stud_deal.declares_all_in(hand, event):
        return stud_deal.declared(hand, event)
    if stud_deal.brings_in_wrongly(hand, event):
        return stud_deal.brought_in_wrongly(hand, event)
    wrong = stud_deal.follows_wrong_opener(state, event)
    if wrong is not None:
        return (*stud_deal.wrong_opener_stands(state, wrong), *act(state, event))
    if event.seat != turn.seat:
        return out_of_turn.out_of_turn(state, event)
    return out_of_turn.in_turn(state, event)


def _motion(state: State, hand: Hand, event: Motion) -> tuple[Ruling, ...]:
    """A seat pushed chips forward or spoke: the book says what it has done, and it acts so."""
    waiting = hand.plan.due(FloorStep)
    if waiting is not None and waiting.question == chips_and_words.UNDERCALL:
        return (chips_and_words.in_a_row(state, waiting, event),)
    turn = hand.plan.due(ActStep)
    if turn is None:
        raise not_now(state, "act")
    if turn.seat != event.seat:
        raise Refused("not-your-turn", f"seat {event.seat} is not to act: enter with `do` what it did out of turn.")
    rulings, made = chips_and_words.made(state, event)
    return rulings if made is None else (*rulings, *act(state, made))


def _fact(state: State, hand: Hand, event: Act) -> tuple[Ruling, ...]:
    """A seat of a round that is told as a whole has acted; nobody is out of turn."""
    whole_round.fact(hand, event)
    if state.time.clock is not None and state.time.clock.seat == event.seat:
        state.time = replace(state.time, clock=None)
    hand.plan = hand.plan.done()
    planner.extend(hand)
    return ()


def closed(state: State, event: Closed) -> tuple[Ruling, ...]:  # noqa: ARG001
    """The betting of the round is over; a card that the dealer is asked about had its time then.

    Raises `Refused` (`not-now`).
    """
    hand = state.hand_in_play
    if hand.cards.undue and hand.plan.due(Say):
        hand.plan = hand.plan.done()
    if not hand.plan.due(Bet):
        raise not_now(state, "closed")
    state.time = replace(state.time, clock=None)
    rulings = absent_player.at_the_close(state, hand)
    if len(hand.betting.live) == 1:
        return rulings
    if whole_round.is_in_doubt(hand):
        return (*rulings, told_by_rounds.ask_whether_opened(hand))
    whole_round.over(hand)
    unexpected_card.after_the_round(hand)
    return rulings


def draw(state: State, event: Draw) -> tuple[Ruling, ...]:
    """A seat says how many cards it exchanges."""
    hand = state.hand_in_play
    draws.draw(hand, event)
    planner.extend(hand)
    return ()


def show(state: State, event: Show) -> tuple[Ruling, ...]:
    """A seat tables its hand, in which there may be a joker that the deck does not have."""
    hand = state.hand_in_play
    if showdown.is_joker_shown(hand, event):
        rulings = defective_deck.joker(state, Report(What.JOKER, seat=event.seat, where=Where.HAND))
        planner.extend(state.hand_in_play)
        return rulings
    showdown.show(hand, event)
    rulings = false_openers.proved(hand, event.seat)
    planner.extend(hand)
    return rulings


def muck(state: State, event: Muck) -> tuple[Ruling, ...]:
    """A seat gives its hand up."""
    hand = state.hand_in_play
    showdown.muck(hand, event)
    planner.extend(hand)
    return ()


def won(state: State, event: Won) -> tuple[Ruling, ...]:
    """The dealer names a winner."""
    showdown.won(state.hand_in_play, event)
    return ()


def twice(state: State, event: Twice) -> tuple[Ruling, ...]:
    """Those in the pot agree to deal the rest more than once."""
    hand = state.hand_in_play
    ruling = twice_.agreed(hand, event)
    planner.extend(hand)
    return (ruling,)


def done(state: State, event: Done) -> tuple[Ruling, ...]:
    """The dealer confirms the first step; raises `Refused` (`not-now`, `unused-key`)."""
    hand = state.hand_in_play
    step = hand.plan[0]
    if hand.plan.due(ShowStep) and hand.setup.follow is Follow.ROUNDS and event.card is None:
        return _shown(state, hand)
    if not step.confirmed:
        raise not_now(state, "done")
    back, award = hand.plan.due(Return), hand.plan.due(Award)
    if back and back.among:
        step = blind_pick.picked(hand, back, event.card)
    elif event.card is not None:
        raise Refused("unused-key", "`done` uses `card` only where a card is picked blind; leave it out.")
    if award:
        showdown.pay(hand, award)
        hand.plan = hand.plan.done()
        if not hand.plan:
            _end(state, hand)
        return ()
    fulfil.carry_out(hand, step)
    hand.plan = hand.plan.done()
    planner.extend(hand)
    return ()


def _shown(state: State, hand: Hand) -> tuple[Ruling, ...]:
    """Told by rounds, the showdown is one step, too: hands have been turned up, and the pot pushed if no card comes.

    Nobody says whose cards were shown, so none of them counts as shown. Raises `Refused` (`winner-unknown`).
    """
    showdown.over_unseen(hand)
    if not hand.plan:
        _end(state, hand)
    return ()


def chop(state: State, event: Chop) -> tuple[Ruling, ...]:  # noqa: ARG001
    """The blinds take their bets back: the hand is over, with no board."""
    hand = state.hand_in_play
    blinds.chop(hand)
    _end(state, hand)
    return ()


def _end(state: State, hand: Hand) -> None:
    """The last award is pushed: stacks go back to the chairs; who has none left frees the chair."""
    state.over, state.before = state.before, None
    state.kill = replace(
        state.kill, won_last=next(iter(hand.showdown.main_pot_to)) if len(hand.showdown.main_pot_to) == 1 else None
    )
    kill_pots.settle(state, hand)
    carried_pot.over(state)
    hand_for_hand.over(state)
    hand.chips = replace(hand.chips, paid={}, dead=0)
    hand.betting = replace(hand.betting, live=())
    if not hand.setup.tracked:
        return
    chairs = dict(state.seating.chairs)
    for seat, stack in hand.chips.stacks.items():
        if seat not in chairs:
            continue
        if stack:
            chairs[seat] = replace(chairs[seat], stack=stack)
        else:
            state.seating = replace(
                state.seating,
                gone={
                    **state.seating.gone,
                    seat: replace(chairs.pop(seat), stack=0, lost=DealtOn(state.tournament.level, state.number)),
                },
            )
    state.seating = replace(state.seating, chairs=chairs)


def clock(state: State, event: Clock) -> tuple[Ruling, ...]:
    """Time is called on the seat that is to act."""
    return clocks.called(state, event)


def time(state: State, event: Time) -> tuple[Ruling, ...]:
    """Nothing but time passes, which may be that of the player on whom the clock runs."""
    return clocks.expired(state) if clocks.runs_out(state, event) else ()


def undo(state: State, event: Undo) -> tuple[Ruling, ...]:  # noqa: ARG001
    """Taken back by the table itself, which keeps the states before each entry."""
    return ()


def amend(state: State, event: Amend) -> tuple[Ruling, ...]:  # noqa: ARG001
    """Played again by the table itself, which keeps what was entered."""
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

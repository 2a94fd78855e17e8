"""Time called on a player, and what becomes of one who lets it pass."""

from controller.core.irregularities.conduct import turn_order
from controller.core.irregularities.remedies import plan_edits
from controller.core.model.hand import Hand
from controller.core.model.plan import Plan
from controller.core.model.setup import BettingStructure
from controller.core.model.table_state import RunningClock, TableState
from controller.core.play.betting.legal_actions import find_legal_actions
from controller.core.play.dealing import draws
from controller.core.play.refusal_messages import describe_first_step
from controller.core.protocol.events import ChipMotion, ClockCalled, DrawRequested, Event
from controller.core.protocol.events import PlayerActed as ActEvent
from controller.core.protocol.steps import ActStep, BettingStep, DrawStep
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import ActionType
from controller.core.rules import ruling_sentences as said
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.piles import hand_place
from controller.core.values.plurals import pluralize
from controller.core.values.value import replace

CLOCK_EXPIRED_FINDING = "clock-expired"
LIMIT_STRUCTURES = (BettingStructure.FIXED_LIMIT, BettingStructure.SPREAD_LIMIT)


def call_clock(state: TableState, event: ClockCalled) -> tuple[Ruling, ...]:
    """Time is called on the seat that is to act or to draw.

    Raises `Refused` (`not-your-turn`, `clock-runs`, `no-extension`).
    """
    if event.is_extension:
        return _extend_clock(state, event.seat)
    if not is_waiting_for_seat(state, event.seat):
        first = describe_first_step(state)
        raise Refused("not-your-turn", f"time can be called on the seat that is to act or to draw: {first}.")
    if state.time.clock is not None:
        raise Refused(
            "clock-runs", f"the clock runs on seat {event.seat} already, until second {state.time.clock.ends_at_s:g}."
        )
    book = state.setup.rulebook.clock
    given = book.seconds.value if event.seconds is None else event.seconds + book.warning.value
    state.time = replace(state.time, clock=RunningClock(event.seat, state.time.time_s + given))
    return ()


def _extend_clock(state: TableState, seat: int) -> tuple[Ruling, ...]:
    """The seat spends a time extension [WSOP-T-80, TDA-RP-19]."""
    shot, clock, rule = state.setup.shot_clock, state.time.clock, state.setup.rulebook.clock.shot
    if shot is None or clock is None or clock.seat != seat:
        raise Refused("no-extension", f"no shot clock runs on seat {seat} that could be extended.")
    player, seated = (
        state.seating.state_by_seat[seat].player,
        {chair.player for chair in state.seating.state_by_seat.values()},
    )
    spent = state.time.extension_count_by_player.get(player, 0)
    if spent >= shot.extensions:
        raise Refused("no-extension", f"seat {seat} has spent its {pluralize(shot.extensions, 'time extension')}.")
    kept = {name: count for name, count in state.time.extension_count_by_player.items() if name in seated}
    state.time = replace(
        state.time,
        clock=RunningClock(seat, clock.ends_at_s + shot.seconds),
        extension_count_by_player={**kept, player: spent + 1},
    )
    left = shot.extensions - spent - 1
    sentence = said.TIME_EXTENDED.format(seat=seat, seconds=shot.seconds, count=left)
    return (build_ruling("clock", Verdict.PLAY_ON, rule, sentence, seat),)


def start_shot_clock(state: TableState) -> None:
    """Where there is a shot clock it begins with every decision [WSOP-T-80]."""
    shot, turn = state.setup.shot_clock, state.plan.next_step_if(ActStep)
    if shot is not None and turn is not None and state.time.clock is None and not state.faults:
        state.time = replace(state.time, clock=RunningClock(turn.seat, state.time.time_s + shot.seconds))


def is_waiting_for_seat(state: TableState, seat: int) -> bool:
    """Whether the table waits for nothing but an act or a draw of the seat."""
    draw = state.plan.next_step_if(DrawStep)
    if draw is not None:
        return seat in find_drawing_seats(state.plan, draw) and not state.faults
    turn = state.plan.next_step_if(BettingStep)
    return turn is not None and seat in turn.awaited_seats and not state.faults


def find_drawing_seats(plan: Plan, first: DrawStep) -> tuple[int, ...]:
    """Who may draw now: the first to be asked, or all whom the street has throw cards away, in any order."""
    return tuple(step.seat for step in plan.steps_of_type(DrawStep) if step.street_index == first.street_index)


def has_clock_run_out(state: TableState, event: Event) -> bool:
    """Whether the clock has run out when the event happens; an act of the seat itself may come in the last instant."""
    if state.time.clock is None or event.time_s is None or not is_waiting_for_seat(state, state.time.clock.seat):
        return False
    seat, until = state.time.clock
    return (
        event.time_s > until
        if isinstance(event, (ActEvent, ChipMotion, DrawRequested)) and event.seat == seat
        else event.time_s >= until
    )


def advance_time(state: TableState, t: float) -> tuple[Ruling, ...]:
    """Time has come to `t`. It does not count against a seat that cannot act, because something else is due first."""
    elapsed = t - state.time.time_s
    state.time = replace(state.time, time_s=t)
    if state.time.clock is None:
        return ()
    seat, until = state.time.clock
    if state.hand is None or not state.plan or seat not in state.hand.betting.live_seats:
        state.time = replace(state.time, clock=None)
    elif not is_waiting_for_seat(state, seat):
        state.time = replace(state.time, clock=RunningClock(seat, until + elapsed))
    return ()


def rule_on_expired_clock(state: TableState) -> tuple[Ruling, ...]:
    """The time of the seat on whom it was called is over: it is dead facing a bet, else it may be checked.

    A draw faces no bet: where a hand is checked, one that is to draw stands pat.
    """
    assert state.time.clock is not None
    hand, (seat, _) = state.hand_in_play, state.time.clock
    state.time = replace(state.time, clock=None)
    if asked := hand.plan.next_step_if(DrawStep):
        return _rule_on_expired_draw(hand, seat, asked)
    book = hand.setup.rulebook.clock
    rule = book.kills_limit if hand.setup.stakes.structure in LIMIT_STRUCTURES else book.kills_big_bet
    facing = hand.round is not None and hand.round.current_bet > hand.chips.bet_by_seat.get(seat, 0)
    turn = hand.plan.next_step_if(ActStep)
    if (
        not facing
        and book.checks.value
        and turn is not None
        and ActionType.CHECK.value in find_legal_actions(hand, seat).actions
    ):
        sentence = said.TIME_OVER_CHECKED.format(seat=seat)
        noted = build_ruling(CLOCK_EXPIRED_FINDING, Verdict.BIND, book.checks, sentence, seat)
        return (noted, *turn_order.act_in_turn(state, ActEvent(seat, ActionType.CHECK)))
    if not facing or not rule.value:
        sentence = said.TIME_OVER_STILL_TO_ACT.format(seat=seat)
        return (build_ruling(CLOCK_EXPIRED_FINDING, Verdict.PLAY_ON, rule, sentence, seat),)
    plan_edits.kill_hand(hand, seat)
    sentence = said.TIME_OVER_DEAD.format(seat=seat)
    return (build_ruling(CLOCK_EXPIRED_FINDING, Verdict.DEAD_HAND, rule, sentence, seat),)


def _rule_on_expired_draw(hand: Hand, seat: int, asked: DrawStep) -> tuple[Ruling, ...]:
    """The time of a seat that is to draw, or to throw a card away, is over: nobody has bet at it."""
    book, held = hand.setup.rulebook.clock, len(hand.cards.piles.cards_at(hand_place(seat)))
    discards = hand.setup.game.streets[asked.street_index].discard_count
    if book.checks.value and not discards and held <= draws.starting_hand_size(hand):
        draws.draw(hand, DrawRequested(seat, 0))
        hand.draw = replace(hand.draw, hand_before_draw=None)  # the number cannot be changed any more
        sentence = said.TIME_OVER_STANDS_PAT.format(seat=seat)
        return (build_ruling(CLOCK_EXPIRED_FINDING, Verdict.BIND, book.checks, sentence, seat),)
    limit = hand.setup.stakes.structure in LIMIT_STRUCTURES
    rule = book.kills_limit if limit else book.kills_big_bet
    template = said.TIME_OVER_STILL_TO_DISCARD if discards else said.TIME_OVER_STILL_TO_DRAW
    sentence = template.format(seat=seat)
    return (build_ruling(CLOCK_EXPIRED_FINDING, Verdict.PLAY_ON, rule, sentence, seat),)

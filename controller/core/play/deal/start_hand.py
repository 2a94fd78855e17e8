"""The start of a hand: who is dealt in, where the button goes, forced money, the deal on the plan."""

from dataclasses import replace
from typing import Any

from controller.core.model.hand import Hand
from controller.core.model.positions import Positions
from controller.core.model.state import State
from controller.core.play.betting import blinds, kill_pots
from controller.core.play.deal import planner, tournament_levels
from controller.core.play.opening import carried_pot
from controller.core.play.seating import button, single_blind
from controller.core.play.seating.lineup import Lineup, lineup
from controller.core.rules.questions.rule import Rule
from controller.core.rules.questions.table import ButtonRule
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.tournament.stakes import at_level
from controller.core.values.cards import deck
from controller.core.values.chair import Chair
from controller.core.values.piles import Piles
from controller.core.values.seat_order import after


def start(state: State) -> tuple[Ruling, ...]:
    """Begin the next hand: the button moves, blinds and antes post themselves, the plan reaches the first act."""
    tournament_levels.refuse_in_break(state)
    before = state.copy()
    before.before = before.hand = before.previous = None
    before.dealt = state.hand.order if state.hand else ()
    state.dealt = before.dealt
    state.before = before
    state.number += 1
    if state.level != state.level_from[0]:
        state.level_from = (state.level, state.number)
    if state.level:
        stacks = [chair.stack for chair in state.chairs.values() if chair.stack is not None]
        level = state.setup.levels[state.level]
        state.setup = state.setup.at_stakes(at_level(state.setup.betting, level, stacks))
    found = lineup(state)
    deal(state, found)
    tournament_levels.goes_on(state)
    return (*_button_explained(state, found.positions), *_barred_explained(state, found))


def redeal(state: State, at: int | None) -> None:
    """Deal the hand again as if it had not begun, from the same button or from the seat `at`; it keeps its number.

    Who left or went away meanwhile has done so; who sat down meanwhile was no part of the hand and waits for the next.
    """
    before = state.before
    assert before is not None
    late = {seat: chair for seat, chair in state.chairs.items() if seat not in before.chairs}
    state.chairs = {
        seat: chair.changed(away=state.chairs[seat].away)
        for seat, chair in before.chairs.items()
        if seat in state.chairs and state.chairs[seat].player == chair.player
    }
    state.positions, state.began, state.gone = before.positions, before.began, before.gone
    state.button_due, state.button_had = before.button_due, before.button_had
    state.blind_due, state.blind_taken = before.blind_due, before.blind_taken
    if at is not None:
        state.button_due = at
    deal(state, lineup(state))
    state.chairs = {**state.chairs, **late}


def deal(state: State, found: Lineup) -> None:
    """Lay out a hand as it was found who plays it and where."""
    setup, positions, seats = state.setup, found.positions, found.seats
    if state.button_due is None:
        _passed_over(state, positions, seats)
    _first_round(state, positions)
    if state.button_had is not None and state.button_due is None and state.positions is not None:
        had = button.passed(state.positions.button, positions.button, state.button_had)
        state.button_had = None if had else state.button_had
    state.positions, state.button_due = positions, None
    order = after(seats, positions.button) if setup.game.button else tuple(sorted(seats))
    blinded = bool(setup.betting.big_blind or setup.betting.small_blind) and setup.game.button
    setup = carried_pot.stakes(state, setup)
    if state.no_antes:
        setup = setup.at_stakes(replace(setup.betting, ante=0))
    required = state.kills if state.kills in order else None
    entering = next((chair.seat for chair in found.posting if kill_pots.comes_in_by(setup, chair)), None)
    killer = entering if required is None else required
    times = kill_pots.of_entry(setup) if required is None and entering is not None else kill_pots.halves(setup)
    pledging = (seat for seat in order if state.chairs[seat].pledges)
    state.pledged = next(pledging, None) if required is not None else None
    bigs, said = single_blind.taken(state, setup, positions.bigs, order)
    hand = Hand(
        number=state.number,
        setup=setup if killer is None else kill_pots.killed(setup, times),
        order=order,
        button=positions.button if setup.game.button else None,
        small=positions.small if blinded and positions.small_posts and setup.betting.small_blind else None,
        big=bigs if blinded and setup.betting.big_blind else (),
        piles=Piles(len(deck(setup.deck, setup.joker))),
        stacks={seat: state.chairs[seat].stack or 0 for seat in order} if setup.tracked else {},
        live=order,
        killer=killer,
        kill=times,
        must_kill=required is not None,
        paid=dict(state.matched),
        dead=state.carried - sum(state.matched.values()),
        winner=state.won_last if dict(setup.house).get("position_poker") and state.won_last in order else None,
    )
    blinds.post(hand, found.posting, carried_pot.missed_antes(state, order))
    kill_pots.post(hand)
    hand.said = (*hand.said, *said)
    state.chairs = {seat: _settled(chair, seat in order) for seat, chair in state.chairs.items()}
    state.hand = hand
    state.clock = None
    planner.begin(hand)


def _settled(chair: Chair, dealt: bool) -> Chair:
    """The chair once this hand is dealt: debts are posted, or waited out till the big blind [R7-4.blinds.10]."""
    if dealt:
        return chair.entered()
    if chair.hold > 1:
        return chair.changed(hold=chair.hold - 1)
    if chair.hold == 1:
        return chair.changed(hold=0, waits=False, posts=False, fresh=False)
    return chair


def _passed_over(state: State, positions: Positions, seats: tuple[int, ...]) -> None:
    """Note whom the blinds pass with this hand: who is away, who has come back and waits, who went broke.

    A newcomer who waits misses nothing [R7-4.blinds.6]. Who dealt off lets the blinds pass once [R7-4.blinds.15].
    With the first hand the blinds come from the button: who drew for it is in the game [R7-4.blinds.13a].
    """
    stakes = state.setup.betting
    if not state.setup.game.button or not (stakes.big_blind or stakes.small_blind):
        return
    last = state.positions or Positions(positions.button, positions.button, positions.small, False, ())

    def noted(chair: Chair) -> Chair:
        seat = chair.seat
        big = button.passed(last.big, positions.big, seat)
        small = button.passed(last.small, positions.small, seat)
        if chair.fresh or chair.hold or not (big or small):
            return chair
        if chair.free > 1:
            return chair.changed(free=1) if small else chair
        if chair.free and not big:
            return chair
        return chair.changed(owes_big=chair.owes_big or big, owes_small=chair.owes_small or small, free=0)

    state.chairs = {
        seat: noted(chair) if seat not in seats and (chair.away or chair.waits) else chair
        for seat, chair in state.chairs.items()
    }
    state.gone = {seat: noted(chair) for seat, chair in state.gone.items() if seat not in state.chairs}


def _first_round(state: State, positions: Positions) -> None:
    """In a new game, remember where the button began until it has been round once [R7-4.blinds.13b]."""
    if state.positions is None:
        state.began = positions.button if state.setup.new_game else None
    elif state.began is not None and button.passed(state.positions.button, positions.button, state.began):
        state.began = None


def _button_explained(state: State, positions: Positions) -> tuple[Ruling, ...]:
    """Say why the button stands before nobody, why nobody has the small blind, why there are two big blinds."""
    hand = state.hand_in_play
    setup = state.setup
    table = setup.rulebook.table
    rule = setup.for_mode(table.button_cash, table.button_tournament)
    if hand.button is None or not hand.big:
        return ()
    if setup.button_rule is ButtonRule.MOVING:
        if len(positions.bigs) < 2:
            return ()
        seats = " and ".join(f"seat {seat}" for seat in positions.bigs)
        return (ruled("moving-button", Verdict.PLAY_ON, rule, f"{seats} are all due for the big blind and post one"),)
    dead = []
    if hand.button not in hand.order:
        dead.append(f"the button is dead, before seat {hand.button}")
    if not positions.small_posts:
        dead.append(f"nobody is due for the small blind, which was to be posted at seat {positions.small}")
    if not dead:
        return ()
    sentence = f"the big blind is due at seat {positions.big}; {', and '.join(dead)}"
    return (ruled("dead-button", Verdict.PLAY_ON, rule, sentence),)


def _barred_explained(state: State, found: Lineup) -> tuple[Ruling, ...]:
    """Say to those who would come in between the big blind and the button why they wait."""
    book = state.setup.rulebook
    rule: Rule[Any] = state.setup.for_mode(book.people.enter_behind_blind, book.tournament.moved)
    place = state.setup.for_mode("between the big blind and the button", "on the small blind or the button")
    sentence = f"seat {{}} sits {place}: it waits until the button has passed"
    barred = tuple(ruled("entry", Verdict.PLAY_ON, rule, sentence.format(seat), seat) for seat in found.barred)
    sentence = "the pot is killed already, and only once a deal: seat {} waits for the next one"
    one = book.kill.one
    return (*barred, *(ruled("entry", Verdict.PLAY_ON, one, sentence.format(seat), seat) for seat in found.second))

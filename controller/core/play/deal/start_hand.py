"""The start of a hand: who is dealt in, where the button goes, forced money, the deal on the plan."""

from controller.core.model.hand import Hand, HandBetting, HandCards, HandChips, HandHold, HandKill, HandPositions
from controller.core.model.positions import Positions
from controller.core.model.setup import Setup
from controller.core.model.state import State
from controller.core.play.betting import carried_pot, pots
from controller.core.play.deal import (
    bomb_pot,
    hand_for_hand,
    mixed_games,
    planner,
    tournament_levels,
    without_opponents,
)
from controller.core.play.posting import blinds, kill_pots
from controller.core.play.seating import button, single_blind
from controller.core.play.seating.lineup import Lineup, lineup
from controller.core.protocol.errors import Refused
from controller.core.protocol.steps import Turn
from controller.core.rules.questions.house.table import ButtonRule
from controller.core.rules.questions.house.tournament import Moved
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.cards import deck
from controller.core.values.chair import Chair, DealtOn, FreeEntry
from controller.core.values.piles import Piles
from controller.core.values.seat_order import after
from controller.core.values.value import replace


def start(state: State, bomb: int = 0, *, alone: bool = False) -> tuple[Ruling, ...]:
    """Begin the next hand: the button moves, blinds and antes post themselves, the plan reaches the first act.

    `bomb`: what everybody antes for a bomb pot; 0: it is none. `alone`: there is one player only, and no deal.
    """
    one = without_opponents.present(state) if alone else None
    tournament_levels.refuse_in_break(state)
    hand_for_hand.begins(state)
    before = state.copy()
    before.before = before.over = before.hand = None
    before.undo = replace(before.undo, previous=None)
    before.dealt = state.hand.order if state.hand else ()
    state.dealt = before.dealt
    state.before, state.over = before, None
    state.number += 1
    changed = mixed_games.comes_next(state)
    if state.tournament.level != state.tournament.level_from.level:
        state.tournament = replace(state.tournament, level_from=DealtOn(state.tournament.level, state.number))
    if state.tournament.level:
        stacks = [chair.stack for chair in state.seating.chairs.values() if chair.stack is not None]
        level = state.setup.levels[state.tournament.level]
        state.setup = state.setup.at_stakes(state.setup.betting.at_level(level, stacks))
    state.button = replace(state.button, bomb=0)
    said = (bomb_pot.agreed(state, bomb),) if bomb else ()
    found = _who_plays(state)
    mixed_games.dealt(state, found.seats)
    deal(state, found)
    if one is not None:
        said = (*said, without_opponents.wins(state.hand_in_play, one))
    tournament_levels.goes_on(state)
    return (*changed, *said, *_button_explained(state, found), *_barred_explained(state, found))


def _who_plays(state: State) -> Lineup:
    return bomb_pot.lineup(state) if state.button.bomb else lineup(state)


def not_over(state: State) -> None:
    """The last award is void with its hand: the table stands as before it, but for who came or went since.

    Raises `Refused` (`not-now`) where another game was named since.
    """
    before = state.over
    assert before is not None
    last = state.hand_in_play.setup.game
    if last != state.setup.game:
        raise Refused("not-now", f"the last hand was {last.title}: name that game again (`game`) to deal it again.")
    now, gone = state.seating.chairs, state.seating.gone
    back = {seat: chair for seat, chair in before.seating.chairs.items() if seat in now or seat in gone}
    back = {seat: chair for seat, chair in back.items() if seat not in now or now[seat].player == chair.player}
    chairs = {**now, **{seat: replace(c, away=now[seat].away) if seat in now else c for seat, c in back.items()}}
    state.seating = replace(state.seating, chairs=dict(sorted(chairs.items())))
    state.kill, state.carried_pot = before.kill, before.carried_pot
    state.before, state.over = before, None


def redeal(state: State, at: int | None) -> None:
    """Deal the hand again as if it had not begun, from the same button or from the seat `at`; it keeps its number.

    Who left or went away meanwhile has done so; who sat down meanwhile was no part of the hand and waits for the next.
    """
    before = state.before
    assert before is not None
    late = {seat: chair for seat, chair in state.seating.chairs.items() if seat not in before.seating.chairs}
    state.seating = replace(
        state.seating,
        chairs={
            seat: replace(
                chair,
                away=state.seating.chairs[seat].away,
                penalty=max(chair.penalty, state.seating.chairs[seat].penalty),
            )
            for seat, chair in before.seating.chairs.items()
            if seat in state.seating.chairs and state.seating.chairs[seat].player == chair.player
        },
    )
    state.button = replace(state.button, positions=before.button.positions, began=before.button.began)
    state.seating = replace(state.seating, gone=before.seating.gone)
    state.button = replace(state.button, due=before.button.due, had=before.button.had)
    state.single_blind = replace(state.single_blind, due=before.single_blind.due, taken=before.single_blind.taken)
    if at is not None:
        state.button = replace(state.button, due=at)
    absent = state.hand_in_play.betting.absent_before
    absent |= {seat for seat, chair in before.seating.chairs.items() if chair.away}
    deal(state, _who_plays(state))
    hand = state.hand_in_play
    hand.betting = replace(hand.betting, absent_before=absent & set(hand.order))
    state.seating = replace(state.seating, chairs={**state.seating.chairs, **late})


def deal(state: State, found: Lineup) -> None:
    """Lay out a hand as it was found who plays it and where."""
    setup, positions, seats = state.setup, found.positions, found.seats
    if state.button.bomb:
        _deal(state, found, bomb_pot.begun_on_the_flop(setup, state.button.bomb))
        return
    if state.button.due is None:
        _passed_over(state, positions, seats)
    if setup.game.button:
        _first_round(state, positions)
    if state.button.had is not None and state.button.due is None and state.button.positions is not None:
        had = button.passed(state.button.positions.button, positions.button, state.button.had)
        state.button = replace(state.button, had=None if had else state.button.had)
    state.button = replace(state.button, due=None)
    if setup.game.button:
        state.button = replace(state.button, positions=positions, waits=None)
    _deal(state, found, setup)
    state.seating = replace(
        state.seating, chairs={seat: _settled(chair, seat in seats) for seat, chair in state.seating.chairs.items()}
    )
    hand = state.hand_in_play
    bigs_had = {seat: replace(state.seating.chairs[seat], had_big=state.number) for seat in hand.positions.big}
    state.seating = replace(state.seating, chairs={**state.seating.chairs, **bigs_had})


def _deal(state: State, found: Lineup, setup: Setup) -> None:
    """Post what is due and put the deal on the plan, at the game and stakes of the hand."""
    positions, seats = found.positions, found.seats
    order = after(seats, positions.button) if setup.game.button else tuple(sorted(seats))
    blinded = bool(setup.betting.big_blind or setup.betting.small_blind) and setup.game.button
    setup = carried_pot.stakes(state, setup)
    if state.tournament.no_antes:
        setup = setup.at_stakes(replace(setup.betting, ante=0))
    required = state.kill.due if state.kill.due in order else None
    entering = next((chair.seat for chair in found.posting if kill_pots.comes_in_by(setup, chair)), None)
    killer = entering if required is None else required
    times = kill_pots.of_entry(setup) if required is None and entering is not None else kill_pots.halves(setup)
    pledging = (seat for seat in order if state.seating.chairs[seat].pledges)
    state.kill = replace(state.kill, pledged=next(pledging, None) if required is not None else None)
    due = positions.bigs if found.buyer is None else (found.buyer,)
    bigs, said = single_blind.taken(state, setup, due, order)
    last = state.kill.won_last
    hand = Hand(
        number=state.number,
        setup=setup if killer is None else kill_pots.killed(setup, times),
        order=order,
        positions=HandPositions(
            button=positions.button if setup.game.button else None,
            small=positions.small if blinded and positions.small_posts and setup.betting.small_blind else None,
            big=bigs if blinded and setup.betting.big_blind else (),
            winner=last if dict(setup.house).get("position_poker") and last in order else None,
        ),
        cards=HandCards(Piles(len(deck(setup.deck, setup.joker)))),
        chips=HandChips(
            stacks={seat: state.seating.chairs[seat].stack or 0 for seat in order} if setup.tracked else {},
            paid=dict(state.carried_pot.matched),
            dead=state.carried_pot.chips - sum(state.carried_pot.matched.values()),
        ),
        betting=HandBetting(live=order),
        kill=HandKill(killer, times, required is not None),
        hold=HandHold(state.tournament.hand_for_hand),
    )
    blinds.post(hand, found.posting, carried_pot.missed_antes(state, order))
    if found.buyer is not None and setup.tracked:
        pots.dead_post(hand, found.buyer, setup.betting.small_blind)
    kill_pots.post(hand)
    hand.said = (*hand.said, *said)
    state.hand = hand
    state.time = replace(state.time, clock=None)
    planner.begin(hand)
    if found.straddler is not None:
        blinds.straddle(hand, found.straddler)
        hand.plan = hand.plan.without(Turn)
        planner.extend(hand)


def _settled(chair: Chair, dealt: bool) -> Chair:
    """The chair once this hand is dealt: debts are posted, or waited out till the big blind [R7-4.blinds.10]."""
    if dealt:
        return chair.entered()
    if chair.hold > 1:
        return replace(chair, hold=chair.hold - 1)
    if chair.hold == 1:
        return replace(chair, hold=0, waits=False, posts=False, fresh=False)
    return chair


def _passed_over(state: State, positions: Positions, seats: tuple[int, ...]) -> None:
    """Note whom the blinds pass with this hand: who is away, who has come back and waits, who went broke.

    A newcomer who waits misses nothing [R7-4.blinds.6]. Who dealt off lets the blinds pass once [R7-4.blinds.15].
    With the first hand the blinds come from the button: who drew for it is in the game [R7-4.blinds.13a].
    """
    stakes = state.setup.betting
    if not state.setup.game.button or not (stakes.big_blind or stakes.small_blind):
        return
    last = state.button.positions or Positions(positions.button, positions.button, positions.small, False, ())

    def noted(chair: Chair) -> Chair:
        seat = chair.seat
        big = button.passed(last.big, positions.big, seat)
        small = button.passed(last.small, positions.small, seat)
        if chair.fresh or chair.hold or not (big or small):
            return chair
        if chair.free is FreeEntry.BLINDS_TO_PASS:
            return replace(chair, free=FreeEntry.BUTTON_TO_PASS) if small else chair
        if chair.free and not big:
            return chair
        return replace(chair, owes_big=chair.owes_big or big, owes_small=chair.owes_small or small, free=FreeEntry.NONE)

    state.seating = replace(
        state.seating,
        chairs={
            seat: noted(chair) if seat not in seats and (chair.away or chair.waits) else chair
            for seat, chair in state.seating.chairs.items()
        },
    )
    state.seating = replace(
        state.seating,
        gone={seat: noted(chair) for seat, chair in state.seating.gone.items() if seat not in state.seating.chairs},
    )


def _first_round(state: State, positions: Positions) -> None:
    """In a new game, remember where the button began until it has been round once [R7-4.blinds.13b]."""
    if state.button.positions is None:
        state.button = replace(state.button, began=positions.button if state.setup.new_game else None)
    elif state.button.began is not None and button.passed(
        state.button.positions.button, positions.button, state.button.began
    ):
        state.button = replace(state.button, began=None)


def _button_explained(state: State, found: Lineup) -> tuple[Ruling, ...]:
    """Say why the button stands before nobody, why nobody has the small blind, why there are two big blinds."""
    hand, positions = state.hand_in_play, found.positions
    setup = state.setup
    table = setup.rulebook.table
    if found.buyer is not None:
        sentence = (
            f"seat {found.buyer} buys the button: it alone posts, both blinds, and has the button on the next hand"
        )
        return (ruled("buys-button", Verdict.PLAY_ON, setup.rulebook.people.buys_button, sentence, found.buyer),)
    rule = setup.for_mode(table.button_cash, table.button_tournament)
    if hand.positions.button is None or not hand.positions.big:
        return ()
    if setup.button_rule is ButtonRule.MOVING:
        if len(positions.bigs) < 2:
            return ()
        seats = " and ".join(f"seat {seat}" for seat in positions.bigs)
        return (ruled("moving-button", Verdict.PLAY_ON, rule, f"{seats} are all due for the big blind and post one"),)
    dead = []
    if hand.positions.button not in hand.order:
        dead.append(f"the button is dead, before seat {hand.positions.button}")
    if not positions.small_posts:
        dead.append(f"nobody is due for the small blind, which was to be posted at seat {positions.small}")
    if not dead:
        return ()
    sentence = f"the big blind is due at seat {positions.big}; {', and '.join(dead)}"
    return (ruled("dead-button", Verdict.PLAY_ON, rule, sentence),)


def _barred_explained(state: State, found: Lineup) -> tuple[Ruling, ...]:
    """Say to those who would come in between the big blind and the button why they wait."""
    book = state.setup.rulebook
    behind: Rule[object] = state.setup.for_mode(book.people.enter_behind_blind, book.tournament.moved)

    def waits(seat: int) -> Ruling:
        came = state.seating.chairs[seat].moved
        rule = state.setup.for_mode(book.people.must_move_free, behind) if came else behind
        place = "on the small blind or the button" if came else "between the big blind and the button"
        place = state.setup.for_mode(place, "on the small blind or the button")
        sentence = f"seat {seat} sits {place}: it waits until the button has passed"
        if behind.value is Moved.NOT_BEHIND_THE_BUTTON:
            sentence = f"seat {seat} sits between the button and the small blind: it waits for the next hand"
        return ruled("entry", Verdict.PLAY_ON, rule, sentence, seat)

    barred = tuple(waits(seat) for seat in found.barred)
    sentence = "the pot is killed already, and only once a deal: seat {} waits for the next one"
    one = book.kill.one
    return (*barred, *(ruled("entry", Verdict.PLAY_ON, one, sentence.format(seat), seat) for seat in found.second))

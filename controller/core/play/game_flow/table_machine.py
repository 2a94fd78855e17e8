"""The life of a table: at rest, in a hand, waiting for the floor, in a break; and the one place that ends a hand.

The stage is stored in `TableState`, so that `undo`, an amendment and a snapshot bring it back with the rest. Before the
`table` line there is no state, so that a closed table is no stage. Faults of devices stand beside it. A break may begin
in a hand or while the table waits: `TableTournament.is_on_break` says so until the table comes to it.
"""

from controller.core.model.table_state import TableStage, TableState
from controller.core.play.betting import carried_pot
from controller.core.play.game_flow import house_account
from controller.core.play.posting import kill_pots
from controller.core.play.showdown import knockouts
from controller.core.values.seat_state import TournamentDeal
from controller.core.values.state_machine import StateMachine, TransitionRow
from controller.core.values.value import replace

SECONDS_PER_MINUTE = 60.0


def is_play_allowed(state: TableState) -> bool:
    """Whether the floor has not halted play."""
    return not state.tournament.is_halted


def are_hands_left(state: TableState) -> bool:
    """Whether the last hand of the day has not been dealt."""
    return state.tournament.hands_left != 0


def must_wait_for_floor(state: TableState) -> bool:
    """Whether play is hand for hand: whatever ends the hand, all tables finish theirs [TDA-RP-8-A, WSOP-T-126.a]."""
    return state.tournament.is_hand_for_hand


def is_on_break(state: TableState) -> bool:
    """Whether the break after the level is on."""
    return state.tournament.is_on_break


def count_hand(state: TableState) -> None:
    """One hand less is left, where they are counted."""
    left = state.tournament.hands_left
    if left is not None:
        state.tournament = replace(state.tournament, hands_left=left - 1)


def settle_hand(state: TableState) -> None:
    """The hand is over: stacks go back to the chairs, or, where nobody opened it, its pot stays for the next one."""
    house_account.settle_account(state)
    if state.hand_in_play.openers.is_passed_out:
        carried_pot.carry_pot_over(state)
    else:
        _settle_chairs(state)


def _settle_chairs(state: TableState) -> None:
    """The last award is pushed: stacks go back to the chairs; who has none left frees the chair."""
    hand = state.hand_in_play
    state.state_before_last_hand, state.state_before_hand = state.state_before_hand, None
    state.kill = replace(
        state.kill,
        last_winner=next(iter(hand.showdown.main_pot_winners)) if len(hand.showdown.main_pot_winners) == 1 else None,
    )
    kill_pots.update_kill_button(state, hand)
    carried_pot.clear_carried_pot(state)
    if hand.setup.tracks_amounts:
        hand.showdown = replace(hand.showdown, knockouts=knockouts.find_knockouts(hand))
    hand.chips = replace(hand.chips, paid_earlier_by_seat={}, dead_chips=0)
    hand.betting = replace(hand.betting, live_seats=())
    if not hand.setup.tracks_amounts:
        return
    chairs = dict(state.seating.state_by_seat)
    for seat, stack in hand.chips.stack_by_seat.items():
        if seat not in chairs:
            continue
        if stack:
            chairs[seat] = replace(chairs[seat], stack=stack)
        else:
            state.seating = replace(
                state.seating,
                busted_by_seat={
                    **state.seating.busted_by_seat,
                    seat: replace(
                        chairs.pop(seat),
                        stack=0,
                        busted_on=TournamentDeal(state.tournament.level_index, state.hand_count),
                    ),
                },
            )
    state.seating = replace(state.seating, state_by_seat=chairs)


def take_minutes(state: TableState) -> None:
    """Hand for hand, the hand took its minutes of the level [TDA-RP-8-B]."""
    minutes, clock = state.setup.rulebook.tournament.hand_for_hand_minutes.value, state.tournament.timer
    if clock is not None and minutes:
        state.tournament = replace(state.tournament, timer=clock.skip_time(minutes * SECONDS_PER_MINUTE))


RESTING, IN_HAND, WAITING, BREAK = TableStage.RESTING, TableStage.IN_HAND, TableStage.WAITING, TableStage.BREAK

TABLE_ROWS: dict[str, tuple[TransitionRow[TableStage, TableState], ...]] = {
    "begin_hand": (TransitionRow(RESTING, IN_HAND, (is_play_allowed, are_hands_left), (count_hand,)),),
    "end_hand": (
        TransitionRow(IN_HAND, WAITING, (must_wait_for_floor,), (settle_hand, take_minutes)),
        TransitionRow(IN_HAND, BREAK, (is_on_break,), (settle_hand,)),
        TransitionRow(IN_HAND, RESTING, (), (settle_hand,)),
    ),
    "reopen_hand": (
        TransitionRow(RESTING, IN_HAND),
        TransitionRow(WAITING, IN_HAND),
        TransitionRow(BREAK, IN_HAND),
    ),
    "release": (
        TransitionRow(WAITING, BREAK, (is_on_break,)),
        TransitionRow(WAITING, RESTING),
    ),
    "clear": (
        TransitionRow(RESTING, RESTING),
        TransitionRow(WAITING, RESTING),
        TransitionRow(BREAK, RESTING),
    ),
    "begin_break": (
        TransitionRow(RESTING, BREAK),
        TransitionRow(IN_HAND, IN_HAND),
        TransitionRow(WAITING, WAITING),
    ),
    "end_break": (
        TransitionRow(BREAK, RESTING),
        TransitionRow(IN_HAND, IN_HAND),
        TransitionRow(WAITING, WAITING),
    ),
}
"""What moves the table -> from, to, when, what is done; of a stage the first row that holds is taken."""

TABLE_MACHINE = StateMachine(TABLE_ROWS, TableStage)

"""A level that counts for the hand that is on: it was begun at the old stakes by mistake [TDA-23, WSOP-T-79]."""

from controller.core.irregularities.common.misdeal_status import is_misdeal_window_closed
from controller.core.model.table_state import TableState
from controller.core.play.game_flow import tournament_levels
from controller.core.play.game_flow.hand_start import redeal
from controller.core.protocol.events import LevelAdvanced
from controller.core.protocol.steps import AwardStep, BettingStep
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import ActionType, LevelStartHand
from controller.core.rules import ruling_sentences as said
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.seat_state import TournamentDeal
from controller.core.values.value import replace


def enter_level(state: TableState, event: LevelAdvanced) -> tuple[Ruling, ...]:
    """The next level, from the next hand on, or from the one that is on where nobody has relied on its stakes.

    Raises `Refused` (`last-level`, `no-schedule`, `no-hand`).
    """
    if event.from_hand is LevelStartHand.NEXT:
        return tournament_levels.advance_level(state, event)
    hand, rule = state.hand, state.setup.rulebook.tournament.level_put_right
    if hand is None or not state.is_hand_on:
        raise Refused("no-hand", "no hand is on that could have begun on the old level; leave `hand` out.")
    rulings = tournament_levels.advance_level(state, event)
    is_begun = is_misdeal_window_closed(hand) or bool(hand.streets.planned_street)
    if not rule.value or is_begun or hand.plan.has_step(AwardStep) or hand.is_award_pushed:
        return (*rulings, build_ruling("level", Verdict.PLAY_ON, rule, said.LEVEL_TOO_LATE))
    _restart_at_new_stakes(state)
    return (*rulings, build_ruling("level", Verdict.CORRECT, rule, said.LEVEL_PUT_RIGHT))


def _restart_at_new_stakes(state: TableState) -> None:
    """Forced bets are posted anew; cards and folds stay as they are, and the betting begins again."""
    old = state.hand_in_play
    stacks = [chair.stack for chair in state.seating.state_by_seat.values() if chair.stack is not None]
    new = state.setup.levels[state.tournament.level_index]
    state.setup = state.setup.replace_stakes(state.setup.stakes.apply_level(new, stacks))
    state.tournament = replace(
        state.tournament, level_first_deal=TournamentDeal(state.tournament.level_index, state.hand_count)
    )
    penalties = {seat: chair.penalty_hands for seat, chair in state.seating.state_by_seat.items()}
    redeal(state, None)
    chairs = state.seating.state_by_seat
    state.seating = replace(
        state.seating,
        state_by_seat={
            seat: replace(chair, penalty_hands=penalties.get(seat, chair.penalty_hands))
            for seat, chair in chairs.items()
        },
    )
    hand = state.hand_in_play
    hand.cards, hand.streets, hand.folds = old.cards, old.streets, old.folds
    folds = tuple(
        seat
        for seat, do in zip(old.betting.acted_seats, old.betting.action_types, strict=True)
        if do is ActionType.FOLD
    )
    hand.betting = replace(
        hand.betting,
        live_seats=old.betting.live_seats,
        killed_seats=old.betting.killed_seats,
        acted_seats=folds,
        action_types=(ActionType.FOLD,) * len(folds),
    )
    hand.plan, hand.round = old.plan.drop_types(BettingStep), None

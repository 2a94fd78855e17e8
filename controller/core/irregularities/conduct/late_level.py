"""A level that counts for the hand that is on: it was begun at the old stakes by mistake [TDA-23, WSOP-T-79]."""

from controller.core.irregularities.common.misdeal_window import closed
from controller.core.model.state import State
from controller.core.play.deal import planner, tournament_levels
from controller.core.play.deal.start_hand import redeal
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Level
from controller.core.protocol.steps import Turn
from controller.core.protocol.vocabulary import Do, FromHand
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.chair import DealtOn
from controller.core.values.value import replace


def level(state: State, event: Level) -> tuple[Ruling, ...]:
    """The next level, from the next hand on, or from the one that is on where nobody has relied on its stakes.

    Raises `Refused` (`last-level`, `no-schedule`, `no-hand`).
    """
    if event.hand is FromHand.NEXT:
        return tournament_levels.level(state, event)
    hand, rule = state.hand, state.setup.rulebook.tournament.level_put_right
    if hand is None or not hand.plan or state.before is None:
        raise Refused("no-hand", "no hand is on that could have begun on the old level; leave `hand` out.")
    rulings = tournament_levels.level(state, event)
    if not rule.value or closed(hand) or hand.streets.planned or hand.award_pushed:
        sentence = "too late: this hand goes on at the old level, the new one counts from the next hand on"
        return (*rulings, ruled("level", Verdict.PLAY_ON, rule, sentence))
    _at_the_new_stakes(state)
    sentence = "the hand was begun on the old level by mistake: it goes on at the new one; who has not folded acts anew"
    return (*rulings, ruled("level", Verdict.CORRECT, rule, sentence))


def _at_the_new_stakes(state: State) -> None:
    """Forced bets are posted anew; cards and folds stay as they are, and the betting begins again."""
    old = state.hand_in_play
    stacks = [chair.stack for chair in state.seating.chairs.values() if chair.stack is not None]
    new = state.setup.levels[state.tournament.level]
    state.setup = state.setup.at_stakes(state.setup.betting.at_level(new, stacks))
    state.tournament = replace(state.tournament, level_from=DealtOn(state.tournament.level, state.number))
    penalties = {seat: chair.penalty for seat, chair in state.seating.chairs.items()}
    redeal(state, None)
    chairs = state.seating.chairs
    state.seating = replace(
        state.seating,
        chairs={seat: replace(chair, penalty=penalties.get(seat, chair.penalty)) for seat, chair in chairs.items()},
    )
    hand = state.hand_in_play
    hand.cards, hand.streets, hand.given_up = old.cards, old.streets, old.given_up
    folds = tuple(seat for seat, do in zip(old.betting.acted, old.betting.acts, strict=True) if do is Do.FOLD)
    hand.betting = replace(
        hand.betting, live=old.betting.live, killed=old.betting.killed, acted=folds, acts=(Do.FOLD,) * len(folds)
    )
    hand.plan, hand.round = old.plan.without(Turn), None
    planner.extend(hand)

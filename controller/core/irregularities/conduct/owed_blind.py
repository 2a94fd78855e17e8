"""A player who owes a blind was dealt in without posting it [R7-4.blinds.11, HR-blinds.10]."""

from controller.core.irregularities.common.misdeal_status import has_looked
from controller.core.irregularities.remedies import plan_edits
from controller.core.model.table_state import TableState
from controller.core.protocol.events import Report
from controller.core.protocol.steps import AwardStep, PostStep
from controller.core.protocol.table_error import Refused
from controller.core.rules import ruling_sentences as said
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.value import replace


def rule_on_owed_blind(state: TableState, event: Report) -> tuple[Ruling, ...]:
    """Dead when it looked before posting; live, and posting on the next deal, once it has acted; else it posts now.

    Raises `Refused` (`key-missing`, `not-in-hand`, `has-posted`).
    """
    hand, seat = state.hand_in_play, event.seat
    if seat is None:
        raise Refused("key-missing", "`owes-blind` needs the `seat` that owes a blind.")
    if seat not in hand.betting.live_seats or seat not in state.seating.state_by_seat:
        raise Refused("not-in-hand", f"seat {seat} holds no live hand.")
    if seat in hand.positions.blind_seats:
        raise Refused("has-posted", f"seat {seat} has posted a blind on this hand.")
    rule, stakes = hand.setup.rulebook.people.owing_looked_dead, hand.setup.stakes
    finding = event.kind.value
    is_over = hand.plan.has_step(AwardStep)
    if seat in hand.betting.acted_seats or is_over:
        owing = replace(
            state.seating.state_by_seat[seat],
            owes_big_blind=True,
            owes_small_blind=True,
            owed_middle_blinds=frozenset(range(len(state.setup.stakes.middle_blinds))),
            waits_for_big_blind=True,
            posts_to_enter=True,
        )
        state.seating = replace(state.seating, state_by_seat={**state.seating.state_by_seat, seat: owing})
        sentence = (said.OWED_BLIND_AFTER_BETTING if is_over else said.OWED_BLIND_AFTER_ACT).format(seat=seat)
        return (build_ruling(finding, Verdict.PLAY_ON, rule, sentence, seat),)
    if has_looked(hand, seat) and rule.value:
        plan_edits.kill_hand(hand, seat)
        sentence = said.OWED_BLIND_LOOKED.format(seat=seat)
        return (build_ruling(finding, Verdict.DEAD_HAND, rule, sentence, seat),)
    live = PostStep(seat, "missed", stakes.big_blind, is_ruled=True, concerned_seat=seat)
    dead = PostStep(seat, "dead", sum(stakes.blinds[:-1]), is_ruled=True, concerned_seat=seat)
    hand.plan = hand.plan.prepend(*(post for post in (live, dead) if post.amount))
    sentence = said.OWED_BLIND_POSTED.format(seat=seat)
    return (build_ruling(finding, Verdict.CORRECT, rule, sentence, seat),)

"""A player who owes a blind was dealt in without posting it [R7-4.blinds.11, HR-blinds.10]."""

from controller.core.irregularities.common.misdeal_window import looked
from controller.core.irregularities.remedies import plan_edits
from controller.core.model.state import State
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Report
from controller.core.protocol.steps import Post
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.value import replace


def owes_blind(state: State, event: Report) -> tuple[Ruling, ...]:
    """Dead when it looked before posting; live, and posting on the next deal, when it has acted; else it posts now.

    Raises `Refused` (`key-missing`, `not-in-hand`, `has-posted`).
    """
    hand, seat = state.hand_in_play, event.seat
    if seat is None:
        raise Refused("key-missing", "`owes-blind` needs the `seat` that owes a blind.")
    if seat not in hand.betting.live or seat not in state.seating.chairs:
        raise Refused("not-in-hand", f"seat {seat} holds no live hand.")
    if seat in hand.positions.big or seat == hand.positions.small:
        raise Refused("has-posted", f"seat {seat} has posted a blind on this hand.")
    rule, stakes = hand.setup.rulebook.people.owing_looked_dead, hand.setup.betting
    finding = event.what.value
    if seat in hand.betting.acted:
        owing = replace(state.seating.chairs[seat], owes_big=True, owes_small=True, waits=True, posts=True)
        state.seating = replace(state.seating, chairs={**state.seating.chairs, seat: owing})
        sentence = f"seat {seat} has acted on its hand: it is live, what is owed is posted on the next deal"
        return (ruled(finding, Verdict.PLAY_ON, rule, sentence, seat),)
    if looked(hand, seat) and rule.value:
        plan_edits.dead_hand(hand, seat)
        sentence = f"seat {seat} looked at its hand before posting what it owes: the hand is dead"
        return (ruled(finding, Verdict.DEAD_HAND, rule, sentence, seat),)
    live = Post(seat, "missed", stakes.big_blind, ruled=True, concerns=seat)
    dead = Post(seat, "dead", stakes.small_blind, ruled=True, concerns=seat)
    hand.plan = hand.plan.first(*(post for post in (live, dead) if post.amount))
    sentence = f"seat {seat} puts up the blinds that it owes before it looks"
    return (ruled(finding, Verdict.CORRECT, rule, sentence, seat),)

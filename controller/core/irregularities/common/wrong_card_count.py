"""A hand with a wrong number of cards: a misdeal, or a dead hand whose money stays or goes back."""

from collections.abc import Callable

from controller.core.irregularities.common.misdeal_window import closed
from controller.core.irregularities.common.rules_for_game import table_of
from controller.core.irregularities.remedies import plan_edits
from controller.core.model.hand import Hand
from controller.core.model.state import State
from controller.core.protocol.errors import Refused
from controller.core.rules.questions.irregularities.counts import Fouled, LastHand
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, ruled

Cure = Callable[[], Ruling]
"""Puts the count right without a misdeal."""


def rule_now(hand: Hand, seat: int) -> Rule[Fouled]:
    """What the book says to a wrong count of this seat as things stand."""
    book = table_of(hand.setup, hand.setup.rulebook.counts)
    acted = seat in hand.betting.acted
    if closed(hand):
        return book.acted_too_late if acted else book.waiting_too_late
    return book.acted_in_time if acted else book.wrong_count


def fouled(state: State, finding: str, seat: int, cure: Cure | None = None, rule: Rule[object] | None = None) -> Ruling:
    """Rule on a hand whose count is wrong; `cure` is tried where the book does not kill the hand already.

    `rule` gives the ground of a misdeal where it is another than the count.
    """
    hand = state.hand_in_play
    verdict = rule_now(hand, seat)
    if verdict.value is not Fouled.MISDEAL:
        return killed(state, finding, seat, verdict)
    if cure is not None:
        return cure()
    plan_edits.deal_again(state)
    return ruled(
        finding, Verdict.MISDEAL, rule or verdict, f"the hand of seat {seat} is not as it should be: misdeal", seat
    )


def killed(state: State, finding: str, seat: int, rule: Rule[object]) -> Ruling:
    """The hand is dead, unless it is out already or the last one; raises `Refused` (`award-pushed`)."""
    hand = state.hand_in_play
    if seat not in hand.betting.live:
        return ruled(finding, Verdict.PLAY_ON, rule, f"seat {seat} is out of the hand already: play on", seat)
    if hand.award_pushed:
        raise Refused("award-pushed", "a pot of this hand has been pushed; what is left is settled by hand.")
    if len(hand.betting.live) == 1:
        last = table_of(hand.setup, hand.setup.rulebook.counts).last_hand
        if last.value is LastHand.STANDS:
            return ruled(finding, Verdict.PLAY_ON, last, f"no other hand is left: seat {seat} takes the pot", seat)
        plan_edits.deal_again(state)
        return ruled(finding, Verdict.MISDEAL, last, "the last hand left has a wrong count: all wagers go back", seat)
    back = rule.value is Fouled.REFUNDED
    hand.cards = hand.cards.changed(miscounted=True)
    plan_edits.dead_hand(hand, seat, money_back=back)
    money = "its chips stay in the pot"
    if back:
        money = "its wagers and blinds go back" + (
            ", unless the floor finds collusion" if seat in hand.betting.acted else ""
        )
    return ruled(finding, Verdict.DEAD_HAND, rule, f"the hand of seat {seat} is dead, {money}; play on", seat)

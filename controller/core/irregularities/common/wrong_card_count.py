"""A hand with a wrong number of cards: a misdeal, or a dead hand whose money stays or goes back."""

from collections.abc import Callable

from controller.core.irregularities.common.misdeal_window import closed
from controller.core.irregularities.common.rules_for_game import table_of
from controller.core.irregularities.remedies import plan_edits, refund
from controller.core.model.hand import Hand
from controller.core.model.state import State
from controller.core.play.deal import planner
from controller.core.play.showdown import showdown
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Floor as FloorEvent
from controller.core.protocol.steps import Award, Floor, Show
from controller.core.protocol.vocabulary import Decide
from controller.core.rules.questions.irregularities.counts import Fouled, LastHand
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.value import replace

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
    back, asked = rule.value is Fouled.REFUNDED, seat in hand.betting.acted and hand.setup.tracked
    hand.cards = replace(hand.cards, miscounted=True)
    plan_edits.dead_hand(hand, seat, money_back=back and not asked)
    money = "its chips stay in the pot"
    if back and asked:
        return _whether_collusion(hand, finding, seat, rule)
    if back:
        money = "its wagers and blinds go back" + (
            ", unless the floor finds collusion" if seat in hand.betting.acted else ""
        )
    return ruled(finding, Verdict.DEAD_HAND, rule, f"the hand of seat {seat} is dead, {money}; play on", seat)


def _whether_collusion(hand: Hand, finding: str, seat: int, rule: Rule[object]) -> Ruling:
    """Ask the floor: the wagers go back where it is determined that there was no collusion [AU-19.1(f)(i)]."""
    options = (Decide.RELEASE.value, Decide.BIND.value)
    hand.plan = hand.plan.first(Floor(finding, options, seat, ruled=True, concerns=seat))
    sentence = (
        f"was there collusion? If not, the wagers, forced bets and blinds of seat {seat} go back (`release`), else "
        "they stay (`bind`)"
    )
    hand.said = (*hand.said, ruled(finding, Verdict.FLOOR, rule, sentence, seat))
    return ruled(finding, Verdict.DEAD_HAND, rule, f"the hand of seat {seat} is dead", seat)


def collusion_decided(state: State, step: Floor | None, event: FloorEvent) -> tuple[Ruling, ...]:
    """The floor says whether there was collusion: `release` gives the wagers back, `bind` leaves them in the pot.

    Raises `Refused` where nobody asked.
    """
    hand = state.hand_in_play
    seat = None if step is None else step.seat
    if step is None or seat is None:
        raise Refused("nothing-to-decide", "nobody's wagers are in question now.")
    book = table_of(hand.setup, hand.setup.rulebook.counts)
    if event.decide is Decide.BIND:
        sentence = f"the floor: the wagers of seat {seat} stay in the pot"
        return (ruled(step.question, Verdict.BIND, book.acted_too_late, sentence, seat),)
    refund.returned(hand, seat)
    if hand.plan.has(Award):
        alone = len(hand.betting.live) == 1
        steps = planner.last_one_left(hand) if alone else showdown.award_steps(hand)
        hand.plan = hand.plan.without(Award, Show if alone else Award).then(*steps)
    sentence = f"the floor: no collusion, the wagers, forced bets and blinds of seat {seat} go back"
    return (ruled(step.question, Verdict.CORRECT, book.acted_too_late, sentence, seat),)

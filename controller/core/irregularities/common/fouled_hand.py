"""A hand with a wrong number of cards: a misdeal, or a dead hand whose money stays or goes back."""

from collections.abc import Callable

from controller.core.irregularities.common.misdeal_status import is_misdeal_window_closed
from controller.core.irregularities.common.rules_for_game import require_rules_for_game
from controller.core.irregularities.remedies import plan_edits, refund
from controller.core.model.hand import Hand
from controller.core.model.table_state import TableState
from controller.core.play.dealing import planner
from controller.core.play.showdown import pot_awards
from controller.core.protocol.events import FloorDecided as FloorEvent
from controller.core.protocol.steps import AwardStep, CollectStep, FloorStep, ShowStep
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import FloorDecision
from controller.core.rules import ruling_sentences as said
from controller.core.rules.questions.irregularities.count_rules import FouledHandRemedy, LastFouledHand
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.value import replace

CountCorrection = Callable[[], Ruling]
"""Puts the count right without a misdeal."""


def current_count_rule(hand: Hand, seat: int) -> Rule[FouledHandRemedy]:
    """What the book says to a wrong count of this seat as things stand."""
    book = require_rules_for_game(hand.setup, hand.setup.rulebook.counts)
    acted = seat in hand.betting.acted_seats
    if is_misdeal_window_closed(hand):
        return book.acted_too_late if acted else book.waiting_too_late
    return book.acted_in_time if acted else book.wrong_count


def rule_on_fouled_hand(
    state: TableState, finding: str, seat: int, cure: CountCorrection | None = None, why: str = ""
) -> Ruling:
    """Rule on a hand whose count is wrong; `cure` is tried where the book does not kill the hand already.

    `why`: what is wrong with it, where that is known.
    """
    hand = state.hand_in_play
    verdict = current_count_rule(hand, seat)
    if verdict.value is not FouledHandRemedy.MISDEAL:
        return kill_fouled_hand(state, finding, seat, verdict)
    if cure is not None:
        return cure()
    return plan_edits.call_misdeal(state, finding, verdict, why or said.WRONG_NUMBER.format(seat=seat), seat)


def kill_fouled_hand(
    state: TableState, finding: str, seat: int, rule: Rule[object], *, is_bet_standing: bool = False
) -> Ruling:
    """The hand is dead, unless it is out already or the last one; raises `Refused` (`award-pushed`).

    `is_bet_standing`: what it has bet in turn stays to be called, where the book gives none of it back.
    """
    hand = state.hand_in_play
    if seat not in hand.betting.live_seats:
        return build_ruling(finding, Verdict.PLAY_ON, rule, said.HAND_OUT.format(seat=seat), seat)
    if hand.is_award_pushed:
        raise Refused("award-pushed", "a pot of this hand has been pushed; what is left is settled by hand.")
    if len(hand.betting.live_seats) == 1:
        last = require_rules_for_game(hand.setup, hand.setup.rulebook.counts).last_hand
        if last.value is LastFouledHand.STANDS:
            return build_ruling(finding, Verdict.PLAY_ON, last, said.LAST_HAND_WINS.format(seat=seat), seat)
        plan_edits.void_and_redeal(state)
        return build_ruling(finding, Verdict.MISDEAL, last, said.LAST_HAND_REFUNDED, seat)
    back, asked = (
        rule.value is FouledHandRemedy.REFUNDED,
        seat in hand.betting.acted_seats and hand.setup.tracks_amounts,
    )
    hand.cards = replace(hand.cards, has_wrong_count=True)
    is_bettor = hand.round is not None and hand.round.aggressor == seat and bool(hand.chips.bet_by_seat.get(seat))
    is_uncalled_back = plan_edits.kill_hand(hand, seat, money_back=back and not asked, is_bet_standing=is_bet_standing)
    rule = plan_edits.add_uncalled_clause(hand, rule, is_uncalled_back=is_uncalled_back)
    if back and asked:
        return _ask_about_collusion(hand, finding, seat, rule)
    sentence = said.HAND_DEAD_BET_STANDS if is_bet_standing and is_bettor else said.HAND_DEAD
    if is_uncalled_back:
        sentence = said.HAND_DEAD_UNCALLED_BACK
    if back:
        acted = seat in hand.betting.acted_seats
        sentence = said.HAND_DEAD_REFUNDED_UNLESS if acted else said.HAND_DEAD_REFUNDED
    return build_ruling(finding, Verdict.DEAD_HAND, rule, sentence.format(seat=seat), seat)


def _ask_about_collusion(hand: Hand, finding: str, seat: int, rule: Rule[object]) -> Ruling:
    """Ask the floor: the wagers go back where it is determined that there was no collusion [AU-19.1(f)(i)]."""
    options = (FloorDecision.RELEASE.value, FloorDecision.BIND.value)
    hand.plan = hand.plan.prepend(FloorStep(finding, options, seat, is_ruled=True, concerned_seat=seat))
    sentence = said.WAS_THERE_COLLUSION.format(seat=seat)
    hand.play_rulings = (*hand.play_rulings, build_ruling(finding, Verdict.FLOOR, rule, sentence, seat))
    return build_ruling(finding, Verdict.DEAD_HAND, rule, said.HAND_OF_SEAT_DEAD.format(seat=seat), seat)


def apply_collusion_decision(state: TableState, step: FloorStep | None, event: FloorEvent) -> tuple[Ruling, ...]:
    """The floor says whether there was collusion: `release` gives the wagers back, `bind` leaves them in the pot.

    Raises `Refused` where nobody asked.
    """
    hand = state.hand_in_play
    seat = None if step is None else step.seat
    if step is None or seat is None:
        raise Refused("nothing-to-decide", "nobody's wagers are in question now.")
    book = require_rules_for_game(hand.setup, hand.setup.rulebook.counts)
    if event.decision is FloorDecision.BIND:
        sentence = said.COLLUSION_FOUND.format(seat=seat)
        return (build_ruling(step.question, Verdict.BIND, book.acted_too_late, sentence, seat),)
    refund.refund_all(hand, seat)
    if hand.plan.has_step(AwardStep):
        alone = len(hand.betting.live_seats) == 1
        steps = planner.award_last_player(hand) if alone else pot_awards.award_steps(hand)
        hand.plan = hand.plan.drop_types(AwardStep, CollectStep, ShowStep if alone else AwardStep).append(*steps)
    sentence = said.NO_COLLUSION.format(seat=seat)
    return (build_ruling(step.question, Verdict.CORRECT, book.acted_too_late, sentence, seat),)

"""What somebody says happened, what an antenna saw, and what the floor decided."""

from collections.abc import Callable
from typing import NamedTuple

from controller.core.engine.handlers.misread_report import rule_on_misread
from controller.core.irregularities.board import burn_errors, extra_board_card, premature_board
from controller.core.irregularities.common import unexpected_card
from controller.core.irregularities.common.exposed_downcards import let_exposure_stand
from controller.core.irregularities.common.fouled_hand import apply_collusion_decision
from controller.core.irregularities.conduct import (
    bet_interpretation,
    owed_blind,
    round_tracking_reports,
    turn_order,
    turned_up_card,
    wrong_wager,
)
from controller.core.irregularities.conduct import floor_decision as floors
from controller.core.irregularities.conduct.string_bet import rule_on_string_bet
from controller.core.irregularities.deck import deal_preparation, defective_deck, fouled_stub
from controller.core.irregularities.draw import false_openers
from controller.core.irregularities.hands import antenna_reads, exposed_card, wrong_count, wrong_seat
from controller.core.irregularities.hands.boxed_card import rule_on_boxed_report as boxed
from controller.core.irregularities.stud import stud_upcards, wrong_opener
from controller.core.model import known_cards
from controller.core.model.hand import Hand
from controller.core.model.table_state import TableState
from controller.core.play.dealing import planner
from controller.core.play.opening.first_to_act import reconsider_opener
from controller.core.play.refusal_messages import not_now_refusal
from controller.core.protocol.events import CardDetected, PlayerActed, Report
from controller.core.protocol.events import FloorDecided as FloorEvent
from controller.core.protocol.steps import FloorStep, QuestionStep
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import ActionType, FloorDecision, ReportKind
from controller.core.rules.rulings import Ruling, build_ask_ruling
from controller.core.values.piles import BOARD, STUB


class Finding(NamedTuple):
    """What a report comes to, and what the floor's answer to it does.

    `let_stand`: what is so at the table where the floor lets it stand; without it nothing lies elsewhere. `decide`:
    carries out what the floor answers to its question.
    """

    rule_on: Callable[[TableState, Report], tuple[Ruling, ...]]
    let_stand: Callable[[Hand, Report], None] | None = None
    decide: floors.DecisionHandler = floors.apply_decision


def _decide_dead_hand_wagers(state: TableState, step: FloorStep | None, event: FloorEvent) -> tuple[Ruling, ...]:
    """A wrong count: whether the hand is dead at all, or, of one that is, whether its wagers go back."""
    if event.decision in (FloorDecision.BIND, FloorDecision.RELEASE):
        return apply_collusion_decision(state, step, event)
    return floors.apply_decision(state, step, event)


FINDING_BY_REPORT_KIND: dict[ReportKind, Finding] = {
    ReportKind.EXPOSED: Finding(exposed_card.rule_on_exposed_cards, let_exposure_stand),
    ReportKind.OFF_TABLE: Finding(exposed_card.rule_on_exposed_cards, let_exposure_stand),
    ReportKind.BOXED: Finding(boxed),
    ReportKind.NO_BURN: Finding(burn_errors.rule_on_missing_burn, burn_errors.let_burn_error_stand),
    ReportKind.DOUBLE_BURN: Finding(burn_errors.rule_on_extra_burns, burn_errors.let_burn_error_stand),
    ReportKind.BOARD_EXTRA: Finding(extra_board_card.rule_on_extra_board_cards),
    ReportKind.TWO_EXPOSED: Finding(extra_board_card.rule_on_extra_board_cards),
    ReportKind.PREMATURE: Finding(premature_board.rule_on_premature_cards),
    ReportKind.STUB_FOULED: Finding(fouled_stub.rule_on_fouled_stub),
    ReportKind.EXTRA_CARD: Finding(
        wrong_count.rule_on_extra_card, wrong_count.let_wrong_count_stand, _decide_dead_hand_wagers
    ),
    ReportKind.SHORT_HAND: Finding(
        wrong_count.rule_on_short_hand, wrong_count.let_wrong_count_stand, _decide_dead_hand_wagers
    ),
    ReportKind.WRONG_SEAT: Finding(
        wrong_seat.rule_on_wrong_seat, wrong_seat.let_wrong_seat_stand, _decide_dead_hand_wagers
    ),
    ReportKind.SKIPPED: Finding(
        wrong_seat.rule_on_skipped_player, wrong_seat.let_recipients_stand, _decide_dead_hand_wagers
    ),
    ReportKind.NOT_ENTITLED: Finding(
        wrong_seat.rule_on_unentitled_seat, wrong_seat.let_recipients_stand, _decide_dead_hand_wagers
    ),
    ReportKind.BUTTON_WRONG: Finding(deal_preparation.rule_on_wrong_button),
    ReportKind.NOT_SHUFFLED: Finding(deal_preparation.rule_on_unshuffled_deck),
    ReportKind.EXPOSED_CUTTING: Finding(deal_preparation.rule_on_exposed_cut),
    ReportKind.LOOKED: Finding(deal_preparation.record_looked_at_cards),
    ReportKind.PUT_BACK: Finding(deal_preparation.rule_on_put_back_card),
    ReportKind.MISREAD: Finding(rule_on_misread),
    ReportKind.JOKER: Finding(defective_deck.rule_on_joker),
    ReportKind.DUPLICATE: Finding(defective_deck.rule_on_duplicate),
    ReportKind.FOREIGN_BACK: Finding(defective_deck.rule_on_foreign_back),
    ReportKind.MISSING_CARD: Finding(defective_deck.rule_on_missing_card),
    ReportKind.DECK_DEFECTIVE: Finding(defective_deck.rule_on_defective_deck),
    ReportKind.STRING_BET: Finding(rule_on_string_bet),
    ReportKind.OVERPOT: Finding(wrong_wager.rule_on_wrong_wager),
    ReportKind.UNDERBET: Finding(wrong_wager.rule_on_wrong_wager),
    ReportKind.OWES_BLIND: Finding(owed_blind.rule_on_owed_blind),
    ReportKind.LAST_FACEUP: Finding(stud_upcards.rule_on_last_card_report),
    ReportKind.WRONG_OPENER: Finding(wrong_opener.rule_on_wrong_opener),
    ReportKind.FALSE_OPENERS: Finding(false_openers.rule_on_false_openers, decide=false_openers.decide_new_opener),
}
"""The finding of each report; one that only answers what the table asked has none."""

DECISION_HANDLER_BY_QUESTION: dict[str, floors.DecisionHandler] = {
    "out-of-turn": turn_order.decide_early_action,
    bet_interpretation.UNDERCALL_FINDING: bet_interpretation.decide_undercall,
    **{kind.value: finding.decide for kind, finding in FINDING_BY_REPORT_KIND.items()},
}
"""Who carries out what the floor answers to a question; the others are answered by `floor_decision.apply_decision`."""

LET_STAND_HANDLER_BY_KIND: floors.LetStandHandlers = {
    kind: finding.let_stand for kind, finding in FINDING_BY_REPORT_KIND.items() if finding.let_stand is not None
}


def apply_report(state: TableState, event: Report) -> tuple[Ruling, ...]:
    """Somebody reports an irregularity. Raises `Refused` where it cannot be so."""
    if event.count == 0 and event.kind is not ReportKind.ACTED:
        raise Refused("value", "`count` cannot be 0; it is a whole number from 1.")
    if state.hand is None or not state.hand.plan:
        if event.kind.terms.between_hands:
            return FINDING_BY_REPORT_KIND[event.kind].rule_on(state, event)
        raise not_now_refusal(state, f"report {event.kind.value}")
    is_asked = state.hand.plan.next_step_if(QuestionStep) is not None
    if state.hand.cards.piles.cards_at(STUB) and not event.kind.terms.between_hands and not is_asked:
        # An amendment has brought cards out of the stub again, which the dealer has not moved yet: they lie nowhere
        # where a report of a hand, the board or a burn could mean them. A question that stands before the moves is
        # answered all the same, or nothing would lead on.
        raise not_now_refusal(state, f"report {event.kind.value}")
    if event.kind is ReportKind.ACTED:
        return _apply_waiting_report(state, round_tracking_reports.apply_acted_report(state.hand, event))
    if event.kind in round_tracking_reports.OPENING_REPORTS:
        round_tracking_reports.apply_opening_report(state.hand, event)
        return ()
    round_tracking_reports.apply_acted_count(state.hand, event)
    if round_tracking_reports.needs_acted_count(state, event, _rule_on_report):
        return (round_tracking_reports.ask_how_many_acted(state.hand, event),)
    return _rule_on_report(state, event)


def _apply_waiting_report(state: TableState, waiting: Report | None) -> tuple[Ruling, ...]:
    """Rule on the report that waited for the number; where it cannot be so with that number, say so and ask no more."""
    if waiting is None:
        return ()
    trial = state.copy()
    trial.hand = state.hand_in_play.copy()
    try:
        round_tracking_reports.apply_acted_count(trial.hand, waiting)
        rulings = _rule_on_report(trial, waiting)
    except Refused as refused:
        return (build_ask_ruling(waiting.kind.value, refused.message.rstrip(".")),)
    state.assign_from(trial)
    return rulings


def _rule_on_report(state: TableState, event: Report) -> tuple[Ruling, ...]:
    """What the report comes to, and the plan with it."""
    finding = FINDING_BY_REPORT_KIND.get(event.kind)
    if finding is None:
        raise Refused(
            "not-ruled",
            f"`{event.kind.value}` has no rule here; there are {', '.join(w.value for w in FINDING_BY_REPORT_KIND)}.",
        )
    hand = state.hand_in_play
    asked_about = hand.cards.unexpected_serials
    if hand.plan.next_step_if(QuestionStep):
        hand.plan = hand.plan.drop_first()
    seated = {*state.seating.state_by_seat, *hand.dealing_order}
    rulings = finding.rule_on(state, event)
    if event.seat is not None and not event.kind.terms.empty_seat and event.seat not in seated:
        taken = ", ".join(map(str, sorted(seated)))
        raise Refused("empty-chair", f"nobody sits at seat {event.seat}; taken seats: {taken}.")
    unexpected_card.refuse_if_unexplained(state, event, asked_about)
    if state.hand is not None:
        reconsider_opener(state.hand)
        if event.is_witnessed:
            known_cards.mark_open_cards_known(state)
    return rulings


def apply_detected_card(state: TableState, event: CardDetected) -> tuple[Ruling, ...]:
    """An antenna read a card, which may be one that the dealer was asked about."""
    before = None if state.hand is None else state.hand.cards.piles
    rulings = antenna_reads.apply_antenna_read(state, event)
    if state.hand is not None and state.hand.cards.piles is not before:
        reconsider_opener(state.hand)
        planner.clear_upcard_question(state.hand)
    if state.hand is not None and event.place == BOARD:
        piles = state.hand.cards.piles.cards_by_place.values()
        seen = frozenset(lying.serial for pile in piles for lying in pile if lying.card == event.card)
        known_cards.mark_known(state.hand, seen)
    seat = antenna_reads.find_folded_seat(state)
    return rulings if seat is None else (*rulings, *turn_order.act_in_turn(state, PlayerActed(seat, ActionType.FOLD)))


def apply_floor_decision(state: TableState, event: FloorEvent) -> tuple[Ruling, ...]:
    """The floor decides; what it lets stand lies as it has seen it lie.

    Raises `Refused` (`not-now`, `too-late-to-revive`).
    """
    if not state.plan:
        if event.decision is FloorDecision.REVIVE and state.hand is not None:
            raise Refused("too-late-to-revive", "the last pot has been pushed: no hand is given back.")
        raise not_now_refusal(state, "floor")
    if event.decision is FloorDecision.TURNED_UP:
        return (*turned_up_card.turn_up_cards(state, event), *defective_deck.rule_on_known_duplicate(state))
    if event.nth is not None or event.card_place is not None:
        raise Refused("unused-key", f"`floor` {event.decision.value} uses neither `nth` nor `where`; leave them out.")
    rulings = floors.handle_floor_decision(state, event, DECISION_HANDLER_BY_QUESTION, LET_STAND_HANDLER_BY_KIND)
    if event.decision is FloorDecision.PLAY_ON:
        known_cards.mark_open_cards_known(state)
    return rulings

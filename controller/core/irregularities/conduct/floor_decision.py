"""The floor: questions that the book leaves to a person, their answers, and rulings that a person sets aside.

A finding asks with `ask_floor`; the step stands first until the floor has chosen one of its options.
`DECISION_HANDLER_BY_QUESTION` says who carries an answer out; a question without an entry is answered by
`apply_decision`.
"""

from collections.abc import Callable, Mapping

from controller.core.irregularities.conduct import revived_hand, turn_order
from controller.core.irregularities.remedies import plan_edits
from controller.core.irregularities.remedies.standing_cards import let_cards_stand
from controller.core.model.hand import Hand
from controller.core.model.table_state import PreviousEntry, TableState
from controller.core.play.dealing import planner, step_execution
from controller.core.protocol.events import (
    CardDealt,
    CardDetected,
    FloorDecided,
    PlayerActed,
    PlayerWentAway,
    Report,
    TimePassed,
)
from controller.core.protocol.facts import RulingSetAside
from controller.core.protocol.steps import ActStep, CardStep, FloorStep, MoveStep, QuestionStep
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import FloorDecision, ReportKind
from controller.core.rules import ruling_sentences as said
from controller.core.rules.questions.irregularities.sequence_rules import RepairCondition
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.value import replace

DecisionHandler = Callable[[TableState, FloorStep | None, FloorDecided], tuple[Ruling, ...]]
"""Carries out what the floor decided; the step is off the plan, `None` when nobody asked."""

LetStandHandlers = Mapping[ReportKind, Callable[[Hand, Report], None]]
"""What is so at the table where the floor lets stand what was reported, and the cards lie otherwise than planned."""


def ask_floor(
    hand: Hand,
    finding: str,
    rule: Rule[object],
    sentence: str,
    options: tuple[FloorDecision, ...],
    seat: int | None = None,
) -> Ruling:
    """Leave a finding to the floor: the step is due first, the ruling cites the clause that leaves it open."""
    words = tuple(option.value for option in options)
    hand.plan = hand.plan.prepend(FloorStep(finding, words, seat, is_ruled=True, concerned_seat=seat))
    return build_ruling(finding, Verdict.FLOOR, rule, sentence, seat)


def handle_floor_decision(
    state: TableState, event: FloorDecided, answers: Mapping[str, DecisionHandler], stands: LetStandHandlers
) -> tuple[Ruling, ...]:
    """The floor answers the first question that waits, or sets the last ruling aside.

    Raises `Refused` (`award-pushed`, `not-an-option`).
    """
    hand = state.hand_in_play
    if event.decision is FloorDecision.REVIVE:
        return revived_hand.revive_hand(state, event)
    if hand.is_award_pushed:
        raise Refused("award-pushed", "a pot of this hand has been pushed; what is left is settled by hand.")
    step = hand.plan.find_step(FloorStep)
    if step is None:
        if event.decision is FloorDecision.PLAY_ON:
            return (_set_ruling_aside(state, stands),)
        return apply_decision(state, None, event)
    if event.decision.value not in step.options:
        options = ", ".join(step.options)
        raise Refused("not-an-option", f"the floor decides on {step.question}: {options}, not {event.decision.value}.")
    hand.plan = hand.plan.drop_steps(step)
    return answers.get(step.question, apply_decision)(state, step, event)


def apply_decision(state: TableState, step: FloorStep | None, event: FloorDecided) -> tuple[Ruling, ...]:
    """What each decision does by itself.

    Raises `Refused` (`not-overruled`, `key-missing`, `no-live-hand`, `nobody-else`, `nothing-to-overrule`,
    `place-unknown`).
    """
    rule = _require_overrule_rule(state) if step is None else _find_asking_rule(state.hand_in_play, step)
    finding = step.question if step is not None else "floor"
    match event.decision:
        case FloorDecision.MISDEAL:
            objection = _find_objection_rule(state)
            plan_edits.void_and_redeal(state)
            if objection is not None:
                return (build_ruling(finding, Verdict.MISDEAL, objection, said.MOVES_OBJECTED),)
            return (build_ruling(finding, Verdict.MISDEAL, rule, said.FLOOR_MISDEAL),)
        case FloorDecision.VOID:
            plan_edits.void_and_redeal(state)
            return (build_ruling(finding, Verdict.VOID_HAND, rule, said.FLOOR_VOID),)
        case FloorDecision.DEAD_HAND:
            seat = event.seat if event.seat is not None or step is None else step.seat
            return (_declare_hand_dead(state.hand_in_play, finding, rule, seat),)
        case FloorDecision.PLAY_ON:
            return (build_ruling(finding, Verdict.PLAY_ON, rule, PLAY_ON_SENTENCE),)
        case FloorDecision.PASSIVE:
            return turn_order.apply_passive_decision(state, step, event)
        case _:
            return turn_order.decide_early_action(state, step, event)


def _find_asking_rule(hand: Hand, step: FloorStep) -> Rule[object]:
    """The clause that leaves a question to the floor decides its answer; the floor's own power only where none does."""
    book, form = hand.setup.rulebook, hand.setup.game.rules_form
    if step.question == turn_order.ACTED_BEHIND_FINDING:
        return book.turns.skipped_asks
    if step.question == ReportKind.STUB_FOULED.value:
        return book.stub.fouled
    if step.question == ReportKind.SHORT_HAND.value and form in book.upcards:
        return book.upcards[form].last_missing
    return book.floor.overrules


def _find_objection_rule(state: TableState) -> Rule[object] | None:
    """The clause by which cards were to be moved a moment ago as long as nobody objects [HR-misdeals.2]."""
    hand, previous = state.hand_in_play, state.undo.previous
    book = hand.setup.rulebook.sequence.get(hand.setup.game.rules_form)
    move = hand.plan.next_step_if(MoveStep)
    if book is None or move is None or not move.is_ruled or previous is None or not isinstance(previous.event, Report):
        return None
    rule = book.repair_order if previous.event.kind is ReportKind.WRONG_SEAT else book.repair_hands
    return rule if rule.value is RepairCondition.IF_UNSEEN else None


def _declare_hand_dead(hand: Hand, finding: str, rule: Rule[object], seat: int | None) -> Ruling:
    """A hand is declared dead, at any time before a pot is pushed.

    Where its uncalled bet goes back, the clause that says so decides before the floor's own power does.
    """
    live = ", ".join(map(str, sorted(hand.betting.live_seats)))
    if seat is None:
        raise Refused("key-missing", f"`dead-hand` needs the `seat` of a live hand: {live}.")
    if seat not in hand.betting.live_seats:
        raise Refused("no-live-hand", f"seat {seat} has no live hand; seats {live} have one.")
    if len(hand.betting.live_seats) == 1:
        raise Refused("nobody-else", f"seat {seat} holds the last live hand and takes the pot.")
    is_uncalled_back = plan_edits.kill_hand(hand, seat)
    sentence = (said.FLOOR_HAND_DEAD_UNCALLED_BACK if is_uncalled_back else said.FLOOR_HAND_DEAD).format(seat=seat)
    by = plan_edits.add_uncalled_clause(hand, rule, is_uncalled_back=is_uncalled_back)
    if is_uncalled_back and rule == hand.setup.rulebook.floor.overrules:
        back = hand.setup.rulebook.floor.uncalled_back
        by = replace(back, cite=(*back.cite, *rule.cite))
    return build_ruling(finding, Verdict.DEAD_HAND, by, sentence, seat)


def _set_ruling_aside(state: TableState, stands: LetStandHandlers) -> Ruling:
    """Nothing is done; a ruling just made is taken back, with the steps that it put on the plan."""
    rule = _require_overrule_rule(state)
    if state.hand_in_play.plan == planner.UPCARD_QUESTION:
        words = (
            "an upcard that nobody can read decides who acts, so it cannot stand so: report `misread` with its `card`."
        )
        raise Refused("not-an-option", words)
    if state.hand_in_play.cards.unexpected_serials:
        let_cards_stand(state.hand_in_play)
    else:
        previous = state.undo.previous
        if previous is None or not previous.has_ruling or not _is_open_to_overrule(previous):
            raise Refused("nothing-to-overrule", "`play-on` sets a finding of the line before aside; there was none.")
        state.assign_from(previous.state)
        hand = state.hand_in_play
        if hand.plan.next_step_if(QuestionStep) and hand.cards.unexpected_serials:
            hand.plan = hand.plan.drop_first()
        if isinstance(previous.event, CardDealt):
            _lay_unruled_card(hand, previous.event)
        elif isinstance(previous.event, Report) and previous.event.kind in stands:
            stands[previous.event.kind](hand, previous.event)
        if state.hand_in_play.cards.unexpected_serials:
            let_cards_stand(
                state.hand_in_play, burned=not isinstance(previous.event, Report) or previous.event.is_first_burned
            )
    state.hand_in_play.tell(RulingSetAside())
    return build_ruling("floor", Verdict.PLAY_ON, rule, PLAY_ON_SENTENCE)


PLAY_ON_SENTENCE = said.FLOOR_PLAYS_ON


def _require_overrule_rule(state: TableState) -> Rule[bool]:
    """The rule by which the floor sets a ruling aside; refuses where the book has none."""
    rule = state.setup.rulebook.floor.overrules
    if not rule.value:
        raise Refused("not-overruled", f"under this book nothing is set aside, see {rule.clause}.")
    return rule


def _is_open_to_overrule(previous: PreviousEntry) -> bool:
    """Whether the last entry was, or brought to light, what was ruled on; a regular entry is taken back by `undo`."""
    event, plan = previous.event, previous.state.plan
    if isinstance(event, PlayerActed):
        turn = plan.next_step_if(ActStep)
        return turn is None or turn.seat != event.seat
    return isinstance(event, (Report, CardDealt, CardDetected, TimePassed, PlayerWentAway))


def _lay_unruled_card(hand: Hand, event: CardDealt) -> None:
    """The card whose finding was set aside lies where the plan sends it."""
    if not hand.plan.next_step_if(CardStep):
        raise Refused("place-unknown", "no card was due: say with `report` where it lies.")
    step_execution.fulfil_step(hand, event)

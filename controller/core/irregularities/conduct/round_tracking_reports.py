"""What a table that is told rounds, not acts, does not know and must ask: who opened, how many have acted.

Source: table script 2, sections 2 and 3.
"""

from collections.abc import Callable

from controller.core.irregularities.common import unexpected_card
from controller.core.model.hand import Hand
from controller.core.model.plan import Plan
from controller.core.model.setup import PlayTracking
from controller.core.model.table_state import TableState
from controller.core.play.betting import round_tracking
from controller.core.protocol.events import Report
from controller.core.protocol.steps import BettingRoundStep, BettingStep, BoardStep, CardStep, QuestionStep
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import ReportKind
from controller.core.rules import ruling_sentences as said
from controller.core.rules.rulings import Ruling, build_ask_ruling, printed_rule_id
from controller.core.values.value import replace

MANY_CARDS = 99

OPENING_REPORTS = (ReportKind.OPENED, ReportKind.PASSED_OUT)
"""What is said of a pot that nobody was said to have opened."""

OPENING_QUESTION = QuestionStep(tuple(what.value for what in OPENING_REPORTS))


def ask_whether_opened(hand: Hand) -> Ruling:
    """The betting is over and nothing says that anybody opened a pot that must be opened."""
    hand.plan = hand.plan.prepend(OPENING_QUESTION)
    return build_ask_ruling("unopened", said.SAY_WHETHER_OPENED)


def apply_opening_report(hand: Hand, event: Report) -> None:
    """The pot was opened, by `seat` where somebody says so, or nobody opened it. Raises `Refused` where nobody asks."""
    if not hand.plan or hand.plan[0] != OPENING_QUESTION:
        raise Refused("not-so", f"nobody asks whether the pot was opened: `{event.kind.value}` has no place now.")
    if event.seat is not None and event.seat not in hand.betting.live_seats:
        holding = ", ".join(map(str, sorted(hand.betting.live_seats)))
        raise Refused("no-live-hand", f"seat {event.seat} has no live hand; seats {holding} have one.")
    hand.plan = hand.plan.drop_first()
    round_tracking.close_round(hand, event.seat, opened=event.kind is ReportKind.OPENED)
    unexpected_card.fulfil_steps_after_round(hand)


ReportHandler = Callable[[TableState, Report], tuple[Ruling, ...]]
"""How a report is ruled on."""


def needs_acted_count(state: TableState, event: Report, ruled: ReportHandler) -> bool:
    """Whether the report is ruled on otherwise when more, or fewer, have acted on the round, and nobody has said it.

    A count with which the report could not be so at all is no reason to ask.
    """
    hand = state.hand_in_play
    if _can_acts_be_unentered(hand, event):
        counts = [(0, False)] + [
            (count, chips) for count in range(1, len(hand.contenders) + 1) for chips in (False, True)
        ]
        said = {_try_report(state, _say_acted(event, *each), ruled, apply_acted_count) for each in counts}
        return len(said - {None}) > 1
    if not is_tracked_round_open(hand) or hand.round is None or hand.round.is_acted_count_known:
        return False
    told = {
        _try_report(state, _say_acted(event, count, chips), ruled, _record_told_acts)
        for count in range(len(hand.round.acting_order) + 1)
        for chips in ((False, True) if count else (False,))
    }
    return len(told - {None}) > 1


def _record_told_acts(hand: Hand, event: Report) -> None:
    round_tracking.record_acted_count(hand, event.acted_count or 0, chips=bool(event.has_chips_in))


def _say_acted(event: Report, count: int, chips: bool | None) -> Report:
    """The report with how many have acted."""
    return replace(event, acted_count=count, has_chips_in=chips, is_act_refused=False)


def _can_acts_be_unentered(hand: Hand, event: Report) -> bool:
    """Whether, a burn being wrong, the cards of the street all lie there and players may have acted unentered.

    Told by rounds nobody enters acts. Told by acts one that was entered was refused, for a card seemed to be due.
    """
    by_rounds = hand.setup.play_tracking is PlayTracking.ROUNDS
    if event.acted_count is not None or event.has_chips_in is not None or not (event.is_act_refused or by_rounds):
        return False
    if event.kind not in (ReportKind.NO_BURN, ReportKind.DOUBLE_BURN) or event.street is not None:
        return False
    plan = hand.plan.drop_types(QuestionStep)
    if by_rounds and not isinstance(plan.next_step, CardStep):
        return False
    return len(hand.contenders) > 1 and _count_cards_before_betting(plan) <= 1


def _count_cards_before_betting(plan: Plan) -> int:
    """How many cards are to come before somebody acts, who may be unknown yet; many where something else is due."""
    cards = 0
    for step in plan:
        if isinstance(step, BettingStep):
            break
        if not isinstance(step, CardStep) or step.is_ruled:
            return MANY_CARDS
        cards += step.count if isinstance(step, BoardStep) else 1
    return cards


def is_tracked_round_open(hand: Hand) -> bool:
    """Whether the table waits for the end of a round that it is told as a whole, whatever is asked before."""
    first = next((step for step in hand.plan.drop_types(QuestionStep) if not step.is_ruled), None)
    return isinstance(first, BettingRoundStep)


def _try_report(
    state: TableState, event: Report, ruled: ReportHandler, mark_acted: Callable[[Hand, Report], None]
) -> object:
    """What the report would come to if so many had acted, as `mark_acted` notes; `None` where it would be refused."""
    trial = state.copy()
    trial.hand = state.hand_in_play.copy()
    try:
        mark_acted(trial.hand, event)
        rulings = ruled(trial, event)
    except Refused:
        return None
    hand = trial.hand_in_play
    verdicts = tuple(
        (each.finding, each.verdict, each.seat, tuple(map(printed_rule_id, each.cite))) for each in rulings
    )
    return (verdicts, hand.plan, tuple(hand.streets.change_by_street.items()), tuple(sorted(hand.betting.live_seats)))


def ask_how_many_acted(hand: Hand, event: Report) -> Ruling:
    """The rule asks how many have acted, and nobody has entered it."""
    hand.plan = hand.plan.prepend(QuestionStep((ReportKind.ACTED.value,), event))
    return build_ask_ruling(event.kind.value, said.SAY_HOW_MANY_ACTED)


def apply_acted_report(hand: Hand, event: Report) -> Report | None:
    """So many (`count`) have acted on this round; returns the report that waited for it.

    Raises `Refused` where no round is on, and for more than can have acted.
    """
    question = hand.plan.next_step_if(QuestionStep)
    waiting = None if question is None else question.waiting_report
    if waiting is not None and not is_tracked_round_open(hand):
        most = len(hand.contenders)
        if event.count is None or event.count > most:
            raise Refused("value", f"`acted` needs `count`, how many have acted on this street, from 0 to {most}.")
        hand.plan = hand.plan.drop_first()
        return _say_acted(waiting, event.count, event.has_chips_in)
    if not is_tracked_round_open(hand) or hand.round is None:
        raise Refused("not-so", "no betting round is on of which anybody could say how many have acted.")
    most = len(hand.round.acting_order)
    if event.count is None or event.count > most:
        raise Refused("value", f"`acted` needs `count`, how many have acted on this round, from 0 to {most}.")
    _mark_acted_count(hand, event.count, chips=bool(event.has_chips_in))
    if waiting is not None:
        hand.plan = hand.plan.drop_first()
    return waiting


def apply_acted_count(hand: Hand, event: Report) -> None:
    """The report itself says how many have acted. Raises `Refused` for more than can have."""
    if event.acted_count is None and event.has_chips_in is None:
        return
    round_ = hand.round
    if round_ is not None and round_.street < hand.streets.planned_street:
        return  # acts that could not be entered, on a street whose cards lie wrong: whoever rules on them counts them
    if round_ is None:
        raise Refused("not-so", "no betting round has begun: leave `acted` and `chips` out.")
    if (event.acted_count or 0) > len(round_.acting_order):
        raise Refused(
            "value", f"`acted` cannot be {event.acted_count}: {len(round_.acting_order)} seats are in this round."
        )
    _mark_acted_count(hand, event.acted_count or int(event.has_chips_in or False), chips=bool(event.has_chips_in))


def _mark_acted_count(hand: Hand, count: int, *, chips: bool) -> None:
    round_tracking.record_acted_count(hand, count, chips=chips)
    hand.round = replace(hand.round_in_play, is_acted_count_known=True)

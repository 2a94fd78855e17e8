"""The floor: questions that the book leaves to a person, their answers, and rulings that a person sets aside.

A finding asks with `ask`; the step stands first until the floor has chosen one of its options. `reports.ANSWERS` says
who carries an answer out; a question without an entry is answered by `carried_out`.
"""

from collections.abc import Callable, Mapping

from controller.core.irregularities.conduct import out_of_turn, revived_hand
from controller.core.irregularities.remedies import plan_edits
from controller.core.irregularities.remedies.let_stand import let_stand
from controller.core.model.hand import Hand
from controller.core.model.state import Previous, State
from controller.core.play.deal import fulfil, planner
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import (
    Act,
    Card,
    Floor,
    Report,
    Seen,
    Time,
)
from controller.core.protocol.steps import Act as ActStep
from controller.core.protocol.steps import Floor as FloorStep
from controller.core.protocol.steps import FromShoe, Move, Say
from controller.core.protocol.vocabulary import Decide, What
from controller.core.rules.questions.irregularities.sequence import Repair
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.value import replace

Answer = Callable[[State, FloorStep | None, Floor], tuple[Ruling, ...]]
"""Carries out what the floor decided; the step is off the plan, `None` when nobody asked."""

Stands = Mapping[What, Callable[[Hand, Report], None]]
"""What is so at the table where the floor lets stand what was reported, and the cards lie otherwise than planned."""


def ask(
    hand: Hand, finding: str, rule: Rule[object], sentence: str, options: tuple[Decide, ...], seat: int | None = None
) -> Ruling:
    """Leave a finding to the floor: the step is due first, the ruling cites the clause that leaves it open."""
    words = tuple(option.value for option in options)
    hand.plan = hand.plan.first(FloorStep(finding, words, seat, ruled=True, concerns=seat))
    return ruled(finding, Verdict.FLOOR, rule, sentence, seat)


def decided(state: State, event: Floor, answers: Mapping[str, Answer], stands: Stands) -> tuple[Ruling, ...]:
    """The floor answers the first question that waits, or sets the last ruling aside.

    Raises `Refused` (`award-pushed`, `not-an-option`).
    """
    hand = state.hand_in_play
    if event.decide is Decide.REVIVE:
        return revived_hand.given_back(state, event)
    if hand.award_pushed:
        raise Refused("award-pushed", "a pot of this hand has been pushed; what is left is settled by hand.")
    step = hand.plan.next(FloorStep)
    if step is None:
        if event.decide is Decide.PLAY_ON:
            return (_played_on(state, stands),)
        return carried_out(state, None, event)
    if event.decide.value not in step.options:
        options = ", ".join(step.options)
        raise Refused("not-an-option", f"the floor decides on {step.question}: {options}, not {event.decide.value}.")
    hand.plan = hand.plan.less(step)
    rulings = answers.get(step.question, carried_out)(state, step, event)
    if state.hand is not None:
        planner.extend(state.hand)
    return rulings


def carried_out(state: State, step: FloorStep | None, event: Floor) -> tuple[Ruling, ...]:
    """What each decision does by itself.

    Raises `Refused` (`not-overruled`, `key-missing`, `no-live-hand`, `nobody-else`, `nothing-to-overrule`,
    `place-unknown`).
    """
    rule = _overrules(state) if step is None else state.setup.rulebook.floor.overrules
    finding = step.question if step is not None else "floor"
    match event.decide:
        case Decide.MISDEAL:
            objection = _objection(state)
            plan_edits.deal_again(state)
            if objection is not None:
                sentence = "a player objects to moving cards: misdeal, all cards and all money back"
                return (ruled(finding, Verdict.MISDEAL, objection, sentence),)
            return (ruled(finding, Verdict.MISDEAL, rule, "the floor: misdeal, all cards and all money back"),)
        case Decide.VOID:
            plan_edits.deal_again(state)
            return (ruled(finding, Verdict.VOID_HAND, rule, "the floor: the hand is void, all money back"),)
        case Decide.DEAD_HAND:
            seat = event.seat if event.seat is not None or step is None else step.seat
            return (_killed(state.hand_in_play, finding, rule, seat),)
        case Decide.PLAY_ON:
            return (ruled(finding, Verdict.PLAY_ON, rule, LETS_STAND),)
        case Decide.PASSIVE:
            return out_of_turn.passive(state, step, event)
        case _:
            return out_of_turn.decided(state, step, event)


def _objection(state: State) -> Rule[object] | None:
    """The clause by which cards were to be moved a moment ago as long as nobody objects [HR-misdeals.2]."""
    hand, previous = state.hand_in_play, state.undo.previous
    book = hand.setup.rulebook.sequence.get(hand.setup.game.form)
    move = hand.plan.due(Move)
    if book is None or move is None or not move.ruled or previous is None or not isinstance(previous.event, Report):
        return None
    rule = book.repair_order if previous.event.what is What.WRONG_SEAT else book.repair_hands
    return rule if rule.value is Repair.IF_UNSEEN else None


def _killed(hand: Hand, finding: str, rule: Rule[bool], seat: int | None) -> Ruling:
    """A hand is declared dead, at any time before a pot is pushed."""
    live = ", ".join(map(str, sorted(hand.betting.live)))
    if seat is None:
        raise Refused("key-missing", f"`dead-hand` needs the `seat` of a live hand: {live}.")
    if seat not in hand.betting.live:
        raise Refused("no-live-hand", f"seat {seat} has no live hand; seats {live} have one.")
    if len(hand.betting.live) == 1:
        raise Refused("nobody-else", f"seat {seat} holds the last live hand and takes the pot.")
    back = hand.setup.rulebook.floor.uncalled_back
    called = max((bet for other, bet in hand.chips.bets.items() if other != seat), default=0)
    if not back.value or not hand.setup.tracked or hand.chips.bets.get(seat, 0) <= called:
        plan_edits.dead_hand(hand, seat)
        return ruled(finding, Verdict.DEAD_HAND, rule, f"the floor: the hand of seat {seat} is dead", seat)
    plan_edits.dead_hand(hand, seat, keeping=called)
    sentence = f"the floor: the hand of seat {seat} is dead; what nobody has called of its wager goes back"
    with_refund = replace(rule, cite=(*rule.cite, *back.cite))
    return ruled(finding, Verdict.DEAD_HAND, with_refund, sentence, seat)


def _played_on(state: State, stands: Stands) -> Ruling:
    """Nothing is done; a ruling just made is taken back, with the steps that it put on the plan."""
    rule = _overrules(state)
    if state.hand_in_play.plan == planner.UPCARD_ASKED:
        words = (
            "an upcard that nobody can read decides who acts, so it cannot stand so: report `misread` with its `card`."
        )
        raise Refused("not-an-option", words)
    if state.hand_in_play.cards.undue:
        let_stand(state.hand_in_play)
    else:
        previous = state.undo.previous
        if previous is None or not previous.ruled or not _found(previous):
            raise Refused("nothing-to-overrule", "`play-on` sets a finding of the line before aside; there was none.")
        state.become(previous.state)
        hand = state.hand_in_play
        if hand.plan.due(Say) and hand.cards.undue:
            hand.plan = hand.plan.done()
        if isinstance(previous.event, Card):
            _laid(hand, previous.event)
        elif isinstance(previous.event, Report) and previous.event.what in stands:
            stands[previous.event.what](hand, previous.event)
        if state.hand_in_play.cards.undue:
            let_stand(state.hand_in_play, burned=not isinstance(previous.event, Report) or previous.event.burned)
    return ruled("floor", Verdict.PLAY_ON, rule, LETS_STAND)


LETS_STAND = "the floor: nothing is done, the hand goes on"


def _overrules(state: State) -> Rule[bool]:
    """The rule by which the floor sets a ruling aside; refuses where the book has none."""
    rule = state.setup.rulebook.floor.overrules
    if not rule.value:
        raise Refused("not-overruled", f"under this book nothing is set aside, see {rule.clause}.")
    return rule


def _found(previous: Previous) -> bool:
    """Whether the last entry was, or brought to light, what was ruled on; a regular entry is taken back by `undo`."""
    event, plan = previous.event, previous.state.plan
    if isinstance(event, Act):
        turn = plan.due(ActStep)
        return turn is None or turn.seat != event.seat
    return isinstance(event, Report | Card | Seen | Time)


def _laid(hand: Hand, event: Card) -> None:
    """The card whose finding was set aside lies where the plan sends it."""
    if not hand.plan.due(FromShoe):
        raise Refused("place-unknown", "no card was due: say with `report` where it lies.")
    fulfil.fulfil(hand, event)

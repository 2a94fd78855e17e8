"""What somebody says happened, what an antenna saw, and what the floor decided."""

from collections.abc import Callable

from controller.core.engine.machine.misread import misread
from controller.core.irregularities.board import burns, extra_board_card, premature
from controller.core.irregularities.common import unexpected_card
from controller.core.irregularities.common.seen_cards import still_count
from controller.core.irregularities.common.wrong_card_count import collusion_decided
from controller.core.irregularities.conduct import chips_and_words, out_of_turn, owes_blind, told_by_rounds, wrong_wager
from controller.core.irregularities.conduct import floor_decision as floors
from controller.core.irregularities.conduct.string_bet import string_bet
from controller.core.irregularities.deck import defective_deck, fouled_stub, preparation
from controller.core.irregularities.draw import false_openers
from controller.core.irregularities.hands import antenna_reads, exposed, wrong_count, wrong_seat
from controller.core.irregularities.hands.boxed import reported as boxed
from controller.core.irregularities.stud import stud_deal
from controller.core.model.state import State
from controller.core.play.deal import planner
from controller.core.play.opening.first_to_act import reconsider
from controller.core.play.refusals import not_now
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Act, Report, Seen
from controller.core.protocol.events import Floor as FloorEvent
from controller.core.protocol.steps import Floor as FloorStep
from controller.core.protocol.steps import Say
from controller.core.protocol.vocabulary import Decide, Do, What
from controller.core.rules.rulings import Ruling, asked
from controller.core.values.piles import BOARD
from controller.core.values.value import replace

FINDINGS: dict[What, Callable[[State, Report], tuple[Ruling, ...]]] = {
    What.EXPOSED: exposed.exposed,
    What.OFF_TABLE: exposed.exposed,
    What.BOXED: boxed,
    What.NO_BURN: burns.no_burn,
    What.DOUBLE_BURN: burns.double_burn,
    What.BOARD_EXTRA: extra_board_card.too_many,
    What.TWO_EXPOSED: extra_board_card.too_many,
    What.PREMATURE: premature.premature,
    What.STUB_FOULED: fouled_stub.fouled,
    What.EXTRA_CARD: wrong_count.extra_card,
    What.SHORT_HAND: wrong_count.short_hand,
    What.WRONG_SEAT: wrong_seat.wrong_seat,
    What.SKIPPED: wrong_seat.skipped,
    What.NOT_ENTITLED: wrong_seat.not_entitled,
    What.BUTTON_WRONG: preparation.button_wrong,
    What.NOT_SHUFFLED: preparation.not_shuffled,
    What.EXPOSED_CUTTING: preparation.exposed_cutting,
    What.LOOKED: preparation.looked,
    What.PUT_BACK: preparation.put_back,
    What.MISREAD: misread,
    What.JOKER: defective_deck.joker,
    What.DUPLICATE: defective_deck.duplicate,
    What.FOREIGN_BACK: defective_deck.foreign_back,
    What.MISSING_CARD: defective_deck.missing_card,
    What.DECK_DEFECTIVE: defective_deck.defective,
    What.STRING_BET: string_bet,
    What.OVERPOT: wrong_wager.noticed,
    What.UNDERBET: wrong_wager.noticed,
    What.OWES_BLIND: owes_blind.owes_blind,
    What.LAST_FACEUP: stud_deal.last_faceup,
    What.WRONG_OPENER: stud_deal.wrong_opener,
    What.FALSE_OPENERS: false_openers.false_openers,
}
"""What each report comes to."""

BETWEEN_HANDS = (
    What.BUTTON_WRONG,
    What.MISSING_CARD,
    What.DUPLICATE,
    What.FOREIGN_BACK,
    What.DECK_DEFECTIVE,
    What.JOKER,
)
"""Reports that are also taken when no hand is on."""

NAMES_A_PLACE = (What.NOT_ENTITLED, What.WRONG_SEAT, What.BUTTON_WRONG)
"""Reports whose `seat` may be an empty chair; all others speak of a player."""


def _wagers_of_a_dead_hand(state: State, step: FloorStep | None, event: FloorEvent) -> tuple[Ruling, ...]:
    """A wrong count: whether the hand is dead at all, or, of one that is, whether its wagers go back."""
    if event.decide in (Decide.BIND, Decide.RELEASE):
        return collusion_decided(state, step, event)
    return floors.carried_out(state, step, event)


COUNTED = (What.SHORT_HAND, What.EXTRA_CARD, What.SKIPPED, What.NOT_ENTITLED, What.WRONG_SEAT)
"""Reports that may prove a hand to have a wrong number of cards."""

ANSWERS: dict[str, floors.Answer] = {
    "out-of-turn": out_of_turn.decided,
    "false-openers": false_openers.declared,
    chips_and_words.UNDERCALL: chips_and_words.decided,
    **{what.value: _wagers_of_a_dead_hand for what in COUNTED},
}
"""Who carries out what the floor answers to a question; the others are answered by `findings.floor.carried_out`."""


STANDS: floors.Stands = {
    What.NO_BURN: burns.stands,
    What.DOUBLE_BURN: burns.stands,
    What.EXPOSED: still_count,
    What.OFF_TABLE: still_count,
    What.WRONG_SEAT: wrong_seat.stands,
    What.SKIPPED: wrong_seat.round_stands,
    What.NOT_ENTITLED: wrong_seat.round_stands,
    What.EXTRA_CARD: wrong_count.stands,
    What.SHORT_HAND: wrong_count.stands,
}
"""What is so at the table where the floor lets a report's finding stand; of the others nothing lies elsewhere."""


def report(state: State, event: Report) -> tuple[Ruling, ...]:
    """Somebody reports an irregularity. Raises `Refused` where it cannot be so."""
    if event.count == 0 and event.what is not What.ACTED:
        raise Refused("value", "`count` cannot be 0; it is a whole number from 1.")
    if state.hand is None or not state.hand.plan:
        if event.what in BETWEEN_HANDS:
            return FINDINGS[event.what](state, event)
        raise not_now(state, f"report {event.what.value}")
    if event.what is What.ACTED:
        return _now_that_acts_are_known(state, told_by_rounds.acted(state.hand, event))
    if event.what in told_by_rounds.OPENING:
        told_by_rounds.opening(state.hand, event)
        return ()
    told_by_rounds.told_with(state.hand, event)
    if told_by_rounds.matters(state, event, _ruled):
        return (told_by_rounds.ask_how_many_acted(state.hand, event),)
    return _ruled(state, event)


def _now_that_acts_are_known(state: State, waiting: Report | None) -> tuple[Ruling, ...]:
    """Rule on the report that waited for the number; where it cannot be so with that number, say so and ask no more."""
    if waiting is None:
        return ()
    trial = state.copy()
    trial.hand = state.hand_in_play.copy()
    try:
        rulings = _ruled(trial, waiting)
    except Refused as refused:
        return (asked(waiting.what.value, refused.message.rstrip(".")),)
    state.become(trial)
    return rulings


def _ruled(state: State, event: Report) -> tuple[Ruling, ...]:
    """What the report comes to, and the plan with it."""
    finding = FINDINGS.get(event.what)
    if finding is None:
        raise Refused(
            "not-ruled", f"`{event.what.value}` has no rule here; there are {', '.join(w.value for w in FINDINGS)}."
        )
    hand = state.hand_in_play
    asked_about = hand.cards.undue
    if hand.plan.due(Say):
        hand.plan = hand.plan.done()
    seated = {*state.seating.chairs, *hand.order}
    rulings = finding(state, event)
    if event.seat is not None and event.what not in NAMES_A_PLACE and event.seat not in seated:
        taken = ", ".join(map(str, sorted(seated)))
        raise Refused("empty-chair", f"nobody sits at seat {event.seat}; taken seats: {taken}.")
    unexpected_card.explained(state, event, asked_about)
    if state.hand is not None:
        reconsider(state.hand)
        planner.extend(state.hand)
        if event.witnessed:
            state.hand.cards = replace(state.hand.cards, piles=state.hand.cards.piles.proven())
    unexpected_card.still_asked(state)
    return rulings


def seen(state: State, event: Seen) -> tuple[Ruling, ...]:
    """An antenna read a card, which may be one that the dealer was asked about."""
    before = None if state.hand is None else state.hand.cards.piles
    rulings = antenna_reads.seen(state, event)
    if state.hand is not None and state.hand.cards.piles is not before:
        reconsider(state.hand)
        planner.read_now(state.hand)
    if state.hand is not None and event.at == BOARD:
        state.hand.cards = replace(state.hand.cards, piles=state.hand.cards.piles.proven(event.card))
    seat = antenna_reads.has_folded(state)
    return rulings if seat is None else (*rulings, *out_of_turn.in_turn(state, Act(seat, Do.FOLD)))


def floor(state: State, event: FloorEvent) -> tuple[Ruling, ...]:
    """The floor decides; what it lets stand lies as it has seen it lie.

    Raises `Refused` (`not-now`, `too-late-to-revive`).
    """
    if not state.plan:
        if event.decide is Decide.REVIVE and state.hand is not None:
            raise Refused("too-late-to-revive", "the last pot has been pushed: no hand is given back.")
        raise not_now(state, "floor")
    rulings = floors.decided(state, event, ANSWERS, STANDS)
    if event.decide is Decide.PLAY_ON and state.hand is not None:
        state.hand.cards = replace(state.hand.cards, piles=state.hand.cards.piles.proven())
    return rulings

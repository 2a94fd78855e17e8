"""What somebody says happened, what an antenna saw, and what the floor decided."""

from collections.abc import Callable

from controller.core import stretch
from controller.core.errors import Refused
from controller.core.events import Floor as FloorEvent
from controller.core.events import Report, Seen, What
from controller.core.findings import (
    antennas,
    board,
    burns,
    counts,
    deck,
    exposed,
    openers,
    owing,
    premature,
    procedure,
    sequence,
    stub,
    stud,
    turns,
    undue,
)
from controller.core.findings import floor as floors
from controller.core.findings.boxed import reported as boxed
from controller.core.findings.misread import misread
from controller.core.findings.string_bet import string_bet
from controller.core.openers import reconsider
from controller.core.refusals import not_now
from controller.core.rulings import Ruling
from controller.core.state import State
from controller.core.steps import Say

FINDINGS: dict[What, Callable[[State, Report], tuple[Ruling, ...]]] = {
    What.EXPOSED: exposed.exposed,
    What.OFF_TABLE: exposed.exposed,
    What.BOXED: boxed,
    What.NO_BURN: burns.no_burn,
    What.DOUBLE_BURN: burns.double_burn,
    What.BOARD_EXTRA: board.too_many,
    What.TWO_EXPOSED: board.too_many,
    What.PREMATURE: premature.premature,
    What.STUB_FOULED: stub.fouled,
    What.EXTRA_CARD: counts.extra_card,
    What.SHORT_HAND: counts.short_hand,
    What.WRONG_SEAT: sequence.wrong_seat,
    What.SKIPPED: sequence.skipped,
    What.NOT_ENTITLED: sequence.not_entitled,
    What.BUTTON_WRONG: procedure.button_wrong,
    What.NOT_SHUFFLED: procedure.not_shuffled,
    What.EXPOSED_CUTTING: procedure.exposed_cutting,
    What.LOOKED: procedure.looked,
    What.PUT_BACK: procedure.put_back,
    What.MISREAD: misread,
    What.JOKER: deck.joker,
    What.DUPLICATE: deck.duplicate,
    What.FOREIGN_BACK: deck.foreign_back,
    What.MISSING_CARD: deck.missing_card,
    What.DECK_DEFECTIVE: deck.defective,
    What.STRING_BET: string_bet,
    What.OWES_BLIND: owing.owes_blind,
    What.LAST_FACEUP: stud.last_faceup,
    What.WRONG_OPENER: stud.wrong_opener,
    What.FALSE_OPENERS: openers.false_openers,
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

ANSWERS: dict[str, floors.Answer] = {"out-of-turn": turns.decided, "false-openers": openers.declared}
"""Who carries out what the floor answers to a question; the others are answered by `findings.floor.carried_out`."""


def report(state: State, event: Report) -> tuple[Ruling, ...]:
    """Somebody reports an irregularity."""
    if state.hand is None or not state.hand.plan:
        if event.what in BETWEEN_HANDS:
            return FINDINGS[event.what](state, event)
        raise not_now(state, f"report {event.what.value}")
    finding = FINDINGS.get(event.what)
    if finding is None:
        raise Refused(
            "not-ruled", f"`{event.what.value}` has no rule here; there are {', '.join(w.value for w in FINDINGS)}."
        )
    hand = state.hand
    asked_about = hand.undue
    if isinstance(hand.plan[0], Say):
        hand.plan = hand.plan[1:]
    seated = {*state.chairs, *hand.order}
    rulings = finding(state, event)
    if event.seat is not None and event.what not in NAMES_A_PLACE and event.seat not in seated:
        taken = ", ".join(map(str, sorted(seated)))
        raise Refused("empty-chair", f"nobody sits at seat {event.seat}; taken seats: {taken}.")
    undue.explained(state, event, asked_about)
    if state.hand is not None:
        reconsider(state.hand)
        stretch.extend(state.hand)
    undue.still_asked(state)
    return rulings


def seen(state: State, event: Seen) -> tuple[Ruling, ...]:
    """An antenna read a card, which may be one that the dealer was asked about."""
    before = None if state.hand is None else state.hand.piles
    rulings = antennas.seen(state, event)
    if state.hand is not None and state.hand.piles is not before:
        reconsider(state.hand)
        stretch.read_now(state.hand)
    return rulings


def floor(state: State, event: FloorEvent) -> tuple[Ruling, ...]:
    """The floor decides."""
    return floors.decided(state, event, ANSWERS)

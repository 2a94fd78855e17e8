"""A wager made in more than one motion, without announcing a raise before the second."""

from controller.core.irregularities.conduct import turn_order
from controller.core.model.table_state import TableState
from controller.core.protocol.events import ChipMotion, PlayerActed, Report
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import ActionType
from controller.core.rules import ruling_sentences as said
from controller.core.rules.rulings import Ruling, Verdict, build_ruling


def rule_on_string_bet(state: TableState, event: Report) -> tuple[Ruling, ...]:
    """The raise just entered was a string raise: the seat has only called.

    Raises `Refused` (`no-wager`, `other-seat`, `no-raise`).
    """
    previous = state.undo.previous
    if (
        previous is None
        or not isinstance(previous.event, (PlayerActed, ChipMotion))
        or not turn_order.has_just_acted(state, previous.event.seat)
    ):
        raise Refused("no-wager", "`string-bet` speaks of the act just entered; the line before was none in turn.")
    hand, hand_before = state.hand_in_play, previous.state.hand_in_play
    seat, rule = previous.event.seat, hand.setup.rulebook.turns.string_raise
    if event.seat not in (None, seat):
        raise Refused("other-seat", f"the last to act was seat {seat}, not {event.seat}.")
    if not rule.value:
        return (build_ruling("string-bet", Verdict.PLAY_ON, rule, said.WAGER_STANDS.format(seat=seat), seat),)
    before, after = hand_before.round, hand.round
    assert before is not None
    assert after is not None
    if after.current_bet <= before.current_bet or before.current_bet <= hand_before.chips.bet_by_seat.get(seat, 0):
        raise Refused("no-raise", f"seat {seat} has not raised a bet; `undo` and enter its first motion as its bet.")
    state.assign_from(previous.state)
    rulings = turn_order.act_in_turn(state, PlayerActed(seat, ActionType.CALL))
    sentence = said.STRING_RAISE.format(seat=seat)
    return (build_ruling("string-bet", Verdict.CORRECT, rule, sentence, seat), *rulings)

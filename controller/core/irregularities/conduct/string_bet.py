"""A wager made in more than one motion, without announcing a raise before the second."""

from controller.core.irregularities.conduct import out_of_turn
from controller.core.model.state import State
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Act, Motion, Report
from controller.core.protocol.vocabulary import Do
from controller.core.rules.rulings import Ruling, Verdict, ruled


def string_bet(state: State, event: Report) -> tuple[Ruling, ...]:
    """The raise just entered was a string raise: the seat has only called.

    Raises `Refused` (`no-wager`, `other-seat`, `no-raise`).
    """
    previous = state.undo.previous
    if (
        previous is None
        or not isinstance(previous.event, (Act, Motion))
        or not out_of_turn.has_just_acted(state, previous.event.seat)
    ):
        raise Refused("no-wager", "`string-bet` speaks of the act just entered; the line before was none in turn.")
    hand, hand_before = state.hand_in_play, previous.state.hand_in_play
    seat, rule = previous.event.seat, hand.setup.rulebook.turns.string_raise
    if event.seat not in (None, seat):
        raise Refused("other-seat", f"the last to act was seat {seat}, not {event.seat}.")
    if not rule.value:
        return (ruled("string-bet", Verdict.PLAY_ON, rule, f"the wager of seat {seat} stands", seat),)
    before, after = hand_before.round, hand.round
    assert before is not None
    assert after is not None
    if after.high <= before.high or before.high <= hand_before.chips.bets.get(seat, 0):
        raise Refused("no-raise", f"seat {seat} has not raised a bet; `undo` and enter its first motion as its bet.")
    state.become(previous.state)
    rulings = out_of_turn.in_turn(state, Act(seat, Do.CALL))
    sentence = f"a string raise: the raise of seat {seat} is taken back, it has only called"
    return (ruled("string-bet", Verdict.CORRECT, rule, sentence, seat), *rulings)

"""What a table that is told rounds, not acts, does not know and must ask: whether the pot was opened.

Source: table script 2, section 3.
"""

from controller.core.irregularities.common import unexpected_card
from controller.core.irregularities.remedies import plan_edits
from controller.core.model.hand import Hand
from controller.core.model.state import State
from controller.core.play.betting import whole_round
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Report, What
from controller.core.protocol.steps import Bet, Say
from controller.core.rules.rulings import Ruling, asked

UNOPENED = Say((What.OPENED.value, What.PASSED_OUT.value))


def ask_whether_opened(hand: Hand) -> Ruling:
    """The betting is over and nothing says that anybody opened a pot that must be opened."""
    plan_edits.first(hand, UNOPENED)
    return asked("unopened", "Nobody was said to have bet: say whether the pot was opened, or passed out")


def opened(state: State, event: Report) -> tuple[Ruling, ...]:
    """The pot was opened, by `seat` where somebody says so. Raises `Refused` where nobody asks."""
    hand = _asked(state, event)
    if event.seat is not None and event.seat not in hand.live:
        holding = ", ".join(map(str, sorted(hand.live)))
        raise Refused("no-live-hand", f"seat {event.seat} has no live hand; seats {holding} have one.")
    whole_round.over(hand, event.seat)
    unexpected_card.after_the_round(hand)
    return ()


def passed_out(state: State, event: Report) -> tuple[Ruling, ...]:
    """Nobody opened the pot. Raises `Refused` where nobody asks."""
    hand = _asked(state, event)
    whole_round.over(hand, opened=False)
    unexpected_card.after_the_round(hand)
    return ()


def _asked(state: State, event: Report) -> Hand:
    hand = state.hand_in_play
    first = hand.plan[0] if hand.plan else None
    if not isinstance(first, Bet) or not whole_round.is_in_doubt(hand):
        raise Refused("not-so", f"nobody asks whether the pot was opened: `{event.what.value}` has no place now.")
    return hand

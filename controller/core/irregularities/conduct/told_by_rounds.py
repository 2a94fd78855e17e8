"""What a table that is told rounds, not acts, does not know and must ask: who opened, how many have acted.

Source: table script 2, sections 2 and 3.
"""

from collections.abc import Callable

from controller.core.irregularities.common import unexpected_card
from controller.core.model.hand import Hand
from controller.core.model.state import State
from controller.core.play.betting import whole_round
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Report
from controller.core.protocol.steps import Bet, Say
from controller.core.protocol.vocabulary import What
from controller.core.rules.rulings import Ruling, asked, printed
from controller.core.values.value import replace

OPENING = (What.OPENED, What.PASSED_OUT)
"""What is said of a pot that nobody was said to have opened."""

UNOPENED = Say(tuple(what.value for what in OPENING))


def ask_whether_opened(hand: Hand) -> Ruling:
    """The betting is over and nothing says that anybody opened a pot that must be opened."""
    hand.plan = hand.plan.first(UNOPENED)
    return asked("unopened", "Nobody was said to have bet: say whether the pot was opened, or passed out")


def opening(hand: Hand, event: Report) -> None:
    """The pot was opened, by `seat` where somebody says so, or nobody opened it. Raises `Refused` where nobody asks."""
    if not hand.plan or hand.plan[0] != UNOPENED:
        raise Refused("not-so", f"nobody asks whether the pot was opened: `{event.what.value}` has no place now.")
    if event.seat is not None and event.seat not in hand.betting.live:
        holding = ", ".join(map(str, sorted(hand.betting.live)))
        raise Refused("no-live-hand", f"seat {event.seat} has no live hand; seats {holding} have one.")
    hand.plan = hand.plan.done()
    whole_round.over(hand, event.seat, opened=event.what is What.OPENED)
    unexpected_card.after_the_round(hand)


Ruled = Callable[[State, Report], tuple[Ruling, ...]]
"""How a report is ruled on."""


def matters(state: State, event: Report, ruled: Ruled) -> bool:
    """Whether the report is ruled on otherwise when more, or fewer, have acted on the round, and nobody has said it.

    A count with which the report could not be so at all is no reason to ask.
    """
    hand = state.hand_in_play
    if not is_open(hand) or hand.round is None or hand.round.told:
        return False
    told = {
        _came_to(state, event, ruled, count, chips)
        for count in range(len(hand.round.ring) + 1)
        for chips in ((False, True) if count else (False,))
    }
    return len(told - {None}) > 1


def is_open(hand: Hand) -> bool:
    """Whether the table waits for the end of a round that it is told as a whole, whatever is asked before."""
    first = next((step for step in hand.plan.without(Say) if not step.ruled), None)
    return isinstance(first, Bet)


def _came_to(state: State, event: Report, ruled: Ruled, count: int, chips: bool) -> object:
    """What the report would come to if so many had acted; `None` where it would be refused."""
    trial = state.copy()
    trial.hand = state.hand_in_play.copy()
    whole_round.said(trial.hand, count, chips=chips)
    try:
        rulings = ruled(trial, event)
    except Refused:
        return None
    hand = trial.hand_in_play
    verdicts = tuple((each.finding, each.verdict, each.seat, tuple(map(printed, each.cite))) for each in rulings)
    return (verdicts, hand.plan, tuple(hand.streets.changes.items()), tuple(sorted(hand.betting.live)))


def ask_how_many_acted(hand: Hand, event: Report) -> Ruling:
    """The rule asks how many have acted, and nobody has entered it."""
    hand.plan = hand.plan.first(Say((What.ACTED.value,), event))
    sentence = "The rule asks how many have acted on this round: say how many, and whether one put chips in"
    return asked(event.what.value, sentence)


def acted(hand: Hand, event: Report) -> Report | None:
    """So many (`count`) have acted on this round; returns the report that waited for it.

    Raises `Refused` where no round is on, and for more than can have acted.
    """
    if not is_open(hand) or hand.round is None:
        raise Refused("not-so", "no betting round is on of which anybody could say how many have acted.")
    most = len(hand.round.ring)
    if event.count is None or event.count > most:
        raise Refused("value", f"`acted` needs `count`, how many have acted on this round, from 0 to {most}.")
    _told(hand, event.count, chips=bool(event.chips))
    question = hand.plan.due(Say)
    if question is None or question.about is None:
        return None
    hand.plan = hand.plan.done()
    return question.about


def told_with(hand: Hand, event: Report) -> None:
    """The report itself says how many have acted. Raises `Refused` for more than can have."""
    if event.acted is None and event.chips is None:
        return
    round_ = hand.round
    if round_ is not None and round_.street < hand.streets.planned:
        return  # acts that could not be entered, on a street whose cards lie wrong: whoever rules on them counts them
    if round_ is None:
        raise Refused("not-so", "no betting round has begun: leave `acted` and `chips` out.")
    if (event.acted or 0) > len(round_.ring):
        raise Refused("value", f"`acted` cannot be {event.acted}: {len(round_.ring)} seats are in this round.")
    _told(hand, event.acted or int(event.chips or False), chips=bool(event.chips))


def _told(hand: Hand, count: int, *, chips: bool) -> None:
    whole_round.said(hand, count, chips=chips)
    assert hand.round is not None
    hand.round = replace(hand.round, told=True)

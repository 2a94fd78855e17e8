"""The cap on the raises of a round in limit and spread-limit games."""

from controller.core.model.hand import Hand, Round
from controller.core.rules.questions.play.betting import CapHeadsUp


def binds(hand: Hand, round_: Round) -> bool:
    """Whether the round was capped and still is, now that some may have folded [AU-16.6(f), R7-3.betting.4]."""
    if not round_.capped or len(hand.contenders) > 2:
        return round_.capped
    book = hand.setup.rulebook.betting
    heads_up = hand.setup.for_mode(book.cap_heads_up_cash, book.cap_heads_up_tournament).value
    return heads_up is not CapHeadsUp.ALWAYS_OPEN


def reached(hand: Hand, round_: Round) -> bool:
    """Whether the raises of a limit round are used up [R7-3.betting.3a, R7-3.betting.4, R7-15.tourn.23]."""
    if round_.capped:
        return True
    book = hand.setup.rulebook.betting
    raises = (book.raises_long if len(hand.setup.game.streets) > 2 else book.raises_short).value
    if not raises or round_.wagers < 1 + raises:
        return False
    if len(hand.contenders) > 2:
        return True
    heads_up = hand.setup.for_mode(book.cap_heads_up_cash, book.cap_heads_up_tournament).value
    if heads_up is CapHeadsUp.OPEN_IF_THE_ROUND_BEGAN:
        return round_.began > 2
    return heads_up is CapHeadsUp.LAST_TWO_ONLY and len(hand.order) > 2

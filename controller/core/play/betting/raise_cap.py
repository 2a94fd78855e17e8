"""The cap on the raises of a round in limit and spread-limit games."""

from controller.core.model.hand import Hand, Round
from controller.core.rules.questions.play.betting_rules import HeadsUpCap


def is_cap_binding(hand: Hand, round_: Round) -> bool:
    """Whether the round was capped and still is, now that some may have folded [AU-16.6(f), R7-3.betting.4]."""
    if not round_.is_capped or len(hand.contenders) > 2:
        return round_.is_capped
    book = hand.setup.rulebook.betting
    heads_up = hand.setup.select_by_mode(book.cap_heads_up_cash, book.cap_heads_up_tournament).value
    return heads_up is not HeadsUpCap.ALWAYS_OPEN


def is_cap_reached(hand: Hand, round_: Round) -> bool:
    """Whether the raises of a limit round are used up [R7-3.betting.3a, R7-3.betting.4, R7-15.tourn.23]."""
    if round_.is_capped:
        return True
    book = hand.setup.rulebook.betting
    raises = (book.raises_long if len(hand.setup.game.streets) > 2 else book.raises_short).value
    if not raises or round_.wager_count < 1 + raises:
        return False
    if len(hand.contenders) > 2:
        return True
    heads_up = hand.setup.select_by_mode(book.cap_heads_up_cash, book.cap_heads_up_tournament).value
    if heads_up is HeadsUpCap.OPEN_IF_THE_ROUND_BEGAN:
        return round_.starting_player_count > 2
    return heads_up is HeadsUpCap.LAST_TWO_ONLY and len(hand.dealing_order) > 2

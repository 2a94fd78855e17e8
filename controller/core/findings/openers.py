"""False openers: the pot was opened on a hand that the game does not let open."""

from controller.core import ranking, remedies
from controller.core.games import Ranking
from controller.core.hand import Hand
from controller.core.outcome import Ruling, Verdict
from controller.core.rulings import ruled

LEAST = ("4d", "3c", "2s")
"""What makes the least hand of a pair."""


def proved(hand: Hand, seat: int) -> tuple[Ruling, ...]:
    """The opener has shown: its hand is dead when what it opened on was no openers [R7-12.jacks.3]."""
    book = hand.setup.rulebook.exchange.get(hand.setup.game.form)
    if book is None or not book.prove_openers.value or seat != hand.opener or not _false(hand):
        return ()
    if seat not in hand.live or len(hand.live) < 2:
        return ()
    remedies.dead_hand(hand, seat)
    sentence = f"seat {seat} opened without openers: its hand cannot win"
    return (ruled("false-openers", Verdict.DEAD_HAND, book.prove_openers, sentence, seat),)


def _false(hand: Hand) -> bool:
    """Whether the shoe read every card of the opening hand, and they are no openers."""
    wanted = hand.setup.game.openers
    held = tuple(lying.card for lying in hand.opened_on if lying.card is not None)
    if wanted is None or len(held) != 5:
        return False
    had = ranking.strength(Ranking.HIGH, held, (), None)
    least = ranking.strength(Ranking.HIGH, (wanted[0] + "h", wanted[1] + "s", *LEAST), (), None)
    return had is not None and least is not None and had < least

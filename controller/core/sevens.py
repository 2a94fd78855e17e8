"""The sevens rule of limit ace-to-five lowball [R7-11.a5.4].

A player who checks a seven or better after the draw, and has the best hand with it, wins only what lay in the pot
before the draw: every wager after the draw is void and goes back.
"""

from controller.core import lowball, ranking
from controller.core.games import Ranking
from controller.core.hand import Hand
from controller.core.outcome import Verdict
from controller.core.rulings import ruled

SEVEN = ("7s", "6s", "5s", "4s", "3s")
"""The worst hand that is a seven or better."""


def void(hand: Hand) -> None:
    """All hands have been shown: where the best one checked a seven, the wagers of the last round go back."""
    book = hand.setup.rulebook.lowball.get(hand.setup.game.form)
    if book is None or not book.sevens.value or not hand.setup.tracked or not lowball.is_limit_a5(hand.setup):
        return
    shown = {seat: cards for seat in hand.live if (cards := hand.tabled.get(seat)) is not None}
    if hand.award_pushed or len(shown) != len(hand.live) or not any(hand.paid_last.values()):
        return
    worth = {seat: ranking.strength(Ranking.LOW_A5, cards, (), None) for seat, cards in shown.items()}
    least = ranking.strength(Ranking.LOW_A5, SEVEN, (), None)
    known = {seat: found for seat, found in worth.items() if found is not None}
    if least is None or len(known) != len(shown) or not known:
        return
    best = max(known.values())
    sinners = tuple(seat for seat, found in known.items() if found == best and seat in hand.checked)
    if best < least or not sinners:
        return
    for seat, bet in hand.paid_last.items():
        hand.stacks = {**hand.stacks, seat: hand.stacks.get(seat, 0) + bet}
        hand.paid = {**hand.paid, seat: hand.paid.get(seat, 0) - bet}
    hand.paid_last = {}
    sentence = f"seat {sinners[0]} checked a seven or better: the wagers after the draw are void and go back"
    hand.said = (*hand.said, ruled("sevens", Verdict.CORRECT, book.sevens, sentence, sinners[0]))

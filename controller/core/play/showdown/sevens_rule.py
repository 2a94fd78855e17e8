"""The sevens rule of limit ace-to-five lowball [R7-11.a5.4].

A player who checks a seven or better after the draw, and has the best hand with it, wins only what lay in the pot
before the draw: every wager after the draw is void and goes back. An all-in bet of less than half a bet may be called
with a seven or better and won; who calls it after that and loses gets it back.
"""

from controller.core.model.hand import Hand
from controller.core.play.betting import betting_round, lowball
from controller.core.play.showdown import evaluation
from controller.core.play.showdown.evaluation import Strength
from controller.core.rules.games import Ranking
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Verdict, ruled
from controller.core.values.value import replace

SEVEN = ("7s", "6s", "5s", "4s", "3s")
"""The worst hand that is a seven or better."""


def void(hand: Hand) -> None:
    """All hands have been shown: where the best one checked or only called with a seven, the rule gives wagers back."""
    book = hand.setup.rulebook.lowball.get(hand.setup.game.form)
    if book is None or not book.sevens.value or not hand.setup.tracked or not lowball.is_limit_a5(hand.setup):
        return
    if hand.award_pushed or not any(hand.chips.paid_last.values()):
        return
    worth = _worth(hand)
    if not worth:
        return
    best = max(worth.values())
    leading = tuple(seat for seat, found in worth.items() if found == best)
    if best < _seven():
        return
    sinners = tuple(seat for seat in leading if seat in hand.betting.checked)
    if sinners:
        _back(hand, {seat: bet for seat, bet in hand.chips.paid_last.items() if bet})
        sentence = f"seat {sinners[0]} checked a seven or better: the wagers after the draw are void and go back"
        hand.said = (*hand.said, ruled("sevens", Verdict.CORRECT, book.sevens, sentence, sinners[0]))
        return
    _overcalls(hand, book.sevens, leading)


def _worth(hand: Hand) -> dict[int, Strength]:
    """What the hands are worth that contest the wagers after the draw; empty while one of them is not known."""
    shown = {seat: hand.showdown.tabled.get(seat) for seat in hand.betting.live if hand.chips.paid_last.get(seat)}
    worth = {
        seat: found
        for seat, cards in shown.items()
        if cards is not None and (found := evaluation.strength(Ranking.LOW_A5, cards, (), None)) is not None
    }
    return worth if len(worth) == len(shown) else {}


def _seven() -> Strength:
    least = evaluation.strength(Ranking.LOW_A5, SEVEN, (), None)
    assert least is not None
    return least


def _overcalls(hand: Hand, rule: Rule[bool], leading: tuple[int, ...]) -> None:
    """A short all-in bet, called by the best hand with a seven or better: later callers who lose get it back."""
    last = len(hand.setup.game.streets) - 1
    if 2 * max(hand.chips.paid_last.values()) >= betting_round.wager_size(hand, last):
        return
    order = [
        seat for seat in hand.betting.acted[hand.betting.acted_before.get(last, 0) :] if hand.chips.paid_last.get(seat)
    ]
    seven = next((seat for seat in order if seat in leading and seat not in hand.betting.all_in), None)
    if seven is None:
        return
    late = [seat for seat in order[order.index(seven) + 1 :] if seat not in leading]
    back = {seat: hand.chips.paid_last[seat] for seat in late}
    if not back:
        return
    _back(hand, back)
    seats = ", ".join(map(str, sorted(back)))
    sentence = f"seat {seven} only called a short all-in bet with a seven or better: seat {seats} gets its call back"
    hand.said = (*hand.said, ruled("sevens", Verdict.CORRECT, rule, sentence, seven))


def _back(hand: Hand, bets: dict[int, int]) -> None:
    """Wagers after the draw go back."""
    for seat, bet in bets.items():
        hand.chips = replace(
            hand.chips,
            stacks={**hand.chips.stacks, seat: hand.chips.stacks.get(seat, 0) + bet},
            paid={**hand.chips.paid, seat: hand.chips.paid.get(seat, 0) - bet},
        )
    hand.chips = replace(
        hand.chips, paid_last={seat: bet for seat, bet in hand.chips.paid_last.items() if seat not in bets}
    )

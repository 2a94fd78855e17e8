"""The sevens rule of limit ace-to-five lowball [R7-11.a5.4].

A player who checks a seven or better after the draw, and has the best hand with it, wins only what lay in the pot
before the draw: every wager after the draw is void and goes back. An all-in bet of less than half a bet may be called
with a seven or better and won; who calls it after that and loses gets it back.
"""

from controller.core.model.hand import Hand
from controller.core.play.betting import betting_round, lowball_betting
from controller.core.play.showdown import evaluation
from controller.core.play.showdown.evaluation import HandStrength
from controller.core.rules import ruling_sentences as said
from controller.core.rules.games import Ranking
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Verdict, build_ruling
from controller.core.values.value import replace

WORST_SEVEN = ("7s", "6s", "5s", "4s", "3s")
"""The worst hand that is a seven or better."""


def apply_sevens_rule(hand: Hand) -> None:
    """All hands have been shown: where the best one checked or only called with a seven, the rule gives wagers back."""
    book = hand.setup.rulebook.lowball.get(hand.setup.game.rules_form)
    if (
        book is None
        or not book.sevens.value
        or not hand.setup.tracks_amounts
        or not lowball_betting.is_limit_a5(hand.setup)
    ):
        return
    if hand.is_award_pushed or not any(hand.chips.paid_last_round_by_seat.values()):
        return
    worth = _strength_by_seat(hand)
    if not worth:
        return
    best = max(worth.values())
    leading = tuple(seat for seat, found in worth.items() if found == best)
    if best < _worst_seven_strength():
        return
    sinners = tuple(seat for seat in leading if seat in hand.betting.checked_seats)
    if sinners:
        _return_wagers(hand, {seat: bet for seat, bet in hand.chips.paid_last_round_by_seat.items() if bet})
        sentence = said.SEVEN_CHECKED.format(seat=sinners[0])
        hand.play_rulings = (
            *hand.play_rulings,
            build_ruling("sevens", Verdict.CORRECT, book.sevens, sentence, sinners[0]),
        )
        return
    _return_overcalls(hand, book.sevens, leading)


def _strength_by_seat(hand: Hand) -> dict[int, HandStrength]:
    """What the hands are worth that contest the wagers after the draw; empty while one of them is not known."""
    shown = {
        seat: hand.showdown.tabled_cards_by_seat.get(seat)
        for seat in hand.betting.live_seats
        if hand.chips.paid_last_round_by_seat.get(seat)
    }
    worth = {
        seat: found
        for seat, cards in shown.items()
        if cards is not None and (found := evaluation.evaluate_hand(Ranking.LOW_A5, cards, (), None)) is not None
    }
    return worth if len(worth) == len(shown) else {}


def _worst_seven_strength() -> HandStrength:
    least = evaluation.evaluate_hand(Ranking.LOW_A5, WORST_SEVEN, (), None)
    assert least is not None
    return least


def _return_overcalls(hand: Hand, rule: Rule[bool], leading: tuple[int, ...]) -> None:
    """A short all-in bet, called by the best hand with a seven or better: later callers who lose get it back."""
    last = len(hand.setup.game.streets) - 1
    if 2 * max(hand.chips.paid_last_round_by_seat.values()) >= betting_round.find_full_bet_size(hand, last):
        return
    order = [
        seat
        for seat in hand.betting.acted_seats[hand.betting.acted_count_by_street.get(last, 0) :]
        if hand.chips.paid_last_round_by_seat.get(seat)
    ]
    seven = next((seat for seat in order if seat in leading and seat not in hand.betting.all_in_seats), None)
    if seven is None:
        return
    late = [seat for seat in order[order.index(seven) + 1 :] if seat not in leading]
    back = {seat: hand.chips.paid_last_round_by_seat[seat] for seat in late}
    if not back:
        return
    _return_wagers(hand, back)
    seats = ", ".join(map(str, sorted(back)))
    sentence = said.SEVEN_CALLED.format(seat=seven, seats=seats)
    hand.play_rulings = (*hand.play_rulings, build_ruling("sevens", Verdict.CORRECT, rule, sentence, seven))


def _return_wagers(hand: Hand, bets: dict[int, int]) -> None:
    """Wagers after the draw go back."""
    for seat, bet in bets.items():
        hand.chips = replace(
            hand.chips,
            stack_by_seat={**hand.chips.stack_by_seat, seat: hand.chips.stack_by_seat.get(seat, 0) + bet},
            paid_earlier_by_seat={
                **hand.chips.paid_earlier_by_seat,
                seat: hand.chips.paid_earlier_by_seat.get(seat, 0) - bet,
            },
        )
    hand.chips = replace(
        hand.chips,
        paid_last_round_by_seat={
            seat: bet for seat, bet in hand.chips.paid_last_round_by_seat.items() if seat not in bets
        },
    )

"""A pot that nobody opened: the hand is over, what was anted stays for the next deal [R7-12.jacks.1]."""

from dataclasses import replace

from controller.core import money
from controller.core.hand import Hand
from controller.core.outcome import Ruling, Verdict
from controller.core.rulings import ruled
from controller.core.setup import Setup
from controller.core.state import State


def is_passed_out(hand: Hand) -> bool:
    """Whether the betting before a draw is over without a wager, where the book then antes again."""
    following = hand.planned + 1
    streets = hand.setup.game.streets
    book = hand.setup.rulebook.exchange.get(hand.setup.game.form)
    if book is None or not book.passed_out.value or hand.planned or following >= len(streets):
        return False
    if len(hand.contenders) < 2:
        return False
    return streets[following].draw and hand.opener is None and not any(hand.bets.values())


def settle(state: State) -> tuple[Ruling, ...]:
    """End a hand that nobody opened; the next one begins with its pot."""
    hand = state.hand
    if hand is None or not hand.passed_out:
        return ()
    hand.passed_out = False
    rule = hand.setup.rulebook.exchange[hand.setup.game.form].passed_out
    state.carried = sum(pot.amount for pot in money.pots(hand))
    state.passed += 1
    state.before = None
    state.chairs = {
        seat: chair if seat not in hand.stacks else chair.changed(stack=hand.stacks[seat])
        for seat, chair in state.chairs.items()
    }
    hand.paid, hand.dead = {}, 0
    sentence = "nobody opens the pot: it stays, the button moves on and all ante again"
    return (ruled("passed-out", Verdict.PLAY_ON, rule, sentence),)


def over(state: State) -> None:
    """A pot has been won: nothing is left over for the next deal."""
    state.carried = state.passed = 0


def stakes(state: State, setup: Setup) -> Setup:
    """The table of the next deal: without antes when they have been posted as often as the game asks."""
    book = setup.rulebook.exchange.get(setup.game.form)
    if book is None or not book.antes.value or state.passed < book.antes.value:
        return setup
    return setup.at_stakes(replace(setup.betting, ante=0))

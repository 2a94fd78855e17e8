"""The stub was fouled."""

from typing import Any

from controller.core.events import Decide, Report
from controller.core.findings import floor
from controller.core.outcome import Ruling, Verdict
from controller.core.rules.rule import Rule
from controller.core.rulings import ruled
from controller.core.state import State
from controller.core.steps import Award, Cut, Show, Shuffle


def fouled(state: State, event: Report) -> tuple[Ruling, ...]:
    """Play out the deal from a stub rebuilt in as fair a way as possible; known cards stay where they lie."""
    hand = state.hand_in_play
    rule: Rule[Any] = hand.setup.rulebook.stub.fouled
    left = hand.piles.stub
    if not rule.value:
        sentence = "the floor decides how the deal goes on"
        return (floor.ask(hand, event.what.value, rule, sentence, (Decide.PLAY_ON, Decide.VOID)),)
    if hand.planned + 1 == len(hand.setup.game.streets) and all(isinstance(s, Show | Award) for s in hand.plan):
        return (ruled(event.what.value, Verdict.PLAY_ON, rule, "no card is to come any more: the hand goes on"),)
    hand.plan = (Shuffle(ruled=True), Cut(ruled=True), *hand.plan)
    out = ", ".join(f"{len(pile)} at {place}" for place, pile in sorted(hand.piles.out.items()) if pile)
    sentence = (
        f"the deal is played out: gather the {left} cards of the stub, shuffle and cut them; outside it lie {out}"
    )
    return (ruled(event.what.value, Verdict.CORRECT, rule, sentence),)

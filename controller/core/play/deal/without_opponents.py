"""One player alone at a table of a tournament wins the blinds and antes of those who are absent, without a deal.

After five minutes the button advances a position every two minutes (every minute heads-up and in ante games), and each
time the player is awarded what was posted [WSOP-T-36]. The minutes are the floor's.
"""

from controller.core.model.hand import Hand
from controller.core.model.plan import NO_STEPS
from controller.core.model.state import State
from controller.core.play.betting import pots
from controller.core.protocol.errors import Refused
from controller.core.protocol.steps import Award
from controller.core.rules.questions.house.table import Mode
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.value import replace


def present(state: State) -> int:
    """The one player who is there; raises `Refused` (`alone`)."""
    rule, chairs = state.setup.rulebook.tournament.alone, state.seating.chairs
    here = [seat for seat, chair in chairs.items() if not chair.away]
    if state.setup.mode is not Mode.TOURNAMENT or not rule.value:
        raise Refused("alone", f"blinds are won without a deal in a tournament only ({rule.source}).")
    if len(here) != 1:
        seats = ", ".join(map(str, here)) or "nobody"
        raise Refused("alone", f"blinds are won without a deal by one who is alone; there are: {seats}.")
    return here[0]


def wins(hand: Hand, seat: int) -> Ruling:
    """All that was posted is the seat's, its own part too; no card is dealt."""
    rule = hand.setup.rulebook.tournament.alone
    paid = {each: hand.chips.paid.get(each, 0) + hand.chips.bets.get(each, 0) for each in hand.order}
    hand.chips = replace(hand.chips, bets={}, paid={each: amount for each, amount in paid.items() if amount})
    hand.betting = replace(hand.betting, live=(seat,))
    hand.round = None
    amount = sum(pot.amount for pot in pots.pots(hand))
    hand.plan = NO_STEPS.then(Award(0, (seat,), (amount,) if hand.setup.tracked else None))
    sentence = f"seat {seat} is alone: it is awarded what was posted, and no card is dealt"
    return ruled("alone", Verdict.PLAY_ON, rule, sentence, seat)

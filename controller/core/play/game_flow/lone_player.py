"""One player alone at a table of a tournament wins the blinds and antes of those who are absent, without a deal.

After five minutes the button advances a position every two minutes (every minute heads-up and in ante games), and each
time the player is awarded what was posted [WSOP-T-36]. The minutes are the floor's.
"""

from controller.core.model.hand import Hand
from controller.core.model.plan import NO_STEPS
from controller.core.model.table_state import TableState
from controller.core.play.betting import pots
from controller.core.protocol.steps import AwardStep
from controller.core.protocol.table_error import Refused
from controller.core.rules import ruling_sentences as said
from controller.core.rules.questions.house.table_rules import GameMode
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.value import replace


def find_lone_player(state: TableState) -> int:
    """The one player who is there; raises `Refused` (`alone`)."""
    rule, chairs = state.setup.rulebook.tournament.alone, state.seating.state_by_seat
    here = [seat for seat, chair in chairs.items() if not chair.is_away]
    if state.setup.mode is not GameMode.TOURNAMENT or not rule.value:
        raise Refused("alone", f"blinds are won without a deal in a tournament only ({rule.source}).")
    if len(here) != 1:
        seats = ", ".join(map(str, here)) or "nobody"
        raise Refused("alone", f"blinds are won without a deal by one who is alone; there are: {seats}.")
    return here[0]


def award_posted_chips(hand: Hand, seat: int) -> Ruling:
    """All that was posted is the seat's, its own part too; no card is dealt."""
    rule = hand.setup.rulebook.tournament.alone
    paid = {
        each: hand.chips.paid_earlier_by_seat.get(each, 0) + hand.chips.bet_by_seat.get(each, 0)
        for each in hand.dealing_order
    }
    hand.chips = replace(
        hand.chips, bet_by_seat={}, paid_earlier_by_seat={each: amount for each, amount in paid.items() if amount}
    )
    hand.betting = replace(hand.betting, live_seats=(seat,))
    hand.round = None
    amount = sum(pot.amount for pot in pots.build_pots(hand))
    hand.plan = NO_STEPS.append(AwardStep(0, (seat,), (amount,) if hand.setup.tracks_amounts else None))
    sentence = said.IS_ALONE.format(seat=seat)
    return build_ruling("alone", Verdict.PLAY_ON, rule, sentence, seat)

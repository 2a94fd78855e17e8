"""A kill that was owed and was not posted in time: the dealer has it posted with a later hand [WSOP-L-197]."""

from controller.core.model.hand import Hand
from controller.core.model.table_state import TableState
from controller.core.play.posting import forced_bets, kill_pots
from controller.core.protocol.table_error import Refused
from controller.core.values.value import replace


def post_missed_kill(state: TableState, seat: int) -> None:
    """Before the first card a seat posts the kill that it owes; the pot is killed, and it acts in turn.

    A seat with the button or a blind posts it with the first hand on which it has neither, unless every player has one
    of them. Should the hand be dealt again, the kill posts itself. Raises `Refused` (`kill-not-allowed`).
    """
    hand = state.hand_in_play
    rule, one = hand.setup.rulebook.kill.missed, hand.setup.rulebook.kill.one
    later = f"seat {seat} posts the kill that it owes"
    if not rule.value:
        raise Refused("kill-not-allowed", f"a kill that was missed is not posted later ({rule.source}).")
    if hand.cards.piles.dealt_count:
        raise Refused("kill-not-allowed", f"{later} before the first card of a hand; a card has left the shoe.")
    if hand.kill.killer is not None:
        raise Refused(
            "kill-not-allowed",
            f"seat {hand.kill.killer} has killed this pot, and one kill a deal is allowed ({one.source}): {later} when "
            f"the button has passed ({rule.source}).",
        )
    if hand.chips.straddle_count and not hand.setup.rulebook.kill.straddle.value:
        raise Refused("kill-not-allowed", kill_pots.describe_straddled_pot(hand))
    if seat not in hand.betting.live_seats:
        raise Refused("kill-not-allowed", f"seat {seat} is not dealt in; {later} with its next hand.")
    if seat in _seats_with_duties(hand):
        raise Refused(
            "kill-not-allowed",
            f"seat {seat} has the button or a blind: it posts the kill with the first hand on which it has neither "
            f"({rule.source}).",
        )
    times = kill_pots.kill_in_half_blinds(hand.setup)
    if state.kill.required_killer is None:
        state.kill = replace(state.kill, required_killer=seat)
    hand.kill = replace(hand.kill, killer=seat, half_blinds=times, is_required=True)
    hand.setup = kill_pots.apply_kill_stakes(hand.setup, times)
    kill_pots.post_kill(hand)
    if hand.round is not None:
        forced_bets.open_first_round(hand)


def _seats_with_duties(hand: Hand) -> frozenset[int | None]:
    """The seats with the button or a blind; none where all have one of them, so that no later hand suits better."""
    duties = {*hand.positions.big_blinds, hand.positions.small_blind, hand.positions.button} & {*hand.dealing_order}
    return frozenset(duties) if len(duties) < len(hand.dealing_order) else frozenset()

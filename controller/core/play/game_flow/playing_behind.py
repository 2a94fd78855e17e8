"""Playing behind: a rebuy or an add-on announced before the cards are dealt counts for that hand, and must be paid.

[R7-15.tourn.33, MP-7.tourn.28, FC-10.rebuy.4(c)]
"""

from controller.core.model.table_state import TableState
from controller.core.play.game_flow.hand_start import find_new_seats, redeal
from controller.core.play.seating import seat_taking
from controller.core.protocol.events import PlayerSeated, RebuyAnnounced
from controller.core.protocol.table_display import Phase
from controller.core.protocol.table_error import Refused
from controller.core.rules import ruling_sentences as said
from controller.core.rules.questions.house.table_rules import GameMode
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.seat_state import SeatState
from controller.core.values.value import replace


def buy(state: TableState, event: RebuyAnnounced) -> tuple[Ruling, ...]:
    """A player announces to buy chips; after the riffle, but before the first card, the hand is laid out with them.

    Who sat down after the riffle has no part in the hand: the chips are there for the next.
    Raises `Refused` (`buy`, `empty-chair`).
    """
    rule = state.setup.rulebook.tournament.plays_behind
    if state.setup.mode is not GameMode.TOURNAMENT or not state.setup.tracks_amounts or not rule.value:
        raise Refused("buy", "chips are bought between hands here: `stack`, or `sit` for one who has lost all.")
    begun = state.planned_phase is not Phase.IDLE
    if begun and (state.state_before_hand is None or state.hand_in_play.cards.piles.dealt_count):
        raise Refused("buy", f"announced after the cards: the chips count from the next hand on ({rule.source}).")
    again = event.seat in state.seating.busted_by_seat
    waits = event.seat in find_new_seats(state)
    chair = _add_bought_chips(state, event, dealt_in=begun and not waits)
    state.seating = replace(
        state.seating,
        state_by_seat={**state.seating.state_by_seat, event.seat: chair},
        busted_by_seat={seat: gone for seat, gone in state.seating.busted_by_seat.items() if seat != event.seat},
    )
    if begun and not waits and state.state_before_hand is not None:
        before = state.state_before_hand
        bought = chair if again else replace(before.seating.state_by_seat[event.seat], stack=chair.stack)
        state.state_before_hand = replace(
            before,
            seating=replace(
                before.seating,
                state_by_seat={**before.seating.state_by_seat, event.seat: bought},
                busted_by_seat=state.seating.busted_by_seat,
            ),
        )
        redeal(state, None)
    sentence = said.PLAYS_BEHIND.format(player=chair.player, chips=f"{event.chips:,}")
    return (build_ruling("playing-behind", Verdict.BIND, rule, sentence, event.seat),)


def _add_bought_chips(state: TableState, event: RebuyAnnounced, *, dealt_in: bool) -> SeatState:
    chair = state.seating.state_by_seat.get(event.seat)
    if chair is not None:
        before = state.state_before_hand.seating.state_by_seat if dealt_in and state.state_before_hand else {}
        held = before.get(event.seat, chair).stack
        return replace(chair, stack=(held or 0) + event.chips)
    gone = state.seating.busted_by_seat.get(event.seat)
    found = None if gone is None else seat_taking.rebuy_seat(state, PlayerSeated(event.seat, gone.player, event.chips))
    if found is None:
        raise Refused("empty-chair", f"nobody plays at seat {event.seat}, or lost the last chip there.")
    return found

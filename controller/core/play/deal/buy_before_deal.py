"""Playing behind: a rebuy or an add-on announced before the cards are dealt counts for that hand, and must be paid.

[R7-15.tourn.33, MP-7.tourn.28, FC-10.rebuy.4(c)]
"""

from controller.core.model.state import State
from controller.core.play.deal.start_hand import redeal
from controller.core.play.seating import seats
from controller.core.protocol.display import Phase
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Buy, Sit
from controller.core.rules.questions.house.table import Mode
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.chair import Chair
from controller.core.values.value import replace


def buy(state: State, event: Buy) -> tuple[Ruling, ...]:
    """A player announces to buy chips; after the riffle, but before the first card, the hand is laid out with them.

    Raises `Refused` (`buy`, `empty-chair`).
    """
    rule = state.setup.rulebook.tournament.plays_behind
    if state.setup.mode is not Mode.TOURNAMENT or not state.setup.tracked or not rule.value:
        raise Refused("buy", "chips are bought between hands here: `stack`, or `sit` for one who has lost all.")
    begun = state.planned_phase is not Phase.IDLE
    if begun and (state.before is None or state.hand_in_play.cards.piles.left):
        raise Refused("buy", f"announced after the cards: the chips count from the next hand on ({rule.source}).")
    again = event.seat in state.seating.gone
    chair = _bought(state, event)
    state.seating = replace(
        state.seating,
        chairs={**state.seating.chairs, event.seat: chair},
        gone={seat: gone for seat, gone in state.seating.gone.items() if seat != event.seat},
    )
    if begun and state.before is not None:
        before = state.before
        bought = chair if again else replace(before.seating.chairs[event.seat], stack=chair.stack)
        state.before = replace(
            before,
            seating=replace(
                before.seating, chairs={**before.seating.chairs, event.seat: bought}, gone=state.seating.gone
            ),
        )
        redeal(state, None)
    sentence = f"{chair.player} plays {event.chips:,} behind and must make the purchase"
    return (ruled("playing-behind", Verdict.BIND, rule, sentence, event.seat),)


def _bought(state: State, event: Buy) -> Chair:
    chair = state.seating.chairs.get(event.seat)
    if chair is not None:
        dealt = state.before.seating.chairs.get(event.seat) if state.before is not None else None
        held = chair.stack if state.planned_phase is Phase.IDLE or dealt is None else dealt.stack
        return replace(chair, stack=(held or 0) + event.chips)
    gone = state.seating.gone.get(event.seat)
    found = None if gone is None else seats.bought_again(state, Sit(event.seat, gone.player, event.chips))
    if found is None:
        raise Refused("empty-chair", f"nobody plays at seat {event.seat}, or lost the last chip there.")
    return found

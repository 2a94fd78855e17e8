"""Cards that left the shoe when none was due are let stand: they have had the first steps that want a card.

Source: table script 2, section 2 (`play-on`); R7-2.decision.1.
"""

from controller.core.irregularities.remedies.street_redeal import place_cards
from controller.core.model.hand import Hand, StreetCard
from controller.core.play.dealing import draws, planner, step_execution
from controller.core.play.opening import first_to_act
from controller.core.protocol.steps import BurnStep, CardStep, DealStep, DrawStep, QuestionStep
from controller.core.protocol.table_error import Refused
from controller.core.values.piles import ASIDE, BOARD, BURN, MUCK, hand_place
from controller.core.values.value import replace


def let_cards_stand(hand: Hand, serials: tuple[int, ...] = (), *, burned: bool = True) -> None:
    """The cards in question take the steps of the plan, then those of the streets to come; the question is over.

    `serials`: only these of them. `burned`: false where somebody has said that none of them was burned: they lie open
    on the board and stand there.
    Raises `Refused` where the next cards are those of a draw.
    """
    hand.plan = hand.plan.drop_first() if hand.plan.next_step_if(QuestionStep) else hand.plan
    for serial in serials or hand.cards.unexpected_serials:
        if len(hand.betting.live_seats) == 1 or hand.showdown.settled_pots:
            place_cards(hand, (serial,), MUCK)
        elif hand.plan.has_step(CardStep):
            _use_planned_step(hand, serial)
        else:
            _use_next_street_step(hand, serial, burned=burned)
    first_to_act.reconsider_opener(hand)


def _use_planned_step(hand: Hand, serial: int) -> None:
    """The card has the first step on the plan that wants one."""
    step = next(step for step in hand.plan if isinstance(step, CardStep))
    place, up = step_execution.destination(step)
    _place_card(hand, serial, place, up=up)
    hand.plan = hand.plan.use_cards(step)
    if step.street_index >= 0:
        hand.streets = replace(hand.streets, reached_street=step.street_index)
        if not isinstance(step, DealStep):
            hand.cards = replace(
                hand.cards,
                street_cards=(
                    *hand.cards.street_cards,
                    StreetCard(serial, step.street_index, isinstance(step, BurnStep)),
                ),
            )


def _use_next_street_step(hand: Hand, serial: int, *, burned: bool) -> None:
    """The card has the first step of the next street that is not whole yet; without one nobody uses it."""
    streets = hand.setup.game.streets
    begun = int(not hand.plan.has_step(DrawStep))
    to_come = (
        i
        for i in range(hand.streets.planned_street + begun, len(streets))
        if not hand.streets.get_change(i).is_complete
    )
    index = next(to_come, None)
    if index is None:
        place_cards(hand, (serial,), MUCK)
        return
    if streets[index].has_draw and burned and draws.is_burn_due(hand, index):
        place_cards(hand, (serial,), BURN)
        hand.cards = replace(hand.cards, burns_ahead=hand.cards.burns_ahead + 1)
        return
    if streets[index].has_draw:
        raise Refused("place-unknown", "no step to come wants a card: say with `report` where it lies.")
    street, change = streets[index], hand.streets.get_change(index)
    burns = (street.has_burn if change.needs_burn is None else change.needs_burn) and (
        burned or hand.cards.burns_ahead > 0
    )
    served = hand.stud.served_seats_by_street.get(index, ())
    if burns and hand.cards.burns_ahead <= 0 and not change.dealt_board_count and not served:
        _place_card(hand, serial, BURN, up=False)
        hand.cards = replace(hand.cards, burns_ahead=hand.cards.burns_ahead + 1)
        hand.cards = replace(hand.cards, street_cards=(*hand.cards.street_cards, StreetCard(serial, index, True)))
    elif street.board_count:
        there = change.dealt_board_count + 1
        whole = there == street.board_count
        _place_card(hand, serial, BOARD, up=True)
        change = replace(change, dealt_board_count=there, is_complete=whole, needs_burn=burns)
        hand.streets = hand.streets.replace_change(index, change)
        hand.cards = replace(hand.cards, burns_ahead=hand.cards.burns_ahead - (burns and whole))
        hand.cards = replace(hand.cards, street_cards=(*hand.cards.street_cards, StreetCard(serial, index, False)))
    else:
        seat = next((seat for seat in planner.dealing_order(hand) if seat not in served), None)
        if seat is None:
            raise Refused("place-unknown", "every seat has its card of the street: say with `report` where it lies.")
        _place_card(hand, serial, hand_place(seat), up=street.deal_faces[0] == "up")
        hand.stud = replace(
            hand.stud, served_seats_by_street={**hand.stud.served_seats_by_street, index: (*served, seat)}
        )
        hand.streets = hand.streets.replace_change(index, replace(change, needs_burn=burns))


def _place_card(hand: Hand, serial: int, place: str, *, up: bool) -> None:
    piles = hand.cards.piles.move_cards(frozenset((serial,)), ASIDE, place, up)
    hand.cards = replace(hand.cards.explain_cards((serial,)), piles=piles)
    if up:
        known = hand.cards.piles.identify_card(serial, hand.cards.piles.get_card(serial).card, up=True)
        hand.cards = replace(hand.cards, piles=known)

"""Cards that left the shoe when none was due are let stand: they have had the first steps that want a card.

Source: table script 2, section 2 (`play-on`); R7-2.decision.1.
"""

from controller.core.irregularities.remedies.redeal import lie
from controller.core.model.hand import Hand, Laid, StreetChange
from controller.core.play.deal import draws, fulfil, planner
from controller.core.play.opening import first_to_act
from controller.core.protocol.errors import Refused
from controller.core.protocol.steps import Burn, Deal, Draw, FromShoe, Say
from controller.core.values.piles import ASIDE, BOARD, BURN, MUCK, hand_of
from controller.core.values.value import replace


def let_stand(hand: Hand, serials: tuple[int, ...] = (), *, burned: bool = True) -> None:
    """The cards in question take the steps of the plan, then those of the streets to come; the question is over.

    `serials`: only these of them. `burned`: false where somebody has said that none of them was burned: they lie open
    on the board and stand there.
    Raises `Refused` where the next cards are those of a draw.
    """
    hand.plan = hand.plan.done() if hand.plan.due(Say) else hand.plan
    for serial in serials or hand.cards.undue:
        if len(hand.betting.live) == 1 or hand.showdown.settled:
            lie(hand, (serial,), MUCK)
        elif hand.plan.has(FromShoe):
            _planned(hand, serial)
        else:
            _ahead(hand, serial, burned=burned)
    first_to_act.reconsider(hand)
    planner.extend(hand)


def _planned(hand: Hand, serial: int) -> None:
    """The card has the first step on the plan that wants one."""
    step = next(step for step in hand.plan if isinstance(step, FromShoe))
    place, up = fulfil.destination(step)
    _lies(hand, serial, place, up=up)
    hand.plan = hand.plan.served(step)
    if step.of >= 0:
        hand.streets = replace(hand.streets, reached=step.of)
        if not isinstance(step, Deal):
            hand.cards = replace(hand.cards, laid=(*hand.cards.laid, Laid(serial, step.of, isinstance(step, Burn))))


def _ahead(hand: Hand, serial: int, *, burned: bool) -> None:
    """The card has the first step of the next street that is not whole yet; without one nobody uses it."""
    streets = hand.setup.game.streets
    begun = int(not hand.plan.has(Draw))
    to_come = (
        i
        for i in range(hand.streets.planned + begun, len(streets))
        if not hand.streets.changes.get(i, StreetChange()).whole
    )
    index = next(to_come, None)
    if index is None:
        lie(hand, (serial,), MUCK)
        return
    if streets[index].draw and burned and draws.burn_is_to_come(hand, index):
        lie(hand, (serial,), BURN)
        hand.cards = replace(hand.cards, burns_made=hand.cards.burns_made + 1)
        return
    if streets[index].draw:
        raise Refused("place-unknown", "no step to come wants a card: say with `report` where it lies.")
    street, change = streets[index], hand.streets.changes.get(index, StreetChange())
    burns = (street.burn if change.burn is None else change.burn) and (burned or hand.cards.burns_made > 0)
    served = hand.stud.served.get(index, ())
    if burns and hand.cards.burns_made <= 0 and not change.there and not served:
        _lies(hand, serial, BURN, up=False)
        hand.cards = replace(hand.cards, burns_made=hand.cards.burns_made + 1)
        hand.cards = replace(hand.cards, laid=(*hand.cards.laid, Laid(serial, index, True)))
    elif street.board:
        there = change.there + 1
        whole = there == street.board
        _lies(hand, serial, BOARD, up=True)
        changes = {**hand.streets.changes, index: replace(change, there=there, whole=whole, burn=burns)}
        hand.streets = replace(hand.streets, changes=changes)
        hand.cards = replace(hand.cards, burns_made=hand.cards.burns_made - (burns and whole))
        hand.cards = replace(hand.cards, laid=(*hand.cards.laid, Laid(serial, index, False)))
    else:
        seat = next((seat for seat in planner.dealing_order(hand) if seat not in served), None)
        if seat is None:
            raise Refused("place-unknown", "every seat has its card of the street: say with `report` where it lies.")
        _lies(hand, serial, hand_of(seat), up=street.deal[0] == "up")
        hand.stud = replace(hand.stud, served={**hand.stud.served, index: (*served, seat)})
        hand.streets = replace(hand.streets, changes={**hand.streets.changes, index: replace(change, burn=burns)})


def _lies(hand: Hand, serial: int, place: str, *, up: bool) -> None:
    hand.cards = replace(hand.cards, piles=hand.cards.piles.moved(frozenset((serial,)), ASIDE, place, up))
    hand.cards = replace(hand.cards, undue=tuple(other for other in hand.cards.undue if other != serial))
    if up:
        known = hand.cards.piles.known(serial, hand.cards.piles.card(serial).card, up=True)
        hand.cards = replace(hand.cards, piles=known)

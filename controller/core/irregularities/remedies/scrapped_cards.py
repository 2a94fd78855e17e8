"""Boxed cards and jokers are scraps of paper: they were no cards of the deal, whatever was ruled on them before."""

from controller.core.irregularities.remedies.redeal import burn_unmade
from controller.core.model.hand import Hand
from controller.core.model.plan import Plan
from controller.core.protocol.errors import Refused
from controller.core.protocol.steps import Deal, Move, Return
from controller.core.values.piles import BURN, seat_of
from controller.core.values.value import replace

FOUND = ("boxed", "joker")
"""What the return of a scrap of paper is called."""


def number(hand: Hand, serial: int) -> int:
    """Which card of the deal this one is, from 1: a scrap of paper is none of them [R7-3.irreg.7]."""
    strange = (lying.serial for pile in hand.cards.piles.out.values() for lying in pile if lying.strange)
    return serial - len({before for before in (*hand.cards.boxed, *strange) if 0 < before < serial})


def owner(hand: Hand, serial: int) -> int | None:
    """The seat whose card it is: where it lies, or is about to be moved; `None` for one that a ruling takes away."""
    step = _taking(hand, serial)
    place = hand.cards.piles.place_of(serial) if step is None else step.to if isinstance(step, Move) else None
    return None if place is None else seat_of(place)


def must_be_new(hand: Hand, serial: int) -> None:
    """Refuse to find a card boxed, or a joker, that was found one of them already.

    Raises `Refused` (`already-ruled`).
    """
    found = any(step.cards == (serial,) and step.what in FOUND for step in hand.plan.every(Return))
    if found or serial in hand.cards.boxed or hand.cards.piles.card(serial).strange:
        raise Refused("already-ruled", "this card was found to be a scrap of paper already; carry out the steps.")


def taken_away(hand: Hand, serial: int) -> bool:
    """Whether a ruling has the card, and it is nobody's any more."""
    return any(serial in step.cards for step in hand.plan.every(Return))


def ruled_off(hand: Hand, serial: int) -> bool:
    """What was to be done with the card falls away, as does its being exposed; says whether another is to come for it.

    None is for a card too many, nor for an exposed one that has been replaced already, nor for the last hand left.
    """
    return _off(hand, serial) and len(hand.betting.live) > 1


def _off(hand: Hand, serial: int) -> bool:
    step = _taking(hand, serial)
    if step is None:
        return not _left_out(hand, serial)
    before, rest = hand.plan.parted(step)
    replaced = before[-1] if before and step.what == "exposed" else None
    empty = isinstance(step, Move) or (isinstance(replaced, Deal) and replaced.why == "replacement")
    if replaced is not None and empty:
        before = before.without_last()
    hand.plan = before.then(*rest.done())
    _left_out(hand, serial)
    hand.cards = replace(hand.cards, extra=hand.cards.extra - (step.what == "extra" and hand.cards.extra > 0))
    if step.to == BURN:
        burn_unmade(hand)
    if serial in hand.cards.exposed:
        hand.cards = replace(
            hand.cards,
            exposed=tuple(other for other in hand.cards.exposed if other != serial),
            piles=hand.cards.piles.known(serial, hand.cards.piles.card(serial).card, up=False),
        )
    return empty


def _left_out(hand: Hand, serial: int) -> bool:
    """The card does not go back with the others with which it was to be shuffled; says whether it was."""
    plan, streets = hand.plan, hand.streets
    hand.plan = _without(plan, serial)
    changes = {of: replace(change, before=_without(change.before, serial)) for of, change in streets.changes.items()}
    hand.streets = replace(streets, changes=changes)
    return hand.plan != plan or changes != streets.changes


def _without(steps: Plan, serial: int) -> Plan:
    step = next((step for step in steps.every(Return) if serial in step.cards), None)
    if step is None:
        return steps
    cards = tuple(other for other in step.cards if other != serial)
    return steps.replaced(step, *((replace(step, cards=cards, count=len(cards)),) if cards else ()))


def _taking(hand: Hand, serial: int) -> Return | Move | None:
    """The step by which this card alone is taken elsewhere."""
    return next((step for step in hand.plan.every(Return, Move) if step.cards == (serial,)), None)

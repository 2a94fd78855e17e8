"""Boxed cards and jokers are scraps of paper: they were no cards of the deal, whatever was ruled on them before."""

from dataclasses import replace

from controller.core.irregularities.remedies.redeal import burn_unmade
from controller.core.model.hand import Hand
from controller.core.model.plan import Plan
from controller.core.protocol.errors import Refused
from controller.core.protocol.steps import Deal, Move, Return, Step
from controller.core.values.piles import BURN, seat_of

FOUND = ("boxed", "joker")
"""What the return of a scrap of paper is called."""


def number(hand: Hand, serial: int) -> int:
    """Which card of the deal this one is, from 1: a scrap of paper is none of them [R7-3.irreg.7]."""
    strange = (lying.serial for pile in hand.cards.piles.out.values() for lying in pile if lying.strange)
    return serial - len({before for before in (*hand.cards.boxed, *strange) if 0 < before < serial})


def owner(hand: Hand, serial: int) -> int | None:
    """The seat whose card it is: where it lies, or is about to be moved; `None` for one that a ruling takes away."""
    step = next((step for step in hand.plan if _takes(step, serial)), None)
    place = hand.cards.piles.place_of(serial) if step is None else step.to if isinstance(step, Move) else None
    return None if place is None else seat_of(place)


def must_be_new(hand: Hand, serial: int) -> None:
    """Refuse to find a card boxed, or a joker, that was found one of them already."""
    found = any(isinstance(step, Return) and step.cards == (serial,) and step.what in FOUND for step in hand.plan)
    if found or serial in hand.cards.boxed or hand.cards.piles.card(serial).strange:
        raise Refused("already-ruled", "this card was found to be a scrap of paper already; carry out the steps.")


def taken_away(hand: Hand, serial: int) -> bool:
    """Whether a ruling has the card, and it is nobody's any more."""
    return any(isinstance(step, Return) and serial in step.cards for step in hand.plan)


def ruled_off(hand: Hand, serial: int) -> bool:
    """What was to be done with the card falls away, as does its being exposed; says whether another is to come for it.

    None is for a card too many, nor for an exposed one that has been replaced already, nor for the last hand left.
    """
    return _off(hand, serial) and len(hand.betting.live) > 1


def _off(hand: Hand, serial: int) -> bool:
    index = next((i for i, step in enumerate(hand.plan) if _takes(step, serial)), None)
    if index is None:
        return not _left_out(hand, serial)
    step, before, rest = hand.plan[index], hand.plan[:index], hand.plan[index + 1 :]
    replaced = before[-1] if before and isinstance(step, Return) and step.what == "exposed" else None
    empty = isinstance(step, Move) or (isinstance(replaced, Deal) and replaced.why == "replacement")
    if replaced is not None and empty:
        before = before[:-1]
    hand.plan = Plan((*before, *rest))
    _left_out(hand, serial)
    hand.cards = hand.cards.changed(
        extra=hand.cards.extra - (isinstance(step, Return) and step.what == "extra" and hand.cards.extra > 0)
    )
    if isinstance(step, Return) and step.to == BURN:
        burn_unmade(hand)
    if serial in hand.cards.exposed:
        hand.cards = hand.cards.changed(
            exposed=tuple(other for other in hand.cards.exposed if other != serial),
            piles=hand.cards.piles.known(serial, hand.cards.piles.card(serial).card, up=False),
        )
    return empty


def _left_out(hand: Hand, serial: int) -> bool:
    """The card does not go back with the others with which it was to be shuffled; says whether it was."""
    steps, now = _without(hand.plan, serial)
    hand.plan = Plan(steps)
    for street, change in hand.streets.changes.items():
        before, later = _without(change.before, serial)
        now = now or later
        hand.streets = hand.streets.changed(changes={**hand.streets.changes, street: replace(change, before=before)})
    return now


def _without(steps: tuple[Step, ...], serial: int) -> tuple[tuple[Step, ...], bool]:
    index = next((i for i, step in enumerate(steps) if isinstance(step, Return) and serial in step.cards), None)
    if index is None:
        return steps, False
    step = steps[index]
    assert isinstance(step, Return)
    cards = tuple(other for other in step.cards if other != serial)
    left = (replace(step, cards=cards, count=len(cards)),) if cards else ()
    return (*steps[:index], *left, *steps[index + 1 :]), True


def _takes(step: Step, serial: int) -> bool:
    return isinstance(step, Return | Move) and step.cards == (serial,)

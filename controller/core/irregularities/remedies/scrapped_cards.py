"""Boxed cards and jokers are scraps of paper: they were no cards of the deal, whatever was ruled on them before."""

from controller.core.irregularities.remedies.street_redeal import restore_next_burn
from controller.core.model.hand import Hand
from controller.core.model.plan import Plan
from controller.core.protocol.steps import DealStep, MoveStep, ReturnStep
from controller.core.protocol.table_error import Refused
from controller.core.values.piles import BURN, MUCK, hand_place, seat_of_place
from controller.core.values.value import replace

SCRAP_LABELS = ("boxed", "joker")
"""What the return of a scrap of paper is called."""


def card_number(hand: Hand, serial: int) -> int:
    """Which card of the deal this one is, from 1: a scrap of paper is none of them [R7-3.irreg.7]."""
    strange = (lying.serial for pile in hand.cards.piles.cards_by_place.values() for lying in pile if lying.is_foreign)
    return serial - len({before for before in (*hand.cards.boxed_serials, *strange) if 0 < before < serial})


def card_owner(hand: Hand, serial: int) -> int | None:
    """The seat whose card it is: where it lies, or is about to be moved; `None` for one that a ruling takes away."""
    step = _find_removing_step(hand, serial)
    place = (
        hand.cards.piles.find_place(serial)
        if step is None
        else step.destination
        if isinstance(step, MoveStep)
        else None
    )
    return None if place is None else seat_of_place(place)


def refuse_if_scrapped(hand: Hand, serial: int) -> None:
    """Refuse to find a card boxed, or a joker, that was found one of them already.

    Raises `Refused` (`already-ruled`).
    """
    found = any(
        step.serials == (serial,) and step.label in SCRAP_LABELS for step in hand.plan.steps_of_type(ReturnStep)
    )
    if found or serial in hand.cards.boxed_serials or hand.cards.piles.get_card(serial).is_foreign:
        raise Refused("already-ruled", "this card was found to be a scrap of paper already; carry out the steps.")


def is_taken_away(hand: Hand, serial: int) -> bool:
    """Whether a ruling has the card, and it is nobody's any more."""
    steps = hand.plan.append(*hand.draw.deferred_steps)
    return any(serial in step.serials for step in steps.steps_of_type(ReturnStep))


def find_uncounted_cards(hand: Hand, seat: int, count: int) -> frozenset[int]:
    """The last cards counted for the seat, which never left the stub: none that was seen there is one of them.

    Raises `Refused` (`count`).
    """
    held = [
        lying.serial
        for lying in hand.cards.piles.cards_at(hand_place(seat))
        if not is_taken_away(hand, lying.serial) and lying.serial not in hand.cards.exposed_serials
    ]
    if count > len(held):
        raise Refused("count", f"cards of seat {seat} that nobody has seen: {len(held)}; it cannot miss {count}.")
    return frozenset(held[len(held) - count :])


def cancel_remedies(hand: Hand, serial: int) -> bool:
    """What was to be done with the card falls away, as does its being exposed; says whether another is to come for it.

    None is for a card too many, also in a hand that keeps one until it draws, nor for an exposed one that has been
    replaced already, nor for a dead hand's, nor for the last hand left.
    """
    owner, is_dead = card_owner(hand, serial), hand.cards.piles.find_place(serial) == MUCK
    is_needed = not is_dead and len(hand.betting.live_seats) > 1 and not _is_card_kept_too_many(hand, owner)
    return _cancel_steps(hand, serial) and is_needed


def _is_card_kept_too_many(hand: Hand, seat: int | None) -> bool:
    """Whether a hand that has yet to draw keeps more cards than it was dealt, to draw so many fewer [AU-19.6]."""
    if seat is None or seat not in hand.draw.drawing_seats:
        return False
    held = hand.cards.piles.cards_at(hand_place(seat))
    size = len(hand.setup.game.streets[0].deal_faces)
    return sum(card_owner(hand, lying.serial) == seat for lying in held) > size


def _cancel_steps(hand: Hand, serial: int) -> bool:
    step = _find_removing_step(hand, serial)
    if step is None:
        return not _leave_out_of_shuffle(hand, serial)
    if step in hand.plan:
        hand.plan, empty = _take_out(hand.plan, step)
    else:
        deferred, empty = _take_out(hand.draw.deferred_steps, step)
        hand.draw = replace(hand.draw, deferred_steps=deferred)
    _leave_out_of_shuffle(hand, serial)
    hand.cards = replace(
        hand.cards,
        extra_card_count=hand.cards.extra_card_count - (step.label == "extra" and hand.cards.extra_card_count > 0),
    )
    if step.destination == BURN:
        restore_next_burn(hand)
    if serial in hand.cards.exposed_serials:
        hand.cards = replace(
            hand.cards,
            exposed_serials=tuple(other for other in hand.cards.exposed_serials if other != serial),
            piles=hand.cards.piles.identify_card(serial, hand.cards.piles.get_card(serial).card, up=False),
        )
    return empty


def _take_out(steps: Plan, step: ReturnStep | MoveStep) -> tuple[Plan, bool]:
    """The steps without the one that takes the card away and what replaces it; says whether its place is empty then."""
    before, rest = steps.split_at(step)
    replaced = before[-1] if before and step.label == "exposed" else None
    empty = isinstance(step, MoveStep) or (isinstance(replaced, DealStep) and replaced.reason == "replacement")
    if replaced is not None and empty:
        before = before.drop_last()
    return before.append(*rest.drop_first()), empty


def _leave_out_of_shuffle(hand: Hand, serial: int) -> bool:
    """The card does not go back with the others with which it was to be shuffled; says whether it was."""
    plan, streets = hand.plan, hand.streets
    hand.plan = _drop_from_returns(plan, serial)
    changes = {
        of: replace(change, steps_before=_drop_from_returns(change.steps_before, serial))
        for of, change in streets.change_by_street.items()
    }
    hand.streets = replace(streets, change_by_street=changes)
    return hand.plan != plan or changes != streets.change_by_street


def _drop_from_returns(steps: Plan, serial: int) -> Plan:
    step = next((step for step in steps.steps_of_type(ReturnStep) if serial in step.serials), None)
    if step is None:
        return steps
    cards = tuple(other for other in step.serials if other != serial)
    return steps.replace_step(step, *((replace(step, serials=cards, count=len(cards)),) if cards else ()))


def _find_removing_step(hand: Hand, serial: int) -> ReturnStep | MoveStep | None:
    """The step by which this card alone is taken elsewhere, now or when all have drawn."""
    steps = hand.plan.append(*hand.draw.deferred_steps)
    return next((step for step in steps.steps_of_type(ReturnStep, MoveStep) if step.serials == (serial,)), None)

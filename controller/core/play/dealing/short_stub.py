"""Cards are due that the stub does not have: a stud street that it cannot serve, any step once it has run out."""

from typing import NamedTuple

from controller.core.model.hand import Hand
from controller.core.model.plan import NO_STEPS, Plan
from controller.core.play.opening import first_to_act
from controller.core.protocol.steps import (
    BoardStep,
    BurnStep,
    CardStep,
    CutStep,
    DealStep,
    DiscardStep,
    MoveStep,
    ReturnStep,
    ShuffleStep,
    Step,
)
from controller.core.rules import ruling_sentences as said
from controller.core.rules.games import Street
from controller.core.rules.policies.stub_shortage import ShortagePlan
from controller.core.rules.questions.cards.stub_rules import StubRefill
from controller.core.rules.rulings import Verdict, build_ruling
from controller.core.values.piles import ASIDE, BURN, MUCK, STUB, STUB_BOTTOM
from controller.core.values.value import replace


class AvailableCards(NamedTuple):
    """How many cards there are to deal a street from; `is_burn_made`: its burn has been made."""

    stub_count: int
    burned_count: int
    removed_count: int
    is_burn_made: bool = False


def is_stub_short(hand: Hand, street: Street, players: int, discarded: int = 0) -> bool:
    """Whether the stub holds fewer cards than the street's burn and one round for each player.

    `discarded`: cards that go out of play before that.
    """
    burns = max(0, 1 - hand.cards.burns_ahead)
    undealt = (
        hand.setup.rulebook.upcards[hand.setup.game.rules_form].undealt.value
        if hand.setup.game.deals_later_cards
        else 0
    )
    return hand.cards.piles.stub_count - discarded < burns + players * len(street.deal_faces) + undealt


def build_short_street(hand: Hand, index: int, receiving: tuple[int, ...], discarded: int = 0) -> tuple[Step, ...]:
    """The street as the book has it dealt then: burns come back into play, or one common card serves all hands."""
    cards = AvailableCards(
        hand.cards.piles.stub_count - discarded,
        len(hand.cards.piles.cards_at(BURN)),
        len(_removed_serials(hand)) + discarded,
    )
    face = hand.setup.game.streets[index].deal_faces[0]
    hand.cards = replace(hand.cards, burns_ahead=0)
    return _deal_from_available(
        hand, index, tuple(DealStep(seat, face, street_index=index) for seat in receiving), cards
    )


def replan_short_street(hand: Hand) -> None:
    """The stub proves too short for a street on the plan: after a boxed card, say, or once all are all-in.

    The street's cards that have not left the shoe come as the book has it then [AU-19.9, AU-19.16, R7-8.stud.15].
    """
    if not hand.setup.game.deals_later_cards or hand.cards.piles.stub_count > len(hand.plan):
        return
    place = _find_run_out(hand)
    if place is None:
        return
    index = max(hand.plan[place].street_index, 0) or hand.streets.planned_street
    its = NO_STEPS.append(
        *(step for step in hand.plan.steps_of_type(DealStep, BurnStep) if step.street_index in (index, -1))
    )
    deals = its.steps_of_type(DealStep)
    if not deals:
        return
    before, rest = hand.plan.split_at(its[0])
    rest = rest.drop_steps(*its)
    if rest.has_step(ShuffleStep):
        return
    stub, burned = _project_counts(hand, before)
    cards = AvailableCards(stub, burned, len(_removed_serials(hand)), is_burn_made=not its.has_step(BurnStep))
    hand.plan = before.append(*_deal_from_available(hand, index, deals, cards), *rest)


def refill_from_unheld_cards(hand: Hand) -> None:
    """The stub has run out and a card is due, after a boxed one, say: the cards that nobody holds come back for it."""
    if hand.cards.piles.stub_count or not hand.plan.next_step_if(CardStep):
        return
    rule, piles = hand.setup.rulebook.stub.run_out, hand.cards.piles
    spoken_for = {
        serial for step in _steps_to_come(hand).steps_of_type(ReturnStep, MoveStep) for serial in step.serials
    }
    burned, removed, mucked = (
        tuple(serial for serial in serials if serial not in spoken_for)
        for serials in (piles.deck_serials_at(BURN), _removed_serials(hand), piles.deck_serials_at(MUCK))
    )
    without_muck = len(burned) + len(removed)
    if without_muck >= {StubRefill.BURNS: 1, StubRefill.ENOUGH: _count_wanted_cards(hand)}.get(
        rule.value, without_muck + 1
    ):
        mucked = ()
    back = [
        ReturnStep(what, place, STUB, len(serials), serials, is_ruled=True)
        for what, place, serials in (("burn", BURN, burned), ("premature", ASIDE, removed), ("hands", MUCK, mucked))
        if serials
    ]
    if not back:
        return
    if mucked:
        back = [*put_strange_cards_aside(hand), *back]
    hand.plan = hand.plan.prepend(*back, ShuffleStep(is_ruled=True), CutStep(is_ruled=True))
    noted = build_ruling("insufficient-cards", Verdict.CORRECT, rule, said.STUB_HAS_RUN_OUT)
    hand.play_rulings = (*hand.play_rulings, noted)


def put_strange_cards_aside(hand: Hand) -> tuple[ReturnStep, ...]:
    """What lies in the muck and is none of the deck's cards goes out of play before the muck is shuffled in."""
    strange = tuple(lying.serial for lying in hand.cards.piles.cards_at(MUCK) if lying.is_foreign)
    return (ReturnStep("joker", MUCK, ASIDE, len(strange), strange, is_ruled=True),) if strange else ()


def _count_wanted_cards(hand: Hand) -> int:
    """How many cards the plan still takes from the shoe."""
    return -sum(min(0, _stub_change(step)) for step in hand.plan)


def _steps_to_come(hand: Hand) -> Plan:
    """The steps of the plan, and those that rulings have put before streets to come."""
    return hand.plan.append(
        *(step for change in hand.streets.change_by_street.values() for step in change.steps_before)
    )


def _find_run_out(hand: Hand) -> int | None:
    """Where on the plan the stub has no card left."""
    stub = hand.cards.piles.stub_count
    for place, step in enumerate(hand.plan):
        stub += _stub_change(step)
        if stub < 0:
            return place
    return None


def _stub_change(step: Step) -> int:
    """By how many cards a step changes the stub."""
    match step:
        case DealStep() | BurnStep():
            return -1
        case BoardStep(count=n):
            return -n
        case DiscardStep(count=count):
            return -count
        case ReturnStep(count=count, destination=to) if to in (STUB, STUB_BOTTOM):
            return count
        case _:
            return 0


def _project_counts(hand: Hand, before: Plan) -> tuple[int, int]:
    """(stub, burns) when these steps have happened."""
    burned = len(hand.cards.piles.cards_at(BURN)) + len(before.steps_of_type(BurnStep))
    return hand.cards.piles.stub_count + sum(map(_stub_change, before)), burned


def _removed_serials(hand: Hand) -> tuple[int, ...]:
    """Cards of the deck that were taken out of play; a boxed one is a scrap of paper for good [R7-3.irreg.7]."""
    out = (*hand.cards.unexpected_serials, *hand.cards.boxed_serials)
    return tuple(
        card.serial for card in hand.cards.piles.cards_at(ASIDE) if not card.is_foreign and card.serial not in out
    )


def _deal_from_available(
    hand: Hand, index: int, deals: tuple[DealStep, ...], cards: AvailableCards
) -> tuple[Step, ...]:
    book = hand.setup.rulebook.upcards[hand.setup.game.rules_form]
    shortage = book.shortage_late if cards.is_burn_made else book.shortage
    how = shortage.value(*cards[:3], len(deals), cards.is_burn_made)
    if how.deals_common_card:
        deals = tuple(deal for deal in deals if deal.seat in hand.betting.live_seats)
        how = shortage.value(*cards[:3], len(deals), cards.is_burn_made)
    needed = len(deals) + (1 + book.undealt.value if book.undealt.value else 0)
    sentence = _describe_shortage(cards, how, needed)
    if how.deals_common_card and not book.common_counts.value:
        sentence = said.join_sentences(sentence, _describe_opener(hand, index))
    ruled = build_ruling(
        "insufficient-cards", Verdict.CORRECT, book.common if how.deals_common_card else shortage, sentence
    )
    hand.play_rulings = (*hand.play_rulings, ruled)
    first, rest = deals[: how.cards_before_mix], deals[how.cards_before_mix :]
    plan: list[Step] = [BurnStep(street_index=index)] if how.burns_first else []
    plan += first
    if how.mixes_burns_in:
        count = cards.burned_count + how.burns_first
        plan += [ReturnStep("burn", BURN, STUB, count, is_ruled=True)] if count else []
        plan += _build_return_of_removed(hand, cards.removed_count)
        plan += [ShuffleStep(is_ruled=True), CutStep(is_ruled=True)]
        plan += [BurnStep(street_index=index)] if how.burns_again else []
    if how.deals_common_card:
        return (*plan, BoardStep(hand.setup.game.streets[index].name, 1, street_index=index))
    return (*plan, *rest)


def _build_return_of_removed(hand: Hand, count: int) -> tuple[Step, ...]:
    """What was taken out of play goes into the mixture; what goes out before that has no numbers yet."""
    if not count:
        return ()
    serials = _removed_serials(hand)
    return (ReturnStep("premature", ASIDE, STUB, count, serials if len(serials) == count else (), is_ruled=True),)


def _describe_opener(hand: Hand, index: int) -> str:
    """Who acts first on a street whose common card decides nothing; empty where nobody bets any more."""
    seat = first_to_act.find_first_seat(hand, index)
    before = hand.setup.game.streets[index - 1].name
    return "" if seat is None else said.SAME_OPENER.format(seat=seat, street=before)


def _describe_shortage(cards: AvailableCards, how: ShortagePlan, needed: int) -> str:
    """What is missing, and from what the street is dealt."""
    in_all = cards.stub_count + cards.burned_count + cards.removed_count
    if how.deals_common_card:
        turn = said.COMMON_CARD_FROM_MIXTURE if how.mixes_burns_in else said.COMMON_CARD
        return said.join_sentences(said.TOO_FEW_FOR_EACH.format(needed=needed, count=in_all), turn)
    first = said.BURN_AND_DEAL_FIRST if how.burns_first else said.DEAL_FIRST
    first = first.format(count=how.cards_before_mix) if how.cards_before_mix else ""
    mixed = said.BURNS_COME_BACK_AND_BURN if how.burns_again else said.BURNS_COME_BACK
    return said.join_sentences(said.STUB_TOO_SHORT.format(needed=needed, count=cards.stub_count), first, mixed)

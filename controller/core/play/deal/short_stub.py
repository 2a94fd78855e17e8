"""Cards are due that the stub does not have: a stud street that it cannot serve, any step once it has run out."""

from typing import NamedTuple

from controller.core.model.hand import Hand
from controller.core.model.plan import NO_STEPS, Plan
from controller.core.protocol.steps import Board, Burn, Cut, Deal, Discard, FromShoe, Move, Return, Shuffle, Step
from controller.core.rules.games import Street
from controller.core.rules.policies.shortage import Shortage
from controller.core.rules.questions.cards.stub import Refill
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Verdict, ruled
from controller.core.values.piles import ASIDE, BURN, MUCK, STUB, STUB_BOTTOM
from controller.core.values.value import replace


class Cards(NamedTuple):
    """How many cards there are to deal a street from; `begun`: its burn has been made."""

    stub: int
    burned: int
    removed: int
    begun: bool = False


def is_short(hand: Hand, street: Street, players: int, discarded: int = 0) -> bool:
    """Whether the stub holds fewer cards than the street's burn and one round for each player.

    `discarded`: cards that go out of play before that.
    """
    burns = 0 if hand.cards.burns_made else 1
    undealt = hand.setup.rulebook.upcards[hand.setup.game.form].undealt.value if hand.setup.game.deals_singly else 0
    return hand.cards.piles.stub - discarded < burns + players * len(street.deal) + undealt


def steps(hand: Hand, index: int, receiving: tuple[int, ...], discarded: int = 0) -> tuple[Step, ...]:
    """The street as the book has it dealt then: burns come back into play, or one common card serves all hands."""
    cards = Cards(hand.cards.piles.stub - discarded, len(hand.cards.piles.at(BURN)), len(_removed(hand)) + discarded)
    face = hand.setup.game.streets[index].deal[0]
    hand.cards = replace(hand.cards, burns_made=0)
    return _served(hand, index, tuple(Deal(seat, face, of=index) for seat in receiving), cards)


def mend(hand: Hand) -> None:
    """The stub proves too short for a street on the plan: after a boxed card, say, or once all are all-in.

    The street's cards that have not left the shoe come as the book has it then [AU-19.9, AU-19.16, R7-8.stud.15].
    """
    if not hand.setup.game.deals_singly or hand.cards.piles.stub > len(hand.plan):
        return
    place = _runs_out(hand)
    if place is None:
        return
    index = max(hand.plan[place].of, 0) or hand.streets.planned
    its = NO_STEPS.then(*(step for step in hand.plan.every(Deal, Burn) if step.of in (index, -1)))
    deals = its.every(Deal)
    if not deals:
        return
    before, rest = hand.plan.parted(its[0])
    rest = rest.less(*its)
    if rest.has(Shuffle):
        return
    stub, burned = _projected(hand, before)
    cards = Cards(stub, burned, len(_removed(hand)), begun=not its.has(Burn))
    hand.plan = before.then(*_served(hand, index, deals, cards), *rest)


def refill(hand: Hand) -> None:
    """The stub has run out and a card is due, after a boxed one, say: the cards that nobody holds come back for it."""
    if hand.cards.piles.stub or not hand.plan.due(FromShoe):
        return
    rule = hand.setup.rulebook.stub.run_out
    spoken_for = {serial for step in _to_come(hand).every(Return, Move) for serial in step.cards}
    burned, removed, mucked = (
        tuple(serial for serial in serials if serial not in spoken_for)
        for serials in (_serials(hand, BURN), _removed(hand), _serials(hand, MUCK))
    )
    without_muck = len(burned) + len(removed)
    if without_muck >= {Refill.BURNS: 1, Refill.ENOUGH: _wanted(hand)}.get(rule.value, without_muck + 1):
        mucked = ()
    back = [
        Return(what, place, STUB, len(serials), serials, ruled=True)
        for what, place, serials in (("burn", BURN, burned), ("premature", ASIDE, removed), ("hands", MUCK, mucked))
        if serials
    ]
    if not back:
        return
    hand.plan = hand.plan.first(*back, Shuffle(ruled=True), Cut(ruled=True))
    sentence = "the stub has run out: the cards that nobody holds are shuffled in to deal on"
    hand.said = (*hand.said, ruled("insufficient-cards", Verdict.CORRECT, rule, sentence))


def _wanted(hand: Hand) -> int:
    """How many cards the plan still takes from the shoe."""
    return -sum(min(0, _change(step)) for step in hand.plan)


def _to_come(hand: Hand) -> Plan:
    """The steps of the plan, and those that rulings have put before streets to come."""
    return hand.plan.then(*(step for change in hand.streets.changes.values() for step in change.before))


def _serials(hand: Hand, place: str) -> tuple[int, ...]:
    """The deck's own cards that lie at `place`."""
    return tuple(card.serial for card in hand.cards.piles.at(place) if not card.strange)


def _runs_out(hand: Hand) -> int | None:
    """Where on the plan the stub has no card left."""
    stub = hand.cards.piles.stub
    for place, step in enumerate(hand.plan):
        stub += _change(step)
        if stub < 0:
            return place
    return None


def _change(step: Step) -> int:
    """By how many cards a step changes the stub."""
    match step:
        case Deal() | Burn():
            return -1
        case Board(n=n):
            return -n
        case Discard(count=count):
            return -count
        case Return(count=count, to=to) if to in (STUB, STUB_BOTTOM):
            return count
        case _:
            return 0


def _projected(hand: Hand, before: Plan) -> tuple[int, int]:
    """(stub, burns) when these steps have happened."""
    burned = len(hand.cards.piles.at(BURN)) + len(before.every(Burn))
    return hand.cards.piles.stub + sum(map(_change, before)), burned


def _removed(hand: Hand) -> tuple[int, ...]:
    """Cards of the deck that were taken out of play; a boxed one is a scrap of paper for good [R7-3.irreg.7]."""
    out = (*hand.cards.undue, *hand.cards.boxed)
    return tuple(card.serial for card in hand.cards.piles.at(ASIDE) if not card.strange and card.serial not in out)


def _served(hand: Hand, index: int, deals: tuple[Deal, ...], cards: Cards) -> tuple[Step, ...]:
    book = hand.setup.rulebook.upcards[hand.setup.game.form]
    shortage = book.shortage_late if cards.begun else book.shortage
    how = shortage.value(*cards[:3], len(deals), cards.begun)
    if how.common:
        deals = tuple(deal for deal in deals if deal.seat in hand.betting.live)
        how = shortage.value(*cards[:3], len(deals), cards.begun)
    _say(hand, book.common if how.common else shortage, how)
    first, rest = deals[: how.first], deals[how.first :]
    plan: list[Step] = [Burn(of=index)] if how.burn else []
    plan += first
    if how.mix:
        count = cards.burned + how.burn
        plan += [Return("burn", BURN, STUB, count, ruled=True)] if count else []
        plan += _brought_back(hand, cards.removed)
        plan += [Shuffle(ruled=True), Cut(ruled=True)]
        plan += [Burn(of=index)] if how.again else []
    if how.common:
        return (*plan, Board(hand.setup.game.streets[index].name, 1, of=index))
    return (*plan, *rest)


def _brought_back(hand: Hand, count: int) -> tuple[Step, ...]:
    """What was taken out of play goes into the mixture; what goes out before that has no numbers yet."""
    if not count:
        return ()
    serials = _removed(hand)
    return (Return("premature", ASIDE, STUB, count, serials if len(serials) == count else (), ruled=True),)


def _say(hand: Hand, rule: Rule[object], how: Shortage) -> None:
    sentence = (
        "there is not a card for each: one common card is turned for all hands"
        if how.common
        else "the stub is too short: the burned cards are shuffled in to finish the round"
    )
    hand.said = (*hand.said, ruled("insufficient-cards", Verdict.CORRECT, rule, sentence))

"""What the house takes of the pots of a hand: how much by now, whether at all, and how the dealer confirms it.

Source: table script 3, section 1; AU-8.2 to 8.8. Whatever another book does not say is as AU has it, by default.
"""

from collections.abc import Iterable

from controller.core.model.hand import Hand
from controller.core.model.setup import PlayTracking
from controller.core.play.betting import pots
from controller.core.protocol.collection_terms import CollectionKind, CollectionTerms
from controller.core.protocol.facts import ChipsCollected
from controller.core.protocol.steps import AwardStep, CollectStep
from controller.core.protocol.vocabulary import ActionType
from controller.core.values.value import replace

FREE_ACTIONS = frozenset(
    (
        ActionType.FOLD,
        ActionType.CHECK,
        ActionType.BRING_IN,
        ActionType.OPEN,
        ActionType.STRADDLE,
        ActionType.KILL,
    )
)
"""Acts that put no chip into the pot beyond a post."""

HALF_PERCENT_PARTS = 200
"""Halves of a percent in the whole."""


def plan_pot_collection(hand: Hand, shared_pots: Iterable[int] = ()) -> dict[int, int]:
    """Find what each pot is to give before it is pushed, and note it; `shared_pots`: those that AU 8.8 leaves alone.

    What has been taken stays so as long as nothing else comes out, and for good once chips have been pushed.
    """
    if hand.is_award_pushed:
        return hand.collection.taken_by_pot or {}
    planned = _find_amounts(hand, frozenset(shared_pots))
    taken = hand.collection.taken_by_pot
    if taken is not None and planned != taken:
        taken = None
    if (planned, taken) != (hand.collection.planned_by_pot, hand.collection.taken_by_pot):
        hand.collection = replace(hand.collection, planned_by_pot=planned, taken_by_pot=taken)
    return planned or {}


def _find_amounts(hand: Hand, shared_pots: frozenset[int]) -> dict[int, int] | None:
    terms = hand.setup.collection
    if terms is None or not terms.is_of_pots or hand.setup.play_tracking is PlayTracking.ROUNDS or _is_exempt(hand):
        return None
    if not hand.setup.tracks_amounts:
        return {} if terms.half_percent or terms.fee else None
    return split_amount(hand, terms, shared_pots) or None


def split_amount(hand: Hand, terms: CollectionTerms, shared_pots: frozenset[int] = frozenset()) -> dict[int, int]:
    """What each pot of the rounds before this one owes, counted from the main pot; pots that owe nothing are not named.

    Rake: the percentage of each, rounded down to a multiple of the step, all together at most the cap [AU-8.7]. A fee
    per hand: as much of it as the pots hold.
    """
    found: dict[int, int] = {}
    if terms.kind is CollectionKind.HAND:
        left = terms.fee
        for index, pot in enumerate(pots.build_pots(hand)):
            found[index] = min(left, pot.amount)
            left -= found[index]
    else:
        step = terms.step or hand.setup.stakes.smallest_chip
        left_of_cap = terms.find_cap(len(hand.dealing_order))
        for index, pot in enumerate(pots.build_pots(hand)):
            due = 0 if index in shared_pots else pot.amount * terms.half_percent // HALF_PERCENT_PARTS
            if left_of_cap is not None:
                due = min(due, left_of_cap)
            found[index] = due // step * step
            left_of_cap = None if left_of_cap is None else left_of_cap - found[index]
    return {index: amount for index, amount in found.items() if amount}


def _is_exempt(hand: Hand) -> bool:
    """Whether nothing is taken of this hand, whatever its pots hold; a fee per hand is of every hand dealt."""
    terms, book = hand.setup.collection, hand.setup.rulebook.collection
    if terms is None or terms.kind is not CollectionKind.RAKE:
        return False
    if is_flop_needed(hand, terms) and not has_second_round_begun(hand):
        return True
    return book.blinds_only_free.value and _has_no_called_wager(hand)


def _has_no_called_wager(hand: Hand) -> bool:
    """Whether nobody has put a chip in beyond a post, or only one has, with a raise that nobody called [AU-8.6]."""
    acts = zip(hand.betting.acted_seats, hand.betting.action_types, strict=True)
    paying = [
        (seat, action)
        for seat, action in acts
        if action not in FREE_ACTIONS and not _is_short_bring_in(hand, seat, action)
    ]
    if len(paying) != 1:
        return not paying
    ((seat, action),) = paying
    if action is ActionType.ALL_IN:  # it may be no more than a call
        return any(round_ is not None and round_.aggressor == seat for round_ in (hand.round, hand.betting.last_round))
    return action is not ActionType.CALL


def _is_short_bring_in(hand: Hand, seat: int, action: ActionType) -> bool:
    """Whether a seat brought it in with its last chips: that is a post, too."""
    if action is not ActionType.ALL_IN or seat != hand.stud.forced_bet_seat or not hand.setup.tracks_amounts:
        return False
    put_in = hand.chips.paid_earlier_by_seat.get(seat, 0) + hand.chips.bet_by_seat.get(seat, 0)
    return put_in - hand.openers.ante_by_seat.get(seat, 0) <= hand.setup.stakes.bring_in


def is_flop_needed(hand: Hand, terms: CollectionTerms) -> bool:
    """Whether nothing is taken of a hand that ends before its second round's first card."""
    own = terms.is_flop_needed
    return hand.setup.rulebook.collection.no_flop_no_drop.value if own is None else own


def has_second_round_begun(hand: Hand) -> bool:
    """Whether a card of the second round has left the shoe, or its betting has begun."""
    if any(street > 0 for street in hand.betting.acted_count_by_street):
        return True
    laid = any(card.street_index > 0 and not card.is_burn for card in hand.cards.street_cards)
    return laid or (hand.setup.game.deals_later_cards and hand.streets.reached_street > 0)


def find_due_chips(hand: Hand) -> int:
    """What the dealer has on the drop slide by now: of the bets of the rounds that are over [AU-8.2(a)(i)].

    What a pot does not give after all [AU-8.6, AU-8.8] lies there until the hand is over.
    """
    terms = hand.setup.collection
    if terms is None or not terms.is_of_pots or not hand.setup.tracks_amounts or not hand.plan:
        return 0
    if hand.collection.taken_by_pot is not None or not hand.folds.current_bet_by_street or hand.is_award_pushed:
        return 0
    if terms.kind is CollectionKind.RAKE and is_flop_needed(hand, terms) and not has_second_round_begun(hand):
        return 0
    return sum(split_amount(hand, terms).values())


def put_collect_step_first(hand: Hand) -> None:
    """Ask for the collection before the first award, and for nothing where nothing is pushed or nothing is due."""
    if hand.setup.collection is None or not hand.setup.collection.is_of_pots:
        return
    step, award = next((s for s in hand.plan.steps_of_type(CollectStep)), None), hand.plan.find_step(AwardStep)
    collection = hand.collection
    if award is None and collection.taken_by_pot is not None and hand.plan and not hand.is_award_pushed:
        hand.collection = replace(collection, planned_by_pot=None, taken_by_pot=None)
    wanted = None
    if award is not None and collection.taken_by_pot is None and not hand.is_award_pushed:
        wanted = _build_step(hand, collection.planned_by_pot)
    if step == wanted:
        return
    if step is not None:
        hand.plan = hand.plan.drop_steps(step)
    if wanted is not None:
        hand.plan = hand.plan.insert_before(award, wanted)


def _build_step(hand: Hand, planned: dict[int, int] | None) -> CollectStep | None:
    if planned is None:
        return None
    if not hand.setup.tracks_amounts:
        return CollectStep(None)
    return CollectStep(sum(planned.values()), tuple(sorted(planned.items())))


def take_from_pots(hand: Hand, step: CollectStep) -> None:
    """The dealer has dropped it: the pots are less by it."""
    hand.collection = replace(hand.collection, taken_by_pot=dict(step.amounts_by_pot))
    hand.tell(ChipsCollected(step.amount or 0, amounts_by_pot=dict(step.amounts_by_pot)))


def give_back(hand: Hand) -> None:
    """What was taken of the pots lies in them again, and is asked for anew, unless chips have been pushed."""
    if not hand.is_award_pushed and hand.collection.taken_by_pot is not None:
        hand.collection = replace(hand.collection, planned_by_pot=None, taken_by_pot=None)

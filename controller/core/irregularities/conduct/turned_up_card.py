"""The floor has cards turned up with everybody looking: from then on everybody knows them (docs/known-cards.md).

Nothing else changes: the cards lie as they did. Together with `show` it is the only entry that makes a card known.
"""

from controller.core.model.hand import Hand
from controller.core.model.known_cards import mark_known
from controller.core.model.table_state import TableState
from controller.core.play.dealing import planner
from controller.core.play.opening import first_to_act
from controller.core.play.showdown import pot_awards
from controller.core.protocol.events import FloorDecided
from controller.core.protocol.steps import AwardStep
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import CardPlace
from controller.core.rules import ruling_sentences as said
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.piles import BOARD, BURN, PlacedCard, hand_place

FINDING = "turned-up"

SENTENCES = {
    (CardPlace.HAND, False): said.HAND_TURNED_UP,
    (CardPlace.HAND, True): said.CARD_TURNED_UP,
    (CardPlace.BOARD, False): said.BOARD_TURNED_UP,
    (CardPlace.BOARD, True): said.BOARD_CARD_TURNED_UP,
    (CardPlace.BURN, False): said.BURNS_TURNED_UP,
    (CardPlace.BURN, True): said.BURN_TURNED_UP,
}
"""Where the cards lie, and whether it is one of them -> what is said."""


def turn_up_cards(state: TableState, event: FloorDecided) -> tuple[Ruling, ...]:
    """Everybody knows the cards from now on; raises `Refused` (`key-missing`, `value`, `no-card`, `not-so`)."""
    hand = state.hand_in_play
    place, pile = _find_pile(hand, event)
    if event.nth is not None and event.nth > len(pile):
        raise Refused("no-card", f"cards there: {len(pile)}; `nth` is 1 to {len(pile)}.")
    chosen = pile if event.nth is None else (pile[event.nth - 1],)
    if all(lying.is_known for lying in chosen) and not planner.is_upcard_unseen(hand):
        raise Refused("not-so", "everybody knows these cards already: nothing is to be turned up.")
    mark_known(hand, frozenset(lying.serial for lying in chosen))
    first_to_act.reconsider_opener(hand)
    planner.clear_upcard_question(hand)
    if hand.plan.has_step(AwardStep) and len(hand.betting.live_seats) > 1:
        pot_awards.replan_awards(hand)
    sentence = SENTENCES[place, event.nth is not None].format(seat=event.seat, nth=event.nth)
    rule = hand.setup.rulebook.floor.overrules
    return (build_ruling(FINDING, Verdict.PLAY_ON, rule, sentence, event.seat),)


def _find_pile(hand: Hand, event: FloorDecided) -> tuple[CardPlace, tuple[PlacedCard, ...]]:
    """The cards among which those lie that are turned up."""
    where = event.card_place or CardPlace.HAND
    if where is CardPlace.STUB:
        raise Refused(
            "value", "nobody has read the stub, so nothing of it is turned up; `where` may be hand, board, burn."
        )
    if where is not CardPlace.HAND and event.seat is not None:
        raise Refused("value", f"no card of a seat lies at the {where.value}: leave `seat` out.")
    if where is CardPlace.HAND and event.seat is None:
        raise Refused("key-missing", "`turned-up` needs the `seat` whose cards are turned up, or `where`: board, burn.")
    at = {CardPlace.BOARD: BOARD, CardPlace.BURN: BURN}.get(where) or hand_place(event.seat or 0)
    pile = hand.cards.piles.cards_at(at)
    if not pile:
        raise Refused("no-card", f"no card lies at the {at}." if event.seat is None else f"no card lies at {at}.")
    return where, pile

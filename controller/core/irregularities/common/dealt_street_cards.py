"""The board cards that a report speaks of: those of the street just dealt or being dealt."""

from controller.core.irregularities.remedies.street_redeal import (
    complete_street_steps,
    place_cards,
    recall_cards,
    street_cards,
)
from controller.core.model.hand import Hand, StreetCard
from controller.core.protocol.events import Report
from controller.core.protocol.steps import BoardStep
from controller.core.protocol.table_error import Refused
from controller.core.rules import ruling_sentences as said
from controller.core.rules.questions.irregularities.burn_rules import BurnRules
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.piles import BOARD, MUCK


def find_last_dealt_street(hand: Hand, event: Report) -> tuple[int, tuple[StreetCard, ...]]:
    """The street that got cards last, of those whose turn has come, and its cards that lie there.

    Raises `Refused` (`no-card`).
    """
    come = [card.street_index for card in hand.cards.street_cards if card.street_index <= hand.streets.planned_street]
    street = next((of for of in reversed(come) if street_cards(hand, of)), None)
    if street is None:
        raise Refused("no-card", f"`{event.kind.value}` speaks of burns and board cards; none lies there yet.")
    return street, street_cards(hand, street)


def find_cards_since_street(hand: Hand, event: Report) -> tuple[int, tuple[StreetCard, ...]]:
    """The street that the report names, and all burns and board cards from its own on; unnamed, the one dealt last.

    Raises `Refused` (`no-card`).
    """
    if event.street is None:
        return find_last_dealt_street(hand, event)
    names = [street.name for street in hand.setup.game.streets]
    index = names.index(event.street) if event.street in names else 0
    if not index or not street_cards(hand, index):
        raise Refused(
            "no-card", f"no card of a street `{event.street}` lies there; streets are {', '.join(names[1:])}."
        )
    return index, tuple(card for of in range(index, len(names)) for card in street_cards(hand, of))


def count_acted_on_street(hand: Hand, street: int) -> int:
    """How many players have acted in the betting of a street."""
    start = hand.betting.acted_count_by_street.get(street)
    if start is None:
        return 0
    return len(set(hand.betting.acted_seats[start : hand.betting.acted_count_by_street.get(street + 1)]))


def build_acted_on_ruling(event: Report, book: BurnRules, acted: int) -> Ruling:
    """So many have acted on the street since the burn was wrong: its cards stand."""
    sentence = said.ONE_ACTED_ON_STREET if acted == 1 else said.ACTED_ON_STREET.format(count=acted)
    return build_ruling(event.kind.value, Verdict.PLAY_ON, book.stands_after, sentence)


def require_surplus_burns(event: Report, due: int, of: str = "street") -> int:
    """How many cards the dealer has burned, where that is too many; raises `Refused` (`value`)."""
    count = event.count or due + 1
    if count <= due:
        raise Refused("value", f"`count` is how many cards were burned: more than {due}, which the {of} needs.")
    return count


def require_unexplained_cards(hand: Hand, event: Report, missing: int) -> tuple[int, ...]:
    """The first `missing` of the cards whose place the dealer has yet to say; raises `Refused` (`no-card`)."""
    if missing > len(hand.cards.unexpected_serials):
        raise Refused(
            "no-card",
            f"`{event.kind.value}`: cards that must have left the shoe beyond the plan: {missing}; "
            f"{len(hand.cards.unexpected_serials)} did.",
        )
    return hand.cards.unexpected_serials[:missing]


def muck_if_pot_decided(hand: Hand, event: Report, rule: Rule[object]) -> tuple[Ruling, ...]:
    """The pot is decided and cards are asked about: whatever they were, they go to the muck. Empty otherwise."""
    if not hand.cards.unexpected_serials or not (len(hand.betting.live_seats) == 1 or hand.showdown.settled_pots):
        return ()
    place_cards(hand, require_unexplained_cards(hand, event, event.count or len(hand.cards.unexpected_serials)), MUCK)
    return (build_ruling(event.kind.value, Verdict.PLAY_ON, rule, said.LATE_CARDS_TO_MUCK),)


def let_unburned_cards_stand(hand: Hand, event: Report) -> None:
    """What was not burned stands on the board: where the plan still waits for a card of the street, it has come."""
    street, cards = find_cards_since_street(hand, event)
    cards = tuple(card for card in cards if card.street_index == street)
    if not any(board.street_index == street for board in hand.plan.steps_of_type(BoardStep)):
        return
    serials = tuple(card.serial for card in cards)
    recall_cards(hand, cards)
    place_cards(hand, serials, BOARD)
    complete_street_steps(hand, street, (), serials)

"""The board cards that a report speaks of: those of the street just dealt or being dealt."""

from controller.core.irregularities.remedies.redeal import cards_of, had, lie, recalled
from controller.core.model.hand import Hand, Laid
from controller.core.play.deal import planner
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Report
from controller.core.protocol.steps import Board
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.piles import BOARD, MUCK


def just_dealt(hand: Hand, event: Report) -> tuple[int, tuple[Laid, ...]]:
    """The street that got cards last, of those whose turn has come, and its cards that lie there.

    Raises `Refused` (`no-card`).
    """
    come = [card.of for card in hand.cards.laid if card.of <= hand.streets.planned]
    street = next((of for of in reversed(come) if cards_of(hand, of)), None)
    if street is None:
        raise Refused("no-card", f"`{event.what.value}` speaks of burns and board cards; none lies there yet.")
    return street, cards_of(hand, street)


def since_the_street(hand: Hand, event: Report) -> tuple[int, tuple[Laid, ...]]:
    """The street that the report names, and all burns and board cards from its own on; unnamed, the one dealt last.

    Raises `Refused` (`no-card`).
    """
    if event.street is None:
        return just_dealt(hand, event)
    names = [street.name for street in hand.setup.game.streets]
    index = names.index(event.street) if event.street in names else 0
    if not index or not cards_of(hand, index):
        raise Refused(
            "no-card", f"no card of a street `{event.street}` lies there; streets are {', '.join(names[1:])}."
        )
    return index, tuple(card for of in range(index, len(names)) for card in cards_of(hand, of))


def acted_on(hand: Hand, street: int) -> int:
    """How many players have acted in the betting of a street."""
    start = hand.betting.acted_before.get(street)
    if start is None:
        return 0
    return len(set(hand.betting.acted[start : hand.betting.acted_before.get(street + 1)]))


def asked_about(hand: Hand, event: Report, missing: int) -> tuple[int, ...]:
    """The first `missing` of the cards whose place the dealer has yet to say; raises `Refused` (`no-card`)."""
    if missing > len(hand.cards.undue):
        raise Refused(
            "no-card",
            f"`{event.what.value}`: cards that must have left the shoe beyond the plan: {missing}; "
            f"{len(hand.cards.undue)} did.",
        )
    return hand.cards.undue[:missing]


def nobody_needs(hand: Hand, event: Report, rule: Rule[object]) -> tuple[Ruling, ...]:
    """The pot is decided and cards are asked about: whatever they were, they go to the muck. Empty otherwise."""
    if not hand.cards.undue or not (len(hand.betting.live) == 1 or hand.showdown.settled):
        return ()
    lie(hand, asked_about(hand, event, event.count or len(hand.cards.undue)), MUCK)
    sentence = "the pot is decided: cards that come now are used by nobody and go to the muck"
    return (ruled(event.what.value, Verdict.PLAY_ON, rule, sentence),)


def left_unburned(hand: Hand, event: Report) -> None:
    """What was not burned stands on the board: where the plan still waits for a card of the street, it has come."""
    street, cards = since_the_street(hand, event)
    cards = tuple(card for card in cards if card.of == street)
    if not any(board.of == street for board in hand.plan.every(Board)):
        return
    serials = tuple(card.serial for card in cards)
    recalled(hand, cards)
    lie(hand, serials, BOARD)
    had(hand, street, (), serials)
    planner.extend(hand)

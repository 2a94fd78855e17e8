"""A card left the shoe when none was due: it has several causes, and only the dealer can say which it was."""

from controller.core.model.hand import Hand
from controller.core.model.state import State
from controller.core.play.deal import fulfil, planner
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Card, Report
from controller.core.protocol.steps import Bet, FromShoe, Say
from controller.core.protocol.vocabulary import What
from controller.core.rules.rulings import Ruling, asked
from controller.core.values.piles import ASIDE
from controller.core.values.value import replace

OPTIONS = tuple(
    what.value
    for what in (
        What.PREMATURE,
        What.BOARD_EXTRA,
        What.DOUBLE_BURN,
        What.TWO_EXPOSED,
        What.EXTRA_CARD,
        What.NOT_ENTITLED,
        What.PUT_BACK,
    )
)
"""What a card that was not due may have been."""


def left(hand: Hand, event: Card) -> tuple[Ruling, ...]:
    """Ask; the card lies aside until the dealer has said where it is. Further cards belong to the same question."""
    hand.cards = replace(
        hand.cards, piles=hand.cards.piles.dealt(ASIDE, event.card, up=event.face_up, strange=event.foreign)
    )
    hand.cards = replace(hand.cards, undue=(*hand.cards.undue, hand.cards.piles.left))
    if not hand.plan.due(Say):
        hand.plan = hand.plan.first(Say(OPTIONS))
    return (asked("card-not-due", "A card left the shoe when none was due: say what happened"),)


def placed(hand: Hand, serials: tuple[int, ...], place: str, up: bool) -> None:
    """The dealer has said where some of these cards lie."""
    hand.cards = replace(
        hand.cards,
        piles=hand.cards.piles.moved(frozenset(serials), ASIDE, place, up),
        undue=tuple(serial for serial in hand.cards.undue if serial not in serials),
    )


def explained(state: State, event: Report, asked_about: tuple[int, ...]) -> None:
    """Hear no answer that says nothing of the cards asked about: they would lie aside, and be asked about, for ever.

    Raises `Refused` (`no-card`).
    """
    hand = state.hand
    if hand is None or not asked_about or event.what.value not in OPTIONS:
        return
    if hand.cards.undue == asked_about:
        raise Refused(
            "no-card",
            f"a `{event.what.value}` does not explain the card that left the shoe when none was due: say what that "
            "card was, or `put-back`.",
        )


def still_asked(state: State) -> None:
    """The question stays first while a card has no explanation."""
    hand = state.hand
    if hand is None or not hand.cards.undue or not hand.plan or hand.plan.due(Say):
        return
    hand.plan = hand.plan.first(Say(OPTIONS))


def after_the_round(hand: Hand) -> None:
    """The round was over before these cards left: none was premature, each has had the first step that wants a card.

    Raises `Refused` where the plan has no step for one of them.
    """
    waiting = hand.cards.undue
    hand.cards = replace(hand.cards, undue=())
    hand.plan = hand.plan.without(Bet)
    planner.extend(hand)
    for serial in waiting:
        if not hand.plan.due(FromShoe):
            raise Refused(
                "no-card", "more cards left the shoe than the next steps want: say with `report` what they were."
            )
        fulfil.let_stand(hand, serial)

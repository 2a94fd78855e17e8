"""The shoe named a card wrongly: everything is as if it had said the true one."""

from dataclasses import replace

from controller.core.engine import actions
from controller.core.irregularities.common.rules_for_game import table_of
from controller.core.irregularities.common.subject import subject
from controller.core.irregularities.hands.misread import renamed
from controller.core.irregularities.stud import stud_deal
from controller.core.model.hand import Hand
from controller.core.model.state import State
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Card, Report
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, ruled


def misread(state: State, event: Report) -> tuple[Ruling, ...]:
    """The last card that left the shoe is `card`."""
    if event.card is None:
        raise Refused("key-missing", "`misread` needs the true `card`.")
    rule = table_of(state.setup, state.setup.rulebook.procedure).misread
    if event.seat is not None and state.hand is not None:
        return _named(state, state.hand, event, rule)
    previous = state.previous
    noted = ruled(event.what.value, Verdict.CORRECT, rule, "the card counts as what it is")
    if previous is not None and isinstance(previous.event, Card):
        state.become(previous.state)
        again = replace(previous.event, card=event.card, foreign=False, t=None)
        return (noted, *actions.card(state, again))
    hand = state.hand_in_play
    serial = hand.piles.left
    if hand.piles.place_of(serial) is None:
        raise Refused("no-card", "`misread` speaks of the last card that left the shoe; none is out.")
    return (noted, *renamed(state, hand, serial, event.card), *stud_deal.opener_misread(state))


def _named(state: State, hand: Hand, event: Report, rule: Rule[bool]) -> tuple[Ruling, ...]:
    """A card of a seat, also an earlier one, is `card`."""
    assert event.card is not None
    found = subject(hand, event)
    if found.lying.card is not None and not found.lying.up and found.lying.serial != hand.piles.left:
        raise Refused(
            "card-known", "only the last card, or an open or unread one, can be named; the others lie face down."
        )
    noted = ruled(event.what.value, Verdict.CORRECT, rule, "the card counts as what it is", found.seat)
    return (noted, *renamed(state, hand, found.lying.serial, event.card), *stud_deal.opener_misread(state))

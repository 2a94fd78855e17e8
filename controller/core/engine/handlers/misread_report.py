"""The shoe named a card wrongly: everything is as if it had said the true one."""

from controller.core.engine.handlers import entry_handlers
from controller.core.irregularities.common.reported_card import ReportedCard, find_reported_card
from controller.core.irregularities.common.rules_for_game import require_rules_for_game
from controller.core.irregularities.hands.misread_card import correct_card_name
from controller.core.irregularities.stud import wrong_opener
from controller.core.model.hand import Hand
from controller.core.model.known_cards import HIDDEN_CARD_WORDS, is_hidden
from controller.core.model.table_state import TableState
from controller.core.protocol.events import CardDealt, Report
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import CardPlace
from controller.core.rules import ruling_sentences as said
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.piles import BOARD, BURN
from controller.core.values.value import replace


def rule_on_misread(state: TableState, event: Report) -> tuple[Ruling, ...]:
    """The card that the report names, or else the last one that left the shoe, is `card`.

    Raises `Refused` (`key-missing`, `value`, `no-card`).
    """
    if event.card is None:
        raise Refused("key-missing", "`misread` needs the true `card`.")
    rule = require_rules_for_game(state.setup, state.setup.rulebook.procedure).misread
    hand, previous = state.hand_in_play, state.undo.previous
    found = find_named_card(hand, event)
    serial = hand.cards.piles.dealt_count if found is None else found.placed_card.serial
    refuse_hidden_card(hand, serial)
    seat = None if found is None else found.seat
    noted = build_ruling(event.kind.value, Verdict.CORRECT, rule, said.CARD_IS_MISREAD, seat)
    if serial == hand.cards.piles.dealt_count and previous is not None and isinstance(previous.event, CardDealt):
        state.assign_from(previous.state)
        again = replace(
            previous.event, card=event.card, is_foreign=False, is_duplicate=False, is_named=True, time_s=None
        )
        return (noted, *entry_handlers.apply_card(state, again))
    if hand.cards.piles.find_place(serial) is None:
        raise Refused("no-card", "`misread` speaks of the last card that left the shoe; none is out.")
    return (
        noted,
        *correct_card_name(state, hand, serial, event.card, is_named=True),
        *wrong_opener.rule_on_misread_opener(state),
    )


def refuse_hidden_card(hand: Hand, serial: int) -> None:
    """Refuse a name for a card that was read and that not everybody knows: whether it is right would tell the card.

    Raises `Refused` (`not-known`).
    """
    place = hand.cards.piles.find_place(serial)
    if place is not None and is_hidden(hand, hand.cards.piles.get_card(serial)):
        raise Refused("not-known", HIDDEN_CARD_WORDS)


PILE_BY_CARD_PLACE = {CardPlace.BOARD: BOARD, CardPlace.BURN: BURN}


def find_named_card(hand: Hand, event: Report) -> ReportedCard | None:
    """The card that the report names exactly; `None`: the last one that left the shoe.

    Raises `Refused` (`key-missing`, `value`, `no-card`).
    """
    if event.card_place is None and event.seat is None:
        if event.nth is not None:
            raise Refused("key-missing", "`nth` counts the cards of a place: say `where`, or whose `seat`.")
        return None
    if event.card_place is CardPlace.STUB:
        raise Refused("value", "a card in the stub has not been read; `where` may be hand, board, burn.")
    if event.card_place in PILE_BY_CARD_PLACE and event.seat is not None:
        raise Refused(
            "value", f"no card of a seat lies at the {PILE_BY_CARD_PLACE[event.card_place]}: leave `seat` out."
        )
    if event.card_place not in PILE_BY_CARD_PLACE:
        if event.seat is None:
            raise Refused("key-missing", "name the `seat` that holds the hand.")
        return find_reported_card(hand, event)
    place = PILE_BY_CARD_PLACE[event.card_place]
    pile = hand.cards.piles.cards_at(place)
    nth = len(pile) if event.nth is None else event.nth
    if not 1 <= nth <= len(pile):
        raise Refused("no-card", f"cards at the {place}: {len(pile)}; `nth` is 1 to {len(pile)}.")
    return ReportedCard(pile[nth - 1], place, nth)

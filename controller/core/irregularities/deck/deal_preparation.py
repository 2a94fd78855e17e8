"""What precedes the deal: the button, the shuffle, the cut; and the word of the dealer about the last card."""

from controller.core.irregularities.common import unexpected_card
from controller.core.irregularities.common.misdeal_status import is_misdeal_window_closed
from controller.core.irregularities.common.reported_card import is_gathering_cards
from controller.core.irregularities.common.rules_for_game import require_rules_for_game
from controller.core.irregularities.deck.defective_deck import find_card_defect
from controller.core.irregularities.remedies import plan_edits
from controller.core.model.hand import Hand
from controller.core.model.table_state import TableState
from controller.core.play.game_flow import hand_start
from controller.core.protocol.events import CardDealt, Report
from controller.core.protocol.table_display import Phase
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import ReportedHand
from controller.core.rules import ruling_sentences as said
from controller.core.rules.questions.house.table_rules import ButtonRule
from controller.core.rules.questions.play.procedure_rules import ComplaintDeadline
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.piles import STUB, hand_place
from controller.core.values.value import replace


def rule_on_wrong_button(state: TableState, event: Report) -> tuple[Ruling, ...]:
    """The button stood wrong on this hand, or on the one before.

    Raises `Refused` (`no-button`, `key-missing`, `no-such-seat`, `empty-chair`, `right-button`, `no-hand`).
    """
    setup = state.setup
    if not setup.game.has_button:
        raise Refused("no-button", f"{setup.game.title} has no button.")
    if event.seat is None:
        raise Refused("key-missing", "`button-wrong` needs the `seat` where the button belonged.")
    if not 1 <= event.seat <= setup.seat_count:
        raise Refused("no-such-seat", f"this table has seats 1 to {setup.seat_count}, not {event.seat}.")
    if setup.button_rule is ButtonRule.MOVING and event.seat not in state.seating.state_by_seat:
        raise Refused("empty-chair", f"nobody sits at seat {event.seat}; a moving button goes to a player.")
    if event.reported_hand is ReportedHand.PREVIOUS or state.planned_phase is Phase.IDLE:
        return _rule_on_previous_button(state, event.seat)
    return _rule_on_current_button(state, event.seat)


def _rule_on_current_button(state: TableState, seat: int) -> tuple[Ruling, ...]:
    hand = state.hand_in_play
    if hand.positions.button == seat:
        raise Refused("right-button", f"the button stands at seat {seat}; `seat` is where it belonged instead.")
    book = require_rules_for_game(hand.setup, hand.setup.rulebook.procedure)
    if is_misdeal_window_closed(hand):
        window = hand.setup.rulebook.misdeal.window
        late = build_ruling("button-wrong", Verdict.PLAY_ON, window, said.TOO_LATE_FOR_MISDEAL, seat)
        assert state.state_before_hand is not None
        if book.button_previous.value:
            state.state_before_hand = replace(
                state.state_before_hand, button=replace(state.state_before_hand.button, corrected_button=seat)
            )
        return (late, _correct_button_next_hand(state, seat, book.button_previous))
    why = said.WRONG_BUTTON.format(seat=seat)
    return (plan_edits.call_misdeal(state, "button-wrong", book.button, why, seat, seat),)


def _rule_on_previous_button(state: TableState, seat: int) -> tuple[Ruling, ...]:
    """The past hand stands; the new one, as long as it has no cards, or the next one begins at the right button."""
    if not state.hand_count or state.button.positions is None:
        raise Refused("no-hand", "no hand has been dealt yet; the table line says where the first button is.")
    book = require_rules_for_game(state.setup, state.setup.rulebook.procedure)
    hand, before = state.hand, state.state_before_hand
    if state.planned_phase is Phase.IDLE or hand is None or before is None:
        if state.button.positions.button == seat:
            raise Refused("right-button", f"the button stood at seat {seat}; `seat` is where it belonged instead.")
        return (_correct_button_next_hand(state, seat, book.button_previous),)
    last = before.button.positions
    if last is None:
        raise Refused("no-hand", "no hand has been dealt before this one.")
    if last.button == seat:
        raise Refused("right-button", f"the button stood at seat {seat}; `seat` is where it belonged instead.")
    if not book.button_previous.value:
        return (_correct_button_next_hand(state, seat, book.button_previous),)
    had = _find_early_button(state.setup.seat_count, seat, last.button)
    state.state_before_hand = replace(
        before, button=replace(before.button, corrected_button=seat, passed_over_seat=had)
    )
    if hand.cards.piles.dealt_count or hand.betting.acted_seats:
        return (_correct_button_next_hand(state, seat, book.button_previous),)
    hand_start.redeal(state, None)
    sentence = said.BUTTON_THIS_HAND.format(seat=seat)
    return (build_ruling("button-wrong", Verdict.CORRECT, book.button_previous, sentence, seat),)


def _correct_button_next_hand(state: TableState, seat: int, rule: Rule[bool]) -> Ruling:
    """The seat that missed the button has it next; who had it too early is passed over when its turn comes.

    Where the book lets it stand, the button goes on from where it stood [TDA-34-A].
    """
    assert state.button.positions is not None
    if not rule.value:
        return build_ruling("button-wrong", Verdict.PLAY_ON, rule, said.BUTTON_MOVES_ON, seat)
    state.button = replace(
        state.button,
        corrected_button=seat,
        passed_over_seat=_find_early_button(state.setup.seat_count, seat, state.button.positions.button),
    )
    sentence = said.BUTTON_NEXT_HAND.format(seat=seat)
    return build_ruling("button-wrong", Verdict.CORRECT, rule, sentence, seat)


def _find_early_button(places: int, seat: int, had: int) -> int | None:
    """The seat that had the button before the turn of `seat`, and is passed over when it gets there; else `None`."""
    return had if (had - seat) % places < (seat - had) % places else None


def rule_on_unshuffled_deck(state: TableState, event: Report) -> tuple[Ruling, ...]:
    """The deck was not shuffled, or not cut."""
    return _rule_on_preparation(
        state, event, require_rules_for_game(state.setup, state.setup.rulebook.procedure).not_shuffled
    )


def rule_on_exposed_cut(state: TableState, event: Report) -> tuple[Ruling, ...]:
    """Cards were exposed in cutting."""
    return _rule_on_preparation(
        state, event, require_rules_for_game(state.setup, state.setup.rulebook.procedure).exposed_cutting
    )


def _rule_on_preparation(state: TableState, event: Report, rule: Rule[ComplaintDeadline]) -> tuple[Ruling, ...]:
    hand = state.hand_in_play
    late = is_misdeal_window_closed(hand) and rule.value is not ComplaintDeadline.ALWAYS
    if rule.value is ComplaintDeadline.LOOKED:
        late = late or bool(hand.cards.looked_seats or hand.betting.acted_seats)
    if late:
        return (build_ruling(event.kind.value, Verdict.PLAY_ON, rule, said.TOO_LATE_PLAYED_OUT),)
    return (plan_edits.call_misdeal(state, event.kind.value, rule, said.NOT_PREPARED),)


def record_looked_at_cards(state: TableState, event: Report) -> tuple[Ruling, ...]:
    """A seat has looked at its cards; by itself this changes nothing, nor for a new deal if they are of the old one.

    Raises `Refused` (`key-missing`, `no-card`).
    """
    hand = state.hand_in_play
    if event.seat is None:
        raise Refused("key-missing", "`looked` needs the `seat` that has looked at its cards.")
    if not hand.cards.piles.cards_at(hand_place(event.seat)):
        raise Refused("no-card", f"no card lies at seat {event.seat}.")
    if not is_gathering_cards(hand):
        hand.cards = replace(hand.cards, looked_seats=hand.cards.looked_seats | {event.seat})
    return ()


def rule_on_put_back_card(state: TableState, event: Report) -> tuple[Ruling, ...]:
    """The card that just left the shoe lies on the stub again; raises `Refused` (`too-late`, `already-ruled`)."""
    hand = state.hand_in_play
    rule = require_rules_for_game(hand.setup, hand.setup.rulebook.procedure).put_back
    previous = state.undo.previous
    if (
        previous is not None
        and isinstance(previous.event, CardDealt)
        and _is_last_card_unexpected(previous.state.hand, hand)
    ):
        state.assign_from(previous.state)
    elif hand.cards.unexpected_serials:
        unexpected_card.place_explained_cards(hand, (hand.cards.unexpected_serials[-1],), STUB, up=False)
    elif previous is not None and isinstance(previous.event, CardDealt):
        _refuse_ruled_card(previous.state.hand, previous.event)
        state.assign_from(previous.state)
        return (build_ruling(event.kind.value, Verdict.CORRECT, rule, said.BACK_ON_STUB),)
    else:
        raise Refused("too-late", "only the card that has just left the shoe can be put back; nothing else came since.")
    return (build_ruling(event.kind.value, Verdict.PLAY_ON, rule, said.BACK_ON_STUB_UNUSED),)


def _refuse_ruled_card(before: Hand | None, event: CardDealt) -> None:
    """A boxed card, a joker or a card of another deck does not go unfound because somebody put it back."""
    if event.face_up or (before is not None and find_card_defect(before, event)):
        raise Refused(
            "already-ruled",
            "what was found with the last card has been ruled on, wherever the card is: carry out the steps, or report "
            "`misread` if the shoe named it wrongly.",
        )


def _is_last_card_unexpected(before: Hand | None, now: Hand) -> bool:
    """Whether the last card was not due."""
    return before is not None and len(now.cards.unexpected_serials) > len(before.cards.unexpected_serials)

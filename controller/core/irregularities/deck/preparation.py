"""What precedes the deal: the button, the shuffle, the cut; and the word of the dealer about the last card."""

from controller.core.irregularities.common import unexpected_card
from controller.core.irregularities.common.misdeal_window import closed
from controller.core.irregularities.common.rules_for_game import table_of
from controller.core.irregularities.common.subject import gathered
from controller.core.irregularities.deck.defective_deck import strange
from controller.core.irregularities.remedies import plan_edits
from controller.core.model.hand import Hand
from controller.core.model.state import State
from controller.core.play.deal import start_hand
from controller.core.protocol.display import Phase
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Card, Report
from controller.core.protocol.vocabulary import Which
from controller.core.rules.questions.house.table import ButtonRule
from controller.core.rules.questions.play.procedure import Complaint
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.piles import STUB, hand_of
from controller.core.values.value import replace


def button_wrong(state: State, event: Report) -> tuple[Ruling, ...]:
    """The button stood wrong on this hand, or on the one before.

    Raises `Refused` (`no-button`, `key-missing`, `no-such-seat`, `empty-chair`, `right-button`, `no-hand`).
    """
    setup = state.setup
    if not setup.game.button:
        raise Refused("no-button", f"{setup.game.title} has no button.")
    if event.seat is None:
        raise Refused("key-missing", "`button-wrong` needs the `seat` where the button belonged.")
    if not 1 <= event.seat <= setup.places:
        raise Refused("no-such-seat", f"this table has seats 1 to {setup.places}, not {event.seat}.")
    if setup.button_rule is ButtonRule.MOVING and event.seat not in state.seating.chairs:
        raise Refused("empty-chair", f"nobody sits at seat {event.seat}; a moving button goes to a player.")
    if event.hand is Which.PREVIOUS or state.planned_phase is Phase.IDLE:
        return _previous(state, event.seat)
    return _this(state, event.seat)


def _this(state: State, seat: int) -> tuple[Ruling, ...]:
    hand = state.hand_in_play
    if hand.positions.button == seat:
        raise Refused("right-button", f"the button stands at seat {seat}; `seat` is where it belonged instead.")
    book = table_of(hand.setup, hand.setup.rulebook.procedure)
    if closed(hand):
        window = hand.setup.rulebook.misdeal.window
        late = ruled("button-wrong", Verdict.PLAY_ON, window, "too late for a misdeal: the deal is played out", seat)
        assert state.before is not None
        if book.button_previous.value:
            state.before = replace(state.before, button=replace(state.before.button, due=seat))
        return (late, _put_right_next(state, seat, book.button_previous))
    plan_edits.deal_again(state, seat)
    sentence = f"the button belonged at seat {seat}: misdeal, deal again from there"
    return (ruled("button-wrong", Verdict.MISDEAL, book.button, sentence, seat),)


def _previous(state: State, seat: int) -> tuple[Ruling, ...]:
    """The past hand stands; the new one, as long as it has no cards, or the next one begins at the right button."""
    if not state.number or state.button.positions is None:
        raise Refused("no-hand", "no hand has been dealt yet; the table line says where the first button is.")
    book = table_of(state.setup, state.setup.rulebook.procedure)
    hand, before = state.hand, state.before
    if state.planned_phase is Phase.IDLE or hand is None or before is None:
        if state.button.positions.button == seat:
            raise Refused("right-button", f"the button stood at seat {seat}; `seat` is where it belonged instead.")
        return (_put_right_next(state, seat, book.button_previous),)
    last = before.button.positions
    if last is None:
        raise Refused("no-hand", "no hand has been dealt before this one.")
    if last.button == seat:
        raise Refused("right-button", f"the button stood at seat {seat}; `seat` is where it belonged instead.")
    if not book.button_previous.value:
        return (_put_right_next(state, seat, book.button_previous),)
    had = _too_early(state.setup.places, seat, last.button)
    state.before = replace(before, button=replace(before.button, due=seat, had=had))
    if hand.cards.piles.left or hand.betting.acted:
        return (_put_right_next(state, seat, book.button_previous),)
    start_hand.redeal(state, None)
    sentence = f"the last hand stands; this one begins with the button at seat {seat}"
    return (ruled("button-wrong", Verdict.CORRECT, book.button_previous, sentence, seat),)


def _put_right_next(state: State, seat: int, rule: Rule[bool]) -> Ruling:
    """The seat that missed the button has it next; who had it too early is passed over when its turn comes.

    Where the book lets it stand, the button goes on from where it stood [TDA-34-A].
    """
    assert state.button.positions is not None
    if not rule.value:
        sentence = "the hand stands, and the button moves on from where it stood"
        return ruled("button-wrong", Verdict.PLAY_ON, rule, sentence, seat)
    state.button = replace(
        state.button, due=seat, had=_too_early(state.setup.places, seat, state.button.positions.button)
    )
    sentence = (
        f"the hand stands; the next one begins with the button at seat {seat}, so that each has every position once"
    )
    return ruled("button-wrong", Verdict.CORRECT, rule, sentence, seat)


def _too_early(places: int, seat: int, had: int) -> int | None:
    """The seat that had the button before the turn of `seat`, and is passed over when it gets there; else `None`."""
    return had if (had - seat) % places < (seat - had) % places else None


def not_shuffled(state: State, event: Report) -> tuple[Ruling, ...]:
    """The deck was not shuffled, or not cut."""
    return _prepared(state, event, table_of(state.setup, state.setup.rulebook.procedure).not_shuffled)


def exposed_cutting(state: State, event: Report) -> tuple[Ruling, ...]:
    """Cards were exposed in cutting."""
    return _prepared(state, event, table_of(state.setup, state.setup.rulebook.procedure).exposed_cutting)


def _prepared(state: State, event: Report, rule: Rule[Complaint]) -> tuple[Ruling, ...]:
    hand = state.hand_in_play
    late = closed(hand) and rule.value is not Complaint.ALWAYS
    if rule.value is Complaint.LOOKED:
        late = late or bool(hand.cards.looked or hand.betting.acted)
    if late:
        return (ruled(event.what.value, Verdict.PLAY_ON, rule, "too late: the hand is played out"),)
    plan_edits.deal_again(state)
    return (ruled(event.what.value, Verdict.MISDEAL, rule, "shuffle, cut and deal anew: misdeal"),)


def looked(state: State, event: Report) -> tuple[Ruling, ...]:
    """A seat has looked at its cards; by itself this changes nothing, nor for a new deal if they are of the old one.

    Raises `Refused` (`key-missing`, `no-card`).
    """
    hand = state.hand_in_play
    if event.seat is None:
        raise Refused("key-missing", "`looked` needs the `seat` that has looked at its cards.")
    if not hand.cards.piles.at(hand_of(event.seat)):
        raise Refused("no-card", f"no card lies at seat {event.seat}.")
    if not gathered(hand):
        hand.cards = replace(hand.cards, looked=hand.cards.looked | {event.seat})
    return ()


def put_back(state: State, event: Report) -> tuple[Ruling, ...]:
    """The card that just left the shoe lies on the stub again; raises `Refused` (`too-late`, `already-ruled`)."""
    hand = state.hand_in_play
    rule = table_of(hand.setup, hand.setup.rulebook.procedure).put_back
    previous = state.undo.previous
    if previous is not None and isinstance(previous.event, Card) and _asked(previous.state.hand, hand):
        state.become(previous.state)
    elif hand.cards.undue:
        unexpected_card.placed(hand, (hand.cards.undue[-1],), STUB, up=False)
    elif previous is not None and isinstance(previous.event, Card):
        _must_be_sound(previous.state.hand, previous.event)
        state.become(previous.state)
        sentence = "the card is back on the stub: deal it again to where it belongs"
        return (ruled(event.what.value, Verdict.CORRECT, rule, sentence),)
    else:
        raise Refused("too-late", "only the card that has just left the shoe can be put back; nothing else came since.")
    return (ruled(event.what.value, Verdict.PLAY_ON, rule, "the card is back on the stub, unused: play on"),)


def _must_be_sound(before: Hand | None, event: Card) -> None:
    """A boxed card, a joker or a card of another deck does not go unfound because somebody put it back."""
    if event.face_up or (before is not None and strange(before, event)):
        raise Refused(
            "already-ruled",
            "what was found with the last card has been ruled on, wherever the card is: carry out the steps, or report "
            "`misread` if the shoe named it wrongly.",
        )


def _asked(before: Hand | None, now: Hand) -> bool:
    """Whether the last card was not due."""
    return before is not None and len(now.cards.undue) > len(before.cards.undue)

"""Cards went to the wrong place: another seat, past a seat, to a seat that should have had none."""

from controller.core.irregularities.common import unexpected_card
from controller.core.irregularities.common.fouled_hand import rule_on_fouled_hand
from controller.core.irregularities.common.misdeal_status import has_looked, is_misdeal_window_closed
from controller.core.irregularities.common.reported_card import find_reported_card, is_gathering_cards
from controller.core.irregularities.common.rules_for_game import require_rules_for_game
from controller.core.irregularities.draw import draw_irregularities
from controller.core.irregularities.hands.wrong_count import require_dealt_seat
from controller.core.irregularities.remedies import plan_edits, scrapped_cards
from controller.core.irregularities.remedies.street_redeal import build_seat_move
from controller.core.irregularities.stud import stud_street_errors
from controller.core.model.hand import Hand
from controller.core.model.table_state import TableState
from controller.core.protocol.events import Report
from controller.core.protocol.steps import DealStep, ReturnStep
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import ReportKind
from controller.core.rules import ruling_sentences as said
from controller.core.rules.questions.irregularities.sequence_rules import RepairCondition, SequenceRules
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.piles import MUCK, STUB, PlacedCard, hand_place, seat_of_place
from controller.core.values.seat_order import rotate_after, seats_after
from controller.core.values.value import replace


def rule_on_wrong_seat(state: TableState, event: Report) -> tuple[Ruling, ...]:
    """The last card went to another seat than the plan sent it to.

    Raises `Refused` (`key-missing`, `no-card`, `already-ruled`, `no-such-seat`, `right-seat`).
    """
    hand = state.hand_in_play
    if event.seat is None:
        raise Refused("key-missing", "`wrong-seat` needs the `seat` that the last card went to.")
    serial, seat = _find_misdealt_card(hand, event)
    if hand.cards.piles.find_place(serial) != hand_place(seat) or scrapped_cards.is_taken_away(hand, serial):
        raise Refused("already-ruled", "that card has been ruled on already; carry out the steps.")
    if not 1 <= event.seat <= state.setup.seat_count:
        raise Refused("no-such-seat", f"this table has seats 1 to {state.setup.seat_count}, not {event.seat}.")
    if event.seat == seat:
        raise Refused("right-seat", f"seat {seat} is where that card belongs; `seat` is where it went instead.")
    drawn = draw_irregularities.rule_on_draw_out_of_sequence(state, event, serial, event.seat)
    return drawn or rule_on_misplaced_card(state, serial, event.seat)


def let_wrong_seat_stand(hand: Hand, event: Report) -> None:
    """The floor lets the card stand where it went: the seat that it was for gets the next one of that seat's.

    On a later street, or a draw, it gets the next card off the stub.

    Raises `Refused` (`place-unknown`) where no card is to come for the seat that got it.
    """
    serial, seat = _find_misdealt_card(hand, event)
    at = event.seat or 0
    if stud_street_errors.let_street_cards_stand(
        hand, lambda: stud_street_errors.rule_on_wrong_street_card(hand, serial, at, event.kind.value)
    ):
        return
    if draw_irregularities.let_misdealt_draw_stand(hand, event, serial, at):
        return
    comes = next(
        (step for step in hand.plan.steps_of_type(DealStep) if step.seat == event.seat and not step.is_ruled), None
    )
    if comes is None or event.seat is None:
        raise Refused(
            "place-unknown", f"no card is to come for seat {event.seat}: seat {seat} would be one short; say who moves."
        )
    up = hand.cards.piles.get_card(serial).is_face_up
    hand.cards = replace(
        hand.cards,
        piles=hand.cards.piles.move_cards(frozenset((serial,)), hand_place(seat), hand_place(event.seat), up),
        last_dealt=None,
    )
    hand.plan = hand.plan.replace_step(comes, replace(comes, seat=seat))


def _find_misdealt_card(hand: Hand, event: Report) -> tuple[int, int]:
    """The card that went wrong and the seat it was for: the last one dealt, or the one that `from` and `nth` name."""
    if event.intended_seat is not None:
        named = find_reported_card(hand, replace(event, seat=event.intended_seat))
        return named.placed_card.serial, event.intended_seat
    serial, step = hand.cards.last_dealt or (0, None)
    if serial != hand.cards.piles.dealt_count or not isinstance(step, DealStep):
        raise Refused(
            "no-card",
            "`wrong-seat` speaks of the last card dealt to a seat; the last one was not. Name an earlier one by "
            "`from`, the seat it was for, and `nth`.",
        )
    return serial, step.seat


def rule_on_misplaced_card(state: TableState, serial: int, at: int) -> tuple[Ruling, ...]:
    """The card with this number, which the plan sent to a seat, lies at the seat `at`."""
    hand = state.hand_in_play
    place = hand.cards.piles.find_place(serial)
    assert place is not None
    belongs = seat_of_place(place)
    assert belongs is not None
    book = require_rules_for_game(hand.setup, hand.setup.rulebook.sequence)
    finding = ReportKind.WRONG_SEAT.value
    told_apart = not has_looked(hand, at)
    corrected = stud_street_errors.rule_on_wrong_street_card(hand, serial, at, finding)
    if corrected:
        return corrected
    if is_misdeal_window_closed(hand):
        entitled = tuple(seat for seat in (at, belongs) if seat in hand.dealing_order)
        hand.cards = replace(
            hand.cards,
            piles=hand.cards.piles.move_cards(
                frozenset((serial,)), place, hand_place(at) if at in hand.betting.live_seats else MUCK
            ),
        )
        return _rule_on_both_hands(state, finding, entitled)
    if told_apart and can_repair(hand, book.repair_order):
        hand.cards = replace(hand.cards, piles=hand.cards.piles.move_cards(frozenset((serial,)), place, hand_place(at)))
        hand.plan = hand.plan.prepend(build_seat_move(serial, at, belongs))
        sentence = said.join_sentences(said.SLIDE.format(at=at, seat=belongs), said.DEAL_ON)
        return (build_ruling(finding, Verdict.CORRECT, book.repair_order, sentence, belongs),)
    rule = book.first_card if scrapped_cards.card_number(hand, serial) == 1 else book.out_of_order
    if at not in hand.dealing_order:
        rule = replace(rule, cite=(*rule.cite, *book.not_entitled.cite))
    why = said.WRONG_SEAT.format(seat=belongs, other=at)
    return (plan_edits.call_misdeal(state, finding, rule, why, belongs),)


def _rule_on_both_hands(state: TableState, finding: str, seats: tuple[int, ...]) -> tuple[Ruling, ...]:
    """Too late for a misdeal: one hand has a card too many, the other one too few."""
    hand = state.hand
    rulings = []
    for seat in seats:
        if state.hand is hand:
            rulings.append(rule_on_fouled_hand(state, finding, seat))
    return tuple(rulings)


def can_repair(hand: Hand, rule: Rule[RepairCondition]) -> bool:
    """Whether the book lets cards be moved, as far as it asks who has looked at any."""
    if rule.value is RepairCondition.IF_UNSEEN:
        return not hand.cards.looked_seats and not hand.betting.acted_seats
    return rule.value is RepairCondition.IF_TOLD_APART


def rule_on_skipped_player(state: TableState, event: Report) -> tuple[Ruling, ...]:
    """A player entitled to a hand got no cards; raises `Refused` (`not-entitled`)."""
    hand = state.hand_in_play
    if event.seat is not None and event.seat in state.seating.state_by_seat and event.seat not in hand.dealing_order:
        raise Refused(
            "not-entitled", f"seat {event.seat} is not entitled to a hand: it is away or waits for its blind."
        )
    seat = require_dealt_seat(hand, event)
    book = require_rules_for_game(hand.setup, hand.setup.rulebook.sequence)
    others = tuple(other for other in hand.dealing_order if other != seat)
    finding = event.kind.value
    corrected = stud_street_errors.rule_on_passed_over_seat(
        hand, seat, finding
    ) or draw_irregularities.rule_on_skipped_draw(hand, event, seat)
    if corrected:
        return corrected
    if is_misdeal_window_closed(hand):
        return (rule_on_fouled_hand(state, finding, seat),)
    if can_repair(hand, book.repair_hands) and (
        _shift_cards(hand, others) or _move_last_from_next_seat(hand, book, seat)
    ):
        sentence = said.PASSED_OVER.format(seat=seat)
        return (build_ruling(finding, Verdict.CORRECT, book.repair_hands, sentence, seat),)
    return (plan_edits.call_misdeal(state, finding, book.skipped, said.DEALT_OUT.format(seat=seat), seat),)


def _move_last_from_next_seat(hand: Hand, book: SequenceRules, seat: int) -> bool:
    """The card of the seat that was passed over is the last one dealt and lies on those of the next seat: move it."""
    serial, step = hand.cards.last_dealt or (0, None)
    if (
        not isinstance(step, DealStep)
        or step.seat != seat
        or serial != hand.cards.piles.dealt_count
        or hand.cards.unexpected_serials
    ):
        return False
    if book.repair_hands.value is not RepairCondition.IF_TOLD_APART:
        return False
    at = rotate_after(hand.dealing_order, seat)[0]
    if at == seat or has_looked(hand, at) or hand.cards.piles.find_place(serial) != hand_place(seat):
        return False
    hand.cards = replace(
        hand.cards, piles=hand.cards.piles.move_cards(frozenset((serial,)), hand_place(seat), hand_place(at))
    )
    hand.plan = hand.plan.prepend(build_seat_move(serial, at, seat))
    return True


def rule_on_unentitled_seat(state: TableState, event: Report) -> tuple[Ruling, ...]:
    """An empty chair, or a player not entitled to a hand, got cards.

    Raises `Refused` (`key-missing`, `no-such-seat`, `no-card`, `entitled`).
    """
    hand = state.hand_in_play
    seat, finding = event.seat, event.kind.value
    if seat is None:
        raise Refused("key-missing", "`not-entitled` needs the `seat` that got cards.")
    if not 1 <= seat <= state.setup.seat_count:
        raise Refused("no-such-seat", f"this table has seats 1 to {state.setup.seat_count}, not {seat}.")
    if not hand.cards.piles.dealt_count or (is_gathering_cards(hand) and not hand.cards.unexpected_serials):
        raise Refused("no-card", "`not-entitled` speaks of cards that were dealt; in this deal none has been.")
    corrected = stud_street_errors.rule_on_unentitled_street_card(hand, seat, finding)
    if corrected:
        return corrected
    if seat in hand.dealing_order:
        raise Refused(
            "entitled", f"seat {seat} is entitled to its hand, by all that the table was told before the deal."
        )
    serial = hand.cards.piles.dealt_count
    corrected = (
        ()
        if hand.cards.unexpected_serials
        else draw_irregularities.rule_on_draw_out_of_sequence(state, event, serial, seat)
    )
    if corrected:
        return corrected
    book = require_rules_for_game(hand.setup, hand.setup.rulebook.sequence)
    spare = hand.cards.unexpected_serials[-hand.setup.game.hand_size :]
    if is_misdeal_window_closed(hand):
        unexpected_card.place_explained_cards(hand, spare, MUCK, up=False)
        window = hand.setup.rulebook.misdeal.window
        return (build_ruling(finding, Verdict.PLAY_ON, window, said.TOO_LATE_CARDS_DEAD.format(seat=seat), seat),)
    if can_repair(hand, book.repair_hands) and _correct_unentitled_hand(hand, seat, spare):
        sentence = said.GETS_NO_HAND.format(seat=seat)
        return (build_ruling(finding, Verdict.CORRECT, book.repair_hands, sentence, seat),)
    return (plan_edits.call_misdeal(state, finding, book.not_entitled, said.NOT_ENTITLED.format(seat=seat), seat),)


def let_recipients_stand(hand: Hand, event: Report) -> None:
    """The floor lets stand whom the cards came to: a stranger's are dead, and who lacks cards gets them."""
    seat, finding = event.seat, event.kind.value
    assert seat is not None
    others = tuple(other for other in hand.dealing_order if other != seat)
    ring = (
        others
        if event.kind is ReportKind.SKIPPED
        else seats_after((*hand.dealing_order, seat), hand.positions.button or 0)
    )
    said = (
        stud_street_errors.rule_on_passed_over_seat
        if event.kind is ReportKind.SKIPPED
        else stud_street_errors.rule_on_unentitled_street_card
    )
    if stud_street_errors.let_street_cards_stand(hand, lambda: said(hand, seat, finding)):
        return
    if hand.cards.unexpected_serials:
        unexpected_card.place_explained_cards(hand, hand.cards.unexpected_serials, MUCK, up=False)
    elif not hand.streets.planned_street and not hand.betting.acted_seats:
        _place_cards_around(hand, ring)


def _place_cards_around(hand: Hand, ring: tuple[int, ...]) -> None:
    """The cards of the deal came to these seats in turn; then the deal goes on until every hand is complete."""
    dealt = sorted(lying.serial for seat in hand.dealing_order for lying in hand.cards.piles.cards_at(hand_place(seat)))
    for nth, serial in enumerate(dealt):
        at = ring[nth % len(ring)]
        place = hand_place(at) if at in hand.dealing_order else MUCK
        hand.cards = replace(hand.cards, piles=hand.cards.piles.gather_cards((serial,), place), last_dealt=None)
    missing = (
        DealStep(seat, face, street_index=0)
        for nth, face in enumerate(hand.setup.game.streets[0].deal_faces)
        for seat in hand.dealing_order
        if nth >= len(hand.cards.piles.cards_at(hand_place(seat)))
    )
    own = (step for step in hand.plan.steps_of_type(DealStep) if not step.street_index and not step.is_ruled)
    hand.plan = hand.plan.drop_steps(*own).prepend(*missing)


def _correct_unentitled_hand(hand: Hand, seat: int, spare: tuple[int, ...]) -> bool:
    """The extra hand goes back, or the cards move on round the table, or the one that has just been dealt is moved."""
    ring = seats_after((*hand.dealing_order, seat), hand.positions.button or 0)
    if _return_extra_hand(hand, seat, spare) or _shift_cards(hand, ring):
        return True
    return _move_last_card(hand, seat)


def _move_last_card(hand: Hand, at: int) -> bool:
    """The last card, dealt in the first round, lies at the seat `at`: move it to where it belongs."""
    serial, step = hand.cards.last_dealt or (0, None)
    if (
        not isinstance(step, DealStep)
        or serial != hand.cards.piles.dealt_count
        or not hand.plan.next_step_if(DealStep)
        or serial > len(hand.dealing_order)
    ):
        return False
    if hand.cards.piles.find_place(serial) != hand_place(step.seat):
        return False
    hand.cards = replace(
        hand.cards, piles=hand.cards.piles.move_cards(frozenset((serial,)), hand_place(step.seat), hand_place(at))
    )
    hand.plan = hand.plan.prepend(build_seat_move(serial, at, step.seat))
    return True


def _return_extra_hand(hand: Hand, seat: int, spare: tuple[int, ...]) -> bool:
    """The cards that were not due are the extra hand: they go back on the stub, the last one first."""
    if not spare:
        return False
    unexpected_card.place_explained_cards(hand, spare, hand_place(seat), up=False)
    steps = (
        ReturnStep("extra", hand_place(seat), STUB, 1, (serial,), is_ruled=True, concerned_seat=seat)
        for serial in spare[::-1]
    )
    hand.plan = hand.plan.prepend(*steps)
    return True


def _shift_cards(hand: Hand, ring: tuple[int, ...]) -> bool:
    """The cards went round `ring` in place of the hand's order: move each to where it belongs, if no two lie together.

    Two cards that lie on one another can no longer be told apart, so that each goes where no card waits to be moved.
    False when nothing can be done, or nothing is wrong.
    """
    cards: list[tuple[PlacedCard, int]] = sorted(
        ((lying, seat) for seat in hand.dealing_order for lying in hand.cards.piles.cards_at(hand_place(seat))),
        key=lambda pair: pair[0].serial,
    )
    size = len(hand.dealing_order)
    regular = all(seat == hand.dealing_order[index % size] for index, (_, seat) in enumerate(cards))
    if not cards or len(cards) > len(ring) or not regular or not hand.plan.next_step_if(DealStep):
        return False
    moves = []
    for index, (lying, belongs) in enumerate(cards):
        if ring[index] != belongs:
            hand.cards = replace(
                hand.cards,
                piles=hand.cards.piles.move_cards(
                    frozenset((lying.serial,)), hand_place(belongs), hand_place(ring[index])
                ),
            )
            moves.append(build_seat_move(lying.serial, ring[index], belongs))
    hand.plan = hand.plan.prepend(*(moves if len(ring) < size else reversed(moves)))
    return bool(moves)

"""A folded or mucked hand is given back (R7-3.dead.2): its cards leave the muck, and it matches what was wagered."""

from controller.core.irregularities.remedies import street_redeal
from controller.core.model.hand import FoldedHand, Hand
from controller.core.model.table_state import TableState
from controller.core.play.betting import betting_round, catch_up_round
from controller.core.play.opening import first_to_act
from controller.core.play.seating import attendance
from controller.core.play.showdown import showdown
from controller.core.protocol.events import FloorDecided
from controller.core.protocol.steps import (
    ActStep,
    AwardStep,
    BettingStep,
    CollectStep,
    DealStep,
    DrawStep,
    FloorStep,
    MoveStep,
    QuestionStep,
    ShowStep,
    Step,
)
from controller.core.protocol.table_error import Refused
from controller.core.rules import ruling_sentences as said
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.piles import MUCK, hand_place
from controller.core.values.value import replace

FINDING = "revive"


def revive_hand(state: TableState, event: FloorDecided) -> tuple[Ruling, ...]:
    """The floor gives a seat its hand back; raises `Refused` where it has one, or the betting went on without it."""
    hand, seat, rule = state.hand_in_play, event.seat, state.setup.rulebook.floor.revived
    if seat is None:
        raise Refused("key-missing", "`revive` needs the `seat` whose hand is given back.")
    attendance.require_seat_state(state, seat)
    folded = hand.folds.folded_hand_by_seat.get(seat)
    if seat in hand.betting.live_seats or folded is None:
        raise Refused("not-folded", f"seat {seat} has not folded or mucked a hand that could be given back.")
    if not rule.value:
        raise Refused("not-overruled", f"under this book no hand comes back from the muck, see {rule.clause}.")
    _refuse_late_revival(hand, folded)
    if hand.plan.next_step_if(QuestionStep) or hand.plan.next_step_if(FloorStep):
        raise Refused("not-an-option", "answer the question that is asked first, then give the hand back.")
    if (answering := hand.folds.answering_seat) is not None:  # one hand at a time catches up with a round that is over
        raise Refused("not-an-option", f"let seat {answering} call or fold first, then give the next hand back.")
    _turn_upcards_up(hand, folded)
    live = tuple(each for each in hand.dealing_order if each in hand.betting.live_seats or each == seat)
    hand.betting = replace(hand.betting, live_seats=live)
    hand.stud = replace(hand.stud, receiving_seats=tuple(each for each in hand.stud.receiving_seats if each != seat))
    others = {each: how for each, how in hand.folds.folded_hand_by_seat.items() if each != seat}
    hand.folds = replace(hand.folds, folded_hand_by_seat=others)
    lead = _build_retrieval(hand, seat, folded)
    state.time = replace(state.time, clock=None)
    if folded.is_mucked:
        hand.plan = (
            hand.plan.drop_types(ShowStep, AwardStep, CollectStep).prepend(*lead).append(*showdown.show_steps(hand))
        )
    elif hand.plan.has_step(AwardStep) and len(hand.betting.live_seats) == 2:
        _reopen_round(hand, seat, lead)
    else:
        _add_matching_action(hand, seat, folded, lead)
    return (build_ruling(FINDING, Verdict.CORRECT, rule, said.FLOOR_REVIVES.format(seat=seat), seat),)


def _refuse_late_revival(hand: Hand, folded: FoldedHand) -> None:
    later = any(street > folded.street and high for street, high in hand.folds.current_bet_by_street.items())
    on = hand.round is not None and hand.round.street > folded.street and hand.round.current_bet
    if hand.is_award_pushed or later or on:
        why = "a pot has been pushed" if hand.is_award_pushed else "somebody has bet on a later street"
        raise Refused("too-late-to-revive", f"{why}: the hand stays folded.")


def _turn_upcards_up(hand: Hand, folded: FoldedHand) -> None:
    """Its upcards lie open again."""
    for serial in folded.face_up_serials:
        if hand.cards.piles.find_place(serial) is not None:
            hand.cards = replace(
                hand.cards,
                piles=hand.cards.piles.identify_card(serial, hand.cards.piles.get_card(serial).card, up=True),
            )


def _build_retrieval(hand: Hand, seat: int, folded: FoldedHand) -> tuple[Step, ...]:
    serials = tuple(serial for serial in folded.serials if hand.cards.piles.find_place(serial) == MUCK)
    if not serials:
        return ()
    return (MoveStep(MUCK, hand_place(seat), "hand", len(serials), serials, is_ruled=True, concerned_seat=seat),)


def _reopen_round(hand: Hand, seat: int, lead: tuple[Step, ...]) -> None:
    """Its fold had ended the hand: the round is as it was before, and the seat acts."""
    street_redeal.uncollect(hand)
    round_ = hand.round_in_play
    place = round_.acting_order.index(seat)
    behind = round_.acting_order[place + 1 :] + round_.acting_order[:place]
    open_ = tuple(
        each
        for each in behind
        if each in hand.betting.live_seats
        and each not in hand.betting.all_in_seats
        and (each not in round_.last_action_by_seat or hand.chips.bet_by_seat.get(each, 0) < round_.current_bet)
    )
    owes = hand.chips.bet_by_seat.get(seat, 0) < round_.current_bet and seat not in hand.betting.all_in_seats
    first = (seat,) if owes or open_ else ()
    barred = round_.no_raise_seats if open_ else round_.no_raise_seats | {seat}
    hand.round = replace(round_, queue=(*first, *open_), no_raise_seats=barred)
    hand.plan = hand.plan.replace_all(*lead)


def _add_matching_action(hand: Hand, seat: int, folded: FoldedHand, lead: tuple[Step, ...]) -> None:
    """It acts first where it has not matched the wager of the round in which it folded."""
    round_ = hand.round
    _drop_outdated_steps(hand, seat, folded)
    if round_ is not None and round_.street == folded.street and round_.queue:
        if hand.chips.bet_by_seat.get(seat, 0) < round_.current_bet and seat not in hand.betting.all_in_seats:
            hand.round = replace(round_, queue=(seat, *(each for each in round_.queue if each != seat)))
        hand.plan = hand.plan.prepend(*lead)
        return
    owed = 0 if seat in hand.betting.all_in_seats else _owed_amount(hand, seat, folded)
    if owed:
        catch_up_round.begin_catch_up_round(hand, seat, folded.street, owed)
        hand.plan = hand.plan.prepend(*lead, ActStep(seat))
        return
    catch_up_round.queue_seats_to_act(hand)
    hand.plan = hand.plan.prepend(*lead)
    first_to_act.reconsider_opener(hand)


def _drop_outdated_steps(hand: Hand, seat: int, folded: FoldedHand) -> None:
    """Take off what is found anew with this hand in it: who acts, who shows, what is pushed.

    Where hands are turned up before the last cards come, this one is, too.
    """
    hand.plan = hand.plan.drop_types(BettingStep, AwardStep, CollectStep)
    if hand.showdown.are_hands_up:
        behind = next((step for step in hand.plan if not isinstance(step, ShowStep)), None)
        hand.plan = hand.plan.insert_before(behind, ShowStep(seat))
    else:
        hand.plan = hand.plan.drop_types(ShowStep)
    if hand.setup.game.deals_later_cards:
        _add_missed_cards(hand, seat, folded)
    elif hand.setup.game.streets[hand.streets.planned_street].has_draw:
        _add_missed_draw(hand, seat)


def _add_missed_cards(hand: Hand, seat: int, folded: FoldedHand) -> None:
    """In its turn this hand gets a card of each street that it has no card of."""
    held = len({*folded.serials, *(lying.serial for lying in hand.cards.piles.cards_at(hand_place(seat)))})
    streets, behind = hand.setup.game.streets, hand.dealing_order[hand.dealing_order.index(seat) :]
    for of in range(1, hand.streets.planned_street + 1):
        before = sum(len(street.deal_faces) for street in streets[:of])
        for face in streets[of].deal_faces[max(held - before, 0) :]:
            later = (
                step
                for step in hand.plan
                if step.street_index > of
                or (step.street_index == of and isinstance(step, DealStep) and step.seat in behind)
            )
            hand.plan = hand.plan.insert_before(next(later, None), DealStep(seat, face, street_index=of))


def _add_missed_draw(hand: Hand, seat: int) -> None:
    """A hand that has not drawn on this draw does so, in its turn if that is still to come."""
    planned = hand.streets.planned_street
    if any(drawn.seat == seat and drawn.street == planned for drawn in hand.draw.draws):
        return
    waiting = (*hand.draw.drawing_seats, seat)
    hand.draw = replace(hand.draw, drawing_seats=tuple(each for each in hand.dealing_order if each in waiting))
    hand.plan = hand.plan.drop_types(DrawStep).append(DrawStep(hand.draw.drawing_seats[0], street_index=planned))


def _owed_amount(hand: Hand, seat: int, folded: FoldedHand) -> int:
    if not hand.setup.tracks_amounts:
        return (
            betting_round.UNTRACKED_WAGER if folded.bet < hand.folds.current_bet_by_street.get(folded.street, 0) else 0
        )
    return max(
        max(hand.chips.paid_earlier_by_seat.get(each, 0) for each in hand.betting.live_seats)
        - hand.chips.paid_earlier_by_seat.get(seat, 0),
        0,
    )

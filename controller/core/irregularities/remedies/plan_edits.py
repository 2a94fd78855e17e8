"""What a verdict does to the plan and to the cards: every remedy is a rewriting of the plan.

No remedy has a mode of its own. It inserts steps (marked `ruled`), removes or repeats regular ones, or changes a street
still to come; what it needs done at the table is done when the steps have happened.
"""

from typing import TypeVar

from controller.core.irregularities.remedies import refund, street_redeal
from controller.core.model.hand import Hand
from controller.core.model.table_state import TableState
from controller.core.play.betting import betting_round, pot_collection
from controller.core.play.dealing import draws, hand_machine, planner, short_stub
from controller.core.play.game_flow import hand_start
from controller.core.play.showdown import pot_awards
from controller.core.protocol.facts import HandKilled
from controller.core.protocol.steps import (
    AwardStep,
    BettingStep,
    BoardStep,
    BurnStep,
    CollectStep,
    CutStep,
    DealStep,
    DrawStep,
    MoveStep,
    ReturnStep,
    ShowStep,
    ShuffleStep,
    Step,
)
from controller.core.rules import ruling_sentences as said
from controller.core.rules.questions.cards.boxed_rules import ScrapPlace
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.piles import ALL, BOARD, BURN, MUCK, STUB, STUB_BOTTOM, hand_place
from controller.core.values.value import replace

T = TypeVar("T")


def void_and_redeal(state: TableState, button: int | None = None) -> None:
    """A misdeal: all cards back, money as it was before the hand, the same button (or `button`), the deal anew.

    Cards that an amendment was to bring out of the stub again, and that are still there, stay there.
    """
    piles = state.hand_in_play.cards.piles
    hand_start.redeal(state, button)
    hand = state.hand_in_play
    hand.cards = replace(hand.cards, piles=piles)
    back = ReturnStep("hands", ALL, STUB, _count_cards_out(hand), is_ruled=True)
    hand.plan = hand.plan.prepend(back, ShuffleStep(is_ruled=True), CutStep(is_ruled=True))


def call_misdeal(
    state: TableState, finding: str, rule: Rule[object], why: str, seat: int | None = None, button: int | None = None
) -> Ruling:
    """Void the deal and begin it anew; the ruling says `why`, and what comes now."""
    void_and_redeal(state, button)
    again = said.ALL_BACK if button is None else said.ALL_BACK_OTHER_BUTTON
    if not state.setup.game.has_button:
        again = said.ALL_BACK_WITHOUT_BUTTON
    return build_ruling(finding, Verdict.MISDEAL, rule, said.join_sentences(why, again), seat)


def recount_cards_to_gather(hand: Hand) -> None:
    """All cards that are out go back, those too that left the shoe since the misdeal and were let lie."""
    step = hand.plan.next_step_if(ReturnStep)
    if step is not None and step.source == ALL and step.count != _count_cards_out(hand):
        hand.plan = hand.plan.replace_step(step, replace(step, count=_count_cards_out(hand)))


def _count_cards_out(hand: Hand) -> int:
    """How many cards of the deck are not in the stub."""
    out = (pile for place, pile in hand.cards.piles.cards_by_place.items() if place not in (STUB, STUB_BOTTOM))
    return sum(not lying.is_foreign for pile in out for lying in pile)


def insert_before_betting(hand: Hand, *steps: Step) -> None:
    """Steps that are due when the regular cards of this round are dealt, before anybody acts or a later board comes."""
    end = next((step for step in hand.plan if _is_end_of_deal(hand, step)), None)
    hand.plan = hand.plan.insert_before(end, *steps)


def _is_end_of_deal(hand: Hand, step: Step) -> bool:
    """Whether the cards of the seats are complete before this step: somebody acts, or a later street's board begins."""
    later = (
        isinstance(step, (BurnStep, BoardStep))
        and step.street_index > 0
        and hand.setup.game.streets[step.street_index].board_count
    )
    return isinstance(step, (BettingStep, DrawStep, ShowStep, AwardStep, CollectStep)) or bool(later)


def insert_after_dealing_round(hand: Hand, *steps: Step, street: int | None = None) -> None:
    """Steps that are due when everybody has the cards of this round, on a draw when all have drawn.

    `street`: the draw that they belong to, else that of the step that is first. Where nobody bets any more the next
    draw may be on the plan already.
    """
    now = hand.plan.next_step
    drawn = street if street is not None else -1 if now is None else now.street_index
    following = next((step for step in hand.plan.steps_of_type(DrawStep) if step.street_index > drawn >= 0), None)
    if following is not None:
        hand.plan = hand.plan.replace_step(following, *steps, following)
    elif hand.draw.drawing_seats or hand.draw.deferred_steps:
        hand.draw = replace(hand.draw, deferred_steps=hand.draw.deferred_steps.append(*steps))
    else:
        insert_before_betting(hand, *steps)


def replace_as_burn(hand: Hand, seat: int, serial: int) -> bool:
    """After the deal the top card replaces the card, which becomes the burn of the next street.

    It goes to the muck when no burn is due any more; says whether one is.
    """
    again = DealStep(seat, "down", "replacement", is_ruled=True, concerned_seat=seat)
    insert_before_betting(hand, again)
    burn = street_redeal.use_as_next_burn(hand)
    to = BURN if burn else MUCK
    away = ReturnStep("exposed", hand_place(seat), to, 1, (serial,), is_ruled=True, concerned_seat=seat)
    hand.plan = hand.plan.replace_step(again, again, away)
    return burn


def scrap_card(hand: Hand, serial: int, what: str, to: ScrapPlace, seat: int | None) -> None:
    """A card that does not exist goes out of play, at once; the step that it should have fulfilled comes again.

    Pots that were about to be pushed are found anew with the card that takes its place.
    """
    place = hand.cards.piles.find_place(serial)
    assert place is not None
    if place == BOARD:
        street_redeal.drop_planned_awards(hand)
    if place != to.value:
        away = ReturnStep(what, place, to.value, 1, (serial,), is_ruled=True, concerned_seat=seat)
        hand.plan = hand.plan.prepend(away)
    short_stub.replan_short_street(hand)


def kill_hand(
    hand: Hand,
    seat: int,
    money_back: bool = False,
    keeping: int | None = None,
    *,
    is_wager_lost: bool = False,
    is_bet_standing: bool = False,
) -> bool:
    """A hand is dead: its cards go to the muck by themselves, its wagers stay, or go back where the book returns them.

    `keeping`: what stays of its wagers on this round where the rest goes back. `is_wager_lost`: a clause of its own
    says that all stays. `is_bet_standing`: the others have to call what it has bet, unless that goes back. It receives
    no further cards, and the turn passes if it was that seat's. Says whether a bet or raise went back because nobody
    had called it.
    """
    pot_collection.give_back(hand)
    hand.tell(HandKilled(seat, 0 if hand.round is None else hand.round.street))
    if money_back:
        refund.refund_all(hand, seat)
    if keeping is not None:
        refund.refund_beyond(hand, seat, keeping)
    is_uncalled_back = not money_back and keeping is None and not is_wager_lost and refund.refund_uncalled(hand, seat)
    betting_round.fold(hand, seat)
    hand.betting = replace(hand.betting, killed_seats=hand.betting.killed_seats | {seat})
    draws.remove_seat_from_draw(hand, seat)
    stands = is_bet_standing and not is_uncalled_back
    if not stands and (money_back or keeping is None or hand.setup.tracks_amounts):
        refund.lower_to_live_bets(hand, seat)
    _drop_steps_of_hand(hand, seat)
    turn = hand.plan[-1] if hand.plan else None
    own = (
        step
        for step in (*hand.plan.steps_of_type(DealStep, DrawStep), *hand.plan.steps_of_type(ShowStep))
        if step.seat == seat
    )
    hand.plan = hand.plan.drop_steps(*own)
    if isinstance(turn, (BettingStep, AwardStep)):
        hand.plan = hand.plan.drop_types(BettingStep, AwardStep, CollectStep)
    if isinstance(turn, (ShowStep, AwardStep)):
        named = {
            part: tuple(other for other in seats if other != seat)
            for part, seats in hand.showdown.winners_by_part.items()
        }
        hand.showdown = replace(hand.showdown, winners_by_part={part: seats for part, seats in named.items() if seats})
        if len(hand.betting.live_seats) > 1 and not hand.plan.has_step(ShowStep):
            hand.plan = hand.plan.append(*pot_awards.award_steps(hand))
    if len(hand.betting.live_seats) == 1:
        hand.plan = hand.plan.replace_all(*planner.award_last_player(hand))
        return is_uncalled_back
    # What is asked about the dead hand comes before the next act, which the plan shows behind the question.
    hand_machine.extend(hand)
    return is_uncalled_back


def add_uncalled_clause(hand: Hand, rule: Rule[T], *, is_uncalled_back: bool) -> Rule[T]:
    """The rule by which a hand is dead, with the clause that gives an uncalled bet or raise back if it went back."""
    back = hand.setup.rulebook.floor.uncalled_back
    return replace(rule, cite=(*rule.cite, *back.cite)) if is_uncalled_back else rule


def _drop_steps_of_hand(hand: Hand, seat: int) -> None:
    """Steps about a dead hand's cards, which are in the muck now, fall away.

    One that was to be the burn of a street to come is none: that street burns again. A card on its way to the hand goes
    to the muck, too; one that lies there and belongs to another waits at the seat to be moved.
    """
    here = hand_place(seat)
    away = tuple(step for step in hand.plan.steps_of_type(ReturnStep) if step.source == here)
    coming = tuple(step for step in hand.plan.steps_of_type(MoveStep) if step.destination == here)
    for step in coming:
        piles = hand.cards.piles.move_cards(frozenset(step.serials), step.source, MUCK, up=False)
        hand.cards = replace(hand.cards, piles=piles)
    hand.plan = hand.plan.drop_steps(*away, *coming)
    for step in hand.plan.steps_of_type(MoveStep):
        if step.source == here:
            hand.cards = replace(hand.cards, piles=hand.cards.piles.move_cards(frozenset(step.serials), MUCK, here))
    for _ in range(sum(step.count for step in away if step.destination == BURN)):
        street_redeal.restore_next_burn(hand)

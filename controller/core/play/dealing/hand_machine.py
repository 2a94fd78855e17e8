"""The life of a hand: its stages, and the rows that lead it to the next decision of a person.

A stretch is the ordered list of physical steps up to that decision: the deal and the first to act; when a betting round
closes the burn, the next street's cards and its first to act; when nobody can act any more, all streets that remain and
the showdown. `extend` is the one place that makes the plan longer by regular steps. The stage is a property of the
facts of the hand, so undo, replay and amendments know nothing of it. A row that stays at its stage ends the stretch: a
person is asked, or the steps of the plan come first.
"""

from controller.core.model.hand import ANSWER, DRAW, PASSED_OUT, ROUND, SHOWDOWN, STREET, Hand, HandStage
from controller.core.play.betting import carried_pot, catch_up_round, pots, round_tracking
from controller.core.play.dealing import draws, planner, short_stub
from controller.core.play.opening import first_to_act, open_declaration
from controller.core.play.showdown import pot_awards, showdown
from controller.core.protocol.steps import (
    ActStep,
    AwardStep,
    BoardStep,
    BurnStep,
    DealStep,
    HoldStep,
    ShowStep,
    Step,
)
from controller.core.rules import ruling_sentences as said
from controller.core.rules.rulings import Verdict, build_ruling
from controller.core.values.state_machine import StateMachine, TransitionRow
from controller.core.values.value import replace

MAX_STRETCH_STEPS = 100
"""More streets and draws than any stretch has: a mistake of ours must not stop the table without a word."""


def extend(hand: Hand) -> None:
    """Make the plan reach as far as the next decision of a person, and serve it from the cards that there are.

    Raises `UndeclaredTransitionError`: a mistake in the rows.
    """
    _go_on(hand)
    short_stub.replan_short_street(hand)
    draws.refill_from_discards(hand)
    short_stub.refill_from_unheld_cards(hand)


def _go_on(hand: Hand) -> None:
    if hand.folds.answering_seat is None and hand.plan and hand.plan[-1].needs_decision:
        return
    stage = hand.stage
    for _ in range(MAX_STRETCH_STEPS):
        queue = () if hand.round is None else hand.round.queue
        if stage is PASSED_OUT or (stage is ANSWER and queue):
            return
        if stage is ROUND and queue and hand.round is not None and not is_one_left(hand):
            # The next seat of a round is no transition.
            hand.plan = hand.plan.append(round_tracking.next_betting_step(hand, hand.round))
            return
        left, stage = stage, HAND_MACHINE.move(hand, "go_on")
        if stage is left or (hand.plan and hand.plan[-1].needs_decision):
            return
    raise RuntimeError("the plan of the hand comes to no decision")


def is_one_left(hand: Hand) -> bool:
    """Whether all but one are out."""
    return len(hand.betting.live_seats) == 1


def has_seats_to_draw(hand: Hand) -> bool:
    """Whether somebody has yet to draw."""
    return bool(hand.draw.drawing_seats)


def is_opener_known(hand: Hand) -> bool:
    """Whether it is known who acts first on the street."""
    return first_to_act.is_opener_known(hand, hand.streets.planned_street)


def is_round_resumed(hand: Hand) -> bool:
    """Whether the round that waited for an answer is the one of the last street that was laid out."""
    round_ = hand.folds.resumed_round
    return round_ is not None and round_.street >= hand.streets.planned_street


def is_showdown_planned(hand: Hand) -> bool:
    """Whether the plan ends in the showdown."""
    return bool(hand.plan) and isinstance(hand.plan[-1], (ShowStep, AwardStep))


def is_draw_on(hand: Hand) -> bool:
    """Whether somebody has yet to draw, or cards wait until all have."""
    return bool(hand.draw.drawing_seats or hand.draw.deferred_steps)


def has_steps_to_come(hand: Hand) -> bool:
    """Whether steps of the plan come first."""
    return bool(hand.plan)


def is_unopened(hand: Hand) -> bool:
    """Whether the betting before the draw is over without a wager, where the book then antes again."""
    return carried_pot.is_unopened(hand)


def can_declare_opening(hand: Hand) -> bool:
    """Whether somebody may yet say that it has openers."""
    return bool(open_declaration.seats_to_ask(hand))


def must_wait_all_in(hand: Hand) -> bool:
    """Whether, hand for hand, somebody all-in was called for whom the hand has not waited."""
    return hand.hold.is_on and not find_called_all_in_seats(hand) <= hand.hold.held_seats


def is_last_street(hand: Hand) -> bool:
    """Whether no street is to come."""
    return hand.streets.planned_street + 1 == len(hand.setup.game.streets)


def has_nothing_to_win(hand: Hand) -> bool:
    """Whether no pot is to be pushed and no hand to be shown: nobody had to put a chip in, and nobody did."""
    return (
        hand.setup.tracks_amounts
        and not hand.chips.dead_chips
        and not any((*hand.chips.bet_by_seat.values(), *hand.chips.paid_earlier_by_seat.values()))
        and all(seat in hand.showdown.tabled_cards_by_seat for seat in hand.betting.live_seats)
    )


def are_hands_up(hand: Hand) -> bool:
    """Whether all live hands lie open already."""
    return hand.showdown.are_hands_up


def is_draw_next(hand: Hand) -> bool:
    """Whether the next street is a draw."""
    street = hand.streets.planned_street + 1
    return hand.setup.game.streets[street].has_draw and not hand.streets.get_change(street).is_complete


def find_called_all_in_seats(hand: Hand) -> frozenset[int]:
    """Live seats that are all-in once what nobody called has gone back."""
    return hand.betting.all_in_seats.intersection(hand.betting.live_seats) - {pots.find_uncalled_bet(hand)[0]}


def award_last_player(hand: Hand) -> None:
    """The pots are the last player's; no more cards come."""
    hand.plan = hand.plan.replace_all(*planner.award_last_player(hand))


def finish_answer(hand: Hand) -> None:
    """The seat whose hand was given back has answered: the round that waited goes on."""
    catch_up_round.finish_catch_up_round(hand)


def continue_draw(hand: Hand) -> None:
    """Ask the next seat to draw; when all have, the cards that waited for that come."""
    hand.plan = hand.plan.append(*draws.continue_draw(hand))


def open_round(hand: Hand) -> None:
    """Begin the betting of the street."""
    first_to_act.open_round(hand, hand.streets.planned_street)


def ask_for_upcards(hand: Hand) -> None:
    """The dealer must say which open card nothing has read."""
    planner.ask_for_upcards(hand)


def ask_for_opening(hand: Hand) -> None:
    """Ask the next who may open the pot by word alone."""
    hand.plan = hand.plan.append(ActStep(open_declaration.seats_to_ask(hand)[0]))


def pass_out(hand: Hand) -> None:
    """Nobody opens the pot."""
    hand.openers = replace(hand.openers, is_passed_out=True)


def close_round(hand: Hand) -> None:
    """Note whose wager was called, and collect the bets."""
    showdown.record_called_bettor(hand)
    if hand.chips.bet_by_seat:
        hand.betting = replace(hand.betting, last_round=hand.round)
    pots.collect(hand)


def hold_for_all_in(hand: Hand) -> None:
    """Hand for hand, somebody all-in was called: hands stay down, nothing is dealt until the floor says so."""
    hand.hold = replace(hand.hold, held_seats=hand.hold.held_seats | find_called_all_in_seats(hand))
    hand.plan = hand.plan.insert_before(next(filter(_follows_hold, hand.plan), None), HoldStep())
    rule = hand.setup.rulebook.tournament.hand_for_hand_waits
    noted = build_ruling("hand-for-hand", Verdict.PLAY_ON, rule, said.ALL_IN_HELD)
    hand.play_rulings = (*hand.play_rulings, noted)


def _follows_hold(step: Step) -> bool:
    """Whether a regular step waits until the floor says so: hands are shown, a later card comes, a pot is pushed."""
    if step.is_ruled:
        return False
    return isinstance(step, (ShowStep, BurnStep, BoardStep, AwardStep)) or (
        isinstance(step, DealStep) and step.street_index > 0
    )


def complete_tabled_hands(hand: Hand) -> None:
    """Hands that lay open before the last cards came have those, too."""
    showdown.complete_tabled_hands(hand)


def show_or_award(hand: Hand) -> None:
    """Live hands are shown; where all lie open, the pots are pushed."""
    hand.plan = hand.plan.append(*(showdown.show_steps(hand) or pot_awards.award_steps(hand)))


def turn_hands_up(hand: Hand) -> None:
    """All live hands are turned up where the book says so and nobody can act any more."""
    if not hand.showdown.are_hands_up and showdown.should_turn_hands_up(hand):
        hand.showdown = replace(hand.showdown, are_hands_up=True)
        hand.plan = hand.plan.append(*showdown.show_steps(hand))


def lay_out_next_street(hand: Hand) -> None:
    """Put the next street on the plan."""
    hand.streets = replace(hand.streets, planned_street=hand.streets.planned_street + 1)
    hand.plan = hand.plan.append(*planner.street_steps(hand, hand.streets.planned_street))


HAND_ROWS: tuple[TransitionRow[HandStage, Hand], ...] = (
    TransitionRow(STREET, ROUND, (is_opener_known,), (open_round,)),
    TransitionRow(STREET, STREET, (has_steps_to_come, must_wait_all_in), (hold_for_all_in,)),
    TransitionRow(STREET, STREET, (has_steps_to_come,)),
    TransitionRow(STREET, STREET, (), (ask_for_upcards,)),
    TransitionRow(DRAW, DRAW, (has_seats_to_draw,), (continue_draw,)),
    TransitionRow(DRAW, STREET, (), (continue_draw,)),
    TransitionRow(ROUND, SHOWDOWN, (is_one_left,), (award_last_player,)),
    TransitionRow(ROUND, ROUND, (is_unopened, can_declare_opening), (ask_for_opening,)),
    TransitionRow(ROUND, PASSED_OUT, (is_unopened,), (pass_out,)),
    TransitionRow(ROUND, ROUND, (must_wait_all_in,), (close_round, hold_for_all_in)),
    TransitionRow(ROUND, ROUND, (is_last_street, are_hands_up, has_steps_to_come), (close_round,)),
    TransitionRow(ROUND, ROUND, (is_last_street, has_nothing_to_win), (close_round,)),
    TransitionRow(ROUND, SHOWDOWN, (is_last_street, are_hands_up), (close_round, complete_tabled_hands, show_or_award)),
    TransitionRow(ROUND, SHOWDOWN, (is_last_street,), (close_round, show_or_award)),
    TransitionRow(ROUND, DRAW, (is_draw_next,), (close_round, turn_hands_up, lay_out_next_street)),
    TransitionRow(ROUND, STREET, (), (close_round, turn_hands_up, lay_out_next_street)),
    TransitionRow(ANSWER, SHOWDOWN, (is_round_resumed, is_showdown_planned), (finish_answer,)),
    TransitionRow(ANSWER, ROUND, (is_round_resumed,), (finish_answer,)),
    TransitionRow(ANSWER, DRAW, (is_draw_on,), (finish_answer,)),
    TransitionRow(ANSWER, STREET, (), (finish_answer,)),
)
"""From, to, when, what is done; of a stage the first row that holds is taken."""

HAND_MACHINE = StateMachine({"go_on": HAND_ROWS}, HandStage)

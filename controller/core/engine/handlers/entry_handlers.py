"""What each entry does to the hand: cards, acts, draws, the showdown, confirmed steps, time, devices."""

from controller.core.irregularities.common import unexpected_card
from controller.core.irregularities.conduct import (
    absent_player,
    bet_interpretation,
    round_tracking_reports,
    turn_order,
)
from controller.core.irregularities.conduct import player_clock as clocks
from controller.core.irregularities.deck import defective_deck
from controller.core.irregularities.draw import false_openers
from controller.core.irregularities.hands import boxed_card
from controller.core.irregularities.remedies import blind_pick
from controller.core.irregularities.stud import stud_upcards, wrong_opener
from controller.core.model.hand import Hand
from controller.core.model.setup import PlayTracking
from controller.core.model.table_state import TableState
from controller.core.play.betting import pot_collection, round_tracking
from controller.core.play.dealing import draws, step_execution
from controller.core.play.game_flow import charge_answers
from controller.core.play.game_flow.hand_start import start_hand as begin
from controller.core.play.game_flow.table_machine import TABLE_MACHINE
from controller.core.play.opening import open_declaration
from controller.core.play.posting import forced_bets, kill_pots, missed_kill
from controller.core.play.refusal_messages import not_now_refusal
from controller.core.play.showdown import pot_awards, showdown, unknown_discards
from controller.core.play.showdown import run_it_twice as twice_
from controller.core.protocol.events import (
    BlindsChopped,
    CardDealt,
    ChipMotion,
    ClockCalled,
    DeviceChanged,
    DrawRequested,
    HandMucked,
    HandStarted,
    HandTabled,
    PlayerActed,
    Report,
    RoundClosed,
    RunItTwiceAgreed,
    StepConfirmed,
    TimePassed,
    WinnerNamed,
)
from controller.core.protocol.facts import CardLaid
from controller.core.protocol.steps import (
    ActStep,
    AwardStep,
    BettingRoundStep,
    BettingStep,
    CardStep,
    CollectStep,
    DealStep,
    DiscardStep,
    FloorStep,
    HoldStep,
    QuestionStep,
    ReturnStep,
    ShowStep,
)
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import (
    ActionType,
    CardPlace,
    DeviceChange,
    ReportKind,
)
from controller.core.rules.rulings import Ruling
from controller.core.values.value import replace

HARMLESS_DEVICE_PREFIXES = ("lamps", "panel", "display", "seat", "board", "muck")
"""How devices are named whose loss stops no card, where the news does not say it: all others halt the table."""


def apply_start(state: TableState, event: HandStarted) -> tuple[Ruling, ...]:
    """The first riffle."""
    counted = defective_deck.remind_to_count_deck(state)
    lay = state.hand.cards.piles.known_cards() if state.hand is not None else frozenset()
    rulings = begin(state, event.bomb_pot_ante or 0, alone=event.is_alone)
    state.hand_in_play.cards = replace(state.hand_in_play.cards, previous_hand_cards=lay)
    return (*counted, *rulings)


def apply_card(state: TableState, event: CardDealt) -> tuple[Ruling, ...]:
    """A card left the shoe; raises `Refused` (`not-now`) while an all-in hand waits for the floor."""
    rulings = _take_card(state, event)
    hand = state.hand_in_play
    hand.tell(CardLaid(hand.cards.piles.dealt_count, event.face_up))
    return rulings


def _take_card(state: TableState, event: CardDealt) -> tuple[Ruling, ...]:
    hand = state.hand_in_play
    if hand.plan.next_step_if(HoldStep):
        raise not_now_refusal(state, "card")
    unknown_discards.clear_redealt_identity(hand, event)
    finding = defective_deck.find_card_defect(hand, event)
    if finding is not None:
        return defective_deck.rule_on_strange_card(state, event, finding)
    if hand.plan.next_step_if(DiscardStep):
        step_execution.discard_card(hand, event)
        return ()
    if not hand.plan.next_step_if(CardStep):
        return (
            boxed_card.rule_on_unexpected_boxed_card(state, event)
            if event.face_up
            else unexpected_card.ask_about_unexpected_card(hand, event)
        )
    if event.face_up:
        step = step_execution.lay(hand, event)
        return boxed_card.rule_on_boxed_card(state, hand.cards.piles.dealt_count, step)
    step_execution.fulfil_step(hand, event)
    return ()


def apply_act(state: TableState, event: PlayerActed | ChipMotion) -> tuple[Ruling, ...]:
    """A seat acted; raises `Refused` (`not-now`)."""
    hand = state.hand_in_play
    if isinstance(event, ChipMotion):
        return _apply_motion(state, hand, event)
    if event.action_type is ActionType.STRADDLE:
        if not hand.plan.next_step_if(DealStep):
            raise not_now_refusal(state, "act straddle")
        said = forced_bets.straddle(hand, event.seat, event.total)
        hand.plan = hand.plan.drop_types(BettingStep)
        return said
    if event.action_type is ActionType.KILL:
        if not hand.plan.next_step_if(DealStep):
            raise not_now_refusal(state, "act kill")
        house = dict(hand.setup.house_options)
        if "kill" in house and not (house.get("voluntary_kill") and hand.cards.piles.dealt_count):
            missed_kill.post_missed_kill(state, event.seat)
        else:
            kill_pots.kill_by_choice(hand, event.seat)
        hand.plan = hand.plan.drop_types(BettingStep)
        return ()
    asked = hand.plan.next_step_if(QuestionStep)
    if asked and asked.concerned_seat == event.seat and event.action_type is ActionType.FOLD:
        hand.plan = hand.plan.drop_first()
    if hand.plan.next_step_if(BettingRoundStep):
        return _apply_round_action(state, hand, event)
    turn = hand.plan.next_step_if(ActStep)
    if turn is None:
        raise not_now_refusal(state, "act")
    if event.action_type is ActionType.OPEN:
        open_declaration.declare(hand, event.seat)
        hand.plan = hand.plan.drop_last()
        state.time = replace(state.time, clock=None)
        return ()
    if event.action_type is ActionType.ALL_IN and stud_upcards.is_all_in_declaration(hand, event):
        return stud_upcards.declare_all_in(hand, event)
    if wrong_opener.is_wrong_bring_in(hand, event):
        return wrong_opener.rule_on_wrong_bring_in(hand, event)
    wrong = wrong_opener.find_followed_wrong_opener(state, event)
    if wrong is not None:
        return (*wrong_opener.let_wrong_opener_stand(state, wrong), *apply_act(state, event))
    if event.seat != turn.seat:
        return turn_order.rule_on_early_action(state, event)
    return turn_order.act_in_turn(state, event)


def _apply_motion(state: TableState, hand: Hand, event: ChipMotion) -> tuple[Ruling, ...]:
    """A seat pushed chips forward or spoke: the book says what it has done, and it acts so."""
    waiting = hand.plan.next_step_if(FloorStep)
    if waiting is not None and waiting.question == bet_interpretation.UNDERCALL_FINDING:
        return (bet_interpretation.rule_on_further_undercall(state, waiting, event),)
    turn = hand.plan.next_step_if(ActStep)
    if turn is None:
        raise not_now_refusal(state, "act")
    if turn.seat != event.seat:
        raise Refused("not-your-turn", f"seat {event.seat} is not to act: enter with `do` what it did out of turn.")
    rulings, made = bet_interpretation.rule_on_motion(state, event)
    return rulings if made is None else (*rulings, *apply_act(state, made))


def _apply_round_action(state: TableState, hand: Hand, event: PlayerActed) -> tuple[Ruling, ...]:
    """A seat of a round that is told as a whole has acted; nobody is out of turn."""
    round_tracking.record_round_action(hand, event)
    if state.time.clock is not None and state.time.clock.seat == event.seat:
        state.time = replace(state.time, clock=None)
    hand.plan = hand.plan.drop_first()
    return ()


def apply_round_closed(state: TableState, event: RoundClosed) -> tuple[Ruling, ...]:  # noqa: ARG001
    """The betting of the round is over; a card that the dealer is asked about had its time then.

    Raises `Refused` (`not-now`).
    """
    hand = state.hand_in_play
    if hand.cards.unexpected_serials and hand.plan.next_step_if(QuestionStep):
        hand.plan = hand.plan.drop_first()
    if not hand.plan.next_step_if(BettingRoundStep):
        raise not_now_refusal(state, "closed")
    state.time = replace(state.time, clock=None)
    rulings = absent_player.kill_absent_hands_at_close(state, hand)
    if len(hand.betting.live_seats) == 1:
        return rulings
    if round_tracking.is_opening_in_doubt(hand):
        return (*rulings, round_tracking_reports.ask_whether_opened(hand))
    round_tracking.close_round(hand)
    unexpected_card.fulfil_steps_after_round(hand)
    return rulings


def apply_draw_request(state: TableState, event: DrawRequested) -> tuple[Ruling, ...]:
    """A seat says how many cards it exchanges; its clock is off."""
    hand = state.hand_in_play
    draws.draw(hand, event)
    if state.time.clock is not None and state.time.clock.seat == event.seat:
        state.time = replace(state.time, clock=None)
    return ()


def apply_show(state: TableState, event: HandTabled) -> tuple[Ruling, ...]:
    """A seat tables its hand, in which there may be a joker that the deck does not have."""
    hand = state.hand_in_play
    if showdown.is_joker_shown(hand, event):
        return defective_deck.rule_on_joker(state, Report(ReportKind.JOKER, seat=event.seat, card_place=CardPlace.HAND))
    showdown.show(hand, event)
    return (*false_openers.rule_on_shown_openers(hand, event.seat), *defective_deck.rule_on_known_duplicate(state))


def apply_muck(state: TableState, event: HandMucked) -> tuple[Ruling, ...]:
    """A seat gives its hand up."""
    hand = state.hand_in_play
    showdown.muck(hand, event)
    return ()


def apply_winner(state: TableState, event: WinnerNamed) -> tuple[Ruling, ...]:
    """The dealer names a winner."""
    pot_awards.name_winner(state.hand_in_play, event)
    return ()


def apply_run_it_twice(state: TableState, event: RunItTwiceAgreed) -> tuple[Ruling, ...]:
    """Those in the pot agree to deal the rest more than once."""
    hand = state.hand_in_play
    ruling = twice_.agree_on_boards(hand, event)
    return (ruling,)


def apply_confirmation(state: TableState, event: StepConfirmed) -> tuple[Ruling, ...]:
    """The dealer confirms the first step; raises `Refused` (`not-now`, `unused-key`)."""
    hand = state.hand_in_play
    step = hand.plan[0]
    if hand.plan.next_step_if(ShowStep) and hand.setup.play_tracking is PlayTracking.ROUNDS and event.card is None:
        return _finish_unseen_showdown(state, hand)
    if not step.needs_confirmation:
        raise not_now_refusal(state, "done")
    back, award = hand.plan.next_step_if(ReturnStep), hand.plan.next_step_if(AwardStep)
    if back and back.candidate_serials:
        step = blind_pick.resolve_pick(hand, back, event.card)
    elif event.card is not None:
        raise Refused("unused-key", "`done` uses `card` only where a card is picked blind; leave it out.")
    if isinstance(step, CollectStep):
        if step.seat is not None:
            return charge_answers.take_charge(state, step.seat)
        pot_collection.take_from_pots(hand, step)
        hand.plan = hand.plan.drop_first()
        return ()
    if award:
        pot_awards.pay(hand, award)
        hand.plan = hand.plan.drop_first()
        if not hand.plan:
            TABLE_MACHINE.move(state, "end_hand")
        return ()
    step_execution.carry_out(hand, step)
    hand.plan = hand.plan.drop_first()
    return ()


def _finish_unseen_showdown(state: TableState, hand: Hand) -> tuple[Ruling, ...]:
    """Told by rounds, the showdown is one step, too: hands have been turned up, and the pot pushed if no card comes.

    Nobody says whose cards were shown, so none of them counts as shown. Raises `Refused` (`winner-unknown`).
    """
    showdown.finish_unseen_showdown(hand)
    if not hand.plan:
        TABLE_MACHINE.move(state, "end_hand")
    return ()


def apply_chop(state: TableState, event: BlindsChopped) -> tuple[Ruling, ...]:  # noqa: ARG001
    """The blinds take their bets back: the hand is over, with no board."""
    hand = state.hand_in_play
    forced_bets.chop(hand)
    TABLE_MACHINE.move(state, "end_hand")
    return ()


def apply_clock_call(state: TableState, event: ClockCalled) -> tuple[Ruling, ...]:
    """Time is called on the seat that is to act or to draw."""
    return clocks.call_clock(state, event)


def apply_time(state: TableState, event: TimePassed) -> tuple[Ruling, ...]:
    """Nothing but time passes, which may be that of the player on whom the clock runs."""
    return clocks.rule_on_expired_clock(state) if clocks.has_clock_run_out(state, event) else ()


def advance_time(state: TableState, t: float) -> tuple[Ruling, ...]:
    """Time has come to `t` before the event."""
    return clocks.advance_time(state, t)


def apply_device_change(state: TableState, event: DeviceChanged) -> tuple[Ruling, ...]:
    """News of a device: a fault of one that the deal depends on halts the table until it is mended."""
    down = {*state.faults}
    mends = {
        DeviceChange.BACK: (DeviceChange.LOST, DeviceChange.JAM),
        DeviceChange.LID_CLOSED: (DeviceChange.LID_OPEN,),
    }
    if event.change in mends:
        down -= {f"{event.device_id} {fault.value}" for fault in mends[event.change]}
    elif event.is_needed or (event.is_needed is None and not event.device_id.startswith(HARMLESS_DEVICE_PREFIXES)):
        down |= {f"{event.device_id} {event.change.value}"}
    state.faults = tuple(sorted(down))
    return ()

"""Stud: the wrong seat was made to open a street."""

from controller.core.irregularities.common.rules_for_game import require_rules_for_game
from controller.core.model.hand import Hand, Round
from controller.core.model.setup import PlayTracking
from controller.core.model.table_state import TableState
from controller.core.play.betting import betting_round
from controller.core.play.betting.legal_actions import needs_forced_bet
from controller.core.play.dealing import hand_machine
from controller.core.play.opening import first_to_act
from controller.core.protocol.events import PlayerActed as ActEvent
from controller.core.protocol.events import Report
from controller.core.protocol.steps import BettingStep
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import ActionType
from controller.core.rules import ruling_sentences as said
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.seat_order import seats_after, seats_from
from controller.core.values.value import replace


def rule_on_wrong_opener(state: TableState, event: Report) -> tuple[Ruling, ...]:
    """`seat` was made to open and another one should have been, which the open cards name.

    Raises `Refused` (`no-round`, `key-missing`, `no-live-hand`, `value`).
    """
    hand = state.hand_in_play
    require_rules_for_game(hand.setup, hand.setup.rulebook.upcards)
    round_, index = hand.round, hand.streets.planned_street
    if round_ is None or round_.street != index or not round_.acting_order:
        raise Refused("no-round", "nobody has been made to open: the cards of this street are still to come.")
    if first_to_act.find_street_opener(hand, index) not in first_to_act.CARD_OPENERS:
        killer, rule = hand.kill.killer, hand.setup.rulebook.kill.bring_in
        raise Refused("value", f"seat {killer} killed the pot: no card decides who opens ({rule.source}).")
    entered = _find_entered_opener(hand, round_)
    opened = entered if event.seat is None else event.seat
    if opened is None:
        raise Refused("key-missing", "`wrong-opener` needs the `seat` that opened and should not have.")
    if entered is None and opened not in hand.contenders:
        able = ", ".join(map(str, sorted(hand.contenders)))
        raise Refused("no-live-hand", f"seat {opened} has no live hand to open with; seats {able} have.")
    right = first_to_act.find_first_seat(hand, index)
    if right is None:
        raise Refused("value", "an open card that decides who opens was not read: report `misread` with it first.")
    by_cards = first_to_act.find_first_seat(hand, index, as_ruled=False)
    if right == opened and by_cards not in (opened, None):
        return (_let_opening_stand(hand, index, opened, by_cards),)
    if right == opened or entered not in (None, opened):
        raise Refused("value", _explain_right_opener(right, opened, entered))
    return (_rule_on_opening(hand, index, opened, right),)


def _find_entered_opener(hand: Hand, round_: Round) -> int | None:
    """The seat that opened by what was entered; `None` where nothing was, or only how many have acted."""
    here = hand.betting.acted_seats[hand.betting.acted_count_by_street.get(round_.street, 0) :]
    if not here or hand.setup.play_tracking is not PlayTracking.ACTIONS:
        return None
    is_entered = here[0] in round_.last_action_by_seat or here[0] not in hand.betting.live_seats
    return here[0] if is_entered else None


def _explain_right_opener(right: int, opened: int, entered: int | None) -> str:
    """Why no wrong opening is seen where the report says that `opened` opened."""
    if right == opened and entered in (None, opened):
        return f"by the open cards seat {right} is the one to open; if a card was misread, report `misread` first."
    wrong = "" if entered == right else f": `seat` is {entered}, who opened"
    return f"by what was entered seat {entered} opened, not seat {opened}{wrong or '; put that entry right first'}."


def _rule_on_opening(hand: Hand, index: int, opened: int, right: int) -> Ruling:
    """A seat opened that another one should have: its wager goes back, or stands where the next player has acted."""
    rule = require_rules_for_game(hand.setup, hand.setup.rulebook.upcards).wrong_opener
    here = hand.betting.acted_seats[hand.betting.acted_count_by_street.get(index, 0) :]
    if len(here) > 1 or not rule.value:
        return _let_opening_stand(hand, index, opened, right)
    wagered = hand.chips.bet_by_seat.get(opened, 0)
    for seat in {opened, *here}:
        _return_wager(hand, seat, index)
    first_to_act.open_round(hand, index)
    hand.stud = replace(hand.stud, rule_opener_by_street={**hand.stud.rule_opener_by_street, index: index})
    hand.plan = hand.plan.drop_types(BettingStep)
    template = said.WAGER_BACK_AND_OPENS if wagered else said.DOES_NOT_OPEN
    return build_ruling("wrong-opener", Verdict.CORRECT, rule, template.format(opened=opened, seat=right), right)


def _let_opening_stand(hand: Hand, index: int, opened: int, right: int | None) -> Ruling:
    """The wager stands; acts that were not entered, but only how many they are, follow from that opener on."""
    rule = require_rules_for_game(hand.setup, hand.setup.rulebook.upcards).wrong_opener
    round_ = hand.round_in_play
    if hand.setup.play_tracking is PlayTracking.ACTIONS and _find_entered_opener(hand, round_) is None:
        _return_wager(hand, opened, index)
        betting_round.begin_round(hand, index, seats_from(hand.dealing_order, opened))
        hand.round = replace(hand.round_in_play, forced_bet=round_.forced_bet, larger_limit=round_.larger_limit)
        hand.stud = replace(
            hand.stud,
            forced_bet_seat=opened if round_.forced_bet else hand.stud.forced_bet_seat,
            opener_by_street={**hand.stud.opener_by_street, index: opened},
            rule_opener_by_street={**hand.stud.rule_opener_by_street, index: index},
        )
        hand.plan = hand.plan.drop_types(BettingStep)
    sentence = said.OPENING_STANDS.format(seat=right)
    return build_ruling("wrong-opener", Verdict.PLAY_ON, rule, sentence, right)


def rule_on_misread_opener(state: TableState) -> tuple[Ruling, ...]:
    """An open card is another than was read: whether the forced bet was made by the wrong seat because of it."""
    hand = state.hand
    if (
        hand is None
        or hand.round is None
        or not hand.round.forced_bet
        or hand.round.street != hand.streets.planned_street
    ):
        return ()
    here = hand.betting.acted_seats[hand.betting.acted_count_by_street.get(hand.streets.planned_street, 0) :]
    if (
        not here
        or not hand.round.queue
        or not require_rules_for_game(hand.setup, hand.setup.rulebook.upcards).wrong_opener.value
    ):
        return ()
    right = first_to_act.find_opener_by_cards(
        hand, hand.streets.planned_street, hand.setup.game.streets[hand.streets.planned_street].opener
    )
    if right in (None, here[0]) or right not in hand.contenders or right in hand.stud.faceup_downcard_seats:
        return ()
    return (_rule_on_opening(hand, hand.streets.planned_street, here[0], right),)


def is_wrong_bring_in(hand: Hand, event: ActEvent) -> bool:
    """Whether a seat makes the forced bet that another one owes; without a bring-in that is a bet."""
    round_ = hand.round
    if round_ is None or not needs_forced_bet(round_) or not round_.queue:
        return False
    if event.action_type is not (ActionType.BRING_IN if hand.setup.stakes.bring_in else ActionType.BET):
        return False
    return event.seat != round_.queue[0] and event.seat in round_.queue


def rule_on_wrong_bring_in(hand: Hand, event: ActEvent) -> tuple[Ruling, ...]:
    """The wrong seat was taken for the low card and bet: it takes the wager back at once."""
    rule = require_rules_for_game(hand.setup, hand.setup.rulebook.upcards).wrong_opener
    right = hand.round_in_play.queue[0]
    sentence = said.FORCED_BET_OF_OTHER.format(opened=event.seat, seat=right)
    return (build_ruling("wrong-opener", Verdict.CORRECT, rule, sentence, right),)


def find_followed_wrong_opener(state: TableState, event: ActEvent) -> int | None:
    """The seat that brought it in for another just before, where the next player has acted on that wager since."""
    previous, round_ = state.undo.previous, state.hand_in_play.round
    if previous is None or previous.state.hand is None or not isinstance(previous.event, ActEvent) or round_ is None:
        return None
    wrong = previous.event.seat
    if not is_wrong_bring_in(previous.state.hand, previous.event) or not is_wrong_bring_in(
        state.hand_in_play, previous.event
    ):
        return None
    following = next((seat for seat in seats_after(round_.acting_order, wrong) if seat in round_.queue), None)
    opens = event.action_type in (ActionType.BRING_IN, ActionType.BET) or (
        event.action_type is ActionType.COMPLETE and event.seat == round_.queue[0]
    )
    return wrong if event.seat == following and not opens else None


def let_wrong_opener_stand(state: TableState, wrong: int) -> tuple[Ruling, ...]:
    """The next player has acted: the wager stands, and who should have opened owes nothing [R7-8.stud.5, HR-stud.8]."""
    hand, index = state.hand_in_play, state.hand_in_play.streets.planned_street
    round_ = hand.round_in_play
    right, due, street = round_.queue[0], round_.forced_bet, round_.street
    betting_round.begin_round(hand, street, seats_from(hand.dealing_order, wrong))
    hand.round = replace(hand.round_in_play, forced_bet=due)
    hand.stud = replace(hand.stud, forced_bet_seat=wrong, opener_by_street={**hand.stud.opener_by_street, index: wrong})
    hand.plan = hand.plan.drop_types(BettingStep)
    hand_machine.extend(hand)
    word = ActionType.BRING_IN if hand.setup.stakes.bring_in else ActionType.BET
    betting_round.apply_action(hand, ActEvent(wrong, word))
    hand.plan = hand.plan.drop_types(BettingStep)
    hand_machine.extend(hand)
    rule = require_rules_for_game(hand.setup, hand.setup.rulebook.upcards).wrong_opener
    sentence = said.OPENING_OF_SEAT_STANDS.format(opened=wrong, seat=right)
    return (build_ruling("wrong-opener", Verdict.PLAY_ON, rule, sentence, right),)


def _return_wager(hand: Hand, seat: int, index: int) -> None:
    """What a seat wagered on this round goes back to it, and it has not acted."""
    bet = hand.chips.bet_by_seat.get(seat, 0)
    if hand.setup.tracks_amounts:
        hand.chips = replace(
            hand.chips, stack_by_seat={**hand.chips.stack_by_seat, seat: hand.chips.stack_by_seat[seat] + bet}
        )
    hand.chips = replace(
        hand.chips, bet_by_seat={other: amount for other, amount in hand.chips.bet_by_seat.items() if other != seat}
    )
    hand.betting = replace(hand.betting, all_in_seats=hand.betting.all_in_seats - {seat})
    before = hand.betting.acted_count_by_street.get(index, 0)
    hand.betting = replace(
        hand.betting, acted_seats=hand.betting.acted_seats[:before], action_types=hand.betting.action_types[:before]
    )

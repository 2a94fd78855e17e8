"""Acts in turn and out of turn.

An act out of turn moves no chips. What it leaves behind stands in the betting round until the seat's own turn: a
restriction after a check, a bound act, or a question for the floor.
"""

from controller.core.irregularities.remedies import plan_edits
from controller.core.model.hand import EarlyAction, Hand, Round
from controller.core.model.table_state import TableState
from controller.core.play.betting import betting_round
from controller.core.protocol.events import ChipMotion, FloorDecided, PlayerActed
from controller.core.protocol.steps import ActStep, FloorStep
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import ActionType, FloorDecision
from controller.core.rules import ruling_sentences as said
from controller.core.rules.policies.misdeal_window import is_closed_by_substantial_action
from controller.core.rules.questions.play.turn_rules import (
    EarlyActionEffect,
    EarlyCheckEffect,
    InterveningAction,
    TurnRules,
)
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.value import replace

FINDING = "out-of-turn"
AGGRESSIVE_ACTIONS = (ActionType.BET, ActionType.RAISE, ActionType.COMPLETE, ActionType.ALL_IN)
PASSIVE_ACTIONS = (ActionType.CHECK, ActionType.CALL)
HEADS_UP_PLAYERS = 2
BINDING_OPTIONS = (FloorDecision.BIND.value, FloorDecision.RELEASE.value)
ACTED_BEHIND_FINDING = "acted-behind"
ACTED_BEHIND_OPTIONS = (FloorDecision.DEAD_HAND.value, FloorDecision.PASSIVE.value, FloorDecision.PLAY_ON.value)


def rule_on_early_action(state: TableState, event: PlayerActed) -> tuple[Ruling, ...]:
    """A seat acted whose turn it is not; refused for a seat that has nothing left to act with.

    Raises `Refused` (`no-live-hand`, `all-in`, `act-not-open`, `amount`).
    """
    hand, seat = state.hand_in_play, event.seat
    _refuse_impossible_action(hand, event)
    if event.action_type in AGGRESSIVE_ACTIONS and has_just_acted(state, seat):
        sentence = said.SECOND_MOTION.format(seat=seat)
        return (build_ruling("string-bet", Verdict.PLAY_ON, _turn_rules(hand).string_raise, sentence, seat),)
    round_ = hand.round_in_play
    first_of_seat = all(seat != other for other, _ in round_.actions_behind)
    if first_of_seat:
        hand.round = round_ = replace(round_, actions_behind=(*round_.actions_behind, (seat, event.action_type)))
    hand.cards = replace(hand.cards, looked_seats=hand.cards.looked_seats | {seat})
    is_mucked = event.action_type is ActionType.FOLD and _is_early_fold_mucked(_turn_rules(hand))
    mucked = (_muck_early_fold(hand, seat),) if is_mucked else ()
    if hand.round is None or len(hand.betting.live_seats) == 1:
        return mucked
    doubt = _rule_on_actions_behind(hand, hand.round) if first_of_seat else ()
    if mucked:
        return (*mucked, *doubt)
    if seat in round_.bound_action_by_seat:
        word = round_.bound_action_by_seat[seat].action_name
        sentence = said.BOUND_BY_FIRST_ACT.format(seat=seat, act=word)
        return (build_ruling(FINDING, Verdict.BIND, _turn_rules(hand).early_act, sentence, seat), *doubt)
    if (
        event.action_type in PASSIVE_ACTIONS
        and round_.starting_player_count == HEADS_UP_PLAYERS
        and _turn_rules(hand).early_passive.value
    ):
        sentence = said.PASSIVE_AFTER_ACT.format(act=event.action_type.value, seat=seat)
        return (_restrict_to_passive(hand, seat, _turn_rules(hand).early_passive, sentence), *doubt)
    binding = event.action_type is ActionType.CHECK and _turn_rules(hand).early_check.value is EarlyCheckEffect.BINDS
    again = (
        seat in hand.betting.early_checker_seats
        and event.action_type in AGGRESSIVE_ACTIONS
        and event.action_type is not ActionType.ALL_IN
    )
    if (event.action_type is ActionType.CHECK and not binding) or again:
        return (_restrict_after_early_check(hand, seat), *doubt)
    return (_rule_on_other_action(hand, event), *doubt)


def _is_early_fold_mucked(book: TurnRules) -> bool:
    return book.early_fold_stands.value and book.early_fold_mucked.value


def _muck_early_fold(hand: Hand, seat: int) -> Ruling:
    """A fold out of turn is carried out at once: nothing of the hand waits for its turn [WSOP-T-gloss.oot]."""
    plan_edits.kill_hand(hand, seat, is_wager_lost=True, is_bet_standing=True)
    sentence = said.EARLY_FOLD_MUCKED.format(seat=seat)
    return build_ruling(FINDING, Verdict.BIND, _turn_rules(hand).early_fold_mucked, sentence, seat)


def _refuse_impossible_action(hand: Hand, event: PlayerActed) -> None:
    seat = event.seat
    if seat not in hand.betting.live_seats:
        holding = ", ".join(map(str, sorted(hand.betting.live_seats)))
        raise Refused("no-live-hand", f"seat {seat} has no live hand to act with; seats {holding} have one.")
    if seat in hand.betting.all_in_seats:
        raise Refused("all-in", f"seat {seat} is all-in and acts no more in this hand.")
    if event.action_type is ActionType.BRING_IN:
        raise Refused("act-not-open", f"seat {seat} does not have the forced bet, which alone is a bring-in.")
    if event.total is None or event.action_type not in AGGRESSIVE_ACTIONS:
        return
    if not hand.setup.tracks_amounts:
        raise Refused("amount", "this table does not track amounts; leave `to` out.")
    chip, whole = hand.setup.stakes.smallest_chip, hand.chips.bet_by_seat.get(seat, 0) + hand.chips.stack_by_seat[seat]
    if event.total % chip and event.total != whole:
        raise Refused("amount", f"{event.total} is not payable: the smallest chip that plays is {chip}.")


def has_just_acted(state: TableState, seat: int) -> bool:
    """Whether the line before was this seat's own act, in turn."""
    if (
        state.undo.previous is None
        or not isinstance(state.undo.previous.event, (PlayerActed, ChipMotion))
        or state.undo.previous.event.seat != seat
    ):
        return False
    turn = state.undo.previous.state.plan.next_step_if(ActStep)
    return turn is not None and turn.seat == seat


def _restrict_after_early_check(hand: Hand, seat: int) -> Ruling:
    """A check out of turn: neither bet nor raise at the next turn."""
    rule = _turn_rules(hand).early_check
    hand.betting = replace(hand.betting, early_checker_seats=hand.betting.early_checker_seats | {seat})
    sentence = said.EARLY_CHECKER.format(seat=seat)
    return build_ruling(FINDING, Verdict.RESTRICT_BET, rule, sentence, seat)


def _rule_on_other_action(hand: Hand, event: PlayerActed) -> Ruling:
    """Any other act out of turn: it binds, or the floor decides whether it does."""
    book, round_, seat = _turn_rules(hand), hand.round_in_play, event.seat
    word, amount = event.action_type.value, event.total if event.action_type in AGGRESSIVE_ACTIONS else None
    folded = event.action_type is ActionType.FOLD and book.early_fold_stands.value
    never_raises = event.action_type is ActionType.CALL and book.early_call_never_raises.value
    hand.round = replace(
        round_,
        early_action_by_seat={**round_.early_action_by_seat, seat: EarlyAction(word, amount)},
        early_caller_seats=round_.early_caller_seats | {seat} if never_raises else round_.early_caller_seats,
    )
    if not folded and event.action_type is ActionType.FOLD and _is_fold_dead(hand, round_, seat):
        _bind(hand, seat)
        return build_ruling(FINDING, Verdict.BIND, book.early_fold_dead, said.EARLY_FOLD_DEAD.format(seat=seat), seat)
    if book.early_act.value is EarlyActionEffect.BINDS or event.action_type is ActionType.CHECK or folded:
        _bind(hand, seat)
        template = said.EARLY_FOLD_BINDS if folded else said.EARLY_ACT_BINDS
        rule = (
            book.early_check
            if event.action_type is ActionType.CHECK
            else book.early_fold_stands
            if folded
            else book.early_act
        )
        return build_ruling(FINDING, Verdict.BIND, rule, template.format(seat=seat, act=word), seat)
    hand.plan = hand.plan.prepend(FloorStep(FINDING, BINDING_OPTIONS, seat, is_ruled=True, concerned_seat=seat))
    sentence = said.EARLY_ACT_IS_ASKED.format(seat=seat, act=word)
    return build_ruling(FINDING, Verdict.FLOOR, book.early_act, sentence, seat)


def _is_fold_dead(hand: Hand, round_: Round, seat: int) -> bool:
    """Whether the hand of a seat that folds, or has folded, out of turn is dead: it faces a bet [R7-3.dead.1a]."""
    return _turn_rules(hand).early_fold_dead.value and round_.current_bet > hand.chips.bet_by_seat.get(seat, 0)


def _find_standing_folds(hand: Hand, before: Round) -> frozenset[int]:
    """The seats whose fold out of turn nothing releases; `before`: the round before the act that might.

    A fold that faced no bet is released by the first one, so that one which faces a bet now has faced it then.
    """
    stands = _turn_rules(hand).early_fold_stands.value
    return frozenset(
        seat
        for seat, announced in hand.round_in_play.early_action_by_seat.items()
        if announced.action_name == ActionType.FOLD.value and (stands or _is_fold_dead(hand, before, seat))
    )


def _rule_on_actions_behind(hand: Hand, round_: Round) -> tuple[Ruling, ...]:
    """So many have acted behind the seat whose turn it is that its right to act is in doubt."""
    rule = _turn_rules(hand).acted_behind
    if not round_.queue:
        return ()
    if _turn_rules(hand).skipped_asks.value:
        return _ask_about_skipped_seat(hand, round_)
    if len(round_.actions_behind) != rule.value:
        return ()
    seat = round_.queue[0]
    sentence = said.ACTED_BEHIND.format(seat=seat, count=rule.value)
    return (build_ruling(ACTED_BEHIND_FINDING, Verdict.PLAY_ON, rule, sentence, seat),)


def _ask_about_skipped_seat(hand: Hand, round_: Round) -> tuple[Ruling, ...]:
    """Substantial action has passed the seat whose turn it is: those acts bind, and the floor rules on its hand."""
    if not is_closed_by_substantial_action(round_.actions_behind, (), ()) or is_closed_by_substantial_action(
        round_.actions_behind[:-1], (), ()
    ):
        return ()
    seat, rule = round_.queue[0], _turn_rules(hand).skipped_asks
    hand.plan = hand.plan.prepend(
        FloorStep(ACTED_BEHIND_FINDING, ACTED_BEHIND_OPTIONS, seat, is_ruled=True, concerned_seat=seat)
    )
    sentence = said.SKIPPED.format(seat=seat)
    return (build_ruling(ACTED_BEHIND_FINDING, Verdict.FLOOR, rule, sentence, seat),)


def apply_passive_decision(state: TableState, step: FloorStep | None, event: FloorDecided) -> tuple[Ruling, ...]:
    """The floor leaves a skipped hand, or any other, nothing but to check, call or fold on this round.

    Raises `Refused` (`key-missing`, `no-live-hand`).
    """
    hand, seat = state.hand_in_play, event.seat if step is None or event.seat is not None else step.seat
    live = ", ".join(map(str, sorted(hand.betting.live_seats)))
    if seat is None:
        raise Refused("key-missing", f"`passive` needs the `seat` of a live hand: {live}.")
    if seat not in hand.betting.live_seats or hand.round is None:
        raise Refused("no-live-hand", f"seat {seat} has no live hand to act with; seats {live} have one.")
    rule = _turn_rules(hand).skipped_asks if step is not None else hand.setup.rulebook.floor.overrules
    sentence, finding = said.PASSIVE_BY_FLOOR.format(seat=seat), "floor" if step is None else ACTED_BEHIND_FINDING
    return (_restrict_to_passive(hand, seat, rule, sentence, finding),)


def _restrict_to_passive(hand: Hand, seat: int, rule: Rule[bool], sentence: str, finding: str = FINDING) -> Ruling:
    hand.round = replace(hand.round_in_play, no_raise_seats=hand.round_in_play.no_raise_seats | {seat})
    return build_ruling(finding, Verdict.RESTRICT_BET, rule, sentence, seat)


def resolve_early_actions(hand: Hand, event: PlayerActed, before: Round) -> tuple[Ruling, ...]:
    """A seat has acted in turn: what waited for it is done with, and what it did may release others."""
    seat, round_ = event.seat, hand.round_in_play
    if seat in hand.betting.early_checker_seats:
        hand.betting = replace(hand.betting, early_checker_seats=hand.betting.early_checker_seats - {seat})
    if (
        round_.early_action_by_seat
        or round_.bound_action_by_seat
        or round_.doubtful_seats
        or round_.actions_behind
        or round_.early_caller_seats
    ):
        round_ = replace(
            _clear_early_action(round_, seat), actions_behind=(), early_caller_seats=round_.early_caller_seats - {seat}
        )
        hand.round = round_
    raised = round_.current_bet > before.current_bet
    called = not raised and event.action_type in (ActionType.CALL, ActionType.ALL_IN)
    if not (raised or called) or not (
        round_.early_action_by_seat or round_.bound_action_by_seat or round_.doubtful_seats
    ):
        return ()
    book = _turn_rules(hand)
    rule = book.raise_between if raised else book.call_between
    standing = _find_standing_folds(hand, before)
    if rule.value is InterveningAction.RELEASES:
        freed = [other for other in round_.early_action_by_seat if other not in standing]
        released = sorted(seat for seat in round_.bound_action_by_seat if seat in freed)
        for other in freed:
            hand.round = _clear_early_action(hand.round_in_play, other)
        template = said.EARLY_ACT_RELEASED_BY_RAISE if raised else said.EARLY_ACT_RELEASED_BY_CALL
        return tuple(
            build_ruling(FINDING, Verdict.PLAY_ON, rule, template.format(seat=other), other) for other in released
        )
    if rule.value is InterveningAction.FLOOR:
        hand.round = replace(round_, doubtful_seats=frozenset(round_.bound_action_by_seat) - standing)
    return ()


def ask_about_doubtful_action(state: TableState) -> tuple[Ruling, ...]:
    """The turn has come to a seat whose bound act somebody's act in between has put in doubt: ask the floor."""
    hand = state.hand
    if hand is None or hand.round is None or not hand.round.doubtful_seats or not hand.plan:
        return ()
    turn, round_ = hand.plan.next_step_if(ActStep), hand.round
    if turn is None or turn.seat not in round_.doubtful_seats or turn.seat not in round_.bound_action_by_seat:
        return ()
    seat, rule = turn.seat, _turn_rules(hand).call_between
    hand.round = replace(round_, doubtful_seats=round_.doubtful_seats - {seat})
    hand.plan = hand.plan.prepend(FloorStep(FINDING, BINDING_OPTIONS, seat, is_ruled=True, concerned_seat=seat))
    sentence = said.EARLY_ACT_CALLED_BEFORE.format(seat=seat)
    return (build_ruling(FINDING, Verdict.FLOOR, rule, sentence, seat),)


def decide_early_action(state: TableState, step: FloorStep | None, event: FloorDecided) -> tuple[Ruling, ...]:
    """The floor binds a seat to its act out of turn, or lets it go.

    Raises `Refused` (`nothing-to-bind`, `key-missing`, `other-seat`).
    """
    hand = state.hand_in_play
    seat = _find_early_actor(hand, step, event)
    round_, book = hand.round, _turn_rules(hand)
    rule: Rule[EarlyActionEffect] | Rule[InterveningAction] | Rule[bool]
    rule = book.early_act if book.early_act.value is EarlyActionEffect.FLOOR or step is None else book.call_between
    if round_ is not None and seat in round_.early_action_by_seat:
        word = round_.early_action_by_seat[seat].action_name
        if event.decision is FloorDecision.BIND:
            _bind(hand, seat)
            sentence = said.FLOOR_BINDS.format(seat=seat, act=word)
            return (build_ruling(FINDING, Verdict.BIND, rule, sentence, seat),)
        bound = {other: act for other, act in round_.bound_action_by_seat.items() if other != seat}
        hand.round = replace(round_, bound_action_by_seat=bound, doubtful_seats=round_.doubtful_seats - {seat})
        sentence = said.FLOOR_RELEASES.format(seat=seat, act=word)
        return (build_ruling(FINDING, Verdict.PLAY_ON, rule, sentence, seat),)
    if event.decision is FloorDecision.RELEASE and seat in hand.betting.early_checker_seats:
        hand.betting = replace(hand.betting, early_checker_seats=hand.betting.early_checker_seats - {seat})
        sentence = said.FLOOR_RELEASES_CHECKER.format(seat=seat)
        return (build_ruling(FINDING, Verdict.PLAY_ON, hand.setup.rulebook.floor.overrules, sentence, seat),)
    raise Refused("nothing-to-bind", f"no act out of turn of seat {seat} waits for its turn; there is none to bind.")


def _find_early_actor(hand: Hand, step: FloorStep | None, event: FloorDecided) -> int:
    if step is not None and step.seat is not None:
        if event.seat not in (None, step.seat):
            raise Refused("other-seat", f"the floor is asked about seat {step.seat}, not {event.seat}.")
        return step.seat
    early = hand.round.early_action_by_seat if hand.round is not None else {}
    waiting: list[int] = sorted({*early, *hand.betting.early_checker_seats})
    if event.seat is not None:
        return event.seat
    if len(waiting) == 1:
        return waiting[0]
    seats = ", ".join(map(str, waiting)) or "none"
    raise Refused("key-missing", f"name the `seat` that acted out of turn; seats whose act waits: {seats}.")


def act_in_turn(state: TableState, event: PlayerActed) -> tuple[Ruling, ...]:
    """The seat whose turn it is acts: its clock is off, and what it did may release those who acted out of turn."""
    hand = state.hand_in_play
    before = hand.round_in_play
    betting_round.apply_action(hand, event)
    hand.plan = hand.plan.drop_first()
    if event.seat in hand.round_in_play.no_fold_seats:
        hand.round = replace(hand.round_in_play, no_fold_seats=hand.round_in_play.no_fold_seats - {event.seat})
    if state.time.clock is not None:
        state.time = replace(state.time, clock=None)
    return resolve_early_actions(hand, event, before)


def _bind(hand: Hand, seat: int) -> None:
    round_ = hand.round_in_play
    hand.round = replace(
        round_, bound_action_by_seat={**round_.bound_action_by_seat, seat: round_.early_action_by_seat[seat]}
    )


def _clear_early_action(round_: Round, seat: int) -> Round:
    """The round once nothing waits for a seat any more but that it may not raise."""
    if not (round_.early_action_by_seat or round_.bound_action_by_seat or round_.doubtful_seats):
        return round_
    return replace(
        round_,
        early_action_by_seat={other: act for other, act in round_.early_action_by_seat.items() if other != seat},
        bound_action_by_seat={other: act for other, act in round_.bound_action_by_seat.items() if other != seat},
        doubtful_seats=round_.doubtful_seats - {seat},
    )


def _turn_rules(hand: Hand) -> TurnRules:
    return hand.setup.rulebook.turns

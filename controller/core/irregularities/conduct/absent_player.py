"""Players who are not at the table although they hold a hand.

In stud cash games the hand is dead when its turn comes [R7-8.stud.8#a]. In other cash games a book may ask for all
players at their seats: the hand is dead when all starting hands are complete [WSOP-L-79], and at once when its player
leaves with action pending [WSOP-L-80]; who leaves with none has a hand until action comes to it. In tournaments an
absent player is always dealt a hand, and the stack posts what is due [R7-15.tourn.6, FC-10.absent.intro#b,
MP-7.tourn.7]; the book says when the hand is dead. Whoever is back in time (before the hands are complete, before the
turn comes) plays.
"""

from controller.core.irregularities.remedies import plan_edits
from controller.core.model.hand import Hand, HandStage
from controller.core.model.setup import PlayTracking
from controller.core.model.table_state import TableState
from controller.core.play.betting import betting_round
from controller.core.play.betting.legal_actions import find_legal_actions
from controller.core.play.dealing import hand_machine
from controller.core.play.opening import first_to_act
from controller.core.play.seating import attendance
from controller.core.protocol.events import PenaltyImposed, PlayerActed, PlayerWentAway
from controller.core.protocol.steps import ActStep, BoardStep, BurnStep, DealStep, DrawStep
from controller.core.protocol.table_display import Phase
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import ActionType
from controller.core.rules import ruling_sentences as said
from controller.core.rules.games import StreetOpener
from controller.core.rules.questions.house.table_rules import GameMode
from controller.core.rules.questions.house.tournament_rules import AbsentHand
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.value import replace

TOURNAMENT = GameMode.TOURNAMENT


def rule_on_absent_players(state: TableState) -> tuple[Ruling, ...]:
    """Kill or fold the hands of absent players where it is time for it."""
    long = _announce_long_absences(state)
    hand = state.hand
    if hand is None or not hand.plan:
        return long
    if state.setup.mode is not TOURNAMENT:
        in_turn = _find_dead_in_turn_rule(state, hand)
        dealt = _kill_absent_cash_hands_after_deal(state, hand)
        return long + dealt + (() if in_turn is None else _kill_absent_hands_in_turn(state, hand, in_turn))
    if not any(_is_missing_hand(state, seat) or _has_missed_first_deal(hand, seat) for seat in hand.betting.live_seats):
        if not hand.cards.has_complete_hands and has_complete_starting_hands(hand):
            hand.cards = replace(hand.cards, has_complete_hands=True)
        return long
    in_turn = _find_dead_in_turn_rule(state, hand)
    dealt = _kill_hands_after_deal(state, hand, absent=in_turn is None)
    return long + dealt + (() if in_turn is None else _kill_absent_hands_in_turn(state, hand, in_turn))


def leave_seat(state: TableState, event: PlayerWentAway) -> tuple[Ruling, ...]:
    """A player is not at the seat: with action pending its hand may be dead at once [WSOP-L-80].

    Raises `Refused` (`already-away`).
    """
    attendance.mark_away(state, event)
    hand, seat, rule = state.hand, event.seat, state.setup.rulebook.people.absent_pending
    if hand is None or not _needs_player_at_seat(state, hand, rule) or not _has_action_pending(hand, seat):
        return ()
    plan_edits.kill_hand(hand, seat)
    return (_dead_hand_ruling(rule, seat, said.LEFT_WITH_ACTION_PENDING),)


def penalise_player(state: TableState, event: PenaltyImposed) -> tuple[Ruling, ...]:
    """A player is to miss hands: they are dealt, posted for and killed after the deal [TDA-71].

    A round is a hand for every player at the table now. Raises `Refused` (`empty-chair`, `key-missing`, `not-ruled`).
    """
    rule, chair = state.setup.rulebook.tournament.penalised, state.seating.state_by_seat.get(event.seat)
    if chair is None:
        taken = ", ".join(map(str, sorted(state.seating.state_by_seat)))
        raise Refused("empty-chair", f"nobody sits at seat {event.seat}; taken seats: {taken}.")
    if (event.hands is None) is (event.rounds is None):
        raise Refused("key-missing", "`penalty` needs how many `hands`, or how many `rounds`.")
    if state.setup.mode is not TOURNAMENT or not rule.value:
        raise Refused("not-ruled", "hands are missed as a penalty in a tournament.")
    hands = (event.rounds or 0) * len(state.seating.state_by_seat) if event.hands is None else event.hands
    state.seating = replace(
        state.seating, state_by_seat={**state.seating.state_by_seat, event.seat: replace(chair, penalty_hands=hands)}
    )
    template = {0: said.PENALTY_OVER, 1: said.PENALTY_OF_A_HAND}.get(hands, said.PENALTY_OF_HANDS)
    sentence = template.format(seat=event.seat, count=hands)
    return (build_ruling("penalty", Verdict.CORRECT, rule, sentence, event.seat),)


def kill_absent_hands_at_close(state: TableState, hand: Hand) -> tuple[Ruling, ...]:
    """A round that is told as a whole is over: the turn of every absent player has come in it that has not acted."""
    rule = _find_dead_in_turn_rule(state, hand)
    if rule is None or hand.round is None:
        return ()
    rulings = []
    for seat in hand.round.queue:
        if not _is_absent(state, seat) or _has_acted_on_told_round(hand, seat):
            continue
        if len(hand.betting.live_seats) > 1 and not _is_unraised_big_blind(hand, seat):
            plan_edits.kill_hand(hand, seat)
            rulings.append(_dead_hand_ruling(rule, seat, said.ABSENT_AT_TOLD_TURN))
    return tuple(rulings)


def _needs_player_at_seat(state: TableState, hand: Hand, rule: Rule[bool]) -> bool:
    """Whether a cash game's rule on players at their seats counts for the hand: stud has a clause of its own."""
    stud = hand.setup.game.rules_form in hand.setup.rulebook.upcards
    return rule.value and state.setup.mode is not TOURNAMENT and not stud and bool(hand.plan)


def _has_action_pending(hand: Hand, seat: int) -> bool:
    """Whether the seat has still to act with its hand, once all are dealt: to bet, or to say what it draws.

    Who has acted on the round that is on has not, as long as nobody raises.
    """
    if seat not in hand.betting.live_seats or len(hand.betting.live_seats) == 1 or not hand.cards.has_complete_hands:
        return False
    if hand.stage is HandStage.SHOWDOWN:
        return False
    if hand.stage is HandStage.ANSWER:
        return seat == hand.folds.answering_seat
    if hand.stage is HandStage.ROUND:
        return seat in hand.round_in_play.queue and not _has_acted_on_told_round(hand, seat)
    later = hand.setup.game.streets[hand.streets.planned_street + 1 :]
    draws = seat in hand.draw.drawing_seats or any(step.seat == seat for step in hand.plan.steps_of_type(DrawStep))
    bets = seat not in hand.betting.all_in_seats and len(hand.contenders) > 1
    return draws or bets or any(street.has_draw or street.discard_count for street in later)


def _has_acted_on_told_round(hand: Hand, seat: int) -> bool:
    """Whether an act of the seat was entered in a round that is told as a whole, and keeps it in its queue."""
    start = hand.betting.acted_count_by_street.get(hand.round_in_play.street, 0)
    return hand.setup.play_tracking is PlayTracking.ROUNDS and seat in hand.betting.acted_seats[start:]


def _find_dead_in_turn_rule(state: TableState, hand: Hand) -> Rule[object] | None:
    """The rule by which the hand of an absent player is dead when its turn comes, where there is one."""
    if state.setup.mode is not TOURNAMENT:
        stud = hand.setup.rulebook.upcards.get(hand.setup.game.rules_form)
        dead = state.setup.rulebook.people.absent_pending if stud is None else stud.absent_dead
        return dead if dead.value else None
    rule = _tournament_absence_rule(hand)
    return rule if rule.value is AbsentHand.FOLDED_IN_TURN else None


def _tournament_absence_rule(hand: Hand) -> Rule[AbsentHand]:
    """Stud has a clause of its own."""
    book = hand.setup.rulebook
    stud = book.upcards.get(hand.setup.game.rules_form)
    return book.tournament.absent if stud is None else stud.absent_tournament


def _announce_long_absences(state: TableState) -> tuple[Ruling, ...]:
    """Say once of each player that the absence has become so long that it has consequences [R7-2.proc.20]."""
    away = [chair for chair in state.seating.state_by_seat.values() if chair.away_since_s is not None]
    if not away:
        return ()
    rule = state.setup.rulebook.people.absence_minutes
    due = [chair for chair in away if state.time.time_s - (chair.away_since_s or 0) > 60 * rule.value]
    due.sort(key=lambda chair: chair.seat)
    for chair in due:
        state.seating = replace(
            state.seating, state_by_seat={**state.seating.state_by_seat, chair.seat: replace(chair, away_since_s=None)}
        )
    tournament = state.setup.mode is TOURNAMENT
    template = said.AWAY_TOO_LONG_FOR_POINTS if tournament else said.AWAY_TOO_LONG
    sentences = ((chair.seat, template.format(seat=chair.seat, minutes=rule.value)) for chair in due)
    return tuple(build_ruling("absent", Verdict.PLAY_ON, rule, sentence, seat) for seat, sentence in sentences)


def has_complete_starting_hands(hand: Hand) -> bool:
    """Whether every player has the whole starting hand and nothing about it is still to be put right."""
    if hand.plan[0].phase in (Phase.REMEDY, Phase.FLOOR):
        return False
    card = hand.plan.next_step_if(DealStep) or hand.plan.next_step_if(BoardStep)
    if card:
        return card.street_index > 0
    return bool(hand.plan.next_step_if(BurnStep)) or all(
        deal.street_index > 0 for deal in hand.plan.steps_of_type(DealStep)
    )


def _kill_absent_cash_hands_after_deal(state: TableState, hand: Hand) -> tuple[Ruling, ...]:
    """All hands of a cash game are complete: those of players who are not at their seats are dead [WSOP-L-79]."""
    people = state.setup.rulebook.people
    asked = people.absent_dealt.value or people.absent_pending.value
    if not asked or hand.cards.has_complete_hands or not has_complete_starting_hands(hand):
        return ()
    hand.cards = replace(hand.cards, has_complete_hands=True)
    rulings = []
    for seat in hand.dealing_order:
        live = hand.betting.live_seats
        if (
            seat in live
            and len(live) > 1
            and _is_absent(state, seat)
            and _needs_player_at_seat(state, hand, people.absent_dealt)
        ):
            plan_edits.kill_hand(hand, seat)
            rulings.append(_dead_hand_ruling(people.absent_dealt, seat, said.ABSENT_AFTER_DEAL))
    return tuple(rulings)


def _kill_hands_after_deal(state: TableState, hand: Hand, *, absent: bool) -> tuple[Ruling, ...]:
    """All hands are complete: those of players on penalty, and of absent ones, are dead [R7-15.tourn.12, TDA-71-C].

    `absent`: whether the hands of absent players are.
    """
    rule = _tournament_absence_rule(hand)
    if hand.cards.has_complete_hands or not has_complete_starting_hands(hand):
        return ()
    hand.cards = replace(hand.cards, has_complete_hands=True)
    _post_forced_bet_for_absent(state, hand)
    rulings = []
    for seat in hand.dealing_order:
        if seat not in hand.betting.live_seats or len(hand.betting.live_seats) == 1:
            continue
        if _is_penalised(state, seat):
            chair = state.seating.state_by_seat[seat]
            less = replace(chair, penalty_hands=chair.penalty_hands - 1)
            state.seating = replace(state.seating, state_by_seat={**state.seating.state_by_seat, seat: less})
            plan_edits.kill_hand(hand, seat)
            penalty = state.setup.rulebook.tournament.penalised
            sentence = said.PENALTY_HAND.format(seat=seat)
            rulings.append(build_ruling("penalty", Verdict.DEAD_HAND, penalty, sentence, seat))
        elif absent and _is_absent(state, seat):
            plan_edits.kill_hand(hand, seat)
            rulings.append(_dead_hand_ruling(rule, seat, said.ABSENT_AFTER_DEAL))
        elif _has_missed_first_deal(hand, seat):
            plan_edits.kill_hand(hand, seat)
            plays = hand.setup.rulebook.tournament.redeal_absent_plays
            rulings.append(_dead_hand_ruling(plays, seat, said.ABSENT_BEFORE_MISDEAL))
    return tuple(rulings)


def _post_forced_bet_for_absent(state: TableState, hand: Hand) -> None:
    """An absent player's forced bet at stud goes into the pot before the hand is killed [R7-15.tourn.6]."""
    turn = hand.plan.next_step_if(ActStep)
    forced = first_to_act.find_street_opener(hand, 0) in (StreetOpener.LOW_CARD, StreetOpener.HIGH_CARD)
    if not forced or turn is None or not _is_missing_hand(state, turn.seat):
        return
    open_ = find_legal_actions(hand, turn.seat)
    word = next(
        (word for word in (ActionType.BRING_IN, ActionType.BET, ActionType.ALL_IN) if word.value in open_.actions), None
    )
    if word is not None:
        _act_for_absent(hand, PlayerActed(turn.seat, word, None if word is not ActionType.BET else open_.min_total))


def _kill_absent_hands_in_turn(state: TableState, hand: Hand, rule: Rule[object]) -> tuple[Ruling, ...]:
    """The turn of an absent player has come: the hand is folded, but for an unraised big blind [MP-7.tourn.13].

    A forced bet that is due goes into the pot first, as it does in tournaments [R7-8.stud.8#a]. A hand that the floor
    has given back stays alive.
    """
    rulings = []
    while len(hand.betting.live_seats) > 1:
        turn = hand.plan.next_step_if(ActStep) or hand.plan.next_step_if(DrawStep)
        if turn is None or not _is_absent(state, turn.seat) or turn.seat in hand.betting.killed_seats:
            break
        seat = turn.seat
        if isinstance(turn, ActStep) and _is_unraised_big_blind(hand, seat):
            _act_for_absent(hand, PlayerActed(seat, ActionType.CHECK))
            continue
        _post_forced_bet_for_absent(state, hand)
        plan_edits.kill_hand(hand, seat)
        rulings.append(_dead_hand_ruling(rule, seat, said.ABSENT_AT_TURN))
    return tuple(rulings)


def _is_unraised_big_blind(hand: Hand, seat: int) -> bool:
    round_ = hand.round
    keeps = hand.setup.rulebook.tournament.absent_big_blind_checks.value
    if (
        not keeps
        or round_ is None
        or round_.street
        or seat not in hand.positions.big_blinds
        or round_.aggressor is not None
    ):
        return False
    return "check" in find_legal_actions(hand, seat).actions


def _act_for_absent(hand: Hand, event: PlayerActed) -> None:
    """An act that the dealer carries out for somebody who is not there."""
    betting_round.apply_action(hand, event)
    hand.plan = hand.plan.drop_first()
    hand_machine.extend(hand)


def _is_absent(state: TableState, seat: int) -> bool:
    return seat in state.seating.state_by_seat and state.seating.state_by_seat[seat].is_away


def _has_missed_first_deal(hand: Hand, seat: int) -> bool:
    """Whether it was away for the deal that was a misdeal, and may not play the new one for it [WSOP-T-88.b]."""
    return (
        seat in hand.betting.absent_before_misdeal_seats
        and not hand.setup.rulebook.tournament.redeal_absent_plays.value
    )


def _is_penalised(state: TableState, seat: int) -> bool:
    return seat in state.seating.state_by_seat and state.seating.state_by_seat[seat].penalty_hands > 0


def _is_missing_hand(state: TableState, seat: int) -> bool:
    return _is_absent(state, seat) or _is_penalised(state, seat)


def _dead_hand_ruling(rule: Rule[object], seat: int, template: str) -> Ruling:
    return build_ruling("absent", Verdict.DEAD_HAND, rule, template.format(seat=seat), seat)

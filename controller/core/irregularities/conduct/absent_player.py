"""Players who are not at the table although they hold a hand: in stud, and in tournaments.

In stud cash games the hand is dead when its turn comes [R7-8.stud.8#a]. In tournaments an absent player is always dealt
a hand, and the stack posts what is due [R7-15.tourn.6, FC-10.absent.intro#b, MP-7.tourn.7]; the book says when the hand
is dead. Whoever is back in time (before the hands are complete, before the turn comes) plays.
"""

from controller.core.irregularities.remedies import plan_edits
from controller.core.model.hand import Hand
from controller.core.model.state import State
from controller.core.play.betting import betting_round
from controller.core.play.betting.legal_actions import options_of
from controller.core.play.deal import planner
from controller.core.protocol.display import Phase
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Act, Penalty
from controller.core.protocol.steps import Act as ActStep
from controller.core.protocol.steps import Board, Burn, Deal
from controller.core.protocol.vocabulary import Do
from controller.core.rules.games import Opener
from controller.core.rules.questions.house.table import Mode
from controller.core.rules.questions.house.tournament import Absent
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.counted import counted
from controller.core.values.value import replace


def dealt_with(state: State) -> tuple[Ruling, ...]:
    """Kill or fold the hands of absent players where it is time for it."""
    long = _long_absences(state)
    hand = state.hand
    if hand is None or not hand.plan:
        return long
    if state.setup.mode is not Mode.TOURNAMENT:
        in_turn = _dead_in_turn(state, hand)
        return long if in_turn is None else long + _in_turn(state, hand, in_turn)
    if not any(_misses(state, seat) or _missed_the_first(hand, seat) for seat in hand.betting.live):
        if not hand.cards.hands_complete and starting_hands_complete(hand):
            hand.cards = replace(hand.cards, hands_complete=True)
        return long
    in_turn = _dead_in_turn(state, hand)
    dealt = _after_the_deal(state, hand, absent=in_turn is None)
    return long + dealt + (() if in_turn is None else _in_turn(state, hand, in_turn))


def penalised(state: State, event: Penalty) -> tuple[Ruling, ...]:
    """A player is to miss hands: they are dealt, posted for and killed after the deal [TDA-71].

    A round is a hand for every player at the table now. Raises `Refused` (`empty-chair`, `key-missing`, `not-ruled`).
    """
    rule, chair = state.setup.rulebook.tournament.penalised, state.seating.chairs.get(event.seat)
    if chair is None:
        taken = ", ".join(map(str, sorted(state.seating.chairs)))
        raise Refused("empty-chair", f"nobody sits at seat {event.seat}; taken seats: {taken}.")
    if (event.hands is None) is (event.rounds is None):
        raise Refused("key-missing", "`penalty` needs how many `hands`, or how many `rounds`.")
    if state.setup.mode is not Mode.TOURNAMENT or not rule.value:
        raise Refused("not-ruled", "hands are missed as a penalty in a tournament.")
    hands = (event.rounds or 0) * len(state.seating.chairs) if event.hands is None else event.hands
    state.seating = replace(state.seating, chairs={**state.seating.chairs, event.seat: replace(chair, penalty=hands)})
    missed = f"seat {event.seat} misses {counted(hands, 'hand')}"
    sentence = missed if hands else f"the penalty of seat {event.seat} is over"
    return (ruled("penalty", Verdict.CORRECT, rule, sentence, event.seat),)


def at_the_close(state: State, hand: Hand) -> tuple[Ruling, ...]:
    """A round that is told as a whole is over: the turn of every absent player has come in it."""
    rule = _dead_in_turn(state, hand)
    if rule is None or hand.round is None:
        return ()
    rulings = []
    for seat in hand.round.queue:
        if _is_absent(state, seat) and len(hand.betting.live) > 1 and not _unraised_big_blind(hand, seat):
            plan_edits.dead_hand(hand, seat)
            rulings.append(_dead(rule, seat, "was not at the table when its turn came"))
    return tuple(rulings)


def _dead_in_turn(state: State, hand: Hand) -> Rule[object] | None:
    """The rule by which the hand of an absent player is dead when its turn comes, where there is one."""
    if state.setup.mode is not Mode.TOURNAMENT:
        book = hand.setup.rulebook.upcards.get(hand.setup.game.form)
        return None if book is None or not book.absent_dead.value else book.absent_dead
    rule = _tournament_rule(hand)
    return rule if rule.value is Absent.FOLDED_IN_TURN else None


def _tournament_rule(hand: Hand) -> Rule[Absent]:
    """Stud has a clause of its own."""
    book = hand.setup.rulebook
    stud = book.upcards.get(hand.setup.game.form)
    return book.tournament.absent if stud is None else stud.absent_tournament


def _long_absences(state: State) -> tuple[Ruling, ...]:
    """Say once of each player that the absence has become so long that it has consequences [R7-2.proc.20]."""
    away = [chair for chair in state.seating.chairs.values() if chair.away_since is not None]
    if not away:
        return ()
    rule = state.setup.rulebook.people.absence_minutes
    due = [chair for chair in away if state.time.t - (chair.away_since or 0) > 60 * rule.value]
    due.sort(key=lambda chair: chair.seat)
    for chair in due:
        state.seating = replace(
            state.seating, chairs={**state.seating.chairs, chair.seat: replace(chair, away_since=None)}
        )
    tournament = state.setup.mode is Mode.TOURNAMENT
    comes = "no points unless it is back before its chips are gone" if tournament else "its chips may be picked up"
    return tuple(
        ruled(
            "absent",
            Verdict.PLAY_ON,
            rule,
            f"{chair.player} at seat {chair.seat} has been away for more than {rule.value} minutes: {comes}",
            chair.seat,
        )
        for chair in due
    )


def starting_hands_complete(hand: Hand) -> bool:
    """Whether every player has the whole starting hand and nothing about it is still to be put right."""
    if hand.plan[0].phase in (Phase.REMEDY, Phase.FLOOR):
        return False
    card = hand.plan.due(Deal) or hand.plan.due(Board)
    if card:
        return card.of > 0
    return bool(hand.plan.due(Burn)) or all(deal.of > 0 for deal in hand.plan.every(Deal))


def _after_the_deal(state: State, hand: Hand, *, absent: bool) -> tuple[Ruling, ...]:
    """All hands are complete: those of players on penalty, and of absent ones, are dead [R7-15.tourn.12, TDA-71-C].

    `absent`: whether the hands of absent players are.
    """
    rule = _tournament_rule(hand)
    if hand.cards.hands_complete or not starting_hands_complete(hand):
        return ()
    hand.cards = replace(hand.cards, hands_complete=True)
    _forced_for_the_absent(state, hand)
    rulings = []
    for seat in hand.order:
        if seat not in hand.betting.live or len(hand.betting.live) == 1:
            continue
        if _is_penalised(state, seat):
            chair = state.seating.chairs[seat]
            less = replace(chair, penalty=chair.penalty - 1)
            state.seating = replace(state.seating, chairs={**state.seating.chairs, seat: less})
            plan_edits.dead_hand(hand, seat)
            penalty = state.setup.rulebook.tournament.penalised
            sentence = f"seat {seat} misses this hand as a penalty: it is dead, what it posted stays"
            rulings.append(ruled("penalty", Verdict.DEAD_HAND, penalty, sentence, seat))
        elif absent and _is_absent(state, seat):
            plan_edits.dead_hand(hand, seat)
            rulings.append(_dead(rule, seat, "is not at the table although all starting hands are complete"))
        elif _missed_the_first(hand, seat):
            plan_edits.dead_hand(hand, seat)
            plays = hand.setup.rulebook.tournament.redeal_absent_plays
            rulings.append(_dead(plays, seat, "was not at the table for the deal that was a misdeal"))
    return tuple(rulings)


def _forced_for_the_absent(state: State, hand: Hand) -> None:
    """An absent player's forced bet at stud goes into the pot before the hand is killed [R7-15.tourn.6]."""
    turn = hand.plan.due(ActStep)
    forced = hand.setup.game.streets[0].opener in (Opener.LOW_CARD, Opener.HIGH_CARD)
    if not forced or turn is None or not _misses(state, turn.seat):
        return
    open_ = options_of(hand, turn.seat)
    word = next((word for word in (Do.BRING_IN, Do.BET, Do.ALL_IN) if word.value in open_.words), None)
    if word is not None:
        _acts(hand, Act(turn.seat, word, None if word is not Do.BET else open_.min_to))


def _in_turn(state: State, hand: Hand, rule: Rule[object]) -> tuple[Ruling, ...]:
    """The turn of an absent player has come: the hand is folded, but for an unraised big blind [MP-7.tourn.13].

    A forced bet that is due goes into the pot first, as it does in tournaments [R7-8.stud.8#a].
    """
    rulings = []
    while len(hand.betting.live) > 1 and (turn := hand.plan.due(ActStep)):
        seat = turn.seat
        if not _is_absent(state, seat):
            break
        if _unraised_big_blind(hand, seat):
            _acts(hand, Act(seat, Do.CHECK))
            continue
        _forced_for_the_absent(state, hand)
        plan_edits.dead_hand(hand, seat)
        rulings.append(_dead(rule, seat, "is not at the table now that it is its turn"))
    return tuple(rulings)


def _unraised_big_blind(hand: Hand, seat: int) -> bool:
    round_ = hand.round
    keeps = hand.setup.rulebook.tournament.absent_big_blind_checks.value
    if not keeps or round_ is None or round_.street or seat not in hand.positions.big or round_.aggressor is not None:
        return False
    return "check" in options_of(hand, seat).words


def _acts(hand: Hand, event: Act) -> None:
    """An act that the dealer carries out for somebody who is not there."""
    betting_round.act(hand, event)
    hand.plan = hand.plan.done()
    planner.extend(hand)


def _is_absent(state: State, seat: int) -> bool:
    return seat in state.seating.chairs and state.seating.chairs[seat].away


def _missed_the_first(hand: Hand, seat: int) -> bool:
    """Whether it was away for the deal that was a misdeal, and may not play the new one for it [WSOP-T-88.b]."""
    return seat in hand.betting.absent_before and not hand.setup.rulebook.tournament.redeal_absent_plays.value


def _is_penalised(state: State, seat: int) -> bool:
    return seat in state.seating.chairs and state.seating.chairs[seat].penalty > 0


def _misses(state: State, seat: int) -> bool:
    return _is_absent(state, seat) or _is_penalised(state, seat)


def _dead(rule: Rule[object], seat: int, why: str) -> Ruling:
    return ruled("absent", Verdict.DEAD_HAND, rule, f"seat {seat} {why}: its hand is dead, what it posted stays", seat)

"""False openers: the pot was opened on a hand that the game does not let open."""

from controller.core.irregularities.conduct import floor_decision
from controller.core.irregularities.remedies import plan_edits, street_redeal
from controller.core.model.hand import Hand
from controller.core.model.plan import NO_STEPS
from controller.core.model.table_state import TableState
from controller.core.play.betting import carried_pot
from controller.core.play.showdown import evaluation
from controller.core.protocol.events import FloorDecided, Report
from controller.core.protocol.steps import FloorStep
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import FloorDecision
from controller.core.rules import ruling_sentences as said
from controller.core.rules.games import Ranking
from controller.core.rules.questions.play.draw_rules import DrawRules
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.piles import hand_place
from controller.core.values.value import replace

FINDING = "false-openers"

LOWEST_KICKERS = ("4d", "3c", "2s")
"""What makes the least hand of a pair."""


def rule_on_shown_openers(hand: Hand, seat: int) -> tuple[Ruling, ...]:
    """The opener has shown: its hand is dead when what it opened on was no openers [R7-12.jacks.3].

    Where all others are out nobody wins the pot.
    """
    book = carried_pot.find_draw_rules(hand.setup)
    if book is None or not book.prove_openers.value or seat != hand.openers.opener or not _has_false_openers(hand):
        return ()
    if seat not in hand.betting.live_seats:
        return ()
    if len(hand.betting.live_seats) == 1:
        return _void_opening(hand, book, seat)
    plan_edits.kill_hand(hand, seat, is_wager_lost=True)
    sentence = said.CANNOT_WIN.format(seat=seat)
    return (build_ruling(FINDING, Verdict.DEAD_HAND, book.prove_openers, sentence, seat),)


def _has_false_openers(hand: Hand) -> bool:
    """Whether every card of the opening hand is known, and they are no openers."""
    wanted, opener = hand.setup.game.min_openers, hand.openers.opener
    held = tuple(lying.card for lying in carried_pot.shown_openers(hand) if lying.card is not None)
    if opener is not None and not any(drawn.seat == opener and drawn.exchanged_count for drawn in hand.draw.draws):
        held = hand.showdown.tabled_cards_by_seat.get(opener) or held
    if wanted is None or len(held) != 5:
        return False
    had = evaluation.evaluate_hand(Ranking.HIGH, held, (), None)
    least = evaluation.evaluate_hand(Ranking.HIGH, (wanted[0] + "h", wanted[1] + "s", *LOWEST_KICKERS), (), None)
    return had is not None and least is not None and had < least


def rule_on_false_openers(state: TableState, event: Report) -> tuple[Ruling, ...]:
    """The opener shows, before the showdown, that it has no openers [R7-12.jacks.2, R7-12.jacks.4].

    Raises `Refused` (`not-so`, `no-live-hand`, `award-pushed`).
    """
    hand = state.hand_in_play
    book, seat = carried_pot.find_draw_rules(hand.setup), hand.openers.opener
    if book is None or hand.setup.game.min_openers is None:
        raise Refused("not-so", f"{hand.setup.game.title} may be opened on anything.")
    if seat is None or event.seat not in (None, seat):
        opened = "nobody has opened the pot" if seat is None else f"seat {seat} opened the pot"
        raise Refused("not-so", f"`false-openers` speaks of who opened; {opened}.")
    if seat not in hand.betting.live_seats:
        raise Refused("no-live-hand", f"seat {seat}, which opened, has no live hand any more.")
    if hand.is_award_pushed:
        raise Refused("award-pushed", "a pot of this hand has been pushed; what is left is settled by hand.")
    if len(hand.betting.live_seats) == 1:
        return _void_opening(hand, book, seat)
    if _is_pot_played_on(hand, book):
        return (_kill_opener_hand(hand, book, seat),)
    others = _eligible_openers(hand, seat)
    if not others:
        return _void_opening(hand, book, seat)
    seats = ", ".join(map(str, sorted(others)))
    sentence = said.ANOTHER_OPENER_ASKED.format(seat=seat, seats=seats)
    return (
        floor_decision.ask_floor(
            hand, FINDING, book.false_openers, sentence, (FloorDecision.PLAY_ON, FloorDecision.VOID), seat
        ),
    )


def _is_pot_played_on(hand: Hand, book: DrawRules) -> bool:
    """Whether the pot plays all the same: the action is over, there was a raise, or enough players have called."""
    round_ = hand.round
    if (
        hand.streets.planned_street
        or round_ is None
        or round_.wager_count > 1
        or 0 < hand.openers.opening_wager < round_.current_bet
    ):
        return True
    return len(_callers(hand)) >= book.pot_plays.value


def _callers(hand: Hand) -> tuple[int, ...]:
    """Who has called the opening bet."""
    called = (seat for seat, acted in hand.round_in_play.last_action_by_seat.items() if acted.current_bet)
    return tuple(seat for seat in called if seat != hand.openers.opener and seat in hand.betting.live_seats)


def _eligible_openers(hand: Hand, opener: int) -> tuple[int, ...]:
    """Who may declare the pot open now: whoever is in the hand and has not passed."""
    return tuple(
        seat
        for seat in hand.dealing_order
        if seat in hand.betting.live_seats and seat != opener and seat not in hand.betting.checked_seats
    )


def _kill_opener_hand(hand: Hand, book: DrawRules, seat: int) -> Ruling:
    """The pot plays without its opener, who takes back, at most, what it wagered after its opening bet."""
    over = hand.streets.planned_street > 0
    rule = book.withdraws_late if over else book.pot_plays
    is_lost = over and not rule.value
    plan_edits.kill_hand(
        hand, seat, keeping=None if is_lost else hand.openers.opening_wager, is_wager_lost=bool(is_lost)
    )
    sentence = (said.NO_OPENERS_NOTHING_BACK if over else said.NO_OPENERS_BET_LOST).format(seat=seat)
    return build_ruling(FINDING, Verdict.DEAD_HAND, rule, sentence, seat)


def _void_opening(hand: Hand, book: DrawRules, seat: int) -> tuple[Ruling, ...]:
    """All bets go back but the opener's first, which stays with the antes for the next deal."""
    if not hand.streets.planned_street and not hand.chips.bet_by_seat:
        street_redeal.uncollect(hand)
    if hand.setup.tracks_amounts:
        first = 0 if hand.streets.planned_street else hand.openers.opening_wager
        hand.chips = replace(
            hand.chips,
            stack_by_seat={
                other: chips + hand.chips.bet_by_seat.get(other, 0) for other, chips in hand.chips.stack_by_seat.items()
            },
        )
        hand.chips = replace(
            hand.chips,
            stack_by_seat={**hand.chips.stack_by_seat, seat: hand.chips.stack_by_seat[seat] - first},
            dead_chips=hand.chips.dead_chips + first,
        )
    hand.chips = replace(hand.chips, bet_by_seat={})
    hand.draw = replace(hand.draw, deferred_steps=NO_STEPS, drawing_seats=())
    hand.plan = NO_STEPS
    hand.openers = replace(hand.openers, is_passed_out=True, has_forfeited_bet=True)
    sentence = said.NOBODY_OPENS.format(seat=seat)
    rulings = (build_ruling(FINDING, Verdict.VOID_HAND, book.false_openers, sentence, seat),)
    if hand.openers.opening_wager or not book.false_all_in.value:
        return rulings
    hand.openers = replace(hand.openers, sitting_out_seat=seat)
    sentence = said.LOSES_ANTE.format(seat=seat)
    return (*rulings, build_ruling(FINDING, Verdict.DEAD_HAND, book.false_all_in, sentence, seat))


def decide_new_opener(state: TableState, step: FloorStep | None, event: FloorDecided) -> tuple[Ruling, ...]:  # noqa: ARG001 (an answer)
    """The floor says who else declares the pot open, or that nobody does; raises `Refused` (`not-so`)."""
    hand = state.hand_in_play
    book, opener = carried_pot.find_draw_rules(hand.setup), hand.openers.opener
    assert book is not None
    assert opener is not None
    if event.decision is FloorDecision.VOID:
        return _void_opening(hand, book, opener)
    others = _eligible_openers(hand, opener)
    seat = others[0] if event.seat is None and len(others) == 1 else event.seat
    if seat not in others:
        raise Refused("not-so", f"name the `seat` that declares the pot open: {', '.join(map(str, sorted(others)))}.")
    hand.openers = replace(hand.openers, opener=seat, opener_cards=hand.cards.piles.cards_at(hand_place(seat)))
    plan_edits.kill_hand(hand, opener, is_wager_lost=True)
    sentence = said.DECLARES_OPEN.format(seat=seat, opener=opener)
    return (build_ruling(FINDING, Verdict.DEAD_HAND, book.false_openers, sentence, opener),)

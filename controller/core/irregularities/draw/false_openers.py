"""False openers: the pot was opened on a hand that the game does not let open."""

from controller.core.irregularities.conduct import floor_decision
from controller.core.irregularities.remedies import plan_edits, redeal
from controller.core.model.hand import Hand
from controller.core.model.plan import NO_STEPS
from controller.core.model.state import State
from controller.core.play.betting import carried_pot
from controller.core.play.showdown import evaluation
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Floor, Report
from controller.core.protocol.steps import Floor as FloorStep
from controller.core.protocol.vocabulary import Decide
from controller.core.rules.games import Ranking
from controller.core.rules.questions.play.draw import DrawRules
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.piles import hand_of
from controller.core.values.value import replace

FINDING = "false-openers"

LEAST = ("4d", "3c", "2s")
"""What makes the least hand of a pair."""


def proved(hand: Hand, seat: int) -> tuple[Ruling, ...]:
    """The opener has shown: its hand is dead when what it opened on was no openers [R7-12.jacks.3].

    Where all others are out nobody wins the pot.
    """
    book = carried_pot.book_of(hand.setup)
    if book is None or not book.prove_openers.value or seat != hand.openers.opener or not _false(hand):
        return ()
    if seat not in hand.betting.live:
        return ()
    if len(hand.betting.live) == 1:
        return _nobody_opens(hand, book, seat)
    plan_edits.dead_hand(hand, seat)
    sentence = f"seat {seat} opened without openers: its hand cannot win"
    return (ruled(FINDING, Verdict.DEAD_HAND, book.prove_openers, sentence, seat),)


def _false(hand: Hand) -> bool:
    """Whether every card of the opening hand is known, and they are no openers."""
    wanted, opener = hand.setup.game.openers, hand.openers.opener
    held = tuple(lying.card for lying in hand.openers.opened_on if lying.card is not None)
    if opener is not None and not any(drawn.seat == opener and drawn.count for drawn in hand.draw.draws):
        held = hand.showdown.tabled.get(opener) or held
    if wanted is None or len(held) != 5:
        return False
    had = evaluation.strength(Ranking.HIGH, held, (), None)
    least = evaluation.strength(Ranking.HIGH, (wanted[0] + "h", wanted[1] + "s", *LEAST), (), None)
    return had is not None and least is not None and had < least


def false_openers(state: State, event: Report) -> tuple[Ruling, ...]:
    """The opener shows, before the showdown, that it has no openers [R7-12.jacks.2, R7-12.jacks.4].

    Raises `Refused` (`not-so`, `no-live-hand`, `award-pushed`).
    """
    hand = state.hand_in_play
    book, seat = carried_pot.book_of(hand.setup), hand.openers.opener
    if book is None or hand.setup.game.openers is None:
        raise Refused("not-so", f"{hand.setup.game.title} may be opened on anything.")
    if seat is None or event.seat not in (None, seat):
        opened = "nobody has opened the pot" if seat is None else f"seat {seat} opened the pot"
        raise Refused("not-so", f"`false-openers` speaks of who opened; {opened}.")
    if seat not in hand.betting.live:
        raise Refused("no-live-hand", f"seat {seat}, which opened, has no live hand any more.")
    if hand.award_pushed:
        raise Refused("award-pushed", "a pot of this hand has been pushed; what is left is settled by hand.")
    if len(hand.betting.live) == 1:
        return _nobody_opens(hand, book, seat)
    if _plays(hand, book):
        return (_dead(hand, book, seat),)
    others = _eligible(hand, seat)
    if not others:
        return _nobody_opens(hand, book, seat)
    seats = ", ".join(map(str, sorted(others)))
    sentence = (
        f"seat {seat} has no openers: does seat {seats}, which has not passed, declare the pot open (`play-on`), or "
        "nobody (`void`)"
    )
    return (floor_decision.ask(hand, FINDING, book.false_openers, sentence, (Decide.PLAY_ON, Decide.VOID), seat),)


def _plays(hand: Hand, book: DrawRules) -> bool:
    """Whether the pot plays all the same: the action is over, there was a raise, or enough players have called."""
    round_ = hand.round
    if hand.streets.planned or round_ is None or round_.wagers > 1 or 0 < hand.openers.opened_for < round_.high:
        return True
    return len(_callers(hand)) >= book.pot_plays.value


def _callers(hand: Hand) -> tuple[int, ...]:
    """Who has called the opening bet."""
    assert hand.round is not None
    called = (seat for seat, acted in hand.round.acted.items() if acted.high)
    return tuple(seat for seat in called if seat != hand.openers.opener and seat in hand.betting.live)


def _eligible(hand: Hand, opener: int) -> tuple[int, ...]:
    """Who may declare the pot open now: whoever is in the hand and has not passed."""
    return tuple(
        seat for seat in hand.order if seat in hand.betting.live and seat != opener and seat not in hand.betting.checked
    )


def _dead(hand: Hand, book: DrawRules, seat: int) -> Ruling:
    """The pot plays without its opener, who takes back, at most, what it wagered after its opening bet."""
    over = hand.streets.planned > 0
    rule = book.withdraws_late if over else book.pot_plays
    plan_edits.dead_hand(hand, seat, keeping=None if over and not rule.value else hand.openers.opened_for)
    kept = "may withdraw nothing" if over else "loses its opening bet"
    sentence = f"seat {seat} has no openers: its hand is dead and it {kept}; the pot plays"
    return ruled(FINDING, Verdict.DEAD_HAND, rule, sentence, seat)


def _nobody_opens(hand: Hand, book: DrawRules, seat: int) -> tuple[Ruling, ...]:
    """All bets go back but the opener's first, which stays with the antes for the next deal."""
    if not hand.streets.planned and not hand.chips.bets:
        redeal.uncollected(hand)
    if hand.setup.tracked:
        first = 0 if hand.streets.planned else hand.openers.opened_for
        hand.chips = replace(
            hand.chips,
            stacks={other: chips + hand.chips.bets.get(other, 0) for other, chips in hand.chips.stacks.items()},
        )
        hand.chips = replace(
            hand.chips,
            stacks={**hand.chips.stacks, seat: hand.chips.stacks[seat] - first},
            dead=hand.chips.dead + first,
        )
    hand.chips = replace(hand.chips, bets={})
    hand.draw = replace(hand.draw, late=NO_STEPS, drawing=())
    hand.plan = NO_STEPS
    hand.openers = replace(hand.openers, passed_out=True, forfeited=True)
    sentence = (
        f"seat {seat} has no openers and nobody else declares the pot open: all bets go back but its first, and those "
        "who were in the hand ante again"
    )
    rulings = (ruled(FINDING, Verdict.VOID_HAND, book.false_openers, sentence, seat),)
    if hand.openers.opened_for or not book.false_all_in.value:
        return rulings
    hand.openers = replace(hand.openers, sits_out=seat)
    sentence = f"seat {seat} loses its ante and gets no hand until the pot has been opened and won"
    return (*rulings, ruled(FINDING, Verdict.DEAD_HAND, book.false_all_in, sentence, seat))


def declared(state: State, step: FloorStep | None, event: Floor) -> tuple[Ruling, ...]:  # noqa: ARG001 (an answer)
    """The floor says who else declares the pot open, or that nobody does; raises `Refused` (`not-so`)."""
    hand = state.hand_in_play
    book, opener = carried_pot.book_of(hand.setup), hand.openers.opener
    assert book is not None
    assert opener is not None
    if event.decide is Decide.VOID:
        return _nobody_opens(hand, book, opener)
    others = _eligible(hand, opener)
    seat = others[0] if event.seat is None and len(others) == 1 else event.seat
    if seat not in others:
        raise Refused("not-so", f"name the `seat` that declares the pot open: {', '.join(map(str, sorted(others)))}.")
    hand.openers = replace(hand.openers, opener=seat, opened_on=hand.cards.piles.at(hand_of(seat)))
    plan_edits.dead_hand(hand, opener)
    sentence = f"seat {seat} declares the pot open; the hand of seat {opener} is dead and its bet stays"
    return (ruled(FINDING, Verdict.DEAD_HAND, book.false_openers, sentence, opener),)

"""What a verdict does to the plan and to the cards: every remedy is a rewriting of the plan.

No remedy has a mode of its own. It inserts steps (marked `ruled`), removes or repeats regular ones, or changes a street
still to come; what it needs done at the table is done when the steps have happened.
"""

from controller.core.irregularities.remedies import redeal, refund
from controller.core.model.hand import Hand
from controller.core.model.state import State
from controller.core.play.betting import betting_round
from controller.core.play.deal import draws, planner, short_stub, start_hand
from controller.core.play.showdown import showdown
from controller.core.protocol.steps import (
    Award,
    Board,
    Burn,
    Cut,
    Deal,
    Draw,
    Move,
    Return,
    Show,
    Shuffle,
    Step,
    Turn,
)
from controller.core.rules.questions.cards.boxed import Scrapped
from controller.core.values.piles import ALL, BOARD, BURN, MUCK, STUB, hand_of
from controller.core.values.value import replace


def deal_again(state: State, button: int | None = None) -> None:
    """A misdeal: all cards back, money as it was before the hand, the same button (or `button`), the deal anew."""
    piles = state.hand_in_play.cards.piles
    start_hand.redeal(state, button)
    hand = state.hand_in_play
    count = sum(not lying.strange for pile in piles.out.values() for lying in pile)
    back = Return("hands", ALL, STUB, count, ruled=True)
    hand.cards = replace(hand.cards, piles=piles)
    hand.plan = hand.plan.first(back, Shuffle(ruled=True), Cut(ruled=True))


def before_the_bet(hand: Hand, *steps: Step) -> None:
    """Steps that are due when the regular cards of this round are dealt, before anybody acts or a later board comes."""
    end = next((step for step in hand.plan if _ends_the_deal(hand, step)), None)
    hand.plan = hand.plan.before(end, *steps)


def _ends_the_deal(hand: Hand, step: Step) -> bool:
    """Whether the cards of the seats are complete before this step: somebody acts, or a later street's board begins."""
    later = isinstance(step, Burn | Board) and step.of > 0 and hand.setup.game.streets[step.of].board
    return isinstance(step, Turn | Draw | Show | Award) or bool(later)


def after_the_round(hand: Hand, *steps: Step, street: int | None = None) -> None:
    """Steps that are due when everybody has the cards of this round, on a draw when all have drawn.

    `street`: the draw that they belong to, else that of the step that is first. Where nobody bets any more the next
    draw may be on the plan already.
    """
    now = hand.plan.now
    drawn = street if street is not None else -1 if now is None else now.of
    following = next((step for step in hand.plan.every(Draw) if step.of > drawn >= 0), None)
    if following is not None:
        hand.plan = hand.plan.replaced(following, *steps, following)
    elif hand.draw.drawing or hand.draw.late:
        hand.draw = replace(hand.draw, late=hand.draw.late.then(*steps))
    else:
        before_the_bet(hand, *steps)


def replaced_as_burn(hand: Hand, seat: int, serial: int) -> bool:
    """After the deal the top card replaces the card, which becomes the burn of the next street.

    It goes to the muck when no burn is due any more; says whether one is.
    """
    again = Deal(seat, "down", "replacement", ruled=True, concerns=seat)
    before_the_bet(hand, again)
    burn = redeal.burn_made(hand)
    to = BURN if burn else MUCK
    away = Return("exposed", hand_of(seat), to, 1, (serial,), ruled=True, concerns=seat)
    hand.plan = hand.plan.replaced(again, again, away)
    return burn


def scrapped(hand: Hand, serial: int, what: str, to: Scrapped, seat: int | None) -> None:
    """A card that does not exist goes out of play, at once; the step that it should have fulfilled comes again.

    Pots that were about to be pushed are found anew with the card that takes its place.
    """
    place = hand.cards.piles.place_of(serial)
    assert place is not None
    if place == BOARD:
        redeal.awards_off(hand)
    hand.plan = hand.plan.first(Return(what, place, to.value, 1, (serial,), ruled=True, concerns=seat))
    short_stub.mend(hand)


def dead_hand(hand: Hand, seat: int, money_back: bool = False, keeping: int | None = None) -> None:
    """A hand is dead: its cards go to the muck by themselves, its wagers stay, or go back where the book returns them.

    `keeping`: what stays of its wagers on this round where the rest goes back. It receives no further cards, and the
    turn passes if it was that seat's.
    """
    if money_back:
        refund.returned(hand, seat)
    if keeping is not None:
        refund.beyond(hand, seat, keeping)
    betting_round.fold(hand, seat)
    hand.betting = replace(hand.betting, killed=hand.betting.killed | {seat})
    draws.without(hand, seat)
    if money_back or keeping is None or hand.setup.tracked:
        refund.unmatched(hand, seat)
    _dropped(hand, seat)
    turn = hand.plan[-1] if hand.plan else None
    own = (step for step in (*hand.plan.every(Deal, Draw), *hand.plan.every(Show)) if step.seat == seat)
    hand.plan = hand.plan.less(*own)
    if isinstance(turn, Turn | Award):
        hand.plan = hand.plan.without(Turn, Award)
    if isinstance(turn, Show | Award):
        named = {part: tuple(other for other in seats if other != seat) for part, seats in hand.showdown.won.items()}
        hand.showdown = replace(hand.showdown, won={part: seats for part, seats in named.items() if seats})
        if len(hand.betting.live) > 1 and not hand.plan.has(Show):
            hand.plan = hand.plan.then(*showdown.award_steps(hand))
    if len(hand.betting.live) == 1:
        hand.plan = hand.plan.instead(*planner.last_one_left(hand))
        return
    planner.extend(hand)


def _dropped(hand: Hand, seat: int) -> None:
    """Steps about a dead hand's cards, which are in the muck now, fall away.

    One that was to be the burn of a street to come is none: that street burns again. A card on its way to the hand goes
    to the muck, too; one that lies there and belongs to another waits at the seat to be moved.
    """
    here = hand_of(seat)
    away = tuple(step for step in hand.plan.every(Return) if step.source == here)
    coming = tuple(step for step in hand.plan.every(Move) if step.to == here)
    for step in coming:
        piles = hand.cards.piles.moved(frozenset(step.cards), step.source, MUCK, up=False)
        hand.cards = replace(hand.cards, piles=piles)
    hand.plan = hand.plan.less(*away, *coming)
    for step in hand.plan.every(Move):
        if step.source == here:
            hand.cards = replace(hand.cards, piles=hand.cards.piles.moved(frozenset(step.cards), MUCK, here))
    for _ in range(sum(step.count for step in away if step.to == BURN)):
        redeal.burn_unmade(hand)

"""Cards exposed before the draw in lowball, and on the draw."""

from controller.core import draws, remedies
from controller.core.errors import Refused
from controller.core.events import Report
from controller.core.findings.forms import table_of
from controller.core.findings.subject import Subject
from controller.core.games import Ranking
from controller.core.outcome import Ruling, Verdict
from controller.core.piles import MUCK
from controller.core.policies.must_take import MustTake
from controller.core.rules.draw import OnTheDraw
from controller.core.rules.rule import Rule
from controller.core.rulings import ruled
from controller.core.setup import Structure
from controller.core.state import Hand
from controller.core.steps import Deal, Return


def on_the_draw(hand: Hand, found: Subject) -> bool:
    """Whether the card was dealt in a draw."""
    return bool(hand.draws) and found.seat is not None and found.lying.serial > hand.draws[0].left


def exposed_on_draw(hand: Hand, event: Report, found: Subject) -> Ruling:
    """A new card was exposed: it is used, or replaced when all have drawn."""
    book, seat, finding = draws.book_of(hand), found.seat, event.what.value
    assert seat is not None
    round_ = hand.round
    if round_ is not None and round_.street == hand.planned and round_.acted:
        rule = hand.setup.rulebook.misdeal.window
        return ruled(finding, Verdict.MUST_KEEP, rule, "the betting has gone on: the hand is played as it is", seat)
    if book.exposed.value is OnTheDraw.KEPT:
        return ruled(finding, Verdict.MUST_KEEP, book.exposed, "on the draw the card is used in sequence", seat)
    serial = found.lying.serial
    hand.piles = hand.piles.known(serial, found.lying.card, up=True)
    steps = (
        Deal(seat, "down", "replacement", ruled=True, concerns=seat),
        Return("exposed", found.place, MUCK, 1, (serial,), ruled=True, concerns=seat),
    )
    if hand.drawing or hand.late:
        hand.late = (*hand.late, *steps)
    else:
        remedies.before_the_bet(hand, *steps)
    sentence = f"seat {seat} may not take the card: when all have drawn, the top card replaces it"
    return ruled(finding, Verdict.REPLACE, book.exposed, sentence, seat)


def taken_by_rank(hand: Hand, event: Report, found: Subject) -> tuple[bool, Rule[MustTake]]:
    """Whether the player must take an exposed card, and by which rule; the game's low and its limit decide."""
    book = table_of(hand.setup, hand.setup.rulebook.lowball)
    big_bet = hand.setup.betting.structure in (Structure.NO_LIMIT, Structure.POT_LIMIT)
    if Ranking.LOW_27 in hand.setup.game.rankings:
        rule = book.take_27_big_bet if big_bet else book.take_27_limit
    else:
        rule = book.take_a5_big_bet if big_bet else book.take_a5_limit
    card = found.lying.card or event.card
    if card is None:
        raise Refused("card-unread", "nothing read the exposed card, and its rank decides: name it as `card`.")
    if found.lying.card is None:
        hand.piles = hand.piles.known(found.lying.serial, card)
    return rule.value(card), rule

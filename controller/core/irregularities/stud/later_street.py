"""Cards of a later stud street that went to the wrong place, or to none.

No misdeal can be called any more, but open cards show where they belong: as long as nobody has acted on the street (AU:
no two players) they are brought to their proper places, as after a wrong burn [R7-8.stud.13, HR-stud.12], or as cards
out of order always are [AU-19.1(c)]. A last downcard is the player's who has looked at it.
"""

from dataclasses import replace
from typing import Any

from controller.core.irregularities.common import unexpected_card
from controller.core.irregularities.common.dealt_street_cards import acted_on
from controller.core.irregularities.common.rules_for_game import table_of
from controller.core.irregularities.remedies import plan_edits
from controller.core.model.hand import Hand
from controller.core.play.deal.planner import dealing_order
from controller.core.protocol.events import Report
from controller.core.protocol.steps import Deal, Move, Return, Step
from controller.core.rules.questions.rule import Rule
from controller.core.rules.questions.sequence import Repair
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.piles import MUCK, STUB, hand_of


def sent_wrong(hand: Hand, serial: int, at: int, finding: str) -> tuple[Ruling, ...]:
    """The last card lies at the seat `at` and not where the plan sent it."""
    step = hand.last[1] if hand.last is not None and hand.last[0] == serial else None
    if not _being_dealt(hand) or not isinstance(step, Deal) or step.of != hand.planned:
        return ()
    if hand.piles.place_of(serial) != hand_of(step.seat):
        return ()  # its player has folded since: the card is in the muck
    if step.face == "down" and at in hand.looked:
        return _accepted(hand, serial, step, at, finding)
    hand.piles = hand.piles.moved(frozenset((serial,)), hand_of(step.seat), hand_of(at))
    plan_edits.first(hand, _move(serial, at, step.seat))
    return (_corrected(hand, finding, f"the card at seat {at} belongs to seat {step.seat}: move it there", step.seat),)


def _accepted(hand: Hand, serial: int, step: Deal, at: int, finding: str) -> tuple[Ruling, ...]:
    """A last downcard that its holder has looked at is that player's; the one still to come goes to the other seat."""
    place = next((i for i, due in enumerate(hand.plan) if isinstance(due, Deal) and _is_for(due, at, step.of)), None)
    if place is None:
        return ()
    hand.piles = hand.piles.moved(frozenset((serial,)), hand_of(step.seat), hand_of(at))
    hand.plan = (*hand.plan[:place], step, *hand.plan[place + 1 :])
    rule = _clause(hand)
    sentence = f"seat {at} has looked at the card and must accept it; its own goes to seat {step.seat}"
    return (ruled(finding, Verdict.MUST_KEEP, rule, sentence, at),)


def _is_for(step: Deal, seat: int, street: int) -> bool:
    return step.seat == seat and step.of == street


def passed_over(hand: Hand, seat: int, finding: str) -> tuple[Ruling, ...]:
    """A seat got no card of the street in its turn: those dealt since lie one seat on, each is moved back.

    Where all the street's cards are out, the last of them went to that seat.
    """
    order = _order(hand)
    dealt = _of_the_street(hand, order)
    if not _being_dealt(hand) or seat not in order or not dealt or len(dealt) > len(order):
        return ()
    lies = dict(zip(order, (*order[1:], seat), strict=True))
    wrong = tuple((serial, seat_) for serial, seat_ in dealt.items() if order.index(seat_) >= order.index(seat))
    if any(lies[belongs] == belongs or (lies[belongs] in hand.looked and not _up(hand, n)) for n, belongs in wrong):
        return ()
    moves: list[Step] = []
    for serial, belongs in wrong:
        hand.piles = hand.piles.moved(frozenset((serial,)), hand_of(belongs), hand_of(lies[belongs]))
        moves.append(_move(serial, lies[belongs], belongs))
    plan_edits.first(hand, *moves)
    return (_corrected(hand, finding, f"seat {seat} was passed over: move the cards to where they belong", seat),)


def missed(hand: Hand, seat: int, finding: str) -> tuple[Ruling, ...]:
    """The last card was counted for the seat and never left the stub, or is due to it now: it is dealt."""
    due = hand.plan[0] if hand.plan else None
    if not _being_dealt(hand) or hand.undue or hand.last is None:
        return ()
    serial, step = hand.last
    if isinstance(due, Deal) and due.seat == seat and due.of == hand.planned:
        hand.plan = (_missing(seat, due), *hand.plan[1:])
    elif isinstance(step, Deal) and step.of == hand.planned and hand.piles.place_of(serial) == hand_of(seat):
        hand.piles = hand.piles.moved(frozenset((serial,)), hand_of(seat), STUB)
        hand.last = None
        plan_edits.first(hand, _missing(seat, step))
    else:
        return ()
    return (_corrected(hand, finding, f"the top card is the one that seat {seat} missed", seat),)


def too_many(hand: Hand, event: Report, seat: int, count: int) -> tuple[Ruling, ...]:
    """Cards that were not due lie at the seat: they go back on the stub, the last one first."""
    serials = hand.undue[-count:]
    if not _being_dealt(hand) or len(serials) != count:
        return ()
    unexpected_card.placed(hand, serials, hand_of(seat) if seat in hand.live else MUCK, up=False)
    source = hand_of(seat) if seat in hand.live else MUCK
    back = (Return("extra", source, STUB, 1, (serial,), ruled=True, concerns=seat) for serial in serials[::-1])
    plan_edits.first(hand, *back)
    return (_corrected(hand, event.what.value, f"{count} extra card(s) of seat {seat} go back on the stub", seat),)


def _being_dealt(hand: Hand) -> bool:
    """Whether a later street's cards come singly and so few have acted on it that the book puts them right."""
    if not hand.setup.game.deals_singly or not hand.planned:
        return False
    return acted_on(hand, hand.planned) < table_of(hand.setup, hand.setup.rulebook.burns).stands_after.value


def _order(hand: Hand) -> tuple[int, ...]:
    """The seats that the street deals a card to, but for those that had theirs already."""
    return tuple(seat for seat in dealing_order(hand) if seat not in hand.served.get(hand.planned, ()))


def _of_the_street(hand: Hand, order: tuple[int, ...]) -> dict[int, int]:
    """Number -> seat of the street's cards that lie where the plan sent them, in that order."""
    due = sum(isinstance(step, Deal) and step.of == hand.planned for step in hand.plan)
    away = {serial for step in hand.plan if isinstance(step, Return) for serial in step.cards}
    held = sorted(
        (lying.serial, seat) for seat in order for lying in hand.piles.at(hand_of(seat)) if lying.serial not in away
    )
    return dict(held[len(held) - len(order) + due :])


def _up(hand: Hand, serial: int) -> bool:
    return hand.piles.card(serial).up


def _move(serial: int, source: int, to: int) -> Move:
    return Move(hand_of(source), hand_of(to), "card", 1, (serial,), ruled=True, concerns=to)


def _missing(seat: int, step: Deal) -> Deal:
    return Deal(seat, step.face, "missing", ruled=True, concerns=seat, of=step.of)


def _corrected(hand: Hand, finding: str, sentence: str, seat: int) -> Ruling:
    return ruled(finding, Verdict.CORRECT, _clause(hand), sentence, seat)


def _clause(hand: Hand) -> Rule[Any]:
    """The clause of cards out of order where the book has them put right in every round, else that of a wrong burn."""
    order = table_of(hand.setup, hand.setup.rulebook.sequence).repair_order
    burns = table_of(hand.setup, hand.setup.rulebook.burns).put_right
    return replace(order, cite=(*order.cite, *burns.cite)) if order.value is Repair.IF_TOLD_APART else burns

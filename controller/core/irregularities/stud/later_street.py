"""Cards of a later stud street that went to the wrong place, or to none.

No misdeal can be called any more, but open cards show where they belong: as long as nobody has acted on the street (AU:
no two players) they are brought to their proper places, as after a wrong burn [R7-8.stud.13, HR-stud.12], or as cards
out of order always are [AU-19.1(c)]. A last downcard is the player's who has looked at it.
"""

from collections.abc import Callable

from controller.core.irregularities.common import unexpected_card
from controller.core.irregularities.common.dealt_street_cards import acted_on
from controller.core.irregularities.common.rules_for_game import table_of
from controller.core.model.hand import Hand
from controller.core.play.deal.planner import dealing_order
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Report
from controller.core.protocol.steps import Deal, Move, Return, Step
from controller.core.rules.questions.irregularities.sequence import Repair
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.piles import MUCK, STUB, hand_of, seat_of
from controller.core.values.value import replace


def sent_wrong(hand: Hand, serial: int, at: int, finding: str) -> tuple[Ruling, ...]:
    """A card of the street, the last one mostly, lies at the seat `at` and not where the plan sent it.

    Raises `Refused` (`already-ruled`).
    """
    dealt = _of_the_street(hand, _order(hand))
    if not _being_dealt(hand) or dealt.get(serial, at) == at:
        return ()
    return _brought(hand, dealt | {serial: at}, finding, dealt[serial])


def passed_over(hand: Hand, seat: int, finding: str) -> tuple[Ruling, ...]:
    """A seat got no card of the street in its turn: those dealt since lie one seat on, each is moved back.

    Where all the street's cards are out, the last of them went round to the first seat that was passed over.

    Raises `Refused` (`no-card`, `already-ruled`).
    """
    order = _order(hand)
    dealt = _of_the_street(hand, order)
    if not _being_dealt(hand) or seat not in order or seat not in dealt.values():
        return ()
    if hand.cards.undue:
        raise Refused("no-card", "a card more than the street has left the shoe: say `not-entitled` or `extra-card`.")
    place = order.index(seat)
    ring = (*order[place + 1 :], seat if place + 1 < len(order) else order[0])
    on = dict(zip(order[place:], ring, strict=True))
    return _brought(hand, {serial: on.get(at, at) for serial, at in dealt.items()}, finding, seat)


def twice_in_a_row(hand: Hand, seat: int, finding: str) -> tuple[Ruling, ...]:
    """The seat got the next seat's card after its own: those dealt since lie one seat short, one too many goes back.

    Raises `Refused` (`already-ruled`).
    """
    order = _order(hand)
    if not _being_dealt(hand) or seat not in order:
        return ()
    return _one_seat_short(hand, order[order.index(seat) + 1 :], seat, finding)


def came_to_a_stranger(hand: Hand, at: int, finding: str) -> tuple[Ruling, ...]:
    """A chair without a hand got a card in passing: it lies there, and those dealt since lie one seat short.

    It is the last card when the dealer has just come past that chair, or has not come there yet.

    Raises `Refused` (`already-ruled`).
    """
    order = _order(hand)
    if not _being_dealt(hand) or not order or at in dealing_order(hand):
        return ()
    return _one_seat_short(hand, tuple(seat for seat in order if seat > at), at, finding)


def _one_seat_short(hand: Hand, behind: tuple[int, ...], at: int, finding: str) -> tuple[Ruling, ...]:
    """The first card of the seats `behind` lies at `at`, each later one at the seat before its own.

    A card that was not due then lies at the last seat of the street and goes back on the stub.
    """
    order = _order(hand)
    dealt = _of_the_street(hand, order)
    astray = [serial for serial, seat in dealt.items() if seat in behind]
    if not astray and not hand.cards.undue:
        astray = list(dealt)[-1:]
    if not astray:
        return ()
    lies = dealt | dict(zip(astray, (at, *(dealt[serial] for serial in astray[:-1])), strict=True))
    last = dealt[astray[-1]]
    surplus = hand.cards.undue
    rulings = _brought(hand, lies, finding, dealt[astray[0]])
    if rulings and surplus:
        unexpected_card.placed(hand, surplus, hand_of(last), up=False)
        back = (Return("extra", hand_of(last), STUB, 1, (n,), ruled=True, concerns=last) for n in surplus[::-1])
        hand.plan = hand.plan.first(*back)
    return rulings


def _brought(hand: Hand, lies: dict[int, int], finding: str, seat: int) -> tuple[Ruling, ...]:
    """The street's cards lie so (number -> seat): each is moved to where it belongs.

    A last downcard whose player has looked is that player's; the others then belong, in their order, to the others.
    """
    order = _order(hand)
    regular = _of_the_street(hand, order)
    kept = {n: at for n, at in lies.items() if at in hand.cards.looked and at in order and not _up(hand, n)}
    kept = {n: at for place, (n, at) in enumerate(kept.items()) if at not in list(kept.values())[:place]}
    others = iter(other for other in order if other not in kept.values())
    belongs = {n: kept[n] if n in kept else next(others) for n in lies}
    moves: list[Step] = []
    for serial, at in lies.items():
        if at != regular[serial]:
            hand.cards = replace(
                hand.cards, piles=hand.cards.piles.moved(frozenset((serial,)), hand_of(regular[serial]), hand_of(at))
            )
        if at != belongs[serial]:
            moves.append(_move(serial, at, belongs[serial]))
    _still_due(hand, tuple(others))
    hand.plan = hand.plan.first(*moves)
    accepted = next((at for n, at in kept.items() if at != regular[n]), None)
    if accepted is None:
        return (
            _corrected(hand, finding, f"cards lie wrong: move each to where it belongs, seat {seat} gets its", seat),
        )
    sentence = f"seat {accepted} has looked at the card and must accept it; the others get theirs in order"
    return (ruled(finding, Verdict.MUST_KEEP, _clause(hand), sentence, accepted),)


def _still_due(hand: Hand, seats: tuple[int, ...]) -> None:
    """The cards of the street that are still to come are for these seats."""
    steps = _still_to_come(hand)
    if tuple(step.seat for step in steps) == seats:
        return
    face = hand.setup.game.streets[hand.streets.planned].deal[0]
    deals = tuple(Deal(seat, face, of=hand.streets.planned) for seat in seats)
    first = steps[0] if steps else hand.plan.now
    hand.plan = hand.plan.before(first, *deals).less(*steps)


def _still_to_come(hand: Hand) -> tuple[Deal, ...]:
    """The cards of the street that have not been dealt."""
    return tuple(deal for deal in hand.plan.every(Deal) if deal.of == hand.streets.planned)


def missed(hand: Hand, seat: int, finding: str) -> tuple[Ruling, ...]:
    """The seat has no card of the street: it is due now, or went to the next seat, as where it was passed over.

    Raises `Refused` (`already-ruled`).
    """
    due = hand.plan.due(Deal)
    if not _being_dealt(hand) or hand.cards.undue or hand.cards.last is None:
        return ()
    if due and due.seat == seat and due.of == hand.streets.planned:
        hand.plan = hand.plan.done().first(_missing(seat, due))
        return (_corrected(hand, finding, f"the top card is the one that seat {seat} missed", seat),)
    return passed_over(hand, seat, finding)


def too_many(hand: Hand, event: Report, seat: int, count: int) -> tuple[Ruling, ...]:
    """Cards too many lie at the seat: those not due go back on the stub, the last first; the last one due is moved.

    With `nth` the seat got two in a row, and the second of them is that card of its hand.

    Raises `Refused` (`already-ruled`).
    """
    if seat not in dealing_order(hand):
        return came_to_a_stranger(hand, seat, event.what.value)
    if event.nth is not None and count == 1:
        return twice_in_a_row(hand, seat, event.what.value)
    if not hand.cards.undue and count == 1:
        return _last_of_the_street(hand, seat, event.what.value)
    serials = hand.cards.undue[-count:]
    if not _being_dealt(hand) or len(serials) != count:
        return ()
    unexpected_card.placed(hand, serials, hand_of(seat) if seat in hand.betting.live else MUCK, up=False)
    source = hand_of(seat) if seat in hand.betting.live else MUCK
    back = (Return("extra", source, STUB, 1, (serial,), ruled=True, concerns=seat) for serial in serials[::-1])
    hand.plan = hand.plan.first(*back)
    return (_corrected(hand, event.what.value, f"what seat {seat} got too many ({count}) goes back on the stub", seat),)


def _last_of_the_street(hand: Hand, seat: int, finding: str) -> tuple[Ruling, ...]:
    """The last card came to the seat after its own; where it was for that seat, the one before it did."""
    dealt = _of_the_street(hand, _order(hand))
    serial = next((n for n, at in reversed(dealt.items()) if at != seat), None)
    return () if serial is None else sent_wrong(hand, serial, seat, finding)


def stands(hand: Hand, said: Callable[[], tuple[Ruling, ...]]) -> bool:
    """The street's cards stand where a finding says that they lie, and its seats without one get theirs.

    `said` rules on the finding; false where it does not speak of this street.
    """
    if not hand.setup.game.deals_singly or not hand.streets.planned:
        return False
    order = _order(hand)
    serials = (*_of_the_street(hand, order), *hand.cards.undue)
    face, ruled_before = hand.setup.game.streets[hand.streets.planned].deal[0], set(map(id, hand.plan))
    if not said():
        return False
    hand.plan = hand.plan.less(*(step for step in hand.plan.every(Move, Return) if id(step) not in ruled_before))
    for serial in serials:
        at = seat_of(hand.cards.piles.place_of(serial) or "")
        if at is not None:
            to = hand_of(at) if at in dealing_order(hand) else MUCK
            hand.cards = replace(hand.cards, piles=hand.cards.piles.sent((serial,), to, up=face == "up" and to != MUCK))
    held = {hand.cards.piles.place_of(serial) for serial in serials}
    _still_due(hand, tuple(seat for seat in order if hand_of(seat) not in held))
    hand.cards = replace(hand.cards, last=None)
    return True


def _being_dealt(hand: Hand) -> bool:
    """Whether a later street's cards come singly and so few have acted on it that the book puts them right."""
    if not hand.setup.game.deals_singly or not hand.streets.planned:
        return False
    if any(move.what == "card" for move in hand.plan.every(Move)):
        raise Refused("already-ruled", "cards of this street are to be moved; carry out the steps first.")
    return acted_on(hand, hand.streets.planned) < table_of(hand.setup, hand.setup.rulebook.burns).stands_after.value


def _order(hand: Hand) -> tuple[int, ...]:
    """The seats that the street deals a card to, but for those that had theirs already."""
    return tuple(seat for seat in dealing_order(hand) if seat not in hand.stud.served.get(hand.streets.planned, ()))


def _of_the_street(hand: Hand, order: tuple[int, ...]) -> dict[int, int]:
    """Number -> seat of the street's cards that lie where the plan sent them, in that order."""
    due = len(_still_to_come(hand))
    away = {serial for step in hand.plan.every(Return) for serial in step.cards}
    held = sorted(
        (lying.serial, seat)
        for seat in order
        for lying in hand.cards.piles.at(hand_of(seat))
        if lying.serial not in away
    )
    return dict(held[len(held) - len(order) + due :])


def _up(hand: Hand, serial: int) -> bool:
    return hand.cards.piles.card(serial).up


def _move(serial: int, source: int, to: int) -> Move:
    return Move(hand_of(source), hand_of(to), "card", 1, (serial,), ruled=True, concerns=to)


def _missing(seat: int, step: Deal) -> Deal:
    return Deal(seat, step.face, "missing", ruled=True, concerns=seat, of=step.of)


def _corrected(hand: Hand, finding: str, sentence: str, seat: int) -> Ruling:
    return ruled(finding, Verdict.CORRECT, _clause(hand), sentence, seat)


def _clause(hand: Hand) -> Rule[object]:
    """The clause of cards out of order where the book has them put right in every round, else that of a wrong burn."""
    order = table_of(hand.setup, hand.setup.rulebook.sequence).repair_order
    burns = table_of(hand.setup, hand.setup.rulebook.burns).put_right
    return replace(order, cite=(*order.cite, *burns.cite)) if order.value is Repair.IF_TOLD_APART else burns

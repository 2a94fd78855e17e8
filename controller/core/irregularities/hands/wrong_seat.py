"""Cards went to the wrong place: another seat, past a seat, to a seat that should have had none."""

from controller.core.irregularities.common import unexpected_card
from controller.core.irregularities.common.misdeal_window import closed, looked
from controller.core.irregularities.common.rules_for_game import table_of
from controller.core.irregularities.common.subject import gathered, subject
from controller.core.irregularities.common.wrong_card_count import fouled
from controller.core.irregularities.draw import exposed_on_draw
from controller.core.irregularities.hands.wrong_count import seat_named
from controller.core.irregularities.remedies import plan_edits, scrapped_cards
from controller.core.irregularities.stud import later_street
from controller.core.model.hand import Hand
from controller.core.model.state import State
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Report
from controller.core.protocol.steps import Deal, Move, Return
from controller.core.protocol.vocabulary import What
from controller.core.rules.questions.irregularities.sequence import Repair, SequenceRules
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.piles import MUCK, STUB, Lying, hand_of, seat_of
from controller.core.values.seat_order import after, rotated
from controller.core.values.value import replace


def wrong_seat(state: State, event: Report) -> tuple[Ruling, ...]:
    """The last card went to another seat than the plan sent it to.

    Raises `Refused` (`key-missing`, `no-card`, `already-ruled`, `no-such-seat`, `right-seat`).
    """
    hand = state.hand_in_play
    if event.seat is None:
        raise Refused("key-missing", "`wrong-seat` needs the `seat` that the last card went to.")
    serial, seat = _in_question(hand, event)
    if hand.cards.piles.place_of(serial) != hand_of(seat) or scrapped_cards.taken_away(hand, serial):
        raise Refused("already-ruled", "that card has been ruled on already; carry out the steps.")
    if not 1 <= event.seat <= state.setup.places:
        raise Refused("no-such-seat", f"this table has seats 1 to {state.setup.places}, not {event.seat}.")
    if event.seat == seat:
        raise Refused("right-seat", f"seat {seat} is where that card belongs; `seat` is where it went instead.")
    drawn = exposed_on_draw.out_of_sequence(state, event, serial, event.seat)
    return drawn or misplaced(state, serial, event.seat)


def stands(hand: Hand, event: Report) -> None:
    """The floor lets the card stand where it went: the seat that it was for gets the next one of that seat's.

    On a later street, or a draw, it gets the next card off the stub.

    Raises `Refused` (`place-unknown`) where no card is to come for the seat that got it.
    """
    serial, seat = _in_question(hand, event)
    at = event.seat or 0
    if later_street.stands(hand, lambda: later_street.sent_wrong(hand, serial, at, event.what.value)):
        return
    if exposed_on_draw.went_stands(hand, event, serial, at):
        return
    comes = next((step for step in hand.plan.every(Deal) if step.seat == event.seat and not step.ruled), None)
    if comes is None or event.seat is None:
        raise Refused(
            "place-unknown", f"no card is to come for seat {event.seat}: seat {seat} would be one short; say who moves."
        )
    up = hand.cards.piles.card(serial).up
    hand.cards = replace(
        hand.cards,
        piles=hand.cards.piles.moved(frozenset((serial,)), hand_of(seat), hand_of(event.seat), up),
        last=None,
    )
    hand.plan = hand.plan.replaced(comes, replace(comes, seat=seat))


def _in_question(hand: Hand, event: Report) -> tuple[int, int]:
    """The card that went wrong and the seat it was for: the last one dealt, or the one that `from` and `nth` name."""
    if event.came_from is not None:
        named = subject(hand, replace(event, seat=event.came_from))
        return named.lying.serial, event.came_from
    serial, step = hand.cards.last or (0, None)
    if serial != hand.cards.piles.left or not isinstance(step, Deal):
        raise Refused(
            "no-card",
            "`wrong-seat` speaks of the last card dealt to a seat; the last one was not. Name an earlier one by "
            "`from`, the seat it was for, and `nth`.",
        )
    return serial, step.seat


def misplaced(state: State, serial: int, at: int) -> tuple[Ruling, ...]:
    """The card with this number, which the plan sent to a seat, lies at the seat `at`."""
    hand = state.hand_in_play
    place = hand.cards.piles.place_of(serial)
    assert place is not None
    belongs = seat_of(place)
    assert belongs is not None
    book = table_of(hand.setup, hand.setup.rulebook.sequence)
    finding = What.WRONG_SEAT.value
    told_apart = not looked(hand, at)
    corrected = later_street.sent_wrong(hand, serial, at, finding)
    if corrected:
        return corrected
    if closed(hand):
        entitled = tuple(seat for seat in (at, belongs) if seat in hand.order)
        hand.cards = replace(
            hand.cards,
            piles=hand.cards.piles.moved(frozenset((serial,)), place, hand_of(at) if at in hand.betting.live else MUCK),
        )
        return _both_fouled(state, finding, entitled)
    if told_apart and may_repair(hand, book.repair_order):
        hand.cards = replace(hand.cards, piles=hand.cards.piles.moved(frozenset((serial,)), place, hand_of(at)))
        hand.plan = hand.plan.first(_moved(serial, at, belongs))
        sentence = f"the card at seat {at} belongs to seat {belongs}: move it and deal on"
        return (ruled(finding, Verdict.CORRECT, book.repair_order, sentence, belongs),)
    rule = book.first_card if scrapped_cards.number(hand, serial) == 1 else book.out_of_order
    if at not in hand.order:
        rule = replace(rule, cite=(*rule.cite, *book.not_entitled.cite))
    plan_edits.deal_again(state)
    sentence = f"a card for seat {belongs} went to seat {at}: misdeal"
    return (ruled(finding, Verdict.MISDEAL, rule, sentence, belongs),)


def _both_fouled(state: State, finding: str, seats: tuple[int, ...]) -> tuple[Ruling, ...]:
    """Too late for a misdeal: one hand has a card too many, the other one too few."""
    hand = state.hand
    rulings = []
    for seat in seats:
        if state.hand is hand:
            rulings.append(fouled(state, finding, seat))
    return tuple(rulings)


def may_repair(hand: Hand, rule: Rule[Repair]) -> bool:
    """Whether the book lets cards be moved, as far as it asks who has looked at any."""
    if rule.value is Repair.IF_UNSEEN:
        return not hand.cards.looked and not hand.betting.acted
    return rule.value is Repair.IF_TOLD_APART


def _moved(serial: int, source: int, to: int) -> Move:
    return Move(hand_of(source), hand_of(to), "card", 1, (serial,), ruled=True, concerns=to)


def skipped(state: State, event: Report) -> tuple[Ruling, ...]:
    """A player entitled to a hand got no cards; raises `Refused` (`not-entitled`)."""
    hand = state.hand_in_play
    if event.seat is not None and event.seat in state.seating.chairs and event.seat not in hand.order:
        raise Refused(
            "not-entitled", f"seat {event.seat} is not entitled to a hand: it is away or waits for its blind."
        )
    seat = seat_named(hand, event)
    book = table_of(hand.setup, hand.setup.rulebook.sequence)
    others = tuple(other for other in hand.order if other != seat)
    finding = event.what.value
    corrected = later_street.passed_over(hand, seat, finding) or exposed_on_draw.skipped(hand, event, seat)
    if corrected:
        return corrected
    if closed(hand):
        return (fouled(state, finding, seat),)
    if may_repair(hand, book.repair_hands) and (_shifted(hand, others) or _last_at_the_next(hand, book, seat)):
        sentence = f"seat {seat} was passed over: move the cards on to where they belong and deal on"
        return (ruled(finding, Verdict.CORRECT, book.repair_hands, sentence, seat),)
    plan_edits.deal_again(state)
    return (ruled(finding, Verdict.MISDEAL, book.skipped, f"seat {seat} was dealt out: misdeal", seat),)


def _last_at_the_next(hand: Hand, book: SequenceRules, seat: int) -> bool:
    """The card of the seat that was passed over is the last one dealt and lies on those of the next seat: move it."""
    serial, step = hand.cards.last or (0, None)
    if not isinstance(step, Deal) or step.seat != seat or serial != hand.cards.piles.left or hand.cards.undue:
        return False
    if book.repair_hands.value is not Repair.IF_TOLD_APART:
        return False
    at = rotated(hand.order, seat)[0]
    if at == seat or looked(hand, at) or hand.cards.piles.place_of(serial) != hand_of(seat):
        return False
    hand.cards = replace(hand.cards, piles=hand.cards.piles.moved(frozenset((serial,)), hand_of(seat), hand_of(at)))
    hand.plan = hand.plan.first(_moved(serial, at, seat))
    return True


def not_entitled(state: State, event: Report) -> tuple[Ruling, ...]:
    """An empty chair, or a player not entitled to a hand, got cards.

    Raises `Refused` (`key-missing`, `no-such-seat`, `no-card`, `entitled`).
    """
    hand = state.hand_in_play
    seat, finding = event.seat, event.what.value
    if seat is None:
        raise Refused("key-missing", "`not-entitled` needs the `seat` that got cards.")
    if not 1 <= seat <= state.setup.places:
        raise Refused("no-such-seat", f"this table has seats 1 to {state.setup.places}, not {seat}.")
    if not hand.cards.piles.left or (gathered(hand) and not hand.cards.undue):
        raise Refused("no-card", "`not-entitled` speaks of cards that were dealt; in this deal none has been.")
    corrected = later_street.came_to_a_stranger(hand, seat, finding)
    if corrected:
        return corrected
    if seat in hand.order:
        raise Refused(
            "entitled", f"seat {seat} is entitled to its hand, by all that the table was told before the deal."
        )
    serial = hand.cards.piles.left
    corrected = () if hand.cards.undue else exposed_on_draw.out_of_sequence(state, event, serial, seat)
    if corrected:
        return corrected
    book = table_of(hand.setup, hand.setup.rulebook.sequence)
    spare = hand.cards.undue[-hand.setup.game.hand_size :]
    if closed(hand):
        unexpected_card.placed(hand, spare, MUCK, up=False)
        window = hand.setup.rulebook.misdeal.window
        return (ruled(finding, Verdict.PLAY_ON, window, f"too late: the cards of seat {seat} are dead, play on", seat),)
    if may_repair(hand, book.repair_hands) and _put_right(hand, seat, spare):
        sentence = f"seat {seat} gets no hand: put its cards right and deal on"
        return (ruled(finding, Verdict.CORRECT, book.repair_hands, sentence, seat),)
    plan_edits.deal_again(state)
    return (
        ruled(finding, Verdict.MISDEAL, book.not_entitled, f"seat {seat} got cards without a right: misdeal", seat),
    )


def round_stands(hand: Hand, event: Report) -> None:
    """The floor lets stand whom the cards came to: a stranger's are dead, and who lacks cards gets them."""
    seat, finding = event.seat, event.what.value
    assert seat is not None
    others = tuple(other for other in hand.order if other != seat)
    ring = others if event.what is What.SKIPPED else after((*hand.order, seat), hand.positions.button or 0)
    said = later_street.passed_over if event.what is What.SKIPPED else later_street.came_to_a_stranger
    if later_street.stands(hand, lambda: said(hand, seat, finding)):
        return
    if hand.cards.undue:
        unexpected_card.placed(hand, hand.cards.undue, MUCK, up=False)
    elif not hand.streets.planned and not hand.betting.acted:
        _went_round(hand, ring)


def _went_round(hand: Hand, ring: tuple[int, ...]) -> None:
    """The cards of the deal came to these seats in turn; then the deal goes on until every hand is complete."""
    dealt = sorted(lying.serial for seat in hand.order for lying in hand.cards.piles.at(hand_of(seat)))
    for nth, serial in enumerate(dealt):
        at = ring[nth % len(ring)]
        place = hand_of(at) if at in hand.order else MUCK
        hand.cards = replace(hand.cards, piles=hand.cards.piles.sent((serial,), place), last=None)
    missing = (
        Deal(seat, face, of=0)
        for nth, face in enumerate(hand.setup.game.streets[0].deal)
        for seat in hand.order
        if nth >= len(hand.cards.piles.at(hand_of(seat)))
    )
    own = (step for step in hand.plan.every(Deal) if not step.of and not step.ruled)
    hand.plan = hand.plan.less(*own).first(*missing)


def _put_right(hand: Hand, seat: int, spare: tuple[int, ...]) -> bool:
    """The extra hand goes back, or the cards move on round the table, or the one that has just been dealt is moved."""
    ring = after((*hand.order, seat), hand.positions.button or 0)
    if _taken_back(hand, seat, spare) or _shifted(hand, ring):
        return True
    return _last_moved(hand, seat)


def _last_moved(hand: Hand, at: int) -> bool:
    """The last card, dealt in the first round, lies at the seat `at`: move it to where it belongs."""
    serial, step = hand.cards.last or (0, None)
    if (
        not isinstance(step, Deal)
        or serial != hand.cards.piles.left
        or not hand.plan.due(Deal)
        or serial > len(hand.order)
    ):
        return False
    if hand.cards.piles.place_of(serial) != hand_of(step.seat):
        return False
    hand.cards = replace(
        hand.cards, piles=hand.cards.piles.moved(frozenset((serial,)), hand_of(step.seat), hand_of(at))
    )
    hand.plan = hand.plan.first(_moved(serial, at, step.seat))
    return True


def _taken_back(hand: Hand, seat: int, spare: tuple[int, ...]) -> bool:
    """The cards that were not due are the extra hand: they go back on the stub, the last one first."""
    if not spare:
        return False
    unexpected_card.placed(hand, spare, hand_of(seat), up=False)
    steps = (Return("extra", hand_of(seat), STUB, 1, (serial,), ruled=True, concerns=seat) for serial in spare[::-1])
    hand.plan = hand.plan.first(*steps)
    return True


def _shifted(hand: Hand, ring: tuple[int, ...]) -> bool:
    """The cards went round `ring` in place of the hand's order: move each to where it belongs, if no two lie together.

    Two cards that lie on one another can no longer be told apart, so that each goes where no card waits to be moved.
    False when nothing can be done, or nothing is wrong.
    """
    cards: list[tuple[Lying, int]] = sorted(
        ((lying, seat) for seat in hand.order for lying in hand.cards.piles.at(hand_of(seat))),
        key=lambda pair: pair[0].serial,
    )
    size = len(hand.order)
    regular = all(seat == hand.order[index % size] for index, (_, seat) in enumerate(cards))
    if not cards or len(cards) > len(ring) or not regular or not hand.plan.due(Deal):
        return False
    moves = []
    for index, (lying, belongs) in enumerate(cards):
        if ring[index] != belongs:
            hand.cards = replace(
                hand.cards,
                piles=hand.cards.piles.moved(frozenset((lying.serial,)), hand_of(belongs), hand_of(ring[index])),
            )
            moves.append(_moved(lying.serial, ring[index], belongs))
    hand.plan = hand.plan.first(*(moves if len(ring) < size else reversed(moves)))
    return bool(moves)

"""Cards of a later stud street that went to the wrong place, or to none.

No misdeal can be called any more, but open cards show where they belong: as long as nobody has acted on the street (AU:
no two players) they are brought to their proper places, as after a wrong burn [R7-8.stud.13, HR-stud.12], or as cards
out of order always are [AU-19.1(c)]. A last downcard is the player's who has looked at it.
"""

from collections.abc import Callable, Sequence

from controller.core.irregularities.common import unexpected_card
from controller.core.irregularities.common.dealt_street_cards import count_acted_on_street
from controller.core.irregularities.common.rules_for_game import require_rules_for_game
from controller.core.irregularities.remedies.street_redeal import build_seat_move, list_remaining_deals
from controller.core.model.hand import Hand
from controller.core.play.dealing.planner import dealing_order
from controller.core.protocol.events import Report
from controller.core.protocol.steps import DealStep, MoveStep, ReturnStep, Step
from controller.core.protocol.table_error import Refused
from controller.core.rules import ruling_sentences as said
from controller.core.rules.questions.irregularities.sequence_rules import RepairCondition
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.piles import MUCK, STUB, hand_place, seat_of_place
from controller.core.values.value import replace


def rule_on_wrong_street_card(hand: Hand, serial: int, at: int, finding: str) -> tuple[Ruling, ...]:
    """A card of the street, the last one mostly, lies at the seat `at` and not where the plan sent it.

    Raises `Refused` (`already-ruled`).
    """
    dealt = _seat_by_serial(hand, _receiving_seats(hand))
    if not _is_correctable(hand) or dealt.get(serial, at) == at:
        return ()
    return _move_to_proper_seats(hand, dealt | {serial: at}, finding, dealt[serial])


def rule_on_passed_over_seat(hand: Hand, seat: int, finding: str) -> tuple[Ruling, ...]:
    """A seat got no card of the street in its turn: those dealt since lie one seat on, each is moved back.

    Where all the street's cards are out, the last of them went round to the first seat that was passed over.

    Raises `Refused` (`no-card`, `already-ruled`).
    """
    order = _receiving_seats(hand)
    dealt = _seat_by_serial(hand, order)
    if not _is_correctable(hand) or seat not in order or seat not in dealt.values():
        return ()
    if hand.cards.unexpected_serials:
        raise Refused("no-card", "a card more than the street has left the shoe: say `not-entitled` or `extra-card`.")
    place = order.index(seat)
    ring = (*order[place + 1 :], seat if place + 1 < len(order) else order[0])
    on = dict(zip(order[place:], ring, strict=True))
    return _move_to_proper_seats(hand, {serial: on.get(at, at) for serial, at in dealt.items()}, finding, seat)


def rule_on_two_in_a_row(hand: Hand, seat: int, finding: str) -> tuple[Ruling, ...]:
    """The seat got the next seat's card after its own: those dealt since lie one seat short, one too many goes back.

    Raises `Refused` (`already-ruled`).
    """
    order = _receiving_seats(hand)
    if not _is_correctable(hand) or seat not in order:
        return ()
    return _rule_on_shifted_cards(hand, order[order.index(seat) + 1 :], seat, finding)


def rule_on_unentitled_street_card(hand: Hand, at: int, finding: str) -> tuple[Ruling, ...]:
    """A chair without a hand got a card in passing: it lies there, and those dealt since lie one seat short.

    It is the last card when the dealer has just come past that chair, or has not come there yet.

    Raises `Refused` (`already-ruled`).
    """
    order = _receiving_seats(hand)
    if not _is_correctable(hand) or not order or at in dealing_order(hand):
        return ()
    return _rule_on_shifted_cards(hand, tuple(seat for seat in order if seat > at), at, finding)


def _rule_on_shifted_cards(hand: Hand, behind: tuple[int, ...], at: int, finding: str) -> tuple[Ruling, ...]:
    """The first card of the seats `behind` lies at `at`, each later one at the seat before its own.

    A card that was not due then lies at the last seat of the street and goes back on the stub.
    """
    order = _receiving_seats(hand)
    dealt = _seat_by_serial(hand, order)
    astray = [serial for serial, seat in dealt.items() if seat in behind]
    if not astray and not hand.cards.unexpected_serials:
        astray = list(dealt)[-1:]
    if not astray:
        return ()
    lies = dealt | dict(zip(astray, (at, *(dealt[serial] for serial in astray[:-1])), strict=True))
    last = dealt[astray[-1]]
    surplus = hand.cards.unexpected_serials
    rulings = _move_to_proper_seats(hand, lies, finding, dealt[astray[0]])
    if rulings and surplus:
        unexpected_card.place_explained_cards(hand, surplus, hand_place(last), up=False)
        back = (
            ReturnStep("extra", hand_place(last), STUB, 1, (n,), is_ruled=True, concerned_seat=last)
            for n in surplus[::-1]
        )
        hand.plan = hand.plan.prepend(*back)
    return rulings


def _move_to_proper_seats(hand: Hand, lies: dict[int, int], finding: str, seat: int) -> tuple[Ruling, ...]:
    """The street's cards lie so (number -> seat): each is moved to where it belongs.

    A last downcard whose player has looked is that player's; the others then belong, in their order, to the others.
    """
    order = _receiving_seats(hand)
    regular = _seat_by_serial(hand, order)
    kept = {n: at for n, at in lies.items() if at in hand.cards.looked_seats and at in order and not _is_up(hand, n)}
    kept = {n: at for place, (n, at) in enumerate(kept.items()) if at not in list(kept.values())[:place]}
    others = iter(other for other in order if other not in kept.values())
    belongs = {n: kept[n] if n in kept else next(others) for n in lies}
    moves: list[Step] = []
    for serial, at in lies.items():
        if at != regular[serial]:
            hand.cards = replace(
                hand.cards,
                piles=hand.cards.piles.move_cards(frozenset((serial,)), hand_place(regular[serial]), hand_place(at)),
            )
        if at != belongs[serial]:
            moves.append(build_seat_move(serial, at, belongs[serial]))
    _replan_remaining_deals(hand, tuple(others))
    hand.plan = hand.plan.prepend(*moves)
    accepted = next((at for n, at in kept.items() if at != regular[n]), None)
    if accepted is None:
        return (_correction_ruling(hand, finding, _describe_moves(hand, moves), seat),)
    sentence = said.MUST_ACCEPT_CARD.format(seat=accepted)
    return (build_ruling(finding, Verdict.MUST_KEEP, _correction_rule(hand), sentence, accepted),)


def _describe_moves(hand: Hand, moves: Sequence[Step]) -> str:
    """Which cards are slid to whom, and who is dealt to then."""
    slid = (move for move in moves if isinstance(move, MoveStep))
    ways = [(seat_of_place(move.source), seat_of_place(move.destination)) for move in slid]
    seats = [step.seat for step in list_remaining_deals(hand, hand.streets.planned_street)]
    slide = said.SLIDE_IN_ORDER.format(moves=", ".join(f"{at} → {to}" for at, to in ways)) if ways else ""
    if len(ways) == 1:
        slide = said.SLIDE.format(at=ways[0][0], seat=ways[0][1])
    deal = (said.THEN_DEAL_SEAT if len(seats) == 1 else said.THEN_DEAL_SEATS) if seats else ""
    return said.join_sentences(slide, deal.format(seats=", ".join(map(str, seats)))) or said.DEAL_ON


def _replan_remaining_deals(hand: Hand, seats: tuple[int, ...]) -> None:
    """The cards of the street that are still to come are for these seats."""
    steps = list_remaining_deals(hand, hand.streets.planned_street)
    if tuple(step.seat for step in steps) == seats:
        return
    face = hand.setup.game.streets[hand.streets.planned_street].deal_faces[0]
    deals = tuple(DealStep(seat, face, street_index=hand.streets.planned_street) for seat in seats)
    first = steps[0] if steps else hand.plan.next_step
    hand.plan = hand.plan.insert_before(first, *deals).drop_steps(*steps)


def rule_on_missed_street_card(hand: Hand, seat: int, finding: str) -> tuple[Ruling, ...]:
    """The seat has no card of the street: it is due now, or went to the next seat, as where it was passed over.

    Raises `Refused` (`already-ruled`).
    """
    due = hand.plan.next_step_if(DealStep)
    if not _is_correctable(hand) or hand.cards.unexpected_serials or hand.cards.last_dealt is None:
        return ()
    if due and due.seat == seat and due.street_index == hand.streets.planned_street:
        hand.plan = hand.plan.drop_first().prepend(_missing_card_step(seat, due))
        return (_correction_ruling(hand, finding, said.TOP_CARD_WAS_MISSED.format(seat=seat), seat),)
    return rule_on_passed_over_seat(hand, seat, finding)


def rule_on_extra_street_cards(hand: Hand, event: Report, seat: int, count: int) -> tuple[Ruling, ...]:
    """Cards too many lie at the seat: those not due go back on the stub, the last first; the last one due is moved.

    With `nth` the seat got two in a row, and the second of them is that card of its hand.

    Raises `Refused` (`already-ruled`).
    """
    if seat not in dealing_order(hand):
        return rule_on_unentitled_street_card(hand, seat, event.kind.value)
    if event.nth is not None and count == 1:
        return rule_on_two_in_a_row(hand, seat, event.kind.value)
    if not hand.cards.unexpected_serials and count == 1:
        return _rule_on_last_street_card(hand, seat, event.kind.value)
    serials = hand.cards.unexpected_serials[-count:]
    if not _is_correctable(hand) or len(serials) != count:
        return ()
    unexpected_card.place_explained_cards(
        hand, serials, hand_place(seat) if seat in hand.betting.live_seats else MUCK, up=False
    )
    source = hand_place(seat) if seat in hand.betting.live_seats else MUCK
    back = (
        ReturnStep("extra", source, STUB, 1, (serial,), is_ruled=True, concerned_seat=seat) for serial in serials[::-1]
    )
    hand.plan = hand.plan.prepend(*back)
    return (_correction_ruling(hand, event.kind.value, said.TOO_MANY_TO_STUB.format(seat=seat, count=count), seat),)


def _rule_on_last_street_card(hand: Hand, seat: int, finding: str) -> tuple[Ruling, ...]:
    """The last card came to the seat after its own; where it was for that seat, the one before it did."""
    dealt = _seat_by_serial(hand, _receiving_seats(hand))
    serial = next((n for n, at in reversed(dealt.items()) if at != seat), None)
    return () if serial is None else rule_on_wrong_street_card(hand, serial, seat, finding)


def let_street_cards_stand(hand: Hand, said: Callable[[], tuple[Ruling, ...]]) -> bool:
    """The street's cards stand where a finding says that they lie, and its seats without one get theirs.

    `said` rules on the finding; false where it does not speak of this street.
    """
    if not hand.setup.game.deals_later_cards or not hand.streets.planned_street:
        return False
    order = _receiving_seats(hand)
    serials = (*_seat_by_serial(hand, order), *hand.cards.unexpected_serials)
    face, ruled_before = hand.setup.game.streets[hand.streets.planned_street].deal_faces[0], set(map(id, hand.plan))
    if not said():
        return False
    hand.plan = hand.plan.drop_steps(
        *(step for step in hand.plan.steps_of_type(MoveStep, ReturnStep) if id(step) not in ruled_before)
    )
    for serial in serials:
        at = seat_of_place(hand.cards.piles.find_place(serial) or "")
        if at is not None:
            to = hand_place(at) if at in dealing_order(hand) else MUCK
            hand.cards = replace(
                hand.cards, piles=hand.cards.piles.gather_cards((serial,), to, up=face == "up" and to != MUCK)
            )
    held = {hand.cards.piles.find_place(serial) for serial in serials}
    _replan_remaining_deals(hand, tuple(seat for seat in order if hand_place(seat) not in held))
    hand.cards = replace(hand.cards, last_dealt=None)
    return True


def _is_correctable(hand: Hand) -> bool:
    """Whether a later street's cards come singly and so few have acted on it that the book puts them right."""
    if not hand.setup.game.deals_later_cards or not hand.streets.planned_street:
        return False
    if any(move.label == "card" for move in hand.plan.steps_of_type(MoveStep)):
        raise Refused("already-ruled", "cards of this street are to be moved; carry out the steps first.")
    return (
        count_acted_on_street(hand, hand.streets.planned_street)
        < require_rules_for_game(hand.setup, hand.setup.rulebook.burns).stands_after.value
    )


def _receiving_seats(hand: Hand) -> tuple[int, ...]:
    """The seats that the street deals a card to, but for those that had theirs already."""
    return tuple(
        seat
        for seat in dealing_order(hand)
        if seat not in hand.stud.served_seats_by_street.get(hand.streets.planned_street, ())
    )


def _seat_by_serial(hand: Hand, order: tuple[int, ...]) -> dict[int, int]:
    """Number -> seat of the street's cards that lie where the plan sent them, in that order."""
    due = len(list_remaining_deals(hand, hand.streets.planned_street))
    away = {serial for step in hand.plan.steps_of_type(ReturnStep) for serial in step.serials}
    held = sorted(
        (lying.serial, seat)
        for seat in order
        for lying in hand.cards.piles.cards_at(hand_place(seat))
        if lying.serial not in away
    )
    return dict(held[len(held) - len(order) + due :])


def _is_up(hand: Hand, serial: int) -> bool:
    return hand.cards.piles.get_card(serial).is_face_up


def _missing_card_step(seat: int, step: DealStep) -> DealStep:
    return DealStep(seat, step.face, "missing", is_ruled=True, concerned_seat=seat, street_index=step.street_index)


def _correction_ruling(hand: Hand, finding: str, sentence: str, seat: int) -> Ruling:
    return build_ruling(finding, Verdict.CORRECT, _correction_rule(hand), sentence, seat)


def _correction_rule(hand: Hand) -> Rule[object]:
    """The clause of cards out of order where the book has them put right in every round, else that of a wrong burn."""
    order = require_rules_for_game(hand.setup, hand.setup.rulebook.sequence).repair_order
    burns = require_rules_for_game(hand.setup, hand.setup.rulebook.burns).put_right
    return replace(order, cite=(*order.cite, *burns.cite)) if order.value is RepairCondition.IF_TOLD_APART else burns

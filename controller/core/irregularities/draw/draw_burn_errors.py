"""The dealer failed to burn, or burned too many, on the draw.

The cards of a draw are known by their numbers: all that left the shoe since its first request. Those that lie wrong go
back on the stub, the last one dealt first, and the plan deals them anew, as long as nobody has looked at them.
"""

from itertools import dropwhile, takewhile

from controller.core.irregularities.common.dealt_street_cards import (
    count_acted_on_street,
    require_surplus_burns,
)
from controller.core.irregularities.remedies import plan_edits, scrapped_cards
from controller.core.irregularities.remedies.street_redeal import build_single_returns
from controller.core.model.hand import Hand
from controller.core.play.dealing import draws
from controller.core.protocol.events import Report
from controller.core.protocol.steps import BurnStep, DealStep, MoveStep, ReturnStep, Step
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import ReportKind
from controller.core.rules import ruling_sentences as said
from controller.core.rules.questions.irregularities.burn_rules import BurnRules, UncorrectedBurn
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.piles import BURN, MUCK, STUB, hand_place, seat_of_place
from controller.core.values.value import replace


def rule_on_draw_burn_error(hand: Hand, event: Report, book: BurnRules) -> tuple[Ruling, ...]:
    """So many cards were burned before the first new card; its street's cards are brought to their proper places.

    Raises `Refused` (`value`, `no-burn-due`, `no-card`, `already-ruled`).
    """
    street, finding = hand.streets.planned_street, event.kind.value
    if event.kind is ReportKind.NO_BURN and _is_second_burn(hand):
        return _rule_on_fifth_card_burn(hand, book, finding)
    due = _count_due_burns(hand)
    burned = _count_burned(hand, event, due)
    if _is_card_replaced(hand) and not hand.cards.unexpected_serials:
        sentence = said.REPLACED_CARDS_STAND
        return (build_ruling(finding, Verdict.PLAY_ON, book.afterwards, sentence),)
    serials = _find_cards_since_request(hand, event)
    is_unburned = due > 0 and seat_of_place(hand.cards.piles.find_place(serials[0]) or "") is not None
    if burned and is_unburned:
        raise Refused("already-ruled", "the missing burn of this draw was ruled on; take that back first (`undo`).")
    is_laid = not burned and hand.cards.piles.find_place(serials[0]) != BURN  # it is said once more
    dealt = _seats_dealt_to(hand, serials if is_laid else serials[due:])
    seats = (*dealt, *_next_seats(hand))
    acted = max(count_acted_on_street(hand, street), event.acted_count or int(event.has_chips_in or False))
    if acted >= book.stands_after.value or hand.is_award_pushed or len(hand.betting.live_seats) == 1:
        is_seat_short = bool(hand.draw.drawing_seats) and len(serials) < burned + len(seats)
        is_due = bool(hand.cards.unexpected_serials or _next_seats(hand)) or is_seat_short
        if hand.draw.drawing_seats:
            _refuse_unfitting_burns(serials, burned, seats)
        sentence = said.ONE_ACTED_AFTER_DRAW if acted == 1 else said.ACTED_AFTER_DRAW.format(count=acted)
        sentence = sentence if acted >= book.stands_after.value else said.DRAW_STANDS
        ruling = build_ruling(finding, Verdict.PLAY_ON, book.stands_after, sentence)
        if is_due and acted >= book.stands_after.value and not is_laid:
            let_draw_burn_stand(hand, event)
            return (ruling, *_correct_next_burn(hand, book, serials[due:burned], due - burned))
        return (ruling,)
    _refuse_unfitting_burns(serials, burned, seats)
    if any(seat in hand.cards.looked_seats for seat in seats[: len(serials) - burned]):
        ruling = build_ruling(finding, Verdict.PLAY_ON, book.afterwards, said.LOOKED_AT_NEW_CARD)
        if is_laid:
            return (ruling,)
        let_draw_burn_stand(hand, event)
        return (ruling, *_correct_next_burn(hand, book, serials[due:burned], due - burned))
    _place_draw_cards(hand, serials, burned, seats)
    hand.plan = hand.plan.drop_steps(
        *(step for step in hand.plan.steps_of_type(MoveStep) if step.serials[0] in serials)
    )
    _drop_first_burns(hand)
    missing = max(due - burned, 0)
    again: list[Step] = [BurnStep(street_index=street)] * missing
    again += (DealStep(seat, "down", "draw", street_index=street) for seat in dealt)
    hand.plan = hand.plan.prepend(*build_single_returns(hand, serials[min(due, burned) :], "extra"), *again)
    why = said.TOO_MANY_WERE_BURNED if burned > due else said.NO_BURN
    template = said.DRAW_AGAIN_WITH_BURN if missing == 1 else said.DRAW_AGAIN_WITH_BURNS
    sentence = said.join_sentences(why, template.format(burns=missing) if missing else said.DRAW_AGAIN)
    return (build_ruling(finding, Verdict.CORRECT, book.put_right, sentence),)


def _correct_next_burn(hand: Hand, book: BurnRules, surplus: tuple[int, ...], missing: int) -> tuple[Ruling, ...]:
    """The cards of the draw stand: where later ones are to be the right ones, the next draw burns so many more.

    Surplus burns go back on the stub when all have drawn, and the first of them is burned again [R7-3.irreg.15].
    """
    street = hand.streets.planned_street
    known = hand.cards.fouled_serial < min(surplus, default=hand.cards.piles.dealt_count)  # what would have come
    if book.afterwards.value is UncorrectedBurn.WRONG_NUMBER or not draws.has_burn_to_come(hand, street) or not known:
        return ()
    if missing > 0:
        hand.cards = replace(hand.cards, burns_ahead=hand.cards.burns_ahead - missing)
        sentence = said.BURN_MORE_ON_DRAW.format(burns=1 - hand.cards.burns_ahead)
        return (build_ruling(ReportKind.NO_BURN.value, Verdict.CORRECT, book.afterwards, sentence),)
    back = ReturnStep("burn", BURN, STUB, len(surplus), surplus, is_ruled=True)
    plan_edits.insert_after_dealing_round(hand, back, street=street)
    sentence = said.DRAWN_BURN_BACK if len(surplus) == 1 else said.DRAWN_BURNS_BACK.format(count=len(surplus))
    return (build_ruling(ReportKind.DOUBLE_BURN.value, Verdict.CORRECT, book.afterwards, sentence),)


def let_draw_burn_stand(hand: Hand, event: Report) -> None:
    """The cards of the draw lie after so many burns and stand there, looked at or not; who lacks cards gets them.

    Raises `Refused` (`value`, `no-burn-due`, `no-card`, `already-ruled`).
    """
    if event.kind is ReportKind.NO_BURN and _is_second_burn(hand):
        hand.cards = replace(
            hand.cards,
            piles=hand.cards.piles.gather_cards(
                (hand.cards.piles.dealt_count,), hand_place(_next_seats(hand)[0]), up=False
            ),
            last_dealt=None,
        )
        hand.plan = hand.plan.drop_first()
        return
    due = _count_due_burns(hand)
    burned, serials, next_ = _count_burned(hand, event, due), _find_cards_since_request(hand, event), _next_seats(hand)
    seats = (*_seats_dealt_to(hand, serials[due:]), *next_)
    _refuse_unfitting_burns(serials, burned, seats)
    _place_draw_cards(hand, serials, burned, seats)
    _drop_first_burns(hand)
    missing = (
        DealStep(seat, "down", "draw", street_index=hand.streets.planned_street)
        for seat in seats[len(serials) - burned :]
    )
    hand.plan = hand.plan.drop_steps(*hand.plan[: len(next_)]).prepend(*missing)


def _refuse_unfitting_burns(serials: tuple[int, ...], burned: int, seats: tuple[int, ...]) -> None:
    """Refuse a number of burns that the cards of the draw do not fit."""
    if not burned <= len(serials) <= burned + len(seats):
        raise Refused(
            "no-card", f"cards that left the shoe on this draw: {len(serials)}, which does not fit {burned} burned."
        )


def _place_draw_cards(hand: Hand, serials: tuple[int, ...], burned: int, seats: tuple[int, ...]) -> None:
    """Put the cards where the dealer says they are: so many burned, the others with these seats.

    One that lies at another seat and has yet to be moved lies there still, and is moved to whose it is now.
    """
    moves = {step.serials[0]: step for step in hand.plan.steps_of_type(MoveStep) if len(step.serials) == 1}
    for place, serial in enumerate(serials):
        to = BURN if place < burned else hand_place(seats[place - burned])
        if move := moves.get(serial):
            is_astray = to not in (BURN, move.source)
            hand.plan = hand.plan.replace_step(move, *((replace(move, destination=to),) if is_astray else ()))
            to = move.source if is_astray else to
        hand.cards = replace(hand.cards, piles=hand.cards.piles.gather_cards((serial,), to, up=False))
    hand.cards = replace(hand.cards.explain_cards(serials), last_dealt=None)


def _is_second_burn(hand: Hand) -> bool:
    """Whether the last card had the burn that comes before the fifth card of a draw of five."""
    serial, step = hand.cards.last_dealt or (0, None)
    if (
        not isinstance(step, BurnStep)
        or serial != hand.cards.piles.dealt_count
        or hand.cards.unexpected_serials
        or not _next_seats(hand)
    ):
        return False
    return any(
        laid.is_burn and laid.street_index == step.street_index and laid.serial < serial - 1  # not one that was owed
        for laid in hand.cards.street_cards
    )


def _rule_on_fifth_card_burn(hand: Hand, book: BurnRules, finding: str) -> tuple[Ruling, ...]:
    """The player got that card: it goes on the burns and the next one is the fifth, unless the player has looked."""
    serial, seat = hand.cards.piles.dealt_count, _next_seats(hand)[0]
    hand.cards = replace(
        hand.cards, piles=hand.cards.piles.gather_cards((serial,), hand_place(seat), up=False), last_dealt=None
    )
    if seat in hand.cards.looked_seats:
        hand.plan = hand.plan.drop_first()
        sentence = said.LOOKED_AT_FIFTH_CARD.format(seat=seat)
        ruling = build_ruling(finding, Verdict.PLAY_ON, book.afterwards, sentence, seat)
        return (ruling, *_correct_next_burn(hand, book, (), 1))
    hand.plan = hand.plan.prepend(
        ReturnStep("extra", hand_place(seat), BURN, 1, (serial,), is_ruled=True, concerned_seat=seat)
    )
    sentence = said.FIFTH_CARD_IS_BURN.format(seat=seat)
    return (build_ruling(finding, Verdict.CORRECT, book.put_right, sentence, seat),)


def _count_due_burns(hand: Hand) -> int:
    """How many cards were to be burned before the first new one: none where the burn lay there, more if owed."""
    street = hand.streets.planned_street
    asked = next((drawn for drawn in hand.draw.draws if drawn.street == street), None)
    if not hand.setup.game.streets[street].has_burn or not draws.draw_rules(hand).burn.value:
        return 0
    if asked is None:
        return 1
    serials = range(asked.last_serial_before + 1, hand.cards.piles.dealt_count + 1)
    burns = {card.serial for card in hand.cards.street_cards if card.is_burn and card.street_index == street}
    made = next((nth for nth, serial in enumerate(serials) if serial not in burns), len(serials))
    if made < len(serials):
        return made
    return made + sum(step.street_index == street for step in hand.plan.steps_of_type(BurnStep))


def _count_burned(hand: Hand, event: Report, due: int) -> int:
    """How many cards the dealer has burned; refuses what is no error."""
    if event.kind is ReportKind.NO_BURN:
        if not due:
            source = draws.draw_rules(hand).burn.source
            raise Refused("no-burn-due", f"nothing is burned on this draw ({source}), or the burn lay there already.")
        return 0
    return require_surplus_burns(event, due, "draw")


def _find_cards_since_request(hand: Hand, event: Report) -> tuple[int, ...]:
    """The numbers of the cards that left the shoe since the first request of this draw."""
    asked = next((drawn for drawn in hand.draw.draws if drawn.street == hand.streets.planned_street), None)
    if asked is None or asked.last_serial_before == hand.cards.piles.dealt_count:
        raise Refused(
            "no-card", f"`{event.kind.value}` speaks of the burn of this draw; no card of it has left the shoe."
        )
    serials = tuple(range(asked.last_serial_before + 1, hand.cards.piles.dealt_count + 1))
    for serial in serials:
        place = hand.cards.piles.find_place(serial)
        known = place is not None and (
            place == BURN or seat_of_place(place) is not None or serial in hand.cards.unexpected_serials
        )
        if not known or scrapped_cards.is_taken_away(hand, serial):
            raise Refused("already-ruled", "cards of this draw have been dealt with already; carry out the steps.")
    return serials


def _is_card_replaced(hand: Hand) -> bool:
    """Whether a card of this draw is to be replaced for being exposed, or has left its hand: they stay as they are."""
    street, piles = hand.streets.planned_street, hand.cards.piles
    asked = next((drawn for drawn in hand.draw.draws if drawn.street == street), None)
    if asked is None:
        return False
    burns = {card.serial for card in hand.cards.street_cards if card.is_burn}
    dealt = dropwhile(
        lambda serial: piles.find_place(serial) == BURN, range(asked.last_serial_before + 1, piles.dealt_count + 1)
    )
    cards = [serial for serial in dealt if serial not in burns and serial not in hand.cards.boxed_serials]
    return any(
        piles.find_place(serial) in (BURN, MUCK)
        or (piles.get_card(serial).is_face_up and scrapped_cards.is_taken_away(hand, serial))
        for serial in cards
        if piles.find_place(serial) is not None
    )


def _seats_dealt_to(hand: Hand, dealt: tuple[int, ...]) -> tuple[int, ...]:
    """The seats to which the plan has dealt these cards."""
    unexpected = hand.cards.unexpected_serials
    found = (scrapped_cards.card_owner(hand, serial) for serial in dealt if serial not in unexpected)
    return tuple(seat for seat in found if seat is not None)


def _drop_first_burns(hand: Hand) -> None:
    """The draw needs none of the burns that were still to come before its first new card."""
    while burn := hand.plan.next_step_if(BurnStep):
        hand.plan = hand.plan.drop_steps(burn)


def _next_seats(hand: Hand) -> tuple[int, ...]:
    """The seats that get the next cards of the draw."""
    steps = dropwhile(lambda step: isinstance(step, BurnStep), hand.plan)
    cards = takewhile(lambda step: isinstance(step, DealStep) and step.reason == "draw", steps)
    return tuple(deal.seat for deal in cards if isinstance(deal, DealStep))

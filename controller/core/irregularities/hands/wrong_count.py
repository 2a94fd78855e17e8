"""A hand got too many cards or too few."""

from controller.core.irregularities.common import unexpected_card
from controller.core.irregularities.common.fouled_hand import current_count_rule, kill_fouled_hand, rule_on_fouled_hand
from controller.core.irregularities.common.misdeal_status import is_misdeal_window_closed
from controller.core.irregularities.common.reported_card import is_gathering_cards
from controller.core.irregularities.common.rules_for_game import require_rules_for_game
from controller.core.irregularities.conduct import floor_decision
from controller.core.irregularities.draw import draw_irregularities
from controller.core.irregularities.remedies import plan_edits, scrapped_cards, street_redeal
from controller.core.irregularities.stud import stud_street_errors
from controller.core.model.hand import Hand
from controller.core.model.table_state import TableState
from controller.core.protocol.events import Report
from controller.core.protocol.steps import BoardStep, BurnStep, DealStep, MoveStep, ReturnStep
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import FloorDecision, ReportKind
from controller.core.rules import ruling_sentences as said
from controller.core.rules.questions.irregularities.count_rules import ExtraCardRemedy
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.piles import BOARD, BURN, MUCK, STUB, hand_place
from controller.core.values.seat_order import rotate_after
from controller.core.values.value import replace


def require_dealt_seat(hand: Hand, event: Report) -> int:
    """The seat of a report that needs one, of a player who was dealt in.

    Raises `Refused` (`key-missing`, `no-card`, `not-dealt-in`).
    """
    what = event.kind.value
    if event.seat is None:
        raise Refused("key-missing", f"`{what}` needs the `seat` whose hand it speaks of.")
    if not hand.cards.piles.dealt_count or is_gathering_cards(hand):
        raise Refused("no-card", f"`{what}` speaks of cards that were dealt; in this deal none has been.")
    if event.seat not in hand.dealing_order:
        dealt = ", ".join(map(str, sorted(hand.dealing_order)))
        raise Refused("not-dealt-in", f"seat {event.seat} was not dealt in; seats {dealt} were. Or `not-entitled`?")
    return event.seat


def rule_on_extra_card(state: TableState, event: Report) -> tuple[Ruling, ...]:
    """A seat holds cards too many."""
    hand = state.hand_in_play
    seat, count = require_dealt_seat(hand, event), event.count or 1
    corrected = stud_street_errors.rule_on_extra_street_cards(hand, event, seat, count)
    corrected = corrected or draw_irregularities.rule_on_others_draw_cards(state, event, seat, count)
    if corrected:
        return corrected
    serials = _place_surplus_cards(hand, seat, count)

    def cure() -> Ruling:
        return _correct_extra_cards(state, hand, seat, count, serials, event.kind.value)

    after_the_draw = draw_irregularities.rule_on_extra_draw_card(state, event, seat, serials, count)
    if after_the_draw:
        return after_the_draw
    if _is_burn_at_first_player(hand, seat, serials):
        return (cure(),)
    return (rule_on_fouled_hand(state, event.kind.value, seat, cure),)


def _is_burn_at_first_player(hand: Hand, seat: int, serials: tuple[int, ...]) -> bool:
    """A card that was not due lies at the first player's, and the book makes it the burn of the flop to come."""
    first = require_rules_for_game(hand.setup, hand.setup.rulebook.counts).extra_first
    fresh = len(serials) == 1 and serials[0] in _serials_after_deal(hand)
    return (
        first.value is ExtraCardRemedy.BURN
        and seat == hand.dealing_order[0]
        and fresh
        and seat in hand.betting.live_seats
        and hand.streets.planned_street == 0
    )


def _place_surplus_cards(hand: Hand, seat: int, count: int) -> tuple[int, ...]:
    """The numbers of the cards too many, as far as they can be told from the others; they lie at the seat from now on.

    They can when they were not due, or when the one card is the last off the deck and should have gone to the next
    seat, been burned, or begun the board with which the deal ends.
    """
    serials = hand.cards.unexpected_serials[-count:]
    if serials:
        unexpected_card.place_explained_cards(
            hand, serials, hand_place(seat) if seat in hand.betting.live_seats else MUCK, up=False
        )
        return serials if len(serials) == count and seat in hand.betting.live_seats else ()
    if (
        count > 1
        or hand.cards.last_dealt is None
        or hand.cards.last_dealt.serial != hand.cards.piles.dealt_count
        or is_misdeal_window_closed(hand)
    ):
        return ()
    serial, step = hand.cards.last_dealt
    place = hand.cards.piles.find_place(serial)
    regular = isinstance(step, BurnStep) and place == BURN
    if isinstance(step, BoardStep):
        regular = place == BOARD and not hand.streets.planned_street
    if isinstance(step, DealStep):
        regular = place == hand_place(step.seat) and rotate_after(hand.dealing_order, seat)[0] == step.seat
    if not regular or place is None or hand.betting.acted_seats or scrapped_cards.is_taken_away(hand, serial):
        return ()
    hand.cards = replace(
        hand.cards, piles=hand.cards.piles.move_cards(frozenset((serial,)), place, hand_place(seat), up=False)
    )
    return (serial,)


def _correct_extra_cards(
    state: TableState, hand: Hand, seat: int, count: int, serials: tuple[int, ...], finding: str
) -> Ruling:
    """What the book does with cards too many while a misdeal can be called, with those of other seats before them."""
    rule, in_all = _extra_card_rule(hand, seat, count, serials), hand.cards.extra_card_count + count
    if rule is None or rule.value is ExtraCardRemedy.MISDEAL:
        several = require_rules_for_game(hand.setup, hand.setup.rulebook.counts).extra_several
        ground = several if in_all > 1 and several.value is ExtraCardRemedy.MISDEAL else current_count_rule(hand, seat)
        several_here = said.CARDS_TOO_MANY if in_all == count else said.CARDS_TOO_MANY_IN_ALL
        why = said.CARD_TOO_MANY if in_all == 1 else several_here
        return plan_edits.call_misdeal(state, finding, ground, why.format(seat=seat, count=in_all), seat)
    hand.cards = replace(hand.cards, extra_card_count=hand.cards.extra_card_count + count)
    _repeat_missed_step(hand, serials)
    if rule.value is ExtraCardRemedy.BURN:
        street_redeal.use_as_next_burn(hand)
        _add_returns(hand, seat, serials, BURN)
        sentence = said.EXTRA_IS_BURN.format(seat=seat)
        return build_ruling(finding, Verdict.RETURN_AS_BURN, rule, sentence, seat)
    _add_returns(hand, seat, serials, STUB)
    back = (said.EXTRA_TO_STUB if count == 1 else said.EXTRAS_TO_STUB).format(seat=seat, count=count)
    return build_ruling(finding, Verdict.CORRECT, rule, back, seat)


def _extra_card_rule(hand: Hand, seat: int, count: int, serials: tuple[int, ...]) -> Rule[ExtraCardRemedy] | None:
    """The question that the book answers; `None` when nobody can tell the cards too many from the others."""
    book = require_rules_for_game(hand.setup, hand.setup.rulebook.counts)
    if len(serials) != count:
        return None
    if hand.cards.extra_card_count + count > 1 and not is_misdeal_window_closed(hand):
        return book.extra_several
    complete = serials[0] in _serials_after_deal(hand)
    if complete and seat == hand.dealing_order[0]:
        return book.extra_first
    return None if hand.betting.acted_seats and book.extra_one.value is ExtraCardRemedy.BURN else book.extra_one


def _serials_after_deal(hand: Hand) -> range:
    """Numbers of cards that left when all hands were complete."""
    if hand.cards.last_dealt is None:
        return range(0)
    serial, step = hand.cards.last_dealt
    return range(serial if isinstance(step, (BurnStep, BoardStep)) else serial + 1, hand.cards.piles.dealt_count + 1)


def _repeat_missed_step(hand: Hand, serials: tuple[int, ...]) -> None:
    """The step that the surplus card should have fulfilled comes again."""
    if hand.cards.last_dealt is not None and hand.cards.last_dealt.serial in serials:
        hand.plan = hand.plan.repeat_step(hand.cards.last_dealt.step)


def _add_returns(hand: Hand, seat: int, serials: tuple[int, ...], to: str) -> None:
    """The cards go back, the last one dealt first."""
    steps = (
        ReturnStep("extra", hand_place(seat), to, 1, (serial,), is_ruled=True, concerned_seat=seat)
        for serial in reversed(serials)
    )
    hand.plan = hand.plan.prepend(*steps)


def let_wrong_count_stand(hand: Hand, event: Report) -> None:
    """The floor lets a wrong count stand: cards too many lie at the seat, those that it lacks never left the stub.

    Raises `Refused` (`key-missing`, `no-card`, `not-dealt-in`, `count`, `already-ruled`).
    """
    seat, count, finding = require_dealt_seat(hand, event), event.count or 1, event.kind.value
    if event.kind is ReportKind.EXTRA_CARD:
        if not stud_street_errors.let_street_cards_stand(
            hand, lambda: stud_street_errors.rule_on_extra_street_cards(hand, event, seat, count)
        ):
            _let_extra_cards_stand(hand, seat, count)
    elif not stud_street_errors.let_street_cards_stand(
        hand, lambda: stud_street_errors.rule_on_missed_street_card(hand, seat, finding) if count == 1 else ()
    ):
        _let_short_hand_stand(hand, seat, count)


def _let_extra_cards_stand(hand: Hand, seat: int, count: int) -> None:
    """Cards that cannot be told from the others were not sensed as they left the shoe."""
    if draw_irregularities.let_others_draw_cards_stand(hand, seat, count):
        return
    serials = _place_surplus_cards(hand, seat, count)
    _repeat_missed_step(hand, serials)
    if seat in hand.betting.live_seats and len(serials) < count:
        for _ in range(min(count, hand.cards.piles.stub_count)):
            hand.cards = replace(hand.cards, piles=hand.cards.piles.deal_card(hand_place(seat), None, up=False))
    hand.cards = replace(hand.cards, last_dealt=None)


def _let_short_hand_stand(hand: Hand, seat: int, count: int) -> None:
    due = hand.plan.next_step_if(DealStep)
    if due and due.seat == seat and count == 1:
        return
    serials = scrapped_cards.find_uncounted_cards(hand, seat, count)
    hand.cards = replace(
        hand.cards, piles=hand.cards.piles.move_cards(serials, hand_place(seat), STUB), last_dealt=None
    )


def rule_on_short_hand(state: TableState, event: Report) -> tuple[Ruling, ...]:
    """A seat holds cards too few; raises `Refused` (`count`, `already-ruled`)."""
    hand = state.hand_in_play
    seat, count = require_dealt_seat(hand, event), event.count or 1
    if count > hand.setup.game.hand_size:
        raise Refused("count", f"a hand has {hand.setup.game.hand_size} cards; it cannot miss {count}.")
    if hand.cards.last_dealt is not None and _is_card_coming_again(hand, seat, hand.cards.last_dealt.serial):
        raise Refused("already-ruled", f"the card that seat {seat} misses comes with the steps; carry them out.")
    if hand.cards.last_dealt is not None and _is_card_moved_by_steps(hand, seat, hand.cards.last_dealt.serial):
        raise Refused("already-ruled", f"a step takes the last card of seat {seat}; carry it out, then say it again.")
    filled = draw_irregularities.rule_on_short_draw_hand(state, event, seat, count)
    filled = filled or (
        stud_street_errors.rule_on_missed_street_card(hand, seat, event.kind.value) if count == 1 else ()
    )
    if filled:
        return filled
    if count == 1 and _is_only_last_card_missing(hand, seat):
        return (_ask_about_last_card(hand, seat, event.kind.value),)
    book = require_rules_for_game(hand.setup, hand.setup.rulebook.counts)
    top, missed = book.top_card, _is_top_card_missed(hand, seat, count)
    filled_late = book.button_late.value and seat == hand.positions.button
    if filled_late and seat in hand.betting.acted_seats and seat in hand.betting.live_seats:
        return (kill_fouled_hand(state, event.kind.value, seat, book.button_late),)
    late = filled_late and is_misdeal_window_closed(hand) and seat not in hand.betting.acted_seats

    def cure() -> Ruling:
        rule = book.button_late if late else top
        _deal_missing(hand, seat)
        return build_ruling(event.kind.value, Verdict.CORRECT, rule, said.TOP_CARD.format(seat=seat), seat)

    if missed and late:
        return (cure(),)
    why = (said.CARD_TOO_FEW if count == 1 else said.CARDS_TOO_FEW).format(seat=seat, count=count)
    return (rule_on_fouled_hand(state, event.kind.value, seat, cure if missed and top.value else None, why),)


def _is_card_coming_again(hand: Hand, seat: int, serial: int) -> bool:
    """Whether the seat's last card was a scrap of paper and its step comes again."""
    return hand.cards.piles.find_place(serial) == hand_place(seat) and scrapped_cards.is_taken_away(hand, serial)


def _is_card_moved_by_steps(hand: Hand, seat: int, serial: int) -> bool:
    """Whether the seat's last card goes elsewhere by a ruling before this one: it cannot be one that never came."""
    moved = {each for step in hand.plan.steps_of_type(ReturnStep, MoveStep) for each in step.serials}
    return hand.cards.piles.find_place(serial) == hand_place(seat) and serial in moved


def _is_top_card_missed(hand: Hand, seat: int, count: int) -> bool:
    """Whether the top card is just the one that the seat missed: no card has gone to anybody after it."""
    if count != 1 or hand.cards.last_dealt is None or hand.cards.unexpected_serials:
        return False
    due, serial = hand.plan.next_step_if(DealStep), hand.cards.last_dealt.serial
    if due and due.seat == seat:
        return True
    return serial == hand.cards.piles.dealt_count and hand.cards.piles.find_place(serial) == hand_place(seat)


def _deal_missing(hand: Hand, seat: int) -> None:
    """The card that was counted for the seat never left the stub, or it is due now: deal it."""
    due = hand.plan.next_step_if(DealStep)
    if due and due.seat == seat:
        hand.plan = hand.plan.drop_first().prepend(
            DealStep(seat, due.face, "missing", is_ruled=True, concerned_seat=seat, street_index=due.street_index)
        )
        return
    assert hand.cards.last_dealt is not None
    serial, step = hand.cards.last_dealt
    face = step.face if isinstance(step, DealStep) else "down"
    hand.cards = replace(hand.cards, piles=hand.cards.piles.move_cards(frozenset((serial,)), hand_place(seat), STUB))
    hand.plan = hand.plan.prepend(DealStep(seat, face, "missing", is_ruled=True, concerned_seat=seat))


def _is_only_last_card_missing(hand: Hand, seat: int) -> bool:
    """Whether the book leaves it to a person whether such a hand is live: only a stud hand's last card is missing."""
    book = hand.setup.rulebook.upcards.get(hand.setup.game.rules_form)
    if book is None or not book.last_missing.value or hand.is_award_pushed:
        return False
    here = hand.streets.planned_street + 1 == len(hand.setup.game.streets) and len(hand.betting.live_seats) > 1
    return (
        here
        and seat in hand.betting.live_seats
        and len(hand.cards.piles.cards_at(hand_place(seat))) == hand.setup.game.hand_size
    )


def _ask_about_last_card(hand: Hand, seat: int, finding: str) -> Ruling:
    """The last card was not taken in, and is in the muck: is the hand live? [R7-8.stud.18#b]."""
    last = hand.cards.piles.cards_at(hand_place(seat))[-1].serial
    hand.cards = replace(
        hand.cards, piles=hand.cards.piles.move_cards(frozenset((last,)), hand_place(seat), MUCK, up=False)
    )
    rule = hand.setup.rulebook.upcards[hand.setup.game.rules_form].last_missing
    sentence = said.LAST_CARD_LACKS.format(seat=seat)
    return floor_decision.ask_floor(
        hand, finding, rule, sentence, (FloorDecision.DEAD_HAND, FloorDecision.PLAY_ON), seat
    )

"""Stud: downcards dealt up, and the last card face up."""

from controller.core.irregularities.common.dealt_street_cards import count_acted_on_street
from controller.core.irregularities.common.misdeal_status import is_misdeal_window_closed
from controller.core.irregularities.common.reported_card import ReportedCard, find_reported_card
from controller.core.irregularities.common.rules_for_game import require_rules_for_game
from controller.core.irregularities.remedies import plan_edits, scrapped_cards
from controller.core.irregularities.remedies.street_redeal import list_remaining_deals
from controller.core.model.hand import Hand
from controller.core.model.table_state import TableState
from controller.core.play.betting import all_in_declaration, betting_round
from controller.core.play.betting.legal_actions import is_all_in_legal, wager_range
from controller.core.play.dealing import planner
from controller.core.play.opening import first_to_act
from controller.core.protocol.events import PlayerActed as ActEvent
from controller.core.protocol.events import Report
from controller.core.protocol.facts import SeatActed
from controller.core.protocol.steps import BettingStep, DealStep
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import ActionType
from controller.core.rules import ruling_sentences as said
from controller.core.rules.games import Game
from controller.core.rules.questions.house.table_rules import GameMode
from controller.core.rules.questions.play.stud_rules import (
    FirstLastCard,
    LastUpcardOpener,
    OthersLastCard,
    StudRules,
    TwoDowncardsUp,
)
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.piles import hand_place
from controller.core.values.value import replace


def rule_on_exposed_downcard(
    state: TableState, event: Report, found: ReportedCard, rule: Rule[object]
) -> tuple[Ruling, ...]:
    """The dealer dealt or turned a downcard up. `rule`: what the book says to a single one in the first deal."""
    hand, seat, serial = state.hand_in_play, _require_seat(found), found.placed_card.serial
    game, book, finding = (
        hand.setup.game,
        require_rules_for_game(hand.setup, hand.setup.rulebook.upcards),
        event.kind.value,
    )
    if found.nth > _count_cards_before_last(game) and game.streets[-1].deal_faces == ("down",):
        return rule_on_last_card_up(hand, book, seat, serial, finding)
    tournament = hand.setup.mode is GameMode.TOURNAMENT and book.exposed_tournament.value
    if is_misdeal_window_closed(hand):
        window = hand.setup.rulebook.misdeal.window
        return (build_ruling(finding, Verdict.MUST_KEEP, window, said.TOO_LATE_AS_IT_IS, seat),)
    if tournament:
        why = said.DOWNCARD_UP.format(seat=seat)
        return (plan_edits.call_misdeal(state, finding, book.exposed_tournament, why, seat),)
    hand.cards = replace(
        hand.cards,
        exposed_serials=(*hand.cards.exposed_serials, serial),
        piles=hand.cards.piles.identify_card(serial, found.placed_card.card, up=True),
    )
    _record_upcards(hand, book, seat)
    if len(hand.stud.upcard_serials_by_seat[seat]) == 1:
        return (_rule_on_one_upcard(hand, seat, serial, finding, rule),)
    return _rule_on_more_upcards(state, book, seat, finding)


def _count_cards_before_last(game: Game) -> int:
    """How many cards a hand has before its last street."""
    return sum(len(street.deal_faces) for street in game.streets[:-1])


def _rule_on_one_upcard(hand: Hand, seat: int, serial: int, finding: str, rule: Rule[object]) -> Ruling:
    """The seat's card that was to come up comes down instead; when it lies there already, this one does."""
    for step in hand.plan.steps_of_type(DealStep):
        if step.seat == seat and step.face == "up" and step.street_index == 0:
            hand.plan = hand.plan.replace_step(step, replace(step, face="down"))
            hand.stud = replace(hand.stud, faceup_downcard_seats=(*hand.stud.faceup_downcard_seats, seat))
            sentence = said.KEEPS_FACE_UP.format(seat=seat)
            return build_ruling(finding, Verdict.MUST_KEEP, rule, sentence, seat)
    hand.cards = replace(
        hand.cards, piles=hand.cards.piles.identify_card(serial, hand.cards.piles.get_card(serial).card, up=False)
    )
    sentence = said.KEEPS_FACE_DOWN.format(seat=seat)
    return build_ruling(finding, Verdict.MUST_KEEP, rule, sentence, seat)


def _rule_on_more_upcards(state: TableState, book: StudRules, seat: int, finding: str) -> tuple[Ruling, ...]:
    """Two or more cards of one hand are up where one should be."""
    hand = state.hand_in_play
    count = len(hand.stud.upcard_serials_by_seat[seat]) + (
        book.exposed_two.value is TwoDowncardsUp.KEPT and _has_regular_upcard(hand, seat)
    )
    several = sum(len(cards) > 1 for cards in hand.stud.upcard_serials_by_seat.values())
    for rule, number, what in (
        (book.exposed_three, count, said.CARDS_UP.format(seat=seat, count=count)),
        (book.exposed_hands, several, said.HANDS_UP.format(count=several)),
    ):
        if rule.value and number >= rule.value:
            return (plan_edits.call_misdeal(state, finding, rule, what, seat),)
    if book.exposed_two.value is TwoDowncardsUp.REPLACED:
        return (_replace_second_upcard(hand, book, seat, finding),)
    if book.exposed_two.value is TwoDowncardsUp.KEPT:
        sentence = said.KEEPS_BOTH_FACE_UP.format(seat=seat)
        return (build_ruling(finding, Verdict.MUST_KEEP, book.exposed_two, sentence, seat),)
    if book.exposed_two.value is TwoDowncardsUp.MISDEAL:
        why = said.DOWNCARDS_UP.format(seat=seat)
        return (plan_edits.call_misdeal(state, finding, book.exposed_two, why, seat),)
    plan_edits.kill_hand(hand, seat, money_back=True)
    sentence = said.BOTH_UP_DEAD.format(seat=seat)
    return (build_ruling(finding, Verdict.DEAD_HAND, book.exposed_two, sentence, seat),)


def _has_regular_upcard(hand: Hand, seat: int) -> bool:
    """Whether the seat's card that was to come up has been dealt, and lies so."""
    return any(
        lying.is_face_up and lying.serial not in hand.cards.exposed_serials
        for lying in hand.cards.piles.cards_at(hand_place(seat))
    )


def _replace_second_upcard(hand: Hand, book: StudRules, seat: int, finding: str) -> Ruling:
    """The second of the two goes, which may be the one that was to come up [AU-19.8, AU-19.15]."""
    second = hand.stud.upcard_serials_by_seat[seat][1]
    if second not in hand.cards.exposed_serials:
        hand.stud = replace(hand.stud, faceup_downcard_seats=(*hand.stud.faceup_downcard_seats, seat))
    is_burn = plan_edits.replace_as_burn(hand, seat, second)
    sentence = (said.SECOND_REPLACED if is_burn else said.SECOND_REPLACED_TO_MUCK).format(seat=seat)
    return build_ruling(finding, Verdict.REPLACE, book.exposed_two, sentence, seat)


def _record_upcards(hand: Hand, book: StudRules, seat: int) -> None:
    """Note the seat's exposed cards of the first deal; its regular upcard too where the second open one is replaced."""
    regular = book.exposed_two.value is TwoDowncardsUp.REPLACED
    cards = (
        lying.serial
        for lying in hand.cards.piles.cards_at(hand_place(seat))
        if lying.serial in hand.cards.exposed_serials
        or (regular and lying.is_face_up and lying.serial not in hand.cards.boxed_serials)
    )
    hand.stud = replace(
        hand.stud,
        upcard_serials_by_seat={
            **hand.stud.upcard_serials_by_seat,
            seat: tuple(sorted({*hand.stud.upcard_serials_by_seat.get(seat, ()), *cards})),
        },
    )


def rule_on_last_card_report(state: TableState, event: Report) -> tuple[Ruling, ...]:
    """The last downcard came face up; raises `Refused` (`no-last-card`, `no-live-hand`, `already-ruled`)."""
    hand = state.hand_in_play
    book = require_rules_for_game(hand.setup, hand.setup.rulebook.upcards)
    found = find_reported_card(hand, event)
    game = hand.setup.game
    initial = _count_cards_before_last(game)
    if found.seat is None or game.streets[-1].deal_faces != ("down",) or found.nth <= initial:
        raise Refused("no-last-card", f"`last-faceup` speaks of the last card of a hand, which is its {initial + 1}th.")
    if found.seat not in hand.betting.live_seats:
        raise Refused("no-live-hand", f"seat {found.seat} has no live hand; nobody plays that card.")
    if found.placed_card.is_face_up:
        raise Refused("already-ruled", f"the last card of seat {found.seat} lies face up already.")
    if scrapped_cards.is_taken_away(hand, found.placed_card.serial):
        raise Refused("already-ruled", f"the last card of seat {found.seat} goes away already; carry out the steps.")
    return rule_on_last_card_up(hand, book, found.seat, found.placed_card.serial, event.kind.value)


def rule_on_last_card_up(hand: Hand, book: StudRules, seat: int, serial: int, finding: str) -> tuple[Ruling, ...]:
    """The last card of a hand came up: who else's does, and who opens."""
    last = len(hand.setup.game.streets) - 1
    hand.cards = replace(
        hand.cards, piles=hand.cards.piles.identify_card(serial, hand.cards.piles.get_card(serial).card, up=True)
    )
    if seat in hand.betting.all_in_seats and book.last_up_all_in.value:
        opens = _keep_opener(hand, book, last)
        sentence = (said.LAST_UP_ALL_IN_OPENER if opens else said.LAST_UP_ALL_IN).format(seat=seat, street=opens)
        rule = book.last_up_all_in
        if opens:
            rule = replace(rule, cite=tuple(dict.fromkeys((*rule.cite, *book.last_up_opener.cite))))
        return (build_ruling(finding, Verdict.MUST_KEEP, rule, sentence, seat),)
    if book.last_up_replaced.value and not count_acted_on_street(hand, last) and len(hand.contenders) > 1:
        is_burn = plan_edits.replace_as_burn(hand, seat, serial)
        sentence = (said.LAST_UP_REPLACED_AS_BURN if is_burn else said.LAST_UP_REPLACED).format(seat=seat)
        return (build_ruling(finding, Verdict.REPLACE, book.last_up_replaced, sentence, seat),)
    if count_acted_on_street(hand, last):
        return (_rule_on_late_notice(hand, book, seat, finding, count_acted_on_street(hand, last)),)
    if _is_first_to_get_card(hand, book, seat) and _has_others_to_come(hand, book, last):
        return (_rule_on_first_last_card(hand, book, seat, finding, last),)
    opens = _keep_opener(hand, book, last)
    hand.stud = replace(hand.stud, all_in_option_seats=hand.stud.all_in_option_seats | {seat})
    if book.last_up_late.value:
        template = said.LAST_UP_OPTION_LATE_OPENER if opens else said.LAST_UP_OPTION_LATE
    else:
        template = said.LAST_UP_OPTION_OPENER if opens else said.LAST_UP_OPTION
    sentence = template.format(seat=seat, count=all_in_declaration.SUBSTANTIAL_ACTION_PLAYERS, street=opens)
    return (build_ruling(finding, Verdict.MUST_KEEP, book.last_up_option, sentence, seat),)


def _keep_opener(hand: Hand, book: StudRules, last: int) -> str:
    """Where a last card came up who opens is found anew, or is whoever opened the street before; that street's name."""
    is_previous = book.last_up_opener.value is LastUpcardOpener.PREVIOUS_OPENER
    if is_previous:
        hand.stud = replace(hand.stud, rule_opener_by_street={**hand.stud.rule_opener_by_street, last: last - 1})
    first_to_act.reconsider_opener(hand)
    if not is_previous or len(hand.contenders) < 2:
        return ""
    return hand.setup.game.streets[last - 1].name


def _rule_on_first_last_card(hand: Hand, book: StudRules, seat: int, finding: str, last: int) -> Ruling:
    """The first of the last cards is up."""
    rule = _others_last_card_rule(hand, book)
    template, opener_template = said.LAST_UP_OTHERS_DOWN, said.LAST_UP_OTHERS_DOWN_OPENER
    if rule.value is OthersLastCard.UP:
        template, opener_template = said.LAST_UP_OTHERS_UP, said.LAST_UP_OTHERS_UP_OPENER
        for step in list_remaining_deals(hand, last):
            hand.plan = hand.plan.replace_step(step, replace(step, face="up"))
    elif book.last_up_option.value:
        hand.stud = replace(hand.stud, all_in_option_seats=hand.stud.all_in_option_seats | {seat})
    opens = _keep_opener(hand, book, last)
    sentence = (opener_template if opens else template).format(seat=seat, street=opens)
    return build_ruling(finding, Verdict.MUST_KEEP, rule, sentence, seat)


def _rule_on_late_notice(hand: Hand, book: StudRules, seat: int, finding: str, acted: int) -> Ruling:
    """The betting of the last round has begun: so many have acted in it."""
    if book.last_up_late.value and acted < all_in_declaration.SUBSTANTIAL_ACTION_PLAYERS:
        hand.stud = replace(hand.stud, all_in_option_seats=hand.stud.all_in_option_seats | {seat})
        count = all_in_declaration.SUBSTANTIAL_ACTION_PLAYERS
        sentence = said.LAST_UP_OPTION_LATE.format(seat=seat, count=count)
        return build_ruling(finding, Verdict.MUST_KEEP, book.last_up_option, sentence, seat)
    if not book.last_up_late.value:
        sentence = said.LAST_UP_PLAYS_ON.format(seat=seat)
        return build_ruling(finding, Verdict.MUST_KEEP, book.last_up_option, sentence, seat)
    treat_as_all_in(hand, seat)
    sentence = said.LAST_UP_TREATED_ALL_IN.format(seat=seat)
    return build_ruling(finding, Verdict.MUST_KEEP, book.last_up_late, sentence, seat)


def is_all_in_declaration(hand: Hand, event: ActEvent) -> bool:
    """Whether the act says that a seat whose last card is up plays for what it has put in: all-in, `to` its bet.

    Without `to` it says so where the seat could not wager all its chips.
    """
    round_, seat = hand.round, event.seat
    if round_ is None or not all_in_declaration.can_declare_all_in(hand, seat):
        return False
    if event.total is None and hand.setup.tracks_amounts:
        return not is_all_in_legal(hand, round_, seat, wager_range(hand, round_, seat))
    return event.total == hand.chips.bet_by_seat.get(seat, 0)


def declare_all_in(hand: Hand, event: ActEvent) -> tuple[Ruling, ...]:
    """Such a seat takes its option."""
    rule = require_rules_for_game(hand.setup, hand.setup.rulebook.upcards).last_up_option
    round_ = hand.round_in_play
    hand.tell(SeatActed(event.seat, ActionType.ALL_IN, None, 0, round_.current_bet, round_.street))
    treat_as_all_in(hand, event.seat)
    hand.stud = replace(hand.stud, all_in_option_seats=hand.stud.all_in_option_seats - {event.seat})
    sentence = said.PLAYS_FOR_PUT_IN.format(seat=event.seat)
    return (build_ruling("last-faceup", Verdict.PLAY_ON, rule, sentence, event.seat),)


def treat_as_all_in(hand: Hand, seat: int) -> None:
    """The seat takes no further part in the betting."""
    hand.betting = replace(hand.betting, all_in_seats=hand.betting.all_in_seats | {seat})
    if hand.round is None:
        return
    hand.round = replace(hand.round, queue=tuple(other for other in hand.round.queue if other != seat))
    betting_round.close_round_if_no_action(hand)
    if hand.plan and isinstance(hand.plan[-1], BettingStep):
        hand.plan = hand.plan.drop_last()


def _is_first_to_get_card(hand: Hand, book: StudRules, seat: int) -> bool:
    """Whether the seat is the first to get a last card, in some books of those that can still win."""
    order = hand.betting.live_seats if book.last_up_first.value is FirstLastCard.PLAYER else planner.dealing_order(hand)
    return order[0] == seat


def _has_others_to_come(hand: Hand, book: StudRules, last: int) -> bool:
    """Whether a card is still to be dealt that comes as the first one did; who alone is up has the option instead."""
    if _others_last_card_rule(hand, book).value is OthersLastCard.DOWN:
        return True
    return bool(list_remaining_deals(hand, last))


def _others_last_card_rule(hand: Hand, book: StudRules) -> Rule[OthersLastCard]:
    return book.last_up_heads_up if len(hand.betting.live_seats) == 2 else book.last_up_multiway


def _require_seat(found: ReportedCard) -> int:
    assert found.seat is not None
    return found.seat

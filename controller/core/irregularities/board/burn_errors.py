"""The dealer failed to burn, or burned too many, before board cards."""

from collections.abc import Callable, Sequence

from controller.core.irregularities.common.dealt_street_cards import (
    build_acted_on_ruling,
    count_acted_on_street,
    find_cards_since_street,
    find_last_dealt_street,
    let_unburned_cards_stand,
    muck_if_pot_decided,
    require_surplus_burns,
    require_unexplained_cards,
)
from controller.core.irregularities.common.rules_for_game import require_rules_for_game
from controller.core.irregularities.draw import draw_burn_errors
from controller.core.irregularities.remedies import street_redeal
from controller.core.irregularities.remedies.street_redeal import (
    build_returns,
    build_single_returns,
    complete_street_steps,
    place_cards,
    recall_cards,
    redeal_flop,
    serials_by_place,
    street_cards,
)
from controller.core.irregularities.stud import stud_burn_errors
from controller.core.model.hand import Hand, StreetCard
from controller.core.model.table_state import TableState
from controller.core.protocol.events import Report
from controller.core.protocol.steps import BoardStep, BurnStep, ReturnStep
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import ReportKind
from controller.core.rules import ruling_sentences as said
from controller.core.rules.questions.irregularities.burn_rules import BurnErrorRemedy, BurnRules, UncorrectedBurn
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.piles import BOARD, BURN
from controller.core.values.value import replace

RETURN_LABEL_BY_PLACE = {BOARD: "board", BURN: "burn"}


def rule_on_missing_burn(state: TableState, event: Report) -> tuple[Ruling, ...]:
    """The cards of the street all lie on the board: none was burned; raises `Refused` (`no-burn-due`)."""
    return _rule_on_burn_error(state.hand_in_play, event, _rule_on_unburned_cards)


def rule_on_extra_burns(state: TableState, event: Report) -> tuple[Ruling, ...]:
    """The first cards of the street were all burned, the others lie on the board.

    Raises `Refused` (`value`, `no-card`).
    """
    return _rule_on_burn_error(state.hand_in_play, event, _rule_on_overburned_cards)


def _rule_on_burn_error(
    hand: Hand, event: Report, rule_on_board: Callable[[Hand, Report, BurnRules], tuple[Ruling, ...]]
) -> tuple[Ruling, ...]:
    """What came after a wrong burn goes where it belongs, by the way in which its street is dealt."""
    book = require_rules_for_game(hand.setup, hand.setup.rulebook.burns)
    if hand.setup.game.deals_later_cards:
        return stud_burn_errors.rule_on_stud_burn_error(hand, event, book)
    if hand.setup.game.streets[hand.streets.planned_street].has_draw:
        return draw_burn_errors.rule_on_draw_burn_error(hand, event, book)
    return rule_on_board(hand, event, book)


def _rule_on_unburned_cards(hand: Hand, event: Report, book: BurnRules) -> tuple[Ruling, ...]:
    street, cards = find_cards_since_street(hand, event)
    if not any(card.is_burn for card in cards if card.street_index == street):
        raise Refused("no-burn-due", "that street needs no burn of its own: one lies there already.")
    late = _too_late_ruling(hand, event, book, street)
    if late:
        let_unburned_cards_stand(hand, event)
        return (*late, *(_add_owed_burn(hand, book, street) or _rule_on_later_cards(hand, event, book, street)))
    serials = tuple(card.serial for card in cards)
    street_redeal.drop_planned_awards(hand)
    recall_cards(hand, cards)
    if _is_beyond_one_street(hand, street, serials, 0) and event.street is not None:
        return _redeal_since_wrong_burn(hand, book.no_burn_flop, event, street, serials, 0, 0)
    place_cards(hand, serials, BOARD)
    if _has_several_board_cards(hand, street) and book.no_burn_flop.value is BurnErrorRemedy.RESHUFFLED:
        redeal_flop(hand, street, serials)
        sentence = said.join_sentences(said.NO_BURN, street_redeal.describe_flop_redeal(hand, street))
        return (_add_redeal_clause(hand, build_ruling("no-burn", Verdict.REDEAL_BOARD, book.no_burn_flop, sentence)),)
    if _has_several_board_cards(hand, street) and book.no_burn_flop.value is BurnErrorRemedy.ONE_IS_THE_BURN:
        complete_street_steps(hand, street, serials[:1], serials[1:])
        hand.plan = hand.plan.prepend(ReturnStep("board", BOARD, BURN, 1, serials[:1], serials, is_ruled=True))
        sentence = _describe_scramble(hand.setup.game.streets[street].board_count, len(serials))
        return (build_ruling("no-burn", Verdict.CORRECT, book.no_burn_flop, sentence),)
    hand.plan = hand.plan.prepend(*build_returns(serials_by_place(hand, serials), RETURN_LABEL_BY_PLACE))
    rule = book.no_burn_flop if _has_several_board_cards(hand, street) else book.put_right
    turn = hand.setup.game.streets[street]
    back = said.BOARD_CARD_BACK if len(serials) == 1 and turn.board_count == 1 else said.BOARD_CARDS_BACK
    back = back.format(street=turn.name, count=len(serials), turn=turn.board_count)
    sentence = said.join_sentences(said.NO_BURN, back)
    return (build_ruling("no-burn", Verdict.CORRECT, rule, sentence),)


def _describe_scramble(full: int, count: int) -> str:
    """The cards of a flop without a burn, `count` of them, one of which becomes it."""
    if count > full:
        return said.join_sentences(said.NO_BURN, said.SCRAMBLE_ALL_FOR_BURN.format(count=count, others=full))
    return said.join_sentences(said.NO_BURN, said.SCRAMBLE_FOR_BURN.format(count=count, more=full + 1 - count))


def _is_beyond_one_street(hand: Hand, street: int, serials: Sequence[int], burned: int) -> bool:
    """Whether these cards, so many of them burned, are more than a street has, and nobody bets before the next one."""
    betting = hand.round is None or bool(hand.round.queue)
    return not betting and len(serials) > burned + hand.setup.game.streets[street].board_count


def _redeal_since_wrong_burn(
    hand: Hand, flop: Rule[BurnErrorRemedy], event: Report, street: int, serials: Sequence[int], burned: int, right: int
) -> tuple[Ruling, ...]:
    """All cards since a wrong burn go back, those of later streets too, and come anew.

    `burned`: how many the dealer burned before `street`, `right` how many of them should have been.
    """
    left = _place_street_cards(hand, serials, burned, hand.setup.game.streets[street].board_count)
    for later in hand.setup.game.streets[street + 1 :]:
        left = _place_street_cards(hand, left, int(later.has_burn), later.board_count)
    if left:
        raise Refused("no-card", f"{len(serials)} cards are more than the streets since then have: report each error.")
    several, boarded = _has_several_board_cards(hand, street), serials_by_place(hand, serials)[BOARD]
    if several and flop.value is BurnErrorRemedy.RESHUFFLED and boarded:
        redeal_flop(hand, street, boarded)
        wrong = said.TOO_MANY_BURNS if burned else said.NO_BURN_BEFORE
        wrong = wrong.format(street=hand.setup.game.streets[street].name)
        sentence = said.join_sentences(wrong, street_redeal.describe_flop_redeal(hand, street))
        return (_add_redeal_clause(hand, build_ruling(event.kind.value, Verdict.REDEAL_BOARD, flop, sentence)),)
    if right:
        complete_street_steps(hand, street, serials[:right], ())
    hand.plan = hand.plan.prepend(*build_single_returns(hand, serials[right:], "extra"))
    wrong = (said.TOO_MANY_BURNS if burned else said.NO_BURN_BEFORE).format(street=hand.setup.game.streets[street].name)
    sentence = said.join_sentences(wrong, said.ALL_SINCE_BACK)
    rule = flop if several else require_rules_for_game(hand.setup, hand.setup.rulebook.burns).put_right
    return (build_ruling(event.kind.value, Verdict.CORRECT, rule, sentence),)


def _place_street_cards(hand: Hand, serials: Sequence[int], burned: int, turned: int) -> tuple[int, ...]:
    """The first cards lie among the burns, the following ones on the board; returns the others."""
    place_cards(hand, serials[:burned], BURN)
    place_cards(hand, serials[burned : burned + turned], BOARD)
    return tuple(serials[burned + turned :])


def _rule_on_overburned_cards(hand: Hand, event: Report, book: BurnRules) -> tuple[Ruling, ...]:
    unused = muck_if_pot_decided(hand, event, book.without_betting)
    if unused:
        return unused
    earlier = _rule_on_earlier_street(hand, event, book)
    if earlier:
        return earlier
    street, cards, count = _find_overburned_street(hand, event)
    late = _too_late_ruling(hand, event, book, street)
    due = sum(card.is_burn for card in cards if card.street_index == street)
    full = hand.setup.game.streets[street].board_count
    known = tuple(card.serial for card in cards)
    if late and len(known) + len(hand.cards.unexpected_serials) < count + full:
        return (*late, *_rule_on_later_cards(hand, event, book, street))
    serials = (*known, *hand.cards.unexpected_serials[: max(count + full - len(known), 0)])
    burned, boarded = serials[:count], serials[count:]
    surplus = burned[due:]
    street_redeal.drop_planned_awards(hand)
    recall_cards(hand, cards)
    place_cards(hand, burned, BURN)
    place_cards(hand, boarded, BOARD)
    if late:
        return _let_board_cards_stand(hand, book, street, burned, boarded, surplus, late)
    if _has_several_board_cards(hand, street) and boarded and book.surplus_flop.value is BurnErrorRemedy.RESHUFFLED:
        redeal_flop(hand, street, boarded)
        wrong = said.TOO_MANY_BURNS.format(street=hand.setup.game.streets[street].name)
        sentence = said.join_sentences(wrong, street_redeal.describe_flop_redeal(hand, street))
        return (
            _add_redeal_clause(hand, build_ruling("double-burn", Verdict.REDEAL_BOARD, book.surplus_flop, sentence)),
        )
    complete_street_steps(hand, street, burned[:due], ())
    hand.plan = hand.plan.prepend(*build_returns(serials_by_place(hand, (*boarded, *surplus)), RETURN_LABEL_BY_PLACE))
    rule = book.surplus_flop if _has_several_board_cards(hand, street) else book.put_right
    wrong = said.TOO_MANY_BURNS.format(street=hand.setup.game.streets[street].name)
    sentence = said.join_sentences(wrong, said.BURNS_BACK.format(turn=full))
    return (build_ruling("double-burn", Verdict.CORRECT, rule, sentence),)


def let_burn_error_stand(hand: Hand, event: Report) -> None:
    """The floor lets a wrong burn stand: the cards have had the steps of the places where they lie.

    Raises `Refused` (`no-card`) where the cards do not fit.
    """
    if hand.setup.game.deals_later_cards:
        stud_burn_errors.let_stud_burn_stand(hand, event)
    elif hand.setup.game.streets[hand.streets.planned_street].has_draw:
        draw_burn_errors.let_draw_burn_stand(hand, event)
    elif event.kind is ReportKind.NO_BURN:
        let_unburned_cards_stand(hand, event)
    else:
        _let_extra_burns_stand(hand, event)


def _let_extra_burns_stand(hand: Hand, event: Report) -> None:
    """The first cards of the street were all burned, the others are its board cards; further ones are asked about."""
    street, cards = find_cards_since_street(hand, event)
    due = sum(card.is_burn for card in cards if card.street_index == street)
    count = event.count or due + 1
    serials = (*(card.serial for card in cards), *hand.cards.unexpected_serials)
    recall_cards(hand, cards)
    for of, each in enumerate(hand.setup.game.streets):
        if of < street or not serials:
            continue
        burned, turned = count if of == street else int(each.has_burn), each.board_count
        complete_street_steps(hand, of, serials[:burned], serials[burned : burned + turned])
        serials = _place_street_cards(hand, serials, burned, turned)


def _rule_on_earlier_street(hand: Hand, event: Report, book: BurnRules) -> tuple[Ruling, ...]:
    """The ruling where the report names a street before the one dealt last; empty otherwise."""
    if event.street is None or event.street == hand.setup.game.streets[find_last_dealt_street(hand, event)[0]].name:
        return ()
    street, cards = find_cards_since_street(hand, event)
    late = _too_late_ruling(hand, event, book, street)
    if late:
        return late
    due = sum(card.is_burn for card in cards if card.street_index == street)
    count = require_surplus_burns(event, due)
    serials = (*(card.serial for card in cards), *hand.cards.unexpected_serials)
    if len(serials) < count:
        raise Refused("no-card", f"cards that left the shoe for the {event.street} and since: {len(serials)}.")
    street_redeal.drop_planned_awards(hand)
    recall_cards(hand, cards)
    return _redeal_since_wrong_burn(hand, book.surplus_flop, event, street, serials, count, due)


def _find_overburned_street(hand: Hand, event: Report) -> tuple[int, tuple[StreetCard, ...], int]:
    """The street before which too many were burned, its cards, and how many the dealer burned.

    Where streets follow one another without betting the plan may have taken the last card for the next street's burn.
    """
    street, cards = find_last_dealt_street(hand, event)
    due = sum(card.is_burn for card in cards)
    count = require_surplus_burns(event, due)
    if len(cards) + len(hand.cards.unexpected_serials) >= count:
        return street, cards, count
    before = (
        street_cards(hand, street - 1)
        if not hand.cards.unexpected_serials and not count_acted_on_street(hand, street - 1)
        else ()
    )
    earlier = event.count or sum(card.is_burn for card in before) + 1
    if before and len(before) + len(cards) == earlier + hand.setup.game.streets[street - 1].board_count:
        return street - 1, (*before, *cards), earlier
    require_unexplained_cards(hand, event, count - len(cards))
    return street, cards, count


def _too_late_ruling(hand: Hand, event: Report, book: BurnRules, street: int) -> tuple[Ruling, ...]:
    """The ruling when the error can no longer be put right; empty when it can."""
    finding = event.kind.value
    acted = max(count_acted_on_street(hand, street), event.acted_count or int(event.has_chips_in or False))
    if acted >= book.stands_after.value:
        return (build_acted_on_ruling(event, book, acted),)
    if hand.is_award_pushed or len(hand.betting.live_seats) == 1:
        sentence = said.DECIDED_CARDS_STAND
        return (build_ruling(finding, Verdict.PLAY_ON, book.without_betting, sentence),)
    if not acted and not book.without_betting.value and hand.round is not None and not hand.round.queue:
        sentence = said.NO_BETTING_CARDS_STAND
        return (build_ruling(finding, Verdict.PLAY_ON, book.without_betting, sentence),)
    if any(card.serial <= hand.cards.fouled_serial for card in street_cards(hand, street)):
        sentence = said.STUB_CHANGED_CARDS_STAND
        return (build_ruling(finding, Verdict.PLAY_ON, book.without_betting, sentence),)
    if not book.put_right.value and not _has_several_board_cards(hand, street):
        return (build_ruling(finding, Verdict.PLAY_ON, book.put_right, said.CARDS_STAND),)
    return ()


def _let_board_cards_stand(
    hand: Hand,
    book: BurnRules,
    street: int,
    burned: Sequence[int],
    boarded: Sequence[int],
    surplus: Sequence[int],
    late: tuple[Ruling, ...],
) -> tuple[Ruling, ...]:
    """The board cards stand; the surplus burn goes back on the stub where later cards are to be the right ones."""
    complete_street_steps(hand, street, burned, boarded)
    more = any(later.has_burn for later in hand.setup.game.streets[street + 1 :])
    if book.afterwards.value is UncorrectedBurn.WRONG_NUMBER or not more:
        return late
    hand.cards = replace(
        hand.cards, street_cards=tuple(card for card in hand.cards.street_cards if card.serial not in surplus)
    )
    hand.plan = hand.plan.prepend(*build_returns({BURN: tuple(surplus)}, RETURN_LABEL_BY_PLACE))
    sentence = said.BURN_BACK.format(
        street=next(each.name for each in hand.setup.game.streets[street + 1 :] if each.has_burn)
    )
    return (*late, build_ruling(ReportKind.DOUBLE_BURN.value, Verdict.CORRECT, book.afterwards, sentence))


def _add_owed_burn(hand: Hand, book: BurnRules, street: int) -> tuple[Ruling, ...]:
    """Where later cards are to be the right ones, the next street that burns has one burn more; what is ruled."""
    as_left = any(card.is_burn or card.serial <= hand.cards.fouled_serial for card in street_cards(hand, street))
    if (
        book.afterwards.value is UncorrectedBurn.WRONG_NUMBER
        or as_left
        or hand.is_award_pushed
        or len(hand.betting.live_seats) == 1
    ):
        return ()
    planned = next((step for step in hand.plan.steps_of_type(BurnStep, BoardStep) if step.street_index > street), None)
    if planned is not None:
        hand.plan = hand.plan.insert_before(planned, BurnStep(street_index=planned.street_index))
    elif any(
        street_redeal.needs_burn(hand, later)
        for later in range(hand.streets.planned_street + 1, len(hand.setup.game.streets))
    ):
        hand.cards = replace(hand.cards, burns_ahead=hand.cards.burns_ahead - 1)
    else:
        return ()
    later, burns = next(each for each in hand.setup.game.streets[street + 1 :] if each.board_count), 2
    if planned is not None:
        later = hand.setup.game.streets[planned.street_index]
        burns = sum(step.street_index == planned.street_index for step in hand.plan.steps_of_type(BurnStep))
    sentence = said.BURN_AND_TURN.format(street=later.name.capitalize(), burns=burns, turn=later.board_count)
    return (build_ruling(ReportKind.NO_BURN.value, Verdict.CORRECT, book.afterwards, sentence),)


def _rule_on_later_cards(hand: Hand, event: Report, book: BurnRules, street: int) -> tuple[Ruling, ...]:
    """What the book says of the cards to come, where the cards that left do not tell which those are [WSOP-L-165]."""
    later = any(each.board_count for each in hand.setup.game.streets[street + 1 :])
    decided = hand.is_award_pushed or len(hand.betting.live_seats) == 1
    fouled = any(card.serial <= hand.cards.fouled_serial for card in street_cards(hand, street))
    if book.afterwards.value is UncorrectedBurn.WRONG_NUMBER or decided or fouled or not later:
        return ()
    return (build_ruling(event.kind.value, Verdict.PLAY_ON, book.afterwards, said.LATER_CARDS),)


def _has_several_board_cards(hand: Hand, street: int) -> bool:
    """Whether the street turns several cards together."""
    return hand.setup.game.streets[street].board_count > 1


def _add_redeal_clause(hand: Hand, ruling: Ruling) -> Ruling:
    """The ruling with the clause by which the flop is dealt again."""
    board = hand.setup.rulebook.board[hand.setup.game.rules_form]
    cite = (*ruling.cite, *(id_ for id_ in board.burn_again.cite if id_ not in ruling.cite))
    return Ruling(ruling.finding, ruling.verdict, cite, ruling.text, ruling.seat)

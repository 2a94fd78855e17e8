"""The dealer failed to burn, or burned too many, before board cards."""

from collections.abc import Sequence

from controller.core.irregularities.common.dealt_street_cards import (
    acted_on,
    asked_about,
    just_dealt,
    left_unburned,
    nobody_needs,
    since_the_street,
)
from controller.core.irregularities.common.rules_for_game import table_of
from controller.core.irregularities.draw import draw_burns
from controller.core.irregularities.remedies import redeal
from controller.core.irregularities.remedies.redeal import back, cards_of, flop_again, had, lie, lying, recalled
from controller.core.irregularities.stud import street_misdealt
from controller.core.model.hand import Hand, Laid
from controller.core.model.state import State
from controller.core.play.deal import planner
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Report
from controller.core.protocol.steps import Board, Burn, Return
from controller.core.protocol.vocabulary import What
from controller.core.rules.questions.irregularities.burns import Afterwards, BurnError, BurnRules
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.counted import counted
from controller.core.values.piles import BOARD, BURN, STUB
from controller.core.values.value import replace

NAMES = {BOARD: "board", BURN: "burn"}


def no_burn(state: State, event: Report) -> tuple[Ruling, ...]:
    """The cards of the street all lie on the board: none was burned; raises `Refused` (`no-burn-due`)."""
    hand = state.hand_in_play
    if hand.setup.game.deals_singly:
        return street_misdealt.misburned(state, event, 0)
    if hand.setup.game.streets[hand.streets.planned].draw:
        return draw_burns.misburned(hand, event)
    book = table_of(hand.setup, hand.setup.rulebook.burns)
    street, cards = since_the_street(hand, event)
    if not any(card.burned for card in cards if card.of == street):
        raise Refused("no-burn-due", "that street needs no burn of its own: one lies there already.")
    late = _stands(hand, event, book, street)
    if late:
        left_unburned(hand, event)
        return (*late, *_owed(hand, book, street))
    serials = tuple(card.serial for card in cards)
    redeal.awards_off(hand)
    recalled(hand, cards)
    if _one_street_after_the_other(hand, street, serials, 0) and event.street is not None:
        return _since_then(hand, book.no_burn_flop, event, street, serials, 0, 0)
    lie(hand, serials, BOARD)
    if _several(hand, street) and book.no_burn_flop.value is BurnError.RESHUFFLED:
        flop_again(hand, street, serials)
        planner.extend(hand)
        sentence = "no card was burned before the flop: shuffle it back, cut and deal it again"
        return (_also(hand, ruled("no-burn", Verdict.REDEAL_BOARD, book.no_burn_flop, sentence)),)
    if _several(hand, street) and book.no_burn_flop.value is BurnError.ONE_IS_THE_BURN:
        had(hand, street, serials[:1], serials[1:])
        hand.plan = hand.plan.first(Return("board", BOARD, BURN, 1, serials[:1], serials, ruled=True))
        planner.extend(hand)
        sentence = "no card was burned: scramble the flop face down, one picked blind is the burn, and turn one more"
        return (ruled("no-burn", Verdict.CORRECT, book.no_burn_flop, sentence),)
    hand.plan = hand.plan.first(*back(lying(hand, serials), NAMES))
    planner.extend(hand)
    rule = book.no_burn_flop if _several(hand, street) else book.put_right
    sentence = "no card was burned: put the board card back on the stub, burn it and turn the next"
    return (ruled("no-burn", Verdict.CORRECT, rule, sentence),)


def _one_street_after_the_other(hand: Hand, street: int, serials: Sequence[int], burned: int) -> bool:
    """Whether these cards, so many of them burned, are more than a street has, and nobody bets before the next one."""
    betting = hand.round is None or bool(hand.round.queue)
    return not betting and len(serials) > burned + hand.setup.game.streets[street].board


def _since_then(
    hand: Hand, flop: Rule[BurnError], event: Report, street: int, serials: Sequence[int], burned: int, right: int
) -> tuple[Ruling, ...]:
    """All cards since a wrong burn go back, those of later streets too, and come anew.

    `burned`: how many the dealer burned before `street`, `right` how many of them should have been.
    """
    left = _burned_and_turned(hand, serials, burned, hand.setup.game.streets[street].board)
    for later in hand.setup.game.streets[street + 1 :]:
        left = _burned_and_turned(hand, left, int(later.burn), later.board)
    if left:
        raise Refused("no-card", f"{len(serials)} cards are more than the streets since then have: report each error.")
    several, boarded = _several(hand, street), lying(hand, serials)[BOARD]
    if several and flop.value is BurnError.RESHUFFLED and boarded:
        flop_again(hand, street, boarded)
        planner.extend(hand)
        sentence = "the burn before the flop was wrong: shuffle the board back, cut and deal it again"
        return (_also(hand, ruled(event.what.value, Verdict.REDEAL_BOARD, flop, sentence)),)
    if right:
        had(hand, street, serials[:right], ())
    hand.plan = hand.plan.first(*_one_by_one(hand, serials[right:]))
    planner.extend(hand)
    wrong = "no card was burned" if not burned else "too many cards were burned"
    sentence = f"{wrong}: put what came since back on the stub, the last one first, and deal it anew"
    rule = flop if several else table_of(hand.setup, hand.setup.rulebook.burns).put_right
    return (ruled(event.what.value, Verdict.CORRECT, rule, sentence),)


def _burned_and_turned(hand: Hand, serials: Sequence[int], burned: int, turned: int) -> tuple[int, ...]:
    """The first cards lie among the burns, the following ones on the board; returns the others."""
    lie(hand, serials[:burned], BURN)
    lie(hand, serials[burned : burned + turned], BOARD)
    return tuple(serials[burned + turned :])


def _one_by_one(hand: Hand, serials: Sequence[int]) -> tuple[Return, ...]:
    """The cards go back on the stub in turn, the last one first."""
    places = ((serial, hand.cards.piles.place_of(serial) or BOARD) for serial in reversed(serials))
    return tuple(Return(NAMES[place], place, STUB, 1, (serial,), ruled=True) for serial, place in places)


def double_burn(state: State, event: Report) -> tuple[Ruling, ...]:
    """The first cards of the street were all burned, the others lie on the board.

    Raises `Refused` (`value`, `no-card`).
    """
    hand = state.hand_in_play
    if hand.setup.game.deals_singly:
        return street_misdealt.misburned(state, event, event.count or 2)
    if hand.setup.game.streets[hand.streets.planned].draw:
        return draw_burns.misburned(hand, event)
    book = table_of(hand.setup, hand.setup.rulebook.burns)
    unused = nobody_needs(hand, event, book.without_betting)
    if unused:
        return unused
    earlier = _named_earlier(hand, event, book)
    if earlier:
        return earlier
    street, cards, count = _burned(hand, event)
    late = _stands(hand, event, book, street)
    due = sum(card.burned for card in cards if card.of == street)
    full = hand.setup.game.streets[street].board
    known = tuple(card.serial for card in cards)
    if late and len(known) + len(hand.cards.undue) < count + full:
        return late
    serials = (*known, *hand.cards.undue[: max(count + full - len(known), 0)])
    burned, boarded = serials[:count], serials[count:]
    surplus = burned[due:]
    redeal.awards_off(hand)
    recalled(hand, cards)
    lie(hand, burned, BURN)
    lie(hand, boarded, BOARD)
    if late:
        return _left_standing(hand, book, street, burned, boarded, surplus, late)
    if _several(hand, street) and boarded and book.surplus_flop.value is BurnError.RESHUFFLED:
        flop_again(hand, street, boarded)
        planner.extend(hand)
        sentence = "too many cards were burned and the flop lies open: shuffle it back, cut and deal it again"
        return (_also(hand, ruled("double-burn", Verdict.REDEAL_BOARD, book.surplus_flop, sentence)),)
    had(hand, street, burned[:due], ())
    hand.plan = hand.plan.first(*back(lying(hand, (*boarded, *surplus)), NAMES))
    planner.extend(hand)
    rule = book.surplus_flop if _several(hand, street) else book.put_right
    sentence = "too many cards were burned: put what came after the right burn back on the stub and deal it anew"
    return (ruled("double-burn", Verdict.CORRECT, rule, sentence),)


def stands(hand: Hand, event: Report) -> None:
    """The floor lets a wrong burn stand: the cards have had the steps of the places where they lie.

    Raises `Refused` (`no-card`) where the cards do not fit.
    """
    burned = 0 if event.what is What.NO_BURN else event.count or 2
    if hand.setup.game.deals_singly:
        street_misdealt.stands(hand, event, burned)
    elif hand.setup.game.streets[hand.streets.planned].draw:
        draw_burns.stands(hand, event)
    elif event.what is What.NO_BURN:
        left_unburned(hand, event)
    else:
        _stand_burned(hand, event)


def _stand_burned(hand: Hand, event: Report) -> None:
    """The first cards of the street were all burned, the others are its board cards; further ones are asked about."""
    street, cards = since_the_street(hand, event)
    due = sum(card.burned for card in cards if card.of == street)
    count = event.count or due + 1
    serials = (*(card.serial for card in cards), *hand.cards.undue)
    recalled(hand, cards)
    for of, each in enumerate(hand.setup.game.streets):
        if of < street or not serials:
            continue
        burned, turned = count if of == street else int(each.burn), each.board
        had(hand, of, serials[:burned], serials[burned : burned + turned])
        serials = _burned_and_turned(hand, serials, burned, turned)
    planner.extend(hand)


def _named_earlier(hand: Hand, event: Report, book: BurnRules) -> tuple[Ruling, ...]:
    """The ruling where the report names a street before the one dealt last; empty otherwise."""
    if event.street is None or event.street == hand.setup.game.streets[just_dealt(hand, event)[0]].name:
        return ()
    street, cards = since_the_street(hand, event)
    late = _stands(hand, event, book, street)
    if late:
        return late
    due = sum(card.burned for card in cards if card.of == street)
    count = event.count or due + 1
    if count <= due:
        raise Refused("value", f"`count` is how many cards were burned: more than {due}, which the street needs.")
    serials = (*(card.serial for card in cards), *hand.cards.undue)
    if len(serials) < count:
        raise Refused("no-card", f"cards that left the shoe for the {event.street} and since: {len(serials)}.")
    redeal.awards_off(hand)
    recalled(hand, cards)
    return _since_then(hand, book.surplus_flop, event, street, serials, count, due)


def _burned(hand: Hand, event: Report) -> tuple[int, tuple[Laid, ...], int]:
    """The street before which too many were burned, its cards, and how many the dealer burned.

    Where streets follow one another without betting the plan may have taken the last card for the next street's burn.
    """
    street, cards = just_dealt(hand, event)
    due = sum(card.burned for card in cards)
    count = event.count or due + 1
    if count <= due:
        raise Refused("value", f"`count` is how many cards were burned: more than {due}, which the street needs.")
    if len(cards) + len(hand.cards.undue) >= count:
        return street, cards, count
    before = cards_of(hand, street - 1) if not hand.cards.undue and not acted_on(hand, street - 1) else ()
    earlier = event.count or sum(card.burned for card in before) + 1
    if before and len(before) + len(cards) == earlier + hand.setup.game.streets[street - 1].board:
        return street - 1, (*before, *cards), earlier
    asked_about(hand, event, count - len(cards))
    return street, cards, count


def _stands(hand: Hand, event: Report, book: BurnRules, street: int) -> tuple[Ruling, ...]:
    """The ruling when the error can no longer be put right; empty when it can."""
    finding = event.what.value
    acted = max(acted_on(hand, street), event.acted or int(event.chips or False))
    if acted >= book.stands_after.value:
        sentence = f"{counted(acted, 'player')} acted on the street: its cards stand"
        return (ruled(finding, Verdict.PLAY_ON, book.stands_after, sentence),)
    if hand.award_pushed or len(hand.betting.live) == 1:
        sentence = "the pot is decided: the cards stand"
        return (ruled(finding, Verdict.PLAY_ON, book.without_betting, sentence),)
    if not acted and not book.without_betting.value and hand.round is not None and not hand.round.queue:
        sentence = "there is no betting on this street: its cards stand"
        return (ruled(finding, Verdict.PLAY_ON, book.without_betting, sentence),)
    if any(card.serial <= hand.cards.fouled_at for card in cards_of(hand, street)):
        sentence = "the stub is no longer as it was, so that nobody knows the right card: the cards stand"
        return (ruled(finding, Verdict.PLAY_ON, book.without_betting, sentence),)
    if not book.put_right.value and not _several(hand, street):
        return (ruled(finding, Verdict.PLAY_ON, book.put_right, "the cards stand"),)
    return ()


def _left_standing(
    hand: Hand,
    book: BurnRules,
    street: int,
    burned: Sequence[int],
    boarded: Sequence[int],
    surplus: Sequence[int],
    late: tuple[Ruling, ...],
) -> tuple[Ruling, ...]:
    """The board cards stand; the surplus burn goes back on the stub where later cards are to be the right ones."""
    had(hand, street, burned, boarded)
    more = any(later.burn for later in hand.setup.game.streets[street + 1 :])
    if book.afterwards.value is Afterwards.WRONG_NUMBER or not more:
        planner.extend(hand)
        return late
    hand.cards = replace(hand.cards, laid=tuple(card for card in hand.cards.laid if card.serial not in surplus))
    hand.plan = hand.plan.first(*back({BURN: tuple(surplus)}, NAMES))
    planner.extend(hand)
    sentence = "put the surplus burn back on the stub: it is the burn of the next street"
    return (*late, ruled(What.DOUBLE_BURN.value, Verdict.CORRECT, book.afterwards, sentence))


def _owed(hand: Hand, book: BurnRules, street: int) -> tuple[Ruling, ...]:
    """Where later cards are to be the right ones, the next street that burns has one burn more; what is ruled."""
    as_left = any(card.burned or card.serial <= hand.cards.fouled_at for card in cards_of(hand, street))
    if book.afterwards.value is Afterwards.WRONG_NUMBER or as_left or hand.award_pushed or len(hand.betting.live) == 1:
        return ()
    planned = next((step for step in hand.plan.every(Burn, Board) if step.of > street), None)
    if planned is not None:
        hand.plan = hand.plan.before(planned, Burn(of=planned.of))
    elif any(redeal.burns(hand, later) for later in range(hand.streets.planned + 1, len(hand.setup.game.streets))):
        hand.cards = replace(hand.cards, burns_made=hand.cards.burns_made - 1)
    else:
        return ()
    sentence = "the next street has one burn more, so that its cards are those that would have come"
    return (ruled(What.NO_BURN.value, Verdict.CORRECT, book.afterwards, sentence),)


def _several(hand: Hand, street: int) -> bool:
    """Whether the street turns several cards together."""
    return hand.setup.game.streets[street].board > 1


def _also(hand: Hand, ruling: Ruling) -> Ruling:
    """The ruling with the clause by which the flop is dealt again."""
    board = hand.setup.rulebook.board[hand.setup.game.form]
    cite = (*ruling.cite, *(id_ for id_ in board.burn_again.cite if id_ not in ruling.cite))
    return Ruling(ruling.finding, ruling.verdict, cite, ruling.text, ruling.seat)

"""Board cards were dealt before the betting was over."""

from controller.core.irregularities.board import extra_board_card
from controller.core.irregularities.common.dealt_street_cards import muck_if_pot_decided, require_unexplained_cards
from controller.core.irregularities.common.rules_for_game import require_rules_for_game
from controller.core.irregularities.draw import draw_irregularities
from controller.core.irregularities.remedies import street_redeal
from controller.core.irregularities.remedies.standing_cards import let_cards_stand
from controller.core.irregularities.remedies.street_redeal import all_burns, place_cards, shuffle_back_before_street
from controller.core.irregularities.stud import stud_burn_errors
from controller.core.model.hand import Hand, StreetCard
from controller.core.model.table_state import TableState
from controller.core.protocol.events import Report
from controller.core.protocol.steps import BettingStep, CardStep, DrawStep, ReturnStep, ShowStep
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import ReportKind
from controller.core.rules import ruling_sentences as said
from controller.core.rules.questions.irregularities.premature_rules import PrematureCardRemedy, PrematureRules
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.piles import ASIDE, BOARD, BURN
from controller.core.values.value import replace

FINDING = "premature"


def rule_on_premature_cards(state: TableState, event: Report) -> tuple[Ruling, ...]:
    """The cards in question, or the first `count` of them, came too early: burn first, then board.

    Raises `Refused` (`not-ruled`, `no-card`, `not-so`).
    """
    hand = state.hand_in_play
    if hand.showdown.are_hands_up and hand.plan.next_step_if(ShowStep) and hand.cards.unexpected_serials:
        return _let_stand_before_showing(
            hand, require_unexplained_cards(hand, event, event.count or len(hand.cards.unexpected_serials))
        )
    book = require_rules_for_game(hand.setup, hand.setup.rulebook.premature)
    if not hand.cards.unexpected_serials:
        raise Refused("no-card", "by the plan the betting was over when the last card left the shoe.")
    if hand.setup.game.deals_later_cards:
        return stud_burn_errors.rule_on_premature_stud_cards(hand, event, book)
    if any(street.has_draw for street in hand.setup.game.streets):
        return draw_irregularities.rule_on_premature_draw(hand, event, book)
    if hand.plan.next_step_if(DrawStep):
        return _let_stand_before_discards(
            hand, book, require_unexplained_cards(hand, event, event.count or len(hand.cards.unexpected_serials))
        )
    unused = muck_if_pot_decided(hand, event, book.turn)
    if unused:
        return unused
    serials = require_unexplained_cards(hand, event, event.count or len(hand.cards.unexpected_serials))
    streets = _split_by_street(hand, serials) if event.is_first_burned else (serials,)
    return tuple(
        ruling for cards in streets for ruling in _rule_on_premature_street(hand, book, cards, event.is_first_burned)
    )


def _split_by_street(hand: Hand, serials: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The cards of each street, where they are just those of the street that is to come and of the one after it."""
    street, streets = _find_premature_street(hand), hand.setup.game.streets
    own = streets[street].board_count + (street_redeal.needs_burn(hand, street) and hand.cards.burns_ahead <= 0)
    if (
        street + 1 == len(streets)
        or len(serials) != own + streets[street + 1].has_burn + streets[street + 1].board_count
    ):
        return (serials,)
    return serials[:own], serials[own:]


def _rule_on_premature_street(
    hand: Hand, book: PrematureRules, serials: tuple[int, ...], burned: bool
) -> tuple[Ruling, ...]:
    """One street's cards did. `burned`: the dealer burned first, where the street burns."""
    street = _find_premature_street(hand)
    unburned = not burned and street_redeal.needs_burn(hand, street) and hand.cards.burns_ahead <= 0
    first, boarded = _place_premature_cards(hand, street, serials, burned)
    if not boarded:
        if not book.burn_alone.value:
            return (build_ruling(FINDING, Verdict.PLAY_ON, book.burn_alone, said.BURN_ANEW),)
        hand.cards = replace(hand.cards, burns_ahead=hand.cards.burns_ahead + 1)
        sentence = said.EARLY_BURN.format(street=hand.setup.game.streets[street].name)
        return (build_ruling(FINDING, Verdict.PLAY_ON, book.burn_alone, sentence),)
    several, last = hand.setup.game.streets[street].board_count > 1, street + 1 == len(hand.setup.game.streets)
    rule = book.flop if several else book.river if last else book.turn
    if rule.value is PrematureCardRemedy.STANDS:
        return _let_premature_cards_stand(hand, rule, street, first, boarded)
    if rule.value is PrematureCardRemedy.NEXT_CARD and not last:
        return _set_aside(hand, book, rule, street, boarded)
    return _shuffle_back_later(hand, book, rule, street, boarded, unburned=unburned)


def _find_premature_street(hand: Hand) -> int:
    """The street that the cards belong to: the first to come that does not lie there whole already."""
    first = next((step for step in hand.plan if isinstance(step, (BettingStep, CardStep))), None)
    if not isinstance(first, BettingStep):
        raise Refused("not-so", "no player is to act now: what left the shoe was not premature.")
    streets = range(hand.streets.planned_street + 1, len(hand.setup.game.streets))
    street = next((i for i in streets if not hand.streets.get_change(i).is_complete), None)
    if street is None or not hand.setup.game.streets[street].board_count:
        raise Refused("not-so", "no board card is to come after this betting round.")
    return street


def _place_premature_cards(
    hand: Hand, street: int, serials: tuple[int, ...], burned: bool
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Put the cards where the street sends them: the first burned where it burns and no burn of it lies there.

    Of a street that is dealt again without a burn it was burned only if there are more cards than the street has.
    """
    rules = hand.setup.game.streets[street]
    burns = burned and (street_redeal.needs_burn(hand, street) or (rules.has_burn and len(serials) > rules.board_count))
    if burns and hand.cards.burns_ahead > 0:
        hand.cards = replace(hand.cards, burns_ahead=hand.cards.burns_ahead - 1)
        burns = False
    first, boarded = (serials[:1], serials[1:]) if burns else ((), serials)
    place_cards(hand, first, BURN)
    place_cards(hand, boarded, BOARD)
    return first, boarded


def _let_premature_cards_stand(
    hand: Hand, rule: Rule[PrematureCardRemedy], street: int, burned: tuple[int, ...], boarded: tuple[int, ...]
) -> tuple[Ruling, ...]:
    """The cards have fulfilled their street; the round goes on to what was wagered and no further."""
    full = hand.setup.game.streets[street].board_count
    change = replace(hand.streets.get_change(street), is_complete=True)
    hand.streets = hand.streets.replace_change(street, change)
    laid = (*(StreetCard(s, street, True) for s in burned), *(StreetCard(s, street, False) for s in boarded[:full]))
    hand.cards = replace(hand.cards, street_cards=(*hand.cards.street_cards, *laid))
    hand.round = replace(hand.round_in_play, max_wager=hand.round_in_play.current_bet)
    sentence = said.EARLY_CARD_STANDS.format(street=hand.setup.game.streets[street].name)
    rulings: tuple[Ruling, ...] = (build_ruling(FINDING, Verdict.RESTRICT_BET, rule, sentence),)
    if boarded[full:]:
        book = hand.setup.rulebook.board[hand.setup.game.rules_form]
        rulings += extra_board_card.return_surplus_cards(hand, ReportKind.PREMATURE, book, street, boarded[full:])
    return rulings


def _set_aside(
    hand: Hand, book: PrematureRules, rule: Rule[PrematureCardRemedy], street: int, boarded: tuple[int, ...]
) -> tuple[Ruling, ...]:
    """Out of play for the round; shuffled back before the street after the next."""
    away = ReturnStep(FINDING, BOARD, ASIDE, len(boarded), boarded, is_ruled=True)
    hand.plan = hand.plan.prepend(away)
    shuffle_back_before_street(hand, street + 1, {ASIDE: boarded}, book.burn_again.value)
    name = hand.setup.game.streets[street].name
    sentence = said.EARLY_CARD_ASIDE.format(street=name)
    return (build_ruling(FINDING, Verdict.SET_ASIDE, rule, sentence),)


def _shuffle_back_later(
    hand: Hand,
    book: PrematureRules,
    rule: Rule[PrematureCardRemedy],
    street: int,
    boarded: tuple[int, ...],
    *,
    unburned: bool,
) -> tuple[Ruling, ...]:
    """When the betting is over the cards go back, the stub is shuffled and cut, the street is dealt anew."""
    flop, several = (
        hand.setup.rulebook.board[hand.setup.game.rules_form],
        hand.setup.game.streets[street].board_count > 1,
    )
    burns: tuple[int, ...] = ()
    if several and flop.burn_back.value:
        burns = all_burns(hand)
        hand.cards = replace(hand.cards, burns_ahead=0)
    burn = flop.burn_again.value if several else book.burn_again.value
    burn = burn or (unburned and book.burn_missing.value)
    shuffle_back_before_street(hand, street, {BOARD: boarded, BURN: burns}, burn)
    name = hand.setup.game.streets[street].name
    back = said.EARLY_CARD_BACK_AND_BURN if burn else said.EARLY_CARD_BACK
    sentence = back.format(street=name, turn=hand.setup.game.streets[street].board_count)
    verdict = Verdict.REDEAL_BOARD if several else Verdict.REDEAL_STREET
    return (build_ruling(FINDING, verdict, rule, sentence),)


def _let_stand_before_discards(hand: Hand, book: PrematureRules, serials: tuple[int, ...]) -> tuple[Ruling, ...]:
    """The betting is over and only cards were still to be thrown away: the street's cards have their steps."""
    street = hand.setup.game.streets[hand.streets.planned_street]
    let_cards_stand(hand, serials)
    rule = book.flop if street.board_count > 1 else book.turn
    sentence = said.DISCARDS_FIRST
    return (build_ruling(FINDING, Verdict.PLAY_ON, rule, sentence),)


def _let_stand_before_showing(hand: Hand, serials: tuple[int, ...]) -> tuple[Ruling, ...]:
    """The betting is over and only the hands were still to be turned up: the cards have their steps."""
    let_cards_stand(hand, serials)
    showdown = hand.setup.rulebook.showdown
    rule = hand.setup.select_by_mode(showdown.hands_up_cash, showdown.hands_up_tournament)
    sentence = said.SHOWING_FIRST
    return (build_ruling(FINDING, Verdict.PLAY_ON, rule, sentence),)

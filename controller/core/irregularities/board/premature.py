"""Board cards were dealt before the betting was over."""

from controller.core.irregularities.board import extra_board_card
from controller.core.irregularities.common.dealt_street_cards import asked_about, nobody_needs
from controller.core.irregularities.common.rules_for_game import table_of
from controller.core.irregularities.draw import exposed_on_draw
from controller.core.irregularities.remedies import redeal
from controller.core.irregularities.remedies.let_stand import let_stand
from controller.core.irregularities.remedies.redeal import all_burns, lie, shuffled_back_before
from controller.core.irregularities.stud import street_misdealt
from controller.core.model.hand import Hand, Laid, StreetChange
from controller.core.model.state import State
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Report
from controller.core.protocol.steps import Draw, FromShoe, Return, Show, Turn
from controller.core.protocol.vocabulary import What
from controller.core.rules.questions.irregularities.premature import Early, PrematureRules
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.piles import ASIDE, BOARD, BURN
from controller.core.values.value import replace

FINDING = "premature"


def premature(state: State, event: Report) -> tuple[Ruling, ...]:
    """The cards in question, or the first `count` of them, came too early: burn first, then board.

    Raises `Refused` (`no-card`, `not-so`).
    """
    hand = state.hand_in_play
    if hand.showdown.hands_up and hand.plan.due(Show) and hand.cards.undue:
        return _only_before_the_showing(hand, asked_about(hand, event, event.count or len(hand.cards.undue)))
    if hand.setup.game.deals_singly:
        return street_misdealt.premature(state, event)
    if any(street.draw for street in hand.setup.game.streets):
        return exposed_on_draw.premature(hand, event)
    book = table_of(hand.setup, hand.setup.rulebook.premature)
    if hand.plan.due(Draw) and hand.cards.undue:
        return _before_cards_were_thrown_away(
            hand, book, asked_about(hand, event, event.count or len(hand.cards.undue))
        )
    if not hand.cards.undue:
        raise Refused("no-card", "by the plan the betting was over when the last card left the shoe.")
    unused = nobody_needs(hand, event, book.turn)
    if unused:
        return unused
    serials = asked_about(hand, event, event.count or len(hand.cards.undue))
    streets = _dealt_in_two(hand, serials) if event.burned else (serials,)
    return tuple(ruling for cards in streets for ruling in _came_early(hand, book, cards, event.burned))


def _dealt_in_two(hand: Hand, serials: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The cards of each street, where they are just those of the street that is to come and of the one after it."""
    street, streets = _street(hand), hand.setup.game.streets
    own = streets[street].board + (redeal.burns(hand, street) and hand.cards.burns_made <= 0)
    if street + 1 == len(streets) or len(serials) != own + streets[street + 1].burn + streets[street + 1].board:
        return (serials,)
    return serials[:own], serials[own:]


def _came_early(hand: Hand, book: PrematureRules, serials: tuple[int, ...], burned: bool) -> tuple[Ruling, ...]:
    """One street's cards did. `burned`: the dealer burned first, where the street burns."""
    street = _street(hand)
    unburned = not burned and redeal.burns(hand, street) and hand.cards.burns_made <= 0
    first, boarded = _placed(hand, street, serials, burned)
    if not boarded:
        if not book.burn_alone.value:
            return (ruled(FINDING, Verdict.PLAY_ON, book.burn_alone, "the card stays among the burns; burn anew"),)
        hand.cards = replace(hand.cards, burns_made=hand.cards.burns_made + 1)
        sentence = "only the burn was made too early: it is the burn of the next street"
        return (ruled(FINDING, Verdict.PLAY_ON, book.burn_alone, sentence),)
    several, last = hand.setup.game.streets[street].board > 1, street + 1 == len(hand.setup.game.streets)
    rule = book.flop if several else book.river if last else book.turn
    if rule.value is Early.STANDS:
        return _stands(hand, rule, street, first, boarded)
    if rule.value is Early.NEXT_CARD and not last:
        return _set_aside(hand, book, rule, street, boarded)
    return _shuffled_back(hand, book, rule, street, boarded, unburned=unburned)


def _street(hand: Hand) -> int:
    """The street that the cards belong to: the first to come that does not lie there whole already."""
    first = next((step for step in hand.plan if isinstance(step, Turn | FromShoe)), None)
    if not isinstance(first, Turn):
        raise Refused("not-so", "no player is to act now: what left the shoe was not premature.")
    streets = range(hand.streets.planned + 1, len(hand.setup.game.streets))
    street = next((i for i in streets if not hand.streets.changes.get(i, StreetChange()).whole), None)
    if street is None or not hand.setup.game.streets[street].board:
        raise Refused("not-so", "no board card is to come after this betting round.")
    return street


def _placed(hand: Hand, street: int, serials: tuple[int, ...], burned: bool) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Put the cards where the street sends them: the first burned where it burns and no burn of it lies there.

    Of a street that is dealt again without a burn it was burned only if there are more cards than the street has.
    """
    rules = hand.setup.game.streets[street]
    burns = burned and (redeal.burns(hand, street) or (rules.burn and len(serials) > rules.board))
    if burns and hand.cards.burns_made > 0:
        hand.cards = replace(hand.cards, burns_made=hand.cards.burns_made - 1)
        burns = False
    first, boarded = (serials[:1], serials[1:]) if burns else ((), serials)
    lie(hand, first, BURN)
    lie(hand, boarded, BOARD)
    return first, boarded


def _stands(
    hand: Hand, rule: Rule[Early], street: int, burned: tuple[int, ...], boarded: tuple[int, ...]
) -> tuple[Ruling, ...]:
    """The cards have fulfilled their street; the round goes on to what was wagered and no further."""
    full = hand.setup.game.streets[street].board
    change = hand.streets.changes.get(street, StreetChange())
    hand.streets = replace(hand.streets, changes={**hand.streets.changes, street: replace(change, whole=True)})
    laid = (*(Laid(s, street, True) for s in burned), *(Laid(s, street, False) for s in boarded[:full]))
    hand.cards = replace(hand.cards, laid=(*hand.cards.laid, *laid))
    round_ = hand.round
    assert round_ is not None
    hand.round = replace(round_, ceiling=round_.high)
    sentence = "the card stands and is used in its turn; nobody may wager more on this round than was wagered already"
    rulings: tuple[Ruling, ...] = (ruled(FINDING, Verdict.RESTRICT_BET, rule, sentence),)
    if boarded[full:]:
        book = hand.setup.rulebook.board[hand.setup.game.form]
        rulings += extra_board_card.surplus(hand, What.PREMATURE, book, street, boarded[full:])
    return rulings


def _set_aside(
    hand: Hand, book: PrematureRules, rule: Rule[Early], street: int, boarded: tuple[int, ...]
) -> tuple[Ruling, ...]:
    """Out of play for the round; shuffled back before the street after the next."""
    away = Return(FINDING, BOARD, ASIDE, len(boarded), boarded, ruled=True)
    hand.plan = hand.plan.first(away)
    shuffled_back_before(hand, street + 1, {ASIDE: boarded}, book.burn_again.value)
    name = hand.setup.game.streets[street].name
    sentence = f"set the card aside and finish the betting; the {name} comes after a new burn"
    return (ruled(FINDING, Verdict.SET_ASIDE, rule, sentence),)


def _shuffled_back(
    hand: Hand, book: PrematureRules, rule: Rule[Early], street: int, boarded: tuple[int, ...], *, unburned: bool
) -> tuple[Ruling, ...]:
    """When the betting is over the cards go back, the stub is shuffled and cut, the street is dealt anew."""
    flop, several = hand.setup.rulebook.board[hand.setup.game.form], hand.setup.game.streets[street].board > 1
    burns: tuple[int, ...] = ()
    if several and flop.burn_back.value:
        burns = all_burns(hand)
        hand.cards = replace(hand.cards, burns_made=0)
    burn = flop.burn_again.value if several else book.burn_again.value
    burn = burn or (unburned and book.burn_missing.value)
    shuffled_back_before(hand, street, {BOARD: boarded, BURN: burns}, burn)
    name = hand.setup.game.streets[street].name
    sentence = f"the {name} does not play: finish the betting, then shuffle it back, cut and deal it again"
    verdict = Verdict.REDEAL_BOARD if several else Verdict.REDEAL_STREET
    return (ruled(FINDING, verdict, rule, sentence),)


def _before_cards_were_thrown_away(hand: Hand, book: PrematureRules, serials: tuple[int, ...]) -> tuple[Ruling, ...]:
    """The betting is over and only cards were still to be thrown away: the street's cards have their steps."""
    street = hand.setup.game.streets[hand.streets.planned]
    let_stand(hand, serials)
    rule = book.flop if street.board > 1 else book.turn
    sentence = "the betting was over: the cards stand; who still holds too many throws them away before anybody acts"
    return (ruled(FINDING, Verdict.PLAY_ON, rule, sentence),)


def _only_before_the_showing(hand: Hand, serials: tuple[int, ...]) -> tuple[Ruling, ...]:
    """The betting is over and only the hands were still to be turned up: the cards have their steps."""
    let_stand(hand, serials)
    showdown = hand.setup.rulebook.showdown
    rule = hand.setup.for_mode(showdown.hands_up_cash, showdown.hands_up_tournament)
    sentence = "the betting is over, only the hands were to be turned up first: the cards came in order and stand"
    return (ruled(FINDING, Verdict.PLAY_ON, rule, sentence),)

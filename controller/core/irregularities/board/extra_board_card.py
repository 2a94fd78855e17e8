"""The board got too many cards, or several at once."""

from controller.core.irregularities.common.dealt_street_cards import acted_on, asked_about, just_dealt, nobody_needs
from controller.core.irregularities.common.rules_for_game import table_of
from controller.core.irregularities.remedies.redeal import (
    back,
    burns,
    cards_of,
    flop_again,
    lie,
    lying,
    recalled,
    without_burn,
)
from controller.core.model.hand import Hand, Laid
from controller.core.model.state import State
from controller.core.play.deal import planner
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Report
from controller.core.protocol.steps import Board, Cut, Deal, Return, Shuffle
from controller.core.protocol.vocabulary import What
from controller.core.rules.questions.irregularities.board import BoardRules, FlopOfFour, Surplus
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.piles import BOARD, BURN, MUCK
from controller.core.values.value import replace


def too_many(state: State, event: Report) -> tuple[Ruling, ...]:
    """The board got `count` cards too many, or `count` cards of it were turned at once.

    Raises `Refused` (`no-card`, `not-so`).
    """
    hand = state.hand_in_play
    book = table_of(hand.setup, hand.setup.rulebook.board)
    unused = nobody_needs(hand, event, book.one_extra)
    if unused:
        return unused
    again = _goes_with_the_flop(hand, event)
    if again:
        sentence = "the flop is dealt again: the card goes back with it"
        return (ruled(event.what.value, Verdict.REDEAL_BOARD, book.too_many, sentence),)
    street, extra = _extra(hand, event)
    if len(hand.betting.live) == 1 or hand.showdown.settled:
        lie(hand, extra, MUCK)
        sentence = "the pot is decided: cards too many go to the muck"
        return (ruled(event.what.value, Verdict.PLAY_ON, book.one_extra, sentence),)
    several = hand.setup.game.streets[street].board > 1
    if several and book.too_many.value is FlopOfFour.SCRAMBLED and len(extra) == 1:
        return _scrambled(hand, event, book, street, extra)
    if several and book.too_many.value is not FlopOfFour.RIGHT_CARDS_STAY:
        cards = cards_of(hand, street)
        recalled(hand, cards)
        lie(hand, extra, BOARD)
        flop_again(hand, street, (*(card.serial for card in cards if not card.burned), *extra))
        planner.extend(hand)
        sentence = "the flop has too many cards: shuffle it back, cut and deal it again"
        return (ruled(event.what.value, Verdict.REDEAL_BOARD, book.too_many, sentence),)
    lie(hand, extra, BOARD)
    rulings = surplus(hand, event.what, book, street, extra)
    planner.extend(hand)
    return rulings


def _scrambled(hand: Hand, event: Report, book: BoardRules, street: int, extra: tuple[int, ...]) -> tuple[Ruling, ...]:
    """Four cards: one that a person picks blind is the next burn."""
    lie(hand, extra, BOARD)
    place = BURN if _next_burn_made(hand, street) else MUCK
    among = (*(card.serial for card in cards_of(hand, street) if not card.burned), *extra)
    hand.plan = hand.plan.first(Return("board", BOARD, place, 1, extra, among, ruled=True))
    planner.extend(hand)
    sentence = f"scramble the {len(among)} cards face down; the floor picks one blind: it is the next burn"
    return (ruled(event.what.value, Verdict.RETURN_AS_BURN, book.too_many, sentence),)


def _goes_with_the_flop(hand: Hand, event: Report) -> bool:
    """Whether the flop is about to be shuffled back: what is asked about lies with it and goes back, too."""
    step = next((step for step in hand.plan.every(Return) if step.what == "board"), None)
    flop = any(hand.setup.game.streets[board.of].board > 1 for board in hand.plan.every(Board))
    if step is None or not flop or not hand.cards.undue:
        return False
    extra = asked_about(hand, event, event.count or len(hand.cards.undue))
    lie(hand, extra, BOARD)
    more = replace(step, count=step.count + len(extra), cards=(*step.cards, *extra))
    hand.plan = hand.plan.replaced(step, more)
    return True


def surplus(hand: Hand, what: What, book: BoardRules, street: int, extra: tuple[int, ...]) -> tuple[Ruling, ...]:
    """The right card stays; the others, which lie on the board, go where the book sends them."""
    rule = book.one_extra if len(extra) == 1 else book.more_extra
    if rule.value is Surplus.SHUFFLED_BACK:
        hand.plan = hand.plan.first(*back(lying(hand, extra), {BOARD: "board"}), Shuffle(ruled=True), Cut(ruled=True))
        sentence = f"the right card stays; shuffle the other {len(extra)} back into the stub and cut"
        return (ruled(what.value, Verdict.CORRECT, rule, sentence),)
    places = [BURN if _next_burn_made(hand, street) else MUCK for _ in extra]
    steps = (
        Return("board", BOARD, place, places.count(place), _those(extra, places, place), ruled=True)
        for place in (BURN, MUCK)
        if place in places
    )
    hand.plan = hand.plan.first(*steps)
    where = "is the next burn" if places[0] == BURN else "goes to the muck: no burn is due any more"
    return (ruled(what.value, Verdict.RETURN_AS_BURN, rule, f"the right card stays, the other {where}"),)


def _those(extra: tuple[int, ...], places: list[str], place: str) -> tuple[int, ...]:
    return tuple(serial for serial, goes in zip(extra, places, strict=True) if goes == place)


def _extra(hand: Hand, event: Report) -> tuple[int, tuple[int, ...]]:
    """The street that has too many board cards, and which cards are too many; they are off their steps."""
    street, cards = just_dealt(hand, event)
    full = hand.setup.game.streets[street].board
    number = event.count or max(1, len(hand.cards.undue))
    if event.what is What.TWO_EXPOSED:
        number = max((event.count or len(hand.cards.undue) + full) - full, 1)
    if hand.cards.undue:
        if sum(not card.burned for card in cards) < full:
            raise Refused("no-card", "the board still waits for a card of this street; it has none too many.")
        last = street + 1 == len(hand.setup.game.streets)
        if acted_on(hand, street) and not last:
            raise Refused("not-so", "players have acted on this street: a card that comes now is `premature`.")
        return street, asked_about(hand, event, number)
    if number == 1 and sum(not card.burned for card in cards) == full and _taken_as_replacement(hand, cards):
        assert hand.cards.last is not None
        serial, step = hand.cards.last
        hand.plan = hand.plan.first(step)
        return street, (serial,)
    before = cards_of(hand, street - 1)
    whole = sum(not card.burned for card in before) == hand.setup.game.streets[street - 1].board
    if not before or not whole or acted_on(hand, street - 1) or len(cards) != number:
        raise Refused("no-card", f"`{event.what.value}`: no card more than the plan wanted has left the shoe.")
    recalled(hand, cards)
    return street - 1, tuple(card.serial for card in cards)


def _taken_as_replacement(hand: Hand, cards: tuple[Laid, ...]) -> bool:
    """Whether the card after the street's last was to replace one of a seat, as where a board card ends the deal."""
    if hand.cards.last is None or not cards:
        return False
    serial, step = hand.cards.last
    return isinstance(step, Deal) and step.ruled and serial == cards[-1].serial + 1


def _next_burn_made(hand: Hand, street: int) -> bool:
    """The next burn of a street to come falls away; says whether one was due."""
    for later in range(street + 1, len(hand.setup.game.streets)):
        if without_burn(hand, later):
            return True
    planned = range(max(hand.streets.planned, street) + 1, len(hand.setup.game.streets))
    if sum(burns(hand, later) for later in planned) <= hand.cards.burns_made:
        return False
    hand.cards = replace(hand.cards, burns_made=hand.cards.burns_made + 1)
    return True

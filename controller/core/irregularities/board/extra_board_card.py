"""The board got too many cards, or several at once."""

from controller.core.irregularities.common.dealt_street_cards import (
    count_acted_on_street,
    find_last_dealt_street,
    muck_if_pot_decided,
    require_unexplained_cards,
)
from controller.core.irregularities.common.rules_for_game import require_rules_for_game
from controller.core.irregularities.remedies.street_redeal import (
    build_returns,
    describe_flop_redeal,
    drop_burn,
    place_cards,
    recall_cards,
    redeal_flop,
    serials_by_place,
    street_cards,
    use_as_burn_ahead,
)
from controller.core.model.hand import Hand, StreetCard
from controller.core.model.table_state import TableState
from controller.core.protocol.events import Report
from controller.core.protocol.steps import BoardStep, CutStep, DealStep, ReturnStep, ShuffleStep
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import ReportKind
from controller.core.rules import ruling_sentences as said
from controller.core.rules.questions.irregularities.board_rules import BoardRules, OversizedFlop, SurplusBoardCard
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.piles import BOARD, BURN, MUCK
from controller.core.values.value import replace


def rule_on_extra_board_cards(state: TableState, event: Report) -> tuple[Ruling, ...]:
    """The board got `count` cards too many, or `count` cards of it were turned at once.

    Raises `Refused` (`no-card`, `not-so`).
    """
    hand = state.hand_in_play
    book = require_rules_for_game(hand.setup, hand.setup.rulebook.board)
    unused = muck_if_pot_decided(hand, event, book.one_extra)
    if unused:
        return unused
    flop_return = _find_flop_return(hand)
    if flop_return is not None and hand.cards.unexpected_serials:
        _add_to_return(hand, event, flop_return)
        return (build_ruling(event.kind.value, Verdict.REDEAL_BOARD, book.too_many, said.CARD_WITH_FLOP),)
    street, extra = _take_extra_cards(hand, event)
    if len(hand.betting.live_seats) == 1 or hand.showdown.settled_pots:
        place_cards(hand, extra, MUCK)
        return (build_ruling(event.kind.value, Verdict.PLAY_ON, book.one_extra, said.CARDS_TO_MUCK),)
    several = hand.setup.game.streets[street].board_count > 1
    if several and book.too_many.value is OversizedFlop.SCRAMBLED and len(extra) == 1:
        return _scramble_flop(hand, event, book, street, extra)
    if several and book.too_many.value is not OversizedFlop.RIGHT_CARDS_STAY:
        cards = street_cards(hand, street)
        recall_cards(hand, cards)
        place_cards(hand, extra, BOARD)
        redeal_flop(hand, street, (*(card.serial for card in cards if not card.is_burn), *extra))
        sentence = said.join_sentences(said.FLOP_TOO_LARGE, describe_flop_redeal(hand, street))
        return (build_ruling(event.kind.value, Verdict.REDEAL_BOARD, book.too_many, sentence),)
    place_cards(hand, extra, BOARD)
    return return_surplus_cards(hand, event.kind, book, street, extra)


def _scramble_flop(
    hand: Hand, event: Report, book: BoardRules, street: int, extra: tuple[int, ...]
) -> tuple[Ruling, ...]:
    """Four cards: one that a person picks blind is the next burn."""
    place_cards(hand, extra, BOARD)
    place = BURN if _use_as_burn_after(hand, street) else MUCK
    among = (*(card.serial for card in street_cards(hand, street) if not card.is_burn), *extra)
    hand.plan = hand.plan.prepend(ReturnStep("board", BOARD, place, 1, extra, among, is_ruled=True))
    scramble = said.SCRAMBLE_FOR_NEXT_BURN if place == BURN else said.SCRAMBLE_FOR_MUCK
    sentence = scramble.format(count=len(among), others=len(among) - 1)
    return (build_ruling(event.kind.value, Verdict.RETURN_AS_BURN, book.too_many, sentence),)


def _find_flop_return(hand: Hand) -> ReturnStep | None:
    """The step by which the flop is about to be shuffled back."""
    step = next((step for step in hand.plan.steps_of_type(ReturnStep) if step.label == "board"), None)
    flop = any(
        hand.setup.game.streets[board.street_index].board_count > 1 for board in hand.plan.steps_of_type(BoardStep)
    )
    return step if flop else None


def _add_to_return(hand: Hand, event: Report, step: ReturnStep) -> None:
    """What is asked about lies on the board and goes back with what is there."""
    extra = require_unexplained_cards(hand, event, event.count or len(hand.cards.unexpected_serials))
    place_cards(hand, extra, BOARD)
    more = replace(step, count=step.count + len(extra), serials=(*step.serials, *extra))
    hand.plan = hand.plan.replace_step(step, more)


def return_surplus_cards(
    hand: Hand, what: ReportKind, book: BoardRules, street: int, extra: tuple[int, ...]
) -> tuple[Ruling, ...]:
    """The right card stays; the others, which lie on the board, go where the book sends them."""
    rule = book.one_extra if len(extra) == 1 else book.more_extra
    if rule.value is SurplusBoardCard.SHUFFLED_BACK:
        hand.plan = hand.plan.prepend(
            *build_returns(serials_by_place(hand, extra), {BOARD: "board"}),
            ShuffleStep(is_ruled=True),
            CutStep(is_ruled=True),
        )
        sentence = said.OTHERS_SHUFFLED.format(street=hand.setup.game.streets[street].name, count=len(extra))
        return (build_ruling(what.value, Verdict.CORRECT, rule, sentence),)
    places = [BURN if _use_as_burn_after(hand, street) else MUCK for _ in extra]
    steps = (
        ReturnStep("board", BOARD, place, places.count(place), _serials_going_to(extra, places, place), is_ruled=True)
        for place in (BURN, MUCK)
        if place in places
    )
    hand.plan = hand.plan.prepend(*steps)
    where = said.NEXT_CARD_IS_BURN if places[0] == BURN else said.NEXT_CARD_IS_MUCKED
    if len(places) > 1:
        where = said.NEXT_CARDS_GO
    sentence = where.format(
        street=hand.setup.game.streets[street].name, burns=places.count(BURN), mucked=places.count(MUCK)
    )
    return (build_ruling(what.value, Verdict.RETURN_AS_BURN, rule, sentence),)


def _serials_going_to(extra: tuple[int, ...], places: list[str], place: str) -> tuple[int, ...]:
    return tuple(serial for serial, goes in zip(extra, places, strict=True) if goes == place)


def _take_extra_cards(hand: Hand, event: Report) -> tuple[int, tuple[int, ...]]:
    """The street that has too many board cards, and which cards are too many; they are off their steps."""
    street, cards = find_last_dealt_street(hand, event)
    full = hand.setup.game.streets[street].board_count
    number = event.count or max(1, len(hand.cards.unexpected_serials))
    if event.kind is ReportKind.TWO_EXPOSED:
        number = max((event.count or len(hand.cards.unexpected_serials) + full) - full, 1)
    if hand.cards.unexpected_serials:
        if sum(not card.is_burn for card in cards) < full:
            raise Refused("no-card", "the board still waits for a card of this street; it has none too many.")
        last = street + 1 == len(hand.setup.game.streets)
        if count_acted_on_street(hand, street) and not last:
            raise Refused("not-so", "players have acted on this street: a card that comes now is `premature`.")
        return street, require_unexplained_cards(hand, event, number)
    if number == 1 and sum(not card.is_burn for card in cards) == full and _is_taken_as_replacement(hand, cards):
        assert hand.cards.last_dealt is not None
        serial, step = hand.cards.last_dealt
        hand.plan = hand.plan.prepend(step)
        return street, (serial,)
    before = street_cards(hand, street - 1)
    whole = sum(not card.is_burn for card in before) == hand.setup.game.streets[street - 1].board_count
    if not before or not whole or count_acted_on_street(hand, street - 1) or len(cards) != number:
        raise Refused("no-card", f"`{event.kind.value}`: no card more than the plan wanted has left the shoe.")
    recall_cards(hand, cards)
    return street - 1, tuple(card.serial for card in cards)


def _is_taken_as_replacement(hand: Hand, cards: tuple[StreetCard, ...]) -> bool:
    """Whether the card after the street's last was to replace one of a seat, as where a board card ends the deal."""
    if hand.cards.last_dealt is None or not cards:
        return False
    serial, step = hand.cards.last_dealt
    return isinstance(step, DealStep) and step.is_ruled and serial == cards[-1].serial + 1


def _use_as_burn_after(hand: Hand, street: int) -> bool:
    """The next burn of a street to come falls away; says whether one was due."""
    later = range(street + 1, len(hand.setup.game.streets))
    return any(drop_burn(hand, each) for each in later) or use_as_burn_ahead(hand, street)

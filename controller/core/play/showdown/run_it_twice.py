"""Dealing twice, or three times: the rest of the board is dealt anew for each equal part of every pot.

The hand's game gets the streets to come once more for each further board, so that burns, board cards and whatever goes
wrong with them are those of any street. No used card comes back [R7-2.proc.16#b, R7-14.nl.18#b, HR-nl.13#b].
"""

from controller.core.model.hand import Hand
from controller.core.model.setup import BettingStructure
from controller.core.protocol.events import RunItTwiceAgreed
from controller.core.protocol.steps import BettingStep, BoardStep, BurnStep, DealStep, ShowStep
from controller.core.protocol.table_error import Refused
from controller.core.rules import ruling_sentences as said
from controller.core.rules.questions.cards.stub_rules import StubRefill
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.piles import BOARD, BURN, MUCK, PlacedCard
from controller.core.values.value import replace


def agree_on_boards(hand: Hand, event: RunItTwiceAgreed) -> Ruling:
    """Those in the pot agree: further boards follow the one that is to come.

    Raises `Refused` (`twice-not-allowed`, `twice-agreed`, `twice-too-early`, `twice-not-now`, `twice-too-late`).
    """
    rule = hand.setup.rulebook.showdown.boards
    game = hand.setup.game
    if event.count > max(rule.value, 1) or event.count < 2:
        most = f"at most {rule.value} times" if rule.value > 1 else "once only"
        raise Refused("twice-not-allowed", f"the rest is dealt {most} ({rule.source}); `count` was {event.count}.")
    if hand.setup.stakes.structure not in (BettingStructure.NO_LIMIT, BettingStructure.POT_LIMIT):
        raise Refused("twice-not-allowed", f"the rest is dealt once in limit games ({rule.source}).")
    if hand.showdown.board_start_streets:
        raise Refused("twice-agreed", "it is agreed already how often the rest is dealt; `undo` takes that back.")
    if (
        hand.plan.has_step(BettingStep)
        or not hand.betting.all_in_seats & {*hand.betting.live_seats}
        or len(hand.betting.live_seats) < 2
    ):
        raise Refused(
            "twice-too-early", "the rest is dealt twice only when a player is all-in and the betting is over."
        )
    if hand.plan.has_step(DealStep) or any(step.is_ruled for step in hand.plan):
        raise Refused("twice-not-now", "carry out the steps before the board first, then enter it again.")
    first = hand.plan.find_step(BoardStep)
    if first is None:
        raise Refused("twice-too-late", "no board card is still to come, or the game has none.")
    if first.count < game.streets[first.street_index].board_count:
        raise Refused("twice-not-now", f"finish the {first.street} first; the streets after it can be dealt twice.")
    rest = game.streets[first.street_index :]
    due = sum(board.count for board in hand.plan.steps_of_type(BoardStep)) + len(hand.plan.steps_of_type(BurnStep))
    wanted = due + (event.count - 1) * sum(street.board_count + street.has_burn for street in rest)
    if wanted > _count_available_cards(hand):
        raise Refused(
            "twice-not-allowed", f"{wanted} cards would be needed; the stub has {hand.cards.piles.stub_count}."
        )
    hand.showdown = replace(
        hand.showdown,
        board_start_streets=(first.street_index, *(len(game.streets) + len(rest) * i for i in range(event.count - 1))),
    )
    hand.setup = replace(hand.setup, game=replace(game, streets=game.streets + rest * (event.count - 1)))
    if not hand.showdown.are_hands_up:
        hand.plan = hand.plan.drop_types(ShowStep)
    sentence = said.DEALT_SEVERAL_TIMES.format(count=event.count)
    return build_ruling("dealt-twice", Verdict.PLAY_ON, rule, sentence)


def _count_available_cards(hand: Hand) -> int:
    """How many cards there are for further boards: the stub, and where the book shuffles them in, burns and muck."""
    piles = hand.cards.piles
    back = hand.setup.rulebook.stub.run_out.value is StubRefill.ENOUGH
    return piles.stub_count + (len(piles.cards_at(BURN)) + len(piles.cards_at(MUCK)) if back else 0)


def board_number(hand: Hand, street: int) -> int:
    """Which board a street belongs to, from 1; 0 where there is one only, or where it is part of all."""
    return sum(start <= street for start in hand.showdown.board_start_streets)


def boards(hand: Hand) -> tuple[tuple[PlacedCard, ...], ...]:
    """The cards of each board, those that all have in common first."""
    lying = hand.cards.piles.cards_at(BOARD)
    if not hand.showdown.board_start_streets:
        return (lying,)
    of = {card.serial: board_number(hand, card.street_index) for card in hand.cards.street_cards}
    numbers = range(1, len(hand.showdown.board_start_streets) + 1)
    # What no street laid there is on its way off the board, which is the first one's as far as anybody knows.
    return tuple(tuple(card for card in lying if of.get(card.serial, 1) in (0, number)) for number in numbers)


def split_among_boards(hand: Hand, amount: int) -> tuple[int, ...]:
    """A pot in equal parts of whole chips, one for each board; what is left over is the first boards', a chip each."""
    count, chip = max(len(hand.showdown.board_start_streets), 1), hand.setup.stakes.smallest_chip
    each, rest = divmod(amount, count * chip)
    found = []
    for _ in range(count):
        extra = min(chip, rest)
        found.append(each * chip + extra)
        rest -= extra
    return tuple(found)

"""Dealing twice, or three times: the rest of the board is dealt anew for each equal part of every pot.

The hand's game gets the streets to come once more for each further board, so that burns, board cards and whatever goes
wrong with them are those of any street. No used card comes back [R7-2.proc.16#b, R7-14.nl.18#b, HR-nl.13#b].
"""

from controller.core.model.hand import Hand
from controller.core.model.setup import Structure
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Twice
from controller.core.protocol.steps import Board, Burn, Deal, Show, Turn
from controller.core.rules.questions.cards.stub import Refill
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.piles import BOARD, BURN, MUCK, Lying
from controller.core.values.value import replace


def agreed(hand: Hand, event: Twice) -> Ruling:
    """Those in the pot agree: further boards follow the one that is to come.

    Raises `Refused` (`twice-not-allowed`, `twice-agreed`, `twice-too-early`, `twice-not-now`, `twice-too-late`).
    """
    rule = hand.setup.rulebook.showdown.boards
    game = hand.setup.game
    if event.count > max(rule.value, 1) or event.count < 2:
        most = f"at most {rule.value} times" if rule.value > 1 else "once only"
        raise Refused("twice-not-allowed", f"the rest is dealt {most} ({rule.source}); `count` was {event.count}.")
    if hand.setup.betting.structure not in (Structure.NO_LIMIT, Structure.POT_LIMIT):
        raise Refused("twice-not-allowed", f"the rest is dealt once in limit games ({rule.source}).")
    if hand.showdown.boards_from:
        raise Refused("twice-agreed", "it is agreed already how often the rest is dealt; `undo` takes that back.")
    if hand.plan.has(Turn) or not hand.betting.all_in & {*hand.betting.live} or len(hand.betting.live) < 2:
        raise Refused(
            "twice-too-early", "the rest is dealt twice only when a player is all-in and the betting is over."
        )
    if hand.plan.has(Deal) or any(step.ruled for step in hand.plan):
        raise Refused("twice-not-now", "carry out the steps before the board first, then enter it again.")
    first = hand.plan.next(Board)
    if first is None:
        raise Refused("twice-too-late", "no board card is still to come, or the game has none.")
    if first.n < game.streets[first.of].board:
        raise Refused("twice-not-now", f"finish the {first.street} first; the streets after it can be dealt twice.")
    rest = game.streets[first.of :]
    due = sum(board.n for board in hand.plan.every(Board)) + len(hand.plan.every(Burn))
    wanted = due + (event.count - 1) * sum(street.board + street.burn for street in rest)
    if wanted > _there(hand):
        raise Refused("twice-not-allowed", f"{wanted} cards would be needed; the stub has {hand.cards.piles.stub}.")
    hand.showdown = replace(
        hand.showdown, boards_from=(first.of, *(len(game.streets) + len(rest) * i for i in range(event.count - 1)))
    )
    hand.setup = replace(hand.setup, game=replace(game, streets=game.streets + rest * (event.count - 1)))
    if not hand.showdown.hands_up:
        hand.plan = hand.plan.without(Show)
    sentence = f"the rest is dealt {event.count} times, each for an equal part of every pot"
    return ruled("dealt-twice", Verdict.PLAY_ON, rule, sentence)


def _there(hand: Hand) -> int:
    """How many cards there are for further boards: the stub, and where the book shuffles them in, burns and muck."""
    piles = hand.cards.piles
    back = hand.setup.rulebook.stub.run_out.value is Refill.ENOUGH
    return piles.stub + (len(piles.at(BURN)) + len(piles.at(MUCK)) if back else 0)


def board_number(hand: Hand, street: int) -> int:
    """Which board a street belongs to, from 1; 0 where there is one only, or where it is part of all."""
    return sum(start <= street for start in hand.showdown.boards_from)


def boards(hand: Hand) -> tuple[tuple[Lying, ...], ...]:
    """The cards of each board, those that all have in common first."""
    lying = hand.cards.piles.at(BOARD)
    if not hand.showdown.boards_from:
        return (lying,)
    of = {card.serial: board_number(hand, card.of) for card in hand.cards.laid}
    numbers = range(1, len(hand.showdown.boards_from) + 1)
    # What no street laid there is on its way off the board, which is the first one's as far as anybody knows.
    return tuple(tuple(card for card in lying if of.get(card.serial, 1) in (0, number)) for number in numbers)


def parts(hand: Hand, amount: int) -> tuple[int, ...]:
    """A pot in equal parts of whole chips, one for each board; what is left over is the first boards', a chip each."""
    count, chip = max(len(hand.showdown.boards_from), 1), hand.setup.betting.chip
    each, rest = divmod(amount, count * chip)
    found = []
    for _ in range(count):
        extra = min(chip, rest)
        found.append(each * chip + extra)
        rest -= extra
    return tuple(found)

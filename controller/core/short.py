"""A stud street that the stub cannot serve."""

from controller.core.games import Street
from controller.core.hand import Hand
from controller.core.outcome import Verdict
from controller.core.piles import ASIDE, BURN, STUB
from controller.core.rulings import ruled
from controller.core.steps import Board, Burn, Cut, Deal, Return, Shuffle, Step


def is_short(hand: Hand, street: Street, players: int) -> bool:
    """Whether the stub holds fewer cards than the street's burn and one round for each player."""
    burns = 0 if hand.burns_made else 1
    return hand.piles.stub < burns + players * len(street.deal)


def steps(hand: Hand, index: int, receiving: tuple[int, ...]) -> tuple[Step, ...]:
    """The street as the book has it dealt then: burns come back into play, or one common card serves all hands."""
    game, book = hand.setup.game, hand.setup.rulebook.upcards[hand.setup.game.form]
    burned, removed = hand.piles.at(BURN), tuple(card for card in hand.piles.at(ASIDE) if not card.strange)
    how = book.shortage.value(hand.piles.stub, len(burned), len(removed), len(receiving))
    rule = book.common if how.common else book.shortage
    sentence = (
        "there is not a card for each: one common card is turned for all hands"
        if how.common
        else "the stub is too short: the burned cards are shuffled in to finish the round"
    )
    hand.said = (*hand.said, ruled("insufficient-cards", Verdict.CORRECT, rule, sentence))
    hand.burns_made = 0
    face = game.streets[index].deal[0]
    plan: list[Step] = [Burn(of=index)] if how.burn else []
    plan += (Deal(seat, face, of=index) for seat in receiving[: how.first])
    if how.mix:
        count = len(burned) + how.burn
        plan += [Return("burn", BURN, STUB, count, ruled=True)] if count else []
        if removed:
            serials = tuple(card.serial for card in removed)
            plan.append(Return("premature", ASIDE, STUB, len(removed), serials, ruled=True))
        plan += [Shuffle(ruled=True), Cut(ruled=True)]
        plan += [Burn(of=index)] if how.again else []
    plan += (Deal(seat, face, of=index) for seat in receiving[how.first : how.first + how.rest])
    if how.common:
        plan.append(Board(game.streets[index].name, 1, of=index))
    return tuple(plan)

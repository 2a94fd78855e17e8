"""The stub was fouled."""

from controller.core.irregularities.conduct import floor_decision
from controller.core.model.hand import Hand
from controller.core.model.state import State
from controller.core.protocol.events import Report
from controller.core.protocol.steps import Award, Cut, Draw, FromShoe, Return, Say, Shuffle
from controller.core.protocol.vocabulary import Decide, Mixed
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.piles import BURN, MUCK, STUB
from controller.core.values.value import replace


def fouled(state: State, event: Report) -> tuple[Ruling, ...]:
    """Play out the deal from a stub rebuilt in as fair a way as possible; known cards stay where they lie."""
    hand = state.hand_in_play
    rule: Rule[object] = hand.setup.rulebook.stub.fouled
    left = hand.cards.piles.stub
    hand.cards = replace(hand.cards, fouled_at=hand.cards.piles.left)
    if not rule.value:
        sentence = "the floor decides how the deal goes on"
        return (floor_decision.ask(hand, event.what.value, rule, sentence, (Decide.PLAY_ON, Decide.VOID)),)
    if event.mixed is Mixed.NONE:
        return (ruled(event.what.value, Verdict.PLAY_ON, rule, "the stub is put back in its order: the hand goes on"),)
    if not _cards_to_come(hand):
        return (ruled(event.what.value, Verdict.PLAY_ON, rule, "no card is to come any more: the hand goes on"),)
    out = ", ".join(f"{len(pile)} at {place}" for place, pile in sorted(hand.cards.piles.out.items()) if pile)
    if _shuffled_anyway(hand):
        sentence = f"gather the {left} cards of the stub: they are shuffled and cut with the next steps, as is due"
        return (ruled(event.what.value, Verdict.CORRECT, rule, sentence),)
    hand.cards = replace(hand.cards, burns_made=max(hand.cards.burns_made, 0))
    back = _mixed_in(hand, event.mixed)
    hand.plan = hand.plan.first(*back, Shuffle(ruled=True), Cut(ruled=True))
    if back:
        sentence = f"mixed with the {event.mixed.value}: scramble all of it, shuffle, cut, and deal on from it"
        return (ruled(event.what.value, Verdict.CORRECT, rule, sentence),)
    sentence = (
        f"the deal is played out: gather the {left} cards of the stub, shuffle and cut them; outside it lie {out}"
    )
    return (ruled(event.what.value, Verdict.CORRECT, rule, sentence),)


def _mixed_in(hand: Hand, mixed: Mixed) -> tuple[Return, ...]:
    """The cards that the stub was mixed with become part of it [TDA-RP-4]."""
    places = {Mixed.MUCK: (MUCK,), Mixed.BURNS: (BURN,), Mixed.MUCK_AND_BURNS: (MUCK, BURN)}.get(mixed, ())
    words = {MUCK: "hands", BURN: "burn"}
    lying = {place: tuple(one.serial for one in hand.cards.piles.at(place) if not one.strange) for place in places}
    return tuple(
        Return(words[place], place, STUB, len(cards), cards, ruled=True) for place, cards in lying.items() if cards
    )


def _cards_to_come(hand: Hand) -> bool:
    """Whether the stub may still be needed."""
    if len(hand.betting.live) == 1 and not hand.plan.without(Award):
        return False
    if hand.streets.planned + 1 < len(hand.setup.game.streets) or hand.draw.drawing or hand.draw.late:
        return True
    return hand.plan.has(FromShoe, Draw, Say)


def _shuffled_anyway(hand: Hand) -> bool:
    """Whether a remedy under way shuffles the stub before the next card leaves it."""
    first = next((step for step in hand.plan if isinstance(step, FromShoe | Shuffle)), None)
    return isinstance(first, Shuffle)

"""The stub was fouled."""

from controller.core.irregularities.conduct import floor_decision
from controller.core.irregularities.remedies.scrapped_cards import is_taken_away
from controller.core.model.hand import Hand
from controller.core.model.table_state import TableState
from controller.core.protocol.events import Report
from controller.core.protocol.steps import (
    AwardStep,
    CardStep,
    CollectStep,
    CutStep,
    DrawStep,
    QuestionStep,
    ReturnStep,
    ShuffleStep,
)
from controller.core.protocol.vocabulary import FloorDecision, StubMixture
from controller.core.rules import ruling_sentences as said
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.piles import BURN, MUCK, STUB, STUB_BOTTOM
from controller.core.values.value import replace


def rule_on_fouled_stub(state: TableState, event: Report) -> tuple[Ruling, ...]:
    """Play out the deal from a stub rebuilt in as fair a way as possible; known cards stay where they lie."""
    hand = state.hand_in_play
    book = hand.setup.rulebook.stub
    rule: Rule[object] = book.fouled
    left = hand.cards.piles.stub_count
    hand.cards = replace(hand.cards, fouled_serial=hand.cards.piles.dealt_count)
    if not rule.value:
        options = (FloorDecision.PLAY_ON, FloorDecision.VOID)
        return (floor_decision.ask_floor(hand, event.kind.value, rule, said.FLOOR_SAYS_HOW, options),)
    if event.stub_mixture is StubMixture.NONE and book.fouled_in_order.value:
        return (build_ruling(event.kind.value, Verdict.PLAY_ON, book.fouled_in_order, said.STUB_IN_ORDER),)
    if not _needs_more_cards(hand):
        return (build_ruling(event.kind.value, Verdict.PLAY_ON, rule, said.STUB_NOT_NEEDED),)
    piles = sorted(hand.cards.piles.cards_by_place.items())
    out = ", ".join(f"{len(pile)} at {place}" for place, pile in piles if pile and place not in (STUB, STUB_BOTTOM))
    if _is_shuffle_planned(hand):
        sentence = said.STUB_GATHERED.format(left=left)
        return (build_ruling(event.kind.value, Verdict.CORRECT, rule, sentence),)
    hand.cards = replace(hand.cards, burns_ahead=max(hand.cards.burns_ahead, 0))
    back = _build_mixed_returns(hand, event.stub_mixture) if book.fouled_mixed.value else ()
    hand.plan = hand.plan.prepend(*back, ShuffleStep(is_ruled=True), CutStep(is_ruled=True))
    if back:
        sentence = said.STUB_MIXED.format(mixture=event.stub_mixture.value)
        return (build_ruling(event.kind.value, Verdict.CORRECT, book.fouled_mixed, sentence),)
    sentence = (said.STUB_REBUILT_OUTSIDE if out else said.STUB_REBUILT).format(left=left, piles=out)
    return (build_ruling(event.kind.value, Verdict.CORRECT, rule, sentence),)


def _build_mixed_returns(hand: Hand, mixed: StubMixture) -> tuple[ReturnStep, ...]:
    """The cards that the stub was mixed with become part of it, but for those that a step takes away [TDA-RP-4]."""
    places = {StubMixture.MUCK: (MUCK,), StubMixture.BURNS: (BURN,), StubMixture.MUCK_AND_BURNS: (MUCK, BURN)}.get(
        mixed, ()
    )
    words = {MUCK: "hands", BURN: "burn"}
    serials_by_place = {
        place: tuple(
            lying.serial
            for lying in hand.cards.piles.cards_at(place)
            if not lying.is_foreign and not is_taken_away(hand, lying.serial)
        )
        for place in places
    }
    return tuple(
        ReturnStep(words[place], place, STUB, len(cards), cards, is_ruled=True)
        for place, cards in serials_by_place.items()
        if cards
    )


def _needs_more_cards(hand: Hand) -> bool:
    """Whether the stub may still be needed."""
    if len(hand.betting.live_seats) == 1 and not hand.plan.drop_types(AwardStep, CollectStep):
        return False
    if (
        hand.streets.planned_street + 1 < len(hand.setup.game.streets)
        or hand.draw.drawing_seats
        or hand.draw.deferred_steps
    ):
        return True
    return hand.plan.has_step(CardStep, DrawStep, QuestionStep)


def _is_shuffle_planned(hand: Hand) -> bool:
    """Whether a remedy under way shuffles the stub before the next card leaves it."""
    first = next((step for step in hand.plan if isinstance(step, (CardStep, ShuffleStep))), None)
    return isinstance(first, ShuffleStep)

"""A card left the shoe when none was due: it has several causes, and only the dealer can say which it was."""

from controller.core.model.hand import Hand
from controller.core.model.table_state import TableState
from controller.core.play.dealing import hand_machine, step_execution
from controller.core.protocol.events import CardDealt, Report
from controller.core.protocol.steps import BettingRoundStep, CardStep, QuestionStep
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import ReportKind
from controller.core.rules import ruling_sentences as said
from controller.core.rules.rulings import Ruling, build_ask_ruling
from controller.core.values.piles import ASIDE
from controller.core.values.value import replace

EXPLANATION_OPTIONS = tuple(
    what.value
    for what in (
        ReportKind.PREMATURE,
        ReportKind.BOARD_EXTRA,
        ReportKind.DOUBLE_BURN,
        ReportKind.TWO_EXPOSED,
        ReportKind.EXTRA_CARD,
        ReportKind.NOT_ENTITLED,
        ReportKind.PUT_BACK,
    )
)
"""What a card that was not due may have been."""


def ask_about_unexpected_card(hand: Hand, event: CardDealt) -> tuple[Ruling, ...]:
    """Ask; the card lies aside until the dealer has said where it is. Further cards belong to the same question."""
    piles = hand.cards.piles.deal_card(
        ASIDE, event.card, up=event.face_up, strange=event.is_foreign, named=event.is_named
    )
    hand.cards = replace(hand.cards, piles=piles)
    hand.cards = replace(hand.cards, unexpected_serials=(*hand.cards.unexpected_serials, hand.cards.piles.dealt_count))
    if not hand.plan.next_step_if(QuestionStep):
        hand.plan = hand.plan.prepend(QuestionStep(EXPLANATION_OPTIONS))
    return (build_ask_ruling("card-not-due", said.CARD_NOT_DUE),)


def place_explained_cards(hand: Hand, serials: tuple[int, ...], place: str, up: bool) -> None:
    """The dealer has said where some of these cards lie."""
    hand.cards = replace(
        hand.cards.explain_cards(serials), piles=hand.cards.piles.move_cards(frozenset(serials), ASIDE, place, up)
    )


def refuse_if_unexplained(state: TableState, event: Report, asked_about: tuple[int, ...]) -> None:
    """Hear no answer that says nothing of the cards asked about: they would lie aside, and be asked about, for ever.

    Raises `Refused` (`no-card`).
    """
    hand = state.hand
    if hand is None or not asked_about or event.kind.value not in EXPLANATION_OPTIONS:
        return
    if hand.cards.unexpected_serials == asked_about:
        raise Refused(
            "no-card",
            f"a `{event.kind.value}` does not explain the card that left the shoe when none was due: say what that "
            "card was, or `put-back`.",
        )


def keep_question_first(hand: Hand) -> None:
    """The question stays first while a card has no explanation."""
    if not hand.cards.unexpected_serials or not hand.plan or hand.plan.has_step(QuestionStep):
        return
    hand.plan = hand.plan.prepend(QuestionStep(EXPLANATION_OPTIONS))


def fulfil_steps_after_round(hand: Hand) -> None:
    """The round was over before these cards left: none was premature, each has had the first step that wants a card.

    Raises `Refused` where the plan has no step for one of them.
    """
    waiting = hand.cards.unexpected_serials
    hand.cards = replace(hand.cards, unexpected_serials=())
    hand.plan = hand.plan.drop_types(BettingRoundStep)
    for serial in waiting:
        # Whether a step wants the card stands on the plan that goes on from the one before.
        hand_machine.extend(hand)
        if not hand.plan.next_step_if(CardStep):
            raise Refused(
                "no-card", "more cards left the shoe than the next steps want: say with `report` what they were."
            )
        step_execution.fulfil_step_from_aside(hand, serial)

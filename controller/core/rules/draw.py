"""The draw: its order, its burn, cards exposed on it."""

from dataclasses import dataclass
from enum import Enum, unique

from controller.core.policies import draw_opener
from controller.core.policies.draw_opener import OpensAfterDraw
from controller.core.rules.rule import Rule, choice, number, policy, switch


@unique
class OnTheDraw(Enum):
    """What becomes of a card that was exposed on the draw.

    KEPT: it is used in sequence. REPLACED: when all have drawn, the top card replaces it.
    """

    KEPT = "kept"
    REPLACED = "replaced"


@dataclass(frozen=True, slots=True)
class DrawRules:
    """The draw."""

    joker: Rule[bool] = switch("May a joker belong to the deck?")
    over_blind: Rule[int] = number("How many over-blinds may there be where the book allows no straddle?")
    burn: Rule[bool] = switch("Is a card burned before the first replacement card?")
    consecutive: Rule[int] = number("How many cards may a player draw in one go? (0: any number)")
    change: Rule[bool] = switch(
        "May the number be changed as long as no card was dealt for it and nobody relied on it?"
    )
    opener: Rule[OpensAfterDraw] = policy(draw_opener.ANSWERS, "Who opens after the draw in draw high?")
    exposed: Rule[OnTheDraw] = choice(OnTheDraw, "What becomes of a card exposed on the draw?")
    run_out: Rule[bool] = switch("Are earlier discards shuffled for a draw that the stub cannot serve?")
    looked_out_of_turn: Rule[bool] = switch("Does a player keep cards of another's draw that it has looked at?")
    fills_before: Rule[bool] = switch("Is a short hand filled at once while nobody has acted?")
    fills_button: Rule[bool] = switch("May the button get a missing card even after action?")
    fills_on_draw: Rule[bool] = switch("Does a hand found short after action draw as many as make it complete?")
    passed_out: Rule[bool] = switch("Do all ante again when nobody opens?")
    antes: Rule[int] = number("How many deals in a row may be anted for when nobody opens? (0: any number)")
    prove_openers: Rule[bool] = switch("Must the opener prove openers to win, where the game asks for them?")

"""The draw: its order, its burn, cards exposed on it."""

from enum import Enum, unique

from controller.core.rules.policies import draw_opener
from controller.core.rules.policies.draw_opener import DrawOpenerPolicy
from controller.core.rules.questions.rule import Rule, choice, number, policy, switch
from controller.core.values.value import Value


@unique
class ExposedDrawCard(Enum):
    """What becomes of a card that was exposed on the draw.

    KEPT: it is used in sequence. REPLACED: when all have drawn, the top card replaces it.
    """

    KEPT = "kept"
    REPLACED = "replaced"


@unique
class LastStubCard(Enum):
    """When the last card of the stub is dealt rather than shuffled in with what comes back.

    DEALT: always. ROUND: when it completes all draws of the round [WSOP-T-IX.draw#reshuffle]. HAND: when it completes
    the last draw of the hand [WSOP-L-lowball].
    """

    DEALT = "dealt"
    ROUND = "completes-the-round"
    HAND = "completes-the-hand"


class DrawRules(Value):
    """The draw."""

    joker: Rule[bool] = switch("May a joker belong to the deck?")
    joker_in_use: Rule[bool] = switch("Is a joker in the deck where the house says nothing, in a game that has one?")
    over_blind: Rule[int] = number("How many over-blinds may there be where the book allows no straddle?")
    burn: Rule[bool] = switch("Is a card burned before the first replacement card?")
    requests_first: Rule[bool] = switch("Do all discard before that burn, and get their cards afterwards?")
    consecutive: Rule[int] = number("How many cards may a player draw in one go? (0: any number)")
    change: Rule[bool] = switch(
        "May the number be changed as long as no card was dealt for it and nobody relied on it?"
    )
    opener: Rule[DrawOpenerPolicy] = policy(draw_opener.POLICY_BY_NAME, "Who opens after the draw in draw high?")
    exposed: Rule[ExposedDrawCard] = choice(ExposedDrawCard, "What becomes of a card exposed on the draw?")
    exposed_burn: Rule[bool] = switch(
        "Is a card that was exposed on the draw, and replaced, the burn of the next draw?"
    )
    run_out: Rule[bool] = switch("Are earlier discards shuffled for a draw that the stub cannot serve?")
    this_draw_out: Rule[bool] = switch(
        "Do folded hands and earlier draws' discards come back, those of this draw staying out?"
    )
    burns_in: Rule[bool] = switch("Do the burns come back with them, as many discards of this draw in their place?")
    last_card: Rule[LastStubCard] = choice(
        LastStubCard, "When is the last card dealt rather than shuffled in with them?"
    )
    looked_out_of_turn: Rule[bool] = switch("Does a player keep cards of another's draw that it has looked at?")
    fills_before: Rule[bool] = switch("Is a short hand filled at once while nobody has acted?")
    fills_button: Rule[int] = number("How many missing cards may the button get even after action?")
    fills_on_draw: Rule[bool] = switch("Does a hand found short after action draw as many as make it complete?")
    passed_out: Rule[bool] = switch("Do all ante again when nobody opens?")
    antes: Rule[int] = number("How many deals in a row may be anted for when nobody opens? (0: any number)")
    prove_openers: Rule[bool] = switch("Must the opener prove openers to win, where the game asks for them?")
    false_openers: Rule[bool] = switch(
        "May another player, who has not passed, declare the pot open when the opener shows false openers?"
    )
    pot_plays: Rule[int] = number("How many callers make the pot play though its opener has none? (A raise does, too.)")
    withdraws_late: Rule[bool] = switch("May a false opener take wagers back when the action before the draw is over?")
    all_in_opens: Rule[bool] = switch("May a player who is all-in for the ante declare the pot open?")
    false_all_in: Rule[bool] = switch("Does a player who was all-in and opened falsely sit out until the pot is won?")
    matched_antes: Rule[bool] = switch("Does a player without chips play on for the antes that it has matched?")
    missed_antes: Rule[bool] = switch("Does a player who comes in ante what the others have anted for this pot?")
    seats_fixed: Rule[bool] = switch("Must players keep their seats while chips of the last deal lie in the pot?")
    fouled_after: Rule[bool] = switch("Is a hand dead that has not its number of cards after the draw?")

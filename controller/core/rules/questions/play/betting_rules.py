"""Wagers: caps, short all-ins, pots, straddles."""

from enum import Enum, unique

from controller.core.rules.policies import full_wager, opening_pot, reopening
from controller.core.rules.policies.full_wager import FullWagerPolicy
from controller.core.rules.policies.opening_pot import OpeningPotPolicy
from controller.core.rules.policies.reopening import ReopeningPolicy
from controller.core.rules.questions.rule import Rule, choice, number, policy, switch
from controller.core.values.value import Value


@unique
class HeadsUpCap(Enum):
    """Whether a limit on raises binds two players.

    OPEN_IF_BEFORE_CAP: unlimited once heads-up, unless capped before. LAST_TWO_ONLY: unlimited only when no more than
    two players are left at the table. ALWAYS_OPEN: unlimited once heads-up, though it was capped before.
    OPEN_IF_THE_ROUND_BEGAN: unlimited where the round began with two.
    """

    ALWAYS_OPEN = "always-open"
    OPEN_IF_BEFORE_CAP = "open-if-before-cap"
    LAST_TWO_ONLY = "last-two-only"
    OPEN_IF_THE_ROUND_BEGAN = "open-if-the-round-began-heads-up"


class BettingRules(Value):
    """Wagers: caps, short all-ins, pots."""

    reopens: Rule[ReopeningPolicy] = policy(
        reopening.POLICY_BY_NAME, "May a player who has acted raise again after a short all-in?"
    )
    check_keeps_raise: Rule[bool] = switch("May a player who has checked raise an all-in of less than a bet?")
    full_wager: Rule[FullWagerPolicy] = policy(full_wager.POLICY_BY_NAME, "When is a limit all-in a full bet or raise?")
    raises_long: Rule[int] = number("How many raises may follow a bet where there are three or more rounds? (0: any)")
    raises_short: Rule[int] = number("How many raises may follow a bet where there are two rounds? (0: any)")
    cap_heads_up_cash: Rule[HeadsUpCap] = choice(HeadsUpCap, "Does the cap bind two players in a cash game?")
    cap_heads_up_tournament: Rule[HeadsUpCap] = choice(HeadsUpCap, "Does the cap bind two players in a tournament?")
    opening_pot_cash: Rule[OpeningPotPolicy] = policy(
        opening_pot.POLICY_BY_NAME, "What is a pot-limit pot before the flop?"
    )
    opening_pot_tournament: Rule[OpeningPotPolicy] = policy(
        opening_pot.POLICY_BY_NAME, "What is a pot-limit pot before the flop in a tournament?"
    )
    opening_pot_boardless: Rule[OpeningPotPolicy] = policy(
        opening_pot.POLICY_BY_NAME, "What is a pot-limit pot on the first round of a game without a board?"
    )
    straddle_big_bet: Rule[int] = number("How many live straddles may there be in no-limit and pot-limit cash games?")
    straddle_limit: Rule[int] = number("How many live straddles may there be in limit games?")
    straddle_doubles: Rule[bool] = switch("Is a straddle the smallest raise, and the smallest bet of every round?")
    straddle_button: Rule[bool] = switch("May also the button straddle, in no-limit and pot-limit?")
    straddle_button_opens_left: Rule[bool] = switch(
        "Does the first round begin left of a button that straddles, not left of the blinds?"
    )
    last_blind_minimum: Rule[bool] = switch("Must the last blind be at least the minimum of the first round?")

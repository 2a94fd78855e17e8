"""Lowball: which exposed cards are taken, and the sevens rule."""

from controller.core.rules.policies import exposed_low_cards
from controller.core.rules.policies.exposed_low_cards import ExposedLowCardPolicy
from controller.core.rules.questions.rule import Rule, policy, switch
from controller.core.values.value import Value


class LowballRules(Value):
    """Lowball."""

    take_a5_limit: Rule[ExposedLowCardPolicy] = policy(
        exposed_low_cards.POLICY_BY_NAME, "Which exposed cards are taken in limit ace-to-five?"
    )
    take_a5_big_bet: Rule[ExposedLowCardPolicy] = policy(
        exposed_low_cards.POLICY_BY_NAME, "Which in no-limit and pot-limit ace-to-five?"
    )
    take_27_limit: Rule[ExposedLowCardPolicy] = policy(
        exposed_low_cards.POLICY_BY_NAME, "Which exposed cards are taken in limit deuce-to-seven?"
    )
    take_27_big_bet: Rule[ExposedLowCardPolicy] = policy(
        exposed_low_cards.POLICY_BY_NAME, "Which in no-limit and pot-limit deuce-to-seven?"
    )
    sevens: Rule[bool] = switch("Does a checked seven or better win nothing after the draw in limit ace-to-five?")
    check_raise_a5_limit: Rule[bool] = switch("May a player who checked raise in limit ace-to-five?")
    newcomer_kills: Rule[bool] = switch("Does a new player who does not wait for the big blind kill the pot?")
    returning_kills: Rule[bool] = switch("Does a player whom the big blind has passed kill the pot to come in?")
    single_blind_waits: Rule[bool] = switch("With a single blind, does who missed it come in on the blind only?")
    single_blind_passes: Rule[bool] = switch(
        "With a single blind, does the next player take it where the one due has less than half of it?"
    )
    open_or_fold: Rule[bool] = switch("Must a player open or fold before the draw, where there is no blind?")

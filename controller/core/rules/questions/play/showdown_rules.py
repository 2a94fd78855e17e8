"""Showing, ties, odd chips."""

from enum import Enum, unique

from controller.core.rules.policies import odd_chip
from controller.core.rules.policies.odd_chip import OddChipPolicy
from controller.core.rules.questions.rule import Rule, choice, number, policy, switch
from controller.core.values.value import Value


@unique
class HandsUpTiming(Enum):
    """When all live hands are turned up before the board is complete.

    NEVER: the streets come first. ALL_IN: as soon as a player is all-in and the betting is over.
    """

    NEVER = "never"
    ALL_IN = "all-in"


@unique
class FirstToShow(Enum):
    """Who shows first.

    LAST_AGGRESSOR: the last to bet or raise on the last round; if there was none, who acted first on it.
    """

    LAST_AGGRESSOR = "last-aggressor"


@unique
class AllInFirstToShow(Enum):
    """Who shows first when nobody could act on the last round, all being all-in.

    OPENER: the live seat that would have opened it. CALLED: who was called on the last round on which anybody was.
    ALL_IN_AGGRESSOR: in no-limit who put the last wager in all-in, also where hands are turned up early.
    """

    OPENER = "opener"
    CALLED = "called"
    ALL_IN_AGGRESSOR = "all-in-aggressor"


@unique
class OddLowChip(Enum):
    """Which of two low halves of a pot gets the odd chip.

    FIRST_CLOCKWISE: that of the first winner clockwise from the button. FIVE_CARDS: that of the five-card hand.
    """

    FIRST_CLOCKWISE = "first-clockwise"
    FIVE_CARDS = "five-cards"


class ShowdownRules(Value):
    """Showing, ties, odd chips."""

    first: Rule[FirstToShow] = choice(FirstToShow, "Who shows first?")
    all_in_first: Rule[AllInFirstToShow] = choice(
        AllInFirstToShow, "Who shows first when nobody could act on the last round?"
    )
    hands_up_cash: Rule[HandsUpTiming] = choice(HandsUpTiming, "When are all-in hands turned up in a cash game?")
    hands_up_tournament: Rule[HandsUpTiming] = choice(HandsUpTiming, "When are all-in hands turned up in a tournament?")
    side_pots: Rule[bool] = switch("Is a side pot settled before the main pot?")
    side_pot_shows_first: Rule[bool] = switch(
        "Must those in a side pot show before those who are in the main pot only?"
    )
    caller_sees: Rule[bool] = switch("May a caller of the last wager have its maker's hand shown?")
    boards: Rule[int] = number("How many times may the rest of a board be dealt in big-bet games, if players agree?")
    odd_chip_button: Rule[OddChipPolicy] = policy(
        odd_chip.POLICY_BY_NAME, "Who gets the odd chip in a game with a button?"
    )
    odd_chip_exact: Rule[OddChipPolicy] = policy(
        odd_chip.POLICY_BY_NAME, "Who gets the odd chip where a fixed number of own cards plays?"
    )
    odd_chip_stud: Rule[OddChipPolicy] = policy(odd_chip.POLICY_BY_NAME, "Who gets the odd chip in a stud high game?")
    odd_chip_low: Rule[OddChipPolicy] = policy(odd_chip.POLICY_BY_NAME, "Who gets the odd chip in a stud low game?")
    odd_chip_low_low: Rule[OddLowChip] = choice(OddLowChip, "Which half gets the odd chip where both are low?")
    odd_chip_badugi: Rule[OddLowChip] = choice(
        OddLowChip, "Which half gets the odd chip where a stud game splits between low and badugi?"
    )
    odd_chips_to_one: Rule[bool] = switch("Does that hand get all odd chips where there are several?")

"""Stud: who opens, what an exposed or missing card comes to."""

from enum import Enum, unique

from controller.core.rules.policies import upcard_tie
from controller.core.rules.policies.stub_shortage import POLICY_BY_NAME as DEALT_SHORT
from controller.core.rules.policies.stub_shortage import ShortagePolicy
from controller.core.rules.policies.upcard_tie import UpcardTiePolicy
from controller.core.rules.questions.house.tournament_rules import AbsentHand
from controller.core.rules.questions.rule import Rule, choice, number, policy, switch
from controller.core.values.value import Value


@unique
class AllInOpener(Enum):
    """Who opens the first round when the seat with the forced bet has no chips left.

    LEFT_MAY_OPEN: the seat to its left, which may also fold. NEXT_CARD: the forced bet falls on the next card in rank.
    """

    LEFT_MAY_OPEN = "left-may-open"
    NEXT_CARD = "next-card"


@unique
class TwoDowncardsUp(Enum):
    """What becomes of a hand two of whose downcards were dealt up.

    DEAD_HAND: it is dead and its ante goes back. REPLACED: the deal is finished, the top card replaces the second of
    them face down, and that one is the burn. KEPT: both lie open, the third card comes down. MISDEAL.
    """

    DEAD_HAND = "dead-hand"
    REPLACED = "replaced"
    KEPT = "kept"
    MISDEAL = "misdeal"


@unique
class CommonCard(Enum):
    """What is dealt when there is not a fresh card for each.

    ALL_HANDS: one card face up in the centre, which plays in every hand.
    """

    ALL_HANDS = "all-hands"


@unique
class OthersLastCard(Enum):
    """How the other seats get their last card when the first one came face up."""

    DOWN = "down"
    UP = "up"


@unique
class FirstLastCard(Enum):
    """Which last card is the first of its round.

    CARD: the first that is dealt, though its seat has folded. PLAYER: the first of a player who can still win.
    """

    CARD = "card"
    PLAYER = "player"


@unique
class LastUpcardOpener(Enum):
    """Who opens the last round when the first of the last cards came face up.

    HIGH_BOARD: the hand now high, counting all upcards. PREVIOUS_OPENER: whoever opened the round before.
    """

    HIGH_BOARD = "high-board"
    PREVIOUS_OPENER = "previous-opener"


class StudRules(Value):
    """Stud."""

    tie: Rule[UpcardTiePolicy] = policy(
        upcard_tie.POLICY_BY_NAME, "Who opens a later street when the best open hands tie?"
    )
    tie_low: Rule[UpcardTiePolicy] = policy(
        upcard_tie.POLICY_BY_NAME, "Who opens a later street when the lowest open hands tie?"
    )
    tie_split: Rule[UpcardTiePolicy] = policy(
        upcard_tie.POLICY_BY_NAME, "Who opens a later street of a high-low game when the best open hands tie?"
    )
    all_in_opener: Rule[AllInOpener] = choice(AllInOpener, "Who opens when the seat with the forced bet is all-in?")
    exposed_low_card: Rule[bool] = switch("Does the seat to the left open when the low card was wrongly dealt up?")
    open_pair: Rule[bool] = switch("May either limit be bet on an open pair where the game has that option?")
    keeps_receiving: Rule[bool] = switch("Does a seat that folded without a wager go on receiving cards?")
    forced_keeps_receiving: Rule[bool] = switch("Does the seat with the forced bet, when it folds to a wager?")
    absent_dead: Rule[bool] = switch("Is a player's hand dead in a cash game who is away when its turn comes?")
    absent_tournament: Rule[AbsentHand] = choice(AbsentHand, "What becomes of an absent player's hand in a tournament?")
    shortage: Rule[ShortagePolicy] = policy(DEALT_SHORT, "What is done when the stub cannot serve a street?")
    shortage_late: Rule[ShortagePolicy] = policy(
        DEALT_SHORT, "What is done when the stub turns out too short while a street is dealt?"
    )
    undealt: Rule[int] = number("How many cards must a street leave undealt not to be short?")
    common: Rule[CommonCard] = choice(CommonCard, "What is dealt when there is not a fresh card for each?")
    common_counts: Rule[bool] = switch("Does a common card count for who opens?")
    last_missing: Rule[bool] = switch("May a hand that lacks only its last card be ruled live?")
    exposed_two: Rule[TwoDowncardsUp] = choice(
        TwoDowncardsUp, "What becomes of a hand two of whose downcards were dealt up?"
    )
    exposed_hands: Rule[int] = number("How many hands with two downcards up make a misdeal? (0: no number does)")
    exposed_three: Rule[int] = number("How many upcards too many in one hand make a misdeal? (0: no number does)")
    exposed_tournament: Rule[bool] = switch("Is a downcard dealt face up a misdeal in a tournament?")
    last_up_multiway: Rule[OthersLastCard] = choice(
        OthersLastCard, "The first last card is up: how do the others come?"
    )
    last_up_heads_up: Rule[OthersLastCard] = choice(
        OthersLastCard, "The first last card is up, of two players: how does the other come?"
    )
    last_up_first: Rule[FirstLastCard] = choice(FirstLastCard, "Which last card is the first of its round?")
    last_up_opener: Rule[LastUpcardOpener] = choice(LastUpcardOpener, "Who then opens?")
    last_up_option: Rule[bool] = switch("May a player whose last card is up be treated as all-in?")
    last_up_late: Rule[bool] = switch("Is such a player all-in when it is noticed after the betting has begun?")
    last_up_all_in: Rule[bool] = switch("Must an all-in player keep a last card that came face up?")
    last_up_replaced: Rule[bool] = switch("Is a last card that the dealer exposed replaced while betting remains?")
    at_risk_shows_last: Rule[bool] = switch("Where somebody is all-in: do the players not at risk show first?")
    wrong_opener: Rule[bool] = switch("Is a wrong opening taken back as long as the next player has not acted?")

"""Who is dealt in, what newcomers and returning players post, where the first button goes."""

from enum import Enum, unique

from controller.core.rules.policies import max_players
from controller.core.rules.policies.max_players import MaxPlayersPolicy
from controller.core.rules.questions.rule import Rule, choice, mark_people_only, number, policy, switch
from controller.core.values.value import Value


@unique
class FirstButton(Enum):
    """Where the first button goes.

    HIGH_OR_LOW_CARD: to the highest card drawn, in low games to the lowest. HIGH_CARD: always to the highest.
    SEAT_ONE: to seat 1. RIGHT_OF_DEALER: to the player directly right of the dealer.
    """

    HIGH_OR_LOW_CARD = "high-or-low-card"
    HIGH_CARD = "high-card"
    SEAT_ONE = "seat-one"
    RIGHT_OF_DEALER = "right-of-dealer"


@unique
class ShortBuyIn(Enum):
    """Whether a player may buy in for less than the minimum.

    ONCE: one short buy-in a game. IF_NOBODY_OBJECTS: when no player objects. NEVER: not at all.
    """

    ONCE = "once"
    IF_NOBODY_OBJECTS = "if-nobody-objects"
    NEVER = "never"


class PeopleRules(Value):
    """Who is dealt in, what newcomers and returning players post, where the first button goes."""

    first_button: Rule[FirstButton] = choice(FirstButton, "Where does the first button of a game go?")
    most_players: Rule[MaxPlayersPolicy] = policy(max_players.POLICY_BY_NAME, "How many players may sit down?")
    enter_behind_blind: Rule[bool] = switch("May anybody enter between the big blind and the button?")
    buys_button: Rule[bool] = switch("May a newcomer between button and small blind buy the button for both blinds?")
    bomb_pots: Rule[bool] = switch("May all players of a cash game agree on a bomb pot?")
    must_move_free: Rule[bool] = switch(
        "Does one who comes from a must-move game enter without a post, though not on small blind or button?"
    )
    carried_closed: Rule[bool] = switch("Is a pot with chips of the last deal only for those dealt in there?")
    missed_dead: Rule[bool] = switch("Does what a returning player posts beyond the opening bet go dead to the pot?")
    missed_lesser_dead: Rule[bool] = switch(
        "Is a lesser blind that was missed posted dead, of three blinds or more beside the last one?"
    )
    straddles_in: Rule[bool] = switch("May who missed blinds come back as the live straddle under the gun instead?")
    owing_looked_dead: Rule[bool] = switch("Is the hand of one who owes a blind, and looks before posting, dead?")
    played_over_new: Rule[bool] = mark_people_only(switch("Does one who plays over enter as a new player?"))
    first_round_free: Rule[bool] = switch("In a new game: may one enter free until the button has gone round once?")
    seat_change: Rule[bool] = switch("Is one who changes seats dealt in again at the same relative position?")
    seat_change_past: Rule[int] = number("Past how many active players may one change seats and be dealt in at once?")
    deal_off: Rule[bool] = switch("May one who plays the button and then changes seats enter behind it free?")
    absence_minutes: Rule[int] = number("After how many minutes away does an absence have consequences?")
    absent_dealt: Rule[bool] = switch(
        "Is a hand dead in a cash game whose player is not at the seat when all starting hands are complete?"
    )
    absent_pending: Rule[bool] = switch(
        "Is a hand dead in a cash game whose player leaves the seat with action pending?"
    )
    chop: Rule[bool] = switch("May the blinds take their bets back when everybody else has folded?")
    chop_tournament: Rule[bool] = switch("May they in a tournament?")
    buy_in_limit: Rule[int] = number("Full buy-in at limit, in maximum bets (0: none is set)?")
    buy_in_small_bets: Rule[bool] = switch("Is the full buy-in at limit reckoned in the smallest bet instead?")
    buy_in_big_bet: Rule[int] = number("Full buy-in at pot-limit and no-limit, in big blinds (0: none is set)?")
    buy_in_most: Rule[int] = number("Largest stack after buying chips (0: none is set)?")
    short_buy_in: Rule[ShortBuyIn] = choice(ShortBuyIn, "May a player buy in short?")
    return_minutes: Rule[int] = number(
        "Within how many minutes of cashing out must one buy in for what one took away (0: at no time)?"
    )

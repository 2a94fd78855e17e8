"""What is different in a tournament: absent and moved players, levels, colour-up, balance, the final table."""

from enum import Enum, unique

from controller.core.rules.questions.house.people_rules import FirstButton
from controller.core.rules.questions.rule import Rule, choice, mark_people_only, number, switch
from controller.core.values.value import Value


@unique
class AbsentHand(Enum):
    """What becomes of an absent player's hand.

    KILLED_AFTER_DEAL: dead as soon as all starting hands are complete. FOLDED_IN_TURN: folded when its turn comes.
    """

    KILLED_AFTER_DEAL = "killed-after-deal"
    FOLDED_IN_TURN = "folded-in-turn"


@unique
class MovedPlayerEntry(Enum):
    """How a player who was moved to the table enters.

    TAKES_DUTIES: at once, with the chair's blind or button. WAITS_FOR_BUTTON: not in the small blind's or the button's
    chair, until the button has passed. NOT_BEHIND_THE_BUTTON: as TAKES_DUTIES, but nobody who comes to the table gets
    a hand between the button and the small blind; also a new or late player waits there for the next hand.
    """

    TAKES_DUTIES = "takes-duties"
    WAITS_FOR_BUTTON = "waits-for-button"
    NOT_BEHIND_THE_BUTTON = "not-behind-the-button"


@unique
class OddChipExchange(Enum):
    """What becomes of chips that do not make a whole chip of the next size.

    RACE: they are raced for, a card a chip. RACE_ONE: so they are, with at most one new chip to a player; who would be
    raced out has one besides. ROUND_UP: everybody's are rounded up.
    """

    RACE = "race"
    RACE_ONE = "race-one-each"
    ROUND_UP = "round-up"


@unique
class BalancingMover(Enum):
    """Who moves to balance tables.

    DUE_FOR_BIG_BLIND: the player due for the big blind, to the earliest open seat due for it. SAME_POSITION: who
    sits in the same position relative to the button as the eliminated player, to that player's seat. SAME_CHAIR: at a
    table without a button, who has the chair that opened last at the smaller table, or the next one, to that chair.
    HIGH_CARD: a card drawn at the table names the player, so nobody is named before.
    """

    DUE_FOR_BIG_BLIND = "due-for-big-blind"
    SAME_POSITION = "same-position"
    SAME_CHAIR = "same-chair"
    HIGH_CARD = "high-card"


@unique
class SameHandRanking(Enum):
    """Who finishes higher of several who go out on one hand that all tables play together, hand for hand.

    LARGER_STACK: who began it with more, at whatever table. TABLES_TIE: the same at one table; those of different
    tables tie, the largest stack of each with each other, then the next of each. ALL_TIE: all of them tie.
    """

    LARGER_STACK = "larger-stack"
    TABLES_TIE = "tables-tie"
    ALL_TIE = "all-tie"


@unique
class FinalTableSize(Enum):
    """With how many players the final table is formed, by the seats of a table.

    AS_PRINTED: the number of the book, whatever the seats. NINE_OR_SEVEN: nine where tables have eight seats or more,
    else seven. ONE_MORE: one more than the seats.
    """

    AS_PRINTED = "as-printed"
    NINE_OR_SEVEN = "nine-or-seven"
    ONE_MORE = "one-more-than-the-seats"


@unique
class DefaultPayouts(Enum):
    """Which payout structure of `config/payouts` an event has where nobody names another.

    CLUB_TABLE: the paying table that a club's book prints. STANDARD: that of no book.
    """

    CLUB_TABLE = "fish-n-chips"
    STANDARD = "standard"


class TournamentRules(Value):
    """What is different in a tournament."""

    first_button: Rule[FirstButton] = choice(FirstButton, "Where does the first button of a tournament go?")
    absent: Rule[AbsentHand] = choice(AbsentHand, "What becomes of an absent player's hand?")
    penalised: Rule[bool] = switch("Is the hand of a player on penalty dealt, posted for, and killed after the deal?")
    redeal_absent_plays: Rule[bool] = switch("May who was away on a deal that was a misdeal play the new one?")
    absent_big_blind_checks: Rule[bool] = switch("Does an absent big blind keep its hand while nobody has raised?")
    moved: Rule[MovedPlayerEntry] = choice(MovedPlayerEntry, "How does a moved player enter?")
    new_limits_next_deal: Rule[bool] = mark_people_only(switch("Do new limits count from the next riffle on?"))
    level_put_right: Rule[bool] = switch("Is a hand begun on the old level put right while a misdeal can be called?")
    antes_waived: Rule[bool] = switch("May the last two players agree to play without antes?")
    short_blind_made_up: Rule[bool] = mark_people_only(switch("Must one who posts a short blind and wins make it up?"))
    odd_chips: Rule[OddChipExchange] = choice(OddChipExchange, "What becomes of odd chips at a colour-up?")
    mover: Rule[BalancingMover] = choice(BalancingMover, "Who moves to balance tables?")
    mover_otherwise: Rule[BalancingMover] = choice(
        BalancingMover, "Who moves where nobody has gone out at the smaller table?"
    )
    mover_stud: Rule[BalancingMover] = choice(BalancingMover, "Who moves in an event of stud alone, without a button?")
    spread_many: Rule[int] = number("How far may table sizes differ with many tables?")
    spread_few: Rule[int] = number("How far may table sizes differ with few tables?")
    few_tables: Rule[int] = number("How many tables are few?")
    break_order: Rule[bool] = switch("Do tables break in a pre-set order, their players taking empty seats elsewhere?")
    redraw: Rule[int] = number("From how many tables down are seats drawn anew each time a table goes?")
    redraw_small: Rule[int] = number(
        "From how many down in an event that began with four or five tables are seats drawn anew?"
    )
    redraw_entrants: Rule[int] = number(
        "Below how many entrants does the number for small events hold (0: their tables count)?"
    )
    hand_for_hand: Rule[int] = number("With how many players left is play hand for hand (0: near the money)?")
    hand_for_hand_waits: Rule[bool] = switch("Hand for hand: do all-in hands and the next deal wait for the floor?")
    hand_for_hand_minutes: Rule[int] = number("How much of the level's time does such a hand take (0: its own)?")
    hand_for_hand_places: Rule[SameHandRanking] = choice(
        SameHandRanking, "Hand for hand: who of several on one hand is higher?"
    )
    payouts: Rule[DefaultPayouts] = choice(DefaultPayouts, "How is the prize pool paid out?")
    carried_percent: Rule[int] = number(
        "What per cent of the buy-ins goes to the Championship of the season (0: nothing)?"
    )
    league: Rule[bool] = switch(
        "Do events make a season, with points, a Qualifier and a Championship with bonus chips?"
    )
    side_games: Rule[bool] = switch("Has a season a props bet and a river jackpot?")
    alone: Rule[bool] = switch("Does one who is alone at the table win blinds and antes without a deal?")
    last_hands: Rule[bool] = switch("May the day end after a number of hands that is drawn, with nobody new meanwhile?")
    halts: Rule[int] = number("How many players short of the fullest table does play halt, which is no misdeal?")
    final_table: Rule[int] = number("With how many players left is the final table formed?")
    final_table_by_seats: Rule[FinalTableSize] = choice(FinalTableSize, "Does that number follow the seats of a table?")
    bounty_in_last_pot: Rule[bool] = switch(
        "Is a bounty won with the last pot that its player could win (else with the main pot)?"
    )
    plays_behind: Rule[bool] = switch("Does who announces a rebuy before the deal play behind, and have to make it?")
    deal_resumes_timer: Rule[bool] = switch("Does a timer that was paused go on with the next hand?")
    rebuys: Rule[int] = number("How many rebuys has a player where the event has rebuys (0: no limit is printed)?")
    rebuy_levels: Rule[int] = number("Until the end of which level may one rebuy (0: none is printed)?")

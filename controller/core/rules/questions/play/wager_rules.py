"""What chips pushed forward, and words, come to."""

from enum import Enum, unique

from controller.core.rules.questions.rule import Rule, choice, number, switch
from controller.core.values.value import Value


@unique
class Undercall(Enum):
    """What less than a call comes to, put in or said without "call".

    FULL_CALL: it is made a full call. OPENING: so it is heads-up, and facing the opening bet of a round; otherwise a
    person decides between a call and the loss of those chips with a fold.
    """

    FULL_CALL = "full-call"
    OPENING = "opening-or-heads-up"


@unique
class CorrectionDeadline(Enum):
    """How long a wrong amount that others have acted on is put right.

    ROUND: until all have acted on it. STREET: until a card of the next street leaves the shoe, on the last one until a
    hand is shown. SUBSTANTIAL: as STREET, but not after substantial action behind it.
    """

    ROUND = "round"
    STREET = "street"
    SUBSTANTIAL = "substantial-action"


class WagerRules(Value):
    """Chips and words."""

    word: Rule[bool] = switch("Does what is said in turn bind, whatever chips come with it?")
    one_chip: Rule[bool] = switch("Is one chip larger than the bet only a call, unless a raise was announced?")
    chips_needed: Rule[bool] = switch("Are several chips a call when each of them is needed for it?")
    half: Rule[int] = number("How many per cent of the smallest raise, put in beyond a call, bind to that raise?")
    last_chips: Rule[bool] = switch("Is a player's last chip beyond a call all-in, however small a part of a raise?")
    undercall: Rule[Undercall] = choice(Undercall, "What does less than a call come to?")
    in_sequence: Rule[bool] = switch("Does play go back to the first of several undercalls in a row?")
    prior: Rule[bool] = switch("Do the chips of an earlier bet, not pulled in yet, count with new ones?")
    prior_pulled: Rule[bool] = switch(
        "Does pulling back a chip of an earlier bet, facing a raise, bind to call or raise?"
    )
    wrong_word: Rule[bool] = switch("Are a call without a bet a check, a raise a bet, a check facing one no raise?")
    meanings: Rule[bool] = switch("Is an amount of several meanings the largest that is not above the pot?")
    pot_word: Rule[bool] = switch("Does a bet of the pot, where it is no limit, bind to the smallest wager?")
    least: Rule[CorrectionDeadline] = choice(
        CorrectionDeadline, "Until when is a bet or raise below the minimum brought up to it?"
    )
    over_pot: Rule[CorrectionDeadline] = choice(
        CorrectionDeadline, "Until when is a bet above the pot limit brought down to it?"
    )
    pot_chip: Rule[bool] = switch(
        "Is one chip larger than the pot, without a word and with no bet to face, a bet of it?"
    )
    pot_chip_raise: Rule[bool] = switch(
        "Is one chip larger than the pot allows, with a bet or raise said, the most it allows?"
    )
    under_pot: Rule[CorrectionDeadline] = choice(
        CorrectionDeadline, "Until when is a bet of the pot that was counted too small brought up?"
    )

"""What rulings say to the dealer: whole sentences with places to fill, without their full stop.

Who it is, what happens to which cards and chips, what is dealt next, in this order, in the words of a dealer; a ruling
puts one or more together (`join_sentences`) and its clause after them. They stand here, so that a page can know a
sentence again and say it in another language (`controller.web.wording.ruling_translation`): a place is a number, a list
of numbers, or one word of the table script.
"""

ALL_BACK = "All cards and bets back, shuffle, cut, same button"
ALL_BACK_WITHOUT_BUTTON = "All cards and bets back, shuffle, cut, deal again"
ALL_BACK_OTHER_BUTTON = "All cards and bets back; move the button to the right seat; shuffle, cut, deal again"

CARD_TOO_FEW = "Seat {seat} has a card too few: misdeal"
CARDS_TOO_FEW = "Seat {seat} has {count} cards too few: misdeal"
CARD_TOO_MANY = "Seat {seat} has a card too many: misdeal"
CARDS_TOO_MANY = "Seat {seat} has {count} cards too many: misdeal"
CARDS_TOO_MANY_IN_ALL = "{count} cards too many in this deal: misdeal"
WRONG_NUMBER = "Seat {seat} has a wrong number of cards: misdeal"
CARD_EXPOSED = "Card {nth} of the deal was exposed: misdeal"
CARDS_EXPOSED = "{count} cards were exposed: misdeal"
CARDS_BOXED = "{count} cards were boxed: misdeal"
WRONG_SEAT = "A card for seat {seat} went to seat {other}: misdeal"
DEALT_OUT = "Seat {seat} was entitled to a hand and got none: misdeal"
NOT_ENTITLED = "Seat {seat} got cards and has no right to any: misdeal"
WRONG_BUTTON = "The button belonged at seat {seat}: misdeal"
DOWNCARD_UP = "A downcard of seat {seat} was dealt face up: misdeal"
DOWNCARDS_UP = "Both downcards of seat {seat} were dealt face up: misdeal"
CARDS_UP = "Seat {seat} was dealt {count} cards face up: misdeal"
HANDS_UP = "{count} hands were dealt two cards face up: misdeal"
NOT_PREPARED = "The cards were not shuffled and cut as they should be: misdeal"

NO_BURN = "No card was burned"
NO_BURN_BEFORE = "No card was burned before the {street}"
TOO_MANY_BURNS = "Too many cards were burned before the {street}"
SCRAMBLE_ALL_FOR_BURN = (
    "Scramble all {count} face down; the floor picks one: the burn. The other {others} are the flop. Turn no more"
)
SCRAMBLE_FOR_BURN = "Scramble the {count} face down; the floor picks one: the burn. Turn {more} more for the flop"
SCRAMBLE_FOR_NEXT_BURN = (
    "Scramble all {count} face down; the floor picks one: the next burn. The other {others} are the flop. Turn no more"
)
SCRAMBLE_FOR_MUCK = (
    "Scramble all {count} face down; the floor picks one: to the muck. The other {others} are the flop. Turn no more"
)
BOARD_CARD_BACK = "Put the {street} card back on top of the stub; burn one, turn one"
BOARD_CARDS_BACK = "Put the {count} cards back on top of the stub, the last one first; burn one, turn {turn}"
BURNS_BACK = "Put all that came after the right burn back on the stub, the last one first; then turn {turn}"
ALL_SINCE_BACK = "Put all that came since back on the stub, the last one first, and deal it again"
FLOP_TOO_LARGE = "The flop has too many cards"
FLOP_AGAIN = "Flop to the stub, shuffle, cut, turn {turn} WITHOUT a burn"
FLOP_AGAIN_WITH_BURN = "Flop to the stub, shuffle, cut, burn one, turn {turn}"
FLOP_AND_BURN_AGAIN = "Flop and burn to the stub, shuffle, cut, burn one, turn {turn}"
BURN_AND_TURN = "{street}: burn {burns}, then turn {turn}"
TOO_MANY_WERE_BURNED = "Too many cards were burned"
NO_BURN_ON_STREET = "No card was burned on {street} street"
TOO_MANY_BURNS_ON_STREET = "Too many cards were burned on {street} street"
STREET_AGAIN = "Put all that came after the right burn back on the stub, the last one first; deal the street again"
STREET_AGAIN_WITH_BURN = "Put the cards back on the stub, the last one first; burn one, deal the street again"
STREET_AGAIN_WITH_BURNS = "Put the cards back on the stub, the last one first; burn {burns}, deal the street again"
DRAW_AGAIN = "Put all that came after the right burn back on the stub, the last one first; deal the new cards again"
DRAW_AGAIN_WITH_BURN = "Put the new cards back on the stub, the last one first; burn one, deal them again"
DRAW_AGAIN_WITH_BURNS = "Put the new cards back on the stub, the last one first; burn {burns}, deal them again"
LOOKED_AT_LAST_CARD = "Seat {seat} has looked at its last card and keeps it"
LOOKED_AT_NEW_CARD = "A player has looked at a new card: the cards stand"
LOOKED_AT_FIFTH_CARD = "Seat {seat} has looked at its fifth card and keeps it"
FIFTH_CARD_IS_BURN = "Seat {seat} got the burn as its fifth card: put it with the burns; the next card is its fifth"
ONE_ACTED_ON_STREET = "A player has acted on the street: its cards stand"
ACTED_ON_STREET = "{count} players have acted on the street: its cards stand"
ONE_ACTED_AFTER_DRAW = "A player has acted after the draw: its cards stand"
ACTED_AFTER_DRAW = "{count} players have acted after the draw: its cards stand"
DRAW_STANDS = "The pot is decided: the cards of the draw stand"
BURN_MORE_ON_STREET = "On {street} street burn {burns} cards, then deal; it gets the cards it would have had"
BURN_MORE_ON_DRAW = "On the next draw burn {burns} cards before the first new card; it gets the cards it would have had"
SURPLUS_BURN_BACK = (
    "When this street is dealt, put the surplus burn back on the stub: it is the burn of {street} street"
)
SURPLUS_BURNS_BACK = (
    "When this street is dealt, put the {count} surplus burns back on the stub, the last one first. The top one is the "
    "burn of {street} street"
)
DRAWN_BURN_BACK = "When all have drawn, put the surplus burn back on the stub: it is the burn of the next draw"
DRAWN_BURNS_BACK = (
    "When all have drawn, put the {count} surplus burns back on the stub, the last one first. The top one is the burn "
    "of the next draw"
)
LATER_CARDS = "Corrected or not, deal later cards as they would have come without the error"
BURN_BACK = "Put the last burn back on top of the stub: it is the burn of the {street}"

CARD_WITH_FLOP = "The flop is dealt again: this card goes back with it"
CARDS_TO_MUCK = "The pot is decided: the cards too many go to the muck"
LATE_CARDS_TO_MUCK = "The pot is decided: the cards that come now go to the muck"
NEXT_CARD_IS_BURN = "The first card is the {street}; the other goes to the burns, as the next burn"
NEXT_CARD_IS_MUCKED = "The first card is the {street}; the other goes to the muck, no burn is due any more"
NEXT_CARDS_GO = "The first card is the {street}; of the others {burns} go to the burns and {mucked} to the muck"
OTHERS_SHUFFLED = "The first card is the {street}; shuffle the other {count} into the stub and cut. Burn as always"

DEAL_THE_LAST = "Deal the last card; this draw needs more"
DEAL_THE_LEFT = "Deal the last {count} cards; this draw needs more"
LAST_CARD = "One card is left and does not finish this draw"
STUB_IS_OUT = "The stub is out and this draw is not finished"
SHUFFLE_IT_WITH_EARLIER = (
    "Shuffle it with the folded hands and all earlier discards ({count}), without this draw's discards"
)
SHUFFLE_EARLIER = "Shuffle the folded hands and all earlier discards ({count}), without this draw's discards"
SHUFFLE_IT_WITH_SEAT = "Shuffle it with the discards of seat {seats} ({count})"
SHUFFLE_SEAT = "Shuffle the discards of seat {seats} ({count})"
SHUFFLE_IT_WITH_SEATS = "Shuffle it with the discards of seats {seats} ({count})"
SHUFFLE_SEATS = "Shuffle the discards of seats {seats} ({count})"
SHUFFLE_IT_WITH_OTHERS = "Shuffle it with the discards and folded hands of all other seats ({count})"
SHUFFLE_OTHERS = "Shuffle the discards and folded hands of all other seats ({count})"
SHUFFLE_IT_WITH_ALL = "Shuffle it with all discards and folded hands ({count})"
SHUFFLE_ALL = "Shuffle all discards and folded hands ({count})"
BURNS_STAY_OUT = "The burns stay out; cut, next card to seat {seat}"
BURNS_GO_IN = "The burns ({count}) go in, too; cut, next card to seat {seat}"

TOO_FEW_FOR_EACH = "{needed} cards are needed; with the burns there are {count}"
COMMON_CARD = "Burn one, turn one common card"
COMMON_CARD_FROM_MIXTURE = "Scramble stub and burns, cut, burn one, turn one common card"
SAME_OPENER = "Seat {seat} acts first, as on {street} street"
STUB_TOO_SHORT = "{needed} cards are needed, the stub has {count}"
BURNS_COME_BACK = "Scramble the burns with what is left of the stub, cut, and deal on"
BURNS_COME_BACK_AND_BURN = "Scramble the burns with what is left of the stub, cut, burn one, and deal on"
BURN_AND_DEAL_FIRST = "Burn one, deal {count}"
DEAL_FIRST = "Deal {count}"

EXPOSED_IS_BURN = (
    "Seat {seat} may not keep it: finish the deal, top card to seat {seat}; the exposed one is the next burn"
)
EXPOSED_TO_MUCK = (
    "Seat {seat} may not keep it: finish the deal, top card to seat {seat}; the exposed one goes to the muck"
)
MUST_KEEP = "Seat {seat} must keep the card"
EXTRA_IS_BURN = "Put seat {seat}'s extra card with the burns: it is the next burn"
EXTRA_TO_STUB = "Put seat {seat}'s extra card back on top of the stub"
EXTRAS_TO_STUB = "Put seat {seat}'s {count} extra cards back on top of the stub, the last one first"
TOP_CARD = "Top card to seat {seat}: it is the one that was missed"
HAND_DEAD = "The hand of seat {seat} is dead, its chips stay in the pot; play on"
HAND_DEAD_UNCALLED_BACK = "The hand of seat {seat} is dead; what nobody has called of its wager goes back; play on"
HAND_DEAD_BET_STANDS = (
    "The hand of seat {seat} is dead, its chips stay in the pot and its bet is still to be called; play on"
)
HAND_DEAD_REFUNDED = "The hand of seat {seat} is dead, its wagers and blinds go back; play on"
HAND_DEAD_REFUNDED_UNLESS = (
    "The hand of seat {seat} is dead, its wagers and blinds go back, unless the floor finds collusion; play on"
)
HAND_OUT = "Seat {seat} is out of the hand already: play on"
LAST_HAND_WINS = "No other hand is left: seat {seat} takes the pot"
LAST_HAND_REFUNDED = "The last hand left has a wrong number of cards: all bets go back"
FLOOR_PLAYS_ON = "The floor: nothing is done, the hand goes on"
EARLY_BURN = "Only the burn came too early: it stays, and is the burn of the {street}"
EARLY_CARD_STANDS = "The {street} stands and is used when it is due; no further bet or raise on this round"
EARLY_CARD_ASIDE = "Set the card aside and finish the betting; then burn one, turn one for the {street}"
EARLY_CARD_BACK = "Finish the betting; then the {street} goes to the stub: shuffle, cut, turn {turn} WITHOUT a burn"
EARLY_CARD_BACK_AND_BURN = "Finish the betting; then the {street} goes to the stub: shuffle, cut, burn one, turn {turn}"
EARLY_NEXT_BURN = "Only the burn came too early: it stays, and is the next burn"
EARLY_CARDS_STAND = "The cards stand and are used when they are due; no further bet or raise on this round"
EARLY_CARDS_ASIDE = (
    "The cards are out of play: finish the betting, then take one stub card out of play for each player who got none"
)
EARLY_CARDS_BACK = "Finish the betting; then the cards go to the stub: shuffle, cut, deal the street WITHOUT a burn"
EARLY_CARDS_BACK_AND_BURN = "Finish the betting; then the cards go to the stub: shuffle, cut, burn one, deal the street"
EARLY_CARDS_BACK_AT_ONCE = "The cards go to the stub: shuffle, cut, finish the betting, deal the street WITHOUT a burn"
EARLY_CARDS_BACK_AT_ONCE_AND_BURN = (
    "The cards go to the stub: shuffle, cut, finish the betting, burn one, deal the street"
)
REST_WITHOUT_BURN = "Finish the betting; then deal the rest of the street WITHOUT a burn"
REST_AFTER_BURN = "Finish the betting; then burn one, deal the rest of the street"
EARLY_LAST_CARD_KEPT = "Seat {seat} has looked at its last card and keeps it; it may not bet or raise on this round"
EXTRA_BACK = "Nobody has looked: put seat {seat}'s extra card back on top of the stub. It is the next card due"
EXTRAS_BACK = (
    "Nobody has looked: put seat {seat}'s {count} extra cards back on top of the stub, the last one first. They are "
    "the next cards due"
)
SLIDE = "Seat {at} got seat {seat}'s card: slide it to seat {seat}"
SLIDE_SEVERAL = "Seat {at} got {count} cards of seat {seat}: slide them to seat {seat}"
SLIDE_IN_ORDER = "Slide the cards in this order, seat to seat: {moves}"
DEAL_ON = "Deal on"
THEN_DEAL_SEAT = "Then deal seat {seats}"
THEN_DEAL_SEATS = "Then deal seats {seats}"

SECOND_MOTION = "Seat {seat} has acted already: a second motion adds nothing to its wager"
BOUND_BY_FIRST_ACT = "Seat {seat} is bound by its first act out of turn: at its turn it can only {act}"
EARLY_FOLD_MUCKED = "Seat {seat} folded out of turn: its cards go to the muck, its bets stay"
EARLY_FOLD_DEAD = (
    "Seat {seat} folded out of turn facing a bet: its hand is dead whatever others do, its bets stay; at its turn "
    "enter the fold"
)
EARLY_FOLD_BINDS = "Seat {seat} folded out of turn: it is bound to that, its bets stay"
EARLY_CHECKER = "Seat {seat} checked out of turn: at its next turn it may neither bet nor raise"
EARLY_ACT_BINDS = "Seat {seat} is bound by its {act} out of turn, unless the action to it is changed"
EARLY_ACT_IS_ASKED = "Seat {seat} may be bound by its {act} out of turn: the floor says whether it is"
EARLY_ACT_CALLED_BEFORE = (
    "Seat {seat} may be bound by its act out of turn, though there was a call before it: the floor says whether it is"
)
EARLY_ACT_RELEASED_BY_RAISE = "Seat {seat} is bound no longer: there was a bet or raise before its turn"
EARLY_ACT_RELEASED_BY_CALL = "Seat {seat} is bound no longer: there was a call before its turn"
FLOOR_BINDS = "The floor: at its turn seat {seat} can only {act}, unless the action to it is changed"
FLOOR_RELEASES = "The floor: seat {seat} is not bound by its {act} out of turn"
FLOOR_RELEASES_CHECKER = "The floor: seat {seat} may bet and raise in spite of its check out of turn"
PASSIVE_AFTER_ACT = "After its {act} out of turn seat {seat} may only check, call or fold on this round"
PASSIVE_BY_FLOOR = "The floor: seat {seat} may only check, call or fold on this round"
ACTED_BEHIND = (
    "Seat {seat} acts now, unless the floor declares its hand dead. {count} players have acted behind it: without "
    "a call for time it may lose its right to act"
)
SKIPPED = "Substantial action went past seat {seat}: that action stands, and the floor rules on seat {seat}'s hand"

LEFT_WITH_ACTION_PENDING = "Seat {seat} has left the table with action pending: its hand is dead, its bets stay"
UPCARD_TO_TURN_UP = "Card {nth} of seat {seat} decides who acts, and not everybody knows it: the floor has it turned up"
COMMON_CARD_TO_TURN_UP = "The common card decides who acts, and not everybody knows it: the floor has it turned up"
HAND_TURNED_UP = "The hand of seat {seat} was turned up: everybody knows it from now on"
CARD_TURNED_UP = "Card {nth} of seat {seat} was turned up: everybody knows it from now on"
BOARD_TURNED_UP = "The board was turned up: everybody knows it from now on"
BOARD_CARD_TURNED_UP = "Card {nth} of the board was turned up: everybody knows it from now on"
BURNS_TURNED_UP = "The burns were turned up: everybody knows them from now on"
BURN_TURNED_UP = "Burn {nth} was turned up: everybody knows it from now on"
ABSENT_AT_TURN = "Seat {seat} is not at the table now that it is its turn: its hand is dead, what it posted stays"
ABSENT_AT_TOLD_TURN = "Seat {seat} was not at the table when its turn came: its hand is dead, what it posted stays"
ABSENT_AFTER_DEAL = (
    "Seat {seat} is not at the table although all starting hands are complete: its hand is dead, what it posted stays"
)
ABSENT_BEFORE_MISDEAL = (
    "Seat {seat} was not at the table for the deal that was a misdeal: its hand is dead, what it posted stays"
)
AWAY_TOO_LONG = "Seat {seat} has been away for more than {minutes} minutes: its chips may be picked up"
AWAY_TOO_LONG_FOR_POINTS = (
    "Seat {seat} has been away for more than {minutes} minutes: no points unless it is back before its chips are gone"
)
PENALTY_HAND = "Seat {seat} sits out this hand as a penalty: its hand is dead, what it posted stays"
PENALTY_OF_A_HAND = "Seat {seat} sits out 1 hand"
PENALTY_OF_HANDS = "Seat {seat} sits out {count} hands"
PENALTY_OVER = "The penalty of seat {seat} is over"

LEAVER_GETS_BACK = "Pay {amount} from the pot to the player who left seat {seat}"
NAMED_LEAVER_GETS_BACK = "Pay {amount} from the pot to {player}, who left seat {seat}"
LEAVER_OWES = "The player who left seat {seat} took {amount} from the void hand: the floor collects {amount}"
NAMED_LEAVER_OWES = "{player}, who left seat {seat}, took {amount} from the void hand: the floor collects {amount}"
SECOND_KILLER_WAITS = "Seat {seat} waits for the next deal: the pot is killed already, and only once a deal"
MOVED_IN_WAITS = "Seat {seat} sits on the small blind or the button: it waits until the button has passed"
BEHIND_BLIND_WAITS = "Seat {seat} sits between the big blind and the button: it waits until the button has passed"
BEHIND_BUTTON_WAITS = "Seat {seat} sits between the button and the small blind: it waits for the next hand"
BUYS_BUTTON = "Seat {seat} buys the button: it alone posts both blinds and has the button next hand"
BUYS_BUTTON_FOR_ALL = "Seat {seat} buys the button: it alone posts all the blinds and has the button next hand"
SEVERAL_BIG_BLINDS = "Seats {seats} each owe the big blind and post it"
BIG_BLIND_DUE = "The big blind is due at seat {seat}"
BUTTON_DEAD = "The button is dead at seat {seat}: nobody is dealt in there"
SMALL_BLIND_UNDUE = "No small blind this hand: nobody posts it at seat {seat}"
MIDDLE_BLIND_UNDUE = "No blind of {amount} this hand: nobody posts it at seat {seat}"

JOKER_FOUND = "A joker makes the deck defective"
SAME_CARD_TWICE = "Two cards of the same rank and suit are out"
OTHER_BACK = "A card with another back is in play"
DECK_SHORT = "The deck has not all its cards"
DECK_DEFECTIVE = "The deck is defective"
DECK_LONG = "More cards have left the shoe than the deck has"
STRIPPED_CARD = "A card that the game does not have is in the deck"
JOKER_IN_STUB = "A joker in the stub is a scrap of paper here"
OTHER_BACK_IN_STUB = "A card with another back is in the stub"
MISDEAL_OTHER_DECK = "Misdeal: all cards and bets back, then deal again with a sound deck"
VOID_OTHER_DECK = "The hand is void: all cards and bets back, then deal again with a sound deck"
CHANGE_DECK = "All action stands; change the deck before the next deal"
CHANGE_DECK_AFTER_POT = "The pot has been pushed, its result stands; change the deck before the next deal"
COMPLETE_DECK_AFTER_POT = "The pot has been pushed, its result stands; complete the deck before the next deal"
COUNT_DECK = "The last hand showed a wrong number of cards: count the deck, complete it, then deal"
JOKER_IS_SCRAP = "The joker is a scrap of paper here: take it out of play"
STRIPPED_IS_SCRAP = "A card that the game does not have is a scrap of paper: take it out of play"
NEXT_CARD_REPLACES = "The next card takes its place"
NO_CARD_REPLACES = "No card comes for it"

WAGER_BACK_AND_OPENS = "Seat {opened} takes its wager back; seat {seat} opens"
DOES_NOT_OPEN = "Seat {opened} does not open; seat {seat} opens"
FORCED_BET_OF_OTHER = "Seat {opened} takes its wager back: seat {seat} has the forced bet"
OPENING_STANDS = "The next player has acted: the wager stands, seat {seat} owes nothing"
OPENING_OF_SEAT_STANDS = "The next player has acted: the wager of seat {opened} stands, seat {seat} owes nothing"

# What stands, and what comes too late.
CARDS_STAND = "the cards stand"
DECIDED_CARDS_STAND = "the pot is decided: the cards stand"
NO_BETTING_CARDS_STAND = "there is no betting on this street: its cards stand"
STUB_CHANGED_CARDS_STAND = "the stub is no longer as it was, so that nobody knows the right card: the cards stand"
REPLACED_CARDS_STAND = "a card of this draw has been replaced: its cards stand"
DISCARDS_FIRST = "the betting was over: the cards stand; players with too many cards discard before anybody acts"
SHOWING_FIRST = "the betting was over, only the hands had to be turned up: the cards stand"
BURN_ANEW = "the card stays among the burns; burn anew"
TOO_LATE_PLAYED_OUT = "too late: play the hand to the end"
TOO_LATE_AS_IT_IS = "too late: the hand is played as it is"
TOO_LATE_FOR_MISDEAL = "too late for a misdeal: play the hand to the end"
TOO_LATE_CARDS_DEAD = "too late: the cards of seat {seat} are dead, play on"

# Hands that are dead, and collusion.
HAND_OF_SEAT_DEAD = "the hand of seat {seat} is dead"
WAS_THERE_COLLUSION = (
    "was there collusion? If not, the wagers, forced bets and blinds of seat {seat} go back (`release`), else they "
    "stay (`bind`)"
)
COLLUSION_FOUND = "the floor: the wagers of seat {seat} stay in the pot"
NO_COLLUSION = "the floor: no collusion, the wagers, forced bets and blinds of seat {seat} go back"

# What the dealer is asked.
CARD_NOT_DUE = "A card left the shoe when none was due: say what happened"
SAY_WHETHER_OPENED = "Nobody was said to have bet: say whether the pot was opened, or passed out"
SAY_HOW_MANY_ACTED = "The rule asks how many have acted on this round: say how many, and whether one put chips in"
CARD_ELSEWHERE = "An antenna reads a card at {place} that should lie elsewhere: say what happened"
CARD_ELSEWHERE_OR_FOLD = (
    "An antenna reads a card at {place} that should lie elsewhere: enter the fold of seat {folded}, or say what "
    "happened"
)
UPCARDS_UNREAD = "An upcard of seat {seats} was not read and decides who acts: report `misread` with `seat` and `card`"
COMMON_CARD_UNREAD = "The common card was not read and decides who acts: report `misread` with `card`"
CARD_IS_MISREAD = "the card counts as what it is"

# What chips and words come to: why, and what follows, one inside of the other.
MOTION_OF_SEAT = "seat {seat}: {why}"
NOTHING_SAID = "nothing said"
NOTHING_SAID_NO_BET = "nothing said, no bet to face"
PULLED_BACK_FOLD_CALL = "it pulled back a chip of its bet facing a raise: the fold does not count, it must call"
PULLED_BACK_FOLD_CALL_OR_RAISE = (
    "it pulled back a chip of its bet facing a raise: the fold does not count, it must call or raise"
)
PULLED_BACK_CALL = "it pulled back a chip of its bet facing a raise: it may not fold, it must call"
PULLED_BACK_CALL_OR_RAISE = "it pulled back a chip of its bet facing a raise: it may not fold, it must call or raise"
WORD_SAID = "{act} was said"
WORD_SAID_WITH_ONE_CHIP = "{act} was said: the most that the chip allows"
CALL_SAID = "a call was said: it is a full call"
CALL_IS_CHECK = "a call without a bet is a check"
CHECK_IS_CALL = "a check facing a raise, a chip of its earlier bet pulled back: it is a call"
CHECK_FACING_BET = "a check facing a bet: it may call or fold, not raise"
POT_SAID = "the pot was said"
READ_AS_LARGEST = "the words fit several amounts: {amount} is the largest not above the pot of {pot}"
READ_AS_SMALLEST = "the words fit several amounts, all above the pot of {pot}: {amount} is the smallest"
ONE_CHIP_IS_CALL = "one chip larger than the bet is a call"
EVERY_CHIP_NEEDED = "every chip is needed to call: a call"
LAST_CHIPS = "its last chips, more than a call: all-in"
WHOLE_STACK = "{why}, its whole stack"
MORE_THAN_STACK = "{why}, more than its whole stack of {amount}"
BELOW_HALF_RAISE = "{why}; the extra is less than {percent} % of a raise: it is a call, the extra goes back"
HALF_RAISE = "{why}: {percent} % of a raise or more"
UNDERCALL_MADE_FULL = "{amount} is less than the call of {bet}: it is made a full call"
UNDERCALL_ASKED = (
    "{amount} does not call the bet of {bet}: the floor rules a full call (`bind`), or a fold that forfeits {amount} "
    "(`forfeit`)"
)
MAY_NOT_RAISE = "{why}: it may not raise, so it calls"
MAY_NOT_WAGER = "{why}: it may not bet or raise, so it checks"
IS_ALL_IN = "{why}: all-in"
BROUGHT_DOWN = "{why}: brought down to {amount}"
BROUGHT_UP = "{why}: brought up to the smallest bet of {amount}"
ALL_IN_FOR = "{why}: all-in for a total of {amount}"
WAGER_TO = "{why}: {act} to {amount}"
UNDERCALLS_TOO = "seat {seat} undercalls, too: play goes back to seat {first}, which corrects its bet first"
FLOOR_FULL_CALL = "the floor: seat {seat} makes a full call"
FLOOR_FOLD_LEAVES = "the floor: seat {seat} folds and leaves {amount} in"

# What the floor decides by itself.
MOVES_OBJECTED = "a player objects to moving cards: misdeal, all cards and all money back"
FLOOR_MISDEAL = "the floor: misdeal, all cards and all money back"
FLOOR_VOID = "the floor: the hand is void, all money back"
FLOOR_HAND_DEAD = "the floor: the hand of seat {seat} is dead"
FLOOR_HAND_DEAD_UNCALLED_BACK = (
    "the floor: the hand of seat {seat} is dead; what nobody has called of its wager goes back"
)
FLOOR_REVIVES = "the floor: seat {seat} gets its hand back and plays"
LEVEL_TOO_LATE = "too late: this hand goes on at the old level, the new one counts from the next hand on"
LEVEL_PUT_RIGHT = "the hand began on the old level by mistake: it goes on at the new one; players still in act again"
OWED_BLIND_AFTER_BETTING = (
    "the betting is over: the hand of seat {seat} is live; it posts what it owes on the next deal"
)
OWED_BLIND_AFTER_ACT = "seat {seat} has acted: its hand is live; it posts what it owes on the next deal"
OWED_BLIND_LOOKED = "seat {seat} looked at its hand before posting what it owes: the hand is dead"
OWED_BLIND_POSTED = "seat {seat} puts up the blinds that it owes before it looks"
TIME_EXTENDED = "seat {seat} takes {seconds} s more; {count} left"
TIME_OVER_CHECKED = "the time of seat {seat} is over: it has checked"
TIME_OVER_STILL_TO_ACT = "the time of seat {seat} is over, but it faces no bet: its hand lives, it is still to act"
TIME_OVER_STILL_TO_DRAW = "the time of seat {seat} is over, but it faces no bet: its hand lives, it is still to draw"
TIME_OVER_STILL_TO_DISCARD = (
    "the time of seat {seat} is over, but it faces no bet: its hand lives, it is still to discard"
)
TIME_OVER_STANDS_PAT = "the time of seat {seat} is over, and no bet is faced: it stands pat"
TIME_OVER_DEAD = "seat {seat} faced a bet and let its time pass: its hand is dead"
WAGER_STANDS = "the wager of seat {seat} stands"
WAGER_STANDS_ROUND_OVER = "the wager of seat {seat} stands: all have acted on it, the betting round is over"
WAGER_STANDS_STREET_OVER = "the wager of seat {seat} stands: the street is over"
WAGER_STANDS_ACTION = "the wager of seat {seat} stands: substantial action has followed it"
WAGER_PUT_RIGHT = "the wager of seat {seat} is put right to {amount}, for all who have matched it"
STRING_RAISE = "a string raise: the raise of seat {seat} is taken back, it has only called"

# The button, the stub, boxed cards.
BUTTON_THIS_HAND = "the last hand stands; this one begins with the button at seat {seat}"
BUTTON_MOVES_ON = "the hand stands, and the button moves on from where it stood"
BUTTON_NEXT_HAND = (
    "the hand stands; the next one begins with the button at seat {seat}, so that each has every position once"
)
BACK_ON_STUB = "the card is back on the stub: deal it again to where it belongs"
BACK_ON_STUB_UNUSED = "the card is back on the stub, unused: play on"
FLOOR_SAYS_HOW = "the floor decides how the deal goes on"
STUB_IN_ORDER = "the stub is put back in its order: the hand goes on"
STUB_NOT_NEEDED = "no card is to come any more: the hand goes on"
STUB_GATHERED = "gather the {left} cards of the stub: they are shuffled and cut with the next steps, as is due"
STUB_MIXED = "mixed with the {mixture}: scramble all of it, shuffle, cut, and deal on from it"
STUB_REBUILT = "play the hand to the end: gather the {left} cards of the stub, shuffle and cut them"
STUB_REBUILT_OUTSIDE = (
    "play the hand to the end: gather the {left} cards of the stub, shuffle and cut them; outside it lie {piles}"
)
BOXED_ASIDE_NEXT = "a boxed card is a scrap of paper: take it out of play, the next card takes its place"
BOXED_ASIDE_NONE = "a boxed card is a scrap of paper: take it out of play, no card comes for it"
BOXED_ASIDE_ANOTHER = "a boxed card is a scrap of paper: take it out of play, seat {seat} gets another card for it"
BOXED_MUCK_NEXT = "a boxed card does not exist: put it in the muck, the next card takes its place"
BOXED_MUCK_NONE = "a boxed card does not exist: put it in the muck, no card comes for it"
BOXED_MUCK_ANOTHER = "a boxed card does not exist: put it in the muck, seat {seat} gets another card for it"
BOXED_UNDER_NEXT = "a boxed card goes face down under the stub, the next card takes its place"
BOXED_UNDER_NONE = "a boxed card goes face down under the stub, no card comes for it"
BOXED_UNDER_ANOTHER = "a boxed card goes face down under the stub, seat {seat} gets another card for it"
BOXED_DECK_VOID = "{count} boxed cards make the deck defective: void, all money back"
BOXED_DECK_MISDEAL = "{count} boxed cards make the deck defective: misdeal, all money back"

# Draws and openers.
BETTING_WENT_ON = "the betting has gone on: the hand is played as it is"
USED_IN_SEQUENCE = "on the draw the card is used in sequence"
DRAWN_EXPOSED_IS_BURN = (
    "seat {seat} may not keep the card. When all have drawn, it gets the top card; the exposed card is the burn of "
    "the next draw"
)
DRAWN_EXPOSED_TO_MUCK = (
    "seat {seat} may not keep the card. When all have drawn, it gets the top card; the exposed card goes to the muck"
)
FILLS_ON_DRAW = "there was action: seat {seat} gets its missing cards when it draws"
FILLS_FROM_TOP = "seat {seat} gets its missing cards from the top of the stub"
STILL_GETS_CARD = "seat {seat} still gets {count} card: deal on"
STILL_GETS_CARDS = "seat {seat} still gets {count} cards: deal on"
DRAW_IS_ON = "the draw is on: seat {seat} gets its missing cards from the top of the stub"
NO_CARD_SINCE = "no card has left since: seat {seat} gets its missing cards from the top of the stub"
DRAWS_FEWER = "seat {seat} has looked and keeps what it got: it draws so many fewer"
YET_TO_DRAW = "seat {seat} has yet to draw: the draw is completed to each player in order"
BURN_BEFORE_REQUEST = "the burn was made before the request: it is the burn of the draw"
EARLY_BURN_OF_DRAW = "only the burn was made too early: it is the burn of the draw"
EARLY_DRAW_ASIDE = "cards that came before the betting was over ({count}) do not play and stay aside"
KEEPS_ASTRAY = "seat {at} has looked and keeps what it got; seat {owners} gets what comes next"
CANNOT_WIN = "seat {seat} opened without openers: its hand cannot win"
ANOTHER_OPENER_ASKED = (
    "seat {seat} has no openers: does seat {seats}, which has not passed, declare the pot open (`play-on`), or nobody"
    " (`void`)"
)
NO_OPENERS_NOTHING_BACK = "seat {seat} has no openers: its hand is dead and it may withdraw nothing; the pot plays"
NO_OPENERS_BET_LOST = "seat {seat} has no openers: its hand is dead and it loses its opening bet; the pot plays"
NOBODY_OPENS = (
    "seat {seat} has no openers, and nobody else opens: all bets go back but its first. Those who were in the hand "
    "ante again"
)
LOSES_ANTE = "seat {seat} loses its ante and gets no hand until the pot has been opened and won"
DECLARES_OPEN = "seat {seat} declares the pot open; the hand of seat {opener} is dead and its bet stays"
PASSED_OUT_ANTES = "nobody opens the pot: it stays, the button moves on and all ante again"
PASSED_OUT_NO_ANTES = "nobody opens the pot: it stays, the button moves on and nobody antes any more"
SEVEN_CHECKED = "seat {seat} checked a seven or better: the wagers after the draw are void and go back"
SEVEN_CALLED = "seat {seat} only called a short all-in bet with a seven or better: seat {seats} gets its call back"

# Exposed cards, wrong seats, stud.
NOTHING_EXPOSED = "the card lies where every player may see it or where nobody needs it: nothing to do"
EXPOSED_BY_PLAYER = "its own player exposed it: the card plays"
OFF_TABLE_PLAYS = "a card that fell off the table plays"
LOOKED_BEFORE_SAYING = "its player has looked before saying so: the card plays"
RANK_MUST_BE_TAKEN = "a card of this rank must be taken"
LAST_CARD_LACKS = "the hand of seat {seat} lacks its last card: it is dead, or may be ruled live"
PASSED_OVER = "seat {seat} was passed over: move the cards on to where they belong and deal on"
GETS_NO_HAND = "seat {seat} gets no hand: put its cards right and deal on"
MUST_ACCEPT_CARD = "seat {seat} has looked at the card and must accept it; the others get theirs in order"
TOP_CARD_WAS_MISSED = "the top card is the one that seat {seat} missed"
TOO_MANY_TO_STUB = "what seat {seat} got too many ({count}) goes back on the stub"
FOLDED_EARLY_CARDS = "a player whose card came too early has folded: the cards are used in sequence, move them on"
KEEPS_FACE_UP = "seat {seat} keeps the card face up; the card that was to come up is dealt face down"
KEEPS_FACE_DOWN = "seat {seat} already has its upcard: turn the exposed card face down, seat {seat} keeps it"
KEEPS_BOTH_FACE_UP = "seat {seat} keeps both cards face up; the third one is dealt face down"
BOTH_UP_DEAD = "both downcards of seat {seat} were dealt up: its hand is dead, its ante goes back"
SECOND_REPLACED = (
    "finish the deal; the top card, face down, replaces seat {seat}'s second face-up card, which becomes the next burn"
)
SECOND_REPLACED_TO_MUCK = (
    "finish the deal; the top card, face down, replaces seat {seat}'s second face-up card, which goes to the muck"
)
LAST_UP_ALL_IN = "seat {seat} is all-in and keeps the card; all others get theirs as usual"
LAST_UP_ALL_IN_OPENER = (
    "seat {seat} is all-in and keeps the card; all others get theirs as usual; the player who acted first on {street} "
    "street acts first again"
)
LAST_UP_REPLACED = "betting remains: seat {seat} gets another last card, face down; the exposed card goes to the muck"
LAST_UP_REPLACED_AS_BURN = (
    "betting remains: seat {seat} gets another last card, face down; the exposed card becomes the next burn"
)
LAST_UP_OPTION = "seat {seat} keeps the card and may be treated as all-in, if it says so before the betting starts"
LAST_UP_OPTION_OPENER = (
    "seat {seat} keeps the card and may be treated as all-in, if it says so before the betting starts. The player who "
    "acted first on {street} street acts first again"
)
LAST_UP_OPTION_LATE = "seat {seat} keeps the card and may be treated as all-in, if it says so before {count} act"
LAST_UP_OPTION_LATE_OPENER = (
    "seat {seat} keeps the card and may be treated as all-in, if it says so before {count} act. The player who acted "
    "first on {street} street acts first again"
)
LAST_UP_OTHERS_DOWN = "seat {seat} keeps the card; all others get theirs face down"
LAST_UP_OTHERS_DOWN_OPENER = (
    "seat {seat} keeps the card; all others get theirs face down; the player who acted first on {street} street acts "
    "first again"
)
LAST_UP_OTHERS_UP = "seat {seat} keeps the card; all others get theirs face up"
LAST_UP_OTHERS_UP_OPENER = (
    "seat {seat} keeps the card; all others get theirs face up; the player who acted first on {street} street acts "
    "first again"
)
LAST_UP_PLAYS_ON = "the betting has begun: seat {seat} keeps the card and plays on"
LAST_UP_TREATED_ALL_IN = "the betting has begun: seat {seat} is treated as all-in for what it has put in"
PLAYS_FOR_PUT_IN = "seat {seat} plays for what it has put in and takes no part in the betting"

# The course of play: what a tournament, the house and the seats bring.
ALL_IN_HELD = "hand for hand: all-in and called; hands stay face down and no card comes until the floor says so"
STUB_HAS_RUN_OUT = "the stub has run out: the cards that nobody holds are shuffled in to deal on"
BOMB_POT = "a bomb pot for an ante each: the betting begins on the flop, and the button stays where it is"
BOMB_POT_FOR = "a bomb pot for {amount} each: the betting begins on the flop, and the button stays where it is"
UNPAID_ONE_HAND = "seat {seat} does not pay the time charge: it plays this one hand"
UNPAID_UNTIL_BLIND = "seat {seat} does not pay the time charge: it plays until the big blind reaches it"
UNPAID_DEALT_OUT = "seat {seat} does not pay the time charge: it is dealt out until it pays"
PAYS_PART = "seat {seat} pays {amount} of the time charge of {fee}: it has no more"
PAYS_NOTHING = "seat {seat} pays nothing of the time charge of {fee}: it has no more"
IS_ALONE = "seat {seat} is alone: it is awarded what was posted, and no card is dealt"
GAME_BUTTON_BEGINS = "the game is {game} now: the button begins where it was frozen"
GAME_BUTTON_FROZEN = "the game is {game} now: the button is frozen where the next hand would have had it"
GAME_BUTTON_MOVES = "the game is {game} now: the button moves on with every hand"
PLAYS_BEHIND = "{player} plays {chips} behind and must buy them"
HAND_FOR_HAND = "hand for hand: finish this hand, then wait for the floor"
HAND_FOR_HAND_OVER = "hand for hand is over"
LAST_HANDS_UNCOUNTED = "as many hands as there is time for today; nobody enters late meanwhile"
LAST_HAND = "1 hand more today; nobody enters late meanwhile"
LAST_HANDS = "{count} hands more today; nobody enters late meanwhile"
HALTS = "play halts when this hand is over, until tables are balanced"
HALT_OVER = "play goes on"
COLOUR_OUT = "coloured up in this break: {coloured}"
COLOURS_ALL = "all {chips}s"
COLOURS_MOST = "most {chips}s"
COLOURS_HALF = "half {chips}s"
COLOURS_SOME = "some {chips}s"
COLOURS_AS_MANY = "as many {chips}s as possible"
COLOURS_ALL_NAMED = "all chips that the director names"
COLOURS_MOST_NAMED = "most chips that the director names"
COLOURS_HALF_NAMED = "half of the chips that the director names"
COLOURS_SOME_NAMED = "some chips that the director names"
COLOURS_AS_MANY_NAMED = "as many as possible of the chips that the director names"
COLOURED_UP = "{old}s are changed into {new}s: every stack stays"
COLOURED_UP_STACKS = "{old}s are changed into {new}s: {stacks}"
STRADDLE_YIELDS = "Seat {seat} takes its straddle back: seat {button}, the button, has precedence and straddles"
PENALTY_HAND_GOES_ALONG = "{player} still sits out 1 hand at the next table: enter it there (`penalty` with `hands`)"
PENALTY_GOES_ALONG = (
    "{player} still sits out {count} hands at the next table: enter them there (`penalty` with `hands`)"
)
MOVED_FROM_BLIND = "{player} moved away from the big blind and waits {count} hands"
MOVED_FROM_BLIND_ONE_HAND = "{player} moved away from the big blind and waits 1 hand"
SHORT_BUY_IN_ONCE = "{player} buys in for less than {least}: allowed once"
SHORT_BUY_IN_UNOBJECTED = "{player} buys in for less than {least}: allowed if no player objects"
TAKES_BLIND_NOW = "seat {seat} left the blind to seat {other} and takes it now"
BLIND_PASSED_ON = "seat {seat} has less than half a blind: it gets a hand, and seat {other} takes the blind"
DEALT_SEVERAL_TIMES = "run it {count} times: each board plays for an equal share of every pot"
HAS_RIGHT_TO_SEE = "seat {asked} has called seat {seat} and has a right to see its hand"


def join_sentences(*sentences: str) -> str:
    """Several sentences as one text without its full stop; empty ones fall away."""
    return ". ".join(filter(None, sentences))

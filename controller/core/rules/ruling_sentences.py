"""What rulings say to the dealer: whole sentences with places to fill, without their full stop.

Who it is, what happens to which cards and chips, what is dealt next, in this order, in the words of a dealer; a ruling
puts one or more together (`join_sentences`) and its clause after them. They stand here, so that a page can know a
sentence again and say it in another language (`controller.web.wording.ruling_translation`): a place is a number, a list
of numbers, or one word of the table script.
"""

ALL_BACK = "All cards and bets back, shuffle, cut, same button"
ALL_BACK_WITHOUT_BUTTON = "All cards and bets back, shuffle, cut, deal again"
ALL_BACK_OTHER_BUTTON = "All cards and bets back, shuffle, cut, deal again from there"

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
DEALT_OUT = "Seat {seat} was dealt out: misdeal"
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
BURN_MORE_ON_STREET = "On {street} street burn {burns} cards, then deal it: its cards are those that would have come"
BURN_MORE_ON_DRAW = (
    "On the next draw burn {burns} cards before the first new card: its cards are those that would have come"
)
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
LATER_CARDS = (
    "Whether this can be put right or not: the cards to come are to be those that would have come without the error"
)
BURN_BACK = "Put the last burn back on top of the stub: it is the burn of the {street}"

CARD_WITH_FLOP = "The flop is dealt again: this card goes back with it"
CARDS_TO_MUCK = "The pot is decided: the cards too many go to the muck"
LATE_CARDS_TO_MUCK = "The pot is decided: the cards that come now go to the muck"
NEXT_CARD_IS_BURN = "The first card is the {street}; the other goes to the burns, as the next burn"
NEXT_CARD_IS_MUCKED = "The first card is the {street}; the other goes to the muck, no burn is due any more"
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
EARLY_CARD_STANDS = "The {street} stands and is used in its turn; nobody may wager more on this round than has been"
EARLY_CARD_ASIDE = "Set the card aside and finish the betting; then burn one, turn one for the {street}"
EARLY_CARD_BACK = "Finish the betting; then the {street} goes to the stub: shuffle, cut, turn {turn} WITHOUT a burn"
EARLY_CARD_BACK_AND_BURN = "Finish the betting; then the {street} goes to the stub: shuffle, cut, burn one, turn {turn}"
EARLY_NEXT_BURN = "Only the burn came too early: it stays, and is the next burn"
EARLY_CARDS_STAND = "The cards stand and are used in their turn; nobody may wager more on this round than has been"
EARLY_CARDS_ASIDE = "The cards are out of play: finish the betting, then take out one more for each player who got none"
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
SKIPPED = "Substantial action has passed seat {seat}: it binds, and the floor rules on the skipped hand"

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
PENALTY_HAND = "Seat {seat} misses this hand as a penalty: its hand is dead, what it posted stays"
PENALTY_OF_A_HAND = "Seat {seat} misses 1 hand"
PENALTY_OF_HANDS = "Seat {seat} misses {count} hands"
PENALTY_OVER = "The penalty of seat {seat} is over"

LEAVER_GETS_BACK = "The player who has left seat {seat} gets {amount} back out of the pot and takes them along"
NAMED_LEAVER_GETS_BACK = (
    "The player ({player}) who has left seat {seat} gets {amount} back out of the pot and takes them along"
)
LEAVER_OWES = (
    "The player who has left seat {seat} has taken along {amount} that the void hand had brought: the floor gets them "
    "back"
)
NAMED_LEAVER_OWES = (
    "The player ({player}) who has left seat {seat} has taken along {amount} that the void hand had brought: the floor "
    "gets them back"
)
SECOND_KILLER_WAITS = "Seat {seat} waits for the next deal: the pot is killed already, and only once a deal"
MOVED_IN_WAITS = "Seat {seat} sits on the small blind or the button: it waits until the button has passed"
BEHIND_BLIND_WAITS = "Seat {seat} sits between the big blind and the button: it waits until the button has passed"
BEHIND_BUTTON_WAITS = "Seat {seat} sits between the button and the small blind: it waits for the next hand"
BUYS_BUTTON = "Seat {seat} buys the button: it alone posts, both blinds, and has the button on the next hand"
BUYS_BUTTON_FOR_ALL = "Seat {seat} buys the button: it alone posts, all the blinds, and has the button on the next hand"
SEVERAL_BIG_BLINDS = "Seats {seats} are all due for the big blind and post one"
BIG_BLIND_DUE = "The big blind is due at seat {seat}"
BUTTON_DEAD = "The button is dead, before seat {seat}"
SMALL_BLIND_UNDUE = "Nobody is due for the small blind, which was to be posted at seat {seat}"
MIDDLE_BLIND_UNDUE = "Nobody is due for the blind of {amount}, which was to be posted at seat {seat}"

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


def join_sentences(*sentences: str) -> str:
    """Several sentences as one text without its full stop; empty ones fall away."""
    return ". ".join(filter(None, sentences))

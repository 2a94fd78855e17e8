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
LATER_CARDS = (
    "Whether this can be put right or not: the cards to come are to be those that would have come without the error"
)
BURN_BACK = "Put the last burn back on top of the stub: it is the burn of the {street}"

CARD_WITH_FLOP = "The flop is dealt again: this card goes back with it"
CARDS_TO_MUCK = "The pot is decided: the cards too many go to the muck"
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


def join_sentences(*sentences: str) -> str:
    """Several sentences as one text without its full stop; empty ones fall away."""
    return ". ".join(filter(None, sentences))

"""The river jackpot of a season: cards are sold at each event, and the river card of its last hand wins [FC-11]."""

from collections.abc import Mapping, Sequence

from controller.core.tournament.payouts import CENTS_PER_UNIT
from controller.core.values.cards import build_deck
from controller.core.values.plurals import pluralize
from controller.core.values.value import Value

CARDS_SOLD = 40
"""So many cards are sold at an event; at the last one of the season the whole deck."""

MAX_FIRST_CARDS = 2
"""So many a player may buy before everybody has had the chance; the others are sold one at a time."""


RIVER_NUMBER = 5
"""The river is this card of the board."""


def find_river_card(board: Sequence[str]) -> str:
    """The river card of a board; "" where the hand ended before it."""
    return board[RIVER_NUMBER - 1] if len(board) >= RIVER_NUMBER else ""


class CardSale(Value):
    """The cards of a jackpot: whose each is, and what one costs, in whole units.

    `brought_cents`: what rolled over from the events before. `is_last`: no event of the season comes after this one
    but those that play for the Championship's pool.
    """

    buyer_by_card: Mapping[str, str]
    price: int
    brought_cents: int = 0
    is_last: bool = False

    @property
    def jackpot_cents(self) -> int:
        """All that is in it."""
        return self.brought_cents + self.price * len(self.buyer_by_card) * CENTS_PER_UNIT


class JackpotResult(Value):
    """What became of a jackpot, in cents: a player has it, or it rolls over, or it goes to the Championship."""

    winner: str = ""
    paid_cents: int = 0
    rolled_cents: int = 0
    championship_cents: int = 0


def count_cards_for_sale(is_last: bool) -> int:
    """Forty at an event, all of the deck at the last one of the season [FC-11.side.jackpot]."""
    return len(build_deck()) if is_last else CARDS_SOLD


def sell_cards(wanted: Sequence[tuple[str, int]], lot: Sequence[str], is_last: bool) -> dict[str, str]:
    """Whose card is which: players in the order in which they came, with the number that each wants, by a drawn deck.

    Everybody has up to two first; what is left is sold one at a time in the same order [FC-11.side.jackpot].

    Raises `ValueError`.
    """
    if len({player for player, _ in wanted}) != len(wanted) or any(count < 1 for _, count in wanted):
        raise ValueError("each player buys once, and a card at least; how many in all is said there.")
    if sorted(lot) != sorted(build_deck()):
        raise ValueError("the cards are drawn from a whole deck of 52, each once.")
    order = [player for player, count in wanted for _ in range(min(count, MAX_FIRST_CARDS))]
    more = {player: count - MAX_FIRST_CARDS for player, count in wanted}
    while any(left > 0 for left in more.values()):
        order += [player for player, left in more.items() if left > 0]
        more = {player: left - 1 for player, left in more.items()}
    for_sale = lot[: count_cards_for_sale(is_last)]
    return dict(zip(for_sale, order, strict=False))


def parse_sale(line: Mapping[str, object], entrants: Sequence[str], brought_cents: int, price: int) -> CardSale:
    """The sale that a line says: `sold`, card -> player, and `last`; raises `ValueError`."""
    sold, is_last = line.get("sold"), line.get("last", False)
    if not isinstance(sold, Mapping) or not isinstance(is_last, bool) or price < 1:
        raise ValueError("`jackpot` has `sold`, an object of cards and players, a `price` above 0 and may have `last`.")
    wrong = [card for card in sold if card not in build_deck()]
    if wrong:
        raise ValueError(f"{wrong[0]!r} is no card: rank and suit, as Ks or Td.")
    strangers = [player for player in sold.values() if player not in entrants]
    if strangers:
        raise ValueError(f"{strangers[0]} has not entered: players buy cards.")
    most = count_cards_for_sale(is_last)
    if len(sold) > most:
        raise ValueError(f"{pluralize(len(sold), 'card')} are sold; at most {most} are (FC-11.side.jackpot).")
    return CardSale({str(card): str(player) for card, player in sold.items()}, price, brought_cents, is_last)


def settle_jackpot(sale: CardSale, river: str) -> JackpotResult:
    """What becomes of a jackpot by the river card of the event's last hand; "": that hand had none.

    Whoever has that card wins it. A card that nobody has, and a hand without one, roll it over; after the last event
    it goes to the Championship's pool [FC-11.side.jackpot].
    """
    winner = sale.buyer_by_card.get(river, "")
    if winner:
        return JackpotResult(winner, paid_cents=sale.jackpot_cents)
    if sale.is_last:
        return JackpotResult(championship_cents=sale.jackpot_cents)
    return JackpotResult(rolled_cents=sale.jackpot_cents)

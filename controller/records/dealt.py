"""The order in which the cards of each deal left the shoe, and how they lay when it was over: for the auditor alone.

The table forgets at the end of a hand what nobody has shown, so this is gathered while a journal is played again with
the auditor's key (`docs/journal.md`).
"""

from controller.core.model.outcome import Outcome
from controller.core.values.cards import deck
from controller.core.values.piles import ASIDE, BOARD, BURN, MUCK, seat_of
from controller.records.shuffles import Deal

_ORDER = {MUCK: 0, BOARD: 2, BURN: 3, ASIDE: 4}


class DealReader:
    """Takes how the table stands after each event, and hands back every deal that is over."""

    def __init__(self) -> None:
        self._about: tuple[int, int, str, str, int] | None = None
        self._cards: dict[int, str] = {}
        """What was read of the deck's cards as they left the shoe, by their serial."""
        self._lay: tuple[int, ...] = ()

    def take(self, outcome: Outcome, session: int, dealer: str, in_play: str) -> Deal | None:
        """Take a standing of the table; return the deal that was over before it, if one was.

        `dealer` and `in_play`: who deals and from which deck, as far as the journal tells.
        """
        hand = outcome.state.hand
        if hand is None:
            return self.end()
        piles, number = hand.cards.piles, outcome.state.number
        over = None
        another = self._about is None or self._about[:2] != (session, number)
        if another or (not piles.left and len(self._cards) > 1):  # the second: dealt anew in the same hand
            over = self.end()
            setup = hand.setup
            self._about = (session, number, dealer, in_play, len(deck(setup.deck, setup.joker)))
        self._cards = {serial: card for serial, card in self._cards.items() if serial <= piles.left}
        lying = [one for _, pile in sorted(piles.out.items(), key=lambda item: _place(item[0])) for one in pile]
        for one in lying:
            if one.card is not None and not one.strange:
                self._cards[one.serial] = one.card
        self._lay = tuple(one.serial for one in lying)
        return over

    def end(self) -> Deal | None:
        """Return the deal that is on as it stands, if any card of it is known, and begin anew."""
        about, cards, lay = self._about, self._cards, self._lay
        self._about, self._cards, self._lay = None, {}, ()
        order: list[str] = []
        for serial in range(1, len(cards) + 1):
            card = cards.get(serial)
            if card is None or card in order:  # not read, none of the deck's, or it had gone back into the stub
                break
            order.append(card)
        if about is None or not order:
            return None
        gathered = dict.fromkeys(card for serial in lay if (card := cards.get(serial)) is not None)
        return Deal(*about, tuple(order), tuple(gathered))


def _place(name: str) -> tuple[int, int]:
    """Muck, hands by seat, board, burns, and what was set aside."""
    seat = seat_of(name)
    return (1, seat) if seat is not None else (_ORDER.get(name, 5), 0)

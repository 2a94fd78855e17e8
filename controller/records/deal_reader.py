"""The order in which the cards of each deal left the shoe, and how they lay when it was over: for the auditor alone.

The table forgets at the end of a hand what nobody has shown, so this is gathered while a journal is played again with
the auditor's key (`docs/journal.md`).
"""

from controller.core.model.outcome import Outcome
from controller.core.values.cards import build_deck
from controller.core.values.piles import ASIDE, BOARD, BURN, MUCK, seat_of_place
from controller.records.shuffle_watch import Deal

_GATHERING_ORDER_BY_PLACE = {MUCK: 0, BOARD: 2, BURN: 3, ASIDE: 4}


class DealReader:
    """Takes how the table stands after each event, and hands back every deal that is over."""

    def __init__(self) -> None:
        self._deal_facts: tuple[int, int, str, str, int] | None = None
        self._card_by_serial: dict[int, str] = {}
        """What was read of the deck's cards as they left the shoe, by their serial."""
        self._lying_serials: tuple[int, ...] = ()

    def receive_outcome(self, outcome: Outcome, session: int, dealer: str, in_play: str) -> Deal | None:
        """Take a standing of the table; return the deal that was over before it, if one was.

        `dealer` and `in_play`: who deals and from which deck, as far as the journal tells.
        """
        hand = outcome.state.hand
        if hand is None:
            return self.finish_deal()
        piles, number = hand.cards.piles, outcome.state.hand_count
        over = None
        another = self._deal_facts is None or self._deal_facts[:2] != (session, number)
        if another or (
            not piles.dealt_count and len(self._card_by_serial) > 1
        ):  # the second: dealt anew in the same hand
            over = self.finish_deal()
            setup = hand.setup
            self._deal_facts = (session, number, dealer, in_play, len(build_deck(setup.deck_size, setup.has_joker)))
        self._card_by_serial = {
            serial: card for serial, card in self._card_by_serial.items() if serial <= piles.dealt_count
        }
        lying = [
            one
            for _, pile in sorted(piles.cards_by_place.items(), key=lambda item: _make_sort_key(item[0]))
            for one in pile
        ]
        for one in lying:
            if one.card is not None and not one.is_foreign:
                self._card_by_serial[one.serial] = one.card
        self._lying_serials = tuple(one.serial for one in lying)
        return over

    def finish_deal(self) -> Deal | None:
        """Return the deal that is on as it stands, if any card of it is known, and begin anew."""
        about, cards, lay = self._deal_facts, self._card_by_serial, self._lying_serials
        self._deal_facts, self._card_by_serial, self._lying_serials = None, {}, ()
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


def _make_sort_key(name: str) -> tuple[int, int]:
    """Muck, hands by seat, board, burns, and what was set aside."""
    seat = seat_of_place(name)
    return (1, seat) if seat is not None else (_GATHERING_ORDER_BY_PLACE.get(name, 5), 0)

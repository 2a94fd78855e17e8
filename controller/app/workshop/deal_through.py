"""Dealing a registered deck through the reader, sorted: whether each tag is in the card that it is registered for."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

from controller.app.workshop.register_deck import HASTE_SECONDS, Taken, card_name
from controller.runtime.devices.decks import JOKER, STANDARD, Deck, Decks
from controller.runtime.state_directory import TABLE_FILE


class DealThrough:
    """A deck on its way past the reader, in the order in which it was registered: each card is asked for by name."""

    def __init__(self, deck: Deck) -> None:
        self.name = deck.name
        self._deck = deck
        jokers = sum(card == JOKER for card in deck.cards.values())
        self.cards: tuple[str, ...] = STANDARD + (JOKER,) * jokers
        self._read: list[str | None] = []
        self._last_tag = ""
        self._last_at = float("-inf")

    @property
    def due(self) -> str | None:
        """The card that is asked for; `None` when all were dealt."""
        return self.cards[len(self._read)] if len(self._read) < len(self.cards) else None

    @property
    def taken(self) -> int:
        """How many cards were dealt."""
        return len(self._read)

    def take(self, tag: str, now: float) -> Taken:
        """Take the tag of the card that is due; `now` is monotonic seconds."""
        due = self.due
        if due is None or tag == self._last_tag:
            self._last_at = now
            return Taken(False)
        if now - self._last_at < HASTE_SECONDS:
            return Taken(False, "two cards lie on the reader: one at a time")
        self._last_tag, self._last_at = tag, now
        read = self._deck.cards.get(tag)
        self._read.append(read)
        if read == due:
            return Taken(True, f"{len(self._read)} of {len(self.cards)}: {card_name(due)}")
        says = "is a tag of no card of this deck" if read is None else f"says {card_name(read)}"
        return Taken(True, f"asked for was the {card_name(due)}, and the tag {says}")

    def found(self) -> list[str]:
        """Say what is wrong with the cards dealt so far, a sentence a trouble; nothing where all is right."""
        wrong = {card: read for card, read in zip(self.cards, self._read, strict=False) if card != read}
        told, said = set[str](), []
        for card, read in wrong.items():
            if card in told:
                continue
            if read is None:
                said.append(f"the {card_name(card)} has a tag that is no card's: {_anew(self.name, card)}")
            elif wrong.get(read) == card:
                told.add(read)
                said.append(
                    f"the {card_name(card)} and the {card_name(read)} are swapped: register the deck anew, or both: "
                    f"{_anew(self.name, card)}, {_anew(self.name, read)}"
                )
            else:
                said.append(f"the {card_name(card)} has the tag of the {card_name(read)}")
        return said


def faces(directory: Path, names: Sequence[str] = ()) -> Mapping[str, str]:
    """Tag -> which card of which deck it is, of every registered deck (or of `names`). Raises `DatabaseError`."""
    path = directory / TABLE_FILE
    if not path.exists():
        return {}
    with closing(Decks(path, create=False)) as decks:
        return {
            tag: f"{card_name(card)} ({name})"
            for name in names or decks.names()
            for tag, card in decks.get(name).cards.items()
        }


def _anew(deck: str, card: str) -> str:
    return f"tablectl deck register {deck} --card {card}"

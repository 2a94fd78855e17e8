"""Dealing a registered deck through the reader, sorted: whether each tag is in the card that it is registered for."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

from controller.app.workshop.deck_registration import MIN_CARD_INTERVAL_S, TagResult, format_card_name
from controller.runtime.devices.deck_store import JOKER, STANDARD_DECK, Deck, DeckStore
from controller.runtime.storage.state_directory import TABLE_DATABASE_FILE


class DeckVerification:
    """A deck on its way past the reader, in the order in which it was registered: each card is asked for by name."""

    def __init__(self, deck: Deck) -> None:
        self.deck_name = deck.name
        self._deck = deck
        jokers = sum(card == JOKER for card in deck.card_by_tag.values())
        self.cards: tuple[str, ...] = STANDARD_DECK + (JOKER,) * jokers
        self._read_cards: list[str | None] = []
        self._last_tag = ""
        self._last_read_at = float("-inf")

    @property
    def expected_card(self) -> str | None:
        """The card that is asked for; `None` when all were dealt."""
        return self.cards[len(self._read_cards)] if len(self._read_cards) < len(self.cards) else None

    @property
    def taken_count(self) -> int:
        """How many cards were dealt."""
        return len(self._read_cards)

    def take(self, tag: str, now: float) -> TagResult:
        """Take the tag of the card that is due; `now` is monotonic seconds."""
        due = self.expected_card
        if due is None or tag == self._last_tag:
            self._last_read_at = now
            return TagResult(False)
        if now - self._last_read_at < MIN_CARD_INTERVAL_S:
            return TagResult(False, "two cards lie on the reader: one at a time")
        self._last_tag, self._last_read_at = tag, now
        read = self._deck.card_by_tag.get(tag)
        self._read_cards.append(read)
        if read == due:
            return TagResult(True, f"{len(self._read_cards)} of {len(self.cards)}: {format_card_name(due)}")
        says = "is a tag of no card of this deck" if read is None else f"says {format_card_name(read)}"
        return TagResult(True, f"asked for was the {format_card_name(due)}, and the tag {says}")

    def find_mistakes(self) -> list[str]:
        """Say what is wrong with the cards dealt so far, a sentence a trouble; nothing where all is right."""
        wrong = {card: read for card, read in zip(self.cards, self._read_cards, strict=False) if card != read}
        told, said = set[str](), []
        for card, read in wrong.items():
            if card in told:
                continue
            if read is None:
                said.append(
                    f"the {format_card_name(card)} has a tag that is no card's: "
                    f"{_format_register_command(self.deck_name, card)}"
                )
            elif wrong.get(read) == card:
                told.add(read)
                said.append(
                    f"the {format_card_name(card)} and the {format_card_name(read)} are swapped: register the deck "
                    f"anew, or both: "
                    f"{_format_register_command(self.deck_name, card)}, "
                    f"{_format_register_command(self.deck_name, read)}"
                )
            else:
                said.append(f"the {format_card_name(card)} has the tag of the {format_card_name(read)}")
        return said


def load_card_text_by_tag(directory: Path, names: Sequence[str] = ()) -> Mapping[str, str]:
    """Tag -> which card of which deck it is, of every registered deck (or of `names`). Raises `DatabaseError`."""
    path = directory / TABLE_DATABASE_FILE
    if not path.exists():
        return {}
    with closing(DeckStore(path, create=False)) as decks:
        return {
            tag: f"{format_card_name(card)} ({name})"
            for name in names or decks.list_names()
            for tag, card in decks.get(name).card_by_tag.items()
        }


def _format_register_command(deck: str, card: str) -> str:
    return f"tablectl deck register {deck} --card {card}"

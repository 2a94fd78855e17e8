"""The registered decks of a table, and which of them is dealt from: the last one, until another is chosen."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controller.runtime.devices.decks import Deck, DeckError, Decks
from controller.runtime.journal.whole_file import write_whole
from controller.runtime.state_directory import DECK_FILE, TABLE_FILE


@dataclass(frozen=True, slots=True)
class DeckBox:
    """What the page wants of the decks of the state directory `directory`.

    `in_play` says which is dealt from, by name, and `rests` whether no hand is on; `deal_from` puts a deck in play, by
    whose word.
    """

    directory: Path
    in_play: Callable[[], str]
    rests: Callable[[], bool]
    deal_from: Callable[[Deck, str], None]

    def standing(self) -> dict[str, Any]:
        """Return the name of the deck `in_play`, and all `decks` by name."""
        return {"in_play": self.in_play(), "decks": [deck.name for deck in registered_decks(self.directory)]}

    def choose(self, name: str, by: str) -> str | None:
        """Put a deck in play, between hands; return why not, if not."""
        if not self.rests():
            return "A hand is on: decks are changed between hands."
        decks = Decks(self.directory / TABLE_FILE)
        try:
            self.deal_from(decks.get(name), by)
        except DeckError as why:
            return f"{str(why)[:1].upper()}{str(why)[1:]}."
        finally:
            decks.close()
        return None


def registered_decks(directory: Path) -> tuple[Deck, ...]:
    """Look up every registered deck, from any thread."""
    decks = Decks(directory / TABLE_FILE)
    try:
        return tuple(decks.get(name) for name in decks.names())
    finally:
        decks.close()


def left_in_play(directory: Path, decks: Decks, first: str) -> str:
    """Say which deck was in play when the program ended; `first`, that of the table's file, where none is known."""
    try:
        left = (directory / DECK_FILE).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return first
    return left if left in decks.names() else first


def keep_in_play(directory: Path, deck: Deck) -> None:
    """Write down which deck is in play; raises `OSError`."""
    write_whole(directory / DECK_FILE, f"{deck.name}\n".encode())

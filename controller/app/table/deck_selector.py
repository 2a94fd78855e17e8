"""The registered decks of a table, and which of them is dealt from: the last one, until another is chosen."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controller.app.workshop.deck_recovery import open_decks
from controller.runtime.devices.deck_store import Deck, DeckError, DeckStore
from controller.runtime.journal.journal_reader import JournalReader
from controller.runtime.journal.recovery.known_deck import read_decks_in_play
from controller.runtime.storage.atomic_file import write_atomically
from controller.runtime.storage.sqlite_database import DatabaseError
from controller.runtime.storage.state_directory import DECK_IN_PLAY_FILE, JOURNAL_FILE


@dataclass(frozen=True, slots=True)
class DeckSelector:
    """What the page wants of the decks of the state directory `directory`.

    `find_deck_in_play` says which is dealt from, by name, and `is_between_hands` whether no hand is on; `deal_from`
    puts a deck in play, by whose word.
    """

    directory: Path
    find_deck_in_play: Callable[[], str]
    is_between_hands: Callable[[], bool]
    deal_from: Callable[[Deck, str], None]

    def describe(self) -> dict[str, Any]:
        """Return the name of the deck `find_deck_in_play`, and all `decks` by name."""
        return {
            "in_play": self.find_deck_in_play(),
            "decks": [deck.name for deck in load_registered_decks(self.directory)],
        }

    def choose(self, name: str, by: str) -> str | None:
        """Put a deck in play, between hands; return why not, if not."""
        if not self.is_between_hands():
            return "A hand is on: decks are changed between hands."
        try:
            decks = open_decks(self.directory)
        except DatabaseError as why:
            return f"{why}."
        try:
            self.deal_from(decks.get(name), by)
        except DeckError as why:
            return f"{str(why)[:1].upper()}{str(why)[1:]}."
        finally:
            decks.close()
        return None


def load_registered_decks(directory: Path) -> tuple[Deck, ...]:
    """Look up every registered deck, from any thread of the process that runs the table. Raises `DatabaseError`."""
    decks = open_decks(directory)
    try:
        return tuple(decks.get(name) for name in decks.list_names())
    finally:
        decks.close()


def load_deck_in_play(directory: Path, decks: DeckStore, first: str) -> str:
    """Say which deck was in play when the program ended; `first`, that of the table's file, where none is known.

    The journal has every change; the file beside it what was in play before the journal that is here. Raises
    `DatabaseError`.
    """
    if (directory / JOURNAL_FILE).is_file():
        with closing(JournalReader.open(directory / JOURNAL_FILE)) as journal:
            for name in read_decks_in_play(journal):
                if name in decks.list_names():
                    return name
    try:
        left = (directory / DECK_IN_PLAY_FILE).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return first
    return left if left in decks.list_names() else first


def save_deck_in_play(directory: Path, deck: Deck) -> None:
    """Write down which deck is in play; raises `OSError`."""
    write_atomically(directory / DECK_IN_PLAY_FILE, f"{deck.name}\n".encode())

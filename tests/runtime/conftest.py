"""A registered deck, a table that stands, and journals in a directory of the test's own."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

import pytest

from controller.runtime.devices.deck_store import STANDARD_DECK, Deck
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.journal_reader import JournalReader
from controller.runtime.journal.proof.chain import JournalRecord

TABLE: Mapping[str, object] = {
    "ev": "table",
    "rulebook": "roberts-7",
    "game": "holdem",
    "betting": {"structure": "no-limit", "small_blind": 1, "big_blind": 2},
    "places": 6,
    "button": 1,
    "seats": [{"seat": seat, "player": f"player {seat}", "stack": 200} for seat in (1, 2, 4)],
    "sensors": ["identity"],
}
"""Three players with a gap between them."""


def tag_of(card: str) -> str:
    """The tag of a card of the test deck."""
    return f"4B{STANDARD_DECK.index(card):08X}"


def begin_journal(directory: Path, mode: str = "live") -> Journal:
    """A journal in its first run and session."""
    journal = Journal(directory / "journal.sqlite")
    journal.begin_run("boot", "1.0")
    journal.begin_session({"mode": mode, "table": "{}"})
    return journal


def read_all_records(directory: Path, *, linked: bool = False) -> list[JournalRecord]:
    """What lies in a directory, as another program reads it."""
    with closing(JournalReader.open(directory / "journal.sqlite")) as archive:
        return list(archive.read_records(linked=linked))


@pytest.fixture
def deck() -> Deck:
    return Deck("red", {tag_of(card): card for card in STANDARD_DECK})


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    opened = Journal(tmp_path / "journal.sqlite")
    yield opened
    opened.close()

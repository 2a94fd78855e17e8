"""Registered decks: which tag is which card.

Every card of a deck has one tag in it (or one printed code on it), and a tag belongs to one deck only. A card that
was lost or worn out is registered anew; its old tag stays on record as withdrawn, with the time, so that an old hand
can still be read and a withdrawn card that finds its way back is known for what it is.
"""

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import Enum, unique
from pathlib import Path

from controller.runtime.storage.revision_counter import ensure_revision
from controller.runtime.storage.row_digest import change_rows, ensure_row_digest, has_damaged_rows, read_at_once
from controller.runtime.storage.sqlite_database import DamagedDatabaseError, open_database, translate_read_errors
from controller.wall_clock import read_wall_clock

APPLICATION_ID = 0x7443_5431
"""Marks the file as a table's own database ("tCT1")."""

RANKS = "A23456789TJQK"
SUITS = "shdc"
STANDARD_DECK = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The 52 cards, in the order in which a deck is registered: ace to king of spades, hearts, diamonds, clubs."""
JOKER = "joker"

_SCHEMA = (
    """
    CREATE TABLE deck (
        name TEXT PRIMARY KEY,
        marks TEXT NOT NULL CHECK (marks IN ('tagged', 'printed')),
        registered TEXT NOT NULL
    ) STRICT;
    CREATE TABLE card_tag (
        id INTEGER PRIMARY KEY,
        deck TEXT NOT NULL REFERENCES deck ON DELETE CASCADE,
        tag TEXT NOT NULL,
        card TEXT NOT NULL,
        registered TEXT NOT NULL,
        withdrawn TEXT
    ) STRICT;
    CREATE INDEX card_tag_by_tag ON card_tag (tag);
    CREATE UNIQUE INDEX one_live_tag ON card_tag (deck, tag) WHERE withdrawn IS NULL;
    """,
)

DECK_TABLES = ("deck", "card_tag")
"""Whose rows a digest tells (`row_digest`)."""

MAX_NAME_LENGTH = 40

RESTORE_REMEDY = (
    "start the table, which puts it aside and restores the decks from the journal, or put the last copy in its place"
)
"""What is done about a damaged file: `controller.app.workshop.deck_recovery`."""


class DeckError(Exception):
    """A deck or a card that cannot be registered; the message names it and says what would be right."""


@unique
class CardMarking(Enum):
    """How the cards of a deck are told apart by a reader."""

    TAGGED = "tagged"
    """A tag in each card, unique in the world: the same tag is the same piece of plastic."""
    PRINTED = "printed"
    """A code printed on each card: two cards of one face bear the same code."""


@dataclass(frozen=True, slots=True)
class Deck:
    """A registered deck; `retired_card_by_tag` maps the tags of replaced cards to the card that they once were."""

    name: str
    card_by_tag: Mapping[str, str] = field(repr=False)
    marking: CardMarking = CardMarking.TAGGED
    retired_card_by_tag: Mapping[str, str] = field(default_factory=dict, repr=False)

    def compute_checksum(self) -> str:
        """Eight hex digits that differ when any card has another tag; for comparing two lists by eye."""
        text = "\n".join(f"{card} {tag}" for tag, card in sorted(self.card_by_tag.items(), key=lambda pair: pair[::-1]))
        return hashlib.sha256(text.encode()).hexdigest()[:8]


class DeckStore:
    """The decks of one table, kept in its database."""

    def __init__(self, path: Path, *, create: bool = True) -> None:
        """Open or create the table's database; raises `controller.runtime.storage.sqlite_database.DatabaseError`."""
        self.path = path
        with self._use_database():
            self._db = open_database(path, APPLICATION_ID, _SCHEMA, create=create)
            try:
                self._refuse_damaged_rows()
            except BaseException:
                self._db.close()
                raise

    def list_names(self) -> list[str]:
        """Every registered deck, by name."""
        with self._use_database():
            return [str(row[0]) for row in self._db.execute("SELECT name FROM deck ORDER BY name")]

    def find_change_time(self, name: str) -> datetime:
        """When a card of the deck was registered or withdrawn last."""
        with self._use_database():
            row = self._db.execute(
                "SELECT max(max(registered, coalesce(withdrawn, ''))) FROM card_tag WHERE deck = ?", (name,)
            ).fetchone()
            return datetime.fromisoformat(row[0]) if row[0] else datetime.min.replace(tzinfo=UTC)

    def get(self, name: str) -> Deck:
        """Look up the deck called `name`; raises `DeckError` listing those there are."""
        with self._use_database():
            row = self._db.execute("SELECT marks FROM deck WHERE name = ?", (name,)).fetchone()
            if row is None:
                known = ", ".join(self.list_names()) or "none"
                raise DeckError(f"no deck {name!r} is registered; registered: {known}")
            live: dict[str, str] = {}
            withdrawn: dict[str, str] = {}
            for tag, card, gone in self._db.execute(
                "SELECT tag, card, withdrawn FROM card_tag WHERE deck = ? ORDER BY id", (name,)
            ):
                (live if gone is None else withdrawn)[str(tag)] = str(card)
            for tag in live:
                withdrawn.pop(tag, None)
            return Deck(name, live, CardMarking(row[0]), withdrawn)

    def register(self, deck: Deck, *, replace: bool = False) -> None:
        """Register a whole deck; raises `DeckError` and changes nothing when any card of it will not do.

        `replace` registers a known deck anew: the tag of every card that changed is withdrawn, not forgotten.
        """
        with self._use_database():
            check_deck_name(deck.name)
            check_deck_complete(deck)
            now = read_wall_clock().isoformat(timespec="seconds")
            known = deck.name in self.list_names()
            if known and not replace:
                raise DeckError(f"deck {deck.name!r} is already registered; say --replace to register its cards anew")
            for tag in deck.card_by_tag:
                self._refuse_tag_of_other_deck(tag, deck)
            with change_rows(self._db, DECK_TABLES):
                if known:
                    before = self.get(deck.name)
                    self._db.execute("UPDATE deck SET marks = ? WHERE name = ?", (deck.marking.value, deck.name))
                else:
                    before = Deck(deck.name, {})
                    self._db.execute("INSERT INTO deck VALUES (?, ?, ?)", (deck.name, deck.marking.value, now))
                for tag, card in before.card_by_tag.items():
                    if deck.card_by_tag.get(tag) != card:
                        self._retire_tag(deck.name, tag, now)
                for tag, card in deck.card_by_tag.items():
                    if before.card_by_tag.get(tag) != card:
                        self._insert_tag(deck.name, tag, card, now)

    def replace_card(self, name: str, card: str, tag: str) -> None:
        """Register a new piece of plastic for one card; its old tag is withdrawn. Raises `DeckError`."""
        with self._use_database():
            deck = self.get(name)
            if card not in deck.card_by_tag.values():
                raise DeckError(f"deck {name!r} has no card {card!r}")
            if tag in deck.card_by_tag:
                raise DeckError(f"tag {tag} is already a card of deck {name!r}; one tag stands for one card")
            self._refuse_tag_of_other_deck(tag, deck)
            now = read_wall_clock().isoformat(timespec="seconds")
            old = next(known for known, face in deck.card_by_tag.items() if face == card)
            with change_rows(self._db, DECK_TABLES):
                self._retire_tag(name, old, now)
                self._insert_tag(name, tag, card, now)

    def find_tag_history(self, tag: str) -> list[tuple[str, str, str, str | None]]:
        """Everything a tag ever stood for: deck, card, registered, withdrawn (`None`: it still does)."""
        with self._use_database():
            return self._db.execute(
                "SELECT deck, card, registered, withdrawn FROM card_tag WHERE tag = ? ORDER BY id", (tag,)
            ).fetchall()

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    @contextmanager
    def _use_database(self) -> Iterator[None]:
        try:
            with translate_read_errors(self.path):
                yield
        except DamagedDatabaseError as why:
            raise DamagedDatabaseError(f"{str(why).partition(';')[0]}; {RESTORE_REMEDY}") from None

    def _refuse_damaged_rows(self) -> None:
        ensure_revision(self._db, DECK_TABLES)
        ensure_row_digest(self._db, DECK_TABLES)
        with read_at_once(self._db):
            if has_damaged_rows(self._db, DECK_TABLES):
                raise DamagedDatabaseError(f"{self.path}: the file is damaged: it has a deck otherwise than registered")

    def _refuse_tag_of_other_deck(self, tag: str, deck: Deck) -> None:
        if deck.marking is CardMarking.PRINTED:
            return
        row = self._db.execute(
            "SELECT c.deck FROM card_tag c JOIN deck d ON d.name = c.deck"
            " WHERE c.tag = ? AND c.deck <> ? AND c.withdrawn IS NULL AND d.marks = 'tagged'",
            (tag, deck.name),
        ).fetchone()
        if row is not None:
            raise DeckError(f"tag {tag} belongs to deck {row[0]!r}; a tag can be in one deck only")

    def _retire_tag(self, deck: str, tag: str, now: str) -> None:
        self._db.execute(
            "UPDATE card_tag SET withdrawn = ? WHERE deck = ? AND tag = ? AND withdrawn IS NULL", (now, deck, tag)
        )

    def _insert_tag(self, deck: str, tag: str, card: str, now: str) -> None:
        self._db.execute(
            "INSERT INTO card_tag (deck, tag, card, registered) VALUES (?, ?, ?, ?)", (deck, tag, card, now)
        )


def check_deck_name(name: str) -> None:
    """Raise `DeckError` for what no deck may be called: the name becomes part of a file's name, and is printed."""
    if not 0 < len(name) <= MAX_NAME_LENGTH or not name.isprintable() or "/" in name or name.startswith((".", " ")):
        raise DeckError(
            f"no deck may be called {name!r}: a name has up to {MAX_NAME_LENGTH} printable signs, no slash, "
            "and begins with no dot or blank"
        )


def check_deck_complete(deck: Deck) -> None:
    """Raise `DeckError` unless every card of a 52-card deck has exactly one tag; two jokers may be with it."""
    faces: dict[str, list[str]] = {}
    for tag, card in deck.card_by_tag.items():
        faces.setdefault(card, []).append(tag)
    for card, tags in sorted(faces.items()):
        if card not in STANDARD_DECK and card != JOKER:
            raise DeckError(f"deck {deck.name!r}: {card!r} is no card; a card is rank and suit like 'As', or 'joker'")
        if len(tags) > (2 if card == JOKER else 1):
            raise DeckError(f"deck {deck.name!r}: card {card} has {len(tags)} tags ({', '.join(sorted(tags))})")
    missing = [card for card in STANDARD_DECK if card not in faces]
    if missing:
        raise DeckError(f"deck {deck.name!r}: no tag for {', '.join(missing)}")

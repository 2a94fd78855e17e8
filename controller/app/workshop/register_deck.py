"""Registering a deck card by card at the reader: which card is due, what a tag means, and where it was left off.

Every accepted tag is on the disk before the next card is asked for, so that a cable kicked out at card 40 costs
nothing. The deck itself is registered when it is complete, all at once.
"""

import json
import os
from dataclasses import dataclass, field
from pathlib import Path

from controller.runtime.devices.decks import JOKER, STANDARD, Deck, DeckError, Decks, Marks

_RANKS = {"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"}
_SUITS = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}

HASTE_SECONDS = 0.5
"""Two tags closer together than this lie on the reader together."""


def card_name(card: str) -> str:
    """`"Qs"` to `"queen of spades"`."""
    return card if card == JOKER else f"{_RANKS.get(card[0], card[0])} of {_SUITS[card[1]]}"


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of a tag; `text` is empty for one that simply still lies there."""

    accepted: bool
    text: str = ""


def refuse_taken(decks: Decks, name: str, tag: str, marks: Marks) -> None:
    """Raise `DeckError` for a tag that is a card of another deck."""
    if marks is Marks.PRINTED:
        return
    for deck, _, _, withdrawn in decks.history(tag):
        if deck != name and withdrawn is None and decks.get(deck).marks is Marks.TAGGED:
            raise DeckError(f"this card belongs to deck {deck!r}: put it back there")


@dataclass(slots=True)
class Registration:
    """A deck on its way. Raises `DeckError` when its progress file is of another kind of deck."""

    name: str
    decks: Decks
    progress: Path
    marks: Marks = Marks.TAGGED
    jokers: int = 0
    tags: list[str] = field(default_factory=list, repr=False)
    _last_at: float = float("-inf")

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards in the order in which they are asked for."""
        return STANDARD + (JOKER,) * self.jokers

    @property
    def due(self) -> str | None:
        """The card that is asked for; `None` when all were taken."""
        return self.cards[len(self.tags)] if len(self.tags) < len(self.cards) else None

    @property
    def taken(self) -> int:
        """How many cards were taken."""
        return len(self.tags)

    def resume(self) -> int:
        """Go on where it was left off; return how many cards are taken already."""
        if not self.progress.exists():
            return 0
        try:
            kept = json.loads(self.progress.read_text(encoding="utf-8"))
            same = (kept["name"], kept["marks"], kept["jokers"]) == (self.name, self.marks.value, self.jokers)
            tags = [str(tag) for tag in kept["tags"]]
        except (ValueError, KeyError, TypeError) as why:
            raise DeckError(f"{self.progress} is damaged ({why}); begin anew with --restart") from why
        if not same:
            raise DeckError(
                f"a registration of {kept['name']!r} with {kept['jokers']} jokers, {kept['marks']}, was left off; go "
                "on with the same options, or begin anew with --restart"
            )
        self.tags = tags
        return len(tags)

    def restart(self) -> None:
        """Forget what was taken."""
        self.tags = []
        self.progress.unlink(missing_ok=True)

    def take(self, tag: str, now: float) -> Taken:
        """Take the tag of the card that is due; `now` is monotonic seconds."""
        card = self.due
        if card is None:
            return Taken(False)
        if self.tags and tag == self.tags[-1]:
            self._last_at = now
            return Taken(False)
        if tag in self.tags:
            known = card_name(self.cards[self.tags.index(tag)])
            return Taken(False, f"this is the {known}, which was taken already; wanted is the {card_name(card)}")
        if now - self._last_at < HASTE_SECONDS:
            return Taken(False, "two cards lie on the reader: one at a time")
        try:
            refuse_taken(self.decks, self.name, tag, self.marks)
        except DeckError as why:
            return Taken(False, str(why))
        self.tags.append(tag)
        self._last_at = now
        self._keep()
        return Taken(True, f"{len(self.tags)} of {len(self.cards)}: {card_name(card)}")

    def take_back(self) -> str | None:
        """Take back the last card; return which it was."""
        if not self.tags:
            return None
        self.tags.pop()
        self._keep()
        return self.due

    def finish(self, *, replace: bool) -> Deck:
        """Register the deck. Raises `DeckError`."""
        deck = Deck(self.name, dict(zip(self.tags, self.cards, strict=True)), self.marks)
        self.decks.register(deck, replace=replace)
        self.progress.unlink(missing_ok=True)
        return deck

    def _keep(self) -> None:
        """Have the progress on the disk before anything is said about it."""
        self.progress.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        new = self.progress.with_suffix(".new")
        handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        with open(handle, "w", encoding="utf-8") as file:
            kept = {"name": self.name, "marks": self.marks.value, "jokers": self.jokers, "tags": self.tags}
            file.write(json.dumps(kept))
            file.flush()
            os.fsync(file.fileno())
        new.replace(self.progress)

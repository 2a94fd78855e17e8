"""Registering a deck card by card at the reader: which card is due, what a tag means, and where it was left off.

Every accepted tag is on the disk before the next card is asked for, so that a cable kicked out at card 40 costs
nothing. The deck itself is registered when it is complete, all at once.
"""

import json
import os
from dataclasses import dataclass, field
from pathlib import Path

from controller.runtime.devices.deck_store import JOKER, STANDARD_DECK, CardMarking, Deck, DeckError, DeckStore

_RANKS = {"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"}
_SUITS = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}

MIN_CARD_INTERVAL_S = 0.5
"""Two tags closer together than this lie on the reader together."""


def format_card_name(card: str) -> str:
    """`"Qs"` to `"queen of spades"`."""
    return card if card == JOKER else f"{_RANKS.get(card[0], card[0])} of {_SUITS[card[1]]}"


@dataclass(frozen=True, slots=True)
class TagResult:
    """What became of a tag; `message` is empty for one that simply still lies there."""

    accepted: bool
    message: str = ""


def refuse_tag_of_other_deck(decks: DeckStore, name: str, tag: str, marks: CardMarking) -> None:
    """Raise `DeckError` for a tag that is a card of another deck."""
    if marks is CardMarking.PRINTED:
        return
    for deck, _, _, withdrawn in decks.find_tag_history(tag):
        if deck != name and withdrawn is None and decks.get(deck).marking is CardMarking.TAGGED:
            raise DeckError(f"this card belongs to deck {deck!r}: put it back there")


@dataclass(slots=True)
class DeckRegistration:
    """A deck on its way. Raises `DeckError` when its progress file is of another kind of deck."""

    deck_name: str
    decks: DeckStore
    progress_file: Path
    marks: CardMarking = CardMarking.TAGGED
    joker_count: int = 0
    tags: list[str] = field(default_factory=list, repr=False)
    _last_read_at: float = float("-inf")

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards in the order in which they are asked for."""
        return STANDARD_DECK + (JOKER,) * self.joker_count

    @property
    def expected_card(self) -> str | None:
        """The card that is asked for; `None` when all were taken."""
        return self.cards[len(self.tags)] if len(self.tags) < len(self.cards) else None

    @property
    def taken_count(self) -> int:
        """How many cards were taken."""
        return len(self.tags)

    def resume(self) -> int:
        """Go on where it was left off; return how many cards are taken already."""
        if not self.progress_file.exists():
            return 0
        try:
            kept = json.loads(self.progress_file.read_text(encoding="utf-8"))
            same = (kept["name"], kept["marks"], kept["jokers"]) == (self.deck_name, self.marks.value, self.joker_count)
            tags = [str(tag) for tag in kept["tags"]]
        except (ValueError, KeyError, TypeError) as why:
            raise DeckError(f"{self.progress_file} is damaged ({why}); begin anew with --restart") from why
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
        self.progress_file.unlink(missing_ok=True)

    def take(self, tag: str, now: float) -> TagResult:
        """Take the tag of the card that is due; `now` is monotonic seconds."""
        card = self.expected_card
        if card is None:
            return TagResult(False)
        if self.tags and tag == self.tags[-1]:
            self._last_read_at = now
            return TagResult(False)
        if tag in self.tags:
            known = format_card_name(self.cards[self.tags.index(tag)])
            return TagResult(
                False, f"this is the {known}, which was taken already; wanted is the {format_card_name(card)}"
            )
        if now - self._last_read_at < MIN_CARD_INTERVAL_S:
            return TagResult(False, "two cards lie on the reader: one at a time")
        try:
            refuse_tag_of_other_deck(self.decks, self.deck_name, tag, self.marks)
        except DeckError as why:
            return TagResult(False, str(why))
        self.tags.append(tag)
        self._last_read_at = now
        self._save_progress()
        return TagResult(True, f"{len(self.tags)} of {len(self.cards)}: {format_card_name(card)}")

    def take_back(self) -> str | None:
        """Take back the last card; return which it was."""
        if not self.tags:
            return None
        self.tags.pop()
        self._save_progress()
        return self.expected_card

    def finish(self, *, replace: bool) -> Deck:
        """Register the deck. Raises `DeckError`."""
        deck = Deck(self.deck_name, dict(zip(self.tags, self.cards, strict=True)), self.marks)
        self.decks.register(deck, replace=replace)
        self.progress_file.unlink(missing_ok=True)
        return deck

    def _save_progress(self) -> None:
        """Have the progress on the disk before anything is said about it."""
        self.progress_file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        new = self.progress_file.with_suffix(".new")
        handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        with open(handle, "w", encoding="utf-8") as file:
            kept = {"name": self.deck_name, "marks": self.marks.value, "jokers": self.joker_count, "tags": self.tags}
            file.write(json.dumps(kept))
            file.flush()
            os.fsync(file.fileno())
        new.replace(self.progress_file)

"""Reads the lines of a journal: what is hidden in them is opened, taken from what was disclosed, or stood in for.

Without the key of a hand a card that nobody showed is replaced by any free card of the deck, the same for the same
alias. The table must say the same to it: what it says may not depend on a card that nobody has seen. Where a card comes
that stands in for another (`Clash`), the hand is played again with another in its place.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from nacl.secret import SecretBox

from controller.core.model.state import State
from controller.core.values.cards import deck
from controller.runtime.journal.archive import Archive, Entry, Session
from controller.runtime.journal.proof.chain import Record
from controller.runtime.journal.sealing.sealing import KeyFile, cards_of, is_hidden, text_of, unsealed, with_cards

Keys = Callable[[int, Mapping[str, Any]], bytes | None]
"""Finds the key of a hand by its number and the body of its `hand-key` record; `None` where it is not to be had."""


def no_keys(number: int, body: Mapping[str, Any]) -> None:
    """Have no key."""


def keys_in_play(directory: Path) -> Keys:
    """Have the key of the hand that is being played at the table whose state lies in `directory`, and no other."""
    found = KeyFile(directory).read()
    return lambda number, _: found[1] if found is not None and found[0] == number else None


@dataclass(slots=True, repr=False)
class OpenHand:
    """The hidden cards of one hand, as far as they could be read: alias -> card."""

    number: int = 0
    cards: dict[int, str] = field(default_factory=dict)
    disclosed: set[int] = field(default_factory=set)
    guessed: dict[int, str] = field(default_factory=dict)
    """Alias -> the card that stands in for it."""


MOST_RESTARTS = 200
"""So often a hand is played again with other stand-ins at most; of 365 random stories one needed 17."""

MOST_DEALS = 60
"""So many choices of stand-ins are tried at most where an amended hand is not answered as it was."""

NEVER = 1 << 60


class Clash(Exception):
    """A card is named that stands in for another: the hand must be played again, from its start (`restart`)."""


class HandReader:
    """Reads the entries of one hand, all of which are at hand: what was shown later is known from the beginning."""

    def __init__(self, key_record: Record | None, disclosed: Mapping[int, str], lines: list[Any], keys: Keys) -> None:
        body = {} if key_record is None else key_record.read()
        self.hand = OpenHand(int(body.get("hand", 0)), dict(disclosed), set(disclosed))
        key = None if key_record is None else keys(self.hand.number, body)
        if key is not None:
            self.hand.cards |= _opened(SecretBox(key), lines)
        self._named_at: dict[str, list[int]] = {}
        self._unknown = False
        for number, line in enumerate(lines, 1):
            for card in cards_of(line):
                known = self._known(card)
                self._unknown = self._unknown or (known is None and is_hidden(card))
                if isinstance(known, str):
                    self._named_at.setdefault(known, []).append(number)
        self._line = 0
        self._stands_for: dict[str, int] = {}
        """Card -> the alias for which it was dealt last, where it only stood in for it."""
        self._wanted: dict[int, str] = {}
        """Alias -> what is to stand in for it, where that is free."""
        self._restarts = 0
        self._deals = 0
        """How many choices of stand-ins were given up."""

    @property
    def guesses(self) -> bool:
        """Whether some card of the hand is not known."""
        return bool(self._unknown)

    def restart(self) -> None:
        """Begin anew, with other cards in the place of those that clashed."""
        self._restarts += 1
        self._line = 0
        self.hand.guessed.clear()
        self._stands_for.clear()

    def deals_others(self) -> bool:
        """Give up what stands in for unknown cards: the hand was not answered as it was. `False` after all tries."""
        if not self._unknown or self._deals >= MOST_DEALS:
            return False
        self._deals += 1
        self._wanted.clear()
        return True

    def told(self, line: Mapping[str, object]) -> dict[str, object]:
        """The line with the cards that are known, and `None` for the others."""
        return with_cards(line, [self._known(card) for card in cards_of(line)])

    def opened(self, line: Mapping[str, object], state: State | None) -> dict[str, object]:
        """The next line as the table at `state` can take it, with stand-ins for the cards that are not known.

        Raises `Clash`.
        """
        self._line += 1
        again = line.get("ev") == "amend"
        return with_cards(line, [self._taken(card, state, again=again) for card in cards_of(line)])

    def _known(self, card: Any) -> object:  # noqa: ANN401 - a value of a line
        return self.hand.cards.get(int(card["alias"])) if is_hidden(card) else card

    def _taken(self, card: Any, state: State | None, *, again: bool) -> object:  # noqa: ANN401 - a value of a line
        known = self._known(card)
        if known is not None or not is_hidden(card):
            self._make_room(known, state)
            return known
        alias = int(card["alias"])
        guessed = self.hand.guessed.get(alias)
        if guessed is None:
            guessed = self.hand.guessed[alias] = self._stand_in(alias, state, again=again)
        self._stands_for[guessed] = alias
        return guessed

    def _make_room(self, card: object, state: State | None) -> None:
        """A card that is known is named: if it lies there for another, the two that may be meant change their names."""
        alias = self._stands_for.pop(card, None) if isinstance(card, str) else None
        out = _out(state)
        if alias is None or state is None or card not in out or self._restarts >= MOST_RESTARTS:
            return
        assert isinstance(card, str)
        free = [other for other in deck(state.setup.deck, state.setup.joker) if other not in out]
        other = max(free, key=self._obscurity, default=card)
        changed = {card: other, other: card}
        self._wanted = {each: changed.get(guess, guess) for each, guess in self.hand.guessed.items()}
        raise Clash

    def _obscurity(self, card: str) -> tuple[bool, int]:
        """How well a card can be another's name up to now: it was not named so far, and will be late or never."""
        following = self._named_next(card)
        so_far = any(line < self._line for line in self._named_at.get(card, ()))
        return not so_far, NEVER if following is None else following

    def _stand_in(self, alias: int, state: State | None, *, again: bool) -> str:
        """Choose a card that is free in the deck and named nowhere in the rest of the hand, or as late as can be.

        Where the hand is played `again`, it is none that was named or guessed in it so far either, or the longest ago.
        """
        if state is None:
            return deck()[0]
        full = deck(state.setup.deck, state.setup.joker)
        out = _out(state)
        free = [card for card in full if card not in out] or list(full)
        if (wanted := self._wanted.get(alias)) in free:
            return str(wanted)
        if again:
            newest = [*self._named_at, *reversed(self.hand.guessed.values())]
            unnamed = [card for card in free if card not in newest]
            named = sorted((card for card in free if card in newest), key=newest.index, reverse=True)
            return self._chosen([*unnamed, *named])
        unnamed = [card for card in free if self._named_next(card) is None]
        return self._chosen(unnamed or sorted(free, key=self._lateness, reverse=True))

    def _chosen(self, best_first: list[str]) -> str:
        return best_first[self._deals % len(best_first)]

    def _named_next(self, card: str) -> int | None:
        return next((line for line in self._named_at.get(card, ()) if line >= self._line), None)

    def _lateness(self, card: str) -> int:
        return self._named_next(card) or 0


def _out(state: State | None) -> set[str | None]:
    """What lies outside the stub."""
    piles = {} if state is None or state.hand is None else state.hand.cards.piles.out
    return {lying.card for pile in piles.values() for lying in pile}


def hands_of(
    archive: Archive, session: Session, keys: Keys = no_keys, start: int = 0
) -> Iterator[tuple[HandReader, list[Entry]]]:
    """Read a session, from record `start` on, hand by hand; what happens between two belongs to the one before."""
    key_record: Record | None = None
    entries: list[Entry] = []
    disclosed: dict[int, str] = {}
    for item in archive.walk(session, start):
        if isinstance(item, Entry):
            entries.append(item)
        elif item.kind == "disclosed":
            disclosed |= {int(alias): str(card) for alias, card in item.read()["cards"].items()}
        else:
            yield _reader(key_record, disclosed, entries, keys), entries
            key_record, entries, disclosed = item, [], {}
    yield _reader(key_record, disclosed, entries, keys), entries


def with_line(entry: Entry, line: Mapping[str, object]) -> Entry:
    """The entry with another line."""
    return replace(entry, line=text_of(line))


def as_script(entry: Entry) -> str:
    """Write an entry, whose cards are known or `None`, as a line of the table script.

    A card that left the shoe may stay unread there. Any other line about a card that nobody knows has no meaning
    without it; the time it came at has, and remains.
    """
    line = json.loads(entry.line)
    if line.get("ev") == "card" or None not in cards_of(line):
        return entry.line
    return text_of({"ev": "time", "t": line["t"], "note": f"{line['ev']}: a card that was never shown"})


def reader_of(key: Record | None, disclosed: Mapping[int, str], entries: list[Entry]) -> HandReader:
    """Read a hand of which nobody has the key."""
    return _reader(key, disclosed, entries, no_keys)


def _reader(key: Record | None, disclosed: Mapping[int, str], entries: list[Entry], keys: Keys) -> HandReader:
    lines = [line for entry in entries if isinstance(line := json.loads(entry.line), dict)]
    return HandReader(key, disclosed, lines, keys)


def _opened(box: SecretBox, lines: list[Any]) -> dict[int, str]:
    """The cards that a key opens: all of its hand, or none where it is not the key of this hand."""
    try:
        return {int(value["alias"]): unsealed(box, str(value["sealed"])) for value in _sealed_in(lines)}
    except ValueError:
        return {}


def _sealed_in(lines: list[Any]) -> Iterator[dict[str, Any]]:
    for line in lines:
        for card in cards_of(line):
            if isinstance(card, dict) and "sealed" in card:
                yield card

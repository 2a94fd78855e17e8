"""Reads the lines of a journal: what is hidden in them is opened, taken from what was disclosed, or stood in for.

Without the key of a hand a card that nobody showed is replaced by any free card of the deck, the same for the same
alias. The table must say the same to it: what it says may not depend on a card that nobody has seen. Where a card comes
that stands in for another (`StandInClashError`), the hand is played again with another in its place.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from nacl.secret import SecretBox

from controller.core.model.table_state import TableState
from controller.core.values.cards import build_deck
from controller.runtime.journal.journal_reader import JournalEntry, JournalReader, JournalSession
from controller.runtime.journal.proof.chain import JournalRecord
from controller.runtime.journal.sealing.hand_seal import (
    HandKeyFile,
    is_hidden_card,
    list_cards,
    render_line,
    replace_cards,
    unseal_card,
)
from controller.runtime.journal.sealing.stand_ins import StandInRules

HandKeyFinder = Callable[[int, Mapping[str, Any]], bytes | None]
"""Finds the key of a hand by its number and the body of its `hand-key` record; `None` where it is not to be had."""


def find_no_key(number: int, body: Mapping[str, Any]) -> None:
    """Have no key."""


def make_current_key_finder(directory: Path) -> HandKeyFinder:
    """Have the key of the hand that is being played at the table whose state lies in `directory`, and no other."""
    found = HandKeyFile(directory).read()
    return lambda number, _: found[1] if found is not None and found[0] == number else None


@dataclass(slots=True, repr=False)
class UnsealedHand:
    """The hidden cards of one hand, as far as they could be read: alias -> card."""

    number: int = 0
    card_by_alias: dict[int, str] = field(default_factory=dict)
    disclosed_aliases: set[int] = field(default_factory=set)
    stand_in_by_alias: dict[int, str] = field(default_factory=dict)
    """Alias -> the card that stands in for it."""


MAX_RESTARTS = 200
"""So often a hand is played again with other stand-ins at most; of 365 random stories one needed 17."""

MAX_STAND_IN_CHOICES = 60
"""So many choices of stand-ins are tried at most where an amended hand is not answered as it was."""

NEVER_NAMED = 1 << 60


class StandInClashError(Exception):
    """A card is named that stands in for another: the hand must be played again, from its start (`restart`)."""


class HandReader:
    """Reads the entries of one hand, all of which are at hand: what was shown later is known from the beginning."""

    def __init__(
        self, key_record: JournalRecord | None, disclosed: Mapping[int, str], lines: list[Any], keys: HandKeyFinder
    ) -> None:
        body = {} if key_record is None else key_record.parse_body()
        self.unsealed_hand = UnsealedHand(int(body.get("hand", 0)), dict(disclosed), set(disclosed))
        key = None if key_record is None else keys(self.unsealed_hand.number, body)
        if key is not None:
            self.unsealed_hand.card_by_alias |= _unseal_cards(SecretBox(key), lines)
        self._lines_by_card: dict[str, list[int]] = {}
        self._has_unknown_card = False
        for number, line in enumerate(lines, 1):
            for card in list_cards(line):
                known = self._find_known_card(card)
                self._has_unknown_card = self._has_unknown_card or (known is None and is_hidden_card(card))
                if isinstance(known, str):
                    self._lines_by_card.setdefault(known, []).append(number)
        self._line_number = 0
        self._alias_by_stand_in: dict[str, int] = {}
        """Card -> the alias for which it was dealt last, where it only stood in for it."""
        self._wanted_stand_in_by_alias: dict[int, str] = {}
        """Alias -> what is to stand in for it, where that is free."""
        self._stand_in_rules = StandInRules()
        self._restart_count = 0
        self._choice_count = 0
        """How many choices of stand-ins were given up."""
        self._given_up_count = 0
        """How many of these were of all cards of the hand."""
        self._given_up_count_by_alias: Counter[int] = Counter()
        """Alias -> how many were of it alone, a name that somebody said."""

    @property
    def has_unknown_cards(self) -> bool:
        """Whether some card of the hand is not known."""
        return bool(self._has_unknown_card)

    def restart(self) -> None:
        """Begin anew, with other cards in the place of those that clashed."""
        self._restart_count += 1
        self._line_number = 0
        self.unsealed_hand.stand_in_by_alias.clear()
        self._alias_by_stand_in.clear()

    def choose_other_stand_ins(self, line: Mapping[str, object]) -> bool:
        """Give up what stands in for unknown cards: `line` was not answered as it was. `False` after all tries.

        Where it says a name, the table ruled by that, and the others stay as they are.
        """
        if not self._has_unknown_card or self._choice_count >= MAX_STAND_IN_CHOICES:
            return False
        self._choice_count += 1
        said = list_said_aliases(line)
        self._given_up_count_by_alias.update(said)
        if said:
            standing = self.unsealed_hand.stand_in_by_alias
            self._wanted_stand_in_by_alias = {alias: card for alias, card in standing.items() if alias not in said}
        else:
            self._given_up_count += 1
            self._wanted_stand_in_by_alias.clear()
        return True

    def fill_in_known_cards(self, line: Mapping[str, object]) -> dict[str, object]:
        """The line with the cards that are known, and `None` for the others."""
        return replace_cards(line, [self._find_known_card(card) for card in list_cards(line)])

    def open_next_line(self, line: Mapping[str, object], state: TableState | None) -> dict[str, object]:
        """The next line as the table at `state` can take it, with stand-ins for the cards that are not known.

        Raises `StandInClashError`.
        """
        self._line_number += 1
        again = line.get("ev") == "amend"
        return replace_cards(line, [self._open_card(card, state, again=again) for card in list_cards(line)])

    def _find_known_card(self, card: Any) -> object:  # noqa: ANN401 - a value of a line
        return self.unsealed_hand.card_by_alias.get(int(card["alias"])) if is_hidden_card(card) else card

    def _open_card(self, card: Any, state: TableState | None, *, again: bool) -> object:  # noqa: ANN401 - a value of a line
        known = self._find_known_card(card)
        if known is not None or not is_hidden_card(card):
            self._swap_stand_in(known, state)
            return known
        alias = int(card["alias"])
        guessed = self.unsealed_hand.stand_in_by_alias.get(alias)
        if guessed is None:
            out = _find_cards_out(state)
            unknown = {name: other for name, other in self._alias_by_stand_in.items() if name in out}
            self._stand_in_rules.add_unknown_card(alias, {*filter(None, out)} - unknown.keys(), {*unknown.values()})
            guessed = self.unsealed_hand.stand_in_by_alias[alias] = self._choose_stand_in(alias, state, again=again)
        self._alias_by_stand_in[guessed] = alias
        return guessed

    def _swap_stand_in(self, card: object, state: TableState | None) -> None:
        """A card that is known is named: if it lies there for another, all that stands in for others is chosen anew."""
        if not isinstance(card, str) or state is None:
            return
        out = _find_cards_out(state)
        unknown = {name: alias for name, alias in self._alias_by_stand_in.items() if name in out}
        self._stand_in_rules.add_known_card(card, {*unknown.values()})
        alias = self._alias_by_stand_in.pop(card, None)
        if alias is None or card not in out or self._restart_count >= MAX_RESTARTS:
            return
        best_first = sorted(
            build_deck(state.setup.deck_size, state.setup.has_joker), key=self._rate_stand_in, reverse=True
        )
        chosen = self._stand_in_rules.assign_names(self.unsealed_hand.stand_in_by_alias, best_first)
        if chosen is not None:
            self._wanted_stand_in_by_alias = chosen
            raise StandInClashError

    def _rate_stand_in(self, card: str) -> tuple[bool, int]:
        """How well a card can be another's name up to now: it was not named so far, and will be late or never."""
        following = self._find_next_line(card)
        so_far = any(line < self._line_number for line in self._lines_by_card.get(card, ()))
        return not so_far, NEVER_NAMED if following is None else following

    def _choose_stand_in(self, alias: int, state: TableState | None, *, again: bool) -> str:
        """Choose a card that is free in the deck and named nowhere in the rest of the hand, or as late as can be.

        Where the hand is played `again`, it is none that was named or guessed in it so far either, or the longest ago.
        """
        if state is None:
            return build_deck()[0]
        full = build_deck(state.setup.deck_size, state.setup.has_joker)
        out = _find_cards_out(state)
        free = [card for card in full if card not in out] or list(full)
        if (wanted := self._wanted_stand_in_by_alias.get(alias)) in free:
            return str(wanted)
        free = self._stand_in_rules.choose_possible(alias, free)
        if again:
            newest = [*self._lines_by_card, *reversed(self.unsealed_hand.stand_in_by_alias.values())]
            unnamed = [card for card in free if card not in newest]
            named = sorted((card for card in free if card in newest), key=newest.index, reverse=True)
            return self._pick_stand_in(alias, [*unnamed, *named])
        unnamed = [card for card in free if self._find_next_line(card) is None]
        return self._pick_stand_in(alias, unnamed or sorted(free, key=self._find_next_line_or_zero, reverse=True))

    def _pick_stand_in(self, alias: int, best_first: list[str]) -> str:
        return best_first[(self._given_up_count + self._given_up_count_by_alias[alias]) % len(best_first)]

    def _find_next_line(self, card: str) -> int | None:
        return next((line for line in self._lines_by_card.get(card, ()) if line >= self._line_number), None)

    def _find_next_line_or_zero(self, card: str) -> int:
        return self._find_next_line(card) or 0


def list_said_aliases(line: Mapping[str, object]) -> list[int]:
    """Return the aliases of the names that a line says of cards which nobody knows: the table may rule by them."""
    aliases = [int(card["alias"]) for card in list_cards(line) if isinstance(card, dict) and is_hidden_card(card)]
    return [alias for alias in aliases if alias < 0]


def _find_cards_out(state: TableState | None) -> set[str | None]:
    """What lies outside the stub."""
    piles = {} if state is None or state.hand is None else state.hand.cards.piles.cards_by_place
    return {lying.card for pile in piles.values() for lying in pile}


def read_hands(
    archive: JournalReader, session: JournalSession, keys: HandKeyFinder = find_no_key, start: int = 0, after: int = 0
) -> Iterator[tuple[HandReader, list[JournalEntry]]]:
    """Read a session hand by hand, from record `start` on the entries after entry `after`.

    What happens between two hands belongs to the one before.
    """
    key_record: JournalRecord | None = None
    entries: list[JournalEntry] = []
    disclosed: dict[int, str] = {}
    for item in archive.read_entries_and_keys(session, start):
        if isinstance(item, JournalEntry):
            if item.number > after:
                entries.append(item)
        elif item.kind == "disclosed":
            disclosed |= {int(alias): str(card) for alias, card in item.parse_body()["cards"].items()}
        else:
            yield _make_reader(key_record, disclosed, entries, keys), entries
            key_record, entries, disclosed = item, [], {}
    yield _make_reader(key_record, disclosed, entries, keys), entries


def replace_line(entry: JournalEntry, line: Mapping[str, object]) -> JournalEntry:
    """The entry with another line."""
    return replace(entry, script_line=render_line(line))


def render_script_line(entry: JournalEntry, entries_before: int = 0) -> str:
    """Write an entry, whose cards are known or `None`, as a line of the table script, which has none of those before.

    A card that left the shoe may stay unread there, also where its name was put right. Any other line about a card that
    nobody knows has no meaning without it; the time it came at has, and remains.
    """
    line = json.loads(entry.script_line)
    if line.get("ev") == "amend" and all(_is_card_or_named(change) for change in (line, *line.get("also", ()))):
        return render_line(_count_from_start(line, entries_before)) if entries_before else entry.script_line
    if line.get("ev") == "card" or None not in list_cards(line):
        return entry.script_line
    return render_line({"ev": "time", "t": line["t"], "note": f"{line['ev']}: a card that was never shown"})


def _is_card_or_named(change: Mapping[str, Any]) -> bool:
    """Whether a change is of a card that left the shoe, or names every card of which it speaks."""
    to = change.get("to")
    return to is None or to.get("ev") == "card" or None not in list_cards(to)


def _count_from_start(line: dict[str, Any], entries_before: int) -> dict[str, Any]:
    """An amendment whose lines are counted from the start of its session."""
    moved = dict(line)
    for key in ("line", "before"):
        if key in line:
            moved[key] = line[key] - entries_before
    if "drop" in line:
        moved["drop"] = [number - entries_before for number in line["drop"]]
    if "also" in line:
        moved["also"] = [_count_from_start(change, entries_before) for change in line["also"]]
    return moved


def make_keyless_reader(
    key: JournalRecord | None, disclosed: Mapping[int, str], entries: list[JournalEntry]
) -> HandReader:
    """Read a hand of which nobody has the key."""
    return _make_reader(key, disclosed, entries, find_no_key)


def _make_reader(
    key: JournalRecord | None, disclosed: Mapping[int, str], entries: list[JournalEntry], keys: HandKeyFinder
) -> HandReader:
    lines = [line for entry in entries if isinstance(line := json.loads(entry.script_line), dict)]
    return HandReader(key, disclosed, lines, keys)


def _unseal_cards(box: SecretBox, lines: list[Any]) -> dict[int, str]:
    """The cards that a key opens: all of its hand, or none where it is not the key of this hand."""
    try:
        return {int(value["alias"]): unseal_card(box, str(value["sealed"])) for value in _iter_sealed_cards(lines)}
    except ValueError:
        return {}


def _iter_sealed_cards(lines: list[Any]) -> Iterator[dict[str, Any]]:
    for line in lines:
        for card in list_cards(line):
            if isinstance(card, dict) and "sealed" in card:
                yield card

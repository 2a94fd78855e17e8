"""Hides the identities of a hand in the journal: what lies face down is written under an alias, and sealed.

A key a hand (`docs/decisions/0008`). Within a hand a card keeps its alias for as long as it lies outside the stub, so
that a replay which does not know the card knows at least which lines speak of the same one. A card that comes back from
the stub has another alias: nobody can tell that it is one that was seen before. A name that somebody says has an alias
of its own each time, below 0: another line of the journal must not tell whether it is that of a card which was read.
"""

import base64
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from nacl.exceptions import CryptoError
from nacl.public import PrivateKey, PublicKey, SealedBox
from nacl.secret import SecretBox
from nacl.utils import random

from controller.core.model.outcome import Outcome
from controller.core.play.betting import carried_pot
from controller.core.values.cards import ALL_CARDS, build_deck
from controller.runtime.storage.atomic_file import sync_folder, write_at_offset
from controller.runtime.storage.sqlite_database import DatabaseError
from controller.runtime.storage.state_directory import HAND_KEY_FILE

AUDITOR_KEY_FILE = "auditor.pub"

SENSOR_WORDS = ("card", "seen")
"""Words of the table script whose cards a sensor has read; any other line has names that somebody says."""

MAX_SAID_NAMES = 512
"""So many names that were said in a hand are told once they are known; of more the oldest stay sealed."""

SEALED_CARD_LENGTH = 5
"""Every identity is as long as the longest, "joker", before it is sealed: its length must not tell it."""


@dataclass(frozen=True, slots=True)
class CardKnowledge:
    """What the table knows of its cards after an event.

    `deck_cards`: what the stub began with. `cards_outside_stub`: what lies outside it. `public_cards`: those of them
    that everybody may know, also at the event with which the hand is over. `public_read_cards`: those of these that a
    sensor has read, and that do not just have the name which somebody said. `previous_hand_open_cards`: what lay open
    where in the hand before. `is_live`: a name that somebody says is compared with known cards alone.
    """

    is_hand_in_progress: bool = False
    deck_cards: frozenset[str] = ALL_CARDS
    cards_outside_stub: frozenset[str] = field(default=frozenset(), repr=False)
    public_cards: frozenset[str] = frozenset()
    public_read_cards: frozenset[str] = frozenset()
    previous_hand_open_cards: frozenset[tuple[str, str]] = frozenset()
    is_live: bool = False


def read_card_knowledge(outcome: Outcome) -> CardKnowledge:
    """Read off the table which cards are out and which of them are known to everybody."""
    state = outcome.state
    whole = _make_full_deck(state.setup.deck_size, state.setup.has_joker)
    hand = state.hand
    if hand is None:
        return CardKnowledge(False, whole, is_live=state.setup.is_live)
    lying = [lying for pile in hand.cards.piles.cards_by_place.values() for lying in pile]
    is_told = not state.setup.is_live  # whoever reported a card told it then, and a replay rules by it
    opened = (one for one in lying if one.is_known or (is_told and one.is_face_up))
    shown = [*opened, *carried_pot.shown_openers(hand)]
    tabled = {card for cards in hand.showdown.tabled_cards_by_seat.values() for card in cards or ()}
    read = frozenset(one.card for one in shown if one.card is not None and (is_told or not one.is_named))
    read |= tabled if is_told else frozenset()
    known = frozenset(one.card for one in shown if one.card is not None) | tabled
    if not state.is_hand_on:
        return CardKnowledge(False, whole, public_cards=known, public_read_cards=read, is_live=state.setup.is_live)
    out = frozenset(one.card for one in lying if one.card is not None)
    return CardKnowledge(True, whole, out, known, read, hand.cards.previous_hand_cards, state.setup.is_live)


@cache
def _make_full_deck(size: int, joker: bool) -> frozenset[str]:
    return frozenset(build_deck(size, joker))


class HandSeal:
    """The aliases and the key of the hand in play; `key_number` counts keys over the life of the journal."""

    def __init__(self, number: int, key: bytes) -> None:
        self.key_number = number
        self._secret_box = SecretBox(key)
        self._alias_by_card: dict[str, int] = {}
        self._old_alias_by_card: dict[str, int] = {}
        """Aliases of cards that are not out any more: what is taken back or amended may bring them back."""
        self._sealed_aliases: set[int] = set()
        self._disclosed_aliases: set[int] = set()
        self._alias_count = 0
        self._said_card_by_alias: dict[int, str] = {}
        self._said_count = 0

    def hide_cards(
        self, line: Mapping[str, object], cards: CardKnowledge, *, is_within: bool = False
    ) -> dict[str, object]:
        """Replace the cards of a line that nobody may know yet; `is_within`: it is told by another line."""
        is_read = not cards.is_live or (line.get("ev") in SENSOR_WORDS and not is_within and not line.get("named"))
        hidden = dict(line)
        if isinstance(card := line.get("card"), str):
            hidden["card"] = self._hide_card(card, cards, line.get("at")) if is_read else self._hide_name(card, cards)
        if isinstance(listed := line.get("cards"), list | tuple):
            hide = self._hide_card if is_read else self._hide_name
            hidden["cards"] = [hide(str(card), cards) for card in listed]
        if isinstance(to := line.get("to"), dict):
            hidden["to"] = self.hide_cards(to, cards, is_within=True)
        if isinstance(also := line.get("also"), list):
            hidden["also"] = [self.hide_cards(change, cards, is_within=True) for change in also]
        return hidden

    def _hide_name(self, card: str, cards: CardKnowledge) -> object:
        """What stands for a name that somebody says: the name where everybody knows it, else an alias of its own."""
        if card not in cards.deck_cards or card in cards.public_cards:
            return card
        self._said_count += 1
        self._note_said_card(-self._said_count, card)
        return {"alias": -self._said_count, "sealed": self._seal_card(card)}

    def _note_said_card(self, alias: int, card: str) -> None:
        self._said_card_by_alias[alias] = card
        if len(self._said_card_by_alias) > MAX_SAID_NAMES:
            del self._said_card_by_alias[next(iter(self._said_card_by_alias))]

    def restore_alias(self, alias: int, card: str) -> None:
        """Know an alias again that an earlier run has given."""
        if alias < 0:
            self._note_said_card(alias, card)
            self._said_count = max(self._said_count, -alias)
            return
        self._alias_by_card[card] = alias
        self._sealed_aliases.add(alias)
        self._alias_count = max(self._alias_count, alias)

    def mark_disclosed(self, alias: int) -> None:
        """Know that an alias is disclosed already."""
        self._disclosed_aliases.add(alias)

    def disclose_public_cards(self, cards: CardKnowledge) -> dict[int, str]:
        """Forget the aliases of cards that are not out any more; return those that everybody may know now."""
        known = cards.cards_outside_stub | cards.public_cards
        self._alias_by_card = {
            card: alias for card, alias in self._old_alias_by_card.items() if card in known
        } | self._alias_by_card
        new = {
            alias: card
            for alias, card in (
                *((alias, card) for card, alias in self._alias_by_card.items() if card in cards.public_read_cards),
                *((alias, card) for alias, card in self._said_card_by_alias.items() if card in cards.public_cards),
            )
            if alias not in self._disclosed_aliases
        }
        self._disclosed_aliases |= new.keys()
        self._old_alias_by_card |= {card: alias for card, alias in self._alias_by_card.items() if card not in known}
        self._alias_by_card = {card: alias for card, alias in self._alias_by_card.items() if card in known}
        return new

    def _hide_card(self, card: str, cards: CardKnowledge, at: object = None) -> object:
        if (
            card not in cards.deck_cards
            or card in cards.public_read_cards
            or (card not in cards.cards_outside_stub and (at, card) in cards.previous_hand_open_cards)
        ):
            return card
        alias = self._alias_by_card.get(card)
        if alias is None:
            self._alias_count += 1
            alias = self._alias_by_card[card] = self._alias_count
        if alias in self._sealed_aliases:
            return {"alias": alias}
        self._sealed_aliases.add(alias)
        return {"alias": alias, "sealed": self._seal_card(card)}

    def _seal_card(self, card: str) -> str:
        sealed = self._secret_box.encrypt(card.ljust(SEALED_CARD_LENGTH).encode("ascii"))
        return base64.b64encode(bytes(sealed)).decode("ascii")


_HAND_KEY_REMEDY = (
    "put the right file back, or remove it and start with --void-hand where a hand was on, else as always"
)


class HandKeyFile:
    """`hand.key`: the key of the hand in play, so that a cut of the power loses no card; empty between hands."""

    def __init__(self, directory: Path) -> None:
        self.path = directory / HAND_KEY_FILE

    def write(self, number: int, key: bytes) -> None:
        """Keep the key of hand `number`, durably, before anything is sealed with it; raises `DatabaseError`."""
        self._overwrite(f"{number} {key.hex()}\n".encode("ascii"))

    def erase(self) -> None:
        """Write over the key, then cut the file to nothing; raises `DatabaseError`."""
        try:
            length = self.path.stat().st_size
        except FileNotFoundError:
            return
        if length:
            self._overwrite(b" " * length, then=0)

    def read(self) -> tuple[int, bytes] | None:
        """Read number and key of the hand in play; `None` where there is none."""
        try:
            words = self.path.read_text(encoding="ascii").split()
        except FileNotFoundError:
            return None
        except UnicodeDecodeError:
            raise DatabaseError(f"{self.path}: is no key of a hand; {_HAND_KEY_REMEDY}") from None
        except OSError as why:
            raise DatabaseError(
                f"{self.path}: the key of the hand cannot be read: {why.strerror}; {_HAND_KEY_REMEDY}"
            ) from None
        if len(words) != 2 or not words[0].isdecimal() or len(words[1]) != 2 * SecretBox.KEY_SIZE:
            return None
        try:
            return int(words[0]), bytes.fromhex(words[1])
        except ValueError:
            return None

    def _overwrite(self, data: bytes, then: int | None = None) -> None:
        try:
            is_new = not self.path.exists()
            handle = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                write_at_offset(handle, data, 0)
                os.ftruncate(handle, len(data))
                os.fsync(handle)
                if then is not None:
                    os.ftruncate(handle, then)
            finally:
                os.close(handle)
            if is_new:
                sync_folder(self.path.parent)
        except OSError as why:
            raise DatabaseError(f"{self.path}: the key of the hand cannot be written: {why.strerror}") from why


def make_hand_key() -> bytes:
    """Make the key of a hand."""
    return random(SecretBox.KEY_SIZE)


def read_auditor_public_key(directory: Path) -> bytes | None:
    """Read the public key of the auditor; `None` where none is enrolled. Raises `DatabaseError`."""
    path = directory / AUDITOR_KEY_FILE
    try:
        key = bytes.fromhex(path.read_text(encoding="ascii").strip())
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        key = b""
    if len(key) != PublicKey.SIZE:
        raise DatabaseError(f"{path}: is no public key of an auditor; enrol it again with `tablectl journal auditor`")
    return key


def seal_hand_key(auditor: bytes, key: bytes) -> str:
    """Seal the key of a hand to the auditor, in base64."""
    return base64.b64encode(SealedBox(PublicKey(auditor)).encrypt(key)).decode("ascii")


def unseal_hand_key(auditor: PrivateKey, sealed: str) -> bytes | None:
    """Open the key of a hand; `None` when it is sealed to somebody else."""
    try:
        return SealedBox(auditor).decrypt(base64.b64decode(sealed, validate=True))
    except (CryptoError, ValueError):
        return None


def unseal_card(box: SecretBox, sealed: str) -> str:
    """Open one identity; raises `ValueError`, which says nothing of it."""
    try:
        return box.decrypt(base64.b64decode(sealed, validate=True)).decode("ascii").rstrip()
    except (CryptoError, ValueError):
        raise ValueError("a card cannot be opened with this key") from None


def is_hidden_card(value: object) -> bool:
    """Whether a value of a line stands for a card that was hidden."""
    return isinstance(value, dict) and "alias" in value


def list_cards(line: Mapping[str, object]) -> list[object]:
    """The cards of a line, hidden or not, in order."""
    found = [line["card"]] if "card" in line else []
    listed = line.get("cards")
    within = [card for part in _list_nested_lines(line) for card in list_cards(part)]
    return [*found, *(listed if isinstance(listed, list) else []), *within]


def _list_nested_lines(line: Mapping[str, object]) -> list[dict[str, object]]:
    """The lines and changes that an amendment holds."""
    to, also = line.get("to"), line.get("also")
    return [*([to] if isinstance(to, dict) else []), *(also if isinstance(also, list) else [])]


def replace_cards(line: Mapping[str, object], cards: list[object]) -> dict[str, object]:
    """The line with other values for its cards."""
    cards = list(cards)
    found = dict(line)
    if "card" in line:
        found["card"] = cards.pop(0)
    if isinstance(listed := line.get("cards"), list):
        found["cards"], cards = cards[: len(listed)], cards[len(listed) :]
    parts: list[dict[str, object]] = []
    for part in _list_nested_lines(line):
        count = len(list_cards(part))
        parts.append(replace_cards(part, cards[:count]))
        cards = cards[count:]
    if isinstance(line.get("to"), dict):
        found["to"] = parts.pop(0)
    if isinstance(line.get("also"), list):
        found["also"] = parts
    return found


def render_line(line: Mapping[str, object]) -> str:
    """Write a line as the table script has it."""
    return json.dumps(line, separators=(",", ":"), ensure_ascii=False)

"""Hides the identities of a hand in the journal: what lies face down is written under an alias, and sealed.

A key a hand (`docs/decisions/0008`). Within a hand a card keeps its alias for as long as it lies outside the stub, so
that a replay which does not know the card knows at least which lines speak of the same one. A card that comes back from
the stub has another alias: nobody can tell that it is one that was seen before.
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

SEALED_CARD_LENGTH = 5
"""Every identity is as long as the longest, "joker", before it is sealed: its length must not tell it."""


@dataclass(frozen=True, slots=True)
class CardKnowledge:
    """What the table knows of its cards after an event.

    `deck_cards`: what the stub began with. `cards_outside_stub`: what lies outside it. `public_cards`: those of them
    that everybody may know, also at the event with which the hand is over. `previous_hand_open_cards`: what lay open
    where in the hand before.
    """

    is_hand_in_progress: bool = False
    deck_cards: frozenset[str] = ALL_CARDS
    cards_outside_stub: frozenset[str] = field(default=frozenset(), repr=False)
    public_cards: frozenset[str] = frozenset()
    previous_hand_open_cards: frozenset[tuple[str, str]] = frozenset()


def read_card_knowledge(outcome: Outcome) -> CardKnowledge:
    """Read off the table which cards are out and which of them are known to everybody."""
    state = outcome.state
    whole = _make_full_deck(state.setup.deck_size, state.setup.has_joker)
    hand = state.hand
    if hand is None:
        return CardKnowledge(False, whole)
    lying = [lying for pile in hand.cards.piles.cards_by_place.values() for lying in pile]
    shown = {one.card for one in lying if one.is_face_up or one.is_proven_up} | {
        card for cards in hand.showdown.tabled_cards_by_seat.values() for card in cards or ()
    }
    shown |= {one.card for one in carried_pot.shown_openers(hand)}
    known = frozenset(card for card in shown if card is not None)
    if not state.is_hand_on:
        return CardKnowledge(False, whole, public_cards=known)
    return CardKnowledge(
        True, whole, frozenset(one.card for one in lying if one.card is not None), known, hand.cards.previous_hand_cards
    )


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

    def hide_cards(self, line: Mapping[str, object], cards: CardKnowledge) -> dict[str, object]:
        """Replace the cards of a line that nobody may know yet."""
        hidden = dict(line)
        if isinstance(card := line.get("card"), str):
            hidden["card"] = self._hide_card(card, cards, line.get("at"))
        if isinstance(listed := line.get("cards"), list | tuple):
            hidden["cards"] = [self._hide_card(str(card), cards, None) for card in listed]
        if isinstance(to := line.get("to"), dict):
            hidden["to"] = self.hide_cards(to, cards)
        if isinstance(also := line.get("also"), list):
            hidden["also"] = [self.hide_cards(change, cards) for change in also]
        return hidden

    def restore_alias(self, alias: int, card: str) -> None:
        """Know an alias again that an earlier run has given."""
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
            for card, alias in self._alias_by_card.items()
            if card in cards.public_cards and alias not in self._disclosed_aliases
        }
        self._disclosed_aliases |= new.keys()
        self._old_alias_by_card |= {card: alias for card, alias in self._alias_by_card.items() if card not in known}
        self._alias_by_card = {card: alias for card, alias in self._alias_by_card.items() if card in known}
        return new

    def _hide_card(self, card: str, cards: CardKnowledge, at: object) -> object:
        if (
            card not in cards.deck_cards
            or card in cards.public_cards
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
        sealed = self._secret_box.encrypt(card.ljust(SEALED_CARD_LENGTH).encode("ascii"))
        return {"alias": alias, "sealed": base64.b64encode(bytes(sealed)).decode("ascii")}


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

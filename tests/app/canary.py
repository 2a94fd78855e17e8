"""Looks for canaries: a face or a tag of a card that nobody may know yet, in anything that leaves the process."""

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from controller.core.model.outcome import Outcome
from controller.core.values.cards import ALL_CARDS
from controller.core.values.piles import BOARD

FACE = re.compile(r"(?<![A-Za-z0-9])(10|[A23456789TJQK])([shdc♠♥♦♣])(?![A-Za-z0-9])")
JOINED = re.compile(r"(?<![A-Za-z0-9])(?:[A23456789TJQK][shdc]){2,}(?![A-Za-z0-9])")
SPOKEN = re.compile(r"\b(ace|deuce|two|three|four|five|six|seven|eight|nine|ten|jack|queen|king) of (\w+)s\b", re.I)

NAMES = "ace two three four five six seven eight nine ten jack queen king"
RANKS = dict(zip(NAMES.split(), "A23456789TJQK", strict=True))
SUITS = {"♠": "s", "♥": "h", "♦": "d", "♣": "c"}
BASE64 = re.compile(r"[A-Za-z0-9+/]{24,}={0,2}")
CARDS_ALONE = re.compile(r"(?:[A23456789TJQK][shdc][+/]?)+")
A_WORD = re.compile(r"\bAs(?= [a-z])")
""""As" is also a word."""


class LeakError(AssertionError):
    """A canary was seen outside."""


def faces_in(text: str) -> set[str]:
    """Every card that a text names, in any of the ways in which this program or a person would write one."""
    text = A_WORD.sub("", BASE64.sub(lambda run: run.group() if CARDS_ALONE.fullmatch(run.group()) else "", text))
    found = {f"{'T' if rank == '10' else rank}{SUITS.get(suit, suit)}" for rank, suit in FACE.findall(text)}
    for run in JOINED.findall(text):
        found |= {run[at : at + 2] for at in range(0, len(run), 2)}
    for rank, suit in SPOKEN.findall(text):
        found.add(RANKS.get({"deuce": "two"}.get(rank.lower(), rank.lower()), "") + suit[0].lower())
    return found & ALL_CARDS


def strings_in(value: object) -> Iterable[str]:
    """Every string of a value of JSON, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield str(key)
            yield from strings_in(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from strings_in(inner)


TAG = 10
"""Hex digits of a tag."""


def spellings(mark: str) -> list[bytes]:
    """The ways in which tags that begin with `mark` (hex) can be written: text, bytes, numbers, either end first."""
    raw = bytes.fromhex(mark)
    back = raw[::-1]
    least, most = str(int(mark.ljust(TAG, "0"), 16)), str(int(mark.ljust(TAG, "F"), 16))
    numbers = "".join(digit for at, digit in enumerate(least) if most.startswith(least[: at + 1]))
    text = [way.encode() for way in (mark, mark.lower(), back.hex(), back.hex().upper(), numbers)]
    spaced = [raw.hex(separator).encode() for separator in ":- "]
    return [raw, back, *text, *spaced, *(way.upper() for way in spaced)]


class Canaries:
    """What may not be seen now; `public` grows while the hand lives, and begins anew with the next."""

    def __init__(self, *marks: str) -> None:
        """`marks` are tags, or how all of them begin and nothing else does."""
        self._marks = [way for mark in marks for way in spellings(mark)]
        self.public: set[str] = set()
        self._hand = 0
        self.looked_at: dict[str, int] = {}
        """Edge -> how many bytes were looked at there."""
        self.leaks: list[LeakError] = []
        """What was seen, also where whoever called swallowed it, as the loop and the log do."""

    def follow(self, outcome: Outcome) -> None:
        """Take from the table's state what everybody at the table sees by now."""
        state = outcome.state
        if state.hand_count != self._hand:
            self._hand, self.public = state.hand_count, set()
        hand = state.hand
        if hand is None:
            return
        lying = [(place, one) for place, pile in hand.cards.piles.cards_by_place.items() for one in pile]
        self.public |= {one.card for place, one in lying if one.card is not None and (one.is_face_up or place == BOARD)}
        self.public |= {
            card for cards in hand.showdown.tabled_cards_by_seat.values() for card in cards or () if card is not None
        }
        if hand.openers.opener in hand.showdown.tabled_cards_by_seat:
            self.public |= {one.card for one in hand.openers.opener_cards if one.card is not None}

    def text(self, edge: str, text: str) -> None:
        """Look at text that leaves; raises `LeakError`, which names the edge and the canary."""
        self.raw(edge, text.encode())
        if leaked := faces_in(text) - self.public:
            self._leak(f"{edge}: {', '.join(sorted(leaked))} in {text[:300]!r}")

    def json(self, edge: str, text: str) -> None:
        """Look at JSON that leaves, each of its strings for itself."""
        self.raw(edge, text.encode())
        for string in strings_in(json.loads(text)):
            if leaked := faces_in(string) - self.public:
                self._leak(f"{edge}: {', '.join(sorted(leaked))} in {string[:300]!r}")

    def raw(self, edge: str, data: bytes) -> None:
        """Look at bytes that leave, for tags; faces are too short to be looked for in bytes that may be anything."""
        self.looked_at[edge] = self.looked_at.get(edge, 0) + len(data)
        for mark in self._marks:
            if (at := data.find(mark)) >= 0:
                self._leak(f"{edge}: a tag, {mark!r}, at byte {at} of {len(data)}")

    def files(self, directory: Path, *, but: Iterable[str] = ()) -> None:
        """Look at every byte of every file of a directory: for tags, and for faces as JSON writes them."""
        quoted = re.compile(b"|".join(b'"%s"' % card.encode() for card in sorted(ALL_CARDS - self.public)))
        for path in sorted(directory.rglob("*")):
            if path.is_file() and path.name not in but:
                data = path.read_bytes()
                self.raw(f"file {path.suffix}", data)
                if quoted.search(data) and not self._is_publicly_known(path):
                    self._leak(f"{path.name} holds a face in clear")

    def _leak(self, what: str) -> None:
        leak = LeakError(what)
        self.leaks.append(leak)
        raise leak

    def _is_publicly_known(self, path: Path) -> bool:
        """Faces of earlier hands are disclosed: `records` has looked at those one by one."""
        return path.name.startswith("journal") and not path.name.endswith(".sqlite-shm")

    def record(self, kind: str, body: Any) -> None:  # noqa: ANN401 - whatever a record holds
        """Look at a record of the journal as it is written."""
        self.json(f"journal {kind}", body if isinstance(body, str) else json.dumps(body, ensure_ascii=False))

"""Each page shows what the table says, and no page names a card that lies face down.

Which cards lie face down is the world's own knowledge: what left the shoe, as the plan had it when it left. A name may
come up first with an entry by which everybody learns it (docs/known-cards.md), or because somebody said it.
"""

import json
import re
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.evenings.oracles.standing import (
    HandWatch,
    Line,
    Page,
    find_word,
    find_words,
    get_first_step,
    get_line,
    is_set_up_anew,
    list_open_cards,
)
from tests.evenings.seen import Evening, Seen

CARD = re.compile(r"\b(?:[2-9TJQK][shdc]|A[hdc]|As(?! [a-z]))\b")
"""A card's name in any text; the word *As* that begins a sentence is none."""
LONG = re.compile(r"[A-Za-z0-9+/=]{40,}")
"""Seals, keys and chains: what looks like a card in one of them is chance."""

TELLING = ("show", "floor", "seen", "done", "won", "muck", "closed")
"""Words with which everybody may learn cards: a hand that is turned up, alone or as all are, a card at an antenna."""

LASTING = ("rulings", "remedy", "notices", "refusal", "staff")
"""What a page keeps of hands before, whose cards were others."""

SHOWN_KEYS = ("entry", "hand", "phase", "street", "lamps", "gate", "board", "piles", "floor_called")
STEP_WORDS = ("text", "short")
STAFF_ROLES = ("floor-read", "room", "uplink")


class DisclosureOracle:
    """Knows which cards lie face down, and reads every page for their names."""

    name = "disclosure"

    def __init__(self) -> None:
        self.watch = HandWatch()
        self.hidden: set[str] = set()
        """Cards that left the shoe face down in this hand and that nobody has seen."""
        self.held: dict[str, set[str]] = {}
        """Cards by the seat that got them, as long as the hand is regular."""
        self.open_hands: set[str] = set()
        """Seats that turned their hands up: what comes to an open hand lies open when the last card is out."""
        self.said: set[str] = set()
        """Names that somebody has said in this hand."""
        self.old: set[str] = set()
        """Names that rulings and notices of hands before have on the page still."""
        self.hidden_at: dict[int, frozenset[str]] = {}
        """What lay face down after each entry of the journal, by its number."""
        self.loose_at: set[int] = set()
        """Entries that turned up cards which had been moved about before: which ones, the journal alone says."""

    def look(self, seen: Seen) -> Iterator[str]:
        """Follow the cards of an entry, then read what everybody has of it."""
        self._follow(seen)
        told = self._read(seen.after) if seen.after else set()
        self._learn(seen, told)
        yield from (f"the floor's page names {card}, which lies face down" for card in sorted(told & self.hidden))
        answered = read_cards(seen.answer) & self.hidden
        yield from (f"the answer names {card}, which lies face down" for card in sorted(answered))
        for role, page in seen.pages.items():
            named = self._read(page) & self.hidden
            yield from (f"the page of {role} names {card}, which lies face down" for card in sorted(named))
            yield from compare_pages(role, seen.after, page)
        if seen.room:
            named = (read_cards(seen.room) - self.old) & self.hidden
            yield from (f"the room names {card}, which lies face down" for card in sorted(named))
            yield from compare_room(seen.after, seen.room)
        if seen.after:
            self.hidden_at[seen.after["entry"]] = frozenset(self.hidden)

    def end(self, evening: Evening) -> Iterator[str]:
        """Read the journal's files: no record names a card that lay face down when it was written."""
        hidden: frozenset[str] = frozenset()
        known: set[str] = set()
        number = 0
        for kind, body in iter_records(evening.journal):
            if kind == "entry":
                number = body["entry"]
                hidden = self.hidden_at.get(number, frozenset())
                known &= hidden
            if kind == "session":
                continue
            named = read_cards({key: value for key, value in body.items() if key != "result"}) & hidden
            if kind == "disclosed" and number in self.loose_at:
                known |= named
            for card in sorted(named - known):
                yield f"record {kind} names {card}, which lay face down after entry {number}"

    def _read(self, page: Page) -> set[str]:
        """The cards that a page names; those of hands before not where such things stand."""
        told = read_cards(page)
        if told & self.old:
            told = (told - self.old) | read_cards({key: value for key, value in page.items() if key not in LASTING})
        return told

    def _follow(self, seen: Seen) -> None:
        word = find_word(seen)
        if is_set_up_anew(seen) or (word == "start" and seen.taken):
            self.hidden.clear()
            self.held.clear()
            self.open_hands.clear()
            self.said.clear()
            self.old = read_cards({key: seen.after[key] for key in LASTING if key in seen.after})
        self.watch.follow(seen)
        if seen.way != "device":
            self.said |= read_cards({"words": find_words(seen)})
            self.hidden -= self.said
        card = seen.entry.get("card")
        if word != "card" or not isinstance(card, str) or not seen.taken:
            return
        step = get_first_step(get_line(seen.before))
        is_open = step.get("step") == "board" or step.get("face") == "up" or seen.entry.get("face") == "up"
        if not is_open and card not in self.said:
            self.hidden.add(card)
            if "seat" in step:
                self.held.setdefault(str(step["seat"]), set()).add(card)

    def _learn(self, seen: Seen, told: set[str]) -> None:
        """Everybody sees what lies open, and learns what an entry turns up."""
        self.hidden -= set(list_open_cards(get_line(seen.after)))
        if get_line(seen.after).get("phase") == "showdown":
            self._see_open_hands()
        words = {str(line.get("ev", "")) for line in find_words(seen)}
        if not seen.taken or not words & set(TELLING):
            return
        if seen.after:
            self.loose_at.add(seen.after["entry"])
        self.open_hands |= {str(line.get("seat")) for line in find_words(seen) if line.get("ev") == "show"}
        self._see_open_hands()
        if words <= {"show", "muck", "won"} and self.watch.is_regular:
            self.loose_at.discard(seen.after["entry"])
            return
        self.hidden -= told

    def _see_open_hands(self) -> None:
        for seat in self.open_hands:
            self.hidden -= self.held.get(seat, set())


def read_cards(told: Mapping[str, Any]) -> set[str]:
    """Every card that is named anywhere in a value of JSON."""
    return set(CARD.findall(json.dumps(told, ensure_ascii=False, default=str)))


def iter_records(journal: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The records of a journal's file, and of the file beside it that has the newest, in order and without seals."""
    found: dict[int, tuple[str, str]] = {}
    for path in (*sorted(journal.parent.glob(f"{journal.stem}-*.sqlite")), journal):
        if path.exists():
            with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as base:
                rows = base.execute("SELECT number, kind, body FROM record")
                found |= {number: (kind, body) for number, kind, body in rows}
    tail = journal.with_suffix(".tail")
    if tail.exists():
        for text in tail.read_bytes().split(b"\n"):
            found |= _read_tail_line(text)
    for number in sorted(found):
        kind, body = found[number]
        yield kind, json.loads(LONG.sub("", body))


def _read_tail_line(text: bytes) -> dict[int, tuple[str, str]]:
    """A record of the tail; nothing where the line is blank or of an earlier use of the file."""
    try:
        record = json.loads(text)
        return {int(record["number"]): (str(record["kind"]), json.dumps(record["body"]))}
    except (ValueError, KeyError, TypeError):
        return {}


def compare_pages(role: str, floor: Page, page: Page) -> Iterator[str]:
    """Say where a page shows another table than the floor's does, as far as both show one entry."""
    if not floor or not page or page.get("entry") != floor.get("entry"):
        return
    line, shown = get_line(floor), page if "table" not in page else {**page, **get_line(page)}
    wanted = {**line, "entry": floor["entry"], "floor_called": floor.get("floor_called")}
    for key in SHOWN_KEYS:
        if key in wanted and shown.get(key) != wanted[key]:
            yield f"the page of {role} has {key} {shown.get(key)}, and the floor's {wanted[key]}"
    if _without_words(shown) != _without_words(line):
        yield f"the page of {role} asks for {_without_words(shown)[:2]}, and the floor's for {_without_words(line)[:2]}"
    if shown.get("pots", []) != line.get("pots", []):
        yield f"the page of {role} has the pots {shown.get('pots')}, and the floor's {line.get('pots')}"
    rulings = [_select_ruling(ruling) for ruling in page.get("rulings") or ()]
    if rulings != [_select_ruling(ruling) for ruling in floor.get("rulings") or ()]:
        yield f"the page of {role} has other rulings: {rulings}"
    if "table" not in page:
        yield from _compare_seats(role, floor, page)
        yield from _look_at_staff(role, page)


def compare_room(floor: Page, room: Mapping[str, Any]) -> Iterator[str]:
    """Say where the room's floor shows another table, as far as it shows the same entry."""
    line = get_line(floor)
    if not line or room.get("entry") != floor["entry"] or room.get("is_behind"):
        return
    wanted = {
        "hand": line.get("hand"),
        "phase": line.get("phase"),
        "street": line.get("street") or "",
        "pot": sum(pot["amount"] for pot in line.get("pots", ())),
        "called": bool(floor.get("floor_called")),
    }
    for key, value in wanted.items():
        if key in room and (room[key] or type(value)()) != value:
            yield f"the room shows {key} {room[key]}, and the floor's page {value}"


def _without_words(line: Line) -> list[dict[str, Any]]:
    return [{key: value for key, value in step.items() if key not in STEP_WORDS} for step in line.get("next") or ()]


def _select_ruling(ruling: Mapping[str, Any]) -> tuple[object, ...]:
    return tuple(
        ruling.get(key) if key != "cite" else tuple(ruling.get(key) or ())
        for key in ("finding", "verdict", "seat", "cite")
    )


def _compare_seats(role: str, floor: Page, table: Page) -> Iterator[str]:
    line, players = get_line(floor), floor.get("players") or {}
    seats = {str(seat["seat"]): seat for seat in table.get("seats") or ()}
    if set(seats) != set(players):
        yield f"the page of {role} has players at {sorted(seats)}, and the floor's at {sorted(players)}"
        return
    for number, seat in seats.items():
        wanted: dict[str, Any] = {
            "player": players[number].get("player"),
            "away": bool(players[number].get("away")),
            "waits": bool(players[number].get("waits")),
            "cards": line.get("piles", {}).get("seats", {}).get(number, 0),
        }
        if "stacks" in line:
            wanted |= {"stack": line["stacks"].get(number, 0), "bet": line.get("bets", {}).get(number, 0)}
        if number in (line.get("up") or {}):
            wanted["up"] = line["up"][number]
        for key, value in wanted.items():
            if seat.get(key) != value:
                yield f"the page of {role} has {key} {seat.get(key)} at seat {number}, and the floor's {value}"


def _look_at_staff(role: str, page: Page) -> Iterator[str]:
    if role not in STAFF_ROLES:
        if "staff" in page:
            yield f"the page of {role} tells what is for the staff"
        if any("text" in fault for fault in page.get("faults") or ()):
            yield f"the page of {role} tells a fault in full"

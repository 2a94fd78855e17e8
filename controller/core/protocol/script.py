"""Lines of the table script and the events that they stand for, both ways (`docs/table-script.md`, section 1).

`table` is not among them: it needs the rulebook and the game looked up, see `config.setup`.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from enum import Enum
from math import isfinite
from typing import Any

from controller.core.protocol import events
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Event
from controller.core.values.cards import CARDS, JOKER, RANKS, SUITS

CLASSES: dict[str, type] = {name: kind for kind, name in events.NAMES.items() if kind is not events.Opened}
WORDS = ("table", *CLASSES)

Reader = Callable[[str, object], Any]


def read(line: Mapping[str, Any]) -> Event:
    """The event of a line other than `table`; raises `Refused` with what would have been accepted."""
    word = line.get("ev")
    if not isinstance(word, str) or word not in CLASSES:
        raise Refused("unknown-event", f"`ev` cannot be {word!r}; it may be {', '.join(WORDS)}.")
    keys = KEYS[word]
    values: dict[str, Any] = {}
    for key, value in line.items():
        if key in ("ev", "note"):
            continue
        if key not in keys:
            raise Refused("unknown-key", f"`{word}` has no key `{key}`; it may have {', '.join((*keys, 'note'))}.")
        field, reader = keys[key]
        values[field] = reader(key, value)
    for key, (field, _) in keys.items():
        if field not in values and field in NEEDED[word]:
            raise Refused("key-missing", f"`{word}` needs the key `{key}`; its keys are {', '.join(keys)}.")
    event: Event = CLASSES[word](**values)
    return event


def write(event: Event) -> dict[str, Any]:
    """The line of an event; what `read` takes for granted is left out."""
    word = events.NAMES[type(event)]
    line: dict[str, Any] = {"ev": word}
    for key, (field, _) in KEYS[word].items():
        value = getattr(event, field)
        if field not in NEEDED[word] and value == DEFAULTS[word].get(field):
            continue
        line[key] = _plain(key, value)
    return line


def _plain(key: str, value: object) -> object:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return list(value)
    if key == "face":
        return "up" if value else "down"
    return value


def card(key: str, value: object) -> str:
    """A card's name."""
    if not isinstance(value, str) or value not in CARDS:
        ranks, suits = "".join(reversed(RANKS)), "".join(reversed(SUITS))
        raise Refused(
            "value", f"`{key}` cannot be {value!r}; a card is one of {ranks} and one of {suits}, or {JOKER!r}."
        )
    return value


def _card_or_none(key: str, value: object) -> str | None:
    return None if value is None else card(key, value)


def _cards(key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise Refused("value", f"`{key}` is a list of cards.")
    return tuple(card(key, entry) for entry in value)


def _face(key: str, value: object) -> bool:
    if value not in ("up", "down"):
        raise Refused("value", f"`{key}` cannot be {value!r}; it may be up, down.")
    return value == "up"


def _whole(low: int) -> Reader:
    def read_whole(key: str, value: object) -> int:
        if type(value) is not int or value < low:
            raise Refused("value", f"`{key}` cannot be {value!r}; it is a whole number from {low}.")
        return value

    return read_whole


def _flag(key: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise Refused("value", f"`{key}` cannot be {value!r}; it is true or false.")
    return value


def _text(key: str, value: object) -> str:
    """A text that a file can keep and that does nothing to a terminal: JSON can say half a sign, and an escape."""
    if not isinstance(value, str):
        raise Refused("value", f"`{key}` cannot be {value!r}; it is a text.")
    if not value.isprintable():
        raise Refused("value", f"`{key}` cannot be {value!r}; it is a text of whole, printable signs.")
    return value


def _seconds(key: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value) or value < 0:
        raise Refused("value", f"`{key}` cannot be {value!r}; it is a number of seconds from 0.")
    return float(value)


def _member(kind: type[Enum]) -> Reader:
    accepted = {member.value: member for member in kind}

    def read_member(key: str, value: object) -> Enum:
        if not isinstance(value, str) or value not in accepted:
            raise Refused("value", f"`{key}` cannot be {value!r}; it may be {', '.join(accepted)}.")
        return accepted[value]

    return read_member


def _place(key: str, value: object) -> str:
    if isinstance(value, str):
        if value in ("board", "muck"):
            return value
        word, _, number = value.partition(" ")
        if word == "seat" and number.isdecimal() and int(number) > 0 and number == str(int(number)):
            return value
    raise Refused("value", f"`{key}` cannot be {value!r}; it may be seat N, board, muck.")


READERS: dict[str, Reader] = {
    "t": _seconds,
    "seat": _whole(1),
    "to": _whole(0),
    "pot": _whole(0),
    "board": _whole(1),
    "discard": _whole(0),
    "stack": _whole(0),
    "nth": _whole(1),
    "count": _whole(1),
    "full": _flag,
    "foreign": _flag,
    "post": _flag,
    "kill": _flag,
    "moved": _flag,
    "needed": _flag,
    "over": _flag,
    "due": _flag,
    "chip": _whole(1),
    "chips": _whole(1),
    "new": _whole(1),
    "came_from": _whole(1),
    "player": _text,
    "who": _text,
    "why": _text,
    "id": _text,
    "at": _place,
    "face_up": _face,
    "cards": _cards,
    "do": _member(events.Do),
    "what": _member(events.What),
    "by": _member(events.By),
    "where": _member(events.Where),
    "hand": _member(events.Which),
    "decide": _member(events.Decide),
    "status": _member(events.Status),
    "set": _member(events.Set),
}
SCRIPT_NAMES = {"face_up": "face", "came_from": "from", "new": "to"}


def _keys(kind: type) -> dict[str, tuple[str, Reader]]:
    """Key of the script -> (field of the event, how to read it)."""
    found: dict[str, tuple[str, Reader]] = {}
    for field in fields(kind):
        reader = READERS.get(field.name, card)
        if field.name == "card" and kind is events.Card:
            reader = _card_or_none
        found[SCRIPT_NAMES.get(field.name, field.name)] = (field.name, reader)
    return found


KEYS = {word: _keys(kind) for word, kind in CLASSES.items()}
NEEDED = {
    word: frozenset(field.name for field in fields(kind) if field.default is MISSING) for word, kind in CLASSES.items()
}
DEFAULTS = {
    word: {field.name: field.default for field in fields(kind) if field.default is not MISSING}
    for word, kind in CLASSES.items()
}

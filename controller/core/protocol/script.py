"""Lines of the table script and the events that they stand for, both ways (`docs/table-script.md`, section 1).

`table` is not among them: it needs the rulebook and the game looked up, see `config.setup`.
"""

from collections.abc import Callable, Mapping
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

from controller.core.protocol import events, vocabulary
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Event
from controller.core.protocol.script_keys import LINE_KEYS
from controller.core.values.cards import CARDS, JOKER, RANKS, SUITS
from controller.core.values.value import FieldInfo, fields

CLASSES: dict[str, type[Event]] = {name: kind for kind, name in events.NAMES.items()}
WORDS = ("table", *CLASSES)

MOST_CHIPS = 100
"""So many chips, or meanings, a line may hold."""
SPOKEN = ("fold", "check", "call", "bet", "raise", "all-in", "pot")
"""Words that may be said with a wager."""

Reader = Callable[[str, object], Any]

LARGEST = 10**15
"""The largest number that a line may hold: every reader of JSON keeps it whole, and its sums too."""


def read(line: Mapping[str, Any]) -> Event:
    """The event of a line other than `table`; raises `Refused` with what would have been accepted."""
    word = line.get("ev")
    if not isinstance(word, str) or word not in CLASSES:
        raise Refused("unknown-event", f"`ev` cannot be {word!r}; it may be {', '.join(WORDS)}.")
    kind = events.Motion if word == "act" and not MOTION.isdisjoint(line) else CLASSES[word]
    keys = KEYS[kind]
    values: dict[str, Any] = {}
    for key, value in line.items():
        known = keys.get(key)
        if known is not None:
            field, reader = known
            values[field] = reader(key, value)
        elif key not in ("ev", "note"):
            raise Refused("unknown-key", f"`{word}` has no key `{key}`; it may have {', '.join((*keys, 'note'))}.")
    if missing := NEEDED[kind].difference(values):
        key = next(key for key, (field, _) in keys.items() if field in missing)
        raise Refused("key-missing", f"`{word}` needs the key `{key}`; its keys are {', '.join(keys)}.")
    event: Event = kind(**values)
    if isinstance(event, events.Report):
        _all_used(event.what, line)
    return event


def _all_used(what: vocabulary.What, line: Mapping[str, Any]) -> None:
    """Refuse a key that a report knows but that this one does not use: somebody meant something by it."""
    used = vocabulary.USES[what]
    unused = next((key for key in line if key not in ("ev", "note", "what", "t", "witnessed", *used)), None)
    if unused is not None:
        may = ", ".join(("what", *used, "note"))
        raise Refused("unused-key", f"a report of `{what.value}` does not use `{unused}`; it may have {may}.")


def write(event: Event) -> dict[str, Any]:
    """The line of an event; what `read` takes for granted is left out."""
    word = events.NAMES[type(event)]
    line: dict[str, Any] = {"ev": word}
    kind = type(event)
    for key, (field, _) in KEYS[kind].items():
        value = getattr(event, field)
        if field not in NEEDED[kind] and value == DEFAULTS[kind].get(field) and (kind, key) not in ALWAYS:
            continue
        line[key] = _plain(key, value)
    return line


def _plain(key: str, value: object) -> object:
    if isinstance(value, Enum):
        return value.value
    if key == "said" and isinstance(value, tuple) and len(value) == 1:
        return value[0]
    if isinstance(value, tuple):
        return [_plain(key, each) for each in value]
    if isinstance(value, events.Change):
        place = {"line": value.line} if value.before is None else {"before": value.before}
        return {**place, "to": _plain(key, value.to)}
    if isinstance(value, events.Timed):
        return write(value)  # type: ignore[arg-type]
    if key == "face":
        return "up" if value else "down"
    return value


def card(key: str, value: object) -> str:
    """A card's name; raises `Refused` (`value`)."""
    if not isinstance(value, str) or value not in CARDS:
        ranks, suits = "".join(reversed(RANKS)), "".join(reversed(SUITS))
        raise Refused(
            "value", f"`{key}` cannot be {value!r}; a card is one of {ranks} and one of {suits}, or {JOKER!r}."
        )
    return value


def _or_null(reader: Reader) -> Reader:
    return lambda key, value: None if value is None else reader(key, value)


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
        if type(value) is not int or not low <= value <= LARGEST:
            raise Refused("value", f"`{key}` cannot be {value!r}; it is a whole number from {low} to {LARGEST}.")
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
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= LARGEST:
        raise Refused("value", f"`{key}` cannot be {value!r}; it is a number of seconds from 0.")
    return float(value)


def _member(kind: type[Enum]) -> Reader:
    accepted = {member.value: member for member in kind}

    def read_member(key: str, value: object) -> Enum:
        if not isinstance(value, str) or value not in accepted:
            raise Refused("value", f"`{key}` cannot be {value!r}; it may be {', '.join(accepted)}.")
        return accepted[value]

    return read_member


def _line(key: str, value: object) -> Event | None:
    """A line within a line: what an entry should have been."""
    if value is None:
        return None
    if not isinstance(value, dict):
        raise Refused("value", f"`{key}` is a whole line, or null.")
    if value.get("ev") == "table":
        raise Refused("amend-too-late", f"`{key}` cannot be a line `table`: what the table began with stands.")
    if value.get("ev") in ("undo", "amend"):
        raise Refused("value", f"`{key}` cannot be a line `{value['ev']}`: it is an entry that is played again.")
    return read(value)


def _changes(key: str, value: object) -> tuple[events.Change, ...]:
    if not isinstance(value, list):
        raise Refused("value", f"`{key}` is a list of changes, each with `line` or `before`, and `to`.")
    return tuple(_change(key, each) for each in value)


def _change(key: str, value: object) -> events.Change:
    known = ("line", "before", "to", "note")
    if not isinstance(value, dict) or "to" not in value:
        raise Refused("value", f"`{key}` is a list of changes, each with `line` or `before`, and `to`.")
    for each in value:
        if each not in known:
            raise Refused("unknown-key", f"a change in `{key}` has no key `{each}`; it may have {', '.join(known)}.")
    number = _whole(1)
    line, before = (number(each, value[each]) if each in value else None for each in ("line", "before"))
    return events.Change(_line("to", value["to"]), line=line, before=before)  # type: ignore[arg-type]


def _lines(key: str, value: object) -> tuple[int, ...]:
    if not isinstance(value, list):
        raise Refused("value", f"`{key}` is a list of numbers of lines.")
    return tuple(_whole(1)(key, each) for each in value)


def _chips(key: str, value: object) -> tuple[int, ...]:
    if not isinstance(value, list) or len(value) > MOST_CHIPS:
        raise Refused("value", f"`{key}` is a list of the values of chips, at most {MOST_CHIPS}.")
    return tuple(_whole(1)(key, each) for each in value)


def _said(key: str, value: object) -> tuple[str | int, ...]:
    if isinstance(value, str) and value in SPOKEN:
        return (value,)
    amounts = value if isinstance(value, list) else [value]
    if not amounts or len(amounts) > MOST_CHIPS or any(type(each) is not int or each < 1 for each in amounts):
        raise Refused(
            "value", f"`{key}` cannot be {value!r}; it may be {', '.join(SPOKEN)}, an amount, or a list of amounts."
        )
    return tuple(_whole(1)(key, each) for each in amounts)


def _place(key: str, value: object) -> str:
    if isinstance(value, str):
        if value in ("board", "muck"):
            return value
        word, _, number = value.partition(" ")
        if word == "seat" and number.isdecimal() and int(number) > 0 and number == str(int(number)):
            return value
    raise Refused("value", f"`{key}` cannot be {value!r}; it may be seat N, board, muck.")


READERS: dict[object, Reader] = {
    float: _seconds,
    int: _whole(0),
    bool: _flag,
    str: _text,
    vocabulary.CardName: card,
    vocabulary.PlaceName: _place,
    vocabulary.FromOne: _whole(1),
    vocabulary.FaceUp: _face,
    tuple[vocabulary.CardName, ...]: _cards,
    tuple[vocabulary.FromOne, ...]: _lines,
    tuple[events.Change, ...]: _changes,
    events.Corrected: _line,
    events.Chips: _chips,
    events.Spoken: _said,
}
"""How a value of a key is read, by the annotation of the field that it fills; a choice is read by its enum."""


def reader_of(field: FieldInfo) -> Reader:
    """How the key of an event's field is read, by its annotation; raises `TypeError` where nothing says it.

    `null` is a value of its own only where a field must be given: elsewhere the key is left out instead.

    Raises `Refused` (`value`).
    """
    annotation: Any = field.type
    nullable = get_origin(annotation) in (Union, UnionType) and NoneType in get_args(annotation)
    if nullable:
        (annotation,) = (kind for kind in get_args(annotation) if kind is not NoneType)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        reader = _member(annotation)
    elif annotation in READERS:
        reader = READERS[annotation]
    else:
        raise TypeError(f"no reader for {annotation!r}, the annotation of `{field.name}`; add one to READERS")
    return _or_null(reader) if nullable and field.required else reader


FIELDS: dict[type[Event], list[FieldInfo]] = {kind: list(fields(kind)) for kind in events.NAMES}
TIME = "t"
"""Both the key and the field of an event's time."""


def _keys(kind: type[Event]) -> dict[str, tuple[str, Reader]]:
    """Key of the script -> (field of the event, how to read it); raises `ValueError` where one has no key."""
    (time,) = (field for field in FIELDS[kind] if field.name == TIME)
    own = [field for field in FIELDS[kind] if field.name != TIME]
    keyed = [(TIME, time), *zip(LINE_KEYS[kind], own, strict=True)]
    return {key: (field.name, reader_of(field)) for key, field in keyed}


KEYS = {kind: _keys(kind) for kind in events.NAMES}
NEEDED = {kind: frozenset(field.name for field in known if field.required) for kind, known in FIELDS.items()}
DEFAULTS = {
    kind: {field.name: field.default for field in known if not field.required} for kind, known in FIELDS.items()
}
MOTION = frozenset({"chips", "said"})
"""Keys of an `act` that tell what a seat pushed out and said, and leave it to the book what that comes to."""
ALWAYS = frozenset({(events.Motion, "chips")})
"""Keys that are written whatever they hold: without them the line would be another one."""

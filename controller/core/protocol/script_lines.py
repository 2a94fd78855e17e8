"""Lines of the table script and the events that they stand for, both ways (`docs/table-script.md`, section 1).

`table` is not among them: it needs the rulebook and the game looked up, see `config.table_line`.
"""

from collections.abc import Callable, Mapping
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

from controller.core.protocol import events, vocabulary
from controller.core.protocol.events import Event
from controller.core.protocol.script_keys import LINE_KEYS
from controller.core.protocol.table_error import Refused
from controller.core.values.cards import ALL_CARDS, JOKER, RANKS, SUITS
from controller.core.values.value import FieldInfo, fields

EVENT_CLASS_BY_NAME: dict[str, type[Event]] = {name: kind for kind, name in events.EVENT_NAME_BY_CLASS.items()}
LINE_NAMES = ("table", *EVENT_CLASS_BY_NAME)

MAX_CHIPS = 100
"""So many chips, or meanings, a line may hold."""
SPOKEN_WORDS = ("fold", "check", "call", "bet", "raise", "all-in", "pot")
"""Words that may be said with a wager."""

ValueReader = Callable[[str, object], Any]

MAX_NUMBER = 10**15
"""The largest number that a line may hold: every reader of JSON keeps it whole, and its sums too."""


def parse_line(line: Mapping[str, Any]) -> Event:
    """The event of a line other than `table`; raises `Refused` with what would have been accepted."""
    word = line.get("ev")
    if not isinstance(word, str) or word not in EVENT_CLASS_BY_NAME:
        raise Refused("unknown-event", f"`ev` cannot be {word!r}; it may be {', '.join(LINE_NAMES)}.")
    kind = events.ChipMotion if word == "act" and not MOTION_KEYS.isdisjoint(line) else EVENT_CLASS_BY_NAME[word]
    keys = FIELDS_BY_KEY_BY_CLASS[kind]
    values: dict[str, Any] = {}
    for key, value in line.items():
        known = keys.get(key)
        if known is not None:
            field, reader = known
            values[field] = reader(key, value)
        elif key not in ("ev", "note"):
            raise Refused("unknown-key", f"`{word}` has no key `{key}`; it may have {', '.join((*keys, 'note'))}.")
    if missing := REQUIRED_FIELDS_BY_CLASS[kind].difference(values):
        key = next(key for key, (field, _) in keys.items() if field in missing)
        raise Refused("key-missing", f"`{word}` needs the key `{key}`; its keys are {', '.join(keys)}.")
    event: Event = kind(**values)
    if isinstance(event, events.Report):
        _refuse_unused_keys(event.kind, line)
    return event


def _refuse_unused_keys(what: vocabulary.ReportKind, line: Mapping[str, Any]) -> None:
    """Refuse a key that a report knows but that this one does not use: somebody meant something by it."""
    used = what.terms.keys
    unused = next((key for key in line if key not in ("ev", "note", "what", "t", "witnessed", *used)), None)
    if unused is not None:
        may = ", ".join(("what", *used, "note"))
        raise Refused("unused-key", f"a report of `{what.value}` does not use `{unused}`; it may have {may}.")


def format_line(event: Event) -> dict[str, Any]:
    """The line of an event; what `parse_line` takes for granted is left out."""
    word = events.EVENT_NAME_BY_CLASS[type(event)]
    line: dict[str, Any] = {"ev": word}
    kind = type(event)
    for key, (field, _) in FIELDS_BY_KEY_BY_CLASS[kind].items():
        value = getattr(event, field)
        if (
            field not in REQUIRED_FIELDS_BY_CLASS[kind]
            and value == DEFAULTS_BY_CLASS[kind].get(field)
            and (kind, key) not in ALWAYS_WRITTEN_KEYS
        ):
            continue
        line[key] = _to_json_value(key, value)
    return line


def _to_json_value(key: str, value: object) -> object:
    if isinstance(value, Enum):
        return value.value
    if key == "said" and isinstance(value, tuple) and len(value) == 1:
        return value[0]
    if isinstance(value, tuple):
        return [_to_json_value(key, each) for each in value]
    if isinstance(value, events.EntryChange):
        place = {"line": value.line} if value.before_line is None else {"before": value.before_line}
        return {**place, "to": _to_json_value(key, value.corrected)}
    if isinstance(value, events.TimedEvent):
        return format_line(value)  # type: ignore[arg-type]
    if key == "face":
        return "up" if value else "down"
    return value


def parse_card(key: str, value: object) -> str:
    """A card's name; raises `Refused` (`value`)."""
    if not isinstance(value, str) or value not in ALL_CARDS:
        ranks, suits = "".join(reversed(RANKS)), "".join(reversed(SUITS))
        raise Refused(
            "value", f"`{key}` cannot be {value!r}; a card is one of {ranks} and one of {suits}, or {JOKER!r}."
        )
    return value


def _allow_null(reader: ValueReader) -> ValueReader:
    return lambda key, value: None if value is None else reader(key, value)


def _parse_cards(key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise Refused("value", f"`{key}` is a list of cards.")
    return tuple(parse_card(key, entry) for entry in value)


def _parse_face(key: str, value: object) -> bool:
    if value not in ("up", "down"):
        raise Refused("value", f"`{key}` cannot be {value!r}; it may be up, down.")
    return value == "up"


def _make_whole_reader(low: int) -> ValueReader:
    def read_whole(key: str, value: object) -> int:
        if type(value) is not int or not low <= value <= MAX_NUMBER:
            raise Refused("value", f"`{key}` cannot be {value!r}; it is a whole number from {low} to {MAX_NUMBER}.")
        return value

    return read_whole


def _parse_flag(key: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise Refused("value", f"`{key}` cannot be {value!r}; it is true or false.")
    return value


def _parse_text(key: str, value: object) -> str:
    """A text that a file can keep and that does nothing to a terminal: JSON can say half a sign, and an escape."""
    if not isinstance(value, str):
        raise Refused("value", f"`{key}` cannot be {value!r}; it is a text.")
    if not value.isprintable():
        raise Refused("value", f"`{key}` cannot be {value!r}; it is a text of whole, printable signs.")
    return value


def _parse_seconds(key: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MAX_NUMBER:
        raise Refused("value", f"`{key}` cannot be {value!r}; it is a number of seconds from 0.")
    return float(value)


def _make_member_reader(kind: type[Enum]) -> ValueReader:
    accepted = {member.value: member for member in kind}

    def read_member(key: str, value: object) -> Enum:
        if not isinstance(value, str) or value not in accepted:
            raise Refused("value", f"`{key}` cannot be {value!r}; it may be {', '.join(accepted)}.")
        return accepted[value]

    return read_member


def _parse_inner_line(key: str, value: object) -> Event | None:
    """A line within a line: what an entry should have been."""
    if value is None:
        return None
    if not isinstance(value, dict):
        raise Refused("value", f"`{key}` is a whole line, or null.")
    if value.get("ev") == "table":
        raise Refused("amend-too-late", f"`{key}` cannot be a line `table`: what the table began with stands.")
    if value.get("ev") in ("undo", "amend"):
        raise Refused("value", f"`{key}` cannot be a line `{value['ev']}`: it is an entry that is played again.")
    return parse_line(value)


def _parse_changes(key: str, value: object) -> tuple[events.EntryChange, ...]:
    if not isinstance(value, list):
        raise Refused("value", f"`{key}` is a list of changes, each with `line` or `before`, and `to`.")
    return tuple(_parse_change(key, each) for each in value)


def _parse_change(key: str, value: object) -> events.EntryChange:
    known = ("line", "before", "to", "note")
    if not isinstance(value, dict) or "to" not in value:
        raise Refused("value", f"`{key}` is a list of changes, each with `line` or `before`, and `to`.")
    for each in value:
        if each not in known:
            raise Refused("unknown-key", f"a change in `{key}` has no key `{each}`; it may have {', '.join(known)}.")
    number = _make_whole_reader(1)
    line, before = (number(each, value[each]) if each in value else None for each in ("line", "before"))
    return events.EntryChange(_parse_inner_line("to", value["to"]), line=line, before_line=before)  # type: ignore[arg-type]


def _parse_line_numbers(key: str, value: object) -> tuple[int, ...]:
    if not isinstance(value, list):
        raise Refused("value", f"`{key}` is a list of numbers of lines.")
    return tuple(_make_whole_reader(1)(key, each) for each in value)


def _parse_chips(key: str, value: object) -> tuple[int, ...]:
    if not isinstance(value, list) or len(value) > MAX_CHIPS:
        raise Refused("value", f"`{key}` is a list of the values of chips, at most {MAX_CHIPS}.")
    return tuple(_make_whole_reader(1)(key, each) for each in value)


def _parse_spoken(key: str, value: object) -> tuple[str | int, ...]:
    if isinstance(value, str) and value in SPOKEN_WORDS:
        return (value,)
    amounts = value if isinstance(value, list) else [value]
    if not amounts or len(amounts) > MAX_CHIPS or any(type(each) is not int or each < 1 for each in amounts):
        raise Refused(
            "value",
            f"`{key}` cannot be {value!r}; it may be {', '.join(SPOKEN_WORDS)}, an amount, or a list of amounts.",
        )
    return tuple(_make_whole_reader(1)(key, each) for each in amounts)


def _parse_place(key: str, value: object) -> str:
    if isinstance(value, str):
        if value in ("board", "muck"):
            return value
        word, _, number = value.partition(" ")
        if word == "seat" and number.isdecimal() and int(number) > 0 and number == str(int(number)):
            return value
    raise Refused("value", f"`{key}` cannot be {value!r}; it may be seat N, board, muck.")


READER_BY_ANNOTATION: dict[object, ValueReader] = {
    float: _parse_seconds,
    int: _make_whole_reader(0),
    bool: _parse_flag,
    str: _parse_text,
    vocabulary.CardName: parse_card,
    vocabulary.PlaceName: _parse_place,
    vocabulary.PositiveInt: _make_whole_reader(1),
    vocabulary.FaceUpFlag: _parse_face,
    tuple[vocabulary.CardName, ...]: _parse_cards,
    tuple[vocabulary.PositiveInt, ...]: _parse_line_numbers,
    tuple[events.EntryChange, ...]: _parse_changes,
    events.CorrectedEntry: _parse_inner_line,
    events.ChipValues: _parse_chips,
    events.SpokenWager: _parse_spoken,
}
"""How a value of a key is read, by the annotation of the field that it fills; a choice is read by its enum."""


def find_reader(field: FieldInfo) -> ValueReader:
    """How the key of an event's field is read, by its annotation; raises `TypeError` where nothing says it.

    `null` is a value of its own only where a field must be given: elsewhere the key is left out instead.

    Raises `Refused` (`value`).
    """
    annotation: Any = field.type
    nullable = get_origin(annotation) in (Union, UnionType) and NoneType in get_args(annotation)
    if nullable:
        (annotation,) = (kind for kind in get_args(annotation) if kind is not NoneType)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        reader = _make_member_reader(annotation)
    elif annotation in READER_BY_ANNOTATION:
        reader = READER_BY_ANNOTATION[annotation]
    else:
        raise TypeError(f"no reader for {annotation!r}, the annotation of `{field.name}`; add one to READERS")
    return _allow_null(reader) if nullable and field.required else reader


FIELDS: dict[type[Event], list[FieldInfo]] = {kind: list(fields(kind)) for kind in events.EVENT_NAME_BY_CLASS}
TIME_KEY = "t"
"""The key of an event's time, which every line may have."""
TIME_FIELD = "time_s"


def _build_fields_by_key(kind: type[Event]) -> dict[str, tuple[str, ValueReader]]:
    """Key of the script -> (field of the event, how to read it); raises `ValueError` where one has no key."""
    (time,) = (field for field in FIELDS[kind] if field.name == TIME_FIELD)
    own = [field for field in FIELDS[kind] if field.name != TIME_FIELD]
    keyed = [(TIME_KEY, time), *zip(LINE_KEYS[kind], own, strict=True)]
    return {key: (field.name, find_reader(field)) for key, field in keyed}


FIELDS_BY_KEY_BY_CLASS = {kind: _build_fields_by_key(kind) for kind in events.EVENT_NAME_BY_CLASS}
REQUIRED_FIELDS_BY_CLASS = {
    kind: frozenset(field.name for field in known if field.required) for kind, known in FIELDS.items()
}
DEFAULTS_BY_CLASS = {
    kind: {field.name: field.default for field in known if not field.required} for kind, known in FIELDS.items()
}
MOTION_KEYS = frozenset({"chips", "said"})
"""Keys of an `act` that tell what a seat pushed out and said, and leave it to the book what that comes to."""
ALWAYS_WRITTEN_KEYS = frozenset({(events.ChipMotion, "chips")})
"""Keys that are written whatever they hold: without them the line would be another one."""

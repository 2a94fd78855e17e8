"""Lines of the table script and the events that they stand for, both ways (`docs/table-script.md`, section 1).

`table` is not among them: it needs the rulebook and the game looked up, see `config.table_line`.
"""

from collections.abc import Callable, Mapping
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

from controller.core.protocol import events, vocabulary
from controller.core.protocol.collection_terms import CollectionKind, CollectionTerms, PlayerCap
from controller.core.protocol.events import Event
from controller.core.protocol.script_keys import LINE_KEYS
from controller.core.protocol.table_error import Refused
from controller.core.values.cards import ALL_CARDS, JOKER, RANKS, SUITS
from controller.core.values.value import FieldInfo, fields
from controller.shape import (
    Pattern,
    Shape,
    ShapeError,
    make_choice,
    make_list,
    make_plain,
)  # fmt: skip

EVENT_CLASS_BY_NAME: dict[str, type[Event]] = {name: kind for kind, name in events.EVENT_NAME_BY_CLASS.items()}
LINE_NAMES = ("table", *EVENT_CLASS_BY_NAME)

MAX_CHIPS = 100
"""So many chips, or meanings, a line may hold."""
SPOKEN_WORDS = ("fold", "check", "call", "bet", "raise", "all-in", "pot")
"""Words that may be said with a wager."""

ValueReader = Callable[[object], Any]

MAX_PERCENT = 10
"""The largest part of a pot that a house takes."""

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
            field, read = known
            try:
                values[field] = read(value)
            except ShapeError as why:
                raise _make_value_refusal(key, why) from None
        elif key not in ("ev", "note"):
            raise Refused("unknown-key", f"`{word}` has no key `{key}`; it may have {', '.join((*keys, 'note'))}.")
    if missing := REQUIRED_FIELDS_BY_CLASS[kind].difference(values):
        key = next(key for key, (field, _) in keys.items() if field in missing)
        raise Refused("key-missing", f"`{word}` needs the key `{key}`; its keys are {', '.join(keys)}.")
    event: Event = kind(**values)
    if isinstance(event, events.Report):
        _refuse_unused_keys(event.kind, line)
    return event


def _make_value_refusal(key: str, why: ShapeError) -> Refused:
    found = "" if why.words.startswith("is ") else f"cannot be {why.value!r}; "
    return Refused("value", f"`{key}` {found}{why.words}.")


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
    if key == "percent" and type(value) is int:
        return value / 2 if value % 2 else value // 2
    if isinstance(value, PlayerCap):
        return value._asdict()
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


def _parse_inner_line(value: object) -> Event | None:
    """A line within a line: what an entry should have been."""
    if value is None:
        return None
    if not isinstance(value, dict):
        raise ShapeError("is a whole line, or null", value)
    if value.get("ev") == "table":
        raise Refused("amend-too-late", "`to` cannot be a line `table`: what the table began with stands.")
    if value.get("ev") in ("undo", "amend"):
        raise Refused("value", f"`to` cannot be a line `{value['ev']}`: it is an entry that is played again.")
    return parse_line(value)


def _parse_change(value: object) -> events.EntryChange:
    known = ("line", "before", "to", "note")
    if not isinstance(value, dict) or "to" not in value:
        raise ShapeError(_CHANGES_WORDS, value)
    for each in value:
        if each not in known:
            raise Refused("unknown-key", f"a change in `also` has no key `{each}`; it may have {', '.join(known)}.")
    read_by_key: dict[str, ValueReader] = {"line": _FROM_ONE.read, "before": _FROM_ONE.read, "to": _parse_inner_line}
    found = {}
    for key in (key for key in read_by_key if key in value):
        try:
            found[key] = read_by_key[key](value[key])
        except ShapeError as why:
            raise _make_value_refusal(key, why) from None
    return events.EntryChange(found["to"], line=found.get("line"), before_line=found.get("before"))


def _parse_spoken(value: object) -> tuple[str | int, ...]:
    if isinstance(value, str) and value in SPOKEN_WORDS:
        return (value,)
    amounts = value if isinstance(value, list) else [value]
    if not amounts or len(amounts) > MAX_CHIPS or any(type(each) is not int or each < 1 for each in amounts):
        raise ShapeError(_SPOKEN_WORDS, value)
    return tuple(_FROM_ONE.read(each) for each in amounts)


def _parse_percent(value: object) -> int:
    """A percentage in halves."""
    if type(value) not in (int, float) or not 0 <= value <= MAX_PERCENT or value * 2 % 1:  # type: ignore[operator]
        raise ShapeError(_PERCENT_WORDS, value)
    return int(value * 2)  # type: ignore[operator]


def _parse_caps(value: object) -> tuple[PlayerCap, ...]:
    if not isinstance(value, list) or len(value) > MAX_CHIPS:
        raise ShapeError(_CAPS_WORDS, value)
    if not all(isinstance(each, dict) and each.keys() == {"dealt", "cap"} for each in value):
        raise ShapeError(_CAPS_WORDS, value)
    found = tuple(PlayerCap(_FROM_ONE.read(each["dealt"]), _FROM_ZERO.read(each["cap"])) for each in value)
    if len({entry.dealt for entry in found}) < len(found):
        raise ShapeError(_CAPS_WORDS, value)
    return found


def _make_number(kind: type, low: int, words: str) -> Shape:
    plain = make_plain(kind, words)

    def read(value: Any) -> Any:  # noqa: ANN401 - of its bounds in one call, as nearly every line has a number or two
        if (type(value) is not int and (kind is int or type(value) is not float)) or not low <= value <= MAX_NUMBER:
            raise ShapeError(words, value)
        return value if kind is int else float(value)

    return Shape(read, words, {**plain.schema, "minimum": low, "maximum": MAX_NUMBER})


_FROM_ZERO = _make_number(int, 0, f"it is a whole number from 0 to {MAX_NUMBER}")
_FROM_ONE = _make_number(int, 1, f"it is a whole number from 1 to {MAX_NUMBER}")
_CARD = make_choice(
    {name: name for name in ALL_CARDS},
    f"a card is one of {''.join(reversed(RANKS))} and one of {''.join(reversed(SUITS))}, or {JOKER!r}",
)._replace(schema={"$ref": "#/$defs/a-card"})
_LINE_OR_NULL = {"anyOf": [{"$ref": "#/$defs/a-line-within"}, {"type": "null"}]}
_CHANGES_WORDS = "is a list of changes, each with `line` or `before`, and `to`"
_CHANGE_KEYS = {"line": _FROM_ONE.schema, "before": _FROM_ONE.schema, "to": _LINE_OR_NULL, "note": {}}
_CHANGE_SCHEMA = {"type": "object", "properties": _CHANGE_KEYS, "required": ["to"], "additionalProperties": False}
_CHANGE = Shape(_parse_change, _CHANGES_WORDS, _CHANGE_SCHEMA)
_CHIPS_WORDS = f"is a list of the values of chips, at most {MAX_CHIPS}"
_SPOKEN_WORDS = f"it may be {', '.join(SPOKEN_WORDS)}, an amount, or a list of amounts"
_AMOUNTS = {"type": "array", "items": _FROM_ONE.schema, "minItems": 1, "maxItems": MAX_CHIPS}
_SPOKEN_SCHEMA = {"anyOf": [{"enum": list(SPOKEN_WORDS)}, _FROM_ONE.schema, _AMOUNTS]}
_CHIPS = make_list(_FROM_ONE, _CHIPS_WORDS, is_told=True)
_CHIPS_SCHEMA = {**_CHIPS.schema, "maxItems": MAX_CHIPS}
_PLACE = Pattern("^(board|muck|seat [1-9][0-9]*)$", "it may be seat N, board, muck")
_PRINTABLE_WORDS = "it is a text of whole, printable signs"

_PERCENT_WORDS = f"it is a whole or half number from 0 to {MAX_PERCENT}"
_PERCENT_SCHEMA = {"enum": [half / 2 if half % 2 else half // 2 for half in range(2 * MAX_PERCENT + 1)]}
_CAPS_WORDS = "it is a list of caps, each with `dealt` and `cap`, one for a number of players"
_CAP_KEYS = {"dealt": _FROM_ONE.schema, "cap": _FROM_ZERO.schema}
_CAP_SCHEMA = {"type": "object", "properties": _CAP_KEYS, "required": ["dealt", "cap"], "additionalProperties": False}
_CAPS_SCHEMA = {"type": "array", "items": _CAP_SCHEMA, "maxItems": MAX_CHIPS}

SHAPE_BY_ANNOTATION: dict[object, Shape] = {
    float: _make_number(float, 0, "it is a number of seconds from 0"),
    int: _FROM_ZERO,
    bool: make_plain(bool, "it is true or false"),
    str: make_plain(str, "it is a text").narrow(str.isprintable, _PRINTABLE_WORDS, {"type": "string"}),
    vocabulary.CardName: _CARD,
    vocabulary.PlaceName: _PLACE.narrow(make_plain(str, _PLACE.words)),
    vocabulary.PositiveInt: _FROM_ONE,
    vocabulary.HalfPercent: Shape(_parse_percent, _PERCENT_WORDS, _PERCENT_SCHEMA),
    tuple[PlayerCap, ...]: Shape(_parse_caps, _CAPS_WORDS, _CAPS_SCHEMA),
    vocabulary.FaceUpFlag: make_choice({"up": True, "down": False}, "it may be up, down"),
    tuple[vocabulary.CardName, ...]: make_list(_CARD, "is a list of cards", is_told=True),
    tuple[vocabulary.PositiveInt, ...]: make_list(_FROM_ONE, "is a list of numbers of lines", is_told=True),
    tuple[events.EntryChange, ...]: make_list(_CHANGE, _CHANGES_WORDS, is_told=True),
    events.CorrectedEntry: Shape(_parse_inner_line, "is a whole line, or null", _LINE_OR_NULL),
    events.ChipValues: _CHIPS.narrow(lambda chips: len(chips) <= MAX_CHIPS, _CHIPS_WORDS, _CHIPS_SCHEMA),
    events.SpokenWager: Shape(_parse_spoken, _SPOKEN_WORDS, _SPOKEN_SCHEMA),
}
"""What a key may be, by the annotation of the field that it fills; a choice is one of its enum."""


def find_shape(field: FieldInfo) -> Shape:
    """What the key of an event's field may be, by its annotation; raises `TypeError` where nothing says it.

    `null` is a value of its own only where a field must be given: elsewhere the key is left out instead.
    """
    annotation: Any = field.type
    nullable = get_origin(annotation) in (Union, UnionType) and NoneType in get_args(annotation)
    if nullable:
        (annotation,) = (kind for kind in get_args(annotation) if kind is not NoneType)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        members = {member.value: member for member in annotation}
        shape = make_choice(members, f"it may be {', '.join(members)}")
    elif annotation in SHAPE_BY_ANNOTATION:
        shape = SHAPE_BY_ANNOTATION[annotation]
    else:
        raise TypeError(f"no shape for {annotation!r}, the annotation of `{field.name}`; add one")
    if not (nullable and field.required):
        return shape
    return Shape(
        lambda value: None if value is None else shape.read(value),
        shape.words,
        {"anyOf": [shape.schema, {"type": "null"}]},
    )


FIELDS: dict[type[Event], list[FieldInfo]] = {kind: list(fields(kind)) for kind in events.EVENT_NAME_BY_CLASS}
TIME_KEY = "t"
"""The key of an event's time, which every line may have."""
TIME_FIELD = "time_s"


def _build_fields_by_key(kind: type[Event]) -> dict[str, tuple[str, ValueReader]]:
    """Key of the script -> (field of the event, how to read it); raises `ValueError` where one has no key."""
    (time,) = (field for field in FIELDS[kind] if field.name == TIME_FIELD)
    own = [field for field in FIELDS[kind] if field.name != TIME_FIELD]
    keyed = [(TIME_KEY, time), *zip(LINE_KEYS[kind], own, strict=True)]
    return {key: (field.name, find_shape(field).read) for key, field in keyed}


FIELDS_BY_KEY_BY_CLASS = {kind: _build_fields_by_key(kind) for kind in events.EVENT_NAME_BY_CLASS}
REQUIRED_FIELDS_BY_CLASS = {
    kind: frozenset(field.name for field in known if field.required) for kind, known in FIELDS.items()
}
DEFAULTS_BY_CLASS = {
    kind: {field.name: field.default for field in known if not field.required} for kind, known in FIELDS.items()
}
MOTION_KEYS = frozenset({"chips", "said", "prior"})
"""Keys of an `act` that tell what a seat pushed out and said, and leave it to the book what that comes to."""
ALWAYS_WRITTEN_KEYS = frozenset({(events.ChipMotion, "chips")})
"""Keys that are written whatever they hold: without them the line would be another one."""


def list_collection_shapes() -> dict[str, Shape]:
    """The keys that say what the house takes, in a line, in the table line, in a table's file; each with its shape."""
    by_name = {field.name: field for field in FIELDS[events.CollectionChanged]}
    keys = FIELDS_BY_KEY_BY_CLASS[events.CollectionChanged]
    return {key: find_shape(by_name[name]) for key, (name, _) in keys.items() if key != "t"}


def format_collection(terms: CollectionTerms | None) -> dict[str, Any]:
    """What the house takes, as the table line has it; `None`: nothing."""
    terms = terms or CollectionTerms(CollectionKind.NONE)
    said = {field.name: getattr(terms, field.name) for field in fields(CollectionTerms)}
    said |= {name: said[name] or None for name in ("caps", "fee", "minutes")}
    if terms.kind is not CollectionKind.RAKE:
        said["half_percent"] = None
    return {key: value for key, value in format_line(events.CollectionChanged(**said)).items() if key != "ev"}

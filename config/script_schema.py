"""The table script as a JSON Schema (draft 2020-12), made of the classes of the events and the words of the vocabulary.

It takes the lines that `script.read` takes, and refuses those that it refuses, but for what a schema cannot say: that a
text is printable, that a whole number is written without a point, and what the table line's values say together. What
fits at a moment is for the table to say.
"""

from collections.abc import Mapping, Sequence
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

from config import game_file, rulebook_file, setup
from config.folders import Library
from controller.core.model.setup import AnteBy, Discards, Sensor, Structure
from controller.core.protocol import events, script, vocabulary
from controller.core.rules.questions.house.table import ButtonRule, Mode
from controller.core.values.cards import CARDS
from controller.core.values.value import FieldInfo

Schema = dict[str, Any]

TEXT: Schema = {"type": "string", "minLength": 1}
WHOLE: Schema = {"type": "integer"}
FROM_ONE: Schema = {"type": "integer", "minimum": 1, "maximum": script.LARGEST}
CARD: Schema = {"$ref": "#/$defs/a-card"}
LINE: Schema = {"$ref": "#/$defs/a-line-within"}

FORMS: Mapping[object, Schema] = {
    float: {"type": "number", "minimum": 0, "maximum": script.LARGEST},
    int: {"type": "integer", "minimum": 0, "maximum": script.LARGEST},
    bool: {"type": "boolean"},
    str: {"type": "string"},
    vocabulary.CardName: CARD,
    vocabulary.PlaceName: {"type": "string", "pattern": "^(board|muck|seat [1-9][0-9]*)$"},
    vocabulary.FromOne: FROM_ONE,
    vocabulary.FaceUp: {"enum": ["up", "down"]},
    tuple[vocabulary.CardName, ...]: {"type": "array", "items": CARD},
    tuple[vocabulary.FromOne, ...]: {"type": "array", "items": FROM_ONE},
    tuple[events.Change, ...]: {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {"line": FROM_ONE, "before": FROM_ONE, "to": {"anyOf": [LINE, {"type": "null"}]}, "note": {}},
            "required": ["to"],
            "additionalProperties": False,
        },
    },
    events.Corrected: {"anyOf": [LINE, {"type": "null"}]},
    events.Chips: {"type": "array", "items": FROM_ONE, "maxItems": script.MOST_CHIPS},
    events.Spoken: {
        "anyOf": [
            {"enum": list(script.SPOKEN)},
            FROM_ONE,
            {"type": "array", "items": FROM_ONE, "minItems": 1, "maxItems": script.MOST_CHIPS},
        ]
    },
}
"""The schema of each annotation that `script.READERS` reads."""

MOTION = "act-as-moved"
"""The definition of an `act` that tells what a seat pushed out and said."""


def script_schema(library: Library | None = None) -> Schema:
    """Make the schema of a line; rulebooks and games are those of the library."""
    lines: Schema = {"table": _line("table", "The set-up: always the first line.", table_keys(library), setup.REQUIRED)}
    for kind, word in events.NAMES.items():
        name = MOTION if kind is events.Motion else word
        lines[name] = _event(kind, word)
    moved = {"anyOf": [{"required": [key]} for key in sorted(script.MOTION)]}
    within = [word for word in script.WORDS if word not in ("table", "undo", "amend")]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of the table script",
        **_any(script.WORDS, moved),
        "$defs": {"a-card": {"enum": sorted(CARDS)}, "a-line-within": _any(within, moved), **lines},
    }


def _any(words: Sequence[str], moved: Schema) -> Schema:
    """A line of one of these words, each as its own definition has it."""
    choices: list[Schema] = []
    for word in dict.fromkeys(words):
        own: Schema = {"$ref": f"#/$defs/{word}"}
        if word == "act":
            own = {"if": moved, "then": {"$ref": f"#/$defs/{MOTION}"}, "else": own}
        choices.append({"if": {"properties": {"ev": {"const": word}}}, "then": own})
    return {
        "type": "object",
        "required": ["ev"],
        "properties": {"ev": {"enum": list(dict.fromkeys(words))}},
        "allOf": choices,
    }


def _event(kind: type[events.Event], word: str) -> Schema:
    by_name = {field.name: field for field in script.FIELDS[kind]}
    keys = {key: by_name[name] for key, (name, _) in script.KEYS[kind].items()}
    properties = {key: _form(field) for key, field in keys.items()}
    required = [key for key, field in keys.items() if field.required]
    made = _line(word, str(kind.__doc__).partition("\n")[0], properties, required)
    if kind is events.Report:
        made["allOf"] = [_used(what, tuple(properties)) for what in vocabulary.What]
    return made


def _line(word: str, about: str, properties: Mapping[str, Schema], required: Sequence[str]) -> Schema:
    return {
        "description": about,
        "type": "object",
        "properties": {"ev": {"const": word}, "note": {}, **properties},
        "required": ["ev", *required],
        "additionalProperties": False,
    }


def _used(what: vocabulary.What, keys: tuple[str, ...]) -> Schema:
    """A report uses the keys of its kind and no other, for somebody meant something by it."""
    unused = [key for key in keys if key not in ("what", "t", "witnessed", *vocabulary.USES[what])]
    return {"if": {"properties": {"what": {"const": what.value}}}, "then": {"properties": dict.fromkeys(unused, False)}}


def _form(field: FieldInfo) -> Schema:
    """What a key may hold, by the annotation of its field; `null` only where `script.reader_of` takes it."""
    annotation: Any = field.type
    nullable = get_origin(annotation) in (Union, UnionType) and NoneType in get_args(annotation)
    if nullable:
        (annotation,) = (kind for kind in get_args(annotation) if kind is not NoneType)
    form = _plain_form(annotation, field.name)
    return {"anyOf": [form, {"type": "null"}]} if nullable and field.required else form


def _plain_form(annotation: Any, name: str) -> Schema:  # noqa: ANN401 - an annotation is any object
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return {"enum": [member.value for member in annotation]}
    if annotation not in FORMS:
        raise TypeError(f"no schema for {annotation!r}, the annotation of `{name}`; add one to FORMS")
    return FORMS[annotation]


def table_keys(library: Library | None = None) -> Schema:
    """Say what each key of the table line may hold; of what a schema cannot say, the name alone."""
    amounts = {key: {"type": "integer", "minimum": 0} for key in setup.AMOUNTS}
    known: Schema = {
        "rulebook": {"enum": list(rulebook_file.names(library))},
        "game": {"enum": list(game_file.names(library))},
        "betting": object_of(
            {
                "structure": {"enum": [member.value for member in Structure]},
                **amounts,
                "ante_by": {"enum": [member.value for member in AnteBy]},
            },
            ("structure",),
        ),
        "amounts": {"enum": ["tracked", "untracked"]},
        "seats": {
            "type": "array",
            "minItems": 2,
            "items": object_of({"seat": WHOLE, "player": TEXT, "stack": WHOLE}, ("seat",)),
        },
        "places": {"type": "integer", "minimum": 2, "maximum": setup.MOST_PLACES},
        "button_rule": {"enum": [rule.value for rule in ButtonRule]},
        "mode": {"enum": [mode.value for mode in Mode]},
        "discards": {"enum": [member.value for member in Discards]},
        "sensors": {"type": "array", "items": {"enum": [sensor.value for sensor in Sensor]}},
        "house": {"type": "object"},
    }
    return {key: known.get(key, {}) for key in setup.KEYS if key not in ("ev", "note")}


def object_of(properties: Schema, required: Sequence[str] = ()) -> Schema:
    """The schema of an object with these keys and no other."""
    made: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**made, "required": list(required)} if required else made

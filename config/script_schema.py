"""The table script as a JSON Schema (draft 2020-12), made of the classes of the events and the words of the vocabulary.

It takes the lines that `script_lines.parse_line` takes, and refuses those that it refuses, but for what a schema cannot
say: that a text is printable, that a whole number is written without a point, and what the table line's values say
together. What fits at a moment is for the table to say.
"""

from collections.abc import Mapping, Sequence

from config import game_file, rulebook_file, table_line
from config.file_library import Library
from config.section_reader import TEXT_SCHEMA
from controller.core.model.setup import AntePayer, BettingStructure, DiscardSelection, Sensor
from controller.core.protocol import events, script_lines, vocabulary
from controller.core.rules.questions.house.table_rules import ButtonRule, GameMode
from controller.core.values.cards import ALL_CARDS
from controller.shape import Schema, build_object_schema

INTEGER_SCHEMA: Schema = {"type": "integer"}
MOTION_DEFINITION = "act-as-moved"
"""The definition of an `act` that tells what a seat pushed out and said."""


def build_script_schema(library: Library | None = None) -> Schema:
    """Make the schema of a line; rulebooks and games are those of the library."""
    lines: Schema = {
        "table": _build_line_schema(
            "table", "The set-up: always the first line.", build_table_properties(library), table_line.REQUIRED_KEYS
        )
    }
    for kind, word in events.EVENT_NAME_BY_CLASS.items():
        name = MOTION_DEFINITION if kind is events.ChipMotion else word
        lines[name] = _build_event_schema(kind, word)
    moved = {"anyOf": [{"required": [key]} for key in sorted(script_lines.MOTION_KEYS)]}
    within = [word for word in script_lines.LINE_NAMES if word not in ("table", "undo", "amend")]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of the table script",
        **_build_line_choice(script_lines.LINE_NAMES, moved),
        "$defs": {"a-card": {"enum": sorted(ALL_CARDS)}, "a-line-within": _build_line_choice(within, moved), **lines},
    }


def _build_line_choice(words: Sequence[str], moved: Schema) -> Schema:
    """A line of one of these words, each as its own definition has it."""
    choices: list[Schema] = []
    for word in dict.fromkeys(words):
        own: Schema = {"$ref": f"#/$defs/{word}"}
        if word == "act":
            own = {"if": moved, "then": {"$ref": f"#/$defs/{MOTION_DEFINITION}"}, "else": own}
        choices.append({"if": {"properties": {"ev": {"const": word}}}, "then": own})
    return {
        "type": "object",
        "required": ["ev"],
        "properties": {"ev": {"enum": list(dict.fromkeys(words))}},
        "allOf": choices,
    }


def _build_event_schema(kind: type[events.Event], word: str) -> Schema:
    by_name = {field.name: field for field in script_lines.FIELDS[kind]}
    keys = {key: by_name[name] for key, (name, _) in script_lines.FIELDS_BY_KEY_BY_CLASS[kind].items()}
    properties = {key: script_lines.find_shape(field).schema for key, field in keys.items()}
    required = [key for key, field in keys.items() if field.required]
    made = _build_line_schema(word, str(kind.__doc__).partition("\n")[0], properties, required)
    if kind is events.Report:
        made["allOf"] = [_forbid_unused_keys(what, tuple(properties)) for what in vocabulary.ReportKind]
    return made


def _build_line_schema(word: str, about: str, properties: Mapping[str, Schema], required: Sequence[str]) -> Schema:
    return {
        "description": about,
        "type": "object",
        "properties": {"ev": {"const": word}, "note": {}, **properties},
        "required": ["ev", *required],
        "additionalProperties": False,
    }


def _forbid_unused_keys(what: vocabulary.ReportKind, keys: tuple[str, ...]) -> Schema:
    """A report uses the keys of its kind and no other, for somebody meant something by it."""
    unused = [key for key in keys if key not in ("what", "t", "witnessed", *what.terms.keys)]
    return {"if": {"properties": {"what": {"const": what.value}}}, "then": {"properties": dict.fromkeys(unused, False)}}


def build_collection_schema() -> Schema:
    """Say what the keys are that tell what the house takes; which of them a kind has is for the table to say."""
    shapes = script_lines.list_collection_shapes()
    return build_object_schema({key: shape.schema for key, shape in shapes.items()}, ("kind",))


def _build_blinds_schema() -> Schema:
    """Say how the compulsory blinds are listed: amounts, or each with its place."""
    amount = {"type": "integer", "minimum": 1}
    place = {"type": "integer", "minimum": 0, "maximum": table_line.MAX_PLACES}
    one = build_object_schema({"position": place, "amount": amount}, ("position", "amount"))
    return {"type": "array", "minItems": 1, "maxItems": table_line.MAX_PLACES, "items": {"anyOf": [amount, one]}}


def build_table_properties(library: Library | None = None) -> Schema:
    """Say what each key of the table line may hold; of what a schema cannot say, the name alone."""
    amounts = {key: {"type": "integer", "minimum": 0} for key in table_line.BETTING_AMOUNT_KEYS}
    known: Schema = {
        "rulebook": {"enum": list(rulebook_file.list_rulebooks(library))},
        "game": {"enum": list(game_file.list_games(library))},
        "betting": build_object_schema(
            {
                "structure": {"enum": [member.value for member in BettingStructure]},
                **amounts,
                "ante_by": {"enum": [member.value for member in AntePayer]},
                "blinds": _build_blinds_schema(),
            },
            ("structure",),
        ),
        "amounts": {"enum": ["tracked", "untracked"]},
        "seats": {
            "type": "array",
            "minItems": 2,
            "items": build_object_schema(
                {"seat": INTEGER_SCHEMA, "player": TEXT_SCHEMA, "stack": INTEGER_SCHEMA}, ("seat",)
            ),
        },
        "places": {"type": "integer", "minimum": 2, "maximum": table_line.MAX_PLACES},
        "button_rule": {"enum": [rule.value for rule in ButtonRule]},
        "mode": {"enum": [mode.value for mode in GameMode]},
        "discards": {"enum": [member.value for member in DiscardSelection]},
        "sensors": {"type": "array", "items": {"enum": [sensor.value for sensor in Sensor]}},
        "house": {"type": "object"},
        "collection": build_collection_schema(),
        "live": {"type": "boolean"},
    }
    return {key: known.get(key, {}) for key in table_line.TABLE_LINE_KEYS if key not in ("ev", "note")}

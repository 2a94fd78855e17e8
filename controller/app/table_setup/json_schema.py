"""The file of a table as a JSON Schema (draft 2020-12), so that an editor completes keys and marks mistakes."""

from collections.abc import Mapping, Sequence
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from config import game_file, language_file, rulebook_file, schedule_file, setup
from config.table_file import LOG_FORMS, SECTIONS, STARTS, TAG_FORMS
from controller.core.model.setup import AnteBy, Discards, Sensor, Structure
from controller.core.rules.questions.house.table import ButtonRule, Mode
from drivers.contract.registry import DRIVERS, keys_of, load

Schema = dict[str, Any]

TEXT: Schema = {"type": "string", "minLength": 1}
WHOLE: Schema = {"type": "integer"}
PLACE: Schema = {"type": "string", "pattern": "^(board|muck|seat [1-9][0-9]?)$"}


def table_schema() -> Schema:
    """Make the schema from what the program accepts."""
    sections: Schema = {
        "table": _table(),
        "tournament": _object(
            {"schedule": {"enum": list(schedule_file.names())}, "starts": {"enum": list(STARTS)}}, ("schedule",)
        ),
        "house": _object({"directory": TEXT}, ("directory",)),
        "state": _object(
            {"directory": TEXT, "second_store": TEXT, "second_store_keys": {"type": "boolean"}}, ("directory",)
        ),
        "shoe": _object(dict.fromkeys(("deck", "reader", "edge", "face", "lid"), TEXT), ("deck", "reader")),
        "antennas": {
            "type": "object",
            "additionalProperties": {"anyOf": [PLACE, {"type": "object", "additionalProperties": PLACE}]},
        },
        "device": {"type": "object", "additionalProperties": {"$ref": "#/$defs/device"}},
        "keys": {
            "type": "object",
            "additionalProperties": {
                "type": "object",
                "additionalProperties": {"type": "object", "required": ["ev"], "properties": {"ev": TEXT}},
            },
        },
        "page": _object(
            {
                "host": TEXT,
                "port": {"type": "integer", "minimum": 0, "maximum": 65535},
                "names": {"type": "array", "items": TEXT},
                "certificate": TEXT,
                "key": TEXT,
                "plain": {"type": "boolean"},
                "rulebook_text": TEXT,
                "language": {"enum": list(language_file.names())},
                "metrics": {"type": "boolean"},
            }
        ),
        "log": _object({"form": {"enum": list(LOG_FORMS)}}, ("form",)),
        "simulation": _object(
            {
                "deck_list": TEXT,
                "deck_tags": {"enum": list(TAG_FORMS)},
                "deck_hex_digits": {"type": "integer", "minimum": 2, "maximum": 64},
                "seed": WHOLE,
                "speed": {"type": "number", "minimum": 0.1, "maximum": 100},
            }
        ),
    }
    whole = _object({name: sections[name] for name in SECTIONS}, ("table", "state"))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A poker table",
        **whole,
        "$defs": {"device": _device(), **{f"driver-{name}": _driver(name) for name in sorted(DRIVERS)}},
    }


def _object(properties: Schema, required: Sequence[str] = ()) -> Schema:
    made: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**made, "required": list(required)} if required else made


def _table() -> Schema:
    amounts = {key: {"type": "integer", "minimum": 0} for key in setup.AMOUNTS}
    known: Schema = {
        "rulebook": {"enum": list(rulebook_file.names())},
        "game": {"enum": list(game_file.names())},
        "betting": _object(
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
            "items": _object({"seat": WHOLE, "player": TEXT, "stack": WHOLE}, ("seat",)),
        },
        "places": {"type": "integer", "minimum": 2, "maximum": setup.MOST_PLACES},
        "button_rule": {"enum": [rule.value for rule in ButtonRule]},
        "mode": {"enum": [mode.value for mode in Mode]},
        "discards": {"enum": [member.value for member in Discards]},
        "sensors": {"type": "array", "items": {"enum": [sensor.value for sensor in Sensor]}},
        "house": {"type": "object"},
    }
    # What else the table line may hold is checked by `tablectl check`; an editor need only know the name.
    return _object({key: known.get(key, {}) for key in setup.KEYS if key != "ev"}, setup.REQUIRED)


def _device() -> Schema:
    return {
        "type": "object",
        "properties": {"driver": {"enum": sorted(DRIVERS)}},
        "required": ["driver"],
        "allOf": [
            {"if": {"properties": {"driver": {"const": name}}}, "then": {"$ref": f"#/$defs/driver-{name}"}}
            for name in sorted(DRIVERS)
        ],
    }


def _driver(name: str) -> Schema:
    made = load(DRIVERS[name])
    keys = keys_of(name)
    properties: Schema = {"driver": {"const": name}}
    required = ["driver"]
    if hasattr(made, "received"):
        properties["port"] = {
            **TEXT,
            "description": "path of the port, socket://, rfc2217://, evdev://, spi:// or sim://",
        }
        required.append("port")
    for key in keys:
        described: Schema = _accepted(key.annotation)
        if not key.required and key.default is not None:
            described = {**described, "default": key.default}
        properties[key.name] = described
    required += [key.name for key in keys if key.required]
    return {"title": str(made.__doc__).splitlines()[0], **_object(properties, required)}


_TYPES: Mapping[Any, str] = {int: "integer", float: "number", str: "string", bool: "boolean"}


def _accepted(annotation: Any) -> Schema:  # noqa: ANN401 - an annotation is any object
    """Say as a schema what `drivers.contract.registry.fits` accepts."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin in (Union, UnionType):
        kinds = [_accepted(argument) for argument in arguments if argument is not NoneType]
        return kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin is Mapping:
        return {"type": "object", "additionalProperties": _accepted(arguments[1])}
    if origin is Sequence:
        return {"type": "array", "items": _accepted(arguments[0])}
    return {"type": _TYPES[annotation]}

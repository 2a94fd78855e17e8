"""The file of a table as a JSON Schema (draft 2020-12), so that an editor completes keys and marks mistakes."""

from collections.abc import Mapping, Sequence
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from config import language_file, schedule_file, setup
from config.script_schema import TEXT, WHOLE, Schema, object_of, table_keys
from config.table_file import AFTER_THE_HAND, CURRENCIES, LOG_FORMS, SECTIONS, STARTS, TAG_FORMS
from controller import plug_ins
from drivers.contract.base import ByteDriver
from drivers.contract.registry import DRIVERS, keys_of, load

PLACE: Schema = {"type": "string", "pattern": "^(board|muck|seat [1-9][0-9]?)$"}


def table_schema() -> Schema:
    """Make the schema from what the program accepts."""
    sections: Schema = {
        "table": object_of(_with_plug_ins(table_keys()), setup.REQUIRED),
        "tournament": object_of(
            {"schedule": {"enum": list(schedule_file.names())}, "starts": {"enum": list(STARTS)}}, ("schedule",)
        ),
        "house": object_of({"directory": TEXT}, ("directory",)),
        "state": object_of(
            {"directory": TEXT, "second_store": TEXT, "second_store_keys": {"type": "boolean"}}, ("directory",)
        ),
        "shoe": object_of(dict.fromkeys(("deck", "reader", "edge", "face", "lid"), TEXT), ("deck", "reader")),
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
        "page": object_of(
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
        "log": object_of({"form": {"enum": list(LOG_FORMS)}}, ("form",)),
        "broadcast": object_of({"hole_cards": {"const": AFTER_THE_HAND}}, ("hole_cards",)),
        "room": object_of(
            {"key": {"type": "string", "pattern": "^[0-9a-f]{64}$"}, "asks": {"type": "boolean"}}, ("key",)
        ),
        "records": object_of({"currency": {"enum": list(CURRENCIES)}}, ("currency",)),
        "simulation": object_of(
            {
                "deck_list": TEXT,
                "deck_tags": {"enum": list(TAG_FORMS)},
                "deck_hex_digits": {"type": "integer", "minimum": 2, "maximum": 64},
                "seed": WHOLE,
                "speed": {"type": "number", "minimum": 0.1, "maximum": 100},
            }
        ),
    }
    whole = object_of({name: sections[name] for name in SECTIONS}, ("table", "state"))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A poker table",
        **whole,
        "$defs": {"device": _device(), **{f"driver-{name}": _driver(name) for name in sorted(DRIVERS)}},
    }


def _with_plug_ins(keys: Schema) -> Schema:
    """Let rulebook and game be those of installed packages, too."""
    groups = {"rulebook": plug_ins.RULEBOOKS, "game": plug_ins.GAMES}
    return {**keys, **{key: {"enum": sorted({*keys[key]["enum"], *_brought(group)})} for key, group in groups.items()}}


def _brought(group: str) -> tuple[str, ...]:
    return tuple(each.name for each in plug_ins.installed(group))


def _device() -> Schema:
    return {
        "type": "object",
        "properties": {"driver": {"enum": sorted({*DRIVERS, *_brought(plug_ins.DRIVERS)})}},
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
    if hasattr(made, ByteDriver.received.__name__):
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
    return {"title": str(made.__doc__).splitlines()[0], **object_of(properties, required)}


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

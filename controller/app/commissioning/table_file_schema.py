"""The file of a table as a JSON Schema (draft 2020-12), so that an editor completes keys and marks mistakes."""

from collections.abc import Mapping, Sequence
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from config import language_file, schedule_file, table_line
from config.script_schema import INTEGER_SCHEMA, TEXT_SCHEMA, Schema, build_object_schema, build_table_properties
from config.table_file import (
    AFTER_THE_HAND,
    CONTROL_LINE_KEYS,
    CURRENCIES,
    LOG_FORMS,
    SECTIONS,
    TAG_FORMS,
    TIMER_STARTS,
)
from controller import plug_ins
from drivers.contract.driver_interface import ByteDriver
from drivers.contract.driver_registry import DRIVERS, import_class, list_driver_keys

CARD_PLACE_SCHEMA: Schema = {"type": "string", "pattern": "^(board|muck|seat [1-9][0-9]?)$"}
ANTENNA_PLACE_SCHEMA: Schema = {"type": "string", "pattern": "^(shoe|board|muck|seat [1-9][0-9]?)$"}


def make_table_schema() -> Schema:
    """Make the schema from what the program accepts."""
    sections: Schema = {
        "table": build_object_schema(_add_plug_ins(build_table_properties()), table_line.REQUIRED_KEYS),
        "tournament": build_object_schema(
            {"schedule": {"enum": list(schedule_file.list_schedules())}, "starts": {"enum": list(TIMER_STARTS)}},
            ("schedule",),
        ),
        "house": build_object_schema({"directory": TEXT_SCHEMA}, ("directory",)),
        "state": build_object_schema(
            {"directory": TEXT_SCHEMA, "second_store": TEXT_SCHEMA, "second_store_keys": {"type": "boolean"}},
            ("directory",),
        ),
        "shoe": build_object_schema(
            dict.fromkeys(("deck", "reader", "edge", "face", "lid"), TEXT_SCHEMA), ("deck", "reader")
        ),
        "antennas": {
            "type": "object",
            "additionalProperties": {
                "anyOf": [CARD_PLACE_SCHEMA, {"type": "object", "additionalProperties": ANTENNA_PLACE_SCHEMA}]
            },
        },
        "device": {"type": "object", "additionalProperties": {"$ref": "#/$defs/device"}},
        "keys": {
            "type": "object",
            "additionalProperties": {
                "type": "object",
                "additionalProperties": {"type": "object", "required": ["ev"], "properties": {"ev": TEXT_SCHEMA}},
            },
        },
        "page": build_object_schema(
            {
                "host": TEXT_SCHEMA,
                "port": {"type": "integer", "minimum": 0, "maximum": 65535},
                "names": {"type": "array", "items": TEXT_SCHEMA},
                "certificate": TEXT_SCHEMA,
                "key": TEXT_SCHEMA,
                "plain": {"type": "boolean"},
                "rulebook_text": TEXT_SCHEMA,
                "language": {"enum": list(language_file.list_languages())},
                "metrics": {"type": "boolean"},
            }
        ),
        "log": build_object_schema({"form": {"enum": list(LOG_FORMS)}}, ("form",)),
        "broadcast": build_object_schema({"hole_cards": {"const": AFTER_THE_HAND}}, ("hole_cards",)),
        "room": build_object_schema(
            {"key": {"type": "string", "pattern": "^[0-9a-f]{64}$"}, "asks": {"type": "boolean"}}, ("key",)
        ),
        "records": build_object_schema({"currency": {"enum": list(CURRENCIES)}}, ("currency",)),
        "simulation": build_object_schema(
            {
                "deck_list": TEXT_SCHEMA,
                "deck_tags": {"enum": list(TAG_FORMS)},
                "deck_hex_digits": {"type": "integer", "minimum": 2, "maximum": 64},
                "seed": INTEGER_SCHEMA,
                "speed": {"type": "number", "minimum": 0.1, "maximum": 100},
            }
        ),
    }
    whole = build_object_schema({name: sections[name] for name in SECTIONS}, ("table", "state"))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A poker table",
        **whole,
        "$defs": {
            "device": _make_device_schema(),
            **{f"driver-{name}": _make_driver_schema(name) for name in sorted(DRIVERS)},
        },
    }


def _add_plug_ins(keys: Schema) -> Schema:
    """Let rulebook and game be those of installed packages, too."""
    groups = {"rulebook": plug_ins.RULEBOOKS, "game": plug_ins.GAMES}
    return {
        **keys,
        **{key: {"enum": sorted({*keys[key]["enum"], *_list_plug_in_names(group)})} for key, group in groups.items()},
    }


def _list_plug_in_names(group: str) -> tuple[str, ...]:
    return tuple(each.name for each in plug_ins.list_plug_ins(group))


def _make_device_schema() -> Schema:
    return {
        "type": "object",
        "properties": {"driver": {"enum": sorted({*DRIVERS, *_list_plug_in_names(plug_ins.DRIVERS)})}},
        "required": ["driver"],
        "allOf": [
            {"if": {"properties": {"driver": {"const": name}}}, "then": {"$ref": f"#/$defs/driver-{name}"}}
            for name in sorted(DRIVERS)
        ],
    }


def _make_driver_schema(name: str) -> Schema:
    made = import_class(DRIVERS[name])
    keys = list_driver_keys(name)
    properties: Schema = {"driver": {"const": name}}
    required = ["driver"]
    if hasattr(made, ByteDriver.receive_data.__name__):
        properties["port"] = {
            **TEXT_SCHEMA,
            "description": "path of the port, socket://, rfc2217://, evdev://, spi:// or sim://",
        }
        required.append("port")
        for line in CONTROL_LINE_KEYS:
            told = f"whether {line.upper()} of the port is high; left out: high at a ttyACM, low at others"
            properties[line] = {"type": "boolean", "description": told}
    for key in keys:
        described: Schema = _make_annotation_schema(key.annotation)
        if not key.is_required and key.default is not None:
            described = {**described, "default": key.default}
        properties[key.name] = described
    required += [key.name for key in keys if key.is_required]
    return {"title": str(made.__doc__).splitlines()[0], **build_object_schema(properties, required)}


_JSON_TYPE_BY_TYPE: Mapping[Any, str] = {int: "integer", float: "number", str: "string", bool: "boolean"}


def _make_annotation_schema(annotation: Any) -> Schema:  # noqa: ANN401 - an annotation is any object
    """Say as a schema what `drivers.contract.driver_registry.is_accepted` accepts."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin in (Union, UnionType):
        kinds = [_make_annotation_schema(argument) for argument in arguments if argument is not NoneType]
        return kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin is Mapping:
        return {"type": "object", "additionalProperties": _make_annotation_schema(arguments[1])}
    if origin is Sequence:
        return {"type": "array", "items": _make_annotation_schema(arguments[0])}
    return {"type": _JSON_TYPE_BY_TYPE[annotation]}

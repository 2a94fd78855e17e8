"""The file of a table as a JSON Schema (draft 2020-12), so that an editor completes keys and marks mistakes."""

from config import schedule_file, table_line
from config.script_schema import build_collection_schema, build_table_properties
from config.section_reader import TEXT_SCHEMA, build_section_schema
from config.table_file import CONTROL_LINE_KEYS, KIND_BY_SECTION, LIVE_KEY, SECTIONS, AntennaPlaceName, CardPlaceName
from controller import plug_ins
from controller.shape import Schema, build_object_schema, make_shape
from drivers.contract.driver_interface import ByteDriver
from drivers.contract.driver_registry import DRIVERS, import_class, list_driver_keys


def make_table_schema() -> Schema:
    """Make the schema from what the program accepts."""
    in_a_file = {key: shape for key, shape in build_table_properties().items() if key != LIVE_KEY}
    sections: Schema = {
        "table": build_object_schema(_add_plug_ins(in_a_file), table_line.REQUIRED_KEYS),
        "collection": build_collection_schema(),
        "antennas": {
            "type": "object",
            "additionalProperties": {
                "anyOf": [
                    make_shape(CardPlaceName).schema,
                    {"type": "object", "additionalProperties": make_shape(AntennaPlaceName).schema},
                ]
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
        **{name: build_section_schema(kind, name) for name, kind in KIND_BY_SECTION.items()},
    }
    sections["tournament"]["properties"]["schedule"] = {"enum": list(schedule_file.list_schedules())}
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
        described: Schema = make_shape(key.annotation).schema
        if not key.is_required and key.default is not None:
            described = {**described, "default": key.default}
        properties[key.name] = described
    required += [key.name for key in keys if key.is_required]
    return {"title": str(made.__doc__).splitlines()[0], **build_object_schema(properties, required)}

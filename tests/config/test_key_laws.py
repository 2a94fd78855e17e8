"""What the schema of a file accepts its loader accepts, and the other way round: key by key, at each limit and beyond.

The loader alone knows what several keys, or the files and names that a text leads to, come to (`BEYOND`).
"""

import copy
import json
import math
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import tomli
from jsonschema import Draft202012Validator

from config import announcer_file
from config.announcer_file import AnnouncerFile, MqttSection, parse_announcer_file
from config.config_error import ConfigError
from config.section_reader import build_section_schema
from config.table_file import parse_table_file
from controller.app.commissioning.table_file_schema import make_table_schema
from controller.shape import Schema, build_object_schema
from controller.uplink.uplink_file import UplinkFile, parse_uplink_file
from room.room_file import BrokersSection, RoomFile, RoomPageSection, parse_room_file

Content = dict[str, Any]

WHOLE = {
    "table": """
[table]
[collection]
kind = "rake"
percent = 7.5
cap = 4
step = 1
caps = [{ dealt = 3, cap = 2 }]
no_flop_no_drop = true
fee = 1
minutes = 30
[tournament]
schedule = "T2000"
starts = "by-hand"
[house]
directory = "/"
questions = 4
[state]
directory = "here"
second_store = "there"
second_store_keys = true
[shoe]
deck = "red"
reader = "shoe"
edge = "gate"
face = "gate"
lid = "gate"
[antennas]
shoe = { 1 = "shoe", 2 = "seat 3" }
gate = "muck"
[device.shoe]
driver = "lines"
port = "sim://lines/shoe"
dtr = true
rts = true
[device.gate]
driver = "gate"
[page]
host = "localhost"
port = 8080
names = ["table.local"]
certificate = "a.pem"
key = "b.pem"
plain = true
rulebook_text = "book.txt"
language = "de"
metrics = true
floor_minutes = 45
[records]
currency = "EUR"
[log]
form = "json"
[broadcast]
hole_cards = "after-the-hand"
[room]
key = "0000000000000000000000000000000000000000000000000000000000000000"
asks = true
[simulation]
deck_list = "deck.csv"
deck_tags = "hex"
deck_hex_digits = 10
seed = 1
speed = 1.0
mistakes = 0.5
""",
    "announcer": """
[table]
url = "http://127.0.0.1:8080"
token_file = "token"
id = "table-3"
name = "Table 3"
certificate = "page.pem"
plain = true
[state]
directory = "kept"
[mqtt]
host = "broker.lan"
port = 8883
tls = true
certificate = "ca.pem"
plain = true
user = "table"
password_file = "password"
topic = "house/table"
discovery = "homeassistant"
buttons = true
""",
    "uplink": """
[table]
name = "table-07"
state = "state"
url = "http://127.0.0.1:8080"
token_file = "token"
certificate = "page.pem"
[room]
level = "live"
servers = ["tls://room-1.lan"]
certificate = "table.crt"
key = "table.key"
authority = "room.crt"
asks = true
""",
    "room": """
[room]
name = "The room"
state = "state"
language = "es"
samples = true
[page]
host = "localhost"
port = 8090
names = ["room.local"]
certificate = "a.pem"
key = "b.pem"
plain = true
floor_minutes = 45
[database]
where = "dbname=room"
[brokers]
servers = ["nats://127.0.0.1:4222"]
authority = "ca.pem"
certificate = "a.pem"
key = "b.pem"
[calls]
escalate_after = 60.0
""",
}
"""A file with every key of every section of each kind."""

LOADERS: dict[str, Callable[[Content], object]] = {
    "table": lambda content: parse_table_file(Path("/table.toml"), "", content),
    "announcer": lambda content: parse_announcer_file(Path("/announcer.toml"), "", content),
    "uplink": lambda content: parse_uplink_file(Path("/uplink.toml"), "", content),
    "room": lambda content: parse_room_file(Path("/room.toml"), "", content),
}


def make_schema(required: tuple[str, ...], **kind_by_section: type) -> Schema:
    """The schema of a file whose sections are the fields of these classes."""
    return build_object_schema(
        {name: build_section_schema(kind, name) for name, kind in kind_by_section.items()}, required
    )


SCHEMAS: dict[str, Callable[[], Schema]] = {
    "table": make_table_schema,
    "announcer": lambda: make_schema(
        ("table", "state"), table=announcer_file.TableSection, state=AnnouncerFile, mqtt=MqttSection
    ),
    "uplink": lambda: make_schema(("table", "room"), table=UplinkFile, room=UplinkFile),
    "room": lambda: make_schema(
        ("room", "database", "brokers"),
        room=RoomFile, page=RoomPageSection, database=RoomFile, brokers=BrokersSection, calls=RoomFile,
    ),
}  # fmt: skip
LEFT_OUT = ("table", "device", "keys")
"""Sections of the table's file that are held elsewhere: they are lines of the script, or keys of a driver."""

BEYOND = {
    "table": {"house.directory", "shoe.reader", "shoe.edge", "shoe.face", "shoe.lid", "antennas", "collection.caps"},
    "announcer": {"table.url", "table.name", "mqtt.tls"},
    "uplink": {"table.name", "table.url", "room.level", "room.servers"},
    "room": set(),
}
"""Keys whose text leads to what stands elsewhere: the loader may refuse what the schema cannot."""

NEEDED_TOGETHER = (("table", "device"), ("announcer", "mqtt"))
"""Sections that others lead to, or that a file has where it has no other of the kind."""

OTHERS: tuple[object, ...] = (
    "",
    "x",
    "seat 0",
    "seat 10",
    "seat 100",
    "deck",
    -1,
    0,
    1,
    2,
    3,
    10**400,
    3.5,
    True,
    [],
    [""],
    ["x"],
    [1],
    {},
    {"x": 1},
)


def list_cases(file: str) -> Iterator[tuple[str, str]]:
    for section, keys in tomli.loads(WHOLE[file]).items():
        if section not in LEFT_OUT or file != "table":
            yield from ((section, key) for key in (*keys, "unknown"))


@cache
def make_validator(file: str) -> Any:  # noqa: ANN401 - as the library has it
    schema = json.loads(json.dumps(SCHEMAS[file]()))
    sections = {
        name: {} if name in LEFT_OUT and file == "table" else each for name, each in schema["properties"].items()
    }
    return Draft202012Validator({**schema, "properties": sections})


def list_values(schema: Schema, right: object) -> Iterator[object]:
    """What is right and wrong for a key: its choices, its limits and what is just beyond them, other types."""
    yield from schema.get("enum", ())
    step = schema.get("multipleOf", 1 if schema.get("type") == "integer" else 0.01)
    for limit, way in ((schema.get("minimum"), -1), (schema.get("maximum"), 1)):
        if limit is not None:
            whole = schema["type"] == "integer"
            yield from (int(each) if whole else each for each in (limit - way * step, limit, limit + way * step))
            yield limit + way * math.ceil(step / 2)
    if isinstance(right, list):
        yield from (right * n for n in (schema.get("minItems", 1), schema.get("maxItems", 1), 100))
    if isinstance(right, str):
        yield from (right + "!", right[1:], right.upper(), [right])
    yield from OTHERS


@pytest.mark.parametrize(("file", "section", "key"), [(file, *case) for file in WHOLE for case in list_cases(file)])
def test_schema_and_loader_agree(file: str, section: str, key: str) -> None:
    whole = tomli.loads(WHOLE[file])
    validator = make_validator(file)
    schema = validator.schema["properties"][section].get("properties", {}).get(key, {})
    right = whole[section].get(key)
    check(file, validator, whole, exact=True)
    for value in list_values(schema, right):
        changed = copy.deepcopy(whole)
        changed[section][key] = value
        check(file, validator, changed, exact=not {section, f"{section}.{key}"} & BEYOND[file])
    changed = copy.deepcopy(whole)
    changed[section].pop(key, None)
    check(file, validator, changed, exact=f"{section}.{key}" not in BEYOND[file])


def check(file: str, validator: Any, content: Content, *, exact: bool) -> None:  # noqa: ANN401 - as the library has it
    """Load the content, and ask the schema."""
    loaded = copy.deepcopy(content)
    refused = ""
    try:
        LOADERS[file](loaded)
    except ConfigError as why:
        refused = str(why)
    faults = [error.message for error in validator.iter_errors(content)]
    if exact or faults:
        assert bool(refused) == bool(faults), (refused, faults)


@pytest.mark.parametrize("file", WHOLE)
def test_every_key_of_a_schema_is_tried(file: str) -> None:
    whole = tomli.loads(WHOLE[file])
    for name, section in make_validator(file).schema["properties"].items():
        assert name in whole or name == "keys"
        assert set(section.get("properties", ())) <= set(whole.get(name, ())), name


@pytest.mark.parametrize("file", WHOLE)
@pytest.mark.parametrize("change", ["missing", "unknown", "empty"])
def test_sections_too(file: str, change: str) -> None:
    for name in tomli.loads(WHOLE[file]):
        content = tomli.loads(WHOLE[file])
        if change == "unknown":
            content[name + "s"] = {}
        elif change == "empty":
            content[name] = {}
        elif name not in ("device", "table"):
            del content[name]
        check(file, make_validator(file), content, exact=(file, name) not in NEEDED_TOGETHER)

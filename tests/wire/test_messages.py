"""The message table checked for itself, against the C header and against the specification's text."""

import re
from pathlib import Path

import pytest

from firmware_bridge.frames import MAX_PAYLOAD, Frame
from firmware_bridge.header import c_header, c_name
from firmware_bridge.limits import LIMITS
from firmware_bridge.messages import (
    ALL,
    MESSAGES,
    SCHEMA,
    Direction,
    Event,
    Gate,
    Hello,
    Message,
    Unreadable,
    fields,
    frame,
    payload,
    read,
    size,
    table_text,
)

ROOT = Path(__file__).parents[2]
WIRE = (ROOT / "docs" / "wire.md").read_text(encoding="utf-8")


def test_codes_are_unique_and_in_their_range() -> None:
    assert len(MESSAGES) == len(ALL)
    for kind in ALL:
        in_range = {
            Direction.REQUEST: 0x10 <= kind.CODE < 0x20,
            Direction.EVENT: 0x40 <= kind.CODE < 0x60 and issubclass(kind, Event),
            Direction.ACK: kind.CODE == 2,
            Direction.ANSWER: kind.CODE in (1, 0x7F) or kind.CODE - 0x80 in MESSAGES,
        }
        assert in_range[kind.DIRECTION], kind.NAME


def test_every_request_has_an_answer() -> None:
    requests = {kind for kind in ALL if kind.DIRECTION is Direction.REQUEST}
    answered = {kind for kind in requests if kind.CODE | 0x80 in MESSAGES}
    assert {kind.NAME for kind in requests - answered} == {"Identify"}, "Identify is answered by Hello"


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.NAME)
def test_every_message_fits_and_comes_back(kind: type[Message]) -> None:
    assert size(kind) <= MAX_PAYLOAD
    message = read(Frame(kind.CODE, 9, bytes([1] * size(kind))))
    assert isinstance(message, kind)
    assert payload(message) == bytes([1] * size(kind))
    assert frame(message, 9) == Frame(kind.CODE, 9, payload(message))


def test_the_hello_of_the_vector_is_the_head_of_ours() -> None:
    """Protocol 1, cause 08 (watchdog), boots 1, no flags: these never move."""
    hello = read(Frame(1, 0, bytes.fromhex("01 08 00 01 00") + bytes(size(Hello) - 5)))
    assert isinstance(hello, Hello)
    assert (hello.protocol, hello.cause, hello.boots, hello.flags) == (1, 8, 1, 0)


def test_what_cannot_be_read_says_why() -> None:
    assert read(Frame(0x33, 0)) == Unreadable(0x33, "no message has type 33")
    assert read(Frame(Gate.CODE, 0, b"\1")) == Unreadable(0x11, "Gate has 3 bytes, these are 1")
    assert read(Frame(0x40, 0, bytes(8) + b"\7")) == Unreadable(0x40, "Key.action is 7, no KeyAction")


def test_the_c_header_is_this_table() -> None:
    header = ROOT / "firmware_bridge" / "firmware" / "tb_messages.h"
    assert header.read_text(encoding="utf-8") == c_header(), "run: python -m firmware_bridge.header > the header"


def test_the_schema_hash_follows_every_change_of_the_table() -> None:
    assert f"0x{SCHEMA:08X}" in c_header()
    assert {line.split()[0] for line in table_text().splitlines()} == {"limit", "value", "message"}


def test_c_names() -> None:
    assert [c_name(name) for name in ("GateAnswer", "Ping", "MAX_BODY")] == ["GATE_ANSWER", "PING", "MAX_BODY"]


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.NAME)
def test_the_specification_lists_every_message_with_its_fields(kind: type[Message]) -> None:
    row = re.search(rf"^\| `{kind.CODE:02X}` \| {kind.NAME} \|(.*)$", WIRE, re.MULTILINE)
    assert row, f"docs/wire.md has no row for {kind.NAME}"
    own = [field for field in fields(kind) if not (issubclass(kind, Event) and field.name in ("boot", "number", "at"))]
    told = re.findall(r"`(\w+)`:(\w+)", row[1])
    assert told == [(field.name, field.code) for field in own]


@pytest.mark.parametrize("name", LIMITS)
def test_the_specification_gives_every_limit(name: str) -> None:
    assert re.search(rf"^\| `{name}` \| {LIMITS[name]} \|", WIRE, re.MULTILINE), f"docs/wire.md: {name}"

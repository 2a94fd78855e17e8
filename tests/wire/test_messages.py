"""The message table checked for itself, against the C header and against the specification's text."""

import re
from pathlib import Path

import pytest

from firmware_bridge.c_header import render_c_header, to_c_name
from firmware_bridge.limits import LIMITS
from firmware_bridge.wire_frames import MAX_PAYLOAD_BYTES, Frame
from firmware_bridge.wire_messages import (
    MESSAGE_TYPE_BY_CODE,
    MESSAGE_TYPES,
    SCHEMA,
    Direction,
    Event,
    Gate,
    Hello,
    Message,
    UnreadableMessage,
    get_payload_size,
    list_fields,
    make_frame,
    pack_payload,
    parse_message,
    render_message_table,
)

ROOT = Path(__file__).parents[2]
WIRE = (ROOT / "docs" / "wire.md").read_text(encoding="utf-8")


def test_codes_are_unique_and_in_their_range() -> None:
    assert len(MESSAGE_TYPE_BY_CODE) == len(MESSAGE_TYPES)
    for kind in MESSAGE_TYPES:
        in_range = {
            Direction.REQUEST: 0x10 <= kind.CODE < 0x20,
            Direction.EVENT: 0x40 <= kind.CODE < 0x60 and issubclass(kind, Event),
            Direction.ACK: kind.CODE == 2,
            Direction.ANSWER: kind.CODE in (1, 0x7F) or kind.CODE - 0x80 in MESSAGE_TYPE_BY_CODE,
        }
        assert in_range[kind.DIRECTION], kind.NAME


def test_every_request_has_an_answer() -> None:
    requests = {kind for kind in MESSAGE_TYPES if kind.DIRECTION is Direction.REQUEST}
    answered = {kind for kind in requests if kind.CODE | 0x80 in MESSAGE_TYPE_BY_CODE}
    assert {kind.NAME for kind in requests - answered} == {"Identify"}, "Identify is answered by Hello"


@pytest.mark.parametrize("kind", MESSAGE_TYPES, ids=lambda kind: kind.NAME)
def test_every_message_fits_and_comes_back(kind: type[Message]) -> None:
    assert get_payload_size(kind) <= MAX_PAYLOAD_BYTES
    message = parse_message(Frame(kind.CODE, 9, bytes([1] * get_payload_size(kind))))
    assert isinstance(message, kind)
    assert pack_payload(message) == bytes([1] * get_payload_size(kind))
    assert make_frame(message, 9) == Frame(kind.CODE, 9, pack_payload(message))


def test_the_hello_of_the_vector_is_the_head_of_ours() -> None:
    """Protocol 1, cause 08 (watchdog), boots 1, no flags: these never move."""
    hello = parse_message(Frame(1, 0, bytes.fromhex("01 08 00 01 00") + bytes(get_payload_size(Hello) - 5)))
    assert isinstance(hello, Hello)
    assert (hello.protocol, hello.cause, hello.boots, hello.flags) == (1, 8, 1, 0)


def test_what_cannot_be_read_says_why() -> None:
    assert parse_message(Frame(0x33, 0)) == UnreadableMessage(0x33, "no message has type 33")
    assert parse_message(Frame(Gate.CODE, 0, b"\1")) == UnreadableMessage(0x11, "Gate has 3 bytes, these are 1")
    assert parse_message(Frame(0x40, 0, bytes(8) + b"\7")) == UnreadableMessage(0x40, "Key.action is 7, no KeyAction")


def test_the_c_header_is_this_table() -> None:
    header = ROOT / "firmware_bridge" / "firmware" / "tb_messages.h"
    assert header.read_text(encoding="utf-8") == render_c_header(), (
        "run: python -m firmware_bridge.c_header > the header"
    )


def test_the_schema_hash_follows_every_change_of_the_table() -> None:
    assert f"0x{SCHEMA:08X}" in render_c_header()
    assert {line.split()[0] for line in render_message_table().splitlines()} == {"limit", "value", "message"}


def test_c_names() -> None:
    assert [to_c_name(name) for name in ("GateAnswer", "Ping", "MAX_BODY")] == ["GATE_ANSWER", "PING", "MAX_BODY"]


@pytest.mark.parametrize("kind", MESSAGE_TYPES, ids=lambda kind: kind.NAME)
def test_the_specification_lists_every_message_with_its_fields(kind: type[Message]) -> None:
    row = re.search(rf"^\| `{kind.CODE:02X}` \| {kind.NAME} \|(.*)$", WIRE, re.MULTILINE)
    assert row, f"docs/wire.md has no row for {kind.NAME}"
    own = [
        field for field in list_fields(kind) if not (issubclass(kind, Event) and field.name in ("boot", "number", "at"))
    ]
    told = re.findall(r"`(\w+)`:(\w+)", row[1])
    assert told == [(field.name, field.code) for field in own]


@pytest.mark.parametrize("name", LIMITS)
def test_the_specification_gives_every_limit(name: str) -> None:
    assert re.search(rf"^\| `{name}` \| {LIMITS[name]} \|", WIRE, re.MULTILINE), f"docs/wire.md: {name}"

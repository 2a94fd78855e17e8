"""The schema of the table script takes what `script_lines.parse_line` takes, and is published by a command."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from config.script_schema import MOTION_DEFINITION, build_script_schema
from controller.cli import main
from controller.core.protocol import script_lines, vocabulary
from controller.core.protocol.events import EVENT_NAME_BY_CLASS
from controller.core.protocol.table_error import Refused
from controller.shape import ShapeError

SCENARIOS = Path(__file__).parents[1] / "conformance" / "scenarios"
SCHEMA = build_script_schema()

NO_SUCH_BOOK_OR_GAME = ("robert-8", "faro")
"""What two scenarios of `refusals` name so that it is refused."""


def lines() -> Iterator[dict[str, Any]]:
    """Every line of the scenarios, once, without what the checker expects."""
    seen = set[str]()
    for path in sorted(SCENARIOS.rglob("*.jsonl")):
        for text in path.read_text(encoding="utf-8").splitlines():
            line = json.loads(text) if text.strip() else {}
            line.pop("expect", None)
            key = json.dumps({**line, "note": None}, sort_keys=True)
            if line and key not in seen:
                seen.add(key)
                yield line


def validator(definition: str) -> Draft202012Validator:
    """Of one word: a third of a millisecond a line, where the whole schema takes ten."""
    return Draft202012Validator({"$ref": f"#/$defs/{definition}", "$defs": SCHEMA["$defs"]})


VALIDATORS = {name: validator(name) for name in (*script_lines.LINE_NAMES, MOTION_DEFINITION)}


def fits(line: dict[str, Any]) -> bool:
    word = line["ev"]
    return VALIDATORS[
        MOTION_DEFINITION if word == "act" and not script_lines.MOTION_KEYS.isdisjoint(line) else word
    ].is_valid(line)


def is_read(line: dict[str, Any]) -> bool:
    try:
        script_lines.parse_line(line)
    except Refused:
        return False
    return True


def test_every_line_of_the_scenarios_fits_exactly_where_it_is_read() -> None:
    found = list(lines())
    assert len(found) > 400
    for line in found:
        if line.get("ev") == "table":
            is_known = not {line.get("rulebook"), line.get("game")} & set(NO_SUCH_BOOK_OR_GAME)
            taken = line.get("collection", {"kind": "none"})
            assert fits(line) == (is_known and is_read({"ev": "collection", **taken})), line
        elif line.get("ev") in script_lines.LINE_NAMES:
            assert fits(line) == is_read(line), line


def variants() -> Iterator[dict[str, Any]]:
    """Lines that are just right and just wrong, of every word and every kind of value."""
    values: tuple[object, ...] = (
        None, True, 0, 1, -1, 1.5, script_lines.MAX_NUMBER + 1, "", "As", "1s", "board", "seat 3", "seat 0", "up",
        "fold",
        [], [1], [0], ["As"], {}, {"ev": "start"}, {"ev": "undo"}, {"ev": "act", "seat": 1, "do": "fold"},
        [{"line": 1, "to": None}], [{"to": {"ev": "done"}, "more": 1}], "stub", "misdeal", "exposed", "dealer", "start",
        "check", "lost", "joker", "rake",
    )  # fmt: skip
    for kind, keys in script_lines.FIELDS_BY_KEY_BY_CLASS.items():
        word = next(word for event, word in EVENT_NAME_BY_CLASS.items() if event is kind)
        right: dict[str, Any] = {"ev": word}
        for key, (field, read) in keys.items():
            if field in script_lines.REQUIRED_FIELDS_BY_CLASS[kind]:
                right[key] = next(value for value in values if _can_read(read, value))
        yield right
        yield {**right, "no-such-key": 1}
        yield {**right, "note": {"anything": [1]}}
        for key in keys:
            yield {name: value for name, value in right.items() if name != key}
            for value in values:
                yield {**right, key: value}


def _can_read(read: script_lines.ValueReader, value: object) -> bool:
    try:
        read(value)
    except (ShapeError, Refused):
        return False
    return value is not None


def test_of_every_word_and_key_the_schema_takes_what_is_read() -> None:
    wrong = [line for line in variants() if fits(line) != is_read(line)]
    assert wrong == []


@pytest.mark.parametrize("what", vocabulary.ReportKind, ids=lambda what: what.value)
def test_a_report_fits_with_the_keys_that_its_kind_uses(what: vocabulary.ReportKind) -> None:
    own = {"seat": 1, "nth": 1, "count": 1, "card": "As", "from": 2, "hand": "this", "burned": True, "acted": 1}
    for key, value in own.items():
        line = {"ev": "report", "what": what.value, key: value}
        assert fits(line) == is_read(line), line


def test_the_whole_schema_leads_each_word_to_its_own() -> None:
    whole = Draft202012Validator(SCHEMA)
    Draft202012Validator.check_schema(SCHEMA)
    for line, right in (
        ({"ev": "act", "seat": 1, "do": "fold"}, True),
        ({"ev": "act", "seat": 1, "chips": [5], "said": "raise"}, True),
        ({"ev": "act", "seat": 1, "chips": [5], "do": "fold"}, False),
        ({"ev": "amend", "line": 3, "to": {"ev": "undo"}}, False),
        ({"ev": "amend", "line": 3, "to": {"ev": "done"}}, True),
        ({"ev": "no-such-word"}, False),
        ({}, False),
    ):
        assert whole.is_valid(line) is right, line


def test_the_command_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "--schema"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(SCHEMA))

"""`tablectl replay`: a table script in, one line of the contract out for each."""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from config.table_line import parse_table_line
from controller.command_table import Command, Option
from controller.core.engine.output import outcome_rendering
from controller.core.engine.table import Table
from controller.core.model.outcome import Outcome
from controller.core.protocol.player_names import refuse_unfit_player_names
from controller.core.protocol.script_lines import parse_line
from controller.core.protocol.table_error import Refused
from controller.strict_json import RepeatedKeyError, parse_json


def run(options: argparse.Namespace) -> int:
    """Replay the file; returns the exit status."""
    if options.schema:
        from config.script_schema import build_script_schema

        print(json.dumps(build_script_schema(), indent=2))
        return 0
    if options.file is None:
        options.parser.error("name the script's FILE, - for standard input, or say --schema")
    try:
        if options.file == "-":
            script = sys.stdin.buffer.read()
        else:
            with open(options.file, "rb") as file:
                script = file.read()
        lines = parse_script(script)
    except OSError as error:
        print(f"tablectl replay: {options.file}: cannot be read: {error.strerror}", file=sys.stderr)
        return 2
    except ValueError as error:
        print(f"tablectl replay: {options.file}: {error}", file=sys.stderr)
        return 2
    refused = False
    out = []
    for answer in replay_script(lines):
        refused = refused or "error" in answer
        out.append(format_result(answer))
    sys.stdout.write("".join(line + "\n" for line in out))
    return int(refused)


def format_result(answer: dict[str, Any]) -> str:
    """The answer as JSON; half a sign that a line named is written as an escape, as it came."""
    plain = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
    return plain if plain.isprintable() else json.dumps(answer, separators=(",", ":"))


def parse_script(script: bytes) -> list[dict[str, Any] | Refused]:
    """The lines of a script, a refusal for each that is no JSON object; raises `ValueError` when none is one."""
    lines: list[dict[str, Any] | Refused] = []
    for raw in script.split(b"\n")[: -1 if script.endswith(b"\n") else None]:
        try:
            line = parse_json(raw.decode())
        except RecursionError:
            lines.append(Refused("no-json", "the line is no JSON that has an end: it opens too many brackets."))
            continue
        except ValueError as error:
            why = "a number in it has too many digits"
            if isinstance(error, json.JSONDecodeError):
                why = f"{error.msg} at column {error.colno}"
            elif isinstance(error, RepeatedKeyError):
                lines.append(Refused("no-json", f"{error}."))
                continue
            elif isinstance(error, UnicodeDecodeError):
                why = f"it is not UTF-8 at byte {error.start + 1}"
            lines.append(Refused("no-json", f"the line is no JSON: {why}; each line holds one whole object with `ev`."))
            continue
        lines.append(line if isinstance(line, dict) else Refused("no-json", "the line is no JSON object with `ev`."))
    if not any(isinstance(line, dict) for line in lines):
        raise ValueError("not a table script: no line is a JSON object")
    return lines


def replay_script(lines: Iterable[dict[str, Any] | Refused]) -> Iterator[dict[str, Any]]:
    """What the table says to each line; a refused line leaves it as it was."""
    table = Table()
    outcome: Outcome | None = None
    for number, line in enumerate(lines, start=1):
        error: Refused | None = None
        try:
            if isinstance(line, Refused):
                raise line
            refuse_unfit_player_names(line)
            event = parse_table_line(line) if line.get("ev") == "table" else parse_line(line)
            outcome = table.handle(event, number)
        except Refused as refusal:
            error = refusal
        if outcome is not None:
            yield outcome_rendering.render_outcome(outcome, number, error)
        else:
            assert error is not None
            yield outcome_rendering.render_missing_table(number, error)


COMMAND = Command(
    "replay",
    "Plays a table script (JSON Lines) and prints one JSON object for each of its lines. "
    "Exit status: 0 all lines taken, 1 some were refused, 2 not readable as a script.",
    Option("file FILE", "the script; - for standard input", nargs="?"),
    Option("--schema", "print a JSON Schema of a line, for programs that write scripts", flag=True),
    run=run,
)

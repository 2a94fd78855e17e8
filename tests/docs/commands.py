"""Writes docs/commands.md: every command of `tablectl` with what it takes, from the parsers themselves."""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

from controller.cli import COMMANDS, load_command_module

PAGE = Path(__file__).parents[2] / "docs" / "commands.md"
HEAD = """# Commands

Every command of `tablectl` and what it takes, written by `make commands` from the commands themselves; a test holds it
to them. `tablectl COMMAND --help` says the same at a table. What stands in brackets may be left out.

"""


def page() -> str:
    """The page: a section a command, below it those that it has of its own."""
    commands = argparse.ArgumentParser(prog="tablectl").add_subparsers()
    for name in COMMANDS:
        load_command_module(name).add(commands)
    listed = [f"| [`{name}`](#tablectl-{name}) | {what} |" for name, (_, what) in COMMANDS.items()]
    sections = [text for name in COMMANDS for text in _sections(commands.choices[name], f"tablectl {name}", 2)]
    return (
        HEAD + "\n".join(["| command | what it is for |", "|---|---|", *listed]) + "\n\n" + "\n\n".join(sections) + "\n"
    )


def _sections(parser: argparse.ArgumentParser, words: str, depth: int) -> Iterator[str]:
    described = _plain(parser.description or "")
    below = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    rows = [row for action in parser._actions if action not in below and (row := _row(action))]
    takes = "\n".join(["| takes | meaning |", "|---|---|", *rows])
    yield "\n\n".join(filter(None, [f"{'#' * depth} {words}", described, takes if rows else ""]))
    for action in below:
        for name, command in action.choices.items():
            yield from _sections(command, f"{words} {name}", depth + 1)


def _row(action: argparse.Action) -> str:
    """A row of the table of what a command takes; none for `--help`, and for what is not told."""
    if isinstance(action, argparse._HelpAction) or action.help == argparse.SUPPRESS:
        return ""
    value = action.metavar if isinstance(action.metavar, str) else None
    if value is None and action.choices:
        value = "|".join(map(str, action.choices))
    if value is None and action.nargs != 0:
        value = action.dest.upper()
    named = ", ".join(action.option_strings)
    takes = " ".join(filter(None, [named, "" if action.nargs == 0 else value]))
    if action.nargs in ("*", "+"):
        takes += " …"
    if not action.required or action.nargs in ("?", "*"):
        takes = f"[{takes}]"
    told = (action.help or "") % {**vars(action), "prog": "tablectl"}
    escaped = takes.replace("|", "\\|")
    return f"| `{escaped}` | {_plain(told)} |"


def _plain(text: str) -> str:
    """A help text as it stands in a cell of a table; a bar would end the cell, an angle bracket begin a tag."""
    return re.sub(r"\s+", " ", text).strip().replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

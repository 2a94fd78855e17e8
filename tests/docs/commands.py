"""Writes docs/commands.md, or with a FILE a page for `man`: every command of `tablectl`, from the table of commands."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from controller.cli import COMMANDS, load_command
from controller.command_table import Command, Option

PAGE = Path(__file__).parents[2] / "docs" / "commands.md"
HEAD = """# Commands

Every command of `tablectl` and what it takes, written by `make commands` from the commands themselves; a test holds it
to them. `tablectl COMMAND --help` says the same at a table. What stands in brackets may be left out.

"""


def page() -> str:
    """The page: a section a command, below it those that it has of its own."""
    listed = [f"| [`{name}`](#tablectl-{name}) | {what} |" for name, (_, what) in COMMANDS.items()]
    sections = [_section(words, command) for words, command in walk_commands()]
    return (
        HEAD + "\n".join(["| command | what it is for |", "|---|---|", *listed]) + "\n\n" + "\n\n".join(sections) + "\n"
    )


def man_page() -> str:
    """All of it as a page for `man`."""
    lines = [".TH TABLECTL 1", ".SH NAME", "tablectl \\- the commands of a poker table", ".SH COMMANDS"]
    for words, command in walk_commands():
        lines += [f".SS {_roff(words)}", _roff(describe(command))]
        for option in command.options:
            lines += [".TP", f".B {_roff(format_usage(option))}", _roff(option.help or "")]
    return "\n".join(lines) + "\n"


def walk_commands() -> Iterator[tuple[str, Command]]:
    """Every command with its words, "tablectl journal list"; one whose distribution is missing is missed here."""
    for name in COMMANDS:
        command = load_command(name)
        assert command is not None
        yield from command.walk("tablectl")


def describe(command: Command) -> str:
    """What it does, and how it was called before."""
    older = " or ".join(command.aliases)
    return f"{command.description}{f' The older name, `{older}`, stays.' if older else ''}"


def format_usage(option: Option) -> str:
    """What is typed, in brackets where it may be left out."""
    value = option.name.partition(" ")[2] or "|".join(map(str, option.list_choices()))
    value = value or option.word.removeprefix("--").replace("-", "_").upper()
    takes = " ".join(filter(None, [option.word if option.is_named else "", "" if option.flag else value]))
    if option.nargs in ("*", "+"):
        takes += " …"
    needed = option.required if option.is_named else option.nargs not in ("?", "*")
    return takes if needed else f"[{takes}]"


def _section(words: str, command: Command) -> str:
    rows = [_row(option) for option in command.options]
    takes = "\n".join(["| takes | meaning |", "|---|---|", *rows])
    depth = "#" * len(words.split())
    return "\n\n".join(filter(None, [f"{depth} {words}", _plain(describe(command)), takes if rows else ""]))


def _row(option: Option) -> str:
    escaped = format_usage(option).replace("|", "\\|")
    return f"| `{escaped}` | {_plain(option.help or '')} |"


def _plain(text: str) -> str:
    """A help text as it stands in a cell of a table; a bar would end the cell, an angle bracket begin a tag."""
    return re.sub(r"\s+", " ", text).strip().replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


def _roff(text: str) -> str:
    """A line of text in a man page: a leading dot or quote would be a request."""
    return re.sub(r"^(?=[.'])", r"\\&", re.sub(r"\s+", " ", text).replace("\\", "\\e").replace("-", "\\-"))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(man_page(), encoding="utf-8")
    else:
        PAGE.write_text(page(), encoding="utf-8")

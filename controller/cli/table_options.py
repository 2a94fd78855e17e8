"""Which table a command is about: the installed one where there is one, else the demo."""

import argparse
import os
import pwd
from contextlib import suppress
from pathlib import Path

from config.file_library import Library, resolve_library
from config.table_file import DEMO_FILE, load_table_file
from controller.command_table import Option

INSTALLED_TABLE_FILE = Path("/etc/table-controller/table.toml")
"""Where `make install` puts the table of a house, and the service reads it."""


TABLE_USER = "table-controller"
"""Whom the service runs as, and whom the state directory belongs to."""


def become_table_user(options: argparse.Namespace) -> None:
    """Go on as the installed table's user where root asks about that table.

    What root wrote there the table could not open; and to root nothing is closed, so that it would be judged wrongly.
    """
    if (
        os.geteuid() != 0
        or getattr(options, "config", INSTALLED_TABLE_FILE) != INSTALLED_TABLE_FILE
        or not INSTALLED_TABLE_FILE.exists()
    ):
        return
    try:
        user = pwd.getpwnam(TABLE_USER)
    except KeyError:
        return
    os.initgroups(TABLE_USER, user.pw_gid)
    os.setgid(user.pw_gid)
    os.setuid(user.pw_uid)


def suggest_owner(path: str | None) -> str:
    """Say as whom to go on where `path` is closed to this user."""
    if path is None:
        return "run it as the user who runs the table"
    places = [Path(path).absolute(), *Path(path).absolute().parents]
    for place in places:
        try:
            owner = pwd.getpwuid(place.stat().st_uid).pw_name
        except (OSError, KeyError):
            continue
        return f"it belongs to {owner}: sudo -u {owner} tablectl …"
    return "run it as the user who runs the table"


def check_state_access(options: argparse.Namespace) -> None:
    """Raise `PermissionError`, which names the place, where the state a command is about is closed to this user."""
    if not hasattr(options, "state"):
        return
    with suppress(FileNotFoundError, NotADirectoryError):  # the command says what it needs
        os.scandir(options.state or load_table_file(options.config).state_directory).close()


def find_default_table_file() -> Path:
    """The table that a command is about where nobody says which."""
    return INSTALLED_TABLE_FILE if os.path.exists(INSTALLED_TABLE_FILE) else DEMO_FILE


def make_table_options(*, state: str = "") -> tuple[Option, ...]:
    """`--config`, and `--state` for a command that reads what lies in the state directory (`state`: what)."""
    config = Option(
        "--config FILE",
        f"the table (default: {INSTALLED_TABLE_FILE} where there is one, else the demo table)",
        Path,
        default=find_default_table_file,
    )
    return (config, Option("--state DIR", f"where {state}, instead of [state]", Path))[: 1 + bool(state)]


JOURNAL_OPTIONS = make_table_options(state="its journal is")
"""Those of every command that reads a table's journal."""


def find_state_and_library(options: argparse.Namespace) -> tuple[Path, Library]:
    """The state directory that the options name, and where its table's books are; raises `ConfigError`."""
    if options.state is not None:
        return options.state, resolve_library()
    file = load_table_file(options.config)
    return file.state_directory, file.library

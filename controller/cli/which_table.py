"""Which table a command is about: the installed one where there is one, else the demo."""

import argparse
import os
from pathlib import Path

from config.folders import Library, library_of
from config.table_file import DEMO, load_table

INSTALLED = Path("/etc/table-controller/table.toml")
"""Where `make install` puts the table of a house, and the service reads it."""


def add_table(parser: argparse.ArgumentParser, *, state: str = "") -> None:
    """Add `--config`, and `--state` for a command that reads what lies in the state directory (`state`: what)."""
    parser.add_argument(
        "--config",
        metavar="FILE",
        type=Path,
        default=INSTALLED if os.path.exists(INSTALLED) else DEMO,
        help=f"the table (default: {INSTALLED} where there is one, else the demo table)",
    )
    if state:
        parser.add_argument("--state", metavar="DIR", type=Path, help=f"where {state}, instead of [state]")


def state_and_library(options: argparse.Namespace) -> tuple[Path, Library]:
    """The state directory that the options name, and where its table's books are; raises `ConfigError`."""
    if options.state is not None:
        return options.state, library_of()
    file = load_table(options.config)
    return file.directory, file.library

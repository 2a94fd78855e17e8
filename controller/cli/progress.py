"""How far a long command is, on the terminal of whoever waits for it; nothing in a file, a pipe or with `--quiet`."""

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TextIO, TypeVar

from controller.command_table import Option

T = TypeVar("T")

PROGRESS_INTERVAL_S = 0.2

QUIET = Option("--quiet", "say nothing of how far it is", flag=True)


def show_progress(things: Iterable[T], what: str, *, quiet: bool = False, output: TextIO | None = None) -> Iterator[T]:
    """Hand things on, and say now and then how many there were, on one line that is gone at the end."""
    to = sys.stderr if output is None else output
    if quiet or not to.isatty():
        yield from things
        return
    number, said = 0, time.monotonic()
    try:
        for number, thing in enumerate(things, start=1):
            if time.monotonic() - said > PROGRESS_INTERVAL_S:
                said = time.monotonic()
                to.write(f"\r{what}: {number}\x1b[K")
                to.flush()
            yield thing
    finally:
        if number:
            to.write("\r\x1b[K")
            to.flush()


def show_stage(text: str, *, quiet: bool = False, output: TextIO | None = None) -> None:
    """Say what takes its time now."""
    to = sys.stderr if output is None else output
    if not quiet and to.isatty():
        print(f"{text} …", file=to, flush=True)

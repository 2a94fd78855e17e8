"""Which program is installed here, and what came of the last update: what a room is told of it."""

import hashlib
import json
import os
import sys
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from controller.app.releases import UPDATE_LOG
from controller.app.releases.release_archive import MANIFEST_FILE
from controller.runtime.faults.self_check import DISTRIBUTION_NAME, is_editable

MAX_RESULT_LENGTH = 200
"""Signs of what came of an update that are told."""

MAX_LOG_TAIL_BYTES = 16 * 1024
"""Bytes at the end of the log that are looked at; a line has some 300."""


def hash_installed_program(prefix: Path = Path(sys.prefix)) -> str:
    """Return the SHA-256 of the list of the program's files, in hex: of the release's signed manifest, or of the wheel.

    Two tables with the same one have the same program; that the files are those of the list the self-check says.
    Empty for a program that runs from a checkout. To be asked at the start: later the path may lead to another release.
    """
    try:
        return hashlib.sha256((prefix.resolve().parent / MANIFEST_FILE).read_bytes()).hexdigest()
    except OSError:
        pass
    try:
        own = distribution(DISTRIBUTION_NAME)
    except PackageNotFoundError:
        return ""
    record = own.read_text("RECORD")
    return "" if record is None or is_editable(own) else hashlib.sha256(record.encode()).hexdigest()


def read_last_update(log: Path = UPDATE_LOG) -> Mapping[str, str] | None:
    """Return `version`, `result` and `at` of the update that was tried last; `None` where none is known."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - MAX_LOG_TAIL_BYTES))
            lines = file.read(MAX_LOG_TAIL_BYTES).splitlines()
        line = json.loads(lines[-1])
        told = {"version": line["version"], "result": line["result"], "at": line["end"]}
    except (OSError, ValueError, KeyError, TypeError, IndexError, RecursionError):
        return None
    return {key: str(value)[:MAX_RESULT_LENGTH] for key, value in told.items()}

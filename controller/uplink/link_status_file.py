"""Says on this machine whether the room is reached: a small file that the table's page reads (`docs/room.md`)."""

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

STATUS_FILE_NAME = "standing.json"


class LinkStatusFile:
    """The file in `folder`; without a folder nobody wants to know."""

    def __init__(self, folder: Path | None) -> None:
        self._path = None if folder is None else folder / STATUS_FILE_NAME
        self._written_status: tuple[float | None, str] | None = None

    def write_status(self, since: float | None, why: str = "") -> None:
        """Say that the room is reached (`None`), or since when it is not, in Unix seconds."""
        if self._path is None or (since, why) == self._written_status:
            return
        new = self._path.with_suffix(".new")
        with suppress(OSError):  # a page that says nothing of the room harms no table
            new.write_text(json.dumps({"since": since, "why": why}), encoding="utf-8")
            new.chmod(0o644)
            new.replace(self._path)
            self._written_status = (since, why)

    def remove(self) -> None:
        """Say nothing any more."""
        if self._path is not None:
            self._path.unlink(missing_ok=True)


def find_runtime_folder(environment: Mapping[str, str] = os.environ) -> Path | None:
    """The folder that systemd made for it (`RuntimeDirectory=`)."""
    named = environment.get("RUNTIME_DIRECTORY", "")
    return Path(named) if named else None

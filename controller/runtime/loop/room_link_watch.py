"""Whether the room is reached, as the table's own page says it: the uplink writes it to a small file (`docs/room.md`).

Where no uplink runs there is no such file, and nothing is said: a room that was away is not back by that.
"""

import json
from pathlib import Path
from time import time

from controller.runtime.faults.notices import Notice, NoticeCode
from controller.wall_clock import to_wall_time

LINK_STATUS_FILE = Path("/run/table-uplink/standing.json")
MAX_FILE_BYTES = 4096

MIN_OUTAGE_S = 60.0
"""A link that is lost for less is nothing to say."""


class RoomLinkWatch:
    """Reads the file `path` when it is asked; says what is new, once."""

    def __init__(self, path: Path = LINK_STATUS_FILE) -> None:
        self._path = path
        self._reported_since: float | None = None

    def find_news(self, wall: float | None = None) -> Notice | None:
        """What there is to say at `wall`, in Unix seconds: not reached since, or reached again; mostly nothing."""
        wall = time() if wall is None else wall
        told = self._read_lost_since()
        if told is None:
            return None
        (since,) = told
        if since is None:
            was_said, self._reported_since = self._reported_since is not None, None
            return Notice(NoticeCode.ROOM_REACHABLE, "uplink", "The room is reached again.") if was_said else None
        if self._reported_since is not None or wall - since < MIN_OUTAGE_S:
            return None
        self._reported_since = since
        at = to_wall_time(since).astimezone()
        return Notice(
            NoticeCode.ROOM_UNREACHABLE, "uplink", f"The room has not been reached since {at:%Y-%m-%d %H:%M}."
        )

    def _read_lost_since(self) -> tuple[float | None] | None:
        """Since when it is not reached, or that it is; `None` where nobody says."""
        try:
            with open(self._path, "rb") as file:
                since = json.loads(file.read(MAX_FILE_BYTES))["since"]
            return (None if since is None else max(0.0, min(float(since), 4e9)),)
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return None

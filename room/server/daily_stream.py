"""A stream of which there is one a day of the house, read on and begun anew by itself."""

import asyncio
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from room.floor.house_day import DAY_START_S
from room.record.folded_stream import FoldedStream
from room.record.room_record import RecordLine
from room.server.room_context import RoomContext

S = TypeVar("S")


def find_day_start(now: float) -> float:
    """When the day of the house began (Unix seconds)."""
    day = time.localtime(now - DAY_START_S)
    return time.mktime((day.tm_year, day.tm_mon, day.tm_mday, int(DAY_START_S // 3600), 0, 0, 0, 0, -1))


class DailyStream(Generic[S]):
    """The stream `NAME:DAY` of a room; `empty` is how each day begins."""

    def __init__(self, room: RoomContext, name: str, empty: S, fold: Callable[[S, RecordLine], S]) -> None:
        self._room = room
        self._name = name
        self._empty_state = empty
        self._apply_line = fold
        self._today: FoldedStream[S] | None = None

    @property
    def day_start(self) -> float:
        """When today began (Unix seconds)."""
        return find_day_start(self._room.wall_clock())

    async def read_today(self) -> FoldedStream[S]:
        """The stream of today; raises `OSError`."""
        stream = f"{self._name}:{time.strftime('%Y-%m-%d', time.localtime(self._room.wall_clock() - DAY_START_S))}"
        if self._today is None or self._today.stream != stream:
            folded = FoldedStream(self._room.record, stream, self._empty_state, self._apply_line)
            await asyncio.to_thread(folded.read)
            self._today = folded
        return self._today

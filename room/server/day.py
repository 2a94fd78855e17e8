"""A stream of which there is one a day of the house, read on and begun anew by itself."""

import asyncio
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from room.record.folded import Folded
from room.record.lines import Line
from room.server.room import Room

S = TypeVar("S")

DAY_BEGINS = 6 * 3600.0
"""Seconds after midnight, of the machine's own time: a game that goes on after midnight is of the evening before."""


def begin_of(now: float) -> float:
    """When the day of the house began (Unix seconds)."""
    day = time.localtime(now - DAY_BEGINS)
    return time.mktime((day.tm_year, day.tm_mon, day.tm_mday, int(DAY_BEGINS // 3600), 0, 0, 0, 0, -1))


class Day(Generic[S]):
    """The stream `NAME:DAY` of a room; `empty` is how each day begins."""

    def __init__(self, room: Room, name: str, empty: S, fold: Callable[[S, Line], S]) -> None:
        self._room = room
        self._name = name
        self._empty = empty
        self._fold = fold
        self._folded: Folded[S] | None = None

    @property
    def begins(self) -> float:
        """When today began (Unix seconds)."""
        return begin_of(self._room.now())

    async def today(self) -> Folded[S]:
        """The stream of today; raises `OSError`."""
        stream = f"{self._name}:{time.strftime('%Y-%m-%d', time.localtime(self._room.now() - DAY_BEGINS))}"
        if self._folded is None or self._folded.stream != stream:
            folded = Folded(self._room.record, stream, self._empty, self._fold)
            await asyncio.to_thread(folded.read)
            self._folded = folded
        return self._folded

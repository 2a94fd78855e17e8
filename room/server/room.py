"""What the pages of one room share: its file, what screens are shown, its own record, and who is let in."""

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from traceback import extract_tb
from typing import Any, Protocol, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.routing import BaseRoute

from controller.runtime.staff.staff import Staff
from controller.web.access.door import Door
from room.contract.request import Answer, Verb
from room.contract.subjects import Told
from room.record.folded import Folded
from room.record.lines import Line, RoomRecord
from room.room_file import RoomFile
from room.search.newest import Newest, NothingNew
from room.server.hub import Hub

S = TypeVar("S")

Heard = Callable[[str, Told, bytes], None]
"""Is told what a table tells: its name, what, and the text as it came."""


class Tables(Protocol):
    """The tables as the server reaches them. Used in its loop."""

    async def listen(self, heard: Heard) -> None:
        """Tell `heard` whatever tables tell, until cancelled; goes on by itself when the brokers come back."""
        ...

    async def standings(self) -> Mapping[str, bytes]:
        """What each table told last of itself, those too that are away; raises `OSError` while it is not known."""
        ...

    async def ask(self, table: str, verb: Verb, what: Mapping[str, Any]) -> Answer:
        """Ask a table to do something; a table that cannot be reached is an answer, too."""
        ...


class Page(Protocol):
    """A page of the room: its routes, each of which `authority.ROUTES` names, and what it does all the time."""

    def routes(self) -> Sequence[BaseRoute]:
        """Make the routes."""
        ...

    def heard(self, table: str, what: Told, text: bytes) -> None:
        """A table has told something."""
        ...

    async def turn(self) -> None:
        """Do what is to be done all the time, until cancelled; ends at once where there is nothing."""
        ...


@dataclass(slots=True)
class Room:
    """One room; `now`: Unix seconds; `newest`: what its tables' records have come to."""

    file: RoomFile
    record: RoomRecord
    door: Door
    tables: Tables
    staff: Staff | None = None
    now: Callable[[], float] = time.time
    newest: Newest = field(default_factory=NothingNew)
    hub: Hub = field(init=False)

    def __post_init__(self) -> None:
        self.hub = Hub(self.door.is_signed_in)

    async def enter(self, folded: Folded[S], by: str, decide: Callable[[S], Mapping[str, Any] | None]) -> Line | None:
        """Write a line as `Folded.enter` does, beside the loop; it is on the disk when this returns."""
        return await run_in_threadpool(folded.enter, self.now(), by, decide)


def where(failure: BaseException) -> str:
    """Say what failed and where, without any value: a table may have said it."""
    while isinstance(failure, BaseExceptionGroup):
        failure = failure.exceptions[0]
    place = extract_tb(failure.__traceback__)[-1:]
    return type(failure).__name__ + "".join(f" in {Path(at.filename).name}, line {at.lineno}" for at in place)


class Quiet:
    """What a page does that is told nothing and does nothing by itself."""

    def heard(self, table: str, what: Told, text: bytes) -> None:
        """Nothing is done with it."""

    async def turn(self) -> None:
        """Nothing is done."""


Turn = Callable[[], Awaitable[None]]

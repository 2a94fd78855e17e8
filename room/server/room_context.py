"""What the pages of one room share: its file, what screens are shown, its own record, and who is let in."""

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from traceback import extract_tb
from typing import Any, Protocol, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.routing import BaseRoute

from controller.room_contract.subjects import TableTopic
from controller.room_contract.table_request import RequestKind, TableReply
from controller.runtime.staff.staff_store import StaffStore
from controller.web.access.authenticator import Authenticator
from room.record.folded_stream import FoldedStream
from room.record.room_record import RecordLine, RoomRecord
from room.room_file import RoomFile
from room.search.drop_queries import DropRecords, NoDropRecords
from room.search.recent_facts import NoRecentFacts, RecentFacts
from room.server.feed_hub import FeedHub

S = TypeVar("S")

TableListener = Callable[[str, TableTopic, bytes], None]
"""Is told what a table tells: its name, what, and the text as it came."""


class TableGateway(Protocol):
    """The tables as the server reaches them. Used in its loop."""

    async def listen(self, heard: TableListener) -> None:
        """Tell `heard` whatever tables tell, until cancelled; goes on by itself when the brokers come back."""
        ...

    async def read_last_states(self) -> Mapping[str, bytes]:
        """What each table told last of itself, those too that are away; raises `OSError` while it is not known."""
        ...

    async def ask(self, table: str, verb: RequestKind, what: Mapping[str, Any]) -> TableReply:
        """Ask a table to do something; a table that cannot be reached is an answer, too."""
        ...


class Page(Protocol):
    """A page of the room: its routes, all named by `route_permissions.ROLES_BY_ROUTE`, and what it does always."""

    def make_routes(self) -> Sequence[BaseRoute]:
        """Make the routes."""
        ...

    def on_table_message(self, table: str, what: TableTopic, text: bytes) -> None:
        """A table has told something."""
        ...

    async def run(self) -> None:
        """Do what is to be done all the time, until cancelled; ends at once where there is nothing."""
        ...


@dataclass(slots=True)
class RoomContext:
    """One room; `wall_clock`: Unix seconds; `recent_facts`, `drop_records`: what its tables' records have come to."""

    file: RoomFile
    record: RoomRecord
    authenticator: Authenticator
    tables: TableGateway
    staff: StaffStore | None = None
    wall_clock: Callable[[], float] = time.time
    recent_facts: RecentFacts = field(default_factory=NoRecentFacts)
    drop_records: DropRecords = field(default_factory=NoDropRecords)
    hub: FeedHub = field(init=False)

    def __post_init__(self) -> None:
        self.hub = FeedHub(self.authenticator.is_signed_in)

    async def enter(
        self, folded: FoldedStream[S], by: str, decide: Callable[[S], Mapping[str, Any] | None]
    ) -> RecordLine | None:
        """Write a line as `FoldedStream.enter` does, beside the loop; it is on the disk when this returns."""
        return await run_in_threadpool(folded.enter, self.wall_clock(), by, decide)


def describe_failure(failure: BaseException) -> str:
    """Say what failed and where, without any value: a table may have said it."""
    while isinstance(failure, BaseExceptionGroup):
        failure = failure.exceptions[0]
    place = extract_tb(failure.__traceback__)[-1:]
    return type(failure).__name__ + "".join(f" in {Path(at.filename).name}, line {at.lineno}" for at in place)


class PassivePage:
    """What a page does that is told nothing and does nothing by itself."""

    def on_table_message(self, table: str, what: TableTopic, text: bytes) -> None:
        """Nothing is done with it."""

    async def run(self) -> None:
        """Nothing is done."""


PageTask = Callable[[], Awaitable[None]]

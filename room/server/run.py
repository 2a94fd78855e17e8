"""Runs the room's server: database, brokers, pages, in one process and one loop."""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial

from controller.runtime.staff.staff import Staff, readable
from controller.runtime.state_directory import STAFF_FILE
from controller.web.access.door import Door
from controller.web.access.sessions import Sessions
from controller.web.serving.listener import listen, names_of
from controller.web.serving.server import PageServer
from controller.web.serving.tls import Tls
from room.contract.subjects import Told
from room.record.in_postgres import Reopened
from room.record.lines import RoomRecord
from room.room_file import RoomFile
from room.search.newest import InIndex
from room.server.app import PAGES, make_app
from room.server.authority import IDLE_SECONDS
from room.server.room import Page, Room, Tables, where
from room.server.tables import OverNats

COOKIE = "room"

AGAIN_SECONDS = 1.0

log = logging.getLogger(__name__)


def run_server(file: RoomFile, port: int | None = None) -> None:
    """Serve until stopped; raises `PageError`, `TlsError`, `DatabaseError` and `OSError`."""
    asyncio.run(serve(file, Reopened(file.database), OverNats(file.brokers), port))


async def serve(file: RoomFile, record: RoomRecord, tables: Tables, port: int | None = None) -> None:
    """Serve until stopped or cancelled."""
    with ExitStack() as stack:
        at = file.page
        bound = listen(at.host, at.port if port is None else port)
        stack.callback(bound.close)
        tls = None if at.certificate is None or at.key is None else Tls(at.certificate, at.key)
        if tls is not None:
            tls.check()
        staff = Staff(file.state / STAFF_FILE)
        stack.callback(staff.close)
        door = Door(Sessions(staff.stands, idle=IDLE_SECONDS), plain=at.plain, cookie=COOKIE)
        newest = InIndex(file.database)
        stack.callback(newest.close)
        room = Room(file, record, door, tables, staff, newest=newest)
        pages = [make(room) for make in PAGES]
        server = PageServer(make_app(room, names_of(bound, at.names), pages), bound, room.hub, tls)

        log.info("the room's pages are at %s", server.url)
        _announce(staff, server.url)
        async with asyncio.TaskGroup() as group:
            beside = [
                group.create_task(tables.listen(partial(hear, pages))),
                *(group.create_task(kept_up(page)) for page in pages),
            ]
            try:
                await server.serve()
            finally:
                room.hub.close()
                for task in beside:
                    task.cancel()


def hear(pages: Sequence[Page], table: str, what: Told, text: bytes) -> None:
    """Tell all pages what a table tells; on what one of them fails, the others may not."""
    for page in pages:
        try:
            page.heard(table, what, text)
        except Exception as failure:
            log.error("%s: %s failed on what it tells: %s", table, type(page).__name__, where(failure))


async def kept_up(page: Page) -> None:
    """Do what a page does all the time, whatever it fails on: the other pages, and all tables, have the same server."""
    while True:
        try:
            return await page.turn()
        except Exception as failure:
            log.error("%s failed, and begins anew: %s", type(page).__name__, where(failure))
            await asyncio.sleep(AGAIN_SECONDS)


def _announce(staff: Staff, url: str) -> None:
    """Where nobody is enrolled yet, make the code with which the first person enrols."""
    if not staff.people():
        log.warning(
            "nobody is enrolled here: with the one-time code %s the first person enrols, best a technician: %ssign-in",
            readable(staff.one_time_code()), url,
        )  # fmt: skip

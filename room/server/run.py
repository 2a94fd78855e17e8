"""Runs the room's server: database, brokers, pages, in one process and one loop."""

import asyncio
import logging
from contextlib import ExitStack

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
from room.server.app import PAGES, make_app
from room.server.authority import IDLE_SECONDS
from room.server.room import Room, Tables
from room.server.tables import OverNats

COOKIE = "room"

log = logging.getLogger(__name__)


def run_server(file: RoomFile, port: int | None = None) -> None:
    """Serve until stopped; raises `PageError`, `TlsError`, `DatabaseError` and `OSError`."""
    asyncio.run(serve(file, Reopened(file.database), OverNats(file.brokers), port))


async def serve(file: RoomFile, record: RoomRecord, tables: Tables, port: int | None = None) -> None:
    """Serve until stopped or cancelled."""
    with ExitStack() as stack:
        where = file.page
        bound = listen(where.host, where.port if port is None else port)
        stack.callback(bound.close)
        tls = None if where.certificate is None or where.key is None else Tls(where.certificate, where.key)
        if tls is not None:
            tls.check()
        staff = Staff(file.state / STAFF_FILE)
        stack.callback(staff.close)
        door = Door(Sessions(staff.stands, idle=IDLE_SECONDS), plain=where.plain, cookie=COOKIE)
        room = Room(file, record, door, tables, staff)
        pages = [make(room) for make in PAGES]
        server = PageServer(make_app(room, names_of(bound, where.names), pages), bound, room.hub, tls)

        def heard(table: str, what: Told, text: bytes) -> None:
            for page in pages:
                page.heard(table, what, text)

        log.info("the room's pages are at %s", server.url)
        _announce(staff, server.url)
        async with asyncio.TaskGroup() as group:
            beside = [group.create_task(tables.listen(heard)), *(group.create_task(page.turn()) for page in pages)]
            try:
                await server.serve()
            finally:
                room.hub.close()
                for task in beside:
                    task.cancel()


def _announce(staff: Staff, url: str) -> None:
    """Where nobody is enrolled yet, make the code with which the first person enrols."""
    if not staff.people():
        log.warning(
            "nobody is enrolled here: with the one-time code %s the first person enrols, best a technician: %ssign-in",
            readable(staff.one_time_code()), url,
        )  # fmt: skip

"""Runs the room's server: database, brokers, pages, in one process and one loop."""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial

from controller.room_contract.subjects import TableTopic
from controller.runtime.staff.permissions import Role
from controller.runtime.staff.staff_store import StaffStore, format_code
from controller.runtime.storage.state_directory import STAFF_FILE
from controller.web.access.authenticator import Authenticator
from controller.web.access.session_store import SessionStore
from controller.web.serving.listener import list_host_names, listen
from controller.web.serving.page_server import PageServer
from controller.web.serving.tls import Tls
from room.record.postgres_record import ReconnectingRecord
from room.record.room_record import RoomRecord
from room.room_file import RoomFile
from room.search.drop_queries import IndexedDrop
from room.search.recent_facts import IndexedFacts
from room.server.app import PAGES, make_app
from room.server.nats_gateway import NatsGateway
from room.server.room_context import Page, RoomContext, TableGateway, describe_failure
from room.server.route_permissions import IDLE_TIMEOUT_S_BY_ROLE

COOKIE_NAME = "room"

RESTART_DELAY_S = 1.0

log = logging.getLogger(__name__)


def run_server(file: RoomFile, port: int | None = None) -> None:
    """Serve until stopped; raises `PageError`, `TlsError`, `DatabaseError` and `OSError`."""
    asyncio.run(serve(file, ReconnectingRecord(file.conninfo), NatsGateway(file.brokers), port))


async def serve(file: RoomFile, record: RoomRecord, tables: TableGateway, port: int | None = None) -> None:
    """Serve until stopped or cancelled."""
    with ExitStack() as stack:
        at = file.page
        bound = listen(at.host, at.port if port is None else port)
        stack.callback(bound.close)
        tls = None if at.certificate is None or at.private_key is None else Tls(at.certificate, at.private_key)
        if tls is not None:
            tls.check()
        staff = StaffStore(file.state_directory / STAFF_FILE)
        stack.callback(staff.close)
        door = Authenticator(
            SessionStore(
                staff.is_still_enrolled,
                idle={**IDLE_TIMEOUT_S_BY_ROLE, Role.FLOOR: at.floor_minutes * 60.0},
                deciding=None,
            ),
            allows_plain_http=at.allows_plain_http,
            cookie_name=COOKIE_NAME,
        )
        newest = IndexedFacts(file.conninfo)
        stack.callback(newest.close)
        drop = IndexedDrop(file.conninfo)
        stack.callback(drop.close)
        room = RoomContext(file, record, door, tables, staff, recent_facts=newest, drop_records=drop)
        pages = [make(room) for make in PAGES]
        server = PageServer(make_app(room, list_host_names(bound, at.host_names), pages), bound, room.hub, tls)

        log.info("the room's pages are at %s", server.url)
        _announce_first_code(staff, server.url)
        async with asyncio.TaskGroup() as group:
            beside = [
                group.create_task(tables.listen(partial(deliver_message, pages))),
                *(group.create_task(keep_running(page)) for page in pages),
            ]
            try:
                await server.serve()
            finally:
                room.hub.close()
                for task in beside:
                    task.cancel()


def deliver_message(pages: Sequence[Page], table: str, what: TableTopic, text: bytes) -> None:
    """Tell all pages what a table tells; on what one of them fails, the others may not."""
    for page in pages:
        try:
            page.on_table_message(table, what, text)
        except Exception as failure:
            log.error("%s: %s failed on what it tells: %s", table, type(page).__name__, describe_failure(failure))


async def keep_running(page: Page) -> None:
    """Do what a page does all the time, whatever it fails on: the other pages, and all tables, have the same server."""
    while True:
        try:
            return await page.run()
        except Exception as failure:
            log.error("%s failed, and begins anew: %s", type(page).__name__, describe_failure(failure))
            await asyncio.sleep(RESTART_DELAY_S)


def _announce_first_code(staff: StaffStore, url: str) -> None:
    """Where nobody is enrolled yet, make the code with which the first person enrols."""
    if not staff.list_people():
        log.warning(
            "nobody is enrolled here: with the one-time code %s the first person enrols, best a technician: %ssign-in",
            format_code(staff.make_one_time_code()), url,
        )  # fmt: skip

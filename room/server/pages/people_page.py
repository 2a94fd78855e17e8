"""The staff's page: everybody of the room, and at which table the newest list is not yet."""

import asyncio
import logging
from collections.abc import Sequence

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from controller.room_contract.subjects import TableTopic
from controller.room_contract.table_request import MessageFormatError, RequestKind, TableReply
from controller.runtime.staff.admission import AdmissionError, RefusalCode
from controller.web.access.authenticator import get_principal
from controller.web.http.responses import (
    MAX_BODY_BYTES,
    is_json,
    make_admission_refusal,
    make_not_json_refusal,
    make_refusal,
    read_json,
)
from controller.web.wording.page_translation import make_page_response
from room.fleet.staged_releases import MAX_TABLES
from room.server import STATIC_FOLDER
from room.server.room_context import RoomContext
from room.staff.signed_requests import TablePosition
from room.staff.staff_list_publisher import StaffListPublisher, load_or_make_room_key

FEED = "people"
PAGE_FILE = STATIC_FOLDER / "people.html"

POLL_INTERVAL_S = 0.25
"""How often the staff's file is looked at: who is withdrawn, on the page or by a command, is out within a second."""

RETRY_INTERVAL_S = 5.0
"""When a table that did not take the list is asked again."""

log = logging.getLogger(__name__)


class PeoplePage:
    """Makes the routes, and hands the list out."""

    def __init__(self, room: RoomContext) -> None:
        self._room = room
        self._publisher: StaffListPublisher | None = None
        self._known_tables = set(room.file.page_url_by_table)
        self._attempt_by_table: dict[str, tuple[int, float]] = {}
        """Table -> the list that it was asked to take last, and when it is asked again if it did not."""
        self._last_health_at_by_table: dict[str, float] = {}
        self._send_tasks: set[asyncio.Task[None]] = set()
        self._shown_state: object = None

    def make_routes(self) -> Sequence[BaseRoute]:
        """Make them."""
        return [
            Route("/people", self.get_page, methods=["GET"]),
            Route("/people/events", self.stream_feed, methods=["GET"]),
            Route("/people/withdraw", self.remove_person, methods=["POST"], max_body_size=MAX_BODY_BYTES),
        ]

    async def get_page(self, request: Request) -> Response:
        """Answer with the page, which is empty."""
        return make_page_response(request, PAGE_FILE)

    async def stream_feed(self, request: Request) -> Response:
        """Answer with the people and the tables, as they change."""
        return self._room.hub.make_stream_response(request, FEED)

    async def remove_person(self, request: Request) -> Response:
        """Let somebody in no more, anywhere."""
        if not is_json(request):
            return make_not_json_refusal()
        staff, person = self._room.staff, get_principal(request).person
        match await read_json(request):
            case {"name": str(name), **rest} if not rest and staff is not None and person is not None:
                try:
                    await run_in_threadpool(staff.remove, name, staff.make_warrant(person))
                except AdmissionError as why:
                    return make_admission_refusal(why)
                return Response(status_code=204)
            case _:
                return make_refusal(RefusalCode.NOT_UNDERSTOOD, 'Want {"name": …}, whom nobody is to let in any more.')

    def on_table_message(self, table: str, what: TableTopic, text: bytes) -> None:  # noqa: ARG002 - that it says anything is enough
        """A table that was away is asked at once when it is back."""
        if what is not TableTopic.HEALTH or (table not in self._known_tables and len(self._known_tables) >= MAX_TABLES):
            return
        self._known_tables.add(table)
        now = self._room.wall_clock()
        if (
            not 0 <= now - self._last_health_at_by_table.get(table, -RETRY_INTERVAL_S) < RETRY_INTERVAL_S
        ):  # more often would be no health
            self._last_health_at_by_table[table] = now
            self._attempt_by_table.pop(table, None)

    async def run(self) -> None:
        """Sign a list whenever somebody comes, goes or changes, and send it until every table has it."""
        if self._room.staff is None:
            return
        while True:
            try:
                await self.distribute_list()
            except (OSError, AdmissionError) as why:
                log.warning("the list of staff cannot be handed out: %s", why)
            await asyncio.sleep(POLL_INTERVAL_S)

    async def distribute_list(self) -> None:
        """Look once, and ask whoever is owed; raises `OSError` and `AdmissionError`."""
        if self._publisher is None:
            self._publisher = await run_in_threadpool(self._open_publisher)
        await run_in_threadpool(self._publisher.publish_if_changed)
        now, number = asyncio.get_running_loop().time(), self._publisher.distribution.number
        for table in self._publisher.distribution.find_owing_tables(self._known_tables):
            asked, again = self._attempt_by_table.get(table, (0, 0.0))
            if asked < number or now >= again:
                self._attempt_by_table[table] = (number, now + RETRY_INTERVAL_S)
                task = asyncio.create_task(self._send_list(self._publisher, table))
                self._send_tasks.add(task)
                task.add_done_callback(self._send_tasks.discard)
        self._show_people(self._publisher)

    async def _send_list(self, lists: StaffListPublisher, table: str) -> None:
        try:
            answer: TableReply = await self._room.tables.ask(table, RequestKind.STAFF, lists.signed_list)
            if answer.code == RefusalCode.OLDER_LIST.value:  # the room was put back from a copy
                there = TablePosition.from_reply(await self._room.tables.ask(table, RequestKind.POSITION, {}))
                await run_in_threadpool(lists.record_held_list, table, there.staff_list_number, there.own_names)
            else:
                await run_in_threadpool(lists.record_reply, table, answer)
        except (OSError, MessageFormatError) as why:
            log.warning("what %s answered cannot be written down: %s", table, why)
        self._show_people(lists)

    def _open_publisher(self) -> StaffListPublisher:
        assert self._room.staff is not None
        return StaffListPublisher(
            self._room.staff,
            load_or_make_room_key(self._room.file.state_directory),
            self._room.record,
            self._room.wall_clock,
        )

    def _show_people(self, lists: StaffListPublisher) -> None:
        spread, staff = lists.distribution, self._room.staff
        if staff is None or self._shown_state == (spread, frozenset(self._known_tables)):
            return
        self._shown_state = (spread, frozenset(self._known_tables))
        put, owing = self._room.hub.put, spread.find_owing_tables(self._known_tables)
        people = {f"person:{person.name}": person for person in staff.list_people()}
        for key in {*people, *(key for key in self._room.hub.read_values(FEED) if key.startswith("person:"))}:
            person = people.get(key)
            told = None if person is None else {"name": person.name, "role": person.role.value}
            put(FEED, key, told)
        put(FEED, "list", {"number": spread.number, "key": lists.public_key})
        for table in self._known_tables:
            held = spread.held_list_by_table.get(table)
            where: dict[str, object] = {"table": table, "owed": table in owing}
            if held is not None:
                where |= {
                    "number": held.number,
                    "own": list(held.own_names),
                    "since": held.owed_since,
                    "why": held.reason,
                }
            put(FEED, f"table:{table}", where)

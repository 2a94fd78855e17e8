"""The fleet's page: what runs at each table, and releases that are staged and installed between hands."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from controller.room_contract.artifact import CHUNK_BYTES, Chunk
from controller.room_contract.batch import BatchError
from controller.room_contract.refusal_codes import is_temporary
from controller.room_contract.subjects import TABLE_NAME_PATTERN, TableTopic
from controller.room_contract.table_health import TableHealth
from controller.room_contract.table_request import RequestKind, TableReply
from controller.runtime.staff.admission import RefusalCode
from controller.runtime.staff.staff_store import AuthenticatedPerson
from controller.web.access.authenticator import get_principal
from controller.web.http.responses import MAX_BODY_BYTES, is_json, make_not_json_refusal, make_refusal, read_json
from controller.web.wording.page_translation import make_page_response
from room.fleet.release_library import ReleaseFileError, ReleaseLibrary
from room.fleet.staged_releases import (
    AWAY_AFTER_S,
    FLEET_STREAM,
    MAX_TABLES,
    Fleet,
    HealthReport,
    apply_fleet_line,
    find_staging_refusal,
    find_table_refusal,
    is_installed,
    preview_staging,
)
from room.record.folded_stream import FoldedStream
from room.server import STATIC_FOLDER
from room.server.request_client import send_signed_request, to_json_response
from room.server.room_context import RoomContext
from room.staff import signed_requests

FEED = "fleet"
PAGE_FILE = STATIC_FOLDER / "fleet.html"

POLL_INTERVAL_S = 2.0
FREE_SPACE_STEP_BYTES = 100_000_000
"""What is free is shown in steps of this, so that not every byte that is written tells every screen."""

MAX_TRANSFERS = 4
"""To so many tables releases are sent at one time."""

MAX_CHUNK_TRIES = 3
"""So often a piece may come to a table as another than was sent; then somebody on the way changes it."""

log = logging.getLogger(__name__)


class FleetPage:
    """Makes the routes, hears how tables are, and asks those for which something is staged."""

    def __init__(self, room: RoomContext) -> None:
        self._room = room
        self._fleet = FoldedStream(room.record, FLEET_STREAM, Fleet(), apply_fleet_line)
        self._report_by_table: dict[str, HealthReport] = {}
        self._stager_by_table: dict[str, AuthenticatedPerson] = {}
        """Whose word stands for what a table is to be asked; in memory alone, as long as the person may ask."""
        self._library = ReleaseLibrary(room.file.state_directory)
        self._transfer_by_table: dict[str, tuple[str, int, int]] = {}
        """Of a table that a release is sent to: which, how many bytes it has, and of how many."""
        self._transfer_task_by_table: dict[str, asyncio.Task[None]] = {}
        self._transfer_slots = asyncio.Semaphore(MAX_TRANSFERS)

    def make_routes(self) -> Sequence[BaseRoute]:
        """Make them."""
        body = 16 * MAX_BODY_BYTES
        return [
            Route("/fleet", self.get_page, methods=["GET"]),
            Route("/fleet/events", self.stream_feed, methods=["GET"]),
            Route("/fleet/releases", self.list_releases, methods=["GET"]),
            Route("/fleet/would", self.preview_staging, methods=["POST"], max_body_size=body),
            Route("/fleet/stage", self.stage_release, methods=["POST"], max_body_size=body),
            Route("/fleet/drop", self.drop_staged, methods=["POST"], max_body_size=body),
            Route("/fleet/present", self.get_table_file, methods=["POST"], max_body_size=MAX_BODY_BYTES),
            Route("/fleet/file", self.post_table_file, methods=["POST"], max_body_size=128 * 1024),
        ]

    async def get_page(self, request: Request) -> Response:
        """Answer with the page, which is empty."""
        return make_page_response(request, PAGE_FILE)

    async def stream_feed(self, request: Request) -> Response:
        """Answer with the tables, as they change."""
        return self._room.hub.make_stream_response(request, FEED)

    async def list_releases(self, request: Request) -> Response:  # noqa: ARG002 - the same for all who may have it
        """Answer with the names of the archives that there are, the newest first."""
        try:
            return JSONResponse(await asyncio.to_thread(self._library.list_names))
        except ReleaseFileError as why:
            return make_refusal(RefusalCode.RECORD_UNREADABLE, f"{why}.")

    async def preview_staging(self, request: Request) -> Response:
        """Say what staging would do, table by table; nothing is asked of any."""
        wish = await self._parse_staging(request)
        if isinstance(wish, Response):
            return wish
        tables, release = wish
        return JSONResponse(dict(preview_staging(release, tables, self._report_by_table, self._room.wall_clock())))

    async def stage_release(self, request: Request) -> Response:
        """Have a release installed at some tables, each between two of its hands, by the word of who is signed in."""
        wish, person = await self._parse_staging(request), get_principal(request).person
        if isinstance(wish, Response):
            return wish
        if person is None:
            return make_refusal(RefusalCode.SIGN_IN_NEEDED, "Sign in first.")
        tables, release = wish
        try:
            if release is not None and release not in await asyncio.to_thread(self._library.list_names):
                return make_refusal(
                    RefusalCode.NOT_UNDERSTOOD, f"The room has no {release}: tablectl room release add FILE."
                )
        except ReleaseFileError as why:
            return make_refusal(RefusalCode.RECORD_UNREADABLE, f"{why}.")
        what = {"do": "stage", "tables": tables, "release": release}
        try:
            await self._room.enter(self._fleet, person.name, lambda _: what)
        except OSError:
            return make_refusal(
                RefusalCode.RECORD_UNREADABLE, "The room's record cannot be written now; nothing was staged."
            )
        self._stager_by_table |= dict.fromkeys(tables, person)
        self._show_tables()
        return Response(status_code=204)

    async def drop_staged(self, request: Request) -> Response:
        """Ask tables for nothing any more."""
        wish = await self._parse_staging(request)
        if isinstance(wish, Response):
            return wish
        what = {"do": "drop", "tables": wish[0]}
        try:
            await self._room.enter(self._fleet, get_principal(request).name or "", lambda _: what)
        except OSError:
            return make_refusal(
                RefusalCode.RECORD_UNREADABLE, "The room's record cannot be written now; nothing was dropped."
            )
        self._show_tables()
        return Response(status_code=204)

    async def get_table_file(self, request: Request) -> Response:
        """Answer with a table's file as it stands; the table is asked by the word of who is signed in."""
        if not is_json(request):
            return make_not_json_refusal()
        person = get_principal(request).person
        match await read_json(request):
            case {"table": str(table), **rest} if (
                not rest and TABLE_NAME_PATTERN.fullmatch(table) and person is not None
            ):
                answer = await send_signed_request(
                    self._room.tables,
                    table,
                    RequestKind.READ_FILE,
                    lambda at: signed_requests.sign_file_read(person, at),
                )
                return (
                    JSONResponse({"text": str(answer.content["text"])})
                    if "text" in answer.content
                    else to_json_response(answer)
                )
            case _:
                return make_refusal(RefusalCode.NOT_UNDERSTOOD, 'Want {"table"}: whose file.')

    async def post_table_file(self, request: Request) -> Response:
        """Have a table check its new file, and take it between hands."""
        if not is_json(request):
            return make_not_json_refusal()
        person = get_principal(request).person
        match await read_json(request):
            case {"table": str(table), "text": str(text), **rest} if (
                not rest and TABLE_NAME_PATTERN.fullmatch(table) and person is not None
            ):
                answer = await send_signed_request(
                    self._room.tables,
                    table,
                    RequestKind.REPLACE_FILE,
                    lambda at: signed_requests.sign_file_replacement(person, text, at),
                )
                return to_json_response(answer)
            case _:
                return make_refusal(RefusalCode.NOT_UNDERSTOOD, 'Want {"table", "text"}: the whole file of that table.')

    def on_table_message(self, table: str, what: TableTopic, text: bytes) -> None:
        """A table says how it is."""
        if what is not TableTopic.HEALTH or (
            table not in self._report_by_table and len(self._report_by_table) >= MAX_TABLES
        ):
            return
        try:
            self._report_by_table[table] = HealthReport(TableHealth.from_json(text), self._room.wall_clock())
        except BatchError:
            return
        self._show_tables()

    async def run(self) -> None:
        """Ask the tables for which something is staged, until they have taken it."""
        while True:
            try:
                await self.ask_tables()
            except OSError as why:
                log.warning("the fleet cannot be kept: %s", why)
            await asyncio.sleep(POLL_INTERVAL_S)

    async def ask_tables(self) -> None:
        """Look once; raises `OSError`."""
        if not self._fleet.last_number:
            await asyncio.to_thread(self._fleet.read)
        staff = self._room.staff
        pending = [
            table for table, one in self._fleet.state.release_by_table.items()
            if not one.is_accepted and (not one.reason or table in self._stager_by_table) and not is_installed(one,
            self._report_by_table.get(table))
        ]  # fmt: skip
        self._transfer_task_by_table = {
            table: task for table, task in self._transfer_task_by_table.items() if not task.done()
        }
        self._transfer_by_table = {
            table: has for table, has in self._transfer_by_table.items() if table in self._fleet.state.release_by_table
        }
        asked = []
        for table in pending:
            person, release = self._stager_by_table.get(table), self._fleet.state.release_by_table[table].release_name
            if person is None or staff is None or not staff.is_still_enrolled(person):
                continue
            if release is None or self._is_fully_sent(table, release):
                asked.append(self._ask_to_install(table, person, release))
            elif table not in self._transfer_task_by_table:
                self._transfer_task_by_table[table] = asyncio.create_task(self._send_release(table, person, release))
        await asyncio.gather(*asked)
        self._show_tables()

    def _is_fully_sent(self, table: str, release: str) -> bool:
        name, have, size = self._transfer_by_table.get(table, ("", 0, 0))
        return name == release and 0 < have == size

    async def _ask_to_install(self, table: str, person: AuthenticatedPerson, release: str | None) -> None:
        answer = await send_signed_request(
            self._room.tables, table, RequestKind.RELEASE, lambda at: signed_requests.sign_release(person, release, at)
        )  # fmt: skip
        if not is_temporary(answer.code):
            await self._record_reply(table, person, answer)

    async def _record_reply(self, table: str, person: AuthenticatedPerson, answer: TableReply) -> None:
        """Write down what came of it; the person's word stands no longer."""
        self._stager_by_table.pop(table, None)
        last = self._report_by_table.get(table)
        was = "" if last is None else last.health.version_by_component.get("program", "")
        what = {"do": "answered", "table": table, "taken": answer.is_accepted, "why": answer.message, "was": was}
        await self._room.enter(self._fleet, person.name, lambda _: what)

    async def _send_release(self, table: str, person: AuthenticatedPerson, release: str) -> None:
        """Send a table a release, from where it was left off; what fails is tried again with the next look."""
        try:
            async with self._transfer_slots:
                answer = await self._send_chunks(table, person, release)
            if answer is not None and not is_temporary(answer.code):
                await self._record_reply(table, person, answer)
        except OSError as why:
            log.warning("the fleet cannot be kept: %s", why)

    async def _send_chunks(self, table: str, person: AuthenticatedPerson, release: str) -> TableReply | None:
        """Send it; return the refusal, or `None` when the table has all of it or it is wanted no more."""
        try:
            parcel = await asyncio.to_thread(self._library.make_artifact, release)
        except ReleaseFileError as why:
            return TableReply(False, None, "not-there", f"{why}.")
        piece = Chunk(parcel.sha256, 0, b"")  # asks how much is there
        others = 0
        while (wanted := self._fleet.state.release_by_table.get(table)) is not None and wanted.release_name == release:
            answer = await self._room.tables.ask(table, RequestKind.CHUNK, piece.to_json())
            if answer.code == "not-expected" and not piece.data:
                answer = await send_signed_request(
                    self._room.tables,
                    table,
                    RequestKind.FETCH,
                    lambda at: signed_requests.sign_fetch(person, parcel, at),
                )
            if answer.code == "not-that-piece" and (others := others + 1) < MAX_CHUNK_TRIES:
                continue
            match answer.content:
                case {"have": int(have)} if answer.is_accepted and (
                    have == parcel.size_bytes or have in range(0, parcel.size_bytes, CHUNK_BYTES)
                ):
                    self._transfer_by_table[table] = (release, have, parcel.size_bytes)
                case _ if answer.is_accepted:
                    return TableReply(
                        False, None, "not-that-piece", "Its uplink says that it has what no piece ends with."
                    )
                case _:
                    return answer
            if have == parcel.size_bytes:
                return None
            if have <= piece.offset and piece.data and (others := others + 1) >= MAX_CHUNK_TRIES:
                return TableReply(False, None, "not-that-piece", "Its uplink says that it has less than it was sent.")
            piece = Chunk(parcel.sha256, have, await asyncio.to_thread(self._library.read_chunk, release, have))
        return None

    async def _parse_staging(self, request: Request) -> tuple[list[str], str | None] | Response:
        if not is_json(request):
            return make_not_json_refusal()
        match await read_json(request):
            case {"tables": [*tables], "release": None | str() as release, **rest} if not rest:
                why = find_staging_refusal(tables, release)
                if why:
                    return make_refusal(RefusalCode.NOT_UNDERSTOOD, f"{why[:1].upper()}{why[1:]}.")
                return [str(table) for table in tables], release
            case _:
                return make_refusal(
                    RefusalCode.NOT_UNDERSTOOD, 'Want {"tables": […], "release": the name of an archive, or null}.'
                )

    def _show_tables(self) -> None:
        now, wanted = self._room.wall_clock(), self._fleet.state.release_by_table
        for table in {*self._room.file.page_url_by_table, *self._report_by_table, *wanted}:
            self._room.hub.put(
                FEED, table, self._make_table_value(table, self._report_by_table.get(table), now, wanted)
            )

    def _make_table_value(
        self, table: str, seen: HealthReport | None, now: float, wanted: Mapping[str, Any]
    ) -> dict[str, Any]:
        body: dict[str, Any] = {"table": table, "away": seen is None or now - seen.received_at > AWAY_AFTER_S}
        if seen is not None:
            health = seen.health
            body |= {
                "last": round(seen.received_at), "versions": dict(health.version_by_component),
                "faults": list(health.fault_codes),
                "free": {part: free // FREE_SPACE_STEP_BYTES * FREE_SPACE_STEP_BYTES for part,
                free in _find_free_bytes(health).items()},
                "hashes": dict(health.hash_by_component), "since": {code: round(at) for code,
                at in health.raised_at_by_fault.items()},
                "update": dict(health.last_update),
                "level": health.level, "halted": health.is_halted,
            }  # fmt: skip
        if (one := wanted.get(table)) is not None:
            name, have, size = self._transfer_by_table.get(table, ("", 0, 0))
            percent = 100 * have // size if size and name == one.release_name else None
            body["wanted"] = one.to_json() | {
                "done": is_installed(one, seen), "why": one.reason or find_table_refusal(one, seen),
                "waits_for": table not in self._stager_by_table, "percent": percent,
            }  # fmt: skip
        return body


def _find_free_bytes(health: TableHealth) -> Mapping[str, int]:
    """What is free, by part; an older table tells of its journal alone."""
    return health.free_bytes_by_disk or (
        {} if health.journal_free_bytes is None else {"journal": health.journal_free_bytes}
    )

"""The fleet's page: what runs at each table, and releases that are staged and installed between hands."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from controller.runtime.staff.admission import Code
from controller.runtime.staff.staff import SignedIn
from controller.web.access.door import who
from controller.web.languages import page
from controller.web.pages.answers import LONGEST_BODY, is_json, json_of, refusal, send_json
from room.contract.batch import BadBatch
from room.contract.health import Health
from room.contract.parcel import PIECE_BYTES, Piece
from room.contract.refusals import passes
from room.contract.request import Answer, Verb
from room.contract.subjects import NAME, Told
from room.fleet.archives import Archives, BadArchive
from room.fleet.wanted import AWAY_SECONDS, MOST_TABLES, STREAM, Fleet, Seen, after, is_done, refused, why_not, would
from room.record.folded import Folded
from room.server import STATIC
from room.server.asking import ask, told
from room.server.room import Room
from room.staff import asking

TOPIC = "fleet"
PAGE = STATIC / "fleet.html"

LOOK_SECONDS = 2.0
TENTH_GB = 100_000_000
"""What is free is shown in steps of this, so that not every byte that is written tells every screen."""

AT_A_TIME = 4
"""To so many tables releases are sent at one time."""

PATIENCE = 3
"""So often a piece may come to a table as another than was sent; then somebody on the way changes it."""

log = logging.getLogger(__name__)


class FleetPage:
    """Makes the routes, hears how tables are, and asks those for which something is staged."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._fleet = Folded(room.record, STREAM, Fleet(), after)
        self._seen: dict[str, Seen] = {}
        self._by: dict[str, SignedIn] = {}
        """Whose word stands for what a table is to be asked; in memory alone, as long as the person may ask."""
        self._archives = Archives(room.file.state)
        self._has: dict[str, tuple[str, int, int]] = {}
        """Of a table that a release is sent to: which, how many bytes it has, and of how many."""
        self._sent: dict[str, asyncio.Task[None]] = {}
        self._lines = asyncio.Semaphore(AT_A_TIME)

    def routes(self) -> Sequence[BaseRoute]:
        """Make them."""
        body = 16 * LONGEST_BODY
        return [
            Route("/fleet", self.page, methods=["GET"]),
            Route("/fleet/events", self.events, methods=["GET"]),
            Route("/fleet/releases", self.releases, methods=["GET"]),
            Route("/fleet/would", self.would, methods=["POST"], max_body_size=body),
            Route("/fleet/stage", self.stage, methods=["POST"], max_body_size=body),
            Route("/fleet/drop", self.drop, methods=["POST"], max_body_size=body),
            Route("/fleet/present", self.present, methods=["POST"], max_body_size=LONGEST_BODY),
            Route("/fleet/file", self.file, methods=["POST"], max_body_size=128 * 1024),
        ]

    async def page(self, request: Request) -> Response:
        """Answer with the page, which is empty."""
        return page(request, PAGE)

    async def events(self, request: Request) -> Response:
        """Answer with the tables, as they change."""
        return self._room.hub.answer(request, TOPIC)

    async def releases(self, request: Request) -> Response:  # noqa: ARG002 - the same for all who may have it
        """Answer with the names of the archives that there are, the newest first."""
        try:
            return JSONResponse(await asyncio.to_thread(self._archives.names))
        except BadArchive as why:
            return refusal(Code.UNREADABLE, f"{why}.")

    async def would(self, request: Request) -> Response:
        """Say what staging would do, table by table; nothing is asked of any."""
        wish = await self._wish(request)
        if isinstance(wish, Response):
            return wish
        tables, release = wish
        return JSONResponse(dict(would(release, tables, self._seen, self._room.now())))

    async def stage(self, request: Request) -> Response:
        """Have a release installed at some tables, each between two of its hands, by the word of who is signed in."""
        wish, person = await self._wish(request), who(request).person
        if isinstance(wish, Response):
            return wish
        if person is None:
            return refusal(Code.SIGN_IN, "Sign in first.")
        tables, release = wish
        try:
            if release is not None and release not in await asyncio.to_thread(self._archives.names):
                return refusal(Code.FORM, f"The room has no {release}: tablectl room release add FILE.")
        except BadArchive as why:
            return refusal(Code.UNREADABLE, f"{why}.")
        what = {"do": "stage", "tables": tables, "release": release}
        try:
            await self._room.enter(self._fleet, person.name, lambda _: what)
        except OSError:
            return refusal(Code.UNREADABLE, "The room's record cannot be written now; nothing was staged.")
        self._by |= dict.fromkeys(tables, person)
        self._show()
        return Response(status_code=204)

    async def drop(self, request: Request) -> Response:
        """Ask tables for nothing any more."""
        wish = await self._wish(request)
        if isinstance(wish, Response):
            return wish
        what = {"do": "drop", "tables": wish[0]}
        try:
            await self._room.enter(self._fleet, who(request).name or "", lambda _: what)
        except OSError:
            return refusal(Code.UNREADABLE, "The room's record cannot be written now; nothing was dropped.")
        self._show()
        return Response(status_code=204)

    async def present(self, request: Request) -> Response:
        """Answer with a table's file as it stands; the table is asked by the word of who is signed in."""
        if not is_json(request):
            return send_json()
        person = who(request).person
        match await json_of(request):
            case {"table": str(table), **rest} if not rest and NAME.fullmatch(table) and person is not None:
                answer = await ask(self._room.tables, table, Verb.FILE, lambda at: asking.file(person, at))
                return JSONResponse({"text": str(answer.told["text"])}) if "text" in answer.told else told(answer)
            case _:
                return refusal(Code.FORM, 'Want {"table"}: whose file.')

    async def file(self, request: Request) -> Response:
        """Have a table check its new file, and take it between hands."""
        if not is_json(request):
            return send_json()
        person = who(request).person
        match await json_of(request):
            case {"table": str(table), "text": str(text), **rest} if (
                not rest and NAME.fullmatch(table) and person is not None
            ):
                answer = await ask(self._room.tables, table, Verb.SET_UP, lambda at: asking.set_up(person, text, at))
                return told(answer)
            case _:
                return refusal(Code.FORM, 'Want {"table", "text"}: the whole file of that table.')

    def heard(self, table: str, what: Told, text: bytes) -> None:
        """A table says how it is."""
        if what is not Told.HEALTH or (table not in self._seen and len(self._seen) >= MOST_TABLES):
            return
        try:
            self._seen[table] = Seen(Health.read(text), self._room.now())
        except BadBatch:
            return
        self._show()

    async def turn(self) -> None:
        """Ask the tables for which something is staged, until they have taken it."""
        while True:
            try:
                await self.look()
            except OSError as why:
                log.warning("the fleet cannot be kept: %s", why)
            await asyncio.sleep(LOOK_SECONDS)

    async def look(self) -> None:
        """Look once; raises `OSError`."""
        if not self._fleet.number:
            await asyncio.to_thread(self._fleet.read)
        staff = self._room.staff
        pending = [
            table for table, one in self._fleet.state.wanted.items()
            if not one.taken and (not one.why or table in self._by) and not is_done(one, self._seen.get(table))
        ]  # fmt: skip
        self._sent = {table: task for table, task in self._sent.items() if not task.done()}
        self._has = {table: has for table, has in self._has.items() if table in self._fleet.state.wanted}
        asked = []
        for table in pending:
            person, release = self._by.get(table), self._fleet.state.wanted[table].release
            if person is None or staff is None or not staff.stands(person):
                continue
            if release is None or self._is_there(table, release):
                asked.append(self._ask(table, person, release))
            elif table not in self._sent:
                self._sent[table] = asyncio.create_task(self._send(table, person, release))
        await asyncio.gather(*asked)
        self._show()

    def _is_there(self, table: str, release: str) -> bool:
        name, have, size = self._has.get(table, ("", 0, 0))
        return name == release and 0 < have == size

    async def _ask(self, table: str, person: SignedIn, release: str | None) -> None:
        answer = await ask(
            self._room.tables, table, Verb.RELEASE, lambda at: asking.release(person, release, at)
        )  # fmt: skip
        if not passes(answer.code):
            await self._answered(table, person, answer)

    async def _answered(self, table: str, person: SignedIn, answer: Answer) -> None:
        """Write down what came of it; the person's word stands no longer."""
        self._by.pop(table, None)
        last = self._seen.get(table)
        was = "" if last is None else last.health.versions.get("program", "")
        what = {"do": "answered", "table": table, "taken": answer.taken, "why": answer.message, "was": was}
        await self._room.enter(self._fleet, person.name, lambda _: what)

    async def _send(self, table: str, person: SignedIn, release: str) -> None:
        """Send a table a release, from where it was left off; what fails is tried again with the next look."""
        try:
            async with self._lines:
                answer = await self._sent_to(table, person, release)
            if answer is not None and not passes(answer.code):
                await self._answered(table, person, answer)
        except OSError as why:
            log.warning("the fleet cannot be kept: %s", why)

    async def _sent_to(self, table: str, person: SignedIn, release: str) -> Answer | None:
        """Send it; return the refusal, or `None` when the table has all of it or it is wanted no more."""
        try:
            parcel = await asyncio.to_thread(self._archives.parcel, release)
        except BadArchive as why:
            return Answer(False, None, "not-there", f"{why}.")
        piece = Piece(parcel.sha256, 0, b"")  # asks how much is there
        others = 0
        while (wanted := self._fleet.state.wanted.get(table)) is not None and wanted.release == release:
            answer = await self._room.tables.ask(table, Verb.PIECE, piece.written())
            if answer.code == "not-expected" and not piece.data:
                answer = await ask(self._room.tables, table, Verb.FETCH, lambda at: asking.fetch(person, parcel, at))
            if answer.code == "not-that-piece" and (others := others + 1) < PATIENCE:
                continue
            match answer.told:
                case {"have": int(have)} if answer.taken and (
                    have == parcel.size or have in range(0, parcel.size, PIECE_BYTES)
                ):
                    self._has[table] = (release, have, parcel.size)
                case _ if answer.taken:
                    return Answer(False, None, "not-that-piece", "Its uplink says that it has what no piece ends with.")
                case _:
                    return answer
            if have == parcel.size:
                return None
            if have <= piece.at and piece.data and (others := others + 1) >= PATIENCE:
                return Answer(False, None, "not-that-piece", "Its uplink says that it has less than it was sent.")
            piece = Piece(parcel.sha256, have, await asyncio.to_thread(self._archives.piece, release, have))
        return None

    async def _wish(self, request: Request) -> tuple[list[str], str | None] | Response:
        if not is_json(request):
            return send_json()
        match await json_of(request):
            case {"tables": [*tables], "release": None | str() as release, **rest} if not rest:
                why = why_not(tables, release)
                if why:
                    return refusal(Code.FORM, f"{why[:1].upper()}{why[1:]}.")
                return [str(table) for table in tables], release
            case _:
                return refusal(Code.FORM, 'Want {"tables": […], "release": the name of an archive, or null}.')

    def _show(self) -> None:
        now, wanted = self._room.now(), self._fleet.state.wanted
        for table in {*self._room.file.tables, *self._seen, *wanted}:
            self._room.hub.put(TOPIC, table, self._told(table, self._seen.get(table), now, wanted))

    def _told(self, table: str, seen: Seen | None, now: float, wanted: Mapping[str, Any]) -> dict[str, Any]:
        body: dict[str, Any] = {"table": table, "away": seen is None or now - seen.at > AWAY_SECONDS}
        if seen is not None:
            health = seen.health
            body |= {
                "last": round(seen.at), "versions": dict(health.versions), "faults": list(health.faults),
                "free": {part: free // TENTH_GB * TENTH_GB for part, free in _disks(health).items()},
                "hashes": dict(health.hashes), "since": {code: round(at) for code, at in health.since.items()},
                "update": dict(health.update),
                "level": health.level, "halted": health.halted,
            }  # fmt: skip
        if (one := wanted.get(table)) is not None:
            name, have, size = self._has.get(table, ("", 0, 0))
            percent = 100 * have // size if size and name == one.release else None
            body["wanted"] = one.to_json() | {
                "done": is_done(one, seen), "why": one.why or refused(one, seen),
                "waits_for": table not in self._by, "percent": percent,
            }  # fmt: skip
        return body


def _disks(health: Health) -> Mapping[str, int]:
    """What is free, by part; an older table tells of its journal alone."""
    return health.disks or ({} if health.disk_free is None else {"journal": health.disk_free})

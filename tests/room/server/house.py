"""A room without brokers and database, and browsers that are signed in at it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from starlette.applications import Starlette

from controller.room_contract.subjects import TableTopic
from controller.room_contract.table_request import RequestKind, TableReply
from controller.runtime.staff.staff_store import StaffStore
from controller.web.access.authenticator import CSRF_HEADER, Authenticator
from controller.web.access.session_store import SessionStore
from room.floor.day_drop import DayDrop
from room.floor.drop_closes import DayAndTable, DropTotal
from room.floor.house_day import find_day_span
from room.record.room_record import InMemoryRecord
from room.room_file import BrokersSection, RoomFile, RoomPageSection
from room.search.recent_facts import DealerSignInRow, TabledHandRow
from room.server.app import PAGES, make_app
from room.server.room_context import Page, RoomContext, TableListener
from room.server.route_permissions import IDLE_TIMEOUT_S_BY_ROLE
from tests.web.house import CHEAP, PEOPLE, PINS
from tests.web.test_pages import Client

ORIGIN = "http://127.0.0.1"


@dataclass
class NoTables:
    """Tables that are told what is asked of them, and answer what the test says."""

    last: dict[str, bytes] = field(default_factory=dict)
    answers: list[TableReply] = field(default_factory=list)
    asked: list[tuple[str, RequestKind, Mapping[str, Any]]] = field(default_factory=list)

    async def listen(self, heard: TableListener) -> None:
        pass

    async def read_last_states(self) -> Mapping[str, bytes]:
        return self.last

    async def ask(self, table: str, verb: RequestKind, what: Mapping[str, Any]) -> TableReply:
        self.asked.append((table, verb, what))
        return (
            self.answers.pop(0) if self.answers else TableReply(False, None, "not-reached", f"{table} is not reached.")
        )


@dataclass
class TableRecords:
    """What the tables' records have come to, as the test says."""

    signs: list[DealerSignInRow] = field(default_factory=list)
    hands: list[TabledHandRow] = field(default_factory=list)
    chairs: dict[str, dict[int, tuple[str, float]]] = field(default_factory=dict)
    counted: dict[str, int] = field(default_factory=dict)

    def read_sign_ins(self, after: int, since: float) -> Sequence[DealerSignInRow]:
        return [one for one in self.signs if one.id > after and one.signed_at >= since]

    def read_tabled_hands(self, after: int, since: float) -> Sequence[TabledHandRow]:
        return [one for one in self.hands if one.id > after and one.tabled_at >= since]

    def read_seating(self) -> Mapping[str, Mapping[int, tuple[str, float]]]:
        return self.chairs

    def count_hands_by_dealer(self, since: float) -> Mapping[str, int]:  # noqa: ARG002 - of today  # noqa: ARG002 - of today
        return self.counted


@dataclass
class TableDrops:
    """What the tables' records say was dropped, as the test says."""

    days: dict[str, DayDrop] = field(default_factory=dict)
    is_away: bool = False

    def read_totals(self, oldest: str) -> Mapping[DayAndTable, DropTotal]:
        if self.is_away:
            raise ConnectionError("the room's database does not answer")
        found: dict[DayAndTable, DropTotal] = {}
        for day in self.days.values():
            for cell in day.cells:
                key = (day.day if day.day >= oldest else "", cell.table)
                found[key] = found.get(key, DropTotal()).plus(cell.total)
        return found

    def read_day(self, day: str) -> DayDrop:
        return self.days.get(day) or DayDrop(day, *find_day_span(day))


class House:
    """The room, its application, and what tables tell it."""

    def __init__(self, folder: Path, people: Sequence[str] = tuple(PEOPLE)) -> None:
        self.staff = StaffStore(folder / "staff.sqlite", cost=CHEAP)
        for name in people:
            code = self.staff.make_one_time_code()
            self.staff.enrol(name, PEOPLE[name], PINS[name], self.staff.redeem_code(code))
        self.tables = NoTables()
        self.record = InMemoryRecord()
        self.newest = TableRecords()
        self.dropped = TableDrops()
        self.time = 1000.0
        file = RoomFile(
            path=folder / "room.toml", name="The room", state_directory=folder, page=RoomPageSection(), conninfo="",
            brokers=BrokersSection(("nats://127.0.0.1",)),
            page_url_by_table={"table-01": "https://table-01.local:8443/"},
        )  # fmt: skip
        self.door = Authenticator(
            SessionStore(self.staff.is_still_enrolled, idle=IDLE_TIMEOUT_S_BY_ROLE, deciding=None),
            allows_plain_http=True,
            cookie_name="room",
        )
        self.room = RoomContext(file, self.record, self.door, self.tables, self.staff, wall_clock=lambda: self.time)
        self.room.recent_facts = self.newest
        self.room.drop_records = self.dropped
        self.pages: list[Page] = [make(self.room) for make in PAGES]
        self.app: Starlette = make_app(self.room, ["127.0.0.1"], self.pages)

    def deliver_table_message(self, table: str, what: TableTopic, text: bytes) -> None:
        for page in self.pages:
            page.on_table_message(table, what, text)

    def browser(self, name: str | None = None) -> "Browser":
        return Browser(self, name)

    def close(self) -> None:
        self.staff.close()


class Browser:
    """A browser, in which somebody is signed in, or nobody."""

    def __init__(self, house: House, name: str | None = None) -> None:
        self._client = Client(house.app)
        self.cookie = ""
        self.token = ""
        if name is not None:
            self.post("/sign-in", {"name": name, "pin": PINS[name]})

    def get(self, path: str) -> httpx.Response:
        return self._client.get(path, headers=self._cookie())

    def post(self, path: str, content: object, **headers: str) -> httpx.Response:
        sent = {"Origin": ORIGIN, CSRF_HEADER: self.token, **self._cookie(), **headers}
        answer = self._client.post(path, json=content, headers=sent)
        if path == "/sign-in" and "room" in answer.cookies:
            self.cookie = answer.cookies["room"]
            self.token = self.get("/who").json().get("token", "")
        return answer

    def _cookie(self) -> dict[str, str]:
        return {"Cookie": f"room={self.cookie}"} if self.cookie else {}

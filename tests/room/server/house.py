"""A room without brokers and database, and browsers that are signed in at it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from starlette.applications import Starlette

from controller.runtime.staff.staff import Staff
from controller.web.access.door import TOKEN_HEADER, Door
from controller.web.access.sessions import Sessions
from room.contract.request import Answer, Verb
from room.contract.subjects import Told
from room.record.lines import InMemory
from room.room_file import Brokers, RoomFile, RoomPage
from room.search.newest import DealerSigned, HandTabled
from room.server.app import PAGES, make_app
from room.server.authority import IDLE_SECONDS
from room.server.room import Heard, Page, Room
from tests.web.house import CHEAP, PEOPLE, PINS
from tests.web.test_pages import Client

ORIGIN = "http://127.0.0.1"


@dataclass
class NoTables:
    """Tables that are told what is asked of them, and answer what the test says."""

    last: dict[str, bytes] = field(default_factory=dict)
    answers: list[Answer] = field(default_factory=list)
    asked: list[tuple[str, Verb, Mapping[str, Any]]] = field(default_factory=list)

    async def listen(self, heard: Heard) -> None:
        pass

    async def standings(self) -> Mapping[str, bytes]:
        return self.last

    async def ask(self, table: str, verb: Verb, what: Mapping[str, Any]) -> Answer:
        self.asked.append((table, verb, what))
        return self.answers.pop(0) if self.answers else Answer(False, None, "not-reached", f"{table} is not reached.")


@dataclass
class TableRecords:
    """What the tables' records have come to, as the test says."""

    signs: list[DealerSigned] = field(default_factory=list)
    hands: list[HandTabled] = field(default_factory=list)
    chairs: dict[str, dict[int, tuple[str, float]]] = field(default_factory=dict)
    counted: dict[str, int] = field(default_factory=dict)

    def signed(self, after: int, since: float) -> Sequence[DealerSigned]:
        return [one for one in self.signs if one.id > after and one.at >= since]

    def tabled(self, after: int, since: float) -> Sequence[HandTabled]:
        return [one for one in self.hands if one.id > after and one.at >= since]

    def seated(self) -> Mapping[str, Mapping[int, tuple[str, float]]]:
        return self.chairs

    def dealt(self, since: float) -> Mapping[str, int]:  # noqa: ARG002 - of today  # noqa: ARG002 - of today
        return self.counted


class House:
    """The room, its application, and what tables tell it."""

    def __init__(self, folder: Path, people: Sequence[str] = tuple(PEOPLE)) -> None:
        self.staff = Staff(folder / "staff.sqlite", cost=CHEAP)
        for name in people:
            code = self.staff.one_time_code()
            self.staff.enrol(name, PEOPLE[name], PINS[name], self.staff.warrant_by_code(code))
        self.tables = NoTables()
        self.record = InMemory()
        self.newest = TableRecords()
        self.time = 1000.0
        file = RoomFile(
            folder / "room.toml", "The room", folder, "en", RoomPage(), "", Brokers(("nats://127.0.0.1",)),
            tables={"table-01": "https://table-01.local:8443/"},
        )  # fmt: skip
        self.door = Door(Sessions(self.staff.stands, idle=IDLE_SECONDS), plain=True, cookie="room")
        self.room = Room(file, self.record, self.door, self.tables, self.staff, now=lambda: self.time)
        self.room.newest = self.newest
        self.pages: list[Page] = [make(self.room) for make in PAGES]
        self.app: Starlette = make_app(self.room, ["127.0.0.1"], self.pages)

    def told(self, table: str, what: Told, text: bytes) -> None:
        for page in self.pages:
            page.heard(table, what, text)

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
        sent = {"Origin": ORIGIN, TOKEN_HEADER: self.token, **self._cookie(), **headers}
        answer = self._client.post(path, json=content, headers=sent)
        if path == "/sign-in" and "room" in answer.cookies:
            self.cookie = answer.cookies["room"]
            self.token = self.get("/who").json().get("token", "")
        return answer

    def _cookie(self) -> dict[str, str]:
        return {"Cookie": f"room={self.cookie}"} if self.cookie else {}

"""A release on its way: the room's server, a real server of NATS, a real uplink and a table's own judgement.

The line is cut, the uplink is ended, somebody on the way changes pieces, the disk is full: it is whole, or not there.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from time import monotonic
from types import SimpleNamespace
from typing import Any, cast

import pytest

from controller.client.api_types import Inventory, Table
from controller.room_contract.table_request import RequestKind, TableReply
from controller.runtime.staff.admission import RefusalCode
from controller.uplink import fetched_releases
from controller.uplink.fetched_releases import PARTIAL_FILE
from controller.uplink.link_status_file import LinkStatusFile
from controller.uplink.uplink import Uplink
from controller.uplink.uplink_file import load_uplink_file
from room.archive import brokers
from room.server.nats_gateway import NatsGateway
from room.server.pages.fleet_page import MAX_CHUNK_TRIES, FleetPage
from room.server.pages.people_page import PeoplePage
from tests.room.fleet.archive_maker import archive
from tests.room.people import Room as Staffed
from tests.room.people import TableOfARoom
from tests.room.real_parts import RealRoom, describe_missing_parts
from tests.room.server.house import House

pytestmark = pytest.mark.skipif(bool(describe_missing_parts()), reason=describe_missing_parts())

NAME = "table-controller-1.4.0-aarch64.tar"
SIZE = 3_000_000
"""Some dozen pieces."""

PATIENT_SECONDS = 120.0
"""A request that went with the server is given up after five seconds, and connections come back by themselves."""

OnTheWay = Callable[[int, str], str]
"""Is handed the data of each piece that goes out, with how many went before; returns what arrives."""


class TableApi:
    """The table's API as the uplink has it; the table itself stays in the loop's thread."""

    def __init__(self, table: TableOfARoom) -> None:
        self._table = table
        self._loop = asyncio.get_running_loop()

    def fetch_table(self) -> Table:
        raise OSError("it is not looked at here")

    def fetch_inventory(self) -> Inventory:
        raise OSError("it is not looked at here")

    def iter_tables(self) -> Iterator[Table]:
        return iter(())

    def send_room_request(self, verb: str, content: Mapping[str, object]) -> dict[str, Any]:
        async def ask_table() -> dict[str, Any]:
            answer = self._table.send_request(RequestKind(verb), content)
            return {
                "taken": answer.is_accepted,
                "entry": answer.entry_number,
                "code": answer.code,
                "message": answer.message,
            } | ({"told": dict(answer.content)} if answer.content else {})

        return asyncio.run_coroutine_threadsafe(ask_table(), self._loop).result(PATIENT_SECONDS)


class Way(NatsGateway):
    """The brokers, and somebody on the way."""

    def __init__(self, room: RealRoom, on_the_way: OnTheWay) -> None:
        super().__init__(room.brokers("server"))
        self.pieces = 0
        self.codes: set[str] = set()
        self._on_the_way = on_the_way

    async def ask(self, table: str, verb: RequestKind, what: Mapping[str, Any]) -> TableReply:
        if verb is RequestKind.CHUNK and what["data"]:
            what = {**what, "data": self._on_the_way(self.pieces, what["data"])}
            self.pieces += 1
        answer = await super().ask(table, verb, what)
        self.codes.add(answer.code)
        return answer


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealRoom]:
    with RealRoom(tmp_path_factory.mktemp("sent")) as room:
        room.start_nats()
        room.enrol("table-01")

        async def create_streams() -> None:
            hall = await brokers.connect(room.brokers(), "hall")
            await brokers.ensure_streams(hall.jetstream(timeout=PATIENT_SECONDS), 1)
            await hall.close()

        asyncio.run(create_streams())
        yield room


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    (tmp_path / "room").mkdir()
    house = House(tmp_path / "room")
    yield house
    house.close()


class Evening:
    """One table of the house, linked by real parts, and a release staged for it."""

    def __init__(self, house: House, room: RealRoom, folder: Path, on_the_way: OnTheWay) -> None:
        self.house, self.folder = house, folder / "fetched"
        self._room, self._state = room, folder / "table"
        people = next(page for page in house.pages if isinstance(page, PeoplePage))
        people._publisher = people._open_publisher()
        staffed = Staffed(folder / "unused", {})
        staffed.key = people._publisher._key
        self.table = TableOfARoom(folder / "table", staffed)
        staffed.staff.close()
        self.people = people
        self.fleet = next(page for page in house.pages if isinstance(page, FleetPage))
        self.way = Way(room, on_the_way)
        house.room.tables = self.way
        archive(house, "1.4.0", SIZE)
        self.sent = (house.room.file.state_directory / "releases" / NAME).read_bytes()
        cy = house.browser("Cy")
        assert cy.post("/fleet/stage", {"tables": ["table-01"], "release": NAME}).status_code == 204
        self.uplink: Uplink | None = None

    def link(self) -> "asyncio.Task[None]":
        """Start the uplink, as after a start of its unit."""
        file = self._room.uplink_file("table-01", self._state, "live", asks=True)
        self.uplink = Uplink(load_uplink_file(file), TableApi(self.table), LinkStatusFile(None), self.folder)
        return asyncio.ensure_future(self.uplink.run())

    def run(self, done: Callable[[], object], listed: Callable[[], object] = lambda: True) -> None:
        """Let the server look, and the uplink work, until `done`; the list of staff is handed out once it is `listed`.

        Before the table has that list it knows nobody who asks.
        """

        async def story() -> None:
            listening = asyncio.ensure_future(self.way.listen(lambda *_: None))
            linked = self.link()
            ends = monotonic() + PATIENT_SECONDS
            while monotonic() < ends:
                self.people._attempt_by_table.clear()
                if listed():
                    await self.people.distribute_list()
                await self.fleet.ask_tables()
                if done():
                    break
                if linked.done():
                    linked = self.link()
                await asyncio.sleep(0.05)
            cast(Uplink, self.uplink).stop()
            await asyncio.wait_for(linked, PATIENT_SECONDS)
            for task in (*self.fleet._transfer_task_by_table.values(), listening):
                task.cancel()
            await asyncio.gather(*self.fleet._transfer_task_by_table.values(), listening, return_exceptions=True)

        asyncio.run(story())
        self.table.close()

    @property
    def release_status(self) -> Mapping[str, Any]:
        shown = self.house.room.hub.read_values("fleet")
        return cast(Mapping[str, Any], shown["table-01"]["wanted"])


def test_it_is_sent_whole_over_a_line_that_is_lost_and_an_uplink_that_is_ended(
    room: RealRoom, house: House, tmp_path: Path
) -> None:
    half: list[int] = []

    def on_the_way(number: int, text: str) -> str:
        if number == 4:
            room.kill("nats-1")
            room.start_nats()
        if number == 8:
            cast(Uplink, evening.uplink).stop()
            half.append((tmp_path / "fetched" / PARTIAL_FILE).stat().st_size)
        return text

    evening = Evening(house, room, tmp_path, on_the_way)
    evening.run(lambda: evening.table.left.releases)
    assert (tmp_path / "fetched" / NAME).read_bytes() == evening.sent
    assert evening.table.left.releases == [NAME], "asked for when it was whole"
    assert (evening.release_status["percent"], evening.release_status["taken"]) == (100, True)
    assert half
    assert evening.way.pieces <= 12 + 4, "it goes on from where it was left off"


def corrupt_text(text: str) -> str:
    return ("B" if text.startswith("A") else "A") + text[1:]


def test_a_piece_that_is_changed_on_the_way_comes_again_and_one_that_always_is_ends_it(
    room: RealRoom, house: House, tmp_path: Path
) -> None:
    def corrupt_one_piece(number: int, text: str) -> str:
        return corrupt_text(text) if number == 5 else text

    evening = Evening(house, room, tmp_path, corrupt_one_piece)
    evening.run(lambda: evening.table.left.releases)
    assert (tmp_path / "fetched" / NAME).read_bytes() == evening.sent

    (tmp_path / "again").mkdir()
    other = House(tmp_path / "again")
    liar = Evening(other, room, tmp_path / "again", lambda _, text: corrupt_text(text))
    liar.run(lambda: liar.release_status["why"])
    assert "not those that were signed for" in liar.release_status["why"]
    assert liar.way.pieces == MAX_CHUNK_TRIES
    assert liar.table.left.releases == []
    assert not (tmp_path / "again" / "fetched" / NAME).exists()
    other.close()


def test_a_table_that_has_not_the_newest_list_of_staff_yet_is_asked_again_when_it_has(
    room: RealRoom, house: House, tmp_path: Path
) -> None:
    evening = Evening(house, room, tmp_path, lambda _, text: text)
    evening.run(
        lambda: evening.table.left.releases, listed=lambda: RefusalCode.UNKNOWN_PERSON.value in evening.way.codes
    )
    assert (tmp_path / "fetched" / NAME).read_bytes() == evening.sent


def test_a_table_whose_disk_is_full_says_so_and_nothing_comes(
    room: RealRoom, house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = SimpleNamespace(disk_usage=lambda _: SimpleNamespace(free=201_000_000))  # the room's own disk is not
    monkeypatch.setattr(fetched_releases, "shutil", full)
    evening = Evening(house, room, tmp_path, lambda _, text: text)
    evening.run(lambda: evening.release_status["why"])
    assert "201 MB free" in evening.release_status["why"]
    assert evening.way.pieces == 0

"""The desk's pages of staff, waiting lists and fleet, and decisions: what they do at a real table."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import pytest

from controller.room_contract.artifact import Artifact, Chunk
from controller.room_contract.subjects import TableTopic
from controller.room_contract.table_health import TableHealth
from controller.room_contract.table_request import RequestKind, TableReply
from controller.uplink.fetched_releases import FetchedReleases, FetchRefusedError
from room.floor.waiting_lists import PAGE_TIMEOUT_S
from room.server.pages.fleet_page import FleetPage
from room.server.pages.people_page import PeoplePage
from room.server.pages.waiting_lists_page import WaitingListsPage
from tests.room.fleet.archive_maker import archive
from tests.room.people import Room as Staffed
from tests.room.people import TableOfARoom
from tests.room.server.house import House
from tests.web.house import PINS

PageT = TypeVar("PageT")

RELEASE = "table-controller-1.4.0-aarch64.tar"


class RealTable:
    """The tables of the room are one real one, with its loop and its journal."""

    def __init__(self, table: TableOfARoom) -> None:
        self.table = table
        self.off = False
        self.folder = table.folder / "fetched"
        self.releases = FetchedReleases(self.folder)
        self.asked: list[RequestKind] = []

    async def ask(self, table: str, verb: RequestKind, what: Mapping[str, Any]) -> TableReply:
        if self.off or table != "table-01":
            return TableReply(False, None, "not-reached", f"{table} is not reached.")
        self.asked.append(verb)
        if verb is RequestKind.CHUNK:
            return self._piece(what)
        if verb is RequestKind.FETCH:
            parcel = Artifact.from_json(what)
            self.releases.ensure_space(parcel)
            answer = self.table.send_request(verb, {**parcel.to_signed_json(), "by": what["by"]})
            return TableReply(True, content={"have": self.releases.expect(parcel)}) if answer.is_accepted else answer
        return self.table.send_request(verb, what)

    def _piece(self, body: Mapping[str, Any]) -> TableReply:
        try:
            have, size = self.releases.write_chunk(Chunk.from_json(body))
        except FetchRefusedError as why:
            return TableReply(False, None, why.code, why.message)
        return TableReply(True, content={"have": have, "size": size})


@pytest.fixture
def real(house: House, tmp_path: Path) -> Iterator[RealTable]:
    people = page(house, PeoplePage)
    people._publisher = people._open_publisher()
    staffed = Staffed(tmp_path / "unused", {})
    staffed.key = people._publisher._key
    table = RealTable(TableOfARoom(tmp_path / "table", staffed))
    house.room.tables.ask = table.ask  # type: ignore[method-assign]
    yield table
    table.table.close()
    staffed.staff.close()


def page(house: House, kind: type[PageT]) -> PageT:
    return next(each for each in house.pages if isinstance(each, kind))


LOOKS: Mapping[type[Any], Callable[[Any], Awaitable[None]]] = {
    FleetPage: FleetPage.ask_tables,
    PeoplePage: PeoplePage.distribute_list,
    WaitingListsPage: WaitingListsPage.refresh,
}


def refresh_page(house: House, kind: type[Any]) -> None:
    async def look() -> None:
        here = page(house, kind)
        await LOOKS[kind](here)
        await asyncio.gather(*getattr(here, "_send_tasks", ()))
        await asyncio.gather(*getattr(here, "_transfer_task_by_table", {}).values())

    asyncio.run(look())


def health(house: House, version: str = "1.3.0", level: str = "live", table: str = "table-01") -> None:
    house.deliver_table_message(
        table,
        TableTopic.HEALTH,
        TableHealth(
            house.time, level, is_up=True, version_by_component={"program": version}, journal_free_bytes=1_234_567_890
        ).to_json(),
    )


def test_who_is_withdrawn_on_the_page_is_out_at_the_table_with_the_next_look(house: House, real: RealTable) -> None:
    refresh_page(house, PeoplePage)
    assert real.table.staff.sign_in("Bo", PINS["Bo"]).name == "Bo"
    assert house.browser("Bo").post("/people/withdraw", {"name": "Ada"}).status_code == 403
    assert house.browser("Cy").post("/people/withdraw", {"name": "Bo"}).status_code == 204
    refresh_page(house, PeoplePage)
    assert [person.name for person in real.table.staff.list_people()] == ["Ada", "Cy", "Di"]
    shown = house.room.hub.read_values("people")
    assert "person:Bo" not in shown
    assert (shown["table:table-01"]["owed"], shown["table:table-01"]["number"]) == (False, shown["list"]["number"])


def test_the_page_says_where_the_newest_list_is_not(house: House, real: RealTable) -> None:
    refresh_page(house, PeoplePage)
    real.off = True
    house.browser("Cy").post("/people/withdraw", {"name": "Bo"})
    refresh_page(house, PeoplePage)
    shown = house.room.hub.read_values("people")["table:table-01"]
    assert (shown["owed"], shown["why"]) == (True, "table-01 is not reached.")
    real.off = False
    refresh_page(house, PeoplePage)
    assert house.room.hub.read_values("people")["table:table-01"]["owed"], (
        "it is asked again in seconds, or when it is heard"
    )
    health(house)
    refresh_page(house, PeoplePage)
    assert not house.room.hub.read_values("people")["table:table-01"]["owed"]


def test_a_decision_of_the_desk_is_an_entry_of_the_table_and_what_was_seen_before_is_not(
    house: House, real: RealTable
) -> None:
    refresh_page(house, PeoplePage)
    bo, seen = house.browser("Bo"), real.table.standing().shown_entry
    answer = bo.post("/decide", {"table": "table-01", "seen": seen, "line": {"ev": "start"}})
    assert answer.json()["entry"] == seen + 1
    again = bo.post("/decide", {"table": "table-01", "seen": seen, "line": {"ev": "start"}})
    assert (again.status_code, again.json()["code"]) == (409, "moved-on")
    assert bo.post("/decide", {"table": "table-01", "say": "Break in three hands"}).status_code == 200
    cy = house.browser("Cy").post("/decide", {"table": "table-01", "seen": seen + 1, "line": {"ev": "start"}})
    assert cy.json()["code"] == "not-your-role"
    away = bo.post("/decide", {"table": "table-02", "seen": 1, "line": {"ev": "start"}})
    assert (away.status_code, away.json()["code"]) == (409, "not-reached")
    assert bo.post("/decide", {"table": "T 1", "seen": 1, "line": {}}).status_code == 400


def test_lists_are_kept_from_the_page_and_pages_run_out_by_themselves(house: House) -> None:
    bo = house.browser("Bo")

    def word(**what: object) -> int:
        return bo.post("/lists", what).status_code

    assert word(do="list", list="1/3", game="holdem", stakes=[1, 3]) == 204
    assert word(do="open", table="table-01", list="1/3") == 204
    assert word(do="join", list="1/3", player="Ana") == 204
    assert word(do="join", list="1/3", player="Ben") == 204
    twice = bo.post("/lists", {"do": "join", "list": "1/3", "player": "ana"})
    assert (twice.status_code, twice.json()["message"]) == (409, "Ana is on that list already.")
    assert word(do="page", list="1/3", player="Ana") == 204
    assert word(do="late", list="1/3", player="Ana") == 400, "only time says that"
    house.time += PAGE_TIMEOUT_S
    refresh_page(house, WaitingListsPage)
    shown = house.room.hub.read_values("lists")["list:1/3"]
    assert [one["player"] for one in shown["people"]] == ["Ben", "Ana"]
    assert house.browser("Ada").post("/lists", {"do": "join", "list": "1/3", "player": "Cid"}).status_code == 403
    again = WaitingListsPage(house.room)
    asyncio.run(again.refresh())
    assert house.room.hub.read_values("lists")["list:1/3"] == shown


def test_a_release_says_what_it_would_do_and_is_installed_between_hands(house: House, real: RealTable) -> None:
    refresh_page(house, PeoplePage)
    archive(house, "1.4.0")
    health(house)
    health(house, level="health", table="table-02")
    cy = house.browser("Cy")
    wish = {"tables": ["table-01", "table-02", "table-03"], "release": RELEASE}
    assert cy.post("/fleet/would", wish).json() == {
        "table-01": "1.3.0 to 1.4.0, between hands",
        "table-02": "tells, and is asked nothing: install it there",
        "table-03": "away: it is asked when it is back",
    }
    assert cy.post("/fleet/stage", {**wish, "tables": ["table-01"]}).status_code == 204
    real.table.start()
    refresh_page(house, FleetPage)
    refresh_page(house, FleetPage)
    assert real.table.left.releases == []
    shown = house.room.hub.read_values("fleet")["table-01"]["wanted"]
    assert (shown["taken"], shown["why"], shown["waits_for"]) == (False, "", False)
    assert shown["percent"] == 100, "it came while the hand was on"
    absent = cy.post("/fleet/stage", {**wish, "release": RELEASE.replace("1.4.0", "1.5.0")})
    assert "tablectl room release add" in absent.json()["message"]
    assert cy.get("/fleet/releases").json() == [RELEASE]


def test_a_staged_release_is_asked_for_once_by_the_word_of_its_technician(
    house: House, real: RealTable, tmp_path: Path
) -> None:
    refresh_page(house, PeoplePage)
    archive(house, "1.4.0")
    health(house)
    cy = house.browser("Cy")
    assert cy.post("/fleet/stage", {"tables": ["table-01"], "release": RELEASE}).status_code == 204
    for _ in range(3):
        refresh_page(house, FleetPage)
    assert real.table.left.releases == [RELEASE]
    assert (tmp_path / "table" / "fetched" / RELEASE).read_bytes() == (tmp_path / "releases" / RELEASE).read_bytes()
    shown = house.room.hub.read_values("fleet")["table-01"]["wanted"]
    assert (shown["taken"], shown["done"]) == (True, False)
    health(house, "1.4.0")
    assert house.room.hub.read_values("fleet")["table-01"]["wanted"]["done"]
    assert cy.post("/fleet/stage", {"tables": ["table-01"], "release": None}).status_code == 204
    refresh_page(house, FleetPage)
    assert real.table.left.releases == [RELEASE, None]


def test_nothing_is_asked_for_by_the_word_of_somebody_who_was_withdrawn(house: House, real: RealTable) -> None:
    refresh_page(house, PeoplePage)
    archive(house, "1.4.0")
    health(house)
    house.browser("Cy").post("/fleet/stage", {"tables": ["table-01"], "release": RELEASE})
    warrant = house.staff.redeem_code(house.staff.make_one_time_code())
    house.staff.enrol("Eve", house.staff.sign_in("Cy", PINS["Cy"]).role, "740162", warrant)
    house.staff.remove("Cy", house.staff.redeem_code(house.staff.make_one_time_code()))
    refresh_page(house, FleetPage)
    assert real.table.left.releases == []


def test_a_tables_file_is_checked_by_the_table(house: House, real: RealTable) -> None:
    refresh_page(house, PeoplePage)
    cy = house.browser("Cy")
    wrong = cy.post("/fleet/file", {"table": "table-01", "text": "a mistake"})
    assert "mistakes: line 1" in wrong.json()["message"]
    right = {"table": "table-01", "text": "[table]\n"}
    assert cy.post("/fleet/file", right).status_code == 200
    assert cy.post("/fleet/file", right).json()["code"] == "moved-on", "once at this standing of the table"
    assert real.table.left.files == ["[table]\n"]


def test_a_tables_file_is_told_to_a_technician_by_the_table(house: House, real: RealTable) -> None:
    refresh_page(house, PeoplePage)
    cy, wish = house.browser("Cy"), {"table": "table-01"}
    assert cy.post("/fleet/present", wish).json() == {"text": "[table]  # as it stands\n"}
    assert house.browser("Bo").post("/fleet/present", wish).status_code == 403
    assert cy.post("/fleet/present", {"table": "table-02"}).json()["code"] == "not-reached"
    assert cy.post("/fleet/present", {"table": "T 1"}).status_code == 400
    real.table.start()
    assert cy.post("/fleet/present", wish).status_code == 200, "also while a hand is on: nothing is changed"


def test_a_table_that_is_away_stays_listed_with_when_it_was_heard(house: House) -> None:
    health(house)
    house.time += 31
    refresh_page(house, FleetPage)
    shown = house.room.hub.read_values("fleet")["table-01"]
    assert shown["free"] == {"journal": 1_200_000_000}, "in steps, so that not every byte tells every screen"
    assert (shown["away"], shown["last"], shown["versions"]) == (True, 1000, {"program": "1.3.0"})
    assert house.room.hub.read_values("fleet").keys() == {"table-01"}

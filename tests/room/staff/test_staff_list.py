"""One staff list: enrolled once, in at every table, out everywhere; and what happens to lists on the way."""

import asyncio
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nacl.signing import SigningKey, VerifyKey

from controller.room_contract.table_request import RequestKind, TableReply
from controller.runtime.staff.admission import AdmissionError
from controller.runtime.staff.permissions import Role
from controller.runtime.staff.room_staff_list import MAX_PEOPLE, SIGNATURE_DOMAIN, RoomStaffList
from controller.runtime.staff.staff_store import StaffStore
from controller.web.access.session_store import SessionStore
from room.record.room_record import InMemoryRecord
from room.staff.staff_list_publisher import StaffListPublisher, load_or_make_room_key
from tests.room.people import CHEAP, ENROLS, PINS, ROLES, Room

KEY = SigningKey(bytes(32))


class AtATable:
    """The staff's file of one table."""

    def __init__(self, directory: Path, key: SigningKey) -> None:
        self.path = directory / "staff.sqlite"
        self.key = key.verify_key
        self.staff = StaffStore(self.path, cost=CHEAP)

    def take(self, sent: dict[str, Any]) -> str:
        try:
            self.staff.apply_room_list(RoomStaffList.parse(sent, self.key), self.key)
        except AdmissionError as why:
            return why.code.value
        return "taken"

    def start_again(self) -> None:
        self.staff.close()
        self.staff = StaffStore(self.path, cost=CHEAP)
        self.staff.trust_room(self.key)

    def names(self) -> list[str]:
        return [person.name for person in self.staff.list_people()]


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path / "room")
    yield room
    room.staff.close()


@pytest.fixture
def table(tmp_path: Path, room: Room) -> Iterator[AtATable]:
    (tmp_path / "table").mkdir()
    table = AtATable(tmp_path / "table", room.key)
    yield table
    table.staff.close()


def test_who_is_enrolled_in_the_room_signs_in_at_a_table_with_the_same_pin_and_key(room: Room, table: AtATable) -> None:
    assert table.take(room.list(1)) == "taken"
    there = table.staff.sign_in("Bo", PINS["Bo"])
    assert (there.role, there.public_key) == (Role.FLOOR, room.person("Bo").public_key)
    with pytest.raises(AdmissionError):
        table.staff.sign_in("Bo", PINS["Cy"])
    table.start_again()
    assert table.names() == sorted(ROLES)


def test_a_session_ends_with_the_list_that_names_its_person_no_more(room: Room, table: AtATable) -> None:
    table.take(room.list(1))
    sessions = SessionStore(table.staff.is_still_enrolled)
    token = sessions.begin(table.staff.sign_in("Bo", PINS["Bo"]), None)
    assert sessions.find(token) is not None
    room.staff.remove("Bo", ENROLS)
    table.take(room.list(2))
    assert sessions.find(token) is None
    with pytest.raises(AdmissionError):
        table.staff.sign_in("Bo", PINS["Bo"])
    assert "Bo" in [key.name for key in table.staff.list_signing_keys()]


def test_an_older_list_brings_nobody_back(room: Room, table: AtATable) -> None:
    old = room.list(1)
    room.staff.remove("Bo", ENROLS)
    assert table.take(room.list(2)) == "taken"
    assert table.take(old) == "older-list"
    assert table.take(room.list(2)) == "taken"
    assert table.names() == ["Ada", "Cy"]


def test_a_new_pin_in_the_room_is_the_pin_at_the_table(room: Room, table: AtATable) -> None:
    table.take(room.list(1))
    room.staff.reset_pin("Bo", "740162", ENROLS)
    table.take(room.list(2))
    assert table.staff.sign_in("Bo", "740162").role is Role.FLOOR
    for change in (
        lambda: table.staff.change_pin("Bo", "740162", "194728"), lambda: table.staff.reset_pin("Bo", "194728", ENROLS)
    ):  # fmt: skip
        with pytest.raises(AdmissionError, match="changed there"):
            change()


def test_people_of_the_table_stay_and_the_room_takes_nobodys_place(room: Room, table: AtATable) -> None:
    table.staff.enrol("Bo", Role.TECHNICIAN, "740162", ENROLS)
    assert table.staff.apply_room_list(RoomStaffList.parse(room.list(1), table.key), table.key) == ["Bo"]
    assert table.staff.sign_in("Bo", "740162").role is Role.TECHNICIAN
    assert [person.is_of_room for person in table.staff.list_people()] == [True, False, True]
    with pytest.raises(AdmissionError, match="never given twice"):
        table.staff.enrol("Ada", Role.DEALER, "740162", ENROLS)


def test_who_was_removed_at_the_table_is_not_brought_back_by_a_list(room: Room, table: AtATable) -> None:
    table.take(room.list(1))
    table.staff.remove("Bo", ENROLS)
    table.take(room.list(2))
    assert table.names() == ["Ada", "Cy"]


def test_whoever_another_room_enrolled_is_out_with_the_next_start(room: Room, table: AtATable) -> None:
    table.staff.enrol("Eve", Role.TECHNICIAN, "740162", ENROLS)
    table.take(room.list(7))
    table.key = SigningKey.generate().verify_key
    table.start_again()
    assert table.names() == ["Eve"]
    table.staff.trust_room(None)
    assert table.names() == ["Eve"]
    table.key = room.key.verify_key
    assert table.take(room.list(1)) == "taken", "its numbers begin anew"
    assert table.names() == ["Ada", "Bo", "Cy", "Eve"]


@pytest.mark.parametrize(
    "spoil", ["key", "text", "signature", "form", "role", "name", "cost", "twice", "many", "number"]
)
def test_a_list_that_is_not_the_rooms_or_cannot_be_meant_changes_nothing(
    room: Room, table: AtATable, spoil: str
) -> None:
    sent = room.list(3)
    body = json.loads(sent["list"])
    person = body["people"][0]
    match spoil:
        case "key":
            sent["signature"] = SigningKey.generate().sign(SIGNATURE_DOMAIN + sent["list"].encode()).signature.hex()
        case "text":
            sent["list"] = sent["list"].replace("floor", "auditor")
        case "signature":
            sent["signature"] = "no"
        case "form":
            sent = {"list": 3}
        case "role":
            person["role"] = "watch"
        case "name":
            person["name"] = " Ada"
        case "cost":
            person["memory"] = 1 << 40
        case "twice":
            body["people"].append({**person, "name": person["name"].upper()})
        case "many":
            body["people"] = [{**person, "name": f"P{number}"} for number in range(MAX_PEOPLE + 1)]
        case _:
            body["number"] = 0
    if spoil not in ("key", "text", "signature", "form"):
        text = json.dumps(body)
        sent = {"list": text, "signature": room.key.sign(SIGNATURE_DOMAIN + text.encode()).signature.hex()}
    assert table.take(sent) in ("not-signed", "not-understood")
    assert table.names() == []


def test_the_largest_list_is_within_its_bound(room: Room) -> None:
    from controller.runtime.staff.room_staff_list import MAX_LIST_BYTES

    one = room.staff.list_for_room()[0]
    assert len(json.dumps(RoomStaffList(1, [one] * MAX_PEOPLE).sign(KEY))) < MAX_LIST_BYTES - 24 * 4 * MAX_PEOPLE


@settings(deadline=None, max_examples=25)
@given(st.data())
def test_any_order_of_lists_losses_and_restarts_ends_with_the_newest(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    directory = tmp_path_factory.mktemp("lists")
    room = Room(directory / "room", {})
    lists: list[tuple[dict[str, Any], list[str]]] = []
    for number in range(1, 5):
        if data.draw(st.booleans()) and room.staff.list_people():
            room.staff.remove(room.staff.list_people()[0].name, ENROLS)
        else:
            room.staff.enrol(f"P{number}", Role.FLOOR, "740162", ENROLS)
        lists.append((room.list(number), [person.name for person in room.staff.list_people()]))
    (directory / "table").mkdir()
    table = AtATable(directory / "table", room.key)
    newest = 0
    for which in data.draw(st.lists(st.integers(-1, len(lists) - 1), max_size=12)):
        if which < 0:
            table.start_again()
            continue
        said = table.take(lists[which][0])
        assert said == ("taken" if which + 1 >= newest else "older-list")
        newest = max(newest, which + 1)
        assert table.names() == lists[newest - 1][1]
        assert table.staff.find_room_list_number() == newest
    table.staff.close()
    room.staff.close()


class Floor:
    """Tables at the end of a wire, some of which are not reached."""

    def __init__(self, tables: dict[str, AtATable]) -> None:
        self.tables = tables
        self.off: set[str] = set()

    async def ask(self, table: str, verb: RequestKind, body: Mapping[str, Any]) -> TableReply:
        assert verb is RequestKind.STAFF
        if table in self.off:
            return TableReply(False, None, "not-reached", "the table is not reached")
        found = RoomStaffList.parse(body, self.tables[table].key)
        own = self.tables[table].staff.apply_room_list(found, self.tables[table].key)
        return TableReply(True, content={"staff": self.tables[table].staff.find_room_list_number(), "own": own})


def test_the_log_says_where_a_list_is_owed_until_the_table_is_reached(tmp_path: Path, room: Room) -> None:
    tables = {}
    for name in ("table-01", "table-02"):
        (tmp_path / name).mkdir()
        tables[name] = AtATable(tmp_path / name, room.key)
    floor, record = Floor(tables), InMemoryRecord()
    publisher = StaffListPublisher(room.staff, room.key, record, lambda: 100.0)
    publisher.publish("Cy")
    assert asyncio.run(publisher.distribute(tables, floor.ask)) == ()
    room.staff.remove("Bo", ENROLS)
    publisher.publish("Cy")
    floor.off = {"table-02"}
    for _ in range(5):
        assert asyncio.run(publisher.distribute(tables, floor.ask)) == ("table-02",)
    held = publisher.distribution.held_list_by_table
    assert (held["table-01"].number, held["table-02"].number, held["table-02"].reason) == (
        2,
        1,
        "the table is not reached",
    )
    assert held["table-02"].owed_since == 100.0
    assert len(record.lines_by_stream["staff"]) == 6, "what is no news is not written"
    again = StaffListPublisher(room.staff, room.key, record, lambda: 200.0)
    assert again.distribution == publisher.distribution
    floor.off = set()
    assert asyncio.run(again.distribute(tables, floor.ask)) == ()
    assert tables["table-02"].names() == ["Ada", "Cy"]
    for one in tables.values():
        one.staff.close()


def test_a_room_that_was_put_back_from_a_copy_signs_above_what_its_tables_have(room: Room) -> None:
    publisher = StaffListPublisher(room.staff, room.key, InMemoryRecord(), lambda: 100.0)
    publisher.publish()
    publisher.record_held_list("table-01", 9, [])
    assert publisher.distribution.number == 10
    assert publisher.distribution.find_owing_tables(["table-01"]) == ("table-01",)


def test_the_rooms_key_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    key = load_or_make_room_key(tmp_path)
    assert load_or_make_room_key(tmp_path) == key
    assert (tmp_path / "room.key").stat().st_mode & 0o077 == 0
    (tmp_path / "room.key").write_text("x")
    with pytest.raises(OSError, match="holds no key"):
        load_or_make_room_key(tmp_path)
    assert isinstance(key.verify_key, VerifyKey)

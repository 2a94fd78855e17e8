"""The floor is called to the table, and what is said of it is recorded with the name."""

from pathlib import Path

from controller.core.protocol.events import HandStarted
from controller.runtime.journal.journal_reader import JournalReader
from controller.runtime.staff.permissions import TokenRole
from tests.app.rig import Rig
from tests.web.house import House
from tests.web.test_pages import Client


def test_a_dealer_calls_the_floor_and_the_floor_says_that_it_has_come(tmp_path: Path) -> None:
    house = House(tmp_path)
    assert house.browser("Ada").post("/call", {"wanted": True}).status_code == 204
    assert house.browser("Bo").post("/call", {"wanted": False}).status_code == 204
    assert house.browser("Di").post("/call", {"wanted": True}).status_code == 403
    assert house.browser("Ada").post("/call", {"wanted": "yes"}).status_code == 400
    assert house.calls == [(True, "Ada"), (False, "Bo")]
    house.staff.close()


def test_a_call_that_the_table_has_no_room_for_is_refused(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.room = False
    answer = house.browser("Ada").post("/call", {"wanted": True})
    assert (answer.status_code, answer.json()["code"]) == (429, "too-much")
    called = Client(house.app).post("/api/v1/call", json={"wanted": True}, headers=house.token(TokenRole.ROOM))
    assert called.status_code == 429
    house.staff.close()
    house.tokens.close()


def test_a_call_is_shown_and_recorded_and_changes_nothing_at_the_table(tmp_path: Path) -> None:
    with Rig(tmp_path) as rig:
        rig.loop.submit_entry(HandStarted(), "page")
        rig.run(0.1)
        before = rig.standing
        rig.loop.set_floor_called(True, "Ada")
        rig.loop.record_sign_in("Bo", "floor", "a2V5")
        rig.run(0.1)
        assert [rig.standing.floor_called] == [True]
        assert (rig.standing.entry, rig.standing.output_line) == (before.entry, before.output_line)
        rig.loop.set_floor_called(False, "Bo")
        rig.run(0.1)
        assert [rig.standing.floor_called] == [False]
        rig.journal.end_run("test")
    archive = JournalReader.open(tmp_path / "journal.sqlite")
    calls = [record.parse_body() for record in archive.read_newest_records("call", "sign-in")]
    archive.close()
    assert [(call.get("wanted"), call.get("by"), call.get("name")) for call in calls] == [
        (False, "Bo", None),
        (None, None, "Bo"),
        (True, "Ada", None),
    ]

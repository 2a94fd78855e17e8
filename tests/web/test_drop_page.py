"""What was dropped and the counted box, as a browser asks for them: two people sign a count, or nothing is written."""

import base64
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from config.table_line import parse_table_line
from controller.app.table.loop_gateway import DropStanding
from controller.app.table.past_drop import DropQuestion
from controller.app.table.past_hands import read_drop as read_past_drop
from controller.cli.journal.verify_command import read_records
from controller.core.play.game_flow import house_account
from controller.core.protocol.script_lines import parse_line
from controller.core.protocol.table_error import Refused
from controller.records.drop_box import DropBox
from controller.runtime.journal.journal_reader import JournalReader
from controller.runtime.journal.proof.chain import BadRecordError, verify_journal
from controller.runtime.journal.recovery.drop_ledger import read_boxes, read_drop
from controller.runtime.loop.box_counts import BoxCounts
from controller.runtime.loop.loop_messages import BoxCounted
from controller.runtime.loop.signer_keys import SignerKeys
from controller.runtime.staff.entry_signature import JournalPosition, Signer
from tests.laws.test_drop_journal import DaysOfPlay
from tests.records.test_drop_command import LINE, play_hand
from tests.web.house import PINS, House, NothingDropped


class RakedTable(NothingDropped):
    """A table where the house takes 2 of every hand, with its journal."""

    def __init__(self, directory: Path) -> None:
        self.path = directory / "journal.sqlite"
        self.played = DaysOfPlay(directory, LINE)
        self.keys = SignerKeys(self.played.journal)
        self.counts = BoxCounts(self.played.found.table, self.played.journal, self.keys)
        self.before_count: Callable[[], object] = lambda: None
        self.journal_position = JournalPosition(self.played.journal.journal_name, 1)

    def read_drop(self, wanted: DropQuestion) -> Mapping[str, Any]:
        return read_past_drop(self.path, wanted)

    def read_boxes(self) -> tuple[DropBox, ...]:
        with closing(JournalReader.open(self.path)) as journal:
            return read_boxes(journal)

    def describe_drop(self) -> DropStanding:
        state = self.played.found.table.outcome.state
        return DropStanding(1, state.hand_count, house_account.count_session_chips(state), is_hand_on=state.is_hand_on)

    def count_box(
        self,
        line: Mapping[str, object],
        account: int,
        by: tuple[Signer, ...],
        on_result: Callable[[Refused | None], None],
    ) -> bool:
        self.before_count()
        self.counts.take(BoxCounted(line, 1, account, by, on_result, 0.0))
        return True


@pytest.fixture
def table(tmp_path: Path) -> Iterator[RakedTable]:
    raked = RakedTable(tmp_path)
    with closing(raked.played.journal):
        yield raked


class RakedHouse(House):
    """The page of that table; `Bo` is signed in there."""

    def __init__(self, directory: Path, table: RakedTable) -> None:
        self.raked_table = table
        super().__init__(directory)
        person = self.staff.sign_in("Bo", PINS["Bo"])
        key = base64.b64encode(person.public_key).decode()
        table.keys.record_sign_in(person.name, person.role.value, key)

    def make_drop(self) -> NothingDropped:
        return self.raked_table


@pytest.fixture
def house(table: RakedTable, tmp_path: Path) -> Iterator[House]:
    made = RakedHouse(tmp_path / "house", table)
    yield made
    made.staff.close()


def count(expected: object, counted: object, *, box: int = 1, watcher: str = "Ada", **more: str) -> dict[str, object]:
    told = {"box": box, "expected": expected, "counted": counted, "watcher": watcher}
    return told | {"pin": PINS.get(watcher, "000000")} | more


def lines(house: House, query: str = "") -> Any:  # noqa: ANN401 - as the page has it
    return house.browser("Bo").get(f"/drop/list{query}").json()


def test_the_page_says_what_was_dropped_and_what_should_be_in_the_box(house: House, table: RakedTable) -> None:
    play_hand(table.played)
    play_hand(table.played)
    told = lines(house, "?by=kind")
    assert told["sums"]["lines"] == [["hand", "2", "4"]]
    assert (told["expected"], told["next"], told["hand_on"]) == (4, 1, False)
    assert lines(house, "?by=hand&day=2001-01-01")["sums"]["lines"] == []
    for wrong in ("?by=colour", "?day=yesterday", "?x=1"):
        assert house.browser("Bo").get(f"/drop/list{wrong}").status_code == 400


def test_a_count_is_signed_by_both_and_the_next_box_starts_from_there(house: House, table: RakedTable) -> None:
    play_hand(table.played)
    floor = house.browser("Bo")
    assert floor.post("/drop/count", count(2, 3)).status_code == 204
    (box,) = table.read_boxes()
    assert (box.difference, box.standing_count.counter, box.standing_count.watcher) == (1, "Bo", "Ada")
    assert lines(house)["expected"] == 0
    play_hand(table.played)
    assert (lines(house)["expected"], lines(house, "?by=hand&open=1")["sums"]["total"][4]) == (2, "2")
    assert floor.post("/drop/count", count(2, 2, box=2)).status_code == 204
    assert floor.post("/drop/count", count(2, 2, reason="one chip was foreign")).status_code == 204
    assert [(each.number, len(each.counts), each.difference) for each in table.read_boxes()] == [(1, 2, 0), (2, 1, 0)]
    told = floor.get("/drop/export?by=kind").text
    assert told.startswith("kind,hands,amount\r\nhand,2,4\r\n\r\nbox,")
    proof = verify_journal(read_records([table.path]))
    assert proof.last_record == table.played.journal.read_head()[0]


def test_what_nobody_can_have_counted_is_refused_and_not_written(house: House, table: RakedTable) -> None:
    play_hand(table.played)
    floor = house.browser("Bo")
    for told, status, why in (
        (count(2, 2, watcher="Bo"), 400, "cannot watch as well"),
        (count(2, 2, watcher="  "), 400, "say who"),
        (count(2, 2.5), 400, "whole number"),
        (count(2, -1), 400, "whole number"),
        (count(2, "2"), 400, "whole number"),
        (count(1, 2), 409, "Something was dropped meanwhile"),
        (count(None, 2), 409, "Something was dropped meanwhile"),
        (count(2, 2, box=2), 409, "the next is box 1"),
        (count(2, 2, reason="x"), 400, "nothing to correct"),
        (count(2, 2) | {"pin": "000000"}, 403, "do not belong together"),
        ({"box": True, **count(2, 2)} | {"box": True}, 400, "Want"),
        (count(2, 2) | {"more": 1}, 400, "Want"),
        ({}, 400, "Want"),
    ):
        answer = floor.post("/drop/count", told)
        assert (answer.status_code, why in answer.json()["message"]) == (status, True), answer.text
    assert table.read_boxes() == ()


def test_a_count_waits_for_the_end_of_the_hand(house: House, table: RakedTable) -> None:
    floor = house.browser("Bo")
    begin: dict[str, object] = {"ev": "start"}
    table.before_count = lambda: table.played.take(begin, parse_line(begin))
    answer = floor.post("/drop/count", count(0, 0))
    assert (answer.status_code, "A hand is on" in answer.json()["message"]) == (409, True)
    answer = floor.post("/drop/count", count(0, 0))
    assert "A hand is on" in answer.json()["message"]
    assert table.read_boxes() == ()


def test_what_is_dropped_between_look_and_word_is_not_lost(house: House, table: RakedTable) -> None:
    table.before_count = lambda: play_hand(table.played)
    answer = house.browser("Bo").post("/drop/count", count(0, 0))
    assert "Something was dropped meanwhile" in answer.json()["message"]
    assert table.read_boxes() == ()


def test_a_word_that_comes_twice_counts_once(table: RakedTable) -> None:
    answers: list[Refused | None] = []
    by = ({"name": "Flo", "role": "floor"}, {"name": "Ada", "role": "dealer"})
    line = {"ev": "drop-box", "box": 1, "expected": 0, "counted": 0}
    for _ in range(2):
        table.counts.take(BoxCounted(line, 1, 0, by, answers.append, 0.0))
    assert [answer and answer.code for answer in answers] == [None, "not-now"]
    assert len(table.read_boxes()) == 1


@pytest.mark.parametrize("who", ["Ada", "Cy", "Di"])
def test_only_the_floor_counts_and_the_auditor_reads(house: House, who: str) -> None:
    browser = house.browser(who)
    assert browser.post("/drop/count", count(0, 0)).status_code == 403
    assert browser.get("/drop/list").status_code == (200 if who == "Di" else 403)
    assert house.browser().get("/drop/list").status_code == 401


def write_twice(_: dict[str, Any]) -> dict[str, Any]:
    return {}


def keep_one_word(body: dict[str, Any]) -> dict[str, Any]:
    return {"by": [body["by"][0]] * 2}


def change_line(body: dict[str, Any]) -> dict[str, Any]:
    return {"line": body["line"] | {"counted": 3}}


def name_nobody(_: dict[str, Any]) -> dict[str, Any]:
    return {"by": "Bo"}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (write_twice, ""),
        (keep_one_word, "not the word of two people"),
        (change_line, "not signed by whom it names"),
        (name_nobody, "whose word"),
    ],
)
def test_a_record_that_two_people_did_not_sign_is_found_out(
    house: House, table: RakedTable, change: Callable[[dict[str, Any]], dict[str, Any]], why: str
) -> None:
    play_hand(table.played)
    assert house.browser("Bo").post("/drop/count", count(2, 2)).status_code == 204
    with closing(JournalReader.open(table.path)) as journal:
        told = next(journal.read_newest_records("drop-box")).parse_body()
    body = {key: told[key] for key in ("line", "session", "account", "by")}
    table.played.journal.append_note("drop-box", body | change(body))
    if not why:
        verify_journal(read_records([table.path]))
        return
    with pytest.raises(BadRecordError, match=why):
        verify_journal(read_records([table.path]))


def test_a_kill_while_a_count_is_written_leaves_all_of_it_or_nothing(table: RakedTable, tmp_path: Path) -> None:
    """The power goes after any byte of the write."""
    play_hand(table.played)
    tail = tmp_path / "journal.tail"
    before = tail.read_bytes()
    by = ({"name": "Flo", "role": "floor"}, {"name": "Ada", "role": "dealer"})
    line = {"ev": "drop-box", "box": 1, "expected": 2, "counted": 2}
    table.counts.take(BoxCounted(line, 1, 2, by, lambda _: None, 0.0))
    after = tail.read_bytes()
    changed = [place for place in range(len(after)) if before[place] != after[place]]
    first, last = changed[0], changed[-1] + 1
    found = set()
    for end in range(first, last + 1):
        tail.write_bytes(after[:end] + before[end:])
        found.add(len(table.read_boxes()))
        with closing(JournalReader.open(table.path)) as journal:
            assert read_drop(journal, parse_table_line).count_chips_since(None) == 2
        assert end < last or table.read_boxes()[0].standing_count.counted_chips == 2
    assert found == {0, 1}

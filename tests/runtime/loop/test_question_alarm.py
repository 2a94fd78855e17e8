"""Whoever asks again and again is seen: counted for the table, on record, and cleared by nobody who asked."""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pytest_mock import MockerFixture

from config.table_line import parse_table_line
from controller.core.protocol import events, script_lines
from controller.runtime.devices.device_monitor import DeviceMonitor
from controller.runtime.faults.fault_table import FAULTS, make_clear_event
from controller.runtime.journal import system_clocks
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.recovery.journal_replay import recover_table
from controller.runtime.journal.sealing.hand_reader import make_current_key_finder
from controller.runtime.journal.sealing.hand_seal import read_card_knowledge
from controller.runtime.loop.loop_parts import LoopParts
from controller.runtime.loop.question_alarm import (
    DEFAULT_QUESTION_LIMIT,
    MAX_ASKERS,
    MAX_RECORDED_QUESTIONS,
    QuestionCount,
)
from controller.runtime.loop.table_loop import TableLoop
from controller.runtime.loop.table_view import LIVE
from controller.runtime.staff.entry_signature import Signer
from tests.runtime.conftest import TABLE
from tests.runtime.loop.test_loop import Table3, notes

LIMIT = DEFAULT_QUESTION_LIMIT
CLEAR = make_clear_event("repeated-questions")
CODE = "repeated-questions"


def sign(name: str, role: str) -> Signer:
    return {"name": name, "role": role, "key": "QWRh", "signature": "cw=="}


ADA, EVE = sign("Ada", "dealer"), sign("Eve", "dealer")
BO, FAY = sign("Bo", "floor"), sign("Fay", "floor")
CY = sign("Cy", "technician")
NOBODY: Signer | None = None

HOLE_CARDS = ("As", "Kd", "7c", "2h", "9s", "Td")
"""Of seats 2, 4 and 1, and again."""

Line = Mapping[str, Any]


class WatchedTable(Table3):
    """A table of three in a hand, whose hole cards and burn are out; it can be started again."""

    def __init__(
        self,
        journal: Journal,
        cards: Sequence[str | None] = HOLE_CARDS,
        opened: Mapping[str, object] = TABLE,
    ) -> None:
        super().__init__(journal, opened=opened)
        self.begin_hand(cards)

    def begin_hand(self, cards: Sequence[str | None] = HOLE_CARDS) -> None:
        self.say_line({"ev": "start"}, ADA)
        for card in cards:
            self.loop._handle_event(events.CardDealt(card), "shoe", self.now)

    def end_hand(self) -> None:
        while self.loop.outcome.state.is_hand_on:
            step = self.standings[-1].output_line["next"][0]  # type: ignore[index]
            line = {"ev": "act", "seat": step["seat"], "do": "fold"} if step["step"] == "act" else {"ev": "done"}
            self.say_line(line, ADA)

    def say_line(self, line: Line, by: Signer | None) -> str | None:
        """Enter a line; return the code of its refusal."""
        refusal = self.enter(script_lines.parse_line(line), by).refusal
        return None if refusal is None else refusal.code

    def ask(self, by: Signer | None = ADA) -> None:
        """Report a card as exposed, and take that back: one question."""
        assert self.say_line({"ev": "report", "what": "exposed", "seat": 4, "nth": 1}, by) is None
        assert self.say_line({"ev": "undo"}, by) is None

    def restart(self, parts: LoopParts | None = None) -> None:
        find_key = make_current_key_finder(self.journal.path.parent)
        recovered = recover_table(self.journal, self.session, parse_table_line, find_key)
        self.journal.resume_hand(read_card_knowledge(recovered.table.outcome), recovered.unsealed_hand)
        self.loop = TableLoop(
            recovered, self.journal, self.loop._device_map, DeviceMonitor({"desk": "speaker"}, {}), mode=LIVE,
            clock=lambda: self.now, parts=parts,
        )  # fmt: skip
        self.loop.subscribe(self.standings.append)
        self.loop.start()

    @property
    def is_up(self) -> bool:
        return CODE in [fault.code for fault in self.standings[-1].faults]

    def find_fault(self) -> dict[str, Any]:
        (fault,) = (fault.to_json() for fault in self.standings[-1].faults if fault.code == CODE)
        return fault


def list_questions(table: WatchedTable) -> list[dict[str, Any]]:
    """The records of the questions, the oldest first."""
    return notes(table, "questions")[::-1]


@pytest.fixture
def table(journal: Journal) -> WatchedTable:
    return WatchedTable(journal)


def take_report_back(table: WatchedTable, by: Signer | None) -> None:
    table.ask(by)


def amend_report_away(table: WatchedTable, by: Signer | None) -> None:
    table.say_line({"ev": "report", "what": "exposed", "seat": 4, "nth": 1}, by)
    assert table.say_line({"ev": "amend", "line": table.journal.last_entry_number, "to": None}, BO) is None


def name_card(table: WatchedTable, by: Signer | None) -> None:
    table.say_line({"ev": "report", "what": "misread", "seat": 4, "nth": 1, "card": "3c"}, by)


def name_duplicate(table: WatchedTable, by: Signer | None) -> None:
    table.say_line({"ev": "report", "what": "misread", "seat": 4, "nth": 2, "card": "As"}, by)


def show_cards(table: WatchedTable, by: Signer | None) -> None:
    assert table.say_line({"ev": "show", "seat": 4, "cards": ["7c", "Td"]}, by) is not None


def confirm_with_card(table: WatchedTable, by: Signer | None) -> None:
    table.say_line({"ev": "done", "card": "7c"}, by)


def amend_card(table: WatchedTable, by: Signer | None) -> None:
    line = next(each["entry"] for each in table.loop.list_amendable_entries() if each["told"]["ev"] == "card")
    table.say_line({"ev": "amend", "line": line, "to": {"ev": "card", "card": "3c"}}, by)


def insert_report(table: WatchedTable, by: Signer | None) -> None:
    report = {"ev": "report", "what": "exposed", "seat": 4, "nth": 1}
    table.say_line({"ev": "amend", "before": table.journal.last_entry_number, "to": report}, by)


def overrule(table: WatchedTable, by: Signer | None) -> None:
    """Only the floor does, and only the floor takes it back."""
    assert by is not None
    floor = by if by["role"] == "floor" else BO
    assert table.say_line({"ev": "floor", "decide": "dead-hand", "seat": 4, "why": "x"}, floor) is None
    assert table.say_line({"ev": "undo"}, floor) is None


QUESTIONS = (
    take_report_back, amend_report_away, name_card, name_duplicate, show_cards, confirm_with_card, amend_card,
    insert_report, overrule,
)  # fmt: skip


@pytest.mark.parametrize("by", [ADA, BO], ids=["dealer", "floor"])
@pytest.mark.parametrize("ask", QUESTIONS)
def test_each_kind_of_question_is_counted_once_whether_taken_or_refused(
    table: WatchedTable, ask: Callable[[WatchedTable, Signer | None], None], by: Signer
) -> None:
    for number in range(1, LIMIT + 1):
        assert not table.is_up
        ask(table, by)
        assert [note["count"] for note in list_questions(table)] == list(range(1, number + 1))
        if ask in (name_card, name_duplicate):
            table.say_line({"ev": "undo"}, BO)  # a naming that was taken and is taken back is one question
    assert table.is_up


def test_names_pages_and_keys_are_counted_together(table: WatchedTable) -> None:
    table.ask(ADA)
    table.ask(EVE)
    table.ask(NOBODY)
    assert table.is_up
    assert table.find_fault()["people"] == (("Ada", "dealer"), ("Eve", "dealer"), ("", ""))


def test_whoever_has_not_signed_in_is_one_person(table: WatchedTable) -> None:
    for _ in range(LIMIT):
        table.ask(NOBODY)
    assert table.is_up
    assert table.find_fault()["people"] == (("", ""),)


def test_what_devices_read_is_no_question(table: WatchedTable) -> None:
    for _ in range(2 * LIMIT):
        table.loop._handle_event(events.CardDealt("As"), "shoe", table.now)
        table.loop._handle_event(events.CardDetected("muck", "7c"), "antenna", table.now)
    assert list_questions(table) == []


def test_the_game_itself_is_no_question(table: WatchedTable) -> None:
    for _ in range(2 * LIMIT):
        table.say_line({"ev": "act", "seat": 1, "do": "fold"}, ADA)
        table.say_line({"ev": "undo"}, ADA)
        table.say_line({"ev": "act", "seat": 1, "do": "call"}, ADA)
        line = table.journal.last_entry_number
        table.say_line({"ev": "amend", "line": line, "to": {"ev": "act", "seat": 1, "do": "fold"}}, BO)
        table.say_line({"ev": "undo"}, BO)
        table.say_line({"ev": "undo"}, ADA)
    assert list_questions(table) == []


def test_the_answer_does_not_depend_on_whether_the_name_was_right(tmp_path: Path) -> None:
    """Whoever watches the count learns nothing from it."""
    told = []
    for number, card in enumerate(("7c", "3c", "As")):
        (tmp_path / str(number)).mkdir()
        other = WatchedTable(Journal(tmp_path / str(number) / "journal.sqlite"))
        for _ in range(LIMIT):
            other.say_line({"ev": "report", "what": "misread", "seat": 4, "nth": 1, "card": card}, BO)
            other.say_line({"ev": "undo"}, BO)
        bodies = list_questions(other)
        told.append([(each["count"], each["what"], each["askers"], each["up"]) for each in bodies])
        other.journal.close()
    assert told[0] == told[1] == told[2]


@pytest.mark.parametrize(
    ("asked_by", "clears", "code"),
    [
        (ADA, ADA, "fault-role"),
        (ADA, EVE, "fault-role"),
        (ADA, NOBODY, "fault-role"),
        (ADA, BO, None),
        (ADA, CY, None),
        (NOBODY, NOBODY, "fault-role"),
        (NOBODY, BO, None),
        (BO, BO, "fault-role"),
        (BO, FAY, "fault-role"),
        (BO, CY, None),
        (sign("Cy", "dealer"), CY, "own-questions"),
        (sign("Bo", "dealer"), BO, "own-questions"),
    ],
)
@pytest.mark.parametrize("restarted", [False, True])
def test_it_is_cleared_by_somebody_else_of_a_fitting_role(
    table: WatchedTable, asked_by: Signer | None, clears: Signer | None, code: str | None, restarted: bool
) -> None:
    for _ in range(LIMIT):
        table.ask(asked_by)
    if restarted:
        table.restart()
    roles = ["technician"] if asked_by is BO else ["floor", "technician"]
    assert list(table.find_fault()["clears"]) == roles
    table.enter(CLEAR, clears)
    refusal = table.standings[-1].refusal
    assert (None if refusal is None else refusal.code) == code
    assert table.is_up is (code is not None)
    table.restart()
    assert table.is_up is (code is not None)
    if code is None:
        newest = list_questions(table)[-1]
        assert clears is not None
        assert (newest["what"], newest["by"]["name"], newest["count"]) == ("cleared", clears["name"], 0)
        assert table.lines()[-1] | {"t": 0} == {
            "ev": "device",
            "id": f"fault:{CODE}",
            "status": "back",
            "needed": True,
            "t": 0,
        }


def test_where_one_of_many_was_the_floor_no_floor_clears(table: WatchedTable) -> None:
    table.ask(ADA)
    table.ask(BO)
    table.ask(ADA)
    table.enter(CLEAR, FAY)
    assert table.is_up
    table.enter(CLEAR, CY)
    assert not table.is_up


def test_it_comes_again_after_it_was_cleared(table: WatchedTable) -> None:
    for _ in range(2):
        for number in range(LIMIT):
            assert table.is_up is False, number
            table.ask(ADA)
        assert table.is_up
        table.enter(CLEAR, BO)
    table.enter(CLEAR, BO)
    refusal = table.standings[-1].refusal
    assert refusal is not None
    assert refusal.code == "no-fault", "nothing is up"


def rotate_file(table: WatchedTable, mocker: MockerFixture) -> None:
    """The hand ends, and the file of another day is begun."""
    table.end_hand()
    day = int(table.journal._file_day[:4]) + 1
    mocker.patch.object(system_clocks, "format_wall_time", return_value=f"{day}-01-02T00:00:00.000Z")
    assert table.journal.needs_rotation
    assert table.journal.rotate()
    table.restart()


def reopen_journal(table: WatchedTable, _: MockerFixture) -> None:
    path = table.journal.path
    table.journal.close()
    table.journal = Journal(path)
    table.journal.begin_run("boot", "test")
    table.journal.continue_session(table.session)
    table.restart()


def begin_session(table: WatchedTable, _: MockerFixture) -> None:
    """The rest is another table on the same journal, whose hands begin at one again."""
    other = WatchedTable(table.journal)
    table.__dict__.update(other.__dict__)


@pytest.mark.parametrize("break_off", [lambda table, _: table.restart(), rotate_file, reopen_journal])
def test_the_count_outlasts(
    table: WatchedTable, mocker: MockerFixture, break_off: Callable[[WatchedTable, MockerFixture], None]
) -> None:
    for _ in range(LIMIT - 1):
        table.ask(ADA)
    break_off(table, mocker)
    assert not table.is_up
    if break_off is rotate_file:
        table.begin_hand()  # which takes one off
        table.ask(ADA)
    table.ask(ADA)
    assert table.is_up


@pytest.mark.parametrize("break_off", [lambda table, _: table.restart(), rotate_file, reopen_journal, begin_session])
def test_the_alarm_outlasts(
    table: WatchedTable, mocker: MockerFixture, break_off: Callable[[WatchedTable, MockerFixture], None]
) -> None:
    for _ in range(LIMIT):
        table.ask(ADA)
    for _ in range(2):
        break_off(table, mocker)
        assert table.is_up
        assert table.find_fault()["people"] == (("Ada", "dealer"),)


def test_neither_undo_nor_an_amendment_takes_a_question_away(table: WatchedTable) -> None:
    table.say_line({"ev": "act", "seat": 1, "do": "fold"}, ADA)
    for _ in range(LIMIT - 1):
        table.ask(ADA)
    table.say_line({"ev": "undo"}, ADA)
    table.say_line({"ev": "act", "seat": 1, "do": "call"}, ADA)
    table.say_line(
        {"ev": "amend", "line": table.journal.last_entry_number, "to": {"ev": "act", "seat": 1, "do": "fold"}}, BO
    )
    assert not table.is_up
    table.ask(ADA)
    assert table.is_up


def test_each_hand_that_begins_takes_one_off_and_one_that_begins_again_does_not(table: WatchedTable) -> None:
    for _ in range(LIMIT - 1):
        table.ask(ADA)
    table.end_hand()
    for _ in range(3):
        table.say_line({"ev": "start"}, ADA)
        table.say_line({"ev": "undo"}, ADA)
    table.begin_hand()
    table.ask(ADA)
    assert not table.is_up
    table.ask(ADA)
    assert table.is_up


def test_a_hand_of_before_counts_nothing_off() -> None:
    count = QuestionCount(5, 2, (("Ada", "dealer"),))
    assert count.begin_hand(4) == count.begin_hand(5) == count
    assert count.begin_hand(6) == QuestionCount(6, 1, (("Ada", "dealer"),))
    assert count.begin_hand(60) == QuestionCount(60)
    assert replace(count, is_up=True).begin_hand(60) == QuestionCount(60, 0, (("Ada", "dealer"),), True)


def test_a_new_session_whose_hands_begin_at_one_goes_on_taking_off(table: WatchedTable, mocker: MockerFixture) -> None:
    table.end_hand()
    table.begin_hand()
    for _ in range(LIMIT - 1):
        table.ask(ADA)
    begin_session(table, mocker)
    table.ask(ADA)
    assert not table.is_up
    table.ask(ADA)
    assert table.is_up


def play_to_showdown(table: WatchedTable) -> None:
    """Everybody calls; the cards come from the rest of a deck."""
    cards = iter(("3c", "4d", "5h", "6s", "8c", "Jd", "Qh", "3s"))
    while (step := table.standings[-1].output_line["next"][0])["step"] != "show":  # type: ignore[index]
        if step["step"] == "act":
            act = "call" if "call" in step["options"] else "check"
            table.say_line({"ev": "act", "seat": step["seat"], "do": act}, ADA)
        elif step["step"] in ("deal", "burn", "board"):
            table.loop._handle_event(events.CardDealt(next(cards)), "shoe", table.now)
        else:
            table.say_line({"ev": "done"}, ADA)


def test_cards_that_the_table_asks_for_are_no_question_until_they_are_taken_back(journal: Journal) -> None:
    table = WatchedTable(journal, ("As", "Kd", "7c", "2h", None, "Td"))
    play_to_showdown(table)
    assert list_questions(table) == []
    assert table.say_line({"ev": "show", "seat": 4, "cards": ["Kd", "9s"]}, ADA) is None
    assert list_questions(table) == []
    table.say_line({"ev": "undo"}, ADA)
    assert [each["what"] for each in list_questions(table)] == ["undo"]


def test_two_a_hand_do_not_go_unseen(table: WatchedTable) -> None:
    for _ in range(2):
        for _ in range(2):
            table.ask(ADA)
        table.end_hand()
        table.begin_hand()
    assert table.is_up


def test_it_stops_nothing(table: WatchedTable) -> None:
    for _ in range(LIMIT):
        table.ask(ADA)
    assert table.standings[-1].output_line["phase"] != "halted"
    table.end_hand()
    table.begin_hand()
    assert table.standings[-1].output_line["phase"] == "bet"
    assert table.is_up
    assert table.find_fault()["stops"] == "nothing"


def test_whoever_asks_without_end_fills_no_disk(table: WatchedTable) -> None:
    for _ in range(300):
        table.now += 1  # more in one second the inbox does not take
        table.say_line({"ev": "show", "seat": 4, "cards": ["7c", "Td"]}, ADA)
    counts = [note["count"] for note in list_questions(table)]
    assert counts == [*range(1, MAX_RECORDED_QUESTIONS + 1), 64, 128, 256]


def test_of_many_people_only_so_many_are_kept_and_the_others_are_as_good_as_the_floor() -> None:
    count = QuestionCount()
    for number in range(100):
        count = count.add((f"N{number}", "dealer"), LIMIT)
    assert len(count.askers) == MAX_ASKERS
    assert count.askers[-1][1] == "floor"


def test_no_record_and_no_line_of_the_log_names_a_card(table: WatchedTable, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        for _ in range(LIMIT):
            for ask in (name_card, show_cards, confirm_with_card, amend_card):
                ask(table, BO)
    keys = ("hand", "count", "askers", "up", "what", "by", "refused")
    bodies = [{key: each.get(key) for key in keys} for each in list_questions(table)]
    said = json.dumps([bodies, table.find_fault()]) + caplog.text
    for card in ("As", "Kd", "7c", "2h", "9s", "Td", "3c"):
        assert card not in said


def test_the_limit_is_the_houses(journal: Journal) -> None:
    table = WatchedTable(journal)
    table.restart(LoopParts(question_limit=5))
    for number in range(1, 6):
        table.ask(ADA)
        assert table.is_up is (number == 5)


def test_a_table_that_reads_no_card_has_nothing_to_be_asked(journal: Journal) -> None:
    table = WatchedTable(journal, opened={**TABLE, "sensors": []})
    for _ in range(2 * LIMIT):
        show_cards(table, ADA)
        overrule(table, BO)
    assert list_questions(table) == []


def test_it_is_a_fault_that_floor_and_technician_clear() -> None:
    assert FAULTS[CODE].clearing_roles == ("floor", "technician")

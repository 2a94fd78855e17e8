"""What makes a card known leaves a notice for the floor; taking it back leaves a louder one, and takes none away."""

from collections.abc import Callable

import pytest

from controller.core.protocol import events
from controller.runtime.faults.notices import Notice, NoticeCode
from controller.runtime.journal.journal import Journal
from controller.runtime.loop.notice_board import MAX_NOTICES, NoticeBoard
from tests.runtime.conftest import TABLE
from tests.runtime.loop.test_loop import notes
from tests.runtime.loop.test_question_alarm import ADA, BO, FAY, WatchedTable, list_questions, play_to_showdown

IN_TURN, OUT_OF_TURN = NoticeCode.SHOWN_IN_TURN, NoticeCode.SHOWN_OUT_OF_TURN
TURNED_UP, TAKEN_BACK = NoticeCode.CARDS_TURNED_UP, NoticeCode.SHOWING_TAKEN_BACK
TURN_UP = {"ev": "floor", "decide": "turned-up", "seat": 4, "nth": 2, "why": "x"}


@pytest.fixture
def table(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> WatchedTable:
    """A table that is live for the core as well."""
    monkeypatch.setattr("tests.runtime.loop.test_loop.TABLE", {**TABLE, "live": True})
    return WatchedTable(journal)


def list_shown(table: WatchedTable) -> list[tuple[NoticeCode, str, int | None]]:
    """The notices of shown cards, the oldest first."""
    shown = [each for each in table.standings[-1].notices if each.code.value.startswith("shown-")]
    return [(each.code, each.device, each.seat) for each in reversed(shown)]


def show(table: WatchedTable, seat: int) -> None:
    assert table.say_line({"ev": "show", "seat": seat}, ADA) is None


def undo(table: WatchedTable) -> None:
    assert table.say_line({"ev": "undo"}, FAY) is None


def amend_away(table: WatchedTable) -> None:
    told = [(each["entry"], each["told"]["ev"]) for each in table.loop.list_amendable_entries()]
    line = max(entry for entry, word in told if word in ("show", "floor"))
    assert table.say_line({"ev": "amend", "line": line, "to": None}, FAY) is None


def test_a_show_in_turn_is_quiet_and_one_out_of_turn_is_not(
    table: WatchedTable, caplog: pytest.LogCaptureFixture
) -> None:
    play_to_showdown(table)
    show(table, 4)
    show(table, 2)
    assert list_shown(table) == [(OUT_OF_TURN, "Ada", 4), (IN_TURN, "Ada", 2)]
    assert "shown" not in caplog.text


@pytest.mark.parametrize("take_back", [undo, amend_away])
def test_a_show_that_is_taken_back_says_who_showed_and_who_took_back(
    table: WatchedTable, take_back: Callable[[WatchedTable], None], caplog: pytest.LogCaptureFixture
) -> None:
    play_to_showdown(table)
    for number in range(1, 3):
        show(table, 2)
        take_back(table)
        assert list_shown(table) == [(IN_TURN, "Ada", 2), (TAKEN_BACK, "Ada → Fay", 2)] * number
        assert caplog.text.count("taken back") == number
    table.restart()
    assert list_shown(table) == [(IN_TURN, "Ada", 2), (TAKEN_BACK, "Ada → Fay", 2)] * 2
    show(table, 2)
    table.restart()
    take_back(table)
    assert list_shown(table)[-1] == (TAKEN_BACK, "Ada → Fay", 2), "over a start, too"


@pytest.mark.parametrize("take_back", [undo, amend_away])
def test_what_the_floor_had_turned_up_is_told_and_so_is_taking_it_back(
    table: WatchedTable, take_back: Callable[[WatchedTable], None]
) -> None:
    assert table.say_line(TURN_UP, BO) is None
    assert list_shown(table) == [(TURNED_UP, "Bo", 4)]
    take_back(table)
    assert list_shown(table) == [(TURNED_UP, "Bo", 4), (TAKEN_BACK, "Bo → Fay", 4)]
    assert [each["what"] for each in list_questions(table)] in (["undo"], ["amend"])
    table.restart()
    assert list_shown(table) == [(TURNED_UP, "Bo", 4), (TAKEN_BACK, "Bo → Fay", 4)]


def test_a_turning_up_that_is_put_otherwise_is_told_as_taken_back(table: WatchedTable) -> None:
    assert table.say_line({"ev": "floor", "decide": "turned-up", "seat": 4}, BO) is None
    line = table.journal.last_entry_number
    assert table.say_line({"ev": "amend", "line": line, "to": TURN_UP}, FAY) is None
    assert list_shown(table) == [(TURNED_UP, "Bo", 4), (TAKEN_BACK, "Bo → Fay", 4)]


def test_what_was_refused_and_what_goes_on_leaves_no_notice(table: WatchedTable) -> None:
    assert table.say_line({"ev": "show", "seat": 2}, ADA) is not None
    play_to_showdown(table)
    show(table, 2)
    shown = list_shown(table)
    table.enter(events.TimePassed())
    table.say_line({"ev": "undo"}, ADA)
    table.say_line({"ev": "undo"}, ADA)
    assert list_shown(table) == [*shown, (TAKEN_BACK, "Ada", 2)], "the second undo took back something else"


def test_a_hand_that_begins_takes_nothing_back(table: WatchedTable) -> None:
    play_to_showdown(table)
    for seat in (2, 4, 1):
        show(table, seat)
    while table.loop.outcome.state.is_hand_on:
        table.say_line({"ev": "done"}, ADA)
    table.begin_hand()
    assert [code for code, *_ in list_shown(table)] == [IN_TURN] * 3


def test_the_list_is_bounded_and_what_is_loud_stays_longest() -> None:
    board = NoticeBoard((), None)
    loud = Notice(TAKEN_BACK, "Fay", "x", 2)
    board.keep_disclosure(loud, is_loud=True)
    for number in range(50):
        board.keep_disclosure(Notice(IN_TURN, str(number), "x", 1))
        board.keep(Notice(NoticeCode.KEY_WITHOUT_MEANING, "panel", "x"))
    assert len(board.notices) == 2 * MAX_NOTICES
    assert loud in board.notices
    for number in range(50):
        board.keep_disclosure(Notice(TAKEN_BACK, str(number), "x", 1), is_loud=True)
    assert [each.device for each in board.notices[MAX_NOTICES:]] == [str(49 - each) for each in range(MAX_NOTICES)]


def test_neither_notice_nor_record_names_a_card(table: WatchedTable) -> None:
    assert table.say_line(TURN_UP, BO) is None
    undo(table)
    play_to_showdown(table)
    show(table, 2)
    undo(table)
    bodies = notes(table, "shown")
    assert {key for body in bodies for key in body} >= {"code", "entry", "seat", "place", "who"}
    said = [str(body[key]) for body in bodies for key in ("code", "seat", "place", "who")]
    said += [each.text for each in table.standings[-1].notices]
    assert not any(card in text for card in ("As", "Kd", "7c", "2h", "9s", "Td") for text in said)

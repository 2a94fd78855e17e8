"""The drop of a day and its close: who may see and close it, what stands in the way, and what comes after it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from controller.room_contract.subjects import TableTopic
from room.floor.day_drop import CountedBox, DayDrop, DropCell, ReadRecord, format_hour, format_shift
from room.floor.drop_closes import DROP_STREAM, DropTotal
from room.floor.house_day import find_day_span, find_house_day
from room.server.pages.drop_page import DropPage
from room.staff.record_signature import find_line_key
from tests.room.server.house import House

DAY, NEXT_DAY, THIRD_DAY = "2027-01-15", "2027-01-16", "2027-01-17"
HOUR_S = 3600.0

Hands = Sequence[tuple[str, float, DropTotal, str, str]]
"""Table, hours after the day began, what they gave, game, dealer."""


def make_day(day: str, hands: Hands, *boxes: CountedBox, records: Sequence[ReadRecord] = ()) -> DayDrop:
    begins, ends = find_day_span(day)
    cells = [DropCell(table, game, who, begins + hours * HOUR_S, total) for table, hours, total, game, who in hands]
    times: dict[str, list[float]] = {}
    for cell in cells:
        times.setdefault(cell.table, []).append(cell.starts_at)
    spans = {table: (min(at), max(at)) for table, at in times.items()}
    return DayDrop(day, begins, ends, cells, spans, boxes, records)


def make_box(day: str, table: str, hours: float, counted: int, expected: int | None) -> CountedBox:
    at = find_day_span(day)[0] + hours * HOUR_S
    return CountedBox(f"{table} {at}", table, at, counted, expected, "Ada", "Bo")


EVENING: Hands = (
    ("table-01", 9.0, DropTotal(100, 20), "holdem", "Ada"),
    ("table-01", 20.0, DropTotal(60, 12), "omaha", "Ben"),
    ("table-02", 9.5, DropTotal(40, 10, 2), "holdem", ""),
)
BOXES = (make_box(DAY, "table-01", 21, 158, 160), make_box(NEXT_DAY, "table-02", 2, 44, None))


@pytest.fixture
def closing(house: House) -> House:
    """Two tables have dropped, and it is the morning after."""
    house.time = find_day_span(DAY)[1] + 3 * HOUR_S
    house.dropped.days = {DAY: make_day(DAY, EVENING, *BOXES)}
    return house


def read_day(house: House, day: str = "", who: str = "Bo") -> Any:  # noqa: ANN401 - JSON
    return house.browser(who).get(f"/drop/day?day={day}" if day else "/drop/day").json()


def read_part(answer: Any, title: str) -> list[list[Any]]:  # noqa: ANN401 - JSON
    return next((part["rows"] for part in answer["parts"] if part["title"] == title), [])


def close(house: House, day: str, **changed: object) -> Any:  # noqa: ANN401 - a response
    shown = read_day(house, day)["next"]
    line = {"do": "close", "day": day, "chips": shown["sum"], "hands": shown["hands"]}
    return house.browser("Bo").post("/drop", line | changed)


def test_a_day_is_told_by_table_shift_game_dealer_and_hour_with_its_boxes(closing: House) -> None:
    answer = read_day(closing, who="Di")
    assert (answer["day"], answer["open"]) == (DAY, [DAY]), "the day that is closed next"
    assert read_part(answer, "Tables") == [
        ["table-01", 32, 160, None, "counted"],
        ["table-02", 10, 40, 2, "counted"],
        ["Together", 42, 200, 2, ""],
    ]
    assert read_part(answer, "Counted boxes") == [
        ["table-01", "2027-01-16 03:00", 158, 160, -2, "Ada", "Bo", ""],
        ["table-02", "2027-01-16 08:00", 44, "unknown", "unknown", "Ada", "Bo", ""],
    ]
    assert read_part(answer, "Shifts") == [["14:00-22:00", 30, 140, 2], ["22:00-06:00", 12, 60, None]]
    assert read_part(answer, "Games") == [["holdem", 30, 140, 2], ["omaha", 12, 60, None]]
    assert read_part(answer, "Dealers") == [["Ada", 20, 100, None], ["nobody named", 10, 40, 2], ["Ben", 12, 60, None]]
    assert read_part(answer, "Hours") == [["15:00", 30, 140, 2], ["02:00", 12, 60, None]]
    assert not read_part(answer, "After the close, for the next one")


def test_what_nobody_knows_is_not_0(closing: House) -> None:
    closing.dropped.days = {DAY: make_day(DAY, [("table-01", 1, DropTotal(0, 5, 5), "holdem", "")])}
    answer = read_day(closing)
    assert read_part(answer, "Tables")[0] == ["table-01", 5, None, 5, "not counted"]
    assert answer["total"] == {"chips": None, "hands": 5, "unknown": 5}


def test_a_day_is_closed_once_by_a_person_of_the_floor_who_signs_it(closing: House) -> None:
    assert close(closing, DAY).status_code == 204
    (line,) = closing.record.read_lines(DROP_STREAM)
    assert (line.entered_by, line.content["day"]) == ("Bo", DAY)
    assert line.content["taken"] == [[DAY, "table-01", 160, 32, 0], [DAY, "table-02", 40, 10, 2]]
    assert [(box["counted"], box["difference"]) for box in line.content["boxes"]] == [(158, -2), (44, None)]
    key = find_line_key(DROP_STREAM, line.content)
    assert key is not None
    assert [one.name for one in closing.staff.list_signing_keys() if one.public_key == key] == ["Bo"]
    assert find_line_key(DROP_STREAM, {**line.content, "day": NEXT_DAY}) is None
    assert find_line_key("waiting", line.content) is None
    answer = read_day(closing, DAY)
    assert answer["close"]["by"] == "Bo"
    assert answer["close"]["signed"]
    again = close(closing, DAY)
    assert (again.status_code, again.json()["code"]) == (409, "not-now-here")
    assert "closed already, by Bo" in again.json()["message"]
    assert len(list(closing.record.read_lines(DROP_STREAM))) == 1
    assert read_day(closing)["day"] == NEXT_DAY, "nothing is left but today"


def test_of_two_servers_that_close_a_day_at_once_one_does(closing: House) -> None:
    other = DropPage(closing.room)
    before = other._closes.state
    assert close(closing, DAY).status_code == 204
    (page,) = (page for page in closing.pages if isinstance(page, DropPage))
    page._closes = other._closes
    other._closes.read = lambda: before  # type: ignore[method-assign]  # it has not seen the line of the other yet
    again = closing.browser("Bo").post("/drop", {"do": "close", "day": DAY, "chips": 200, "hands": 42})
    assert "closed already, by Bo" in again.json()["message"]
    assert len(list(closing.record.read_lines(DROP_STREAM))) == 1


def test_a_line_that_somebody_else_wrote_into_the_record_is_not_the_persons(closing: House) -> None:
    assert close(closing, DAY).status_code == 204
    line = closing.record.lines_by_stream[DROP_STREAM][0]
    forged = replace(line, content={**line.content, "taken": [[DAY, "table-01", 1, 1, 0]]})
    closing.record.lines_by_stream[DROP_STREAM] = [forged]
    fresh = DropPage(closing.room)
    assert not fresh._render_day(fresh._read_standing(DAY))["close"]["signed"]
    closing.record.lines_by_stream[DROP_STREAM] = [replace(line, entered_by="Di")]
    other = DropPage(closing.room)
    assert not other._render_day(other._read_standing(DAY))["close"]["signed"], "signed well, by somebody else"


def test_a_box_that_is_missing_is_counted_or_its_absence_has_a_reason(closing: House) -> None:
    closing.dropped.days = {DAY: make_day(DAY, EVENING, BOXES[0])}
    answer = read_day(closing)
    assert answer["missing"] == ["table-02"]
    assert answer["obstacle"] == {"kind": "uncounted", "names": "table-02"}
    assert "no box of table-02" in close(closing, DAY).json()["message"].lower()
    bo = closing.browser("Bo")
    excuse = {"do": "excuse", "day": DAY, "table": "table-02", "why": "  locked up until Monday "}
    assert bo.post("/drop", {**excuse, "why": " "}).status_code == 400
    assert bo.post("/drop", {**excuse, "table": "table-01"}).json()["code"] == "not-now-here", "its box is counted"
    assert bo.post("/drop", excuse).status_code == 204
    assert read_part(read_day(closing), "Tables")[1][-1] == "locked up until Monday (Bo)"
    assert close(closing, DAY).status_code == 204
    assert list(closing.record.read_lines(DROP_STREAM))[-1].content["excuses"] == [
        ["table-02", "locked up until Monday", "Bo"]
    ]
    assert bo.post("/drop", excuse).json()["code"] == "not-now-here", "the day is closed"
    assert read_part(read_day(closing, DAY), "Tables")[1][-1] == "locked up until Monday (Bo)"


def test_a_box_counted_before_the_last_hand_is_not_the_whole_drop(closing: House) -> None:
    early = make_box(DAY, "table-01", 15, 100, 100)
    closing.dropped.days = {DAY: make_day(DAY, EVENING, early, BOXES[1])}
    assert read_day(closing)["missing"] == ["table-01"]


def test_what_a_table_tells_after_the_close_is_shown_and_goes_into_the_next(closing: House) -> None:
    assert close(closing, DAY).status_code == 204
    late: Hands = (*EVENING, ("table-03", 12, DropTotal(30, 6), "holdem", "Cy"))
    closing.dropped.days[DAY] = make_day(DAY, late, *BOXES)
    answer = read_day(closing, DAY)
    assert answer["close"]["chips"] == 200
    assert read_part(answer, "In the close of this day") == [
        [DAY, "table-01", 32, 160, None],
        [DAY, "table-02", 10, 40, 2],
    ]
    assert read_part(answer, "After the close, for the next one") == [[DAY, "table-03", 6, 30, None]]
    today: Hands = (("table-01", 1, DropTotal(8, 2), "holdem", "Ada"),)
    closing.dropped.days[NEXT_DAY] = make_day(NEXT_DAY, today, BOXES[1], make_box(NEXT_DAY, "table-01", 2, 8, 8))
    answer = read_day(closing, NEXT_DAY)
    assert answer["next"]["chips"] == 38
    assert read_part(answer, "After the close, for the next one") == [[DAY, "table-03", 6, 30, None]]
    assert close(closing, NEXT_DAY).status_code == 204
    answer = read_day(closing, NEXT_DAY)
    assert (answer["close"]["chips"], answer["close"]["late"]["chips"]) == (38, 30)
    boxes = [line.content["boxes"] for line in closing.record.read_lines(DROP_STREAM)]
    assert [[box["table"] for box in each] for each in boxes] == [["table-01", "table-02"], ["table-01"]]
    assert not read_part(read_day(closing, DAY), "After the close, for the next one")


def test_a_close_takes_what_the_person_has_seen_and_nothing_else(closing: House) -> None:
    moved = close(closing, DAY, chips=199)
    assert "would take 200 chips of 42 hands by now" in moved.json()["message"]
    assert not list(closing.record.read_lines(DROP_STREAM))


def test_a_day_is_not_closed_while_a_record_is_being_read_and_a_broken_one_wants_a_reason(closing: House) -> None:
    ends = find_day_span(DAY)[1]
    behind = ReadRecord("table-09", ends, is_behind=True)
    closing.dropped.days = {DAY: make_day(DAY, EVENING, *BOXES, records=[behind])}
    assert read_day(closing)["obstacle"] == {"kind": "reading", "names": "table-09"}
    broken = replace(behind, is_behind=False, fault="RecoveryError at record 7")
    closing.dropped.days = {DAY: make_day(DAY, EVENING, *BOXES, records=[broken])}
    assert read_day(closing)["missing"] == ["table-09"]
    long_ago = replace(broken, told_until=find_day_span(DAY)[0] - 1)
    closing.dropped.days = {DAY: make_day(DAY, EVENING, *BOXES, records=[long_ago])}
    assert read_day(closing)["missing"] == []


def test_a_table_that_is_away_is_named_with_how_far_its_record_goes(closing: House) -> None:
    at = find_day_span(DAY)[0] + 5 * HOUR_S
    records = [ReadRecord("table-01", at), ReadRecord("table-02", at, has_ended=True), ReadRecord("table-03", at)]
    closing.dropped.days = {DAY: make_day(DAY, EVENING, *BOXES, records=records)}
    closing.deliver_table_message("table-03", TableTopic.HEALTH, b"{}")
    assert read_day(closing)["away"] == [{"table": "table-01", "until": "2027-01-15 11:00"}]


def test_only_the_floor_closes_and_only_floor_and_auditor_see_what_was_dropped(closing: House) -> None:
    line = {"do": "close", "day": DAY, "chips": 200, "hands": 42}
    for who in ("Ada", "Cy"):
        assert closing.browser(who).get("/drop/day").status_code == 403
    for who in ("Ada", "Cy", "Di"):
        assert closing.browser(who).post("/drop", line).status_code == 403
    assert closing.browser().get("/drop/day").status_code == 401
    assert closing.browser().get("/drop").status_code == 200, "the page is empty"
    assert "table-01" not in closing.browser().get("/drop").text


@pytest.mark.parametrize(
    "line",
    [
        {}, [], {"do": "close"}, {"do": "close", "day": "soon", "chips": 1, "hands": 1},
        {"do": "close", "day": DAY, "chips": "1", "hands": 1},
        {"do": "excuse", "day": DAY, "table": "../x", "why": "y"},
        {"do": "excuse", "day": DAY, "table": "table-01", "why": "y" * 121},
        {"do": "close", "day": DAY, "chips": 200, "hands": 42, "by": "Di"},
    ],
)  # fmt: skip
def test_a_word_that_is_none_is_refused(closing: House, line: object) -> None:
    assert closing.browser("Bo").post("/drop", line).json()["code"] == "not-understood"


@pytest.mark.parametrize(
    "query",
    ["day=soon", "day=2027-02-30", "day=0001-01-01", "day=9999-12-31", "day=20270115", "form=doc", "since=2027-01-01"],
)
def test_a_day_that_is_none_is_refused(closing: House, query: str) -> None:
    assert closing.browser("Bo").get(f"/drop/day?{query}").json()["code"] == "not-understood"


def test_a_database_that_is_away_is_said_and_nothing_is_closed(closing: House) -> None:
    closing.dropped.is_away = True
    bo = closing.browser("Bo")
    line = {"do": "close", "day": DAY, "chips": 0, "hands": 0}
    for answer in (bo.get("/drop/day"), bo.post("/drop", line)):
        assert answer.json()["code"] == "record-unreadable"
    assert not list(closing.record.read_lines(DROP_STREAM))


def test_a_day_is_had_as_csv_and_as_a_sheet(closing: House) -> None:
    pytest.importorskip("fpdf", reason="fpdf2 is not installed (requirements/dev.txt)")
    had = closing.browser("Di").get(f"/drop/day?day={DAY}&form=csv")
    assert "table-01,32,160,,counted" in had.text
    assert "158,160,-2,Ada,Bo" in had.text, "what lacks is a number, and no formula"
    assert had.headers["content-disposition"].endswith(f'drop-{DAY}.csv"')
    sheet = closing.browser("Di").get(f"/drop/day?day={DAY}&form=pdf")
    assert sheet.content.startswith(b"%PDF-")


def test_the_day_of_the_house_and_its_shifts_are_by_its_own_clock() -> None:
    begins, ends = find_day_span(DAY)
    assert find_house_day(begins) == find_house_day(ends - 1) == DAY
    assert (find_house_day(begins - 1), find_house_day(ends)) == ("2027-01-14", NEXT_DAY)
    assert [format_shift(begins + hours * HOUR_S) for hours in (0, 8, 15.9, 16, 23.9)] == [
        "06:00-14:00", "14:00-22:00", "14:00-22:00", "22:00-06:00", "22:00-06:00",
    ]  # fmt: skip
    assert format_hour(begins + 23.5 * HOUR_S) == "05:00"

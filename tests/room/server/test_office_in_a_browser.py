"""Rulings, the shift's report, staff and waiting lists in Chromium, at a desk and on a phone: by touch, to the end."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from controller.runtime.journal.proof.chain import JournalRecord
from room.floor.waiting_lists import PAGE_TIMEOUT_S
from room.search.archive_index import ArchiveIndex
from room.search.archive_queries import RulingQuery, find_rulings, summarize_shift
from room.search.journal_facts import normalize_words
from tests.room import test_search
from tests.room.server.conftest import SIZES, WIDE
from tests.room.server.served import ServedRoom
from tests.room.server.test_decide_in_a_browser import Deciding
from tests.room.test_search import Database, arrive

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Response, Route

Opened = Callable[..., "Page"]

state, records, database = test_search.state, test_search.records, test_search.database
"""The fixtures of a table's journal in the room's database."""

BOTH = pytest.mark.parametrize("size", SIZES)
LONG_AGO = datetime(2020, 3, 4, 12, tzinfo=UTC)
TYPED: Sequence[tuple[str, str]] = (
    ("ruling", "X9-99"), ("table", "table-08"), ("dealer", "zoe"), ("person", "quinn"), ("until", "2020-03-05"),
)  # fmt: skip
"""Field -> what finds one ruling alone, of a table, a dealer, a player and a day of its own."""


def too_wide(page: "Page") -> int:
    return int(page.evaluate("() => document.documentElement.scrollWidth - innerWidth"))


@pytest.fixture
def searchable_room(room: ServedRoom, database: Database, conninfo: str, records: list[JournalRecord]) -> ServedRoom:
    """The room has in its archive what table-07 played, and of table-08 one ruling long ago."""
    arrive(database, len(records))
    index = ArchiveIndex(database)
    while index.index_new_records():
        pass
    database.execute(
        "INSERT INTO ruling VALUES ('j8', 1, 0, 1, 1, 'table-08', %s, 'boxed-card', 'scrap', %s, 'A card.', 3,"
        " 'Quinn', 'Zoe', '', %s)", (LONG_AGO, ["X9-99"], normalize_words("X9-99", "boxed-card")),
    )  # fmt: skip
    room.room.file = replace(room.room.file, conninfo=conninfo)
    return room


@BOTH
def test_rulings_are_found_by_each_field_and_one_is_opened_hand_step_by_step(
    searchable_room: ServedRoom, database: Database, open_page: Opened, size: tuple[int, int]
) -> None:
    all_of_them = find_rulings(database, RulingQuery())
    assert len(all_of_them) > 1
    page = open_page(searchable_room, "/rulings", size=size)
    everything = f"{len(all_of_them)} rulings"
    page.get_by_text(everything).wait_for()
    for field, text in TYPED:
        page.fill(f"[name={field}]", text)
        page.click("#wanted button.main")
        page.get_by_text("1 ruling", exact=True).wait_for()
        assert "Quinn, Zoe" in page.inner_text("#found"), field
        page.click("#wanted button[type=reset]")
        page.get_by_text(everything).wait_for()
    page.fill("[name=since]", "2020-03-05")
    page.click("#wanted button.main")
    page.get_by_text(f"{len(all_of_them) - 1} ruling").wait_for()
    assert "table-08" not in page.inner_text("#found")
    page.fill("[name=ruling]", "no such clause")
    page.click("#wanted button.main")
    page.get_by_text("No such ruling.").wait_for()
    page.click("#wanted button[type=reset]")
    page.get_by_text(everything).wait_for()
    one = all_of_them[0]
    page.locator("#found button").first.click()
    page.locator("#steps .here .verdict").first.wait_for()
    assert page.inner_text("#hand-title") == f"table-07, hand {one['hand']}"
    assert page.locator("#steps li").count() > 3
    assert one["cites"][0] in page.inner_text("#steps .here")
    assert too_wide(page) <= 0
    page.click("#close")
    page.wait_for_selector("#hand", state="hidden")


@BOTH
def test_a_shift_is_shown_and_is_had_as_csv_and_as_pdf(
    searchable_room: ServedRoom, database: Database, open_page: Opened, size: tuple[int, int]
) -> None:
    pytest.importorskip("fpdf", reason="fpdf2 is not installed (requirements/dev.txt)")
    at = find_rulings(database, RulingQuery())[0]["at"]
    around = at - timedelta(days=1), at + timedelta(days=1)
    hands = summarize_shift(database, *around, (), 60).table_rows[0]["hands"]
    assert hands >= 4
    page = open_page(searchable_room, "/shift", size=size)
    played = page.locator("tr", has_text="table-07").locator("td").nth(1)
    page.get_by_text(str(hands), exact=True).and_(played).wait_for()  # the minute that is under way counts
    for since, until in ((LONG_AGO, LONG_AGO + timedelta(days=1)), around):
        page.fill("[name=since]", f"{since:%Y-%m-%dT%H:%M}")
        page.fill("[name=until]", f"{until:%Y-%m-%dT%H:%M}")
        page.click("#wanted button.main")
        played.wait_for(state="detached" if since == LONG_AGO else "visible")
    assert played.inner_text() == str(hands)
    assert too_wide(page) <= 0
    links = "() => [csv.href, pdf.href]"
    had_csv, had_pdf = (page.request.get(str(link)) for link in page.evaluate(links))
    assert re.search(rf'table-07"?[,;]"?{hands}\b', had_csv.text())
    assert had_pdf.headers["content-type"] == "application/pdf"
    assert had_pdf.body().startswith(b"%PDF-")
    page.fill("[name=until]", "2019-01-01T00:00")
    page.click("#wanted button.main")
    page.wait_for_function("() => document.getElementById('count').textContent.length > 10")


def test_an_answer_that_comes_late_does_not_stand_for_a_later_question(
    searchable_room: ServedRoom, database: Database, open_page: Opened
) -> None:
    page = open_page(searchable_room, "/rulings", size=WIDE)
    everything = f"{len(find_rulings(database, RulingQuery()))} rulings"
    page.get_by_text(everything).wait_for()
    held: list[Route] = []
    page.route("**/rulings/list?*X9-99*", lambda route: held.append(route))  # noqa: PLW0108 (it marks what it is given)
    page.route("**/shift/report?since=2019*", lambda route: held.append(route))  # noqa: PLW0108 (it marks what it is given)

    def wait_for_held_route() -> "Route":
        while not held:
            page.evaluate("() => 0")
        return held.pop()

    def read(answer: "Response") -> None:
        answer.finished()
        for _ in range(5):
            page.evaluate("() => new Promise((done) => requestAnimationFrame(done))")

    page.fill("[name=ruling]", "X9-99")
    page.click("#wanted button.main")
    with page.expect_response("**/rulings/list?") as answer:
        page.click("#wanted button[type=reset]")
    read(answer.value)
    with page.expect_response("**/rulings/list?*X9-99*") as answer:
        wait_for_held_route().continue_()
    read(answer.value)
    assert page.inner_text("#count") == everything
    page.goto(page.url.replace("/rulings", "/shift"))
    played = page.locator("tr", has_text="table-07").first
    played.wait_for()
    now = page.input_value("[name=since]")
    page.fill("[name=since]", "2019-03-04T12:00")
    page.click("#wanted button.main")
    page.fill("[name=since]", now)
    with page.expect_response("**/shift/report?*") as answer:
        page.click("#wanted button.main")
    read(answer.value)
    with page.expect_response("**/shift/report?since=2019*") as answer:
        wait_for_held_route().fulfill(json={"parts": []})
    read(answer.value)
    assert played.is_visible()


@pytest.fixture
def deciding(room: ServedRoom, tmp_path: Path) -> Iterator[Deciding]:
    made = Deciding(room, tmp_path)
    yield made
    room.now(made.table.close)


@BOTH
def test_somebody_enrols_and_is_withdrawn_and_the_page_says_at_which_table_the_list_is_not_yet(
    deciding: Deciding, open_page: Opened, size: tuple[int, int]
) -> None:
    page = open_page(deciding.room, "/people", "Cy", size)
    table = page.locator("tr", has_text="table-01")
    table.get_by_text("the newest").wait_for()
    page.get_by_role("button", name="Code for: dealer").click()
    page.get_by_text("One-time code for one dealer:").wait_for()
    said = re.search(r"dealer: ([0-9 -]+[0-9])", page.inner_text("#said"))
    assert said is not None
    newcomer = open_page(deciding.room, "/sign-in", None, size)
    enrolled = """(content) => fetch("/enrol", { method: "POST", headers: { "Content-Type": "application/json" },
      body: JSON.stringify(content) }).then((answer) => answer.status)"""
    content = {"code": said[1], "name": "Eve", "pin": "740162"}
    assert newcomer.evaluate(enrolled, content) in (200, 204)
    page.get_by_role("cell", name="Eve", exact=True).wait_for()
    assert too_wide(page) <= 0
    deciding.real.off = True
    page.locator("tr", has_text="Eve").get_by_role("button", name="Withdraw").click()
    assert page.get_by_role("cell", name="Eve", exact=True).count() == 1, "once more, to be sure"
    page.get_by_text("Sure? Out at every table").click()
    page.get_by_role("cell", name="Eve", exact=True).wait_for(state="detached")
    table.locator(".alarm", has_text="table-01 is not reached.").wait_for()
    deciding.real.off = False
    table.get_by_text("the newest").wait_for()


@BOTH
def test_somebody_is_put_on_a_list_called_with_a_time_and_seated_and_must_move(
    room: ServedRoom, open_page: Opened, size: tuple[int, int]
) -> None:
    page = open_page(room, "/lists", size=size)
    new, table, must_move = (page.locator("#desk form").nth(number) for number in range(3))

    def submit_form(form: "Locator", *texts: str) -> None:
        for place, text in enumerate(texts):
            form.locator("input").nth(place).fill(text)
        form.get_by_role("button").click()

    for wrong in ("one/three", "1.5/3", "1/2/3/4/5"):
        submit_form(new, "1/3", "holdem", wrong)
        page.get_by_text(f"Stakes are one to four whole numbers, such as 1/3; not “{wrong}”.").wait_for()
    submit_form(new, "1/3", "holdem", "1/3")
    page.locator("article h2", has_text="1/3").wait_for()
    assert page.locator("#said").is_hidden()
    submit_form(table, "table-01", "1-3")
    page.get_by_text("There is no list 1-3; there is 1/3.").wait_for()
    submit_form(table, "table-01", "1/3")
    page.locator("article h2", has_text="table-01").first.wait_for()
    submit_form(must_move, "table-02", "1/3", "table-01")
    page.locator("article h2", has_text="table-02").first.wait_for()
    waiting = page.locator("article").filter(has=page.locator("input[name=player]"))

    for name in ("Ana", "Ben", "Cid"):
        submit_form(waiting.locator("form"), name)
        waiting.locator("li", has_text=name).wait_for()
    waiting.locator("li", has_text="Ana").get_by_role("button", name="Call").click()
    left = waiting.locator("li.called .flag")
    left.wait_for()
    assert re.fullmatch(r"[45]:\d\d", left.inner_text())
    waiting.locator("li", has_text="Ana").get_by_role("button", name="Chips").click()
    waiting.get_by_text("fetches chips").wait_for()
    assert too_wide(page) <= 0
    waiting.locator("li", has_text="Ana").get_by_role("button", name="table-02").click()
    page.get_by_text("table-01: must move").wait_for()
    page.get_by_text("Ana · table-02").wait_for()
    assert waiting.locator("li", has_text="Ana").count() == 0
    waiting.locator("li", has_text="Ben").get_by_role("button", name="Call").click()
    left.wait_for()
    now = room.room.wall_clock
    room.room.wall_clock = lambda: now() + PAGE_TIMEOUT_S
    page.get_by_text("1 page missed").wait_for()
    assert waiting.locator("li").all_inner_texts()[0].startswith("Cid"), "who did not come is at the bottom"

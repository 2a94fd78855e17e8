"""A whole tournament by the director's page: real tables with their links, real brokers and database, to the winner.

Only devices and people are simulated. What the director decides goes through the page; the rest is as in a real room.
"""

import json
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from controller.client.page_address import PageAddress
from controller.client.table_client import TableClient
from controller.runtime.staff.permissions import Role
from controller.runtime.staff.staff_store import StaffStore
from controller.runtime.storage.state_directory import JOURNAL_FILE, STAFF_FILE
from room.demo import demo_room as whole_room
from room.demo.demo_room import RunningDemo, run_demo
from room.demo.demo_tables import DemoTable, write_table_files
from room.record.postgres_record import PostgresRecord, connect_database
from room.record.room_record import RecordLine
from tests.room.real_parts import describe_missing_parts, free_row, wait_until
from tests.web.house import CHEAP, PINS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PLAYERS, TABLES, CHAIRS, CHIPS = 9, 3, 3, 25
SPEED = 30

DUE = """() => document.querySelector("#proposals button.main") || document.querySelector("#duties li.refused")
  || /^1 of/.test(document.querySelector("#players").textContent)
  || (%s && document.querySelector("#asked").hidden)
"""


def small_and_quick(*where: Any, **how: Any) -> DemoTable:  # noqa: ANN401 - as `write_table_files` has it
    """A table of a few chairs at which people hurry and make no mistakes: how those are put right is told elsewhere."""
    table = write_table_files(*where, **how)
    text = table.config_file.read_text(encoding="utf-8")
    for before, after in (("places = 8", f"places = {CHAIRS}"), ("speed = 4", f"speed = {SPEED}\nmistakes = 0")):
        assert before in text
        text = text.replace(before, after)
    table.config_file.write_text(text, encoding="utf-8")
    return table


@pytest.fixture
def running(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[RunningDemo, Path]]:
    """The room, with Bo of the floor; PostgreSQL runs as somebody else, who must be let into its folder."""
    if why := describe_missing_parts():
        pytest.skip(why)
    monkeypatch.setattr(whole_room, "write_table_files", small_and_quick)
    with tempfile.TemporaryDirectory(prefix="room-") as scratch:
        folder = Path(scratch)
        folder.chmod(0o755)
        (folder / "staff").mkdir(mode=0o700)
        staff = StaffStore(folder / "staff" / STAFF_FILE, cost=CHEAP)
        staff.enrol("Bo", Role.FLOOR, PINS["Bo"], staff.redeem_code(staff.make_one_time_code()))
        staff.close()
        port = free_row(TABLES + 1)
        with run_demo(folder, tables=TABLES, nodes=1, port=port, tournament=TABLES) as up:
            yield up, folder


@pytest.fixture
def page(browser: "Browser", running: tuple[RunningDemo, Path]) -> Iterator["Page"]:
    url = running[0].url
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    opened = context.new_page()
    failed: list[str] = []
    opened.on("pageerror", lambda error: failed.append(str(error)))
    context.request.post(
        f"{url}sign-in", data={"name": "Bo", "pin": PINS["Bo"]}, headers={"Origin": url.rstrip("/")}
    )  # fmt: skip
    yield opened
    context.close()
    assert failed == [], "the page's own scripts failed"


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_from_the_registration_to_the_winner(page: "Page", running: tuple[RunningDemo, Path], tmp_path: Path) -> None:
    up, folder = running
    page.goto(f"{up.url}events")
    start_tournament(page)
    confirmed = direct_tournament(page)
    page.screenshot(path=tmp_path / "the-end.png", full_page=True)
    assert page.locator("#duties li").count() == 0
    assert page.locator("#seats button").count() == 0, "nobody is left to go out"
    assert sitting(up) == [(str(page.locator("#places tr td >> nth=1").inner_text()), PLAYERS * CHIPS)]
    for left in reversed(range(page.locator("#places button").count())):
        page.click("#places button >> nth=0")
        page.wait_for_function("many => document.querySelectorAll('#places button').length === many", arg=left)
    page.click("#words button:has-text('Close tournament')")
    page.get_by_text("Closed by Bo").wait_for()
    with connect_database(f"host={folder.resolve()}/database user=room dbname=postgres") as database:
        lines = list(PostgresRecord(database).read_lines("event:1"))
    assert [one.content["message"] for one in lines if one.content["do"] == "refused"] == []
    assert any("drawn anew" in text or "breaks" in text for text in confirmed), "a table is broken"
    assert any("final table" in text for text in confirmed)
    assert any("deal the next" in text for text in confirmed), "hand for hand"
    moved_with_their_chips(lines)
    journals = {table.name: entries(table.state_directory) for table in up.tables}
    for name, told in journals.items():
        no_hand_before_the_word(name, told)
    places = page.locator("#places tr").all_inner_texts()
    assert len(places) == PLAYERS
    first, winner, prize, paid = places[0].split("\t")
    assert (first, prize, paid) == ("1.", "450", "paid out")
    assert sum(int(row.split("\t")[2] or 0) for row in places) == 450 + 270 + 180, "whoever shares a place"
    assert next(one.content["player"] for one in lines if one.content["do"] == "pay") == winner
    wait_until(lambda: sitting(up) == [], "every table is let go")
    again_at_the_same_tables(page, up)


def again_at_the_same_tables(page: "Page", up: RunningDemo) -> None:
    """Another tournament there: nobody deals before all are seated, each with a stack of its own, on level 1."""
    page.goto(f"{up.url}events?event=new")
    start_tournament(page, "2")
    page.wait_for_function("() => /Level 1/.test(document.querySelector('#stage').textContent)")
    everybody = sitting(up)
    assert len(everybody) == PLAYERS
    assert sum(stack or 0 for _, stack in everybody) <= PLAYERS * CHIPS, "what is bet lies in front of the players"


def start_tournament(page: "Page", number: str = "1") -> None:
    """Open the event, enter the players, draw their seats, and start."""
    names = [f"table-{number:02}" for number in range(1, TABLES + 1)]
    for field, text in (("title", "Sunday"), ("tables", " ".join(names)), ("places", CHAIRS), ("stack", CHIPS)):
        page.fill(f"[name={field}]", str(text))
    page.click("#open button.main")
    page.wait_for_url(f"**/events?event={number}")
    page.fill("#name", "Ana")
    page.click("#register button")
    page.wait_for_function("() => document.querySelector('#players').textContent.startsWith('1 of 1')")
    page.fill("#many", str(PLAYERS - 1))
    page.click("#samples button")
    page.wait_for_function(f"() => document.querySelector('#players').textContent.startsWith('{PLAYERS} of')")
    page.click("#words button:has-text('Draw seats')")
    page.click("#words button:has-text('Start')")
    page.wait_for_selector("#seats button:has-text('Out')")


def direct_tournament(page: "Page") -> list[str]:
    """Confirm what the desk proposes until one is left; hand for hand is announced as soon as all are seated."""
    confirmed: list[str] = []
    announced = False
    playwright = pytest.importorskip("playwright.sync_api")
    for _ in range(200):
        try:
            page.wait_for_function(DUE % ("false" if announced else "true"), timeout=600_000)
        except playwright.TimeoutError:
            raise AssertionError(f"nothing goes on: {confirmed}\n{page.inner_text('main')}") from None
        assert page.locator("#duties li.refused").count() == 0, page.inner_text("#duties")
        due = page.locator("#proposals li")
        if due.count():
            drawn = page.get_attribute("#proposals", "data-drawn")
            confirmed.append(due.first.inner_text())
            page.evaluate("() => document.querySelector('#proposals button.main')?.click()")
            page.wait_for_function("drawn => document.querySelector('#proposals').dataset.drawn !== drawn", arg=drawn)
        elif page.inner_text("#players").startswith("1 of"):
            return confirmed
        elif not announced:
            page.click("#words button:has-text('Hand for hand')")
            page.wait_for_selector("#together:not([hidden])")
            announced = True
    raise AssertionError(f"the tournament does not end: {confirmed}")


def moved_with_their_chips(lines: list[RecordLine]) -> None:
    """Whoever changed tables has left one, and sat down at the other with what was taken along: each an entry there."""
    asked = {one.content["duty"]: one.content for one in lines if one.content["do"] == "asked"}
    entered = [one.content["duty"] for one in lines if one.content["do"] == "entered" and one.content["entry"]]
    assert len(entered) == len(set(entered))
    assert len([duty for duty in entered if asked[duty].get("stack")]) >= 4, "who leaves takes a stack along"


def entries(state: Path) -> list[dict[str, Any]]:
    """What a table has entered, by its journal, without what it refused."""
    with sqlite3.connect(f"file:{state / JOURNAL_FILE}?mode=ro", uri=True) as journal:
        bodies = [json.loads(body) for (body,) in journal.execute("SELECT body FROM record ORDER BY number")]
    refused = {body["result"]["entry"] for body in bodies if "refused" in body.get("result", {})}
    return [body for body in bodies if "line" in body and body["entry"] not in refused]


def no_hand_before_the_word(name: str, told: list[dict[str, Any]]) -> None:
    """Hand for hand the table's own gate holds the next hand until the room has said so."""
    begun = 0
    on = False
    for line in (body["line"] for body in told):
        if line["ev"] == "hand-for-hand":
            on, begun = line.get("on", on), 0
        elif line["ev"] == "start":
            begun += 1
            assert not on or begun <= 1, f"{name}: a hand before the word"


def sitting(up: RunningDemo) -> list[tuple[str, int | None]]:
    """Who sits at any table, with how many chips, as the tables themselves say."""
    found: list[tuple[str, int | None]] = []
    for table in up.tables:
        where = urlsplit(table.url)
        client = TableClient(PageAddress(where.hostname or "", where.port or 0), table.token_file.read_text().strip())
        found += [(str(seat["player"]), seat["stack"]) for seat in client.fetch_table()["seats"] if seat["player"]]
    return found

"""What every page of the room keeps on its screen: nothing for whoever has left; its menu is one line of a phone."""

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from starlette.responses import JSONResponse, Response

from controller.runtime.staff.permissions import Role
from room.floor.day_drop import DayDrop, DropCell
from room.floor.drop_closes import DropTotal
from room.floor.house_day import find_day_span, find_house_day
from room.room_file import PromotionSection
from room.search.recent_facts import DealerSignInRow, TabledHandRow
from room.server import STATIC_FOLDER
from room.server.pages.rulings_page import RulingsPage
from tests.room.server.conftest import PHONE, SIZES
from tests.room.server.served import evening
from tests.room.server.test_desk_in_a_browser import compute_day_span
from tests.room.server.test_event_in_a_browser import Evening

if TYPE_CHECKING:
    from playwright.sync_api import Page

Opened = Callable[..., "Page"]

PATHS = tuple(re.findall(r'\["(/[^"]*)", t\(', (STATIC_FOLDER / "menu.js").read_text(encoding="utf-8")))

NAME = "Maximilian Featherstonehaugh"

LONG = "Maximilian Stone Harbour"
"""As long as a name of the staff can be."""

FOR_STAFF = {
    "/": "What the table said last",
    "/rulings": NAME,
    "/shift": NAME,
    "/drop": NAME,
    "/events": "Alternates: Player 108",
    "/lists": "New list",
    "/dealers": NAME,
    "/high-hands": "Confirm",
    "/people": "The key of this room",
    "/fleet": "table-12",
    "/webhooks": "to accounting.example",
}
"""Page -> what only those see on it who are signed in."""


class Full(Evening):
    """A room in which each page has something that is for its people alone."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.room.tables = self.tables  # which are not reached
        evening(self)
        now = time.time()
        section = PromotionSection("All day", "holdem", *compute_day_span(now), ("Ah", "Ad", "Ac", "Ks", "Kd"))
        self.room.file = replace(self.room.file, promotions=(section,))
        board = ("7c", "7s", "2d", "3h", "9c")
        self.newest.hands = [
            TabledHandRow(1, "j", 1, 4, 3, "table-01", now, "holdem", NAME, ("7h", "7d"), board, 60, 6)
        ]
        self.newest.signs = [DealerSignInRow(1, "j", 4, "table-01", now, NAME, False)]
        self.room.hub.put("webhooks", "accounting", {
            "name": "accounting", "host": "accounting.example", "alarm": False, "ended": False, "failing": "",
            "last": None, "waiting": 0, "aside": 0, "refused": [], "given_up": 0, "events": [],
        })  # fmt: skip
        ruled = {
            "journal": "j", "entry": 1, "session": 1, "hand": 1, "table": "table-01", "at": "2026-01-01T00:00:00Z",
            "finding": "misdeal", "verdict": "void", "cites": [], "text": "", "player": NAME, "by": "",
        }  # fmt: skip
        day = find_house_day(now)
        begins, ends = find_day_span(day)
        cell = DropCell("table-01", "Hold'em", NAME, begins, DropTotal(5, 1))
        self.dropped.days = {day: DayDrop(day, begins, ends, [cell], {"table-01": (begins, begins)})}
        summed = {"title": "Dealers", "columns": ["Dealer"], "rows": [[NAME]]}

        async def answer_query(*_: object) -> Response:
            return JSONResponse({"rulings": [ruled], "parts": [summed]})

        next(page for page in self.pages if isinstance(page, RulingsPage))._run_query = answer_query  # type: ignore[method-assign, assignment]

    def withdraw(self, name: str) -> None:
        self.staff.remove(name, self.staff.redeem_code(self.staff.make_one_time_code()))


@pytest.fixture
def full(tmp_path: Path) -> Iterator[Full]:
    made = Full(tmp_path)
    yield made
    made.end()


SEEN = "() => document.body.innerText.toLowerCase()"
"""What can be read on a page; headings are in capitals by the stylesheet."""


def shows(page: "Page", text: str) -> None:
    page.wait_for_function(f"text => ({SEEN})().includes(text.toLowerCase())", arg=text)


@pytest.mark.parametrize(
    ("path", "leaves"),
    [
        *((path, "is withdrawn") for path in PATHS),
        *((path, "signs out") for path in PATHS[:2]),
        *(pytest.param(path, "signs out", marks=pytest.mark.slow) for path in PATHS[2:]),
    ],
)
def test_nothing_stays_on_the_screen_that_was_told_to_somebody_who_is_signed_in_no_more(
    full: Full, open_page: Opened, path: str, leaves: str
) -> None:
    if path == "/events":
        full.open_tournament(109)
    page = open_page(full, "/who")
    page.clock.install()
    page.goto(full.url.rstrip("/") + path)
    if path == "/":
        page.click('[data-table="table-03"]')
    shows(page, FOR_STAFF[path])
    if leaves == "is withdrawn":
        full.now(lambda: full.withdraw("Bo"))
        page.clock.fast_forward(61_000)
    else:
        if path == "/":
            page.click("#close")
        page.get_by_role("button", name="Sign out").click()
    page.locator("#who button:has-text('Sign in'), #names").first.wait_for()
    assert FOR_STAFF[path].lower() not in page.inner_text("body").lower()  # which may be on its way to the sign-in


def test_a_page_that_the_browser_kept_is_loaded_anew_when_it_is_gone_back_to(full: Full, open_page: Opened) -> None:
    page = open_page(full, "/people")
    shows(page, FOR_STAFF["/people"])
    page.evaluate(
        "() => { window.kept = true; dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })); }"
    )
    page.wait_for_function("() => window.kept === undefined")


@pytest.mark.parametrize("size", SIZES)
def test_the_menu_is_one_line_and_the_page_that_is_open_stands_in_view(
    full: Full, open_page: Opened, size: tuple[int, int]
) -> None:
    page = open_page(full, size=size)
    for path in PATHS:
        page.goto(full.url.rstrip("/") + path)
        page.locator("#who button").wait_for()
        links = page.locator("#menu a")
        tops = links.evaluate_all("links => [...new Set(links.map((link) => link.offsetTop))]")
        assert len(tops) == 1, path
        here = page.locator("#menu a[aria-current]").bounding_box()
        assert here is not None
        assert 0 <= here["x"] < here["x"] + here["width"] <= size[0], path
        links.last.scroll_into_view_if_needed()
        last = links.last.bounding_box()
        assert last is not None
        assert last["x"] + last["width"] <= size[0], "a swipe reaches the last link"
        assert page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0, path


def test_the_first_column_of_a_table_stays_on_one_line_and_the_rest_is_reached_by_a_swipe(
    full: Full, open_page: Opened
) -> None:
    code = full.staff.make_one_time_code()
    full.now(lambda: full.staff.enrol(LONG, Role.DEALER, "740162", full.staff.redeem_code(code)))
    page = open_page(full, "/people", "Cy", PHONE)
    cell = page.locator("td", has_text=LONG)
    cell.wait_for()
    lines = "cell => { const all = new Range(); all.selectNodeContents(cell); return all.getClientRects().length; }"
    assert cell.evaluate(lines) == 1
    assert page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0


def test_on_a_phone_the_case_is_closed_by_a_key_that_stays_in_view(full: Full, open_page: Opened) -> None:
    page = open_page(full, size=(PHONE[0], 420))
    page.click('[data-table="table-03"]')
    page.wait_for_selector("#case[open] #last section")
    page.evaluate("() => { document.getElementById('case').scrollTop = 100000; }")
    close = page.locator("#close")
    box = close.bounding_box()
    assert box is not None
    assert box["y"] >= 0
    assert box["x"] + box["width"] <= PHONE[0]
    assert box["height"] >= 44
    close.click()
    page.wait_for_selector("#case", state="hidden")

"""The desk's pages that tables feed, in Chromium: nothing is cut, and each key does what it says."""

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from controller.room_contract.subjects import TableTopic
from room.room_file import PromotionSection
from room.search.recent_facts import DealerSignInRow, TabledHandRow
from tests.room.server.conftest import SIZES
from tests.room.server.served import ServedRoom
from tests.web.house import PINS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CUT = """() => [...document.querySelectorAll("main *, header *")]
  .filter((place) => place.scrollWidth > place.clientWidth + 1 && place.clientWidth > 1
    && getComputedStyle(place).overflowX !== "auto" && place.tagName !== "INPUT")
  .map((place) => place.textContent)
  .concat(document.documentElement.scrollWidth > innerWidth ? ["the page is wider than the screen"] : [])"""


@pytest.fixture(params=SIZES)
def page(request: pytest.FixtureRequest, browser: "Browser", room: ServedRoom) -> Iterator["Page"]:
    """A page at which Bo of the floor is signed in."""
    width, height = request.param
    context = browser.new_context(viewport={"width": width, "height": height})
    sessions = room.door.sessions
    assert sessions is not None
    token = sessions.begin(room.staff.sign_in("Bo", PINS["Bo"]), None)
    context.add_cookies([{"name": "room", "value": token, "url": room.url}])
    opened = context.new_page()
    failed: list[str] = []
    opened.on("pageerror", lambda error: failed.append(str(error)))
    yield opened
    context.close()
    assert failed == [], "the page's own scripts failed"


def looks_whole(page: "Page") -> None:
    assert page.evaluate(CUT) == []


def test_a_free_chair_is_seen_and_a_must_move_table_is_opened_and_closed(page: "Page", room: ServedRoom) -> None:
    def send_seats(table: str, *players: str) -> None:
        seats = [{"seat": seat, "player": player} for seat, player in enumerate(players, 1)]
        room.say(table, TableTopic.STATE, {"places": 3, "seats": seats})

    page.goto(f"{room.url}lists")
    desk = page.locator("#desk form")
    for number, typed in (
        (0, ("1/3", "holdem", "1 3")),
        (1, ("table-01", "1/3")),
        (2, ("table-02", "1/3", "table-01")),
    ):
        for place, text in enumerate(typed):
            desk.nth(number).locator("input").nth(place).fill(text)
        desk.nth(number).get_by_role("button").click()
        page.locator("#shown article").nth(number).wait_for()
    send_seats("table-01", "Ana", "Ben")
    send_seats("table-02", "Cid", "Maximilian Featherstonehaugh", "Eve")
    page.get_by_text("next: Cid").wait_for()
    page.get_by_text("must move from table-02").wait_for()
    looks_whole(page)
    page.locator("article").filter(has=page.locator("h2", has_text="table-02")).get_by_role(
        "button", name="Close table"
    ).click()
    page.get_by_text("next: Cid").wait_for(state="detached")


def test_a_candidate_is_confirmed_by_one_touch_and_leads(page: "Page", room: ServedRoom) -> None:
    now = time.time()
    section = PromotionSection("Around the clock", "holdem", *compute_day_span(now), ("Ah", "Ad", "Ac", "Ks", "Kd"))
    room.room.file = replace(room.room.file, promotions=(section,))
    board = ("7c", "7s", "2d", "3h", "9c")
    name = "Maximilian Featherstonehaugh"
    room.newest.hands = [TabledHandRow(1, "j", 1, 4, 3, "table-01", now, "holdem", name, ("7h", "7d"), board, 60, 6)]
    page.goto(f"{room.url}high-hands")
    page.get_by_text("nobody yet").wait_for()
    page.get_by_text("7♥ 7♦ | 7♣ 7♠ 2♦ 3♥ 9♣").wait_for()
    looks_whole(page)
    page.get_by_role("button", name="Confirm").click()
    page.get_by_text("confirmed by Bo").wait_for()
    assert page.get_by_text("nobody yet").count() == 0
    looks_whole(page)


def compute_day_span(now: float) -> tuple[float, float]:
    """From a minute before now on this day of the house, to a minute before that on the next."""
    at = time.localtime(now - 60)
    since = at.tm_hour * 3600.0 + at.tm_min * 60.0
    return since, (since - 60.0) % 86400.0


def test_the_next_push_is_done_by_one_touch(page: "Page", room: ServedRoom) -> None:
    now = time.mktime((*time.localtime()[:3], 12, 0, 0, 0, 0, -1))  # whenever this runs, no day of the house ends
    room.room.wall_clock = lambda: now
    signed = (("table-01", 31, "Ada"), ("table-02", 20, "Maximilian Featherstonehaugh"), ("table-02", 3, "Cy"))
    room.newest.signs = [
        DealerSignInRow(number, f"j{number}", 4, table, now - 60 * ago, name, False)
        for number, (table, ago, name) in enumerate(signed, 1)
    ]
    room.newest.counted = {"Ada": 33, "Cy": 2}
    page.goto(f"{room.url}dealers")
    page.get_by_text("down over").wait_for()
    page.fill("input[name=tables]", "table-01 table-02")
    page.get_by_role("button", name="Keep").click()
    page.get_by_role("button", name="Push", exact=True).click()
    page.get_by_text("table-01 · Maximilian Featherstonehaugh").wait_for()
    page.get_by_text("table-02 · Ada").wait_for()
    page.get_by_text("33 hands").wait_for()
    looks_whole(page)

"""The floor's page in Chromium: a desk's small screen and a phone; nothing is cut, and a call is answered by touch."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from controller.room_contract.subjects import TableTopic
from tests.room.server.conftest import ON_A_PHONE
from tests.room.server.served import ServedRoom, evening, make_table_state
from tests.web.house import PINS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CUT = """() => [...document.querySelectorAll(".call *, .table .name, .table .flag, .table .hand, header *")]
  .filter((place) => place.scrollWidth > place.clientWidth + 1 && place.clientWidth > 1
    && getComputedStyle(place).overflowX !== "auto").map((place) => place.textContent)
  .concat(document.documentElement.scrollWidth > innerWidth ? ["the page is wider than the screen"] : [])"""


@pytest.fixture(params=[pytest.param((800, 480), id="800x480"), ON_A_PHONE])
def page(request: pytest.FixtureRequest, browser: "Browser") -> Iterator["Page"]:
    width, height = request.param
    opened = browser.new_page(viewport={"width": width, "height": height})
    failed: list[str] = []
    opened.on("pageerror", lambda error: failed.append(str(error)))
    yield opened
    opened.close()
    assert failed == [], "the page's own scripts failed"


def test_a_call_is_taken_and_done_by_touch_and_nothing_is_cut(page: "Page", room: ServedRoom) -> None:
    evening(room)
    page.goto(room.url)
    page.wait_for_selector(".call")
    page.locator(".table").nth(11).wait_for()
    assert page.evaluate(CUT) == []
    cards = page.locator(".table .game").all_inner_texts()
    assert all(card[0].isupper() and "/" in card for card in cards if card), cards
    assert all(hand.startswith("hand ") for hand in page.locator(".table .hand").all_inner_texts() if hand)
    page.click(".call:first-child button.main")  # nobody is signed in
    page.wait_for_url("**/sign-in")
    page.click("[data-name=Bo]")
    for digit in PINS["Bo"]:
        page.keyboard.press(digit)
    page.keyboard.press("Enter")
    page.wait_for_selector(".call")
    page.click(".call:first-child button.main")
    page.get_by_text("Bo goes").wait_for()
    room.say("table-12", TableTopic.STATE, make_table_state(12, floor_called=True))
    page.locator(".call").nth(2).wait_for()
    page.wait_for_selector('body[data-heard="4 called"]')
    page.click('[data-table="table-03"]')
    page.wait_for_selector("#case[open] .verdict")
    assert "R3-12" in page.inner_text("#case")
    page.click("#close")
    page.click(".call:first-child button:not(.main)")
    page.locator(".call").nth(2).wait_for(state="detached")
    assert page.evaluate(CUT) == []

"""The pages of the floor, the technician and the record on a phone: one column, nothing beyond it, keys for a thumb."""

import json
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from config import language_file
from tests.browser.alone import page_alone
from tests.browser.publications import files, read_publications

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route, ViewportSize

PHONE: "ViewportSize" = {"width": 390, "height": 844}

COLUMNS = """() => [...document.querySelectorAll("main > *")].filter((each) => each.getClientRects().length)
  .map((each) => { const box = each.getBoundingClientRect(); return [box.left, box.right, box.top, box.bottom]; })"""

BEYOND = """() => [...document.querySelectorAll("body *")].filter((each) => each.getClientRects().length
    && (each.getBoundingClientRect().right > innerWidth + 1 || each.getBoundingClientRect().left < -1))
  .map((each) => each.id || each.className || each.tagName)"""

SMALL = """() => [...document.querySelectorAll("main button, button.pages")]
  .filter((each) => each.getClientRects().length)
  .filter((each) => each.offsetHeight < (each.tagName === "BUTTON" ? 44 : 34) || each.offsetWidth < 40)
  .map((each) => each.innerText)"""


@pytest.mark.parametrize("path", ["floor.html", "technician.html", "hands.html"])
def test_an_office_is_one_column_with_keys_for_a_thumb(browser: "Browser", path: str) -> None:
    asked = next(each for file in files() for each in read_publications(file) if each["table"]["phase"] == "floor")
    for name in ("en", "de", "es"):
        page = page_alone(browser, path, language_file.load_language(name))
        page.set_viewport_size(PHONE)
        if path != "hands.html":
            page.wait_for_function("() => window.tell")
            page.evaluate("text => window.tell(text)", json.dumps(asked))
            columns = page.evaluate(COLUMNS)
            assert all(left <= 1 and right >= PHONE["width"] - 1 for left, right, _, _ in columns), (name, columns)
            assert all(low <= top + 1 for (*_, low), (_, _, top, _) in pairwise(columns))
        assert page.evaluate(BEYOND) == [], name
        assert page.evaluate(SMALL) == [], name
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
        page.close()


def test_the_menu_opens_by_a_touch_and_closes_by_one_beside_it(browser: "Browser") -> None:
    page = page_alone(browser, "floor.html")
    page.set_viewport_size(PHONE)
    page.wait_for_function("() => window.tell")
    page.evaluate("text => window.tell(text)", json.dumps(read_publications(files()[0])[0]))
    menu = page.locator("#pages")
    assert not menu.is_visible()
    page.locator("button.pages").click()
    links = menu.locator("a")
    assert links.all_inner_texts() == [
        "Dealer",
        "Floor",
        "Technician",
        "Hands",
        "The drop",
        "School",
        "Spectators",
        "Error catalogue",
    ]
    assert links.evaluate_all("links => links.every((link) => link.offsetHeight >= 44)")
    page.mouse.click(20, 820)
    assert not menu.is_visible()
    page.close()


@pytest.mark.parametrize("path", ["hands.html", "train.html"])
def test_the_keys_of_a_short_page_stand_at_the_thumb(browser: "Browser", path: str) -> None:
    page = page_alone(browser, path)
    page.set_viewport_size(PHONE)
    assert page.evaluate("Math.round(document.querySelector('footer').getBoundingClientRect().bottom)") == 844
    page.close()


def test_a_record_that_is_busy_is_asked_again_when_it_says_so(browser: "Browser") -> None:
    asked: list[str] = []

    def answer(route: "Route") -> None:
        asked.append(route.request.url)
        busy = {"code": "too-much", "message": "Another hand is being read; ask again in a moment."}
        if len(asked) == 1:
            route.fulfill(status=429, json=busy, headers={"Retry-After": "1"})
        else:
            route.fulfill(json={"hands": [], "next": None})

    page = page_alone(browser)
    page.route("**/hands/list*", answer)
    page.goto("http://table.test/hands.html")
    page.wait_for_function("() => document.querySelector('#next').textContent === 'Not shown'")
    page.wait_for_function("() => document.querySelector('#next').textContent !== 'Not shown'")
    assert len(asked) == 2
    page.close()

"""The overlay of a broadcast in a browser, at 1920 by 1080."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.browser import overlay
from tests.browser.tables import RunningTable

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="module")
def on_air(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningTable]:
    directory = tmp_path_factory.mktemp("on-air")
    running = RunningTable(directory / "state", config=overlay.table_on_air(directory))
    yield running
    running.end()


@pytest.fixture
def page(browser: "Browser") -> "Iterator[Page]":
    opened = browser.new_page(viewport={"width": 1920, "height": 1080})
    said: list[str] = []
    opened.on("pageerror", lambda error: said.append(str(error)))
    yield opened
    opened.close()
    assert said == []


CUT = """() => [...document.querySelectorAll(".name, .chips, .equity, #said, .player, .board")].filter((each) => {
  const box = each.getBoundingClientRect();
  const outside = box.left < 0 || box.top < 0 || box.right > 1920 || box.bottom > 1080;
  return outside || each.scrollWidth > each.clientWidth + 1;
}).map((each) => each.textContent)"""


@pytest.mark.parametrize(
    "picture",
    [
        overlay.picture(2),
        overlay.picture(10),
        overlay.picture(10, hole=5, board="Qs7h2dTc9s"),
        overlay.picture(8, hole=7, board="", boards=[[]]),
        overlay.picture(9, boards=[overlay.cards("Qs7h2dTc9s"), overlay.cards("Qs7h2d3c4c")]),
    ],
    ids=["heads-up", "ten", "omaha", "stud", "twice"],
)
def test_nothing_is_cut_and_nothing_but_the_show_is_painted(
    page: "Page", on_air: RunningTable, picture: dict[str, object]
) -> None:
    overlay.put_on(page, on_air.url, picture)
    assert page.evaluate(CUT) == []
    for place in ("document.body", "document.documentElement"):
        assert page.evaluate(f"getComputedStyle({place}).backgroundColor") == "rgba(0, 0, 0, 0)"
    tops = page.evaluate("document.elementsFromPoint(960, 200).map((each) => each.tagName)")
    assert set(tops) <= {"MAIN", "BODY", "HTML"}, "the middle of the picture is the camera's"


def test_it_says_who_is_in_who_acts_and_how_they_stand(page: "Page", on_air: RunningTable) -> None:
    overlay.put_on(page, on_air.url, overlay.picture())
    assert page.locator(".player").count() == 8
    assert page.locator(".player.acts .name").inner_text() == "Ana"
    assert page.locator(".equity").all_inner_texts() == ["5 %", "95 %"]
    assert page.locator(".player.out").count() == 6
    assert page.locator("#said").inner_text().split() == ["Hand", "42", "Flop", "Pot", "7250"]


def test_without_a_token_it_says_what_is_missing(page: "Page", on_air: RunningTable) -> None:
    page.goto(f"{on_air.url}broadcast")
    page.wait_for_selector("#trouble:not([hidden])")
    assert "/broadcast#TOKEN" in page.locator("#trouble").inner_text()


def test_a_wrong_token_is_said_and_is_in_no_address(page: "Page", on_air: RunningTable) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{on_air.url}broadcast#tct_wrong")
    page.wait_for_selector("#trouble:not([hidden])")
    assert page.locator("#show").is_hidden()
    assert not any("tct_wrong" in url.partition("#")[0] for url in asked)
    assert any(url.endswith("/broadcast/show") for url in asked)

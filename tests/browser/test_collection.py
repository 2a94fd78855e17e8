"""The house's money in Chromium: the floor changes it, everybody sees its sign, a raked hand costs no touch more."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import DEMO
from tests.browser.tables import SIZES, DealersPage, RunningTable

if TYPE_CHECKING:
    from playwright.sync_api import Page

RAKE = '[collection]\nkind = "rake"\npercent = 5\ncap = 4\ncaps = [{ dealt = 3, cap = 2 }]\n'


@pytest.fixture
def collection() -> str:
    """The section of the table's file; a test may have another."""
    return RAKE


@pytest.fixture
def table(tmp_path: Path, collection: str) -> Iterator[RunningTable]:
    text = DEMO.read_text().replace('"demo-deck.csv"', f'"{DEMO.parent / "demo-deck.csv"}"')
    config = tmp_path / "table.toml"
    config.write_text(
        f"{text}\n{collection}".replace("mistakes = 0.04", "mistakes = 0").replace("speed = 1", "speed = 20")
    )
    running = RunningTable(tmp_path / "state", config=config)
    yield running
    running.end()


def open_page(dealer: DealersPage, path: str) -> "Page":
    """Another page of the same table."""
    browser = dealer.page.context.browser
    assert browser is not None
    page = browser.new_page(viewport=dealer.page.viewport_size)
    page.goto(dealer.table.url + path)
    return page


def wait_for_sign(page: "Page", words: str, place: str = ".sign") -> None:
    page.wait_for_function(
        "([place, words]) => document.querySelector(place).innerText.includes(words)", arg=[place, words]
    )


@pytest.mark.parametrize("dealer", SIZES, indirect=True)
def test_the_floor_changes_it_between_hands_and_the_signs_with_it(dealer: DealersPage) -> None:
    """Covers: AU-8.1#sign, AU-8.3, AU-8.4."""
    floor, watch, notice = (open_page(dealer, path) for path in ("floor", "watch", "notice"))
    for page, place in ((floor, "#money"), (watch, "#sign"), (notice, "#rows")):
        wait_for_sign(page, "Rake: 5 % of each pot", place)
        wait_for_sign(page, "At least 0, at most 4 a hand", place)
    floor.click("#terms")
    floor.select_option("[data-key='kind'] select", "time")
    assert floor.locator(".terms label:visible").count() == 3
    floor.fill("[data-key='fee'] input", "6")
    floor.fill("[data-key='minutes'] input", "30")
    floor.click(".terms .main")
    floor.wait_for_selector("#sheet:not([open])", state="attached")
    for page, place in ((floor, "#money"), (watch, "#sign"), (notice, "#rows")):
        wait_for_sign(page, "Time charge: at most 12 an hour for each player", place)
    floor.click("#terms")
    floor.select_option("[data-key='kind'] select", "none")
    floor.click(".terms .main")
    wait_for_sign(watch, "The house takes nothing", "#sign")
    floor.wait_for_selector("#sheet:not([open])", state="attached")
    floor.click("#terms")
    floor.get_by_role("button", name="As in the table's file").click()
    wait_for_sign(watch, "Rake: 5 % of each pot", "#sign")
    floor.wait_for_selector("#sheet:not([open])", state="attached")
    dealer.touch("Start the hand")
    floor.wait_for_selector("#over:not([hidden])")
    floor.click("#terms")
    floor.fill("[data-key='cap'] input", "6")
    floor.click(".terms .main")
    wait_for_sign(floor, "what the house takes changes between hands", ".terms .refused")
    assert floor.input_value("[data-key='cap'] input") == "6", "what was typed is still there"
    wait_for_sign(watch, "at most 4 a hand", "#sign")
    for page in (floor, watch, notice):
        page.close()


def test_the_notice_is_a_sheet_of_paper(dealer: DealersPage) -> None:
    """Covers: AU-7.2."""
    page = open_page(dealer, "notice")
    wait_for_sign(page, "Minimum buy-in", "#rows")
    page.emulate_media(media="print")
    assert not page.is_visible("#print")
    assert len(page.pdf(format="A4", prefer_css_page_size=True)) > 1000
    assert page.evaluate("() => document.body.scrollWidth <= innerWidth")
    page.close()

"""Real browsers: skipped, with the reason, where there is no Chromium or no Playwright."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from controller.web import STATIC_FOLDER
from tests.browser.tables import CHROMIUM, PATIENCE_MS, THE_TABLES, DealersPage, RunningTable
from tests.warm_start import wait_for_fork_server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

TOUR_OVER = "over"
DEMO = Path(__file__).parents[2] / "config" / "tables" / "demo.toml"


@pytest.fixture(scope="session", autouse=True)
def _tables_are_waited_for() -> Iterator[None]:
    with wait_for_fork_server():
        yield


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    """Chromium; of a module and no longer, because Playwright keeps an event loop running in this thread meanwhile."""
    playwright = pytest.importorskip("playwright.sync_api", reason="the Python package playwright is not installed")
    binary = next((path for path in CHROMIUM if Path(path).exists()), None)
    if binary is None:
        pytest.skip(f"no Chromium: {' or '.join(CHROMIUM)} (Debian: apt install chromium-headless-shell)")
    with playwright.sync_playwright() as driver, pytest.MonkeyPatch.context() as patched:
        running = driver.chromium.launch(executable_path=binary, args=["--no-sandbox"])
        patched.setattr(running, "new_page", partial(patient_page, running.new_page))
        yield running
        running.close()


def patient_page(new_page: "Callable[..., Page]", **how: object) -> "Page":
    """A page that is waited for as long as a busy machine takes, in a browser that has been offered the tour."""
    page = new_page(**how)
    page.set_default_timeout(PATIENCE_MS)
    page.add_init_script(f"localStorage.setItem('tour', localStorage.getItem('tour') || '{TOUR_OVER}')")
    return page


def disable_tap_guard(route: "Route") -> None:
    """Let the tests touch the same place as fast as they can; the guard against that has a test of its own."""
    text = (STATIC_FOLDER / "tap-guard.js").read_text(encoding="utf-8")
    assert "QUIET_MS = 300" in text
    route.fulfill(body=text.replace("QUIET_MS = 300", "QUIET_MS = 0"), content_type="text/javascript")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[RunningTable]:
    text = DEMO.read_text().replace('"demo-deck.csv"', f'"{DEMO.parent / "demo-deck.csv"}"')
    config = tmp_path / "table.toml"
    config.write_text(text.replace("speed = 1", "speed = 20"))
    running = RunningTable(tmp_path / "state", config=config)
    yield running
    running.end()


@pytest.fixture(params=[THE_TABLES], ids=["800x480"])
def dealer(request: pytest.FixtureRequest, browser: "Browser", table: RunningTable) -> Iterator[DealersPage]:
    width, height = request.param
    page = browser.new_page(viewport={"width": width, "height": height})
    said: list[str] = []
    asked: list[str] = []
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.route("**/static/tap-guard.js", disable_tap_guard)
    dealt = DealersPage(page, table)
    dealt.open()
    yield dealt
    page.close()
    assert said == [], "the page's own scripts failed"
    assert [url for url in asked if not url.startswith(table.url)] == [], "a request left the host"

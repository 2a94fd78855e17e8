from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.tables import CHROMIUM, PATIENCE_MS
from tests.room.server.house import House
from tests.room.server.served import ServedRoom
from tests.web.house import PINS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

WIDE, PHONE = (1280, 800), (390, 844)
ON_A_PHONE = pytest.param(PHONE, id="phone", marks=pytest.mark.slow)
SIZES = (pytest.param(WIDE, id="1280x800"), ON_A_PHONE)
"""The screens that pages are looked at on; everybody's tests look at the desk's own."""


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path)
    yield made
    made.close()


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    """A browser that is gone with this file: as long as it is there, its loop runs in this thread."""
    playwright = pytest.importorskip("playwright.sync_api", reason="the Python package playwright is not installed")
    binary = next((path for path in CHROMIUM if Path(path).exists()), None)
    if binary is None:
        pytest.skip(f"no Chromium: {' or '.join(CHROMIUM)} (Debian: apt install chromium-headless-shell)")
    with playwright.sync_playwright() as driver, pytest.MonkeyPatch.context() as patched:
        running = driver.chromium.launch(executable_path=binary, args=["--no-sandbox"])
        patched.setattr(running, "new_context", partial(open_patient_context, running.new_context))
        yield running
        running.close()


def open_patient_context(new_context: "Callable[..., BrowserContext]", **how: object) -> "BrowserContext":
    """A context whose pages are waited for as long as a busy machine takes."""
    context = new_context(**how)
    context.set_default_timeout(PATIENCE_MS)
    return context


@pytest.fixture
def open_page(browser: "Browser") -> "Iterator[Callable[..., Page]]":
    """Opens pages of a served room, signed in or not, and looks whether their own scripts failed."""
    contexts: list[BrowserContext] = []
    failed: list[str] = []

    def open_page(
        room: ServedRoom, path: str = "/", name: str | None = "Bo", size: tuple[int, int] = WIDE, first: str = ""
    ) -> "Page":
        """`first`: what runs before the page's own scripts; it may show notes."""
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, permissions=["notifications"])
        context.add_init_script(first)
        contexts.append(context)
        if name is not None:
            token = room.door.sessions.begin(room.staff.sign_in(name, PINS[name]), None)  # type: ignore[union-attr]
            context.add_cookies([{"name": "room", "value": token, "url": room.url}])
        page = context.new_page()
        page.on("pageerror", lambda error: failed.append(str(error)))
        page.goto(room.url.rstrip("/") + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert failed == [], "the page's own scripts failed"


@pytest.fixture
def room(tmp_path: Path) -> Iterator[ServedRoom]:
    served = ServedRoom(tmp_path)
    yield served
    served.end()

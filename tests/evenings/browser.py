"""A browser at the table's pages: somebody touches keys that a page shows, one after the other, until one enters."""

import json
import random
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from controller.web.access.authenticator import SESSION_COOKIE
from tests.browser.tables import CHROMIUM, THE_TABLES

if TYPE_CHECKING:
    from playwright.sync_api import Page, Request, Response

MAX_TOUCHES = 6
"""So many touches lead from the page to an entry, through its sheets, or the sheet is closed."""

PATIENCE_MS = 10_000
PAGE_BY_ROLE = {"dealer": "", "floor": "floor"}

BUTTONS = """() => {
  const open = document.querySelector("dialog[open]") || document.body;
  return [...document.querySelectorAll("button")].map((button, number) => {
    const place = button.getBoundingClientRect();
    const shown = place.width && place.height && !button.disabled && open.contains(button)
      && getComputedStyle(button).visibility !== "hidden";
    return shown ? { number, text: button.textContent.trim(), due: !!button.closest("#now, #options, dialog") } : null;
  }).filter((button) => button && !/sign (in|out)|⚙|close|abmelden/i.test(button.text));
}"""


class NoBrowserError(Exception):
    """There is no Chromium, or no Playwright."""


@dataclass
class TouchResult:
    """What came of touches: the keys, and what the page sent."""

    keys: list[str] = field(default_factory=list)
    path: str = ""
    content: Mapping[str, Any] = field(default_factory=dict)
    status: int = 0
    answer: Mapping[str, Any] = field(default_factory=dict)


class Hands:
    """Chromium at a table."""

    def __init__(self) -> None:
        try:
            from playwright.sync_api import sync_playwright
        except ImportError as why:
            raise NoBrowserError("the Python package playwright is not installed") from why
        binary = next((path for path in CHROMIUM if Path(path).exists()), None)
        if binary is None:
            raise NoBrowserError(f"no Chromium: {' or '.join(CHROMIUM)}")
        self._driver = sync_playwright().start()
        self._browser = self._driver.chromium.launch(executable_path=binary, args=["--no-sandbox"])
        self._pages: dict[tuple[str, int], Page] = {}
        self._sent: list[tuple[str, str]] = []
        self._answers: list[Response] = []
        self.errors: list[str] = []
        """What the pages' own scripts have failed with."""

    def close(self) -> None:
        """Put the browser away."""
        self._browser.close()
        self._driver.stop()

    def touch(self, role: str, cookie: str, port: int, language: str, chance: random.Random) -> TouchResult:
        """Touch keys that the page of a role shows until one sends something; the keys are drawn.

        `cookie`: of the session of whoever is signed in.
        """
        from playwright.sync_api import Error

        touched = TouchResult()
        try:
            page = self._open_page(role, cookie, port, language)
        except Error as why:  # the table went away meanwhile, or the machine is very busy
            touched.keys.append(f"({str(why).splitlines()[0]})")
            return touched
        try:
            self._sent.clear()
            self._answers.clear()
            for _ in range(MAX_TOUCHES):
                shown = page.evaluate(BUTTONS)
                if not shown:
                    break
                due = [button for button in shown if button["due"]]
                button = chance.choice(due if due and chance.random() < 0.7 else shown)
                page.locator("button").nth(button["number"]).click(timeout=PATIENCE_MS)
                touched.keys.append(button["text"])
                page.wait_for_timeout(30)
                if self._sent:
                    break
            if self._sent:
                self._take_answer(page, touched)
        except Error as why:
            # A key that went away under the finger, as keys do when the table goes on.
            touched.keys.append(f"({str(why).splitlines()[0]})")
            if self._sent:
                touched.path, touched.content = self._sent[0][0], json.loads(self._sent[0][1] or "{}")
        with suppress(Error):
            page.keyboard.press("Escape")
        return touched

    def _take_answer(self, page: "Page", touched: TouchResult) -> None:
        for _ in range(PATIENCE_MS // 20):
            if self._answers:
                break
            page.wait_for_timeout(20)
        touched.path, body = self._sent[0]
        touched.content = json.loads(body or "{}")
        if self._answers:
            touched.status = self._answers[0].status
            with suppress(ValueError):
                touched.answer = json.loads(self._answers[0].text() or "{}")

    def _open_page(self, role: str, cookie: str, port: int, language: str) -> "Page":
        page = self._pages.get((role, port))
        url = f"http://127.0.0.1:{port}/"
        if page is None:
            for old in [key for key in self._pages if key[1] != port]:
                self._pages.pop(old).context.close()
            width, height = THE_TABLES
            context = self._browser.new_context(viewport={"width": width, "height": height})
            context.set_default_timeout(PATIENCE_MS)
            page = self._pages[role, port] = context.new_page()
            page.on("pageerror", lambda error: self.errors.append(str(error)))
            page.on("request", self._on_request)
            page.on("response", self._on_response)
        kept = {each["name"]: each["value"] for each in page.context.cookies(url)}
        if kept.get(SESSION_COOKIE) != cookie or kept.get("language", "en") != language or page.url == "about:blank":
            page.context.add_cookies(
                [
                    {"name": SESSION_COOKIE, "value": cookie or "none", "url": url},
                    {"name": "language", "value": language, "url": url},
                ]
            )
            page.goto(url + PAGE_BY_ROLE[role])
            page.wait_for_function("() => document.body.dataset.link !== 'down'", timeout=PATIENCE_MS)
            page.wait_for_timeout(100)
        return page

    def _on_request(self, request: "Request") -> None:
        if request.method == "POST":
            self._sent.append((request.url.rpartition("/")[2], request.post_data or ""))

    def _on_response(self, response: "Response") -> None:
        if response.request.method == "POST":
            self._answers.append(response)

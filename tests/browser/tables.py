"""A controller in a process of its own, and a browser that looks at its page."""

import json
import re
import signal
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.warm_start import WarmProcess

if TYPE_CHECKING:
    from playwright.sync_api import Page

CHROMIUM = ("/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/chromium-browser")
"""Where Debian has it; the first costs a third of the others' processor time, as it draws no window at all."""
THE_TABLES, LARGER = (800, 480), (1280, 800)
SIZES = (
    pytest.param(THE_TABLES, id="800x480"),
    pytest.param(LARGER, id="1280x800", marks=pytest.mark.slow),
)
"""The screens that pages are looked at on; everybody's tests look at the table's own."""


PATIENCE_MS = 120_000
"""How long a test waits for what must come on a page."""


class RunningTable:
    """`tablectl run --simulate --paused`, until `end`; people in the room move only when Step is touched."""

    def __init__(
        self, directory: Path, *, port: int = 0, config: Path | None = None, arguments: Sequence[str] = ()
    ) -> None:
        self.directory = directory
        command = ["run", "--simulate", "--paused", "--state", str(directory), "--port", str(port)]
        self._process = WarmProcess([*command, *(["--config", str(config)] if config else []), *arguments])
        self.url = self._address()

    def _address(self) -> str:
        said = []
        for line in self._process.stderr:
            said.append(line)
            if found := re.search(r"page at (\S+)", line):
                return found[1]
        raise AssertionError("".join(said))

    @property
    def port(self) -> int:
        return int(self.url.rstrip("/").rpartition(":")[2])

    def state(self) -> dict[str, Any]:
        with urllib.request.urlopen(f"{self.url}state") as answer:
            content: dict[str, Any] = json.load(answer)
            return content

    def kill(self) -> None:
        """Cut it short."""
        self._process.send_signal(signal.SIGKILL)
        self._close()

    def end(self) -> None:
        """Stop it as systemd does."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        self._close()

    def _close(self) -> None:
        self._process.wait(60)
        self._process.stderr.close()


class DealersPage:
    """The dealer's page in a browser, and what a finger does there."""

    def __init__(self, page: "Page", table: RunningTable) -> None:
        self.page = page
        self.table = table

    def open(self, path: str = "") -> None:
        self.page.goto(self.table.url + path)
        self.page.wait_for_selector('body[data-link="up"] .seat')

    @property
    def entry(self) -> int:
        return int(self.table.state()["entry"])

    @property
    def next_step_text(self) -> str:
        shown: str = self.page.inner_text("#next")
        return shown

    def _act_and_wait(self, act: Callable[[], object]) -> None:
        """Act, and wait until the page has drawn the entry that came of it."""
        self.page.wait_for_function("() => document.body.dataset.entry !== undefined")
        before = int(self.page.get_attribute("body", "data-entry") or 0)
        act()
        self.page.wait_for_function("before => Number(document.body.dataset.entry) > before", arg=before)

    def touch(self, text: str) -> None:
        """Touch a key that enters something."""
        key = self.page.get_by_role("button", name=text).first
        self._act_and_wait(key.click)

    def press(self, key: str) -> None:
        """Press a key of the keyboard that enters something."""
        self._act_and_wait(lambda: self.page.keyboard.press(key))

    def step(self) -> None:
        """Let the people in the room make one move."""
        self._act_and_wait(lambda: self.page.click("#step"))

    def play_until(self, words: str, *, moves: int = 40) -> None:
        """Let people move until the large line says this."""
        for _ in range(moves):
            if words in self.next_step_text:
                return
            self.step()
        raise AssertionError(f"{words!r} never came; it says {self.next_step_text!r}")

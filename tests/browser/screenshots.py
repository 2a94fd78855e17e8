"""Takes the screenshots of the README anew: `python -m tests.browser.screenshots`, into docs/screenshots."""

import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser import overlay, wizard
from tests.browser.conftest import disable_tap_guard
from tests.browser.tables import CHROMIUM, DealersPage, RunningTable

PLACE = Path(__file__).parents[2] / "docs" / "screenshots"


def main() -> int:
    """Play a little on the demo table and take a picture where something is to be seen."""
    binary = next((path for path in CHROMIUM if Path(path).exists()), None)
    if binary is None:
        sys.stderr.write(f"no Chromium: {' or '.join(CHROMIUM)}\n")
        return 1
    PLACE.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as directory, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=binary, args=["--no-sandbox"])
        table = RunningTable(Path(directory))
        try:
            _play(browser, table)
        finally:
            table.end()
        _overlay(browser, Path(directory))
        _first_hour(browser, Path(directory) / "fresh")
        browser.close()
    return 0


def _play(browser: Browser, table: RunningTable) -> None:
    small = DealersPage(browser.new_page(viewport={"width": 800, "height": 480}), table)
    large = DealersPage(browser.new_page(viewport={"width": 1280, "height": 800}), table)
    for shown in (small, large):
        shown.page.route("**/static/tap-guard.js", disable_tap_guard)
        shown.page.add_init_script("localStorage.setItem('tour', 'over')")
    small.open()
    small.page.select_option("#speed", "20")
    small.touch("Start the hand")
    for _ in range(2):
        small.step()
    small.touch("Exposed")
    small.page.click("#showroom")
    small.page.get_by_role("button", name="by another rulebook").click()
    small.page.wait_for_selector(".sides")
    _take(small, "two-rulebooks")
    small.page.keyboard.press("Escape")
    small.touch("Undo")
    for _ in range(2):
        small.step()
    small.touch("Exposed")
    _take(small, "ruling")
    for language in ("de", "en"):
        small.page.context.add_cookies([{"name": "language", "value": language, "url": table.url}])
        small.open()
        if language == "de":
            _take(small, "ruling-german")
    small.page.get_by_role("button", name="§ Clause").click()
    _take(small, "clause")
    small.page.keyboard.press("Escape")
    small.play_until("acts", moves=60)
    for _ in range(40):
        if len(table.state()["table"]["board"]) == 3 and "acts" in small.next_step_text:
            break
        if small.page.locator("#now .main").count():
            small._act_and_wait(small.page.locator("#now .main").first.click)
        else:
            small.step()
    large.open()
    _take(large, "to-act")
    acting = small.next_step_text.split()[1]
    large.page.click(f"[data-seat='{acting}']")
    _take(large, "seat")
    large.page.keyboard.press("Escape")
    large.open("watch")
    _take(large, "spectators")
    _offices(small, large, int(acting))


def _offices(small: DealersPage, large: DealersPage, acting: int) -> None:
    """Have the floor decide, the technician take the table out of service, and somebody go through the hand."""
    taken = [int(seat) for seat in small.table.state()["table"]["stacks"]]
    other = next(seat for seat in taken if seat != acting)
    small.page.click(f"[data-seat='{other}']")
    small.touch("All-in out of turn")
    page = large.page
    page.goto(large.table.url + "floor")
    page.wait_for_selector("#question.waits")
    _take(large, "floor")
    page.locator("#options button").first.click()
    page.wait_for_selector("#question:not(.waits)")
    for _ in range(200):
        if small.table.state()["table"]["phase"] == "idle":
            break
        small.step()
    page.goto(large.table.url + "technician")
    for key in ("Take out of service", "Light the first", "Next lamp"):
        page.get_by_role("button", name=key).click()
    page.wait_for_function("() => document.querySelector('#lamps .lit').textContent.startsWith('2 of')")
    _take(large, "technician")
    page.get_by_role("button", name="Put back in service").click()
    page.goto(large.table.url + "hands")
    page.locator("#steps li.ruled").first.click()
    _take(large, "hands")
    _school(small)


def _school(shown: DealersPage) -> None:
    """Go through the first lesson, answer what comes, and see what the book says."""
    page = shown.page
    page.goto(shown.table.url + "train")
    page.wait_for_function("() => !document.querySelector('#on').hidden && document.querySelector('#lesson').value")
    for _ in range(60):
        if page.locator("#on").is_visible():
            page.click("#on")
        elif page.locator("#judged").is_hidden():
            page.locator("#question .choices button").first.click()
    _take(shown, "school")


def _overlay(browser: Browser, directory: Path) -> None:
    """Put a picture on air, over a picture of a table."""
    table = RunningTable(directory / "on-air", config=overlay.table_on_air(directory))
    try:
        page = browser.new_page(viewport={"width": 1920, "height": 1080})
        overlay.put_on(page, table.url, overlay.picture())
        page.evaluate("picture => { document.documentElement.style.background = picture; }", overlay.DARK)
        page.screenshot(path=PLACE / "broadcast.png")
    finally:
        table.end()


def _first_hour(browser: Browser, directory: Path) -> None:
    """Enrol with the code of the screen, and set the table up. Its ports are called as udev would call them."""
    directory.mkdir()
    ports = Path("/dev/table")
    ports.mkdir(exist_ok=True)
    page = browser.new_page(viewport={"width": 800, "height": 480})

    def take(name: str) -> None:
        page.wait_for_timeout(200)
        page.screenshot(path=PLACE / f"{name}.png")

    with wizard.FreshTable(directory, ports) as table:
        wizard.enrol(page, table, take)
        wizard.set_up(page, take)
    shutil.rmtree(ports)


def _take(shown: DealersPage, name: str) -> None:
    shown.page.wait_for_timeout(200)
    shown.page.screenshot(path=PLACE / f"{name}.png")


if __name__ == "__main__":
    raise SystemExit(main())

"""A technician's first hour in a browser: from the code on the screen to a table that deals."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from config.table_file import load_table_file
from controller.app.commissioning.table_file_check import find_problems
from controller.runtime.devices.deck_store import STANDARD_DECK, CardMarking, DeckStore
from tests.browser.wizard import PIN, FreshTable, enrol, set_up

if TYPE_CHECKING:
    from playwright.sync_api import Browser

LEFT_OFF = 50


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[FreshTable]:
    (tmp_path / "ports").mkdir()
    with FreshTable(tmp_path, tmp_path / "ports") as table:
        yield table


def test_from_the_first_code_to_a_table_that_deals(fresh: FreshTable, browser: "Browser", tmp_path: Path) -> None:
    page = browser.new_page(viewport={"width": 800, "height": 480})
    failed: list[str] = []
    page.on("pageerror", lambda error: failed.append(str(error)))
    enrol(page, fresh)
    set_up(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert "is the table now" in fresh.install_and_restart()
    assert find_problems(fresh.file) == []
    made = load_table_file(fresh.file)
    assert (made.table_line["game"], made.devices["shoe"].driver) == ("omaha", "pn532"), "found, and not typed"
    assert made.devices["bridge"].port == str(tmp_path / "ports" / "board")

    page.goto(f"{fresh.url}sign-in")
    for digit in PIN:
        page.locator(".pad").get_by_role("button", name=digit, exact=True).click()
    page.locator(".pad").get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/technician")
    page.wait_for_function("() => document.querySelectorAll('#list tr.ready').length === 2", timeout=60_000)
    assert "Deck unregistered" in page.inner_text("#faults"), "a table without a deck is up, and says what it wants"
    tags = [fresh.far.reader.nth_tag(number) for number in range(52)]
    kept = {"name": "red", "marks": CardMarking.TAGGED.value, "jokers": 0, "tags": tags[:LEFT_OFF]}
    (fresh.state / "register-red.json").write_text(json.dumps(kept), encoding="utf-8")
    page.get_by_role("button", name="Take out of service").click()
    page.wait_for_selector("#deck:visible")
    page.get_by_role("button", name="Register card by card").click()
    for number in range(LEFT_OFF, 52):
        page.wait_for_function(
            "n => document.querySelector('#progress .count').textContent.includes(`red: ${n} of 52`)", arg=number
        )
        page.wait_for_timeout(600)  # as long as a hand takes for the next card: two at once are refused
        fresh.far.reader.present(tags[number])
        page.wait_for_function(
            "n => document.querySelector('#progress .count').textContent.includes(`red: ${n} of 52`)"
            " || document.querySelector('#deck > .said').innerText.includes(`registered red: ${n}`)", arg=number + 1
        )  # fmt: skip
        fresh.far.reader.remove()
    page.wait_for_function("() => document.querySelector('#deck > .said').innerText.includes('registered red: 52')")
    page.get_by_role("button", name="Put back in service").click()
    page.wait_for_function("() => document.querySelector('#phase').dataset.phase === 'idle'")
    assert not page.is_visible("#faults"), "what was wanted is there: nobody need say so"
    page.close()
    assert failed == []
    decks = DeckStore(fresh.state / "table.sqlite")
    assert decks.get("red").card_by_tag == dict(zip(tags, STANDARD_DECK, strict=True))
    decks.close()

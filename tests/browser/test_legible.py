"""What a dealer reads from a metre away: large enough, nothing cut, and no part of the page against another.

The pages' files are served to the browser from the folder, and what the table says is given to them screen by screen,
so that every hand of the conformance scenarios can be looked at.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.alone import page_alone
from tests.browser.publications import files, publications, read_publications

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LOOK = Path(__file__).with_name("look.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page(browser: "Browser") -> "Iterator[Page]":
    """The dealer's page without a table."""
    opened = page_alone(browser)
    yield opened
    opened.close()


def cut(page: "Page", some: list[Path]) -> list[str]:
    found = []
    for file in some:
        texts = list(publications(file))
        for number, wrong in enumerate(page.evaluate(LOOK, texts)):
            found += [f"{file.stem} {number + 1}: {each}" for each in wrong]
    return found


def test_nothing_is_cut_and_nothing_contradicts_the_large_line(page: "Page") -> None:
    four_tens = [file for file in files() if file.stem == "roberts-7-common-card-for-eight"]
    assert cut(page, [*four_tens, *files()[::12]]) == []
    assert four_tens


@pytest.mark.slow
def test_nothing_is_cut_on_any_screen_of_all_scenarios(page: "Page") -> None:
    assert cut(page, files()) == []


def minutes_of_arc(page: "Page", place: str) -> float:
    """The height of a capital on a screen of seven inches (154 mm wide) from a metre away."""
    size: float = page.evaluate("place => parseFloat(getComputedStyle(document.querySelector(place)).fontSize)", place)
    return 0.73 * size * 154 / 800 / 1000 * 3438


def find_publications(wanted: str) -> Iterator[dict[str, Any]]:
    """Publications of scenarios in whose JSON this stands."""
    for file in files():
        yield from (each for each in read_publications(file) if wanted in json.dumps(each))


def test_bets_pots_and_steps_can_be_read_from_a_metre_away(page: "Page") -> None:
    under_way = next(
        each
        for each in find_publications('"bets": {"')
        if any(not step["done"] for step in each["remedy"]["steps"]) and each["ruled_in"] == each["table"]["hand"]
    )
    page.evaluate(LOOK, [json.dumps(under_way)])
    assert minutes_of_arc(page, ".steps li:not(.done)") >= 16
    assert minutes_of_arc(page, ".seat .chips b") >= 16
    assert minutes_of_arc(page, "#pots") >= 16


def test_a_stop_lights_nobody_and_a_table_without_a_gate_shows_none(page: "Page") -> None:
    dealing = next(each for each in find_publications('"step": "deal"') if each["table"]["lamps"]["deal"])
    page.evaluate(LOOK, [json.dumps(dealing)])
    assert page.locator(".lamp.deal").count() == 1
    assert page.locator("#gate").is_visible()
    dealing["table"]["phase"] = "halted"
    dealing["setup"]["gate"] = False
    page.evaluate(LOOK, [json.dumps(dealing)])
    assert page.locator(".lamp.deal").count() == 0
    assert not page.locator("#gate").is_visible()


def test_that_the_program_was_cut_short_goes_with_the_first_entry_and_a_ruling_with_its_hand(page: "Page") -> None:
    ruled = next(each for each in find_publications('"rulings": [{') if each["ruled_in"] == each["table"]["hand"])
    ruled["notices"] = [{"code": "power-lost", "text": "The program was cut short.", "device": "", "dealer": ""}]
    ruled["power_lost"] = True
    page.evaluate(LOOK, [json.dumps(ruled)])
    assert "cut short" in page.inner_text("#notices")
    ruled["power_lost"], ruled["faults"] = False, []
    ruled["table"]["hand"] += 1
    page.evaluate(LOOK, [json.dumps(ruled)])
    assert "cut short" not in page.inner_text("aside")
    assert "None in this hand." in page.inner_text("#ruling")

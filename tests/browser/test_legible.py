"""What a dealer reads from a metre away: large enough, nothing cut, and no part of the page against another.

The pages' files are served to the browser from the folder, and what the table says is given to them screen by screen,
so that every hand of the conformance scenarios can be looked at.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from config import language_file
from tests.browser.alone import page_alone
from tests.browser.crowded import list_crowds
from tests.browser.publications import files, publications, read_publications

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SCREENS = ((800, 480), (1024, 600), (1280, 800), (390, 844))
"""What pages are looked at on: the table's own first, a phone last."""

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
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("size", SCREENS)
def test_nothing_is_cut_on_any_screen_of_all_scenarios(page: "Page", size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    found = cut(page, files())
    page.set_viewport_size({"width": SCREENS[0][0], "height": SCREENS[0][1]})
    assert found == []


def look_at_crowds(page: "Page", language: language_file.Language, size: tuple[int, int], every: int) -> list[str]:
    """What is cut or covered at ten long names, two and three boards, a pot a player, and stud for eight."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    return [
        f"{name} {number}: {each}"
        for name, texts in list_crowds(language)
        for number, wrong in enumerate(page.evaluate(LOOK, texts[::every]))
        for each in wrong
    ]


@pytest.mark.parametrize("size", SCREENS)
def test_nothing_covers_anything_at_a_crowded_table(browser: "Browser", size: tuple[int, int]) -> None:
    page = page_alone(browser)
    assert look_at_crowds(page, language_file.ENGLISH, size, 12) == []
    page.close()


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", ["en", "de", "es"])
@pytest.mark.parametrize("size", SCREENS)
def test_nothing_covers_anything_in_any_language(browser: "Browser", size: tuple[int, int], name: str) -> None:
    language = language_file.load_language(name)
    page = page_alone(browser, language=language)
    assert look_at_crowds(page, language, size, 1) == []
    page.close()


def test_each_board_says_which_it_is(page: "Page") -> None:
    dealt = dict(list_crowds())["3 boards"]
    page.evaluate(LOOK, dealt[-3:])
    assert page.locator("#board .which").all_inner_texts() == ["Board 1", "Board 2", "Board 3"]
    assert [row.locator(".card").count() for row in page.locator("#board .row").all()] == [5, 5, 5]


def find_publications(wanted: str) -> Iterator[dict[str, Any]]:
    """Publications of scenarios in whose JSON this stands."""
    for file in files():
        yield from (each for each in read_publications(file) if wanted in json.dumps(each))


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


def test_on_a_phone_the_table_has_the_room_that_no_ruling_needs(browser: "Browser") -> None:
    page = page_alone(browser)
    page.set_viewport_size({"width": 390, "height": 844})
    texts = list(publications(next(file for file in files() if file.stem == "roberts-7-common-card-for-eight")))
    ruled = next(text for text in texts if '"rulings":[{' in text)
    heights = []
    for text in (texts[20], ruled):
        page.evaluate("text => window.tell(text)", text)
        heights.append(page.evaluate("['#table', 'aside'].map((place) => document.querySelector(place).clientHeight)"))
    (table, aside), (table_beside, ruling) = heights
    assert table > 3 * aside
    assert aside < ruling <= table_beside
    page.close()

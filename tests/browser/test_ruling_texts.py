"""Rulings on the dealer's screen: as much of their texts as there is room for, the rest by a key, no lamp covered."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from config.language_file import load_language
from controller.core.engine.report_offers import describe_table_offers
from tests.browser.alone import page_alone
from tests.browser.publications import files, of_lines, read_publications
from tests.browser.test_floors_keys import play_lines
from tests.playing import NO_LIMIT, parse_phrase
from tests.web.test_amendment_wording import LINES

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

BRING_IN = {"structure": "fixed-limit", "ante": 1, "bring_in": 2, "small_bet": 4, "big_bet": 8}
LANGUAGES = ("en", "de", "es")


def make_lines(table: dict[str, Any], *phrases: str) -> list[dict[str, Any]]:
    """A table of six by Robert's rules, unless `table` says otherwise, and what is entered there."""
    seats = [{"seat": seat, "stack": 200} for seat in range(1, 7)]
    opened = {"ev": "table", "rulebook": "roberts-7", "seats": seats, **table}
    return [opened, *(line for phrase in phrases for line in parse_phrase(phrase))]


THREE_BLINDS = make_lines(
    {"rulebook": "casino-au", "game": "holdem", "button": 1,
     "betting": {"structure": "no-limit", "blinds": [1, 2, 5]}},
    "start", "card - - - - - -",
)  # fmt: skip
STUD = make_lines(
    {"game": "stud-7", "betting": BRING_IN, "seats": [{"seat": seat, "stack": 200} for seat in (1, 2, 3)]},
    "start", "card - - - - - - 2c 9h Kd",
)  # fmt: skip
LIMIT_LINES = [
    {
        **LINES[0],
        "betting": {"structure": "fixed-limit", "small_blind": 5, "big_blind": 10, "small_bet": 10, "big_bet": 20},
    },
    *LINES[1:],
]
"""Two rulings, and no amounts beside the table that take their room."""

EARLY = [
    *STUD,
    *parse_phrase("act 1 bring-in"),
    *parse_phrase("card - 4d 5d"),
    *parse_phrase("report premature count=3"),
]


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def page(browser: "Browser", language: str) -> "Iterator[Page]":
    opened = page_alone(browser, language=load_language(language))
    yield opened
    opened.close()


def tell(page: "Page", lines: list[dict[str, Any]], language: str) -> dict[str, Any]:
    """Give the page what it would be told at the end of these lines."""
    *_, last = of_lines(lines, load_language(language))
    page.evaluate("(text) => window.tell(text)", last)
    told: dict[str, Any] = json.loads(last)
    return told


def test_of_several_rulings_the_first_is_said_where_all_have_no_room(page: "Page", language: str) -> None:
    rulings = tell(page, LIMIT_LINES, language)["rulings"]
    assert len(rulings) > 1
    assert page.locator("#ruling .why").all_inner_texts() == [rulings[0]["text"]]
    page.keyboard.press("p")
    said = page.inner_text("#sheet")
    assert all(ruling["text"][1:] in said for ruling in rulings)


def test_beside_amounts_the_finding_is_said_whole_and_the_rest_by_the_same_key(page: "Page", language: str) -> None:
    rulings = tell(page, LINES, language)["rulings"]
    assert page.locator("#totals button").count()
    assert page.locator("#ruling .what").count() == 1
    assert page.locator("#ruling .body").evaluate("body => body.scrollHeight <= body.clientHeight + 1")
    page.keyboard.press("p")
    said = page.inner_text("#sheet")
    assert all(ruling["text"][1:] in said for ruling in rulings)


def test_a_question_that_cites_no_clause_is_read_in_full_by_the_same_key(page: "Page", language: str) -> None:
    asked = make_lines({"game": "holdem", "button": 1, "betting": NO_LIMIT}, "start", "card " + "- " * 12, "card -")
    (ruling,) = tell(page, asked, language)["rulings"]
    assert ruling["verdict"] == "ask"
    page.keyboard.press("p")
    assert ruling["text"][1:] in page.inner_text("#sheet")


@pytest.mark.parametrize("width", [390, 800])
def test_the_large_line_is_as_large_as_the_keys_beside_it_leave_room_for(
    page: "Page", language: str, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 844 if width == 390 else 480})
    tell(page, LINES, language)
    tell(page, THREE_BLINDS, language)
    assert page.locator(".lamp.middle_blind").count() == 1
    assert page.evaluate("(n => n.scrollWidth <= n.clientWidth + 1)(document.querySelector('#next'))")


@pytest.mark.parametrize("width", [390, 800])
def test_no_lamp_is_covered(page: "Page", language: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844 if width == 390 else 480})
    tell(page, EARLY, language)
    lamps = page.locator(".seat .lamp")
    assert lamps.count() == 2
    covered = """lamps => lamps.filter((lamp) => {
      const box = lamp.getBoundingClientRect(), y = (box.top + box.bottom) / 2;
      return [box.left + 3, box.right - 3].some((x) => document.elementFromPoint(x, y) !== lamp);
    }).map((lamp) => lamp.innerText)"""
    assert lamps.evaluate_all(covered) == []


def test_the_page_asks_which_seat_opened(page: "Page", language: str) -> None:
    """`wrong-opener` needs it where no act was entered."""
    translate = load_language(language).translate
    page.route("**/offers", lambda route: route.fulfill(json=describe_table_offers(play_lines(STUD).outcome.state)))
    tell(page, STUD, language)
    page.locator("#always button").first.click()
    page.get_by_role("button", name=translate("Wrong player brought it in…")).click()
    assert page.inner_text("#sheet-title") == translate("Which seat opened?")
    with page.expect_request("**/entry") as asked:
        page.locator("#sheet .choices button").first.click()
    posted: Any = asked.value.post_data_json
    assert posted["line"] == {"ev": "report", "what": "wrong-opener", "seat": 2}


@pytest.mark.parametrize("size", [(800, 480), (1024, 600), (1280, 800), (390, 844)], ids=str)
def test_a_call_for_the_floor_covers_no_ruling_that_is_carried_out(
    page: "Page", language: str, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    told = tell(page, EARLY, language)
    page.evaluate("text => window.tell(text)", json.dumps({**told, "floor_called": True, "entry": told["entry"] + 1}))
    page.wait_for_selector("#called", state="visible")
    called, ruling = (page.locator(place).bounding_box() for place in ("#called", "#ruling"))
    assert called is not None
    assert ruling is not None
    is_beside = called["x"] + called["width"] <= ruling["x"] + 1
    assert is_beside or called["y"] + called["height"] <= ruling["y"] + 1


@pytest.mark.parametrize("path", ["dealer.html", "floor.html", "watch.html"])
def test_no_page_says_the_words_of_commands(browser: "Browser", path: str) -> None:
    """A key stands for them: "the bets go back (`release`), else they stay (`bind`)" names none of it."""
    asked = next(
        each
        for file in files()
        for each in read_publications(file)
        if any("(`" in ruling["text"] for ruling in each["rulings"])
    )
    said = next(ruling["text"] for ruling in asked["rulings"] if "(`" in ruling["text"])
    refusal = {
        "code": "not-now",
        "message": "`show` has no place now: 45 cards go to the stub (`done`).",
        "source": "page",
    }
    page = page_alone(browser, path)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.wait_for_function("() => window.tell")
    page.evaluate("text => window.tell(text)", json.dumps(asked))
    shown = page.locator("body").inner_text()
    if path == "floor.html":  # the others have the steps, where there is no room for all
        assert said.partition(" (`")[0].casefold() in shown.casefold()
    page.evaluate("text => window.tell(text)", json.dumps({**asked, "refusal": {**refusal, "dealer": ""}}))
    shown += page.locator("body").inner_text()
    assert "`" not in shown
    if path != "watch.html":
        assert "show has no place now: 45 cards go to the stub." in shown.casefold()
    page.close()

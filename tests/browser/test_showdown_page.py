"""A showdown on the pages: hands lie open, what wins is marked, what nothing read is asked for."""

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import pytest

from config.language_file import ENGLISH
from controller.core.engine.output.showdown_view import render_showdown
from controller.web.wording.showdown_wording import word_showdown
from tests.browser.alone import page_alone
from tests.browser.overlay import picture
from tests.browser.publications import SCENARIOS, of_lines, read_lines
from tests.playing import parse_phrase, play

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SEATS = [{"seat": 1, "stack": 200}, {"seat": 2, "stack": 60}, {"seat": 3, "stack": 200}]
TABLE = {
    "ev": "table", "rulebook": "roberts-7", "game": "holdem", "button": 1, "seats": SEATS,
    "betting": {"structure": "no-limit", "small_blind": 1, "big_blind": 2},
}  # fmt: skip
BETTING = ("act 1 all-in", "act 2 all-in", "act 3 all-in")
BOARD = "card - Ah 9d Qd - 4s - 7h"
SHOWN = ("start", "card As 9c Qs Ad 9h Qh", *BETTING, BOARD, "show 1", "show 2", "show 3")
UNREAD = ("start", "card - 9c Qs - 9h Qh", *BETTING, BOARD)


def publish(*phrases: str) -> str:
    """The last publication of a hand."""
    lines = [TABLE, *(line for phrase in phrases for line in parse_phrase(phrase))]
    return list(of_lines(lines))[-1]


@pytest.fixture(params=["dealer.html", "watch.html"])
def page(request: pytest.FixtureRequest, browser: "Browser") -> "Iterator[Page]":
    opened = page_alone(browser, request.param)
    opened.wait_for_function("() => window.tell")
    yield opened
    opened.close()


def list_texts(page: "Page", place: str) -> list[str]:
    return ["".join(text.split()) for text in page.locator(place).all_inner_texts()]


def test_tabled_hands_lie_open_and_what_wins_is_marked(page: "Page") -> None:
    page.evaluate("text => window.tell(text)", publish(*SHOWN))
    assert page.inner_text("#next") == "Side pot 280: seat 1, three queens · seat 2 wins 180: three aces"
    assert list_texts(page, ".seat .up") == ["Q♠Q♥", "A♠A♦", "9♣9♥"]
    assert page.locator(".seat .backs").count() == 0
    assert list_texts(page, ".seat.wins .number") == ["1"]
    assert list_texts(page, ".seat .plays") == ["Q♠", "Q♥"]
    assert list_texts(page, "#board .plays") == ["A♥", "9♦", "Q♦"]
    page.evaluate("text => window.tell(text)", publish(*SHOWN, "done"))
    assert page.inner_text("#next") == "Seat 2 wins 180: three aces"
    assert list_texts(page, ".seat .plays") == ["A♠", "A♦"]
    page.evaluate("text => window.tell(text)", publish(*SHOWN, "done", "done"))
    assert page.inner_text("#next") == "Shuffle, then start"
    assert page.inner_text("#then") == "Side pot 280: seat 1, three queens · seat 2 wins 180: three aces"
    page.evaluate("text => window.tell(text)", publish(*SHOWN, "done", "done", "start"))
    assert page.locator(".plays, .wins").count() == 0


def test_a_hand_that_is_still_to_be_shown_lies_face_down(page: "Page") -> None:
    page.evaluate("text => window.tell(text)", publish(*SHOWN[:-2]))
    assert list_texts(page, ".seat .up") == ["Q♠Q♥"]
    assert page.locator(".seat .backs").count() == 2
    assert page.locator(".plays, .wins").count() == 0


def test_what_nothing_read_is_asked_for(browser: "Browser") -> None:
    page = page_alone(browser)
    page.evaluate("text => window.tell(text)", publish(*UNREAD, "show 1"))
    assert page.inner_text("#next") == "Seat 2 shows: which cards?"
    page.get_by_role("button", name="Seat 2 shows, cards…").click()
    assert page.locator(".pack .pick").count() == 52
    page.keyboard.press("Escape")
    page.evaluate("text => window.tell(text)", publish(*UNREAD, "show 1", "show 2", "show 3"))
    assert page.locator("#now button").all_inner_texts()[0].startswith("Done: pot pushed"), "the side pot's are known"
    page.evaluate("text => window.tell(text)", publish(*UNREAD, "show 1", "show 2", "show 3", "done"))
    assert page.inner_text("#next") == "Who wins the pot? Seats 1, 2, 3"
    keys = [text.split("\n")[0] for text in page.locator("#now button").all_inner_texts()]
    assert keys == ["Seat 1 wins", "Seat 2 wins", "Seat 3 wins"]
    with page.expect_request("**/entry") as entered:
        page.get_by_role("button", name="Seat 2 wins").click()
    content: Any = entered.value.post_data_json
    assert content["line"] == {"ev": "won", "seat": 2, "pot": 0}
    page.close()


def test_only_a_seat_that_has_folded_is_dimmed_while_cards_are_dealt(page: "Page") -> None:
    lines = read_lines(SCENARIOS / "stud/roberts-7-third-street.jsonl")
    folded: set[int] = set()
    seen = 0
    for line, text in zip(lines, of_lines(lines), strict=True):
        folded |= {line["seat"]} if line.get("do") == "fold" else set()
        page.evaluate("text => window.tell(text)", text)
        if json.loads(text)["table"]["phase"] == "deal":
            out = page.locator(".seat.out").evaluate_all("all => all.map((one) => parseInt(one.innerText))")
            assert set(out) == folded
            seen += bool(folded)
    assert seen


def draw_overlay(page: "Page", frame: Mapping[str, Any]) -> None:
    page.evaluate(
        "async (text) => (await import('/static/broadcast.js')).drawFrame(JSON.parse(text))", json.dumps(frame)
    )


def test_the_overlay_says_who_wins_and_marks_the_cards(browser: "Browser") -> None:
    played = play("roberts-7", *SHOWN, stacks={1: 200, 2: 60, 3: 200})
    showdown = word_showdown(render_showdown(played.table.outcome.state), ENGLISH)
    page = page_alone(browser, "broadcast.html")
    shown = picture(3, board="Ah9dQd4s7h", showdown=showdown)
    shown["players"][0]["cards"] = ["Qs", "Qh"]
    draw_overlay(page, shown)
    assert page.inner_text("#wins") == "Side pot 280: seat 1, three queens · seat 2 wins 180: three aces"
    assert page.locator(".hole .plays").count() == 2
    assert page.locator(".board .plays").count() == 3
    draw_overlay(page, picture(3))
    assert page.locator("#wins").is_hidden()
    page.close()


def test_the_mark_of_a_winner_leaves_its_name_free(page: "Page") -> None:
    """Over a long name it lay on the number of the seat."""
    page.evaluate("text => window.tell(text)", publish(*SHOWN))
    reach = page.locator(".seat.wins").evaluate_all(
        "all => all.map((seat) => -parseFloat(getComputedStyle(seat).outlineOffset) - seat.clientLeft)"
    )
    assert reach
    assert max(reach) <= 0


def test_a_card_that_wins_is_whole_beside_several_pots(page: "Page") -> None:
    page.evaluate("text => window.tell(text)", publish(*SHOWN))
    above = page.locator("#board .plays").evaluate_all(
        """all => all.map((card) => { const { outlineWidth, outlineOffset } = getComputedStyle(card);
          return document.querySelector("#felt").getBoundingClientRect().top - card.getBoundingClientRect().top
            + Math.max(0, parseFloat(outlineWidth) + parseFloat(outlineOffset)); })"""
    )
    assert above
    assert max(above) <= 0

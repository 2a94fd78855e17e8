"""What is read from a metre away is large enough, and nothing is shown that is of no use.

The screen of the table is seven inches wide: 154 mm for 800 pixels. A capital of this typeface is 0.73 of its size.
"""

import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.alone import page_alone
from tests.browser.crowded import FIXED_LIMIT, NO_LIMIT, open_table, play_hand
from tests.browser.publications import files, of_lines, read_publications

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

MM_PER_PIXEL = 154 / 800
CAPITAL = 0.73
ARC_MINUTES_PER_MM = 3.438
"""At a metre."""

HOLDEM = open_table("holdem", 10, betting=NO_LIMIT, button=1)

MIN_ARC_MINUTES = {
    ".seat:not(.empty) .name": 10, ".seat:not(.empty) .number": 10, ".seat .stack": 10, ".seat .chips": 10,
    "#always button": 10, "#answers button": 10, "#all button": 10,
    "#now button.act": 12, "#now button.main": 12, "#totals button": 12, "#ruling .what": 12, "#ruling .verdict": 12,
    "#now button": 10, "#next:not(.tiny)": 16, ".seat .chips b": 16, "#pots:not(.several)": 16,
    ".under-way .steps li:not(.done, .more)": 16,
}  # fmt: skip
"""What is read -> its least size in minutes of arc."""

SIZES = """places => places.map((place) => Math.min(...[...document.querySelectorAll(place)]
  .filter((each) => each.getClientRects().length && each.innerText.trim())
  .map((each) => parseFloat(getComputedStyle(each).fontSize))))"""


CUT = "all => all.filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.innerText)"


@pytest.fixture(scope="module")
def page(browser: "Browser") -> "Iterator[Page]":
    """The dealer's page without a table."""
    opened = page_alone(browser)
    yield opened
    opened.close()


def tell(page: "Page", publication: "dict[str, Any] | str") -> None:
    page.evaluate("text => window.tell(text)", publication if isinstance(publication, str) else json.dumps(publication))


def hold_hands() -> Iterator[str]:
    """An act with amounts, one of stud, what was ruled and is under way, and a hand that is over."""
    for opened, wishes in (
        (HOLDEM, ("call", "check")),
        (open_table("stud-7", 8, betting=FIXED_LIMIT), ("bring-in", "complete", "call", "check")),
    ):
        yield from of_lines(play_hand(opened, wishes))
    for stem in ("roberts-7-common-card-for-eight", "roberts-7-run-it-twice-raked-once"):
        file = next(file for file in files() if file.stem == stem)
        yield from map(json.dumps, read_publications(file))


def test_everything_is_as_large_as_it_is_read_from(page: "Page", capsys: pytest.CaptureFixture[str]) -> None:
    found = dict.fromkeys(MIN_ARC_MINUTES, float("inf"))
    for publication in hold_hands():
        tell(page, publication)
        for place, size in zip(MIN_ARC_MINUTES, page.evaluate(SIZES, list(MIN_ARC_MINUTES)), strict=True):
            found[place] = min(found[place], size or float("inf"))
    minutes = {place: size * MM_PER_PIXEL * CAPITAL * ARC_MINUTES_PER_MM for place, size in found.items()}
    with capsys.disabled():
        rows = (f"{place:45} {arc:5.1f} of {MIN_ARC_MINUTES[place]} minutes of arc" for place, arc in minutes.items())
        sys.stdout.write("\n".join(["", *rows, ""]))
    assert {place: arc for place, arc in minutes.items() if not MIN_ARC_MINUTES[place] <= arc < 100} == {}


def test_a_name_stays_where_a_bet_is(page: "Page") -> None:
    for publication in of_lines(play_hand(HOLDEM, ("call", "check"))):
        tell(page, publication)
        assert page.locator(".seat .name").all_inner_texts()[5] == "Jo"
        if page.locator(".seat .chips b").count() >= 3:
            break
    assert page.locator(".seat .chips b").count() >= 3
    assert len([name for name in page.locator(".seat .name").all_inner_texts() if name]) == 10


def test_at_most_four_amounts_stand_beside_the_keys_and_each_says_which(page: "Page") -> None:
    seen = 0
    for publication in of_lines(play_hand(HOLDEM, ("call", "check"))):
        tell(page, publication)
        amounts = page.locator(":is(#now, #totals) button:has(.sum)").all_inner_texts()
        wagers = [text for text in amounts if not text.startswith("Call")]
        assert len(wagers) <= 4
        assert all(any(sign.isalpha() or sign in "½¾\N{MULTIPLICATION SIGN}" for sign in text) for text in amounts)
        seen = max(seen, len(wagers))
    assert seen == 4


def test_the_letters_of_keys_are_shown_where_a_keyboard_was_used(browser: "Browser") -> None:
    page = page_alone(browser)
    tell(page, next(of_lines([HOLDEM])))
    assert page.locator("kbd:visible").count() == 0
    page.keyboard.press("Tab")
    assert page.locator("#keys kbd:visible").count() >= 3
    assert (
        page.locator("#keys button").evaluate_all("all => all.filter((b) => b.scrollWidth > b.clientWidth + 1)") == []
    )
    page.close()


def test_a_ruling_that_was_taken_back_is_struck_with_its_steps(page: "Page") -> None:
    ruled = next(
        each
        for file in files()
        for each in read_publications(file)
        if any(not step["done"] for step in each["remedy"]["steps"]) and each["ruled_in"] == each["table"]["hand"]
    )
    ruled["remedy"]["taken_back"] = True
    tell(page, ruled)
    looks = page.locator("#ruling .steps li").evaluate_all(
        """all => all.map((li) => {
          const look = getComputedStyle(li);
          return [look.textDecorationLine, look.fontWeight, li.innerText];
        })"""
    )
    assert looks
    assert all(line == "line-through" and weight == "400" and "☐" not in text for line, weight, text in looks)

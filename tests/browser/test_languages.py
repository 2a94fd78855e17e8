"""The pages in another language: nothing of them is left in English, and nothing of them is cut at 800x480.

In the language of `make_pseudo_language` everything that is in the catalogues stands between ⟦ and ⟧; what people read
on a page and what does not stand there is a figure, a name, or one of the things that stay as they are
(docs/languages.md).
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from config import language_file
from tests.browser.alone import page_alone
from tests.browser.publications import files, publications
from tests.languages.pseudo import make_pseudo_language

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.browser.tables import DealersPage

LOOK = Path(__file__).with_name("look.js").read_text(encoding="utf-8")

AS_THEY_ARE = (
    ".why",
    ".situation",
    ".cite",
    ".then",
    ".when",
    ".section",
    "#game",
    "#hand .blinds",
    ".number",
    "pre",
    "code",
    "kbd",
)
"""What no catalogue has: the core's own sentences, clauses, the names of game and book, what is typed."""

LONG_TEXT_FILES = {
    "casino-au-premature-flop", "casino-au-stud-whole-hand", "maryport-pot-limit-wrong-amount",
    "roberts-7-facts-and-lines-out-of-reach", "roberts-7-four-card-flop", "tda-2024-rotation-frozen-button",
}  # fmt: skip
"""Scenarios with the longest keys, rulings, refusals and headers in some language."""

NAME = "P"
"""Of a player, and of who is signed in: no word of any language."""

PLAYER = re.compile('"player":"(?!seat )[^"]*"')

LEFT = """
(apart) => {
  const found = [];
  const isWhole = (text) => text.split("⟦").length === text.split("⟧").length;
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const place = walk.currentNode.parentElement;
    if (!/[A-Za-z]{2}/.test(walk.currentNode.data) || place.closest(apart.join(", "))) continue;
    if (!place.checkVisibility()) continue;
    /* A page may set a part of a text apart: what stands there is judged by the whole of it. */
    let text = walk.currentNode.data;
    for (let whole = place; !isWhole(text) && whole !== document.body; whole = whole.parentElement) {
      text = whole.textContent;
    }
    found.push(text);
  }
  for (const place of document.querySelectorAll("[aria-label], [title]")) {
    if (place.closest(apart.join(", ")) || !place.checkVisibility()) continue;
    for (const name of ["aria-label", "title"]) found.push(place.getAttribute(name) || "");
  }
  found.push(document.title);
  return found;
}
"""


def strip_marked_text(text: str) -> str:
    """What of a text stands outside of all ⟦ ⟧."""
    kept, depth = [], 0
    for sign in text:
        depth += sign == "⟦"
        if not depth:
            kept.append(sign)
        depth -= sign == "⟧"
    return "".join(kept)


def english(page: "Page") -> set[str]:
    """What is left of English on a page in the pseudo-language."""
    texts: list[str] = page.evaluate(LEFT, list(AS_THEY_ARE))
    return {text for text in texts if any(len(word) > 1 and word.isalpha() for word in strip_marked_text(text).split())}


def iter_publications(language: language_file.Language, some: list[Path]) -> Iterator[tuple[str, list[str]]]:
    for file in some:
        yield file.stem, [PLAYER.sub(f'"player":"{NAME}"', text) for text in publications(file, language)]


@pytest.fixture(scope="module")
def pseudo(browser: "Browser") -> "Iterator[Page]":
    page = page_alone(browser, language=make_pseudo_language(), signed_in=NAME)
    yield page
    page.close()


def test_the_dealers_page_says_nothing_beside_the_catalogue(pseudo: "Page") -> None:
    left = {
        f"{stem}: {text}"
        for stem, texts in iter_publications(make_pseudo_language(), files()[::24])
        for publication in texts
        for text in (pseudo.evaluate("text => window.tell(text)", publication) or english(pseudo))
    }
    assert left == set()


def test_the_dealers_sheets_say_nothing_beside_the_catalogue(pseudo: "Page") -> None:
    dealing = next(
        text
        for _, texts in iter_publications(make_pseudo_language(), files())
        for text in texts
        if '"step":"deal"' in text
    )
    pseudo.evaluate("text => window.tell(text)", dealing)
    for opened in ("#always button:first-child", "[data-seat='2']", "#dealer"):
        pseudo.evaluate("place => document.querySelector(place).click()", opened)
        pseudo.wait_for_selector("#sheet[open]")
        spoken = {"English", "Deutsch", "Español"}
        assert english(pseudo) - spoken == set(), opened
        pseudo.keyboard.press("Escape")
        pseudo.evaluate("document.querySelector('#sheet').close()")


@pytest.mark.parametrize("path", ["floor.html", "watch.html"])
def test_the_floors_and_the_spectators_page_say_nothing_beside_the_catalogue(browser: "Browser", path: str) -> None:
    page = page_alone(browser, path, make_pseudo_language(), signed_in=NAME)
    page.wait_for_function("() => window.tell")
    ruled = [
        text
        for _, texts in iter_publications(make_pseudo_language(), files()[::40])
        for text in texts
        if '"rulings":[{' in text
    ][::6]
    left = set()
    for publication in ruled:
        page.evaluate("text => window.tell(text)", publication)
        left |= english(page)
    page.close()
    assert left == set()


@pytest.mark.parametrize("path", ["sign-in.html", "train.html", "hands.html", "technician.html", "set-up.html"])
def test_every_other_page_opens_with_nothing_beside_the_catalogue(browser: "Browser", path: str) -> None:
    page = page_alone(browser, path, make_pseudo_language(), signed_in=NAME)
    page.wait_for_function("() => document.documentElement.lang === 'xx'")
    left = english(page)
    page.close()
    assert left == set()


def cut(browser: "Browser", name: str, some: list[Path]) -> list[str]:
    language = language_file.load_language(name)
    page = page_alone(browser, language=language)
    found = [
        f"{name} {stem} {number + 1}: {wrong}"
        for stem, texts in iter_publications(language, some)
        for number, each in enumerate(page.evaluate(LOOK, texts))
        for wrong in each
    ]
    page.close()
    return found


@pytest.mark.parametrize("name", ["de", "es"])
def test_nothing_is_cut_in_another_language(browser: "Browser", name: str) -> None:
    longest = [file for file in files() if file.stem in LONG_TEXT_FILES]
    assert len(longest) == len(LONG_TEXT_FILES)
    assert cut(browser, name, [*longest, *files()[::30]]) == []


CUT_IN_OFFICE = """() => [...document.querySelectorAll("body > header, body > header *, button, select")]
  .filter((place) => place.checkVisibility() && !place.closest(".unseen"))
  .filter((place) => place.getBoundingClientRect().right > innerWidth + 1 || place.scrollWidth > place.clientWidth + 1
    && place.clientWidth)
  .map((place) => place.innerText)"""


@pytest.mark.parametrize("path", ["floor.html", "watch.html", "technician.html", "hands.html", "train.html"])
@pytest.mark.parametrize("name", ["de", "es"])
def test_no_header_and_no_key_of_another_page_is_cut(browser: "Browser", name: str, path: str) -> None:
    language = language_file.load_language(name)
    page = page_alone(browser, path, language)
    page.wait_for_function("() => !document.querySelector('#who:empty')")
    assert page.evaluate(CUT_IN_OFFICE) == []
    if path in {"floor.html", "watch.html"}:
        page.wait_for_function("() => window.tell")
        longest = next(file for file in files() if file.stem == "tda-2024-rotation-frozen-button")
        for text in publications(longest, language):
            page.evaluate("text => window.tell(text)", text)
            assert page.evaluate(CUT_IN_OFFICE) == []
    page.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["de", "es"])
def test_nothing_is_cut_on_any_screen_in_another_language(browser: "Browser", name: str) -> None:
    assert cut(browser, name, files()) == []


def test_a_refusal_is_said_in_the_language_of_the_page() -> None:
    """By its code: what the core says is part of the table script, and English."""
    german = language_file.load_language("de")
    refused: list[dict[str, Any]] = [
        json.loads(text)["refusal"]
        for _, texts in iter_publications(german, files()[::10])
        for text in texts
        if '"refusal":{' in text
    ]
    assert refused
    assert all(refusal["message"] in {each for said in german.texts.values() for each in said} for refusal in refused)


def test_a_touch_on_this_screens_settings_puts_it_into_another_language(dealer: "DealersPage") -> None:
    page = dealer.page
    assert page.inner_text("#next") == "Shuffle, then start"
    page.click("#dealer")
    page.click("#sheet button[lang=de]")
    page.wait_for_function(
        "() => document.documentElement.lang === 'de' && document.querySelector('#next').innerText[0] === 'M'"
    )
    assert page.inner_text("#next") == "Mischen, dann beginnen"
    assert "Hand beginnen" in page.inner_text("#now")
    dealer.touch("Hand beginnen")
    page.wait_for_function("() => document.querySelector('#next').innerText.startsWith('Karte an Platz')")
    assert dealer.table.state()["table"]["next"][0]["text"].startswith("Card to seat")

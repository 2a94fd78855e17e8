"""Every page for everybody: axe-core's rules without one violation, and ours of headings, names and sizes of keys.

axe-core comes with the development package `axe-playwright-python`; ours are what it does not look for.
"""

import json
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from tests.browser.tables import PATIENCE_MS, RunningTable

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PHONE, SMALL = (390, 844), (800, 480)
SIZES = (
    pytest.param(PHONE, id="390x844"),
    pytest.param(SMALL, id="800x480", marks=pytest.mark.slow),
    pytest.param((1024, 600), id="1024x600", marks=pytest.mark.slow),
    pytest.param((1280, 800), id="1280x800", marks=pytest.mark.slow),
)
LANGUAGES = ("en", pytest.param("de", marks=pytest.mark.slow), pytest.param("es", marks=pytest.mark.slow))
OFFICES = ("floor", "technician", "hands", "train", "drop", "set-up", "errors", "notice", "sign-in")
"""Pages on which every key is as large as a thumb."""
PATHS = (*OFFICES, "", "watch")

MIN_TARGET_PX = 44
RULES = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}

SMALL_TARGETS = """least => {
  const touched = [...document.querySelectorAll("button, select, input, summary, [role=button], nav a")];
  return touched.map((each) => {
    const isTick = each.matches("input[type=checkbox], input[type=radio]");
    const box = ((isTick && each.closest("label")) || each).getBoundingClientRect();
    return [each.outerHTML.slice(0, 90), box.width, box.height];
  }).filter(([, width, height]) => width && height && (width < least - 0.5 || height < least - 0.5));
}"""

NAMELESS_NUMBERS = """() => [...document.querySelectorAll(".seat :is(.number, .name, .chips, .chips *)")]
  .filter((each) => !each.children.length && /^[0-9]+$/.test(each.textContent))
  .filter((each) => !/[^0-9 ]/.test(each.getAttribute("aria-label") || ""))
  .map((each) => each.outerHTML)"""

OUT_OF_REACH = """() => [...document.querySelectorAll("body *")].filter((each) => {
  const style = getComputedStyle(each);
  if (!/auto|scroll/.test(style.overflowX + style.overflowY) || !each.clientHeight) return false;
  const isCut = each.scrollHeight > each.clientHeight + 1 || each.scrollWidth > each.clientWidth + 1;
  const isReached = each.tabIndex >= 0 || each.querySelector("button, a[href], input, select, [tabindex]");
  return isCut && !isReached && !each.matches("select, textarea");
}).map((each) => each.outerHTML.slice(0, 90))"""

IS_DRAWN = """() => {
  const said = document.querySelector("#next, #mode");
  const isLinked = document.body.dataset.link !== "down";
  return document.readyState === "complete" && isLinked && !said?.textContent.endsWith("…");
}"""

LEVELS = """() => [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")]
  .filter((each) => each.checkVisibility()).map((each) => Number(each.tagName[1]))"""


def find_faults(page: "Page", *, is_office: bool, width: int) -> list[str]:
    """What is wrong with a page as it stands, by axe and by us."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    found = [
        f"{each['id']}: {node['html'][:120]}"
        for each in axe.Axe().run(page, options=RULES).response["violations"]
        for node in each["nodes"]
    ]
    levels = page.evaluate(LEVELS)
    if levels.count(1) != 1 or levels[0] != 1:
        found.append(f"headings: {levels}")
    found += [f"level: {before} {after}" for before, after in pairwise(levels) if after > before + 1]
    found += [f"bare number: {each}" for each in page.evaluate(NAMELESS_NUMBERS)]
    found += [f"not focusable: {each}" for each in page.evaluate(OUT_OF_REACH)]
    if is_office:
        found += [f"small: {json.dumps(each)}" for each in page.evaluate(SMALL_TARGETS, MIN_TARGET_PX)]
        if (wide := page.evaluate("() => document.documentElement.scrollWidth")) > width:
            found.append(f"wide: {wide}")
    return found


@pytest.fixture(scope="module")
def table_in_play(tmp_path_factory: pytest.TempPathFactory, browser: "Browser") -> Iterator[RunningTable]:
    """A table with a ruling under way."""
    table = RunningTable(tmp_path_factory.mktemp("table"))
    page = browser.new_page(viewport={"width": 800, "height": 480})
    page.goto(table.url)
    page.get_by_role("button", name="Start the hand").first.click()
    for entry in (2, 3):
        page.wait_for_function("entry => Number(document.body.dataset.entry) >= entry", arg=entry)
        page.click("#step")
    page.close()
    yield table
    table.end()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
def test_every_page_of_a_table_is_for_everybody(
    table_in_play: RunningTable, browser: "Browser", size: tuple[int, int], language: str
) -> None:
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, has_touch=True)
    context.add_cookies([{"name": "language", "value": language, "url": table_in_play.url}])
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    wrong: dict[str, list[str]] = {}
    for path in PATHS:
        page.goto(table_in_play.url + path)
        page.wait_for_function(IS_DRAWN)
        if found := find_faults(page, is_office=path in OFFICES, width=size[0]):
            wrong[path] = found
    context.close()
    assert not wrong, json.dumps(wrong, indent=1)

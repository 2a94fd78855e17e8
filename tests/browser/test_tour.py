"""The tour that a simulated table offers once: six things to try, ended by one touch, never at a live table."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from config.language_file import load_language
from tests.browser.alone import page_alone
from tests.browser.conftest import disable_tap_guard
from tests.browser.publications import of_lines
from tests.browser.tables import DealersPage, RunningTable
from tests.browser.test_dealers_page import CUT
from tests.browser.test_floors_keys import DEALT, make_table_line

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

SIZES = [(800, 480), (390, 844), (1280, 800)]
LANGUAGES = ("en", "de", "es")
SIMULATION = {
    "playing": True,
    "speed": 1,
    "faults": [],
    "games": {},
    "books": {},
    "game": "holdem",
    "rulebook": "roberts-7",
}
FITS = """() => [...document.querySelectorAll("#tour, #tour h2, #tour p, #simulation")].filter((place) => {
  const { bottom } = place.getBoundingClientRect(), { top } = document.querySelector("footer").getBoundingClientRect();
  return place.scrollWidth > place.clientWidth + 1 || bottom > top + 1;
}).map((place) => place.innerText)"""


def render(number: int, simulation: dict[str, Any] | None, language: str) -> str:
    """What the table says after so many lines of a hand, simulated or not."""
    lines = [make_table_line("roberts-7", places=8), *DEALT][: number + 1]
    *_, last = of_lines(lines, load_language(language))
    return json.dumps({**json.loads(last), "simulation": simulation})


@pytest.fixture(params=LANGUAGES)
def fresh(request: pytest.FixtureRequest, browser: "Browser") -> "Iterator[tuple[Page, str]]":
    """A page in a browser that has not been offered the tour."""
    page = page_alone(browser, language=load_language(request.param))
    page.route("**/tap-guard.js", disable_tap_guard)
    page.add_init_script("localStorage.removeItem('tour')")
    page.reload()
    page.wait_for_function("() => window.tell")
    yield page, request.param
    page.close()


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_offer_and_every_step_have_room(fresh: "tuple[Page, str]", width: int, height: int) -> None:
    page, language = fresh
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("text => window.tell(text)", render(1, SIMULATION, language))
    translate = load_language(language).translate
    assert page.inner_text("#tour h2") == translate("A simulated poker table")
    assert page.evaluate(FITS) == []
    page.locator("#tour .keys button").first.click()
    for number in (1, 2, 5, 6):
        assert page.inner_text("#tour h2").startswith(f"{number} "), "without a ruling none is read or taken back"
        assert page.evaluate(FITS) == []
        assert page.locator("#tour .keys > *").evaluate_all(CUT) == []
        page.evaluate("text => window.tell(text)", render(9, SIMULATION, language))
        if number < 6 and page.inner_text("#tour h2").startswith(f"{number} "):
            page.get_by_role("button", name=translate("Next"), exact=True).click()
    page.get_by_role("button", name=translate("End the tour")).click()
    assert page.locator("#tour").is_hidden()


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_with_a_ruling_it_is_read_and_taken_back(fresh: "tuple[Page, str]", width: int, height: int) -> None:
    page, language = fresh
    page.set_viewport_size({"width": width, "height": height})
    told = json.loads(render(3, SIMULATION, language))
    ruling = {"finding": "exposed", "verdict": "play-on", "seat": 2, "text": "It stands.", "cite": ["TDA-37"]}
    ruled = json.dumps({**told, "rulings": [ruling], "ruled_in": told["table"]["hand"]})
    page.evaluate("text => window.tell(text)", ruled)
    assert page.is_visible("#tour p"), "what this is comes first, whatever was ruled before"
    assert page.evaluate(FITS) == []
    assert page.evaluate(SLIVER) == []
    page.locator("#tour .keys button").first.click()
    for number in range(1, 7):
        assert page.inner_text("#tour h2").startswith(f"{number} ")
        assert page.evaluate(FITS) == []
        page.locator("#tour .keys > :nth-last-child(2)").evaluate("key => key.tagName === 'BUTTON' && key.click()")


def test_what_the_tour_leaves_is_given_to_what_stands_beside_it(browser: "Browser") -> None:
    """At a table that waits nothing is published that would draw it anew."""
    page = page_alone(browser)
    page.route("**/tap-guard.js", disable_tap_guard)
    page.add_init_script("localStorage.removeItem('tour')")
    page.reload()
    page.wait_for_function("() => window.tell")
    told = json.loads(render(9, SIMULATION, "en"))
    page.evaluate("text => window.tell(text)", json.dumps({**told, "notices": [NOTICE]}))
    page.get_by_role("button", name="Six things to try").click()
    assert page.evaluate(SLIVER) == []
    page.get_by_role("button", name="End the tour").click()
    assert page.locator("#totals button").count()
    assert page.evaluate(SLIVER) == []
    page.close()


NOTICE = {
    "code": "card-twice", "device": "shoe", "dealer": "",
    "text": "A card that is already out was read again; it was not dealt. Keep dealt cards away from the shoe.",
}  # fmt: skip
ONE_ROW = """() => new Set([...document.querySelectorAll("#tour .keys > *")].map((key) => key.offsetTop)).size"""
SLIVER = """() => [...document.querySelectorAll("#ruling .body > *, #answers button")]
  .filter((each, _, { ruling = document.querySelector("#ruling") }) =>
    each.getBoundingClientRect().bottom > ruling.getBoundingClientRect().bottom + 1)
  .map((each) => each.innerText)"""


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_what_stands_above_the_tour_is_whole_or_away(fresh: "tuple[Page, str]", width: int, height: int) -> None:
    page, language = fresh
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("text => window.tell(text)", render(3, SIMULATION, language))
    page.locator("#tour .keys button").first.click()
    for _ in range(6):
        page.evaluate("text => window.tell(text)", render(3, SIMULATION, language))
        assert page.evaluate(SLIVER) == []
        assert page.evaluate(ONE_ROW) == 1
        assert page.locator("#tour .keys > *").evaluate_all(CUT) == []
        page.locator("#tour .keys > :nth-last-child(2)").evaluate("key => key.tagName === 'BUTTON' && key.click()")


def test_the_tour_begins_in_the_midst_of_a_hand(browser: "Browser") -> None:
    page = page_alone(browser)
    page.route("**/tap-guard.js", disable_tap_guard)
    page.add_init_script("localStorage.removeItem('tour')")
    wanted: list[str] = []

    def answer(route: "Route") -> None:
        wanted.append(json.loads(str(route.request.post_data))["do"])
        route.fulfill(json={})

    page.route("**/simulation", answer)
    page.reload()
    page.wait_for_function("() => window.tell")
    page.evaluate("text => window.tell(text)", render(9, SIMULATION, "en"))
    page.locator("#tour .keys button").first.click()
    page.get_by_role("button", name="Deal on").click()
    assert page.inner_text("#tour h2").startswith("1 ")
    with page.expect_response(lambda answered: '"pause"' in str(answered.request.post_data)):
        for held in (0, 1):
            told = json.loads(render(held + 1, SIMULATION, "en"))
            told["table"]["piles"]["seats"] = {"2": held} if held else {}
            page.evaluate("text => window.tell(text)", json.dumps(told))
    assert page.inner_text("#tour h2").startswith("2 "), "a card came to a seat, though fewer than there were"
    assert wanted[-2:] == ["play", "pause"]
    page.close()


def test_only_the_exposed_card_that_it_asked_for_leads_on(browser: "Browser") -> None:
    """Not a fault, and not a ruling that stood before or that is about something else."""
    page = page_alone(browser)
    page.route("**/tap-guard.js", disable_tap_guard)
    page.add_init_script("localStorage.removeItem('tour')")
    page.reload()
    page.wait_for_function("() => window.tell")
    told = json.loads(render(3, {**SIMULATION, "playing": False}, "en"))
    exposed = {"finding": "exposed", "verdict": "replace", "seat": 2, "text": "Replace it.", "cite": ["TDA-37"]}
    boxed = {**exposed, "finding": "boxed", "verdict": "scrap"}

    def tell(entries: int, *rulings: dict[str, Any]) -> str:
        entry = {"entry": told["entry"] + entries, "rulings": rulings, "ruled_in": told["table"]["hand"]}
        page.evaluate("text => window.tell(text)", json.dumps({**told, **entry}))
        return page.inner_text("#tour h2")[0]

    tell(0, exposed)
    page.get_by_role("button", name="Six things to try").click()
    page.get_by_role("button", name="Next", exact=True).click()
    assert tell(1, exposed) == "2", "a fault, say"
    assert tell(2, boxed) == "2"
    assert tell(3, boxed, {**exposed, "seat": 3}) == "3"
    page.close()


def test_between_hands_there_is_no_card_to_report(browser: "Browser") -> None:
    page = page_alone(browser)
    page.route("**/tap-guard.js", disable_tap_guard)
    page.add_init_script("localStorage.removeItem('tour')")
    page.reload()
    page.wait_for_function("() => window.tell")
    told = json.loads(render(3, {**SIMULATION, "playing": False}, "en"))
    page.evaluate("text => window.tell(text)", json.dumps({**told, "table": {**told["table"], "next": []}}))
    page.get_by_role("button", name="Six things to try").click()
    page.get_by_role("button", name="Next", exact=True).click()
    assert page.inner_text("#tour h2").startswith("5 ")
    page.close()


def test_a_mishap_that_was_asked_for_waits_for_who_asked(browser: "Browser") -> None:
    page = page_alone(browser)
    page.route("**/tap-guard.js", disable_tap_guard)
    wanted: list[str] = []

    def answer(route: "Route") -> None:
        wanted.append(json.loads(str(route.request.post_data))["do"])
        route.fulfill(json={})

    page.route("**/simulation", answer)
    page.reload()
    page.wait_for_function("() => window.tell")
    books = {"books": {"roberts-7": "Robert's Rules"}, "games": {"roberts-7": ["holdem"]}, "ruled": False}
    paused = {**SIMULATION, **books, "playing": False, "faults": ["exposed", "unplug"]}
    told = json.loads(render(3, paused, "en"))
    page.evaluate("text => window.tell(text)", json.dumps(told))
    page.get_by_role("button", name="Try…").click()
    page.get_by_role("button", name="Expose a downcard").click()
    page.wait_for_function("() => document.querySelector('#sheet .message').textContent.includes('Touch Play or Step')")
    ruling = {"finding": "exposed", "verdict": "replace", "seat": 2, "text": "Replace it.", "cite": ["TDA-37"]}
    ruled = {**told, "rulings": [ruling], "ruled_in": told["table"]["hand"], "simulation": {**paused, "playing": True}}
    with page.expect_response(lambda answered: '"pause"' in str(answered.request.post_data)):
        page.evaluate("text => window.tell(text)", json.dumps(ruled))
    page.evaluate("text => window.tell(text)", json.dumps({**ruled, "rulings": [{**ruling, "seat": 3}]}))
    page.wait_for_timeout(100)
    assert wanted == ["fault", "pause"], "what nobody asked for stops nobody"
    page.close()


def test_who_deals_on_beside_the_offer_has_the_amounts(browser: "Browser") -> None:
    """The offer takes the room of the amounts; the first act that somebody enters says that no tour is wanted."""
    page = page_alone(browser)
    page.route("**/tap-guard.js", disable_tap_guard)
    page.route("**/entry", lambda route: route.fulfill(status=202))
    page.add_init_script("localStorage.removeItem('tour')")
    page.reload()
    page.wait_for_function("() => window.tell")
    page.evaluate("text => window.tell(text)", render(len(DEALT), SIMULATION, "en"))
    assert (page.is_visible("#tour"), page.is_visible("#totals")) == (True, False)
    page.locator("#now .main").click()
    page.wait_for_selector("#totals:visible")
    assert page.is_hidden("#tour")
    page.close()


def test_the_offer_waits_while_a_ruling_is_carried_out(browser: "Browser") -> None:
    page = page_alone(browser)
    page.add_init_script("localStorage.removeItem('tour')")
    page.reload()
    page.wait_for_function("() => window.tell")
    page.evaluate("text => window.tell(text)", render(1, SIMULATION, "en"))
    ruled = json.loads(render(2, SIMULATION, "en"))
    ruling = {"finding": "boxed", "verdict": "scrap", "seat": 2, "text": "Seat 2 got a boxed card.", "cite": []}
    hand = ruled["table"]["hand"]
    steps = [{"step": "return", "text": "Return the boxed card", "short": "return", "done": False}]
    remedy = {"steps": steps, "taken_back": False}
    told = {**ruled, "rulings": [ruling], "ruled_in": hand, "remedy": remedy}
    page.evaluate("text => window.tell(text)", json.dumps(told))
    assert page.is_hidden("#tour")
    assert "Return the boxed card" in page.inner_text("#ruling")
    for change in (
        {"ruled_in": hand - 1}, {"remedy": {**remedy, "taken_back": True}},
        {"remedy": {**remedy, "steps": [{**steps[0], "done": True}]}},
    ):  # fmt: skip
        page.evaluate("text => window.tell(text)", json.dumps({**told, **change}))
        assert page.is_visible("#tour"), "and comes back when nothing is to be done"
        page.evaluate("text => window.tell(text)", json.dumps(told))
        assert page.is_hidden("#tour")
    page.close()


def test_a_live_table_has_none(browser: "Browser") -> None:
    page = page_alone(browser)
    page.evaluate("localStorage.removeItem('tour')")
    page.evaluate("text => window.tell(text)", render(1, None, "en"))
    page.evaluate("text => window.tell(text)", render(2, None, "en"))
    assert page.locator("#tour").is_hidden()
    page.close()


def test_six_things_are_tried_and_it_is_not_offered_again(browser: "Browser", tmp_path: Path) -> None:
    running = RunningTable(tmp_path / "state")
    page = browser.new_page(viewport={"width": 800, "height": 480})
    page.route("**/tap-guard.js", disable_tap_guard)
    dealer = DealersPage(page, running)

    def wait_for_step(number: int) -> None:
        page.wait_for_function("n => document.querySelector('#tour h2').innerText.startsWith(n)", arg=f"{number} of 6")

    try:
        page.goto(running.url + "watch")
        page.evaluate("localStorage.setItem('tour', 'wanted')")
        dealer.open()
        page.get_by_role("button", name="Six things to try").click()
        wait_for_step(1)
        dealer.touch("Start the hand")
        for _ in range(9):
            if not page.inner_text("#tour h2").startswith("1"):
                break
            dealer.step()
        wait_for_step(2)
        dealer.touch("Exposed")
        wait_for_step(3)
        page.click("#answers .cite")
        page.keyboard.press("Escape")
        wait_for_step(4)
        dealer.touch("Undo")
        wait_for_step(5)
        page.get_by_role("button", name="Deal on").click()
        page.wait_for_function("() => document.querySelector('#next').innerText.includes('acts')")
        dealer.press("c")
        wait_for_step(6)
        page.click("#tour a")
        page.wait_for_url("**/floor")
        dealer.open()
        assert page.locator("#tour").is_hidden()
        page.reload()
        page.wait_for_selector('body[data-link="up"] .seat')
        assert page.locator("#tour").is_hidden()
        page.click("#showroom")
        page.get_by_role("button", name="Show the tour").click()
        assert page.inner_text("#tour h2") == "A simulated poker table"
        page.get_by_role("button", name="No tour").click()
        assert page.locator("#tour").is_hidden()
    finally:
        page.close()
        running.end()

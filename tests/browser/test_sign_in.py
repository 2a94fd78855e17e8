"""Signing in at a live table, in Chromium: by touch, by keyboard, for the first time, and when a PIN is due."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from config.table_file import load_table_file
from config.table_line import parse_table_line
from controller.core.engine.output import outcome_rendering
from controller.core.engine.table import Table
from controller.runtime.faults.fault_latches import FaultStatus
from controller.runtime.loop.table_view import LIVE
from controller.runtime.staff.permissions import HOME_PAGE_BY_ROLE, Role
from controller.runtime.staff.staff_store import MAX_PIN_AGE_S
from controller.web.serving.listener import listen
from controller.web.serving.page_server import PageServer
from tests.browser.conftest import DEMO, disable_tap_guard
from tests.browser.tables import SIZES
from tests.web.house import PINS, House
from tests.web.test_pages import standing

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route


class ServedHouse(House):
    """The house on a real socket, with a table that the dealer's page can draw."""

    def __init__(self, directory: Path, *, people: bool = True) -> None:
        super().__init__(directory, people=people)
        self.hub.change_table({"rulebook": "Robert", "game": "holdem", "betting": {"big_blind": 2}, "places": 8})
        outcome = Table().handle(parse_table_line({**load_table_file(DEMO).table_line, "t": 0.0}))
        self.output = outcome_rendering.render_outcome(outcome, 7)
        self.hub.publish(standing(7, mode=LIVE, output_line=self.output, player_by_seat={}))
        bound = listen("127.0.0.1", 0)
        self.server = PageServer(self.app, bound, self.hub)
        self.server.start()

    @property
    def url(self) -> str:
        return self.server.url


@pytest.fixture
def house(tmp_path: Path) -> Iterator[ServedHouse]:
    house = ServedHouse(tmp_path)
    yield house
    house.server.end()
    house.staff.close()


@pytest.fixture
def empty_house(tmp_path: Path) -> Iterator[ServedHouse]:
    house = ServedHouse(tmp_path, people=False)
    yield house
    house.server.end()
    house.staff.close()


@pytest.fixture(params=SIZES)
def page(request: pytest.FixtureRequest, browser: "Browser") -> Iterator["Page"]:
    width, height = request.param
    opened = browser.new_page(viewport={"width": width, "height": height}, has_touch=True)
    failed: list[str] = []
    opened.on("pageerror", lambda error: failed.append(str(error)))
    yield opened
    opened.close()
    assert failed == [], "the page's own scripts failed"


def tap(page: "Page", text: str) -> None:
    """Tap a key of the sheet that is open, or else one of the page."""
    sheet = page.locator("#sheet[open]")
    (sheet if sheet.count() else page).get_by_role("button", name=text).first.tap()


def tap_digits(page: "Page", digits: str) -> None:
    for digit in digits:
        page.locator(".pad").get_by_role("button", name=digit, exact=True).tap()


def at_the_table(page: "Page", name: str, role: str) -> None:
    home = HOME_PAGE_BY_ROLE[Role(role)]
    page.wait_for_url(re.compile(f":[0-9]+{home}$"))
    if home != "/":
        page.goto(page.url.removesuffix(home) + "/")
    page.wait_for_function("text => document.querySelector('#who').textContent.includes(text)", arg=f"{name}, {role}")


def test_by_touch_then_an_entry_then_out(house: ServedHouse, page: "Page") -> None:
    page.goto(house.url)
    tap(page, "Sign in")
    page.wait_for_selector("#names button")
    tap(page, "Ada")
    tap_digits(page, PINS["Ada"])
    assert page.inner_text(".shown") == "●●●●●●"
    assert PINS["Ada"] not in page.content()
    page.locator(".pad .main").tap()
    at_the_table(page, "Ada", "dealer")
    page.evaluate("document.querySelector('#who span').textContent = 'Wilhelmina-Augusta Longname, dealer'")
    assert page.viewport_size is not None
    whole = page.locator("#who button").bounding_box()
    assert whole is not None
    assert whole["x"] + whole["width"] <= page.viewport_size["width"]
    with page.expect_response("**/entry") as answered:
        tap(page, "Start the hand")
    assert answered.value.status == 202
    assert [line for line, _ in house.entered] == [{"ev": "start"}]
    tap(page, "Sign out")
    page.wait_for_function("() => document.querySelector('#who').textContent === 'Sign in'")
    house.hub.publish(standing(8, mode=LIVE, output_line=dict(house.output), player_by_seat={}))
    page.wait_for_function("() => document.body.dataset.entry === '8'")
    tap(page, "Start the hand")
    page.wait_for_url("**/sign-in")
    assert len(house.entered) == 1


def test_by_keyboard(house: ServedHouse, page: "Page") -> None:
    page.goto(f"{house.url}sign-in")
    page.wait_for_selector("#names button")
    page.keyboard.press("b")
    assert page.locator("[aria-pressed='true']").inner_text().startswith("Bo")
    page.keyboard.type("111111")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('#message').textContent.includes('do not belong')")
    page.keyboard.type(f"9{PINS['Bo']}")
    for _ in range(7):
        page.keyboard.press("Backspace")
    page.keyboard.type(PINS["Bo"])
    page.keyboard.press("Enter")
    at_the_table(page, "Bo", "floor")


def test_the_first_person_enrols_by_touch(empty_house: ServedHouse, page: "Page") -> None:
    code = empty_house.code()
    page.goto(f"{empty_house.url}sign-in")
    page.wait_for_selector(".pad")
    assert "on the table's own screen" in page.inner_text(".where")
    tap_digits(page, code)
    assert page.inner_text(".shown") == f"{code[:4]}-{code[4:]}"
    page.locator(".pad .main").tap()
    page.wait_for_selector(".letters")
    assert "This code enrols: technician" in page.inner_text(".wide")
    for letter in "ADA":
        page.locator(".letters").get_by_role("button", name=letter, exact=True).tap()
    assert page.inner_text(".shown") == "Ada"
    tap(page, "Next")
    tap_digits(page, "123456")
    page.locator(".pad .main").tap()
    tap_digits(page, "123456")
    page.locator(".pad .main").tap()
    page.wait_for_function("() => document.querySelector('#message').textContent.includes('count up')")
    for _ in range(2):
        tap_digits(page, PINS["Ada"])
        page.locator(".pad .main").tap()
    at_the_table(page, "Ada", "technician")


def show_message(page: "Page", text: str) -> None:
    page.wait_for_function("text => document.querySelector('#message').textContent.includes(text)", arg=text)


def type_name(page: "Page", name: str) -> None:
    page.wait_for_selector(".letters")
    page.keyboard.type(name)
    tap(page, "Next")


def test_a_wrong_code_or_name_loses_nothing_that_was_typed(house: ServedHouse, page: "Page") -> None:
    """The code is put right by one digit, the name by its end, and the PIN that was typed is not asked for again."""
    code = house.staff.make_one_time_code(Role.FLOOR)
    house.staff.make_one_time_code(Role.DEALER)
    page.goto(f"{house.url}sign-in")
    tap(page, "I have a one-time code")
    assert "A technician makes it" in page.inner_text(".where")
    wrong = f"{code[:-1]}{(int(code[-1]) + 1) % 10}"
    tap_digits(page, wrong)
    tap(page, "Next")
    show_message(page, "is wrong")
    assert page.inner_text(".shown") == f"{wrong[:4]}-{wrong[4:]}"
    tap(page, "Delete")
    tap_digits(page, code[-1])
    tap(page, "Next")
    type_name(page, "Ada")
    for _ in range(2):
        page.wait_for_selector(".pad")
        tap_digits(page, "720583")
        page.locator(".pad .main").tap()
    show_message(page, "is, or was, enrolled here")
    assert page.inner_text(".shown") == "Ada"
    assert "This code enrols: floor" in page.inner_text(".wide")
    house.staff.void_codes()
    type_name(page, " Lee")
    show_message(page, "No one-time code is valid")
    assert page.inner_text(".shown") == f"{code[:4]}-{code[4:]}"
    for _ in code:
        page.keyboard.press("Backspace")
    page.keyboard.type(house.staff.make_one_time_code(Role.FLOOR))
    page.keyboard.press("Enter")
    at_the_table(page, "Ada Lee", "floor")
    assert house.staff.sign_in("Ada Lee", "720583").role is Role.FLOOR


def test_without_an_open_code_the_page_says_where_one_comes_from(house: ServedHouse, page: "Page") -> None:
    page.goto(f"{house.url}sign-in")
    tap(page, "Here for the first time")
    show_message(page, "No one-time code is open now.")
    assert "A technician makes it" in page.inner_text(".where")


def test_after_a_quarter_a_new_pin_is_asked_for(house: ServedHouse, page: "Page") -> None:
    house.wall.at += MAX_PIN_AGE_S
    page.goto(f"{house.url}sign-in")
    page.wait_for_selector("#names button")
    tap(page, "Cy")
    tap_digits(page, PINS["Cy"])
    page.locator(".pad .main").tap()
    page.wait_for_selector("text=A new PIN")
    for _ in range(2):
        tap_digits(page, "720583")
        page.locator(".pad .main").tap()
    at_the_table(page, "Cy", "technician")
    assert house.staff.sign_in("Cy", "720583").needs_new_pin is False


def sizes_of_keys(page: "Page") -> list[tuple[str, float]]:
    found: list[tuple[str, float]] = page.evaluate(
        "() => [...document.querySelectorAll('button')].filter(b => b.offsetParent)"
        ".map(b => [b.textContent, Math.min(b.getBoundingClientRect().height, b.getBoundingClientRect().width)])"
    )
    return found


def test_every_key_is_big_enough_and_nothing_is_cut_off(house: ServedHouse, page: "Page") -> None:
    axe: Any = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page.goto(f"{house.url}sign-in")
    page.wait_for_selector("#names button")
    assert [key for key in sizes_of_keys(page) if key[1] < 32] == []
    assert page.evaluate("() => document.documentElement.scrollHeight <= innerHeight")
    assert (
        page.evaluate("() => [...document.querySelectorAll('.pad button')].at(-1).getBoundingClientRect().bottom")
        < (page.viewport_size or {"height": 0})["height"]
    )
    serious = [found for found in axe.run(page).response["violations"] if found["impact"] in ("serious", "critical")]
    assert serious == []


LONG_NAMES = ("Françoise", "Hannah Lindqvist-Petersen", "Maximiliane Oberhuber", "Jo")


@pytest.mark.parametrize("size", [(390, 844), (800, 480), (1024, 600), (1280, 800)], ids=str)
def test_the_names_of_twelve_are_whole(house: ServedHouse, browser: "Browser", size: tuple[int, int]) -> None:
    roles = [str(role) for role in Role]
    staff = [{"name": f"{LONG_NAMES[n % 4]} {n}", "role": roles[n % len(roles)]} for n in range(12)]

    def answer(route: "Route") -> None:
        route.fulfill(json={**route.fetch().json(), "staff": staff})

    page = browser.new_page(viewport={"width": size[0], "height": size[1]})
    page.route("**/staff", answer)
    page.goto(f"{house.url}sign-in")
    keys = page.locator("#names .list button")
    keys.nth(11).wait_for()
    keys.nth(1).click()
    assert keys.evaluate_all("all => all.filter((key) => key.scrollHeight > key.clientHeight + 1).length") == 0
    assert keys.evaluate_all("all => all.filter((key) => key.scrollWidth > key.clientWidth + 1).length") == 0
    assert keys.nth(2).inner_text().splitlines()[0] == "Maximiliane Oberhuber 2"
    page.close()


def signed_in_as_dealer(house: ServedHouse, page: "Page") -> None:
    """Ada at the dealer's page, without the way over the sign-in page."""
    page.route("**/static/tap-guard.js", disable_tap_guard)
    page.goto(house.url)
    page.evaluate(
        "pin => fetch('/sign-in', { method: 'POST', headers: { 'Content-Type': 'application/json' },"
        " body: JSON.stringify({ name: 'Ada', pin }) })",
        PINS["Ada"],
    )
    page.reload()
    at_the_table(page, "Ada", "dealer")


def in_a_hand(house: ServedHouse, entry: int, **changes: Any) -> None:  # noqa: ANN401 - any field of an output line
    step = {"step": "act", "seat": 2, "options": ["fold", "call"], "to_call": 2}
    faults = changes.pop("faults", ())
    output = {**house.output, "hand": 1, "phase": "bet", "next": [step], **changes}
    output["piles"] = {**house.output["piles"], "seats": {"2": 2, "4": 2}}
    house.hub.publish(
        standing(entry, mode=LIVE, output_line=output, player_by_seat={}, floor_called=True, faults=faults)
    )


def pin_by_touch(page: "Page", pin: str) -> None:
    for digit in pin:
        page.locator("#sheet .pad").get_by_role("button", name=digit, exact=True).tap()
    page.locator("#sheet .pad .main").tap()


@pytest.mark.parametrize("narrow", [False, True], ids=["800x480", "390x780"])
def test_the_floor_overrules_at_the_dealers_screen_and_is_gone_with_the_decision(
    house: ServedHouse, browser: "Browser", *, narrow: bool
) -> None:
    width, height = (390, 780) if narrow else (800, 480)
    page = browser.new_page(viewport={"width": width, "height": height}, has_touch=True)
    signed_in_as_dealer(house, page)
    in_a_hand(house, 8)
    tap(page, "The floor is here")
    page.wait_for_selector("#sheet .people button")
    pin_by_touch(page, "111111")
    page.wait_for_function("() => document.querySelector('#sheet .said').textContent.includes('do not belong')")
    pin_by_touch(page, PINS["Bo"])
    tap(page, "Overrule: dead hand…")
    tap(page, "Seat 4")
    for button in page.locator("#sheet .choices button").evaluate_all("all => all.map(b => b.getBoundingClientRect())"):
        assert 0 <= button["left"] < button["right"] <= width
        assert button["height"] >= 36
    with page.expect_response("**/entry"):
        tap(page, "A card was seen")
    page.wait_for_function("() => document.querySelector('#who').textContent.includes('Ada, dealer')")
    line, by = house.entered[0]
    assert line == {"ev": "floor", "decide": "dead-hand", "seat": 4, "who": "Bo", "why": "A card was seen"}
    assert by is not None
    assert (by["name"], by["role"]) == ("Bo", "floor")
    page.close()


def at_the_floors_sheet(house: ServedHouse, browser: "Browser", entry: int, **changes: Any) -> "Page":  # noqa: ANN401
    """The dealer's screen with the floor's sheet open on it: Bo has come and signed in over Ada."""
    page = browser.new_page(viewport={"width": 800, "height": 480}, has_touch=True)
    signed_in_as_dealer(house, page)
    in_a_hand(house, entry, **changes)
    tap(page, "The floor is here")
    page.wait_for_selector("#sheet .people button")
    pin_by_touch(page, PINS["Bo"])
    return page


def test_the_floor_answers_what_the_table_asks_at_the_dealers_screen(house: ServedHouse, browser: "Browser") -> None:
    asked = {"step": "floor", "question": "out-of-turn", "seat": 4, "options": ["bind", "release"]}
    page = at_the_floors_sheet(house, browser, 8, next=[asked])
    with page.expect_response("**/entry"):
        page.locator("#sheet .choices").get_by_role("button", name="Release").tap()
    page.wait_for_function("() => document.querySelector('#who').textContent.includes('Ada, dealer')")
    ((line, by),) = house.entered
    assert line == {"ev": "floor", "decide": "release", "who": "Bo"}
    assert by is not None
    assert by["role"] == "floor"
    page.close()


def test_the_floor_says_at_the_dealers_screen_that_a_fault_is_over(house: ServedHouse, browser: "Browser") -> None:
    fault = FaultStatus("deck-foreign", "A card of another deck was in the shoe.", "", ("floor",), "fault:deck-foreign")
    page = at_the_floors_sheet(house, browser, 8, phase="halted", faults=(fault,))
    with page.expect_response("**/entry"):
        page.locator("#sheet .choices").get_by_role("button", name="Over:").tap()
    page.wait_for_function("() => document.querySelector('#who').textContent.includes('Ada, dealer')")
    ((line, by),) = house.entered
    assert line == {"ev": "device", "id": "fault:deck-foreign", "status": "back"}
    assert by is not None
    assert by["name"] == "Bo"
    page.close()


def test_the_floor_types_a_reason_on_the_screen_and_stays_until_its_decision_is_taken(
    house: ServedHouse, browser: "Browser"
) -> None:
    page = browser.new_page(viewport={"width": 800, "height": 480}, has_touch=True)
    signed_in_as_dealer(house, page)
    in_a_hand(house, 8)
    tap(page, "The floor is here")
    page.wait_for_selector("#sheet .people button")
    pin_by_touch(page, PINS["Bo"])
    tap(page, "Overrule: misdeal…")
    in_a_hand(house, 9)  # the table moves on meanwhile: the sheet stays, and the floor with it
    tap(page, "Other…")
    for letter in "RAIL":
        page.locator("#sheet .letters").get_by_role("button", name=letter, exact=True).tap()
    with page.expect_response("**/entry"):
        page.locator("#sheet .letters .main").tap()
    page.wait_for_function("() => document.querySelector('#who').textContent.includes('Ada, dealer')")
    assert [line["why"] for line, _ in house.entered] == ["Rail"]
    page.close()


def test_the_next_dealer_takes_over_with_a_name_and_a_pin(house: ServedHouse, browser: "Browser") -> None:
    house.staff.enrol("Eve", Role.DEALER, "640193", house.staff.redeem_code(house.staff.make_one_time_code()))
    page = browser.new_page(viewport={"width": 800, "height": 480}, has_touch=True)
    signed_in_as_dealer(house, page)
    tap(page, "Push")
    page.wait_for_selector("#sheet .people button")
    assert page.locator("#sheet .people button").all_inner_texts() == ["Ada", "Eve"]
    tap(page, "Eve")
    pin_by_touch(page, "640193")
    page.wait_for_function("() => document.querySelector('#who').textContent.includes('Eve, dealer')")
    tap(page, "Sign out")
    page.wait_for_function("() => document.querySelector('#who').textContent === 'Sign in'")
    page.close()

"""The floor's phone: names as wide as a thumb, its own page, calls that ring, a ruling that is read out."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from controller.runtime.loop.table_view import LIVE
from controller.runtime.staff.permissions import DECIDING_TIMEOUT_S, Role
from tests.browser.test_sign_in import ServedHouse, pin_by_touch, tap, tap_digits
from tests.web.house import PINS
from tests.web.test_pages import standing

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PHONE_WIDTH, PHONE_HEIGHT = 390, 844
MIN_TARGET_PX = 44
NEWCOMERS = ("Dee", "Eli", "Fay", "Gus", "Hal", "Ida", "Jon", "Wilhelmina-Augusta Long")

RULING = {
    "finding": "out-of-turn", "verdict": "bind", "seat": 4, "text": "Seat 4 acted out of turn.",
    "cite": ["R7-3.betting.3a"],
}  # fmt: skip
RECORD = "window.shaken = []; Navigator.prototype.vibrate = (how) => { window.shaken.push(how); return true; };"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[ServedHouse]:
    house = ServedHouse(tmp_path)
    yield house
    house.server.end()
    house.staff.close()


@pytest.fixture
def phone(browser: "Browser") -> "Iterator[Page]":
    page = browser.new_page(viewport={"width": PHONE_WIDTH, "height": PHONE_HEIGHT}, has_touch=True)
    page.add_init_script(RECORD)
    failed: list[str] = []
    page.on("pageerror", lambda error: failed.append(str(error)))
    yield page
    page.close()
    assert failed == [], "the page's own scripts failed"


def publish(house: ServedHouse, entry: int, *, called: bool, **more: Any) -> None:  # noqa: ANN401 - any part of a standing
    output = {**house.output, "hand": 1, "phase": "bet", "next": []}
    house.hub.publish(standing(entry, mode=LIVE, output_line=output, player_by_seat={}, floor_called=called, **more))


def sign_in_by_touch(house: ServedHouse, page: "Page", name: str, pin: str) -> None:
    page.goto(f"{house.url}sign-in")
    page.wait_for_selector("#names button")
    tap(page, name)
    tap_digits(page, pin)
    page.locator(".pad .main").tap()


def test_twelve_people_sign_in_with_keys_as_wide_as_a_thumb(house: ServedHouse, phone: "Page") -> None:
    for number, name in enumerate(NEWCOMERS):
        role = (Role.DEALER, Role.FLOOR)[number % 2]
        house.staff.enrol(name, role, "640193", house.staff.redeem_code(house.staff.make_one_time_code()))
    phone.goto(f"{house.url}sign-in")
    phone.wait_for_selector("#names button")
    keys = phone.locator("#names .list button")
    assert keys.count() == 12
    for box in [key.bounding_box() for key in phone.get_by_role("button").all()]:
        assert box is not None
        assert min(box["width"], box["height"]) >= MIN_TARGET_PX
        assert 0 <= box["x"] <= box["x"] + box["width"] <= PHONE_WIDTH
    assert min(box["width"] for key in keys.all() if (box := key.bounding_box())) >= 150
    assert phone.evaluate("() => document.documentElement.scrollWidth") <= PHONE_WIDTH
    tap(phone, "Ida")
    assert phone.locator(".pad .main").evaluate("key => key.getBoundingClientRect().bottom <= innerHeight"), (
        "seen at once"
    )
    tap_digits(phone, "640193")
    phone.locator(".pad .main").tap()
    phone.wait_for_url("**/floor")


def test_a_call_rings_on_the_floors_phone_once_a_touch_has_let_it_and_until_somebody_comes(
    house: ServedHouse, phone: "Page"
) -> None:
    phone.clock.install()
    sign_in_by_touch(house, phone, "Bo", PINS["Bo"])
    phone.wait_for_url("**/floor")
    publish(house, 8, called=True)
    phone.wait_for_selector("#called-to:visible")
    assert phone.evaluate("() => [document.body.dataset.rung || 0, window.shaken]") == [0, []], "silent until then"
    tap(phone, "let them ring")
    phone.wait_for_function("() => document.body.dataset.rung === '1'")
    phone.clock.run_for(17_000)
    assert phone.evaluate("() => document.body.dataset.rung") == "3"
    assert phone.evaluate("() => window.shaken.length") == 3
    with phone.expect_response("**/call"):
        tap(phone, "I am here")
    assert house.calls[-1] == (False, "Bo")
    publish(house, 9, called=False)
    phone.wait_for_function("() => document.querySelector('#called-to').hidden")
    phone.clock.run_for(30_000)
    assert phone.evaluate("() => document.body.dataset.rung") == "3"
    phone.reload()
    phone.wait_for_selector("#ring[aria-pressed=true]")
    publish(house, 10, called=True)
    phone.wait_for_function("() => document.body.dataset.rung === '1'")
    tap(phone, "Calls ring here")
    phone.clock.run_for(30_000)
    assert phone.evaluate("() => document.body.dataset.rung") == "1", "and it is turned off again"


def test_a_ruling_is_read_to_a_player_from_the_whole_screen(house: ServedHouse, phone: "Page") -> None:
    sign_in_by_touch(house, phone, "Bo", PINS["Bo"])
    phone.wait_for_url("**/floor")
    publish(house, 8, called=False, rulings=(RULING,), rulings_hand=1)
    tap(phone, "Read it to the player")
    phone.wait_for_selector(".reading .clause")
    said = phone.inner_text(".reading")
    assert "Seat 4 acted out of turn." in said
    assert "→" in said, "the clause in our words"
    for place in (".reading .said", ".reading .clause .then >> nth=0"):
        box = phone.locator(place).bounding_box()
        assert box is not None
        assert box["width"] >= 0.85 * PHONE_WIDTH
        assert phone.locator(place).evaluate("each => parseFloat(getComputedStyle(each).fontSize)") >= 20
    publish(house, 9, called=True, rulings=(RULING,), rulings_hand=1)
    phone.wait_for_function("() => !document.querySelector('#called-to').hidden")
    assert phone.locator(".reading").is_visible(), "it stays while the table goes on"
    tap(phone, "Close")


def test_after_a_pause_the_floor_types_its_pin_and_what_it_touched_is_done(house: ServedHouse, phone: "Page") -> None:
    sign_in_by_touch(house, phone, "Bo", PINS["Bo"])
    phone.wait_for_url("**/floor")
    asked = {"step": "floor", "question": "out-of-turn", "seat": 4, "options": ["bind", "release"]}
    output = {**house.output, "hand": 1, "phase": "floor", "next": [asked]}
    house.hub.publish(standing(8, mode=LIVE, output_line=output, player_by_seat={}))
    house.clock.at += DECIDING_TIMEOUT_S
    tap(phone, "Release")
    phone.wait_for_selector("#sheet .people button")
    assert phone.locator("#sheet .people button").all_inner_texts() == ["Bo"]
    pin_by_touch(phone, "111111")
    phone.wait_for_function("() => document.querySelector('#sheet .said').textContent.includes('do not belong')")
    assert house.entered == []
    with phone.expect_response("**/entry") as answered:
        pin_by_touch(phone, PINS["Bo"])
    assert answered.value.status == 202
    assert [line["decide"] for line, _ in house.entered] == ["release"]

"""The day's close in Chromium, at a desk and on a phone: by touch, to the end."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from room.floor.drop_closes import DROP_STREAM, DropTotal
from room.floor.house_day import find_day_span
from tests.room.server.conftest import SIZES
from tests.room.server.served import ServedRoom
from tests.room.server.test_drop_page import BOXES, DAY, EVENING, make_day
from tests.room.server.test_office_in_a_browser import too_wide

if TYPE_CHECKING:
    from playwright.sync_api import Page

Opened = Callable[..., "Page"]


@pytest.mark.parametrize("size", SIZES)
def test_a_day_is_closed_by_touch_with_a_reason_for_the_box_that_is_missing(
    room: ServedRoom, open_page: Opened, size: tuple[int, int]
) -> None:
    room.room.wall_clock = lambda: find_day_span(DAY)[1] + 7200.0
    room.dropped.days = {DAY: make_day(DAY, EVENING, BOXES[0])}
    page = open_page(room, "/drop", size=size)
    page.get_by_text("No box of table-02 is counted").wait_for()
    assert page.get_by_role("button", name="Close the day").count() == 0
    assert page.locator("tr", has_text="Together").locator("td").nth(2).inner_text() == "200"
    page.get_by_label("Why table-02 is not counted").fill("locked up")
    page.get_by_role("button", name="Enter the reason").click()
    page.get_by_role("button", name="Close the day: 200 chips of 42 hands, 2 of them unknown").click()
    assert not list(room.record.read_lines(DROP_STREAM))[1:], "one touch closes nothing"
    page.get_by_role("button", name="Really?").click()
    page.get_by_text("Closed by Bo").wait_for()
    assert page.get_by_text("signature").count() == 0
    assert too_wide(page) <= 0
    late = (*EVENING, ("table-03", 12.0, DropTotal(30, 6), "holdem", "Cy"))
    room.dropped.days = {DAY: make_day(DAY, late, BOXES[0])}
    page.locator("[name=day]").fill(DAY)
    page.get_by_role("button", name="Show").click()
    page.get_by_text("After the close, for the next one").wait_for()
    assert page.locator("tr", has_text="table-03").last.inner_text().split() == [DAY, "table-03", "6", "30"]


def test_whoever_may_only_look_has_no_key(room: ServedRoom, open_page: Opened) -> None:
    room.room.wall_clock = lambda: find_day_span(DAY)[1] + 7200.0
    room.dropped.days = {DAY: make_day(DAY, EVENING, *BOXES)}
    page = open_page(room, "/drop", "Di")
    page.get_by_text("Counted boxes").wait_for()
    assert page.locator("#closing button").count() == 0

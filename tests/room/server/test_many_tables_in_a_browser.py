"""A hundred tables on one screen: who needs somebody stands first and in full, and nothing is cut off."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.room.server.conftest import SIZES
from tests.room.server.served import ServedRoom, evening

if TYPE_CHECKING:
    from playwright.sync_api import Page

DESK = (1920, 1080)
IN_NEED = {"table-03", "table-05", "table-09"}
"""A ruling, a fault, a call, as `evening` has them."""

CUT = """() => [...document.querySelectorAll(".table :is(.name, .flag, .game, .hand, .next, .why, .age)")]
  .filter((place) => place.clientWidth && place.scrollWidth > place.clientWidth + 1).map((place) => place.textContent)
  .concat([...document.querySelectorAll(".table")].filter((card) => card.scrollWidth > card.clientWidth + 1
    || card.scrollHeight > card.clientHeight + 1).map((card) => card.dataset.table))
  .concat(document.documentElement.scrollWidth > innerWidth ? ["the page is wider than the screen"] : [])"""

AS_READ = """() => [...document.querySelectorAll(".table")].map((card) => [card, card.getBoundingClientRect()])
  .sort(([, a], [, b]) => a.top - b.top || a.left - b.left).map(([card, box]) => [card.dataset.table, box.bottom])"""


@pytest.mark.parametrize("size", [*SIZES, pytest.param(DESK, id="1920x1080", marks=pytest.mark.slow)])
def test_of_a_hundred_tables_those_that_need_somebody_come_first_and_nothing_is_cut(
    room: ServedRoom, open_page: "Callable[..., Page]", size: tuple[int, int]
) -> None:
    evening(room, 100)
    page = open_page(room, size=size)
    page.locator('[data-table="table-100"]').wait_for()
    page.locator(".table.away").first.wait_for()
    page.locator(".call").nth(1).wait_for()
    assert page.evaluate(CUT) == []
    read = page.evaluate(AS_READ)
    assert len(read) == 100
    assert {name for name, _ in read[:3]} == IN_NEED
    assert all(bottom <= size[1] for _, bottom in read[:3]), "without scrolling"
    assert page.locator(".table .next:visible").count() == len(IN_NEED), "what comes next is said of these alone"
    if size == DESK:
        assert all(bottom <= size[1] for _, bottom in read), "all hundred on a desk's screen"

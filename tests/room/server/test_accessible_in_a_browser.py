"""Every page of a room for everybody: as those of a table, by axe-core and by our own rules."""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.browser.test_accessible import find_faults
from tests.room.server.conftest import PHONE, WIDE
from tests.room.server.served import ServedRoom

if TYPE_CHECKING:
    from playwright.sync_api import Page

PATHS = (
    "/", "/rulings", "/shift", "/drop", "/events", "/events/board", "/lists", "/dealers", "/high-hands", "/people",
    "/fleet", "/webhooks", "/sign-in",
)  # fmt: skip
READERS = {"/drop": "Bo", "/people": "Cy", "/fleet": "Cy"}
"""Page -> who has most to touch there; elsewhere the floor."""


@pytest.mark.parametrize(
    "size", [pytest.param(PHONE, id="390x844"), pytest.param(WIDE, id="1280x800", marks=pytest.mark.slow)]
)
def test_every_page_of_a_room_is_for_everybody(
    room: ServedRoom, open_page: "Callable[..., Page]", size: tuple[int, int]
) -> None:
    wrong = {}
    for path in PATHS:
        page = open_page(room, path, READERS.get(path, "Bo"), size)
        page.wait_for_function("() => document.readyState === 'complete' && document.querySelector('h1')")
        if path not in ("/events/board", "/sign-in"):
            page.wait_for_function("() => document.querySelector('#who').textContent")
        if found := find_faults(page, is_office=True, width=size[0]):
            wrong[path] = found
        page.close()
    assert not wrong, json.dumps(wrong, indent=1)

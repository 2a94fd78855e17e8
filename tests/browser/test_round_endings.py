"""The keys that end a round by one touch: only where the seat that is next may do what they begin with."""

import json
from typing import TYPE_CHECKING

from tests.browser.alone import page_alone
from tests.browser.publications import of_lines
from tests.browser.test_floors_keys import DEALT, make_table_line

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def test_a_seat_that_is_bound_to_raise_is_offered_no_call_for_all(browser: "Browser") -> None:
    """What it may not do would be refused, and the acts of the seats after it would be out of turn."""
    *_, last = of_lines([make_table_line("roberts-7"), *DEALT])
    told = json.loads(last)
    page = page_alone(browser)
    page.evaluate("text => window.tell(text)", json.dumps(told))
    assert page.locator("#all button").count() == 3
    told["table"]["next"][0]["options"] = ["raise"]
    page.evaluate("text => window.tell(text)", json.dumps({**told, "entry": told["entry"] + 1}))
    assert page.locator("#all button").count() == 0
    page.close()

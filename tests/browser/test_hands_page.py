"""The page of past hands: what it asks the table for."""

from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from tests.browser.alone import page_alone

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route


def test_a_day_is_whole_from_its_first_moment_to_its_last(browser: "Browser") -> None:
    """In the time of the browser: from midnight to the midnight that ends the last day."""
    page = page_alone(browser, "hands.html")
    asked: list[dict[str, list[str]]] = []

    def answer(route: "Route") -> None:
        asked.append(parse_qs(urlsplit(route.request.url).query))
        route.fulfill(json={"hands": [], "further": None, "whole": True})

    page.route("**/hands/list*", answer)
    page.get_by_role("button", name="Find…").click()
    page.locator("#wanted [name=since]").fill("2026-02-28")
    page.locator("#wanted [name=until]").fill("2026-02-28")
    with page.expect_response("**/hands/list*"):
        page.get_by_role("button", name="Find", exact=True).click()
    midnights = [page.evaluate("day => new Date(2026, 1, day).toISOString()", day) for day in (28, 29)]
    assert asked[-1] == {"since": midnights[:1], "until": midnights[1:]}
    page.close()

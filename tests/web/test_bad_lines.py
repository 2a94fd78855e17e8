"""Whatever a request carries, the page answers with a code, and the table hears nothing of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.web.http.responses import MAX_BODY_BYTES
from tests.web.house import House, houses
from tests.web.test_pages import ORIGIN

LARGE = "1" + "0" * 400
LINE = '{"seen": 7, "line": %s}'

BAD = {
    "a time": LINE % f'{{"ev": "start", "t": {LARGE}}}',
    "a seat": LINE % f'{{"ev": "act", "seat": {LARGE}, "do": "fold"}}',
    "a seat of 5,000 digits": LINE % f'{{"ev": "act", "seat": {"9" * 5000}, "do": "fold"}}',
    "no number": LINE % '{"ev": "act", "seat": NaN, "do": "fold"}',
    "half a sign": LINE % '{"ev": "undo", "note": "\\ud800"}',
    "half a sign as a key": LINE % '{"ev": "start", "\\ud800": 1}',
    "half a sign as a word": LINE % '{"ev": "\\ud800"}',
    "brackets": "[" * 900,
    "100,000 brackets": "[" * 100_000,
    "an entry far away": f'{{"seen": {LARGE}, "line": {{"ev": "start"}}}}',
    "half a name": '{"name": "\\ud800", "pin": "194728"}',
    "half a PIN": '{"name": "Bo", "pin": "\\ud800"}',
    "half a wish": '{"do": "\\ud800", "wanted": "\\ud800"}',
    "bytes": "\xff\x00",
}
ROUTES = ("/entry", "/sign-in", "/call", "/workshop", "/simulation", "/code", "/code/role", "/pin", "/enrol", "/decks")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    yield from houses(tmp_path / "house", simulated=True)


@pytest.mark.parametrize("name", ["Bo", "Cy"])
@pytest.mark.parametrize("body", BAD.values(), ids=BAD)
def test_no_body_makes_the_program_fail(house: House, body: str, name: str) -> None:
    browser = house.browser(name)
    for route in ROUTES:
        headers = {**ORIGIN, **browser.headers(), "Content-Type": "application/json"}
        answer = browser.client.post(route, content=body.encode("latin-1"), headers=headers)
        assert 400 <= answer.status_code < 500, route
        assert set(answer.json()) >= {"code", "message"}, route
        if len(body) > MAX_BODY_BYTES:
            assert answer.status_code in (403, 413), route
    assert house.entered == []


def test_a_page_cannot_say_that_something_is_due(house: House) -> None:
    browser = house.browser("Bo")
    for line in ({"ev": "level", "level": 2, "due": True}, {"ev": "break", "due": True}, {"ev": "start", "due": False}):
        answer = browser.enter(line)
        assert answer.status_code == 400
        assert answer.json()["code"] == "value"
    assert house.entered == []

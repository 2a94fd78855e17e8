"""Who may scrape: a token of the role `metrics`, and a technician who is signed in."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.runtime.staff.permissions import TokenRole
from tests.web.house import House, houses
from tests.web.test_pages import Client


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    yield from houses(tmp_path)


@pytest.mark.parametrize("role", TokenRole)
def test_a_token_of_its_own_role_may_scrape_and_no_other(house: House, role: TokenRole) -> None:
    answer = Client(house.app).get("/metrics", headers=house.token(role))
    assert answer.status_code == (200 if role is TokenRole.METRICS else 403)
    if role is TokenRole.METRICS:
        assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"


def test_a_technician_may_look_and_a_dealer_and_nobody_may_not(house: House) -> None:
    assert house.browser("Cy").get("/metrics").status_code == 200
    assert house.browser("Ada").get("/metrics").status_code == 403
    assert Client(house.app).get("/metrics").status_code == 401

"""What the route of the export makes of its format, and what it says of hands that a format cannot tell."""

import pytest
from starlette.applications import Starlette

from controller.records.export_formats import ExportFormat
from controller.runtime.journal.hand_index import HandQuery
from controller.web.pages.hands_page import HandsPage
from tests.web.house import NoHands
from tests.web.test_pages import Client


class SomeHands(NoHands):
    """Three hands, of which two are stud, of which OHH has no words."""

    def export_hands(self, wanted: HandQuery, form: ExportFormat) -> tuple[str, int]:
        if wanted.player == "stud":
            return ("", 2) if form is ExportFormat.OHH else ("two hands", 0)
        return ("one hand", 2) if form is ExportFormat.OHH else ("three hands", 0)


@pytest.fixture(scope="module")
def browser() -> Client:
    return Client(Starlette(routes=HandsPage(SomeHands()).make_routes()))


@pytest.mark.parametrize(
    ("asked", "name", "left_out"),
    [("", "hands.phhs", "0"), ("?format=ohh", "hands.ohh", "2"), ("?format=pokerstars&player=Ana", "hands.txt", "0")],
)
def test_the_file_is_named_by_its_format_and_what_is_left_out_counted(
    browser: Client, asked: str, name: str, left_out: str
) -> None:
    answer = browser.get(f"/hands/export{asked}")
    assert answer.status_code == 200
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{name}"'
    assert answer.headers["Left-Out"] == left_out


def test_a_format_that_there_is_not_is_refused_with_those_that_are(browser: Client) -> None:
    answer = browser.get("/hands/export?format=csv")
    assert answer.status_code == 400
    assert "phh or ohh or pokerstars" in answer.text


def test_hands_of_which_the_format_can_tell_none_are_no_empty_file(browser: Client) -> None:
    answer = browser.get("/hands/export?format=ohh&player=stud")
    assert answer.status_code == 404
    assert "PHH can" in answer.text

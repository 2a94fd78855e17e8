"""What a book asks of people, because no sensor and no entry tells it, stands on the floor's page with its clause."""

from pathlib import Path

from controller.web.wording.rule_clauses import list_people_only_clauses
from tests.web.house import House


def cites(code: str, *, tournament: bool) -> set[str]:
    return {row["cite"] for row in list_people_only_clauses(code, tournament=tournament)}


def test_each_row_that_people_see_to_is_told_with_its_section_and_what_is_done() -> None:
    rows = {row["cite"]: row for row in list_people_only_clauses("TDA", tournament=True)}
    assert len(rows) > 40
    row = rows["TDA-15-A"]
    assert row["section"] == "Rule 15-A"
    assert "tables one card" in row["when"]
    assert "floor is called" in row["then"]


def test_a_cash_game_is_not_told_what_a_tournament_asks() -> None:
    live, event = cites("WSOP", tournament=False), cites("WSOP", tournament=True)
    assert live < event
    assert "WSOP-L-144" in live
    assert "WSOP-T-59" in event - live


def test_staff_are_told_of_the_book_of_their_table(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.hub.change_table({"book": "HR", "tournament": False})
    rows = house.browser("Bo").get("/by-people").json()["rows"]
    assert {row["book"] for row in rows} == {"HR"}
    assert house.browser().get("/by-people").status_code == 401
    house.staff.close()

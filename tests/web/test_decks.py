"""The deck in play is chosen on the page, by whoever works at the table."""

from pathlib import Path

from tests.web.house import House


def test_a_deck_is_chosen_by_name_and_the_record_says_by_whom(tmp_path: Path) -> None:
    house = House(tmp_path)
    dealer, auditor = house.browser("Ada"), house.browser("Di")
    assert dealer.get("/decks").json() == {"in_play": "red", "decks": ["blue", "red"]}
    assert dealer.post("/decks", {"deck": "blue"}).status_code == 204
    assert house.decks.chosen[-1] == ("blue", "Ada")
    assert auditor.get("/decks").json()["in_play"] == "blue"
    assert auditor.post("/decks", {"deck": "red"}).status_code == 403
    refused = dealer.post("/decks", {"deck": "green"})
    assert (refused.status_code, refused.json()["message"]) == (409, "No deck 'green' is registered.")
    assert dealer.post("/decks", {"deck": 7}).status_code == 400
    house.staff.close()

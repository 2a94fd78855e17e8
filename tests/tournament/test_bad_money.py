"""Money that is none: each is refused in a sentence, and nothing is written."""

import json
from pathlib import Path
from typing import Any

import pytest

from config import payout_file
from controller.core.tournament.payouts import RoundingPlace, compute_prizes
from controller.core.values.value import replace
from tests.room.event.test_entries import MONEY, make_tournament, start_tournament
from tests.room.event.test_entries import apply_line as enter
from tests.tournament.desk import direct


def test_a_record_is_begun_only_where_it_can_be_read_again(tmp_path: Path) -> None:
    """A buy-in beyond what a record takes was written, and every later command refused its first line."""
    record = tmp_path / "event.jsonl"
    too_much = direct("load", "T2000", "Ana", "Ben", "--buy-in", "1" + "0" * 16, "--record", str(record), status=1)
    assert "`load` wants `buy_in`, a number from 0" in too_much
    assert not record.exists()


def test_prizes_are_printed_for_as_many_as_play() -> None:
    assert direct("payout", "--purse", "100", "--players", "1000000").startswith("prize pool 100, rake 0\n")
    assert "up to 1,000,000" in direct("payout", "--purse", "100", "--players", "1000000000000", status=1)


@pytest.mark.parametrize("key", ["buy_in", "bounty", "seat_price"])
def test_half_a_unit_is_not_lost_from_an_account(key: str) -> None:
    """It was dropped silently: the account came out without it. A line of an older version keeps what it meant."""
    half: dict[str, Any] = {key: 10.5}
    with pytest.raises(ValueError, match=f"`open` wants `{key}` in whole units"):
        make_tournament(4, **MONEY, **half)
    assert make_tournament(4, **MONEY, **{key: 10})
    assert make_tournament(4, **half)


def test_half_a_unit_of_a_rebuy(tmp_path: Path) -> None:
    said: dict[str, Any] = {"do": "add-on", "player": "Ana", "amount": 30.5}
    event = start_tournament("Ana", "Ben", "Cem", **MONEY)
    with pytest.raises(ValueError, match=r"`add-on` wants `amount` in whole units, without cents; it is 30\.5"):
        enter(event, **said)
    old = enter(start_tournament("Ana", "Ben", "Cem"), **said).progress
    assert old is not None
    assert old.extra_payments[0].amount == 30
    record = tmp_path / "event.jsonl"
    direct("load", "T2000", "Ana", "Ben", "--buy-in", "40", "--record", str(record))
    first = json.loads(record.read_text())
    record.write_text(json.dumps(first | {"bounty": 12.5}) + "\n")
    assert "`load` wants `bounty` in whole units" in direct("payout", "--record", str(record), status=1)


@pytest.mark.parametrize("finish", ["nan", "inf"])
def test_a_finish_that_is_no_number_earns_no_points(tmp_path: Path, finish: str) -> None:
    results = tmp_path / "season.csv"
    results.write_text(f"event,player,buy_ins,buy_in,spent,finish\n1,Ana,5,40,40,{finish}\n")
    assert f"line 2: buy_ins, buy_in, spent and finish are numbers: '{finish}' is none" in direct(
        "league", str(results), status=1
    )
    results.write_text(f"player,cashes\nAna,2\nBen,{finish}\n")
    assert f"line 3: cashes is a number: '{finish}' is none" in direct("props", str(results), status=1)


def test_results_are_added_to_one_file_event_after_event(tmp_path: Path) -> None:
    """As the page says, `results >> season.csv`: each brings its head along."""
    record, season = tmp_path / "event.jsonl", tmp_path / "season.csv"
    direct("load", "T2000", "Ana", "Ben", "--buy-in", "40", "--record", str(record))
    direct("eliminate", "Ben", "--hand", "1", "--stack", "10", "--record", str(record))
    once = direct("results", "--event", "1", "--record", str(record))
    season.write_text(once)
    points = {one["player"]: one["points"] for one in json.loads(direct("league", str(season), "--json"))}
    season.write_text(once + once)
    again = {one["player"]: one["points"] for one in json.loads(direct("league", str(season), "--json"))}
    assert again == {player: pytest.approx(2 * earned, abs=2e-4) for player, earned in points.items()}


def test_an_event_that_was_broken_off_is_of_its_season(tmp_path: Path) -> None:
    """It carries nothing: all was paid back."""
    record = tmp_path / "event.jsonl"
    direct("load", "T2000", "Ana", "Ben", "--buy-in", "40", "--record", str(record))
    assert "the event is not over" in direct("season", str(record), status=1)
    direct("close", "--abandon", "--record", str(record))
    assert json.loads(direct("season", str(record), "--json")) == {"championship": 0, "jackpot": 0}


@pytest.mark.parametrize("place", list(RoundingPlace))
@pytest.mark.parametrize("name", payout_file.list_payouts())
def test_prizes_come_out_for_fields_and_pools_of_any_size(name: str, place: RoundingPlace) -> None:
    """At each column's edges, where the pool is 0, and where the unit is larger than a prize or than the pool."""
    shipped = payout_file.load_payouts(name)
    sizes = {1, 2, 100, 1_000, *(one.max_players + more for one in shipped.columns for more in (0, 1))}
    for step in (1, shipped.rounding_cents, 100_00, 10**9):
        structure = replace(shipped, rounding_cents=step, rounding_place=place)
        for players in sizes:
            for purse in (0, 1, 99, players * 100, players * 40_00 - 1, players * 100_00 + 99):
                prizes = compute_prizes(structure, purse, players)
                assert sum(prizes) == purse
                assert len(prizes) <= players
                assert list(prizes) == sorted(prizes, reverse=True)
                assert prizes[-1] >= 0


def test_no_paid_place_of_the_structure_of_no_book_has_less_than_the_buy_in() -> None:
    structure = payout_file.load_payouts("standard")
    for players in (*range(1, 400), 1_000, 5_000):
        assert compute_prizes(structure, players * 100_00, players)[-1] >= 100_00, players

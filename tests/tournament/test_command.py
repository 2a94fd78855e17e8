"""`tablectl tournament`, as a director types it."""

import json
from pathlib import Path

import pytest

from controller.cli import main

PLAYERS = ("Ana", "Ben", "Cem", "Dee", "Eve", "Fay")


@pytest.fixture
def record(tmp_path: Path) -> str:
    return str(tmp_path / "evening.jsonl")


def tablectl(*words: str) -> int:
    return main(["tournament", *words])


def loaded(record: str) -> None:
    assert tablectl("load", "T2000", *PLAYERS, "--buy-in", "40", "--record", record, "--at", "1000") == 0


def test_clock(record: str, capsys: pytest.CaptureFixture[str]) -> None:
    loaded(record)
    assert tablectl("start", "--record", record, "--at", "2000") == 0
    assert "level 1: 5/10, 30:00 left, break in 90:00, then level 2: 10/20" in capsys.readouterr().out
    assert tablectl("pause", "--record", record, "--at", "2060") == 0
    assert "stands still" in capsys.readouterr().out
    assert tablectl("status", "--json", "--record", record, "--at", "9000") == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["level"], shown["left"], shown["running"]) == (1, 29 * 60, False)
    assert tablectl("resume", "--record", record, "--at", "9000") == 0
    capsys.readouterr()
    assert tablectl("status", "--record", record, "--at", str(9000 + 95 * 60)) == 0
    assert "break for 14:00 more, then level 4: 20/40" in capsys.readouterr().out
    assert tablectl("status", "--record", record, "--at", str(9000 + 9 * 3600)) == 0
    assert "the schedule is over; level 20 stays" in capsys.readouterr().out


def test_places_and_prizes(record: str, capsys: pytest.CaptureFixture[str]) -> None:
    loaded(record)
    for hand, player in enumerate(PLAYERS[:-1], start=10):
        assert tablectl("eliminate", player, "--hand", str(hand), "--stack", "900", "--record", record) == 0
    assert tablectl("rebuy", "Ana", "--amount", "30", "--record", record) == 0
    assert tablectl("eliminate", "Ana", "--hand", "14", "--stack", "900", "--record", record) == 0
    capsys.readouterr()
    assert tablectl("payout", "--json", "--record", record) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["pool"], shown["rake"], shown["prizes"]) == (246.0, 24.0, [165.0, 81.0])
    assert [(one["player"], one["place"], one["tied"], one["prize"]) for one in shown["finishes"]][:3] == [
        ("Fay", 1, 1, 165.0),
        ("Ana", 2, 2, 40.5),
        ("Eve", 2, 2, 40.5),
    ]
    assert tablectl("payout", "--record", record) == 0
    assert "prize pool 246, rake 24" in capsys.readouterr().out


def test_payout_of_a_purse(record: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The Championship of the text: 960, 480, 320."""
    assert tablectl("payout", "--purse", "1760", "--players", "9", "--json") == 0
    assert json.loads(capsys.readouterr().out)["prizes"] == [960.0, 480.0, 320.0]
    assert tablectl("payout", "--purse", "1760", "--record", record) == 1
    assert "go together" in capsys.readouterr().err


def test_record_cut_off_by_a_power_failure(record: str, capsys: pytest.CaptureFixture[str]) -> None:
    loaded(record)
    tablectl("eliminate", "Ana", "--hand", "3", "--stack", "10", "--record", record)
    with Path(record).open("ab") as file:
        file.write(b'{"do": "elim')
    capsys.readouterr()
    assert tablectl("eliminate", "Ben", "--hand", "4", "--stack", "10", "--record", record) == 0
    assert "4 of 6 players left" in capsys.readouterr().out
    assert tablectl("status", "--record", record) == 0


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (("load", "T1", "a", "b"), 1, "there is no schedule 'T1'; there are T100000, T2000, T20000"),
        (("load", "T2000", "a", "a"), 1, "a name of its own"),
        (("pause",), 1, "there is nothing to pause"),
        (("eliminate", "Zoe", "--hand", "1", "--stack", "1"), 1, "Zoe does not play any more"),
        (("rebuy", "Ana", "--amount", "30"), 1, "Ana still has chips"),
        (("load", "T2000", "a", "b"), 2, "exists"),
    ],
)
def test_refusals(
    record: str, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], status: int, message: str
) -> None:
    loaded(record)
    before = Path(record).read_bytes()
    assert tablectl(*words, "--record", record) == status
    assert message in capsys.readouterr().err
    assert Path(record).read_bytes() == before


def test_no_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert tablectl("status", "--record", str(tmp_path / "none.jsonl")) == 2
    (tmp_path / "other.jsonl").write_text('{"ev": "table"}\n')
    assert tablectl("status", "--record", str(tmp_path / "other.jsonl")) == 1
    assert "no record of a tournament" in capsys.readouterr().err


def test_schedules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert tablectl("schedules") == 0
    assert "T2000\tT2,000\t20 levels, 7:15" in capsys.readouterr().out
    assert tablectl("schedule", "T20000") == 0
    assert "10-minute break, colour out chips that the director names" in capsys.readouterr().out
    mine = tmp_path / "mine.toml"
    mine.write_text('title = "Mine"\n[[level]]\nsmall-blind = 5\nbig-blind = 10\n')
    assert tablectl("schedule", str(mine)) == 2
    assert "mine.toml:2: level.minutes: missing" in capsys.readouterr().err


def test_league(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results = tmp_path / "season.csv"
    results.write_text(
        "event,player,buy_ins,buy_in,spent,finish,status\n"
        "1,X,20,40,40,20,\n1,Y,20,40,80,1,\n1,Z,20,40,40,,absent\n2,X,20,40,40,3,forfeits\n"
    )
    assert tablectl("league", str(results), "--json") == 0
    assert json.loads(capsys.readouterr().out) == [
        {"player": "Y", "points": 10.0},
        {"player": "X", "points": 1.3469},
        {"player": "Z", "points": -1.3469},
    ]
    assert tablectl("league", str(results)) == 0
    assert "  1  Y                       10.00" in capsys.readouterr().out
    results.write_text("event,player\n")
    assert tablectl("league", str(results)) == 1
    assert "missing: buy_ins" in capsys.readouterr().err
    results.write_text("event,player,buy_ins,buy_in,spent,finish\n1,X,many,40,40,1\n")
    assert tablectl("league", str(results)) == 1
    assert "line 2" in capsys.readouterr().err

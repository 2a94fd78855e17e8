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


def test_balance(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tables = tmp_path / "tables.json"
    field = {
        "at_start": 2,
        "tables": [
            {"name": "A", "seats": [1, 2, 3, 5, 6, 8, 9], "button": 2, "big": 5},
            {"name": "B", "seats": [1, 2, 4, 5, 7], "button": 5, "big": 1, "eliminated": [8]},
        ],
    }
    tables.write_text(json.dumps(field))
    assert tablectl("balance", str(tables)) == 0
    assert (
        capsys.readouterr().out == "table A, seat 5 moves to table B, seat 8 [FC, Section 10, Moving Players, rule 1]\n"
    )
    assert tablectl("balance", str(tables), "--rulebook", "maryport") == 0
    assert capsys.readouterr().out == "the tables play on\n"
    assert tablectl("balance", str(tables), "--rulebook", "roberts-7", "--json") == 0
    assert json.loads(capsys.readouterr().out) == [
        {"do": "move", "cite": ["R7-15.tourn.15"], "table": "A", "seat": 6, "to": "B", "to_seat": 3}
    ]


@pytest.mark.parametrize(("order", "at_start"), [((), 2), (("B",), 9), (("B",), 2)])
def test_TDA_71_A_a_penalty_goes_along_with_whoever_moves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], order: tuple[str, ...], at_start: int
) -> None:
    """To balance tables, when one breaks, and when all seats are drawn anew.

    Covers: TDA-71-A
    """
    tables = tmp_path / "tables.json"
    penalties = {"A": {"6": 2, "9": 1}, "B": {"4": 7}}
    field = {
        "at_start": at_start,
        "order": order,
        "tables": [
            {"name": "A", "seats": [1, 2, 3, 5, 6, 8, 9], "button": 2, "big": 5, "penalties": penalties["A"]},
            {"name": "B", "seats": [1, 4], "button": 4, "big": 1, "penalties": penalties["B"]},
        ],
    }
    tables.write_text(json.dumps(field))
    assert tablectl("balance", str(tables), "--rulebook", "tda-2024", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    along = [(at["table"], at["seat"], at["hands"]) for advice in found for at in advice.get("penalties", ())]
    if any(advice["do"] in ("redraw", "final-table") for advice in found):
        assert along == [("A", 6, 2), ("A", 9, 1), ("B", 4, 7)]
    else:
        moved = {(advice["table"], str(advice["seat"])) for advice in found if advice["do"] == "move"}
        assert [(table, str(seat)) for table, seat, _ in along] == [
            (table, seat) for table, some in penalties.items() for seat in some if (table, seat) in moved
        ]
    assert along
    assert tablectl("balance", str(tables), "--rulebook", "tda-2024") == 0
    out = capsys.readouterr().out
    assert out.count("goes along: ") == len(along)
    assert "[TDA, Rule 71-C]" in out


@pytest.mark.parametrize(
    "field",
    [
        [],
        {"tables": 3},
        {"tables": [], "colour": 1},
        {"tables": [{"name": "A"}]},
        {"tables": [{"name": "A", "seats": [], "button": 1, "big": 2}]},
        {"tables": [{"name": "A", "seats": [11], "button": 1, "big": 2}]},
        {"tables": [{"name": "A", "seats": [4], "button": 1, "big": 2, "eliminated": [4]}]},
        {"tables": [{"name": "A", "seats": [4], "button": 1, "big": 2, "penalties": [4]}]},
        {"tables": [{"name": "A", "seats": [4], "button": 1, "big": 2, "penalties": {"5": 1}}]},
        {"tables": [{"name": "A", "seats": [4], "button": 1, "big": 2, "penalties": {"4": 0}}]},
        {"tables": [{"name": "A", "seats": [4], "button": 1, "big": 2, "penalties": {"x": 1}}]},
    ],
)
def test_tables_that_make_no_sense(tmp_path: Path, capsys: pytest.CaptureFixture[str], field: object) -> None:
    tables = tmp_path / "tables.json"
    tables.write_text(json.dumps(field))
    assert tablectl("balance", str(tables)) == 1
    assert "tablectl tournament:" in capsys.readouterr().err


def test_seats_by_lot(capsys: pytest.CaptureFixture[str]) -> None:
    """A draw can be shown again by its number; without one it is another each time."""
    words = ("seats", *PLAYERS, "--tables", "A", "B", "--places", "4", "--json")
    found = []
    for _ in range(2):
        assert tablectl(*words, "--seed", "7") == 0
        found.append(json.loads(capsys.readouterr().out))
    assert found[0] == found[1]
    assert len({(one["table"], one["seat"]) for one in found[0].values()}) == 6
    assert sorted(one["table"] for one in found[0].values()) == ["A", "A", "A", "B", "B", "B"]
    assert tablectl("seats", *PLAYERS, "--places", "5") == 1
    assert tablectl("seats", "Ana", "Ana") == 1
    capsys.readouterr()
    assert tablectl("seats", "Ana", "Ben") == 0
    assert "table 1, seat " in capsys.readouterr().out


def test_first_button(capsys: pytest.CaptureFixture[str]) -> None:
    """FC: seat 1; R7 and MP: high card, dealt from the dealer's left.

    Covers: FC-10.seating.2, R7-15.tourn.7, MP-7.tourn.8
    """
    assert tablectl("button", "--seats", "3", "1", "7") == 0
    assert capsys.readouterr().out.startswith("seat 1 (FC, Section 10, Seating, rule 2")
    assert tablectl("button", "--seats", "3", "1", "7", "--rulebook", "roberts-7") == 0
    assert "deal a card each to seats 1, 3, 7" in capsys.readouterr().out
    cards = ("--cards", "Kd", "Ks", "2c")
    assert tablectl("button", "--seats", "3", "1", "7", "--rulebook", "maryport", *cards) == 0
    assert capsys.readouterr().out.startswith("seat 3 (MP")
    for wrong in (("--cards", "Kd"), ("--cards", "Kd", "Ks", "xx")):
        assert tablectl("button", "--seats", "3", "1", "7", "--rulebook", "maryport", *wrong) == 1
        capsys.readouterr()


def test_colour_up(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("colour-up", "1=1075", "3=1050", "--chip", "25", "--to", "100")
    assert tablectl(*words, "--json") == 0
    assert json.loads(capsys.readouterr().out)["stacks"] == {"1": 1100, "3": 1100}
    assert tablectl(*words, "--rulebook", "roberts-7") == 0
    assert "dealt to seats 1 1 1 3 3 (R7, Section 15, Tournaments, rule 10)" in capsys.readouterr().out
    assert tablectl(*words, "--rulebook", "roberts-7", "--cards", "Kd", "2c", "3c", "4c", "As") == 0
    assert "seat  3      1,050      1,100  1 of 100 for odd chips" in capsys.readouterr().out
    assert tablectl("colour-up", "1=7", "3=40", "--big", "3", "--chip", "500", "--to", "1000") == 0
    assert "seat  1  gives 6 of 500 to seat 3 for 3 of 1,000, keeps 1" in capsys.readouterr().out
    for wrong in (("1=x", "--chip", "25", "--to", "100"), ("1=7", "--big", "2", "--chip", "500", "--to", "1000")):
        assert tablectl("colour-up", *wrong) == 1


def test_results_for_the_league(record: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What a record says goes into the season as it is: ties count as the average of their places."""
    loaded(record)
    for player, stack in zip(PLAYERS[:-1], (1400, 1400, 900, 900, 900), strict=True):
        hand = "10" if player in PLAYERS[:2] else str(11 + PLAYERS.index(player))
        words = ("--hand", hand, "--stack", str(stack), "--record", record)
        assert tablectl("eliminate", player, *words, *(("--disqualified",) if player == "Dee" else ())) == 0
    capsys.readouterr()
    assert tablectl("results", "--event", "4", "--record", record) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[1] == "4,Fay,6,40,40,1,"
    assert "4,Ana,6,40,40,5.5," in out
    assert "4,Dee,6,40,40,3,forfeits" in out
    (tmp_path / "season.csv").write_text(out)
    assert tablectl("league", str(tmp_path / "season.csv")) == 0
    assert capsys.readouterr().out.startswith("  1  Fay ")


def test_championship(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nine buy-ins of 100 and 860 of rakes: 960, 480, 320, and no rake.

    Covers: FC-11.postpay
    """
    record = str(tmp_path / "championship.jsonl")
    players = [f"p{n}" for n in range(9)]
    assert tablectl("load", "T100000", *players, "--buy-in", "100", "--record", record) == 0
    capsys.readouterr()
    assert tablectl("payout", "--rakes", "860", "--json", "--record", record) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["pool"], shown["rake"], shown["prizes"]) == (1760.0, 0.0, [960.0, 480.0, 320.0])
    assert tablectl("payout", "--rakes", "860", "--purse", "3", "--players", "3", "--record", record) == 1


def test_season_after_the_season(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first eight, the next nine; a quarter of 180,000 by points; props."""
    season = tmp_path / "season.csv"
    rows = [f"1,p{n:02},20,40,40,{n}," for n in range(1, 20)]
    season.write_text("\n".join(("event,player,buy_ins,buy_in,spent,finish,status", *rows)))
    assert tablectl("league", str(season), "--postseason", "--declined", "p03", "p10", "--json") == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["championship"] == ["p01", "p02", "p04", "p05", "p06", "p07", "p08"]
    assert shown["qualifier"] == ["p09", *(f"p{n}" for n in range(11, 19))]
    assert tablectl("league", str(season), "--postseason") == 0
    assert "Championship: p01, p02" in capsys.readouterr().out
    assert tablectl("league", str(season), "--bonus", "180000", "--players", "p01", "p03", "--json") == 0
    assert json.loads(capsys.readouterr().out) == {"p01": 30_000, "p03": 15_000}
    assert tablectl("league", str(season), "--bonus", "180000", "--players", "p99") == 1
    assert tablectl("league", str(season), "--bonus", "0") == 1
    assert "above 0" in capsys.readouterr().err
    assert tablectl("league", str(season), "--bonus", "180000") == 0
    capsys.readouterr()
    props = tmp_path / "props.csv"
    props.write_text("player,cashes,rebuys\na,3,2\nb,1,0\nc,1,1\n")
    assert tablectl("props", str(props), "--json") == 0
    assert json.loads(capsys.readouterr().out)[0] == {"player": "b", "points": 4.5}
    assert tablectl("props", str(props)) == 0
    props.write_text("player,cashes\na,many\n")
    assert tablectl("props", str(props)) == 1
    props.write_text("who\na\n")
    assert tablectl("props", str(props)) == 1

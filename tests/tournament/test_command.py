"""`tablectl tournament`, as a director types it."""

import json
from pathlib import Path

import pytest

from tests.tournament.desk import direct

PLAYERS = ("Ana", "Ben", "Cem", "Dee", "Eve", "Fay")


@pytest.fixture
def record(tmp_path: Path) -> str:
    return str(tmp_path / "evening.jsonl")


def loaded(record: str) -> None:
    direct("load", "T2000", *PLAYERS, "--buy-in", "40", "--record", record, "--at", "1000")


def test_clock(record: str) -> None:
    loaded(record)
    assert "level 1: 5/10, 30:00 left, break in 90:00, then level 2: 10/20" in direct(
        "start", "--record", record, "--at", "2000"
    )
    assert "stands still" in direct("pause", "--record", record, "--at", "2060")
    shown = json.loads(direct("status", "--json", "--record", record, "--at", "9000"))
    assert (shown["level"], shown["left"], shown["running"]) == (1, 29 * 60, False)
    direct("resume", "--record", record, "--at", "9000")
    assert "break for 14:00 more, then level 4: 20/40" in direct(
        "status", "--record", record, "--at", str(9000 + 95 * 60)
    )
    assert "the schedule is over; level 20 stays" in direct("status", "--record", record, "--at", str(9000 + 9 * 3600))


def test_places_and_prizes(record: str) -> None:
    loaded(record)
    for hand, player in enumerate(PLAYERS[:-1], start=10):
        direct("eliminate", player, "--hand", str(hand), "--stack", "900", "--record", record)
    direct("rebuy", "Ana", "--amount", "30", "--record", record)
    direct("eliminate", "Ana", "--hand", "14", "--stack", "900", "--record", record)
    shown = json.loads(direct("payout", "--json", "--record", record))
    assert (shown["pool"], shown["rake"], shown["prizes"]) == (246.0, 24.0, [165.0, 81.0])
    assert [(one["player"], one["place"], one["tied"], one["prize"]) for one in shown["finishes"]][:3] == [
        ("Fay", 1, 1, 165.0),
        ("Ana", 2, 2, 40.5),
        ("Eve", 2, 2, 40.5),
    ]
    assert "prize pool 246, rake 24" in direct("payout", "--record", record)


def test_payout_of_a_purse(record: str) -> None:
    """The Championship of the text: 960, 480, 320."""
    shown = json.loads(direct("payout", "--purse", "1760", "--players", "9", "--json"))
    assert shown["prizes"] == [960.0, 480.0, 320.0]
    assert "go together" in direct("payout", "--purse", "1760", "--record", record, status=1)


def test_record_cut_off_by_a_power_failure(record: str) -> None:
    loaded(record)
    direct("eliminate", "Ana", "--hand", "3", "--stack", "10", "--record", record)
    with Path(record).open("ab") as file:
        file.write(b'{"do": "elim')
    assert "4 of 6 players left" in direct("eliminate", "Ben", "--hand", "4", "--stack", "10", "--record", record)
    direct("status", "--record", record)


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
def test_refusals(record: str, words: tuple[str, ...], status: int, message: str) -> None:
    loaded(record)
    before = Path(record).read_bytes()
    assert message in direct(*words, "--record", record, status=status)
    assert Path(record).read_bytes() == before


def test_no_record(tmp_path: Path) -> None:
    direct("status", "--record", str(tmp_path / "none.jsonl"), status=2)
    (tmp_path / "other.jsonl").write_text('{"ev": "table"}\n')
    assert "no record of a tournament" in direct("status", "--record", str(tmp_path / "other.jsonl"), status=1)


def test_schedules(tmp_path: Path) -> None:
    assert "T2000\tT2,000\t20 levels, 7:15" in direct("schedules")
    assert "10-minute break, colour out chips that the director names" in direct("schedule", "T20000")
    mine = tmp_path / "mine.toml"
    mine.write_text('title = "Mine"\n[[level]]\nsmall-blind = 5\nbig-blind = 10\n')
    assert "mine.toml:2: level.minutes: missing" in direct("schedule", str(mine), status=2)


def test_league(tmp_path: Path) -> None:
    """Covers: FC-11.league.score."""
    results = tmp_path / "season.csv"
    results.write_text(
        "event,player,buy_ins,buy_in,spent,finish,status\n"
        "1,X,20,40,40,20,\n1,Y,20,40,80,1,\n1,Z,20,40,40,,absent\n2,X,20,40,40,3,forfeits\n"
    )
    assert json.loads(direct("league", str(results), "--json")) == [
        {"player": "Y", "points": 10.0},
        {"player": "X", "points": 1.3469},
        {"player": "Z", "points": -1.3469},
    ]
    assert "  1  Y                       10.00" in direct("league", str(results))
    results.write_text("event,player\n")
    assert "missing: buy_ins" in direct("league", str(results), status=1)
    results.write_text("event,player,buy_ins,buy_in,spent,finish\n1,X,many,40,40,1\n")
    assert "line 2" in direct("league", str(results), status=1)


def test_balance(tmp_path: Path) -> None:
    tables = tmp_path / "tables.json"
    field = {
        "at_start": 2,
        "tables": [
            {"name": "A", "seats": [1, 2, 3, 5, 6, 8, 9], "button": 2, "big": 5},
            {"name": "B", "seats": [1, 2, 4, 5, 7], "button": 5, "big": 1, "eliminated": [8]},
        ],
    }
    tables.write_text(json.dumps(field))
    moves = "table A, seat 5 moves to table B, seat 8 [FC, Section 10, Moving Players, rule 1]"
    assert direct("balance", str(tables)) == f"{moves}\n"
    assert direct("balance", str(tables), "--rulebook", "maryport") == "the tables play on\n"
    assert json.loads(direct("balance", str(tables), "--rulebook", "roberts-7", "--json")) == [
        {"do": "move", "cite": ["R7-15.tourn.15"], "table": "A", "seat": 6, "to": "B", "to_seat": 3}
    ]


@pytest.mark.parametrize(("order", "at_start"), [((), 2), (("B",), 9), (("B",), 2)])
def test_TDA_71_A_a_penalty_goes_along_with_whoever_moves(
    tmp_path: Path, order: tuple[str, ...], at_start: int
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
    found = json.loads(direct("balance", str(tables), "--rulebook", "tda-2024", "--json"))
    along = [(at["table"], at["seat"], at["hands"]) for advice in found for at in advice.get("penalties", ())]
    if any(advice["do"] in ("redraw", "final-table") for advice in found):
        assert along == [("A", 6, 2), ("A", 9, 1), ("B", 4, 7)]
    else:
        moved = {(advice["table"], str(advice["seat"])) for advice in found if advice["do"] == "move"}
        assert [(table, str(seat)) for table, seat, _ in along] == [
            (table, seat) for table, some in penalties.items() for seat in some if (table, seat) in moved
        ]
    assert along
    out = direct("balance", str(tables), "--rulebook", "tda-2024")
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
def test_tables_that_make_no_sense(tmp_path: Path, field: object) -> None:
    tables = tmp_path / "tables.json"
    tables.write_text(json.dumps(field))
    assert "tablectl tournament:" in direct("balance", str(tables), status=1)


def test_seats_by_lot() -> None:
    """A draw can be shown again by its number; without one it is another each time."""
    words = ("seats", *PLAYERS, "--tables", "A", "B", "--places", "4", "--json")
    found = [json.loads(direct(*words, "--seed", "7")) for _ in range(2)]
    assert found[0] == found[1]
    assert len({(one["table"], one["seat"]) for one in found[0].values()}) == 6
    assert sorted(one["table"] for one in found[0].values()) == ["A", "A", "A", "B", "B", "B"]
    direct("seats", *PLAYERS, "--places", "5", status=1)
    direct("seats", "Ana", "Ana", status=1)
    assert "table 1, seat " in direct("seats", "Ana", "Ben")


def test_first_button() -> None:
    """FC: seat 1; R7 and MP: high card, dealt from the dealer's left; WSOP: directly right of the dealer.

    Covers: FC-10.seating.2, R7-15.tourn.7, MP-7.tourn.8, WSOP-T-85
    """
    assert direct("button", "--seats", "3", "1", "7", "--rulebook", "wsop-2024").startswith("seat 7 (WSOP")
    assert direct("button", "--seats", "3", "1", "7").startswith("seat 1 (FC, Section 10, Seating, rule 2")
    assert "deal a card each to seats 1, 3, 7" in direct("button", "--seats", "3", "1", "7", "--rulebook", "roberts-7")
    cards = ("--cards", "Kd", "Ks", "2c")
    assert direct("button", "--seats", "3", "1", "7", "--rulebook", "maryport", *cards).startswith("seat 3 (MP")
    for wrong in (("--cards", "Kd"), ("--cards", "Kd", "Ks", "xx")):
        direct("button", "--seats", "3", "1", "7", "--rulebook", "maryport", *wrong, status=1)


def test_colour_up() -> None:
    words = ("colour-up", "1=1075", "3=1050", "--chip", "25", "--to", "100")
    assert json.loads(direct(*words, "--json"))["stacks"] == {"1": 1100, "3": 1100}
    assert "dealt to seats 1 1 1 3 3 (R7, Section 15, Tournaments, rule 10)" in direct(
        *words, "--rulebook", "roberts-7"
    )
    assert "seat  3      1,050      1,100  1 of 100 for odd chips" in direct(
        *words, "--rulebook", "roberts-7", "--cards", "Kd", "2c", "3c", "4c", "As"
    )
    assert "seat  1  gives 6 of 500 to seat 3 for 3 of 1,000, keeps 1" in direct(
        "colour-up", "1=7", "3=40", "--big", "3", "--chip", "500", "--to", "1000"
    )
    for wrong in (("1=x", "--chip", "25", "--to", "100"), ("1=7", "--big", "2", "--chip", "500", "--to", "1000")):
        direct("colour-up", *wrong, status=1)


def test_results_for_the_league(record: str, tmp_path: Path) -> None:
    """What a record says goes into the season as it is: ties count as the average of their places."""
    loaded(record)
    for player, stack in zip(PLAYERS[:-1], (1400, 1400, 900, 900, 900), strict=True):
        hand = "10" if player in PLAYERS[:2] else str(11 + PLAYERS.index(player))
        words = ("--hand", hand, "--stack", str(stack), "--record", record)
        direct("eliminate", player, *words, *(("--disqualified",) if player == "Dee" else ()))
    out = direct("results", "--event", "4", "--record", record)
    assert out.splitlines()[1] == "4,Fay,6,40,40,1,"
    assert "4,Ana,6,40,40,5.5," in out
    assert "4,Dee,6,40,40,3,forfeits" in out
    (tmp_path / "season.csv").write_text(out)
    assert direct("league", str(tmp_path / "season.csv")).startswith("  1  Fay ")


def test_championship(tmp_path: Path) -> None:
    """Nine buy-ins of 100 and 860 of rakes: 960, 480, 320, and no rake.

    Covers: FC-11.postpay
    """
    record = str(tmp_path / "championship.jsonl")
    players = [f"p{n}" for n in range(9)]
    direct("load", "T100000", *players, "--buy-in", "100", "--record", record)
    shown = json.loads(direct("payout", "--rakes", "860", "--json", "--record", record))
    assert (shown["pool"], shown["rake"], shown["prizes"]) == (1760.0, 0.0, [960.0, 480.0, 320.0])
    direct("payout", "--rakes", "860", "--purse", "3", "--players", "3", "--record", record, status=1)


def test_season_after_the_season(tmp_path: Path) -> None:
    """The first eight, the next nine; a quarter of 180,000 by points; props.

    Covers: FC-11.postseason, FC-11.bonus, FC-11.side.props
    """
    season = tmp_path / "season.csv"
    rows = [f"1,p{n:02},20,40,40,{n}," for n in range(1, 20)]
    season.write_text("\n".join(("event,player,buy_ins,buy_in,spent,finish,status", *rows)))
    shown = json.loads(direct("league", str(season), "--postseason", "--declined", "p03", "p10", "--json"))
    assert shown["championship"] == ["p01", "p02", "p04", "p05", "p06", "p07", "p08"]
    assert shown["qualifier"] == ["p09", *(f"p{n}" for n in range(11, 19))]
    assert "Championship: p01, p02" in direct("league", str(season), "--postseason")
    assert json.loads(direct("league", str(season), "--bonus", "180000", "--players", "p01", "p03", "--json")) == {
        "p01": 30_000,
        "p03": 15_000,
    }
    direct("league", str(season), "--bonus", "180000", "--players", "p99", status=1)
    assert "above 0" in direct("league", str(season), "--bonus", "0", status=1)
    direct("league", str(season), "--bonus", "180000")
    props = tmp_path / "props.csv"
    props.write_text("player,cashes,rebuys\na,3,2\nb,1,0\nc,1,1\n")
    assert json.loads(direct("props", str(props), "--json"))[0] == {"player": "b", "points": 4.5}
    direct("props", str(props))
    props.write_text("player,cashes\na,many\n")
    direct("props", str(props), status=1)
    props.write_text("who\na\n")
    direct("props", str(props), status=1)

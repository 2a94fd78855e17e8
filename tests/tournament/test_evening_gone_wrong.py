"""What goes wrong on an evening: several tables, damaged records, two desks at once, a clock that is set."""

import itertools
import json
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from config.rulebook_file import load_rulebook
from controller.cli import main
from controller.cli.tournament import tournament_record as desk
from controller.core.tournament.advice import AdviceKind, advise
from controller.core.tournament.balance import TableOccupancy

FC = load_rulebook("fish-n-chips").tournament
PLAYERS = tuple("abcdefghijkl")


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "evening.jsonl"
    assert tablectl(path, "load", "T2000", *PLAYERS, "--buy-in", "40", "--at", "0") == 0
    return path


def tablectl(record: Path, *words: str) -> int:
    return main(["tournament", *words, "--record", str(record)])


def places(record: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, tuple[int, int]]:
    capsys.readouterr()
    assert tablectl(record, "payout", "--json") == 0
    found = json.loads(capsys.readouterr().out)["finishes"]
    return {one["player"]: (one["place"], one["tied"]) for one in found}


@pytest.mark.parametrize("sizes", [(5, 5), (6, 4), (7, 3)])
def test_FC_10_final_ten_left_play_five_and_five(sizes: tuple[int, int]) -> None:
    """No table breaks by R7 though an order was set: the book has its own rule for ten.

    Covers: FC-10.final#a
    """
    tables = tuple(TableOccupancy(name, tuple(range(1, n + 1)), 1, 3) for name, n in zip("AB", sizes, strict=True))
    found = advise(FC, tables, 2, order=("B", "A"))
    moved = sum(one.kind is AdviceKind.MOVE for one in found)
    assert moved == sizes[0] - 5
    assert found[-1].kind is AdviceKind.HAND_FOR_HAND
    assert len(found) == moved + 1


def test_FC_10_moving_nobody_went_out_cites_whom_it_follows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody has gone out, so no seat is the eliminated player's: the mover is found by R7, and it says so."""
    path = tmp_path / "tables.json"
    tables = [{"name": name, "seats": list(range(1, n + 1)), "button": 1, "big": 3} for name, n in (("A", 8), ("B", 6))]
    path.write_text(json.dumps({"tables": tables}))
    assert main(["tournament", "balance", str(path)]) == 0
    assert capsys.readouterr().out.endswith("[R7, Section 15, Tournaments, rule 15, by default]\n")


def test_hand_41_of_two_tables_is_two_hands(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Time decides between tables, however they number their hands [FC-10.winning.2]."""
    for player, table, hand, stack in (
        ("a", "A", 41, 900),
        ("b", "B", 41, 100),
        ("c", "B", 30, 5),
        ("d", "A", 41, 800),
    ):
        words = ("--hand", str(hand), "--stack", str(stack), "--table", table, "--at", "9")
        assert tablectl(record, "eliminate", player, *words) == (1 if player == "c" else 0)
    assert tablectl(record, "eliminate", "c", "--hand", "30", "--stack", "5", "--table", "C", "--at", "9") == 0
    assert places(record, capsys) == {"d": (12, 1), "a": (11, 1), "b": (10, 1), "c": (9, 1)}


def test_hand_for_hand_one_hand_is_common(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert tablectl(record, "hand-for-hand", "--at", "1") == 0
    for player, table, stack in (("a", "A", 900), ("b", "B", 100)):
        words = ("--hand", "1", "--stack", str(stack), "--table", table, "--at", "9")
        assert tablectl(record, "eliminate", player, *words) == 0
    assert places(record, capsys) == {"b": (12, 1), "a": (11, 1)}
    text = record.read_text(encoding="utf-8")
    record.write_text(text.replace('"rulebook": "fish-n-chips"', '"rulebook": "wsop-2024"'), encoding="utf-8")
    assert places(record, capsys) == {"b": (11, 2), "a": (11, 2)}, "WSOP-T-126.b"


def test_FC_10_rebuy_2_and_4a(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One each, until level 3, on the level of the loss."""
    assert tablectl(record, "start", "--at", "0") == 0

    def out(player: str, minute: int) -> None:
        words = ("--hand", str(minute), "--stack", "9", "--at", str(60 * minute))
        assert tablectl(record, "eliminate", player, *words) == 0

    def rebuy(player: str, minute: int, *more: str) -> int:
        return tablectl(record, "rebuy", player, "--amount", "30", "--at", str(60 * minute), *more)

    out("a", 10)
    assert rebuy("a", 11) == 0
    out("a", 12)
    assert rebuy("a", 13) == 1
    assert "has had 1 rebuy, no more are allowed (FC" in capsys.readouterr().err
    out("b", 29)
    assert rebuy("b", 31) == 1
    assert "on level 1, that of the loss" in capsys.readouterr().err
    assert rebuy("b", 31, "--last-hand") == 0
    out("c", 120)
    assert rebuy("c", 121) == 1
    assert "no rebuy after level 3" in capsys.readouterr().err


@pytest.mark.parametrize("words", [("--purse", "-10", "--players", "9"), ("--purse", "10", "--players", "-9")])
def test_a_purse_below_nothing_is_refused(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", "payout", *words]) == 1
    assert capsys.readouterr().err.startswith("tablectl tournament: ")


def test_no_damaged_record_makes_the_program_fail(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chance = random.Random(3)
    assert tablectl(record, "start", "--at", "1") == 0
    assert tablectl(record, "eliminate", "a", "--hand", "3", "--stack", "10", "--at", "2") == 0
    sound = record.read_bytes()
    scraps = (
        b"null",
        b"[]",
        b"{}",
        b"1e999",
        b'"x"',
        b"\xff",
        b"[" * 5000,
        b"-1",
        b"9" * 5000,
        b'{"do":"start"}\n',
        b"\n",
    )
    values: tuple[object, ...] = (None, [], {}, -1, 1e400, "x", True, [[]], 10**400)
    for turn in range(120):
        if turn % 2:
            at = chance.randrange(len(sound))
            spoilt = sound[:at] + chance.choice(scraps) + sound[at + chance.randrange(30) :]
        else:
            lines = [json.loads(line) for line in sound.splitlines()]
            line = chance.choice(lines)
            line[chance.choice(sorted(line))] = chance.choice(values)
            spoilt = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
        record.write_bytes(spoilt)
        for words in (("status", "--at", "5"), ("payout",), ("results",), ("pause", "--at", "6")):
            assert tablectl(record, *words) in (0, 1, 2)
    capsys.readouterr()


def test_two_desks_at_once_lose_nothing(record: Path) -> None:
    """Each command is a process of its own; every one that was acknowledged is in the record."""
    tool = Path(sys.executable).with_name("tablectl")
    words = [
        [str(tool), "tournament", "eliminate", player, "--hand", "5", "--stack", "1", "--record", str(record)]
        for player in PLAYERS[:6]
    ]
    running = [subprocess.Popen(one, stdout=subprocess.DEVNULL) for one in words]
    assert [one.wait(60) for one in running] == [0] * 6
    assert sum(json.loads(line)["do"] == "eliminate" for line in record.read_text().splitlines()) == 6


def test_a_clock_that_is_set_back_loses_no_time(
    record: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The machine's own seconds count: the wall's clock goes back an hour between `start` and `pause`."""
    walls, ups = itertools.count(10_000.0, -3_600.0), itertools.count(50.0, 600.0)
    monkeypatch.setattr(desk, "_read_boot_id", lambda: "this start")
    monkeypatch.setattr(time, "time", lambda: next(walls))
    monkeypatch.setattr(time, "clock_gettime", lambda _: next(ups))
    assert tablectl(record, "start") == 0
    assert tablectl(record, "pause") == 0
    capsys.readouterr()
    assert tablectl(record, "status", "--json") == 0
    assert json.loads(capsys.readouterr().out)["elapsed"] == 600.0


def test_a_record_does_not_go_back(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert tablectl(record, "start", "--at", "100") == 0
    assert tablectl(record, "pause", "--at", "50") == 1
    assert "was before the last line of the record" in capsys.readouterr().err

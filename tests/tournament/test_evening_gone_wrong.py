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
from tests.tournament.desk import direct

FC = load_rulebook("fish-n-chips").tournament
PLAYERS = tuple("abcdefghijkl")


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "evening.jsonl"
    tell(path, "load", "T2000", *PLAYERS, "--buy-in", "40", "--at", "0")
    return path


def tell(record: Path, *words: str, status: int = 0) -> str:
    return direct(*words, "--record", str(record), status=status)


def places(record: Path) -> dict[str, tuple[int, int]]:
    found = json.loads(tell(record, "payout", "--json"))["finishes"]
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


def test_FC_10_moving_nobody_went_out_cites_whom_it_follows(tmp_path: Path) -> None:
    """Nobody has gone out, so no seat is the eliminated player's: the mover is found by R7, and it says so."""
    path = tmp_path / "tables.json"
    tables = [{"name": name, "seats": list(range(1, n + 1)), "button": 1, "big": 3} for name, n in (("A", 8), ("B", 6))]
    path.write_text(json.dumps({"tables": tables}))
    assert direct("balance", str(path)).endswith("[R7, Section 15, Tournaments, rule 15, by default]\n")


def test_hand_41_of_two_tables_is_two_hands(record: Path) -> None:
    """Time decides between tables, however they number their hands [FC-10.winning.2]."""
    for player, table, hand, stack in (
        ("a", "A", 41, 900),
        ("b", "B", 41, 100),
        ("c", "B", 30, 5),
        ("d", "A", 41, 800),
    ):
        words = ("--hand", str(hand), "--stack", str(stack), "--table", table, "--at", "9")
        tell(record, "eliminate", player, *words, status=int(player == "c"))
    tell(record, "eliminate", "c", "--hand", "30", "--stack", "5", "--table", "C", "--at", "9")
    assert places(record) == {"d": (12, 1), "a": (11, 1), "b": (10, 1), "c": (9, 1)}


def test_hand_for_hand_one_hand_is_common(record: Path) -> None:
    tell(record, "hand-for-hand", "--at", "1")
    for player, table, stack in (("a", "A", 900), ("b", "B", 100)):
        words = ("--hand", "1", "--stack", str(stack), "--table", table, "--at", "9")
        tell(record, "eliminate", player, *words)
    assert places(record) == {"b": (12, 1), "a": (11, 1)}
    text = record.read_text(encoding="utf-8")
    record.write_text(text.replace('"rulebook": "fish-n-chips"', '"rulebook": "wsop-2024"'), encoding="utf-8")
    assert places(record) == {"b": (11, 2), "a": (11, 2)}, "WSOP-T-126.b"


def test_FC_10_rebuy_2_and_4a(record: Path) -> None:
    """One each, until level 3, on the level of the loss."""
    tell(record, "start", "--at", "0")

    def out(player: str, minute: int) -> None:
        words = ("--hand", str(minute), "--stack", "9", "--at", str(60 * minute))
        tell(record, "eliminate", player, *words)

    def rebuy(player: str, minute: int, *more: str, status: int = 0) -> str:
        return tell(record, "rebuy", player, "--amount", "30", "--at", str(60 * minute), *more, status=status)

    out("a", 10)
    rebuy("a", 11)
    out("a", 12)
    assert "has had 1 rebuy, no more are allowed (FC" in rebuy("a", 13, status=1)
    out("b", 29)
    assert "on level 1, that of the loss" in rebuy("b", 31, status=1)
    rebuy("b", 31, "--last-hand")
    out("c", 120)
    assert "no rebuy after level 3" in rebuy("c", 121, status=1)


@pytest.mark.parametrize("words", [("--purse", "-10", "--players", "9"), ("--purse", "10", "--players", "-9")])
def test_a_purse_below_nothing_is_refused(words: tuple[str, ...]) -> None:
    assert direct("payout", *words, status=1).startswith("tablectl tournament: ")


def test_no_damaged_record_makes_the_program_fail(record: Path) -> None:
    chance = random.Random(3)
    tell(record, "start", "--at", "1")
    tell(record, "eliminate", "a", "--hand", "3", "--stack", "10", "--at", "2")
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
            assert main(["tournament", *words, "--record", str(record)]) in (0, 1, 2)


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


def test_a_clock_that_is_set_back_loses_no_time(record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine's own seconds count: the wall's clock goes back an hour between `start` and `pause`."""
    walls, ups = itertools.count(10_000.0, -3_600.0), itertools.count(50.0, 600.0)
    monkeypatch.setattr(desk, "_read_boot_id", lambda: "this start")
    monkeypatch.setattr(time, "time", lambda: next(walls))
    monkeypatch.setattr(time, "clock_gettime", lambda _: next(ups))
    tell(record, "start")
    tell(record, "pause")
    assert json.loads(tell(record, "status", "--json"))["elapsed"] == 600.0


def test_a_record_does_not_go_back(record: Path) -> None:
    tell(record, "start", "--at", "100")
    assert "was before the last line of the record" in tell(record, "pause", "--at", "50", status=1)

"""Shares of those who end a tournament by agreement, satellites, late entries, bounties."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from config import rulebook_file, schedule_file
from controller.cli import main
from controller.core.rules.questions.house.tournament import TournamentRules
from controller.core.tournament.balance import TableView, final_table, move, redraw_due, spread
from controller.core.tournament.chop import MOST_PLAYERS, chip_chop, icm, satellite
from controller.core.tournament.event import EventError, Tournament, after, opened


def book(name: str) -> TournamentRules:
    return rulebook_file.load(name).tournament


def test_a_chip_chop_leaves_everybody_the_lowest_prize() -> None:
    assert chip_chop({"A": 6000, "B": 3000, "C": 1000}, [500_00, 300_00, 200_00]) == {
        "A": 440_00, "B": 320_00, "C": 240_00,
    }  # fmt: skip


def test_the_independent_chip_model() -> None:
    """Two players: the second prize and the difference by chips. Three: a published example, 5,000, 3,000, 2,000."""
    assert icm({"A": 3, "B": 1}, [100_00, 60_00]) == {"A": 90_00, "B": 70_00}
    found = icm({"A": 5000, "B": 3000, "C": 2000}, [50_00, 30_00, 20_00])
    assert found == {"A": 38_39, "B": 32_75, "C": 28_86}
    second = Fraction(3, 10) * Fraction(5, 7) + Fraction(2, 10) * Fraction(5, 8)
    third = 1 - Fraction(1, 2) - second
    assert abs(found["A"] - (2500 + 3000 * second + 2000 * third)) < 1


@pytest.mark.parametrize("share", [chip_chop, icm])
def test_all_of_it_is_shared_and_nothing_else(share: object) -> None:
    assert callable(share)
    stacks = {f"P{n}": 1000 + 37 * n for n in range(7)}
    assert sum(share(stacks, [100_01, 50_00, 33_33]).values()) == 183_34
    for bad in ({"A": 5}, {"A": 5, "B": 0}):
        with pytest.raises(ValueError, match="chips"):
            share(bad, [100])
    with pytest.raises(ValueError, match="prize"):
        share({"A": 5, "B": 1}, [])
    if share is icm:
        with pytest.raises(ValueError, match="too many"):
            share({f"P{n}": 1 for n in range(MOST_PLAYERS + 1)}, [1])


def test_a_satellite() -> None:
    assert satellite(5_300_00, 1_000_00) == (5, 300_00)
    with pytest.raises(ValueError, match="price"):
        satellite(100, 0)


def event(late_levels: int = 0, bounty: int = 0) -> Tournament:
    found = opened(schedule_file.load("T20000"), ("Ann", "Bob", "Cy"), 100)
    return after(replace(found, late_levels=late_levels, bounty=bounty), {"do": "start", "at": 0})


def gone(player: str, at: float = 10, **more: object) -> dict[str, object]:
    return {"do": "eliminate", "player": player, "hand": int(at), "stack": 500, "at": at, **more}


def test_WSOP_T_12_late_entry_until_a_level_is_over() -> None:
    """A late player counts for the places and the prize pool.

    Covers: WSOP-T-12
    """
    late = after(event(late_levels=2), {"do": "late-entry", "player": "Dee", "at": 60})
    assert (late.remaining, late.purse()[0]) == (("Ann", "Bob", "Cy", "Dee"), 360_00)
    with pytest.raises(EventError, match="open until the end of level 2"):
        after(late, {"do": "late-entry", "player": "Eve", "at": 10**6})
    with pytest.raises(EventError, match="has entered"):
        after(late, {"do": "late-entry", "player": "Ann", "at": 60})


def test_WSOP_T_13_re_entry_as_a_new_participant() -> None:
    """Only without chips; the place of the first entry stands.

    Covers: WSOP-T-13 TDA-8-B
    """
    start = event()
    with pytest.raises(EventError, match="still has chips"):
        after(start, {"do": "re-entry", "player": "Bob", "at": 5})
    with pytest.raises(EventError, match="has not entered"):
        after(start, {"do": "re-entry", "player": "Zoe", "at": 5})
    again = after(after(start, gone("Bob")), {"do": "re-entry", "player": "Bob", "at": 20})
    assert again.remaining == ("Ann", "Cy", "Bob (2)")
    assert [(one.player, one.place) for one in again.finishes()] == [("Bob", 4)]
    third = after(after(again, gone("Bob (2)", 30)), {"do": "re-entry", "player": "Bob", "at": 40})
    assert third.remaining[-1] == "Bob (3)"


def test_bounties_go_to_who_knocks_out_and_the_last_keeps_the_own() -> None:
    found = after(after(event(bounty=20), gone("Bob", by="Ann")), gone("Cy", 20, by="Ann"))
    assert found.bounties() == {"Ann": 60_00}
    with pytest.raises(EventError, match="does not play"):
        after(event(bounty=20), gone("Bob", by="Zoe"))


def test_WSOP_T_126_b_several_out_on_one_hand_played_hand_for_hand() -> None:
    """At different tables they tie; at the same one the larger stack finishes higher.

    Covers: WSOP-T-126.b
    """
    start = after(event(), {"do": "hand-for-hand", "at": 1})
    apart = after(after(start, gone("Bob", table="A")), {**gone("Cy", table="B"), "stack": 500})
    assert [(one.place, one.tied) for one in apart.finishes() if one.player != "Ann"] == [(2, 2), (2, 2)]
    same = after(after(start, gone("Bob", table="A")), {**gone("Cy", table="A"), "stack": 900})
    assert {one.player: one.place for one in same.finishes()} == {"Ann": 1, "Cy": 2, "Bob": 3}


@pytest.mark.parametrize(
    ("name", "seats", "players"),
    [("tda-2024", 9, 9), ("tda-2024", 8, 9), ("tda-2024", 7, 7), ("tda-2024", 6, 7)]
    + [("wsop-2024", seats, seats + 1) for seats in (6, 7, 8, 9)],
)
def test_WSOP_T_68_the_final_table_by_the_seats(name: str, seats: int, players: int) -> None:
    """Covers: TDA-RP-9 WSOP-T-68"""
    found = final_table(book(name), players, 2, seats)
    assert found is not None
    assert found.cite[0] == {"tda-2024": "TDA-RP-9", "wsop-2024": "WSOP-T-68"}[name]
    assert final_table(book(name), players + 1, 2, seats) is None


def test_WSOP_T_67_c_balance_and_redraws() -> None:
    """Within one from twelve tables down; redraws by the entrants.

    Covers: WSOP-T-67.c
    """
    rules = book("wsop-2024")
    assert (spread(rules, 13).value, spread(rules, 12).value) == (2, 1)
    assert [redraw_due(rules, tables, 12, 100) is not None for tables in (4, 3, 2, 1)] == [False, True, True, True]
    assert [redraw_due(rules, tables, 8, 70) is not None for tables in (3, 2, 1)] == [False, True, True]


@pytest.mark.parametrize("name", ["tda-2024", "wsop-2024"])
def test_TDA_11_A_the_next_big_blind_moves_to_the_worst_position(name: str) -> None:
    """The open chair that the big blind reaches first, never the small blind's.

    Covers: TDA-11-A WSOP-T-67.a WSOP-T-66#order
    """
    full = TableView("A", (1, 2, 3, 4, 5, 6, 7, 8, 9), button=1, big=3, places=9)
    short = TableView("B", (1, 2, 4, 6, 8), button=1, big=4, places=9)
    found = move(book(name), (full, short))
    assert found is not None
    assert (found.source, found.seat, found.to, found.to_seat) == ("A", 4, "B", 5)
    assert book(name).break_order.value


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = ["--record", str(tmp_path / "event.jsonl")]
    for command in (
        ["load", "T20000", "Ann", "Bob", "Cy", "--buy-in", "100", "--bounty", "20", "--at", "0"],
        ["start", "--at", "1"],
        ["late-entry", "Dee", "--at", "2"],
        ["eliminate", "Bob", "--hand", "3", "--stack", "500", "--by", "Ann", "--at", "3"],
        ["re-entry", "Bob", "--at", "4"],
        ["payout"],
        ["chop", "Ann=6000", "Cy=3000", "--prizes", "100", "60"],
        ["chop", "Ann=6000", "Cy=3000", "--prizes", "100", "60", "--chips"],
    ):
        assert main(["tournament", *command, *record]) == 0
    out = capsys.readouterr().out
    assert "bounties of Ann  20" in out
    assert "Ann  86.67\nCy  73.33" in out
    assert main(["tournament", "chop", "Ann", *record]) != 0

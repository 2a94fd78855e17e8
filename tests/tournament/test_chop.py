"""Shares of those who end a tournament by agreement, satellites, late entries, bounties."""

import json
from fractions import Fraction
from functools import partial, reduce
from pathlib import Path

import pytest

from config import rulebook_file, schedule_file
from controller.core.rules.questions.house.tournament_rules import SameHandRanking, TournamentRules
from controller.core.tournament.advice import advise
from controller.core.tournament.balance import (
    TableOccupancy,
    find_final_table_rule,
    find_max_spread,
    find_move,
    find_redraw_rule,
)
from controller.core.tournament.finishing_order import Elimination, award_prizes, rank_finishes
from controller.core.tournament.payouts import split_satellite
from controller.core.tournament.prize_chop import MAX_ICM_PLAYERS, chop_by_chips, chop_by_icm
from controller.core.tournament.tournament import Tournament, TournamentError, apply_line, open_tournament
from controller.core.values.value import replace
from tests.tournament.desk import direct


def book(name: str) -> TournamentRules:
    return rulebook_file.load_rulebook(name).tournament


def test_a_chip_chop_leaves_everybody_the_lowest_prize() -> None:
    assert chop_by_chips({"A": 6000, "B": 3000, "C": 1000}, [500_00, 300_00, 200_00]) == {
        "A": 440_00, "B": 320_00, "C": 240_00,
    }  # fmt: skip


def test_the_independent_chip_model() -> None:
    """Two players: the second prize and the difference by chips. Three: a published example, 5,000, 3,000, 2,000."""
    assert chop_by_icm({"A": 3, "B": 1}, [100_00, 60_00]) == {"A": 90_00, "B": 70_00}
    found = chop_by_icm({"A": 5000, "B": 3000, "C": 2000}, [50_00, 30_00, 20_00])
    assert found == {"A": 38_39, "B": 32_75, "C": 28_86}
    second = Fraction(3, 10) * Fraction(5, 7) + Fraction(2, 10) * Fraction(5, 8)
    third = 1 - Fraction(1, 2) - second
    assert abs(found["A"] - (2500 + 3000 * second + 2000 * third)) < 1


@pytest.mark.parametrize("share", [chop_by_chips, chop_by_icm])
def test_all_of_it_is_shared_and_nothing_else(share: object) -> None:
    assert callable(share)
    stacks = {f"P{n}": 1000 + 37 * n for n in range(7)}
    assert sum(share(stacks, [100_01, 50_00, 33_33]).values()) == 183_34
    for bad in ({"A": 5}, {"A": 5, "B": 0}):
        with pytest.raises(ValueError, match="chips"):
            share(bad, [100])
    with pytest.raises(ValueError, match="prize"):
        share({"A": 5, "B": 1}, [])
    if share is chop_by_icm:
        with pytest.raises(ValueError, match="too many"):
            share({f"P{n}": 1 for n in range(MAX_ICM_PLAYERS + 1)}, [1])


def test_a_satellite() -> None:
    assert split_satellite(2_300_00, 1_000_00, 20) == (2, (1_000_00, 1_000_00, 300_00))
    assert split_satellite(2_000_00, 1_000_00, 20) == (2, (1_000_00, 1_000_00))
    assert split_satellite(500_00, 1_000_00, 20) == (0, (500_00,))
    assert split_satellite(3_500_01, 1_000_00, 3) == (3, (1_166_67, 1_166_67, 1_166_67))
    for bad in ((100, 0, 5), (-1, 10, 5), (100, 10, 0)):
        with pytest.raises(ValueError, match="price"):
            split_satellite(*bad)


def event(late_levels: int = 0, bounty: int = 0, seat: int = 0, players: str = "Ann Bob Cy") -> Tournament:
    found = open_tournament(schedule_file.load_schedule("T20000"), players.split(), 100)
    return apply_line(
        replace(found, late_entry_levels=late_levels, bounty=bounty, satellite_seat_price=seat),
        {"do": "start", "at": 0},
    )


def gone(player: str, at: float = 10, **more: object) -> dict[str, object]:
    return {"do": "eliminate", "player": player, "hand": int(at), "stack": 500, "at": at, **more}


def test_WSOP_T_12_late_entry_until_a_level_is_over() -> None:
    """A late player counts for the places and the prize pool.

    Covers: WSOP-T-12
    """
    late = apply_line(event(late_levels=2), {"do": "late-entry", "player": "Dee", "at": 60})
    assert (late.remaining_players, late.split_purse()[0]) == (("Ann", "Bob", "Cy", "Dee"), 360_00)
    with pytest.raises(TournamentError, match="open until the end of level 2"):
        apply_line(late, {"do": "late-entry", "player": "Eve", "at": 10**6})
    with pytest.raises(TournamentError, match="has entered"):
        apply_line(late, {"do": "late-entry", "player": "Ann", "at": 60})


def test_WSOP_T_13_re_entry_as_a_new_participant() -> None:
    """Only without chips; the place of the first entry stands.

    Covers: WSOP-T-13 TDA-8-B
    """
    start = event()
    with pytest.raises(TournamentError, match="still has chips"):
        apply_line(start, {"do": "re-entry", "player": "Bob", "at": 5})
    with pytest.raises(TournamentError, match="has not entered"):
        apply_line(start, {"do": "re-entry", "player": "Zoe", "at": 5})
    again = after(start, gone("Bob"), {"do": "re-entry", "player": "Bob", "at": 20})
    assert again.remaining_players == ("Ann", "Cy", "Bob (2)")
    assert [(one.player, one.place) for one in again.finishes()] == [("Bob", 4)]
    third = after(again, gone("Bob (2)", 30), {"do": "re-entry", "player": "Bob", "at": 40})
    assert third.remaining_players[-1] == "Bob (3)"


def after(found: Tournament, *lines: dict[str, object]) -> Tournament:
    """The tournament when the lines have been entered."""
    return reduce(apply_line, lines, found)


def won(found: Tournament) -> dict[str, tuple[int, int, int]]:
    return {one.player: (one.place, one.tied_count, one.prize_cents) for one in found.finishes()}


def test_a_satellite_is_over_when_everybody_who_is_left_has_a_seat() -> None:
    """Six at 100 with a tenth raked: two seats of 200, and 140 for the third place."""
    start = event(seat=200, players="Ann Bob Cy Dee Eve Flo")
    assert (start.satellite_seat_count, start.is_satellite_over, start.prizes()) == (2, False, (200_00, 200_00, 140_00))
    three = after(start, gone("Bob"), gone("Cy", 20), gone("Dee", 30))
    assert not three.is_satellite_over
    two = apply_line(three, gone("Eve", 40))
    assert two.is_satellite_over
    assert won(two) == {
        "Ann": (1, 2, 200_00), "Flo": (1, 2, 200_00), "Eve": (3, 1, 140_00), "Dee": (4, 1, 0), "Cy": (5, 1, 0),
        "Bob": (6, 1, 0),
    }  # fmt: skip
    for line in (gone("Ann", 50), {"do": "late-entry", "player": "Gil", "at": 50}, {"do": "re-entry", "player": "Bob",
                 "at": 50}, {"do": "rebuy", "player": "Eve", "amount": 100, "at": 50}):  # fmt: skip
        with pytest.raises(TournamentError, match="the satellite is over: 2 seats for Ann, Flo"):
            apply_line(two, line)


def test_who_goes_out_on_the_hand_that_ends_a_satellite_has_the_place_of_the_stack() -> None:
    three = after(event(seat=200, players="Ann Bob Cy Dee Eve Flo"), gone("Bob"), gone("Cy"), gone("Dee"))
    both = after(three, gone("Eve", 40), {**gone("Flo", 40), "stack": 900})
    assert won(both)["Flo"] == (2, 1, 200_00)
    assert won(both)["Eve"] == (3, 1, 140_00)
    equal = after(three, gone("Eve", 40), gone("Flo", 40))
    assert won(equal)["Flo"] == (2, 2, 170_00)


def test_a_satellite_that_buys_no_seat_is_played_to_the_last_player() -> None:
    two = apply_line(event(seat=1_000), gone("Bob"))
    assert (two.satellite_seat_count, two.is_satellite_over, two.prizes()) == (0, False, (270_00,))
    assert won(apply_line(two, gone("Cy", 20)))["Ann"] == (1, 1, 270_00)


def test_a_satellite_that_buys_everybody_a_seat_is_over_before_it_begins() -> None:
    start = event(seat=50)
    assert start.is_satellite_over
    assert won(start)["Ann"] == (1, 3, 90_00)
    with pytest.raises(TournamentError, match="is over"):
        apply_line(start, gone("Ann"))


def test_the_commands_of_a_satellite(tmp_path: Path) -> None:
    record = ["--record", str(tmp_path / "satellite.jsonl")]
    players = ["Ann", "Bob", "Cy", "Dee", "Eve", "Flo"]
    direct("load", "T20000", *players, "--buy-in", "100", "--seat", "200", "--at", "0", *record)
    said = [
        direct("eliminate", player, "--hand", str(at), "--stack", "500", "--at", str(at), *record)
        for at, player in enumerate(("Bob", "Cy", "Dee", "Eve"), start=1)
    ]
    assert "3 of 6 players left, 2 seats to be won" in said[2]
    assert "2 of 6 players left, the satellite is over: 2 seats" in said[3]
    out = ("eliminate", "Ann", "--hand", "9", "--stack", "5", "--at", "9")
    assert "the satellite is over" in direct(*out, *record, status=1)
    status = json.loads(direct("status", "--json", "--at", "9", *record))
    assert (status["seats"], status["over"], status["players"]) == (2, True, ["Ann", "Flo"])
    paid = direct("payout", *record)
    assert "  2         200  a seat\n  3         140\n" in paid
    assert "  1  Ann (tied, 2 players)  a seat\n" in paid
    assert "  3  Eve  140\n" in paid
    paid = direct("payout", "--purse", "5300", "--players", "60", "--seat", "1000")
    assert "  5       1,000  a seat\n  6         300\n" in paid
    assert "--seat goes with --purse" in direct("payout", "--seat", "1000", *record, status=1)


@pytest.mark.parametrize("key", ["--seat", "--bounty", "--late-levels"])
def test_a_record_does_not_begin_with_less_than_nothing(tmp_path: Path, key: str) -> None:
    file = tmp_path / "event.jsonl"
    words = ("load", "T20000", "Ann", "Bob", key, "-5", "--record", str(file))
    assert "a number from 0; it is -5" in direct(*words, status=1)
    assert not file.exists()


def test_bounties_go_to_who_knocks_out_and_the_last_keeps_the_own() -> None:
    found = after(event(bounty=20), gone("Bob", by="Ann"), gone("Cy", 20, by="Ann"))
    assert found.bounty_by_player() == {"Ann": 60_00}
    with pytest.raises(TournamentError, match="does not play"):
        apply_line(event(bounty=20), gone("Bob", by="Zoe"))


def hand_for_hand(rulebook: str, *gone_out: tuple[str, str, int]) -> dict[str, tuple[int, int]]:
    """(place, how many tie) of five players, of whom some go out on one hand of all tables: player, table, stack."""
    start = replace(
        open_tournament(schedule_file.load_schedule("T20000"), ["Ann", "Bob", "Cy", "Dan", "Eve"], 100),
        same_hand_ranking=book(rulebook).hand_for_hand_places.value,
    )
    out = [{**gone(player, table=table), "stack": stack} for player, table, stack in gone_out]
    found = after(start, {"do": "hand-for-hand", "at": 1}, *out)
    left = set(found.remaining_players)
    return {one.player: (one.place, one.tied_count) for one in found.finishes() if one.player not in left}


def test_WSOP_T_126_b_several_out_on_one_hand_played_hand_for_hand() -> None:
    """At different tables they tie, whatever their stacks; at the same one the larger stack finishes higher.

    Covers: WSOP-T-126.b
    """
    wsop = partial(hand_for_hand, "wsop-2024")
    assert wsop(("Bob", "A", 500), ("Cy", "B", 900)) == {"Bob": (4, 2), "Cy": (4, 2)}
    assert wsop(("Bob", "A", 500), ("Cy", "A", 900)) == {"Cy": (4, 1), "Bob": (5, 1)}
    assert wsop(("Bob", "A", 500), ("Cy", "A", 500)) == {"Bob": (4, 2), "Cy": (4, 2)}
    both = wsop(("Bob", "A", 500), ("Cy", "A", 900), ("Dan", "B", 100))
    assert both == {"Cy": (3, 2), "Dan": (3, 2), "Bob": (5, 1)}


def test_TDA_RP_8_A_all_who_go_out_on_that_hand_share_the_place() -> None:
    """52 left, 50 paid, three out: all three share the prize of the 50th."""
    expected = {"Bob": (3, 3), "Cy": (3, 3), "Dan": (3, 3)}
    assert hand_for_hand("tda-2024", ("Bob", "A", 500), ("Cy", "A", 900), ("Dan", "B", 100)) == expected
    out = [
        Elimination(f"p{number}", 1, 100 * number, table="AAB"[number], hand_for_hand_number=1) for number in range(3)
    ]
    shared = award_prizes(rank_finishes(52, out, (), SameHandRanking.ALL_TIE), [0] * 49 + [300])
    assert [(one.place, one.prize_cents) for one in shared] == [(50, 100)] * 3


@pytest.mark.parametrize("rulebook", ["fish-n-chips", "roberts-7", "maryport", "house-rules", "casino-au"])
def test_FC_10_winning_2_R7_15_tourn_35_MP_7_tourn_30_the_larger_stack_at_whatever_table(rulebook: str) -> None:
    """ "The same hand" of these books is any hand that is one for all; equal stacks tie."""
    found = hand_for_hand(rulebook, ("Bob", "A", 500), ("Cy", "B", 900), ("Dan", "A", 500))
    assert found == {"Cy": (3, 1), "Bob": (4, 2), "Dan": (4, 2)}


@pytest.mark.parametrize(
    ("name", "seats", "players"),
    [("tda-2024", 9, 9), ("tda-2024", 8, 9), ("tda-2024", 7, 7), ("tda-2024", 6, 7)]
    + [("wsop-2024", seats, seats + 1) for seats in (6, 7, 8, 9)],
)
def test_WSOP_T_68_the_final_table_by_the_seats(name: str, seats: int, players: int) -> None:
    """Covers: TDA-RP-9 WSOP-T-68"""
    found = find_final_table_rule(book(name), players, 2, seats)
    assert found is not None
    assert found.cite[0] == {"tda-2024": "TDA-RP-9", "wsop-2024": "WSOP-T-68"}[name]
    assert find_final_table_rule(book(name), players + 1, 2, seats) is None


def test_WSOP_T_67_c_balance_and_redraws() -> None:
    """Within one from twelve tables down; redraws by the entrants.

    Covers: WSOP-T-67.c
    """
    rules = book("wsop-2024")
    assert (find_max_spread(rules, 13).value, find_max_spread(rules, 12).value) == (2, 1)
    assert [find_redraw_rule(rules, tables, 12, 100) is not None for tables in (4, 3, 2, 1)] == [
        False,
        True,
        True,
        True,
    ]
    assert [find_redraw_rule(rules, tables, 8, 70) is not None for tables in (3, 2, 1)] == [False, True, True]


@pytest.mark.parametrize("name", ["tda-2024", "wsop-2024"])
def test_TDA_11_A_the_next_big_blind_moves_to_the_worst_position(name: str) -> None:
    """The open chair that the big blind reaches first, never the small blind's.

    Covers: TDA-11-A WSOP-T-67.a WSOP-T-66#order
    """
    full = TableOccupancy("A", (1, 2, 3, 4, 5, 6, 7, 8, 9), button=1, big_blind=3, seat_count=9)
    short = TableOccupancy("B", (1, 2, 4, 6, 8), button=1, big_blind=4, seat_count=9)
    found = find_move(book(name), (full, short))
    assert found is not None
    assert (found.from_table, found.seat, found.to_table, found.to_seat) == ("A", 4, "B", 5)
    assert find_move(book(name), (full, short), {"B": 7}) == found
    assert found.rule.cite[0] in ("TDA-11-A", "WSOP-T-67.a")
    assert book(name).break_order.value


@pytest.mark.parametrize("name", ["tda-2024", "roberts-7"])
def test_TDA_11_A_in_stud_the_chair_that_opened_last_is_filled_by_who_has_that_chair_elsewhere(name: str) -> None:
    """No button says who is in what position; of an empty chair there, the next player moves.

    Covers: TDA-11-A#stud
    """
    full = TableOccupancy("A", (1, 2, 3, 4, 6, 7, 8), button=1, big_blind=1, seat_count=8, has_button=False)
    short = TableOccupancy("B", (1, 2, 4), button=1, big_blind=1, seat_count=8, vacated_seats=(7, 3), has_button=False)
    found = find_move(book(name), (full, short))
    assert found is not None
    assert (found.from_table, found.seat, found.to_table, found.to_seat) == ("A", 3, "B", 3)
    assert found.rule.cite == ("TDA-11-A#stud",)
    nobody = find_move(book(name), (full, replace(short, vacated_seats=(5,))))
    assert nobody is not None
    assert (nobody.seat, nobody.to_seat) == (6, 5)
    assert [(one.seat, one.to_seat) for one in advise(book(name), (full, short), 3) if one.seat] == [(3, 3), (7, 7)]


def test_without_a_button_nobody_is_named_where_the_chair_is_not_known_or_a_card_says_it() -> None:
    """WSOP-T-67.b.a: a high card drawn at the table names who moves."""
    full = TableOccupancy("A", (1, 2, 3, 4, 6, 7, 8), button=1, big_blind=1, seat_count=8, has_button=False)
    short = TableOccupancy("B", (1, 2, 4), button=1, big_blind=1, seat_count=8, has_button=False)
    assert find_move(book("tda-2024"), (full, short)) is None
    assert find_move(book("wsop-2024"), (full, replace(short, vacated_seats=(7,)))) is None
    one = find_move(book("tda-2024"), (full, replace(short, seats=(1, 2), seat_count=3)))
    assert one is not None
    assert (one.seat, one.to_seat) == (3, 3)


def test_the_commands(tmp_path: Path) -> None:
    record = ["--record", str(tmp_path / "event.jsonl")]
    for command in (
        ["load", "T20000", "Ann", "Bob", "Cy", "--buy-in", "100", "--bounty", "20", "--at", "0"],
        ["start", "--at", "1"],
        ["late-entry", "Dee", "--at", "2"],
        ["eliminate", "Bob", "--hand", "3", "--stack", "500", "--by", "Ann", "--at", "3"],
        ["re-entry", "Bob", "--at", "4"],
    ):
        direct(*command, *record)
    assert "bounties of Ann  20" in direct("payout", *record)
    chop = ("chop", "Ann=6000", "Cy=3000", "--prizes", "100", "60")
    assert "Ann  86.67\nCy  73.33" in direct(*chop, "--chips", *record)
    direct(*chop, *record)
    direct("chop", "Ann", *record, status=1)

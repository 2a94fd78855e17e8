"""Which cards were thrown away nobody tells the table; a live one (`discards` `unknown`) pushes no pot on a belief.

The deal of two: seat 2 holds Ad 5d 8h Ts 5h, seat 1 4c Kd 8c Tc 4h. Each draws; the burn between is 3s.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from config.table_file import DEMO_FILE, load_table_file
from tests.playing import ScriptedTable, play

DRAW_HIGH: dict[str, Any] = {
    "game": "draw-high",
    "betting": {"structure": "fixed-limit", "ante": 1, "small_bet": 2, "big_bet": 4},
    "joker": False,
    "discards": "unknown",
}
DEAL = "card Ad 4c 5d Kd 8h 8c Ts Tc 5h 4h"
PASSED = ("act 2 bet", "act 1 call")
CHECKED = ("act 2 check", "act 1 check")


def drawn(first: int, second: int, **setup: Any) -> ScriptedTable:  # noqa: ANN401
    """Both have drawn so many, checked, and show."""
    cards = iter(("3s", "9c", "2d", "9h", "Js", "2c", "9d", "Qh", "Qs", "Jc", "Jd", "6s"))
    played = play("roberts-7", "start", DEAL, *PASSED, seats=2, **(DRAW_HIGH | setup))
    for seat, count in ((2, first), (1, second)):
        played({"ev": "draw", "seat": seat, "discard": count})
        while played.lines[-1]["next"][0]["step"] in ("burn", "deal"):
            played(f"card {next(cards)}")
    played(*CHECKED)
    return played


def awards(played: ScriptedTable) -> list[tuple[list[int], list[int] | None]]:
    """Who gets what by the steps that are left."""
    return [(step["seats"], step.get("amounts")) for step in played.lines[-1]["next"] if step["step"] == "award"]


def test_a_pot_is_not_awarded_on_cards_that_may_have_gone() -> None:
    """Neither hand can be named after a draw of some: the dealer says who won, and an award without that is refused."""
    played = drawn(2, 1)
    played("show 2", "show 1")
    assert awards(played) == [([1, 2], None)]
    assert played("done")["error"]["code"] == "winner-unknown"
    played({"ev": "won", "seat": 2, "pot": 0})
    assert awards(played) == [([2], [6])]
    assert played("done")["stacks"] == {"1": 197, "2": 203}


def test_shown_cards_decide_whichever_the_table_took_to_be_gone() -> None:
    """Seat 2 kept the fives, seat 1 the fours: by the first cards dealt neither would have a pair."""
    played = drawn(2, 1)
    played({"ev": "show", "seat": 2, "cards": ["Ad", "5d", "5h", "9c", "2d"]})
    played({"ev": "show", "seat": 1, "cards": ["4c", "8c", "Tc", "4h", "9h"]})
    assert awards(played) == [([2], [6])]


@pytest.mark.parametrize(("first", "second"), [(0, 0), (5, 0), (5, 5), (0, 5)])
def test_pat_hands_and_whole_draws_are_known(first: int, second: int) -> None:
    """Where no card or every card of a hand went the shoe has read what is left, and nobody need name it."""
    played = drawn(first, second)
    played("show 2", "show 1")
    assert all(amounts is not None for _, amounts in awards(played)), awards(played)


def test_a_known_hand_has_the_cards_that_the_shoe_read() -> None:
    """Who threw all of them away holds what came after: other names are refused."""
    played = drawn(5, 5)
    other = {"ev": "show", "seat": 2, "cards": ["Ad", "5d", "5h", "9c", "2d"]}
    assert played(other)["error"]["code"] == "cards-differ"


def test_discards_that_the_muck_has_read_leave_no_doubt() -> None:
    """The antenna of the muck has read both cards of seat 2 and the one of seat 1: the rest are in their hands."""
    played = drawn(2, 1, sensors=["identity", "face", "muck"])
    for card in ("Ts", "8h", "Kd"):
        played({"ev": "seen", "at": "muck", "card": card})
        assert "error" not in played.lines[-1]
    played("show 2", "show 1")
    assert awards(played) == [([2], [6])]


def test_one_discard_unread_leaves_the_hand_in_doubt() -> None:
    """One of two has been read: the other may be any."""
    played = drawn(2, 0, sensors=["identity", "face", "muck"])
    played({"ev": "seen", "at": "muck", "card": "Ts"}, "show 2", "show 1")
    assert awards(played) == [([1, 2], None)]


def test_a_script_takes_nothing_for_granted_either() -> None:
    """A table line without `discards` is that of a live table."""
    played = drawn(2, 1, discards=None)
    played("show 2", "show 1", {"ev": "won", "seat": 2, "pot": 0})
    assert awards(played) == [([2], [6])]


def test_the_first_cards_may_be_taken_to_have_gone() -> None:
    """`discards` `first`: what was dealt first went."""
    played = drawn(2, 1, discards="first")
    played("show 2", "show 1")
    assert awards(played) == [([1], [6])]


def test_a_live_table_takes_nothing_for_granted(tmp_path: Path) -> None:
    """A table's file need not say it; it may say otherwise."""
    assert load_table_file(DEMO_FILE).table_line["discards"] == "unknown"
    other = tmp_path / "table.toml"
    text = DEMO_FILE.read_text(encoding="utf-8").replace("[table]", '[table]\ndiscards = "first"', 1)
    other.write_text(text, encoding="utf-8")
    assert load_table_file(other).table_line["discards"] == "first"


def test_a_hand_that_nobody_named_stays_face_down() -> None:
    """The output of a table whose players show has no card that the table only believes in."""
    played = drawn(2, 1)
    played("show 2", "show 1", {"ev": "won", "seat": 2, "pot": 0}, "done")
    assert not any(card in json.dumps(played.lines[-4:]) for card in ("Ts", "8h", "4h"))

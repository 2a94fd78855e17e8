"""One player alone at a table of a tournament."""

from typing import Any

import pytest

from tests.playing import ScriptedTable, play

WSOP = "wsop-2024"
ALONE = {"ev": "start", "alone": True}
ANTES = {"structure": "fixed-limit", "ante": 1, "bring_in": 2, "small_bet": 4, "big_bet": 8}
AWAY = tuple({"ev": "away", "seat": seat} for seat in (1, 3, 4))
"""Seat 2 is left; the button begins on seat 1."""


def alone(*lines: dict[str, Any] | str, book: str = WSOP, **setup: Any) -> ScriptedTable:  # noqa: ANN401
    return play(book, *AWAY, *lines, mode="tournament", **setup)


def test_WSOP_T_36_alone() -> None:
    """The button advances a position each time, and what was posted is that player's; its own blinds come back to it.

    Covers: WSOP-T-36#alone
    """
    played = alone()
    for button, stacks in (
        (1, {"1": 200, "2": 202, "3": 198, "4": 200}),  # small blind 2, big blind 3
        (2, {"1": 200, "2": 205, "3": 197, "4": 198}),  # small blind 3, big blind 4
        (3, {"1": 198, "2": 208, "3": 197, "4": 197}),
        (4, {"1": 197, "2": 209, "3": 197, "4": 197}),  # small blind 1, big blind 2
    ):
        answer = played(ALONE)
        assert next((ruling["finding"], ruling["seat"]) for ruling in answer["rulings"]) == ("alone", 2)
        assert answer["rulings"][0]["cite"] == ["WSOP-T-36"]
        assert (answer["lamps"]["button"], answer["gate"], answer["piles"]["seats"]) == ([button], "locked", {})
        assert [(step["step"], step["seats"]) for step in answer["next"]] == [("award", [2])]
        answer = played("done")
        assert (answer["phase"], answer["stacks"]) == ("idle", stacks)


def test_WSOP_T_36_alone_in_an_ante_game() -> None:
    """One round of antes each time, of every seat that was sold."""
    answer = alone(ALONE, "done", game="stud-7", betting=ANTES, button=None).lines[-1]
    assert answer["stacks"] == {"1": 199, "2": 203, "3": 199, "4": 199}


def test_WSOP_T_36_alone_heads_up() -> None:
    """The opponent's blind, big or small, and the button changes places."""
    played = play(WSOP, {"ev": "away", "seat": 1}, seats=2)
    assert played(ALONE, "done")["stacks"] == {"1": 199, "2": 201}
    assert played(ALONE, "done")["stacks"] == {"1": 197, "2": 203}


def test_a_second_player_ends_it() -> None:
    """Then hands are dealt, and blinds are won by playing for them; so they are in a cash game."""
    played = alone(ALONE, "done", {"ev": "back", "seat": 4})
    assert played(ALONE)["error"]["code"] == "alone"
    assert played("start")["next"][0]["step"] == "deal"
    assert play("wsop-live-2024", *AWAY, ALONE).lines[-1]["error"]["code"] == "alone"


@pytest.mark.parametrize("book", ["roberts-7", "tda-2024", "fish-n-chips"])
def test_other_books_do_so_by_default(book: str) -> None:
    """None of them speaks of it."""
    answer = alone(ALONE, book=book).lines[-1]
    assert "by default" in answer["rulings"][0]["text"]

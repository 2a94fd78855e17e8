"""The stub has no card left in the middle of a round, and what a sound deck is."""

from typing import Any

import pytest

from tests.games.playing import cards_of, first, said, steps, table
from tests.playing import ScriptedTable


def nine_at_manila(**setup: Any) -> ScriptedTable:  # noqa: ANN401
    """Three-card Manila for nine takes all 36 cards, 27 + 5 + 4 burns; a boxed one went to the muck, so one lacks."""
    cards = cards_of("manila-3")
    played = table("casino-au", "manila-3", "start", seats=9, **setup)
    played({"ev": "card", "card": next(cards), "face": "up"}, "done")
    while played.lines[-1]["piles"]["stub"]:
        step = first(played.lines[-1])
        if step["step"] == "act":
            word = "check" if "check" in step["options"] else "call"
            played({"ev": "act", "seat": step["seat"], "do": word})
        else:
            played({"ev": "card", "card": next(cards)})
    return played


def test_the_burns_come_back_when_the_stub_has_run_out() -> None:
    """AU 19.9 and 19.16 say it of stud; no book says anything else of another game."""
    played = nine_at_manila()
    answer = played.lines[-1]
    assert said(answer) == [("insufficient-cards", "correct", None, "AU-19.9")]
    assert steps(answer)[:4] == [("return", "burn", "stub", 4), ("shuffle",), ("cut",), ("board", 1)]
    answer = played("done 3")
    assert (answer["piles"]["stub"], answer["piles"]["burn"], answer["piles"]["muck"]) == (4, 0, 1)
    answer = played("card -")
    assert (answer["piles"]["board"], answer["piles"]["stub"], first(answer)["step"]) == (5, 3, "act")


def test_a_house_may_shuffle_the_muck_in_with_the_burns() -> None:
    """The other answer to the same question."""
    played = nine_at_manila(house={"stub.run-out": "burns-and-muck"})
    assert [step[1:] for step in steps(played.lines[-1])[:2]] == [("burn", "stub", 4), ("muck", "stub", 1)]


def test_a_sound_deck_has_the_card_that_was_there_twice() -> None:
    """After a misdeal for two aces of spades the deck is another one; its ace is a card like any other."""
    played = table("casino-au", "manila-3", "start", "card As Kd As", "done 3")
    before = played.lines[-1]["piles"]
    assert before["aside"] == 0
    answer = played("card As")
    assert said(answer) == []
    assert (answer["piles"]["aside"], answer["piles"]["stub"]) == (0, before["stub"] - 1)
    seat = next(seat for seat, cards in answer["piles"]["seats"].items() if cards)
    assert said(played({"ev": "seen", "at": f"seat {seat}", "card": "As"})) == []


@pytest.mark.parametrize(("players", "mucked"), [(8, 30), (4, 0)])
def test_WSOP_L_204_the_stub_runs_out_on_a_third_board(players: int, mucked: int) -> None:
    """The burns are shuffled in, and the muck with them where they do not complete all boards [WSOP live 212].

    Of five-card Omaha for eight twelve cards are left for three boards of eight; for four there are enough.

    Covers: WSOP-L-204
    """
    betting = {"structure": "pot-limit", "small_blind": 1, "big_blind": 2}
    stacks = dict.fromkeys(range(1, players + 1), 200) | {2: 2, 3: 2}
    played = table("wsop-live-2024", "omaha-5", "start", betting=betting, stacks=stacks)
    played("card" + " -" * 5 * players)
    while (step := first(played.lines[-1]))["step"] == "act":
        played(f"act {step['seat']} {'call' if step['seat'] == 2 else 'fold'}")
    played({"ev": "twice", "count": 3})
    while (step := first(played.lines[-1]))["step"] in ("burn", "board"):
        played("card -")
    returns = [step[1:] for step in steps(played.lines[-1]) if step[0] == "return"]
    assert returns == ([("burn", "stub", 4), ("muck", "stub", mucked)] if mucked else [])

"""Stud: the forced bet was made by the wrong seat, because a card was misread or the structure has no bring-in."""

from typing import Any

import pytest

from tests.games.playing import STUD, first, said, table
from tests.playing import ScriptedTable

BOOKS = [("roberts-7", "R7-8.stud.5"), ("house-rules", "HR-stud.8"), ("casino-au", "R7-8.stud.5")]


def third(book: str, *lines: str, **setup: Any) -> ScriptedTable:  # noqa: ANN401
    """Three players, third street dealt; seat 3 has the low card as it was read, and without it seat 2."""
    return table(book, "stud-7", "start", "card - - - - - - Ks Qs 2c", *lines, **setup)


@pytest.mark.parametrize(("book", "clause"), BOOKS)
def test_R7_8_stud_5_misread(book: str, clause: str) -> None:
    """The true card shows that another seat is low: it bets while the next player has not acted, else the wager stands.

    Covers: HR-stud.8
    """
    played = third(book, "act 3 bring-in")
    answer = played("report misread seat=3 card=Ac")
    assert said(answer)[1:] == [("wrong-opener", "correct", 2, clause)]
    assert (answer["bets"], answer["stacks"]["3"]) == ({}, 199)
    assert (first(answer)["seat"], first(answer)["options"]) == (2, ["bring-in", "complete"])
    assert said(played("report wrong-opener seat=2")) == [("wrong-opener", "correct", 2, clause)]
    assert "error" not in played("act 2 bring-in")

    played = third(book, "act 3 bring-in", "act 1 call")
    answer = played("report misread card=Ac")
    assert said(answer)[1:] == [("wrong-opener", "play-on", 2, clause)]
    assert (answer["bets"], first(answer)["seat"]) == ({"1": 2, "3": 2}, 2)


def test_a_misread_card_that_leaves_the_low_card_where_it_was_changes_no_opener() -> None:
    """A higher card of another seat, a low card wrongly dealt up, or a card of a later street, is no wrong opening."""
    played = table("roberts-7", "stud-7", "start", "card - 2c", "report exposed", "card - - - - Ks - Qs")
    assert first(played.lines[-1])["seat"] == 3
    assert [ruling[0] for ruling in said(played("act 3 bring-in", "report misread card=Qh"))] == ["misread"]
    played = third("roberts-7", "act 3 bring-in")
    assert [ruling[0] for ruling in said(played("report misread seat=1 card=Kh"))] == ["misread"]
    played("act 1 call", "act 2 call", "card - Ad 3d 4h", "act 1 check")
    assert [ruling[0] for ruling in said(played("report misread seat=3 card=Ac"))] == ["misread"]


@pytest.mark.parametrize("book", ["roberts-7", "house-rules"])
def test_R7_8_stud_5_without_a_bring_in(book: str) -> None:
    """Where the forced bet is a bet, a bet of the wrong seat is its wager, which it takes back.

    Covers: HR-stud.8
    """
    betting = {key: amount for key, amount in STUD.items() if key != "bring_in"}
    played = third(book, betting=betting)
    answer = played("act 1 bet")
    assert said(answer)[0][:3] == ("wrong-opener", "correct", 3)
    assert (answer["bets"], first(answer)["seat"], first(answer)["options"]) == ({}, 3, ["bet"])


def test_nobody_takes_a_wager_back_that_was_not_made() -> None:
    """The wrong seat was only called upon: the ruling speaks of no wager."""
    text = third("roberts-7")("report wrong-opener seat=1")["rulings"][0]["text"]
    assert text.startswith("seat 3 does not open; seat 1 opens")

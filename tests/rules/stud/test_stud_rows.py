"""Stud under Robert's rules and the house rules: rows that stud alone has, and events that nobody scripted."""

import pytest

from tests.games.playing import first, said, steps, table
from tests.rules.stud.test_stud import DOWN, UP, street, third
from tests.rules.stud_deals import awards, cards, checked, dealt, money, until, verbs

TWO = ("roberts-7", "house-rules")
ROBERTS = "roberts-7"


def test_R7_10_stud8_2() -> None:
    """Any five cards make the high hand, any five the low one: a flush and a six-low of the same seven cards."""
    played = dealt(ROBERTS, "stud-8", "Ah 2h 6h 9h Kh 3c 4c", "6d 7d 8d 9c Tc Ks Qs", "7c 5c 4d 3d 2d Kd Js")
    assert awards(played) == [(0, [1], [5]), (0, [1], [4])]
    played = dealt(ROBERTS, "stud-8", "Ah 2h 6h 9h Kh 7h 8c", "6d 7d 8d 9c Tc Ks Qs", "7c 5c 4d 3d 2d Kd Js")
    assert awards(played) == [(0, [1], [5]), (0, [3], [4])]


def test_R7_10_stud8_4() -> None:
    """Low card by suit, the ace high; then the high hand, a tie clockwise; all-in, action goes on as if it checked."""
    played = table(ROBERTS, "stud-8", "start", DOWN, "card Ac 2h 2c")
    assert first(played.lines[-1])["seat"] == 3
    assert first(street(played, "3s 4c 5c 6c"))["seat"] == 1
    played = table(ROBERTS, "stud-8", "start", DOWN, "card 2c Kc Kd")
    assert first(street(played, "3s 4c 5c 5h"))["seat"] == 2
    played = table(ROBERTS, "stud-8", "start", DOWN, "card 2h As 2c", stacks={1: 200, 2: 3, 3: 200})
    assert first(street(played, "3s 4c 5c 6c"))["seat"] == 3


def test_a_card_named_anew_decides_the_pots_that_are_not_pushed() -> None:
    """The side pot is pushed; the main pot goes by the true card."""
    hands = ("Td Jc 2h 4c 4d 4s 2s", "6d 7d 2c 5c 5d 5h Qc", "8s Ad Kd 6c 7c 9h Jd")
    played = dealt(ROBERTS, "stud-7", *hands, stacks={1: 20, 2: 200, 3: 200}, stop="act")
    while first(played.lines[-1])["step"] != "show":
        step = first(played.lines[-1])
        if step["step"] == "act":
            word = next(word for word in ("bet", "complete", "call", "all-in", "bring-in") if word in step["options"])
            played({"ev": "act", "seat": step["seat"], "do": word})
        else:
            nth = played.lines[-1]["piles"]["seats"][str(step["seat"])] if step["step"] == "deal" else 0
            played({"ev": "card", "card": hands[step["seat"] - 1].split()[nth] if step["step"] == "deal" else None})
    (side, main) = awards(played)
    assert (side[1], main[1]) == ([2], [1])
    played("done")
    answer = played("report misread seat=1 card=As")
    assert [(step["pot"], step["seats"]) for step in answer["next"]] == [(0, [2])]
    assert money(played("done")) == 420


@pytest.mark.parametrize("book", TWO)
def test_a_short_last_street_is_foreseen_when_all_are_all_in(book: str) -> None:
    """Seven players all-in on third street: the streets that follow one another end with the mixture."""
    played = table(book, "stud-7", "start", seats=7, stacks=dict.fromkeys(range(1, 8), 3))
    pack = cards("stud-7")
    until(played, pack, "third")
    answer = checked(played)
    assert verbs(answer)[24:] == ["burn", *["deal"] * 5, "return", "shuffle", "cut", "burn", "deal", "deal"]
    while first(played.lines[-1])["step"] != "show":
        wanted = first(played.lines[-1])["step"] in ("deal", "burn")
        answer = played({"ev": "card", "card": next(pack, None)} if wanted else "done")
        assert not answer["rulings"]
    assert set(answer["piles"]["seats"].values()) == {7}


CORRECTED = [(ROBERTS, "R7-8.stud.13"), ("house-rules", "HR-stud.12"), ("casino-au", "AU-19.1(c)")]


def test_the_opener_is_found_anew_when_an_upcard_has_been_moved() -> None:
    """The last upcard went to the wrong seat, where it made another hand low."""
    played = table("casino-au", "stud-7", "start", DOWN, "card 2h 5c 2c")
    assert said(played("report wrong-seat seat=1"))[0][1] == "correct"
    assert first(played("done"))["seat"] == 3


@pytest.mark.parametrize(("book", "clause"), CORRECTED)
def test_a_seat_that_got_no_card_of_a_later_street(book: str, clause: str) -> None:
    """The card that left the shoe for it went on to the next one: it is moved, as for a seat that was passed over."""
    for word in ("short-hand seat=3", "skipped seat=3", "extra-card seat=1", "wrong-seat seat=1"):
        played = third(book)
        street(played, "3c 4c 5c 6c")
        answer = played(f"report {word}")
        assert said(answer) == [(word.split()[0], "correct", 3, clause)]
        assert steps(answer)[0] == ("move", "seat 1", "seat 3", 1)
        assert played("done")["up"] == {"1": ["2h", "4c"], "2": ["2c", "5c"], "3": ["Kd", "6c"]}


def test_R7_8_stud_18_b() -> None:
    """Only the seventh card is missing: the floor decides whether the hand is live."""
    for decide, winner in (("play-on", 3), ("dead-hand", 1)):
        played = dealt(ROBERTS, "stud-7", "Td Jc 2h 4c 4d 9s 2s", "6d 7d 2c 5c 5d Kh Qc", "8s Ad Kd Ac As 9h Jd")
        answer = played("report short-hand seat=3")
        assert said(answer) == [("short-hand", "floor", 3, "R7-8.stud.18")]
        assert first(answer)["options"] == ["dead-hand", "play-on"]
        assert answer["piles"]["seats"]["3"] == 6
        played({"ev": "floor", "decide": decide})
        assert awards(played)[0][1] == [winner]


def test_a_replacement_in_the_first_deal_is_no_last_card() -> None:
    """Seven-card stud, a downcard exposed on third street never speaks of the seventh card."""
    played = table(ROBERTS, "stud-7", "start", DOWN, UP, "report joker seat=1 nth=1 where=hand")
    assert steps(played("done"))[0] == ("deal", 1, "down", "replacement")
    assert said(played("card 9s", "report exposed"))[0][3] == "R7-8.stud.1"


def test_WSOP_L_214_two_holecards_up_are_kept_and_three_cards_up_are_a_misdeal() -> None:
    """Covers: WSOP-L-214"""
    both = ("start", "card 9c 4s", "report exposed", "card Tc Jd 7h", "report exposed")
    played = table("wsop-live-2024", "stud-7", *both)
    assert said(played.lines[-1]) == [("exposed", "must-keep", 2, "WSOP-L-214")]
    assert played.lines[-1]["up"] == {"2": ["4s", "7h"]}
    assert [step["face"] for step in played.lines[-1]["next"] if step["seat"] == 2] == ["down"]
    assert said(played("card Qd Kd 2h", "report exposed")) == [("exposed", "misdeal", 2, "WSOP-L-214")]
    late = table("wsop-live-2024", "stud-7", "start", "card 9c 4s Tc Jd 7h Qd Kd 2h 3c", "report exposed seat=2 nth=1")
    assert said(late.lines[-1])[0][1] == "must-keep"
    assert said(late("report exposed seat=2 nth=2"))[0][1] == "misdeal"

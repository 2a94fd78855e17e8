"""Stud, one test a rule; each is named by the rule's id in the catalogue."""

from typing import Any

import pytest

from tests.games.playing import first, run, said, steps, table
from tests.playing import ScriptedTable

DOWN = "card Td 6d 8s Jc 7d Ad"
UP = "card 2h 2c Kd"
BOOKS = ("roberts-7", "house-rules", "casino-au")


def third(book: str, game: str = "stud-7", **setup: Any) -> ScriptedTable:  # noqa: ANN401
    """Three players; seat 2 has the low card."""
    return table(book, game, "start", DOWN, UP, **setup)


def street(played: ScriptedTable, cards: str) -> dict[str, Any]:
    """Everybody checks or calls, then the next street is dealt."""
    while played.lines[-1]["next"] and first(played.lines[-1])["step"] == "act":
        step = first(played.lines[-1])
        words = step["options"]
        word = "bring-in" if "bring-in" in words else "check" if "check" in words else "call"
        played(f"act {step['seat']} {word}")
    return played(f"card {cards}")


def sixth(book: str, seats: int = 3) -> ScriptedTable:
    """The betting of sixth street is over, the seventh cards are due."""
    if seats == 2:
        played = table(book, "stud-7", "start", "card Td 6d 8s Jc 7h 2c", seats=2)
        for cards in ("3c 4c 5d", "3d 4d 5h", "3s 4s 9h"):
            street(played, cards)
    else:
        played = third(book)
        for cards in ("3c 4c 5c 6c", "3d 4d 5d 6h", "3s 4s 5h 9h"):
            street(played, cards)
    while first(played.lines[-1])["step"] == "act":
        played(f"act {first(played.lines[-1])['seat']} check")
    return played


@pytest.mark.parametrize("book", BOOKS)
def test_R7_8_stud_2_a(book: str) -> None:
    """The lowest upcard by suit has the forced bet, and nothing but that or a full bet [HR-stud.1#a, AU-13.2(a)].

    Covers: HR-stud.1#a, AU-13.2(a)
    """
    assert first(third(book).lines[-1])["seat"] == 2
    assert first(third(book).lines[-1])["options"] == ["bring-in", "complete"]


@pytest.mark.parametrize("book", ["roberts-7", "house-rules"])
def test_R7_8_stud_3(book: str) -> None:
    """The seat with the forced bet may open for a full bet, which is then the bet: a raise makes it two.

    Covers: HR-stud.2
    """
    played = third(book)
    answer = played("act 2 complete")
    assert (answer["bets"], first(answer)["min_to"]) == ({"2": 5}, 10)


@pytest.mark.parametrize("book", ["roberts-7", "house-rules"])
def test_R7_8_stud_4_a(book: str) -> None:
    """The low card is all-in for the ante: the seat to the left may fold, bring it in, or complete.

    Covers: HR-stud.7
    """
    stacks = {1: 200, 2: 1, 3: 200}
    played = table(book, "stud-7", "start", DOWN, UP, stacks=stacks)
    assert first(played.lines[-1])["seat"] == 3
    assert first(played.lines[-1])["options"][:3] == ["fold", "bring-in", "complete"]


def test_R7_8_stud_4_b() -> None:
    """A short forced bet is wagered; all others come in for the normal amount."""
    stacks = {1: 200, 2: 2, 3: 200}
    played = table("roberts-7", "stud-7", "start", DOWN, UP, stacks=stacks)
    answer = played("act 2 bring-in")
    assert (answer["bets"], first(answer)["to_call"]) == ({"2": 1}, 2)


def test_AU_19_17() -> None:
    """An all-in player does not count for starting the betting: the next card in rank opens."""
    stacks = {1: 200, 2: 1, 3: 200}
    played = table("casino-au", "stud-7", "start", DOWN, UP, stacks=stacks)
    assert first(played.lines[-1])["seat"] == 1
    assert "fold" not in first(played.lines[-1])["options"]


@pytest.mark.parametrize(("book", "seat"), [("roberts-7", 1), ("house-rules", 1), ("casino-au", 3)])
def test_R7_8_stud_2_b(book: str, seat: int) -> None:
    """A tie of the boards: who received cards first; in AU the highest card by suit [AU-13.3(b)].

    Covers: HR-stud.1#b, AU-13.3(b)
    """
    played = table(book, "stud-7", "start", DOWN, "card Kd 2c Ks")
    assert first(street(played, "3c 9c 5h 9h"))["seat"] == seat


def test_R7_9_razz_3() -> None:
    """Razz: the highest card by suit, the ace low, has the forced bet; then the low hand leads."""
    played = table("roberts-7", "razz", "start", DOWN, "card Kh Ks As")
    assert first(played.lines[-1])["seat"] == 2
    assert first(street(played, "3c 4c 5c 6c"))["seat"] == 3


@pytest.mark.parametrize("book", ["roberts-7", "house-rules"])
def test_R7_8_stud_7(book: str) -> None:
    """An open pair on fourth street: either limit; after a raise by the larger one only the larger [HR-stud.4].

    Covers: HR-stud.4
    """
    played = third(book)
    answer = street(played, "3c 2d 5c 6c")
    assert (first(answer)["min_to"], first(answer)["max_to"]) == (5, 10)
    assert played(f"act {first(answer)['seat']} bet 7")["error"]["code"] == "amount"
    answer = played(f"act {first(answer)['seat']} bet 5")
    assert (first(answer)["min_to"], first(answer)["max_to"]) == (10, 15)
    answer = played(f"act {first(answer)['seat']} raise 15")
    assert (first(answer)["min_to"], first(answer)["max_to"]) == (25, 25)


def test_R7_10_stud8_6() -> None:
    """Stud high-low has no such option."""
    played = third("roberts-7", "stud-8")
    assert first(street(played, "3c 2d 5c 6c"))["max_to"] == 5


@pytest.mark.parametrize("book", BOOKS)
def test_R7_8_stud_9(book: str) -> None:
    """A hand folded without a wager: its seat gets cards until there is one [HR-stud.6, AU-19.19].

    Covers: HR-stud.6, AU-19.19
    """
    played = third(book)
    answer = street(played, "3c 4c 5c 6c")
    seat = first(answer)["seat"]
    played(f"act {seat} fold")
    while first(played.lines[-1])["step"] == "act":
        played(f"act {first(played.lines[-1])['seat']} check")
    assert ("deal", seat, "up") in steps(played.lines[-1])
    answer = played("card 7c 8c 9c Tc")
    assert answer["piles"]["seats"][str(seat)] == 1
    answer = played(f"act {first(answer)['seat']} bet")
    assert str(seat) not in answer["piles"]["seats"]
    answer = played(f"act {first(answer)['seat']} call")
    assert ("deal", seat, "up") not in steps(answer)


def test_R7_8_stud_1_c() -> None:
    """The card wrongly dealt up would have been low: the seat to the left acts first, and may fold."""
    played = table("roberts-7", "stud-7", "start", "card Td 2c")
    assert said(played("report exposed")) == [("exposed", "must-keep", 2, "R7-8.stud.1")]
    answer = played("card 8s Jc 7d Ad 2h 9h Kd")
    assert (first(answer)["seat"], first(answer)["options"][0]) == (3, "fold")


def test_AU_13_2_a_a_downcard_dealt_up_that_is_low() -> None:
    """The player with the lowest up card bets, wherever that card should have been: no other opens for it."""
    played = table("casino-au", "stud-7", "start", "card Td 2c", "report exposed")
    answer = played("card 8s Jc 7d Ad 2h 9h Kd")
    assert (first(answer)["seat"], "fold" in first(answer)["options"]) == (2, False)


def test_AU_1_1_structured() -> None:
    """An open pair on fourth street: the bet is of the round's designated amount, with no choice of the larger one."""
    played = third("casino-au")
    answer = street(played, "3c 2d 5c 6c")
    assert (first(answer)["min_to"], first(answer)["max_to"]) == (5, 5)


@pytest.mark.parametrize(("book", "clause"), [("roberts-7", "R7-8.stud.1"), ("house-rules", "HR-stud.5")])
def test_R7_8_stud_1_d(book: str, clause: str) -> None:
    """In a tournament a downcard dealt up is a misdeal.

    Covers: HR-stud.5#d, R7-15.tourn.32
    """
    played = table(book, "stud-7", "start", "card Td 6c", mode="tournament")
    assert said(played("report exposed")) == [("exposed", "misdeal", 2, clause)]


def test_AU_19_1_m() -> None:
    """More than one player with two cards up: misdeal."""
    played = table("casino-au", "stud-7", "start", "card Td", "report exposed", "card 6d", "report exposed", "card 8s")
    assert said(played("card Jc", "report exposed"))[0][1] == "replace"
    assert said(played("card 7d", "report exposed")) == [("exposed", "misdeal", 2, "AU-19.1(m)")]


def test_AU_19_1_n() -> None:
    """Three of one player's cards up: misdeal."""
    played = table("casino-au", "stud-7", "start", "card Td", "report exposed", "card 6d 8s Jc", "report exposed")
    played("card 7d Ad 2h")
    assert said(played("report exposed")) == [("exposed", "misdeal", 1, "AU-19.1(n)")]


def test_AU_19_8() -> None:
    """Five-card stud: the second card up is replaced face down by the would-be first burn."""
    played = table("casino-au", "stud-5", "start", "card Td", "report exposed", "card 6d 8s Jc")
    assert said(played("report exposed")) == [("exposed", "replace", 1, "AU-19.8")]
    assert steps(played("card 7d 9d"))[:2] == [("deal", 1, "down", "replacement"), ("return", "seat 1", "burn", 1)]


@pytest.mark.parametrize("book", ["roberts-7", "house-rules"])
def test_R7_8_stud_5(book: str) -> None:
    """The wrong seat opened: taken back until the next player has acted, then the wager stands.

    Covers: HR-stud.8
    """
    clause = "R7-8.stud.5" if book == "roberts-7" else "HR-stud.8"
    played = third(book)
    played("act 2 bring-in")
    answer = played("report wrong-opener seat=1")
    assert said(answer) == [("wrong-opener", "correct", 1, clause)]
    assert (answer["bets"], answer["stacks"]["2"], first(answer)["seat"]) == ({}, 199, 1)
    assert first(answer)["options"] == ["bring-in", "complete"]
    played("act 1 bring-in", "act 2 call")
    assert said(played("report wrong-opener seat=3")) == [("wrong-opener", "play-on", 3, clause)]


@pytest.mark.parametrize(
    ("book", "clause"), [("roberts-7", "R7-8.stud.13"), ("house-rules", "HR-stud.12"), ("casino-au", "AU-19.3")]
)
def test_R7_8_stud_13(book: str, clause: str) -> None:
    """No burn: the cards go back, the last first, and are dealt to their proper places.

    Covers: HR-stud.12
    """
    played = third(book)
    street(played, "3c 4c 5c")
    answer = played("report no-burn")
    assert said(answer) == [("no-burn", "correct", None, clause)]
    assert answer["up"]["1"] == ["2h", "3c"]
    assert steps(answer)[:4] == [
        ("return", "seat 3", "stub", 1),
        ("return", "seat 2", "stub", 1),
        ("return", "seat 1", "stub", 1),
        ("burn",),
    ]
    assert steps(played("done 3"))[1] == ("deal", 1, "up")


def test_R7_8_stud_13_two_burns() -> None:
    """Two burns: the second goes back too, the first stays."""
    played = third("roberts-7")
    street(played, "3c 4c 5c 6c 7c")
    answer = played("report double-burn")
    assert steps(answer)[3:5] == [("return", "burn", "stub", 1), ("deal", 1, "up")]
    assert played("done 4")["piles"]["burn"] == 1


def test_R7_8_stud_13_last_card() -> None:
    """On the last downcard whoever has looked must accept the card; the others are put right."""
    played = sixth("roberts-7")
    played("card 7c 8c 9c", "report looked seat=1")
    answer = played("report no-burn")
    assert ("no-burn", "must-keep", 1, "R7-8.stud.13") in said(answer)
    assert not any(step[:2] == ("deal", 1) for step in steps(answer))


@pytest.mark.parametrize("book", ["roberts-7", "house-rules"])
def test_R7_8_stud_14_a(book: str) -> None:
    """Premature: out of play, and after the betting one more for each player who got none [HR-stud.13#a].

    Covers: HR-stud.13#a
    """
    played = third(book)
    played("act 2 bring-in", "act 3 call", "card 3c 4c")
    answer = played("report premature")
    assert (said(answer)[0][1], answer["piles"]["burn"], steps(answer)[0]) == (
        "set-aside",
        1,
        ("return", "seat 1", "aside", 1),
    )
    answer = played("done")
    assert (answer["piles"]["aside"], answer["phase"]) == (1, "bet")
    answer = played("act 1 call")
    assert steps(answer) == [
        ("discard", "aside", 2),
        ("burn",),
        ("deal", 1, "up"),
        ("deal", 2, "up"),
        ("deal", 3, "up"),
    ]
    assert played("done")["piles"]["aside"] == 3


@pytest.mark.parametrize("book", ["roberts-7", "house-rules"])
def test_R7_8_stud_14_b(book: str) -> None:
    """A premature last card that was looked at is kept; that player may not bet or raise on sixth street.

    Covers: HR-stud.13#b
    """
    played = third(book)
    for cards in ("3c 4c 5c 6c", "3d 4d 5d 6h", "3s 4s 5h 9h"):
        street(played, cards)
    seat = first(played.lines[-1])["seat"]
    played("card 7c 8c", "report looked seat=1")
    assert ("premature", "restrict-bet", 1, "R7-8.stud.14" if book == "roberts-7" else "HR-stud.13") in said(
        played("report premature")
    )
    while first(played.lines[-1])["seat"] != 1:
        played(f"act {first(played.lines[-1])['seat']} check")
    assert first(played.lines[-1])["options"] == ["fold", "check"], seat


def test_AU_19_18() -> None:
    """AU: a premature card stands and is used; the round is capped at what was wagered."""
    played = third("casino-au")
    played("act 2 bring-in", "act 3 call", "card 3c 4c")
    answer = played("report premature")
    assert said(answer) == [("premature", "restrict-bet", None, "AU-19.18")]
    assert "complete" not in first(answer)["options"]
    assert steps(played("act 1 call"))[:2] == [("deal", 2, "up"), ("deal", 3, "up")]


def test_AU_19_18_the_card_of_a_player_who_folds() -> None:
    """It is used in the normal sequence: for the next active player, and so on."""
    played = third("casino-au")
    played("act 2 bring-in", "act 3 call", "card 3c 4c 5c", "report premature")
    answer = played("act 1 fold")
    assert said(answer) == [("premature", "correct", None, "AU-19.18")]
    assert steps(answer)[:2] == [("move", "muck", "seat 2", 1), ("move", "seat 2", "seat 3", 1)]
    answer = played("done 2")
    assert (answer["up"]["2"][1:], answer["up"]["3"][1:]) == (["4c"], ["5c"])
    assert answer["next"][0]["step"] == "act"


@pytest.mark.parametrize(
    ("book", "face", "opener"), [("roberts-7", "down", 1), ("house-rules", "down", 1), ("casino-au", "up", 2)]
)
def test_R7_8_stud_17_b(book: str, face: str, opener: int) -> None:
    """The first last card is up, three players: the others get theirs down, in AU up; who opens [AU-19.20#a].

    Covers: HR-stud.16.1, HR-stud.16#a, R7-8.stud.17#a, AU-19.20#a, AU-19.20#c
    """
    played = sixth(book)
    led = first(played.lines[-1])
    assert led["step"] == "burn"
    played("card 7c 2s")
    answer = played("report last-faceup")
    assert said(answer)[0][1:3] == ("must-keep", 1)
    assert steps(answer)[:2] == [("deal", 2, face), ("deal", 3, face)]
    assert first(played("card Qc Jd"))["seat"] == opener


@pytest.mark.parametrize("book", ["roberts-7", "house-rules", "casino-au"])
def test_R7_8_stud_17_c(book: str) -> None:
    """Heads-up, the first player's last card is up: the other's comes up, too.

    Covers: HR-stud.16.2#a
    """
    played = sixth(book, seats=2)
    played("card 7c 2s")
    assert steps(played("report last-faceup"))[0] == ("deal", 2, "up")


@pytest.mark.parametrize("book", ["roberts-7", "house-rules"])
def test_R7_8_stud_17_d(book: str) -> None:
    """Heads-up, the second player's last card is up: that player may play for what is in.

    Covers: HR-stud.16.2#b
    """
    played = sixth(book, seats=2)
    played("card 7c 2s Qs", "report last-faceup")
    answer = played({"ev": "act", "seat": 2, "do": "all-in", "to": 0})
    assert said(answer)[0][:2] == ("last-faceup", "play-on")
    assert steps(answer)[0][0] == "show"


@pytest.mark.parametrize("book", ["roberts-7", "house-rules"])
def test_R7_8_stud_16(book: str) -> None:
    """An all-in player keeps a last card that came up; the others get theirs down.

    Covers: HR-stud.15
    """
    stacks = {1: 3, 2: 200, 3: 200}
    played = table(book, "stud-7", "start", DOWN, UP, stacks=stacks)
    for cards in ("3c 4c 5c 6c", "3d 4d 5d 6h", "3s 4s 5h 9h"):
        street(played, cards)
    street(played, "7c 8c")
    answer = played("report last-faceup")
    assert answer["rulings"][0]["cite"][0] == ("R7-8.stud.16" if book == "roberts-7" else "HR-stud.15")
    assert steps(answer)[0] == ("deal", 2, "down")


def full_house(book: str, seats: int) -> ScriptedTable:
    """So many players that the seventh card is short, all of them in."""
    played = table(book, "stud-7", "start", seats=seats)
    while first(played.lines[-1])["step"] != "act" or played.lines[-1]["street"] != "sixth":
        step = first(played.lines[-1])
        if step["step"] == "act":
            words = step["options"]
            word = "bring-in" if "bring-in" in words else "check" if "check" in words else "call"
            played(f"act {step['seat']} {word}")
        else:
            played(f"card {next(CARDS[seats, book])}")
    while first(played.lines[-1])["step"] == "act":
        played(f"act {first(played.lines[-1])['seat']} check")
    return played


CARDS = {(seats, book): iter([r + s for s in "shdc" for r in "A23456789TJQK"]) for seats in (7, 8) for book in BOOKS}


@pytest.mark.parametrize("book", ["roberts-7", "house-rules"])
def test_R7_8_stud_15_a(book: str) -> None:
    """Too few cards: all but the last are dealt, that one is mixed with the burns, a burn, then the rest.

    Covers: HR-stud.14#a
    """
    played = full_house(book, 7)
    assert said(played.lines[-1])[0][:2] == ("insufficient-cards", "correct")
    assert [step[0] for step in steps(played.lines[-1])] == (
        ["burn"] + ["deal"] * 5 + ["return", "shuffle", "cut", "burn"] + ["deal"] * 2 + ["act"]
    )


def test_R7_8_stud_15_c() -> None:
    """Not even so a card for each: one common card, which counts for who opens.

    Covers: HR-stud.14#c
    """
    played = full_house("house-rules", 8)
    assert [step[0] for step in steps(played.lines[-1])] == ["return", "shuffle", "cut", "burn", "board"]


def test_AU_13_4_a_b() -> None:
    """AU shuffles the burns with the undealt cards at once."""
    played = full_house("casino-au", 7)
    assert [step[0] for step in steps(played.lines[-1])][:4] == ["return", "shuffle", "cut", "burn"]


def test_AU_19_21() -> None:
    """A community card counts for no opener, and plays in every hand."""
    played = full_house("casino-au", 8)
    answer = played("done 3", "card -", f"card {next(CARDS[8, 'casino-au'])}")
    assert answer["street"] == "seventh"
    assert len(answer["board"]) == 1
    assert run(played, iter(()))["phase"] == "idle"


def test_an_upcard_that_nothing_read_is_asked_for() -> None:
    """Nobody knows who opens until the dealer has named it."""
    played = table("roberts-7", "stud-7", "start", DOWN, "card 2h - Kd")
    assert said_none(played) == ("unread-card", "ask")
    answer = played("report misread seat=2 card=2c")
    assert first(answer)["seat"] == 2


def said_none(played: ScriptedTable) -> tuple[str, str]:
    """Finding and verdict of a ruling without a clause."""
    ruling = played.lines[-1]["rulings"][0]
    return ruling["finding"], ruling["verdict"]


def test_R7_8_stud_18_a() -> None:
    """A hand of more than seven cards found late is dead."""
    played = third("roberts-7")
    played("act 2 bring-in", "act 3 call", "act 1 call", "card 3c 4c 5c 6c")
    played(f"act {first(played.lines[-1])['seat']} check")
    assert said(played("report extra-card seat=1"))[0][1:3] == ("dead-hand", 1)


def test_R7_8_stud_5_at_once() -> None:
    """A seat that brings it in for another takes the wager back at once."""
    played = third("roberts-7")
    answer = played("act 3 bring-in")
    assert said(answer) == [("wrong-opener", "correct", 2, "R7-8.stud.5")]
    assert (answer["bets"], first(answer)["seat"]) == ({}, 2)


def test_R7_10_stud8_8() -> None:
    """Two hands tie for high and for low: the pot is split as evenly as can be, the odd chip by the highest card.

    Covers: R7-10.stud8.8
    """
    played = table("roberts-7", "stud-8", "start", seats=3)
    cards = "Ac Ad 9h 2c 2d 9c 3c 3d Kd"
    played(f"card {cards}", "act 1 bring-in", "act 2 call", "act 3 call")
    for row in ("Ts 4c 4d Kh", "Th 5c 5d Ks", "Tc 8c 8d 9d"):
        played(f"card {row}")
        while first(played.lines[-1])["step"] == "act":
            played(f"act {first(played.lines[-1])['seat']} check")
    played("card Td Jc Jd Qh")
    while first(played.lines[-1])["step"] == "act":
        played(f"act {first(played.lines[-1])['seat']} check")
    for _ in range(3):
        answer = played(f"show {first(played.lines[-1])['seat']}")
    shares = dict.fromkeys((1, 2), 0)
    for step in answer["next"]:
        for seat, amount in zip(step["seats"], step["amounts"], strict=True):
            shares[seat] = shares.get(seat, 0) + amount
    assert sorted(shares.values()) == [4, 5]


@pytest.mark.parametrize(("book", "clause"), [("roberts-7", "R7-8.stud.5"), ("house-rules", "HR-stud.8")])
def test_R7_8_stud_5_the_next_player_has_acted(book: str, clause: str) -> None:
    """The wrong seat brought it in and the next one called: the wager stands, the low card owes nothing.

    Covers: HR-stud.8
    """
    played = third(book)
    assert said(played("act 3 bring-in"))[0][1:3] == ("correct", 2)
    answer = played("act 1 call")
    assert said(answer) == [("wrong-opener", "play-on", 2, clause)]
    assert (answer["bets"], first(answer)["seat"]) == ({"1": 2, "3": 2}, 2)
    assert "fold" in first(answer)["options"]
    assert played("act 2 fold")["street"] == "fourth"

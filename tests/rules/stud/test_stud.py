"""Stud, one test a rule; each is named by the rule's id in the catalogue."""

from typing import Any

from tests.games.playing import first, table
from tests.playing import ScriptedTable

DOWN = "card Td 6d 8s Jc 7d Ad"
UP = "card 2h 2c Kd"


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
    assert shares == {1: 4, 2: 5}

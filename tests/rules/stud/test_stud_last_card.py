"""Seven-card stud: the last card came face up, in hands that have lost players, and late."""

import pytest

from tests.games.playing import first, said, steps, table
from tests.playing import ScriptedTable
from tests.rules.stud_deals import cards, until

TWO = ("roberts-7", "house-rules")


def sixth(book: str, seats: int) -> ScriptedTable:
    """The betting of sixth street begins."""
    played, pack = table(book, "stud-7", "start", seats=seats), cards("stud-7")
    until(played, pack, "sixth")
    return played


def checked_but(played: ScriptedTable, folds: int = 0) -> None:
    """All check, and that seat folds without a wager."""
    while (step := first(played.lines[-1]))["step"] == "act":
        played(f"act {step['seat']} {'fold' if step['seat'] == folds else 'check'}")


@pytest.mark.parametrize(("book", "seat"), [("roberts-7", 2), ("house-rules", 2), ("casino-au", 1)])
def test_R7_8_stud_17_c_first_of_two(book: str, seat: int) -> None:
    """Two players are left, and a folded seat receives before them: the first of the two counts, in AU the first card.

    Covers: HR-stud.16.2#a, AU-19.20#a
    """
    played = sixth(book, seats=3)
    checked_but(played, folds=1)
    answer = played("card - - 8d", "report last-faceup")
    assert said(answer)[0][1:3] == ("must-keep", 2)
    assert steps(answer)[0] == ("deal", 3, "up" if seat == 2 else "down")


@pytest.mark.parametrize("book", TWO)
def test_R7_8_stud_17_d_when_both_lie_there(book: str) -> None:
    """Heads-up, the first last card was up and the other came down before it was said: who alone is up may stop.

    Covers: HR-stud.16.2#b
    """
    played = sixth(book, seats=2)
    checked_but(played)
    played("card - 8d -")
    assert "all others" not in played("report last-faceup seat=1")["rulings"][0]["text"]
    assert said(played("act 1 all-in"))[0][:3] == ("last-faceup", "play-on", 1)


@pytest.mark.parametrize("book", TWO)
def test_R7_8_stud_17_b_option(book: str) -> None:
    """The option stands among what the seat may do, needs no amount, and is gone once somebody has acted.

    Covers: HR-stud.16.1
    """
    played = sixth(book, seats=3)
    checked_but(played)
    answer = played("card - 8d - Ac", "report last-faceup seat=3")
    assert first(answer) == {
        "step": "act",
        "seat": 3,
        "options": ["fold", "check", "bet", "all-in"],
        "to_call": 0,
        "min_to": 10,
        "max_to": 10,
    }
    assert first(played("act 3 check"))["options"] == ["fold", "check", "bet"]
    answer = played("undo", "act 3 all-in")
    assert answer["rulings"][0]["cite"][0] in ("R7-8.stud.17", "HR-stud.16.1")
    assert answer["stacks"]["3"] == 197
    assert first(answer)["seat"] == 1


def test_a_clause_is_cited_once() -> None:
    """Outcomes of one printed rule are one citation."""
    played = sixth("roberts-7", seats=3)
    checked_but(played)
    assert played("card - 8d", "report last-faceup")["rulings"][0]["cite"] == ["R7-8.stud.17"]

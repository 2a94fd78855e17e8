"""Manila and stripped decks, one test a rule; each is named by the rule's id in the catalogue."""

import pytest

from controller.core.play.showdown.evaluation import evaluate_hand
from controller.core.rules.games import Ranking
from tests.games.playing import steps, table


def test_AU_14_1_d() -> None:
    """The first community card comes with the deal, without a burn."""
    played = table("casino-au", "manila-2", "start")
    assert steps(played.lines[-1])[6:] == [("board", 1), ("act", 1)]


@pytest.mark.parametrize(("size", "wheel"), [(40, "As 5d 6h 7c 8c"), (36, "As 6d 7h 8c 9c"), (32, "As 7d 8h 9c Tc")])
def test_AU_9_2_a(size: int, wheel: str) -> None:
    """Each stripped deck has its own small straight, the ace low; it is the least straight [AU-9.3(f)].

    Covers: AU-9.2, AU-9.3(f)
    """
    low = evaluate_hand(Ranking.HIGH, wheel.split(), (), None, size)
    trips = evaluate_hand(Ranking.HIGH, ["Kd", "Kh", "Ks", "Qc", "Jd"], (), None, size)
    next_one = evaluate_hand(Ranking.HIGH, ["7s", "8d", "9h", "Tc", "Jc"], (), None, size)
    assert low is not None
    assert trips is not None
    assert next_one is not None
    assert trips < low < next_one


@pytest.mark.parametrize("size", [40, 36, 32])
def test_AU_9_3_d(size: int) -> None:
    """With a stripped deck a flush beats a full house, four of a kind beats both."""
    flush, full, quads = (
        evaluate_hand(Ranking.HIGH, hand.split(), (), None, size)
        for hand in ("7h 9h Th Jh Ah", "Ad Ah Ac Kc Kd", "8d 8h 8c 8s 9d")
    )
    assert full is not None
    assert flush is not None
    assert quads is not None
    assert full < flush < quads


@pytest.mark.parametrize(
    ("game", "deck", "most", "clause"),
    [
        ("holdem", 52, 10, "5.1(a)(iv)"),
        ("draw-high", 52, 8, "5.1(a)(i)"),
        ("stud-5", 52, 10, "5.1(a)(ii)"),
        ("stud-5", 40, 8, "5.1(b)(ii)"),
        ("draw-high", 32, 5, "5.1(d)(i)"),
        ("stud-7", 52, 8, "5.1(a)(iii)"),
        ("stud-7", 40, 6, "5.1(b)(iii)"),
        ("stud-7", 32, 4, "5.1(d)(iii)"),
        ("stud-5", 32, 6, "5.1(d)(ii)"),
        ("draw-high", 40, 6, "5.1(b)(i)"),
        ("manila-2", 32, 11, "5.1(d)(iv)"),
        ("manila-3", 36, 9, "5.1(c)"),
        ("manila-3", 32, 7, "5.1(d)(v)"),
    ],
)
def test_AU_5_1_a(game: str, deck: int, most: int, clause: str) -> None:
    """No more players than the game and its deck allow, at the table line and for a newcomer.

    Covers: AU-5.1(a)(i), AU-5.1(a)(ii), AU-5.1(a)(iii), AU-5.1(b)(i), AU-5.1(b)(ii), AU-5.1(b)(iii),
    AU-5.1(d)(i), AU-5.1(d)(ii), AU-5.1(d)(iii), AU-5.1(d)(iv), AU-5.1(d)(v), AU-5.1(c)
    """
    played = table("casino-au", game, seats=most, places=14, house={"deck": deck})
    refused = played({"ev": "sit", "seat": most + 1, "player": "Eve", "stack": 200})
    assert refused["error"]["code"] == "table-full"
    assert clause in refused["error"]["message"]
    with pytest.raises(AssertionError, match="too-many-players"):
        table("casino-au", game, seats=most + 1, places=14, house={"deck": deck})


@pytest.mark.parametrize(
    ("book", "game", "deck"), [("casino-au", "holdem", 40), ("casino-au", "manila-2", 52), ("roberts-7", "stud-7", 40)]
)
def test_AU_4_1_b(book: str, game: str, deck: int) -> None:
    """A game is played with the decks that the book has for it."""
    with pytest.raises(AssertionError, match="is not played with"):
        table(book, game, house={"deck": deck})

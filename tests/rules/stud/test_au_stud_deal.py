"""The casino rules: cards of a stud deal that came up late, twice or too early, named by the rule's id."""

from typing import Any

import pytest

from tests.games.playing import STUD, first, said, steps, table

AU = "casino-au"
FIVE = {"structure": "fixed-limit", "ante": 1, "small_bet": 5, "big_bet": 10}
NO_LIMIT = {"structure": "no-limit", "ante": 1, "min_bet": 4}
FIVE_DEALT = "card 2s 3s 4s 5s 6s 7s"
SEVEN_DEALT = "card 2s 3s 4s 5s 6s 7s 8s 9s Ts"


def test_AU_19_8_noticed_when_the_upcard_lies_there() -> None:
    """Five-card stud: the first card came up and nobody said so: the second open card is replaced, not the first."""
    played = table(AU, "stud-5", "start", FIVE_DEALT)
    answer = played("report exposed seat=2 nth=1")
    assert said(answer) == [("exposed", "replace", 2, "AU-19.8")]
    assert answer["up"]["2"] == ["3s", "6s"]
    answer = played("card 8c", "done")
    assert (answer["up"]["2"], answer["piles"]["burn"], answer["piles"]["seats"]["2"]) == (["3s"], 1, 2)


def test_AU_19_1_k_noticed_when_the_upcards_lie_there() -> None:
    """Two players have two cards up, one of them replaced already: misdeal."""
    played = table(AU, "stud-5", "start", FIVE_DEALT, "report exposed seat=2 nth=1", "card 8c", "done")
    assert said(played("report exposed seat=3 nth=1")) == [("exposed", "misdeal", 3, "AU-19.1(k)")]


def test_AU_19_15_noticed_when_the_upcard_lies_there() -> None:
    """Seven-card stud: a hole card and the third card are up: the third, which was to come down, is replaced."""
    played = table(AU, "stud-7", "start", SEVEN_DEALT)
    assert said(played("report exposed seat=2 nth=1")) == [("exposed", "replace", 2, "AU-19.15")]
    assert played("card Jc", "done")["up"]["2"] == ["3s"]


def test_AU_19_15_named_in_the_wrong_order() -> None:
    """The second hole card is reported before the first: still the second of the two is replaced."""
    played = table(AU, "stud-7", "start", "card 2s 3s 4s 5s 6s", "report exposed")
    assert said(played("report exposed seat=2 nth=1")) == [("exposed", "replace", 2, "AU-19.15")]
    assert played("card 7s 8s 9s Ts Jc", "done")["up"]["2"] == ["3s"]


def test_AU_19_1_n_noticed_when_the_upcard_lies_there() -> None:
    """Both hole cards and the third card are up: three up in one hand, misdeal."""
    played = table(AU, "stud-7", "start", SEVEN_DEALT, "report exposed seat=2 nth=1")
    assert said(played("report exposed seat=2 nth=2")) == [("exposed", "misdeal", 2, "AU-19.1(n)")]


@pytest.mark.parametrize(
    ("game", "betting", "dealt", "word", "bet"),
    [
        ("stud-5", FIVE, FIVE_DEALT, "bet", 5),
        ("stud-7", STUD, SEVEN_DEALT, "bring-in", 2),
        ("stud-7", NO_LIMIT, SEVEN_DEALT, "bet", 4),
    ],
)
def test_AU_19_11_before_the_forced_bet(game: str, betting: dict[str, Any], dealt: str, word: str, bet: int) -> None:
    """A card comes before even the forced bet, which is owed all the same; nobody may wager more than that.

    Covers: AU-19.11, AU-19.18
    """
    played = table(AU, game, "start", dealt, "card - 9d", betting=betting)
    answer = played("report premature")
    assert said(answer)[0][1] == "restrict-bet"
    assert first(answer)["options"] == [word]
    answer = played({"ev": "act", "seat": 1, "do": word})
    assert (answer["bets"], first(answer)["options"]) == ({"1": bet}, ["fold", "call"])
    assert steps(played("act 2 call", "act 3 call"))[:2] == [("deal", 2, "up"), ("deal", 3, "up")]


@pytest.mark.parametrize(("book", "until"), [(AU, "before 2 act"), ("roberts-7", "before the betting starts")])
def test_AU_19_20_b_says_how_long_the_option_lasts(book: str, until: str) -> None:
    """The dealer asks before substantial action; elsewhere before the betting starts."""
    played = table(book, "stud-7", "start", SEVEN_DEALT)
    for cards in ("Jc Qc Kc", "Jd Qd Kd", "Jh Qh Kh", "Ad Ac"):
        while first(played.lines[-1])["step"] == "act":
            step = first(played.lines[-1])
            word = next(w for w in ("bring-in", "check", "call") if w in step["options"])
            played(f"act {step['seat']} {word}")
        played(f"card - {cards}")
    assert until in played("report last-faceup seat=2")["rulings"][0]["text"]

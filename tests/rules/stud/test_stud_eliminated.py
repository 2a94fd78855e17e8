"""Stud: the cards that go out of play after a card that came too early."""

from tests.games.playing import first, said, steps, table
from tests.playing import ScriptedTable


def eliminating() -> ScriptedTable:
    """Three players; the burn and the first card of fourth street came too early, and the betting is over."""
    played = table("roberts-7", "stud-7", "start", "card - - - - - - Ks Qs 2c", "act 3 bring-in", "act 1 call")
    played("card 5d 6d", "report premature count=2", "done")
    return played


def test_R7_8_stud_14_a_the_shoe_sees_what_is_discarded() -> None:
    """Cards that leave the shoe while some are to be discarded are these; the dealer's word takes the rest at once."""
    played = eliminating()
    answer = played("act 2 call")
    assert steps(answer)[:2] == [("discard", "aside", 2), ("burn",)]
    answer = played("card 7d")
    assert (answer["rulings"], steps(answer)[:2], answer["piles"]["aside"]) == (
        [],
        [("discard", "aside", 1), ("burn",)],
        2,
    )
    answer = played("done")
    assert (first(answer)["step"], answer["piles"]["aside"], answer["phase"]) == ("burn", 3, "deal")


def test_R7_8_stud_14_a_one_for_each_who_is_still_in() -> None:
    """Who folds after the early card takes none out of play; nobody's card came for the one left without."""
    played = eliminating()
    assert steps(played("act 2 fold"))[0] == ("discard", "aside", 1)
    assert said(played("card 7d")) == []
    assert steps(played.lines[-1]) == [("burn",), ("deal", 1, "up"), ("deal", 3, "up")]

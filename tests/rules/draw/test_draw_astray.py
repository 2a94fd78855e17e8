"""What goes wrong on the draw: burns, cards astray, a stub that runs out."""

import pytest

from tests.games.playing import ANTE, said, steps, table
from tests.rules.draw.test_draw_rows import BLANK, R7, draw, drawing, money, passed


@pytest.mark.parametrize("game", ["draw-high", "lowball-a5"])
def test_no_burn_on_the_draw(game: str) -> None:
    """Found before the betting the cards go back and come again after the burn [R7-3.irreg.15]."""
    played = drawing(game=game)
    draw(played, 2, 2)
    answer = played("card - -", "report no-burn")
    assert said(answer) == [("no-burn", "correct", None, "R7-3.irreg.15")]
    assert answer["piles"]["seats"]["2"] == 5
    assert steps(answer)[:6] == [
        ("return", "seat 2", "stub", 1),
        ("return", "seat 2", "stub", 1),
        ("burn",),
        ("deal", 2, "down", "draw"),
        ("deal", 2, "down", "draw"),
        ("draw", 3),
    ]
    answer = played("done 2", "card - - -")
    assert (answer["piles"]["burn"], answer["piles"]["seats"]["2"], answer["piles"]["muck"]) == (1, 5, 2)


def test_two_burned_on_the_draw() -> None:
    """The second one goes back on the stub and is the first new card."""
    played = drawing()
    draw(played, 2, 1)
    answer = played("card - -", "report double-burn")
    assert said(answer) == [("double-burn", "correct", None, "R7-3.irreg.15")]
    assert answer["piles"]["burn"] == 2
    assert steps(answer)[:3] == [("return", "burn", "stub", 1), ("deal", 2, "down", "draw"), ("draw", 3)]
    played = drawing()
    draw(played, 2, 1)
    answer = played("card - -", "card -", "report double-burn")
    assert steps(answer)[:4] == [
        ("return", "seat 2", "stub", 1),
        ("return", "burn", "stub", 1),
        ("deal", 2, "down", "draw"),
        ("draw", 3),
    ]


def test_a_wrong_burn_on_the_draw_stands_when_somebody_has_looked_or_acted() -> None:
    """Cards that a player has looked at, or that were bet on, cannot be told where they belong any more."""
    played = drawing()
    draw(played, 2, 1)
    played("card - -")
    assert said(played("report looked seat=2", "report double-burn")) == [
        ("double-burn", "correct", None, "R7-3.irreg.15")
    ]
    played = drawing()
    draw(played, 2, 2)
    played("card - -", "report looked seat=2")
    assert said(played("report no-burn"))[0][1] == "play-on"
    played("card -")
    draw(played, 3, 0)
    draw(played, 1, 0)
    assert said(played("act 2 bet", "report no-burn")) == [("no-burn", "play-on", None, "R7-3.irreg.15")]


def test_au_burns_nothing_on_the_draw() -> None:
    """No burn is missing; one that the dealer made all the same goes back."""
    played = drawing("casino-au")
    draw(played, 2, 1)
    played("card -")
    assert played("report no-burn")["error"]["code"] == "no-burn-due"
    answer = played("report double-burn")
    assert said(answer) == [("double-burn", "correct", None, "AU-19.3")]
    assert steps(answer)[:2] == [("return", "burn", "stub", 1), ("deal", 2, "down", "draw")]


def test_a_hand_declared_dead_before_its_draw_is_asked_for_none() -> None:
    """The floor kills a hand that has yet to draw: the next one is asked."""
    played = drawing()
    draw(played, 2, 5)
    played("card - - - - -")
    answer = played({"ev": "floor", "decide": "dead-hand", "seat": 3})
    assert steps(answer)[0] == ("draw", 1)
    answer = played({"ev": "floor", "decide": "dead-hand", "seat": 2})
    assert steps(answer)[0][:1] == ("award",)


def test_the_stakes_of_an_anted_deal() -> None:
    """Antes come as often as the game asks, then the deals go on without."""
    played = table(R7, "jacks-or-better", betting=ANTE)
    for _ in range(5):
        answer = passed(played)
    assert answer["pots"][0]["amount"] == 9
    assert money(answer) == 600


def test_a_boxed_card_of_the_draw_found_late_is_replaced_when_all_have_drawn() -> None:
    """Others have drawn since: the next card takes its place after all other cards of the round [R7-3.irreg.7]."""
    played = drawing()
    draw(played, 2, 1)
    played("card - -")
    draw(played, 3, 1)
    played("card -")
    answer = played("report boxed seat=2 nth=5")
    assert said(answer) == [("boxed", "scrap", 2, "R7-3.irreg.7")]
    assert steps(answer) == [("return", "seat 2", "aside", 1), ("draw", 1)]
    played("done")
    answer = draw(played, 1, 0)
    assert [step[0] for step in steps(answer)] == ["deal", "act"]
    assert steps(answer)[0] == ("deal", 2, "down", "replacement")


def test_a_joker_that_came_with_the_draw_is_replaced_and_one_acted_on_is_not() -> None:
    """Its player has not acted on it: it is a scrap; after that player acts the hand is dead [R7-3.irreg.8]."""
    played = drawing()
    draw(played, 2, 1)
    answer = played("card - -", "report joker where=hand seat=2 nth=5")
    assert said(answer) == [("joker", "scrap", 2, "R7-3.irreg.8")]
    played("done", "card -")
    draw(played, 3, 0)
    draw(played, 1, 0)
    answer = played("act 2 check", "report joker where=hand seat=2 nth=5")
    assert said(answer) == [("joker", "dead-hand", 2, "R7-3.dead.1e")]
    played = drawing()
    draw(played, 2, 1)
    assert said(played("card - -", "report joker where=hand seat=2 nth=1"))[0][1] == "dead-hand"


def test_a_seat_that_says_on_the_draw_that_it_was_skipped_has_its_turn_yet() -> None:
    """Nobody is killed for it: the draw is completed to each player in order."""
    played = drawing()
    draw(played, 2, 1)
    answer = played("card - -", "report skipped seat=3")
    assert said(answer)[0][:3] == ("skipped", "play-on", 3)
    assert steps(answer)[0] == ("draw", 3)


@pytest.mark.parametrize("looked", [False, True])
def test_a_card_of_the_draw_that_went_to_a_seat_which_has_yet_to_draw(looked: bool) -> None:
    """It goes back; who has looked keeps it and draws one fewer [AU-19.6]."""
    played = drawing()
    draw(played, 2, 1)
    played("card - -", "card -")
    if looked:
        played("report looked seat=3")
    answer = played("report extra-card seat=3")
    assert said(answer)[0][:3] == ("extra-card", "must-keep" if looked else "correct", 3)
    if not looked:
        played("done")
    assert [step[0] for step in steps(draw(played, 3, 2))].count("deal") == (1 if looked else 2)


@pytest.mark.parametrize(("count", "verdict"), [(1, "play-on"), (2, "set-aside")])
def test_cards_before_the_betting_is_over_do_not_play(count: int, verdict: str) -> None:
    """A burn made too early is the burn of the draw, any other card stays aside [R7-3.irreg.16]."""
    played = table(R7, "draw-high", "start", BLANK, "act 2 bet", "card " + "- " * count)
    answer = played("report premature")
    assert said(answer) == [("premature", verdict, None, "R7-3.irreg.16")]
    assert (answer["piles"]["burn"], answer["piles"]["aside"]) == (1, count - 1)
    played("act 3 call", "act 1 call")
    assert [step[0] for step in steps(draw(played, 2, 1))] == ["deal", "draw"]


def test_a_replacement_that_the_stub_cannot_serve_comes_from_earlier_discards() -> None:
    """The stub ran out with the draw; the exposed card is replaced from what others threw away [AU-11.3(b)]."""
    played = drawing(seats=9)
    draw(played, 2, 3)
    played("card - - - -")
    draw(played, 3, 3)
    played("card - - -", "report exposed")
    for seat in (4, 5, 6, 7, 8, 9, 1):
        answer = draw(played, seat, 0)
    assert steps(answer)[:5] == [
        ("return", "muck", "stub", 3),
        ("shuffle",),
        ("cut",),
        ("deal", 3, "down", "replacement"),
        ("return", "seat 3", "muck", 1),
    ]
    answer = played("done 3", "card -", "done")
    assert (answer["phase"], answer["piles"]["seats"]["3"]) == ("bet", 5)


def test_AU_11_3_b_after_the_last_card() -> None:
    """No card is kept for a replacement to come: discards come back when the last card is dealt, with a ruling."""
    played = drawing(seats=9)
    draw(played, 2, 2)
    played("card - - -", "report exposed")
    assert [step[0] for step in steps(draw(played, 3, 4))] == ["deal"] * 4 + ["draw"]
    answer = played("card - - - -")
    for seat in (4, 5, 6, 7, 8, 9, 1):
        assert answer["piles"]["stub"] == 0
        answer = draw(played, seat, 0)
    assert steps(answer)[:4] == [
        ("return", "muck", "stub", 4),
        ("shuffle",),
        ("cut",),
        ("deal", 2, "down", "replacement"),
    ]
    assert said(answer) == [("insufficient-cards", "correct", 2, "AU-11.3(b)")]
    assert "seat 3" in answer["rulings"][0]["text"]
    assert "by default" in answer["rulings"][0]["text"]


def test_AU_11_3_b_whose_discards() -> None:
    """Only what was thrown away before: neither the player's own discards nor those of who draws later."""
    played = drawing("casino-au", seats=8)
    draw(played, 2, 5)
    played("card - - - - -")
    draw(played, 3, 5)
    played("card - - - - -")
    answer = draw(played, 4, 3)
    assert steps(answer)[:4] == [("deal", 4, "down", "draw")] * 2 + [("return", "muck", "stub", 10), ("shuffle",)]
    assert said(answer) == [("insufficient-cards", "correct", 4, "AU-11.3(b)")]
    assert "seat 2, 3" in answer["rulings"][0]["text"]


def test_au_puts_a_card_right_that_went_too_far_on_the_draw() -> None:
    """Nobody has looked: it goes back for the player who is due; a wrong count that cannot be told is a dead hand."""
    played = drawing("casino-au")
    draw(played, 2, 1)
    answer = played("card -", "card -", "report extra-card seat=2")
    assert said(answer) == [("extra-card", "correct", 2, "AU-19.6")]
    assert steps(answer)[:2] == [("return", "seat 2", "stub", 1), ("draw", 3)]


def test_a_lowball_hand_without_cards_is_not_filled() -> None:
    """A player without any was dealt out: a misdeal, not a short hand."""
    played = table(R7, "lowball-27", "start", BLANK, joker=False)
    assert said(played("report short-hand seat=2 count=5"))[0][1] == "misdeal"

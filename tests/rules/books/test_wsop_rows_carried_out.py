"""Rows of WSOP 2024 and TDA 2024 whose remedy is carried out to its end: where the cards lie and the chips go."""

from typing import Any

import pytest

from tests.games.playing import table
from tests.playing import ScriptedTable, play
from tests.rules.books.test_wsop_other_rows import DRAWN, LIVE, TDA, THIRD, WSOP, due, first, over, refused, report
from tests.rules.deals import on_flop, plan

CHECKED = ("act 2 check", "act 3 check", "act 4 check", "act 1 check")


def before_seventh(book: str) -> ScriptedTable:
    """Eight at stud, of whom one folds to the bring-in; all others call and check to the end of sixth street."""
    played, cards, folded = table(book, "stud-7", "start", seats=8), _cards(), False
    while played.lines[-1]["street"] != "seventh":
        step = due(played)
        if step["step"] != "act":
            played({"ev": "card", "card": next(cards)})
            continue
        words = step["options"]
        folds = not folded and "bring-in" not in words
        word = "fold" if folds else next(word for word in ("bring-in", "check", "call") if word in words)
        folded |= folds
        played(f"act {step['seat']} {word}")
    return played


def _cards() -> Any:  # noqa: ANN401
    ranks, suits = "A23456789TJQK", "shdc"
    cards = [rank + suit for suit in suits for rank in ranks]
    return (cards[i * 17 % 52] for i in range(52))


@pytest.mark.parametrize(("book", "clause"), [(TDA, "TDA-RP-10-H"), (WSOP, "WSOP-L-228"), (LIVE, "WSOP-L-228")])
def test_TDA_RP_10_H_B_a_common_card_from_the_stub(book: str, clause: str) -> None:
    """Four cards for seven, seven with the burns: the top one is burned, the next is a common card, nothing is mixed.

    Covers: TDA-RP-10-H#B, WSOP-L-228
    """
    played = before_seventh(book)
    assert played.lines[-1]["piles"]["stub"] == 4
    assert first(played) == ("insufficient-cards", "correct", clause)
    assert plan(played) == ["burn", "board seventh 1"]
    piles = played("card -", "card Td")["piles"]
    assert (piles["stub"], piles["burn"], piles["board"]) == (2, 4, 1)


def asked(book: str, *lines: str | dict[str, Any]) -> ScriptedTable:
    """Three have called at lowball, and seat 2 has asked for one card."""
    called = ("act 1 call", "act 2 call", "act 3 check")
    return table(book, "lowball-a5", "start", DRAWN, *called, {"ev": "draw", "seat": 2, "discard": 1}, *lines)


def test_WSOP_T_IX_draw_change_the_number_stands() -> None:
    """In a tournament not even at once: the discards lie there, and the next player is asked.

    Covers: WSOP-T-IX.draw#change
    """
    played = asked(WSOP, {"ev": "draw", "seat": 2, "discard": 2})
    assert refused(played) == "draw-fixed"
    assert "WSOP, Tournament Rules, Section IX" in played.lines[-1]["error"]["message"]
    assert (played.lines[-1]["next"][0]["seat"], played.lines[-1]["piles"]["muck"]) == (3, 1)


def test_WSOP_L_272_the_number_may_be_changed_until_a_card_leaves_for_it() -> None:
    """Live: as often as one likes before the burn; then, or once the next player has been dealt to, no more.

    Covers: WSOP-L-272
    """
    twice, pat = ({"ev": "draw", "seat": 2, "discard": count} for count in (2, 0))
    assert plan(asked(LIVE, twice))[:4] == ["burn", "deal 2 draw", "deal 2 draw", "draw"]
    assert due(asked(LIVE, twice, pat)) == {"step": "draw", "seat": 3}
    assert refused(asked(LIVE, "card -", twice)) == "draw-fixed"


def test_WSOP_L_156_missed_blinds_are_posted_the_big_one_live() -> None:
    """Seat 3 missed both: two go before it, one goes dead to the pot; without a post it waits for the big blind.

    Covers: WSOP-L-156
    """
    for post in (True, False):
        played = play(LIVE, "away 3", "start", "card" + " -" * 6)
        over(played)("start", "card" + " -" * 6)
        answer = over(played)({"ev": "back", "seat": 3, "post": post}, "start")
        assert answer["bets"] == {"1": 1, "2": 2} | ({"3": 2} if post else {})
        assert sum(pot["amount"] for pot in answer["pots"]) == post
        assert ("deal 3" in plan(played)) == post


@pytest.mark.parametrize("book", [TDA, WSOP])
def test_TDA_71_D_the_chips_of_a_disqualified_player_leave_play(book: str) -> None:
    """Its hand is killed, what it has called stays in the pot; the rest is in nobody's stack from then on.

    Covers: TDA-71-D, WSOP-T-114
    """
    played = play(book, "start", "card" + " -" * 8, "act 4 call", "act 1 call")
    assert refused_of(played, "leave 3") == "in-hand"
    answer = played({"ev": "floor", "decide": "dead-hand", "seat": 3}, "leave 3")
    assert (answer["stacks"], answer["bets"]["3"]) == ({"1": 198, "2": 199, "4": 198}, 2)
    played("act 2 fold", "card - 2s 4s Qd", "act 4 bet 10", "act 1 fold", "done")
    assert sum(played.lines[-1]["stacks"].values()) == 602
    answer = played("start")
    assert sum(answer["stacks"].values()) + sum(answer["bets"].values()) == 602


@pytest.mark.parametrize("book", [TDA, WSOP])
def test_WSOP_T_114_who_forfeits_play_is_blinded_off(book: str) -> None:
    """Who leaves the event for good without being disqualified stays in the chair: blinds go, hands are killed.

    Covers: WSOP-T-114
    """
    played = play(book, "away 3", "start", "card" + " -" * 8)
    answer = played.lines[-1]
    assert (answer["bets"]["3"], answer["stacks"]["3"]) == (2, 198)
    assert [(ruling["verdict"], ruling["seat"]) for ruling in answer["rulings"]] == [("dead-hand", 3)]
    answer = over(played)("start")
    assert answer["bets"] == {"3": 1, "4": 2}


def refused_of(played: ScriptedTable, line: str) -> str:
    code: str = played(line)["error"]["code"]
    return code


def test_WSOP_L_165_two_burns_before_the_turn() -> None:
    """Not acted: the second goes back on the stub and is the turn that it would have been.

    Acted: the turn stands. No burn at all: the card that was turned is burned, the next is the turn.

    Covers: WSOP-L-165, WSOP-L-122
    """
    played = on_flop(LIVE, *CHECKED, "card 7h 7d", "report double-burn")
    assert first(played) == ("double-burn", "correct", "WSOP-L-165")
    assert plan(played)[:3] == ["return burn burn > stub 1", "board turn 1", "act 2"]
    answer = played("done", "card 7d")
    assert (answer["board"][3], answer["piles"]["burn"]) == ("7d", 2)
    played = on_flop(LIVE, *CHECKED, "card 7h", "report no-burn")
    assert plan(played)[:4] == ["return board board > stub 1", "burn", "board turn 1", "act 2"]
    answer = played("done", "card 7h 7d")
    assert (answer["board"][3], answer["piles"]["burn"]) == ("7d", 2)
    played = on_flop(LIVE, *CHECKED, "card 7h 7d", "act 2 check", report("no-burn", street="turn"))
    assert first(played)[1:] == ("play-on", "WSOP-L-165")
    assert (played.lines[-1]["board"][3], plan(played)[0]) == ("7d", "act 3")


def fourth(*lines: str) -> ScriptedTable:
    """Three have called the bring-in at stud, by the live rules."""
    return table(LIVE, "stud-7", "start", THIRD, "act 1 bring-in", "act 2 call", "act 3 call", *lines)


def test_WSOP_L_226_cards_of_a_stud_street_go_to_their_proper_places() -> None:
    """No burn: 9s should have been it. Two burns: Kh was seat 1's. Each gets what would have come without the error.

    Covers: WSOP-L-226
    """
    played = fourth("card 9s Kh Ah", "report no-burn")
    assert first(played)[1:] == ("correct", "WSOP-L-226")
    answer = played("done 3", "card 9s Kh Ah 5d")
    assert {seat: cards[-1] for seat, cards in answer["up"].items()} == {"1": "Kh", "2": "Ah", "3": "5d"}
    played = fourth("card 9s Kh Ah 5d", "report double-burn")
    assert first(played)[1:] == ("correct", "WSOP-L-226")
    answer = played("done 3", "card Kh Ah 5d")
    assert {seat: cards[-1] for seat, cards in answer["up"].items()} == {"1": "Kh", "2": "Ah", "3": "5d"}
    assert (answer["piles"]["burn"], answer["piles"]["stub"]) == (1, 39)


def test_WSOP_L_226_a_last_card_that_was_looked_at_stays() -> None:
    """Two burns before seventh street, and seat 1 has looked: it must accept the card, the others are put right.

    Covers: WSOP-L-226
    """
    played = fourth()
    for cards in ("9s Kh Ah 5d", "9d Kc Ac 5h", "8s 8h 8d 8c"):
        played(f"card {cards}")
        while due(played)["step"] == "act":
            played(f"act {due(played)['seat']} check")
    played("card 3d 3h 3s 6d", report("looked", seat=1), "report double-burn")
    rulings = [(each["verdict"], each.get("seat"), each["cite"][0]) for each in played.lines[-1]["rulings"]]
    assert rulings == [("correct", None, "WSOP-L-226"), ("must-keep", 1, "WSOP-L-226")]
    assert not any("seat 1" in step for step in plan(played) if step.startswith("return"))

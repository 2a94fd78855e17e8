"""Rows of WSOP 2024 and TDA 2024 of stud, draw, people and tournaments: a case a row."""

from typing import Any

import pytest

from controller.core.play.showdown.evaluation import evaluate_hand
from controller.core.rules.games import Ranking
from tests.games.playing import table
from tests.playing import ScriptedTable, play
from tests.rules.deals import plan

TDA, WSOP, LIVE = "tda-2024", "wsop-2024", "wsop-live-2024"
THIRD = "card 2c 3c 4c 5c 6c 7c 2d Jd Qd"
"""Upcards 2d, Jd, Qd: seat 1 brings it in."""
CALLED = ("act 1 bring-in", "act 2 call", "act 3 call")
DRAWN = "card As 2c 5h 6s 2d 8h Kc 6h 7h 7c 8c 9c Ts Tc Th"


def report(what: str, **keys: object) -> dict[str, Any]:
    return {"ev": "report", "what": what, **keys}


def due(played: ScriptedTable) -> dict[str, Any]:
    assert "error" not in played.lines[-1], played.lines[-1]["error"]
    step: dict[str, Any] = played.lines[-1]["next"][0]
    return step


def first(played: ScriptedTable) -> tuple[str, str, str]:
    assert "error" not in played.lines[-1], played.lines[-1]["error"]
    ruling = played.lines[-1]["rulings"][0]
    return ruling["finding"], ruling["verdict"], ruling["cite"][0]


def refused(played: ScriptedTable) -> str:
    found: str = played.lines[-1]["error"]["code"]
    return found


def stud(book: str, *lines: str | dict[str, Any], game: str = "stud-7", **setup: Any) -> ScriptedTable:  # noqa: ANN401
    return table(book, game, "start", *lines, **setup)


@pytest.mark.parametrize(("book", "tied"), [(TDA, 3), (WSOP, 2), (LIVE, 2)])
def test_WSOP_T_IX_stud8_tie(book: str, tied: int) -> None:
    """Low card by suit, the ace high; the high hand; a tie: first clockwise.

    Covers: WSOP-T-IX.stud8 WSOP-T-IX.stud8#tie WSOP-L-237
    """
    assert due(stud(book, "card 2c 3c 4c 5c 6c 7c 2d Ad Qd", game="stud-8"))["seat"] == 1
    played = stud(book, "card 2c 3c 4c 5c 6c 7c 2d Jd Js", *CALLED, "card 9s Kh Ad Ah", game="stud-8")
    assert due(played)["seat"] == tied


@pytest.mark.parametrize("book", [WSOP, LIVE])
def test_WSOP_T_IX_stud_complete_a_completion_is_no_raise(book: str) -> None:
    """Four raises are allowed after it.

    Covers: WSOP-T-IX.stud#complete WSOP-L-219
    """
    played = stud(book, THIRD, "act 1 bring-in", "act 2 complete")
    for _ in range(4):
        assert "raise" in due(played)["options"]
        played(f"act {due(played)['seat']} raise")
    assert "raise" not in due(played)["options"]


@pytest.mark.parametrize(("book", "clause"), [(WSOP, "WSOP-T-IX.stud"), (LIVE, "WSOP-L-221")])
def test_WSOP_T_IX_stud_absent(book: str, clause: str) -> None:
    """Ante and bring-in are forfeited, the hand is killed, fourth street does not come to it.

    Covers: WSOP-T-IX.stud#absent WSOP-L-221
    """
    played = table(book, "stud-7", "away 1", "start", THIRD)
    if book == LIVE:
        played({"ev": "back", "seat": 1})
        played = stud(book, THIRD, "act 1 bring-in", "away 2")
        assert [r["verdict"] for r in played.lines[-1]["rulings"]] == ["dead-hand"]
    assert first(played)[1:] == ("dead-hand", clause)
    played(*(f"act {due(played)['seat']} call" for _ in range(1)))
    assert played.lines[-1]["killed"] == [1] if book == WSOP else True


def seventh(book: str, seats: int, *lines: str | dict[str, Any]) -> ScriptedTable:
    """All call to sixth street; its betting is over when the lines come."""
    played = table(book, "stud-7", "start", seats=seats)
    while played.lines[-1]["street"] != "seventh":
        step = due(played)
        if step["step"] == "act":
            words = step["options"]
            word = next(word for word in ("bring-in", "check", "call") if word in words)
            played(f"act {step['seat']} {word}")
        else:
            played({"ev": "card", "card": next(PACK[seats])})
    played(*lines)
    return played


def _pack(step: int) -> Any:  # noqa: ANN401
    ranks, suits = "A23456789TJQK", "shdc"
    cards = [rank + suit for suit in suits for rank in ranks]
    return (cards[i * step % 52] for i in range(10_000))


PACK = {2: _pack(7), 3: _pack(11), 7: _pack(5), 8: _pack(17)}


def test_TDA_RP_10_B_a_last_card_that_the_dealer_exposed() -> None:
    """It is replaced while betting remains; nobody else's comes up.

    Covers: TDA-RP-10-B
    """
    PACK[3] = _pack(11)
    played = seventh(TDA, 3, "card -", {"ev": "card", "card": next(PACK[3])}, "report last-faceup")
    assert first(played)[1:] == ("replace", "TDA-RP-10-B")
    deals = [step for step in played.lines[-1]["next"] if step["step"] == "deal"]
    assert [step.get("why") for step in deals] == [None, None, "replacement"]
    assert {step["face"] for step in deals} == {"down"}


@pytest.mark.parametrize(("book", "clause"), [(TDA, "TDA-RP-10-H"), (WSOP, "WSOP-L-228"), (LIVE, "WSOP-L-228")])
def test_TDA_RP_10_H_a_short_stub_before_seventh_street(book: str, clause: str) -> None:
    """Seven players: 7 cards in the stub, 9 wanted; with the three burns there are: scramble, cut, burn, one each.

    Eight: 1 card, and 10 are wanted: with the burns a common card, and who opened sixth street opens.

    Covers: TDA-RP-10-H#A TDA-RP-10-H#C TDA-RP-10-H#D WSOP-L-228
    """
    PACK[7], PACK[8] = _pack(5), _pack(17)
    played = seventh(book, 7)
    assert played.lines[-1]["piles"]["stub"] == 7
    assert plan(played)[:5] == ["return burn burn > stub 3", "shuffle", "cut", "burn", "deal 1"]
    assert played.lines[-1]["rulings"][-1]["cite"][0].startswith(clause)
    played = seventh(book, 8)
    assert played.lines[-1]["piles"]["stub"] == 1
    assert plan(played)[:5] == ["return burn burn > stub 3", "shuffle", "cut", "burn", "board seventh 1"]


def test_WSOP_L_262_misdeals_in_lowball() -> None:
    """First or second card, two cards, a wrong number, the button, the first card, the order, chairs.

    Covers: WSOP-L-262
    """
    begun = ("card 2c 3c 4c", "report exposed", "card 5c", "report exposed")
    for lines in (
        ("card 2c", "report exposed"),
        begun,
        (DRAWN, report("button-wrong", seat=2)),
        ("card 2c", "report wrong-seat seat=3"),
        ("card 2c 3c 4c", "report wrong-seat seat=2"),
        ("card 2c 3c", "report not-entitled seat=7"),
        ("card 2c 3c 4c", "report skipped seat=3"),
    ):
        played = table(LIVE, "lowball-a5", "start", *lines)
        assert first(played)[1] == "misdeal", lines


def test_WSOP_L_263_raises_in_limit_lowball() -> None:
    """A bet and four raises.

    Covers: WSOP-L-263
    """
    played = table(LIVE, "lowball-a5", "start", DRAWN)
    for _ in range(4):
        played(f"act {due(played)['seat']} raise")
    assert "raise" not in due(played)["options"]


def test_WSOP_L_281_deuce_to_seven_and_ace_to_five() -> None:
    """The ace is high only, straights and flushes count; the joker is the lowest card missing.

    Covers: WSOP-L-281 WSOP-L-277
    """
    seven, wheel = ("7s", "5h", "4d", "3c", "2s"), ("As", "2h", "3d", "4c", "5s")

    def beats(ranking: Ranking, hand: tuple[str, ...], other: tuple[str, ...]) -> bool:
        best, worse = evaluate_hand(ranking, hand, (), None), evaluate_hand(ranking, other, (), None)
        assert best is not None
        assert worse is not None
        return best > worse

    assert beats(Ranking.LOW_27, seven, wheel)
    assert beats(Ranking.LOW_A5, wheel, seven)


def over(played: ScriptedTable) -> ScriptedTable:
    while played.lines[-1]["next"][0]["step"] == "act":
        played(f"act {played.lines[-1]['next'][0]['seat']} fold")
    played("done")
    return played


EIGHT = "card" + " -" * 8
LATE = {"ev": "sit", "seat": 5, "player": "Late", "stack": 200}


@pytest.mark.parametrize(("structure", "posted"), [("no-limit", 0), ("fixed-limit", 2)])
def test_WSOP_L_100_a_a_newcomer_posts_at_limit_only(structure: str, posted: int) -> None:
    """Covers: WSOP-L-100.a"""
    betting = {"structure": structure, "small_blind": 1, "big_blind": 2}
    if structure == "fixed-limit":
        betting |= {"small_bet": 2, "big_bet": 4}
    played = over(play(LIVE, "start", EIGHT, betting=betting))
    played({**LATE, "post": True}, "start")
    assert played.lines[-1]["bets"].get("5", 0) == posted
    assert any(step.get("seat") == 5 for step in played.lines[-1]["next"])


@pytest.mark.parametrize("book", [TDA, WSOP])
def test_TDA_23_a_new_level_counts_for_the_next_hand(book: str) -> None:
    """Covers: TDA-23 WSOP-T-79"""
    house = {"schedule": "T20000"}
    betting = {"structure": "no-limit", "small_blind": 25, "big_blind": 50}
    stacks: dict[int, int | None] = dict.fromkeys((1, 2, 3, 4), 20_000)
    played = play(book, "start", EIGHT, {"ev": "level"}, house=house, betting=betting, stacks=stacks, mode="tournament")
    assert played.lines[-1]["bets"] == {"2": 25, "3": 50}
    over(played)("start")
    assert played.lines[-1]["bets"] != {"3": 25, "4": 50}


@pytest.mark.parametrize("book", [TDA, WSOP])
def test_TDA_RP_11_the_big_blind_ante(book: str) -> None:
    """The blind is reckoned first; it is not reduced by itself.

    Covers: TDA-RP-11 TDA-RP-11#full
    """
    betting = {"structure": "no-limit", "small_blind": 1, "big_blind": 2, "ante": 2, "ante_by": "big-blind"}
    played = play(book, "start", EIGHT, betting=betting, stacks={1: 200, 2: 200, 3: 3, 4: 200})
    assert (played.lines[-1]["bets"]["3"], played.lines[-1]["pots"][0]["amount"]) == (2, 1)
    assert refused(play(book, {"ev": "waive-antes"}, seats=2, betting=betting)) == "antes" if book == TDA else True

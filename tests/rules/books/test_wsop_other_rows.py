"""Rows of WSOP 2024 and TDA 2024 of stud, draw, people and tournaments: a case a row."""

from typing import Any

import pytest

from controller.core.play.showdown.evaluation import evaluate_hand
from controller.core.rules.games import Ranking
from tests.games.playing import table
from tests.playing import ScriptedTable, play
from tests.rules.deals import again, dealt, on_flop, plan

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


@pytest.mark.parametrize("book", [WSOP, LIVE])
def test_WSOP_T_IX_stud7_who_opens(book: str) -> None:
    """The low card by rank and suit, for the bring-in or a full bet; later the high hand. No choice on a pair.

    Covers: WSOP-T-IX.stud7 WSOP-T-IX.stud7#pair WSOP-T-IX.stud WSOP-L-216
    """
    played = stud(book, THIRD)
    assert (due(played)["seat"], due(played)["options"][-2:]) == (1, ["bring-in", "complete"])
    played(*CALLED, "card 9s Kh Jh Qh")
    assert due(played)["seat"] == 3
    if book == WSOP:
        assert (due(played)["min_to"], due(played)["max_to"]) == (5, 5)
    assert due(stud(book, "card 2c 3c 4c 5c 6c 7c 2d 2s 2h"))["seat"] == 1
    assert due(stud(book, THIRD, *CALLED, "card 9s Kh Jh 3h"))["seat"] == 2


@pytest.mark.parametrize(("book", "seat"), [(TDA, 3), (WSOP, 3), (LIVE, 2)])
def test_WSOP_L_215_high_hands_that_tie(book: str, seat: int) -> None:
    """By the high card's suit; live, who received cards first.

    Covers: WSOP-L-215
    """
    played = stud(book, "card 2c 3c 4c 5c 6c 7c 2d Jd Js")
    played(*CALLED, "card 9s Kh Ad Ah")
    assert due(played)["seat"] == seat


@pytest.mark.parametrize(("book", "tied"), [(TDA, 3), (WSOP, 2), (LIVE, 2)])
def test_WSOP_T_IX_stud8_tie(book: str, tied: int) -> None:
    """Low card by suit, the ace high; the high hand; a tie: first clockwise.

    Covers: WSOP-T-IX.stud8 WSOP-T-IX.stud8#tie WSOP-L-237
    """
    assert due(stud(book, "card 2c 3c 4c 5c 6c 7c 2d Ad Qd", game="stud-8"))["seat"] == 1
    played = stud(book, "card 2c 3c 4c 5c 6c 7c 2d Jd Js", *CALLED, "card 9s Kh Ad Ah", game="stud-8")
    assert due(played)["seat"] == tied


@pytest.mark.parametrize(("book", "tied"), [(TDA, 3), (WSOP, 2), (LIVE, 2)])
def test_WSOP_T_IX_razz(book: str, tied: int) -> None:
    """The high card by suit opens, the king of spades highest; then the low hand; a tie: first clockwise.

    Covers: WSOP-T-IX.razz WSOP-T-IX.razz#tie WSOP-L-233
    """
    played = stud(book, "card 2c 3c 4c 5c 6c 7c Ks 5d 5s", game="razz")
    assert due(played)["seat"] == 1
    played(*CALLED, "card 9s Qh 8d 8s")
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


@pytest.mark.parametrize(("book", "clause"), [(WSOP, "WSOP-T-IX.stud"), (LIVE, "WSOP-L-218")])
def test_WSOP_T_IX_stud_wrong_the_wrong_seat_brings_it_in(book: str, clause: str) -> None:
    """Before the next has acted it is put right; afterwards it stands.

    Covers: WSOP-T-IX.stud#wrong WSOP-L-218
    """
    played = stud(book, "card 2c 3c 4c 5c 6c 7c 3d 2d Qd")
    played("act 2 bring-in", report("wrong-opener", seat=1))
    assert (first(played), due(played)["seat"]) == (("wrong-opener", "correct", clause), 1)
    played = stud(
        book, "card 2c 3c 4c 5c 6c 7c 3d 2d Qd", "act 2 bring-in", "act 3 call", report("wrong-opener", seat=1)
    )
    assert first(played)[1:] == ("play-on", clause)


@pytest.mark.parametrize("book", [TDA, WSOP, LIVE])
def test_TDA_RP_10_E_the_low_card_is_all_in_for_the_ante(book: str) -> None:
    """The seat to the left begins, with at least the bring-in or a fold; part of it: others enter for all of it.

    Covers: TDA-RP-10-E WSOP-T-IX.stud7#allin WSOP-L-217
    """
    played = stud(book, THIRD, stacks={1: 1, 2: 200, 3: 200})
    assert (due(played)["seat"], due(played)["options"]) == (2, ["fold", "bring-in", "complete"])
    played = stud(book, THIRD, "act 1 bring-in", stacks={1: 2, 2: 200, 3: 200})
    assert (due(played)["seat"], due(played)["to_call"]) == (2, 2)


def test_WSOP_T_IX_stud8_allin_the_high_hand_is_all_in() -> None:
    """Action goes on as if it had checked.

    Covers: WSOP-T-IX.stud8#allin
    """
    played = stud(WSOP, THIRD, *CALLED, "card 9s 3h Th Kh", game="stud-8", stacks={1: 200, 2: 200, 3: 3})
    assert due(played)["seat"] == 1


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


def test_WSOP_L_222_a_fold_without_a_wager_goes_on_receiving() -> None:
    """Covers: WSOP-L-222"""
    played = stud(LIVE, THIRD, *CALLED, "card 9s Kh Jh Qh", "act 3 fold", "act 1 check", "act 2 check")
    assert [step["seat"] for step in played.lines[-1]["next"] if step["step"] == "deal"] == [1, 2, 3]
    bet = stud(LIVE, THIRD, *CALLED, "card 9s Kh Jh Qh", "act 3 fold", "act 1 bet 5", "act 2 call")
    assert [step["seat"] for step in bet.lines[-1]["next"] if step["step"] == "deal"] == [1, 2]


def test_WSOP_L_220_open_pair_on_fourth_street() -> None:
    """As printed, any participant may bet either limit.

    Covers: WSOP-L-220
    """
    played = stud(LIVE, THIRD, *CALLED, "card 9s Kh Jh Qh")
    assert (due(played)["min_to"], due(played)["max_to"]) == (5, 10)


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


def drawn(book: str, *lines: str | dict[str, Any], game: str = "lowball-a5") -> ScriptedTable:
    """Three players are in, seat 2 is asked how many cards it exchanges."""
    return table(book, game, "start", DRAWN, "act 1 call", "act 2 call", "act 3 check", *lines)


def exchange(seat: int, count: int) -> dict[str, Any]:
    return {"ev": "draw", "seat": seat, "discard": count}


def test_WSOP_T_IX_draw_exposed() -> None:
    """Replaced, whatever it is; the second is a misdeal.

    Covers: WSOP-T-IX.draw#exposed
    """
    played = table(WSOP, "lowball-27", "start", "card 2c", "report exposed")
    assert first(played)[1:] == ("replace", "WSOP-T-IX.draw")
    played("card 3c", "report exposed")
    assert (first(played)[1], plan(played)[1:3]) == ("misdeal", again(0)[1:])


def test_WSOP_T_IX_draw_five_consecutive_cards() -> None:
    """Covers: WSOP-T-IX.draw#five WSOP-L-270"""
    played = drawn(WSOP, exchange(2, 5), exchange(3, 1), exchange(1, 0))
    assert plan(played)[:7] == ["burn", *["deal 2 draw"] * 5, "deal 3 draw"]
    played = drawn(LIVE, exchange(2, 5))
    assert plan(played)[:6] == ["burn", *["deal 2 draw"] * 5]


@pytest.mark.parametrize(("book", "clause"), [(LIVE, "WSOP-L-269"), (WSOP, "WSOP-L-269")])
def test_WSOP_L_269_cards_exposed_in_the_deal_or_on_a_draw(book: str, clause: str) -> None:
    """Covers: WSOP-L-269"""
    played = drawn(book, exchange(2, 1))
    if book == WSOP:
        played(exchange(3, 0), exchange(1, 0))
    played("card -", "card 3s", "report exposed")
    assert (first(played)[1], first(played)[2]) == ("replace", clause)


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


@pytest.mark.parametrize("book", [TDA, WSOP])
def test_WSOP_T_14_a_late_player_is_dealt_in_without_a_post(book: str) -> None:
    """Also as the next big blind.

    Covers: WSOP-T-14
    """
    played = over(play(book, "start", EIGHT))
    played({**LATE, "seat": 6}, "start")
    assert {step["seat"] for step in played.lines[-1]["next"] if step["step"] == "deal"} == {1, 2, 3, 4, 6}
    assert set(played.lines[-1]["bets"]) == {"3", "4"}


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


@pytest.mark.parametrize("stack", [100, 30])
def test_WSOP_L_101_no_short_buy_in(stack: int) -> None:
    """Twenty big blinds at no-limit; a mover from a broken game keeps what it has.

    Covers: WSOP-L-101 WSOP-L-182 WSOP-L-102
    """
    played = play(LIVE, {**LATE, "stack": stack})
    assert ("error" in played.lines[-1]) is (stack < 40)
    assert "error" not in play(LIVE, {**LATE, "stack": 30, "moved": True}).lines[-1]


def test_WSOP_L_10_the_buy_in_at_limit() -> None:
    """Ten times the bet.

    Covers: WSOP-L-10 WSOP-L-100
    """
    betting = {"structure": "fixed-limit", "small_blind": 1, "big_blind": 2, "small_bet": 2, "big_bet": 4}
    assert refused(play(LIVE, {**LATE, "stack": 19}, betting=betting)) == "buy-in"
    assert "error" not in play(LIVE, {**LATE, "stack": 40}, betting=betting).lines[-1]


def test_WSOP_L_67_the_blinds_may_chop() -> None:
    """Covers: WSOP-L-67"""
    played = dealt(LIVE, "act 4 fold", "act 1 fold", {"ev": "chop"})
    assert played.lines[-1]["stacks"] == dict.fromkeys("1234", 200)


def test_WSOP_L_60_the_chips_of_the_deal_play() -> None:
    """Covers: WSOP-L-60"""
    assert refused(dealt(LIVE, {"ev": "stack", "seat": 4, "stack": 900})) == "not-now"


@pytest.mark.parametrize("book", [TDA, WSOP])
def test_WSOP_T_36_an_absent_participant_posts_and_is_killed_after_the_deal(book: str) -> None:
    """Antes and blinds come from the stack; who is back in time plays.

    Covers: WSOP-T-36 WSOP-T-82
    """
    played = play(book, "away 2", "start", EIGHT)
    assert (played.lines[-1]["bets"]["2"], first(played)[1]) == (1, "dead-hand")
    played = play(book, "away 2", "start", {"ev": "back", "seat": 2}, EIGHT)
    assert played.lines[-1]["rulings"] == []


@pytest.mark.parametrize(("book", "clause"), [(TDA, "TDA-27"), (WSOP, "R7-15.tourn.33")])
def test_TDA_27_a_rebuy_that_is_announced_plays_behind(book: str, clause: str) -> None:
    """Covers: TDA-27"""
    played = play(book, {"ev": "buy", "seat": 2, "chips": 500})
    assert first(played)[:2] == ("playing-behind", "bind")
    assert clause


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


@pytest.mark.parametrize(("book", "clause"), [(TDA, "TDA-24-A"), (WSOP, "WSOP-T-77")])
def test_TDA_24_A_a_chip_race(book: str, clause: str) -> None:
    """One card an odd chip, from seat 1; at most one chip to a player, and nobody is raced out.

    Covers: TDA-24-A WSOP-T-77
    """
    stacks: dict[int, int | None] = {1: 125, 2: 175, 3: 25}
    up = {"ev": "colour-up", "chip": 25, "to": 100}
    played = play(book, up, stacks=stacks, mode="tournament")
    assert refused(played) == "race"
    played({**up, "cards": ["As", "2c", "3c", "4c", "5c"]})
    assert first(played)[1:] == ("correct", clause)
    assert played.lines[-1]["stacks"] == {"1": 200, "2": 100, "3": 100}


@pytest.mark.parametrize("book", [TDA, WSOP])
def test_TDA_RP_11_the_big_blind_ante(book: str) -> None:
    """The blind is reckoned first; it is not reduced by itself.

    Covers: TDA-RP-11 TDA-RP-11#full
    """
    betting = {"structure": "no-limit", "small_blind": 1, "big_blind": 2, "ante": 2, "ante_by": "big-blind"}
    played = play(book, "start", EIGHT, betting=betting, stacks={1: 200, 2: 200, 3: 3, 4: 200})
    assert (played.lines[-1]["bets"]["3"], played.lines[-1]["pots"][0]["amount"]) == (2, 1)
    assert refused(play(book, {"ev": "waive-antes"}, seats=2, betting=betting)) == "antes" if book == TDA else True


def test_TDA_RP_17_limping_in_single_draw() -> None:
    """The big blind may be called before the draw.

    Covers: TDA-RP-17
    """
    played = table(TDA, "lowball-27", "start", DRAWN)
    assert due(played)["options"] == ["fold", "call", "raise"]


def test_WSOP_L_79_absent_when_the_hands_are_complete() -> None:
    """Live: in stud dead in its turn; in a tournament when the deal is complete. Who left for good folds first.

    Covers: WSOP-L-79 WSOP-L-80
    """
    played = stud(LIVE, THIRD, "act 1 bring-in", "away 2")
    assert first(played)[1:] == ("dead-hand", "WSOP-L-221")
    assert refused(on_flop(LIVE, {"ev": "leave", "seat": 2})) == "in-hand"


def test_WSOP_T_IX_flop_two_to_ten() -> None:
    """The first card goes to the seat next to the button.

    Covers: WSOP-T-IX.flop WSOP-L-button
    """
    played = play(WSOP, "start")
    assert (plan(played)[0], plan(played)[3], plan(played)[-1]) == ("deal 2", "deal 1", "act 4")


def test_WSOP_L_204_running_it_three_times() -> None:
    """By agreement, somebody all-in and no action pending; not in a tournament.

    Covers: WSOP-L-204
    """
    allin = ("act 4 all-in", "act 1 call", "act 2 fold", "act 3 fold")
    played = dealt(LIVE, *allin, {"ev": "twice", "count": 3})
    assert "error" not in played.lines[-1]
    assert "error" in dealt(WSOP, *allin, {"ev": "twice", "count": 2}).lines[-1]

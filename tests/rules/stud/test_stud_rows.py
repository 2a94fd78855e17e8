"""Stud under Robert's rules and the house rules: rows that stud alone has, and events that nobody scripted."""

import pytest

from tests.games.playing import first, said, steps, table
from tests.playing import ScriptedTable
from tests.rules.stud.test_stud import DOWN, UP, sixth, street, third
from tests.rules.stud_deals import awards, cards, checked, dealt, money, until, verbs

TWO = ("roberts-7", "house-rules")
ROBERTS = "roberts-7"


@pytest.mark.parametrize("book", TWO)
def test_R7_3_ties_5_b(book: str) -> None:
    """The odd chip: the highest card by suit in a high game, the lowest in a low one, of all seven cards.

    Covers: R7-3.ties.5b, HR-ties.5.2
    """
    played = dealt(book, "stud-7", "5c 6c 7d 8d 9s Kd 2c", "5d 6d 7c 8c 9h Kh 2d", "3s 3h Jc Qd Ts 4s Jd")
    assert awards(played) == [(0, [1, 2], [4, 5])]
    played = dealt(book, "razz", "8c 7c 6d 5d 4s 4h Kd", "8d 7d 6c 5c 4d Kc Qc", "Ks Kh Qs Qd Jc Js Td")
    assert awards(played) == [(0, [1, 2], [4, 5])]
    played = dealt(book, "razz", "8c 7c 6d 5d 4s 4h Ac", "8d 7d 6c 5c 4d Kc Ad", "Ks Kh Qs Qd Jc Js Td")
    assert awards(played) == [(0, [1, 2], [5, 4])]


@pytest.mark.parametrize(("book", "clause"), [(ROBERTS, "R7-8.stud.11"), ("house-rules", "HR-stud.10")])
def test_R7_8_stud_11(book: str, clause: str) -> None:
    """A card off the table is an exposed card: the third comes down for it; a last one gives the option.

    Covers: HR-stud.10
    """
    played = table(book, "stud-7", "start", "card Td 6d")
    answer = played("report off-table")
    assert said(answer)[0][:3] == ("off-table", "must-keep", 2)
    assert clause in answer["rulings"][0]["cite"]
    assert answer["up"] == {"2": ["6d"]}
    faces = [step["face"] for step in answer["next"] if step["step"] == "deal" and step["seat"] == 2]
    assert faces == ["down", "down"]
    played = sixth(book)
    played("card 7c 2s 9c")
    assert clause in played("report off-table")["rulings"][0]["cite"]
    answer = played("card Qd", {"ev": "act", "seat": 2, "do": "all-in", "to": 0})
    assert said(answer)[0][:3] == ("last-faceup", "play-on", 2)


def test_R7_10_stud8_2() -> None:
    """Any five cards make the high hand, any five the low one: a flush and a six-low of the same seven cards."""
    played = dealt(ROBERTS, "stud-8", "Ah 2h 6h 9h Kh 3c 4c", "6d 7d 8d 9c Tc Ks Qs", "7c 5c 4d 3d 2d Kd Js")
    assert awards(played) == [(0, [1], [5]), (0, [1], [4])]
    played = dealt(ROBERTS, "stud-8", "Ah 2h 6h 9h Kh 7h 8c", "6d 7d 8d 9c Tc Ks Qs", "7c 5c 4d 3d 2d Kd Js")
    assert awards(played) == [(0, [1], [5]), (0, [3], [4])]


def test_R7_10_stud8_4() -> None:
    """Low card by suit, the ace high; then the high hand, a tie clockwise; all-in, action goes on as if it checked."""
    played = table(ROBERTS, "stud-8", "start", DOWN, "card Ac 2h 2c")
    assert first(played.lines[-1])["seat"] == 3
    assert first(street(played, "3s 4c 5c 6c"))["seat"] == 1
    played = table(ROBERTS, "stud-8", "start", DOWN, "card 2c Kc Kd")
    assert first(street(played, "3s 4c 5c 5h"))["seat"] == 2
    played = table(ROBERTS, "stud-8", "start", DOWN, "card 2h As 2c", stacks={1: 200, 2: 3, 3: 200})
    assert first(street(played, "3s 4c 5c 6c"))["seat"] == 3


def test_R7_10_stud8_9() -> None:
    """Halves of seven: tied highs, the odd chip to the highest card; tied lows, to the lowest card by suit."""
    played = table(ROBERTS, "stud-8", "start", seats=6)
    hands = {
        1: "Ts Jh Qd Kc Ac 9c 9d",
        2: "Td Jc Qs Kh Ad 9h 9s",
        3: "7c 5c 4h 3h 2h Jd Qc",
        4: "7d 5d 4c 3c 2c Js Kd",
        5: "8c 8d 8h",
        6: "6c 6d 6h",
    }
    held = {seat: iter(cards_.split()) for seat, cards_ in hands.items()}
    while (step := first(played.lines[-1]))["step"] != "show":
        if step["step"] == "deal":
            played({"ev": "card", "card": next(held[step["seat"]])})
        elif step["step"] == "burn":
            played("card -")
        else:
            words = step["options"]
            out = step["seat"] > 4 and "call" in words
            word = "fold" if out else next(w for w in ("bring-in", "check", "call") if w in words)
            played(f"act {step['seat']} {word}")
    assert awards(played) == [(0, [1, 2], [3, 4]), (0, [3, 4], [3, 4])]


def half_pushed() -> ScriptedTable:
    """Two hands tie for both halves of a pot of nine; the high half has been pushed."""
    hands = ("Ac 2c 3c 4c 5c 8c Jc", "Ad 2d 3d 4d 5d 8d Qd", "9h 9c Kd Kh Ks 9d Qh")
    played = dealt(ROBERTS, "stud-8", *hands)
    assert awards(played) == [(0, [1, 2], [2, 3]), (0, [1, 2], [2, 2])]
    played("done")
    return played


def test_a_card_named_anew_when_half_of_a_pot_is_pushed_pays_nothing_twice() -> None:
    """What was pushed stays pushed, the other half waits to be; no chip appears."""
    played = half_pushed()
    assert played.lines[-1]["pots"] == [{"amount": 4, "seats": [1, 2, 3]}]
    assert money(played.lines[-1]) == 600
    answer = played("report misread seat=1 card=7c")
    assert [(step["step"], step["amounts"]) for step in answer["next"]] == [("award", [2, 2])]
    assert money(played("done")) == 600
    assert played.lines[-1]["phase"] == "idle"


def test_a_card_named_anew_decides_the_pots_that_are_not_pushed() -> None:
    """The side pot is pushed; the main pot goes by the true card."""
    hands = ("Td Jc 2h 4c 4d 4s 2s", "6d 7d 2c 5c 5d 5h Qc", "8s Ad Kd 6c 7c 9h Jd")
    played = dealt(ROBERTS, "stud-7", *hands, stacks={1: 20, 2: 200, 3: 200}, stop="act")
    while first(played.lines[-1])["step"] != "show":
        step = first(played.lines[-1])
        if step["step"] == "act":
            word = next(word for word in ("bet", "complete", "call", "all-in", "bring-in") if word in step["options"])
            played({"ev": "act", "seat": step["seat"], "do": word})
        else:
            nth = played.lines[-1]["piles"]["seats"][str(step["seat"])] if step["step"] == "deal" else 0
            played({"ev": "card", "card": hands[step["seat"] - 1].split()[nth] if step["step"] == "deal" else None})
    (side, main) = awards(played)
    assert (side[1], main[1]) == ([2], [1])
    played("done")
    answer = played("report misread seat=1 card=As")
    assert [(step["pot"], step["seats"]) for step in answer["next"]] == [(0, [2])]
    assert money(played("done")) == 420


@pytest.mark.parametrize("book", TWO)
def test_a_short_last_street_is_foreseen_when_all_are_all_in(book: str) -> None:
    """Seven players all-in on third street: the streets that follow one another end with the mixture."""
    played = table(book, "stud-7", "start", seats=7, stacks=dict.fromkeys(range(1, 8), 3))
    pack = cards("stud-7")
    until(played, pack, "third")
    answer = checked(played)
    assert verbs(answer)[24:] == ["burn", *["deal"] * 5, "return", "shuffle", "cut", "burn", "deal", "deal"]
    while first(played.lines[-1])["step"] != "show":
        wanted = first(played.lines[-1])["step"] in ("deal", "burn")
        answer = played({"ev": "card", "card": next(pack, None)} if wanted else "done")
        assert not answer["rulings"]
    assert set(answer["piles"]["seats"].values()) == {7}


@pytest.mark.parametrize("book", TWO)
def test_eliminated_cards_are_there_when_the_deck_runs_out(book: str) -> None:
    """Premature last cards with seven players: the rest of the stub goes out, then all is mixed and dealt.

    Covers: R7-8.stud.14#a, R7-8.stud.15#a, HR-stud.13#a, HR-stud.14#a
    """
    played, pack = table(book, "stud-7", "start", seats=7), cards("stud-7")
    until(played, pack, "sixth")
    played({"ev": "card", "card": next(pack)}, {"ev": "card", "card": next(pack)}, "report premature", "done")
    answer = checked(played)
    assert steps(answer)[:3] == [("discard", "aside", 5), ("return", "burn", "stub", 4), ("return", "aside", "stub", 6)]
    answer = until(played, iter(()), "seventh")
    assert (answer["piles"]["aside"], set(answer["piles"]["seats"].values())) == (0, {7})


def test_an_unread_common_card_is_asked_for() -> None:
    """It decides who opens, so that nobody knows before it is named."""
    played, pack = table(ROBERTS, "stud-7", "start", seats=8), cards("stud-7")
    until(played, pack, "sixth")
    checked(played)
    answer = played("done 3", "card -", "card -")
    assert [(ruling["finding"], ruling["verdict"]) for ruling in answer["rulings"]] == [("unread-card", "ask")]
    assert "common card" in answer["rulings"][0]["text"]
    assert first(played(f"report misread card={next(pack)}"))["step"] == "act"


CORRECTED = [(ROBERTS, "R7-8.stud.13"), ("house-rules", "HR-stud.12"), ("casino-au", "AU-19.1(c)")]


@pytest.mark.parametrize(("book", "clause"), CORRECTED)
def test_a_later_card_at_the_wrong_seat_is_moved(book: str, clause: str) -> None:
    """An upcard that went to another seat goes to its own, no hand is dead for it, and the right one opens."""
    played = third(book)
    street(played, "3c 4c 5d Kc")
    answer = played("report wrong-seat seat=1")
    assert said(answer) == [("wrong-seat", "correct", 3, clause)]
    assert (first(answer)["from"], first(answer)["to"]) == ("seat 1", "seat 3")
    answer = played("done")
    assert (answer["up"]["3"], first(answer)["seat"]) == (["Kd", "Kc"], 3)


@pytest.mark.parametrize(("book", "clause"), CORRECTED)
def test_a_last_card_that_another_player_looked_at_is_accepted(book: str, clause: str) -> None:
    """The seventh card of seat 2 went to seat 3, who looked: it is that player's, the next one goes to seat 2.

    Covers: R7-8.stud.13, HR-stud.12
    """
    played = sixth(book)
    answer = played("card 7c 2s 9c", "report looked seat=3", "report wrong-seat seat=3")
    assert said(answer) == [("wrong-seat", "must-keep", 3, clause)]
    assert (answer["piles"]["seats"], steps(answer)[0]) == ({"1": 7, "2": 6, "3": 7}, ("deal", 2, "down"))
    assert first(played("card Qd"))["step"] == "act"
    played = sixth(book)
    answer = played("card 7c 2s 9c", "report wrong-seat seat=3")
    assert said(answer) == [("wrong-seat", "correct", 2, clause)]


def test_one_act_does_not_fix_a_card_at_the_wrong_seat_where_two_must_have_acted() -> None:
    """AU: as long as there has been no substantial action the hands are reconstructed."""
    for acts, verdict in ((1, "correct"), (2, "dead-hand")):
        played = third("casino-au")
        street(played, "3c 4c 5c 6c")
        for _ in range(acts):
            played(f"act {first(played.lines[-1])['seat']} check")
        assert said(played("report wrong-seat seat=1"))[0][1] == verdict


def test_the_opener_is_found_anew_when_an_upcard_has_been_moved() -> None:
    """The last upcard went to the wrong seat, where it made another hand low."""
    played = table("casino-au", "stud-7", "start", DOWN, "card 2h 5c 2c")
    assert said(played("report wrong-seat seat=1"))[0][1] == "correct"
    assert first(played("done"))["seat"] == 3


@pytest.mark.parametrize(("book", "clause"), CORRECTED)
def test_a_seat_passed_over_on_a_later_street(book: str, clause: str) -> None:
    """The cards dealt since move back one seat, the last seat gets its card."""
    played = third(book)
    street(played, "3c 4c 5c")
    answer = played("report skipped seat=1")
    assert said(answer) == [("skipped", "correct", 1, clause)]
    assert answer["up"] == {"1": ["2h"], "2": ["2c", "4c"], "3": ["Kd", "5c"]}
    assert [step["step"] for step in answer["next"]][:3] == ["move", "move", "deal"]
    answer = played("done 2", "card 6c")
    assert answer["up"] == {"1": ["2h", "4c"], "2": ["2c", "5c"], "3": ["Kd", "6c"]}


@pytest.mark.parametrize(("book", "clause"), CORRECTED)
def test_a_seat_that_got_no_card_of_a_later_street(book: str, clause: str) -> None:
    """The card that left the shoe for it went on to the next one: it is moved, as for a seat that was passed over."""
    for word in ("short-hand seat=3", "skipped seat=3", "extra-card seat=1", "wrong-seat seat=1"):
        played = third(book)
        street(played, "3c 4c 5c 6c")
        answer = played(f"report {word}")
        assert said(answer) == [(word.split()[0], "correct", 3, clause)]
        assert steps(answer)[0] == ("move", "seat 1", "seat 3", 1)
        assert played("done")["up"] == {"1": ["2h", "4c"], "2": ["2c", "5c"], "3": ["Kd", "6c"]}


@pytest.mark.parametrize(("book", "clause"), CORRECTED)
def test_a_card_too_many_on_a_later_street_goes_back(book: str, clause: str) -> None:
    """As long as nobody has acted on the street."""
    played = third(book)
    street(played, "3c 4c 5c 6c")
    answer = played("card 7c", "report extra-card seat=1")
    assert said(answer) == [("extra-card", "correct", 1, clause)]
    assert steps(answer)[0] == ("return", "seat 1", "stub", 1)
    assert played("done")["piles"]["seats"] == {"1": 4, "2": 4, "3": 4}


def test_a_joker_among_the_upcards_is_replaced_face_up() -> None:
    """Found when later cards lie there already."""
    played = third(ROBERTS)
    answer = played("act 2 bring-in", "report misread seat=1 card=joker")
    assert steps(answer)[:2] == [("return", "seat 1", "aside", 1), ("deal", 1, "up", "replacement")]


def test_R7_8_stud_18_b() -> None:
    """Only the seventh card is missing: the floor decides whether the hand is live."""
    for decide, winner in (("play-on", 3), ("dead-hand", 1)):
        played = dealt(ROBERTS, "stud-7", "Td Jc 2h 4c 4d 9s 2s", "6d 7d 2c 5c 5d Kh Qc", "8s Ad Kd Ac As 9h Jd")
        answer = played("report short-hand seat=3")
        assert said(answer) == [("short-hand", "floor", 3, "R7-8.stud.18")]
        assert first(answer)["options"] == ["dead-hand", "play-on"]
        assert answer["piles"]["seats"]["3"] == 6
        played({"ev": "floor", "decide": decide})
        assert awards(played)[0][1] == [winner]


def test_a_replacement_in_the_first_deal_is_no_last_card() -> None:
    """Seven-card stud, a downcard exposed on third street never speaks of the seventh card."""
    played = table(ROBERTS, "stud-7", "start", DOWN, UP, "report joker seat=1 nth=1 where=hand")
    assert steps(played("done"))[0] == ("deal", 1, "down", "replacement")
    assert said(played("card 9s", "report exposed"))[0][3] == "R7-8.stud.1"


def test_an_option_is_gone_when_the_betting_has_begun() -> None:
    """R7: a fold is betting action; after it a last card that came up is played on."""
    played = sixth(ROBERTS)
    played("card 7c 2s 9c Qd")
    played(f"act {first(played.lines[-1])['seat']} fold")
    assert "plays on" in played("report last-faceup seat=3")["rulings"][0]["text"]
    assert played({"ev": "act", "seat": 3, "do": "all-in", "to": 0})["error"]["code"] == "act-not-open"


def test_dead_seats_do_not_make_a_common_card() -> None:
    """A seat that folded without a wager still receives, but no player goes without a card because of it."""
    played, pack = table(ROBERTS, "stud-7", "start", seats=8), cards("stud-7")
    until(played, pack, "sixth")
    for _ in range(5):
        played(f"act {first(played.lines[-1])['seat']} fold")
    answer = checked(played)
    assert len(answer["pots"][0]["seats"]) == 3
    assert "board" not in verbs(answer)
    live = answer["pots"][0]["seats"]
    answer = until(played, iter(()), "seventh")
    assert [answer["piles"]["seats"][str(seat)] for seat in live] == [7, 7, 7]


def test_WSOP_L_214_two_holecards_up_are_kept_and_three_cards_up_are_a_misdeal() -> None:
    """Covers: WSOP-L-214"""
    both = ("start", "card 9c 4s", "report exposed", "card Tc Jd 7h", "report exposed")
    played = table("wsop-live-2024", "stud-7", *both)
    assert said(played.lines[-1]) == [("exposed", "must-keep", 2, "WSOP-L-214")]
    assert played.lines[-1]["up"] == {"2": ["4s", "7h"]}
    assert [step["face"] for step in played.lines[-1]["next"] if step["seat"] == 2] == ["down"]
    assert said(played("card Qd Kd 2h", "report exposed")) == [("exposed", "misdeal", 2, "WSOP-L-214")]
    late = table("wsop-live-2024", "stud-7", "start", "card 9c 4s Tc Jd 7h Qd Kd 2h 3c", "report exposed seat=2 nth=1")
    assert said(late.lines[-1])[0][1] == "must-keep"
    assert said(late("report exposed seat=2 nth=2"))[0][1] == "misdeal"

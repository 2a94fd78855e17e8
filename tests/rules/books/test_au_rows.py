"""The casino rules: stud, draw and Manila rows that no other book has, and what they leave to the controller."""

import pytest

from tests.games.playing import BLINDS, first, said, steps, table
from tests.playing import ScriptedTable
from tests.rules.stud.test_stud import DOWN, UP, sixth
from tests.rules.stud_deals import awards, cards, checked, dealt, money, until, verbs

AU = "casino-au"
CUT = {"house": {"deck": 40}}


def five_card() -> ScriptedTable:
    """Five-card stud with 40 cards; one card was boxed, so that the eight players share the last card, now due."""
    hands = ["Ac 5d 7h 9s", "Ad 6d 8h Ts", "Ah Kh Qd 9c", "As Kd Jh 8c", "5c Jd Tc 7s", "6c Qh 8d 5h", "Td 7c 6h 5s"]
    hands.append("Th 9d Js 6s")
    held = {seat: iter(hand.split()) for seat, hand in enumerate(hands, start=1)}
    played = table(AU, "stud-5", "start", seats=8, **CUT)
    boxed = False
    while (step := first(played.lines[-1]))["step"] != "board":
        if step["step"] == "deal" and not boxed and played.lines[-1]["street"] == "third":
            boxed = True
            played({"ev": "card", "card": "Kc", "face": "up"}, "done")
        elif step["step"] == "deal":
            played({"ev": "card", "card": next(held[step["seat"]])})
        elif step["step"] == "burn":
            played("card -")
        elif step["step"] == "act":
            words = step["options"]
            played(f"act {step['seat']} " + next(w for w in ("bring-in", "check", "call") if w in words))
        assert "error" not in played.lines[-1], played.lines[-1]["error"]
    return played


def test_AU_12_4_b() -> None:
    """Five-card stud: king-queen showing opens, not the hand that the community card pairs.

    Covers: AU-12.4(b), AU-19.13
    """
    played = five_card()
    answer = played("card 7d")
    assert first(answer)["seat"] == 3
    assert (answer["board"], answer["up"]["3"]) == (["7d"], ["Kh", "Qd", "9c"])


def test_AU_12_4_d() -> None:
    """The player who is called shows first; another may give up; the community card makes the winning hand.

    Covers: AU-12.4(d)
    """
    played = five_card()
    played("card 7d")
    for seat in (3, 4, 5, 6, 7, 8):
        played(f"act {seat} check")
    played("act 1 bet")
    for seat in (2, 3, 4, 5, 6, 7):
        played(f"act {seat} fold" if seat != 3 else f"act {seat} call")
    answer = played("act 8 fold")
    assert [step["seat"] for step in answer["next"]] == [1, 3]
    played("show 1")
    assert awards(played)[0][1] == [1]


def test_AU_12_4_e() -> None:
    """Equal hands split; all that is left over goes to the one with the highest card by suit.

    Covers: AU-12.4(e)
    """
    stakes = {"structure": "fixed-limit", "ante": 2, "small_bet": 5, "big_bet": 10}
    four = ("Ac Kd 9h 8s 7c", "Ad Kh 9s 8c 7h", "Ah Kc 9c 8d 7s", "2s 3s 4d 5d Js")
    played = dealt(AU, "stud-5", *four, betting=stakes)
    total = played.lines[-1]["pots"][0]["amount"]
    assert total == 28
    assert awards(played) == [(0, [1, 2, 3], [9, 9, 10])]
    five = (four[0], "As Kh 9s 8c 7h", *four[2:], "2h 3h 4c 5c Jh")
    played = dealt(AU, "stud-5", *five, betting=stakes)
    assert awards(played) == [(0, [1, 2, 3], [11, 13, 11])]
    assert money(played("done")) == 1000


def test_AU_13_4_d() -> None:
    """Seven-card stud: who is called shows first, any five of the seven cards make the hand.

    Covers: AU-13.4(d)
    """
    hands = ("Ac Kd 2h 8s 7c Kc 8d", "5h 6h 7h Th 9s Jd 8c", "Ah Qc 3c 4d 9h 2d Jc")
    played = dealt(AU, "stud-7", *hands, stop="burn")
    while played.lines[-1]["street"] != "seventh" or first(played.lines[-1])["step"] != "act":
        step = first(played.lines[-1])
        if step["step"] == "act":
            played(f"act {step['seat']} check" if "check" in step["options"] else f"act {step['seat']} call")
        else:
            seats = played.lines[-1]["piles"]["seats"]
            held = None if step["step"] == "burn" else hands[step["seat"] - 1].split()[seats[str(step["seat"])]]
            played({"ev": "card", "card": held})
    opener = first(played.lines[-1])["seat"]
    order = [(opener - 1 + i) % 3 + 1 for i in range(3)]
    played(f"act {order[0]} check", f"act {order[1]} bet", f"act {order[2]} call", f"act {order[0]} call")
    assert [step["seat"] for step in played.lines[-1]["next"]] == [order[1], order[2], order[0]]
    assert awards(played)[0][1] == [2]


def test_AU_13_4_e() -> None:
    """Seven-card stud: the odd chip to the highest card by suit of all seven.

    Covers: AU-13.4(e)
    """
    hands = ("5c 6c 7d 8d 9s Kd 2c", "5d 6d 7c 8c 9h Kh 2d", "3s 3h Jc Qd Ts 4s Jd")
    assert awards(dealt(AU, "stud-7", *hands)) == [(0, [1, 2], [4, 5])]


def manila(game: str, board: str, hands: dict[int, str], small: int = 1) -> ScriptedTable:
    """A Manila hand of three, seats 2, 3 and 1 in dealing order, checked through."""
    played = table(AU, game, "start", betting=BLINDS | {"small_blind": small})
    held = {seat: iter(hand.split()) for seat, hand in hands.items()}
    community_cards = iter(board.split())
    while (step := first(played.lines[-1]))["step"] != "show":
        if step["step"] == "deal":
            played({"ev": "card", "card": next(held[step["seat"]])})
        elif step["step"] == "board":
            played({"ev": "card", "card": next(community_cards)})
        elif step["step"] == "burn":
            played("card -")
        else:
            words = step["options"]
            word = "fold" if hands[step["seat"]].startswith("7") and "call" in words else "check"
            played(f"act {step['seat']} {word if word in words else 'call'}")
        assert "error" not in played.lines[-1], played.lines[-1]["error"]
    return played


def test_AU_14_4_e() -> None:
    """Two-card Manila: the odd chip to the highest card by suit among the hole cards.

    Covers: AU-14.4(e)
    """
    played = manila("manila-2", "Jc Js Td 9h Kc", {2: "7h 8d", 3: "Ac Qd", 1: "Ah Qc"})
    assert awards(played) == [(0, [1, 3], [3, 2])]
    played = manila("manila-2", "Jc Js Td 9h Kc", {2: "7h 8d", 3: "As Qd", 1: "Ah Qc"})
    assert awards(played) == [(0, [1, 3], [2, 3])]


def test_AU_15_4_d() -> None:
    """Three-card Manila: two of the three hole cards play with three community cards, so that three eights are a pair.

    Covers: AU-15.4(d)
    """
    played = manila("manila-3", "Jc Js Td 9h Kc", {2: "8h 8d 8c", 3: "Ac As 7d", 1: "Kd 7c 6c"})
    assert [step["seat"] for step in played.lines[-1]["next"]] == [2, 3, 1]
    assert awards(played)[0][1] == [3]


def test_AU_15_4_e() -> None:
    """The odd chip to the highest card by suit among the hole cards used: an idle ace of spades does not count.

    Covers: AU-15.4(e)
    """
    played = manila("manila-3", "Jc Js Td 9h 6c", {2: "7h 8d 6d", 3: "Kc Qd As", 1: "Kh Qc 6h"})
    assert awards(played) == [(0, [1, 3], [3, 2])]


def test_of_equal_hands_the_one_with_the_highest_own_card_is_used() -> None:
    """Two aces, one of which makes the straight: the ace of spades makes it, as it may.

    Covers: AU-15.4(e)
    """
    played = manila("manila-3", "Jc Js Td 9h Kc", {2: "7h 8d 6d", 3: "Ah Qd 6h", 1: "Ac As Qc"})
    assert awards(played) == [(0, [1, 3], [3, 2])]
    played = manila("manila-3", "Jc Js Td 9h Kc", {2: "7h 8d 6d", 3: "Ac As Qc", 1: "Ah Qd 6h"})
    assert awards(played) == [(0, [1, 3], [2, 3])]


def test_AU_11_4_d() -> None:
    """Draw: the odd chip to the hand with the highest card by suit.

    Covers: AU-11.4(d)
    """
    for third, won in (("Ac Kd 9c 8c 7d", [3, 2]), ("As Kd 9c 8c 7d", [2, 3])):
        hands = {2: "2h 3d 4s 5d Jh", 3: third, 1: "Ah Kc 9d 8d 7c"}
        played = table(AU, "draw-high", "start")
        held = {seat: iter(hand.split()) for seat, hand in hands.items()}
        while (step := first(played.lines[-1]))["step"] != "show":
            if step["step"] == "deal":
                played({"ev": "card", "card": next(held[step["seat"]])})
            elif step["step"] == "draw":
                played({"ev": "draw", "seat": step["seat"], "discard": 0})
            else:
                words = step["options"]
                word = "fold" if step["seat"] == 2 and "call" in words else "check" if "check" in words else "call"
                played(f"act {step['seat']} {word}")
        assert awards(played) == [(0, [1, 3], won)]


def test_AU_19_1_l() -> None:
    """Seven-card stud: where the supervisor finds that a wrong upcard cannot be put right, it is a misdeal.

    Covers: AU-19.1(l)
    """
    played = table(AU, "stud-7", "start", "card Td 6d 8s Jc 7d Ad 2h 2c")
    assert said(played("report exposed seat=1 nth=2")) == [("exposed", "replace", 1, "AU-19.15")]
    answer = played({"ev": "floor", "decide": "misdeal"})
    assert said(answer)[0][1] == "misdeal"
    assert steps(answer)[:4] == [("return", "all", "stub", 8), ("shuffle",), ("cut",), ("deal", 1, "down")]
    assert money(answer) == 600


@pytest.mark.parametrize(("game", "clause"), [("stud-5", "AU-19.9"), ("stud-7", "AU-19.16")])
def test_AU_19_9(game: str, clause: str) -> None:
    """The shortage shows while the last round is dealt: deal what there is, then shuffle the burns to complete it.

    Covers: AU-19.9, AU-19.16
    """
    if game == "stud-5":
        played, pack = table(AU, game, "start", seats=10), cards("stud-5")
        until(played, pack, "third", folds=1)
        played(f"act {first(played.lines[-1])['seat']} check")
        until(played, pack, "fourth")
        live = 9
    else:
        played, pack = table(AU, game, "start", seats=8), cards("stud-7")
        until(played, pack, "fourth", folds=1)
        until(played, pack, "fifth")
        played(f"act {first(played.lines[-1])['seat']} bet")
        for _ in range(2):
            played(f"act {first(played.lines[-1])['seat']} fold")
        until(played, pack, "sixth")
        live = 5
    answer = checked(played)
    spare = answer["piles"]["stub"] - live - 1
    assert (spare >= 0, answer["rulings"], verbs(answer)[0]) == (True, [], "burn")
    played({"ev": "card", "card": next(pack)}, {"ev": "card", "card": next(pack)})
    for _ in range(spare + 1):
        answer = played({"ev": "card", "card": next(pack), "face": "up"}, "done")
    said_ = [ruling for line in played.lines[-3:] for ruling in line["rulings"]]
    assert clause in [ruling["cite"][0] for ruling in said_]
    assert verbs(answer)[: live - 2] == ["deal"] * (live - 2)
    assert verbs(answer)[live - 2 : live + 2] == ["return", "shuffle", "cut", "deal"]
    while first(played.lines[-1])["step"] in ("deal", "return", "shuffle", "cut"):
        wanted = first(played.lines[-1])["step"] == "deal"
        answer = played({"ev": "card", "card": next(pack, None)} if wanted else "done")
    assert set(answer["piles"]["seats"].values()) == {5 if game == "stud-5" else 7}


def test_AU_19_12() -> None:
    """A hand folded on a round of checks, or after its forced bet: in the muck, its seat receives until a wager.

    Covers: AU-19.12, AU-19.19
    """
    played = table(AU, "stud-5", "start", "card - - - 7h 7c Kd", "act 2 bring-in", "act 3 call", "act 1 call")
    answer = played("card - 9h 9c Qd")
    seat = first(answer)["seat"]
    answer = played(f"act {seat} fold")
    assert answer["piles"]["muck"] == 3
    answer = checked(played)
    assert ("deal", seat, "up") in steps(answer)
    played("card - 2h 2c 2d")
    answer = played(f"act {first(played.lines[-1])['seat']} bet")
    assert str(seat) not in answer["piles"]["seats"]
    for game in ("stud-5", "stud-7"):
        start = "card - - - 7h 7c Kd" if game == "stud-5" else f"{DOWN} 7h 7c Kd"
        played = table(AU, game, "start", start, "act 2 bring-in", "act 3 complete", "act 1 call")
        answer = played("act 2 fold")
        assert ("deal", 2, "up") in steps(answer)
        answer = played("card - 9h 9c Qd")
        assert (answer["piles"]["seats"]["2"], first(answer)["seat"]) == (1, 3)
        assert "2" not in played("act 3 bet")["piles"]["seats"]
    played = table("roberts-7", "stud-7", "start", DOWN, UP, "act 2 bring-in", "act 3 complete", "act 1 call")
    assert ("deal", 2, "up") not in steps(played("act 2 fold"))


def test_AU_19_15() -> None:
    """Seven-card stud, one player with two up: the second is replaced face down and is the first burn.

    Covers: AU-19.15
    """
    played = table(AU, "stud-7", "start", "card Td 6d", "report exposed", "card 8s Jc 7d")
    assert said(played("report exposed")) == [("exposed", "replace", 2, "AU-19.15")]
    answer = played("card Ad 2h 2c Kd")
    assert steps(answer)[:2] == [("deal", 2, "down", "replacement"), ("return", "seat 2", "burn", 1)]
    answer = played("card 9s", "done")
    assert (answer["up"]["2"], answer["piles"]["burn"], answer["piles"]["seats"]["2"]) == (["6d"], 1, 3)
    checked(played)
    assert verbs(played.lines[-1])[0] == "deal"


def seventh_up() -> ScriptedTable:
    """Seventh street is dealt, the first card face down; nobody has acted."""
    played = sixth(AU)
    played("card 7c 2s 9c Qd")
    return played


def test_AU_19_20_b() -> None:
    """A later seventh card is up: the player may be treated as all-in until two have acted, then is.

    Covers: AU-19.20#b
    """
    played = seventh_up()
    opener = first(played.lines[-1])["seat"]
    assert said(played("report last-faceup seat=3")) == [("last-faceup", "must-keep", 3, "AU-19.20")]
    played(f"act {opener} check")
    answer = played({"ev": "act", "seat": 3, "do": "all-in", "to": 0})
    assert said(answer) == [("last-faceup", "play-on", 3, "AU-19.20")]
    assert first(answer)["seat"] == 1
    played = seventh_up()
    played(f"act {opener} check", "report last-faceup seat=3")
    answer = played({"ev": "act", "seat": 3, "do": "all-in", "to": 0})
    assert said(answer) == [("last-faceup", "play-on", 3, "AU-19.20")]
    played = seventh_up()
    assert opener == 2
    played("act 2 check", "act 3 check")
    answer = played("report last-faceup seat=3")
    assert "treated as all-in" in answer["rulings"][0]["text"]
    played("act 1 bet")
    answer = played("act 2 call")
    assert [pot["seats"] for pot in answer["pots"]] == [[1, 2, 3], [1, 2]]


def test_a_player_who_was_asked_and_plays_on_has_no_option_later() -> None:
    """Two have acted: substantial action ends the option."""
    played = seventh_up()
    played("report last-faceup seat=3", "act 2 check", "act 3 check", "act 1 bet", "act 2 call")
    assert played({"ev": "act", "seat": 3, "do": "all-in", "to": 0})["error"]["code"] == "act-not-open"


def test_the_same_hand_of_seventh_street_under_every_deck_of_the_book() -> None:
    """With 40 cards six players share a community card, four with 32 get a last card each.

    Covers: AU-13.4(a)#b
    """
    for deck, seats, last in ((40, 6, "board"), (32, 4, "deal")):
        played = table(AU, "stud-7", "start", seats=seats, house={"deck": deck})
        until(played, cards("stud-7", deck), "sixth")
        assert last in verbs(checked(played))

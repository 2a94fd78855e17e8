"""What is different in a tournament, a test a rule."""

from typing import Any

import pytest

from config.table_line import parse_table_line
from controller.core.protocol.table_error import Refused
from tests.people.hands import at, dealt, hand, over, places, receiving, rulings, sit
from tests.playing import ScriptedTable, play

R7, HR, AU, FC, MP = "roberts-7", "house-rules", "casino-au", "fish-n-chips", "maryport"


def table(book: str, seats: int = 6, **keys: Any) -> ScriptedTable:  # noqa: ANN401 (keys of the table line)
    return play(book, seats=seats, mode="tournament", **keys)


@pytest.mark.parametrize(
    ("book", "cite"),
    [(R7, "R7-15.tourn.12"), (FC, "FC-10.absent.intro"), (HR, "R7-15.tourn.12"), (AU, "R7-15.tourn.12")],
)
def test_R7_15_tourn_12(book: str, cite: str) -> None:
    """The hand of an absent player is dead as soon as all starting hands are complete, facing a bet or not.

    Covers: R7-15.tourn.12, FC-10.absent.intro#b, FC-10.absent.leave
    """
    played = table(book)
    answer = hand(played, "away 5")
    assert 5 in receiving(answer)
    answer = dealt(played)
    assert [(r["verdict"], r["seat"], r["cite"][0]) for r in answer["rulings"]] == [("dead-hand", 5, cite)]
    assert answer["piles"]["muck"] == 2
    assert "5" not in answer["piles"]["seats"]


def test_R7_15_tourn_12_back_in_time() -> None:
    """Who is at the table before the last card has a live hand; who goes away after it keeps it."""
    played = table(R7)
    hand(played, "away 5")
    played("card - - - - -", {"ev": "back", "seat": 5})
    assert dealt(played)["piles"]["muck"] == 0
    played("away 6")
    assert played.lines[-1]["piles"]["muck"] == 0


def test_R7_15_tourn_12_waits_for_remedies() -> None:
    """An exposed card is replaced before the hands count as complete."""
    played = table(R7)
    hand(played, "away 5")
    played("card - - - - -", "report exposed", "card - - - - - - -")
    assert played.lines[-1]["piles"]["muck"] == 0
    played("card -", "done")
    assert played.lines[-1]["piles"]["muck"] == 2


def test_R7_15_tourn_6() -> None:
    """An absent player's stack posts blinds and antes [FC-4.blinds.6, MP-7.tourn.7].

    Covers: R7-15.tourn.6, FC-4.blinds.6, MP-7.tourn.7
    """
    for book in (R7, FC, MP):
        stakes = {"structure": "no-limit", "small_blind": 1, "big_blind": 2, "ante": 1}
        played = table(book, betting=stakes)
        answer = hand(played, "away 2", "away 5")
        assert answer["stacks"] == {"1": 199, "2": 198, "3": 197, "4": 199, "5": 199, "6": 199}


def test_FC_10_absent_intro_b() -> None:
    """FC kills the big blind's hand, too; what was posted stays."""
    played = table(FC, seats=4)
    hand(played, "away 3")
    answer = dealt(played)
    assert answer["piles"]["muck"] == 2
    assert answer["bets"] == {"2": 1, "3": 2}
    played("act 4 fold", "act 1 fold")
    assert played.lines[-1]["next"] == [{"step": "award", "pot": 0, "seats": [2], "amounts": [3]}]


def test_all_but_one_absent() -> None:
    """The one who is there wins the blinds; with nobody there somebody still does."""
    played = table(R7, seats=3)
    hand(played, "away 1", "away 2")
    assert dealt(played)["next"][0]["seats"] == [3]
    played = table(R7, seats=3)
    hand(played, "away 1", "away 2", "away 3")
    assert dealt(played)["next"][0]["step"] == "award"


def test_MP_7_tourn_13() -> None:
    """MP folds an absent player when the turn comes, even the small blind."""
    played = table(MP)
    hand(played, "away 5", "away 2")
    assert dealt(played)["piles"]["muck"] == 0
    answer = played("act 4 call")
    assert [(r["seat"], r["cite"][0]) for r in answer["rulings"]] == [(5, "MP-7.tourn.13")]
    played("act 6 fold")
    answer = played("act 1 call")
    assert [r["seat"] for r in answer["rulings"]] == [2]
    assert answer["next"][0]["seat"] == 3


def test_MP_7_tourn_13_unraised_big_blind() -> None:
    """A missing big blind keeps its hand while nobody has raised, and is folded when the turn comes again."""
    played = table(MP, seats=4)
    hand(played, "away 3")
    dealt(played)
    answer = played("act 4 call", "act 1 fold", "act 2 call")
    assert answer["rulings"] == []
    assert answer["next"][0]["step"] == "burn"
    answer = played("card - - - -", "act 2 check")
    assert [r["seat"] for r in answer["rulings"]] == [3]


def test_MP_7_tourn_13_raised_big_blind() -> None:
    """Somebody has raised: the missing big blind is folded."""
    played = table(MP, seats=4)
    hand(played, "away 3")
    dealt(played)
    answer = played("act 4 raise 6", "act 1 fold", "act 2 fold")
    assert [r["verdict"] for r in answer["rulings"]] == ["dead-hand"]
    assert answer["next"][0] == {"step": "award", "pot": 0, "seats": [4], "amounts": [5]}


def test_MP_7_tourn_13_leaves_on_turn() -> None:
    """Gone while it is one's turn: folded at once; back before it: not."""
    played = table(MP, seats=4)
    hand(played)
    dealt(played)
    assert rulings(played("away 4"), "absent")[0]["seat"] == 4
    played("away 2", {"ev": "back", "seat": 2}, "act 1 call")
    assert played.lines[-1]["next"][0]["seat"] == 2


def moved_in(book: str, gone: int) -> tuple[ScriptedTable, dict[str, Any]]:
    """Seat `gone` leaves after hand 1 (button 1, blinds 2 and 3); somebody is moved into the chair."""
    played = table(book)
    hand(played)
    over(played)
    played(f"leave {gone}")
    return played, hand(played, sit(gone, moved=True))


@pytest.mark.parametrize("book", [R7, FC])
def test_R7_15_tourn_16(book: str) -> None:
    """A moved player is dealt in at once with the chair's duties, small blind and button included [FC-10.moving.2].

    Covers: R7-15.tourn.16, FC-10.moving.2
    """
    _, small = moved_in(book, 3)
    assert places(small) == ([2], [3], [4])
    _, button = moved_in(book, 2)
    assert places(button) == ([2], [3], [4])
    assert receiving(button)[-1] == 2
    _, big = moved_in(book, 4)
    assert places(big) == ([2], [3], [4])


def test_MP_7_tourn_16_a() -> None:
    """In the small blind's or the button's chair MP's moved player waits until the button has passed."""
    played, small = moved_in(MP, 3)
    assert places(small) == ([2], [], [4])
    assert rulings(small, "entry")[0]["cite"] == ["MP-7.tourn.16"]
    seen = [receiving(hand(played)) for _ in range(2)]
    assert [3 in seats for seats in seen] == [False, True]
    played, button = moved_in(MP, 2)
    assert 2 not in receiving(button)
    assert 2 in receiving(hand(played))
    for seat in (4, 5, 1):
        assert seat in receiving(moved_in(MP, seat)[1])


def test_MP_7_tourn_16_a_nobody_else() -> None:
    """With one other player there is nobody to wait for."""
    played = table(MP, seats=2)
    hand(played)
    over(played)
    played("leave 2")
    assert sorted(receiving(hand(played, sit(5, moved=True)))) == [1, 5]


T2000 = {"structure": "no-limit", "small_blind": 5, "big_blind": 10, "chip": 5}


@pytest.mark.parametrize("book", [R7, FC, MP])
def test_R7_15_tourn_9(book: str) -> None:
    """New limits count from the next riffle: a hand that is on, and its redeal, keep their stakes [FC-10.play.1].

    Covers: R7-15.tourn.9, FC-10.play.1, MP-7.tourn.10
    """
    played = table(book, betting=T2000, house={"schedule": "T2000"})
    hand(played)
    played("card -", {"ev": "level"}, "report exposed")
    assert played.lines[-1]["bets"] == {"2": 5, "3": 10}
    played("done 3")
    over(played)
    assert hand(played)["bets"] == {"3": 10, "4": 20}


@pytest.mark.parametrize("book", [R7, FC, MP])
def test_FC_10_play_1(book: str) -> None:
    """The levels follow the printed schedule, antes included; after the last one there is no more.

    Covers: R7-15.tourn.8, MP-7.tourn.9
    """
    played = at(book, *range(1, 5), mode="tournament", stack=20_000, betting=T2000, house={"schedule": "T20000"})
    for _ in range(4):
        assert "error" not in played({"ev": "level"})
    answer = hand(played)
    assert answer["bets"] == {"2": 500, "3": 1000}
    assert answer["pots"][0]["amount"] == 400
    while "error" not in played.lines[-1]:
        played({"ev": "level"})
    assert played.lines[-1]["error"]["code"] == "last-level"


def test_FC_10_sched_note() -> None:
    """The last two players may agree to play without antes; three may not."""
    stakes = T2000 | {"ante": 5}
    played = at(FC, 1, 2, 3, betting=stakes)
    assert played({"ev": "waive-antes"})["error"]["code"] == "antes"
    assert hand(played)["pots"][0]["amount"] == 15
    over(played)
    assert hand(played, "leave 3")["pots"][0]["amount"] == 10
    over(played)
    assert hand(played, {"ev": "waive-antes"})["pots"] == []


def test_level_without_schedule() -> None:
    """A table without a schedule has no levels, and an unknown schedule is refused with the known ones."""
    assert table(FC)({"ev": "level"})["error"]["code"] == "no-schedule"
    line = {"ev": "table", "rulebook": FC, "game": "holdem", "betting": T2000, "button": 1}
    line |= {"seats": [{"seat": 1, "stack": 9}, {"seat": 2, "stack": 9}], "house": {"schedule": "T1"}}
    with pytest.raises(Refused, match="T2000, T20000"):
        parse_table_line(line)


def test_level_in_limit() -> None:
    """A limit table by a schedule without limits: small bet the big blind, big bet twice that."""
    limit = {"structure": "fixed-limit", "small_blind": 5, "big_blind": 10, "small_bet": 10, "big_bet": 20}
    played = table(FC, betting=limit, house={"schedule": "T2000"})
    hand(played, {"ev": "level"})
    act = dealt(played)["next"][0]
    assert (act["to_call"], act["min_to"], act["max_to"]) == (20, 40, 40)


def test_chip_grows_when_stacks_are_changed_up() -> None:
    """After the 5s are coloured out amounts are multiples of 25, once every stack is."""
    for stack, allowed in ((2000, False), (2005, True)):
        played = at(FC, *range(1, 5), stack=stack, betting=T2000, house={"schedule": "T2000"})
        played(*[{"ev": "level"}] * 7)
        hand(played)
        dealt(played)
        assert ("error" not in played("act 4 raise 305")) is allowed


def short_big_blind(book: str) -> ScriptedTable:
    played = table(book, seats=4)
    played({"ev": "stack", "seat": 3, "stack": 1})
    hand(played)
    dealt(played)
    return played


@pytest.mark.parametrize("book", [R7, FC, MP])
def test_R7_15_tourn_20(book: str) -> None:
    """A short blind gets action on what is left; the others need the whole blind [FC-10.play.3, MP-7.tourn.18].

    Covers: R7-15.tourn.20, FC-10.play.3, MP-7.tourn.18
    """
    played = short_big_blind(book)
    assert played.lines[-1]["bets"] == {"2": 1, "3": 1}
    act = played.lines[-1]["next"][0]
    assert (act["to_call"], act["min_to"]) == (2, 4)


def test_seats_change_only_as_assigned() -> None:
    """R7-15.tourn.14, FC-10.seating.3, MP-7.tourn.3: no change of seats by the players.

    Covers: R7-15.tourn.14, FC-10.seating.3, MP-7.tourn.3
    """
    for book in (R7, FC, MP):
        assert table(book)({"ev": "sit", "seat": 9, "from": 2})["error"]["code"] == "seat-change"


def test_R7_15_tourn_14() -> None:
    """Nobody plays over an absent player: that one is dealt in."""
    played = table(R7)
    played("away 2")
    assert played(sit(2, over=True))["error"]["code"] == "play-over"


def broke(level: int) -> ScriptedTable:
    """FC, level `level` + 1: seat 3 goes all-in with the big blind and loses."""
    played = at(FC, *range(1, 5), stack=2000, betting=T2000, house={"schedule": "T2000"})
    played(*[{"ev": "level"}] * level)
    played({"ev": "stack", "seat": 3, "stack": 5})
    hand(played)
    for card in ("As", "2c", "4c", "5d", "Ad", "7h", "4h", "5h"):
        played(f"card {card}")
    played("act 4 fold", "act 1 fold", "act 2 call", "show 2", "show 3", "card 8s 9s Jd Qd 8c Kh 6s 2d")
    assert played.lines[-1]["next"][0]["seats"] == [2]
    over(played)
    return played


def test_FC_10_rebuy_2() -> None:
    """One rebuy each, before the last hand of level 3."""
    played = broke(0)
    assert "error" not in played(sit(3, "A3", 2000))
    assert 3 in receiving(hand(played))
    assert broke(3)(sit(3, "A3", 2000))["error"]["code"] == "rebuy"


def later(played: ScriptedTable, hands: int) -> ScriptedTable:
    """So many hands later, the level having risen right after the loss."""
    played({"ev": "level"})
    for _ in range(hands):
        hand(played)
    if hands:
        over(played)
    return played


def test_FC_10_rebuy_4_a() -> None:
    """On the level of the loss; after its last hand within two hands.

    Covers: FC-10.rebuy.4(a)
    """
    rebuy = sit(3, "A3", 2000)
    for hands in (0, 1, 2):
        assert "error" not in later(broke(0), hands)(rebuy)
    assert later(broke(0), 3)(rebuy)["error"]["code"] == "rebuy"
    played = broke(0)
    hand(played)
    over(played)
    played({"ev": "level"})
    hand(played)
    over(played)
    assert played(rebuy)["error"]["code"] == "rebuy"


def test_FC_10_rebuy_4_b() -> None:
    """The hand after the rebuy is played, whatever blinds are owed.

    Covers: FC-10.rebuy.4(b)
    """
    for hands in (0, 1, 2):
        assert 3 in receiving(hand(later(broke(0), hands), sit(3, "A3", 2000)))


def test_FC_10_rebuy_4_d() -> None:
    """Hands sat out before a rebuy: all blinds missed are posted on the first hand back.

    Covers: FC-10.rebuy.4(d)
    """
    played = at(FC, 1, 2, 3, 4, 5, stack=2000, betting=T2000)
    played({"ev": "stack", "seat": 4, "stack": 5})
    hand(played)
    for card in ("2c", "4c", "As", "5d", "6d", "3h", "4h", "Ad", "5h", "6h"):
        played(f"card {card}")
    played("act 4 all-in", "act 5 fold", "act 1 fold", "act 2 call", "act 3 check")
    while played.lines[-1]["phase"] != "idle":
        step = played.lines[-1]["next"][0]
        word = step["step"]
        if word in ("burn", "board"):
            played("card -")
        elif word == "act":
            played(f"act {step['seat']} check")
        elif word == "show":
            played({"ev": "show", "seat": step["seat"]})
        elif word == "award" and "amounts" not in step:
            played({"ev": "won", "seat": 2, "pot": step["pot"]})
        else:
            played("done")
        assert "error" not in played.lines[-1], played.lines[-1]
    assert "4" not in played.lines[-1]["stacks"]
    for _ in range(2):
        hand(played)
    over(played)
    answer = hand(played, sit(4, "A4", 2000))
    assert 4 in receiving(answer)
    assert answer["bets"]["4"] == 10


def test_away_and_simultaneous_elimination_frees_chairs() -> None:
    """R7-15.tourn.21: who has lost the last chip has left the seat when the hand is over."""
    assert "3" not in broke(0).lines[-1]["stacks"]

"""Kill pots and Position Poker, one test a rule; each is named by the rule's id in the catalogue."""

from typing import Any

import pytest

from tests.games.playing import BLINDS, first
from tests.playing import ScriptedTable, play


def hands(seats: int = 4, **table: Any) -> ScriptedTable:  # noqa: ANN401
    return play("roberts-7", seats=seats, betting=BLINDS, house={"kill": "full"}, **table)


def deal(played: ScriptedTable) -> dict[str, Any]:
    """A new deal up to the first act; nothing is read."""
    answer = played("start")
    while first(answer)["step"] == "deal":
        answer = played("card -")
    return answer


def won_by(played: ScriptedTable, seat: int, called: bool) -> None:
    """The seat raises and wins: uncalled, or called once and bet out on the flop."""
    answer = deal(played)
    caller = None
    while first(answer)["step"] == "act" and answer["street"] == "preflop":
        step = first(answer)
        turn = step["seat"]
        if turn == seat:
            answer = played(f"act {seat} raise {step['min_to']}")
        elif called and caller is None and answer["bets"].get(str(seat), 0) > 2:
            caller = turn
            answer = played(f"act {turn} call")
        else:
            answer = played(f"act {turn} fold")
    while first(answer)["step"] != "award":
        step = first(answer)
        if step["step"] in ("burn", "board"):
            answer = played("card -")
        else:
            word = (
                "bet" if step["seat"] == seat else "fold" if "call" in step["options"] and step["to_call"] else "check"
            )
            to = f" {step['min_to']}" if word == "bet" else ""
            answer = played(f"act {step['seat']} {word}{to}")
    played("done")


def test_R7_13_kill_3() -> None:
    """The second pot must hold a full bet beyond the blinds: stolen blinds make no kill."""
    played = hands()
    won_by(played, 1, called=False)
    won_by(played, 1, called=False)
    assert deal(played)["bets"].get("1", 0) < 4


def test_R7_13_kill_7() -> None:
    """The killer of two pots in a row posts twice the big blind at doubled limits, and again after winning."""
    played = hands()
    won_by(played, 1, called=True)
    won_by(played, 1, called=True)
    answer = deal(played)
    assert answer["bets"]["1"] == 4
    assert first(answer)["min_to"] == 8
    while first(answer)["step"] == "act":
        answer = played(f"act {first(answer)['seat']} fold")
    played("done")
    assert answer["next"][0]["step"] == "award"


def test_R7_13_kill_1() -> None:
    """Another winner takes the kill button: one leg only."""
    played = hands()
    won_by(played, 1, called=True)
    won_by(played, 2, called=True)
    answer = deal(played)
    assert max(answer["bets"].values()) == 2


def test_R7_13_intro() -> None:
    """A half kill is one and a half times the big blind, with limits to match."""
    betting = BLINDS | {"small_blind": 2, "big_blind": 4, "small_bet": 4, "big_bet": 8}
    played = play("roberts-7", seats=4, betting=betting, house={"kill": "half"})
    won_by(played, 1, called=True)
    won_by(played, 1, called=True)
    answer = deal(played)
    assert (answer["bets"]["1"], first(answer)["min_to"]) == (6, 12)


def test_R7_13_kill_2() -> None:
    """The killer acts in turn, after the player on the right, not last."""
    played = hands()
    won_by(played, 4, called=True)
    won_by(played, 4, called=True)
    answer = deal(played)
    assert answer["lamps"]["kill"] == [4]
    order = []
    while first(answer)["step"] == "act" and answer["street"] == "preflop":
        order.append(first(answer)["seat"])
        answer = played(f"act {order[-1]} {'call' if 'call' in first(answer)['options'] else 'check'}")
    big = answer["lamps"]["big_blind"][0]
    assert order == [1 + (big + i) % 4 for i in range(4)]


def split(played: ScriptedTable) -> None:
    """Everybody calls, checks and splits: nobody can read the cards, and all are named."""
    answer = deal(played)
    while first(answer)["step"] in ("act", "burn", "board"):
        step = first(answer)
        word = "call" if "call" in step.get("options", ()) else "check"
        answer = played("card -" if step["step"] != "act" else f"act {step['seat']} {word}")
    seats = [step["seat"] for step in answer["next"]]
    played(*(f"show {seat}" for seat in seats), *({"ev": "won", "seat": seat} for seat in seats), "done")


def test_R7_13_kill_4() -> None:
    """Who has a leg up keeps it when the pot is split; a killer who splits kills again."""
    played = hands()
    won_by(played, 3, called=False)
    split(played)
    assert played.lines[-1]["lamps"]["kill"] == [3]
    won_by(played, 3, called=True)
    assert deal(played)["bets"]["3"] == 4
    played = hands()
    won_by(played, 1, called=True)
    won_by(played, 1, called=True)
    split(played)
    assert deal(played)["bets"]["1"] == 4


def test_R7_13_kill_5() -> None:
    """A player who misses a hand with a leg up has it on returning: the next pot won is the second."""
    played = hands()
    won_by(played, 1, called=True)
    answer = played("away 1", {"ev": "back", "seat": 1})
    assert answer["lamps"]["kill"] == [1]
    won_by(played, 1, called=True)
    assert deal(played)["bets"]["1"] == 4


def test_R7_13_kill_6() -> None:
    """Who must kill is dealt in and posts even when wishing to be dealt out."""
    played = hands()
    won_by(played, 1, called=True)
    won_by(played, 1, called=True)
    played("away 1")
    assert deal(played)["bets"]["1"] == 4


@pytest.mark.parametrize(("bets", "kills"), [(2, False), (3, True)])
def test_R7_13_kill_8(bets: int, kills: bool) -> None:
    """In a split game one scooped pot of five times the upper limit is enough, and a smaller one is not."""
    played = hands(2, game="omaha-8")
    answer = deal(played)
    while first(answer)["step"] in ("act", "burn", "board"):
        step = first(answer)
        word = "call" if "call" in step.get("options", ()) else "check"
        if word == "check" and "bet" in step.get("options", ()) and bets:
            word, bets = f"bet {step['min_to']}", bets - 1
        answer = played("card -" if step["step"] != "act" else f"act {step['seat']} {word}")
    answer = played("show 1", "show 2", {"ev": "won", "seat": 1})
    assert first(answer)["amounts"] == [24 if kills else 16]
    played("done")
    assert (deal(played)["bets"]["1"] == 4) is kills


def test_R7_13_kill_12() -> None:
    """A new player is not dealt into a killed pot, but is on agreeing to kill the next one, and then kills it."""
    for pledge in (False, True):
        played = hands(6)
        won_by(played, 1, called=True)
        won_by(played, 1, called=True)
        played("leave 2", {"ev": "sit", "seat": 2, "player": "Eve", "stack": 100, "post": True, "kill": pledge})
        answer = deal(played)
        assert answer["bets"]["1"] == 4
        dealt = "2" in answer["piles"]["seats"]
        assert dealt is pledge
        while first(answer)["step"] == "act":
            step = first(answer)
            answer = played(f"act {step['seat']} fold")
        played("done")
        if pledge:
            assert deal(played)["lamps"]["kill"] == [2]


def lowball(**table: Any) -> ScriptedTable:  # noqa: ANN401
    house = {"voluntary_kill": True}
    return play("roberts-7", "start", game="lowball-a5", betting=BLINDS, **({"house": house} | table))


KILL = {"ev": "act", "seat": 4, "do": "kill"}


def test_R7_13_kill_10() -> None:
    """With two cards seen and nobody having a third, a player kills: stakes double, and the killer acts last."""
    played = lowball()
    assert played("card - - - - - -", KILL)["error"]["code"] == "kill-not-allowed"
    answer = played("card - -", KILL)
    assert answer["bets"]["4"] == 4
    assert answer["lamps"]["kill"] == [4]
    while first(answer)["step"] == "deal":
        answer = played("card -")
    assert first(answer)["min_to"] == 8
    order = []
    while first(answer)["step"] == "act":
        order.append(first(answer)["seat"])
        answer = played(f"act {order[-1]} {'call' if 'call' in first(answer)['options'] else 'check'}")
    assert order == [1, 2, 3, 4]


def test_a_kill_by_choice_is_refused_with_a_third_card_out_few_chips_or_without_the_option() -> None:
    """Nobody has a third card; four times the kill lies before the killer; the house plays the option."""
    played = lowball()
    assert played("card - - - - - - - - -", KILL)["error"]["code"] == "kill-not-allowed"
    played = lowball(stacks={1: 200, 2: 200, 3: 200, 4: 15})
    assert played("card - - - - - - - -", KILL)["error"]["code"] == "kill-not-allowed"
    played = lowball(house={})
    assert played("card - - - - - - - -", KILL)["error"]["code"] == "kill-not-allowed"


def test_R7_13_kill_11() -> None:
    """Only one kill is allowed per deal."""
    played = lowball()
    played("card - - - - - - - -", KILL)
    assert played(KILL | {"seat": 1})["error"]["code"] == "kill-not-allowed"


def position(seats: int = 5) -> ScriptedTable:
    return play("fish-n-chips", seats=seats, house={"position_poker": True})


def test_FC_6_position_b() -> None:
    """The winner of the last hand acts after the button, before the blinds."""
    played = position()
    won_by(played, 5, called=False)
    answer = deal(played)
    order = []
    while first(answer)["step"] == "act":
        order.append(first(answer)["seat"])
        answer = played(f"act {order[-1]} {'call' if 'call' in first(answer)['options'] else 'check'}")
    assert order == [1, 2, 5, 3, 4]


def test_FC_6_position_e() -> None:
    """On later rounds the holder acts last."""
    played = position()
    won_by(played, 4, called=False)
    answer = deal(played)
    while first(answer)["step"] == "act":
        answer = played(f"act {first(answer)['seat']} {'call' if 'call' in first(answer)['options'] else 'check'}")
    answer = played("card - - - -")
    order = []
    while first(answer)["step"] == "act":
        order.append(first(answer)["seat"])
        answer = played(f"act {order[-1]} check")
    assert order == [3, 5, 1, 2, 4]


def test_FC_6_position_a() -> None:
    """The winner of a hand holds the Winner Button on the next one, and its lamp says so from the award on."""
    played = position()
    won_by(played, 5, called=False)
    assert played.lines[-1]["lamps"]["winner_button"] == [5]
    assert deal(played)["lamps"]["winner_button"] == [5]


def test_FC_6_position_f() -> None:
    """A holder who folds gives the Winner Button up: nobody has it until the pot is won."""
    played = position()
    won_by(played, 5, called=False)
    deal(played)
    answer = played("act 1 fold", "act 2 raise 6")
    assert first(answer)["seat"] == 5
    assert played("act 5 fold")["lamps"]["winner_button"] == []
    answer = played("act 3 fold", "act 4 fold", "done")
    assert answer["lamps"]["winner_button"] == [2]


def test_the_kill_lamp_shows_the_kill_button_then_the_killer() -> None:
    """One pot won: the kill button; two: who must kill. Nobody has it on the first hand."""
    played = hands()
    assert deal(played)["lamps"]["kill"] == []
    played = hands()
    won_by(played, 1, called=True)
    assert played.lines[-1]["lamps"]["kill"] == [1]
    won_by(played, 1, called=True)
    assert deal(played)["lamps"]["kill"] == [1]


def test_a_game_without_the_winner_button_keeps_its_order() -> None:
    """Nobody acts out of the usual order where the house does not play Position Poker."""
    played = play("fish-n-chips", seats=5)
    won_by(played, 5, called=False)
    assert first(deal(played))["seat"] == 5

"""Kill pots and Position Poker, one test a rule; each is named by the rule's id in the catalogue."""

from typing import Any

from tests.games.playing import BLINDS, first
from tests.playing import Played, play


def hands(seats: int = 4, **table: Any) -> Played:  # noqa: ANN401
    return play("roberts-7", seats=seats, betting=BLINDS, house={"kill": "full"}, **table)


def deal(played: Played) -> dict[str, Any]:
    """A new deal up to the first act; nothing is read."""
    answer = played("start")
    while first(answer)["step"] == "deal":
        answer = played("card -")
    return answer


def won_by(played: Played, seat: int, called: bool) -> None:
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


def position(seats: int = 5) -> Played:
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

"""Lowball: its misdeals, how players come in, single blinds, fouled hands, the sevens rule with all-in bets."""

from typing import Any

import pytest

from tests.games.playing import first, said, steps, table
from tests.playing import ScriptedTable

R7 = "roberts-7"
GAMES = ["lowball-a5", "lowball-27"]
ONE_BLIND = {"structure": "fixed-limit", "big_blind": 2, "small_bet": 2, "big_bet": 4}
CLAUSE = "R7-11.lowball."


def lowball(*lines: dict[str, Any] | str, game: str = "lowball-a5", **setup: Any) -> ScriptedTable:  # noqa: ANN401
    return table(R7, game, *lines, joker=False, **setup)


def draw(played: ScriptedTable, seat: int, discard: int) -> dict[str, Any]:
    return played({"ev": "draw", "seat": seat, "discard": discard})


def deal(played: ScriptedTable) -> dict[str, Any]:
    """The next hand, up to its first act."""
    answer = played("start")
    while first(answer)["step"] == "deal":
        answer = played("card -")
    return answer


def over(played: ScriptedTable) -> None:
    """Everybody folds to the last one, and the pot is pushed."""
    while first(played.lines[-1])["step"] == "act":
        played(f"act {first(played.lines[-1])['seat']} fold")
    played("done")


def dealt_in(answer: dict[str, Any]) -> set[int]:
    return {int(seat) for seat in answer["piles"]["seats"]}


def sit(seat: int, **more: Any) -> dict[str, Any]:  # noqa: ANN401
    return {"ev": "sit", "seat": seat, "player": f"P{seat}", "stack": 200, **more}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("before", "report", "verdict", "cite"),
    [
        ([], "extra-card seat=2", "misdeal", "1d"),
        (["act 1 call"], "extra-card seat=3", "misdeal", "1d"),
        (["act 1 call"], "short-hand seat=1", "correct", "11"),
        (["act 1 call", "act 2 call"], "extra-card seat=3", "dead-hand", "11"),
    ],
)
def test_R7_11_lowball_1d(before: list[str], report: str, verdict: str, cite: str, game: str) -> None:
    """A wrong number of cards is a misdeal until two have acted, but the button gets one card more."""
    played = lowball("start", "card " + "- " * 15, *before, game=game)
    answer = played(f"report {report}")
    assert [(ruling[1], ruling[3]) for ruling in said(answer)] == [(verdict, CLAUSE + cite)]


@pytest.mark.parametrize("game", GAMES)
def test_R7_11_lowball_3(game: str) -> None:
    """A new player waits for the big blind, or kills the pot for twice that: limits double, and it acts in its turn."""
    for post in (False, True):
        played = lowball("start", "card " + "- " * 20, game=game, seats=4)
        over(played)
        played(sit(6, post=post))
        answer = deal(played)
        assert (6 in dealt_in(answer)) is post
    assert answer["bets"]["6"] == 4
    assert answer["lamps"]["kill"] == [6]
    assert (first(answer)["seat"], first(answer)["min_to"], first(answer)["options"][1]) == (6, 8, "check")
    assert first(played("act 6 check"))["to_call"] == 4


def entering(*newcomers: int, seats: int = 4, kill: bool = False, **setup: Any) -> ScriptedTable:  # noqa: ANN401
    """A first hand is over; newcomers post."""
    setup = {"house": {"kill": "full"}} | setup if kill else setup
    played = lowball("start", "card " + "- " * 5 * seats, seats=seats, **setup)
    over(played)
    played(*(sit(seat, post=True) for seat in newcomers))
    return played


def test_two_newcomers_cannot_kill_the_same_pot() -> None:
    """Only one kill a deal: the second one waits [R7-13.kill.11]."""
    played = entering(6, 7)
    answer = played("start")
    assert said(answer)[-1] == ("entry", "play-on", 7, "R7-13.kill.11")
    assert {step["seat"] for step in answer["next"] if step["step"] == "deal"} == {1, 2, 3, 4, 6}
    assert answer["bets"]["6"] == 4
    for _ in range(25):
        played("card -")
    over(played)
    assert deal(played)["bets"]["7"] == 4


def test_a_newcomer_who_wins_the_pot_that_it_killed_need_not_kill_again() -> None:
    """Only a required kill is repeated; this pot is the first leg [R7-13.kill.7]."""
    played = entering(6, kill=True)
    answer = deal(played)
    while first(answer)["step"] == "act":
        step = first(answer)
        answer = played(
            f"act {step['seat']} " + ("call" if step["seat"] == 1 else "check" if step["seat"] == 6 else "fold")
        )
        if first(answer)["step"] == "draw":
            break
    draw(played, 6, 0)
    draw(played, 1, 0)
    answer = played("act 6 bet", "act 1 fold", "done")
    assert answer["lamps"]["kill"] == [6]
    assert max(deal(played)["bets"].values()) == 2


def test_with_kills_by_choice_a_newcomer_who_kills_acts_last() -> None:
    """Where pots are killed by choice the killer acts last on the first round [R7-13.kill.10]."""
    played = entering(6, house={"voluntary_kill": True})
    answer = deal(played)
    order = []
    while first(answer)["step"] == "act":
        order.append(first(answer)["seat"])
        answer = played(f"act {order[-1]} {'call' if 'call' in first(answer)['options'] else 'check'}")
    assert order[-1] == 6
    assert len(order) == 5


@pytest.mark.parametrize("game", GAMES)
def test_R7_11_lowball_7(game: str) -> None:
    """Whom the big blind has passed waits for it or kills the pot; who took all blinds and moved does neither."""
    played = lowball("start", "card " + "- " * 20, game=game, seats=4)
    over(played)
    played("away 4")
    for _ in range(2):
        deal(played)
        over(played)
    played({"ev": "back", "seat": 4, "post": True})
    answer = deal(played)
    while 4 not in dealt_in(answer):
        over(played)
        answer = deal(played)
    assert answer["bets"]["4"] == 4
    assert answer["pots"] == []
    assert answer["lamps"]["kill"] == [4]
    played = lowball("start", "card " + "- " * 25, game=game, seats=5)
    over(played)
    played({"ev": "sit", "seat": 7, "from": 1})
    for _ in range(5):
        answer = deal(played)
        if 7 in dealt_in(answer):
            break
        over(played)
    assert 7 in dealt_in(answer)
    assert max(answer["bets"].values()) == 2


def single(*stacks: int) -> ScriptedTable:
    """A game with one blind of 2, the button at seat 1."""
    return lowball(betting=ONE_BLIND, seats=len(stacks), stacks=dict(enumerate(stacks, 1)))


def test_a_single_blind_is_posted_left_of_the_button() -> None:
    """The next player opens, and the blind comes round by one seat a hand."""
    played = single(200, 200, 200, 200)
    for seat in (2, 3, 4, 1):
        answer = deal(played)
        assert answer["bets"] == {str(seat): 2}
        assert first(answer)["seat"] == seat % 4 + 1
        over(played)


@pytest.mark.parametrize("wins", [True, False])
def test_R7_11_lowball_4(wins: bool) -> None:
    """Less than half a blind buys a hand and the next player takes the blind; with chips again it is due."""
    betting = {"structure": "fixed-limit", "big_blind": 10, "small_bet": 10, "big_bet": 20}
    played = lowball("start", betting=betting, stacks={1: 200, 2: 4, 3: 200, 4: 200})
    answer = played.lines[-1]
    assert said(answer) == [("short-blind", "play-on", 2, "R7-11.lowball.4")]
    assert answer["bets"] == {"2": 4, "3": 10}
    low, high = ["7s", "Kh", "4d", "Qh", "3c", "Kd", "2h", "Qd", "5h", "Ks"], None
    hands = low if wins else [low[i ^ 1] for i in range(10)]
    deck = iter(hands)
    while first(answer)["step"] == "deal":
        seat = first(answer)["seat"]
        answer = played({"ev": "card", "card": next(deck) if seat in (2, 3) else high})
    assert first(answer)["seat"] == 4
    played("act 4 fold", "act 1 fold")
    answer = draw(played, 2, 0)
    answer = draw(played, 3, 0)
    while answer["next"]:
        answer = played("done" if first(answer)["step"] == "award" else f"show {first(answer)['seat']}")
    if wins:
        assert answer["stacks"]["2"] == 8
    else:
        assert "2" not in answer["stacks"]
        played({"ev": "sit", "seat": 2, "player": "seat 2", "stack": 200})
    answer = played("start")
    assert said(answer) == [("short-blind", "play-on", 2, "R7-11.lowball.4")]
    assert answer["bets"] == {"2": 8 if wins else 10}
    for _ in range(20):
        played("card -")
    over(played)
    assert deal(played)["bets"] == {"4": 10}


def test_a_player_who_does_not_buy_in_again_leaves_no_blind_behind() -> None:
    """The short player is gone: who took the blind in its place does not take it twice."""
    betting = {"structure": "fixed-limit", "big_blind": 10, "small_bet": 10, "big_bet": 20}
    played = lowball("start", betting=betting, stacks={1: 200, 2: 4, 3: 200, 4: 200})
    while first(played.lines[-1])["step"] == "deal":
        played("card -")
    played("act 4 fold", "act 1 fold")
    draw(played, 2, 0)
    draw(played, 3, 0)
    played("show 2", "show 3", {"ev": "won", "seat": 3}, "done")
    assert deal(played)["bets"] == {"4": 10}


@pytest.mark.parametrize(("stack", "bets"), [(5, {"2": 5}), (4, {"2": 4, "3": 10}), (10, {"2": 10})])
def test_R7_11_lowball_5(stack: int, bets: dict[str, int]) -> None:
    """Half a blind or more is a full blind: nobody else posts, and the others come in for the whole."""
    betting = {"structure": "fixed-limit", "big_blind": 10, "small_bet": 10, "big_bet": 20}
    played = lowball(betting=betting, stacks={1: 200, 2: stack, 3: 200, 4: 200})
    answer = deal(played)
    assert answer["bets"] == bets
    assert first(answer)["to_call"] == 10


def test_R7_11_lowball_6() -> None:
    """Who failed to take the single blind is dealt in on the blind only, though it would post."""
    played = single(200, 200, 200, 200)
    deal(played)
    over(played)
    played("away 3")
    deal(played)
    over(played)
    played({"ev": "back", "seat": 3, "post": True})
    for _ in range(6):
        answer = deal(played)
        if 3 in dealt_in(answer):
            break
        over(played)
    assert answer["lamps"]["big_blind"] == [3]
    assert answer["bets"] == {"3": 2}
    assert answer["lamps"]["kill"] == []


def drawn(game: str) -> ScriptedTable:
    """Everybody has drawn."""
    played = lowball("start", "card " + "- " * 15, "act 1 call", "act 2 call", "act 3 check", game=game)
    for seat in (2, 3, 1):
        draw(played, seat, 0)
    return played


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("report", ["short-hand", "extra-card"])
def test_R7_11_lowball_11_c(report: str, game: str) -> None:
    """More or fewer than five cards after the draw is a fouled hand; its chips stay."""
    played = drawn(game)
    answer = played(f"report {report} seat=2")
    assert said(answer) == [(report, "dead-hand", 2, "R7-11.lowball.11")]
    assert (answer["stacks"]["2"], answer["pots"][0]["seats"]) == (198, [1, 3])


@pytest.mark.parametrize("game", GAMES)
def test_R7_11_lowball_12(game: str) -> None:
    """The number may be changed before a card, the burn included, or another's request; never after it."""
    played = lowball("start", "card " + "- " * 15, "act 1 call", "act 2 call", "act 3 check", game=game)
    draw(played, 2, 3)
    answer = draw(played, 2, 1)
    assert [step[0] for step in steps(answer)] == ["burn", "deal", "draw"]
    assert answer["piles"]["muck"] == 1
    answer = draw(played, 2, 0)
    assert steps(answer)[0] == ("draw", 3)
    draw(played, 3, 2)
    answer = draw(played, 2, 1)
    assert answer["error"]["code"] == "not-your-turn"
    played("card -")
    answer = draw(played, 3, 1)
    assert answer["error"]["code"] == "draw-fixed"
    assert "rule 12" in answer["error"]["message"]


SEVENS = "card 7s 9c Kh 5h 8d Kd 2d 6h Qc 3c 4c Jc 4h 2s Th"
"""Seats 2, 3 and 1: a seven, a nine, nothing."""


def short_bet(*acts: str) -> dict[str, Any]:
    """Limit ace-to-five: before the draw all call, nobody draws, then the acts, and all show."""
    played = lowball("start", SEVENS, "act 1 call", "act 2 call", "act 3 check")
    for seat in (2, 3, 1):
        answer = draw(played, seat, 0)
    answer = played(*acts)
    assert "error" not in answer, answer["error"]
    while first(answer)["step"] == "show":
        answer = played(f"show {first(answer)['seat']}")
    return answer


def test_a_seven_calls_a_short_all_in_bet_and_who_calls_after_it_gets_the_call_back() -> None:
    """The seven wins the short bet; the overcall goes back, as it loses [R7-11.a5.4]."""
    betting = {"structure": "fixed-limit", "small_blind": 5, "big_blind": 10, "small_bet": 10, "big_bet": 20}
    stacks: dict[int, int | None] = {1: 200, 2: 200, 3: 18, 4: 200}
    played = lowball("start", betting=betting, stacks=stacks)
    answer = played("card Kh 9c 7s 8d Kd 8c 5h 7d Qc 6h 2d 6d Jc 4c 3c 5d Th 2s 4h 2h")
    for _ in range(4):
        step = first(answer)
        answer = played(f"act {step['seat']} " + ("call" if "call" in step["options"] else "check"))
    for seat in (2, 3, 4, 1):
        answer = draw(played, seat, 0)
    answer = played("act 2 check", "act 3 all-in", "act 4 call", "act 1 call", "act 2 fold")
    while first(answer)["step"] == "show":
        answer = played(f"show {first(answer)['seat']}")
    assert said(answer) == [("sevens", "correct", 4, "R7-11.a5.4")]
    assert answer["stacks"]["1"] == 190
    awards = [(step["seats"], step["amounts"]) for step in answer["next"]]
    assert awards == [([4], [16]), ([4], [40])]


@pytest.mark.parametrize(("best", "back"), [("2 check", True), ("2 bet", False)])
def test_R7_11_a5_4_only_a_check_voids(best: str, back: bool) -> None:
    """A seven that bets, or calls, wins everything; one that has checked wins what lay there before the draw."""
    acts = (f"act {best}", "act 3 bet" if back else "act 3 call", "act 1 fold", *(["act 2 call"] if back else []))
    answer = short_bet(*acts)
    assert bool(said(answer)) is back
    assert first(answer)["amounts"] == [6 if back else 14]


def test_R7_13_kill_6_who_leaves_without_posting() -> None:
    """A player who quits owing a required kill sits down again only to post it."""
    from tests.rules.betting.test_kill import deal as dealt
    from tests.rules.betting.test_kill import hands, won_by

    played = hands()
    won_by(played, 1, called=True)
    won_by(played, 1, called=True)
    played("leave 1")
    played({"ev": "sit", "seat": 1, "player": "New", "stack": 200})
    answer = dealt(played)
    assert max(answer["bets"].values()) == 2
    while first(answer)["step"] == "act":
        answer = played(f"act {first(answer)['seat']} fold")
    played("done")
    again = {"ev": "sit", "seat": 6, "player": "seat 1", "stack": 200}
    assert played(again)["error"]["code"] == "owes-kill"
    assert "error" not in played(again | {"post": True, "kill": True})
    for _ in range(6):
        answer = dealt(played)
        if "6" in answer["bets"]:
            break
        while first(answer)["step"] == "act":
            answer = played(f"act {first(answer)['seat']} fold")
        played("done")
    assert answer["bets"]["6"] == 4
    assert answer["lamps"]["kill"] == [6]


def test_the_kill_button_goes_with_its_player() -> None:
    """A change of seats takes the leg along; who quits leaves it to nobody, whoever takes the chair."""
    from tests.rules.betting.test_kill import hands, won_by

    played = hands()
    won_by(played, 1, called=True)
    assert played({"ev": "sit", "seat": 6, "from": 1})["lamps"]["kill"] == [6]
    played = hands()
    won_by(played, 1, called=True)
    played("leave 1")
    assert played({"ev": "sit", "seat": 1, "player": "New", "stack": 200})["lamps"]["kill"] == []


@pytest.mark.parametrize("drawn", [1, 2])
def test_R7_11_lowball_9_where_nobody_bets_any_more_the_replacement_comes_before_the_next_draw(drawn: int) -> None:
    """All-in, the next draw is on the plan as soon as the last one has its cards."""
    played = lowball("start", game="triple-draw-a5", stacks={1: 2, 2: 2, 3: 2})
    played(*["card -"] * 15, "act 1 all-in", "act 2 all-in")
    for seat in (2, 3, 1):
        answer = draw(played, seat, drawn)
        while first(answer)["step"] in ("burn", "deal"):
            answer = played("card -")
    assert first(answer) == {"step": "draw", "seat": 2}
    answer = played({"ev": "report", "what": "exposed", "seat": 1, "nth": 5, "card": "Kd"})
    assert [(step["step"], step.get("seat")) for step in answer["next"]] == [("deal", 1), ("return", None), ("draw", 2)]

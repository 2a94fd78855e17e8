"""People in a cash game: newcomers, missed blinds, changes of seats; a test a rule."""

from typing import Any

import pytest

from tests.people.hands import at, back, dealt, hand, over, places, receiving, rulings, sit
from tests.playing import ScriptedTable, play

R7, HR, AU, FC, MP = "roberts-7", "house-rules", "casino-au", "fish-n-chips", "maryport"
WSOP_LIVE = "wsop-live-2024"
LIMIT = {"structure": "fixed-limit", "small_blind": 2, "big_blind": 4, "small_bet": 4, "big_bet": 8}


def refused(answer: dict[str, Any]) -> str:
    code: str = answer["error"]["code"]
    return code


@pytest.mark.parametrize("book", [R7, HR])
def test_R7_4_blinds_5a(book: str) -> None:
    """A newcomer waits for the big blind, and then is an ordinary player [HR-blinds.4.1].

    Covers: R7-4.blinds.5a, HR-blinds.4.1
    """
    played = at(book, 1, 2, 3, 4)
    hand(played)
    over(played)
    seen = [receiving(hand(played, sit(6)))] + [receiving(hand(played)) for _ in range(2)]
    assert [6 in seats for seats in seen] == [False, True, True]
    assert places(played.lines[-1])[1] == [6]


@pytest.mark.parametrize("book", [R7, HR])
def test_R7_4_blinds_5b_before_the_first_hand_of_a_game_that_is_on(book: str) -> None:
    """The table line takes up a game: one newcomer waits for the big blind, the other posts it; a new game is free."""
    played = play(book, sit(6), sit(7, post=True), seats=4)
    answer = hand(played)
    assert (receiving(answer), places(answer), answer["bets"]) == (
        [2, 3, 4, 7, 1],
        ([1], [2], [3]),
        {"2": 1, "3": 2, "7": 2},
    )
    played = play(book, sit(6), sit(7), seats=4, new_game=True)
    assert receiving(hand(played)) == [2, 3, 4, 6, 7, 1]


@pytest.mark.parametrize("book", [R7, HR])
def test_R7_4_blinds_5b(book: str) -> None:
    """A newcomer who posts the big blind is dealt in at once and may raise [HR-blinds.4.2].

    Covers: R7-4.blinds.5b, HR-blinds.4.2
    """
    played = at(book, 1, 2, 3, 4)
    hand(played)
    over(played)
    answer = hand(played, sit(6, post=True))
    assert answer["bets"] == {"3": 1, "4": 2, "6": 2}
    answer = dealt(played)
    assert answer["next"][0]["seat"] == 6
    assert answer["next"][0]["options"] == ["fold", "check", "raise", "all-in"]


@pytest.mark.parametrize("book", [R7, HR])
def test_R7_4_blinds_6(book: str) -> None:
    """A newcomer who lets the button go by has missed nothing and later owes only the big blind [HR-blinds.5].

    Covers: R7-4.blinds.6, HR-blinds.5
    """
    played = at(book, 1, 2, 3, 4, 5)
    hand(played)
    over(played)
    played(sit(6))
    hand(played, "away 6")
    for _ in range(6):
        hand(played)
    over(played)
    answer = hand(played, back(6, post=True))
    while 6 not in receiving(answer):
        answer = hand(played)
    assert answer["pots"] == []
    assert answer["bets"]["6"] == 2


@pytest.mark.parametrize("book", [R7, HR])
@pytest.mark.parametrize("hands_away", range(3, 9))
def test_R7_4_blinds_6_wherever_the_button_then_is(book: str, hands_away: int) -> None:
    """However many hands it let go by: on entering it owes the big blind, and nothing is dead in the pot.

    Covers: R7-4.blinds.6, HR-blinds.5
    """
    played = at(book, 1, 2, 3, 4, 5)
    hand(played)
    over(played)
    played(sit(7))
    hand(played, "away 7")
    for _ in range(hands_away):
        hand(played)
    over(played)
    answer = hand(played, back(7, post=True))
    while 7 not in receiving(answer):
        answer = hand(played)
    assert (answer["pots"], answer["bets"]["7"]) == ([], 2)


@pytest.mark.parametrize(("book", "cite"), [(R7, "R7-4.blinds.7"), (HR, "HR-blinds.6")])
def test_R7_4_blinds_7(book: str, cite: str) -> None:
    """One who plays over is a new player; the owner has the chair again later.

    Covers: R7-4.blinds.7, HR-blinds.6
    """
    from config.rulebook_file import load_rulebook

    assert load_rulebook(book).people.played_over_new.cite[0] == cite
    played = at(book, 1, 2, 3, 4, 6)
    hand(played)
    over(played)
    assert refused(played(sit(6, "Over", over=True))) == "play-over"
    played("away 6")
    answer = hand(played, sit(6, "Over", post=True, over=True))
    assert answer["bets"]["6"] == 2
    over(played)
    assert "error" not in played("leave 6")
    assert "error" not in played(back(6))


@pytest.mark.parametrize(("book", "cite"), [(R7, "R7-4.blinds.8"), (HR, "HR-blinds.7"), (FC, "R7-4.blinds.8")])
def test_R7_4_blinds_8(book: str, cite: str) -> None:
    """Nobody enters between the big blind and the button, not even by posting; when the button has passed, it posts.

    Covers: R7-4.blinds.8, HR-blinds.7
    """
    played = at(book, 1, 2, 4, 5, 6, mode="cash")
    hand(played)
    over(played)
    answer = hand(played, sit(3, post=True))
    assert 3 not in receiving(answer)
    assert rulings(answer, "entry")[0]["cite"] == [cite]
    answer = hand(played)
    while 3 not in receiving(answer):
        assert places(answer)[0] in ([2], [3])
        answer = hand(played)
    assert answer["bets"]["3"] == 2


def missed(book: str, hands_away: int, *, post: bool) -> tuple[ScriptedTable, dict[str, Any]]:
    """Seat 4 is away for so many hands after the first, then comes back."""
    played = at(book, 1, 2, 3, 4, 5)
    hand(played)
    over(played)
    played("away 4")
    for _ in range(hands_away):
        hand(played)
    over(played)
    return played, hand(played, back(4, post=post))


@pytest.mark.parametrize("book", [R7, HR])
def test_R7_4_blinds_10(book: str) -> None:
    """Both blinds missed: the big blind is live, the small one dead to the pot; the poster may raise.

    Covers: R7-4.blinds.10, HR-blinds.9
    """
    played, answer = missed(book, 2, post=True)
    assert answer["bets"]["4"] == 2
    assert answer["pots"] == [{"amount": 1, "seats": [1, 2, 3, 4, 5]}]
    dealt(played)
    played("act 3 call")
    assert "raise" in played.lines[-1]["next"][0]["options"]


def test_R7_4_blinds_10_waits() -> None:
    """Who does not post waits for the big blind, and then owes nothing."""
    played, answer = missed(R7, 2, post=False)
    assert 4 not in receiving(answer)
    while 4 not in receiving(answer):
        answer = hand(played)
    assert places(answer)[2] == [4]
    assert answer["pots"] == []


def test_R7_4_blinds_10_small_alone() -> None:
    """Only the small blind was missed: what is posted is no more than the opening bet, so all of it is live."""
    played = at(R7, 1, 2, 3, 4, 5)
    hand(played)
    over(played)
    played("away 3")
    hand(played)
    over(played)
    answer = hand(played, back(3, post=True))
    while 3 not in receiving(answer):
        answer = hand(played)
    assert answer["bets"]["3"] == 1
    assert answer["pots"] == []


def test_R7_4_blinds_10_missed_none() -> None:
    """No blind has passed: the player is simply back."""
    played = at(R7, 1, 2, 3, 4, 5)
    hand(played)
    over(played)
    played("away 1")
    hand(played)
    over(played)
    assert 1 in receiving(hand(played, back(1)))


def owing(book: str, *lines: str) -> dict[str, Any]:
    """Seat 5 owes a blind, was dealt in, and then."""
    played = at(book, 1, 2, 3, 4, 5)
    hand(played)
    dealt(played)
    played(*lines)
    played("report owes-blind seat=5")
    return played.lines[-1]


@pytest.mark.parametrize(("book", "cite"), [(R7, "R7-4.blinds.11"), (HR, "HR-blinds.10"), (WSOP_LIVE, "WSOP-L-157")])
def test_R7_4_blinds_11(book: str, cite: str) -> None:
    """Dealt in while owing: dead when it looked and has not acted; live when it has acted; else it posts now.

    Covers: R7-4.blinds.11, HR-blinds.10, WSOP-L-157
    """
    looked = owing(book, "report looked seat=5")
    assert [(r["verdict"], r["cite"]) for r in looked["rulings"]] == [("dead-hand", [cite])]
    assert looked["piles"]["muck"] == 2
    acted = owing(book, "act 4 fold", "act 5 call")
    assert [(r["verdict"], r["cite"]) for r in acted["rulings"]] == [("play-on", [cite])]
    now = owing(book)
    assert [step["step"] for step in now["next"]][:2] == ["post", "post"]
    assert [(step["kind"], step["amount"]) for step in now["next"][:2]] == [("missed", 2), ("dead", 1)]


def test_R7_4_blinds_11_posts_now_and_next() -> None:
    """The posts lie there when the dealer has confirmed them; who had acted posts on the next deal."""
    played = at(R7, 1, 2, 3, 4, 5)
    hand(played)
    dealt(played)
    played("report owes-blind seat=5", "done", "done")
    assert played.lines[-1]["bets"]["5"] == 2
    assert played.lines[-1]["pots"][0]["amount"] == 1
    played = at(R7, 1, 2, 3, 4, 5)
    hand(played)
    dealt(played)
    played("act 4 fold", "act 5 call", "report owes-blind seat=5")
    over(played)
    answer = hand(played)
    assert answer["bets"]["5"] == 2
    assert answer["pots"][0]["amount"] == 1


@pytest.mark.parametrize("book", [R7, HR, FC])
def test_R7_4_blinds_12(book: str) -> None:
    """Who loses the last chip and buys in again is no new player: it owes what it missed meanwhile, else nothing.

    Covers: R7-4.blinds.12, HR-blinds.11, FC-4.blinds.7
    """
    for hands_out, owed in ((0, False), (4, True)):
        played = broke(book, mode="cash", button_rule="moving")
        for _ in range(hands_out):
            hand(played)
        if hands_out:
            over(played)
        answer = hand(played, sit(3, "A3"))
        while 3 not in receiving(answer):
            answer = hand(played)
        assert (answer["pots"] != []) is owed


def broke(book: str, **table: Any) -> ScriptedTable:  # noqa: ANN401 (keys of the table line)
    """Seat 3, in the big blind, loses its last two chips to seat 1."""
    played = at(book, 1, 2, 3, 4, 5, **table)
    played({"ev": "stack", "seat": 3, "stack": 2})
    hand(played)
    for card in ("2c", "3d", "4c", "4h", "As", "2d", "3h", "5c", "5h", "Ad"):
        played(f"card {card}")
    played("act 4 fold", "act 5 fold", "act 1 call", "act 2 fold")
    cards = iter(("7s", "8s", "9d", "Jc", "7h", "Ks", "7d", "Qc"))
    while played.lines[-1]["phase"] != "idle":
        step = played.lines[-1]["next"][0]
        match step["step"]:
            case "burn" | "board":
                played(f"card {next(cards)}")
            case "show":
                played(f"show {step['seat']}")
            case _:
                played("done")
        assert "error" not in played.lines[-1], played.lines[-1]
    assert "3" not in played.lines[-1]["stacks"]
    return played


@pytest.mark.parametrize("book", [R7, HR, WSOP_LIVE])
def test_R7_4_blinds_13a(book: str) -> None:
    """Who drew for the button must make up blinds missed from the first round on [HR-blinds.12.1].

    Covers: R7-4.blinds.13a, HR-blinds.12.1, WSOP-L-158
    """
    played = at(book, 1, 2, 3, 4, 5, new_game=True)
    hand(played)
    over(played)
    played("away 4")
    hand(played)
    hand(played)
    over(played)
    assert hand(played, back(4, post=True))["pots"][0]["amount"] == 1


@pytest.mark.parametrize("book", [R7, HR])
def test_R7_4_blinds_13b(book: str) -> None:
    """New game: free until the button has been round, unless a blind has passed the seat [HR-blinds.12.2].

    Covers: R7-4.blinds.13b, HR-blinds.12.2
    """
    played = at(book, 1, 2, 4, 5, 6, new_game=True)
    hand(played)
    over(played)
    answer = hand(played, sit(3, "Passed"), sit(7, "Free"))
    assert 7 in receiving(answer)
    assert 3 not in receiving(answer)
    assert "7" not in answer["bets"]
    old = at(book, 1, 2, 4, 5, 6)
    hand(old)
    over(old)
    assert 7 not in receiving(hand(old, sit(7)))


@pytest.mark.parametrize("book", [R7, HR])
def test_R7_4_blinds_13c(book: str) -> None:
    """New game: a seat that no blind has passed is taken without penalty [HR-blinds.12.3].

    Covers: R7-4.blinds.13c, HR-blinds.12.3
    """
    played = at(book, 1, 2, 3, 4, 5, new_game=True)
    hand(played)
    over(played)
    answer = hand(played, {"ev": "sit", "seat": 9, "from": 4})
    assert 9 in receiving(answer)
    assert answer["stacks"]["9"] == 200


@pytest.mark.parametrize(("book", "cite"), [(R7, "R7-4.blinds.14"), (HR, "HR-blinds.13")])
def test_R7_4_blinds_14(book: str, cite: str) -> None:
    """Two positions farther from the big blind: wait two hands. Closer: at once. Or post at once.

    Covers: R7-4.blinds.14, HR-blinds.13
    """
    played = at(book, 1, 2, 3, 4, 5, 6)
    hand(played)
    over(played)
    answer = played({"ev": "sit", "seat": 7, "from": 4})
    assert rulings(answer, "seat-change")[0]["cite"][0] == cite
    seen = [hand(played) for _ in range(3)]
    assert [7 in receiving(one) for one in seen] == [False, False, True]
    assert places(seen[2])[2] == [7]
    closer = at(book, 1, 2, 3, 5, 6, 7)
    hand(closer)
    over(closer)
    answer = hand(closer, {"ev": "sit", "seat": 4, "from": 7})
    assert places(answer)[2] == [4]
    posting = at(book, 1, 2, 3, 4, 5, 6)
    hand(posting)
    over(posting)
    assert hand(posting, {"ev": "sit", "seat": 7, "from": 4, "post": True})["bets"]["7"] == 2


@pytest.mark.parametrize("book", [R7, HR])
def test_R7_4_blinds_15(book: str) -> None:
    """Who plays the button and changes seats may let the blinds pass once and come in behind the button, free.

    Covers: R7-4.blinds.15, HR-blinds.14
    """
    played = at(book, 1, 2, 3, 4, 5)
    hand(played)
    over(played)
    played({"ev": "sit", "seat": 6, "from": 1})
    played("away 6")
    answer = hand(played)
    while places(answer)[2] != [2]:
        answer = hand(played)
    answer = hand(played, back(6))
    while 6 not in receiving(answer):
        answer = hand(played)
    assert "6" not in answer["bets"]
    assert answer["pots"] == []
    assert places(answer)[0] == [2]


def test_R7_2_seating_11() -> None:
    """A player from a must-move game enters a cash game as a new player: waits, or posts."""
    played = at(R7, 1, 2, 3, 4)
    hand(played)
    over(played)
    assert 6 not in receiving(hand(played, sit(6, moved=True)))

"""Board cards dealt before the betting was over, by the book's clauses."""

from typing import Any

import pytest

from tests.playing import ScriptedTable, play
from tests.rules.boards import BOOKS, CHECKS, DEALT, before_turn, error, on_flop, on_turn, piles, plan, ruling

NOT_AU = [book for book in BOOKS if book != "casino-au"]


def flop_bet(book: str, **table: Any) -> ScriptedTable:  # noqa: ANN401
    """Seat 2 has bet 10 on the flop, seat 3 has called; seats 4 and 1 are to act."""
    played = on_flop(book, **table)
    played("act 2 bet 10", "act 3 call")
    return played


def turn_bet(book: str) -> ScriptedTable:
    """Seat 2 has bet 10 on the turn, seat 3 has called; seats 4 and 1 are to act."""
    played = on_turn(book)
    played("act 2 bet 10", "act 3 call")
    return played


FLOPS = [
    ("roberts-7", ["return board > stub 3"], [], "R7-5.holdem.6"),
    ("casino-au", ["return board > stub 3", "return burn > stub 1"], ["burn"], "AU-19.28"),
    ("house-rules", ["return board > stub 3"], ["burn"], "HR-holdem.3"),
    ("fish-n-chips", ["return board > stub 3", "return burn > stub 1"], ["burn"], "FC-5.holdem.3"),
    ("maryport", ["return board > stub 3"], [], "MP-5.holdem.5"),
]


@pytest.mark.parametrize(("book", "back", "after", "cite"), FLOPS)
def test_premature_flop_under_five_books(book: str, back: list[str], after: list[str], cite: str) -> None:
    """The betting is finished while the flop lies there; then it goes back, with the burn or without."""
    premature_flop(book, back, after, cite)


def premature_flop(book: str, back: list[str], after: list[str], cite: str) -> None:
    played = play(book, "start", DEALT, "act 4 raise 6", "card 8h 2s 4s Qd")
    assert plan(played)[0] == "say"
    played("report premature count=4")
    said = ruling(played, "premature")
    assert (said["verdict"], said["cite"][0]) == ("redeal-board", cite)
    assert piles(played, "burn", "board", "aside") == {"burn": 1, "board": 3, "aside": 0}
    assert plan(played) == ["act 1"]
    played("act 1 raise 12", "act 2 fold", "act 3 fold", "act 4 call")
    assert plan(played) == [*back, "shuffle", "cut", *after, "board flop 3", "act 4"]
    assert played.lines[-1]["phase"] == "remedy"
    played(f"done {len(back) + 2}")
    assert (played.lines[-1]["phase"], played.lines[-1]["gate"]) == ("deal", "open")
    played("card 2s 4s Qd", *(["card Kc"] if after else []))
    assert (plan(played), piles(played, "board")) == (["act 4"], {"board": 3})


TURNS = [
    ("roberts-7", "set-aside", "R7-5.holdem.8"),
    ("casino-au", "restrict-bet", "AU-19.29"),
    ("house-rules", "set-aside", "HR-holdem.4"),
    ("fish-n-chips", "redeal-street", "FC-5.holdem.8"),
    ("maryport", "set-aside", "MP-5.holdem.8"),
]


@pytest.mark.parametrize(("book", "verdict", "cite"), TURNS)
def test_premature_turn_under_five_books(book: str, verdict: str, cite: str) -> None:
    """With two players still to act: out of play for the round, shuffled back at its end, or standing with a cap."""
    premature_turn(book, verdict, cite)


def premature_turn(book: str, verdict: str, cite: str) -> None:
    played = flop_bet(book)
    played("card Js Ks", "report premature")
    said = ruling(played, "premature")
    assert (said["verdict"], said["cite"][0]) == (verdict, cite)
    assert piles(played, "burn", "board", "aside") == {"burn": 2, "board": 4, "aside": 0}
    if verdict == "set-aside":
        assert plan(played) == ["return board > aside 1", "act 4"]
        played("done")
    options = played.lines[-1]["next"][0]["options"]
    assert ("raise" in options) == (book != "casino-au")
    played("act 4 call", "act 1 call")
    river = {"roberts-7": [], "maryport": [], "house-rules": ["burn"]}
    if book == "casino-au":
        assert plan(played) == ["act 2"]
    elif book == "fish-n-chips":
        assert plan(played) == ["return board > stub 1", "shuffle", "cut", "board turn 1", "act 2"]
        played("done 3", "card Ks")
    else:
        assert plan(played) == ["burn", "board turn 1", "act 2"]
        played("card 7c 7d")
        assert piles(played, "burn", "board", "aside") == {"burn": 3, "board": 4, "aside": 1}
    played(*CHECKS)
    if book in river:
        back = ["return aside > stub 1", "shuffle", "cut"]
        assert plan(played) == [*back, *river[book], "board river 1", "act 2"]
    else:
        assert plan(played) == ["burn", "board river 1", "act 2"]


RIVERS = [
    ("roberts-7", [], "R7-5.holdem.8"),
    ("house-rules", ["burn"], "HR-holdem.4"),
    ("fish-n-chips", [], "FC-5.holdem.8"),
    ("maryport", [], "MP-5.holdem.8"),
]


@pytest.mark.parametrize(("book", "after", "cite"), RIVERS)
def test_premature_river(book: str, after: list[str], cite: str) -> None:
    """The card goes back when the betting is over; the burn stays on the table."""
    premature_river(book, after, cite)


def premature_river(book: str, after: list[str], cite: str) -> None:
    played = turn_bet(book)
    played("card 7c 7d", "report premature count=2")
    said = ruling(played, "premature")
    assert (said["verdict"], said["cite"][0]) == ("redeal-street", cite)
    assert plan(played) == ["act 4"]
    played("act 4 raise 20", "act 1 fold", "act 2 call", "act 3 fold")
    assert plan(played) == ["return board > stub 1", "shuffle", "cut", *after, "board river 1", "act 2"]
    played("done 3")
    assert piles(played, "burn", "board") == {"burn": 3, "board": 4}


def test_AU_19_29_r_premature_river_stands() -> None:
    """The river stands; the seats still to act may call what was wagered and no more."""
    played = turn_bet("casino-au")
    played("card 7c 7d", "report premature")
    assert played.lines[-1]["next"][0]["options"] == ["fold", "call"]
    played("act 4 call", "act 1 call")
    assert (plan(played), played.lines[-1]["street"]) == (["act 2"], "river")
    assert "bet" in played.lines[-1]["next"][0]["options"]


def test_AU_19_29_nobody_has_bet() -> None:
    """Nothing has been wagered on the round: nobody may bet any more, by whatever word."""
    played = on_flop("casino-au")
    played("act 2 check", "card Js Ks", "report premature")
    assert played.lines[-1]["next"][0]["options"] == ["fold", "check"]
    played("act 3 bet 10")
    assert error(played) == "act-not-open"
    played("act 3 check", "act 4 check", "act 1 check")
    assert (plan(played), played.lines[-1]["street"]) == (["act 2"], "turn")


def test_AU_19_29_untracked_all_in_is_a_call() -> None:
    """Where amounts are not tracked an all-in under the cap raises nobody."""
    seats = [{"seat": seat} for seat in range(1, 5)]
    played = ScriptedTable()
    blinds = {"structure": "no-limit", "small_blind": 1, "big_blind": 2}
    table = {"ev": "table", "rulebook": "casino-au", "game": "holdem", "betting": blinds, "seats": seats, "button": 1}
    played({**table, "amounts": "untracked"})
    played("start", DEALT, "act 4 call", "act 1 call", "act 2 call", "act 3 check", "card 8h 2s 4s Qd")
    played("act 2 bet", "act 3 call", "card Js Ks", "report premature", "act 4 all-in", "act 1 call")
    assert (plan(played), played.lines[-1]["street"]) == (["act 2"], "turn")


def test_AU_19_29_turn_and_river_both_early() -> None:
    """The dealer ran the board out: both cards stand, in their order."""
    played = flop_bet("casino-au")
    played("card Js Ks 7c 7d", "report premature count=2")
    assert plan(played)[0] == "say"
    played("report premature count=2")
    assert piles(played, "burn", "board", "aside") == {"burn": 3, "board": 5, "aside": 0}
    played("act 4 call", "act 1 call", *CHECKS)
    assert played.lines[-1]["street"] == "river"
    assert plan(played) == ["act 2"]


@pytest.mark.parametrize(("book", "after"), [("roberts-7", []), ("house-rules", ["burn"])])
def test_R7_5_holdem_8_a_twice_on_one_round(book: str, after: list[str]) -> None:
    """Both cards are set aside and go back together before the river."""
    played = flop_bet(book)
    played("card Js Ks", "report premature", "done", "act 4 call", "card 7c 7d", "report premature", "done")
    assert piles(played, "burn", "board", "aside") == {"burn": 3, "board": 3, "aside": 2}
    played("act 1 call", "card 9h 9d", *CHECKS)
    assert plan(played) == ["return aside > stub 2", "shuffle", "cut", *after, "board river 1", "act 2"]


def test_R7_5_holdem_8_b_premature_river_after_a_premature_turn() -> None:
    """Both go back before the river: the river from the board, the turn from aside, one shuffle, no burn."""
    played = flop_bet("roberts-7")
    played("card Js Ks", "report premature", "done", "act 4 call", "act 1 call", "card 7c 7d")
    played("act 2 check", "card 9h 9d", "report premature")
    assert ruling(played, "premature")["verdict"] == "redeal-street"
    played(*CHECKS[1:])
    back = ["return board > stub 1", "return aside > stub 1"]
    assert plan(played) == [*back, "shuffle", "cut", "board river 1", "act 2"]


def test_R7_5_holdem_6_flop_twice() -> None:
    """A second flop comes before the betting is over: all of it goes back at once."""
    played = play("roberts-7", "start", DEALT, "act 4 call", "card 8h 2s 4s Qd", "report premature", "act 1 call")
    played("card Js Ks 7c 7d", "report premature", "act 2 call", "act 3 check")
    assert piles(played, "burn", "board") == {"burn": 2, "board": 6}
    assert plan(played) == ["return board > stub 6", "shuffle", "cut", "board flop 3", "act 2"]


@pytest.mark.parametrize("book", BOOKS)
def test_R7_5_holdem_6_premature_turn_after_a_redealt_flop(book: str) -> None:
    """One remedy after the other: the redealt flop is bet on, the turn comes too early."""
    played = play(book, "start", DEALT, "act 4 call", "card 8h 2s 4s Qd", "report premature")
    played("act 1 call", "act 2 call", "act 3 check")
    while plan(played)[0] not in ("burn", "board flop 3"):
        played("done")
    played("card 9h 9d Jc", *(["card Jd"] if plan(played)[0] == "burn" else []))
    assert plan(played) == ["act 2"]
    played("act 2 check", "card Js Ks", "report premature")
    assert ruling(played, "premature")["verdict"] in ("set-aside", "restrict-bet", "redeal-street")


@pytest.mark.parametrize("book", BOOKS)
def test_the_betting_ends_the_hand(book: str) -> None:
    """All others fold: nothing more is put back, the last player takes the pot."""
    folded_out(book)


def folded_out(book: str) -> None:
    played = play(book, "start", DEALT, "act 4 raise 6", "act 1 fold", "card 8h 2s 4s Qd", "report premature")
    played("act 2 fold", "act 3 fold")
    assert plan(played) == ["award"]
    played("done")
    assert played.lines[-1]["phase"] == "idle"
    played("start")
    assert piles(played, "stub", "board", "burn") == {"stub": 52, "board": 0, "burn": 0}


@pytest.mark.parametrize(
    ("book", "mode", "run_out"),
    [
        ("roberts-7", "cash", ["burn", "board turn 1", "return aside > stub 1", "shuffle", "cut", "board river 1"]),
        (
            "house-rules",
            "cash",
            ["burn", "board turn 1", "return aside > stub 1", "shuffle", "cut", "burn", "board river 1"],
        ),
        (
            "fish-n-chips",
            "cash",
            ["return board > stub 1", "shuffle", "cut", "board turn 1", "burn", "board river 1"],
        ),
        ("casino-au", "cash", ["burn", "board river 1"]),
    ],
)
def test_R7_5_holdem_8_a_then_all_in(book: str, mode: str, run_out: list[str]) -> None:
    """The betting ends with nobody able to act: the remedies stand between the streets that follow one another."""
    played = play(book, "start", "card Ad 9c Tc 5d", seats=2, mode=mode)
    first = played.lines[-1]["next"][0]["seat"]
    other = 3 - first
    played(f"act {first} call", f"act {other} check", "card 8h 2s 4s Qd")
    opener = played.lines[-1]["next"][0]["seat"]
    played(f"act {opener} all-in", "card Js Ks", "report premature")
    if plan(played)[0].startswith("return"):
        played("done")
    played(f"act {3 - opener} call")
    assert [step for step in plan(played) if not step.startswith("show")] == run_out
    while not plan(played)[0].startswith("show"):
        played("done" if played.lines[-1]["gate"] == "locked" else {"ev": "card", "card": None})
        assert "error" not in played.lines[-1]
    assert piles(played, "board") == {"board": 5}


def test_R7_15_tourn_34_cards_before_the_hands_are_turned_up() -> None:
    """The betting is over and only the showing was still due: the cards came in their order and stand."""
    played = play("roberts-7", "start", "card Ad 9c Tc 5d", "act 1 all-in", "act 2 call", seats=2, mode="tournament")
    assert plan(played)[:2] == ["show 2", "show 1"]
    played("card 8h 2s 4s Qd", "report premature")
    assert ruling(played, "premature")["verdict"] == "play-on"
    assert plan(played) == ["show 2", "show 1", "burn", "board turn 1", "burn", "board river 1"]
    assert piles(played, "burn", "board") == {"burn": 1, "board": 3}


@pytest.mark.parametrize("book", BOOKS)
def test_R7_5_holdem_6_only_the_burn(book: str) -> None:
    """Nothing was turned: the burn stands as that of its street, and no second one is due."""
    played = flop_bet(book)
    played("card Js", "report premature")
    assert ruling(played, "premature")["verdict"] == "play-on"
    assert (plan(played), piles(played, "burn")) == (["act 4"], {"burn": 2})
    played("act 4 call", "act 1 call")
    assert plan(played) == ["board turn 1", "act 2"]


def test_R7_5_holdem_6_the_burn_first_and_the_card_later() -> None:
    """The burn came early and after it the turn, in two questions: one burn, one card out of play."""
    played = flop_bet("roberts-7")
    played("card Js", "report premature", "card Ks", "report premature")
    assert piles(played, "burn", "board", "aside") == {"burn": 2, "board": 4, "aside": 0}
    assert plan(played) == ["return board > aside 1", "act 4"]
    played("done", "act 4 call", "act 1 call")
    assert plan(played) == ["burn", "board turn 1", "act 2"]


def test_R7_5_holdem_1_b_exposed_card_was_the_burn() -> None:
    """The flop's burn lies there already, so that its three cards come alone; it stays there, and R7 burns no other."""
    played = play("roberts-7", "start", "card Ad 9c Tc", "report exposed", "card 5d 6c 4d Qh 6d 3h", "done")
    played("act 4 call", "card 8h 2s 4s", "report premature", "act 1 call", "act 2 call", "act 3 check")
    assert piles(played, "burn", "board") == {"burn": 1, "board": 3}
    assert plan(played) == ["return board > stub 3", "shuffle", "cut", "board flop 3", "act 2"]
    played("done 3", "card 8h 2s 4s", *CHECKS)
    assert plan(played) == ["burn", "board turn 1", "act 2"]


def test_premature_count_below_the_cards_in_question() -> None:
    """The report explains the first cards; the question stays for the others."""
    played = flop_bet("roberts-7")
    played("card Js Ks 7c", "report premature count=2")
    assert plan(played) == ["say", "return board > aside 1", "act 4"]
    assert piles(played, "burn", "board", "aside") == {"burn": 2, "board": 4, "aside": 1}
    played("report put-back")
    assert plan(played)[-2:] == ["return board > aside 1", "act 4"]


def test_premature_count_above_the_cards_in_question() -> None:
    """More cards than left the shoe: refused, and the question stands."""
    played = flop_bet("roberts-7")
    played("card Js Ks", "report premature count=3")
    assert error(played) == "no-card"
    assert plan(played)[0] == "say"


def test_premature_has_no_place() -> None:
    """Cards that were due, a river bet with no street after it: refused."""
    played = before_turn("roberts-7")
    played("card Js", "report premature")
    assert error(played) == "no-card"
    played = on_turn("roberts-7")
    played(*CHECKS, "card 7c 7d", "card 9h", "report premature")
    assert error(played) == "not-so"


@pytest.mark.parametrize("book", NOT_AU)
def test_R7_3_irreg_16_more_cards_than_the_street_has(book: str) -> None:
    """Burn, turn and one more: none of the open cards plays."""
    played = flop_bet(book)
    played("card Js Ks 7c", "report premature count=3")
    assert piles(played, "burn", "board") == {"burn": 2, "board": 5}
    if book != "fish-n-chips":
        assert plan(played)[0] == "return board > aside 2"


def test_AU_19_30_more_cards_than_the_street_has() -> None:
    """The right card stands under the cap, the other is the next burn."""
    played = flop_bet("casino-au")
    played("card Js Ks 7c", "report premature count=3")
    assert [said["cite"][0] for said in played.lines[-1]["rulings"]] == ["AU-19.29", "AU-19.30"]
    assert plan(played) == ["return board > burn 1", "act 4"]
    played("done", "act 4 call", "act 1 call", *CHECKS)
    assert plan(played) == ["board river 1", "act 2"]

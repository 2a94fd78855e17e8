"""Cards at the wrong seat, seats passed over, seats without a right, by the book's clauses."""

from typing import Any

import pytest

from tests.playing import play
from tests.rules.boards import BOOKS, error, piles, ruling
from tests.rules.deals import TWO_ACTED, again, dealt, plan

ORDER = ["deal 2", "deal 3", "deal 4", "deal 1"]


def first_card_at_the_wrong_seat_is_a_misdeal(book: str, clause: str) -> None:
    """The first card went to seat 3."""
    played = play(book, "start", "card Ad", "report looked seat=2", "report wrong-seat seat=3")
    said = ruling(played, "wrong-seat")
    assert (said["verdict"], said["cite"][0], said["seat"]) == ("misdeal", clause, 2)
    assert plan(played) == [*again(1), *ORDER, *ORDER, "act 4"]


def card_out_of_sequence_is_a_misdeal(book: str, clause: str) -> None:
    """A later card, in either round of the deal, went to another seat."""
    for cards, seat in (("Ad 9c", 4), ("Ad 9c Tc 5d 6c 4d Qh", 1), ("Ad 9c Tc 5d 6c 4d Qh 6d", 3)):
        played = play(book, "start", f"card {cards}", "report looked seat=2", f"report wrong-seat seat={seat}")
        said = ruling(played, "wrong-seat")
        assert (said["verdict"], said["cite"][0]) == ("misdeal", clause)
        assert plan(played)[:4] == [*again(len(cards.split())), "deal 2"]


def empty_chair_dealt_in_is_a_misdeal(book: str, clause: str) -> None:
    """An empty chair got cards: told when the deal is over, by the cards too many, and by the last card."""
    for lines in (
        ("card Ad 9c Tc 5d 6c 4d Qh 6d", "report not-entitled seat=7"),
        ("card Ad 9c Tc 5d 6c 4d Qh 6d", "report looked seat=2", "card 7h 8h", "report not-entitled seat=7"),
        ("card Ad 9c", "report looked seat=2", "report not-entitled seat=7"),
    ):
        played = play(book, "start", *lines)
        said = ruling(played, "not-entitled")
        assert (said["verdict"], said["cite"][0], said["seat"]) == ("misdeal", clause, 7)
        played("done 3")
        assert piles(played, "stub", "aside") == {"stub": 52, "aside": 0}
        assert plan(played) == [*ORDER, *ORDER, "act 4"]


def player_dealt_out_is_a_misdeal(book: str, clause: str) -> None:
    """Seat 1 got no cards: before any action and after one player's."""
    for lines in ((), ("act 4 raise 6",)):
        played = dealt(book, *lines, "report skipped seat=1")
        said = ruling(played, "skipped")
        assert (said["verdict"], said["cite"][0], said["seat"]) == ("misdeal", clause, 1)
        assert played.lines[-1]["stacks"] == {"1": 200, "2": 199, "3": 198, "4": 200}
        assert plan(played) == [*again(8), *ORDER, *ORDER, "act 4"]


def deal_is_played_out(book: str, clause: str) -> None:
    """Two players behind the blinds have acted: nothing is a misdeal any more, no money goes back."""
    played = dealt(book, *TWO_ACTED, "report not-entitled seat=7")
    said = ruling(played, "not-entitled")
    assert (said["verdict"], said["cite"][0]) == ("play-on", clause)
    assert plan(played) == ["act 2"]
    played = dealt(book, *TWO_ACTED, "report skipped seat=2")
    assert ruling(played, "skipped")["verdict"] == "dead-hand"
    assert clause in ruling(played, "skipped")["cite"]
    assert (played.lines[-1]["bets"]["2"], plan(played)) == (1, ["act 3"])
    played = dealt(book, *TWO_ACTED, "report wrong-seat seat=3")
    assert [said["verdict"] for said in played.lines[-1]["rulings"]] == ["dead-hand", "dead-hand"]
    assert piles(played, "muck") == {"muck": 4}
    assert (played.lines[-1]["stacks"]["1"], plan(played)) == (198, ["act 2"])
    played = dealt(book, "act 4 call", "report skipped seat=2")
    assert ruling(played, "skipped")["verdict"] == "misdeal"


def test_R7_3_misdeals_1h() -> None:
    """The first card dealt to the wrong position is a misdeal."""
    first_card_at_the_wrong_seat_is_a_misdeal("roberts-7", "R7-3.misdeals.1h")


def test_HR_misdeals_1_8() -> None:
    """The first card dealt to the wrong position is a misdeal."""
    first_card_at_the_wrong_seat_is_a_misdeal("house-rules", "HR-misdeals.1.8")


def test_FC_3_misdeals_2h() -> None:
    """The first card dealt to the wrong position is a misdeal."""
    first_card_at_the_wrong_seat_is_a_misdeal("fish-n-chips", "FC-3.misdeals.2h")


def test_MP_3_misdeals_2_8() -> None:
    """The first card dealt to the wrong position is a misdeal."""
    first_card_at_the_wrong_seat_is_a_misdeal("maryport", "MP-3.misdeals.2.8")


def test_R7_3_misdeals_1f() -> None:
    """A card dealt out of the proper sequence is a misdeal."""
    card_out_of_sequence_is_a_misdeal("roberts-7", "R7-3.misdeals.1f")


def test_HR_misdeals_1_6() -> None:
    """A card dealt out of the proper sequence is a misdeal."""
    card_out_of_sequence_is_a_misdeal("house-rules", "HR-misdeals.1.6")


def test_FC_3_misdeals_2f() -> None:
    """A card dealt out of the proper sequence is a misdeal."""
    card_out_of_sequence_is_a_misdeal("fish-n-chips", "FC-3.misdeals.2f")


def test_MP_3_misdeals_2_6() -> None:
    """A card dealt out of the proper sequence is a misdeal."""
    card_out_of_sequence_is_a_misdeal("maryport", "MP-3.misdeals.2.6")


def test_R7_3_misdeals_1i() -> None:
    """Cards dealt to an empty seat are a misdeal."""
    empty_chair_dealt_in_is_a_misdeal("roberts-7", "R7-3.misdeals.1i")


def test_HR_misdeals_1_9() -> None:
    """Cards dealt to an empty seat are a misdeal."""
    empty_chair_dealt_in_is_a_misdeal("house-rules", "HR-misdeals.1.9")


def test_FC_3_misdeals_2i() -> None:
    """Cards dealt to an empty seat are a misdeal."""
    empty_chair_dealt_in_is_a_misdeal("fish-n-chips", "FC-3.misdeals.2i")


def test_MP_3_misdeals_2_9() -> None:
    """Cards dealt to an empty seat are a misdeal."""
    empty_chair_dealt_in_is_a_misdeal("maryport", "MP-3.misdeals.2.9")


def test_R7_3_misdeals_1j() -> None:
    """A player dealt out who is entitled to a hand is a misdeal."""
    player_dealt_out_is_a_misdeal("roberts-7", "R7-3.misdeals.1j")


def test_HR_misdeals_1_10() -> None:
    """A player dealt out who is entitled to a hand is a misdeal."""
    player_dealt_out_is_a_misdeal("house-rules", "HR-misdeals.1.10")


def test_FC_3_misdeals_2j() -> None:
    """A player dealt out who is entitled to a hand is a misdeal."""
    player_dealt_out_is_a_misdeal("fish-n-chips", "FC-3.misdeals.2j")


def test_MP_3_misdeals_2_10() -> None:
    """A player dealt out who is entitled to a hand is a misdeal."""
    player_dealt_out_is_a_misdeal("maryport", "MP-3.misdeals.2.10")


def test_R7_3_misdeals_2_a() -> None:
    """Once two players behind the blinds have acted the deal is played, and no money goes back."""
    deal_is_played_out("roberts-7", "R7-3.misdeals.2")


def test_HR_misdeals_3_a() -> None:
    """Once two players behind the blinds have acted the deal is played, and no money goes back."""
    deal_is_played_out("house-rules", "HR-misdeals.3")


def test_FC_3_misdeals_1() -> None:
    """Once two players behind the blinds have acted the deal is played, and no money goes back."""
    deal_is_played_out("fish-n-chips", "FC-3.misdeals.1")


def test_MP_3_misdeals_1() -> None:
    """Once two players behind the blinds have acted the deal is played, and no money goes back."""
    deal_is_played_out("maryport", "MP-3.misdeals.1")


def test_HR_misdeals_2() -> None:
    """As long as nobody has seen a card, moving cards is preferred; the floor overrules when one objects."""
    played = play("house-rules", "start", "card Ad", "report wrong-seat seat=3")
    said = ruling(played, "wrong-seat")
    assert (said["verdict"], said["cite"]) == ("correct", ["HR-misdeals.2"])
    assert plan(played)[:4] == ["move seat 3 > seat 2", "deal 3", "deal 4", "deal 1"]
    played({"ev": "floor", "decide": "misdeal"})
    assert plan(played)[:4] == [*again(1), "deal 2"]
    played = play("house-rules", "start", "card Ad 9c Tc", "report skipped seat=3")
    assert plan(played) == ["move seat 4 > seat 3", "move seat 1 > seat 4", "deal 1", *ORDER, "act 4"]
    assert played.lines[-1]["piles"]["seats"] == {"1": 1, "2": 1, "4": 1}
    played("done 2")
    assert played.lines[-1]["piles"]["seats"] == {"2": 1, "3": 1, "4": 1}
    assert (played.lines[-1]["phase"], played.lines[-1]["gate"]) == ("deal", "open")
    played = dealt("house-rules", "act 4 call", "report wrong-seat seat=3")
    assert ruling(played, "wrong-seat")["cite"] == ["HR-misdeals.1.6"]


def test_AU_19_1_c_() -> None:
    """Cards dealt out of order are put right where it is known which they are; before substantial action only."""
    played = play("casino-au", "start", "card Ad 9c", "report looked seat=2", "report wrong-seat seat=4")
    said = ruling(played, "wrong-seat")
    assert (said["verdict"], said["cite"], said["seat"]) == ("correct", ["AU-19.1(c)"], 3)
    assert plan(played)[:4] == ["move seat 4 > seat 3", "deal 4", "deal 1", "deal 2"]
    assert played.lines[-1]["lamps"]["attention"] == [3]
    played("done", "card Tc 5d 6c 4d Qh 6d")
    assert plan(played) == ["act 4"]
    played = play("casino-au", "start", "card Ad 9c Tc 5d 6c", "report looked seat=3", "report wrong-seat seat=3")
    assert (ruling(played, "wrong-seat")["verdict"], plan(played)[:3]) == ("misdeal", again(5))
    played = play("casino-au", "start", "card Ad", "report wrong-seat seat=7")
    assert plan(played)[:2] == ["move seat 7 > seat 2", "deal 3"]
    played = dealt("casino-au", *TWO_ACTED, "report wrong-seat seat=3")
    cites = [said["cite"] for said in played.lines[-1]["rulings"]]
    assert cites == [["AU-19.1(f)(ii)"], ["AU-19.1(f)(i)"], ["AU-19.1(f)(i)"]]
    played({"ev": "floor", "decide": "release"})
    assert (played.lines[-1]["stacks"]["1"], played.lines[-1]["stacks"]["3"]) == (200, 200)


def test_AU_19_1_d_() -> None:
    """A player dealt out gets a hand by moving the cards on, as long as no two lie together; else it is a misdeal."""
    played = play("casino-au", "start", "card Ad 9c", "report skipped seat=2")
    said = ruling(played, "skipped")
    assert (said["verdict"], said["cite"]) == ("correct", ["AU-19.1(d)"])
    assert plan(played)[:4] == ["move seat 3 > seat 2", "move seat 4 > seat 3", "deal 4", "deal 1"]
    played = play("casino-au", "start", "card Ad 9c Tc 5d", "report skipped seat=2")
    assert (ruling(played, "skipped")["verdict"], plan(played)[:3]) == ("misdeal", again(4))
    played = dealt("casino-au", *TWO_ACTED, "report skipped seat=3")
    assert ruling(played, "skipped")["cite"] == ["AU-19.1(f)(ii)"]
    assert played.lines[-1]["stacks"]["3"] == 200


def test_AU_19_1_d__b() -> None:
    """An extra hand is taken back, or its cards moved on to where they belong; else it is a misdeal."""
    played = dealt("casino-au", "card 7h 8h", "report not-entitled seat=7")
    said = ruling(played, "not-entitled")
    assert (said["verdict"], said["cite"]) == ("correct", ["AU-19.1(d)"])
    assert plan(played) == ["return extra seat 7 > stub 1", "return extra seat 7 > stub 1", "act 4"]
    assert played.lines[-1]["piles"]["seats"]["7"] == 2
    played("done 2")
    assert piles(played, "stub", "aside") == {"stub": 44, "aside": 0}
    played = play("casino-au", "start", "card Ad 9c Tc 5d 6c", "report not-entitled seat=7")
    assert plan(played)[:3] == ["move seat 1 > seat 2", "move seat 7 > seat 1", "deal 3"]
    assert played.lines[-1]["piles"]["seats"] == {"1": 1, "2": 1, "3": 1, "4": 1, "7": 1}
    played = dealt("casino-au", "report not-entitled seat=7")
    assert (ruling(played, "not-entitled")["verdict"], plan(played)[:3]) == ("misdeal", again(8))


@pytest.mark.parametrize(
    ("book", "verdict", "cite"),
    [
        ("roberts-7", "misdeal", "R7-3.misdeals.1f"),
        ("casino-au", "correct", "AU-19.1(c)"),
        ("house-rules", "correct", "HR-misdeals.2"),
        ("fish-n-chips", "misdeal", "FC-3.misdeals.2f"),
        ("maryport", "misdeal", "MP-3.misdeals.2.6"),
    ],
)
def test_two_players_out_of_sequence_under_five_books(book: str, verdict: str, cite: str) -> None:
    """Seats 3 and 4 got each other's first card, nobody has looked: moved back where the book repairs."""
    seen: dict[str, Any] = {"sensors": ["identity", "face", "seat"]}
    swapped = ({"ev": "seen", "at": "seat 4", "card": "9c"}, {"ev": "seen", "at": "seat 3", "card": "Tc"})
    played = play(book, "start", "card Ad 9c Tc", swapped[0], **seen)
    said = ruling(played, "wrong-seat")
    assert (said["verdict"], said["cite"][0]) == (verdict, cite)
    if verdict == "misdeal":
        assert plan(played) == [*again(3), *ORDER, *ORDER, "act 4"]
        return
    played(swapped[1])
    assert plan(played)[:3] == ["move seat 3 > seat 4", "move seat 4 > seat 3", "deal 1"]
    played("done 2")
    assert played.lines[-1]["piles"]["seats"] == {"2": 1, "3": 1, "4": 1}
    played("card 5d 6c 4d Qh 6d")
    assert plan(played) == ["act 4"]


@pytest.mark.parametrize(
    ("book", "verdict", "cite"),
    [
        ("roberts-7", "misdeal", "R7-5.holdem.1"),
        ("casino-au", "replace", "AU-19.25"),
        ("house-rules", "misdeal", "HR-holdem.1"),
        ("fish-n-chips", "misdeal", "FC-5.holdem.1"),
        ("maryport", "misdeal", "MP-5.holdem.1"),
    ],
)
def test_first_card_exposed_under_five_books(book: str, verdict: str, cite: str) -> None:
    """The very first card is exposed by the dealer: a misdeal, but replaced after the deal where the book says so."""
    played = play(book, "start", "card Ad", "report exposed")
    said = ruling(played, "exposed")
    assert (said["verdict"], said["cite"][0]) == (verdict, cite)
    if verdict == "misdeal":
        assert plan(played) == [*again(1), *ORDER, *ORDER, "act 4"]
        return
    assert plan(played)[-3:] == ["deal 2 replacement", "return exposed seat 2 > burn 1", "act 4"]


@pytest.mark.parametrize("book", BOOKS)
def test_a_card_in_place_of_an_exposed_one_goes_wrong(book: str) -> None:
    """An irregularity inside a remedy is ruled like any other."""
    played = play(
        book, "start", "card Ad 9c Tc", "report exposed", "card 5d 6c 4d Qh 6d 7h", "report wrong-seat seat=1"
    )
    verdict = "correct" if book in ("casino-au", "house-rules") else "misdeal"
    assert ruling(played, "wrong-seat")["verdict"] == verdict
    if verdict == "correct":
        assert plan(played)[:2] == ["move seat 1 > seat 4", "return exposed seat 4 > burn 1"]
        played("done 2")
        assert piles(played, "burn", "stub") == {"burn": 1, "stub": 43}


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (("report wrong-seat",), "key-missing"),
        (("report wrong-seat seat=2",), "no-card"),
        (("card Ad", "report wrong-seat seat=2"), "right-seat"),
        (("card Ad", "report wrong-seat seat=77"), "no-such-seat"),
        (("report skipped seat=2",), "no-card"),
        (("card Ad", "report skipped seat=9"), "not-dealt-in"),
        (("report not-entitled seat=9",), "no-card"),
        (("card Ad", "report not-entitled seat=2"), "entitled"),
        (("card Ad", "report not-entitled"), "key-missing"),
    ],
)
def test_sequence_refused(lines: tuple[str, ...], code: str) -> None:
    """A report that does not fit what was dealt changes nothing."""
    assert error(play("roberts-7", "start", *lines)) == code


def test_R7_3_misdeals_1_h_at_an_empty_chair() -> None:
    """The first card went to an empty chair: both grounds are named."""
    played = play("roberts-7", "start", "card Ad", "report wrong-seat seat=7")
    assert ruling(played, "wrong-seat")["cite"] == ["R7-3.misdeals.1h", "R7-3.misdeals.1f", "R7-3.misdeals.1i"]


def test_a_player_who_is_away_was_not_dealt_out() -> None:
    """Who misses the hand is not entitled to one: neither `skipped`, nor a right to the cards that went there."""
    played = play("roberts-7", "away 4", "start", "card Ad 9c", "report skipped seat=4")
    assert error(played) == "not-entitled"
    played("report not-entitled seat=4")
    assert ruling(played, "not-entitled")["cite"] == ["R7-3.misdeals.1i"]


def test_HR_misdeals_2_a_player_objects() -> None:
    """Cards may be moved as long as nobody objects: one who does restores the misdeal, by that clause."""
    played = play("house-rules", "start", "card Ad 9c Tc", "report wrong-seat seat=3")
    assert ruling(played, "wrong-seat")["cite"] == ["HR-misdeals.2"]
    said = played({"ev": "floor", "decide": "misdeal"})["rulings"][0]
    assert (said["verdict"], said["cite"]) == ("misdeal", ["HR-misdeals.2"])
    assert plan(played)[:3] == again(3)
    played = play("house-rules", "start", "card Ad 9c Tc", {"ev": "floor", "decide": "misdeal"})
    assert played.lines[-1]["rulings"][0]["cite"] == ["R7-2.decision.1", "R7-2.decision.2"]

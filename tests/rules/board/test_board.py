"""Too many board cards, a flop dealt again, a fouled stub, by the book's clauses."""

import pytest

from tests.playing import play
from tests.rules.boards import (
    BOOKS,
    CHECKS,
    all_in,
    before_flop,
    before_river,
    before_turn,
    error,
    on_flop,
    on_turn,
    piles,
    plan,
    preflop,
    ruling,
)

REDEALT = [
    ("roberts-7", False, [], "R7-5.holdem.3"),
    ("casino-au", True, ["burn"], "AU-19.27"),
    ("house-rules", False, ["burn"], "HR-holdem.2"),
    ("fish-n-chips", True, ["burn"], "FC-5.holdem.3"),
    ("maryport", False, [], "MP-5.holdem.3"),
]


@pytest.mark.parametrize(("book", "burn_back", "after", "cite"), REDEALT)
def test_flop_of_four_under_five_books(book: str, burn_back: bool, after: list[str], cite: str) -> None:
    """Dealt again everywhere, even where the extra card is known; with the burn back or not, burned anew or not."""
    flop_of_four(book, burn_back, after, cite)


def flop_of_four(book: str, burn_back: bool, after: list[str], cite: str) -> None:
    played = on_flop(book)
    played("card Kc", "report board-extra count=1")
    said = ruling(played, "board-extra")
    assert (said["verdict"], said["cite"][0]) == ("redeal-board", cite)
    assert piles(played, "burn", "board", "aside") == {"burn": 1, "board": 4, "aside": 0}
    back = ["return board > stub 4", *(["return burn > stub 1"] if burn_back else [])]
    assert plan(played) == [*back, "shuffle", "cut", *after, "board flop 3", "act 2"]
    played(f"done {len(back) + 2}")
    assert piles(played, "burn", "board") == {"burn": 0 if burn_back else 1, "board": 0}
    played("card 2s 4s Qd", *(["card Kc"] if after else []))
    assert (plan(played), piles(played, "board")) == (["act 2"], {"board": 3})
    played(*CHECKS)
    assert plan(played) == ["burn", "board turn 1", "act 2"]


@pytest.mark.parametrize(("book", "burn_back", "after", "cite"), REDEALT)
def test_flop_of_five_that_is_wrong_again(book: str, burn_back: bool, after: list[str], cite: str) -> None:
    """The flop that was dealt again has too many cards, too: the same remedy once more, on what lies there now."""
    played = on_flop(book)
    played("card Kc 9d", "report board-extra count=2")
    assert plan(played)[0] == "return board > stub 5"
    while played.lines[-1]["gate"] == "locked":
        played("done")
    played("card 2s 4s Qd", *(["card Kc"] if after else []), "card 7h", "report board-extra")
    assert ruling(played, "board-extra")["cite"][0] == cite
    burns = {"return burn > stub 1"} if burn_back else set()
    assert set(plan(played)) >= {"return board > stub 4", "board flop 3", *burns}
    assert plan(played).count("board flop 3") == 1


def test_R7_5_holdem_3_boxed_card_in_the_new_flop() -> None:
    """A boxed card inside the remedy is replaced by the next one."""
    played = on_flop("roberts-7")
    played("card Kc", "report board-extra", "done 3", "card Kc", {"ev": "card", "card": "2s", "face": "up"})
    assert ruling(played, "boxed")["verdict"] == "scrap"
    assert plan(played) == ["return board > aside 1", "board flop 2", "act 2"]
    played("done", "card 4s Qd")
    assert (plan(played), piles(played, "board", "aside")) == (["act 2"], {"board": 3, "aside": 1})


@pytest.mark.parametrize("book", ["roberts-7", "fish-n-chips"])
def test_R7_5_holdem_3_without_betting(book: str) -> None:
    """All-in: the plan took the fourth card for the turn's burn. It lies on the board, and the burn comes again."""
    played = all_in(book)
    if plan(played)[0].startswith("show"):
        played(*(f"show {step.split()[1]}" for step in plan(played)[:2]))
    played("card 8h 2s 4s Qd Kc", "report board-extra")
    assert ruling(played, "board-extra")["verdict"] == "redeal-board"
    assert piles(played, "burn", "board") == {"burn": 1, "board": 4}
    burn = ["return burn > stub 1"] if book == "fish-n-chips" else []
    again = ["burn"] if book == "fish-n-chips" else []
    rest = ["board flop 3", "burn", "board turn 1", "burn", "board river 1"]
    expected = ["return board > stub 4", *burn, "shuffle", "cut", *again, *rest]
    assert plan(played)[: len(expected)] == expected


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("report", ["report two-exposed count=2", "report board-extra count=1"])
def test_AU_19_30_two_turn_cards(book: str, report: str) -> None:
    """The right card stays and the other is the next burn; the other books are silent and follow by default."""
    played = before_turn(book)
    played("card Js Ks 7c", report)
    said = ruling(played, report.split()[1])
    assert (said["verdict"], said["cite"]) == ("return-as-burn", ["AU-19.30"])
    assert ("by default" in said["text"]) == (book != "casino-au")
    assert piles(played, "burn", "board", "aside") == {"burn": 2, "board": 5, "aside": 0}
    assert plan(played) == ["return board > burn 1", "act 2"]
    played("done", *CHECKS)
    assert plan(played) == ["board river 1", "act 2"]
    assert played.lines[-1]["board"][-1] == "Ks"


@pytest.mark.parametrize("book", BOOKS)
def test_AU_19_30_two_river_cards(book: str) -> None:
    """No burn is due any more: the wrong card goes to the muck."""
    played = before_river(book)
    played("card 7c 7d 9h", "report two-exposed")
    assert plan(played) == ["return board > muck 1", "act 2"]
    played("done")
    assert piles(played, "burn", "board", "muck") == {"burn": 3, "board": 5, "muck": 1}


@pytest.mark.parametrize("book", BOOKS)
def test_AU_19_30_three_turn_cards(book: str) -> None:
    """More than two: the right one stays, the others are shuffled back; the river burns as usual."""
    played = before_turn(book)
    played("card Js Ks 7c 7d", "report two-exposed count=3")
    assert ruling(played, "two-exposed")["cite"] == ["AU-19.30"]
    assert plan(played) == ["return board > stub 2", "shuffle", "cut", "act 2"]
    played("done 3", *CHECKS)
    assert plan(played) == ["burn", "board river 1", "act 2"]


def test_AU_19_30_two_turn_cards_without_betting() -> None:
    """All-in: the plan took the second card for the burn of the river. It is, and no other comes."""
    played = all_in("casino-au")
    played("card 8h 2s 4s Qd", "card Js Ks 7c", "report two-exposed count=2")
    assert piles(played, "burn", "board") == {"burn": 2, "board": 5}
    assert plan(played)[:2] == ["return board > burn 1", "board river 1"]
    played("done", "card 9h")
    assert piles(played, "burn", "board") == {"burn": 3, "board": 5}
    assert played.lines[-1]["board"][-2:] == ["Ks", "9h"]


def test_AU_19_30_two_river_cards_without_betting() -> None:
    """All-in: the hands are about to be shown; the card goes to the muck, then they are shown on five cards."""
    played = all_in("casino-au")
    played("card 8h 2s 4s Qd", "card Js Ks", "card 7c 7d 9h", "report two-exposed")
    assert plan(played)[0] == "return board > muck 1"
    played("done", "show 1", "show 2")
    assert (plan(played), piles(played, "board")) == (["award"], {"board": 5})


def test_AU_19_30_a_river_without_a_burn_due() -> None:
    """R7 deals the river without a burn after a premature turn: an extra turn card has no burn to be."""
    played = on_flop("roberts-7")
    played("act 2 check", "card Js Ks", "report premature", "done", *CHECKS[1:], "card 7c 7d 9h", "report two-exposed")
    assert plan(played) == ["return board > muck 1", "act 2"]
    played("done", *CHECKS)
    assert plan(played) == ["return aside > stub 1", "shuffle", "cut", "board river 1", "act 2"]


def test_board_extra_refused_where_no_card_is_too_many() -> None:
    """No card that the plan did not want has left the shoe, or the board still waits: refused, nothing changes."""
    for played in (preflop("roberts-7"), on_flop("roberts-7"), on_turn("casino-au")):
        before = plan(played)
        played("report board-extra")
        assert (error(played), plan(played)) == ("no-card", before)
    played = before_flop("roberts-7")
    played("card 8h 2s", "report two-exposed")
    assert error(played) == "no-card"


def test_R7_3_irreg_16_a_card_after_action_is_premature() -> None:
    """Players have acted on the flop of three: a card that comes then is no part of it."""
    played = on_flop("roberts-7")
    played("act 2 bet 10", "card Kc", "report board-extra")
    assert (error(played), plan(played)[0]) == ("not-so", "say")
    played("report premature")
    assert plan(played) == ["act 3"]


def test_board_extra_count_below_the_cards_in_question() -> None:
    """One of two cards is explained; the question stays first for the other."""
    played = before_turn("casino-au")
    played("card Js Ks 7c 7d", "report board-extra count=1")
    assert plan(played) == ["say", "return board > burn 1", "act 2"]
    assert piles(played, "board", "aside") == {"board": 5, "aside": 1}


@pytest.mark.parametrize(
    ("book", "cite", "default"),
    [
        ("roberts-7", "R7-3.irreg.17", False),
        ("casino-au", "R7-3.irreg.17", True),
        ("house-rules", "R7-3.irreg.17", True),
        ("fish-n-chips", "FC-3.irreg.17", False),
        ("maryport", "MP-3.irreg.17", False),
    ],
)
def test_stub_fouled_under_five_books(book: str, cite: str, default: bool) -> None:
    """The deal is played out from a stub that is gathered, shuffled and cut; what lies outside it stays."""
    fouled_stub(book, cite, default)


def fouled_stub(book: str, cite: str, default: bool) -> None:
    played = on_flop(book)
    played("report stub-fouled")
    said = ruling(played, "stub-fouled")
    assert (said["verdict"], said["cite"]) == ("correct", [cite])
    assert ("by default" in said["text"]) == default
    assert "1 at burn" in said["text"]
    assert "4s" not in said["text"]
    assert plan(played) == ["shuffle", "cut", "act 2"]
    played("done 2", *CHECKS)
    assert plan(played) == ["burn", "board turn 1", "act 2"]


def test_R7_3_irreg_17_no_card_is_to_come() -> None:
    """Dropped when the hands are about to be shown: nothing to rebuild."""
    played = before_river("roberts-7")
    played("card 7c 7d", *CHECKS, "report stub-fouled")
    assert ruling(played, "stub-fouled")["verdict"] == "play-on"


def test_R7_3_irreg_17_in_the_deal() -> None:
    """Dropped in the middle of the deal: shuffled and cut, then the deal goes on where it was."""
    played = play("roberts-7", "start", "card Ad 9c Tc", "report stub-fouled")
    assert plan(played)[:3] == ["shuffle", "cut", "deal 1"]


def test_R7_5_holdem_3() -> None:
    """A flop with too many cards is dealt again."""
    flop_of_four(*REDEALT[0])


def test_AU_19_27() -> None:
    """Flop and burn back, shuffle, cut, burn, a new flop."""
    flop_of_four(*REDEALT[1])


def test_HR_holdem_2() -> None:
    """A flop with too many cards is dealt again."""
    flop_of_four(*REDEALT[2])


def test_FC_5_holdem_3_b() -> None:
    """A flop with too many cards is dealt again."""
    flop_of_four(*REDEALT[3])


def test_MP_5_holdem_3() -> None:
    """A flop with too many cards is dealt again."""
    flop_of_four(*REDEALT[4])


def test_R7_5_holdem_7() -> None:
    """The new flop: the burn stays on the table, no new burn."""
    flop_of_four(*REDEALT[0])


def test_HR_holdem_3() -> None:
    """The new flop: the first burn stays on the table, and another is burned."""
    flop_of_four(*REDEALT[2])


def test_FC_5_holdem_7() -> None:
    """The new flop: burns go back, too, and one is burned."""
    flop_of_four(*REDEALT[3])


def test_MP_5_holdem_7() -> None:
    """The new flop: the burn stays on the table, no new burn."""
    flop_of_four(*REDEALT[4])


def test_R7_3_irreg_17() -> None:
    """The deal is played out from a rebuilt stub."""
    fouled_stub("roberts-7", "R7-3.irreg.17", default=False)


def test_FC_3_irreg_17() -> None:
    """The deal is played out from a rebuilt stub."""
    fouled_stub("fish-n-chips", "FC-3.irreg.17", default=False)


def test_MP_3_irreg_17() -> None:
    """The deal is played out from a rebuilt stub."""
    fouled_stub("maryport", "MP-3.irreg.17", default=False)


def test_AU_19_30() -> None:
    """Two at once: the other is the next burn; three: they are shuffled back; the river: to the muck."""
    test_AU_19_30_two_turn_cards("casino-au", "report two-exposed count=2")
    test_AU_19_30_two_river_cards("casino-au")
    test_AU_19_30_three_turn_cards("casino-au")


@pytest.mark.parametrize("game", ["manila-2", "manila-3"])
def test_AU_19_24(game: str) -> None:
    """Two community cards at once: the other is the next burn; three: the others are shuffled back."""
    hands = {"manila-2": "card 8s 7d Qc Jc 7s Jh", "manila-3": "card 8s 7d Qc Jc 7s Jh 9s 9d 9c"}
    start = ("start", hands[game], "card As", "act 1 call", "act 2 call", "act 3 check")
    played = play("casino-au", *start, "card Ac Th Kc", "report two-exposed", seats=3, game=game)
    assert ruling(played, "two-exposed")["cite"] == ["AU-19.24"]
    assert plan(played) == ["return board > burn 1", "act 2"]
    played = play("casino-au", *start, "card Ac Th Kc Kd", "report two-exposed count=3", seats=3, game=game)
    assert plan(played) == ["return board > stub 2", "shuffle", "cut", "act 2"]

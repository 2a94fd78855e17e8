"""The casino rules: one irregularity inside the remedy of another."""

from tests.games.playing import cards_of, first, said, steps, table
from tests.playing import ScriptedTable

AU = "casino-au"


def manila(game: str = "manila-3") -> tuple[ScriptedTable, list[str]]:
    """Three players have their hole cards; the first community card is due."""
    played, cards = table(AU, game, "start"), list(cards_of(game))
    while first(played.lines[-1])["step"] == "deal":
        played(f"card {cards.pop(0)}")
    return played, cards


def test_AU_19_24_while_a_hole_card_waits_for_its_replacement() -> None:
    """Two community cards come at once, and the plan takes the second for the replacement: it is the burn after next.

    Covers: AU-19.22, AU-19.24
    """
    played, cards = manila()
    played("report exposed seat=2 nth=1", f"card {cards[0]} {cards[1]}")
    answer = played("report two-exposed")
    assert said(answer) == [("two-exposed", "return-as-burn", None, "AU-19.24")]
    assert answer["board"] == cards[:2]
    assert steps(answer)[:3] == [
        ("return", "board", "burn", 1),
        ("deal", 2, "down", "replacement"),
        ("return", "seat 2", "burn", 1),
    ]
    answer = played("done", f"card {cards[2]}", "done")
    assert (answer["piles"]["burn"], answer["piles"]["seats"]["2"], answer["board"]) == (2, 3, cards[:1])
    answer = played("act 1 call", "act 2 call", "act 3 check")
    assert steps(answer)[0] == ("board", 1)
    answer = played(f"card {cards[3]}", "act 2 check", "act 3 check", "act 1 check")
    assert steps(answer)[0] == ("board", 1)
    answer = played(f"card {cards[4]}", "act 2 check", "act 3 check", "act 1 check")
    assert steps(answer)[0] == ("burn",)


def test_AU_19_1_e_in_place_of_the_first_community_card() -> None:
    """The card that was to be the first community card went to a player, last off the deck: back on the stub with it.

    Covers: AU-19.1(e)
    """
    played, cards = manila("manila-2")
    played(f"card {cards[0]}")
    answer = played("report extra-card seat=2")
    assert said(answer) == [("extra-card", "correct", 2, "AU-19.1(e)")]
    assert steps(answer)[:2] == [("return", "seat 2", "stub", 1), ("board", 1)]
    assert (answer["board"], answer["piles"]["seats"]["2"]) == ([], 3)
    answer = played("done", f"card {cards[1]}")
    assert (answer["board"], first(answer)["step"], answer["piles"]["seats"]["2"]) == ([cards[1]], "act", 2)


def test_AU_19_1_d_the_last_card_lies_on_the_next_hand() -> None:
    """The button was passed over and its card lies on that of the first player: the last one off the deck is moved.

    Covers: AU-19.1(d)
    """
    played = table(AU, "holdem", "start", "card 2s 3s 4s", seats=3)
    answer = played("report skipped seat=1")
    assert said(answer) == [("skipped", "correct", 1, "AU-19.1(d)")]
    assert steps(answer)[:2] == [("move", "seat 2", "seat 1", 1), ("deal", 2, "down")]
    played = table(AU, "holdem", "start", "card 2s 3s 4s", "report looked seat=2", seats=3)
    assert said(played("report skipped seat=1")) == [("skipped", "misdeal", 1, "AU-19.1(d)")]
    played = table(AU, "holdem", "start", "card 2s 3s 4s 5s", seats=3)
    assert said(played("report skipped seat=1")) == [("skipped", "misdeal", 1, "AU-19.1(d)")]

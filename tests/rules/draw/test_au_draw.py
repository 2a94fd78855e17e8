"""The casino rules on the draw, named by the rule's id."""

from tests.games.playing import cards_of, first, said, steps, table
from tests.playing import ScriptedTable

AU = "casino-au"


def asked(seats: int = 4, book: str = AU, game: str = "draw-high") -> ScriptedTable:
    """All have called; seat 2 is the first to draw."""
    played, cards = table(book, game, "start", seats=seats), cards_of(game)
    while first(played.lines[-1])["step"] != "draw":
        step = first(played.lines[-1])
        if step["step"] == "deal":
            played({"ev": "card", "card": next(cards)})
        else:
            word = next(w for w in ("check", "call", "bet") if w in step["options"])
            played(f"act {step['seat']} {word}")
        assert "error" not in played.lines[-1], played.lines[-1]["error"]
    return played


def draw(played: ScriptedTable, seat: int, discard: int) -> None:
    """A seat exchanges so many cards, which are not read."""
    played({"ev": "draw", "seat": seat, "discard": discard}, *["card -"] * discard)


def test_AU_19_6_kept_by_a_hand_that_has_drawn() -> None:
    """A card for seat 3 went to seat 2, whose draw is complete and who has looked: with six cards it is dead.

    Covers: AU-19.6, AU-19.1(f)(i)
    """
    played = asked()
    draw(played, 2, 1)
    draw(played, 3, 1)
    answer = played("report looked seat=2", "report wrong-seat seat=2")
    assert said(answer) == [
        ("wrong-seat", "must-keep", 2, "AU-19.6"),
        ("wrong-seat", "dead-hand", 2, "AU-19.1(f)(i)"),
        ("wrong-seat", "floor", 2, "AU-19.1(f)(i)"),
    ]
    answer = played({"ev": "floor", "decide": "release"})
    assert steps(answer) == [("deal", 3, "down", "draw"), ("draw", 4)]
    assert ("2" in answer["piles"]["seats"], answer["stacks"]["2"]) == (False, 200)


def test_AU_19_6_kept_by_a_hand_that_has_drawn_elsewhere() -> None:
    """The same in the book that falls back on the clause: a hand fouled after its draw."""
    played = asked(book="roberts-7", game="lowball-a5")
    draw(played, 2, 1)
    played("card -")
    draw(played, 3, 1)
    answer = played("report looked seat=2", "report wrong-seat seat=2")
    assert [ruling["verdict"] for ruling in answer["rulings"]] == ["must-keep", "dead-hand"]


def test_a_hand_with_a_card_too_many_cannot_stand_pat() -> None:
    """Who keeps a card out of sequence draws so many fewer: it throws away one more than it takes.

    Covers: AU-19.6
    """
    played = asked()
    draw(played, 2, 1)
    draw(played, 3, 1)
    played("report looked seat=4", "report wrong-seat seat=4", "card -")
    answer = played({"ev": "draw", "seat": 4, "discard": 0})
    assert answer["error"]["code"] == "too-few"
    assert "at least 1" in answer["error"]["message"]
    answer = played({"ev": "draw", "seat": 4, "discard": 1})
    assert (steps(answer), answer["piles"]["seats"]["4"]) == ([("draw", 1)], 5)


def test_AU_11_3_a_short_and_noticed_at_once() -> None:
    """A player gets as many cards as it threw away: one that stuck to the stub is dealt, while none has left since."""
    played = asked()
    draw(played, 2, 2)
    answer = played("report short-hand seat=2")
    assert said(answer) == [("short-hand", "correct", 2, "AU-11.3(a)")]
    assert steps(answer) == [("deal", 2, "down", "missing"), ("draw", 3)]
    assert played("card -")["piles"]["seats"]["2"] == 5
    draw(played, 3, 1)
    assert said(played("report short-hand seat=2"))[0] == ("short-hand", "dead-hand", 2, "AU-19.1(f)(i)")


def test_AU_19_6_a_seat_passed_over_draws_in_its_turn() -> None:
    """Who says that it was passed over draws yet: cards are dealt to all players in sequence."""
    played = asked()
    draw(played, 2, 0)
    assert said(played("report skipped seat=3")) == [("skipped", "play-on", 3, "AU-19.6")]

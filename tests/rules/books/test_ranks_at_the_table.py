"""What beats what, by the hands that are tabled under a book: its games are judged as it says."""

from typing import Any

import pytest

from tests.games.playing import first, passive, table
from tests.rules.stud_deals import awards

R7, HR, AU, WSOP, LIVE = "roberts-7", "house-rules", "casino-au", "wsop-2024", "wsop-live-2024"


def shown(
    book: str,
    game: str,
    *hands: str,
    opens: bool = False,
    **setup: Any,  # noqa: ANN401 (keys of the table line)
) -> list[tuple[int, list[int], list[int]]]:
    """Seats 1, 2, ... get these hands, all check and call and stand pat, all show: what is pushed to whom.

    `opens`: who may bet bets.
    """
    played = table(book, game, "start", seats=len(hands), **setup)
    held = {seat: iter(hand.split()) for seat, hand in enumerate(hands, start=1)}
    while (step := first(played.lines[-1]))["step"] != "show":
        match step["step"]:
            case "deal":
                played({"ev": "card", "card": next(held[step["seat"]])})
            case "act":
                word = "bet" if opens and "bet" in step["options"] else passive(step["options"])
                played(f"act {step['seat']} {word}")
            case "draw":
                played({"ev": "draw", "seat": step["seat"], "discard": 0})
            case _:
                played("card -")
        assert "error" not in played.lines[-1], played.lines[-1]["error"]
    return awards(played)


def winners(found: list[tuple[int, list[int], list[int]]]) -> list[list[int]]:
    """Who takes each part, one after the other."""
    return [seats for _, seats, _ in found]


@pytest.mark.parametrize("book", [R7, HR, WSOP, LIVE])
@pytest.mark.parametrize(
    ("first_hand", "second_hand", "winner"),
    [
        ("5s 4s 3s 2s As Kd Kh", "6h 4d 3c 2c Ah Kc Ks", 1),
        ("7c 5h 4d 3c 2s Jd Jc", "6s 6d 8c Qd Qs Ah As", 1),
        ("As Ah 4s 9h Kd Kc Ks", "2s 2h 3c 4d 5h 5d 5c", 1),
        ("8h 7d 4d 3c 2s Kd Kh", "8s 6d 5c 3s Ah Kc Ks", 2),
    ],
)
def test_the_lowest_hand_wins_at_razz(book: str, first_hand: str, second_hand: str, winner: int) -> None:
    """Straights and flushes are nothing, the ace is low.

    Covers: R7-9.razz.2, HR-razz.2
    """
    for seat, hands in ((winner, (first_hand, second_hand)), (3 - winner, (second_hand, first_hand))):
        assert winners(shown(book, "razz", *hands)) == [[seat]]


@pytest.mark.parametrize(
    ("first_hand", "second_hand", "high_and_low"),
    [
        ("5s 4s 3s 2s As Kd Kh", "6h 4d 3c 2c Ah Kc Ks", [[1], [1]]),
        ("As Ah Ac 2d 7c Kd Kh", "Ad 2c 3h 4s 6d Qs Jd", [[1], [2]]),
        ("9s 9h 4d 3c 2s Kd Kh", "Qs Qh 9c Jd Td 5c 6c", [[1]]),
        ("8s 4h 3d 2c As Kd Kh", "8h 7d 4s 3c 2s Ks Qd", [[1], [1]]),
    ],
)
def test_stud_high_low_needs_an_eight(first_hand: str, second_hand: str, high_and_low: list[list[int]]) -> None:
    """The ace counts both ways, a straight flush is a low as well; without an eight or better the high hand has all.

    Covers: R7-10.intro, R7-10.stud8.3, R7-10.stud8.5
    """
    assert winners(shown(R7, "stud-8", first_hand, second_hand)) == high_and_low


@pytest.mark.parametrize("book", [R7, LIVE])
@pytest.mark.parametrize(
    ("game", "better", "worse"),
    [
        ("lowball-a5", "5s 4s 3s 2s As", "6h 4d 3c 2c Ah"),
        ("lowball-a5", "As Ah 3c 4d 7h", "2s 2h 3d 4c 7c"),
        ("lowball-27", "7s 5d 4c 3h 2s", "7h 6d 4s 3c 2c"),
        ("lowball-27", "9c 8d 4h 3s 2d", "8s 7s 5s 4s 2s"),
        ("lowball-27", "9s 7c 5h 4d 2c", "6s 5c 4s 3d 2h"),
        ("lowball-27", "As 5d 4s 3h 2h", "Ah 6c 4c 3s 2s"),
        ("lowball-27", "Ks 5c 4h 3d 2c", "As 5d 4s 3h 2h"),
        ("lowball-27", "Ks Kh 4c 3d 2c", "As Ah 4h 3h 2h"),
    ],
)
def test_the_lowest_hand_wins_at_lowball(book: str, game: str, better: str, worse: str) -> None:
    """Ace to five without straights and flushes; deuce to seven with both, the ace high.

    Covers: R7-11.a5.intro, R7-11.27.1, WSOP-L-281
    """
    for seat, hands in ((1, (better, worse)), (2, (worse, better))):
        assert winners(shown(book, game, *hands, joker=False)) == [[seat]]


@pytest.mark.parametrize("book", [R7, LIVE])
@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("joker 2d 3h 5c 7c", "2s 3d 4h 5s 7d"),
        ("joker As 2d 3h 4c", "Ac 2s 3s 4s 6s"),
        ("Kc 5d 4d 3d 2c", "joker Ks Kh 2h 3h"),
    ],
)
def test_the_joker_is_the_lowest_card_missing_at_ace_to_five(book: str, better: str, worse: str) -> None:
    """Beside 2-3-5-7 it is the ace, beside A-2-3-4 the five, beside a pair of kings no second king.

    Covers: R7-11.a5.1, WSOP-L-277
    """
    for seat, hands in ((1, (better, worse)), (2, (worse, better))):
        assert winners(shown(book, "lowball-a5", *hands, joker=True)) == [[seat]]


def test_the_joker_is_not_in_the_deck_unless_posted() -> None:
    """R7 plays ace-to-five with it, the WSOP without.

    Covers: R7-11.a5.1, WSOP-L-277
    """
    decks = [table(book, "lowball-a5", "start").lines[-1]["piles"]["stub"] for book in (R7, LIVE)]
    assert decks == [53, 52]


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("joker As Ah Ad Ac", "Ts Js Qs Ks 9s"),
        ("joker Kd Kh 2c 3c", "Ks Kc Qd Jh Tc"),
        ("joker 4s 5d 6h 7c", "As Ah Ad 6c 7d"),
        ("joker 2s 5s 9s Ks", "Qd Kd Kh 2c 2h"),
        ("joker 2s 5s 9s Qs", "Kd 2d 5d 9d Qd"),
        ("joker Jh Th 9h 8h", "4s 4d 4c 4h 9s"),
    ],
)
def test_the_joker_of_draw_is_an_ace_or_completes_straight_and_flush(better: str, worse: str) -> None:
    """Five aces are the best hand; in a flush it is the highest card that is missing; else it is an ace.

    Covers: R7-12.joker.2, R7-12.joker.3, R7-12.joker.4
    """
    for seat, hands in ((1, (better, worse)), (2, (worse, better))):
        assert winners(shown(R7, "draw-high", *hands, opens=True, joker=True)) == [[seat]]


STRAIGHT = {40: "As 5d 6h 7c 8c", 32: "As 7d 8h 9c Tc"}
"""The least straight of each stripped deck of five-card stud."""


@pytest.mark.parametrize("size", [40, 32])
@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("Ts Js Qs Ks As", "8h 9h Th Jh Qh"),
        ("8h 9h Th Jh Qh", "Ad Ah Ac As Kd"),
        ("8d 8h 8c 8s Ad", "7h 9h Th Jh Kh"),
        ("7h 9h Th Jh Kh", "Ad As Ac Kc Kd"),
        ("8d 8h 8c 7s 7d", "Tc Js Qd Kh As"),
        ("straight", "Kd Kh Ks Qc Jd"),
        ("8d 8h 8c 9d Tc", "Ad Ah Kc Kd Qs"),
        ("8d 8h 7c 7d 9s", "Ad Ah Kc Qd Js"),
        ("7d 7h 8c 9d Ts", "Ad Kh Qc Jd 9s"),
        ("Ad Kh Qc Jd 9s", "Kd Qh Jc Td 8s"),
    ],
)
def test_a_stripped_deck_ranks_the_flush_above_the_full_house(size: int, better: str, worse: str) -> None:
    """Each place of the list beats the next one; the ace ends the small straight of the deck.

    Covers: AU-9.2, AU-9.3(a), AU-9.3(b), AU-9.3(c), AU-9.3(d), AU-9.3(e), AU-9.3(f), AU-9.3(g), AU-9.3(h), AU-9.3(i),
    AU-9.3(j)
    """
    hand = STRAIGHT[size] if better == "straight" else better
    for seat, hands in ((1, (hand, worse)), (2, (worse, hand))):
        assert winners(shown(AU, "stud-5", *hands, house={"deck": size})) == [[seat]]


def test_stud_high_low_regular_has_no_qualifier() -> None:
    """A ten makes a low hand.

    Covers: WSOP-T-IX.stud8r
    """
    assert winners(shown(WSOP, "stud-hi-lo", "Ks Kh Kc Qd Qs 9h 8d", "Td 9s 7c 4h 2d Jh Jd")) == [[1], [2]]


def test_razzdeucey_is_half_razz_and_half_deuce_to_seven() -> None:
    """A wheel is the best razz hand, and a straight for the other half.

    Covers: WSOP-L-328
    """
    assert winners(shown(LIVE, "razzdeucey", "As 2d 3c 4h 5s Kd Kc", "7s 5d 4c 3h 2s Qd Qh")) == [[1], [2]]

"""The games of WSOP IX and Live VII to XIII: what each one's file says, played at the table."""

import random
from typing import Any

import pytest
from pokerkit import BadugiHand, StandardBadugiHand

from controller.core.play.showdown.evaluation import HandStrength, evaluate_hand
from controller.core.rules.games import Ranking
from controller.core.values.cards import build_deck
from tests.games.playing import first, passive, run, steps, table
from tests.playing import ScriptedTable, play

BUTTON_ANTE = {"structure": "no-limit", "ante": 200, "ante_by": "button"}
TRIPLE = ("first-draw", "second-draw", "third-draw")


def badugi(cards: str, ranking: Ranking = Ranking.BADUGI) -> HandStrength:
    found = evaluate_hand(ranking, cards.split(), (), None)
    assert found is not None
    return found


def dealt(book: str, game: str, cards: str = "", seats: int = 3, **setup: Any) -> ScriptedTable:  # noqa: ANN401
    """A table whose deal is done, with these cards for all first ones."""
    played = table(book, game, "start", seats=seats, **setup)
    names = iter(cards.split())
    while first(played.lines[-1])["step"] in ("deal", "board"):
        played({"ev": "card", "card": next(names, None)})
    return played


def drawn(played: ScriptedTable, discards: dict[int, int]) -> dict[str, Any]:
    """Seats discard, and whatever cards are due then come unread."""
    for seat, discard in discards.items():
        played({"ev": "draw", "seat": seat, "discard": discard})
    while first(played.lines[-1])["step"] in ("burn", "deal"):
        played("card -")
    return played.lines[-1]


@pytest.mark.parametrize(("ranking", "judge"), [(Ranking.BADUGI, BadugiHand), (Ranking.BADUGI_27, StandardBadugiHand)])
def test_badugi_hands_stand_in_the_order_of_pokerkit(ranking: Ranking, judge: Any) -> None:  # noqa: ANN401
    source, cards = random.Random(19), build_deck()
    for _ in range(200):
        one, other = source.sample(cards, 4), source.sample(cards, 4)
        ours = evaluate_hand(ranking, one, (), None), evaluate_hand(ranking, other, (), None)
        theirs = judge.from_game("".join(one)), judge.from_game("".join(other))
        assert None not in ours
        assert (ours[0] < ours[1], ours[0] == ours[1]) == (theirs[0] < theirs[1], theirs[0] == theirs[1])  # type: ignore[operator]


def test_WSOP_L_293() -> None:
    """The book's example: nobody has a badugi, and three cards that are lower win.

    Covers: WSOP-L-293, WSOP-T-IX.badugi
    """
    assert badugi("Ad 2c 3h 6h") > badugi("Ac 3d 4h 5h")
    assert badugi("Kd Qc Jh Ts") > badugi("Ad 2c 3h 3s") > badugi("Ad 2c 2d Kc") > badugi("Ad Kd Qd Jd")
    assert badugi("As 2d 3c 4h Kh").used_cards == ("As", "2d", "3c", "4h")


@pytest.mark.parametrize("book", ["wsop-2024", "wsop-live-2024"])
def test_badugi_wins_by_its_four_cards_after_three_draws(book: str) -> None:
    """Covers: WSOP-L-293, WSOP-T-IX.badugi"""
    played = dealt(book, "badugi", "Ah Kd Qc 2d Kh Js 3c 9s 9h 5s 8d 8c")
    played("act 1 call", "act 2 call", "act 3 check")
    for street in TRIPLE:
        assert (played.lines[-1]["street"], first(played.lines[-1])) == (street, {"step": "draw", "seat": 2})
        assert steps(played({"ev": "draw", "seat": 2, "discard": 0})) == [("draw", 3)]
        drawn(played, {3: 0, 1: 0})
        played("act 2 check", "act 3 check", "act 1 check")
    answer = played("show 2", "show 3", "show 1")
    assert (first(answer)["seats"], first(answer)["amounts"]) == ([2], [6])


@pytest.mark.parametrize("book", ["wsop-2024", "wsop-live-2024"])
def test_WSOP_T_IX_badeucey(book: str) -> None:
    """The ace is high in both halves.

    Covers: WSOP-T-IX.badeucey, WSOP-L-303
    """
    low = Ranking.BADUGI_27
    assert badugi("2s 3d 4c 5h 7s", low) > badugi("As 2d 3c 4h 9s", low)
    cards = "As 2s Kc 2d 3d Qd 3c 4c Jh 4h 5h 9s 5c 7s 8s"  # 2: A2345, badugi 2345; 3: 75432; 1: KQJ98
    played = dealt(book, "badeucey", cards)
    played("act 1 fold", "act 2 call", "act 3 check")
    for _ in TRIPLE:
        drawn(played, {2: 0, 3: 0})
        played("act 2 check", "act 3 check")
    answer = played("show 2", "show 3")
    assert [(step["seats"], step["amounts"]) for step in answer["next"]] == [([3], [2]), ([3], [2])]


@pytest.mark.parametrize(
    ("book", "game", "most"),
    [
        ("wsop-2024", "holdem", 10),
        ("wsop-2024", "triple-draw-27", 6),
        ("wsop-2024", "lowball-27", 7),
        ("wsop-2024", "badugi", 8),
        ("wsop-2024", "badacey", 6),
        ("wsop-2024", "omaha-5-8", 8),
        ("wsop-2024", "short-deck", 9),
        ("wsop-2024", "stud-hi-lo", 8),
        ("wsop-2024", "stud-7", 8),
        ("wsop-2024", "razz", 8),
        ("wsop-2024", "stud-8", 8),
        ("wsop-2024", "draw-high", 7),
        ("wsop-live-2024", "triple-draw-a5", 6),
        ("wsop-live-2024", "lowball-a5", 6),
        ("wsop-live-2024", "lowball-27", 6),
        ("wsop-live-2024", "badugi", 8),
        ("wsop-live-2024", "badeucey", 6),
        ("wsop-live-2024", "badacey", 6),
        ("wsop-live-2024", "omaha-5-8", 8),
        ("wsop-live-2024", "razzdugi", 8),
    ],
)
def test_players(book: str, game: str, most: int) -> None:
    """Covers: WSOP-T-IX.flop, WSOP-T-IX.stud, WSOP-T-IX.draw#players, WSOP-L-280, WSOP-L-302, WSOP-L-bigo,
    WSOP-T-IX.bigo, WSOP-L-322
    """
    assert "error" not in table(book, game, seats=most, places=12).lines[-1]
    with pytest.raises(AssertionError, match=f"too-many-players.*at most {most}"):
        table(book, game, seats=most + 1, places=12)


def test_triple_draw_under_wsop_burns_once_a_draw_though_all_are_pat() -> None:
    played = dealt("wsop-2024", "triple-draw-a5")
    played("act 1 call", "act 2 call", "act 3 check")
    for burns, bet in enumerate((2, 4, 4), 1):
        drawn(played, {2: 0, 3: burns, 1: 0})
        assert (played.lines[-1]["piles"]["burn"], first(played.lines[-1])["min_to"]) == (burns, bet)
        played("act 2 check", "act 3 check", "act 1 check")
    assert played.lines[-1]["piles"]["muck"] == 6


def test_WSOP_L_328() -> None:
    """In razzduci the wheel is a straight for deuce-to-seven: it wins the razz half alone."""
    one, other = ["As", "2d", "3c", "4h", "5s", "Kd", "Kc"], ["7s", "5d", "4c", "3h", "2s", "Ad", "Kh"]
    razz = [evaluate_hand(Ranking.LOW_A5, cards, (), None) for cards in (one, other)]
    low = [evaluate_hand(Ranking.LOW_27, cards, (), None) for cards in (one, other)]
    assert razz[0] == razz[1]
    assert low[0] < low[1]  # type: ignore[operator]


def test_WSOP_T_IX_stud8r() -> None:
    """The king of spades brings it in, the low hand goes on, and there is no qualifier."""
    played = dealt("wsop-2024", "stud-hi-lo", "2c 3d 4h 5c 6d 7h Ks Kd Ah")
    assert first(played.lines[-1])["seat"] == 1
    played("act 1 bring-in", "act 2 call", "act 3 call", "card Qc 9c 9d 9h")
    assert first(played.lines[-1])["seat"] == 3
    assert evaluate_hand(Ranking.LOW_A5, ["9s", "Td", "Jc", "Qh", "Ks"], (), None) is not None


@pytest.mark.parametrize("book", ["wsop-2024", "wsop-live-2024"])
def test_WSOP_L_359(book: str) -> None:
    """Everybody antes, the button twice; all of it is live: who completes calls, and the least raise doubles it.

    Covers: WSOP-L-359, WSOP-T-IX.shortdeck
    """
    played = play(book, "start", game="short-deck", stacks={1: 9000, 2: 9000, 3: 9000}, betting=BUTTON_ANTE)
    answer = played.lines[-1]
    assert (answer["bets"], answer["piles"]["stub"]) == ({"1": 400, "2": 200, "3": 200}, 36)
    answer = played("card - - - - - -")
    assert {key: first(answer)[key] for key in ("seat", "to_call", "min_to")} == {
        "seat": 2,
        "to_call": 200,
        "min_to": 800,
    }
    answer = played("act 2 call", "act 3 call")
    assert "check" in first(answer)["options"]
    answer = played("act 1 check", "card - - - -")
    assert (answer["pots"][0]["amount"], first(answer)["seat"], first(answer)["min_to"]) == (1200, 2, 200)


def test_short_deck_hands() -> None:
    """A flush beats a full house, a straight beats three of a kind, and A-6-7-8-9 is a straight."""
    hands = ["6s 7s 9s Js As", "Kd Kh Ks Qc Qd", "As 6d 7c 8h 9s", "Kd Kh Ks Qc Jd"]
    found = [evaluate_hand(Ranking.HIGH, hand.split(), (), None, 36) for hand in hands]
    assert sorted(found, reverse=True) == found  # type: ignore[type-var]


def test_the_button_of_short_deck_goes_to_the_next_player() -> None:
    """It never stops before an empty chair, whatever the book says of other games."""
    played = play("wsop-2024", game="short-deck", stacks=dict.fromkeys(range(1, 5), 9000), betting=BUTTON_ANTE)
    for button in (1, 3, 4):
        played("start")
        assert played.lines[-1]["lamps"]["button"] == [button]
        run(played, iter(()))
        played("leave 2")


@pytest.mark.parametrize("follow", ["acts", "rounds"])
def test_short_deck_where_amounts_are_untracked(follow: str) -> None:
    stacks: dict[int, int | None] = dict.fromkeys((1, 2, 3))
    untracked: dict[str, Any] = {"amounts": "untracked", "follow": follow}
    played = play("wsop-2024", "start", game="short-deck", stacks=stacks, betting=BUTTON_ANTE, **untracked)
    answer = played("card - - - - - -")
    assert first(answer)["step"] == ("act" if follow == "acts" else "bet")
    if follow == "acts":
        assert set(first(answer)["options"]) >= {"fold", "call", "raise"}
        assert "check" in first(played("act 2 call", "act 3 call"))["options"]


@pytest.mark.parametrize(
    "betting",
    [
        {"structure": "no-limit", "ante_by": "button"},
        {"structure": "no-limit", "ante_by": "button", "ante": 1, "small_blind": 1, "big_blind": 2},
    ],
)
def test_a_button_ante_wants_an_ante_and_no_blinds(betting: dict[str, Any]) -> None:
    with pytest.raises(AssertionError, match="games with a button, an `ante` and no blinds"):
        play("wsop-2024", game="short-deck", betting=betting)


def test_courchevel_turns_its_first_board_card_before_the_betting() -> None:
    played = table("wsop-live-2024", "courchevel", "start")
    played("card - - - - - - - - - - - - - - -")
    assert steps(played.lines[-1]) == [("board", 1), ("act", 1)]
    answer = played("card As", "act 1 call", "act 2 call", "act 3 check")
    assert (answer["board"], steps(answer)[:2]) == (["As"], [("burn",), ("board", 2)])


DRAWS = ("first-draw", "second-draw", "third-draw")


def drawn_until_the_stub_runs_out(
    book: str, game: str = "triple-draw-27", seats: int = 6, counts: tuple[int, ...] = (3, 3, 3)
) -> ScriptedTable:
    """Everybody draws so many on each draw, until cards come back into the stub."""
    played = dealt(book, game, seats=seats, joker=False)
    answer = played.lines[-1]
    while not (answer["next"][0]["step"] == "return" and answer["next"][0]["to"] == "stub"):
        step = first(answer)
        match step["step"]:
            case "draw":
                answer = played({"ev": "draw", "seat": step["seat"], "discard": counts[DRAWS.index(answer["street"])]})
            case "act":
                answer = played(f"act {step['seat']} {passive(step['options'])}")
            case "show":
                return played
            case _:
                answer = played("card -")
        assert "error" not in answer, answer["error"]
    return played


@pytest.mark.parametrize(
    ("book", "last", "back", "cite"),
    [
        ("wsop-2024", 1, [("muck", "stub", 18)], "WSOP-T-IX.draw"),
        ("wsop-live-2024", 1, [("muck", "stub", 18), ("burn", "stub", 2), ("muck", "burn", 2)], "WSOP-L-lowball"),
        ("roberts-7", 1, [("muck", "stub", 18)], "WSOP-T-IX.draw"),
        ("tda-2024", 1, [("muck", "stub", 18)], "WSOP-T-IX.draw"),
    ],
)
def test_WSOP_T_IX_draw_reshuffle(book: str, last: int, back: list[tuple[str, str, int]], cite: str) -> None:
    """The last card is shuffled with what was thrown away on earlier draws, not with the discards of this one.

    At the live tables of the WSOP the burns are shuffled in, too, and as many discards of this draw become burns.
    R7 and TDA have the tournament's rule by default: in one muck a dealer tells draws apart, but not seats.

    Covers: WSOP-T-IX.draw#reshuffle, WSOP-L-lowball
    """
    played = drawn_until_the_stub_runs_out(book)
    answer = played.lines[-1]
    returns = [(step["from"], step["to"], step["count"]) for step in answer["next"] if step["step"] == "return"]
    assert (answer["street"], answer["piles"]["stub"], returns) == ("second-draw", last, back)
    thrown = answer["piles"]["muck"] - sum(count for at, _, count in back if at == "muck")
    rulings = [ruling for line in played.lines for ruling in line["rulings"]]
    assert [ruling["cite"][0] for ruling in rulings] == [cite]
    assert ("go in, too" in rulings[0]["text"]) == (len(back) > 1)
    piles = played(f"done {len(back) + 1}")["piles"]
    assert piles["stub"] == last + sum(count for _, to, count in back if to == "stub")
    assert (piles["muck"], piles["burn"]) == (thrown, 2)
    assert first(played("done"))["step"] == "deal"


@pytest.mark.parametrize(
    ("book", "stub", "street"),
    [("wsop-2024", 0, "third-draw"), ("wsop-live-2024", 1, "second-draw"), ("roberts-7", 0, "third-draw")],
)
def test_WSOP_T_IX_draw_reshuffle_the_last_card_of_a_round(book: str, stub: int, street: str) -> None:
    """The last card would complete the second of three draws: a tournament of the WSOP deals it.

    At its live tables it is dealt only if it completes all draws of the hand.
    """
    answer = drawn_until_the_stub_runs_out(book, seats=5, counts=(3, 2, 1)).lines[-1]
    assert (first(answer)["step"], answer["piles"]["stub"], answer["street"]) == ("return", stub, street)


@pytest.mark.parametrize("book", ["wsop-2024", "wsop-live-2024", "roberts-7"])
def test_WSOP_T_IX_draw_reshuffle_the_last_card_of_the_hand(book: str) -> None:
    """The last card completes the third draw of seven at badugi: nothing is shuffled in anywhere."""
    answer = drawn_until_the_stub_runs_out(book, "badugi", seats=7, counts=(1, 1, 1)).lines[-1]
    assert (first(answer)["step"], answer["piles"]["stub"]) == ("show", 0)

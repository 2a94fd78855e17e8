"""Deals, rounds, limits and rankings of the games without a flop, the same tests for each game and book."""

from itertools import pairwise
from typing import Any

import pytest

from controller.core.play.showdown.evaluation import evaluate_hand
from controller.core.rules.games import Ranking
from tests.games.playing import ANTE, BLINDS, STUD, first, said, steps, table
from tests.playing import ScriptedTable

AU = "casino-au"
MANILA = ["manila-2", "manila-3"]
AU_BUTTON = ["draw-high", *MANILA]
AU_STUD = ["stud-5", "stud-7"]


def to_act(played: ScriptedTable) -> dict[str, Any]:
    """The cards that are due, unread, or in stud read, until somebody acts."""
    while first(played.lines[-1])["step"] != "act":
        step = first(played.lines[-1])
        assert step["step"] in ("deal", "burn", "board"), step
        open_ = {card for cards in played.lines[-1].get("up", {}).values() for card in cards}
        card = next(r + s for r in "QJT98" for s in "shdc" if r + s not in open_)
        played(f"card {card if step.get('face') == 'up' else '-'}")
    return first(played.lines[-1])


@pytest.mark.parametrize(
    ("book", "game", "faces"),
    [
        (AU, "stud-5", ["down", "up"]),
        (AU, "stud-7", ["down", "down", "up"]),
        ("roberts-7", "stud-7", ["down", "down", "up"]),
        ("roberts-7", "razz", ["down", "down", "up"]),
        ("roberts-7", "stud-8", ["down", "down", "up"]),
    ],
)
def test_stud_is_dealt_in_rounds(book: str, game: str, faces: list[str]) -> None:
    """A round of the table for each card; later one upcard a street, and in seven-card stud the last one down.

    Covers: AU-12.1(c), AU-13.1(c), R7-8.intro.deal, AU-12.3(a), AU-12.4(a)#a, AU-13.3(a), AU-13.4(a)#a
    """
    played = table(book, game, "start")
    deals = steps(played.lines[-1])
    assert deals == [("deal", seat, face) for face in faces for seat in (1, 2, 3)]
    later = []
    to_act(played)
    for _ in range(3 if game == "stud-5" else 4):
        while first(played.lines[-1])["step"] == "act":
            step = first(played.lines[-1])
            word = next(w for w in ("bring-in", "check", "call", "bet") if w in step["options"])
            answer = played(f"act {step['seat']} {word}" + (f" {step['min_to']}" if word == "bet" else ""))
            assert "error" not in answer, answer["error"]
        burn, *cards = steps(played.lines[-1])
        assert burn == ("burn",)
        later.append(cards[0][2])
        assert [card[1] for card in cards[:3]] == [1, 2, 3]
        to_act(played)
    assert later == (["up"] * 3 if game == "stud-5" else ["up"] * 3 + ["down"])


@pytest.mark.parametrize(
    ("game", "doors", "opener", "later", "then"),
    [
        ("stud-8", "Ad Ks 2c", 3, "4d 5d 6d", 1),
        ("razz", "Ad Ks 2c", 2, "4d 5d 6d", 1),
        ("stud-hi-lo", "Ad Ks 2c", 2, "9d 5d 6d", 3),
        ("stud-hi-lo", "Qd Ks 2c", 2, "4d 5d 6d", 3),
        ("stud-hi-lo", "Ad As 2c", 3, "4d 9d 6d", 1),
    ],
)
def test_a_split_game_without_a_qualifier_opens_by_the_king(
    game: str, doors: str, opener: int, later: str, then: int
) -> None:
    """The highest card brings it in, the king of spades before all: WSOP Live 245, and that house's tournament book.

    In split stud with a qualifier the lowest does, and an ace is high (WSOP Live 240).
    """
    played = table("wsop-live-2024", game, "start", f"card - - - - - - {doors}")
    step = first(played.lines[-1])
    assert (step["seat"], step["options"][0]) == (opener, "bring-in")
    while first(played.lines[-1])["step"] == "act":
        step = first(played.lines[-1])
        played(f"act {step['seat']} {'bring-in' if 'bring-in' in step['options'] else 'call'}")
    assert first(played(f"card - {later}"))["seat"] == then


@pytest.mark.parametrize("game", AU_BUTTON)
def test_blinds_lie_left_of_the_button_which_moves_on(game: str) -> None:
    """The first blind is the button's left, the second the next; after the hand the button goes one seat on.

    Covers: AU-11.1(c)(i), AU-14.1(c)(i), AU-15.1(c)(i), AU-11.1(b)#c, AU-14.1(b)#c, AU-15.1(b)#c
    """
    played = table(AU, game, "start", seats=4)
    assert played.lines[-1]["bets"] == {"2": 1, "3": 2}
    to_act(played)
    while first(played.lines[-1])["step"] == "act":
        played(f"act {first(played.lines[-1])['seat']} fold")
    played("done")
    assert played("start")["lamps"]["button"] == [2]


@pytest.mark.parametrize("game", AU_BUTTON)
def test_the_first_round_begins_left_of_the_last_blind(game: str) -> None:
    """That seat calls, raises or folds; when it folds the next one opens; one left wins, else the next stage follows.

    Covers: AU-11.2(a), AU-14.2(a), AU-15.2(a), AU-11.2(b), AU-14.2(b), AU-15.2(b), AU-11.2(c), AU-14.2(c), AU-15.2(c)
    """
    played = table(AU, game, "start", seats=4)
    step = to_act(played)
    assert (step["seat"], step["options"][:3]) == (4, ["fold", "call", "raise"])
    assert first(played("act 4 fold"))["seat"] == 1
    assert first(played("act 1 fold", "act 2 fold")) == {"step": "award", "pot": 0, "seats": [3], "amounts": [2]}
    played = table(AU, game, "start", seats=4)
    to_act(played)
    answer = played("act 4 fold", "act 1 call", "act 2 call", "act 3 check")
    assert first(answer)["step"] == ("draw" if game == "draw-high" else "burn")


@pytest.mark.parametrize("game", MANILA)
def test_manila_burns_and_turns_one_card_a_round(game: str) -> None:
    """Four more rounds, each a burn and a community card; the first left of the button bets, checks or folds.

    Covers: AU-14.3(a), AU-15.3(a), AU-14.3(b), AU-15.3(b), AU-14.3(c), AU-15.3(c), AU-14.4(a), AU-15.4(a), AU-14.4(b),
    AU-15.4(b), AU-14.4(c), AU-15.4(c)
    """
    played = table(AU, game, "start")
    to_act(played)
    played("act 1 call", "act 2 call", "act 3 check")
    for name in ("second", "third", "fourth", "fifth"):
        assert (played.lines[-1]["street"], steps(played.lines[-1])) == (name, [("burn",), ("board", 1), ("act", 2)])
        step = to_act(played)
        assert step["options"][:3] == ["fold", "check", "bet"]
        answer = played("act 2 check", f"act 3 bet {4 if name in ('fourth', 'fifth') else 2}")
        assert (first(answer)["seat"], first(answer)["options"][:3]) == (1, ["fold", "call", "raise"])
        answer = played("act 1 call", "act 2 call")
    assert [step["step"] for step in answer["next"]] == ["show"] * 3
    answer = played("show 3", "muck 1", "muck 2")
    assert first(answer)["seats"] == [3]


def test_au_draw_is_opened_after_the_draw_left_of_the_last_blind() -> None:
    """Not by the opener of the pot; the rest acts clockwise and one left wins; the called player shows first.

    Covers: AU-11.4(a), AU-11.4(b), AU-11.4(c)
    """
    played = table(AU, "draw-high", "start", seats=4)
    to_act(played)
    played("act 4 call", "act 1 raise", "act 2 call", "act 3 call", "act 4 call")
    for seat in (2, 3, 4, 1):
        answer = played({"ev": "draw", "seat": seat, "discard": 0})
    assert (first(answer)["seat"], first(answer)["options"][:3]) == (4, ["fold", "check", "bet"])
    answer = played("act 4 check", "act 1 bet", "act 2 fold", "act 3 call", "act 4 fold")
    assert steps(answer) == [("show", 1), ("show", 3)]


@pytest.mark.parametrize("structure", ["no-limit", "pot-limit"])
@pytest.mark.parametrize("game", AU_BUTTON)
def test_au_big_bet_rounds_have_no_cap_and_a_raise_is_at_least_the_last(game: str, structure: str) -> None:
    """Five raises in a row, each at least as much as the one before; in pot-limit the call counts first.

    Covers: AU-11.5(d), AU-11.5(e), AU-11.5(g), AU-14.5(c), AU-14.5(d), AU-14.5(f)
    """
    betting = {"structure": structure, "small_blind": 1, "big_blind": 2}
    played = table(AU, game, "start", betting=betting)
    step = to_act(played)
    assert step["min_to"] == 4
    if structure == "pot-limit":
        assert step["max_to"] == 7
    high, raised = 2, 2
    for _ in range(5):
        step = first(played.lines[-1])
        assert step["min_to"] == high + raised
        raised, high = raised + 1, step["min_to"] + 1
        assert high <= step["max_to"]
        played(f"act {step['seat']} raise {high}")
    assert "raise" in first(played.lines[-1])["options"]


@pytest.mark.parametrize("game", [*AU_BUTTON, *AU_STUD])
def test_au_limit_rounds_have_three_raises_but_head_to_head_any_number(game: str) -> None:
    """A bet and three raises with three players; two alone raise on.

    Covers: AU-11.5(g), AU-12.5(e), AU-13.5(e), AU-14.5(f)
    """
    for seats, capped in ((3, True), (2, False)):
        played = table(AU, game, "start", seats=seats, betting=BLINDS if game in AU_BUTTON else STUD)
        words = []
        to_act(played)
        for _ in range(6):
            step = first(played.lines[-1])
            word = next((w for w in ("complete", "bet", "raise") if w in step["options"]), None)
            if word is None:
                break
            words.append(word)
            played(f"act {step['seat']} {word}")
        assert (len(words) < 6) is capped, words
        if capped:
            bet = game not in AU_BUTTON
            assert len(words) == 3 + bet


@pytest.mark.parametrize("game", [*AU_BUTTON, *AU_STUD])
def test_au_spread_limit(game: str) -> None:
    """A bet is from the minimum to the maximum, a raise at least the last one.

    Covers: AU-11.5(f), AU-12.5(b), AU-12.5(d), AU-13.5(b), AU-13.5(d), AU-14.5(e)
    """
    stakes = {"small_blind": 1, "big_blind": 2} if game in AU_BUTTON else {"ante": 1}
    betting = {"structure": "spread-limit", "min_bet": 2, "max_bet": 10, **stakes}
    played = table(AU, game, "start", betting=betting)
    step = to_act(played)
    if game in AU_BUTTON:
        assert (step["min_to"], step["max_to"]) == (4, 12)
        step = first(played(f"act {step['seat']} raise 9"))
        assert (step["min_to"], step["max_to"]) == (16, 19)
    else:
        assert (step["min_to"], step["max_to"]) == (2, 10)
        step = first(played(f"act {step['seat']} bet 6"))
        assert (step["min_to"], step["max_to"]) == (12, 16)


@pytest.mark.parametrize("game", ["stud-5", "stud-7"])
def test_au_stud_pot_limit(game: str) -> None:
    """The call is added to the pot before the limit is worked out.

    Covers: AU-12.5(c), AU-13.5(c)
    """
    played = table(AU, game, "start", betting={"structure": "pot-limit", "ante": 1, "min_bet": 2})
    step = to_act(played)
    assert step["max_to"] == 3
    assert first(played(f"act {step['seat']} bet 3"))["max_to"] == 12


HANDS = {
    "royal flush": "Ts Js Qs Ks As",
    "straight flush": "8h 9h Th Jh Qh",
    "four of a kind": "8d 8h 8c 8s Ad",
    "flush": "7h 9h Th Jh Kh",
    "full house": "Ad Ah Ac Kc Kd",
    "straight": "8d 9h Tc Js Qd",
    "three of a kind": "Ad Ah Ac Kd Qc",
    "two pair": "Ad Ah Kc Kd Qs",
    "one pair": "Ad Ah Kc Qd Js",
    "no pair": "Ad Kh Qc Jd 9s",
}


@pytest.mark.parametrize("size", [40, 36, 32])
def test_the_ten_places_of_a_stripped_deck(size: int) -> None:
    """From the royal flush down, the flush above the full house.

    Covers: AU-9.3(a), AU-9.3(b), AU-9.3(c), AU-9.3(d), AU-9.3(e), AU-9.3(f), AU-9.3(g), AU-9.3(h), AU-9.3(i),
    AU-9.3(j)
    """
    found = [evaluate_hand(Ranking.HIGH, hand.split(), (), None, size) for hand in HANDS.values()]
    known = [one for one in found if one is not None]
    assert len(known) == 10
    assert all(one > next_one for one, next_one in pairwise(known))


@pytest.mark.parametrize(("deck", "least"), [(40, "5"), (36, "6"), (32, "7")])
def test_a_stripped_deck_has_its_cards_and_no_others(deck: int, least: str) -> None:
    """A card below the least is none of the deck's.

    Covers: AU-4.1(b), AU-4.1(c), AU-4.1(d)
    """
    game = "stud-7" if deck == 40 else "manila-3"
    played = table(AU, game, "start", house={"deck": deck})
    assert played.lines[-1]["piles"]["stub"] == deck
    assert not played(f"card {least}s")["rulings"]
    below = "23456789"["23456789".index(least) - 1]
    assert played(f"card {below}s")["rulings"]


@pytest.mark.parametrize(("game", "ante"), [("draw-high", True), ("lowball-a5", False), ("lowball-27", False)])
def test_limit_games_of_two_rounds_have_a_bet_and_four_raises(game: str, ante: bool) -> None:
    """The fifth raise is not open to three players.

    Covers: R7-3.betting.3b, R7-11.lowball.2, R7-12.draw.1
    """
    played = table("roberts-7", game, "start", betting=ANTE if ante else BLINDS)
    to_act(played)
    words: list[str] = []
    while len(words) < 7:
        step = first(played.lines[-1])
        word = next((w for w in ("bet", "raise") if w in step["options"]), None)
        if word is None:
            break
        words.append(word)
        played(f"act {step['seat']} {word}")
    assert len(words) == (5 if ante else 4)


@pytest.mark.parametrize("book", ["roberts-7", "house-rules"])
def test_a_completion_is_no_raise(book: str) -> None:
    """After the forced bet is completed, three raises are still to come.

    Covers: R7-8.stud.6, HR-stud.3
    """
    played = table(book, "stud-7", "start")
    to_act(played)
    played(f"act {first(played.lines[-1])['seat']} bring-in")
    words: list[str] = []
    while "raise" in first(played.lines[-1])["options"] or "complete" in first(played.lines[-1])["options"]:
        step = first(played.lines[-1])
        words.append("complete" if "complete" in step["options"] else "raise")
        played(f"act {step['seat']} {words[-1]}")
    assert words == ["complete", "raise", "raise", "raise"]


@pytest.mark.parametrize(
    ("better", "worse"),
    [("5s 4s 3s 2s As", "6h 4d 3c 2s Ah"), ("7c 5h 4d 3c 2s", "Ks Qd 3c 2s Ah"), ("As Ah 3c 4d 5h", "2s 2h 3c 4d 5h")],
)
def test_low_hands_of_razz_and_stud_high_low(better: str, worse: str) -> None:
    """The lowest wins, the ace is low, straights and flushes do not matter; in high-low no worse than an eight is low.

    Covers: R7-9.razz.2, HR-razz.2, R7-10.stud8.5, R7-10.intro, R7-10.stud8.3
    """
    low = [evaluate_hand(Ranking.LOW_A5, hand.split(), (), None) for hand in (better, worse)]
    assert low[0] is not None
    assert low[1] is not None
    assert low[0] > low[1]
    assert evaluate_hand(Ranking.LOW_8, ["9s", "4h", "3d", "2c", "As"], (), None) is None
    assert evaluate_hand(Ranking.LOW_8, ["8s", "4h", "3d", "2c", "As"], (), None) is not None
    assert evaluate_hand(Ranking.LOW_8, ["5s", "4s", "3s", "2s", "As"], (), None) is not None


LOWBALL = ["lowball-a5", "lowball-27"]


@pytest.mark.parametrize("game", LOWBALL)
@pytest.mark.parametrize(
    ("lines", "clause"),
    [
        (["card -", "report exposed"], "1a"),
        (["card - - - 2s", "report exposed", "card 3s", "report exposed"], "1b"),
        (["card " + "- " * 16, "report extra-card seat=2 count=2"], "1c"),
        (["card - - -", "report button-wrong seat=2"], "1e"),
        (["card -", "report wrong-seat seat=3"], "1f"),
        (["card - - -", "report wrong-seat seat=3"], "1g"),
        (["card " + "- " * 15, "report not-entitled seat=9"], "1h"),
        (["card " + "- " * 15, "report skipped seat=3"], "1i"),
    ],
)
def test_lowball_misdeals(game: str, lines: list[str], clause: str) -> None:
    """The grounds of section 11, before two players have acted.

    Covers: R7-11.lowball.1a, R7-11.lowball.1b, R7-11.lowball.1c, R7-11.lowball.1e, R7-11.lowball.1f,
    R7-11.lowball.1g, R7-11.lowball.1h, R7-11.lowball.1i
    """
    played = table("roberts-7", game, "start", seats=3, joker=False)
    if clause == "1c":
        lines = ["card " + "- " * 15, "card - -", lines[-1]]
    answer = played(*lines)
    assert "error" not in answer, answer["error"]
    assert (answer["rulings"][-1]["verdict"], answer["rulings"][-1]["cite"][0]) == (
        "misdeal",
        f"R7-11.lowball.{clause}",
    )


@pytest.mark.parametrize("structure", ["fixed-limit", "no-limit", "pot-limit"])
@pytest.mark.parametrize("game", LOWBALL)
def test_a_lowball_card_exposed_on_the_draw_is_replaced(game: str, structure: str) -> None:
    """When all have drawn the top card replaces it, whatever it is.

    Covers: R7-11.lowball.9, R7-11.nlpl.3
    """
    betting = BLINDS if structure == "fixed-limit" else {"structure": structure, "small_blind": 1, "big_blind": 2}
    played = table("roberts-7", game, "start", joker=False, betting=betting)
    to_act(played)
    played("act 1 call", "act 2 call", "act 3 check", {"ev": "draw", "seat": 2, "discard": 1}, "card - 2s")
    assert said(played("report exposed"))[0][:3] == ("exposed", "replace", 2)
    played({"ev": "draw", "seat": 3, "discard": 0})
    answer = played({"ev": "draw", "seat": 1, "discard": 0})
    assert steps(answer)[:2] == [("deal", 2, "down", "replacement"), ("return", "seat 2", "muck", 1)]


def test_au_draw_exposed_cards() -> None:
    """Two in the deal are a misdeal, dealt again from the same button; one on the draw is used in sequence.

    Covers: AU-19.1(i)#a, AU-19.1(i)#b
    """
    played = table(AU, "draw-high", "start", "card 9s", "report exposed", "card Ts")
    answer = played("report exposed")
    assert said(answer)[0][1] == "misdeal"
    assert answer["lamps"]["button"] == [1]
    played = table(AU, "draw-high", "start")
    to_act(played)
    played("act 1 call", "act 2 call", "act 3 check", {"ev": "draw", "seat": 2, "discard": 1}, "card 9s")
    assert said(played("report exposed"))[0][1:3] == ("must-keep", 2)


@pytest.mark.parametrize("game", ["draw-high", "manila-2"])
def test_au_last_blind_is_at_least_the_minimum(game: str) -> None:
    """A table whose last blind is less than the minimum of the first round is refused.

    Covers: AU-11.5(b), AU-14.5(b)
    """
    with pytest.raises(AssertionError, match=r"minimum|at least"):
        table(AU, game, betting={"structure": "no-limit", "small_blind": 1, "big_blind": 2, "min_bet": 5})

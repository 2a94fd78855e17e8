"""Mixed games: the rotation, the frozen button, the choice button (N25; TDA 11-B, WSOP 67.b and glossary)."""

from typing import Any

import pytest

from tests.games.playing import cards_of, first, run, said
from tests.playing import ScriptedTable, play

STAKES = {
    "structure": "fixed-limit", "small_blind": 50, "big_blind": 100, "small_bet": 100, "big_bet": 200, "ante": 25,
    "bring_in": 25,
}  # fmt: skip
HORSE = [{"game": game} for game in ("holdem", "omaha-8", "razz", "stud-7", "stud-8")]
CHIPS: dict[int, int | None] = dict.fromkeys((1, 2, 3, 4), 5000)


def mixed(*rotation: dict[str, Any], book: str = "tda-2024", **setup: Any) -> ScriptedTable:  # noqa: ANN401
    return play(book, betting=STAKES, stacks=CHIPS, rotation=list(rotation), game=rotation[0]["game"], **setup)


def hand(played: ScriptedTable) -> dict[str, Any]:
    """One hand from the riffle to its end; returns how it began."""
    began = played("start")
    assert "error" not in began, began["error"]
    assert run(played, cards_of(began.get("game", "holdem")))["phase"] == "idle"
    return began


@pytest.mark.parametrize(("book", "cite"), [("tda-2024", "TDA-11-B"), ("wsop-2024", "WSOP-T-67.b")])
def test_the_button_is_frozen_during_stud(book: str, cite: str) -> None:
    """It moves to where the next hold'em hand would have it, stays there, and hold'em begins with it there.

    Covers: TDA-11-B, WSOP-T-67.b
    """
    played = mixed({"game": "holdem", "hands": 2}, {"game": "stud-7", "hands": 3}, book=book, button=1)
    seen = [hand(played) for _ in range(7)]
    assert [began["game"] for began in seen] == ["holdem"] * 2 + ["stud-7"] * 3 + ["holdem"] * 2
    assert [began["lamps"]["button"] for began in seen] == [[1], [2], [3], [3], [3], [3], [4]]
    assert [began["bets"] for began in seen[2:6]] == [{}, {}, {}, {"4": 50, "1": 100}]
    assert said(seen[2]) == [("game-change", "play-on", None, cite)]
    assert said(seen[5]) == [("game-change", "play-on", None, cite)]


def test_the_button_of_a_rotation_that_begins_with_stud_waits_where_it_was_put() -> None:
    played = mixed({"game": "razz", "hands": 1}, {"game": "holdem", "hands": 1}, button=3)
    assert [hand(played)["lamps"]["button"] for _ in range(3)] == [[3], [3], [4]]


def test_the_button_frozen_before_a_player_who_is_broke_then() -> None:
    """Seat 2, where it was frozen, is empty when hold'em goes on: the button is dead there."""
    played = mixed({"game": "holdem", "hands": 1}, {"game": "stud-7", "hands": 1}, button=1)
    hand(played)
    assert hand(played)["lamps"]["button"] == [2]
    played("leave 2")
    began = hand(played)
    assert (began["lamps"]["button"], began["bets"]) == ([2], {"3": 50, "4": 100})


def test_a_house_may_let_the_button_move_on() -> None:
    rotation = ({"game": "holdem", "hands": 1}, {"game": "stud-7", "hands": 2})
    played = mixed(*rotation, button=1, house={"table.frozen-button": False})
    assert [hand(played)["lamps"]["button"] for _ in range(4)] == [[1], [2], [3], [4]]


@pytest.mark.parametrize("book", ["tda-2024", "wsop-2024"])
def test_each_game_is_played_once_round_the_table(book: str) -> None:
    """Four players, four hands of each; the line says how many are still to begin and what comes then.

    Covers: WSOP-T-gloss.lammer
    """
    played = mixed(*HORSE, book=book, button=1)
    seen = [hand(played) for _ in range(21)]
    games = [began["game"] for began in seen]
    assert games == [row["game"] for row in HORSE for _ in range(4)] + ["holdem"]
    assert [began["rotation"]["left"] for began in seen[:5]] == [3, 2, 1, 0, 3]
    assert [began["rotation"]["then"] for began in seen[:5]] == ["omaha-8"] * 4 + ["razz"]


def test_a_game_for_each_level() -> None:
    rotation = [{"game": game, "hands": "level"} for game in ("holdem", "omaha")]
    played = play("fish-n-chips", game="holdem", stacks=CHIPS, button=1, rotation=rotation, house={"schedule": "T2000"})
    games = []
    for _ in range(3):
        games += [hand(played)["game"], hand(played)["game"]]
        played({"ev": "level"})
    assert games == ["holdem"] * 2 + ["omaha"] * 2 + ["holdem"] * 2


def test_each_game_has_its_own_stakes_and_deck() -> None:
    no_limit = {"structure": "no-limit", "small_blind": 10, "big_blind": 20}
    short = {"structure": "no-limit", "ante": 10, "ante_by": "button"}
    rotation = (
        {"game": "holdem", "hands": 1, "betting": no_limit},
        {"game": "short-deck", "hands": 1, "betting": short},
    )
    played = mixed(*rotation, {"game": "badugi", "hands": 1}, button=1)
    seen = [hand(played) for _ in range(3)]
    assert [began["bets"] for began in seen] == [
        {"2": 10, "3": 20},
        {"1": 10, "2": 20, "3": 10, "4": 10},
        {"4": 50, "1": 100},
    ]
    assert [began["piles"]["stub"] for began in seen] == [52, 36, 52]


@pytest.mark.parametrize("book", ["tda-2024", "wsop-2024"])
def test_dealers_choice(book: str) -> None:
    """Who has the choice button names the game; after its last hand the button goes to the next player.

    Covers: WSOP-T-67.b, WSOP-T-gloss.choice
    """
    played = mixed(*({**row, "hands": 2} for row in HORSE), book=book, button=1, choice=2)
    assert played.lines[-1]["lamps"]["choice"] == [2]
    assert [hand(played)["lamps"]["choice"] for _ in range(2)] == [[2], [2]]
    assert played.lines[-1]["lamps"]["choice"] == [3]
    refused = played("start")["error"]
    assert (refused["code"], "seat 3 chooses" in refused["message"]) == ("choose-game", True)
    answer = played({"ev": "game", "game": "razz"})
    assert (answer["game"], answer["lamps"]["choice"]) == ("razz", [3])
    assert [hand(played)["game"] for _ in range(2)] == ["razz", "razz"]
    assert played.lines[-1]["lamps"]["choice"] == [4]
    played("leave 4")
    assert played.lines[-1]["lamps"]["choice"] == [1]


def test_two_games_of_one_name_are_told_apart_by_their_structure() -> None:
    no_limit = {"structure": "no-limit", "small_blind": 10, "big_blind": 20}
    played = mixed({"game": "holdem"}, {"game": "razz"}, {"game": "holdem", "betting": no_limit}, button=1)
    played({"ev": "game", "game": "holdem", "structure": "no-limit"})
    assert hand(played)["bets"] == {"2": 10, "3": 20}
    assert played({"ev": "game", "game": "razz", "structure": "no-limit"})["error"]["code"] == "value"


def test_a_game_is_named_where_no_rotation_says_it() -> None:
    """The sample of the words' proposal: hold'em, stud, hold'em, each by its line, the button frozen meanwhile."""
    played = play("tda-2024", betting=STAKES, stacks=CHIPS, button=1)
    hand(played)
    assert played({"ev": "game", "game": "stud-7"})["game"] == "stud-7"
    began = hand(played)
    assert (began["bets"], began["pots"][0]["amount"], began["lamps"]["button"]) == ({}, 100, [2])
    played({"ev": "game", "game": "holdem"})
    began = hand(played)
    assert (began["lamps"]["button"], began["bets"]) == ([2], {"3": 50, "4": 100})


def test_a_game_is_taken_back_and_amended_like_any_entry() -> None:
    played = play("tda-2024", betting=STAKES, stacks=CHIPS, button=1)
    hand(played)
    played({"ev": "game", "game": "razz"}, "undo")
    played({"ev": "game", "game": "stud-7"})
    line = len(played.lines)
    played("start")
    answer = played({"ev": "amend", "line": line, "to": {"ev": "game", "game": "omaha"}})
    assert (answer.get("error"), answer["game"], first(answer)["seat"]) == (None, "omaha", 3)


def test_a_misdeal_is_no_hand_of_its_own() -> None:
    played = mixed(*HORSE, button=1)
    played("start", "card As", "report exposed", "done 3")
    assert played.lines[-1]["rotation"]["left"] == 3
    played("card Kd", "report exposed", "done 3")
    assert (played.lines[-1]["hand"], played.lines[-1]["rotation"]["left"]) == (1, 3)


@pytest.mark.parametrize(
    ("setup", "message"),
    [
        ({"rotation": [{"game": "holdem"}]}, "a list of 2 to 30 games"),
        ({"rotation": [{"game": "holdem"}, {"game": "chess"}]}, "`game` cannot be 'chess'"),
        ({"rotation": [{"game": "holdem"}, 7]}, "each of `rotation` is an object"),
        ({"rotation": [{"game": "holdem"}, {"hands": 3}]}, "each of `rotation` needs `game`"),
        ({"rotation": [{"game": "holdem"}, {"game": "razz", "hands": 0}]}, "`hands` cannot be 0"),
        ({"rotation": [{"game": "omaha"}, {"game": "razz"}]}, "holdem is not in the `rotation`"),
        ({"rotation": HORSE, "house": {"voluntary_kill": True}}, "without kills by choice"),
        ({"rotation": HORSE, "house": {"position_poker": True}}, "without kills by choice, Position Poker"),
        ({"choice": 1}, "`choice` is the seat"),
        ({"rotation": HORSE, "choice": 9}, "nobody sits at `choice` 9"),
    ],
)
def test_a_rotation_that_does_not_fit_is_refused(setup: dict[str, Any], message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        play("tda-2024", betting=STAKES, stacks=CHIPS, button=1, **setup)


@pytest.mark.parametrize(
    ("book", "structure", "game", "named", "lacks"),
    [
        ("roberts-7", "pot-limit", "holdem", "stud-7", "needs `bring_in` in pot-limit"),
        ("wsop-live-2024", "no-limit", "omaha", "razz", "needs `bring_in` in no-limit"),
        ("tda-2024", "pot-limit", "triple-draw-27", "stud-8", "needs `bring_in` in pot-limit"),
        ("roberts-7", "no-limit", "stud-7", "holdem", "needs `big_blind` (or `min_bet`) in no-limit"),
        (
            "casino-au",
            "fixed-limit",
            "stud-7",
            "draw-high",
            "the last blind, 0, must be at least 4 (AU, clause 16.6(b))",
        ),
    ],
)
def test_a_game_that_the_stakes_of_the_table_do_not_serve_is_refused(
    book: str, structure: str, game: str, named: str, lacks: str
) -> None:
    """The line changes nothing; without a bring-in stud would begin with a bet that nobody owes, into an empty pot."""
    bets = {"small_bet": 4, "big_bet": 8} if structure == "fixed-limit" else {}
    forced = {"ante": 1, "bring_in": 1} if game.startswith("stud") else {"small_blind": 1, "big_blind": 2}
    if structure == "fixed-limit":
        forced.pop("bring_in")
    button = None if game.startswith("stud") else 1
    played = play(book, game=game, betting={"structure": structure} | bets | forced, button=button)
    stood = played.table.to_memory()
    error = played({"ev": "game", "game": named})["error"]
    assert (error["code"], lacks in error["message"], "`rotation`" in error["message"]) == ("value", True, True)
    assert played.table.to_memory() == stood
    assert "error" not in played("start")


def test_a_game_that_has_its_forced_bets_at_the_stakes_of_the_table_is_taken() -> None:
    every = {"small_blind": 1, "big_blind": 2, "ante": 1, "bring_in": 1}
    for betting in ({"structure": "pot-limit"} | every, {"structure": "no-limit"} | every, STAKES):
        played = play("roberts-7", betting=betting)
        for game in ("stud-7", "holdem", "razz"):
            assert played({"ev": "game", "game": game})["game"] == game
    entries = [{"game": "holdem"}, {"game": "razz"}]
    betting = {"structure": "pot-limit", "small_blind": 1, "big_blind": 2}
    played = play("roberts-7", betting=betting, rotation=entries, choice=1)
    assert played({"ev": "game", "game": "razz"})["game"] == "razz"


def test_no_more_players_than_the_game_takes_that_takes_the_fewest() -> None:
    chips: dict[int, int | None] = dict.fromkeys(range(1, 10), 5000)
    with pytest.raises(AssertionError, match="too-many-players"):
        play("wsop-2024", betting=STAKES, stacks=chips, rotation=[{"game": "holdem"}, {"game": "badugi"}])
    played = play("wsop-2024", betting=STAKES, stacks=dict(list(chips.items())[:6]), game="triple-draw-27")
    assert played({"ev": "sit", "seat": 9, "stack": 5000, "moved": True})["error"]["code"] == "table-full"


def test_an_unknown_game_is_refused_with_those_there_are() -> None:
    played = mixed(*HORSE, button=1)
    error = played({"ev": "game", "game": "badugi"})["error"]
    assert (error["code"], "holdem, omaha-8, razz, stud-7, stud-8" in error["message"]) == ("value", True)
    played("start")
    assert played({"ev": "game", "game": "razz"})["error"]["code"] == "not-now"

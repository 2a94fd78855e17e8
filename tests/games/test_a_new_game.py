"""A game that no rulebook has, a house's own triple draw, is a file of streets and a word in a book's list of games."""

import json
from pathlib import Path

import pytest

from config import rulebook_file
from config.file_library import HOUSE_VARIABLE
from tests.games.playing import BLINDS, cards_of, first, run, steps
from tests.playing import ScriptedTable, play

NAME = "corner-triple-draw"
FILE = Path(__file__).parent / f"{NAME}.toml"


@pytest.fixture
def triple_draw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ScriptedTable:
    """Three players at the new game of a house, the deal done and called."""
    games = [*rulebook_file.load_rulebook("roberts-7").games, NAME]
    for kind in ("games", "rulebooks"):
        (tmp_path / kind).mkdir()
    (tmp_path / "games" / FILE.name).write_text(FILE.read_text())
    (tmp_path / "rulebooks" / "corner.toml").write_text(f'based_on = "roberts-7"\ngames = {json.dumps(games)}\n')
    monkeypatch.setenv(HOUSE_VARIABLE, str(tmp_path))
    played = play("corner", "start", game=NAME, betting=BLINDS, seats=3)
    played(*(f"card {card}" for _, card in zip(range(15), cards_of("lowball-27"), strict=False)))
    played("act 1 call", "act 2 call", "act 3 check")
    return played


def draw(played: ScriptedTable, seat: int, discard: int) -> dict[str, object]:
    return played({"ev": "draw", "seat": seat, "discard": discard})


def test_three_exchanges_each_with_one_burn_and_a_round_of_betting(triple_draw: ScriptedTable) -> None:
    played = triple_draw
    for street, bet in (("first-draw", 2), ("second-draw", 4), ("third-draw", 4)):
        assert played.lines[-1]["street"] == street
        assert steps(played.lines[-1]) == [("draw", 2)]
        assert steps(draw(played, 2, 1)) == [("burn",), ("deal", 2, "down", "draw"), ("draw", 3)]
        played("card - -")
        assert steps(draw(played, 3, 1)) == [("deal", 3, "down", "draw"), ("draw", 1)]
        played("card -")
        draw(played, 1, 0)
        assert (first(played.lines[-1])["seat"], first(played.lines[-1])["min_to"]) == (2, bet)
        played("act 2 check", "act 3 check", "act 1 check")
    assert steps(played.lines[-1]) == [("show", 2), ("show", 3), ("show", 1)]
    assert played.lines[-1]["piles"]["burn"] == 3


def test_five_cards_and_an_exposed_one_in_the_second_draw_follow_the_rules_of_lowball(
    triple_draw: ScriptedTable,
) -> None:
    played = triple_draw
    for seat in (2, 3, 1):
        draw(played, seat, 0)
    played("act 2 check", "act 3 check", "act 1 check")
    draw(played, 2, 5)
    played("card - - - - -")
    assert played("report exposed")["rulings"][0]["cite"][0] == "R7-11.lowball.9"
    draw(played, 3, 0)
    draw(played, 1, 0)
    assert steps(played.lines[-1])[:3] == [
        ("deal", 2, "down", "draw"),
        ("deal", 2, "down", "replacement"),
        ("return", "seat 2", "muck", 1),
    ]


def test_the_hand_ends(triple_draw: ScriptedTable) -> None:
    answer = run(triple_draw, iter(()))
    assert (answer["phase"], sum(answer["stacks"].values())) == ("idle", 600)


def test_a_card_of_an_earlier_draw_is_kept_and_a_short_hand_fouled(triple_draw: ScriptedTable) -> None:
    """The betting has gone on since the draw that the card came with; a hand that has drawn must have its number."""
    played = triple_draw
    draw(played, 2, 1)
    played("card - -")
    draw(played, 3, 0)
    draw(played, 1, 0)
    played("act 2 check", "act 3 check", "act 1 check")
    answer = played("report exposed seat=2 nth=5")
    assert answer["rulings"][0]["verdict"] == "must-keep"
    answer = played("report short-hand seat=2")
    assert (answer["rulings"][0]["verdict"], answer["rulings"][0]["cite"][0]) == ("dead-hand", "R7-11.lowball.11")
    assert steps(answer) == [("draw", 3)]

"""What a showdown says: who wins what and with which hand, and nothing of a hand that was not tabled."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from config.language_file import ENGLISH, list_languages, load_language
from config.table_line import parse_table_line
from controller.core.engine.output import outcome_rendering
from controller.core.engine.output.showdown_view import render_showdown
from controller.core.engine.table import Table
from controller.core.model.table_state import TableState
from controller.core.protocol import script_lines
from controller.core.protocol.table_error import Refused
from controller.records.public_view import find_open_cards
from controller.web.wording.showdown_wording import reword_steps, word_showdown
from controller.web.wording.step_instructions import add_instructions
from tests.playing import NO_LIMIT, ScriptedTable, play

FOLDERS = sorted(path for path in (Path(__file__).parents[1] / "conformance" / "scenarios").iterdir() if path.is_dir())

LIMIT = {"structure": "fixed-limit", "small_blind": 1, "big_blind": 2, "small_bet": 2, "big_bet": 4}


def view(played: ScriptedTable) -> dict[str, Any]:
    """What there is to see of the showdown."""
    shown = render_showdown(played.table.outcome.state)
    assert shown is not None
    return shown


def describe_awards(played: ScriptedTable, language: str = "en") -> list[str]:
    """The awards in words."""
    worded = word_showdown(view(played), load_language(language))
    assert worded is not None
    return [award["text"] for award in worded["awards"]]


def all_in(cards: str, board: str, stacks: dict[int, int | None] | None = None, **table: Any) -> ScriptedTable:  # noqa: ANN401
    """Three seats (their stacks may differ) are all-in before the flop: own cards as dealt from seat 2 on; all show.

    `board`: the five cards, each street's burn is not read.
    """
    stacks = stacks or {1: 60, 2: 60, 3: 60}
    played = play("roberts-7", "start", f"card {cards}", stacks=stacks, **table)
    while played.lines[-1]["next"][0]["step"] == "act":
        played(f"act {played.lines[-1]['next'][0]['seat']} all-in")
    rest = board.split()
    played(f"card - {' '.join(rest[:3])} - {rest[3]} - {rest[4]}")
    return show_all(played)


def show_all(played: ScriptedTable) -> ScriptedTable:
    """Every seat that is to show shows."""
    while played.lines[-1]["next"][0]["step"] == "show":
        played(f"show {played.lines[-1]['next'][0]['seat']}")
    assert "error" not in played.lines[-1], played.lines[-1]
    return played


def test_who_wins_the_pot_wins_it_with_a_hand() -> None:
    played = all_in("9c As 2d 9h Ad 3d", "Ac 9s 4s 7h 9d")
    assert describe_awards(played) == ["Seat 2 wins 180: four nines"]
    assert view(played)["hands"] == {"1": ["2d", "3d"], "2": ["9c", "9h"], "3": ["As", "Ad"]}
    assert set(view(played)["awards"][0]["winners"][0]["cards"]) == {"9c", "9h", "9s", "9d", "Ac"}
    assert describe_awards(played, "de") == ["Platz 2 gewinnt 180: Vierling Neunen"]
    assert describe_awards(played, "es") == ["El asiento 2 gana 180: póquer de nueves"]


def test_each_side_pot_has_its_winner_and_its_hand() -> None:
    played = all_in("As 9c Qs Ad 9h Qh", "Ah 9d Qd 4s 7h", {1: 200, 2: 60, 3: 200})
    assert describe_awards(played) == ["Side pot 280: seat 1, three queens", "Seat 2 wins 180: three aces"]
    played("done")
    assert [award["pushed"] for award in view(played)["awards"]] == [True, False]
    played("done")
    assert describe_awards(played) == ["Side pot 280: seat 1, three queens", "Seat 2 wins 180: three aces"]


def test_several_side_pots_are_numbered() -> None:
    stacks: dict[int, int | None] = {1: 200, 2: 30, 3: 90, 4: 200}
    played = all_in("As Kc Qs Jd Ad Kh Qh Jh", "3h 4d 8d 9s 2h", stacks)
    assert describe_awards(played)[:2] == [
        "Side pot 2 (220): seat 4, pair of queens",
        "Side pot 1 (180): seat 3, pair of kings",
    ]


@pytest.mark.parametrize(
    ("cards", "board", "words"),
    [
        ("As Ac 2d Kd Qd 3d", "Ah 9s 8s 4h Jc", "pair of aces, kicker king"),  # the kicker decides
        ("As 7c 2d Ks 6d 3d", "Ah 9s 8s 4h Jc", "pair of aces"),  # nobody else has that pair
        ("Ks Kc 4d 2s 3d 5h", "Ah Kh 9s 8s 7c", "pair of kings"),  # a tie tells no kicker
        ("As Ad 4d Jh Th 5h", "Ac Kd 9s 8s 3c", "pair of aces, kickers king, jack"),
        ("9h 9c 4d Kh Qd 6h", "9s As Ad 4c 2c", "two pair, aces and nines, kicker king"),
    ],
)
def test_a_kicker_is_told_where_it_decides(cards: str, board: str, words: str) -> None:
    assert words in describe_awards(all_in(cards, board))[0]


def test_a_counterfeit_kicker_is_not_told() -> None:
    """The board's king plays for both beside the aces, and so they split."""
    played = all_in("As Ac 4d 3s 2d 5h", "Ah Kh Qs Js 9c")
    assert describe_awards(played) == ["Seats 2, 3 split 180: pair of aces – 90 each"]


def test_a_split_says_the_shares_and_whose_the_odd_chip_is() -> None:
    played = all_in("As Ac 4d 3s 2d 5h", "Ah Kh Qs Js 9c", {1: 25, 2: 25, 3: 25})
    assert describe_awards(played) == [
        "Seats 2, 3 split 75: pair of aces – 38 to seat 2, 37 to seat 3 – odd chip: seat 2"
    ]


def test_a_hand_that_wins_because_the_others_folded_is_not_named() -> None:
    played = play("roberts-7", "start", "card As Ac 4d 3s 2d 5h", "act 1 raise 8", "act 2 fold", "act 3 fold", seats=3)
    assert describe_awards(played) == ["Seat 1 wins 5"]
    assert view(played)["hands"] == {}
    assert "cards" not in json.dumps([award.get("hand") for award in view(played)["awards"]])


def check_down(*lines: str, **table: Any) -> ScriptedTable:  # noqa: ANN401
    """Three seats call and check to the showdown."""
    played = play("roberts-7", "start", *lines, seats=3, **table)
    board = iter(["-", "Ah", "9s", "8s", "-", "4h", "-", "Jc"])
    while (step := played.lines[-1]["next"][0])["step"] in ("act", "burn", "board"):
        if step["step"] == "act":
            played(f"act {step['seat']} {'check' if 'check' in step['options'] else 'call'}")
        else:
            played(f"card {next(board)}")
    return played


def test_a_mucked_hand_is_neither_named_nor_counted() -> None:
    """Its ace would have made the king of the other one a kicker that decides."""
    played = check_down("card Ad Ac 2d Kd Qd 3d")
    played("show 2", "muck 3", "show 1")
    assert describe_awards(played) == ["Seat 2 wins 6: pair of aces"]
    assert not {"Ac", "Qd"} & {*json.dumps(view(played)).split('"')}


def test_a_killed_hand_is_not_named() -> None:
    played = check_down("card Ad Ac 2d Kd Qd 3d")
    played("show 2", "show 3", {"ev": "floor", "decide": "dead-hand", "seat": 3})
    assert "error" not in played.lines[-1]
    show_all(played)
    assert describe_awards(played) == ["Seat 2 wins 6: pair of aces"]
    assert not {"Ac", "Qd"} & {*json.dumps(view(played)).split('"')}


def play_eight(cards: str, board: str) -> ScriptedTable:
    played = all_in(
        cards, board, game="omaha-8", betting={**NO_LIMIT, "structure": "pot-limit"}, stacks=dict.fromkeys((1, 2, 3), 2)
    )
    assert "error" not in played.lines[-1], played.lines[-1]
    return played


def test_high_and_low_have_a_hand_each() -> None:
    played = play_eight("As Kd Qd 2h Kh Qh Js Tc 9d Jh Th 8h", "3h 4d 8d Ks 2c")
    assert describe_awards(played) == ["High 3: seat 3, three kings", "Low 3: seat 2, 8-4 low"]


def test_where_nobody_has_a_low_that_is_said() -> None:
    played = play_eight("As Kd Qd 2h Kh Qh Js Tc 9d Jh Th 8h", "3h Td Jd Ks 9c")
    assert describe_awards(played) == ["Seat 1 wins 6: straight, king high – no low"]


def test_each_board_is_said_with_its_number() -> None:
    played = play("roberts-7", "start", "card As 9c Qs Ad 9h Qh", stacks={1: 100, 2: 100, 3: 100})
    played("act 1 all-in", "act 2 all-in", "act 3 all-in", {"ev": "twice", "count": 2})
    played("card - Ah 9d Qd - 4s - 7h", "card - Kh Kd 2d - 7s - 8h")
    show_all(played)
    assert describe_awards(played) == [
        "Board 1 (150): seat 2, three aces",
        "Board 2 (150): seat 2, two pair, aces and kings",
    ]


def test_where_no_amounts_are_known_the_hand_is_said() -> None:
    played = show_all(check_down("card Ad Ac 2d Kd Qd 3d", amounts="untracked", stacks=dict.fromkeys((1, 2, 3))))
    assert describe_awards(played) == ["Seat 2 wins the pot: pair of aces, kicker king"]
    tie = all_in("As Ac 4d 3s 2d 5h", "Ah Kh Qs Js 9c", dict.fromkeys((1, 2, 3)), amounts="untracked")
    assert describe_awards(tie) == ["Seats 2, 3 split the pot: pair of aces"]


def test_what_nothing_read_is_asked_for() -> None:
    played = check_down("card Ad - 2d Kd - 3d")
    assert view(played)["asked"] == [3]
    texts = [step["text"] for step in reword_steps(add_instructions(played.lines[-1]["next"]), view(played))]
    assert texts == ["Seat 2 shows", "Seat 3 shows: which cards?", "Seat 1 shows"]
    named = {"ev": "show", "seat": 3, "cards": ["Ac", "Qd"]}
    played("show 2", named, "show 1")
    assert describe_awards(played) == ["Seat 2 wins 6: pair of aces, kicker king"]
    played("undo", "undo", {"ev": "show", "seat": 3}, "show 1")
    assert describe_awards(played) == ["Who wins the pot? Seats 1, 2, 3"]
    played({"ev": "won", "seat": 3, "pot": 0})
    assert describe_awards(played) == ["Seat 3 wins 6"]


def test_a_pot_that_is_taken_back_is_said_again() -> None:
    played = all_in("As 9c Qs Ad 9h Qh", "Ah 9d Qd 4s 7h", {1: 200, 2: 60, 3: 200})
    before = [view(played)]
    for _ in range(2):
        played("done")
        before.append(view(played))
    for was in before[-2::-1]:
        played("undo")
        assert view(played) == was


def test_a_board_card_that_is_put_right_changes_who_wins() -> None:
    played = all_in("9c As 2d 9h Ad 3d", "Ac 9s 4s 7h 9d")
    river = max(number for number, line in enumerate(played.lines, 1) if line["piles"]["board"] == 4) + 1
    played({"ev": "amend", "line": river, "to": {"ev": "card", "card": "Ah"}})
    assert "error" not in played.lines[-1]
    assert describe_awards(played) == ["Seat 3 wins 180: four aces"]


def test_the_next_hand_shows_nothing_of_the_last() -> None:
    played = all_in("9c As 2d 9h Ad 3d", "Ac 9s 4s 7h 9d", {1: 90, 2: 60, 3: 80})
    while played.lines[-1]["next"]:
        played("done")
    assert describe_awards(played)
    played("start")
    assert render_showdown(played.table.outcome.state) is None


def states(folder: Path) -> Iterator[tuple[str, TableState]]:
    """How the table stands after each entry of the scenarios of a folder."""
    for file in sorted(folder.glob("*.jsonl")):
        table = Table()
        for number, text in enumerate(filter(str.strip, file.read_text(encoding="utf-8").splitlines()), 1):
            line = {key: value for key, value in json.loads(text).items() if key != "expect"}
            try:
                table.handle(parse_table_line(line) if line["ev"] == "table" else script_lines.parse_line(line))
            except Refused:
                continue
            yield f"{file.stem} {number}", table.outcome.state


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_no_card_is_named_that_does_not_lie_open_and_every_award_has_its_words(folder: Path) -> None:
    languages = [load_language(name) for name in list_languages()]
    assert ENGLISH in languages
    for where, state in states(folder):
        shown = render_showdown(state)
        if shown is None:
            continue
        named = {card for hand in shown["hands"].values() for card in hand}
        named |= {card for award in shown["awards"] for winner in award["winners"] for card in winner["cards"]}
        assert named <= find_open_cards(state), where
        due = [step for step in outcome_rendering.render_plan(state) if step["step"] == "award"]
        awards = [award for award in shown["awards"] if not award["pushed"]]
        if awards:
            assert [(award["pot"], [winner["seat"] for winner in award["winners"]]) for award in awards] == [
                (step["pot"], step["seats"]) for step in due
            ], where
        for language in languages:
            worded = word_showdown(shown, language)
            assert worded is not None
            assert all(award["text"] and "{" not in award["text"] for award in worded["awards"]), where

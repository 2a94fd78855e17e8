"""Rows of WSOP 2024 that it answers as Robert's Rules do: what plays them there is played under its book, too."""

from collections.abc import Callable
from types import ModuleType

import pytest

from tests.games.playing import said, steps, table
from tests.playing import play
from tests.rules.betting import test_kill as kill
from tests.rules.draw import test_draw as draw
from tests.rules.draw import test_lowball_rows as lowball
from tests.rules.seating import test_house_customs as customs
from tests.rules.seating import test_people as people
from tests.rules.stud import test_stud as stud
from tests.rules.stud_deals import awards
from tests.rules.stud_deals import dealt as stud_dealt

TDA, WSOP, LIVE = "tda-2024", "wsop-2024", "wsop-live-2024"
CASES: tuple[tuple[str, ModuleType, Callable[[], None]], ...] = (
    ("WSOP-L-157", people, lambda: people.test_R7_4_blinds_11(LIVE, "WSOP-L-157")),
    ("WSOP-L-158", people, lambda: people.test_R7_4_blinds_13a(LIVE)),
    ("WSOP-L-73", customs, lambda: customs.test_R7_2_proc_20(LIVE, "WSOP-L-73", 60)),
    ("WSOP-L-114", customs, lambda: customs.test_R7_3_irreg_6(LIVE)),
    ("WSOP-L-kill", kill, kill.test_R7_13_kill_7),
    ("WSOP-L-kill half", kill, kill.test_R7_13_intro),
    ("WSOP-L-189", kill, kill.test_R7_13_kill_1),
    ("WSOP-L-190", kill, kill.test_R7_13_kill_2),
    ("WSOP-L-191", kill, kill.test_R7_13_kill_3),
    ("WSOP-L-192", kill, kill.test_R7_13_kill_4),
    ("WSOP-L-193", kill, kill.test_R7_13_kill_5),
    ("WSOP-L-195", kill, lambda: kill.test_R7_13_kill_8(5, True)),
    ("WSOP-L-198", kill, kill.test_R7_13_kill_11),
    ("WSOP-L-201", kill, kill.test_R7_13_kill_12),
    ("WSOP-L-230 first of two", stud, lambda: stud.test_R7_8_stud_17_c(LIVE)),
    ("WSOP-L-230 second of two", stud, lambda: stud.test_R7_8_stud_17_d(LIVE)),
    ("WSOP-L-231", stud, stud.test_R7_8_stud_18_a),
    ("WSOP-L-264", lowball, lambda: lowball.test_R7_11_lowball_3("lowball-a5")),
    ("WSOP-L-265", lowball, lambda: lowball.test_R7_11_lowball_5(4, {"2": 4, "3": 10})),
    ("WSOP-L-265 half", lowball, lambda: lowball.test_R7_11_lowball_5(5, {"2": 5})),
    ("WSOP-L-268", lowball, lambda: lowball.test_R7_11_lowball_7("lowball-a5")),
    ("WSOP-L-271 on the draw", draw, draw.test_R7_11_lowball_11_b),
)


@pytest.mark.parametrize(("row", "module", "case"), CASES, ids=[case[0] for case in CASES])
def test_a_row_is_played_as_by_roberts_rules(
    row: str, module: ModuleType, case: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same hands, and what they come to, under the live book.

    Covers: WSOP-L-157 WSOP-L-158 WSOP-L-73 WSOP-L-114 WSOP-L-kill WSOP-L-189 WSOP-L-190 WSOP-L-191
    WSOP-L-192 WSOP-L-193 WSOP-L-195 WSOP-L-198 WSOP-L-201 WSOP-L-230 WSOP-L-231 WSOP-L-264 WSOP-L-265
    WSOP-L-268 WSOP-L-271
    """
    assert row.startswith("WSOP-L-")
    for name, function in (("play", play), ("table", table)):
        if hasattr(module, name):
            monkeypatch.setattr(module, name, lambda _book, *lines, _f=function, **keys: _f(LIVE, *lines, **keys))
    case()


def test_WSOP_L_229_an_all_in_players_last_card_comes_up() -> None:
    """It is kept; the others get theirs down.

    Covers: WSOP-L-229
    """
    played = table(LIVE, "stud-7", "start", stud.DOWN, stud.UP, stacks={1: 3, 2: 200, 3: 200})
    for cards in ("3c 4c 5c 6c", "3d 4d 5d 6h", "3s 4s 5h 9h"):
        stud.street(played, cards)
    stud.street(played, "7c 8c")
    answer = played("report last-faceup")
    assert (answer["rulings"][0]["cite"][0], steps(answer)[0]) == ("WSOP-L-229", ("deal", 2, "down"))


@pytest.mark.parametrize("book", [TDA, WSOP])
def test_TDA_20_B_the_odd_chip_at_stud(book: str) -> None:
    """To the highest card by suit among the five that are used, in razz and in a tied half, too; high before low.

    Covers: TDA-20#B WSOP-T-73#stud WSOP-T-IX.stud8#odd
    """
    straights = ("5c 6c 7d 8d 9s Kd 2c", "5d 6d 7c 8c 9h Kh 2d", "3s 3h Jc Qd Ts 4s Jd")
    assert awards(stud_dealt(book, "stud-7", *straights)) == [(0, [1, 2], [5, 4])]
    assert awards(stud_dealt(book, "stud-8", *straights)) == [(0, [1, 2], [3, 2]), (0, [1, 2], [2, 2])]
    eights = ("8c 7c 6d 5d 4s 4h Kd", "8d 7d 6c 5c 4d Kc Qc", "Ks Kh Qs Qd Jc Js Td")
    assert awards(stud_dealt(book, "razz", *eights)) == [(0, [1, 2], [4, 5])]


def test_TDA_RP_10_B_allin_no_betting_remains() -> None:
    """Seventh street comes down all the same, whatever the dealer exposed.

    Covers: TDA-RP-10-B#allin
    """
    played = table(TDA, "stud-7", "start", stud.DOWN, stud.UP, stacks={1: 2, 2: 2, 3: 2})
    while played.lines[-1]["next"][0]["step"] == "act":
        words = played.lines[-1]["next"][0]["options"]
        word = next(word for word in ("bring-in", "call", "check", "all-in") if word in words)
        played(f"act {played.lines[-1]['next'][0]['seat']} {word}")
    while played.lines[-1]["next"][0]["step"] == "show":
        played(f"show {played.lines[-1]['next'][0]['seat']}")
    while played.lines[-1]["street"] != "seventh":
        played("card -")
    assert [step["face"] for step in played.lines[-1]["next"] if step["step"] == "deal"] == ["down"] * 3
    assert said(played("card - 8d", "report last-faceup"))[0][1] != "replace"

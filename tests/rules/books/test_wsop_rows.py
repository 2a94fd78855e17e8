"""Rows of WSOP 2024, tournament and live, and some of TDA 2024, of the deal, the deck and the board: a case a row."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.games.playing import table
from tests.playing import ScriptedTable, play
from tests.rules.deals import again, dealt, on_flop, plan

TDA, WSOP, LIVE = "tda-2024", "wsop-2024", "wsop-live-2024"
ACTED = ("act 4 call", "act 1 call")
"""Substantial action under both books."""
BOXED = {"ev": "card", "card": "2s", "face": "up"}
BOXED_TOO = {**BOXED, "card": "3s"}
JOKER = {"ev": "report", "what": "joker", "where": "hand", "seat": 3, "nth": 1}
UNREAD = "card Ad - Tc 5d 6c 4d Qh 6d"
THIRD = "card 2c 3c 4c 5c 6c 7c 2d Jd Qd"
STUD_BET = ("act 1 bring-in", "act 2 call")
STUD_EARLY = (THIRD, *STUD_BET, "card 9s Kh", {"ev": "report", "what": "premature", "count": 2})


def report(what: str, **keys: object) -> dict[str, Any]:
    return {"ev": "report", "what": what, **keys}


def first(played: ScriptedTable) -> tuple[str, str, str]:
    """Finding, verdict and deciding clause of the last line."""
    assert "error" not in played.lines[-1], played.lines[-1]["error"]
    ruling = played.lines[-1]["rulings"][0]
    return ruling["finding"], ruling["verdict"], ruling["cite"][0]


Case = tuple[str, Callable[[], ScriptedTable], str, str, list[str]]
"""Row, how it is played, verdict and clause of its first ruling, how the plan begins then."""

AGAIN = again(0)[1:]

CASES: list[Case] = [
    ("WSOP-T-88.a.1", lambda: play(WSOP, "start", BOXED, "done", BOXED_TOO), "misdeal", "WSOP-T-88.a.1", []),
    (
        "WSOP-T-88.a.2",
        lambda: dealt(WSOP, "card Kd 2c", report("extra-card", seat=3, count=2)),
        "misdeal",
        "WSOP-T-88.a.2",
        [],
    ),
    (
        "WSOP-T-88.a.3",
        lambda: play(WSOP, "start", "card Ad", "report wrong-seat seat=4"),
        "misdeal",
        "WSOP-T-88.a.3",
        [],
    ),
    (
        "WSOP-T-88.a.4",
        lambda: play(WSOP, "start", "card Ad 9c", "report not-entitled seat=7"),
        "misdeal",
        "WSOP-T-88.a.4",
        [],
    ),
    (
        "WSOP-T-88.a.5",
        lambda: play(WSOP, "start", "card Ad 9c Tc", "report skipped seat=3"),
        "misdeal",
        "WSOP-T-88.a.5",
        [],
    ),
    (
        "WSOP-T-88.a.6",
        lambda: table(WSOP, "stud-7", "start", "card 2c", "report exposed"),
        "misdeal",
        "WSOP-T-88.a.6",
        [],
    ),
    ("WSOP-T-88.a.7", lambda: play(WSOP, "start", "card Ad 9c", "report exposed"), "misdeal", "WSOP-T-88.a.7", []),
    (
        "WSOP-T-88.a.7 two",
        lambda: play(WSOP, "start", "card Ad 9c Tc", "report exposed", "card 5d", "report exposed"),
        "misdeal",
        "WSOP-T-88.a.7",
        [],
    ),
    (
        "WSOP-T-88.a.7#button",
        lambda: dealt(WSOP, "report short-hand seat=1"),
        "correct",
        "WSOP-T-108",
        ["deal 1 missing", "act 4"],
    ),
    ("TDA-35-B", lambda: dealt(TDA, "report short-hand seat=1"), "correct", "TDA-37", ["deal 1 missing", "act 4"]),
    ("WSOP-T-88.c.3", lambda: on_flop(WSOP, "act 2 check", "report no-burn"), "play-on", "WSOP-T-88.c.3", ["act 3"]),
    ("WSOP-T-88.d.1", lambda: dealt(WSOP, *ACTED, report("foreign-back", seat=2)), "void-hand", "WSOP-T-88.d.1", []),
    (
        "WSOP-T-88.d.1 stub",
        lambda: dealt(WSOP, *ACTED, report("foreign-back", where="stub")),
        "play-on",
        "WSOP-T-88.d.1",
        ["act 2"],
    ),
    (
        "WSOP-T-88.d.1 soon",
        lambda: dealt(WSOP, "act 4 call", report("foreign-back", where="stub")),
        "void-hand",
        "WSOP-T-88.d.1",
        [],
    ),
    ("WSOP-T-88.d.2", lambda: dealt(WSOP, *ACTED, "report duplicate"), "void-hand", "WSOP-T-88.d.2", []),
    (
        "WSOP-T-108.count",
        lambda: dealt(WSOP, *ACTED, "card Kd", "report extra-card seat=3"),
        "dead-hand",
        "WSOP-T-108.count",
        ["act 2"],
    ),
    (
        "WSOP-T-108.button",
        lambda: dealt(WSOP, "act 4 raise 6", "report short-hand seat=1"),
        "correct",
        "WSOP-T-108",
        ["deal 1 missing", "act 1"],
    ),
    ("WSOP-T-108.button acted", lambda: dealt(WSOP, *ACTED, "report short-hand seat=1"), "dead-hand", "WSOP-T-108", []),
    (
        "WSOP-T-108.joker",
        lambda: play(WSOP, "start", UNREAD, *ACTED, "act 2 call", "act 3 raise 8", JOKER),
        "dead-hand",
        "WSOP-T-108.joker",
        [],
    ),
    (
        "WSOP-T-gloss.boxed",
        lambda: play(WSOP, "start", BOXED),
        "scrap",
        "WSOP-T-gloss.boxed",
        ["return boxed seat 2 > muck 1", "deal 2"],
    ),
    (
        "WSOP-T-gloss.burn",
        lambda: dealt(WSOP, *ACTED, "card Kd", "report extra-card seat=3", "act 2 call", "card 8h"),
        "",
        "",
        ["board flop 3"],
    ),
    (
        "WSOP-T-gloss.defective",
        lambda: on_flop(WSOP, "act 2 check", report("deck-defective")),
        "void-hand",
        "WSOP-T-gloss.defective",
        [],
    ),
    ("WSOP-T-gloss.oot", lambda: on_flop(WSOP, "act 4 fold"), "bind", "WSOP-T-gloss.oot", ["act 2"]),
    (
        "WSOP-T-90.f.a",
        lambda: dealt(WSOP, *ACTED, "card 8h 2s 4s Qd", report("premature", count=4)),
        "redeal-board",
        "WSOP-T-90.f.a",
        ["act 2"],
    ),
    (
        "WSOP-T-90.f.b",
        lambda: on_flop(WSOP, "act 2 check", "card 7h 7d", report("premature", count=2)),
        "redeal-street",
        "WSOP-T-90.f.b",
        ["act 3"],
    ),
    (
        "WSOP-T-90.f.d",
        lambda: table(WSOP, "stud-7", "start", *STUD_EARLY),
        "redeal-street",
        "WSOP-T-90.f.d",
        ["return premature seat 1 > stub 1", "shuffle", "cut", "act 3"],
    ),
    ("TDA-RP-5-D", lambda: table(TDA, "stud-7", "start", *STUD_EARLY), "redeal-street", "TDA-RP-5-D", ["act 3"]),
    ("TDA-RP-10-A", lambda: table(TDA, "stud-7", "start", "card 2c", "report exposed"), "must-keep", "TDA-RP-10-A", []),
    ("TDA-34-A#before", lambda: dealt(TDA, "act 4 call", report("button-wrong", seat=4)), "misdeal", "TDA-34-A", []),
    ("TDA-34-A#after", lambda: dealt(TDA, *ACTED, report("button-wrong", seat=4)), "play-on", "TDA-36", ["act 2"]),
    (
        "TDA-35-A#draw",
        lambda: table(TDA, "draw-high", "start", "card 2c 3c 4c", "report exposed"),
        "must-keep",
        "R7-12.draw.4",
        [],
    ),
    (
        "WSOP-L-21",
        lambda: play(LIVE, "start", BOXED),
        "scrap",
        "WSOP-L-21",
        ["return boxed seat 2 > aside 1", "deal 2"],
    ),
    (
        "WSOP-L-21#two",
        lambda: dealt(LIVE, *ACTED, "act 2 call", "act 3 check", "card 9s", BOXED, "done", BOXED_TOO),
        "void-hand",
        "WSOP-L-21",
        AGAIN,
    ),
    (
        "WSOP-L-22",
        lambda: play(LIVE, "start", {"ev": "card", "card": None, "foreign": True}),
        "void-hand",
        "WSOP-L-111",
        [],
    ),
    ("WSOP-L-104#1", lambda: play(LIVE, "start", "card Ad", "report exposed"), "misdeal", "WSOP-L-104", []),
    (
        "WSOP-L-104#2",
        lambda: play(LIVE, "start", "card Ad 9c Tc", "report exposed", "card 5d", "report exposed"),
        "misdeal",
        "WSOP-L-104",
        [],
    ),
    ("WSOP-L-104#3", lambda: play(LIVE, "start", BOXED, "done", BOXED_TOO), "misdeal", "WSOP-L-104", []),
    (
        "WSOP-L-104#4",
        lambda: dealt(LIVE, "card Kd 2c", report("extra-card", seat=3, count=2)),
        "misdeal",
        "WSOP-L-104",
        [],
    ),
    ("WSOP-L-104#5", lambda: dealt(LIVE, "report short-hand seat=3 count=2"), "misdeal", "WSOP-L-104", []),
    (
        "WSOP-L-104#6",
        lambda: play(LIVE, "start", "card Ad 9c Tc", "report wrong-seat seat=2"),
        "misdeal",
        "WSOP-L-104",
        [],
    ),
    ("WSOP-L-104#7", lambda: dealt(LIVE, report("button-wrong", seat=4)), "misdeal", "WSOP-L-104", []),
    ("WSOP-L-104#8", lambda: play(LIVE, "start", "card Ad", "report wrong-seat seat=4"), "misdeal", "WSOP-L-104", []),
    (
        "WSOP-L-104#9",
        lambda: play(LIVE, "start", "card Ad 9c Tc", "report skipped seat=3"),
        "misdeal",
        "WSOP-L-104",
        [],
    ),
    (
        "WSOP-L-105#stud",
        lambda: table(LIVE, "stud-7", "start", THIRD, "act 1 bring-in", "act 2 fold", "report skipped seat=3"),
        "misdeal",
        "WSOP-L-104",
        [],
    ),
    (
        "WSOP-L-109",
        lambda: dealt(
            LIVE, "act 4 fold", "act 1 fold", "act 2 fold", "done", report("button-wrong", seat=4, hand="previous")
        ),
        "correct",
        "WSOP-L-109",
        [],
    ),
    (
        "WSOP-L-111",
        lambda: dealt(LIVE, *ACTED, report("foreign-back", where="stub")),
        "play-on",
        "WSOP-L-111",
        ["act 2"],
    ),
    ("WSOP-L-112", lambda: dealt(LIVE, *ACTED, "report duplicate"), "void-hand", "WSOP-L-112", []),
    ("WSOP-L-115", lambda: play(LIVE, "start", "card Ad joker"), "scrap", "WSOP-L-115", []),
    ("WSOP-L-117", lambda: dealt(LIVE, *ACTED, "report missing-card"), "play-on", "WSOP-L-117", ["act 2"]),
    (
        "WSOP-L-118",
        lambda: dealt(LIVE, "card Kd", "report extra-card seat=3"),
        "return-as-burn",
        "WSOP-L-118",
        ["return extra seat 3 > burn 1", "act 4"],
    ),
    (
        "WSOP-L-119",
        lambda: play(LIVE, "start", "card Ad 9c Tc", report("exposed", by="player")),
        "must-keep",
        "WSOP-L-119",
        ["deal 1"],
    ),
    ("WSOP-L-120", lambda: play(LIVE, "start", "card Ad 9c Tc", "report exposed"), "replace", "WSOP-L-104", ["deal 1"]),
    ("WSOP-L-122", lambda: on_flop(LIVE, "act 2 check", "report no-burn"), "play-on", "WSOP-L-165", ["act 3"]),
    (
        "WSOP-L-123",
        lambda: on_flop(LIVE, "act 2 check", "card 7h 7d", report("premature", count=2)),
        "redeal-street",
        "WSOP-L-167",
        ["act 3"],
    ),
    (
        "WSOP-L-163",
        lambda: on_flop(LIVE, "card Jd", report("board-extra", count=1)),
        "return-as-burn",
        "WSOP-L-163",
        ["return board board > burn 1", "act 2"],
    ),
    (
        "WSOP-L-163 five",
        lambda: on_flop(LIVE, "card Jd Js", report("board-extra", count=2)),
        "redeal-board",
        "WSOP-L-163",
        [],
    ),
    (
        "WSOP-L-164",
        lambda: dealt(LIVE, *ACTED, "act 2 call", "act 3 check", "card 8h 2s 4s", "report no-burn"),
        "redeal-board",
        "WSOP-L-164",
        [],
    ),
    (
        "WSOP-L-165",
        lambda: on_flop(
            LIVE, "act 2 check", "act 3 check", "act 4 check", "act 1 check", "card 7h 7d", "report double-burn"
        ),
        "correct",
        "WSOP-L-165",
        [],
    ),
    (
        "WSOP-L-166",
        lambda: on_flop(
            LIVE, "act 2 check", "card 7h 7d", report("premature", count=2), "act 3 fold", "act 4 fold", "act 1 fold"
        ),
        "",
        "",
        ["award [2]"],
    ),
    (
        "WSOP-L-167",
        lambda: dealt(LIVE, *ACTED, "card 8h 2s 4s Qd", report("premature", count=4)),
        "redeal-board",
        "WSOP-L-167",
        ["act 2"],
    ),
    ("WSOP-L-214", lambda: table(LIVE, "stud-7", "start", "card 2c", "report exposed"), "must-keep", "WSOP-L-214", []),
    (
        "WSOP-L-224",
        lambda: table(LIVE, "stud-7", "start", "card 2c", "report off-table"),
        "must-keep",
        "WSOP-L-214",
        [],
    ),
    (
        "WSOP-L-227",
        lambda: table(LIVE, "stud-7", "start", *STUD_EARLY),
        "redeal-street",
        "WSOP-L-227",
        ["return premature seat 1 > stub 1", "shuffle", "cut", "act 3"],
    ),
]


@pytest.mark.parametrize(("row", "played", "verdict", "clause", "steps"), CASES, ids=[case[0] for case in CASES])
def test_a_row_of_the_deal(
    row: str, played: Callable[[], ScriptedTable], verdict: str, clause: str, steps: list[str]
) -> None:
    """Each case is a row.

    Covers: WSOP-T-88.a.1 WSOP-T-88.a.2 WSOP-T-88.a.3 WSOP-T-88.a.4 WSOP-T-88.a.5 WSOP-T-88.a.6 WSOP-T-88.a.7
    WSOP-T-88.a.7#button TDA-35-B WSOP-T-88.c.3 WSOP-T-88.d.1 WSOP-T-88.d.2 WSOP-T-108.count WSOP-T-108.button
    WSOP-T-108.joker WSOP-T-gloss.boxed WSOP-T-gloss.burn WSOP-T-gloss.defective WSOP-T-gloss.oot WSOP-T-90.f.a
    WSOP-T-90.f.b WSOP-T-90.f.d TDA-RP-5-D TDA-RP-10-A TDA-34-A#before TDA-34-A#after TDA-35-A#draw WSOP-L-21
    WSOP-L-21#two WSOP-L-22 WSOP-L-104#1 WSOP-L-104#2 WSOP-L-104#3 WSOP-L-104#4 WSOP-L-104#5 WSOP-L-104#6 WSOP-L-104#7
    WSOP-L-104#8 WSOP-L-104#9 WSOP-L-105#stud WSOP-L-109 WSOP-L-111 WSOP-L-112 WSOP-L-115 WSOP-L-117 WSOP-L-118
    WSOP-L-119 WSOP-L-120 WSOP-L-122 WSOP-L-123 WSOP-L-163 WSOP-L-164 WSOP-L-165 WSOP-L-166 WSOP-L-167 WSOP-L-214
    WSOP-L-224 WSOP-L-227
    """
    found = played()
    assert "error" not in found.lines[-1], (row, found.lines[-1]["error"])
    if verdict:
        assert first(found)[1] == verdict
        assert first(found)[2].startswith(clause)
    if verdict in ("misdeal", "void-hand"):
        steps = AGAIN
        assert plan(found)[1:3] == steps
    else:
        assert plan(found)[: len(steps)] == steps

"""Missed and surplus burns, by the book's clauses."""

import json
from typing import Any

import pytest

from controller.core.protocol.events import Report
from controller.core.protocol.script_lines import format_line, parse_line
from tests.playing import ScriptedTable, play
from tests.rules.boards import (
    before_flop,
    error,
    preflop,
)

BOOKS = ("roberts-7", "casino-au", "house-rules", "fish-n-chips", "maryport", "tda-2024", "wsop-2024", "wsop-live-2024")
ROUNDS: dict[str, Any] = {"follow": "rounds", "amounts": "untracked", "stacks": dict.fromkeys((1, 2, 3, 4))}


def test_no_burn_needs_a_card() -> None:
    """Nothing has been dealt for a street yet, or its burn lies there already: refused, and nothing changes."""
    played = preflop("roberts-7")
    before = played.lines[-1]
    played("report no-burn")
    assert error(played) == "no-card"
    assert {**played.lines[-1], "line": 0, "error": 0, "rulings": 0} == {**before, "line": 0, "error": 0, "rulings": 0}
    played = before_flop("roberts-7")
    played("card 8h", "report double-burn")
    assert error(played) == "no-card"
    played("report double-burn count=1")
    assert error(played) == "value"


def deal_without_burn(book: str, streets: int, **setup: Any) -> ScriptedTable:  # noqa: ANN401
    """Streets with a burn each, then one without: all its cards lie there, and one seems to be due."""
    played = play(book, "start", "card - - - - - - - -", **setup)
    by_rounds = setup.get("follow") == "rounds"
    for street, cards in enumerate(("card 8h 2s 4s", "card 9c", "card Qd")[: streets + 1]):
        while (step := played.lines[-1]["next"][0])["step"] in ("act", "bet"):
            options = step.get("options", ())
            word = "check" if "check" in options else "call"
            played({"ev": "closed"} if by_rounds else {"ev": "act", "seat": step["seat"], "do": word})
        played(cards if street == streets else f"card - {cards[5:]}")
    return played


def answer(played: ScriptedTable) -> dict[str, Any]:
    """The last answer, whatever its line."""
    return json.loads(json.dumps(played.lines[-1] | {"line": 0}))  # type: ignore[no-any-return]


@pytest.mark.parametrize("streets", [0, 1, 2])
@pytest.mark.parametrize("book", BOOKS)
def test_a_refused_act_is_asked_about_and_leaves_no_other_trace(book: str, streets: int) -> None:
    """A journal that has only the lines that were taken leads to the same question and the same ruling
    [TDA-39-B, R7-5.holdem.5, AU-19.3].

    Without a refused act the burn is put right at once; that it was refused says `refused` in the line that is kept.
    """
    played, kept = deal_without_burn(book, streets), deal_without_burn(book, streets)
    assert played("report no-burn")["rulings"][0]["verdict"] != "ask"
    played("undo")
    assert "error" in played("act 3 bet 6")
    report = parse_line({"ev": "report", "what": "no-burn"})
    assert isinstance(report, Report)
    line = format_line(played.table.resolve_event(report))
    assert line == {"ev": "report", "what": "no-burn", "refused": True}
    played("report no-burn")
    kept(line)
    assert answer(played) == answer(kept)
    assert played.lines[-1]["rulings"][0]["verdict"] == "ask"
    assert played.lines[-1]["next"][0] == {"step": "say", "options": ["acted"]}
    for each in (played, kept):
        each("report acted count=2")
    assert answer(played) == answer(kept)
    assert played.lines[-1]["rulings"][0]["verdict"] == "play-on"


@pytest.mark.parametrize("streets", [0, 1, 2])
@pytest.mark.parametrize("book", BOOKS)
def test_told_by_rounds_it_is_always_asked(book: str, streets: int) -> None:
    """Nobody enters acts: all cards of the street lie there, and players may have acted [TDA-39-B, R7-5.holdem.5]."""
    for count in (0, 3):
        played = deal_without_burn(book, streets, **ROUNDS)
        assert played("report no-burn")["rulings"][0]["verdict"] == "ask", played.lines[-1]
        played(f"report acted count={count}")
        assert (played.lines[-1]["rulings"][0]["verdict"] == "play-on") is (count > 0)
        assert "error" not in played.lines[-1]


@pytest.mark.parametrize("said", ["acted=0", "acted=1"])
def test_what_is_said_is_not_asked(said: str) -> None:
    played = deal_without_burn("tda-2024", 0)
    played("act 3 bet 6", f"report no-burn {said}")
    assert played.lines[-1]["rulings"][0]["verdict"] == ("play-on" if said == "acted=1" else "correct")


def test_an_act_that_was_refused_before_the_last_card_is_forgotten() -> None:
    """Only one since the street's last card shows that the betting had begun."""
    played = deal_without_burn("tda-2024", 0)
    played("act 3 bet 6", "card 7d", "report no-burn")
    assert played.lines[-1]["rulings"][0]["verdict"] == "correct"

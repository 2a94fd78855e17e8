"""What was entered is put right: properties of every entry of many hands, and what bounds the memory of them."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from config.setup import open_table
from controller.core.engine import view
from controller.core.engine.history import LONGEST
from controller.core.engine.table import Table
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Act, Amend, Do, Time
from controller.core.protocol.script import read
from tests.playing import play

FOLDER = Path(__file__).parents[1] / "conformance" / "scenarios"
STORIES = sorted(FOLDER.rglob("*.jsonl"))[::12]


def told(path: Path) -> Table:
    """The table after a scenario."""
    table = Table()
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        line = {key: value for key, value in json.loads(text).items() if key != "expect"}
        try:
            table.handle(open_table(line) if line["ev"] == "table" else read(line), number)
        except Refused:
            continue
    return table


def said(table: Table) -> dict[str, Any]:
    """All that the table says but for what was ruled last."""
    line = view.line(table.outcome, 0)
    return {key: value for key, value in line.items() if key not in ("rulings", "amended")}


@pytest.mark.parametrize("path", STORIES, ids=lambda path: path.stem)
def test_an_entry_amended_to_itself_changes_nothing(path: Path) -> None:
    table = told(path)
    before, entries, refused = said(table), table.history.entries, set[str]()
    for entry in entries:
        assert not isinstance(entry.event, Amend)
        try:
            outcome = table.handle(Amend(entry.event, line=entry.line), 1000)
        except Refused as why:
            refused.add(why.code)
            continue
        assert said(table) == before
        assert len(outcome.rulings) == 1
        assert outcome.amended is not None
        assert (outcome.amended.chips, outcome.amended.gone, outcome.amended.dropped) == ({}, (), ())
        assert [each.event for each in table.history.entries] == [each.event for each in entries]
    assert refused <= {"amend-a-fact", "amend-too-late"}


@pytest.mark.parametrize("path", STORIES, ids=lambda path: path.stem)
def test_an_act_amended_there_and_back_and_undone_changes_nothing(path: Path) -> None:
    table = told(path)
    before, tried = said(table), 0
    for entry in table.history.entries:
        if not isinstance(entry.event, Act):
            continue
        for do in (Do.FOLD, Do.CALL, Do.CHECK):
            try:
                table.handle(Amend(replace(entry.event, do=do, to=None), line=entry.line), 1000)
            except Refused:
                assert said(table) == before
                continue
            there = said(table)
            table.handle(read({"ev": "undo"}), 1001)
            assert said(table) == before
            table.handle(Amend(replace(entry.event, do=do, to=None), line=entry.line), 1002)
            assert said(table) == there
            table.handle(Amend(entry.event, line=entry.line), 1003)
            assert said(table) == before
            tried += 1
    assert tried or not any(isinstance(entry.event, Act) for entry in table.history.entries[-1:])


def test_a_table_that_stands_keeps_no_more_than_its_longest() -> None:
    table = told(STORIES[0])
    for second in range(LONGEST + 10):
        table.handle(Time(t=float(second)))
        assert len(table.history.entries) <= LONGEST
    assert table.history.line > 0


def test_cards_that_a_ruling_had_moved_are_brought_back_step_by_step_and_play_goes_on() -> None:
    table = play("tda-2024", "start", "card - - - - - - - -", "act 4 call", "act 1 call", "act 2 call", "act 3 check")
    table("card - As Ks Qs", "act 2 check", "act 3 check", "act 4 check", "act 1 check", "card - Js 2d")
    table("report board-extra")
    report = len(table.lines)
    table("done")
    answer = table({"ev": "amend", "line": report, "to": None})
    assert answer["next"][0] == {"step": "move", "what": "card", "from": "burn", "to": "aside", "count": 1}
    answer = table("done")
    assert "error" not in answer
    assert answer["next"][0]["step"] == "say"
    assert answer["piles"]["aside"] == 1

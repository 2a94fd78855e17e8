"""Levels with three blinds and more: the file, what begins with the next hand, timer, clock and room."""

import json
from pathlib import Path
from typing import Any

import pytest

from config import schedule_file
from config.config_error import ConfigError
from config.file_library import Library
from config.table_line import parse_table_line
from controller.core.engine.output import outcome_rendering
from controller.core.engine.table import Table
from controller.core.protocol.script_lines import parse_line
from room.tournament import schedule_codec
from tests.people.hands import chairs

LEVELS = """
title = "Three blinds"
[[level]]
small-blind = 10
big-blind = 20
minutes = 20
[[level]]
blinds = [10, 20, 50]
ante = 5
minutes = 20
[[level]]
blinds = [100]
minutes = 20
"""


def write(folder: Path, text: str) -> Path:
    """A schedule of the house's own."""
    path = folder / "schedules" / "three.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("rule", ["moving", "dead"])
def test_the_number_of_blinds_changes_with_the_level(tmp_path: Path, rule: str) -> None:
    """Two blinds, three, then one: each hand has those of its level, and the big one goes to the next player.

    Covers: R7-15.tourn.8
    """
    write(tmp_path, LEVELS)
    table, found = Table(), []
    line = {"ev": "table", "rulebook": "roberts-7", "game": "holdem", "mode": "tournament", "button": 1}
    line |= {"betting": {"structure": "no-limit", "small_blind": 10, "big_blind": 20}, "seats": chairs(1, 2, 3, 4, 5)}
    line |= {"button_rule": rule, "house": {"schedule": "three"}}
    table.handle(parse_table_line(line, Library(tmp_path)))

    def play(event: dict[str, Any]) -> dict[str, Any]:
        return outcome_rendering.render_outcome(table.handle(parse_line(event)), 1)

    for number in range(3):
        if number:
            play({"ev": "level"})
        answer = play({"ev": "start"})
        found.append((answer["lamps"]["button"], answer["lamps"]["big_blind"], {**answer["bets"]}))
        while answer["next"]:
            step = answer["next"][0]
            if step["step"] == "act":
                answer = play({"ev": "act", "seat": step["seat"], "do": "fold"})
            else:
                answer = play({"ev": "card", "card": None} if step["step"] == "deal" else {"ev": "done"})
    two, three, one = found
    assert two == ([1], [3], {"2": 10, "3": 20})
    if rule == "moving":
        assert three == ([2], [4, 5], {"3": 10, "4": 50, "5": 50}), "seat 4 was due for the big blind, and has it"
    else:
        assert three == ([1], [4], {"2": 10, "3": 20, "4": 50})
    assert list(one[2].values()) == [100]


def test_the_file_says_all_blinds_of_a_level_or_two(tmp_path: Path) -> None:
    """`blinds` is instead of `small-blind` and `big-blind`; what makes no sense is refused with its line."""
    levels = schedule_file.read_schedule(write(tmp_path, LEVELS)).levels
    assert [level.blinds for level in levels] == [(10, 20), (10, 20, 50), (0, 100)]
    assert levels[1].opening_stakes(limit=False) == {"blinds": [10, 20, 50], "ante": 5}
    for wrong, word in (
        ("blinds = []", "a list of amounts"),
        ("blinds = 5", "a list of amounts"),
        ("blinds = [10, 50, 20]", "no other is larger"),
        ("blinds = [0, 50]", "no whole number from 1"),
        ("blinds = [10, 50]\nbig-blind = 50", "blinds says them all"),
    ):
        text = f'title = "x"\n[[level]]\n{wrong}\nminutes = 20\n'
        with pytest.raises(ConfigError, match=word):
            schedule_file.read_schedule(write(tmp_path, text))


def test_the_room_keeps_them(tmp_path: Path) -> None:
    """What an event began with is read back the same; a schedule of two blinds is written as ever."""
    schedule = schedule_file.read_schedule(write(tmp_path, LEVELS))
    written = json.loads(json.dumps(schedule_codec.to_json(schedule)))
    assert schedule_codec.from_json(written).levels == schedule.levels
    assert [level.get("middle_blinds") for level in written["levels"]] == [None, [20], None]

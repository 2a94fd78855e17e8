"""The printed schedules, to the letter, and what the loader refuses."""

from pathlib import Path

import pytest

from config import rulebook_file, schedule_file
from config.errors import ConfigError
from controller.core.tournament.schedule import Part

PRINTED = ("T2000", "T20000", "T100000")


@pytest.mark.parametrize("name", PRINTED)
def test_FC_10_sched(name: str) -> None:
    """Every level and break of a printed schedule is a row of the catalogue, and no row is left out."""
    schedule = schedule_file.load(name)
    ids = {schedule.clause(index) for index in range(len(schedule.levels))}
    ids |= {f"{schedule.cite}.break{index + 1}" for index, level in enumerate(schedule.levels) if level.then}
    known = {clause for clause in rulebook_file.clauses() if clause.startswith(f"FC-10.sched.{name}.")}
    assert ids == known


@pytest.mark.parametrize("name", ["T2000", "T20000"])
def test_FC_10_sched_printed_times(name: str) -> None:
    """Levels and breaks add up to the printed column."""
    schedule = schedule_file.load(name)
    assert [schedule.elapsed(index) for index in range(len(schedule.levels))] == [
        level.printed for level in schedule.levels
    ]


def test_FC_10_sched_T100000_L17() -> None:
    """The printed times run backwards after level 16; the clock runs by the lengths: 6:55, 7:10, 7:25, 7:40, 7:55."""
    schedule = schedule_file.load("T100000")
    assert [schedule.elapsed(index) for index in range(16)] == [level.printed for level in schedule.levels[:16]]
    assert [schedule.elapsed(index) for index in range(16, 21)] == [415, 430, 445, 460, 475]


def test_FC_10_sched_T20000_L5() -> None:
    """Level 5: 500/1,000 with an ante of 100 for 20 minutes."""
    level = schedule_file.load("T20000").levels[4]
    assert (level.small_blind, level.big_blind, level.ante, level.minutes) == (500, 1000, 100, 20)


def test_FC_10_sched_T2000_break11() -> None:
    """Ten minutes, the 25s and half the 100s go."""
    pause = schedule_file.load("T2000").levels[10].then
    assert pause is not None
    assert pause.minutes == 10
    assert [(chips.chip, chips.part) for chips in pause.colour_out] == [(25, Part.ALL), (100, Part.HALF)]


def test_FC_10_sched_T20000_break7() -> None:
    """The chip to colour out is printed as xx: the director names it."""
    pause = schedule_file.load("T20000").levels[6].then
    assert pause is not None
    assert [chips.chip for chips in pause.colour_out] == [None]


GOOD = 'title = "T"\n[[level]]\nsmall-blind = 5\nbig-blind = 10\nminutes = 20\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("title = ", "1: no TOML"),
        ('title = "T"\n', "title, level: missing"),
        (GOOD + "antes = 3\n", "2: level.antes: no such key; there are small-blind"),
        (GOOD.replace("minutes = 20\n", ""), "level.minutes: missing"),
        (GOOD.replace("20", "0"), "level.minutes: 0 is no whole number from 1"),
        (GOOD.replace("= 10", "= 4"), "level.big-blind: wanted, and not smaller"),
        (GOOD + GOOD.split("\n", 1)[1].replace("= 10", "= 8"), "6: level.big-blind: smaller than on the level before"),
        (GOOD + "break = 10\n", "level.break: wants { minutes"),
        (GOOD + "break = { colour-out = [] }\n", "level.break.minutes: None is no whole number"),
        (GOOD + 'break = { minutes = 5, colour-out = [{ part = "few" }] }\n', "one of all, most, half"),
        (GOOD + 'printed = "20"\n', "hours and minutes are wanted"),
    ],
)
def test_what_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(ConfigError) as error:
        schedule_file.read(path)
    assert message in str(error.value)


def test_house_schedule(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(GOOD)
    schedule = schedule_file.read(path)
    assert (schedule.name, schedule.clause(0), schedule.elapsed(0)) == ("mine", "", 20)
    assert schedule_file.load("evening").levels[4].chip == 100

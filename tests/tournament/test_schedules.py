"""The printed schedules, to the letter, and what the loader refuses."""

from pathlib import Path

import pytest

from config import rulebook_file, schedule_file
from config.config_error import ConfigError
from controller.core.tournament.schedule import ColourOutPart

PRINTED = ("T2000", "T20000", "T100000")


T2000_PRINTED = """
5 10 - 30, 10 20 - 30, 15 30 - 30, break 20, 20 40 - 20, 30 60 - 20, 40 80 - 20, 60 120 - 20, break 10,
75 150 - 20, 100 200 - 20, 125 250 - 20, 150 300 - 20, break 10, 200 400 - 15, 300 600 - 15, 500 1000 - 15,
700 1400 - 15, 1000 2000 - 15, break 10, 1500 3000 - 15, 2000 4000 - 15, 3000 6000 - 15, 5000 10000 - 15
"""
T20000_PRINTED = """
100 200 - 30, 200 400 - 30, 300 600 - 30, break 20, 400 800 - 20, 500 1000 100 20, 600 1200 100 20,
800 1600 200 20, break 10, 1000 2000 200 20, 1200 2400 300 20, 1600 3200 400 20, 2000 4000 400 20, break 10,
2400 4800 400 15, 3000 6000 500 15, 4000 8000 1000 15, 5000 10000 1000 15, 6000 12000 1500 15, break 10,
8000 16000 2000 15, 10000 20000 2500 15
"""
T100000_PRINTED = """
500 1000 - 30, 1000 2000 - 30, 1500 3000 - 30, break 20, 2000 4000 - 20, 2000 4000 500 20, 3000 6000 500 20,
5000 10000 1000 20, break 10, 7000 15000 2000 20, 10000 20000 3000 20, 15000 30000 5000 20, 20000 40000 6000 20,
break 10, 25000 50000 7000 20, 40000 80000 10000 20, 60000 120000 20000 20, 100000 200000 30000 20,
150000 300000 40000 20, break 10, 200000 400000 50000 15, 300000 600000 60000 15, 400000 800000 80000 15,
500000 1000000 100000 15, 600000 1200000 120000 15
"""


def as_printed(name: str) -> list[str]:
    found = []
    for level in schedule_file.load_schedule(name).levels:
        found.append(f"{level.small_blind} {level.big_blind} {level.ante or '-'} {level.minutes}")
        found += [f"break {level.following_break.minutes}"] if level.following_break else []
    return found


def leaving(name: str) -> dict[int, list[tuple[int | None, str]]]:
    """Level -> what is coloured out at the break after it."""
    return {
        number: [(chips.chip_value, chips.part.value) for chips in level.following_break.colour_out]
        for number, level in enumerate(schedule_file.load_schedule(name).levels, start=1)
        if level.following_break
    }


def words(printed: str) -> list[str]:
    return [word.strip() for word in printed.replace("\n", " ").split(",")]


def test_FC_10_sched_T2000_as_printed() -> None:
    """Every level and break as the book prints it.

    Covers: FC-10.sched.T2000.L1, FC-10.sched.T2000.L2, FC-10.sched.T2000.L3, FC-10.sched.T2000.break3,
    FC-10.sched.T2000.L4, FC-10.sched.T2000.L5, FC-10.sched.T2000.L6, FC-10.sched.T2000.L7,
    FC-10.sched.T2000.break7, FC-10.sched.T2000.L8, FC-10.sched.T2000.L9, FC-10.sched.T2000.L10,
    FC-10.sched.T2000.L11, FC-10.sched.T2000.break11, FC-10.sched.T2000.L12, FC-10.sched.T2000.L13,
    FC-10.sched.T2000.L14, FC-10.sched.T2000.L15, FC-10.sched.T2000.L16, FC-10.sched.T2000.break16,
    FC-10.sched.T2000.L17, FC-10.sched.T2000.L18, FC-10.sched.T2000.L19, FC-10.sched.T2000.L20
    """
    assert as_printed("T2000") == words(T2000_PRINTED)
    assert leaving("T2000") == {
        3: [],
        7: [(5, "all")],
        11: [(25, "all"), (100, "half")],
        16: [(100, "as-many-as-possible")],
    }


def test_FC_10_sched_T20000_as_printed() -> None:
    """Every level and break as the book prints it.

    Covers: FC-10.sched.T20000.L1, FC-10.sched.T20000.L2, FC-10.sched.T20000.L3, FC-10.sched.T20000.break3,
    FC-10.sched.T20000.L4, FC-10.sched.T20000.L5, FC-10.sched.T20000.L6, FC-10.sched.T20000.L7,
    FC-10.sched.T20000.break7, FC-10.sched.T20000.L8, FC-10.sched.T20000.L9, FC-10.sched.T20000.L10,
    FC-10.sched.T20000.L11, FC-10.sched.T20000.break11, FC-10.sched.T20000.L12, FC-10.sched.T20000.L13,
    FC-10.sched.T20000.L14, FC-10.sched.T20000.L15, FC-10.sched.T20000.L16, FC-10.sched.T20000.break16,
    FC-10.sched.T20000.L17, FC-10.sched.T20000.L18
    """
    assert as_printed("T20000") == words(T20000_PRINTED)
    assert leaving("T20000") == {3: [], 7: [(None, "all")], 11: [(100, "half")], 16: [(500, "most")]}


def test_FC_10_sched_T100000_as_printed() -> None:
    """Every level and break as the book prints it.

    Covers: FC-10.sched.T100000.L1, FC-10.sched.T100000.L2, FC-10.sched.T100000.L3, FC-10.sched.T100000.break3,
    FC-10.sched.T100000.L4, FC-10.sched.T100000.L5, FC-10.sched.T100000.L6, FC-10.sched.T100000.L7,
    FC-10.sched.T100000.break7, FC-10.sched.T100000.L8, FC-10.sched.T100000.L9, FC-10.sched.T100000.L10,
    FC-10.sched.T100000.L11, FC-10.sched.T100000.break11, FC-10.sched.T100000.L12, FC-10.sched.T100000.L13,
    FC-10.sched.T100000.L14, FC-10.sched.T100000.L15, FC-10.sched.T100000.L16, FC-10.sched.T100000.break16,
    FC-10.sched.T100000.L17, FC-10.sched.T100000.L18, FC-10.sched.T100000.L19, FC-10.sched.T100000.L20,
    FC-10.sched.T100000.L21
    """
    assert as_printed("T100000") == words(T100000_PRINTED)
    assert leaving("T100000") == {
        3: [],
        7: [(500, "all"), (1000, "some")],
        11: [(1000, "most"), (5000, "some")],
        16: [(5000, "all")],
    }


@pytest.mark.parametrize("name", PRINTED)
def test_FC_10_sched(name: str) -> None:
    """Every level and break of a printed schedule is a row of the catalogue, and no row is left out."""
    schedule = schedule_file.load_schedule(name)
    ids = {schedule.level_clause(index) for index in range(len(schedule.levels))}
    ids |= {f"{schedule.cite}.break{index + 1}" for index, level in enumerate(schedule.levels) if level.following_break}
    known = {clause for clause in rulebook_file.load_clauses() if clause.startswith(f"FC-10.sched.{name}.")}
    assert ids == known


@pytest.mark.parametrize("name", ["T2000", "T20000"])
def test_FC_10_sched_printed_times(name: str) -> None:
    """Levels and breaks add up to the printed column."""
    schedule = schedule_file.load_schedule(name)
    assert [schedule.elapsed_minutes(index) for index in range(len(schedule.levels))] == [
        level.printed_minutes for level in schedule.levels
    ]


def test_FC_10_sched_T100000_L17() -> None:
    """The printed times run backwards after level 16; the clock runs by the lengths: 6:55, 7:10, 7:25, 7:40, 7:55."""
    schedule = schedule_file.load_schedule("T100000")
    assert [schedule.elapsed_minutes(index) for index in range(16)] == [
        level.printed_minutes for level in schedule.levels[:16]
    ]
    assert [schedule.elapsed_minutes(index) for index in range(16, 21)] == [415, 430, 445, 460, 475]


def test_FC_10_sched_T20000_L5() -> None:
    """Level 5: 500/1,000 with an ante of 100 for 20 minutes."""
    level = schedule_file.load_schedule("T20000").levels[4]
    assert (level.small_blind, level.big_blind, level.ante, level.minutes) == (500, 1000, 100, 20)


def test_FC_10_sched_T2000_break11() -> None:
    """Ten minutes, the 25s and half the 100s go."""
    pause = schedule_file.load_schedule("T2000").levels[10].following_break
    assert pause is not None
    assert pause.minutes == 10
    assert [(chips.chip_value, chips.part) for chips in pause.colour_out] == [
        (25, ColourOutPart.ALL),
        (100, ColourOutPart.HALF),
    ]


def test_FC_10_sched_T20000_break7() -> None:
    """The chip to colour out is printed as xx: the director names it."""
    pause = schedule_file.load_schedule("T20000").levels[6].following_break
    assert pause is not None
    assert [chips.chip_value for chips in pause.colour_out] == [None]


GOOD = 'title = "T"\n[[level]]\nsmall-blind = 5\nbig-blind = 10\nminutes = 20\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("title = ", "1: is no TOML"),
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
        schedule_file.read_schedule(path)
    assert message in str(error.value)


def test_house_schedule(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(GOOD)
    schedule = schedule_file.read_schedule(path)
    assert (schedule.name, schedule.level_clause(0), schedule.elapsed_minutes(0)) == ("mine", "", 20)
    assert schedule_file.load_schedule("evening").levels[4].smallest_chip == 100

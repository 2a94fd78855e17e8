"""The soak's own parts: its tables can be loaded, and what is worse is seen."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import ratio_record
from config.table_file import load_table_file
from config.table_line import parse_table_line
from tests.soak.campaign import (
    LOOKS_TO_JUDGE,
    MAX_STEP,
    MEMORY_SPREAD,
    MIN_HANDS,
    PAIRS,
    SLOWEST_AT_THE_END,
    MemorySteps,
    Soak,
    choose_pairs,
    find_growth,
)
from tests.soak.comparison import compare
from tests.soak.program import Use


def test_every_pair_of_book_and_game_has_a_table(tmp_path: Path) -> None:
    soak = Soak(tmp_path, 0, 1, lambda _: None)
    for book, game in PAIRS:
        soak._set(book, game)
        assert parse_table_line(dict(load_table_file(soak._config).table_line)).setup.game.name == game
    soak.leave()


def test_one_long_start_among_many_is_not_hidden_by_the_others(tmp_path: Path) -> None:
    soak = Soak(tmp_path, 0, 1, lambda _: None)
    soak.tally.start_work = [0.5] * 9
    soak._judge()
    assert soak.tally.slow == []
    soak.tally.start_work = [0.5, 15.5, *[0.5] * 9]
    soak._judge()
    assert soak.tally.slow == ["a start took 15.50 s of a processor, more than 2 s"]
    soak.leave()


def samples(chance: random.Random, factor: float) -> list[float]:
    """Times of a round; now and then the machine has a bad moment."""
    stall = 0.05 if chance.random() < 0.1 else 0.0
    return [factor * chance.uniform(0.001, 0.002) + stall * (chance.random() < 0.3) for _ in range(40)]


def test_bad_moments_of_the_machine_are_not_the_tables() -> None:
    chance = random.Random(5)
    same = compare([(samples(chance, 1.0), samples(chance, 1.0)) for _ in range(40)])
    assert same.at_least <= SLOWEST_AT_THE_END


def test_a_table_that_becomes_slower_is_found() -> None:
    chance = random.Random(6)
    steady = [([0.0012 * chance.uniform(0.9, 1.1)] * 40, [0.001 * chance.uniform(0.9, 1.1)] * 40) for _ in range(40)]
    assert compare(steady).at_least > SLOWEST_AT_THE_END


@pytest.mark.parametrize(
    ("found", "known", "worse"),
    [
        ({"event": 2.4}, {"event": 2.0}, {}),
        ({"event": 2.5}, {"event": 2.0}, {"event": 1.25}),
        ({"pokerkit-mixed": 4.0}, {"pokerkit-mixed": 2.0}, {}),
        ({"pokerkit-mixed": 1.0}, {"pokerkit-mixed": 2.0}, {"pokerkit-mixed": 2.0}),
        ({"lamp-processor": 3.0}, {"lamp-processor": 2.0}, {}),
        ({"lamp-processor": 3.2}, {"lamp-processor": 2.0}, {"lamp-processor": 1.6}),
        ({"new": 1.0}, {}, {}),
    ],
)
def test_a_quarter_worse_is_worse(found: dict[str, float], known: dict[str, float], worse: dict[str, float]) -> None:
    assert ratio_record.find_worse(found, known) == worse


def test_a_floor_holds_whatever_is_on_record() -> None:
    event, no_limit = ratio_record.FLOORS["event"], ratio_record.FLOORS["pokerkit-no-limit"]
    assert ratio_record.find_below_floor({"event": event, "pokerkit-no-limit": no_limit, "evening": 9.0}) == []
    assert ratio_record.find_below_floor({"event": event * 1.05, "pokerkit-no-limit": no_limit / 1.05}) == []
    assert ratio_record.find_below_floor({"event": event * 1.2, "pokerkit-no-limit": no_limit * 1.2}) == ["event"]
    assert ratio_record.find_below_floor({"event": event / 1.2, "pokerkit-no-limit": no_limit / 1.2}) == [
        "pokerkit-no-limit"
    ]
    assert not ratio_record.find_below_floor(ratio_record.load_record())


def test_what_was_not_measured_stays_on_record(tmp_path: Path) -> None:
    path = tmp_path / "ratios.json"
    ratio_record.save_record({"event": 2.0, "evening": 1.0}, path)
    ratio_record.save_record({"event": 1.5}, path)
    assert ratio_record.load_record(path) == {"event": 1.5, "evening": 1.0}
    assert ratio_record.choose_better({"event": 2.0}, {"event": 1.0, "evening": 1.0}) == {"event": 1.0, "evening": 1.0}


@pytest.mark.parametrize("hands", [1, 7, 85, 1_700, 57_000])
def test_few_hands_are_played_in_some_games_and_by_other_seeds_in_the_others(hands: int) -> None:
    chosen = [choose_pairs(hands, seed) for seed in range(len(PAIRS))]
    assert {pair for pairs in chosen for pair in pairs} == set(PAIRS)
    assert all(len(pairs) == 1 or hands // len(pairs) >= MIN_HANDS for pairs in chosen)
    assert hands < len(PAIRS) * MIN_HANDS or chosen[0] == PAIRS


def test_what_stays_has_grown_and_what_passes_has_not() -> None:
    settled = Use(rss=0, own=50 << 20, descriptors=35, threads=4, given=0, device=0)
    more = replace(settled, own=settled.own + MEMORY_SPREAD + 1024, descriptors=36, threads=5)
    assert find_growth(settled, [more] * (LOOKS_TO_JUDGE - 1)) == []
    assert find_growth(settled, [*[more] * (LOOKS_TO_JUDGE - 1), settled]) == []
    assert [found.split()[0] for found in find_growth(settled, [more] * LOOKS_TO_JUDGE)] == [
        "memory", "descriptors", "threads"
    ]  # fmt: skip
    assert find_growth(more, [settled] * LOOKS_TO_JUDGE) == []


def test_a_life_takes_one_step_of_memory_and_a_leak_goes_on() -> None:
    settled = Use(rss=0, own=50 << 20, descriptors=35, threads=4, given=0, device=0)

    def judge(*levels: int) -> list[str]:
        steps, base, found = MemorySteps(), settled, []
        for level in levels:
            uses = [replace(settled, own=settled.own + level)] * LOOKS_TO_JUDGE
            base = steps.allow(base, uses)
            found += find_growth(base, uses)
        return found

    assert judge(MEMORY_SPREAD, MEMORY_SPREAD + 1024, 2 * MEMORY_SPREAD) == []
    assert judge(MAX_STEP + 1024) == ["memory is not flat: +4097 KiB"]
    leak = range(0, 4 * MEMORY_SPREAD, MEMORY_SPREAD // 8)
    assert judge(*leak)[0] == "memory is not flat: +2304 KiB"

"""Any events in any order: cards and chips add up, every remedy ends, and a journal replays to the same."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.core.model.outcome import Outcome
from controller.core.model.table_state import TableState
from tests.core import arbitrary, kept_scripts
from tests.core.arbitrary import WatchedTable, list_night_seeds, play_to_the_end, story, use_vocabulary, vary_kinds
from tests.core.kept_scripts import read_scripts, rename_script

SCRIPTS = read_scripts("story-*")


def endless(numbers: list[int]) -> Iterator[int]:
    """The numbers, then nothing special for ever."""
    return chain(numbers, repeat(0))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.lists(st.integers(0, 1 << 16), max_size=400))
def test_any_stream_of_events_leaves_the_table_sound(numbers: list[int]) -> None:
    story(endless(numbers), 60)


def iter_random_numbers(seed: int) -> Iterator[int]:
    """An endless stream from a seed."""
    source = random.Random(seed)
    while True:
        yield source.randrange(1 << 20)


@pytest.mark.parametrize("block", [0, *(pytest.param(block, marks=pytest.mark.slow) for block in range(1, 8))])
def test_many_seeded_hands_leave_the_table_sound(block: int) -> None:
    for seed in range(block * 40, block * 40 + 40):
        story(iter_random_numbers(seed), 120)


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_story_that_once_failed_leaves_the_table_sound(name: str) -> None:
    opened, *lines = SCRIPTS[name]
    watched = WatchedTable(opened)
    taken = [watched.take(line) is not None for line in lines]
    assert any(taken)
    play_to_the_end(watched)


@pytest.mark.slow
@pytest.mark.timeout(0)
@pytest.mark.parametrize("half", range(2))
def test_a_hundred_thousand_stories_leave_the_table_sound(half: int) -> None:
    """`STORIES` says how many in all; two processes share them. Every failure is told, not the first alone.

    Each `SEED` has stories of its own, each hundred of them other words.
    """
    count = int(os.environ.get("STORIES", "100000")) // 2
    failed = []
    for seed in list_night_seeds(1_000_000, half, count):
        try:
            with use_vocabulary(seed // 100):
                story(iter_random_numbers(seed), 80)
        except Exception as error:
            path = rename_script(error, f"story-{seed}")
            failed.append(f"{seed}: {type(error).__name__}: {error}"[:300] + f" ({path})")
    assert not failed, f"{len(failed)} of {count}: " + "; ".join(failed)


def test_a_story_that_fails_is_kept_as_a_script(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(kept_scripts, "FAILED", tmp_path)
    monkeypatch.setattr(arbitrary, "sound", _fail_in_the_second_hand)
    with pytest.raises(AssertionError, match="broken") as failure:
        story(iter_random_numbers(3), 400)
    path = Path(rename_script(failure.value, "story-3"))
    assert path == tmp_path / "story-3.jsonl"
    opened, *lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    watched = WatchedTable(opened)
    for line in lines[:-1]:
        watched.take(line)
    with pytest.raises(AssertionError, match="broken"):
        watched.take(lines[-1])


def _fail_in_the_second_hand(before: TableState, _: Outcome) -> None:
    assert before.hand is None or before.hand.number < 2, "broken"


def test_a_night_has_its_own_words() -> None:
    by_day = vary_kinds(20, "")
    nights = [vary_kinds(20, str(seed)) for seed in range(50)]
    assert list(by_day) == list(range(20))
    assert nights == [vary_kinds(20, str(seed)) for seed in range(50)]
    assert len(set(map(tuple, nights))) == len(nights)
    assert {kind for night in nights for kind in night} == set(by_day)
    assert all(any(kind not in night for night in nights) for kind in by_day)
    assert all(vary_kinds(1, str(seed)) for seed in range(20)), "a night without a word"


def test_words_vary_within_their_block_alone() -> None:
    def tell() -> list[dict[str, Any]]:
        return arbitrary.play_random_events(arbitrary.picks(iter_random_numbers(1)), 40).script

    by_day = tell()
    with use_vocabulary(7):
        night = tell()
        assert night == tell()
    assert night != by_day == tell()


def test_a_journal_replays_to_the_same_under_two_hash_seeds() -> None:
    scripts = [story(iter_random_numbers(seed), 120).script for seed in (3, 92)]
    for script in scripts:
        text = "".join(json.dumps(line) + "\n" for line in script)
        answers = {
            subprocess.run(
                [sys.executable, "-c", "from controller.cli import main; main(['replay', '-'])"],
                input=text,
                capture_output=True,
                text=True,
                env=os.environ | {"PYTHONHASHSEED": seed},
                check=True,
            ).stdout
            for seed in ("1", "2")
        }
        assert len(answers) == 1

"""The soak's own parts: its tables can be loaded, and what is worse is seen."""

from pathlib import Path

import pytest

from benchmarks import ratios
from config.setup import open_table
from config.table_file import load_table
from tests.soak.campaign import PAIRS, WINDOW, Soak, _at_99


def test_every_pair_of_book_and_game_has_a_table(tmp_path: Path) -> None:
    soak = Soak(tmp_path, 0, 1, lambda _: None)
    for book, game in PAIRS:
        soak._set(book, game)
        assert open_table(dict(load_table(soak._config).table)).setup.game.name == game
    soak.leave()


def test_one_bad_moment_of_the_machine_is_not_the_tables() -> None:
    quiet = [0.001] * WINDOW * 5
    assert _at_99([*quiet, *[0.5] * 20]) == _at_99(quiet)
    assert _at_99([each * 2 for each in quiet]) == 2 * _at_99(quiet)


@pytest.mark.parametrize(
    ("found", "known", "worse"),
    [
        ({"event": 2.4}, {"event": 2.0}, {}),
        ({"event": 2.5}, {"event": 2.0}, {"event": 1.25}),
        ({"pokerkit-mixed": 4.0}, {"pokerkit-mixed": 2.0}, {}),
        ({"pokerkit-mixed": 1.0}, {"pokerkit-mixed": 2.0}, {"pokerkit-mixed": 2.0}),
        ({"new": 1.0}, {}, {}),
    ],
)
def test_a_quarter_worse_is_worse(found: dict[str, float], known: dict[str, float], worse: dict[str, float]) -> None:
    assert ratios.worse(found, known) == worse


def test_what_was_not_measured_stays_on_record(tmp_path: Path) -> None:
    path = tmp_path / "ratios.json"
    ratios.record({"event": 2.0, "evening": 1.0}, path)
    ratios.record({"event": 1.5}, path)
    assert ratios.on_record(path) == {"event": 1.5, "evening": 1.0}
    assert ratios.better({"event": 2.0}, {"event": 1.0, "evening": 1.0}) == {"event": 1.0, "evening": 1.0}

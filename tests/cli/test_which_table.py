"""A command at an installed table is about that table, whoever forgets to say so."""

import argparse
from pathlib import Path

import pytest

from config.table_file import DEMO_FILE
from controller.cli import table_options


def parse_table_options(*line: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    for option in table_options.make_table_options(state="its journal is"):
        option.add_to(parser)
    return parser.parse_args(line)


def test_the_installed_table_comes_before_the_demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_options, "INSTALLED_TABLE_FILE", tmp_path / "table.toml")
    assert parse_table_options().config == DEMO_FILE
    (tmp_path / "table.toml").touch()
    assert parse_table_options().config == tmp_path / "table.toml"
    assert parse_table_options("--config", "other.toml", "--state", "there").config == Path("other.toml")

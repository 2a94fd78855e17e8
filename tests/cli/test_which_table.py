"""A command at an installed table is about that table, whoever forgets to say so."""

import argparse
from pathlib import Path

import pytest

from config.table_file import DEMO_FILE
from controller.cli import table_options


def parsed(*line: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    table_options.add_table_options(parser, state="its journal is")
    return parser.parse_args(line)


def test_the_installed_table_comes_before_the_demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_options, "INSTALLED_TABLE_FILE", tmp_path / "table.toml")
    assert parsed().config == DEMO_FILE
    (tmp_path / "table.toml").touch()
    assert parsed().config == tmp_path / "table.toml"
    assert parsed("--config", "other.toml", "--state", "there").config == Path("other.toml")

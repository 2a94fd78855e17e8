"""A command at an installed table is about that table, whoever forgets to say so."""

import argparse
from pathlib import Path

import pytest

from config.table_file import DEMO
from controller.cli import which_table


def parsed(*line: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    which_table.add_table(parser, state="its journal is")
    return parser.parse_args(line)


def test_the_installed_table_comes_before_the_demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(which_table, "INSTALLED", tmp_path / "table.toml")
    assert parsed().config == DEMO
    (tmp_path / "table.toml").touch()
    assert parsed().config == tmp_path / "table.toml"
    assert parsed("--config", "other.toml", "--state", "there").config == Path("other.toml")

"""A path of packages that only this test sees."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from config import file_library
from controller import plug_ins


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A directory where packages are installed; what they loaded is forgotten afterwards."""
    made = tmp_path / "site"
    made.mkdir()
    monkeypatch.syspath_prepend(str(made))
    before = set(sys.modules)
    plug_ins.clear_cache()
    yield made
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(made)):
            del sys.modules[name]
    plug_ins.clear_cache()
    file_library.list_names.cache_clear()

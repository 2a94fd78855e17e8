"""Each guide that adds something to the program is walked to the letter, and a walk fails where a guide is wrong."""

import re
import shutil
from pathlib import Path

import pytest

from tests.docs.guide_walk import (
    COPIED,
    ROOT,
    GuideError,
    apply_diff,
    expand_command,
    read_guide,
    run_command,
    walk_guide,
)

QUICK_GUIDES = ("adding-a-command", "adding-a-machine")
LONG_GUIDES = ("adding-an-api-field", "adding-a-fact", "adding-a-report", "adding-a-page-key")
"""Their own commands take from half a minute to some minutes: the part `site` of the gate walks them."""


@pytest.mark.parametrize("name", [*QUICK_GUIDES, *(pytest.param(name, marks=pytest.mark.slow) for name in LONG_GUIDES)])
def test_a_guide_leads_where_it_says(name: str, tmp_path: Path) -> None:
    said = walk_guide(name, tmp_path)
    assert re.search(r"^\d+ passed in ", said, re.MULTILINE)


@pytest.mark.parametrize("name", [*QUICK_GUIDES, *LONG_GUIDES])
def test_every_change_of_a_guide_fits_the_tree_as_it_is(name: str, tmp_path: Path) -> None:
    """The quick half of a walk. What `make languages` writes first is there in a whole walk alone."""
    for diff in re.findall(r"^```diff\n(.*?)^```$", read_guide(name), re.DOTALL | re.MULTILINE):
        path = diff.partition("\n")[0].removeprefix("+++ ")
        if path.startswith("config/languages/"):
            continue
        if (ROOT / path).exists() and not (tmp_path / path).exists():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, tmp_path / path)
        apply_diff(diff, tmp_path)


@pytest.mark.parametrize("name", [*QUICK_GUIDES, *LONG_GUIDES])
def test_a_guide_is_found(name: str) -> None:
    for page in ("CONTRIBUTING.md", "docs/index.md", "mkdocs.yml"):
        assert f"{name}.md" in (ROOT / page).read_text(encoding="utf-8"), page


@pytest.mark.parametrize(
    "diff",
    [
        "+++ a.txt\n no such line\n+new\n",
        "+++ a.txt\n twice\n+new\n",
        "+++ a.txt\n+new\n",
        "+++ b.txt\n one\n+new\n",
        "a.txt\n one\n+new\n",
        "+++ a.txt\none\n+new\n",
    ],
)
def test_a_change_that_does_not_fit_is_refused(diff: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\ntwice\ntwice\n")
    with pytest.raises(GuideError):
        apply_diff(diff, tmp_path)
    assert (tmp_path / "a.txt").read_text() == "one\ntwice\ntwice\n"


def test_a_change_goes_where_it_stands(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\ntwo\nthree\n")
    apply_diff("+++ a.txt\n one\n-two\n+2\n three\n", tmp_path)
    apply_diff("+++ new/b.txt\n+first\n+\n+third\n", tmp_path)
    assert (tmp_path / "a.txt").read_text() == "one\n2\nthree\n"
    assert (tmp_path / "new/b.txt").read_text() == "first\n\nthird\n"


def test_a_command_that_fails_ends_the_walk(tmp_path: Path) -> None:
    with pytest.raises(GuideError, match="here is why"):
        run_command(""".venv/bin/python -c 'import sys; sys.exit("here is why")'""", tmp_path)
    with pytest.raises(GuideError, match="nobody here runs curl"):
        expand_command("curl somewhere", tmp_path)


def test_what_is_copied_is_there() -> None:
    assert [name for name in COPIED if not (ROOT / name).exists()] == []

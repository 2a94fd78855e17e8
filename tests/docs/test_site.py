"""The documents as a site: whole, with links that lead somewhere, and nothing in it that asks another server."""

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAV = re.compile(r"^ +- [^:\n]+: (\S+\.md)$", re.MULTILINE)


def test_the_navigation_names_pages_that_are_there_once() -> None:
    named = NAV.findall((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    assert len(named) > 30
    assert len(named) == len(set(named))
    assert [page for page in named if not (ROOT / "docs" / page).is_file()] == []


@pytest.mark.slow
@pytest.mark.skipif(find_spec("mkdocs") is None, reason="mkdocs-material is not installed: requirements/ci.txt")
def test_the_site_is_built_and_asks_no_other_server(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(tmp_path / "site")],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    pages = {path.relative_to(ROOT / "docs").with_suffix(".html") for path in (ROOT / "docs").rglob("*.md")}
    built = {path.relative_to(tmp_path / "site") for path in (tmp_path / "site").rglob("*.html")}
    assert pages <= built
    for path in (tmp_path / "site").rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        asked = re.findall(r"<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)=\"?(?:https?:)?//[^\">]*", text)
        assert [tag for tag in asked if 'rel="canonical"' not in tag] == [], path.name
    assert 'id="tablectl-check-driver"' in (tmp_path / "site" / "commands.html").read_text(encoding="utf-8")

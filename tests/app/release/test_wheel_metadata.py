"""What a wheel says of itself: that it is typed, whose it is, and a README whose pictures an index can show."""

import re
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).parents[3]
PACKAGES_BY_DISTRIBUTION = {".": {"controller", "drivers", "firmware_bridge", "config"}, "room": {"room"}}


def build_wheel(distribution: str, folder: Path) -> tuple[set[str], Message]:
    """Build a wheel as `pip` has it built, and return the names of its files and its metadata."""
    (path,) = WheelBuilder(str(ROOT / distribution)).build(directory=str(folder), versions=["standard"])
    with zipfile.ZipFile(path) as wheel:
        names = set(wheel.namelist())
        (metadata,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        return names, Parser().parsestr(wheel.read(metadata).decode("utf-8"))


@pytest.mark.parametrize("distribution", PACKAGES_BY_DISTRIBUTION)
def test_every_package_of_a_wheel_is_typed(distribution: str, tmp_path: Path) -> None:
    names, metadata = build_wheel(distribution, tmp_path)
    packages = {name.partition("/")[0] for name in names if name.endswith("/__init__.py")}
    assert packages == PACKAGES_BY_DISTRIBUTION[distribution]
    assert {f"{package}/py.typed" for package in packages} <= names
    assert metadata["Author"] == "table-controller contributors"
    assert "Typing :: Typed" in (metadata.get_all("Classifier") or [])
    assert metadata["Keywords"]
    assert not [name for name in names if name.startswith((".github", "make", "docs", "tests"))]


def test_without_a_publisher_the_readme_is_that_of_the_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PAGES_URL", raising=False)
    monkeypatch.delenv("PICTURES_URL", raising=False)
    _, metadata = build_wheel(".", tmp_path)
    assert str(metadata.get_payload()).strip() == (ROOT / "README.md").read_text(encoding="utf-8").strip()
    assert metadata.get_all("Project-URL") is None


def test_an_index_shows_the_pictures_where_the_publisher_has_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAGES_URL", "https://forge.example/pages/")
    monkeypatch.setenv("PICTURES_URL", "https://forge.example/raw")
    _, metadata = build_wheel(".", tmp_path)
    shown = str(metadata.get_payload())
    assert "](https://forge.example/raw/docs/screenshots/mistake.gif)" in shown
    targets = re.findall(r"\]\(([^)]+)\)", shown)
    assert len(targets) > 15
    assert [target for target in targets if not target.startswith("https://forge.example/")] == []
    assert "](https://forge.example/pages/docs/tried-on.md)" in shown
    assert "Changelog, https://forge.example/pages/CHANGELOG.md" in (metadata.get_all("Project-URL") or [])

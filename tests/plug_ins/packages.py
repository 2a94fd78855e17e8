"""Installed packages that bring something, written as pip leaves them, on a path of the test's own."""

from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "starline"


def install(
    site: Path,
    package: str,
    entry_points: Mapping[str, Mapping[str, str]],
    files: Mapping[str, str] | None = None,
    *,
    version: str = "1.0",
    readme: str = "",
) -> None:
    """Leave a package in `site`: `entry_points` by group, and its files."""
    described = site / f"{package.replace('-', '_')}-{version}.dist-info"
    described.mkdir(parents=True)
    (described / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n\n{readme}")
    listed = [f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in each.items()) for group, each in entry_points.items()]
    (described / "entry_points.txt").write_text("\n".join(listed))
    for name, text in (files or {}).items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text)


def example(site: Path, **changed: tuple[str, str]) -> None:
    """Leave the example package in `site`, as pip would, with a text changed in a file (`reader` = old, new)."""
    module = EXAMPLE / "table_controller_starline"
    files = {}
    for path in sorted(module.rglob("*.*")):
        if path.suffix in (".py", ".toml", ".csv"):
            text = path.read_text(encoding="utf-8")
            if path.stem in changed:
                assert changed[path.stem][0] in text
                text = text.replace(*changed[path.stem])
            files[str(path.relative_to(EXAMPLE))] = text
    groups = {
        "table_controller.drivers": {"starline": "table_controller_starline.reader:Starline"},
        "table_controller.twins": {"starline": "table_controller_starline.simulator:StarlineSimulator"},
        "table_controller.rulebooks": {"starline-room": "table_controller_starline"},
        "table_controller.games": {"starline-three": "table_controller_starline"},
    }
    install(site, "table-controller-starline", groups, files, readme=(EXAMPLE / "README.md").read_text("utf-8"))

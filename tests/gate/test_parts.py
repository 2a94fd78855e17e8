"""The table of parts: every file reaches one, every command is run by one, and what is wrong in it is said."""

import re
from pathlib import Path

import pytest
from gate.nightly import list_tracked_files
from gate.parts import ROOT, Part, TableError, compile_glob, find_unreached, read_limitations, read_parts

PARTS = read_parts()
COMMAND = re.compile(r"^([a-z][a-z-]*):", re.MULTILINE)
SCRIPT = re.compile(r"(?:^|[\s/])((?:tests|systemd|image|deploy|\.ci)/[\w/.-]+)")
MODULE = re.compile(r"-m (tests[\w.]*)")


def list_make_commands() -> set[str]:
    files = [ROOT / "Makefile", *sorted((ROOT / "make").glob("*.mk"))]
    return {name for file in files for name in COMMAND.findall(file.read_text(encoding="utf-8"))} - {"include"}


def read_commands(part: Part) -> str:
    """What a part runs: its commands, and every script of ours that they name."""
    commands = f"{part.short}\n{part.long}"
    scripts = [*SCRIPT.findall(commands), *(module.replace(".", "/") for module in MODULE.findall(commands))]
    for script in scripts:
        path = ROOT / script
        folder = path.parent if path.is_file() else path
        for file in sorted(folder.glob("*")):
            if file.suffix in ("", ".sh", ".py") and file.is_file():
                commands += file.read_text(encoding="utf-8")
    return commands


def test_every_tracked_file_reaches_a_part() -> None:
    assert find_unreached(list_tracked_files(), PARTS) == []


def test_a_file_without_a_part_is_found() -> None:
    assert find_unreached(["README.md", "somewhere/new.py"], PARTS) == ["somewhere/new.py"]


def test_every_glob_of_the_table_names_a_file() -> None:
    files = list_tracked_files()
    globs = {glob for part in PARTS for glob in part.paths}
    assert [glob for glob in sorted(globs) if not any(compile_glob(glob).fullmatch(file) for file in files)] == []


def test_every_command_of_the_makefile_is_run_by_a_part() -> None:
    assert list_make_commands() - {"help", "clean", "nightly"} == {command for part in PARTS for command in part.makes}


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_a_part_runs_the_commands_that_it_names(part: Part) -> None:
    asked = "".join(re.findall(r"\bmake\b.*", read_commands(part).replace('", "', " ")))
    makefile = "".join(file.read_text(encoding="utf-8") for file in [ROOT / "Makefile", *(ROOT / "make").glob("*.mk")])
    for command in part.makes:
        needed = rf"^(?:(?:{'|'.join(part.makes)}):|CHECK := \$\(MAKE\) ).*\b{command}\b"
        needed_by_another = re.search(needed, makefile, re.MULTILINE)
        assert re.search(rf"\b{command}\b", asked) or needed_by_another, command


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_a_part_names_the_tests_that_it_runs(part: Part) -> None:
    for test in part.tests:
        assert (ROOT / test).is_file(), test
        assert any(name in read_commands(part) for name in (test, Path(test).name, Path(test).stem)), test


@pytest.mark.parametrize(
    ("glob", "file", "matches"),
    [
        ("controller/**", "controller/core/a.py", True),
        ("controller/**", "controllers/a.py", False),
        ("firmware_bridge/*.py", "firmware_bridge/link.py", True),
        ("firmware_bridge/*.py", "firmware_bridge/firmware/a.py", False),
        ("*.md", "README.md", True),
        ("*.md", "docs/a.md", False),
        ("a.b", "aXb", False),
        ("tests/?.py", "tests/a.py", True),
    ],
)
def test_a_glob_stays_within_its_folder(glob: str, file: str, matches: bool) -> None:
    assert bool(compile_glob(glob).fullmatch(file)) is matches


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[parts.a]\npaths = ["*"]\nshort = "x"\nshort_limit_s = 1', "part a lacks what"),
        ('[parts.a]\nwhat = "w"\nshort = "x"\nshort_limit_s = 1', "part a lacks paths"),
        ('[parts.a]\nwhat = "w"\npaths = ["*"]\nshort = "x"', "part a lacks short_limit_s"),
        ('[parts.a]\nwhat = "w"\npaths = ["*"]', "part a lacks short or long"),
        ('[parts.a]\nwhat = "w"\npath = ["*"]', "part a has no key 'path'; keys: name, what, paths"),
        ("[parts.a", "parts.toml: "),
    ],
)
def test_a_wrong_table_is_refused_with_what_is_wrong(text: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "parts.toml").write_text(text, encoding="utf-8")
    with pytest.raises(TableError, match=re.escape(says)):
        read_parts(tmp_path / "parts.toml")


def test_a_limitation_has_its_reason() -> None:
    assert all(limitation.where and len(limitation.reason) > 20 for limitation in read_limitations())

"""What stands in the documents as code is what the program takes: TOML, lines of the table script, Python, shell.

`test_commands_and_links` looks at the words and options of `tablectl`; the guide to a reader is played through by
tests/drivers/contract/test_guide.py.
"""

import ast
import json
import re
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from config import game_file, lesson_file, payout_file, rulebook_file
from config.announcer_file import load_announcer_file
from config.file_library import Library
from config.table_file import DEMO_FILE, SECTIONS, parse_table_file
from controller.core.engine.table import Table
from controller.core.protocol import script_lines
from controller.plug_ins import KIND_BY_GROUP
from controller.runtime.journal.entry_result import handle_entry
from controller.uplink.uplink_file import load_uplink_file
from drivers.contract.driver_registry import find_key_errors
from room.room_file import load_room_file
from tests.docs.test_commands_and_links import CODE, DOCUMENTS, ROOT

FENCE = re.compile(r"^( *)```+(\w*)\n(.*?)^ *```+$", re.DOTALL | re.MULTILINE)
EVENT = re.compile(r'^ *(\{"ev":.*\})$', re.MULTILINE)
KINDS = (
    "",
    "toml",
    "json",
    "python",
    "mermaid",
    "markdown",
    "sh",
    "shell",
    "bash",
    "console",
    "yaml",
    "javascript",
    "cpp",
    "po",
    "http",
    "xml",
    "text",
    "diff",
)

OF_A_GUIDE = {
    "adding-a-reader.md": 'driver = "acme"',
    "adding-a-language.md": 'language = "fr"',
}
"""A text in a block of TOML that is about something which its reader makes first."""


def blocks(*kinds: str) -> Iterator[tuple[Path, int, str]]:
    """Page, line and text of every fenced block of these kinds."""
    for page in DOCUMENTS:
        text = page.read_text(encoding="utf-8")
        for found in FENCE.finditer(text):
            if found[2] in kinds:
                yield page, text.count("\n", 0, found.start()) + 1, found[3]


def make_params(cases: Iterator[tuple[Path, int, str]]) -> list[Any]:
    return [pytest.param(page, text, id=f"{page.name}:{line}") for page, line, text in cases]


def texts(cases: Iterator[tuple[Path, int, str]]) -> list[Any]:
    return [pytest.param(text, id=f"{page.name}:{line}") for page, line, text in cases]


def test_every_block_says_what_it_is_in_a_word_that_is_known() -> None:
    kinds = {found[2] for page in DOCUMENTS for found in FENCE.finditer(page.read_text(encoding="utf-8"))}
    assert kinds <= set(KINDS)


@pytest.mark.parametrize(("page", "text"), make_params(blocks("toml")))
def test_toml_is_taken_by_what_reads_it(page: Path, text: str, tmp_path: Path) -> None:
    if OF_A_GUIDE.get(page.name, "\0") in text:
        tomllib.loads(text)
        return
    shorter = dedent(text)
    path = tmp_path / "shown.toml"
    path.write_text(shorter, encoding="utf-8")
    content = tomllib.loads(shorter)
    if "project" in content:
        example = tomllib.loads((ROOT / "examples/starline/pyproject.toml").read_text(encoding="utf-8"))
        for group, entries in content["project"]["entry-points"].items():
            assert group in KIND_BY_GROUP
            assert entries.items() <= example["project"]["entry-points"][group].items()
    elif "level" in content.get("room", {}):
        load_uplink_file(path)
    elif "webhook" in content:
        for name in ("announcer.token", "broker-ca.pem", "mqtt.password", "pager.key"):
            (tmp_path / name).write_text("x" * 32, encoding="utf-8")
            (tmp_path / name).chmod(0o600)
        load_announcer_file(path)
    elif "high-hands" in content or "webhooks" in content:
        path.write_text((ROOT / "deploy" / "room.toml").read_text(encoding="utf-8") + shorter, encoding="utf-8")
        room = load_room_file(path)
        assert room.promotions or room.webhooks
    elif "column" in content:
        payout_file.read_payouts(path)
    elif "streets" in content:
        game_file.read_game(path)
    elif "happens" in content:
        assert (
            set(content) <= set(tomllib.loads(next(lesson_file.FOLDER.glob("*.toml")).read_text("utf-8"))) | OF_LESSONS
        )
    elif "based_on" in content or "fallback" in content:
        if "based_on" not in content:
            path.write_text(f'based_on = "roberts-7"\ntitle = "A room"\n{shorter}', encoding="utf-8")
        rulebook_file.read_rulebook(path, Library())
    else:
        table_takes(content, tmp_path)


OF_LESSONS = frozenset(
    key for path in lesson_file.FOLDER.glob("*.toml") for key in tomllib.loads(path.read_text("utf-8"))
)


def table_takes(shown: dict[str, Any], folder: Path) -> None:
    """Read the demo's table with the sections that are shown."""
    assert set(shown) <= set(SECTIONS), "what file is that of?"
    table = folder / "table.toml"
    text = DEMO_FILE.read_text(encoding="utf-8")
    shutil.copy(DEMO_FILE.parent / "demo-deck.csv", folder)
    (folder / "house").mkdir()
    content = tomllib.loads(text)
    for name, values in shown.items():
        content[name] = {**content.get(name, {}), **values}
    if "tournament" in shown:
        del content["table"]["betting"]["small_blind"], content["table"]["betting"]["big_blind"]
    file = parse_table_file(table, text, content)
    for name, section in file.devices.items():
        assert list(find_key_errors(section.driver, name, section.driver_keys)) == []


def scripts() -> Iterator[tuple[Path, int, str]]:
    """Lines of the table script that stand together, in a block or indented."""
    for page in DOCUMENTS:
        lines = page.read_text(encoding="utf-8").splitlines()
        together: list[str] = []
        for number, line in enumerate([*lines, ""], start=1):
            if (found := EVENT.match(line)) and "…" not in line:
                together.append(found[1])
            elif together:
                yield page, number - len(together), "\n".join(together)
                together = []


@pytest.mark.parametrize("text", texts(scripts()))
def test_lines_of_the_table_script_are_taken(text: str, tmp_path: Path) -> None:
    """A script that begins with its table is played; a line by itself is read."""
    house = tmp_path / "house"
    (house / "rulebooks").mkdir(parents=True)
    book = '[boxed]\none = { is = "muck", cite = "AU-19.2" }\n'
    (house / "rulebooks/corner.toml").write_text(f'based_on = "roberts-7"\ntitle = "The Corner"\n{book}')
    lines = [json.loads(line.replace('"NAME"', '"holdem"')) for line in text.splitlines()]
    if lines[0]["ev"] == "table":
        play(lines, Library(house))
    else:
        for line in lines:
            script_lines.parse_line(line)


def play(lines: list[dict[str, Any]], library: Library) -> None:
    from config.table_line import parse_table_line

    table = Table()
    for number, line in enumerate(lines, start=1):
        event = parse_table_line(line, library) if line["ev"] == "table" else script_lines.parse_line(line)
        assert handle_entry(table, event, number).error is None, line


def test_scripts_are_found() -> None:
    assert sum(json.loads(text.splitlines()[0])["ev"] == "table" for _, _, text in scripts()) >= 4


@pytest.mark.parametrize(("page", "text"), make_params(blocks("python")))
def test_python_is_python(page: Path, text: str) -> None:
    ast.parse(text, str(page))


@pytest.mark.parametrize("text", texts(blocks("json")))
def test_json_is_json(text: str) -> None:
    if "…" not in text:
        json.loads(text)


MAKEFILES = (ROOT / "Makefile", *sorted((ROOT / "make").glob("*.mk")))
MAKE = re.compile(r"(?:^ {4,}|^|`|\$ )make ([a-z][a-z-]*)\b", re.MULTILINE)
MADE_TARGET = re.compile(r"^\+([a-z-]+):", re.MULTILINE)
"""A target that a guide adds to a makefile; so does it add tests, and `test_guides.py` runs both."""
PYTEST = re.compile(r"\.venv/bin/pytest ([^`\n]*)")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_make_and_pytest_are_asked_for_is_there(document: Path) -> None:
    targets = {
        target
        for file in MAKEFILES
        for target in re.findall(r"^([a-z-]+):", file.read_text(encoding="utf-8"), re.MULTILINE)
    }
    text = document.read_text(encoding="utf-8")
    for code in CODE.findall(text):
        if not code.startswith("```python"):
            assert set(MAKE.findall(code)) <= targets | set(MADE_TARGET.findall(text)), code
        for words in PYTEST.findall(code):
            paths = {word.partition("::")[0] for word in words.split() if word.startswith("tests/")}
            paths = {path for path in paths if f"\n+++ {path}" not in text}
            assert [path for path in paths if not (ROOT / path).exists()] == [] or "acme" in words

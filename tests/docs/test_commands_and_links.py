"""What the documents tell a reader to type exists, and so does every page that they lead to."""

import argparse
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

from controller.cli import load_all_commands

ROOT = Path(__file__).parents[2]
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]

CODE = re.compile(r"```.*?```|`[^`\n]+`|^ {4}.*$", re.DOTALL | re.MULTILINE)
CALL = re.compile(r"tablectl ((?:(?! {2}|[`#;|>\n]).)+)")
LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)(?:#([^)]*))?\)")
MADE_BY_A_GUIDE = re.compile(r'^\+    "([a-z-]+)": \("controller\.cli', re.MULTILINE)
"""A command that a guide adds; `test_guides.py` runs it."""
NAMED = re.compile(r"`((?:docs|systemd)/[\w./-]+)`")


@cache  # two hundred parsers, for each of some hundred calls
def parsers() -> "argparse._SubParsersAction[argparse.ArgumentParser]":
    commands = argparse.ArgumentParser(prog="tablectl").add_subparsers()
    for command in load_all_commands():
        command.add_to(commands)
    return commands


def find_subparsers(parser: argparse.ArgumentParser) -> "argparse._SubParsersAction[argparse.ArgumentParser] | None":
    found = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    return found[0] if found else None


def wrong(call: Sequence[str]) -> str | None:
    """What is no word or option of `tablectl` in a call of it."""
    commands: argparse._SubParsersAction[argparse.ArgumentParser] | None = parsers()
    parser: argparse.ArgumentParser | None = None
    for word in call:
        if word.startswith("--"):
            if parser is not None and word.rstrip("].,") not in parser._option_string_actions:
                return word
        elif commands is not None:
            if not re.fullmatch(r"[a-z-]+", word):
                return None  # COMMAND, or the dots that stand for all of them
            if word not in commands.choices:
                return word
            parser = commands.choices[word]
            commands = find_subparsers(parser)
    return None


def calls(document: Path) -> Iterator[list[str]]:
    for code in CODE.findall(document.read_text(encoding="utf-8")):
        for call in CALL.findall(code):
            yield [word.lstrip("[") for word in call.split()]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_command_that_is_named_exists(document: Path) -> None:
    made = set(MADE_BY_A_GUIDE.findall(document.read_text(encoding="utf-8")))
    assert [(" ".join(call), word) for call in calls(document) if (word := wrong(call)) and word not in made] == []


def test_the_commands_are_found() -> None:
    assert sum(len(list(calls(document))) for document in DOCUMENTS) > 100
    assert wrong(["journal", "prove"]) == "prove"
    assert wrong(["lamps", "test", "--confg", "FILE"]) == "--confg"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_page_that_is_named_exists(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    assert [link for link, _ in LINK.findall(text) if not (document.parent / link).exists()] == []
    assert [path for path in NAMED.findall(text) if not (ROOT / path).exists()] == []
    for link, anchor in LINK.findall(text):
        if anchor:
            heads = re.findall(r"^#+ (.*)$", (document.parent / link).read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}, link

"""The guide for another language, walked: its own commands and lines, in a copy of the tree; what a page shows then."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.languages.catalogues import ROOT
from tests.tree_copy import copy_tree

COPIED = ("config", "controller", "drivers", "room", "tests/languages", "tests/__init__.py")
"""What the command needs that begins a catalogue."""

GUIDE = (ROOT / "docs" / "adding-a-language.md").read_text(encoding="utf-8")

SHOW = """
from types import SimpleNamespace
from starlette.requests import Request
from config.language_file import load_language
from controller.web import STATIC_FOLDER
from controller.web.wording.page_translation import make_page_response, make_script_response
from controller.web.wording.ruling_translation import translate_ruling
from controller.web.wording.step_instructions import format_instruction

app = SimpleNamespace(state=SimpleNamespace())
request = Request({"type": "http", "headers": [(b"cookie", b"language=fr")], "app": app})
french = load_language("fr")
print(make_page_response(request, STATIC_FOLDER / "dealer.html").body.decode())
print(make_script_response(request).body.decode())
print(format_instruction({"step": "burn"}, french), "/", format_instruction({"step": "shuffle"}, french))
said = "Seat 2 was entitled to a hand and got none: misdeal (TDA, Rule 35-A 4)."
print(translate_ruling({"text": said}, french)["text"])
"""


def list_blocks(kind: str) -> list[str]:
    """The guide's blocks of code of a kind, each without its indentation."""
    found = re.findall(rf"^ *```{kind}\n(.*?)^ *```", GUIDE, re.MULTILINE | re.DOTALL)
    return ["\n".join(line.removeprefix("   ") for line in block.splitlines()) for block in found]


def run_python(arguments: list[str], folder: Path) -> str:
    done = subprocess.run([sys.executable, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def run_command(command: str, folder: Path) -> str:
    """Run a command of the guide in a copy; a target of make by the one line that it consists of."""
    if command.startswith("make "):
        rules = (ROOT / "make" / "developer.mk").read_text(encoding="utf-8")
        recipe = re.search(rf"^{command.removeprefix('make ')}:.*\n\t\$\(BIN\)/(.+)\n\n", rules, re.MULTILINE)
        assert recipe is not None
        command = f".venv/bin/{recipe[1]}"
    program, *arguments = command.split()
    assert program == ".venv/bin/python"
    return run_python(arguments, folder)


def fill_catalogue(path: Path, translated: str) -> None:
    """Write the translations of the guide into the empty entries of a catalogue."""
    text = path.read_text(encoding="utf-8")
    for entry in translated.strip().split("\n\n"):
        english, said = re.split(r"\n(?=msgstr)", entry, maxsplit=1)
        empty = re.compile(re.escape(english) + r"\n(?:msgstr(?:\[\d\])? \"\"\n)+")
        (place,) = empty.finditer(text)
        text = f"{text[: place.start()]}{english}\n{said}\n{text[place.end() :]}"
    path.write_text(text, encoding="utf-8")


@pytest.mark.timeout(600)
def test_a_language_made_by_the_guide_is_shown_on_the_page(tmp_path: Path) -> None:
    copy_tree(COPIED, tmp_path)
    begin, update, last = list_blocks("sh")
    assert "texts" in run_command(begin, tmp_path)
    module = tmp_path / "controller" / "web" / "wording" / "page_translation.py"
    (name_line,) = list_blocks("text")
    source = module.read_text(encoding="utf-8")
    module.write_text(re.sub(r'(?m)^( +"es": mark.*\n)', rf"\1{name_line}\n", source, count=1), encoding="utf-8")
    assert re.search(r"^de: \d+ texts, 1 without a translation$", run_command(update, tmp_path), re.MULTILINE)
    (translated,) = list_blocks("po")
    fill_catalogue(tmp_path / "config" / "languages" / "fr.po", translated)
    shown = run_python(["-c", SHOW], tmp_path)
    assert '<html lang="fr">' in shown
    assert ">Dernière décision<" in shown
    assert '["fr", "Français"]' in shown
    assert '"1 card": ["1 carte", "{n} cartes"]' in shown
    assert "Brûler une carte / Shuffle" in shown, "what is empty is said in English"
    assert "Le siège 2 a été oublié : maldonne (TDA, Rule 35-A 4)." in shown
    assert [path for path in last.split()[1:] if not (ROOT / path).exists()] == []


def test_a_table_takes_the_language_by_the_lines_of_the_guide() -> None:
    (lines,) = list_blocks("toml")
    assert tomllib.loads(lines) == {"page": {"language": "fr"}}

"""Gathers every text of the pages, and brings the catalogues up to date with them: `make languages`.

A text that is new stands in every catalogue without a translation, and the tests say so until somebody has written it;
one that is said no more goes.
"""

import ast
import io
import json
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import chain
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po

from config import language_file, lesson_file
from controller.core.protocol import table_display, vocabulary
from controller.core.rules import rulings
from controller.room_contract.disclosure_level import DisclosureLevel
from controller.runtime.faults.fault_table import FAULTS
from controller.runtime.loop.table_view import LIVE, SIMULATION, TEST
from controller.runtime.staff.permissions import ROLES_BY_EVENT, Role
from controller.web.pages.start_trouble_page import START_TROUBLE_CODES
from controller.web.wording import error_catalogue
from controller.web.wording.page_translation import find_texts
from controller.web.wording.ruling_translation import TEMPLATES
from controller.web.wording.step_instructions import FORMATTER_BY_STEP

ROOT = Path(__file__).parents[2]
STATIC_FOLDER = ROOT / "controller" / "web" / "static"
STATIC_FOLDERS = (STATIC_FOLDER, ROOT / "room" / "server" / "static")
PYTHON = [path for place in ("controller/web", "controller/app", "room") for path in (ROOT / place).rglob("*.py")]
SENTENCES = [ROOT / "controller" / "core" / "engine" / "output" / "amendment_sentence.py"]
"""Modules of the core that make a sentence in the language that is handed in."""

IN_PYTHON = {"translate": None, "say": None, "mark_for_translation": None, "translate_plural": (1, 2)}
"""Functions whose first words are texts."""

QUOTED = r'("(?:[^"\\]|\\.)*")'
IN_SCRIPTS = re.compile(rf"\bt\({QUOTED}|\btranslatePlural\({QUOTED}, {QUOTED}")
"""What scripts say: the text stands in the call, between double quotes, also inside of a template."""

UNSAID = ("ValueForm", "ExposedBy", "StubMixture", "ReportedHand", "LevelStartHand", "PriorChips", "TimerCommand")
"""Words that no page shows."""

FINDERS = ("build_ruling", "build_ask_ruling", "Ruling", "FloorStep")
"""What is found and what is asked has no list in the core: it is named where it is ruled on."""

Text = str | tuple[str, str]
"""A text, or those for one and for several."""


def pages() -> Iterator[tuple[Text, str]]:
    for path in sorted(path for folder in STATIC_FOLDERS for path in folder.glob("*.html")):
        for text in find_texts(path.read_text(encoding="utf-8")):
            yield text, path.name


def scripts() -> Iterator[tuple[Text, str]]:
    for path in sorted(path for folder in STATIC_FOLDERS for path in folder.glob("*.js")):
        for alone, one, several in IN_SCRIPTS.findall(path.read_text(encoding="utf-8")):
            yield json.loads(alone) if alone else (json.loads(one), json.loads(several)), path.name


def python(paths: Iterable[Path] = PYTHON) -> Iterator[tuple[Text, str]]:
    for path in sorted(paths):
        if "language" in path.read_text(encoding="utf-8").lower():
            for _, text, _, _ in extract("python", io.BytesIO(path.read_bytes()), IN_PYTHON):
                yield text if isinstance(text, str) else (text[0], text[1]), path.name


def codes() -> Iterator[tuple[Text, str]]:
    """The words of the table script that a page shows, as people write them."""
    own: list[type[Enum]] = [
        each for each in vars(vocabulary).values() if isinstance(each, type) and issubclass(each, Enum)
    ]
    kinds: tuple[type[Enum], ...] = (
        *(each for each in own if each.__name__ not in UNSAID),
        table_display.Phase,
        table_display.Sound,
        rulings.Verdict,
    )
    found = [
        *(member.value for kind in kinds for member in kind),
        *FORMATTER_BY_STEP, *FAULTS, *(role.value for role in Role), *ROLES_BY_EVENT,
        LIVE, SIMULATION, TEST, "room", *(level.value for level in DisclosureLevel), "ready", "lost", "waiting",
        "record",
        *_named_in_the_core(), *_streets(),
    ]  # fmt: skip
    for code in sorted(map(str, set(found))):
        yield code.replace("-", " ").replace("_", " "), "table-script"


def _named_in_the_core() -> Iterator[str]:
    """Findings and questions, forced bets, and what a step of a remedy moves."""
    for path in sorted((ROOT / "controller" / "core").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).rstrip(")").endswith("FINDING"):
                named = ast.literal_eval(node.value)
                yield from (named if isinstance(named, tuple) else (named,))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
                first = node.args[:1] if name in FINDERS else node.args[1:2] if name == "PostStep" else []
                first += node.args[:1] if name == "ReturnStep" else []
                yield from (
                    each.value for each in first if isinstance(each, ast.Constant) and isinstance(each.value, str)
                )


def _streets() -> Iterator[str]:
    for path in sorted((ROOT / "config" / "games").glob("*.toml")):
        yield from (str(street["name"]) for street in tomllib.loads(path.read_text(encoding="utf-8"))["streets"])


def reasons() -> Iterator[tuple[Text, str]]:
    """What a code means and what the dealer does about it, of the kinds that a page shows; of some, what others do."""
    whole = {code.value for code in START_TROUBLE_CODES}
    for entry in error_catalogue.load_catalogue().values():
        if entry.kind != "error":
            yield entry.cause, "errors.toml"
            yield entry.dealer_advice, "errors.toml"
        if entry.kind == "page" and entry.code in whole:
            yield entry.floor_advice, "errors.toml"
            yield entry.technician_advice, "errors.toml"


def lessons() -> Iterator[tuple[Text, str]]:
    for name in lesson_file.list_lessons():
        lesson = lesson_file.load_lesson(name)
        yield lesson.title, "lessons"
        yield lesson.observation, "lessons"


def sentences() -> Iterator[tuple[Text, str]]:
    """What rulings say."""
    yield from ((template, "ruling_sentences.py") for template in sorted(TEMPLATES))


def texts() -> dict[Text, list[str]]:
    """Every text of the pages, in the order of a catalogue, and where it is said."""
    found: dict[str, Text] = {}
    places: dict[Text, list[str]] = {}
    sources = (pages(), scripts(), python(), codes(), reasons(), lessons(), sentences(), python(SENTENCES))
    for text, place in chain.from_iterable(sources):
        english = text if isinstance(text, str) else text[0]
        if found.setdefault(english, text) != text:
            raise ValueError(f"{english!r} is both a text and one of a thing that is counted ({place})")
        if place not in places.setdefault(text, []):
            places[text].append(place)
    return places


def update_catalogue(name: str, wanted: Iterable[tuple[Text, list[str]]]) -> str:
    """The catalogue of a language with these texts: those that it has, and the others empty."""
    path = language_file.FOLDER / f"{name}.po"
    old = read_po(io.BytesIO(path.read_bytes()), locale=name) if path.exists() else Catalog(name)
    new = Catalog(name, fuzzy=False)
    for text, places in wanted:
        message = old.get(text if isinstance(text, str) else text[0])
        string = message.string if message is not None else ""
        if isinstance(text, tuple) and not isinstance(string, tuple | list):
            string = ("", "")
        new.add(text, string, locations=[(place, 0) for place in places])
    written = io.BytesIO()
    write_po(written, new, width=0, omit_header=True, include_lineno=False)
    header = (
        f'msgid ""\nmsgstr ""\n"Language: {name}\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n'
        f'"Plural-Forms: {new.plural_forms}\\n"\n\n'
    )
    return header + written.getvalue().decode().rstrip("\n") + "\n"


def main(names: Iterable[str]) -> None:
    """Bring the catalogues up to date; a language that is named anew gets one."""
    wanted = list(texts().items())
    for name in names or [each for each in language_file.list_languages() if each != language_file.ENGLISH_NAME]:
        text = update_catalogue(name, wanted)
        (language_file.FOLDER / f"{name}.po").write_text(text, encoding="utf-8")
        empty = sum(
            not message.string or not all(message.string) for message in read_po(io.StringIO(text)) if message.id
        )
        sys.stdout.write(f"{name}: {len(wanted)} texts, {empty} without a translation\n")


if __name__ == "__main__":
    main(sys.argv[1:])

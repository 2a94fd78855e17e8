"""The conventions of `docs/naming.md` hold in the tree, and their checks find what breaks them in a made-up text."""

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest

from tests.docs.naming import (
    OTHER_FOLDERS,
    ROOM_FOLDERS,
    TABLE_FOLDERS,
    Breach,
    Definition,
    DefinitionKind,
    SourceFacts,
    collect_facts,
    find_bare_names,
    find_doubled_modules,
    find_misnamed_bounds,
    find_mutual_imports,
    find_unknown_names,
    is_bare_word,
    list_source_files,
)
from tests.docs.test_paths import MADE_BY_THE_READER

ROOT = Path(__file__).parents[2]
DOCUMENTS = (*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md")
PACKAGES_WITHOUT_CYCLES = ("controller.runtime", "controller.web")


@cache  # some seconds: every source is parsed
def read_tree() -> SourceFacts:
    paths = ["pyproject.toml", *list_source_files(ROOT, (*TABLE_FOLDERS, *ROOM_FOLDERS, *OTHER_FOLDERS))]
    return collect_facts((path, (ROOT / path).read_text(encoding="utf-8")) for path in paths)


UNCHECKED_FOLDERS = tuple(f"tests/{folder}/" for folder in ("rules", "people", "games", "tournament"))
"""Tests whose helpers still bear the names of before."""


def find_bare_names_in_tree() -> list[Breach]:
    return find_bare_names(
        definition for definition in read_tree().definitions if not definition.path.startswith(UNCHECKED_FOLDERS)
    )


def find_misnamed_bounds_in_tree() -> list[Breach]:
    return find_misnamed_bounds(read_tree().definitions)


def find_doubled_modules_in_tree() -> list[Breach]:
    return [
        breach
        for distribution in (TABLE_FOLDERS, ROOM_FOLDERS)
        for breach in find_doubled_modules(list_source_files(ROOT, distribution))
    ]


def find_mutual_imports_in_tree() -> list[Breach]:
    return [
        breach for package in PACKAGES_WITHOUT_CYCLES for breach in find_mutual_imports(read_tree().imports, package)
    ]


def find_unknown_names_in_tree() -> list[Breach]:
    return [
        breach
        for document in DOCUMENTS
        for breach in find_unknown_names(
            document.relative_to(ROOT).as_posix(), document.read_text(encoding="utf-8"), read_tree()
        )
        if breach.name not in MADE_BY_THE_READER
    ]


FIND_BY_CHECK: Mapping[str, Callable[[], list[Breach]]] = {
    "bare_word": find_bare_names_in_tree,
    "bound": find_misnamed_bounds_in_tree,
    "doubled_module": find_doubled_modules_in_tree,
    "mutual_import": find_mutual_imports_in_tree,
    "unknown_name": find_unknown_names_in_tree,
}


def read_exceptions() -> list[dict[str, str]]:
    text = Path(__file__).with_name("naming_exceptions.toml").read_text(encoding="utf-8")
    entries: list[dict[str, str]] = tomllib.loads(text)["exception"]
    return entries


@pytest.mark.parametrize("check", FIND_BY_CHECK)
def test_every_name_follows_the_conventions(check: str) -> None:
    excepted = {entry["name"] for entry in read_exceptions() if entry["check"] == check}
    breaches = [breach for breach in FIND_BY_CHECK[check]() if breach.name not in excepted]
    assert not breaches, "\n".join(["", *(f"{breach.name} ({breach.place})" for breach in breaches)])


def test_every_exception_has_a_reason_and_is_still_needed() -> None:
    entries = read_exceptions()
    assert all(set(entry) == {"check", "name", "reason"} and len(entry["reason"]) > 10 for entry in entries)
    names_by_check = {
        check: {breach.name for breach in FIND_BY_CHECK[check]()} for check in {entry["check"] for entry in entries}
    }
    assert [entry["name"] for entry in entries if entry["name"] not in names_by_check[entry["check"]]] == []
    assert len({(entry["check"], entry["name"]) for entry in entries}) == len(entries)


def test_the_definitions_of_the_tree_are_found() -> None:
    facts = read_tree()
    folders = {definition.path.partition("/")[0] for definition in facts.definitions}
    assert folders >= {*TABLE_FOLDERS, *ROOM_FOLDERS, "tests", "benchmarks", "examples"}
    assert len(facts.definitions) > 10_000
    assert len(facts.imports) > 5_000
    assert facts.bindings_by_module.keys() >= {"controller", "controller.core.values.value", "room"}


def collect(text: str, path: str = "controller/gate.py") -> SourceFacts:
    return collect_facts([(path, text)])


def list_names(breaches: list[Breach]) -> list[str]:
    return [breach.name for breach in breaches]


DEFINITIONS = """
import this as that

MAX_SEATS, MOST_SEATS = 10, 9
_LEAST: int = 1
lower = 3
if lower:
    FEWEST = 4
else:
    OTHER = 5

class Told:
    LONGEST_S = 2.0

    async def heard(self) -> None:
        def of() -> None: ...

class Size(StrEnum):
    MOST = "most"

try:
    pass
except OSError:
    def caught() -> None: ...
finally:
    MIN_TRIES = 1
lower.BEST[LEAST_KEY] = 5
match lower:
    case 3:
        def matched() -> None: ...
for LARGEST in ():
    MOST_TIMES = 1
"""


def test_every_definition_of_a_text_is_found() -> None:
    definitions = collect(DEFINITIONS).definitions
    assert [(definition.kind.value, definition.qualified_name) for definition in definitions] == [
        ("constant", "MAX_SEATS"),
        ("constant", "MOST_SEATS"),
        ("constant", "_LEAST"),
        ("constant", "FEWEST"),
        ("constant", "OTHER"),
        ("class", "Told"),
        ("constant", "Told.LONGEST_S"),
        ("function", "Told.heard"),
        ("function", "Told.heard.of"),
        ("class", "Size"),
        ("enum member", "Size.MOST"),
        ("constant", "MIN_TRIES"),
        ("function", "caught"),
        ("function", "matched"),
        ("constant", "MOST_TIMES"),
    ]
    assert definitions[5] == Definition("controller/gate.py", 12, DefinitionKind.CLASS, "Told")
    assert definitions[8].name == "of"


def test_bare_names_and_bounds_are_found_in_a_text() -> None:
    definitions = collect(DEFINITIONS).definitions
    assert list_names(find_bare_names(definitions)) == ["Told", "Told.heard", "Told.heard.of", "caught", "matched"]
    assert find_bare_names(definitions)[1] == Breach("Told.heard", "controller/gate.py:15")
    assert list_names(find_misnamed_bounds(definitions)) == [
        "MOST_SEATS", "_LEAST", "FEWEST", "Told.LONGEST_S", "MOST_TIMES",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "word",
    [
        "told", "who", "due", "at", "meant", "without", "stands", "would", "given", "own", "struck", "used", "safely",
        "waiting",
    ],
)  # fmt: skip
def test_a_bare_word_is_one(word: str) -> None:
    assert is_bare_word(word)


@pytest.mark.parametrize(
    "word", ["deal", "feed", "need", "red", "apply", "fly", "ruling", "seat", "read", "now", "next"]
)
def test_a_verb_or_a_noun_is_no_bare_word(word: str) -> None:
    assert not is_bare_word(word)


@pytest.mark.parametrize(
    ("name", "is_refused"),
    [
        ("taken", True), ("_taken", True), ("taken_back", True), ("left_over_to", True), ("__taken", True),
        ("take", False), ("take_back", False), ("is_taken", False), ("has_begun", False), ("can_do", False),
        ("should_have", False), ("on_closed", False), ("on", True), ("has", True), ("__over__", False),
        ("cards_dealt", False),
    ],
)  # fmt: skip
def test_a_function_is_refused_when_all_its_words_are_bare(name: str, is_refused: bool) -> None:
    assert bool(find_bare_names(collect(f"def {name}() -> None: ...").definitions)) is is_refused


@pytest.mark.parametrize(
    ("name", "is_refused"),
    [("Told", True), ("_Taken", True), ("Who", True), ("PortOpened", False), ("Seat", False), ("Feed", False)],
)
def test_a_class_is_refused_when_its_one_word_is_bare(name: str, is_refused: bool) -> None:
    assert bool(find_bare_names(collect(f"class {name}: ...").definitions)) is is_refused


def test_modules_of_one_name_are_found() -> None:
    paths = ["a/gate.py", "a/__init__.py", "b/__init__.py", "b/gate.py", "b/gate.js", "c/lamp.py", "c/gates.py"]
    assert find_doubled_modules(paths) == [Breach("gate", "a/gate.py, b/gate.py")]
    assert find_doubled_modules(["a/lamp.js", "b/lamp.js"]) == []


@pytest.mark.parametrize(
    "statement",
    [
        "from controller.web.pages.floor import render", "import controller.web.pages.floor as floor",
        "from controller.web import pages", "from ..pages import floor", "from .. import pages",
        "def render():\n    from controller.web.pages import floor",
    ],
)  # fmt: skip
def test_parts_that_import_each_other_are_found(statement: str) -> None:
    pages = ("controller/web/pages/__init__.py", "from ..api.routes import make_routes")
    facts = collect_facts([("controller/web/api/routes.py", statement), pages])
    assert find_mutual_imports(facts.imports, "controller.web") == [
        Breach("controller.web.api", "controller.web.pages")
    ]
    assert find_mutual_imports(facts.imports, "controller.runtime") == []


def test_imports_in_one_direction_and_inside_of_a_part_are_well() -> None:
    facts = collect_facts(
        [
            (
                "controller/web/api/routes.py",
                "from controller.web.pages import floor\nfrom controller.web.api import keys",
            ),
            ("controller/web/api/keys.py", "from controller.web.api import routes\nfrom . import routes"),
            ("controller/web/pages/__init__.py", "from .floor import render\nfrom controller.core.api import rules"),
            ("controller/core/api.py", "from controller.web.pages import floor"),
            ("controller/web/pages/board.py", "from api import keys"),
            ("pages/board.py", "from controller.web.api import keys"),
        ]
    )
    assert find_mutual_imports(facts.imports, "controller.web") == []


SOURCES = {
    "controller/__init__.py": "VERSION = '1'",
    "controller/gate.py": '''
"""A ShutGate is no more."""
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from controller.lamps import Lamp as SeatLamp
MAX_OPEN_S = 2
class GateLatch:
    def release(self, *, HoldTime: float) -> None:
        self.LastPulse = make(KeyWord="HeaderName", other="No Name")
''',
    "config/room.toml": '# OldKey\n[Section]\nKeyName = ["ValueName", "Two Words", {Inner = 1}]',
    "controller/page.js": """// OldScript
function drawTable(SeatView) { return 'QuotedName' + "Not AName"; } /* OldBlock */""",
    "room/server/tables.sql": "-- OldColumn\nCREATE TABLE HandIndex (name text);",
    "firmware_bridge/board.h": "#define TB_MAX_KEYS 4\ntypedef struct GateState GateState;",
    "tests/docs/test_naming.py": "class WrongName: ...",
    "tests/docs/naming_exceptions.toml": 'name = "WrongKey"',
}


@pytest.mark.parametrize(
    "span",
    [
        "GateLatch", "GateLatch.release", "GateLatch.release(now)", "SeatLamp", "Lamp", "HoldTime", "LastPulse",
        "KeyWord", "HeaderName", "Section", "KeyName", "ValueName", "Inner", "SeatView", "QuotedName", "HandIndex",
        "GateState", "MAX_OPEN_S", "TB_MAX_KEYS", "ValueError", "controller", "controller.gate",
        "controller.gate.GateLatch", "controller.gate.GateLatch.release", "controller.gate.SeatLamp",
        "controller.gate.MAX_OPEN_S", "controller.VERSION", "room.toml", "controller/gate.py",
        "tests/docs/test_naming.py", "word", "two words", "a.b", "As 2c",
        "[Room]", "controller/", "--option", "TDA", "T2000", "is_open",
    ],
)  # fmt: skip
def test_what_is_there_or_no_name_of_ours_may_stand_in_a_document(span: str) -> None:
    assert find_unknown_names("docs/a.md", f"Read `{span}` first.", collect_facts(SOURCES.items())) == []


@pytest.mark.parametrize(
    "span",
    [
        "ShutGate", "GateLatch.open", "GateLatch.open()", "Told", "_Told", "OldKey", "Two", "OldScript", "OldBlock",
        "AName", "OldColumn", "MAX_SHUT_S", "WrongName", "WrongKey", "controller.lamps", "controller.gate.Lamp",
        "controller.gate.release", "controller.gate.GateLatch.open", "drivers.base", "controller/lamps.py",
        "tests/test_gate.py",
    ],
)  # fmt: skip
def test_what_is_not_there_is_found_in_a_document(span: str) -> None:
    text = f"Read `{span}` first, then `{span}`.\n\n```\n`NotRead`\n```\n\n    ```\n    `NotRead`\n    ```\n"
    assert find_unknown_names("docs/a.md", text, collect_facts(SOURCES.items())) == [Breach(span, "docs/a.md")]


def test_no_sentence_is_a_known_name() -> None:
    facts = collect_facts(SOURCES.items())
    assert facts.known_names >= {"GateLatch", "KeyName", "drawTable"}
    assert [name for name in facts.known_names if name and not name.isidentifier()] == []


def test_sources_are_listed_without_what_a_build_leaves(tmp_path: Path) -> None:
    for name in (
        "a/gate.py",
        "a/b/page.js",
        "a/notes.md",
        "a/build/gate.py",
        "a/.cache/gate.py",
        "c/gate.py",
        "d/lamp.c",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert list_source_files(tmp_path, ("a", "d")) == ["a/b/page.js", "a/gate.py", "d/lamp.c"]

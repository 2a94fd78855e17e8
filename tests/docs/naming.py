"""The conventions of `docs/naming.md` as functions: what a source text defines, and which of it breaks a convention."""

import ast
import builtins
import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path, PurePosixPath

TABLE_FOLDERS = ("controller", "drivers", "config", "firmware_bridge")
ROOM_FOLDERS = ("room",)
OTHER_FOLDERS = (".ci", "benchmarks", "deploy", "examples", "image", "systemd", "tests")
SOURCE_SUFFIXES = (".py", ".js", ".c", ".h", ".toml", ".sql")
FILE_SUFFIXES = frozenset((*SOURCE_SUFFIXES, ".csv", ".json", ".jsonl", ".md", ".po", ".sqlite"))
# These name what is wrong on purpose, so what they mention is no known name.
NAMING_FILES = frozenset(f"tests/docs/{name}" for name in ("naming.py", "naming_exceptions.toml", "test_naming.py"))
STANDARD_NAMES = frozenset(sys.stdlib_module_names) | frozenset(dir(builtins))

# What begins with one of these is MAX_ or MIN_.
BOUND_WORDS = frozenset(("MOST", "LONGEST", "LARGEST", "FEWEST", "SHORTEST", "LEAST"))

# Past forms, too. What ends in -ed or -ly needs no line here. What ends in -ing is often a noun (a ruling): only these.
IRREGULAR_PARTICIPLES = frozenset(
    """
    ate been become began begun bought broke broken brought built came caught chosen dealt done drawn drew driven eaten
    fallen fed fell felt fought forbidden forgiven forgot forgotten found fled frozen gave given gone gotten grown heard
    held hid hidden hung kept knew known laid lain lent lit lost made meant met misdealt mistaken overtaken paid proven
    said sat saw seen sent shaken shown sold sought spent spoken spun stolen stood struck stuck sunk swept sworn taken
    taught thought threw thrown told took torn undealt understood undone unfound unheard unkept unknown unmade unpaid
    unread unsaid unseen unsent untaken untold went withdrawn withheld woken won worn written
    coming doing going having keeping lacking leaving lying missing owing pending remaining playing staying taking
    waiting wanting working
    """.split()  # noqa: SIM905
)
NO_PARTICIPLES = frozenset(
    """
    bed bleed breed creed deed embed exceed feed greed heed hundred indeed misfeed need proceed reed refeed reseed seed
    shed sled speed succeed weed
    """.split()  # noqa: SIM905
)
ADVERBS = frozenset(
    """
    again ahead alike alone already also always anew apart aside away back beforehand besides down due early else
    elsewhere enough ever everywhere forth hence here how indeed instead late later least left less long maybe meanwhile
    more most never no not nowhere off often once out over own perhaps quite rather short somehow somewhere soon sooner
    still then there therefore thus together too twice under up very whole why yes yet afterward afterwards
    """.split()  # noqa: SIM905
)
NO_ADVERBS = frozenset(
    """
    ally anomaly apply assembly belly bully comply family fly folly imply jelly july lily monopoly multiply ply poly
    rally reapply rely reply resupply supply tally
    """.split()  # noqa: SIM905
)
PREPOSITIONS = frozenset(
    """
    about above across after against along among around as at because before behind below beneath beside between beyond
    by despite during for from if in inside into of on onto outside per since than through throughout till to toward
    towards unless unlike until unto upon upto versus via when whenever where whereas whether while with within without
    """.split()  # noqa: SIM905
)
PRONOUNS = frozenset(
    """
    another anybody anyone anything both each either every everybody everyone everything few he her hers herself him
    himself his it its itself many me much my myself neither nobody none nothing oneself other others our ours same
    several she some somebody someone something such that their theirs them themselves these they this those we what
    whatever which whichever who whoever whom whose you your yours
    """.split()  # noqa: SIM905
)
# With verbs in the third person whose form is no plural of a noun.
AUXILIARIES = frozenset(
    """
    am are be being can could did do does had has have is may might must ought shall should was were will would
    becomes begins belongs goes happens hears knows lacks lies owes says stands wants
    """.split()  # noqa: SIM905
)
BARE_WORDS = IRREGULAR_PARTICIPLES | ADVERBS | PREPOSITIONS | PRONOUNS | AUXILIARIES


class DefinitionKind(Enum):
    """What a statement defines."""

    FUNCTION = "function"
    CLASS = "class"
    CONSTANT = "constant"
    ENUM_MEMBER = "enum member"


@dataclass(frozen=True, slots=True)
class Definition:
    """A name that a source text defines; `qualified_name` has the classes and functions around it."""

    path: str
    line: int
    kind: DefinitionKind
    qualified_name: str

    @property
    def name(self) -> str:
        return self.qualified_name.rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class Breach:
    """A name that breaks a convention, and where it stands."""

    name: str
    place: str


@dataclass(slots=True)
class SourceFacts:
    """What the sources define and mention.

    `paths` are those of the sources themselves, `known_names` all names in them, `bindings_by_module` the names at the
    top of each Python module, and `imports` pairs of the module that imports and what it imports.
    """

    paths: set[str] = field(default_factory=set)
    definitions: list[Definition] = field(default_factory=list)
    known_names: set[str] = field(default_factory=set)
    bindings_by_module: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    imports: set[tuple[str, str]] = field(default_factory=set)


def list_source_files(root: Path, folders: Iterable[str]) -> list[str]:
    """List the sources below the folders of a checkout; what a build leaves in hidden and `build` folders is none."""
    found = []
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            parts = path.relative_to(root / folder).parts
            if path.suffix in SOURCE_SUFFIXES and not any(part == "build" or part[0] == "." for part in parts):
                found.append(path.relative_to(root).as_posix())
    return found


def collect_facts(texts_by_path: Iterable[tuple[str, str]]) -> SourceFacts:
    """Read sources, each a path and a text."""
    facts = SourceFacts()
    for path, text in texts_by_path:
        facts.paths.add(path)
        suffix = PurePosixPath(path).suffix
        if suffix == ".py":
            _collect_python(facts, path, ast.parse(text))
        elif path not in NAMING_FILES:
            is_toml = suffix == ".toml"
            facts.known_names.update(
                _iterate_toml_names(tomllib.loads(text)) if is_toml else _iterate_script_names(text, suffix)
            )
    return facts


def find_bare_names(definitions: Iterable[Definition]) -> list[Breach]:
    """Find functions and classes that are called by a participle, an adverb, a preposition, a pronoun or a modal.

    A function of several such words (`taken_back`) says no more than one of them. What begins with `is_`, `has_` or the
    like asks, and what begins with `on_` names what happened.
    """
    return [
        _make_breach(definition)
        for definition in definitions
        if (definition.kind is DefinitionKind.FUNCTION and _is_bare_function(definition.name))
        or (definition.kind is DefinitionKind.CLASS and _is_bare_class(definition.name))
    ]


def find_misnamed_bounds(definitions: Iterable[Definition]) -> list[Breach]:
    """Find constants that are called MOST or the like in place of MAX or MIN."""
    return [
        _make_breach(definition)
        for definition in definitions
        if definition.kind is DefinitionKind.CONSTANT and definition.name.strip("_").split("_")[0] in BOUND_WORDS
    ]


def find_doubled_modules(paths: Iterable[str]) -> list[Breach]:
    """Find the names that several modules of one distribution have; every package may have its `__init__`."""
    paths_by_name: defaultdict[str, list[str]] = defaultdict(list)
    for path in paths:
        name = PurePosixPath(path).stem
        if path.endswith(".py") and name != "__init__":
            paths_by_name[name].append(path)
    return [Breach(name, ", ".join(sorted(found))) for name, found in sorted(paths_by_name.items()) if len(found) > 1]


def find_mutual_imports(imports: Iterable[tuple[str, str]], package: str) -> list[Breach]:
    """Find pairs of parts of a package that import each other."""
    arrows = {
        (importer.removeprefix(f"{package}.").split(".")[0], imported.removeprefix(f"{package}.").split(".")[0])
        for importer, imported in imports
        if importer.startswith(f"{package}.") and imported.startswith(f"{package}.")
    }
    return [
        Breach(f"{package}.{one}", f"{package}.{other}")
        for one, other in sorted(arrows)
        if one < other and (other, one) in arrows
    ]


def find_unknown_names(path: str, text: str, facts: SourceFacts) -> list[Breach]:
    """Find what a document writes as a name of ours and the sources do not have."""
    spans = _CODE_SPAN.findall(_FENCED_BLOCK.sub("", text))
    return [Breach(span, path) for span in dict.fromkeys(spans) if not _is_known(span, facts)]


def is_bare_word(word: str) -> bool:
    """Whether a word in lower case is a participle, an adverb, a preposition, a pronoun or a modal by itself."""
    return (
        word in BARE_WORDS
        or (len(word) > 3 and word.endswith("ed") and word not in NO_PARTICIPLES)
        or (word.endswith("ly") and word not in NO_ADVERBS)
    )


def _is_bare_function(name: str) -> bool:
    if name.startswith("__") and name.endswith("__"):
        return False
    words = name.strip("_").split("_")
    asks_or_listens = len(words) > 1 and words[0] in {"is", "has", "can", "should", "on"}
    return not asks_or_listens and all(is_bare_word(word) for word in words)


def _is_bare_class(name: str) -> bool:
    """Whether a class has one word for a name, and that a bare one: `PortOpened` has two."""
    word = name.strip("_")
    return is_bare_word(word.lower()) and not any(letter.isupper() for letter in word[1:])


def _make_breach(definition: Definition) -> Breach:
    return Breach(definition.qualified_name, f"{definition.path}:{definition.line}")


_FENCED_BLOCK = re.compile(r"^ *```.*?^ *```", re.DOTALL | re.MULTILINE)
_CODE_SPAN = re.compile(r"`([^`\n]+)`")
_DOTTED_NAME = re.compile(rf"(?:{'|'.join((*TABLE_FOLDERS, *ROOM_FOLDERS))})(?:\.\w+)+")
_MODULE_PATH = re.compile(rf"(?:{'|'.join((*TABLE_FOLDERS, *ROOM_FOLDERS, *OTHER_FOLDERS))})/[\w./-]+\.py")
_CLASS_NAME = re.compile(r"(_*[A-Z](?=\w*[a-z])[^\W_]*(?:\.[a-zA-Z_]\w*)*)(?:\(.*\))?")
_CONSTANT_NAME = re.compile(r"_*[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")


def _is_known(span: str, facts: SourceFacts) -> bool:
    """Whether a span of code is there; what looks like no name of ours counts as known."""
    if _MODULE_PATH.fullmatch(span):
        return span in facts.paths
    if _DOTTED_NAME.fullmatch(span):
        return PurePosixPath(span).suffix in FILE_SUFFIXES or _has_dotted_name(span.split("."), facts)
    if _CONSTANT_NAME.fullmatch(span):
        return span in facts.known_names
    if matched := _CLASS_NAME.fullmatch(span):
        first, *attributes = matched[1].split(".")
        return (first in STANDARD_NAMES or first in facts.known_names) and facts.known_names.issuperset(attributes)
    return True


def _has_dotted_name(parts: list[str], facts: SourceFacts) -> bool:
    for length in range(len(parts), 0, -1):
        module = ".".join(parts[:length])
        if module in facts.bindings_by_module:
            rest = parts[length:]
            return not rest or (rest[0] in facts.bindings_by_module[module] and facts.known_names.issuperset(rest))
    return False


def _collect_python(facts: SourceFacts, path: str, tree: ast.Module) -> None:
    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    package = module if path.endswith("/__init__.py") else module.rpartition(".")[0]
    facts.definitions += _iterate_definitions(path, tree, "", in_enum=False)
    facts.bindings_by_module[module].update(_iterate_bindings(tree))
    for node in ast.walk(tree):
        if path not in NAMING_FILES:
            facts.known_names.update(_iterate_node_names(node))
        if isinstance(node, ast.Import):
            facts.imports.update((module, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            source = ".".join([*parents, *([node.module] if node.module else [])])
            facts.imports.update((module, f"{source}.{alias.name}") for alias in node.names)


def _iterate_definitions(path: str, parent: ast.AST, prefix: str, *, in_enum: bool) -> Iterator[Definition]:
    for node in _iterate_statements(parent):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield Definition(path, node.lineno, DefinitionKind.FUNCTION, prefix + node.name)
            yield from _iterate_definitions(path, node, f"{prefix}{node.name}.", in_enum=False)
        elif isinstance(node, ast.ClassDef):
            yield Definition(path, node.lineno, DefinitionKind.CLASS, prefix + node.name)
            is_enum = any(ast.unparse(base).endswith(("Enum", "Flag")) for base in node.bases)
            yield from _iterate_definitions(path, node, f"{prefix}{node.name}.", in_enum=is_enum)
        else:
            kind = DefinitionKind.ENUM_MEMBER if in_enum else DefinitionKind.CONSTANT
            for name in _iterate_assigned_names(node):
                if name.isupper():
                    yield Definition(path, node.lineno, kind, prefix + name)
            yield from _iterate_definitions(path, node, prefix, in_enum=in_enum)


def _iterate_statements(parent: ast.AST) -> Iterator[ast.stmt]:
    """Give the statements right below a node, those of its branches, handlers and cases too."""
    for block in ("body", "orelse", "finalbody"):
        statements = getattr(parent, block, None)
        if isinstance(statements, list):
            yield from statements
    for branch in (*getattr(parent, "handlers", ()), *getattr(parent, "cases", ())):
        yield from branch.body


def _iterate_assigned_names(node: ast.AST) -> Iterator[str]:
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, ast.AnnAssign):
        targets = [node.target]
    for target in targets:
        for part in ast.walk(target):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                yield part.id


def _iterate_bindings(parent: ast.AST) -> Iterator[str]:
    """Give what the top of a module binds, in a branch of it (`if TYPE_CHECKING:`) too."""
    for node in _iterate_statements(parent):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from ((alias.asname or alias.name).split(".")[0] for alias in node.names)
        else:
            yield from _iterate_assigned_names(node)
            yield from _iterate_bindings(node)


def _iterate_node_names(node: ast.AST) -> Iterator[str]:
    """Give the names of one node; a string that is one name counts, as a key does."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.Constant):
        if isinstance(node.value, str) and node.value.isidentifier():
            yield node.value
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.arg | ast.keyword):
        yield node.arg or ""
    elif isinstance(node, ast.alias):
        yield from node.name.split(".")
        yield node.asname or ""


def _iterate_toml_names(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield str(key)
            yield from _iterate_toml_names(item)
    elif isinstance(value, list):
        for item in value:
            yield from _iterate_toml_names(item)
    elif isinstance(value, str) and value.isidentifier():
        yield value


_SCRIPT_TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|(?P<quote>["'])(?P<text>(?:\\.|(?!(?P=quote))[^\\\n])*)(?P=quote)|(?P<name>[A-Za-z_$]\w*)""",
    re.DOTALL,
)
_SQL_COMMENT = re.compile(r"--[^\n]*")


def _iterate_script_names(text: str, suffix: str) -> Iterator[str]:
    """Give the names in JavaScript, C or SQL, outside of comments and sentences."""
    for token in _SCRIPT_TOKEN.finditer(_SQL_COMMENT.sub("", text) if suffix == ".sql" else text):
        name = token["name"] or token["text"]
        if name and name.isidentifier():
            yield name

"""The table of parts (`.ci/parts.toml`), and which of them a change reaches."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
TABLE = ROOT / ".ci" / "parts.toml"
LIMITATIONS = ROOT / ".ci" / "limitations.toml"


class TableError(Exception):
    """The table of parts is wrong; the message says where, and what would be right."""


@dataclass(frozen=True)
class Part:
    """One part of the gate.

    `short` and `long` are shell commands, run at the root; a part without one is left out of that form. Limits are
    seconds of the wall. `paths` are globs of tracked files; `tools` are programs that must be there, by Debian package;
    `evidence` are patterns that the part's log must match, their named groups are figures. `tests` are test files that
    no other part collects; `makes` are the Makefile's targets that the commands run.
    """

    name: str
    what: str
    paths: tuple[str, ...]
    short: str = ""
    short_limit_s: int = 0
    long: str = ""
    long_limit_s: int = 0
    alone: bool = False
    always: bool = False
    evidence: tuple[str, ...] = ()
    tools: Mapping[str, str] = field(default_factory=dict)
    packages: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    makes: tuple[str, ...] = ()

    def is_reached_by(self, files: Iterable[str]) -> bool:
        """Whether a change of these files can break what this part proves."""
        patterns = [compile_glob(glob) for glob in self.paths]
        return any(pattern.fullmatch(file) for file in files for pattern in patterns)


def compile_glob(glob: str) -> re.Pattern[str]:
    """Return the pattern of a glob: `*` stays within a folder, `**` does not."""
    words = {"**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(words.get(each) or re.escape(each) for each in re.split(r"(\*\*|\*|\?)", glob)))


def read_parts(table: Path = TABLE) -> tuple[Part, ...]:
    """Read the table. Raises `TableError` where it is wrong."""
    try:
        text = tomllib.loads(table.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise TableError(f"{table.name}: {error}") from None
    groups = text.get("paths", {})
    return tuple(_read_part(table.name, name, row, groups) for name, row in text.get("parts", {}).items())


def _read_part(table: str, name: str, row: Mapping[str, Any], groups: Mapping[str, list[str]]) -> Part:
    unknown = sorted(row.keys() - Part.__dataclass_fields__.keys())
    if unknown:
        raise TableError(
            f"{table}: part {name} has no key {unknown[0]!r}; keys: {', '.join(Part.__dataclass_fields__)}"
        )
    paths = [glob for entry in row.get("paths", []) for glob in groups.get(entry, [entry])]
    missing = [key for key in ("what", "paths") if not row.get(key)]
    missing += [f"{form}_limit_s" for form in ("short", "long") if row.get(form) and not row.get(f"{form}_limit_s")]
    if not row.get("short") and not row.get("long"):
        missing.append("short or long")
    if missing:
        raise TableError(f"{table}: part {name} lacks {missing[0]}")
    tuples = {key: tuple(row[key]) for key in ("packages", "tests", "makes", "evidence") if key in row}
    return Part(**{**row, **tuples, "name": name, "paths": tuple(paths)})


def find_unreached(files: Iterable[str], parts: Iterable[Part]) -> list[str]:
    """Return the tracked files whose change would reach no part."""
    patterns = [compile_glob(glob) for part in parts for glob in part.paths]
    return [file for file in files if not any(pattern.fullmatch(file) for pattern in patterns)]


@dataclass(frozen=True)
class Limitation:
    """What a container cannot do: where it shows (a test's id or a part's name), and the reason."""

    where: str
    reason: str


def read_limitations(file: Path = LIMITATIONS) -> tuple[Limitation, ...]:
    """Read the list of what a container truly cannot do."""
    rows = tomllib.loads(file.read_text(encoding="utf-8")).get("limitation", [])
    return tuple(Limitation(row["where"], row["reason"]) for row in rows)

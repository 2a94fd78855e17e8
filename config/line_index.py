"""Where in a TOML file a key stands, so that a message can name file, line and key."""

import re
from functools import cached_property

_HEADER_PATTERN = re.compile(r"^\s*\[\[?\s*([^\[\]]+?)\s*\]?\]\s*(?:#.*)?$")
_KEY_PATTERN = re.compile(
    r"""^\s*((?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*'))*)\s*="""
)


class LineIndex:
    """The lines of the keys and tables of a TOML text, for messages only: `tomli` has read the text already."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _line_by_key(self) -> dict[tuple[str, ...], int]:
        """Looked for when the first message asks: there is none, as a rule."""
        found: dict[tuple[str, ...], int] = {}
        for path, number in self._paths:
            found.setdefault(path, number)
        return found

    @cached_property
    def _paths(self) -> list[tuple[tuple[str, ...], int]]:
        """Every key and table with its line, in the order in which they are written."""
        found: list[tuple[tuple[str, ...], int]] = []
        entries: dict[tuple[str, ...], int] = {}
        table: tuple[str, ...] = ()
        for number, line in enumerate(self._text.splitlines(), start=1):
            if header := _HEADER_PATTERN.match(line):
                table = _split_key(header[1])
                found.append((table, number))
                if line.lstrip().startswith("[["):
                    entries[table] = entries.get(table, -1) + 1
                    table = (*table, str(entries[table]))
                    found.append((table, number))
            elif key := _KEY_PATTERN.match(line):
                found.append(((*table, *_split_key(key[1])), number))
        return found

    def find_repetition(self, line: int) -> tuple[str, int] | None:
        """Return the key that is written on a line, and the line before it where it is written last; `None`: nowhere.

        Of a multi-line text the lines look like keys: what stands nearest before is the one that TOML means.
        """
        here = [path for path, number in self._paths if number == line]
        before = [number for path, number in self._paths if path in here[:1] and number < line]
        return (".".join(here[0]), before[-1]) if before else None

    def find_line(self, *path: str) -> int:
        """Return the line of a key, or of the nearest table around it; 1 when nothing of the path is written.

        In an array of tables (`[[streets]]`) the number of the table, from 0, stands before its keys.
        """
        while path:
            if path in self._line_by_key:
                return self._line_by_key[path]
            path = path[:-1]
        return 1


def _split_key(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in dotted.split("."))

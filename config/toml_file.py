"""Reads a TOML file as every file of the configuration is read: by `tomli`, which is `tomllib` as machine code."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tomli

from config.config_error import ConfigError
from config.line_index import LineIndex

_ZERO_CHARACTER_PATTERN = re.compile(r"\\(u0000|U00000000)")
"""How a TOML text says a zero character, if it does: as it is it can stand nowhere."""


_REPETITION_PATTERN = re.compile(r"Cannot (overwrite a value|declare .* twice)")
_BRACKET_PATTERN = re.compile(r'"""[\s\S]*?"""|\'\'\'[\s\S]*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*|[\[\]{}]')
"""Brackets, and the texts and comments in which they are none."""

_INLINE_REPETITION_PATTERN = re.compile(r"Duplicate inline table key '(.*)'")
"""What `tomli` says of a key that stands twice: of the second place alone."""


def read_toml(path: Path) -> tuple[str, dict[str, Any]]:
    """The text of a file and what it says; raises `ConfigError` where it cannot be read or is no TOML."""
    try:
        text = path.read_bytes().decode()
        content = tomli.loads(text)
    except OSError as why:
        remedy = "put the file there, and let the table's user read it"
        raise ConfigError(path, 1, "", f"cannot be read: {why.strerror} ({path}); {remedy}") from why
    except UnicodeDecodeError as why:
        raise ConfigError(path, 1, "", "is no UTF-8 text") from why
    except tomli.TOMLDecodeError as why:
        marked = text.startswith("\ufeff")
        what = "begins with a byte-order mark: save it as UTF-8 without one" if marked else f"is no TOML: {why}"
        if inline := _INLINE_REPETITION_PATTERN.match(why.msg):
            raise ConfigError(path, why.lineno, inline[1], f"stands twice on line {why.lineno}: say it once") from why
        repeated = LineIndex(text).find_repetition(why.lineno) if _REPETITION_PATTERN.match(why.msg) else None
        if repeated is not None:
            key, first = repeated
            raise ConfigError(
                path, why.lineno, key, f"stands twice, on line {first} and on line {why.lineno}: say it once"
            ) from why
        opened = None if marked else _find_open_bracket(text[: why.pos])
        if opened is not None and opened[1] < why.lineno:
            sign, line = opened
            raise ConfigError(path, line, "", f"the {sign} of line {line} is not closed; {what}") from why
        raise ConfigError(path, why.lineno, "", what) from why
    except (RecursionError, ValueError) as why:  # brackets in brackets without end, a number of thousands of digits
        raise ConfigError(path, 1, "", "is no TOML that can be read: too deep, or a number too long") from why
    for keys in _find_zero_characters(content, ()) if _ZERO_CHARACTER_PATTERN.search(text) else ():
        raise ConfigError(
            path, LineIndex(text).find_line(*keys), ".".join(keys), "holds a zero character, which no name can"
        )
    return text, content


def _find_open_bracket(text: str) -> tuple[str, int] | None:
    """Find the last bracket of a beginning of TOML that nothing closes, and its line; `None` where all are closed."""
    opened: list[tuple[str, int]] = []
    for match in _BRACKET_PATTERN.finditer(text):
        sign = match.group()
        if sign in ("[", "{"):
            opened.append((sign, text.count("\n", 0, match.start()) + 1))
        elif sign in ("]", "}") and opened:
            opened.pop()
    return opened[-1] if opened else None


def _find_zero_characters(value: object, keys: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Where a text stands with a character that ends a name for the system: no path, port or player can have it."""
    if isinstance(value, str) and "\0" in value:
        yield keys
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inside:
        yield from _find_zero_characters(key, keys)
        yield from _find_zero_characters(each, (*keys, str(key)))

"""Reads the sections of a TOML file, knowing where each key stands, so that a mistake is named with its line."""

from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

from config.config_error import ConfigError
from config.line_index import LineIndex

ValueT = TypeVar("ValueT", str, int, float, dict)  # type: ignore[type-arg]  # a TOML table holds anything


class SectionReader:
    """The sections of one file. Each method takes the path of keys to what it reads, and raises `ConfigError`."""

    def __init__(self, path: Path, lines: LineIndex) -> None:
        self.path = path
        self.line_index = lines

    def read_section(self, content: Mapping[str, object], name: str) -> dict[str, object]:
        """Return a section, empty where it is not written."""
        found = content.get(name, {})
        if not isinstance(found, dict):
            raise self.make_error(f"must be a section, written [{name}]", name)
        return found

    def check_keys(
        self, section: Mapping[str, object], where: tuple[str, ...], known: tuple[str, ...], required: tuple[str, ...]
    ) -> None:
        """Refuse what nobody knows, and what is missing."""
        for key in section:
            if key not in known:
                raise self.make_error(f"is unknown here; known: {', '.join(known)}", *where, key)
        for key in required:
            if key not in section:
                raise self.make_error("is missing", *where, key)

    def read_value(self, section: Mapping[str, object], kind: type[ValueT], words: str, *path: str) -> ValueT:
        """Return the value of a key that is there; `words` say what it must be."""
        value = section[path[-1]]
        fits = isinstance(value, kind) or (kind is float and isinstance(value, int))
        if not fits or isinstance(value, bool) or value == "":
            shown = "a list or section" if isinstance(value, list | dict) else repr(value)
            raise self.make_error(f"must be {words}, not {shown}", *path)
        return value  # type: ignore[return-value]  # a whole number stands for a float

    def read_flag(self, section: Mapping[str, object], *path: str) -> bool:
        """Return what a key says that may be true or false; false where it is not written."""
        value = section.get(path[-1], False)
        if not isinstance(value, bool):
            raise self.make_error(f"must be true or false, not {value!r}", *path)
        return value

    def read_path(self, section: Mapping[str, object], *path: str) -> Path:
        """Return the file that a key names, beside this one or whole."""
        return self.path.parent / self.read_value(section, str, "a file", *path)

    def make_error(self, message: str, *path: str) -> ConfigError:
        """Make the error that names file, line and key."""
        return ConfigError(self.path, self.line_index.find_line(*path), ".".join(path), message)

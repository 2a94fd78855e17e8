"""Reads the sections of a TOML file, knowing where each key stands, so that a mistake is named with its line."""

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from config.config_error import ConfigError
from config.line_index import LineIndex
from controller.shape import Key, Schema, Shape, ShapeError, build_object_schema, make_plain, make_shape

ValueT = TypeVar("ValueT", str, dict)  # type: ignore[type-arg]  # a TOML table holds anything

KindT = TypeVar("KindT")

TEXT_SCHEMA: Schema = {"type": "string", "minLength": 1}
KEYS_TOGETHER = (("certificate", "key"), ("user", "password_file"))
"""Keys of which a section has both or none, where it knows both."""


def make_file_shape(annotation: object, words: str) -> Shape | None:
    """In a file a text says something, and so does a path, which `SectionReader.read_fields` takes beside the file."""
    if annotation not in (str, Path):
        return None
    words = words or ("a text" if annotation is str else "a file")
    text = make_plain(str, words).narrow(bool, words, TEXT_SCHEMA)
    return text if annotation is str else text._replace(read=lambda value: Path(text.read(value)))


class KeyField(NamedTuple):
    """A field of a data class that is a key of a file."""

    name: str
    key: str
    shape: Shape
    is_required: bool


def list_key_fields(kind: Any, section: str) -> list[KeyField]:  # noqa: ANN401 - a data class
    """The keys of a section that the fields of a data class are."""
    found = []
    for field in dataclasses.fields(kind):
        key = next((note for note in getattr(field.type, "__metadata__", ()) if isinstance(note, Key)), None)
        if key is not None and key.name.rpartition(".")[0] in ("", section):
            is_required = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
            name = key.name.rpartition(".")[2]
            found.append(KeyField(field.name, name, make_shape(field.type, make_file_shape), is_required))
    return found


def build_section_schema(kind: type, section: str = "") -> Schema:
    """The JSON Schema of a section whose keys the fields of a class declare."""
    fields = list_key_fields(kind, section)
    made = build_object_schema(
        {field.key: field.shape.schema for field in fields}, [field.key for field in fields if field.is_required]
    )
    pairs = [pair for pair in KEYS_TOGETHER if set(pair) <= {*made["properties"]} - {*made.get("required", ())}]
    needs = {key: [other] for pair in pairs for key, other in (pair, pair[::-1])}
    return {**made, "dependentRequired": needs} if needs else made


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
        if not isinstance(value, kind) or value == "":
            raise self.make_error(str(ShapeError(words, value)), *path)
        return value

    def read_kind(self, kind: type[KindT], content: Mapping[str, object], name: str) -> KindT:
        """Read a section as the class whose fields declare its keys."""
        return kind(**self.read_part(kind, content, name))

    def read_part(self, kind: type, content: Mapping[str, object], name: str) -> dict[str, Any]:
        """Read the fields of a class that are keys of a section."""
        return self.read_fields(kind, self.read_section(content, name), name)

    def read_fields(self, kind: type, section: Mapping[str, object], *where: str) -> dict[str, Any]:
        """Read the keys that the fields of a class declare, field by field; what is not written is left out."""
        fields = list_key_fields(kind, ".".join(where))
        known = tuple(field.key for field in fields)
        self.check_keys(section, where, known, tuple(field.key for field in fields if field.is_required))
        found = {
            field.name: self.read_shape(field.shape, section, *where, field.key)
            for field in fields
            if field.key in section
        }
        for pair in KEYS_TOGETHER:
            for key, other in (pair, pair[::-1]):
                if key in section and other in known and other not in section:
                    raise self.make_error(f"is missing; {' and '.join(pair)} go together", *where, other)
        return found

    def read_shape(self, shape: Shape, section: Mapping[str, object], *path: str) -> Any:  # noqa: ANN401 - as its key has it
        """Return the value of a key that is there, a path beside this file."""
        try:
            value = shape.read(section[path[-1]])
        except ValueError as why:
            raise self.make_error(str(why), *path) from None
        return self.path.parent / value if isinstance(value, Path) else value

    def make_error(self, message: str, *path: str) -> ConfigError:
        """Make the error that names file, line and key."""
        return ConfigError(self.path, self.line_index.find_line(*path), ".".join(path), message)

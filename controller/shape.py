"""What a key may be, told once by its annotation: how a value is read, the words for what is right, the JSON Schema.

`make_shape` makes all three of a type and the notes beside it: `Annotated[int, Key("port"), Bounds(1, 65535, "…")]`.
The fields of a data class that have a `Key` are the keys of a section of a file (`config.section_reader`). A caller may
have shapes of its own for annotations that mean more to it than their type says.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

Schema = dict[str, Any]


class ShapeError(ValueError):
    """A value is not what its key may be: `words` say what may be, `value` is what was found."""

    def __init__(self, words: str, value: object, sentence: str = "") -> None:
        """Keep both; the sentence is that of a key of a file unless another one is said."""
        shown = "a list or section" if isinstance(value, list | dict) and "list" not in words else repr(value)
        super().__init__(sentence or f"must be {words}, not {shown}")
        self.words, self.value = words, value


class Shape(NamedTuple):
    """What a key may be; `read` returns the value as the program has it, or raises `ValueError` with a sentence."""

    read: Callable[[object], Any]
    words: str
    schema: Schema

    def narrow(self, accepts: Callable[[Any], bool], words: str, schema: Schema) -> "Shape":
        """The same without the values that are not accepted."""

        def read(value: object) -> object:
            found = self.read(value)
            if not accepts(found):
                raise ShapeError(words, value)
            return found

        return Shape(read, words, schema)


class Key(NamedTuple):
    """The key of a field, `section.name` in a class of several sections; `words` for a value of another type."""

    name: str
    words: str = ""


class Bounds(NamedTuple):
    """A number between two, both allowed; `step`: a multiple of it."""

    least: float
    most: float
    words: str
    step: int = 0

    def narrow(self, shape: Shape) -> Shape:
        """The shape within the bounds."""
        schema = {**shape.schema, "minimum": self.least, "maximum": self.most}
        if not self.step:
            return shape.narrow(lambda found: self.least <= found <= self.most, self.words, schema)
        fits = range(int(self.least), int(self.most) + 1, self.step).__contains__
        return shape.narrow(fits, self.words, {**schema, "multipleOf": self.step})


class Pattern(NamedTuple):
    """A text like a pattern, which begins with `^` and ends with `$`."""

    pattern: str
    words: str

    def narrow(self, shape: Shape) -> Shape:
        """The shape of texts like the pattern."""
        fits = re.compile(self.pattern).fullmatch
        return shape.narrow(lambda found: bool(fits(found)), self.words, {"type": "string", "pattern": self.pattern})


class Choice(NamedTuple):
    """One of several texts, or of those that a function lists; where a `noun` is told, the error says "no such …"."""

    choices: Iterable[str] | Callable[[], Iterable[str]]
    noun: str = ""
    words: str = ""

    def narrow(self, shape: Shape) -> Shape:
        """The shape of these texts alone."""
        choices = tuple(self.choices() if callable(self.choices) else self.choices)
        words = self.words or (" or " if len(choices) == 2 else ", ").join(choices)

        def read(value: object) -> object:
            if not isinstance(value, str) or value not in choices:
                raise ShapeError(
                    words, value, f"there is no {self.noun} {value!r}; there are {words}" * bool(self.noun)
                )
            return shape.read(value)

        return Shape(read, words, {"const": choices[0]} if len(choices) == 1 else {"enum": list(choices)})


class Length(NamedTuple):
    """A list of so many entries."""

    least: int
    most: int
    words: str

    def narrow(self, shape: Shape) -> Shape:
        """The shape of lists that are neither shorter nor longer."""
        schema = {**shape.schema, "minItems": self.least, "maxItems": self.most}
        return shape.narrow(lambda found: self.least <= len(found) <= self.most, self.words, schema)


class Parser(NamedTuple):
    """A text of which a function makes what the program has, or raises `ValueError` with a sentence."""

    parse: Callable[[str], object]

    def narrow(self, shape: Shape) -> Shape:
        """The shape of what is made; its schema cannot tell more than before."""
        return shape._replace(read=lambda value: self.parse(shape.read(value)))


MakeOwnShape = Callable[[Any, str], Shape | None]
"""Makes a caller's own shape of an annotation and the words for it; `None`: it has none."""

_WORDS_BY_TYPE = {int: "a whole number", float: "a number", str: "a text", bool: "true or false", NoneType: "null"}
_JSON_TYPE_BY_TYPE = {int: "integer", float: "number", str: "string", bool: "boolean", NoneType: "null"}


def make_shape(annotation: Any, make_own: MakeOwnShape | None = None, words: str = "") -> Shape:  # noqa: ANN401 - an annotation is any object
    """Make the shape of an annotation; raises `TypeError` where it is none that a file or a line can hold."""
    if make_own and (own := make_own(annotation, words)) is not None:
        return own
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _make_noted(arguments[0], arguments[1:], make_own)
    if origin in (Union, UnionType):
        return _make_union([make_shape(each, make_own, words) for each in arguments if each is not NoneType], arguments)
    if origin is Literal:
        return make_choice({each: each for each in arguments}, words or " or ".join(map(repr, arguments)))
    if origin in (Mapping, dict):
        return _make_mapping(make_shape(arguments[1], make_own), words)
    if origin in (Sequence, list, tuple, frozenset):
        made = make_list(make_shape(arguments[0], make_own), words, is_told=get_origin(arguments[0]) is Annotated)
        return made if origin is not frozenset else made._replace(read=lambda value: frozenset(made.read(value)))
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        members = {member.value: member for member in annotation}
        return make_choice(members, words or f"one of {', '.join(members)}")
    if annotation in _JSON_TYPE_BY_TYPE:
        return make_plain(annotation, words)
    raise TypeError(f"a key cannot be annotated {annotation!r}")


def _make_noted(base: Any, notes: Sequence[Any], make_own: MakeOwnShape | None) -> Shape:  # noqa: ANN401 - an annotation
    words = next((note.words for note in notes if getattr(note, "words", "")), "")
    text = any(isinstance(note, Parser) for note in notes)
    shape = make_shape(str if text else base, make_own, words)
    for note in notes:
        shape = shape if isinstance(note, Key) else note.narrow(shape)
    return shape


def make_plain(kind: Any, words: str = "") -> Shape:  # noqa: ANN401 - a type
    """A number, a text or a flag. A whole number may stand for any number."""
    words = words or _WORDS_BY_TYPE[kind]
    taken = (int, float) if kind is float else (kind,)

    def read(value: Any) -> object:  # noqa: ANN401 - what was found
        if type(value) not in taken:
            raise ShapeError(words, value)
        try:
            return float(value) if kind is float else value
        except OverflowError:  # a whole number of hundreds of digits
            raise ShapeError(words, value) from None

    return Shape(read, words, {"type": _JSON_TYPE_BY_TYPE[kind]})


def make_choice(members: Mapping[Any, object], words: str) -> Shape:
    """One of these values, each of which stands for a member."""
    kinds = {type(value) for value in members}  # `True` is no 1

    def read(value: object) -> object:
        if type(value) not in kinds or value not in members:
            raise ShapeError(words, value)
        return members[value]

    return Shape(read, words, {"enum": list(members)})


def make_list(entry: Shape, words: str = "", *, is_told: bool = False) -> Shape:
    """A list; `is_told`: of a wrong entry the error says what that entry may be, not what the list may."""
    words = words or f"a list, each entry {entry.words}"

    def read(value: object) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple):
            raise ShapeError(words, value)
        try:
            return tuple(entry.read(each) for each in value)
        except ShapeError:
            if is_told:
                raise
            raise ShapeError(words, value) from None

    return Shape(read, words, {"type": "array", "items": entry.schema})


def _make_mapping(entry: Shape, words: str) -> Shape:
    words = words or f"a table, each entry {entry.words}"

    def read(value: object) -> dict[str, Any]:
        if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
            raise ShapeError(words, value)
        return {key: entry.read(each) for key, each in value.items()}

    return Shape(read, words, {"type": "object", "additionalProperties": entry.schema})


def _make_union(shapes: Sequence[Shape], arguments: Sequence[Any]) -> Shape:
    """What one of the shapes takes, and nothing at all where that is among the arguments."""
    words = " or ".join(shape.words for shape in shapes)

    def read(value: object) -> object:
        if value is None and NoneType in arguments:
            return None
        for shape in shapes:
            try:
                return shape.read(value)
            except ValueError:
                if len(shapes) == 1:
                    raise
        raise ShapeError(words, value)

    return Shape(read, words, shapes[0].schema if len(shapes) == 1 else {"anyOf": [each.schema for each in shapes]})


def build_object_schema(properties: Schema, required: Sequence[str] = ()) -> Schema:
    """The schema of an object with these keys and no other."""
    made: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**made, "required": list(required)} if required else made

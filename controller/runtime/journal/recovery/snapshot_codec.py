"""Structs and data classes as plain data (what JSON can say), and back, by their annotations.

Every object is a row of its class: its fields in the order that the document's list of classes names. Rows stand side
by side and point to each other by number, so that what is shared stays shared, and nothing here recurses into what
hangs on what: only into tuples of tuples, as deep as an annotation says.

A reader takes rows of an older and of a newer program: a field that the row lacks has its default, one that nobody
knows any more is passed over, and fields that moved into a group of their own, or out of one, are found by their names.
A class goes by the name of its module and its own (`steps.Deal`), so it may move to another package.
"""

import types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, is_dataclass, replace
from dataclasses import fields as data_class_fields
from enum import Enum
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from controller.core.values.value import NODEFAULT, Struct, fields
from controller.runtime.journal.recovery.stored_names import STORED_CLASSES, STORED_FIELDS

ValueEncoder = Callable[[Any, "_RowWriter"], object]
ValueDecoder = Callable[[Any, "_RowReader"], Any]

ROW_KEY = "#"
"""The key under which a value names a row."""

SCALAR_TYPES = (bool, int, float, str)

NO_DEFAULT = object()


class SnapshotCodecError(Exception):
    """Data that do not fit the schema; the message names no value."""


@dataclass(frozen=True, slots=True)
class _ValueCodec:
    """How the values of an annotation are written and read; `row_classes`: the classes of the rows that it may name.

    Of a field: `default` where it has one, and `attribute`, what the code calls it.
    """

    encode: ValueEncoder
    decode: ValueDecoder
    row_classes: tuple[type, ...] = ()
    is_optional: bool = False
    default: object = NO_DEFAULT
    attribute: str = ""


class SnapshotSchema:
    """The data classes that can be reached from `root` by annotations.

    `shortened`: of some classes only these fields are written; the others are those of an object that the reader has.
    Classes and fields go by their stored names (`stored_names.py`), whatever the code calls them.
    """

    def __init__(self, root: type, shortened: Mapping[type, Sequence[str]] | None = None) -> None:
        """Collect the classes; raises `SnapshotCodecError` for an annotation that has no plain form."""
        self._root = root
        self._written_fields_by_class = dict(shortened or {})
        self.class_by_name: dict[str, type] = {}
        self._codecs_by_class: dict[type, dict[str, _ValueCodec]] = {}
        self._class_by_short_name: dict[str, object] = {}
        self._add_class(root)

    def encode(self, value: object, named: Mapping[str, object]) -> dict[str, Any]:
        """Write `value`, of the class `root`; raises `SnapshotCodecError` where it holds what has no plain form.

        Of what `named` holds only the name is written: the reader has it from elsewhere.
        """
        writer = _RowWriter(self, named)
        writer.add_object(value)
        writer.write_rows()
        classes = [[name, list(self.find_codecs(self.class_by_name[name]))] for name in writer.class_number_by_name]
        return {"classes": classes, "rows": writer.rows}

    def decode(self, data: Mapping[str, Any], named: Mapping[str, object], bases: Mapping[type, object]) -> Any:  # noqa: ANN401
        """Read what `encode` wrote; `bases` has an object for each shortened class. Raises `SnapshotCodecError`."""
        try:
            return _RowReader(self, data, named, bases).build_root(self._root)
        except (KeyError, IndexError, TypeError, ValueError, AttributeError) as why:
            raise SnapshotCodecError(f"the data do not fit the schema ({type(why).__name__})") from None

    def find_codecs(self, kind: type) -> dict[str, _ValueCodec]:
        """The fields of a class that are written, by their stored names, and how."""
        return self._codecs_by_class[kind]

    def list_field_names(self, kind: type) -> Iterator[tuple[str, str]]:
        """The fields of a class, those of shortened classes that are not written too: stored name and attribute."""
        return ((_find_stored_key(kind, name), name) for name, _ in _fields_of(kind))

    def _add_class(self, kind: type) -> None:
        """Take in a class and whatever it leads to."""
        waiting, put_off = [kind], 0
        while waiting:
            one = waiting.pop()
            if one in self._codecs_by_class:
                continue
            name = make_stored_name(one)
            if self.class_by_name.setdefault(name, one) is not one:
                raise SnapshotCodecError(f"two classes are called {name}")
            self._class_by_short_name[one.__name__] = one
            try:
                hints = get_type_hints(one, localns=self._class_by_short_name)
            except NameError as why:  # a class that its module imports for the type checker alone; others name it too
                waiting.insert(0, one)
                put_off += 1
                if put_off > len(waiting):
                    raise SnapshotCodecError(f"{name} has an annotation that cannot be found: {why.name}") from None
                continue
            put_off = 0
            known: dict[str, _ValueCodec] = {}
            for field, default in _fields_of(one):
                if one in self._written_fields_by_class and field not in self._written_fields_by_class[one]:
                    continue
                codec = replace(_make_codec(hints[field]), default=default, attribute=field)
                known[_find_stored_key(one, field)] = codec
                waiting.extend(codec.row_classes)
            self._codecs_by_class[one] = known


def _fields_of(kind: Any) -> Iterator[tuple[str, object]]:  # noqa: ANN401 - a Struct or a data class
    """The name and the default of each field of a class; `NO_DEFAULT` where there is none."""
    for field in fields(kind) if issubclass(kind, Struct) else data_class_fields(kind):
        of_field = field.default_factory() if callable(field.default_factory) else field.default
        yield field.name, NO_DEFAULT if of_field in (MISSING, NODEFAULT) else of_field


def _is_object(kind: Any) -> bool:  # noqa: ANN401 - an annotation
    return isinstance(kind, type) and (issubclass(kind, Struct) or is_dataclass(kind))


def make_stored_name(kind: type) -> str:
    """The name by which documents know a class."""
    name = _make_own_name(kind)
    return STORED_CLASSES.get(name, name)


def _find_stored_key(kind: type, attribute: str) -> str:
    """The key by which documents know a field."""
    return STORED_FIELDS.get(_make_own_name(kind), {}).get(attribute, attribute)


def _make_own_name(kind: type) -> str:
    return f"{kind.__module__.rpartition('.')[2]}.{kind.__qualname__}"


class _RowWriter:
    def __init__(self, schema: SnapshotSchema, named: Mapping[str, object]) -> None:
        self._schema = schema
        self._number_by_id: dict[int, int | str] = {id(one): name for name, one in named.items()}
        self._pending_objects: list[Any] = []
        self.class_number_by_name: dict[str, int] = {}
        self.rows: list[list[object]] = []

    def add_object(self, value: Any) -> int | str:  # noqa: ANN401 - any data class
        """The number of the row of an object, which is written in its turn, or the name of one that is not."""
        number = self._number_by_id.get(id(value))
        if number is None:
            if type(value) not in self._schema._codecs_by_class:  # noqa: SLF001 - writer and schema are one thing
                raise SnapshotCodecError(f"{type(value).__name__} is no data of the schema")
            number = self._number_by_id[id(value)] = len(self._pending_objects)
            self._pending_objects.append(value)
        return number

    def write_rows(self) -> None:
        """Write the rows of all objects, those too that come up meanwhile."""
        for value in self._pending_objects:  # it grows while it is walked
            kind = type(value)
            row: list[object] = [
                self.class_number_by_name.setdefault(make_stored_name(kind), len(self.class_number_by_name))
            ]
            codecs = self._schema.find_codecs(kind).values()
            row += [codec.encode(getattr(value, codec.attribute), self) for codec in codecs]
            self.rows.append(row)


class _RowReader:
    def __init__(
        self, schema: SnapshotSchema, data: Mapping[str, Any], named: Mapping[str, object], bases: Mapping[type, object]
    ) -> None:
        self._schema, self._object_by_name, self._base_by_class = schema, named, bases
        self._rows: list[dict[str, Any]] = []
        self._row_classes: list[type | None] = []
        for number, *values in data["rows"]:
            name, fields = data["classes"][number]
            self._row_classes.append(schema.class_by_name.get(name))
            self._rows.append(dict(zip(fields, values, strict=True)))
        self._object_by_row: dict[int, object] = {}
        self._unreadable_rows = self._find_unreadable_rows()

    def build_root(self, kind: type) -> object:
        """Make every object, what it is made of first, and return the first of the rows."""
        for number in self._iter_dependencies_first():
            self._object_by_row[number] = self._build_object(self._row_classes[number], self._rows[number])
        if type(self._object_by_row.get(0)) is not kind:
            raise SnapshotCodecError("the data are those of something else")
        return self._object_by_row[0]

    def _iter_dependencies_first(self) -> Iterator[int]:
        """The rows that can be read, each behind those that it names, also by way of one that cannot."""
        done, begun = set[int](), set[int]()
        for first in range(len(self._rows)):
            waiting = [first]
            while waiting:
                number = waiting[-1]
                named = () if number in done or number in begun else self._iter_needed_rows(number)
                if number not in done:
                    begun.add(number)
                if open_yet := [one for one in named if one not in done]:
                    if not begun.isdisjoint(open_yet):
                        raise SnapshotCodecError("the data name an object that is made of itself")
                    waiting += open_yet
                    continue
                waiting.pop()
                if number not in done:
                    done.add(number)
                    if number not in self._unreadable_rows:
                        yield number

    def _iter_needed_rows(self, number: int) -> Iterator[int]:
        for value in self._rows[number].values():
            yield from (one for one in _iter_row_references(value) if isinstance(one, int))

    def find_object(self, number: int | str, rows: tuple[type, ...]) -> object:
        """The object of a row, or the one of that name, of one of these classes."""
        if isinstance(number, str):
            if type(self._object_by_name[number]) not in rows:
                raise SnapshotCodecError("the data name an object that cannot stand there")
            return self._object_by_name[number]
        if number < 0 or number in self._unreadable_rows or self._row_classes[number] not in rows:
            raise SnapshotCodecError("the data name an object that cannot stand there")
        return self._object_by_row[number]

    def is_unreadable(self, value: object) -> bool:
        """Whether a value names an object of a class that this program does not know, or one that needs it."""
        return isinstance(value, dict) and value.get(ROW_KEY) in self._unreadable_rows

    def _build_object(self, kind: Any, row: Mapping[str, Any]) -> object:  # noqa: ANN401 - a class
        fields = self._schema.find_codecs(kind)
        base = self._base_by_class.get(kind)
        values = {}
        for name, attribute in self._schema.list_field_names(kind):
            kept = name not in fields or (base is not None and name not in row)
            values[attribute] = getattr(base, attribute) if kept else self._read_field(name, fields[name], row, kind)
        made: object = kind(**values)
        return made

    def _read_field(self, name: str, form: _ValueCodec, row: Mapping[str, Any], kind: type) -> object:
        if name in row:
            if form.is_optional and self.is_unreadable(row[name]):
                return None
            return form.decode(row[name], self)
        grouped = self._find_group_row(name, row, kind)
        if grouped is not None:
            return self._read_field(name, form, grouped, kind)
        if (
            len(form.row_classes) == 1
            and not form.is_optional
            and not self._schema.find_codecs(form.row_classes[0]).keys().isdisjoint(row)
        ):
            # Its fields stood here before they had a group of their own.
            return self._build_object(form.row_classes[0], row)
        if form.default is NO_DEFAULT:
            raise SnapshotCodecError(f"{make_stored_name(kind)} has no {name}")
        return form.default

    def _find_group_row(self, name: str, row: Mapping[str, Any], kind: type) -> Mapping[str, Any] | None:
        """The row of the group, which this program does not know, into which a field of `row` has moved."""
        unknown = row.keys() - dict(self._schema.list_field_names(kind)).keys()
        groups = (
            row[other][ROW_KEY] for other in sorted(unknown) if isinstance(row[other], dict) and ROW_KEY in row[other]
        )
        return next((self._rows[number] for number in groups if name in self._rows[number]), None)

    def _find_unreadable_rows(self) -> frozenset[int]:
        """The rows of classes that this program does not know, and those that cannot do without such a one."""
        lost = {number for number, kind in enumerate(self._row_classes) if kind is None}
        grown = bool(lost)
        while grown:
            grown = False
            for number, (kind, row) in enumerate(zip(self._row_classes, self._rows, strict=True)):
                if number in lost or kind is None:
                    continue
                needed = (row[name] for name, form in self._schema.find_codecs(kind).items() if name in row)
                dispensable = [form.is_optional for name, form in self._schema.find_codecs(kind).items() if name in row]
                for value, optional in zip(needed, dispensable, strict=True):
                    direct = isinstance(value, dict) and value.get(ROW_KEY) in lost
                    if (direct and not optional) or (not direct and not lost.isdisjoint(_iter_row_references(value))):
                        lost.add(number)
                        grown = True
                        break
        return frozenset(lost)


def _iter_row_references(value: object) -> Iterator[int]:
    """The rows that a value names."""
    if isinstance(value, list):
        for one in value:
            yield from _iter_row_references(one)
    elif isinstance(value, dict) and ROW_KEY in value:
        yield value[ROW_KEY]


def _make_codec(hint: Any) -> _ValueCodec:  # noqa: ANN401 - an annotation
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _make_union_codec(args)
    if hint in (*SCALAR_TYPES, object) or origin is Literal:
        return _ValueCodec(_write_scalar if hint is not object else _write_anything, _read_anything)
    if origin in (Mapping, typing.Mapping):
        return _ValueCodec(_pass_through, _pass_through)
    if origin is tuple:
        return _make_tuple_codec(args)
    if origin in (frozenset, set):
        member = _make_codec(args[0])
        return _ValueCodec(
            lambda value, writer: sorted((member.encode(one, writer) for one in value), key=repr),
            lambda data, reader: origin(member.decode(one, reader) for one in data),
        )
    if origin is dict:
        key, held = _make_codec(args[0]), _make_codec(args[1])
        return _ValueCodec(
            lambda value, writer: [[key.encode(k, writer), held.encode(v, writer)] for k, v in value.items()],
            lambda data, reader: {key.decode(k, reader): held.decode(v, reader) for k, v in data},
            held.row_classes,
        )
    if isinstance(hint, type):
        return _make_class_codec(hint)
    raise SnapshotCodecError(f"no plain form for {hint!r}")


def _make_class_codec(kind: type) -> _ValueCodec:
    if issubclass(kind, Enum):
        return _ValueCodec(lambda value, _: value.value, lambda data, _: kind(data))
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        hints = get_type_hints(kind)
        forms = [_make_codec(hints[name]) for name in kind._fields]
        return _ValueCodec(
            lambda value, writer: [form.encode(one, writer) for form, one in zip(forms, value, strict=True)],
            lambda data, reader: kind(*(form.decode(one, reader) for form, one in zip(forms, data, strict=False))),
            tuple(row for form in forms for row in form.row_classes),
        )
    if issubclass(kind, tuple):  # one with verbs of its own, written as what it is made of
        (made_of,) = vars(kind)["__orig_bases__"]
        form = _make_codec(made_of)
        return replace(form, decode=lambda data, reader: kind(form.decode(data, reader)))
    if _is_object(kind):
        return _make_object_codec((kind,))
    raise SnapshotCodecError(f"no plain form for {kind.__name__}")


def _make_object_codec(kinds: tuple[type, ...]) -> _ValueCodec:
    return _ValueCodec(
        lambda value, writer: {ROW_KEY: writer.add_object(value)},
        lambda data, reader: reader.find_object(data[ROW_KEY], kinds),
        kinds,
    )


def _make_tuple_codec(args: tuple[Any, ...]) -> _ValueCodec:
    if len(args) == 2 and args[1] is Ellipsis:
        member = _make_codec(args[0])
        return _ValueCodec(
            lambda value, writer: [member.encode(one, writer) for one in value],
            lambda data, reader: tuple(member.decode(one, reader) for one in data),
            member.row_classes,
        )
    members = [_make_codec(arg) for arg in args]
    return _ValueCodec(
        lambda value, writer: [form.encode(one, writer) for form, one in zip(members, value, strict=True)],
        lambda data, reader: tuple(form.decode(one, reader) for form, one in zip(members, data, strict=True)),
        tuple(row for form in members for row in form.row_classes),
    )


def _make_union_codec(args: tuple[Any, ...]) -> _ValueCodec:
    """One of several: told apart by what they are, and in the document by what JSON has for them."""
    forms = [(arg, _make_codec(arg)) for arg in args if arg is not type(None)]
    objects = [form for arg, form in forms if _is_object(arg)]
    lists = [form for arg, form in forms if get_origin(arg) in (tuple, frozenset, dict) or _is_tuple_class(arg)]
    enums = [form for arg, form in forms if isinstance(arg, type) and issubclass(arg, Enum)]
    plain = [form for _, form in forms if form not in (*objects, *lists, *enums)]
    if len(lists) > 1 or len(enums) > 1 or (enums and plain):
        raise SnapshotCodecError(f"the members of {args} cannot be told apart")
    rows = tuple(row for form in objects for row in form.row_classes)
    of_object = _make_object_codec(rows)
    scalar = next(iter((*enums, *plain)), None)

    def write(value: Any, writer: _RowWriter) -> object:  # noqa: ANN401 - a value of the union
        if value is None:
            return None
        if _is_object(type(value)):
            return of_object.encode(value, writer)
        if lists and isinstance(value, (tuple, frozenset, dict)):
            return lists[0].encode(value, writer)
        if scalar is None:
            raise SnapshotCodecError(f"{type(value).__name__} is no member of its union")
        return scalar.encode(value, writer)

    def read(data: Any, reader: _RowReader) -> object:  # noqa: ANN401 - JSON
        if data is None:
            return None
        if isinstance(data, dict):
            return of_object.decode(data, reader)
        if isinstance(data, list):
            return lists[0].decode(data, reader)
        if scalar is None:
            raise SnapshotCodecError("a value is no member of its union")
        return scalar.decode(data, reader)

    return _ValueCodec(write, read, (*rows, *(row for form in lists for row in form.row_classes)), type(None) in args)


def _is_tuple_class(hint: Any) -> bool:  # noqa: ANN401 - an annotation
    return isinstance(hint, type) and issubclass(hint, tuple)


def _write_scalar(value: Any, _: _RowWriter) -> object:  # noqa: ANN401 - any value
    if not isinstance(value, SCALAR_TYPES):
        raise SnapshotCodecError(f"{type(value).__name__} is no plain value")
    return value


def _write_anything(value: Any, writer: _RowWriter) -> object:  # noqa: ANN401 - any value
    if isinstance(value, tuple):
        return [_write_anything(one, writer) for one in value]
    return None if value is None else _write_scalar(value, writer)


def _read_anything(data: Any, reader: _RowReader) -> object:  # noqa: ANN401 - JSON
    if isinstance(data, list):
        return tuple(_read_anything(one, reader) for one in data)
    if isinstance(data, dict):
        raise SnapshotCodecError("an object stands where a plain value should")
    return data


def _pass_through(data: Any, _: object) -> object:  # noqa: ANN401 - JSON
    return data

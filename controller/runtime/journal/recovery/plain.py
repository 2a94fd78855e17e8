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

Write = Callable[[Any, "_Writer"], object]
Read = Callable[[Any, "_Reader"], Any]

AT = "#"
"""The key under which a value names a row."""

SCALARS = (bool, int, float, str)

NO_DEFAULT = object()


class PlainError(Exception):
    """Data that do not fit the schema; the message names no value."""


@dataclass(frozen=True, slots=True)
class _Form:
    """How the values of an annotation are written and read; `rows`: the classes of the rows that it may name."""

    write: Write
    read: Read
    rows: tuple[type, ...] = ()
    optional: bool = False
    default: object = NO_DEFAULT


class Schema:
    """The data classes that can be reached from `root` by annotations.

    `shortened`: of some classes only these fields are written; the others are those of an object that the reader has.
    """

    def __init__(self, root: type, shortened: Mapping[type, Sequence[str]] | None = None) -> None:
        """Collect the classes; raises `PlainError` for an annotation that has no plain form."""
        self._root = root
        self._shortened = dict(shortened or {})
        self.classes: dict[str, type] = {}
        self._fields: dict[type, dict[str, _Form]] = {}
        self._known_names: dict[str, object] = {}
        self._add(root)

    def written(self, value: object, named: Mapping[str, object]) -> dict[str, Any]:
        """Write `value`, of the class `root`; raises `PlainError` where it holds what has no plain form.

        Of what `named` holds only the name is written: the reader has it from elsewhere.
        """
        writer = _Writer(self, named)
        writer.row_of(value)
        writer.fill()
        classes = [[name, list(self.fields(self.classes[name]))] for name in writer.names]
        return {"classes": classes, "rows": writer.rows}

    def read(self, data: Mapping[str, Any], named: Mapping[str, object], bases: Mapping[type, object]) -> Any:  # noqa: ANN401
        """Read what `written` wrote; `bases` has an object for each shortened class. Raises `PlainError`."""
        try:
            return _Reader(self, data, named, bases).root(self._root)
        except (KeyError, IndexError, TypeError, ValueError, AttributeError) as why:
            raise PlainError(f"the data do not fit the schema ({type(why).__name__})") from None

    def fields(self, kind: type) -> dict[str, _Form]:
        """The fields of a class that are written, and how."""
        return self._fields[kind]

    def all_fields(self, kind: type) -> Iterator[str]:
        """The fields of a class, those of shortened classes that are not written too."""
        return (name for name, _ in _fields_of(kind))

    def _add(self, kind: type) -> None:
        """Take in a class and whatever it leads to."""
        waiting, put_off = [kind], 0
        while waiting:
            one = waiting.pop()
            if one in self._fields:
                continue
            name = name_of(one)
            if self.classes.setdefault(name, one) is not one:
                raise PlainError(f"two classes are called {name}")
            self._known_names[one.__name__] = one
            try:
                hints = get_type_hints(one, localns=self._known_names)
            except NameError as why:  # a class that its module imports for the type checker alone; others name it too
                waiting.insert(0, one)
                put_off += 1
                if put_off > len(waiting):
                    raise PlainError(f"{name} has an annotation that cannot be found: {why.name}") from None
                continue
            put_off = 0
            known: dict[str, _Form] = {}
            for field, default in _fields_of(one):
                if one in self._shortened and field not in self._shortened[one]:
                    continue
                known[field] = replace(_form(hints[field]), default=default)
                waiting.extend(known[field].rows)
            self._fields[one] = known


def _fields_of(kind: Any) -> Iterator[tuple[str, object]]:  # noqa: ANN401 - a Struct or a data class
    """The name and the default of each field of a class; `NO_DEFAULT` where there is none."""
    for field in fields(kind) if issubclass(kind, Struct) else data_class_fields(kind):
        of_field = field.default_factory() if callable(field.default_factory) else field.default
        yield field.name, NO_DEFAULT if of_field in (MISSING, NODEFAULT) else of_field


def _is_object(kind: Any) -> bool:  # noqa: ANN401 - an annotation
    return isinstance(kind, type) and (issubclass(kind, Struct) or is_dataclass(kind))


def name_of(kind: type) -> str:
    """The name by which documents know a class."""
    return f"{kind.__module__.rpartition('.')[2]}.{kind.__qualname__}"


class _Writer:
    def __init__(self, schema: Schema, named: Mapping[str, object]) -> None:
        self._schema = schema
        self._numbers: dict[int, int | str] = {id(one): name for name, one in named.items()}
        self._waiting: list[Any] = []
        self.names: dict[str, int] = {}
        self.rows: list[list[object]] = []

    def row_of(self, value: Any) -> int | str:  # noqa: ANN401 - any data class
        """The number of the row of an object, which is written in its turn, or the name of one that is not."""
        number = self._numbers.get(id(value))
        if number is None:
            if type(value) not in self._schema._fields:
                raise PlainError(f"{type(value).__name__} is no data of the schema")
            number = self._numbers[id(value)] = len(self._waiting)
            self._waiting.append(value)
        return number

    def fill(self) -> None:
        """Write the rows of all objects, those too that come up meanwhile."""
        for value in self._waiting:  # it grows while it is walked
            kind = type(value)
            row: list[object] = [self.names.setdefault(name_of(kind), len(self.names))]
            row += [form.write(getattr(value, name), self) for name, form in self._schema.fields(kind).items()]
            self.rows.append(row)


class _Reader:
    def __init__(
        self, schema: Schema, data: Mapping[str, Any], named: Mapping[str, object], bases: Mapping[type, object]
    ) -> None:
        self._schema, self._named, self._bases = schema, named, bases
        self._rows: list[dict[str, Any]] = []
        self._kinds: list[type | None] = []
        for number, *values in data["rows"]:
            name, fields = data["classes"][number]
            self._kinds.append(schema.classes.get(name))
            self._rows.append(dict(zip(fields, values, strict=True)))
        self._objects: dict[int, object] = {}
        self._lost = self._unreadable()

    def root(self, kind: type) -> object:
        """Make every object, what it is made of first, and return the first of the rows."""
        for number in self._from_the_last():
            self._objects[number] = self._made(self._kinds[number], self._rows[number])
        if type(self._objects.get(0)) is not kind:
            raise PlainError("the data are those of something else")
        return self._objects[0]

    def _from_the_last(self) -> Iterator[int]:
        """The rows that can be read, each behind those that it names, also by way of one that cannot."""
        done, begun = set[int](), set[int]()
        for first in range(len(self._rows)):
            waiting = [first]
            while waiting:
                number = waiting[-1]
                named = () if number in done or number in begun else self._needed_by(number)
                if number not in done:
                    begun.add(number)
                if open_yet := [one for one in named if one not in done]:
                    if not begun.isdisjoint(open_yet):
                        raise PlainError("the data name an object that is made of itself")
                    waiting += open_yet
                    continue
                waiting.pop()
                if number not in done:
                    done.add(number)
                    if number not in self._lost:
                        yield number

    def _needed_by(self, number: int) -> Iterator[int]:
        for value in self._rows[number].values():
            yield from (one for one in _named(value) if isinstance(one, int))

    def object_at(self, number: int | str, rows: tuple[type, ...]) -> object:
        """The object of a row, or the one of that name, of one of these classes."""
        if isinstance(number, str):
            if type(self._named[number]) not in rows:
                raise PlainError("the data name an object that cannot stand there")
            return self._named[number]
        if number < 0 or number in self._lost or self._kinds[number] not in rows:
            raise PlainError("the data name an object that cannot stand there")
        return self._objects[number]

    def is_lost(self, value: object) -> bool:
        """Whether a value names an object of a class that this program does not know, or one that needs it."""
        return isinstance(value, dict) and value.get(AT) in self._lost

    def _made(self, kind: Any, row: Mapping[str, Any]) -> object:  # noqa: ANN401 - a class
        fields = self._schema.fields(kind)
        base = self._bases.get(kind)
        values = {}
        for name in self._schema.all_fields(kind):
            kept = name not in fields or (base is not None and name not in row)
            values[name] = getattr(base, name) if kept else self._value(name, fields[name], row, kind)
        made: object = kind(**values)
        return made

    def _value(self, name: str, form: _Form, row: Mapping[str, Any], kind: type) -> object:
        if name in row:
            if form.optional and self.is_lost(row[name]):
                return None
            return form.read(row[name], self)
        grouped = self._from_groups(name, row, kind)
        if grouped is not None:
            return self._value(name, form, grouped, kind)
        if len(form.rows) == 1 and not form.optional and not self._schema.fields(form.rows[0]).keys().isdisjoint(row):
            return self._made(form.rows[0], row)  # its fields stood here before they had a group of their own
        if form.default is NO_DEFAULT:
            raise PlainError(f"{name_of(kind)} has no {name}")
        return form.default

    def _from_groups(self, name: str, row: Mapping[str, Any], kind: type) -> Mapping[str, Any] | None:
        """The row of the group, which this program does not know, into which a field of `row` has moved."""
        unknown = row.keys() - set(self._schema.all_fields(kind))
        groups = (row[other][AT] for other in sorted(unknown) if isinstance(row[other], dict) and AT in row[other])
        return next((self._rows[number] for number in groups if name in self._rows[number]), None)

    def _unreadable(self) -> frozenset[int]:
        """The rows of classes that this program does not know, and those that cannot do without such a one."""
        lost = {number for number, kind in enumerate(self._kinds) if kind is None}
        grown = bool(lost)
        while grown:
            grown = False
            for number, (kind, row) in enumerate(zip(self._kinds, self._rows, strict=True)):
                if number in lost or kind is None:
                    continue
                needed = (row[name] for name, form in self._schema.fields(kind).items() if name in row)
                dispensable = [form.optional for name, form in self._schema.fields(kind).items() if name in row]
                for value, optional in zip(needed, dispensable, strict=True):
                    direct = isinstance(value, dict) and value.get(AT) in lost
                    if (direct and not optional) or (not direct and not lost.isdisjoint(_named(value))):
                        lost.add(number)
                        grown = True
                        break
        return frozenset(lost)


def _named(value: object) -> Iterator[int]:
    """The rows that a value names."""
    if isinstance(value, list):
        for one in value:
            yield from _named(one)
    elif isinstance(value, dict) and AT in value:
        yield value[AT]


def _form(hint: Any) -> _Form:  # noqa: ANN401 - an annotation
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _union(args)
    if hint in (*SCALARS, object) or origin is Literal:
        return _Form(_write_scalar if hint is not object else _write_anything, _read_anything)
    if origin in (Mapping, typing.Mapping):
        return _Form(_as_it_is, _as_it_is)
    if origin is tuple:
        return _tuple(args)
    if origin in (frozenset, set):
        member = _form(args[0])
        return _Form(
            lambda value, writer: sorted((member.write(one, writer) for one in value), key=repr),
            lambda data, reader: origin(member.read(one, reader) for one in data),
        )
    if origin is dict:
        key, held = _form(args[0]), _form(args[1])
        return _Form(
            lambda value, writer: [[key.write(k, writer), held.write(v, writer)] for k, v in value.items()],
            lambda data, reader: {key.read(k, reader): held.read(v, reader) for k, v in data},
            held.rows,
        )
    if isinstance(hint, type):
        return _class(hint)
    raise PlainError(f"no plain form for {hint!r}")


def _class(kind: type) -> _Form:
    if issubclass(kind, Enum):
        return _Form(lambda value, _: value.value, lambda data, _: kind(data))
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        hints = get_type_hints(kind)
        forms = [_form(hints[name]) for name in kind._fields]
        return _Form(
            lambda value, writer: [form.write(one, writer) for form, one in zip(forms, value, strict=True)],
            lambda data, reader: kind(*(form.read(one, reader) for form, one in zip(forms, data, strict=False))),
            tuple(row for form in forms for row in form.rows),
        )
    if issubclass(kind, tuple):  # one with verbs of its own, written as what it is made of
        (made_of,) = vars(kind)["__orig_bases__"]
        form = _form(made_of)
        return replace(form, read=lambda data, reader: kind(form.read(data, reader)))
    if _is_object(kind):
        return _objects((kind,))
    raise PlainError(f"no plain form for {kind.__name__}")


def _objects(kinds: tuple[type, ...]) -> _Form:
    return _Form(
        lambda value, writer: {AT: writer.row_of(value)},
        lambda data, reader: reader.object_at(data[AT], kinds),
        kinds,
    )


def _tuple(args: tuple[Any, ...]) -> _Form:
    if len(args) == 2 and args[1] is Ellipsis:
        member = _form(args[0])
        return _Form(
            lambda value, writer: [member.write(one, writer) for one in value],
            lambda data, reader: tuple(member.read(one, reader) for one in data),
            member.rows,
        )
    members = [_form(arg) for arg in args]
    return _Form(
        lambda value, writer: [form.write(one, writer) for form, one in zip(members, value, strict=True)],
        lambda data, reader: tuple(form.read(one, reader) for form, one in zip(members, data, strict=True)),
        tuple(row for form in members for row in form.rows),
    )


def _union(args: tuple[Any, ...]) -> _Form:
    """One of several: told apart by what they are, and in the document by what JSON has for them."""
    forms = [(arg, _form(arg)) for arg in args if arg is not type(None)]
    objects = [form for arg, form in forms if _is_object(arg)]
    lists = [form for arg, form in forms if get_origin(arg) in (tuple, frozenset, dict) or _is_record(arg)]
    enums = [form for arg, form in forms if isinstance(arg, type) and issubclass(arg, Enum)]
    plain = [form for _, form in forms if form not in (*objects, *lists, *enums)]
    if len(lists) > 1 or len(enums) > 1 or (enums and plain):
        raise PlainError(f"the members of {args} cannot be told apart")
    rows = tuple(row for form in objects for row in form.rows)
    of_object = _objects(rows)
    scalar = next(iter((*enums, *plain)), None)

    def write(value: Any, writer: _Writer) -> object:  # noqa: ANN401 - a value of the union
        if value is None:
            return None
        if _is_object(type(value)):
            return of_object.write(value, writer)
        if lists and isinstance(value, (tuple, frozenset, dict)):
            return lists[0].write(value, writer)
        if scalar is None:
            raise PlainError(f"{type(value).__name__} is no member of its union")
        return scalar.write(value, writer)

    def read(data: Any, reader: _Reader) -> object:  # noqa: ANN401 - JSON
        if data is None:
            return None
        if isinstance(data, dict):
            return of_object.read(data, reader)
        if isinstance(data, list):
            return lists[0].read(data, reader)
        if scalar is None:
            raise PlainError("a value is no member of its union")
        return scalar.read(data, reader)

    return _Form(write, read, (*rows, *(row for form in lists for row in form.rows)), type(None) in args)


def _is_record(hint: Any) -> bool:  # noqa: ANN401 - an annotation
    return isinstance(hint, type) and issubclass(hint, tuple)


def _write_scalar(value: Any, _: _Writer) -> object:  # noqa: ANN401 - any value
    if not isinstance(value, SCALARS):
        raise PlainError(f"{type(value).__name__} is no plain value")
    return value


def _write_anything(value: Any, writer: _Writer) -> object:  # noqa: ANN401 - any value
    if isinstance(value, tuple):
        return [_write_anything(one, writer) for one in value]
    return None if value is None else _write_scalar(value, writer)


def _read_anything(data: Any, reader: _Reader) -> object:  # noqa: ANN401 - JSON
    if isinstance(data, list):
        return tuple(_read_anything(one, reader) for one in data)
    if isinstance(data, dict):
        raise PlainError("an object stands where a plain value should")
    return data


def _as_it_is(data: Any, _: object) -> object:  # noqa: ANN401 - JSON
    return data

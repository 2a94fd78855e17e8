"""The data classes of the core: those of the standard library, cheaper to make and to fill.

Frozen, one of the library sets every field by a call: 1.0 us for seven of them where a plain one takes 0.2, a sixth of
a replay. So `frozen` is kept by mypy, which gates every merge, and at run time only in Python's development mode
(`python -X dev`), in which a test plays scenarios. And each of its classes has up to six methods compiled for it when
it is imported, a third of the time that `tablectl replay` takes to start; here that is `__init__` alone, when the first
of a class is made: of 153 that a start imports, 58 are ever made, and to compile all was 7 % of it.
"""

import sys
from typing import TYPE_CHECKING

__all__ = ["dataclass"]

if TYPE_CHECKING or sys.flags.dev_mode:
    from dataclasses import dataclass
else:
    import dataclasses
    from operator import attrgetter

    def dataclass(kind=None, /, *, frozen=False, eq=True, repr=True, **options):
        """As `dataclasses.dataclass`; what is frozen can be hashed and compared by its fields, as ever."""
        if kind is None:
            return lambda kind: dataclass(kind, frozen=frozen, eq=eq, repr=repr, **options)
        own = {**vars(kind)}
        if hasattr(kind, "__post_init__") or "__init__" in own:
            raise TypeError(f"{kind.__qualname__} fills itself: what is made here would not do it")
        made = dataclasses.dataclass(kind, init=False, eq=False, repr=False, **options)
        made.__init__ = _compiled_at_first(made)
        names = [field.name for field in dataclasses.fields(made)]
        of = attrgetter(*names) if names else lambda _: ()
        if eq and "__eq__" not in own:
            made.__eq__ = lambda self, other: of(self) == of(other) if type(other) is type(self) else NotImplemented
            if "__hash__" not in own:
                made.__hash__ = (lambda self: hash(of(self))) if frozen else None
        if repr and "__repr__" not in own:
            made.__repr__ = _shown
        return made

    def _compiled_at_first(kind):
        def first(self, *values, **named):
            kind.__init__ = _filling(kind)
            kind.__init__(self, *values, **named)

        return first

    def _filling(kind):
        """The `__init__` that the library would compile: each field by position or name, those by name alone last."""
        known, positions, by_name, body = {"_unsaid": object()}, [], [], []
        for field in dataclasses.fields(kind):
            name, value, parameter = field.name, field.name, field.name
            if field.default is not dataclasses.MISSING:
                known[f"_{name}"], parameter = field.default, f"{name}=_{name}"
            elif field.default_factory is not dataclasses.MISSING:
                known[f"_{name}"], parameter = field.default_factory, f"{name}=_unsaid"
                value = f"_{name}() if {name} is _unsaid else {name}"
            (by_name if field.kw_only else positions).append(parameter)
            body.append(f"self.{name} = {value}")
        parameters = ["self", *positions, *(["*", *by_name] if by_name else [])]
        exec(f"def __init__({', '.join(parameters)}):\n " + "\n ".join(body or ["pass"]), known)
        return known["__init__"]

    def _shown(self):
        fields = [field for field in dataclasses.fields(self) if field.repr]
        shown = ", ".join([f"{field.name}={getattr(self, field.name)!r}" for field in fields])
        return f"{type(self).__qualname__}({shown})"

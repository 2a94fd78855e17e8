"""The data classes of the core: those of the standard library, cheaper to make and to fill.

Frozen, one of the library sets every field by a call: 1.0 us for seven of them where a plain one takes 0.2, a sixth of
a replay. So `frozen` is kept by mypy, which gates every merge, and at run time only in Python's development mode
(`python -X dev`), in which a test plays scenarios. And each of its classes has up to six methods compiled for it when
it is imported, a third of the time that `tablectl replay` takes to start; here that is `__init__` alone.
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
        made = dataclasses.dataclass(kind, eq=False, repr=False, **options)
        names = [field.name for field in dataclasses.fields(made)]
        of = attrgetter(*names) if names else lambda _: ()
        if eq and "__eq__" not in own:
            made.__eq__ = lambda self, other: of(self) == of(other) if type(other) is type(self) else NotImplemented
            if "__hash__" not in own:
                made.__hash__ = (lambda self: hash(of(self))) if frozen else None
        if repr and "__repr__" not in own:
            made.__repr__ = _shown
        return made

    def _shown(self):
        fields = [field for field in dataclasses.fields(self) if field.repr]
        shown = ", ".join([f"{field.name}={getattr(self, field.name)!r}" for field in fields])
        return f"{type(self).__qualname__}({shown})"

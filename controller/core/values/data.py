"""The data classes of which an event makes new ones: frozen as any other, and cheap to make.

A frozen data class of the standard library sets every field by a call, 1.0 us for seven of them where a plain one
takes 0.2: that was a sixth of a replay. So `frozen` is kept by mypy, which gates every merge, and at run time only in
Python's development mode (`python -X dev`), in which a test plays scenarios.
"""

import sys
from typing import TYPE_CHECKING

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    import dataclasses

    def dataclass(kind=None, /, *, frozen=False, eq=True, **options):  # noqa: ANN001,ANN003,ANN201 (mypy sees the other)
        """As `dataclasses.dataclass`; what is frozen can be hashed and compared by its fields, as ever."""
        if kind is None:
            return lambda kind: dataclass(kind, frozen=frozen, eq=eq, **options)
        if frozen and not sys.flags.dev_mode:
            options["unsafe_hash"] = eq and "__hash__" not in vars(kind)
        else:
            options["frozen"] = frozen
        return dataclasses.dataclass(kind, eq=eq, **options)

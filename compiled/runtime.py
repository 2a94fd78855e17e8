"""Describes the explicit classes of the compiled form to `dataclasses`, as their decorator would have.

The build puts this module beside the compiled ones; the pure form has no use for it.
"""

import dataclasses
from typing import Any

SAME: Any = object()
"""Stands for a field that `changed` leaves as it is."""


def describe(kind: Any, names: dict[str, Any], annotations: str, own: dict[str, Any], base: Any) -> None:
    """Give a class the marks of a data class.

    `names`: the module's, in which the `annotations` of its `own` fields, a tuple in Python, are evaluated.
    """
    types = dict(zip(own, eval(annotations, names), strict=True))
    regular = getattr(dataclasses, "_FIELD")  # noqa: B009 (no public name says that a field is a regular one)
    described = dict(getattr(base, "__dataclass_fields__", {}))
    for name, each in own.items():
        each.name, each.type = name, types[name]
        each._field_type = regular  # noqa: SLF001
        described[name] = each
    kind.__annotations__ = types
    kind.__dataclass_fields__ = described
    kind.__match_args__ = tuple(  # type: ignore[misc]  # it is no instance's own
        name for name, each in described.items() if not each.kw_only
    )


def annotate(kind: Any, names: dict[str, Any], annotations: str, own: tuple[str, ...]) -> None:
    """Give a tuple with names the whole of its annotations, by which snapshots are written and read."""
    kind.__annotations__ = dict(zip(own, eval(annotations, names), strict=True))


def lend(names: dict[str, Any]) -> None:
    """Lend a module the mark of classes that stay interpreted, which only mypyc reads: it is no package of a table."""
    names["mypyc_attr"] = lambda **_: lambda kind: kind

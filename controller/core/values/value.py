"""What the core is made of: values, each a Struct of msgspec.

No `Value` is written to once it is made, and Python refuses it: `replace(value, field=…)` makes a changed one, and
raises `TypeError` for a field that there is not. What one event is worked out on is a `MutableValue` value: a copy of
what stood before, whose fields are given other values. All that fields hold is immutable or replaced whole, so a copy
is shallow. A value is made of what was there before it, so none holds itself, and nothing here is looked at by the
garbage collector (`gc=False`; what keeps attributes besides its fields, for `cached_property`, must be). Written down
(`packed_value.py`), each names its class, `tag=True`, so that of several kinds the right one is read.

The core takes Structs from here and nowhere else, so that another form of a value would be a change of this module.
"""

from typing import ClassVar, Self, dataclass_transform

from msgspec import NODEFAULT, Struct, field
from msgspec.structs import FieldInfo, asdict, fields, replace

__all__ = ["NODEFAULT", "FieldInfo", "MutableValue", "Struct", "Value", "asdict", "field", "fields", "replace"]


def _describe_fields(self: "Value | MutableValue") -> str:
    """Name what differs from how such a value begins and is not `hidden`: this text can reach a log."""
    defaults = dict(zip(reversed(self.__struct_fields__), reversed(self.__struct_defaults__), strict=False))
    shown = [  # by worth: a default that was read again is another object, and msgspec would show it
        f"{name}={value!r}"
        for name, value in self.__rich_repr__()
        if name not in self.hidden and value != defaults.get(name, NODEFAULT)
    ]
    return f"{type(self).__name__}({', '.join(shown)})"


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Value(Struct, frozen=True, gc=False, repr_omit_defaults=True, tag=True):
    """What never changes. `hidden`: fields that its text leaves out, a card's name among them always."""

    hidden: ClassVar[frozenset[str]] = frozenset()

    __repr__ = _describe_fields


class MutableValue(Struct, gc=False, repr_omit_defaults=True, tag=True):
    """What one event is worked out on: its fields are given other values until the event is through."""

    hidden: ClassVar[frozenset[str]] = frozenset()

    __repr__ = _describe_fields

    def copy(self) -> Self:
        """An independent copy whose fields may be given other values."""
        return replace(self)

    def assign_from(self, other: Self) -> None:
        """Take on every field of another."""
        for name in self.__struct_fields__:
            setattr(self, name, getattr(other, name))

"""Values that are copied often and cheaply."""

from typing import Self


class Value:
    """What can be copied shallowly at little cost: all that its fields hold is immutable or replaced whole."""

    def copy(self) -> Self:
        """An independent copy whose fields may be replaced."""
        new = object.__new__(type(self))
        new.__dict__.update(self.__dict__)
        return new

    def changed(self, **changes: object) -> Self:
        """A copy with some fields replaced."""
        new = self.copy()
        new.__dict__.update(changes)
        return new

    def become(self, other: Self) -> None:
        """Take on every field of another."""
        self.__dict__.update(other.__dict__)

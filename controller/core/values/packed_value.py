"""Values as bytes and back: MessagePack, each with the name of its class, in the form that msgspec gives them."""

from collections.abc import Callable
from typing import Any, TypeVar

from msgspec import MsgspecError, convert
from msgspec.msgpack import decode, encode

__all__ = ["CLASS_KEY", "PackingError", "build_value", "pack_value", "unpack_fields"]

T = TypeVar("T")

PackingError = MsgspecError
"""Bytes that are no packed value, or fields that do not fit a class."""

CLASS_KEY = "type"
"""The key that has the name of a value's class."""


def pack_value(value: object) -> bytes:
    """Write a value; raises `TypeError` where it holds what has no form."""
    return encode(value)


def unpack_fields(data: bytes) -> Any:  # noqa: ANN401 - dictionaries, lists, numbers, texts
    """Read the fields of what `pack_value` wrote, values as dictionaries; raises `PackingError`."""
    return decode(data)


def build_value(found: object, kind: type[T], build_other: Callable[[type, Any], object] | None = None) -> T:
    """Make a value of its fields, some of which may be values already; raises `PackingError`.

    `build_other` makes what msgspec does not know: it takes the class and what was unpacked.
    """
    return convert(found, kind, dec_hook=build_other)

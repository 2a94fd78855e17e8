"""Reads JSON that comes from outside: a key that stands twice in one object is refused, and both places are named.

Readers disagree about such an object: some take the first, Python takes the last. What somebody signed, or let pass by
one reader, may then mean something else to the next. What the program itself wrote is read by `json` as it is.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

_TOKEN_PATTERN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]')
"""What of a JSON text says where a key stands: strings, and the signs between them."""


class RepeatedKeyError(ValueError):
    """A key stands twice in one object: `first_position` and `second_position`, counted from 0, say where."""

    def __init__(self, key: str, first_position: int, second_position: int, text: str) -> None:
        """Keep key and places; the message says them as people count, from 1."""
        self.key, self.first_position, self.second_position = key, first_position, second_position
        first, second = (_describe_place(text, place) for place in (first_position, second_position))
        shown = json.dumps(key if len(key) <= MAX_SHOWN_KEY_LENGTH else f"{key[:MAX_SHOWN_KEY_LENGTH]}…")
        super().__init__(f"the key {shown} stands twice, at {first} and at {second}: say it once")


MAX_SHOWN_KEY_LENGTH = 40
"""Letters of a key that a message repeats."""


def parse_json(text: str | bytes, *, parse_constant: Callable[[str], object] | None = None) -> Any:  # noqa: ANN401
    """Return what a JSON text says, as `json.loads` does.

    Raises `RepeatedKeyError`, and else what `json.loads` raises: `ValueError` for what is no JSON, `RecursionError`.
    """
    read = text if isinstance(text, str) else text.decode(json.detect_encoding(text), "surrogatepass")
    try:
        return json.loads(read, object_pairs_hook=_refuse_repeated_key, parse_constant=parse_constant)
    except _RepeatedKeyFound:
        raise next(_iter_repeated_keys(read)) from None


class _RepeatedKeyFound(Exception):
    """There is such a key; where, the hook is not told."""


def _refuse_repeated_key(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _RepeatedKeyFound
    return found


def _iter_repeated_keys(text: str) -> Iterator[RepeatedKeyError]:
    """Yield each key that stands a second time, of a text that is JSON as far as the first of them."""
    for key, first, second in _iter_repetitions(_TOKEN_PATTERN.finditer(text)):
        yield RepeatedKeyError(key, first, second, text)


def _iter_repetitions(tokens: Iterable[re.Match[str]]) -> Iterator[tuple[str, int, int]]:
    place_by_key_by_depth: list[dict[str, int]] = []
    last: re.Match[str] | None = None
    for token in tokens:
        match token[0]:
            case "{" | "[":
                place_by_key_by_depth.append({})
            case "}" | "]":
                place_by_key_by_depth.pop()
            case ":":
                assert last is not None
                key, places = json.loads(last[0]), place_by_key_by_depth[-1]
                if key in places:
                    yield key, places[key], last.start()
                places.setdefault(key, last.start())
            case _:
                pass
        last = token


def _describe_place(text: str, place: int) -> str:
    """Name a place as editors do; the line only where there are several."""
    line, column = text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place)
    return f"column {column}" if "\n" not in text.strip() else f"line {line}, column {column}"

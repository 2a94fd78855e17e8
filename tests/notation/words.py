"""Words of the notation: what stands between separators, and what a word means."""

import json
from typing import Any

PAIRS = {"{": "}", "[": "]"}
GROUPING = {'"', *PAIRS, *PAIRS.values()}
"""Signs that keep what is between them together."""


class NotationError(ValueError):
    """What a `.scn` file says has no meaning."""


def split(text: str, separators: str) -> list[str]:
    """The parts of a text between separators; those in quotes, brackets and braces part nothing. No part is empty."""
    if not GROUPING.intersection(text):  # most texts, in a fraction of the time
        for sign in separators[1:]:
            text = text.replace(sign, separators[0])
        return [part.strip() for part in text.split(separators[0]) if part.strip()]
    parts, depth, is_quoted = [""], 0, False
    for before, sign in zip(" " + text, text, strict=False):
        is_quoted ^= sign == '"' and before != "\\"
        depth += not is_quoted and (sign in PAIRS) - (sign in PAIRS.values())
        if sign in separators and not depth and not is_quoted:
            parts.append("")
        else:
            parts[-1] += sign
    if depth or is_quoted:
        raise NotationError(f"a quote, bracket or brace is not closed: {text}")
    return [part.strip() for part in parts if part.strip()]


def parse_value(text: str) -> Any:  # noqa: ANN401 (what JSON holds)
    """A number, `true`, `false`, `null`, or JSON in quotes, brackets or braces; any other word stands for itself."""
    try:
        return json.loads(text)
    except ValueError:
        if text[0] in '{["':
            raise NotationError(f"this is no JSON: {text}") from None
        return text


def parse_keys(words: list[str]) -> dict[str, Any]:
    """The keys of `key=value` words."""
    found: dict[str, Any] = {}
    for word in words:
        key, is_pair, value = word.partition("=")
        if not is_pair or not key.isidentifier() or key in found:
            raise NotationError(f"{word}: here stands key=value, each key once")
        found[key] = parse_value(value) if value else ""
    return found

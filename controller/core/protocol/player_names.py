"""Names of players as they come in: short enough to be shown, and to be seen at all.

Asked where somebody enters a name, and not where a journal or a record is read again: what was taken once stands.
"""

import unicodedata
from collections.abc import Mapping

from controller.core.protocol.table_error import Refused

MAX_PLAYER_NAME_LENGTH = 80
"""As long as the room's tournaments take them, whose players sit down at tables."""

BLANK_LETTERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""What Unicode calls a letter or a sign and nobody sees: the fillers of Hangul, and Braille without a dot."""

NAME_WORDS = (
    f"1 to {MAX_PLAYER_NAME_LENGTH} printable signs that can be seen, without a space at its ends and without "
    "signs that turn the direction of writing"
)


def is_fit_player_name(name: str) -> bool:
    """Whether somebody may be called so; a mark that sits on nothing begins no name."""
    return (
        0 < len(name) <= MAX_PLAYER_NAME_LENGTH
        and name.isprintable()
        and name.strip() == name
        and not BLANK_LETTERS & set(name)
        and not unicodedata.category(name[0]).startswith("M")
    )


def refuse_unfit_player_names(line: Mapping[str, object]) -> None:
    """Raise `Refused` for a line of a script that names somebody who cannot be called so, wherever in it."""
    left: list[object] = [line]
    while left:
        match left.pop():
            case {**values}:
                name = values.get("player")
                if isinstance(name, str) and not is_fit_player_name(name):
                    raise Refused("value", f"`player` is a name of {NAME_WORDS}; this one has {len(name)}.")
                left.extend(values.values())
            case [*values]:
                left.extend(values)
            case _:
                pass

"""The table of a rulebook that speaks of the game at hand."""

from collections.abc import Mapping
from typing import TypeVar

from controller.core.model.setup import Setup
from controller.core.protocol.table_error import Refused

T = TypeVar("T")


def require_rules_for_game(setup: Setup, tables: Mapping[str, T]) -> T:
    """The answers for the game's form; refuses where the book has none.

    Raises `Refused` (`not-ruled`).
    """
    found = tables.get(setup.game.rules_form)
    if found is None:
        known = ", ".join(sorted(tables))
        raise Refused("not-ruled", f"the book has no answer to this for {setup.game.title}; it has for: {known}.")
    return found

"""How many blocks of arbitrary tables a law is held over."""

import os
from typing import Any

import pytest


def list_blocks(quick: int) -> list[Any]:
    """Return the numbers of a law's blocks: `quick` of them for `make test`, and others for the night behind them.

    The night has one block for every five hundred `STORIES`, and begins with that of `SEED`: each night has others.
    The quick ones are held to reach everything; those of the night come to what they come to.
    """
    first = quick + 1000 * int(os.environ.get("SEED", "0"))
    night = range(first, first + int(os.environ.get("STORIES", "0")) // 500)
    return [*range(quick), *(pytest.param(block, marks=pytest.mark.slow) for block in night)]

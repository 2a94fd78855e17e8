"""Makes the script of a failure short: what can be left out while the same oracle complains is left out."""

import time
from collections.abc import Callable, Sequence

from tests.evenings.story import SentEntry

Try = Callable[[Sequence[SentEntry]], bool]
"""Whether a script still fails in the same way."""


def shrink_script(
    script: Sequence[SentEntry],
    fails: Try,
    *,
    seconds: float = 300.0,
    clock: Callable[[], float] = time.monotonic,
) -> list[SentEntry]:
    """Leave out chunks, then lines, as long as there is time; the last line and the first stay.

    The first line is mostly the set-up, the last one that after which somebody complained.
    """
    ends = clock() + seconds
    kept = list(script)
    for shortened in (_keep_last_session(kept),):
        if len(shortened) < len(kept) and fails(shortened):
            kept = shortened
    size = max(1, (len(kept) - 2) // 2)
    while clock() < ends:
        removed, at = False, len(kept) - 1 - size
        while at > -size and clock() < ends:
            first = max(1, at)
            tried = kept[:first] + kept[at + size :]
            if at + size > 1 and len(tried) < len(kept) and fails(tried):
                kept, removed = tried, True
            at -= size
        if size == 1 and not removed:
            break
        size = max(1, size // 2) if not removed or size > 1 else 1
    return kept


def _keep_last_session(script: Sequence[SentEntry]) -> list[SentEntry]:
    """The script from its last set-up on: what was played before mostly has no part in it."""
    set_ups = [number for number, sent in enumerate(script) if sent.entry.get("power") == "set-up"]
    return list(script[set_ups[-1] :] if set_ups else script)

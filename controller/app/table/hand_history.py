"""The hands of a journal, step by step: the same replay as every recovery, told without what nobody had seen."""

from collections.abc import Callable, Iterator, Mapping
from itertools import takewhile
from pathlib import Path
from typing import Any

from config.setup import open_table
from controller.core.protocol.display import Phase
from controller.core.protocol.events import Start
from controller.records.told import hands_tabled, told
from controller.runtime.journal.archive import Archive
from controller.runtime.journal.recovery import replay, session_of
from controller.runtime.loop.loop import players_of

KEPT = 200
"""How many hands a list names, the newest first."""

Step = Mapping[str, Any]
"""One step, or one hand of the list, as it is told to a page."""


class PastHands:
    """Reads the journal at `path`, also while the table is in play; safe to use from any thread.

    `setup` is what a page shows of the table besides its steps.
    """

    def __init__(self, path: Path, setup: Callable[[], Mapping[str, object]] = dict) -> None:
        self._path = path
        self._setup = setup

    @property
    def setup(self) -> Mapping[str, object]:
        """What the page shows of the table besides its steps."""
        return self._setup()

    def listed(self) -> list[Step]:
        """Name the newest hands of the last session: number, when it began, its entries and how many were ruled on.

        Raises `DatabaseError` and `RecoveryError`.
        """
        hands: dict[int, dict[str, Any]] = {}
        for step in self._steps(None):
            hand = hands.setdefault(step["table"]["hand"], {"began": step["wall"], "steps": 0, "rulings": 0})
            hand["steps"] += 1
            hand["rulings"] += len(step["table"]["rulings"])
        newest = sorted(hands, reverse=True)[:KEPT]
        return [{"hand": number, **hands[number]} for number in newest if number]

    def steps(self, hand: int) -> list[Step]:
        """Return every step of a hand of the last session, from its start; empty where there is no such hand.

        Each has the `entry`, the `wall` time, its `source`, what was `told`, the `table` as the output line says it,
        the `players`, the hands `tabled`, the `error` when it was refused, and `by` whom it was signed.
        Raises as `listed` does.
        """
        steps = (step for step in self._steps(hand) if step["table"]["hand"] == hand)
        found = list(takewhile(lambda step: not step["after"], steps))
        return [{key: value for key, value in step.items() if key != "after"} for step in found]

    def _steps(self, hand: int | None) -> Iterator[dict[str, Any]]:
        """Play the last session again; of other hands than `hand` only what a list needs is worked out."""
        journal = Archive.open(self._path)
        try:
            over = False
            for entry, event, given, _ in replay(journal, session_of(journal, None), open_table):
                number = given.outcome.state.number
                if hand is not None and number > hand:
                    return
                if isinstance(event, Start) and given.error is None:
                    over = False
                if hand is None or number == hand:
                    yield {
                        "entry": entry.sequence,
                        "wall": entry.wall,
                        "source": entry.source,
                        "told": told(event, given.outcome),
                        "table": given.output(),
                        "players": players_of(given.outcome),
                        "tabled": hands_tabled(given.outcome.state),
                        "error": None if given.error is None else given.error.message,
                        "by": None if entry.by is None else f"{entry.by['name']}, {entry.by['role']}",
                        "after": over,
                    }
                over = over or given.outcome.phase is Phase.IDLE
        finally:
            journal.close()

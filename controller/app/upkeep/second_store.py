"""Keeps a copy of the table on a second medium, brought up to date when a hand is over.

A card that dies then costs the table at most the hand in play. In a thread of its own: a slow or missing stick keeps no
lamp waiting, and what fails is said and tried again after the next hand.
"""

import logging
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress

from controller.runtime.loop.table_view import TableView

IDLE_PHASE = "idle"

log = logging.getLogger(__name__)


class SecondStore(threading.Thread):
    """Calls `copy` after each hand, and once at the start; never twice at a time. It names what it could not do."""

    def __init__(self, copy: Callable[[], int], refusals: tuple[type[Exception], ...]) -> None:
        super().__init__(name="second store", daemon=True)
        self._copy = copy
        self._expected_errors = refusals
        self._copy_requested = threading.Event()
        self._copy_requested.set()
        self._ended = False
        self._last_hand: object = None
        self._last_failure = ""

    def on_view_published(self, standing: TableView) -> None:
        """Take a publication of the loop: the end of a hand asks for a copy."""
        output: Mapping[str, object] = standing.output_line
        now = output.get("hand") if output.get("phase") == IDLE_PHASE else None
        if now is not None and now != self._last_hand:
            self._copy_requested.set()
        self._last_hand = now if now is not None else self._last_hand

    def run(self) -> None:
        """Copy whenever it is asked for."""
        while True:
            self._copy_requested.wait()
            self._copy_requested.clear()
            if self._ended:
                return
            self._copy_once()

    def end(self) -> None:
        """Stop, after a copy that is under way; the last hand is copied then or at the next start."""
        self._ended = True
        self._copy_requested.set()
        with suppress(RuntimeError):  # it was never started
            self.join(2.0)

    def _copy_once(self) -> None:
        try:
            self._copy()
        except self._expected_errors as why:
            if str(why) != self._last_failure:
                log.warning("the second store is not up to date: %s", why)
            self._last_failure = str(why)
        else:
            if self._last_failure:
                log.info("the second store is up to date again")
            self._last_failure = ""

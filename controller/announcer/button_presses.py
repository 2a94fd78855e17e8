"""Passes on what is pressed at a broker, in a thread of its own and never faster than people press."""

import logging
import queue
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from time import monotonic

from controller.announcer.home_assistant import Button

MIN_PRESS_INTERVAL_S = 5.0
"""After a press the same button is not heard for so long: whoever floods the topic calls the floor no oftener."""

log = logging.getLogger(__name__)


class ButtonPresses(threading.Thread):
    """`actions` says what each button does; an action raises `OSError` or `ValueError` where the table refuses."""

    def __init__(self, actions: Mapping[Button, Callable[[], None]], clock: Callable[[], float] = monotonic) -> None:
        super().__init__(name="presses", daemon=True)
        self._action_by_button = actions
        self._clock = clock
        self._last_press_by_button: dict[Button, float] = {}
        self._pending_presses: queue.Queue[Button | None] = queue.Queue(len(Button) + 1)
        self.ignored_count = 0
        """Presses that came too soon after the one before."""

    def press(self, button: Button) -> None:
        """Take a press; never waits."""
        now = self._clock()
        if now - self._last_press_by_button.get(button, -MIN_PRESS_INTERVAL_S) < MIN_PRESS_INTERVAL_S:
            self.ignored_count += 1
            return
        self._last_press_by_button[button] = now
        try:
            self._pending_presses.put_nowait(button)
        except queue.Full:  # the table has not answered the last ones yet
            self.ignored_count += 1

    def run(self) -> None:
        """Do what was pressed, one after the other, until `stop`."""
        while (button := self._pending_presses.get()) is not None:
            try:
                self._action_by_button[button]()
                log.info("%s: pressed at the broker, and done", button.value)
            except (OSError, ValueError) as why:
                log.warning("%s: pressed at the broker, and not done: %s", button.value, why)

    def stop(self) -> None:
        """Do no more."""
        with suppress(queue.Full):  # a daemon thread does not outlast the program
            self._pending_presses.put_nowait(None)

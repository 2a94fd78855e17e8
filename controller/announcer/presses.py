"""Passes on what is pressed at a broker, in a thread of its own and never faster than people press."""

import logging
import queue
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from time import monotonic

from controller.announcer.home_assistant import Button

REST_SECONDS = 5.0
"""After a press the same button is not heard for so long: whoever floods the topic calls the floor no oftener."""

log = logging.getLogger(__name__)


class Presses(threading.Thread):
    """`actions` says what each button does; an action raises `OSError` or `ValueError` where the table refuses."""

    def __init__(self, actions: Mapping[Button, Callable[[], None]], clock: Callable[[], float] = monotonic) -> None:
        super().__init__(name="presses", daemon=True)
        self._actions = actions
        self._clock = clock
        self._heard: dict[Button, float] = {}
        self._waiting: queue.Queue[Button | None] = queue.Queue(len(Button) + 1)
        self.left = 0
        """Presses that came too soon after the one before."""

    def press(self, button: Button) -> None:
        """Take a press; never waits."""
        now = self._clock()
        if now - self._heard.get(button, -REST_SECONDS) < REST_SECONDS:
            self.left += 1
            return
        self._heard[button] = now
        try:
            self._waiting.put_nowait(button)
        except queue.Full:  # the table has not answered the last ones yet
            self.left += 1

    def run(self) -> None:
        """Do what was pressed, one after the other, until `end`."""
        while (button := self._waiting.get()) is not None:
            try:
                self._actions[button]()
                log.info("%s: pressed at the broker, and done", button.value)
            except (OSError, ValueError) as why:
                log.warning("%s: pressed at the broker, and not done: %s", button.value, why)

    def end(self) -> None:
        """Do no more."""
        with suppress(queue.Full):  # a daemon thread does not outlast the program
            self._waiting.put_nowait(None)

"""Who watches the program: the service manager, and it is fed only while everything in here truly turns.

Each worker (a port's reader, the sampler of the pins, the page) has a `Pulse` and beats it in every round of its own.
The loop turns the `Watchdog` in every round of its own, in its own thread: a loop that hangs feeds nothing. A worker
that has died or has been silent for longer than it may be is not covered up: nothing is fed until it is well again,
and after `WatchdogSec` the manager ends the process and starts another, which takes the table up from its journal.

Until every worker has beaten once the program is not ready. Devices are not asked: a reader whose port cannot be opened
beats, and the page shows that it is lost.
"""

import logging
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Protocol

from controller.runtime.service import notify
from controller.runtime.service.notify import Notifier

FEEDS_IN_A_TIME = 4
"""How often the watchdog is fed within its time; the manual advises twice."""

IDLE_SECONDS = 1.0
"""How often workers are looked after where nobody set a time."""

STATUS_SECONDS = 0.25
"""How often the status line may change: it is for people, and the manager has others to serve."""

DEAD_SECONDS = 5.0
"""How long the loop goes on without a worker that has died: what it had to say of itself is said by then."""

log = logging.getLogger(__name__)


class WorkerDiedError(Exception):
    """A thread of the program has died: the table must not look alive without it, so the program ends."""


class Pulse:
    """The sign of life of one worker: `silence` is how many seconds it may usually be quiet."""

    def __init__(self, name: str, silence: float, clock: Callable[[], float] = monotonic) -> None:
        self.name = name
        self._silence = silence
        self._clock = clock
        self._due: float | None = None

    def beat(self, silence: float | None = None) -> None:
        """Be alive; from the worker's own thread, in every round. What comes now may take `silence` seconds."""
        self._due = self._clock() + (self._silence if silence is None else silence)

    def is_felt(self, now: float) -> bool:
        """Whether it has beaten, and has not been silent for longer than it may."""
        return self._due is not None and now <= self._due


class Worker(Protocol):
    """A thread with a pulse."""

    pulse: Pulse

    def is_alive(self) -> bool:
        """Whether the thread runs."""
        ...


class Watchdog:
    """Watches the workers of one session and tells the service manager. Turned by the loop's thread alone."""

    def __init__(self, notifier: Notifier, workers: Sequence[Worker]) -> None:
        self._notifier = notifier
        self._workers = tuple(workers)
        seconds = notifier.watchdog_seconds
        self._every = IDLE_SECONDS if seconds is None else seconds / FEEDS_IN_A_TIME
        self._ready = False
        self._next_feed = 0.0
        self._missed: frozenset[str] = frozenset()
        self.fed = 0
        """How often everybody was well and the watchdog was fed."""
        self._text = self._told_text = ""
        self._next_status = 0.0
        self._next_look = 0.0
        self._died: float | None = None
        """When a worker was first seen dead."""

    def say(self, text: str) -> None:
        """Take the status line; it is told when the loop turns next."""
        self._text = text

    def turn(self, now: float) -> None:
        """Feed the watchdog when it is time and everybody is well; `now` is monotonic seconds.

        A worker that hangs is the manager's to judge. One that has died comes back by a start alone, also where no
        manager watches: raises `WorkerDiedError`.
        """
        if self._text != self._told_text and now >= self._next_status:
            self._next_status = now + STATUS_SECONDS
            if self._notifier.tell(notify.status(self._text)):
                self._told_text = self._text
        if now >= self._next_look:
            self._next_look = now + IDLE_SECONDS
            self._look_for_dead(now)
        if now >= self._next_feed:
            self._look_after_workers(now)

    def missed(self, now: float) -> frozenset[str]:
        """Name the workers that are dead, silent for too long, or have never been heard of."""
        return frozenset(
            worker.pulse.name for worker in self._workers if not worker.is_alive() or not worker.pulse.is_felt(now)
        )

    def _look_for_dead(self, now: float) -> None:
        dead = [worker.pulse.name for worker in self._workers if not worker.is_alive()]
        if not dead:
            return
        self._died = now if self._died is None else self._died
        if now - self._died >= DEAD_SECONDS:
            raise WorkerDiedError(f"{', '.join(dead)} has died; the next start takes the table up from its journal")

    def _look_after_workers(self, now: float) -> None:
        missed = self.missed(now)
        if self._ready:
            for name in sorted(missed - self._missed):
                log.error("%s does not turn any more; unless it does again the program will be started anew", name)
            for name in sorted(self._missed - missed):
                log.warning("%s turns again", name)
            self._missed = missed
        if missed:
            return
        lines = [notify.ALIVE] if self._ready else [notify.READY, notify.ALIVE]
        told = self._notifier.tell(*lines)
        self._ready = self._ready or told
        self.fed += 1
        self._next_feed = now + (self._every if told else min(STATUS_SECONDS, self._every))

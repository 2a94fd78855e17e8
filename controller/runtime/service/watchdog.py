"""Who watches the program: the service manager, and it is fed only while everything in here truly turns.

Each worker (a port's reader, the sampler of the pins, the page) has a `Pulse` and beats it in every round of its own.
The loop turns the `Watchdog` in every round of its own, in its own thread: a loop that hangs feeds nothing. A worker
that has died or has been silent for longer than it may be is not covered up: nothing is fed until it is well again,
and after `WatchdogSec` the manager ends the process and starts another, which takes the table up from its journal.

A memory card that dies takes seconds for each line of the journal, and a hand's end waits for several: while the disk
is slow the manager is asked for more time, or it would end the table at every hand.

Until every worker has beaten once the program is not ready. Devices are not asked: a reader whose port cannot be opened
beats, and the page shows that it is lost.
"""

import logging
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Protocol

from controller.runtime.service import systemd_notifier
from controller.runtime.service.systemd_notifier import SystemdNotifier

FEEDS_PER_INTERVAL = 4
"""How often the watchdog is fed within its time; the manual advises twice."""

WORKER_CHECK_INTERVAL_S = 1.0
"""How often workers are looked after where nobody set a time."""

MIN_STATUS_INTERVAL_S = 0.25
"""How often the status line may change: it is for people, and the manager has others to serve."""

DEAD_WORKER_GRACE_S = 5.0
"""How long the loop goes on without a worker that has died: what it had to say of itself is said by then."""

SLOW_COMMIT_S = 1.0
"""From so long a commit on the disk is slow; a good card takes some milliseconds."""

SLOW_DISK_INTERVAL_S = 60.0
"""The watchdog's time while the disk is slow: a hand's end waits for it up to ten times."""

log = logging.getLogger(__name__)


class WorkerDiedError(Exception):
    """A thread of the program has died: the table must not look alive without it, so the program ends."""


class Pulse:
    """The sign of life of one worker: `silence` is how many seconds it may usually be quiet."""

    def __init__(self, name: str, silence: float, clock: Callable[[], float] = monotonic) -> None:
        self.name = name
        self._max_silence_s = silence
        self._clock = clock
        self._due_at: float | None = None

    def beat(self, silence: float | None = None) -> None:
        """Be alive; from the worker's own thread, in every round. What comes now may take `silence` seconds."""
        self._due_at = self._clock() + (self._max_silence_s if silence is None else silence)

    def is_beating(self, now: float) -> bool:
        """Whether it has beaten, and has not been silent for longer than it may."""
        return self._due_at is not None and now <= self._due_at


class Worker(Protocol):
    """A thread with a pulse."""

    pulse: Pulse

    def is_alive(self) -> bool:
        """Whether the thread runs."""
        ...


class Watchdog:
    """Watches the workers of one session and tells the service manager. Turned by the loop's thread alone."""

    def __init__(self, notifier: SystemdNotifier, workers: Sequence[Worker]) -> None:
        self._notifier = notifier
        self._workers = tuple(workers)
        seconds = notifier.watchdog_interval_s
        self._feed_interval_s = WORKER_CHECK_INTERVAL_S if seconds is None else seconds / FEEDS_PER_INTERVAL
        self._is_ready = False
        self._next_feed_at = 0.0
        self._missing_workers: frozenset[str] = frozenset()
        self.feed_count = 0
        """How often everybody was well and the watchdog was fed."""
        self._status_text = self._sent_status_text = ""
        self._next_status_at = 0.0
        self._next_worker_check_at = 0.0
        self._slow_disk_until: float | None = None
        """Until when the manager has been given `SLOW_DISK_INTERVAL_S`."""
        self._died_at: float | None = None
        """When a worker was first seen dead."""

    def set_status(self, text: str) -> None:
        """Take the status line; it is told when the loop turns next."""
        self._status_text = text

    def on_loop_round(self, now: float) -> None:
        """Feed the watchdog when it is time and everybody is well; `now` is monotonic seconds.

        A worker that hangs is the manager's to judge. One that has died comes back by a start alone, also where no
        manager watches: raises `WorkerDiedError`.
        """
        if self._status_text != self._sent_status_text and now >= self._next_status_at:
            self._next_status_at = now + MIN_STATUS_INTERVAL_S
            if self._notifier.send(systemd_notifier.format_status(self._status_text)):
                self._sent_status_text = self._status_text
        if now >= self._next_worker_check_at:
            self._next_worker_check_at = now + WORKER_CHECK_INTERVAL_S
            self._check_for_dead_workers(now)
        if now >= self._next_feed_at:
            self._feed_if_alive(now)

    def on_commit(self, seconds: float, now: float) -> None:
        """Take how long the journal's disk took for a commit; ask for more time where it is slow."""
        if (
            seconds >= SLOW_COMMIT_S
            and self._notifier.watchdog_interval_s is not None
            and self._notifier.send(systemd_notifier.format_watchdog_interval(SLOW_DISK_INTERVAL_S))
        ):
            self._slow_disk_until = now + SLOW_DISK_INTERVAL_S

    def find_missing_workers(self, now: float) -> frozenset[str]:
        """Name the workers that are dead, silent for too long, or have never been heard of."""
        return frozenset(
            worker.pulse.name for worker in self._workers if not worker.is_alive() or not worker.pulse.is_beating(now)
        )

    def _check_for_dead_workers(self, now: float) -> None:
        dead = [worker.pulse.name for worker in self._workers if not worker.is_alive()]
        if not dead:
            return
        self._died_at = now if self._died_at is None else self._died_at
        if now - self._died_at >= DEAD_WORKER_GRACE_S:
            raise WorkerDiedError(f"{', '.join(dead)} has died; the next start takes the table up from its journal")

    def _feed_if_alive(self, now: float) -> None:
        missed = self.find_missing_workers(now)
        if self._is_ready:
            for name in sorted(missed - self._missing_workers):
                log.error("%s does not turn any more; unless it does again the program will be started anew", name)
            for name in sorted(self._missing_workers - missed):
                log.warning("%s turns again", name)
            self._missing_workers = missed
        if missed:
            return
        lines = (
            [systemd_notifier.WATCHDOG_ALIVE]
            if self._is_ready
            else [systemd_notifier.READY, systemd_notifier.WATCHDOG_ALIVE]
        )
        told = self._notifier.send(*lines)
        self._is_ready = self._is_ready or told
        self._end_slow_disk(now)
        self.feed_count += 1
        self._next_feed_at = now + (
            self._feed_interval_s if told else min(MIN_STATUS_INTERVAL_S, self._feed_interval_s)
        )

    def _end_slow_disk(self, now: float) -> None:
        """Give the manager its own time back, once the disk has been quick for a while."""
        own = self._notifier.watchdog_interval_s
        if own is None or self._slow_disk_until is None or now < self._slow_disk_until:
            return
        if self._notifier.send(systemd_notifier.format_watchdog_interval(own)):
            self._slow_disk_until = None

"""Tells one webhook what waits in the announcer's outbox, each announcement by itself: none is held up by another.

410 gives up the announcement at once; any other failure, a redirection among them, is tried again after each of
`RETRY_DELAYS_S`, and given up after the last.
"""

import logging
import sqlite3
import time
from collections.abc import Callable

from config.announcer_file import WebhookSection
from controller.announcer.announcement_outbox import AnnouncementOutbox, Delivery
from controller.webhooks.webhook_sender import HTTP_GONE, RETRY_JITTER, WebhookSender

RETRY_DELAYS_S = (5.0, 30.0, 120.0, 600.0, 1800.0, 7200.0, 21600.0)
"""Seconds after each failure until the next attempt; after one failure more it is given up, nine hours in."""

MAX_IDLE_S = 60.0

log = logging.getLogger(__name__)


class AnnouncementSender(WebhookSender):
    """One webhook of an announcer."""

    response_timeout_s = 15.0

    def __init__(
        self,
        section: WebhookSection,
        key: bytes,
        outbox: AnnouncementOutbox,
        now: Callable[[], float] = time.time,
        waits: tuple[float, ...] = RETRY_DELAYS_S,
    ) -> None:
        super().__init__(section, key, now, waits)
        self._outbox = outbox

    def deliver_waiting(self) -> float:
        """Attempt everything that is due; return in how many seconds there may be more."""
        try:
            while not self._is_stopping:
                delivery = self._outbox.find_next_delivery(self.section.name)
                if delivery is None:
                    return MAX_IDLE_S
                left = delivery.due_at - self._wall_clock()
                # A clock that was put back must not hold up for a year what was to be tried again in an hour.
                if 0 < left <= max(self._retry_delays_s, default=0) * (1 + RETRY_JITTER):
                    return min(left, MAX_IDLE_S)
                self._deliver(delivery)
        except sqlite3.Error as why:
            log.error("%s: the outbox cannot be used: %s", self.section.name, why)
            return MAX_IDLE_S
        return 0

    def _deliver(self, delivery: Delivery) -> None:
        status, reason = self._attempt(delivery.identity, delivery.body)
        now, failures = self._wall_clock(), delivery.failure_count + 1
        if not reason:
            self._outbox.record_delivered(delivery, now)
        elif status == HTTP_GONE or failures > len(self._retry_delays_s):
            self._outbox.abandon(delivery, reason, now)
            log.error(
                "%s: %s is given up after %d attempts: %s", self.section.name, delivery.identity, failures, reason
            )
        else:
            wait = self._find_retry_delay(failures, delivery.identity)
            self._outbox.record_failed(delivery, reason, now + wait)
            log.warning("%s: not delivered (%s); again in %.0f s", self.section.name, reason, wait)

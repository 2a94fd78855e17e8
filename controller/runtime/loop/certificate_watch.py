"""Looks now and then whether the page's certificate is still good: browsers say it only when it is too late."""

import logging
from collections.abc import Callable

from controller.runtime.faults.alarm import OWN
from controller.runtime.faults.faults import FAULTS
from controller.runtime.faults.latch import FaultStanding
from controller.runtime.loop.notices import Code, Notice

EVERY_SECONDS = 3600.0

Certificate = Callable[[], tuple[str, bool] | None]
"""Says that the page's certificate ends soon, or (`True`) has ended; `None` while there is nothing to be said."""

log = logging.getLogger(__name__)


class CertificateWatch:
    """Tells what `certificate` says when that changes; without one there is never anything."""

    def __init__(self, certificate: Certificate | None) -> None:
        self._certificate = certificate
        self._next = 0.0
        self._said: tuple[str, bool] | None = None

    @property
    def faults(self) -> tuple[FaultStanding, ...]:
        """The fault that is up while the certificate has ended."""
        return (FaultStanding.of(FAULTS["certificate-ended"]),) if self._said and self._said[1] else ()

    def look(self, now: float, notice: Callable[[Notice], None]) -> bool:
        """Look, if it is time, and say what is new; return whether anything is otherwise than before."""
        if self._certificate is None or now < self._next:
            return False
        self._next = now + EVERY_SECONDS
        before, self._said = self._said, self._certificate()
        if self._said == before:
            return False
        if self._said is not None:
            log.warning("the page's certificate: %s", self._said[0])
            notice(Notice(Code.CERTIFICATE_ENDS, OWN, f"The page's certificate: {self._said[0]}."))
        return True

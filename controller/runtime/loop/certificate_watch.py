"""Looks now and then whether the page's certificate is still good: browsers say it only when it is too late."""

import logging
from collections.abc import Callable

from controller.runtime.faults.fault_latches import FaultStatus
from controller.runtime.faults.fault_table import CONTROLLER_SOURCE, FAULTS
from controller.runtime.faults.notices import Notice, NoticeCode

CHECK_INTERVAL_S = 3600.0

CertificateCheck = Callable[[], tuple[str, bool] | None]
"""Says that the page's certificate ends soon, or (`True`) has ended; `None` while there is nothing to be said."""

log = logging.getLogger(__name__)


class CertificateWatch:
    """Tells what `certificate` says when that changes; without one there is never anything."""

    def __init__(self, certificate: CertificateCheck | None) -> None:
        self._check_certificate = certificate
        self._next_check_at = 0.0
        self._last_warning: tuple[str, bool] | None = None

    @property
    def faults(self) -> tuple[FaultStatus, ...]:
        """The fault that is up while the certificate has ended."""
        return (
            (FaultStatus.from_fault(FAULTS["certificate-ended"]),)
            if self._last_warning and self._last_warning[1]
            else ()
        )

    def check(self, now: float, notice: Callable[[Notice], None]) -> bool:
        """Look, if it is time, and say what is new; return whether anything is otherwise than before."""
        if self._check_certificate is None or now < self._next_check_at:
            return False
        self._next_check_at = now + CHECK_INTERVAL_S
        before, self._last_warning = self._last_warning, self._check_certificate()
        if self._last_warning == before:
            return False
        if self._last_warning is not None:
            log.warning("the page's certificate: %s", self._last_warning[0])
            notice(
                Notice(
                    NoticeCode.CERTIFICATE_EXPIRES,
                    CONTROLLER_SOURCE,
                    f"The page's certificate: {self._last_warning[0]}.",
                )
            )
        return True

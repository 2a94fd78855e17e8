"""The files with which the page is served over HTTPS."""

import logging
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from controller.web.serving.certificate import SOON, trouble

log = logging.getLogger(__name__)


class TlsError(Exception):
    """Certificate and key cannot be used; the message names the files."""


@dataclass(frozen=True, slots=True)
class Tls:
    """A certificate, with the chain that it needs, and its key, both PEM."""

    certificate: Path
    key: Path

    def check(self) -> None:
        """Raise `TlsError` unless the page can be served with them."""
        try:
            ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(self.certificate, self.key)
        except (OSError, ValueError) as why:
            text = "they are no PEM certificate and its own key" if isinstance(why, ssl.SSLError) else why
            raise TlsError(f"[page] certificate {self.certificate}, key {self.key}: {text}") from why
        wrong = trouble(self.certificate, datetime.now(UTC), within=SOON)
        if wrong is not None:
            log.warning("the page's certificate %s: %s", self.certificate, wrong)

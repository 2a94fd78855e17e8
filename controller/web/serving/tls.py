"""The files with which the page is served over HTTPS."""

import logging
import ssl
from dataclasses import dataclass
from pathlib import Path

from controller.wall_clock import read_wall_clock
from controller.web.serving.certificate_validity import EXPIRY_WARNING_PERIOD, find_expiry_problem

log = logging.getLogger(__name__)


class TlsError(Exception):
    """Certificate and key cannot be used; the message names the files."""


@dataclass(frozen=True, slots=True)
class Tls:
    """A certificate, with the chain that it needs, and its key, both PEM."""

    certificate_path: Path
    key_path: Path

    def check(self) -> None:
        """Raise `TlsError` unless the page can be served with them."""
        try:
            ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(self.certificate_path, self.key_path)
        except (OSError, ValueError) as why:
            text = "they are no PEM certificate and its own key" if isinstance(why, ssl.SSLError) else why
            raise TlsError(f"[page] certificate {self.certificate_path}, key {self.key_path}: {text}") from why
        wrong = find_expiry_problem(self.certificate_path, read_wall_clock(), within=EXPIRY_WARNING_PERIOD)
        if wrong is not None:
            log.warning("the page's certificate %s: %s", self.certificate_path, wrong)

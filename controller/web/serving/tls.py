"""The files with which the page is served over HTTPS."""

import logging
import ssl
from contextlib import suppress
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
            context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            context.load_cert_chain(self.certificate_path, self.key_path)
            _shake_hands(context)
            wrong = find_expiry_problem(self.certificate_path, read_wall_clock(), within=EXPIRY_WARNING_PERIOD)
        except (OSError, ValueError) as why:
            raise TlsError(
                f"[page] certificate {self.certificate_path}, key {self.key_path}: {self._describe(why)}; put the "
                "right files there, correct the names, or make new ones with `tablectl certificate make`"
            ) from why
        if wrong is not None:
            log.warning("the page's certificate %s: %s", self.certificate_path, wrong)

    def _describe(self, why: Exception) -> str:
        """Say which of the two cannot be read, which the error does not; else that they do not belong together."""
        for path in (self.certificate_path, self.key_path):
            try:
                path.read_bytes()
            except OSError as closed:
                return f"{path.name} cannot be read: {closed.strerror}"
        return "they are no PEM certificate and its own key" if isinstance(why, ssl.SSLError | ValueError) else str(why)


def _shake_hands(context: ssl.SSLContext) -> None:
    """Make one connection in memory: a key that is damaged may load, and no browser would get on with it.

    Raises `ssl.SSLError`.
    """
    anybody = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    anybody.check_hostname, anybody.verify_mode = False, ssl.CERT_NONE
    to_page, to_browser = ssl.MemoryBIO(), ssl.MemoryBIO()
    page = context.wrap_bio(to_page, to_browser, server_side=True)
    browser = anybody.wrap_bio(to_browser, to_page)
    for end in (browser, page, browser, page):
        with suppress(ssl.SSLWantReadError):
            end.do_handshake()

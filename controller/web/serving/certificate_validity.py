"""How long a certificate is good: read from the file itself, because browsers say it only when it is too late."""

import ssl
from _ssl import _test_decode_cert  # type: ignore[attr-defined]
from datetime import UTC, datetime, timedelta
from pathlib import Path

EXPIRY_WARNING_PERIOD = timedelta(days=30)
"""So long before its end a certificate is worth a word."""


def read_expiry(path: Path) -> datetime:
    """Return when the first certificate of a PEM file ends; raises `OSError`, or `ValueError` for what is none."""
    path.open("rb").close()  # what cannot be opened is no `ValueError`
    try:
        ends_at = str(
            _test_decode_cert(str(path))["notAfter"]
        )  # Python's own reader, by a name that it keeps to itself
    except ssl.SSLError:
        raise ValueError("there is no X.509 certificate in it, as PEM") from None
    try:
        return datetime.fromtimestamp(ssl.cert_time_to_seconds(ends_at), UTC)
    except ValueError:
        raise ValueError("nobody can read when it ends") from None


def find_expiry_problem(path: Path, now: datetime, *, within: timedelta = timedelta(0)) -> str | None:
    """Say that a certificate has ended, or ends `within` so long; `None` where it does not. Raises as `read_expiry`."""
    until = read_expiry(path)
    if now >= until:
        return f"it ended on {until:%Y-%m-%d}, and browsers refuse the page; tablectl certificate make"
    if until - now <= within:
        return f"it ends on {until:%Y-%m-%d}; tablectl certificate make"
    return None

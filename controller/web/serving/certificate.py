"""How long a certificate is good: read from the file itself, because browsers say it only when it is too late."""

import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

SOON = timedelta(days=30)
"""So long before its end a certificate is worth a word."""

SEQUENCE, INTEGER, VERSION, UTC_TIME, GENERALIZED_TIME = 0x30, 0x02, 0xA0, 0x17, 0x18
_FORMS = {UTC_TIME: "%y%m%d%H%M%SZ", GENERALIZED_TIME: "%Y%m%d%H%M%SZ"}


def good_until(path: Path) -> datetime:
    """Return when the first certificate of a PEM file ends; raises `OSError`, or `ValueError` for what is none."""
    text = path.read_text(encoding="ascii")
    begins = text.find("-----BEGIN CERTIFICATE-----")
    ends = text.find("-----END CERTIFICATE-----", begins)
    if begins < 0 or ends < 0:
        raise ValueError("there is no PEM certificate in it")
    certificate = ssl.PEM_cert_to_DER_cert(f"{text[begins:ends]}-----END CERTIFICATE-----\n")
    # Certificate { TBSCertificate { [0] version?, serial, algorithm, issuer, validity { not before, not after } ... } }
    _, to_be_signed, _ = _element(certificate)
    _, fields, _ = _element(to_be_signed)
    kind, _, rest = _element(fields)
    if kind == VERSION:
        kind, _, rest = _element(rest)
    if kind != INTEGER:
        raise ValueError("it is no X.509 certificate")
    for _ in ("algorithm", "issuer"):
        _, _, rest = _element(rest)
    _, validity, _ = _element(rest)
    _, _, rest = _element(validity)
    kind, ends_at, _ = _element(rest)
    if kind not in _FORMS:
        raise ValueError("it is no X.509 certificate")
    return datetime.strptime(ends_at.decode("ascii"), _FORMS[kind]).replace(tzinfo=UTC)


def trouble(path: Path, now: datetime, *, within: timedelta = timedelta(0)) -> str | None:
    """Say that a certificate has ended, or ends `within` so long; `None` where it does not. Raises as `good_until`."""
    until = good_until(path)
    if now >= until:
        return f"it ended on {until:%Y-%m-%d}, and browsers refuse the page; tablectl certificate make"
    if now + within >= until:
        return f"it ends on {until:%Y-%m-%d}; tablectl certificate make"
    return None


def _element(data: bytes) -> tuple[int, bytes, bytes]:
    """Take one element of DER off: its tag, what it holds, and what follows it. Raises `ValueError`."""
    if len(data) < 2:
        raise ValueError("it is no X.509 certificate")
    length, begins = data[1], 2
    if length & 0x80:
        count = length & 0x7F
        length, begins = int.from_bytes(data[2 : 2 + count], "big"), 2 + count
    if not length or begins + length > len(data):
        raise ValueError("it is cut off")
    return data[0], data[begins : begins + length], data[begins + length :]

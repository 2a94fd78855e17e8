"""How long a certificate is good: read from the file itself, because browsers say it only when it is too late."""

import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

EXPIRY_WARNING_PERIOD = timedelta(days=30)
"""So long before its end a certificate is worth a word."""

SEQUENCE_TAG, INTEGER_TAG, VERSION_TAG, UTC_TIME_TAG, GENERALIZED_TIME_TAG = 0x30, 0x02, 0xA0, 0x17, 0x18
_TIME_FORMAT_BY_TAG = {UTC_TIME_TAG: "%y%m%d%H%M%SZ", GENERALIZED_TIME_TAG: "%Y%m%d%H%M%SZ"}


def read_expiry(path: Path) -> datetime:
    """Return when the first certificate of a PEM file ends; raises `OSError`, or `ValueError` for what is none."""
    text = path.read_text(encoding="ascii")
    begins = text.find("-----BEGIN CERTIFICATE-----")
    ends = text.find("-----END CERTIFICATE-----", begins)
    if begins < 0 or ends < 0:
        raise ValueError("there is no PEM certificate in it")
    certificate = ssl.PEM_cert_to_DER_cert(f"{text[begins:ends]}-----END CERTIFICATE-----\n")
    # Certificate { TBSCertificate { [0] version?, serial, algorithm, issuer, validity { not before, not after } ... } }
    _, to_be_signed, _ = _split_element(certificate)
    _, fields, _ = _split_element(to_be_signed)
    kind, _, rest = _split_element(fields)
    if kind == VERSION_TAG:
        kind, _, rest = _split_element(rest)
    if kind != INTEGER_TAG:
        raise ValueError("it is no X.509 certificate")
    for _ in ("algorithm", "issuer"):
        _, _, rest = _split_element(rest)
    _, validity, _ = _split_element(rest)
    _, _, rest = _split_element(validity)
    kind, ends_at, _ = _split_element(rest)
    if kind not in _TIME_FORMAT_BY_TAG:
        raise ValueError("it is no X.509 certificate")
    return datetime.strptime(ends_at.decode("ascii"), _TIME_FORMAT_BY_TAG[kind]).replace(tzinfo=UTC)


def find_expiry_problem(path: Path, now: datetime, *, within: timedelta = timedelta(0)) -> str | None:
    """Say that a certificate has ended, or ends `within` so long; `None` where it does not. Raises as `read_expiry`."""
    until = read_expiry(path)
    if now >= until:
        return f"it ended on {until:%Y-%m-%d}, and browsers refuse the page; tablectl certificate make"
    if now + within >= until:
        return f"it ends on {until:%Y-%m-%d}; tablectl certificate make"
    return None


def _split_element(data: bytes) -> tuple[int, bytes, bytes]:
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

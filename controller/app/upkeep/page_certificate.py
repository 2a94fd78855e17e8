"""Makes the certificate of a table's page, and the local authority that phones and tablets are told to trust.

The authority may speak for names that end in `.local`, for private addresses and for what it was made for, and for
nothing else: whoever trusts it and loses its key loses no bank. Made by the system's own `openssl`.
"""

import grp
import ipaddress
import os
import re
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

CA_VALIDITY_DAYS = 3650
PAGE_VALIDITY_DAYS = 397
"""What browsers take from an authority that somebody has added."""

PRIVATE_NETWORKS = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8")

_HOST_PATTERN = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*")


class CertificateError(Exception):
    """No certificate can be made; the message says why and what to do."""


def make_certificate(folder: Path, names: Sequence[str], group: str | None = None) -> tuple[Path, Path, Path]:
    """Make or renew the page's certificate for `names` (host names and addresses); return certificate, key, authority.

    The authority of the folder is kept, so that nobody has to trust it twice. `group` may read the page's key. Raises
    `CertificateError`.
    """
    hosts = [name.rstrip(".").lower() for name in names]
    for name in hosts:
        if not name or (
            not all(part and part.replace("-", "").isalnum() for part in name.split(".")) and not _is_address(name)
        ):
            raise CertificateError(f"{name!r} is no host name and no address")
    try:
        folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        authority, authority_key = folder / "ca.crt", folder / "ca.key"
        page, page_key = folder / "page.crt", folder / "page.key"
        with tempfile.TemporaryDirectory(dir=folder, prefix=".new-") as scratch:
            there = Path(scratch)
            if not authority.exists() or not authority_key.exists():
                _make_ca(there, hosts)
                (there / "ca.key").replace(authority_key)
                (there / "ca.crt").replace(authority)
                authority.chmod(0o644)
            _make_page_certificate(there, authority, authority_key, hosts)
            (there / "page.key").chmod(0o640 if group else 0o600)
            if group:
                os.chown(there / "page.key", -1, grp.getgrnam(group).gr_gid)
            (there / "page.crt").chmod(0o644)
            (there / "page.key").replace(page_key)
            (there / "page.crt").replace(page)
    except OSError as why:
        raise CertificateError(f"{why.filename or folder} cannot be written: {why.strerror}") from why
    return page, page_key, authority


def _make_ca(there: Path, hosts: Sequence[str]) -> None:
    permitted = ["permitted;DNS:local", "permitted;DNS:localhost"]
    permitted += [
        f"permitted;IP:{net.network_address}/{net.netmask}" for net in map(ipaddress.ip_network, PRIVATE_NETWORKS)
    ]
    permitted += [f"permitted;DNS:{host}" for host in hosts if not _is_address(host) and not host.endswith("local")]
    permitted += [
        f"permitted;{_format_alternative_name(host, '/255.255.255.255')}" for host in hosts if _is_public(host)
    ]
    _run_openssl(
        there, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-sha256",
        "-keyout", "ca.key", "-out", "ca.crt", "-days", str(CA_VALIDITY_DAYS), "-subj", f"/CN=Poker table {hosts[0]}",
        "-addext", "basicConstraints=critical,CA:TRUE,pathlen:0", "-addext", "keyUsage=critical,keyCertSign,cRLSign",
        "-addext", f"nameConstraints=critical,{','.join(permitted)}",
    )  # fmt: skip


def _make_page_certificate(there: Path, authority: Path, authority_key: Path, hosts: Sequence[str]) -> None:
    (there / "extensions").write_text(
        "basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=serverAuth\n"
        f"subjectAltName={','.join(_format_alternative_name(host) for host in hosts)}\n",
        encoding="ascii",
    )
    _run_openssl(
        there, "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-keyout", "page.key", "-out", "page.csr", "-subj", f"/CN={hosts[0]}",
    )  # fmt: skip
    _run_openssl(
        there, "x509", "-req", "-in", "page.csr", "-CA", str(authority.absolute()), "-CAkey",
        str(authority_key.absolute()), "-set_serial", f"0x{os.urandom(15).hex()}", "-days", str(PAGE_VALIDITY_DAYS),
        "-sha256",
        "-extfile", "extensions", "-out", "page.crt",
    )  # fmt: skip


def _run_openssl(there: Path, *words: str) -> None:
    try:
        done = subprocess.run(["openssl", *words], cwd=there, capture_output=True, text=True, check=False)
    except FileNotFoundError as why:
        raise CertificateError("the program openssl is missing: apt install openssl") from why
    if done.returncode != 0:
        raise CertificateError(f"openssl {words[0]}: {(done.stderr.strip().splitlines() or ['failed'])[-1]}")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_public(name: str) -> bool:
    return _is_address(name) and ":" not in name and not ipaddress.ip_address(name).is_private


def _format_alternative_name(host: str, mask: str = "") -> str:
    return f"IP:{host}{mask}" if _is_address(host) else f"DNS:{host}"

"""The room's own authority, by the system's `openssl`: every certificate in the room is signed by it alone.

A name in the room is a DNS name that ends in `.room` (`table-07.room`), by which NATS finds a user (`verify_and_map`).
"""

import hashlib
import ipaddress
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from controller.room_contract.certificate_request import (
    ProvisioningError,
    make_certificate_request,
    make_user_name,
    run_openssl,
)

CA_VALIDITY_DAYS = 3650
CERTIFICATE_VALIDITY_DAYS = 1825
"""A table is withdrawn by its line, not by the date."""

MAX_REQUEST_BYTES = 8192
"""Of a request for a certificate; one with a P-256 key has 400."""


def make_ca(folder: Path) -> None:
    """Make `ca.crt` and `ca.key`, once; raises `ProvisioningError`."""
    if (folder / "ca.key").exists():
        return
    with _make_scratch_folder(folder) as there:
        run_openssl(
            there, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-sha256",
            "-keyout", "ca.key", "-out", "ca.crt", "-days", str(CA_VALIDITY_DAYS), "-subj", "/CN=Poker room",
            "-addext", "basicConstraints=critical,CA:TRUE,pathlen:0",
            "-addext", "keyUsage=critical,keyCertSign,cRLSign",
        )  # fmt: skip
        _install_file(there / "ca.key", folder / "ca.key", 0o600)
        _install_file(there / "ca.crt", folder / "ca.crt", 0o644)


def make_key_pair(folder: Path, name: str, hosts: Sequence[str] = ()) -> tuple[Path, Path]:
    """Make key and certificate of a program of the room, once; `hosts`: by what a server is reached."""
    certificate, key = folder / f"{name}.crt", folder / f"{name}.key"
    if not (certificate.exists() and key.exists()):
        with _make_scratch_folder(folder) as there:
            make_certificate_request(there, name)
            signed = sign_certificate(folder, (there / f"{name}.csr").read_text("ascii"), name, hosts)
            (there / "signed.crt").write_text(signed, "ascii")
            _install_file(there / f"{name}.key", key, 0o640)
            _install_file(there / "signed.crt", certificate, 0o644)
    return certificate, key


def compute_key_pin(certificate: Path) -> str:
    """The SHA-256 of a certificate's public key, as NATS pins it; raises `ProvisioningError`."""
    with _make_scratch_folder(certificate.parent) as there:
        whole = str(certificate.absolute())
        run_openssl(there, "x509", "-in", whole, "-noout", "-pubkey", "-out", "key.pem")
        run_openssl(there, "pkey", "-pubin", "-in", "key.pem", "-outform", "DER", "-out", "key.der")
        return hashlib.sha256((there / "key.der").read_bytes()).hexdigest()


def sign_certificate(folder: Path, request: str, name: str, hosts: Sequence[str] = ()) -> str:
    """Sign a request for a certificate of `name`, whatever name it asks for; raises `ProvisioningError`."""
    if len(request) > MAX_REQUEST_BYTES:
        raise ProvisioningError("the request for a certificate is longer than one can be")
    known = [
        f"DNS:{make_user_name(name)}",
        *(f"IP:{host}" if _is_ip_address(host) else f"DNS:{host}" for host in hosts),
    ]
    usage = "serverAuth,clientAuth" if hosts else "clientAuth"
    with _make_scratch_folder(folder) as there:
        (there / "request").write_text(request, "ascii")
        (there / "extensions").write_text(
            "basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\n"
            f"extendedKeyUsage={usage}\nsubjectAltName={','.join(known)}\n",
            "ascii",
        )
        run_openssl(there, "req", "-in", "request", "-verify", "-noout")
        run_openssl(
            there, "x509", "-req", "-in", "request", "-CA", str(folder.absolute() / "ca.crt"), "-CAkey",
            str(folder.absolute() / "ca.key"), "-set_serial", f"0x{os.urandom(15).hex()}", "-days",
            str(CERTIFICATE_VALIDITY_DAYS),
            "-sha256", "-extfile", "extensions", "-out", "signed.crt",
        )  # fmt: skip
        return (there / "signed.crt").read_text("ascii")


@contextmanager
def _make_scratch_folder(folder: Path) -> Iterator[Path]:
    """A folder for what is not whole yet, beside what it becomes."""
    try:
        scratch = tempfile.TemporaryDirectory(dir=folder, prefix=".new-")
    except OSError as why:
        raise ProvisioningError(f"{folder} cannot be written: {why.strerror}") from why
    with scratch as there:
        yield Path(there)


def _install_file(new: Path, path: Path, mode: int) -> None:
    os.chown(new, -1, path.parent.stat().st_gid)  # who may use the folder reads what its group may read
    new.chmod(mode)
    new.replace(path)


def _is_ip_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True

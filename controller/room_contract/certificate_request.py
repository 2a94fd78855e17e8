"""A key of one's own and the request for its certificate, by the system's `openssl`: at a table as in the room."""

import os
import subprocess
from pathlib import Path


class ProvisioningError(Exception):
    """Something cannot be put up; the message says why and what to do."""


def make_user_name(name: str) -> str:
    """As whom NATS knows a program or table of the room."""
    return f"{name}.room"


def make_certificate_request(folder: Path, name: str) -> tuple[Path, Path]:
    """Make a key that never leaves this machine, and a request for its certificate; raises `ProvisioningError`."""
    old = os.umask(0o077)
    try:
        run_openssl(
            folder, "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={make_user_name(name)}",
        )  # fmt: skip
    finally:
        os.umask(old)
    return folder / f"{name}.key", folder / f"{name}.csr"


def run_openssl(there: Path, *words: str) -> None:
    """Run the system's `openssl` in a folder; raises `ProvisioningError`."""
    if not there.is_dir():
        raise ProvisioningError(f"{there} is no directory")
    try:
        done = subprocess.run(["openssl", *words], cwd=there, capture_output=True, text=True, check=False)
    except FileNotFoundError as why:
        raise ProvisioningError("the program openssl is missing: apt install openssl") from why
    if done.returncode != 0:
        raise ProvisioningError(f"openssl {words[0]}: {(done.stderr.strip().splitlines() or ['failed'])[-1]}")

"""Whether a table may be disturbed now: between hands, or when it is out of service with no hand half played."""

import fcntl
import http.client
import json
import os
import ssl
from pathlib import Path

from config.table_file import TableFile
from controller.runtime.storage.state_directory import HAND_KEY_FILE, LOCK_FILE

PHASE_REQUEST_TIMEOUT_S = 5.0

WILDCARD_HOSTS = ("0.0.0.0", "::")
"""Hosts that mean every address of this machine."""


def find_update_blocker(file: TableFile) -> str | None:
    """Say why the table of `file` must not be disturbed now, or return `None`."""
    if is_hand_in_progress(file.state_directory):
        return "a hand is in progress: finish it first"
    if not is_controller_running(file.state_directory):
        return None
    phase = _request_phase(file)
    if phase is None:
        return "the table runs and does not say whether a hand is in progress: stop it first"
    if phase == "halted":
        return "the table is halted by a fault: put that right, or stop the table first"
    return None if phase == "idle" else "a hand is in progress: finish it first"


def is_hand_in_progress(directory: Path) -> bool:
    """Whether a hand is being played at the table of this directory, or was when it was switched off."""
    try:
        return (directory / HAND_KEY_FILE).stat().st_size > 0
    except OSError:
        return False


def is_controller_running(directory: Path) -> bool:
    """Whether a controller holds this directory."""
    try:
        handle = os.open(directory / LOCK_FILE, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(handle)
    return False


def _request_phase(file: TableFile) -> str | None:
    """Ask the running table's page for its phase."""
    host = file.page.host if file.page.host not in WILDCARD_HOSTS else "127.0.0.1"
    if file.page.certificate is None:
        connection = http.client.HTTPConnection(host, file.page.port, timeout=PHASE_REQUEST_TIMEOUT_S)
    else:
        # It is this machine's own page, at the port that its file names: who answers there is not the question.
        trusting = ssl.create_default_context()
        trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
        connection = http.client.HTTPSConnection(
            host, file.page.port, timeout=PHASE_REQUEST_TIMEOUT_S, context=trusting
        )
    try:
        connection.request("GET", "/state")
        answer = connection.getresponse()
        phase = json.loads(answer.read())["table"]["phase"] if answer.status == 200 else None
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError):
        return None
    finally:
        connection.close()
    return phase if isinstance(phase, str) else None

"""What a release brings for the system besides the program: where each file of its folder `systemd` goes.

A closed table: a release can replace these files and can put none anywhere else.
"""

import os
import shutil
import subprocess
from pathlib import Path

from controller.app.releases.release_archive import ReleaseError

TARGET_BY_FILE = {
    "table-controller.service": "etc/systemd/system",
    "table-announcer.service": "etc/systemd/system",
    "table-uplink.service": "etc/systemd/system",
    "table-display.service": "etc/systemd/system",
    "table-certificate.path": "etc/systemd/system",
    "table-certificate.service": "etc/systemd/system",
    "table-set-up.path": "etc/systemd/system",
    "table-set-up.service": "etc/systemd/system",
    "table-release.path": "etc/systemd/system",
    "table-release.service": "etc/systemd/system",
    "table-watchdog.conf": "etc/systemd/system.conf.d",
    "table-journal.conf": "etc/systemd/journald.conf.d",
    "table-coredump.conf": "etc/systemd/coredump.conf.d",
    "table-controller.sysusers": "usr/lib/sysusers.d/table-controller.conf",
    "table-controller.tmpfiles": "usr/lib/tmpfiles.d/table-controller.conf",
    "table-controller.sysctl": "etc/sysctl.d/70-table-controller.conf",
    "70-table-controller.rules": "etc/udev/rules.d",
    "71-table-usb.rules": "usr/share/table-controller",
    "tablectl.bash": "usr/share/bash-completion/completions/tablectl.bash",
}
"""File of a release -> its folder under the root, or its whole path where it is called otherwise there."""

REQUIRED_UNIT = "table-controller.service"
"""What no release is without."""

SYSTEMD_RUNTIME_FOLDER = Path("/run/systemd/system")
"""There while systemd is the first process (sd_booted(3))."""

UDEV_CONTROL_SOCKET = Path("/run/udev/control")
"""There while udev runs."""


def place_system_files(source: Path, root: Path) -> list[Path]:
    """Put the files of the folder `source` to where the system reads them; return where. Raises `ReleaseError`.

    What a release has not, because it is older than that file, stays as it is: there is a way back to it.
    """
    placed = []
    for name, where in TARGET_BY_FILE.items():
        if name != REQUIRED_UNIT and not (source / name).exists():
            continue
        target = root / where
        if not target.suffix or target.suffix == ".d":
            target /= name
        fresh = target.with_name(f".{target.name}")
        try:
            target.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
            shutil.copyfile(source / name, fresh)
            fresh.chmod(0o644)
            fresh.replace(target)
        except OSError as why:
            raise ReleaseError(f"{target} cannot be written: {why.strerror}") from why
        placed.append(target)
    return placed


def reload_system(root: Path) -> None:
    """Make users and folders, and have the system read what was placed. Raises `ReleaseError`."""
    options = [] if root == Path("/") else [f"--root={root}"]
    commands = [["systemd-sysusers", *options], ["systemd-tmpfiles", *options, "--create", "table-controller.conf"]]
    if root == Path("/") and SYSTEMD_RUNTIME_FOLDER.is_dir():
        commands.append(["systemctl", "daemon-reload"])
        if UDEV_CONTROL_SOCKET.exists():  # a container has none
            commands += [["udevadm", "control", "--reload"], ["udevadm", "trigger"]]
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C"})
        if done.returncode != 0:
            raise ReleaseError(f"{command[0]} failed: {(done.stderr.strip().splitlines() or ['no reason given'])[-1]}")

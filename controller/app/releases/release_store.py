"""The releases that a table has: where they lie, which one is in use, and what was done with them when.

    PREFIX/releases/1.4.0/    one folder a release, with its own venv
    PREFIX/current            a link to the one in use; `previous`, to the one before it
    LOG                       a line of JSON for everything that was tried

A switch is the renaming of one link: at every moment there is a whole release in use.
"""

import fcntl
import json
import os
import pwd
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from controller.app.releases.release_archive import COMPONENT, ReleaseError, parse_version
from controller.wall_clock import read_wall_clock

STAT_BLOCK_BYTES = 512
"""Of which `stat` counts how many a file has on the disk."""

RESULT_INSTALLED, RESULT_ROLLED_BACK = "installed", "went back"


@dataclass(frozen=True, slots=True)
class ReleaseStore:
    """The folder of the releases, and the log of updates."""

    prefix: Path
    log_file: Path

    @property
    def releases_folder(self) -> Path:
        """Where the releases lie."""
        return self.prefix / "releases"

    def release_folder(self, version: str) -> Path:
        """Where a release lies, or would."""
        return self.releases_folder / version

    def current_version(self) -> str | None:
        """Return the version in use."""
        return self._read_link("current")

    def previous_version(self) -> str | None:
        """Return the version that was in use before it, while it is kept."""
        version = self._read_link("previous")
        return version if version is not None and self.release_folder(version).is_dir() else None

    def find_newest_version(self) -> str | None:
        """Return the newest version that was ever in use here, also when the table went back from it."""
        used = [str(line["version"]) for line in self.read_log() if line.get("result") == RESULT_INSTALLED]
        used += [version for version in (self.current_version(), self.previous_version()) if version is not None]
        return max(used, key=parse_version, default=None)

    def switch_to(self, version: str) -> None:
        """Put a release into use; the one that was becomes the previous."""
        was = self.current_version()
        self._replace_link("current", version)
        if was is not None and was != version:
            self._replace_link("previous", was)

    def remove_unused(self) -> None:
        """Remove all releases but the one in use and the previous.

        Before a further one is installed and not after: a program not restarted yet still runs from its folder.
        """
        for folder in self._list_unused():
            shutil.rmtree(folder)

    def measure_unused(self) -> int:
        """Return how many bytes `remove_unused` would give back."""
        return sum(
            path.lstat().st_blocks * STAT_BLOCK_BYTES for folder in self._list_unused() for path in folder.rglob("*")
        )

    def _list_unused(self) -> list[Path]:
        kept = {self.current_version(), self._read_link("previous")}
        return [folder for folder in self.releases_folder.iterdir() if folder.is_dir() and folder.name not in kept]

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Keep other updates away meanwhile. Raises `ReleaseError`."""
        try:
            self.releases_folder.mkdir(mode=0o755, parents=True, exist_ok=True)
            handle = os.open(self.releases_folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as why:
            raise ReleaseError(f"{self.releases_folder} cannot be written: {why.strerror}; do it as root") from why
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as why:
            os.close(handle)
            raise ReleaseError("another update is under way") from why
        try:
            yield
        finally:
            os.close(handle)

    def read_log(self) -> list[Mapping[str, object]]:
        """Read the log. Raises `ReleaseError` where it is damaged: the newest version is not known then."""
        try:
            text = self.log_file.read_text(encoding="utf-8")
            found = [json.loads(line) for line in text.splitlines()]
        except FileNotFoundError:
            return []
        except (OSError, ValueError, RecursionError) as why:
            raise ReleaseError(f"{self.log_file} cannot be read; keep it, and ask the maker of the release") from why
        return [line for line in found if isinstance(line, dict)]

    def append_log(self, begun: str, version: str, signature: str, result: str) -> None:
        """Write a line of the log, durably: what was tried, by whom, and what came of it."""
        line = {
            "start": begun,
            "end": format_now(),
            "component": COMPONENT,
            "version": version,
            "signature": signature,
            "result": result,
            "who": _find_user(),
        }
        try:
            self.log_file.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
            handle = os.open(self.log_file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
            with os.fdopen(handle, "ab") as file:
                file.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as why:
            raise ReleaseError(
                f"{self.log_file} cannot be written: {why.strerror}; nothing is installed unrecorded"
            ) from why

    def _read_link(self, name: str) -> str | None:
        link = self.prefix / name
        return Path(os.readlink(link)).name if link.is_symlink() else None

    def _replace_link(self, name: str, version: str) -> None:
        fresh = self.prefix / f".{name}"
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(Path("releases") / version)
        fresh.replace(self.prefix / name)
        handle = os.open(self.prefix, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def format_now() -> str:
    """Return now, for the log."""
    return read_wall_clock().isoformat(timespec="seconds")


def _find_user() -> str:
    """Name the person: the one who called sudo, where somebody did."""
    asked = os.environ.get("SUDO_USER")
    if asked:
        return asked
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())

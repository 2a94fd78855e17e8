"""Signed archives that a room keeps: of the right shape, and with as many bytes as a test wants."""

from pathlib import Path

from nacl.signing import SigningKey

from controller.app.releases.release_archive import write_release
from room.fleet.release_library import ReleaseLibrary
from tests.room.server.house import House

MACHINE, PYTHON = "aarch64", "3.11"


def make_release_archive(folder: Path, version: str, size: int = 1000, key: SigningKey | None = None) -> Path:
    """Sign a release with a file of `size` bytes."""
    source = folder / f"source-{version}"
    (source / "docs").mkdir(parents=True)
    (source / "requirements.txt").write_text("")
    (source / "docs" / "many").write_bytes(bytes(number % 251 for number in range(4096)) * (size // 4096 + 1))
    path = folder / f"made-{version}.tar"
    write_release(source, version, MACHINE, PYTHON, key or SigningKey.generate(), path)
    return path


def archive(house: House, version: str, size: int = 1000, key: SigningKey | None = None) -> str:
    """Have the room of a test keep a release."""
    state = house.room.file.state_directory
    folder = state / f"making-{version}"
    folder.mkdir()
    return ReleaseLibrary(state).add(make_release_archive(folder, version, size, key))

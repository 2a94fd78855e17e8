"""The releases that this table's uplink has fetched, in a folder that root looks into: each whole, or not there.

One artifact is expected at a time, and stands half fetched beside its list of hashes, so that a start goes on where the
last left off. Nothing of a release is read here: root verifies it, signature first.
"""

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from controller.room_contract.artifact import CHUNK_BYTES, RELEASE_NAME_PATTERN, Artifact, Chunk, count_chunks
from controller.room_contract.table_request import MessageFormatError

MAX_KEPT_RELEASES = 2
"""Whole archives that are kept, the newest."""

MIN_FREE_BYTES = 200_000_000
"""Bytes of the disk that no release may take: the journal may lie there."""

EXPECTED_FILE, PARTIAL_FILE = ".expected", ".half"
"""What is to come, and as much of it as is there. No name of a release begins so."""


class FetchRefusedError(Exception):
    """Something cannot be fetched; the message says why, `code` for programs."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class FetchedReleases:
    """The archives in `folder`, which is made when the first comes. Used from one thread at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._artifact: Artifact | None = None
        self._received_bytes = 0
        self._resume()

    def ensure_space(self, parcel: Artifact) -> None:
        """Raise `FetchRefusedError` where the disk has no room for it."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            free = shutil.disk_usage(self._folder).free
        except OSError as why:
            raise FetchRefusedError("not-kept", f"The table cannot keep a release: {why.strerror}.") from None
        if self._artifact == parcel and self._received_bytes == parcel.size_bytes:
            return
        free += self._partial_size()  # what is half there goes on, or goes
        if free < parcel.size_bytes + MIN_FREE_BYTES:
            raise FetchRefusedError(
                "no-space",
                f"The table's disk has {free // 1_000_000} MB free; {parcel.name} has "
                f"{parcel.size_bytes // 1_000_000} MB, "
                f"and {MIN_FREE_BYTES // 1_000_000} MB stay free.",
            )

    def expect(self, parcel: Artifact) -> int:
        """Expect this artifact and no other; return how much of it is there. Raises `FetchRefusedError`."""
        if self._artifact != parcel:
            self._discard_partial()
            try:
                written = self._folder / f"{EXPECTED_FILE}.new"
                written.write_text(json.dumps(parcel.to_json()), encoding="ascii")
                written.replace(self._folder / EXPECTED_FILE)
            except OSError as why:
                raise FetchRefusedError("not-kept", f"The table cannot keep a release: {why.strerror}.") from None
            self._artifact = parcel
            if self._is_complete(self._folder / parcel.name):
                self._received_bytes = parcel.size_bytes
        return self._received_bytes

    def write_chunk(self, piece: Chunk) -> tuple[int, int]:
        """Keep a piece, if it is the next one; return how many bytes are there, and of how many.

        Raises `FetchRefusedError`: nobody said that it is to come, it is not the piece whose hash was signed, or the
        disk does not take it; then all that was there of it is gone.
        """
        parcel = self._artifact
        if parcel is None or piece.sha256 != parcel.sha256:
            raise FetchRefusedError("not-expected", "No technician has said that this is to come.")
        if piece.data and piece.offset == self._received_bytes < parcel.size_bytes:
            if not parcel.is_chunk(piece.offset, piece.data):
                raise FetchRefusedError(
                    "not-that-piece", f"Bytes from {piece.offset} on are not those that were signed for."
                )
            try:
                self._append_chunk(piece)
            except OSError as why:
                self._discard_partial()
                raise FetchRefusedError("not-kept", f"{parcel.name} cannot be kept: {why.strerror}.") from None
        return self._received_bytes, parcel.size_bytes

    def _append_chunk(self, piece: Chunk) -> None:
        assert self._artifact is not None
        half = self._folder / PARTIAL_FILE
        with half.open("r+b" if half.exists() else "wb") as file:
            file.seek(piece.offset)
            file.write(piece.data)
            file.truncate()
            last = piece.offset + len(piece.data) == self._artifact.size_bytes
            if last:
                file.flush()
                os.fsync(file.fileno())
        self._received_bytes += len(piece.data)
        if last:
            self._finish(half)

    def _finish(self, half: Path) -> None:
        """Give it its name, if all of it is on the disk as it came: a cut of the power may have kept less."""
        assert self._artifact is not None
        if not self._is_complete(half):
            half.unlink()
            self._received_bytes = 0
            return
        half.replace(self._folder / self._artifact.name)
        for old in sorted(self._iter_complete(), key=lambda path: path.stat().st_mtime_ns, reverse=True)[
            MAX_KEPT_RELEASES:
        ]:
            old.unlink()
        handle = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    def _resume(self) -> None:
        """Find what was expected before this start."""
        try:
            self._artifact = Artifact.from_json(json.loads((self._folder / EXPECTED_FILE).read_text("ascii")))
        except (OSError, ValueError, MessageFormatError, RecursionError, AttributeError):
            self._discard_partial()
            return
        last = (count_chunks(self._artifact.size_bytes) - 1) * CHUNK_BYTES
        self._received_bytes = min(self._partial_size() // CHUNK_BYTES * CHUNK_BYTES, last)
        if self._is_complete(self._folder / self._artifact.name):
            self._received_bytes = self._artifact.size_bytes

    def _partial_size(self) -> int:
        try:
            return (self._folder / PARTIAL_FILE).stat().st_size
        except OSError:
            return 0

    def _discard_partial(self) -> None:
        self._artifact, self._received_bytes = None, 0
        for name in (EXPECTED_FILE, PARTIAL_FILE):
            with suppress(OSError):
                (self._folder / name).unlink(missing_ok=True)

    def _is_complete(self, path: Path) -> bool:
        parcel = self._artifact
        try:
            if parcel is None or path.is_symlink() or path.stat().st_size != parcel.size_bytes:
                return False
            with path.open("rb") as file:
                return all(
                    parcel.is_chunk(at, file.read(CHUNK_BYTES)) for at in range(0, parcel.size_bytes, CHUNK_BYTES)
                )
        except OSError:
            return False

    def _iter_complete(self) -> Iterator[Path]:
        return (path for path in self._folder.iterdir() if RELEASE_NAME_PATTERN.fullmatch(path.name))


def find_releases_folder(environment: Mapping[str, str] = os.environ) -> Path | None:
    """The folder of releases in the directory that systemd made for the uplink (`StateDirectory=`)."""
    named = environment.get("STATE_DIRECTORY", "")
    return Path(named) / "releases" if named else None

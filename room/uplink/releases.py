"""The releases that this table's uplink has fetched, in a folder that root looks into: each whole, or not there.

One parcel is expected at a time, and stands half fetched beside its list of hashes, so that a start goes on where the
last left off. Nothing of a release is read here: root verifies it, signature first.
"""

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from room.contract.parcel import PIECE_BYTES, RELEASE, Parcel, Piece, count_of
from room.contract.request import BadRequest

KEPT = 2
"""Whole archives that are kept, the newest."""

LEFT_FREE = 200_000_000
"""Bytes of the disk that no release may take: the journal may lie there."""

EXPECTED, HALF = ".expected", ".half"
"""What is to come, and as much of it as is there. No name of a release begins so."""


class NotFetched(Exception):
    """Something cannot be fetched; the message says why, `code` for programs."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Releases:
    """The archives in `folder`, which is made when the first comes. Used from one thread at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._parcel: Parcel | None = None
        self._have = 0
        self._look()

    def room_for(self, parcel: Parcel) -> None:
        """Raise `NotFetched` where the disk has no room for it."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            free = shutil.disk_usage(self._folder).free
        except OSError as why:
            raise NotFetched("not-kept", f"The table cannot keep a release: {why.strerror}.") from None
        if self._parcel == parcel and self._have == parcel.size:
            return
        free += self._half_size()  # what is half there goes on, or goes
        if free < parcel.size + LEFT_FREE:
            raise NotFetched(
                "no-space",
                f"The table's disk has {free // 1_000_000} MB free; {parcel.name} has {parcel.size // 1_000_000} MB, "
                f"and {LEFT_FREE // 1_000_000} MB stay free.",
            )

    def expect(self, parcel: Parcel) -> int:
        """Take it that this parcel is to come, and no other; return how much of it is there. Raises `NotFetched`."""
        if self._parcel != parcel:
            self._drop()
            try:
                written = self._folder / f"{EXPECTED}.new"
                written.write_text(json.dumps(parcel.written()), encoding="ascii")
                written.replace(self._folder / EXPECTED)
            except OSError as why:
                raise NotFetched("not-kept", f"The table cannot keep a release: {why.strerror}.") from None
            self._parcel = parcel
            if self._is_whole(self._folder / parcel.name):
                self._have = parcel.size
        return self._have

    def take(self, piece: Piece) -> tuple[int, int]:
        """Keep a piece, if it is the next one; return how many bytes are there, and of how many.

        Raises `NotFetched`: nobody said that it is to come, it is not the piece whose hash was signed, or the disk does
        not take it; then all that was there of it is gone.
        """
        parcel = self._parcel
        if parcel is None or piece.sha256 != parcel.sha256:
            raise NotFetched("not-expected", "No technician has said that this is to come.")
        if piece.data and piece.at == self._have < parcel.size:
            if not parcel.holds(piece.at, piece.data):
                raise NotFetched("not-that-piece", f"Bytes from {piece.at} on are not those that were signed for.")
            try:
                self._write(piece)
            except OSError as why:
                self._drop()
                raise NotFetched("not-kept", f"{parcel.name} cannot be kept: {why.strerror}.") from None
        return self._have, parcel.size

    def _write(self, piece: Piece) -> None:
        assert self._parcel is not None
        half = self._folder / HALF
        with half.open("r+b" if half.exists() else "wb") as file:
            file.seek(piece.at)
            file.write(piece.data)
            file.truncate()
            last = piece.at + len(piece.data) == self._parcel.size
            if last:
                file.flush()
                os.fsync(file.fileno())
        self._have += len(piece.data)
        if last:
            self._finish(half)

    def _finish(self, half: Path) -> None:
        """Give it its name, if all of it is on the disk as it came: a cut of the power may have kept less."""
        assert self._parcel is not None
        if not self._is_whole(half):
            half.unlink()
            self._have = 0
            return
        half.replace(self._folder / self._parcel.name)
        for old in sorted(self._whole(), key=lambda path: path.stat().st_mtime_ns, reverse=True)[KEPT:]:
            old.unlink()
        handle = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    def _look(self) -> None:
        """Find what was expected before this start."""
        try:
            self._parcel = Parcel.read(json.loads((self._folder / EXPECTED).read_text("ascii")))
        except (OSError, ValueError, BadRequest, RecursionError, AttributeError):
            self._drop()
            return
        last = (count_of(self._parcel.size) - 1) * PIECE_BYTES
        self._have = min(self._half_size() // PIECE_BYTES * PIECE_BYTES, last)
        if self._is_whole(self._folder / self._parcel.name):
            self._have = self._parcel.size

    def _half_size(self) -> int:
        try:
            return (self._folder / HALF).stat().st_size
        except OSError:
            return 0

    def _drop(self) -> None:
        self._parcel, self._have = None, 0
        for name in (EXPECTED, HALF):
            with suppress(OSError):
                (self._folder / name).unlink(missing_ok=True)

    def _is_whole(self, path: Path) -> bool:
        parcel = self._parcel
        try:
            if parcel is None or path.is_symlink() or path.stat().st_size != parcel.size:
                return False
            with path.open("rb") as file:
                return all(parcel.holds(at, file.read(PIECE_BYTES)) for at in range(0, parcel.size, PIECE_BYTES))
        except OSError:
            return False

    def _whole(self) -> Iterator[Path]:
        return (path for path in self._folder.iterdir() if RELEASE.fullmatch(path.name))


def folder_of(environment: Mapping[str, str] = os.environ) -> Path | None:
    """The folder of releases in the directory that systemd made for the uplink (`StateDirectory=`)."""
    named = environment.get("STATE_DIRECTORY", "")
    return Path(named) / "releases" if named else None

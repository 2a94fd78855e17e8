"""A disk that loses its power: an NBD server whose write cache is volatile, as a memory card's is.

A write is acknowledged at once and lies in the cache; only a flush, or a write that asks for it, makes it last. At a
cut each 512-byte sector of the cache is kept or lost by itself: torn and out of order, as the standards of disks allow.
The protocol is the fixed newstyle of https://github.com/NetworkBlockDevice/nbd/blob/master/doc/proto.md.
"""

import errno
import random
import socket
import struct
import threading
import time
from contextlib import suppress
from pathlib import Path

SECTOR = 512
HANDSHAKE = b"NBDMAGICIHAVEOPT"
OPTION_REPLY, REQUEST, REPLY = 0x3E889045565A9, 0x25609513, 0x67446698
EXPORT_NAME, ABORT, INFO, GO = 1, 2, 6, 7
ACKNOWLEDGED, INFORMED, UNSUPPORTED = 1, 3, 0x80000001
READ, WRITE, DISCONNECT, FLUSH = 0, 1, 2, 3
CAN_FLUSH = 1 | 4 | 8
"""Transmission flags: there are flags, FLUSH is served, and FUA."""

FLUSH_SECONDS = 0.004
"""How long a flush takes; without it hardly any cut would find a write that has not lasted yet."""


class Disk:
    """The medium, its cache, and what the machine sees of both. Without power everything is an `OSError`."""

    def __init__(self, size: int, chance: random.Random) -> None:
        self.seen = bytearray(size)
        self.met: tuple[int, int] | None = None
        """What the cut met: sectors in the cache, and how many of them lasted."""
        self._lasting = bytearray(size)
        self._cache: list[tuple[int, bytes]] = []
        self._lock = threading.Lock()
        self._on = True
        self._chance = chance
        self._writes_left: int | None = None
        self._was_cut = threading.Event()

    def read(self, offset: int, length: int) -> bytes:
        self._refuse_without_power()
        return bytes(self.seen[offset : offset + length])

    def write(self, offset: int, data: bytes, *, lasting: bool) -> None:
        with self._lock:
            self._refuse_without_power()
            self.seen[offset : offset + len(data)] = data
            self._cache.append((offset, data))
            if self._writes_left is not None:
                self._writes_left -= 1
                if self._writes_left <= 0:
                    self._cut()
                    raise OSError(errno.EIO, "the power is gone")
        if lasting:
            self.flush()

    def flush(self) -> None:
        time.sleep(FLUSH_SECONDS)
        with self._lock:
            self._refuse_without_power()
            for offset, data in self._cache:
                self._lasting[offset : offset + len(data)] = data
            self._cache.clear()

    def cut_at_write(self, number: int, seconds: float) -> None:
        """Take the power away at a write to come, or after `seconds` at the latest."""
        with self._lock:
            self._writes_left = number
        if not self._was_cut.wait(seconds):
            self.cut()

    def cut(self) -> None:
        """Take the power away now."""
        with self._lock:
            if self._on:
                self._cut()

    def power_on(self) -> None:
        self._on, self._writes_left, self.met = True, None, None
        self._was_cut.clear()

    def erase(self) -> None:
        """Begin with an empty disk again."""
        self.seen[:] = self._lasting[:] = bytes(len(self.seen))

    def _cut(self) -> None:
        self._on = False
        sectors = [
            (offset + at, data[at : at + SECTOR]) for offset, data in self._cache for at in range(0, len(data), SECTOR)
        ]
        share, kept = self._chance.choice((0.0, 0.3, 0.5, 0.8, 1.0)), 0
        for offset, data in sectors:
            if self._chance.random() < share:
                self._lasting[offset : offset + len(data)] = data
                kept += 1
        self._cache.clear()
        self.seen[:] = self._lasting
        self.met = len(sectors), kept
        self._was_cut.set()

    def _refuse_without_power(self) -> None:
        if not self._on:
            raise OSError(errno.EIO, "the power is gone")


def serve(disk: Disk, path: Path) -> None:
    """Serve the disk on a socket, in threads that end with the program."""
    path.unlink(missing_ok=True)
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(path))
    listening.listen()

    def accept() -> None:
        while True:
            end, _ = listening.accept()
            threading.Thread(target=talk, args=(end,), daemon=True).start()

    def talk(end: socket.socket) -> None:
        with end, suppress(EOFError, OSError):  # the machine is gone: its power was cut
            if _agree(end, len(disk.seen)):
                _transmit(end, disk)

    threading.Thread(target=accept, daemon=True).start()


def _agree(end: socket.socket, size: int) -> bool:
    """Haggle over options; return whether the machine wants the disk."""
    end.sendall(HANDSHAKE + struct.pack(">H", 1 | 2))
    (flags,) = struct.unpack(">I", _read(end, 4))
    while True:
        _, option, length = struct.unpack(">QII", _read(end, 16))
        _read(end, length)

        def reply(kind: int, data: bytes = b"", option: int = option) -> None:
            end.sendall(struct.pack(">QIII", OPTION_REPLY, option, kind, len(data)) + data)

        if option == EXPORT_NAME:
            end.sendall(struct.pack(">QH", size, CAN_FLUSH) + (b"" if flags & 2 else bytes(124)))
            return True
        if option == ABORT:
            reply(ACKNOWLEDGED)
            return False
        if option in (INFO, GO):
            reply(INFORMED, struct.pack(">HQH", 0, size, CAN_FLUSH))
            reply(INFORMED, struct.pack(">HIII", 3, SECTOR, 4096, 1 << 25))
            reply(ACKNOWLEDGED)
            if option == GO:
                return True
        else:
            reply(UNSUPPORTED)


def _transmit(end: socket.socket, disk: Disk) -> None:
    while True:
        _, flags, command, handle, offset, length = struct.unpack(">IHHQQI", _read(end, 28))
        wanted = _read(end, length) if command == WRITE else b""
        if command == DISCONNECT:
            return
        data, failed = b"", 0
        try:
            if command == READ:
                data = disk.read(offset, length)
            elif command == WRITE:
                disk.write(offset, wanted, lasting=bool(flags & 1))
            elif command == FLUSH:
                disk.flush()
        except OSError:
            failed = errno.EIO
        end.sendall(struct.pack(">IIQ", REPLY, failed, handle) + data)


def _read(end: socket.socket, length: int) -> bytes:
    data = bytearray()
    while len(data) < length:
        piece = end.recv(length - len(data))
        if not piece:
            raise EOFError
        data += piece
    return bytes(data)

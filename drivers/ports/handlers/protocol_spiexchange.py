"""The pyserial handler behind `spi:///dev/spidevB.C?hz=…` for a device that answers: requests in, answers out.

What is written are requests of `drivers.contract.transfers`. They wait until somebody reads: the thread that reads the
port does the transfers and their waits, and writing takes no time. The kernel's spidev gets them in messages, with the
chip select up between two transfers.
"""

import ctypes
import errno
import fcntl
import struct
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from serial.serialutil import PortNotOpenError, SerialException

from drivers.contract.transfers import RequestDecoder, Transfer, TransferRequest, encode_answer
from drivers.ports.handlers import protocol_spi
from drivers.ports.handlers.protocol_spi import MAX_TRANSFER_BYTES

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

TRANSFER_STRUCT = struct.Struct("=QQIIHBBBBBB")
"""`struct spi_ioc_transfer` of linux/spi/spidev.h: two buffers, length, speed, wait, word size, chip select, widths."""

BUFFER_ALIGNMENT_BYTES = 128
"""What each transfer takes of the kernel's buffer of `MAX_TRANSFER_BYTES`, or a multiple: spidev lets each begin where
DMA can (`ALIGN(len, ARCH_DMA_MINALIGN)` in drivers/spi/spidev.c, 128 on arm64), so 32 short ones fill a message."""

MAX_WAITING_REQUESTS = 16


def make_message_number(transfers: int) -> int:
    """Return SPI_IOC_MESSAGE of so many transfers (linux/spi/spidev.h)."""
    return 0x40006B00 | transfers * TRANSFER_STRUCT.size << 16


def split_into_messages(transfers: Sequence[Transfer]) -> Iterator[tuple[Transfer, ...]]:
    """Yield as many transfers at a time as the kernel takes in one message."""
    message: list[Transfer] = []
    used = 0
    for transfer in transfers:
        needed = -(-len(transfer.data) // BUFFER_ALIGNMENT_BYTES) * BUFFER_ALIGNMENT_BYTES
        if message and used + needed > MAX_TRANSFER_BYTES:
            yield tuple(message)
            message, used = [], 0
        message.append(transfer)
        used += needed
    if message:
        yield tuple(message)


def send_message(fd: int, transfers: Sequence[Transfer]) -> list[bytes]:
    """Do transfers in one message of the kernel; return what came in with each."""
    buffers = [ctypes.create_string_buffer(transfer.data, len(transfer.data)) for transfer in transfers]
    message = bytearray()
    for place, (transfer, buffer) in enumerate(zip(transfers, buffers, strict=True), 1):
        rises_between = place < len(buffers)  # after the last one cs_change would leave the chip selected
        at = ctypes.addressof(buffer)
        message += TRANSFER_STRUCT.pack(at, at, len(transfer.data), 0, transfer.delay_us, 0, rises_between, 0, 0, 0, 0)
    fcntl.ioctl(fd, make_message_number(len(buffers)), message)
    return [buffer.raw for buffer in buffers]


class Serial(protocol_spi.Serial):
    """An SPI device in mode 0, at `hz` clocks a second; its driver's speed unless given."""

    _is_cancelled = False

    def open(self) -> None:
        """Open and set mode and speed."""
        self._decoder = RequestDecoder()
        self._requests: deque[TransferRequest] = deque()
        self._received = bytearray()
        self._news = threading.Condition()
        self._bus_lock = threading.Lock()
        """Held while the bus is used and while it is closed: a descriptor closed meanwhile may be another file's."""
        super().open()

    def _get_usual_hz(self) -> int:
        return int(self.baudrate)

    def close(self) -> None:
        """Let the bus go, after the message that is under way."""
        if self._fd is not None:
            with self._bus_lock:
                super().close()

    def read(self, size: int = 1) -> bytes:
        """Do what was asked, waiting for a request at most as long as the time-out; return what came in."""
        if self._fd is None:
            raise PortNotOpenError
        if not self._received and size:
            with self._news:
                self._news.wait_for(lambda: self._requests or self._is_cancelled, self.timeout or 0)
                self._is_cancelled = False
                request = self._requests.popleft() if self._requests else None
            if request is not None:
                self._received += self._exchange(request)
        out = bytes(self._received[:size])
        del self._received[:size]
        return out

    def write(self, data: "ReadableBuffer") -> int:
        """Leave requests to whoever reads."""
        if self._fd is None:
            raise PortNotOpenError
        whole = bytes(data)
        requests = self._decoder.receive_data(whole)
        with self._news:
            if len(self._requests) + len(requests) > MAX_WAITING_REQUESTS:
                raise SerialException(errno.ENOBUFS, "nobody reads the port, and too many requests wait")
            self._requests += requests
            self._news.notify()
        return len(whole)

    def cancel_read(self) -> None:
        """Let a waiting read return with nothing."""
        with self._news:
            self._is_cancelled = True
            self._news.notify()

    @property
    def in_waiting(self) -> int:
        """How many bytes of an answer were not read yet."""
        return len(self._received)

    def reset_input_buffer(self) -> None:
        """Lose what was not read."""
        self._received.clear()

    def _exchange(self, request: TransferRequest) -> bytes:
        """Give a request to the kernel and return the answer."""
        received: list[bytes] = []
        try:
            with self._bus_lock:
                for transfers in split_into_messages(request.transfers):
                    if self._fd is None:
                        return b""
                    received += send_message(self._fd, transfers)
        except OSError as error:
            raise SerialException(error.errno, f"exchange failed: {error}") from error
        return encode_answer(request.number, received)

"""Exchanges on a bus on which each byte out brings a byte in, such as SPI, as bytes on a port.

A request is its number, how many transfers it has, and of each transfer its length, the microseconds to wait after it
(two bytes, high byte first) and its bytes; each but the wait is one byte. The answer is the same number and, for each
transfer, its length and the bytes that came in meanwhile. The port knows nothing of the device; the device's chip
select goes up between two transfers.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

MAX_TRANSFERS = 255
MAX_TRANSFER_BYTES = 255
MAX_DELAY_US = 0xFFFF
MAX_WAITING_BYTES = 2 + MAX_TRANSFERS * (3 + MAX_TRANSFER_BYTES)
"""The longest request."""


@dataclass(frozen=True, slots=True)
class Transfer:
    """Bytes for the bus while its chip select is low, and how many microseconds pass before it goes up."""

    data: bytes = field(repr=False)
    delay_us: int = 0


@dataclass(frozen=True, slots=True)
class TransferRequest:
    """Transfers one after the other; `number` (0 to 255) comes back with the answer."""

    number: int
    transfers: tuple[Transfer, ...] = field(repr=False)


def encode_request(request: TransferRequest) -> bytes:
    """Return a request as it is written to the port."""
    parts = [bytes((request.number, len(request.transfers)))]
    for transfer in request.transfers:
        parts += [bytes((len(transfer.data),)), transfer.delay_us.to_bytes(2, "big"), transfer.data]
    return b"".join(parts)


def encode_answer(number: int, received: Sequence[bytes]) -> bytes:
    """Return an answer as it is read from the port."""
    return bytes((number,)) + b"".join(bytes((len(data),)) + data for data in received)


class RequestDecoder:
    """Cuts what is written to a port into requests; for the port and for what stands in for it."""

    def __init__(self) -> None:
        """Start with nothing received."""
        self._pending = b""

    def receive_data(self, data: bytes) -> list[TransferRequest]:
        """Take bytes; return the requests that are complete."""
        self._pending += data
        requests: list[TransferRequest] = []
        while (found := decode_request(self._pending)) is not None:
            request, size = found
            requests.append(request)
            self._pending = self._pending[size:]
        return requests


def decode_request(data: bytes) -> tuple[TransferRequest, int] | None:
    """Return the request at the front and its length; nothing where it is not complete."""
    if len(data) < 2:
        return None
    transfers: list[Transfer] = []
    at = 2
    for _ in range(data[1]):
        size = data[at] if at < len(data) else 0
        begin, end = at + 3, at + 3 + size
        if len(data) < end:
            return None
        transfers.append(Transfer(data[begin:end], int.from_bytes(data[at + 1 : at + 3], "big")))
        at = end
    return TransferRequest(data[0], tuple(transfers)), at

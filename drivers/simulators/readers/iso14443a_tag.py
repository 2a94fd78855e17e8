"""A simulated tag of ISO 14443A: its states, its answers bit by bit (ISO 14443-3, 6.2 to 6.5)."""

from collections.abc import Sequence

from drivers.readers.iso15693 import crc16_mcrf4xx

REQA, WUPA = 0x26, 0x52
SELECT_CODES = (0x93, 0x95, 0x97)
HALT_COMMAND = bytes((0x50, 0x00))
CASCADE_TAG = 0x88
CASCADE_BIT = 0x04
"""Bit of a SAK that says that the UID goes on at the next level."""

CRC_A_PRESET = 0x6363

UID_SIZES = (4, 7, 10)

Bits = tuple[int, ...]


def to_bits(data: Sequence[int], bit_count: int | None = None) -> Bits:
    """Return bytes as they go through the air: lowest bit first."""
    bits = tuple(byte >> n & 1 for byte in data for n in range(8))
    return bits if bit_count is None else bits[:bit_count]


def to_bytes(bits: Sequence[int]) -> bytes:
    """Return bits as bytes, the last one filled up with zeros."""
    return bytes(sum(bit << n for n, bit in enumerate(bits[at : at + 8])) for at in range(0, len(bits), 8))


def append_crc(data: bytes) -> bytes:
    """Return a frame with its CRC_A."""
    return data + crc16_mcrf4xx(data, CRC_A_PRESET).to_bytes(2, "little")


def split_uid(uid: bytes) -> tuple[bytes, ...]:
    """Return what a tag says at each cascade level: four bytes and their exclusive or (6.5.4)."""
    parts = [uid[-4:]]
    for at in range(len(uid) - 7, -1, -3):
        parts.insert(0, bytes((CASCADE_TAG,)) + uid[at : at + 3])
    return tuple(part + bytes((part[0] ^ part[1] ^ part[2] ^ part[3],)) for part in parts)


class Iso14443aTag:
    """A tag in the field: idle, ready, active or halted."""

    def __init__(self, uid: str) -> None:
        raw = bytes.fromhex(uid)
        if len(raw) not in UID_SIZES or uid != raw.hex().upper():
            raise ValueError("a tag of this reader has 4, 7 or 10 bytes in upper-case hexadecimal")
        self.uid = uid
        self._levels = split_uid(raw)
        self.lose_power()

    def lose_power(self) -> None:
        """Forget everything: the field is off, or the tag is out of it."""
        self._level: int | None = None
        self._is_active = self._is_halted = False

    def answer(self, bits: Bits) -> Bits:
        """Take a frame of the reader; empty where the tag says nothing."""
        if len(bits) == 7:
            return self._answer_request(to_bytes(bits)[0])
        if self._level is None:
            return ()  # idle and halted tags hear nothing but requests
        data = to_bytes(bits)
        if self._is_active:
            self._is_halted = self._is_halted or data == append_crc(HALT_COMMAND)
            return self._fall_back()
        if data[:1] != bytes((SELECT_CODES[self._level],)) or len(data) < 2:
            return self._fall_back()
        return self._answer_select(data, bits)

    def _answer_request(self, command: int) -> Bits:
        """REQA wakes an idle tag, WUPA a halted one as well; both send one back that was ready or active (6.3)."""
        if self._level is not None:
            return self._fall_back()
        if command == WUPA or (command == REQA and not self._is_halted):
            self._level = 0
            return to_bits((0x44 if len(self._levels) > 1 else 0x04, 0x00))
        return ()

    def _answer_select(self, data: bytes, bits: Bits) -> Bits:
        assert self._level is not None
        own = self._levels[self._level]
        known = (data[1] >> 4) * 8 + (data[1] & 0x0F) - 16
        if known == 40:
            if data != append_crc(data[:7]) or data[2:7] != own:
                return self._fall_back()
            is_last = self._level == len(self._levels) - 1
            if is_last:
                self._is_active = True
            else:
                self._level += 1
            complete = 0x08 if len(self._levels) == 1 else 0x00  # MIFARE Classic and NTAG, each by its UID's length
            return to_bits(append_crc(bytes((complete if is_last else CASCADE_BIT,))))
        if not 0 <= known < 40 or len(bits) != 16 + known:
            return self._fall_back()
        matches = bits[16:] == to_bits(own)[:known]
        return to_bits(own)[known:] if matches else ()

    def _fall_back(self) -> Bits:
        """Go back to idle, or to halted where the tag was woken from there."""
        self._level, self._is_active = None, False
        return ()

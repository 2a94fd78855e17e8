"""What readers of ISO 15693 cards have in common: the canonical UID and the CRCs.

On the air a UID travels lowest byte first and ends with E0; FEIG readers hand it over highest byte first. The canonical
form is sixteen upper-case hexadecimal digits that begin with E0; the second byte is the maker (ISO/IEC 15693-3, 4.1).
"""

UID_BYTES = 8


def parse_uid(highest_first: bytes) -> str | None:
    """Return the canonical UID, or `None` for what is none."""
    return highest_first.hex().upper() if len(highest_first) == UID_BYTES and highest_first[0] == 0xE0 else None


def crc16_mcrf4xx(data: bytes, start: int = 0xFFFF) -> int:
    """Return the CRC that FEIG frames carry (MCRF4XX: polynomial 1021 reflected); the air CRC is its complement."""
    crc = start
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ 0x8408 if crc & 1 else crc >> 1
    return crc


def crc16_x25(data: bytes) -> int:
    """Return the CRC of a frame on the air (X-25)."""
    return crc16_mcrf4xx(data) ^ 0xFFFF

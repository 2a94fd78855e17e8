"""The chip MFRC522 as its data sheet (NXP, Rev. 3.9) has it: registers, FIFO, CRC, timer, and tags in its field.

It is spoken to by SPI transfers (8.1.2): the first byte has an address, its highest bit says that it is read. Names and
reset values of the registers are those of section 9, commands those of section 10.
"""

from collections.abc import Callable
from enum import IntEnum

from drivers.readers.iso15693 import crc16_mcrf4xx
from drivers.simulators.readers.iso14443a_tag import Bits, Iso14443aTag, to_bits, to_bytes

FIFO_BYTES = 64

BIT_S = 128 / 13.56e6
"""A bit in the air at 106 kbit/s."""

FRAME_DELAY_S = 1236 / 13.56e6
"""From the end of a request to the answer of a tag (ISO 14443-3, 6.2.1)."""

SOFT_RESET_S = 37.74e-6
"""How long a chip that was told to reset reads as asleep (8.8.2, without the crystal, which runs on). The library
mfrc522 sets the chip up right after it."""

POWER_ON_S = 0.002
"""How long a chip sleeps whose crystal has to start as well; no source has the time of the crystal of these boards."""

TAG_START_S = 0.005
"""How long a tag in a new field stays deaf at most (ISO 14443-3, 5)."""

PRESETS = (0x0000, 0x6363, 0xA671, 0xFFFF)
"""Start values of the coprocessor by the lowest bits of ModeReg (table 55)."""


class Register(IntEnum):
    """Addresses of registers (table 20)."""

    COMMAND = 0x01
    COM_IRQ = 0x04
    DIV_IRQ = 0x05
    ERROR = 0x06
    STATUS_1 = 0x07
    STATUS_2 = 0x08
    FIFO_DATA = 0x09
    FIFO_LEVEL = 0x0A
    WATER_LEVEL = 0x0B
    CONTROL = 0x0C
    BIT_FRAMING = 0x0D
    COLL = 0x0E
    MODE = 0x11
    TX_MODE = 0x12
    RX_MODE = 0x13
    TX_CONTROL = 0x14
    TX_ASK = 0x15
    CRC_RESULT_H = 0x21
    CRC_RESULT_L = 0x22
    MOD_WIDTH = 0x24
    RF_CFG = 0x26
    T_MODE = 0x2A
    T_PRESCALER = 0x2B
    T_RELOAD_H = 0x2C
    T_RELOAD_L = 0x2D
    T_COUNTER_H = 0x2E
    T_COUNTER_L = 0x2F
    VERSION = 0x37


class Command(IntEnum):
    """What the chip does (table 149)."""

    IDLE = 0x00
    CALC_CRC = 0x03
    TRANSMIT = 0x04
    NO_CHANGE = 0x07
    RECEIVE = 0x08
    TRANSCEIVE = 0x0C
    SOFT_RESET = 0x0F


RESET_VALUES = {
    Register.COMMAND: 0x20, 0x02: 0x80, Register.COM_IRQ: 0x14, Register.STATUS_1: 0x21, Register.WATER_LEVEL: 0x08,
    Register.CONTROL: 0x10, Register.COLL: 0x20 | 0x80, Register.MODE: 0x3F, Register.TX_CONTROL: 0x80, 0x16: 0x10,
    0x17: 0x84, 0x18: 0x84, 0x19: 0x4D, 0x1C: 0x62, 0x1F: 0xEB, Register.CRC_RESULT_H: 0xFF,
    Register.CRC_RESULT_L: 0xFF, Register.MOD_WIDTH: 0x26, Register.RF_CFG: 0x48, 0x27: 0x88, 0x28: 0x20, 0x29: 0x20,
}  # fmt: skip
"""Registers that are not 0 after a reset (section 9)."""

READ_ONLY = frozenset(
    (Register.ERROR, Register.STATUS_1, Register.CRC_RESULT_H, Register.CRC_RESULT_L, Register.T_COUNTER_H,
     Register.T_COUNTER_L, Register.VERSION)
)  # fmt: skip

TX_IRQ, RX_IRQ, IDLE_IRQ, ERR_IRQ, TIMER_IRQ = 0x40, 0x20, 0x10, 0x02, 0x01
CRC_IRQ = 0x04
BUFFER_OVERFLOW, COLLISION_ERROR = 0x10, 0x08
START_SEND = 0x80
POWER_DOWN = 0x10
ANTENNA_ON = 0x03


class Rc522Chip:
    """One chip with its antenna. `version` is what its VersionReg reads. Time goes by with the `now` handed in."""

    def __init__(self, version: int = 0x92) -> None:
        self.version = version
        self._tags: dict[str, Iso14443aTag] = {}
        self._deaf_until: dict[str, float] = {}
        self._now = 0.0
        self.reset()

    def reset(self, wake_up_s: float = POWER_ON_S) -> None:
        """Begin anew, as after a dip of the supply: the antenna is off, and every tag loses its power."""
        self._registers = bytearray(64)
        for address, value in RESET_VALUES.items():
            self._registers[address] = value
        self._registers[Register.VERSION] = self.version
        self._fifo = bytearray()
        self._awake_at = self._now + wake_up_s
        self._due: list[tuple[float, Callable[[], None]]] = []
        self._timer_ends: float | None = None
        for tag in self._tags.values():
            tag.lose_power()

    def present(self, uid: str, now: float) -> None:
        """Bring a tag into the field."""
        if uid not in self._tags:
            self.add_tag(Iso14443aTag(uid), now)

    def add_tag(self, tag: Iso14443aTag, now: float) -> None:
        """Bring a tag with a mind of its own into the field."""
        self._tags[tag.uid] = tag
        self._deaf_until[tag.uid] = now + TAG_START_S

    def remove(self, uid: str | None = None) -> None:
        """Take a tag, or all, out of the field."""
        for gone in list(self._tags) if uid is None else [uid]:
            self._tags.pop(gone, None)

    def transfer(self, data: bytes, now: float) -> bytes:
        """Return what the chip sends while it receives one transfer."""
        self._go_on_to(now)
        out = bytearray(b"\0" * len(data))
        if not data:
            return b""
        if data[0] & 0x80:
            for at in range(1, len(data)):
                out[at] = self._read(data[at - 1] >> 1 & 0x3F) if data[at - 1] & 0x80 else 0
        else:
            for value in data[1:]:
                self._write(data[0] >> 1 & 0x3F, value)
        return bytes(out)

    def _go_on_to(self, now: float) -> None:
        """Do what is due by `now`."""
        while self._due and self._due[0][0] <= now:
            self._now, action = self._due.pop(0)
            self._check_timer()
            action()
        self._now = now
        self._check_timer()

    def _check_timer(self) -> None:
        if self._timer_ends is not None and self._timer_ends <= self._now:
            self._timer_ends = None
            self._registers[Register.COM_IRQ] |= TIMER_IRQ

    def _read(self, address: int) -> int:
        if address == Register.FIFO_DATA:
            return self._fifo.pop(0) if self._fifo else 0
        if address == Register.FIFO_LEVEL:
            return len(self._fifo)
        if address == Register.COMMAND and self._now < self._awake_at:
            return self._registers[address] | POWER_DOWN
        return self._registers[address]

    def _write(self, address: int, value: int) -> None:
        if self._now < self._awake_at or address in READ_ONLY:
            return
        match address:
            case Register.COM_IRQ | Register.DIV_IRQ:
                # The highest bit says whether the marked bits are set or cleared (9.3.1.5).
                kept = self._registers[address]
                self._registers[address] = kept | value & 0x7F if value & 0x80 else kept & ~value
            case Register.FIFO_DATA:
                self._push(bytes((value,)))
            case Register.FIFO_LEVEL:
                if value & 0x80:
                    self._fifo.clear()
                    self._registers[Register.ERROR] &= ~BUFFER_OVERFLOW
            case Register.COMMAND:
                self._start_command(value)
            case Register.BIT_FRAMING:
                self._registers[address] = value
                if value & START_SEND and self._registers[Register.COMMAND] & 0x0F == Command.TRANSCEIVE:
                    self._transceive()
            case Register.COLL:
                self._registers[address] = self._registers[address] & 0x7F | value & 0x80
            case Register.TX_CONTROL:
                self._switch_antenna(value)
            case Register.CONTROL:
                if value & 0x80:
                    self._timer_ends = None
                if value & 0x40:
                    self._start_timer()
            case _:
                self._registers[address] = value

    def _switch_antenna(self, value: int) -> None:
        was_on = bool(self._registers[Register.TX_CONTROL] & ANTENNA_ON)
        self._registers[Register.TX_CONTROL] = value
        if bool(value & ANTENNA_ON) != was_on:
            for uid, tag in self._tags.items():
                tag.lose_power()
                self._deaf_until[uid] = self._now + TAG_START_S

    def _start_command(self, value: int) -> None:
        if value & 0x0F == Command.NO_CHANGE:
            value = value & 0xF0 | self._registers[Register.COMMAND] & 0x0F
        self._due.clear()
        self._registers[Register.COMMAND] = value & 0x3F
        match value & 0x0F:
            case Command.SOFT_RESET:
                self.reset(SOFT_RESET_S)
            case Command.CALC_CRC:
                self._calculate_crc()
            case Command.TRANSCEIVE | Command.RECEIVE | Command.TRANSMIT:
                self._registers[Register.ERROR] = 0
            case _:
                pass

    def _calculate_crc(self) -> None:
        preset = PRESETS[self._registers[Register.MODE] & 0x03]
        crc = crc16_mcrf4xx(bytes(self._fifo), preset)
        self._fifo.clear()
        self._registers[Register.CRC_RESULT_H], self._registers[Register.CRC_RESULT_L] = crc >> 8, crc & 0xFF
        self._registers[Register.DIV_IRQ] |= CRC_IRQ

    def _transceive(self) -> None:
        """Send the FIFO; what comes back is there when it has gone through the air."""
        framing = self._registers[Register.BIT_FRAMING]
        last_bits = framing & 0x07
        sent = bytes(self._fifo)
        self._fifo.clear()
        bits = to_bits(sent, len(sent) * 8 - (8 - last_bits if last_bits else 0))
        air_bits = len(bits) if len(bits) == 7 else len(bits) * 9 / 8  # a short frame has no parity
        sent_at = self._now + (air_bits + 2) * BIT_S
        is_on = self._registers[Register.TX_CONTROL] & ANTENNA_ON and self._registers[Register.TX_ASK] & 0x40
        heard = [
            answer
            for uid, tag in self._tags.items()
            if is_on and self._now >= self._deaf_until[uid] and (answer := tag.answer(bits))
        ]
        self._due.append((sent_at, self._end_sending))
        if heard:
            air_s = (max(len(answer) for answer in heard) * 9 / 8 + 1) * BIT_S
            align = framing >> 4 & 0x07
            self._due.append((sent_at + FRAME_DELAY_S + air_s, lambda: self._receive(heard, align)))

    def _end_sending(self) -> None:
        self._registers[Register.COM_IRQ] |= TX_IRQ
        self._registers[Register.BIT_FRAMING] &= ~START_SEND
        if self._registers[Register.T_MODE] & 0x80:
            self._start_timer()

    def _start_timer(self) -> None:
        """Count down from the reload value (8.5)."""
        prescaler = (self._registers[Register.T_MODE] & 0x0F) << 8 | self._registers[Register.T_PRESCALER]
        reload = self._registers[Register.T_RELOAD_H] << 8 | self._registers[Register.T_RELOAD_L]
        self._timer_ends = self._now + (2 * prescaler + 1) * (reload + 1) / 13.56e6

    def _receive(self, heard: list[Bits], align: int) -> None:
        """Put what all tags said at once into the FIFO, and where they first disagreed into CollReg (9.3.1.15)."""
        size = max(len(answer) for answer in heard)
        bits = [max(answer[at] for answer in heard if at < len(answer)) for at in range(size)]
        collision = next((at for at in range(size) if len({answer[at : at + 1] for answer in heard}) > 1), None)
        self._registers[Register.COLL] = self._registers[Register.COLL] & 0x80 | 0x20
        if collision is not None:
            if not self._registers[Register.COLL] & 0x80:
                bits[collision:] = [0] * (size - collision)
            if align + collision < 32:
                self._registers[Register.COLL] = self._registers[Register.COLL] & 0x80 | (align + collision + 1) & 0x1F
            self._registers[Register.ERROR] |= COLLISION_ERROR
            self._registers[Register.COM_IRQ] |= ERR_IRQ
        self._push(to_bytes([0] * align + bits))
        self._registers[Register.CONTROL] = self._registers[Register.CONTROL] & 0xF8 | (align + size) % 8
        self._registers[Register.COM_IRQ] |= RX_IRQ
        self._timer_ends = None

    def _push(self, data: bytes) -> None:
        room = FIFO_BYTES - len(self._fifo)
        self._fifo += data[:room]
        if len(data) > room:
            self._registers[Register.ERROR] |= BUFFER_OVERFLOW

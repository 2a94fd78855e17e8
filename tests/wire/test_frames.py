"""Frames: the vectors of the specification, any split, any noise."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.wire_frames import (
    MAX_PAYLOAD_BYTES,
    Deframer,
    Frame,
    FrameFault,
    Noise,
    crc16_ccitt_false,
    decode_cobs,
    decode_frame,
    encode_cobs,
    encode_frame,
)

FRAMES = st.builds(
    Frame,
    type=st.integers(0, 255),
    seq=st.integers(0, 255),
    payload=st.binary(max_size=MAX_PAYLOAD_BYTES),
    version=st.integers(0, 255),
)

VECTORS = [
    (Frame(0x10, 7), "06 01 10 07 88 38 00"),
    (Frame(0x11, 50, bytes.fromhex("01 01 2C")), "09 01 11 32 01 01 2C C5 D5 00"),
    (Frame(0x01, 0, bytes.fromhex("01 08 00 01 00")), "03 01 01 03 01 08 02 01 03 D2 2F 00"),
]


def test_the_checksum_is_ccitt_false() -> None:
    assert crc16_ccitt_false(b"123456789") == 0x29B1


@pytest.mark.parametrize(("frame", "wire"), VECTORS)
def test_vectors_both_ways(frame: Frame, wire: str) -> None:
    assert encode_frame(frame) == bytes.fromhex(wire)
    assert Deframer().feed(bytes.fromhex(wire)) == [frame]


@pytest.mark.parametrize(
    ("plain", "stuffed"),
    [
        ("", "01"),
        ("00", "01 01"),
        ("00 00", "01 01 01"),
        ("11 22 00 33 44", "03 11 22 03 33 44"),
        ("11 22 33 44", "05 11 22 33 44"),
        ("11 00 00 00", "02 11 01 01 01"),
        (bytes(range(1, 255)).hex(), "FF" + bytes(range(1, 255)).hex()),
        (bytes(range(255)).hex(), "01 FF" + bytes(range(1, 255)).hex()),
    ],
)
def test_cobs_vectors(plain: str, stuffed: str) -> None:
    assert encode_cobs(bytes.fromhex(plain)) == bytes.fromhex(stuffed)
    assert decode_cobs(bytes.fromhex(stuffed)) == bytes.fromhex(plain)


@given(st.binary(max_size=600))
def test_cobs_holds_no_zero_and_comes_back(plain: bytes) -> None:
    stuffed = encode_cobs(plain)
    assert 0 not in stuffed
    assert decode_cobs(stuffed) == plain


@pytest.mark.parametrize("wrong", ["00", "05 11 22", "03 11 00 22", "FF 01"])
def test_what_is_not_cobs(wrong: str) -> None:
    assert decode_cobs(bytes.fromhex(wrong)) is None


@given(st.lists(FRAMES, max_size=6), st.data())
def test_any_split_gives_the_same_frames(frames: list[Frame], data: st.DataObject) -> None:
    wire = b"".join(encode_frame(frame) for frame in frames)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(wire)), max_size=8)))
    deframer = Deframer()
    found = [got for a, b in zip([0, *cuts], [*cuts, len(wire)], strict=True) for got in deframer.feed(wire[a:b])]
    assert found == frames


@given(st.binary(max_size=200), FRAMES, FRAMES)
def test_in_step_again_within_one_frame(noise: bytes, first: Frame, second: Frame) -> None:
    """Noise costs at most the frame that runs into it."""
    assert Deframer().feed(noise + encode_frame(first) + encode_frame(second))[-1] == second
    assert Deframer().feed(noise + b"\0" + encode_frame(first))[-1] == first


@settings(derandomize=True)
@given(FRAMES, st.integers(0, 10_000), st.integers(0, 7))
def test_one_flipped_bit_is_never_a_frame(frame: Frame, where: int, bit: int) -> None:
    wire = bytearray(encode_frame(frame))
    wire[where % (len(wire) - 1)] ^= 1 << bit
    assert not [got for got in Deframer().feed(bytes(wire)) if isinstance(got, Frame)]


@given(st.binary(max_size=500))
def test_every_byte_is_accounted_for(data: bytes) -> None:
    """Bytes are delimiters, frames or noise; nothing vanishes and nothing raises."""
    found = Deframer().feed(data + b"\0")
    counted = sum(got.byte_count if isinstance(got, Noise) else len(encode_frame(got)) - 1 for got in found)
    assert counted == len(data) - data.count(0)


def test_faults_have_their_names() -> None:
    assert decode_frame(b"\x05\x11") == Noise(2, FrameFault.NOT_COBS)
    assert decode_frame(encode_cobs(b"\1\2\3\4")) == Noise(5, FrameFault.TOO_SHORT)
    assert decode_frame(bytes.fromhex("06 01 10 07 88 39")) == Noise(6, FrameFault.BAD_CRC)
    assert Deframer().feed(b"\x42" * 70 + b"\0") == [Noise(70, FrameFault.TOO_LONG)]


def test_the_longest_frame_fits_and_a_longer_one_is_the_callers_mistake() -> None:
    longest = Frame(0x94, 1, b"\xff" * MAX_PAYLOAD_BYTES)
    assert len(encode_frame(longest)) == 66
    assert Deframer().feed(encode_frame(longest)) == [longest]
    with pytest.raises(ValueError, match="payload of 60 bytes; a frame holds at most 59"):
        encode_frame(Frame(0x94, 1, bytes(MAX_PAYLOAD_BYTES + 1)))


def test_idle_line_is_not_noise() -> None:
    assert Deframer().feed(b"\0\0\0") == []

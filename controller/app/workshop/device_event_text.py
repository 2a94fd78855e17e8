"""What devices say, in words for a technician. A tag is shown as it was read; whose card it is, nobody here knows."""

from typing import assert_never

from drivers.contract.driver_interface import (
    CardEdgeSensed,
    DeviceEvent,
    DeviceLost,
    DeviceReady,
    EventsMissed,
    FaceSensed,
    GateHeldShut,
    KeyFreed,
    KeyPressed,
    KeyStuck,
    LidMoved,
    NoiseDropped,
    ShoeJammed,
    TagRead,
)


def describe_event(event: DeviceEvent) -> str:
    """Say what happened."""
    match event:
        case TagRead(tag=tag, antenna=None):
            return f"tag {tag}"
        case TagRead(tag=tag, antenna=antenna):
            return f"tag {tag} at antenna {antenna}"
        case CardEdgeSensed(is_covered=covered):
            return "edge covered" if covered else "edge free"
        case FaceSensed(face_up=up):
            return "face seen" if up else "no face seen any more"
        case LidMoved(is_open=is_open):
            return "lid opened" if is_open else "lid closed"
        case ShoeJammed():
            return "card jammed"
        case KeyPressed(key=key, held=held):
            return f"key {key} held" if held else f"key {key}"
        case KeyStuck(key=key):
            return f"key {key} is stuck"
        case KeyFreed(key=key):
            return f"key {key} is free again"
        case NoiseDropped(byte_count=dropped, reason=why):
            return f"{dropped} {'byte' if dropped == 1 else 'bytes'} dropped: {why}"
        case DeviceReady():
            return "answers"
        case DeviceLost(reason=why):
            return f"lost: {why}"
        case EventsMissed(reason=why):
            return f"events may be missing here: {why}"
        case GateHeldShut(reason=why):
            return why
        case _:
            assert_never(event)


def format_hex(data: bytes) -> str:
    """Write bytes as pairs of hexadecimal digits."""
    return data.hex(" ").upper()

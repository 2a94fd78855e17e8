"""What devices say, in words for a technician. A tag is shown as it was read; whose card it is, nobody here knows."""

from typing import assert_never

from drivers.contract.base import (
    CardEdge,
    DeviceEvent,
    DeviceLost,
    DeviceReady,
    EventsMissed,
    FaceSensed,
    GateHeldShut,
    Jammed,
    KeyFreed,
    KeyPressed,
    KeyStuck,
    LidMoved,
    Noise,
    TagRead,
)


def words(event: DeviceEvent) -> str:
    """Say what happened."""
    match event:
        case TagRead(tag=tag, antenna=None):
            return f"tag {tag}"
        case TagRead(tag=tag, antenna=antenna):
            return f"tag {tag} at antenna {antenna}"
        case CardEdge(covered=covered):
            return "edge covered" if covered else "edge free"
        case FaceSensed(up=up):
            return "face seen" if up else "no face seen any more"
        case LidMoved(open=is_open):
            return "lid opened" if is_open else "lid closed"
        case Jammed():
            return "card jammed"
        case KeyPressed(key=key, held=held):
            return f"key {key} held" if held else f"key {key}"
        case KeyStuck(key=key):
            return f"key {key} is stuck"
        case KeyFreed(key=key):
            return f"key {key} is free again"
        case Noise(dropped=dropped, why=why):
            return f"{dropped} {'byte' if dropped == 1 else 'bytes'} dropped: {why}"
        case DeviceReady():
            return "answers"
        case DeviceLost(why=why):
            return f"lost: {why}"
        case EventsMissed(why=why):
            return f"events may be missing here: {why}"
        case GateHeldShut(why=why):
            return why
        case _:
            assert_never(event)


def hexed(data: bytes) -> str:
    """Write bytes as pairs of hexadecimal digits."""
    return data.hex(" ").upper()

"""What a link says to the driver above it, and what it counts."""

from dataclasses import dataclass

from firmware_bridge.wire_frames import Noise
from firmware_bridge.wire_messages import Event, Hello, State, Verdict


@dataclass(frozen=True, slots=True)
class LinkUp:
    """The board is there and understood; its state and events follow."""

    hello: Hello


@dataclass(frozen=True, slots=True)
class LinkDown:
    """The board does not answer, restarted, or its port is gone."""

    reason: str


@dataclass(frozen=True, slots=True)
class LinkRefused:
    """The board is there but must not be used: `reason` says what it speaks and what is needed."""

    reason: str


@dataclass(frozen=True, slots=True)
class EventGap:
    """Events are missing here: `lost_count` of them when the board counted, otherwise nobody knows.

    A `State` follows.
    """

    reason: str
    lost_count: int | None = None


@dataclass(frozen=True, slots=True)
class GateRefused:
    """The board did not open the gate, and the link asks no more."""

    verdict: Verdict


LinkEvent = LinkUp | LinkDown | LinkRefused | EventGap | GateRefused | Noise | Event | State
"""What a link says. Of the events of the board every kind but `EventsLost`, which becomes a `EventGap`."""


@dataclass(slots=True)
class LinkCounters:
    """What the maintainer asks for first. `resent` above 0 means a bad cable; round trips are in seconds."""

    bytes_in: int = 0
    bytes_out: int = 0
    frames_in: int = 0
    noise: int = 0
    unreadable: int = 0
    requests: int = 0
    resent: int = 0
    events: int = 0
    repeated_events: int = 0
    early_events: int = 0
    foreign_events: int = 0
    late_answers: int = 0
    restarts: int = 0
    downs: int = 0
    board_bad_frames: int = 0
    board_overruns: int = 0
    last_round_trip_s: float = 0.0
    worst_round_trip_s: float = 0.0

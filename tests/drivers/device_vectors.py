"""Bytes of devices that nobody of this project made: makers' manuals, recorded transports, independent libraries."""

import json
from dataclasses import dataclass
from pathlib import Path

PATH = Path(__file__).parent / "vectors.jsonl"


@dataclass(frozen=True, slots=True)
class DeviceVector:
    """Some bytes on the wire, what they are, and where they are from."""

    data: bytes
    is_from_device: bool
    meaning: str
    source: str


def load_vectors(device: str) -> list[DeviceVector]:
    """Return what is known of a device, in the order of the file."""
    rows = [json.loads(line) for line in PATH.read_text(encoding="utf-8").splitlines()]
    return [
        DeviceVector(
            bytes.fromhex(row["hex"]), row["direction"].endswith("->host"), row["meaning"], row.get("source", "")
        )
        for row in rows
        if row["device"] == device
    ]


def find_vector(device: str, meaning: str) -> bytes:
    """Return the first bytes of a device whose meaning begins so."""
    return next(vector.data for vector in load_vectors(device) if vector.meaning.startswith(meaning))

"""The room's server: its pages and boards, what they are told as it happens, what its people enter (docs/room.md)."""

from pathlib import Path

STATIC_FOLDER = Path(__file__).parent / "static"
"""The files of the room's pages, which the browser fetches below `/room`."""

"""What was read of a file, from which mistakes are struck out one by one, so that the next one shows."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from config.errors import ConfigError

MOST = 500
"""Looks at one file; far more than anybody makes mistakes."""


class Struck:
    """What was read of a file, less what is wrong in it."""

    def __init__(self, path: Path, content: dict[str, Any]) -> None:
        self.content = content
        self.found: list[ConfigError] = []
        self.blind = False
        """Whether the table line can be looked at no further."""
        self.path = path
        self._struck: set[tuple[str, ...]] = set()

    def look(self, check: Callable[[], object]) -> None:
        """Check until nothing more is said, striking out what is wrong."""
        for _ in range(MOST):
            try:
                check()
            except ConfigError as error:
                if error.path == self.path:
                    self.strike(error)
                    continue
                self.note(error)  # in another file, which this one names
                if self.content.pop("tournament", None) is None:
                    return
            else:
                return

    def note(self, error: ConfigError) -> None:
        """Take a mistake down, once."""
        if str(error) not in [str(known) for known in self.found]:
            self.found.append(error)

    def is_out(self, *place: str) -> bool:
        """Whether what stood there was taken out."""
        return place in self._struck

    def strike(self, error: ConfigError) -> None:
        """Take out what is wrong; the second time for the same place, what is around it, and without a word."""
        place = tuple(error.key.split("."))
        again = any(known[: len(place)] == place for known in self._struck)
        if not again:
            self.note(error)
        self._struck.add(place)
        while again and place in self._struck and len(place) > 1:
            place = place[:-1]
        self._take_out(place)

    def _take_out(self, place: tuple[str, ...]) -> None:
        self._struck.add(place)
        around, key = self.content, place[-1]
        for depth, part in enumerate(place[:-1], start=1):
            if not isinstance(around.get(part), dict):
                return self._take_out(place[:depth])
            around = around[part]
        if place[0] == "keys" and len(place) == 3 and self._has_key(place[1], key):
            around[key] = {"ev": "done"}
        elif place == ("state",) or place[:2] == ("state", "directory"):
            self.content["state"] = {"directory": "-"}
        elif place == ("table",):
            self.content["table"], self.blind = {}, True
        elif key in around:
            del around[key]
        elif len(place) > 1:
            return self._take_out(place[:-1])
        if place[0] == "device" and len(place) == 2:
            self._forget(key)
        if place == ("shoe",):
            self.content.pop("antennas", None)
        return None

    def _has_key(self, panel: str, key: str) -> bool:
        device = self.content.get("device", {}).get(panel, {})
        return isinstance(device, dict) and isinstance(device.get("keys"), dict) and key in device["keys"]

    def _forget(self, device: str) -> None:
        """Take out whatever names a device that was taken out."""
        for section in ("keys", "antennas"):
            if isinstance(self.content.get(section), dict):
                self.content[section].pop(device, None)
        shoe = self.content.get("shoe")
        if isinstance(shoe, dict):
            for role in [role for role, name in shoe.items() if name == device and role != "deck"]:
                del shoe[role]
                if role == "reader":
                    self._take_out(("shoe",))

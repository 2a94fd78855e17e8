"""What was read of a file, from which mistakes are struck out one by one, so that the next one shows."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from config.config_error import ConfigError

MAX_CHECKS = 500
"""Looks at one file; far more than anybody makes mistakes."""


class PrunedFile:
    """What was read of a file, less what is wrong in it."""

    def __init__(self, path: Path, content: dict[str, Any]) -> None:
        self.content = content
        self.mistakes: list[ConfigError] = []
        self.table_line_unreadable = False
        """Whether the table line can be looked at no further."""
        self.path = path
        self._removed_places: set[tuple[str, ...]] = set()

    def check_until_clean(self, check: Callable[[], object]) -> None:
        """Check until nothing more is said, striking out what is wrong."""
        for _ in range(MAX_CHECKS):
            try:
                check()
            except ConfigError as error:
                if error.path == self.path:
                    self.remove_mistake(error)
                    continue
                self.note_mistake(error)  # in another file, which this one names
                if self.content.pop("tournament", None) is None:
                    return
            else:
                return

    def note_mistake(self, error: ConfigError) -> None:
        """Take a mistake down, once."""
        if str(error) not in [str(known) for known in self.mistakes]:
            self.mistakes.append(error)

    def is_removed(self, *place: str) -> bool:
        """Whether what stood there was taken out."""
        return place in self._removed_places

    def remove_mistake(self, error: ConfigError) -> None:
        """Take out what is wrong; the second time for the same place, what is around it, and without a word."""
        place = tuple(error.key.split("."))
        again = any(known[: len(place)] == place for known in self._removed_places)
        if not again:
            self.note_mistake(error)
        self._removed_places.add(place)
        while again and place in self._removed_places and len(place) > 1:
            place = place[:-1]
        self._remove(place)

    def _remove(self, place: tuple[str, ...]) -> None:
        self._removed_places.add(place)
        around, key = self.content, place[-1]
        for depth, part in enumerate(place[:-1], start=1):
            if not isinstance(around.get(part), dict):
                return self._remove(place[:depth])
            around = around[part]
        if place[0] == "keys" and len(place) == 3 and self._has_key(place[1], key):
            around[key] = {"ev": "done"}
        elif place == ("state",) or place[:2] == ("state", "directory"):
            self.content["state"] = {"directory": "-"}
        elif place == ("table",):
            self.content["table"], self.table_line_unreadable = {}, True
        elif key in around:
            del around[key]
        elif len(place) > 1:
            return self._remove(place[:-1])
        if place[0] == "device" and len(place) == 2:
            self._remove_device_references(key)
        if place == ("shoe",):
            self.content.pop("antennas", None)
        return None

    def _has_key(self, panel: str, key: str) -> bool:
        device = self.content.get("device", {}).get(panel, {})
        return isinstance(device, dict) and isinstance(device.get("keys"), dict) and key in device["keys"]

    def _remove_device_references(self, device: str) -> None:
        """Take out whatever names a device that was taken out."""
        for section in ("keys", "antennas"):
            if isinstance(self.content.get(section), dict):
                self.content[section].pop(device, None)
        shoe = self.content.get("shoe")
        if isinstance(shoe, dict):
            for role in [role for role, name in shoe.items() if name == device and role != "deck"]:
                del shoe[role]
                if role == "reader":
                    self._remove(("shoe",))

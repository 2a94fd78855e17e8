"""Carries the picture on air to the overlays: each gets the newest, and whoever does not read keeps nobody waiting."""

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from controller.web.publishing.stream_source import StreamSource, wait_for_change

EMPTY_FRAME_JSON = "null"

MAX_OVERLAYS = 16
"""So many streams are served at a time: a picture for the air, some for its makers."""


class BroadcastStream(StreamSource):
    """The picture on air, as JSON. `build_feed` tells the hands that have been shown."""

    def __init__(self, feed: Callable[[], Mapping[str, Any]] = dict) -> None:
        super().__init__()
        self.build_feed = feed
        self._frame_json = EMPTY_FRAME_JSON
        self._frame_number = 0
        self._overlay_count = 0

    @property
    def frame_json(self) -> str:
        """What is on air; `EMPTY_FRAME_JSON` where nothing is."""
        with self._lock:
            return self._frame_json

    def reserve(self) -> bool:
        """Take a place for one more overlay, until `release`; return whether there was one."""
        with self._lock:
            if self._overlay_count >= MAX_OVERLAYS:
                return False
            self._overlay_count += 1
            return True

    def release(self) -> None:
        """Give a place back."""
        with self._lock:
            self._overlay_count -= 1

    def show(self, picture: str) -> None:
        """Put a picture on air."""
        with self._lock:
            if picture != self._frame_json:
                self._frame_json = picture
                self._frame_number += 1
                self._wake()

    async def iter_frames(self) -> AsyncIterator[str | None]:
        """Yield what is on air, and then whatever comes; `None` now and then while nothing does."""
        seen = -1
        with self._listen() as woken:
            while True:
                woken.clear()
                with self._lock:
                    closed, number, picture = self._is_closed, self._frame_number, self._frame_json
                if number != seen:
                    seen = number
                    yield picture
                if closed:
                    return
                if not await wait_for_change(woken):
                    yield None

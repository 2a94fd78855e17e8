"""What browsers follow as streams: another thread changes it, and must never wait for one of them."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

KEEP_ALIVE_INTERVAL_S = 10.0
"""How often a comment is sent into a quiet stream, so that a dead connection is noticed."""


class StreamSource:
    """Safe to use from any thread; whoever changes it holds `_lock` and calls `_wake`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_closed = False
        self._listeners: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()

    def close(self) -> None:
        """End every stream."""
        with self._lock:
            self._is_closed = True
            self._wake()

    @contextmanager
    def _listen(self) -> Iterator[asyncio.Event]:
        """Have an event of the page's thread set at every change."""
        woken = asyncio.Event()
        listener = (asyncio.get_running_loop(), woken)
        with self._lock:
            self._listeners.add(listener)
        try:
            yield woken
        finally:
            with self._lock:
                self._listeners.discard(listener)

    def _wake(self) -> None:
        for loop, woken in tuple(self._listeners):
            try:
                loop.call_soon_threadsafe(woken.set)
            except RuntimeError:  # the page's thread has ended, and this stream with it
                self._listeners.discard((loop, woken))


async def wait_for_change(woken: asyncio.Event) -> bool:
    """Wait for a change; `False`: none came, and it is time to say that the stream is alive."""
    try:
        return await asyncio.wait_for(woken.wait(), KEEP_ALIVE_INTERVAL_S)
    except TimeoutError:
        return False

"""Edges of one pin on their way from the kernel's thread to whoever takes them."""

import threading
from collections import deque

from drivers.contract.driver_interface import EdgeBatch, PinEdge

MAX_PENDING_EDGES = 256
"""How many edges of a pin are kept: a card makes two, a lamp of 100 Hz that shines into a beam 200 a second."""


class EdgeQueue:
    """Bounded; when it is full the oldest edge goes, and the next batch says so. Any thread may put or take."""

    def __init__(self, max_edges: int = MAX_PENDING_EDGES) -> None:
        self._edges: deque[PinEdge] = deque(maxlen=max_edges)
        self._has_overflowed = False
        self._lock = threading.Lock()

    def put(self, edge: PinEdge) -> None:
        """Keep an edge."""
        with self._lock:
            self._has_overflowed = self._has_overflowed or len(self._edges) == self._edges.maxlen
            self._edges.append(edge)

    def take(self) -> EdgeBatch:
        """Take all that there are."""
        with self._lock:
            batch = EdgeBatch(tuple(self._edges), self._has_overflowed)
            self._edges.clear()
            self._has_overflowed = False
        return batch

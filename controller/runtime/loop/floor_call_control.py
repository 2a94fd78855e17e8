"""The call of the floor, by a key of a panel or a page: kept in the journal, heard, and shown until somebody came."""

from controller.core.engine.table import Table
from controller.core.protocol.table_display import Sound
from controller.runtime.devices.device_bus import DeviceBus
from controller.runtime.journal.journal import Journal
from controller.runtime.loop.view_publisher import ViewPublisher

MIN_FLOOR_CALL_INTERVAL_S = 2.0
"""A press of the key that calls the floor counts so long after the last one, at any panel, or word of a page: a nervous
dealer taps twice and means it once. A tap that does not count begins the time anew."""


class FloorCallControl:
    """Calls the floor to one table, and takes it that the floor has come."""

    def __init__(self, table: Table, journal: Journal, bus: DeviceBus, publisher: ViewPublisher) -> None:
        self._table = table
        self._journal = journal
        self._device_bus = bus
        self._publisher = publisher
        self._touched_at = float("-inf")
        """When somebody last said, by key or page, that the floor is called or has come."""

    def resume(self) -> None:
        """Take up a call that nobody has answered in this session: it outlasts a restart. It is not published yet."""
        records = ((each.kind, each.parse_body()) for each in self._journal.read_newest_records("call", "session"))
        kind, body = next((each for each in records if "continued" not in each[1]), ("", {}))
        called = kind == "call" and body.get("wanted") is True
        self._publisher.set_floor_called(called=called)

    def press_key(self, panel: str, at: float) -> None:
        """Take a press of the key at `panel`, which says either."""
        is_again = at - self._touched_at < MIN_FLOOR_CALL_INTERVAL_S
        called = self._publisher.floor_called
        self.set_called(called if is_again else not called, panel, at)

    def set_called(self, wanted: bool, by: str, at: float) -> None:
        """Record and show that the floor is called, or has come; the same once more changes nothing."""
        self._touched_at = at
        if wanted == self._publisher.floor_called:
            return
        self._journal.append_note("call", {"wanted": wanted, "by": by})
        self._device_bus.set_sound(Sound.FLOOR if wanted else None)
        self._publisher.set_floor_called(called=wanted)
        self._device_bus.show_outcome(self._table.outcome)
        self._publisher.publish()

"""When a driver on an open port is ticked: at a live table, and by each program that only tries a device out."""

from math import inf

from drivers.contract.driver_interface import MIN_POLL_INTERVAL_S, ByteDriver, find_next_tick


class TickSchedule:
    """The ticks of one driver since its port was opened.

    It is ticked at once when bytes came, so that a reader that has answered is asked again at once; but no sooner than
    `MIN_POLL_INTERVAL_S` after its last tick that had something to send, whatever answers how quickly. Otherwise it is
    ticked when it asks to be (`find_next_tick`).
    """

    def __init__(self, driver: ByteDriver) -> None:
        """Be due at once: the port was opened."""
        self._driver = driver
        self._quiet_until = -inf
        self.next_tick_at = -inf
        """When the driver is to be ticked, in monotonic seconds."""

    def on_data_received(self, at: float) -> None:
        """Take note that bytes were handed to the driver at `at`."""
        self.next_tick_at = max(at, self._quiet_until)

    def on_signals_shown(self) -> None:
        """Take note that signals were handed to the driver."""
        self.next_tick_at = -inf

    def is_due(self, now: float) -> bool:
        """Whether the driver is to be ticked at `now`."""
        return now >= self.next_tick_at

    def on_ticked(self, now: float, *, has_sent: bool) -> None:
        """Ask the driver, which was ticked at `now`, for its next tick; whatever that raises goes through."""
        if has_sent:
            self._quiet_until = now + MIN_POLL_INTERVAL_S
        self.next_tick_at = find_next_tick(self._driver, now)

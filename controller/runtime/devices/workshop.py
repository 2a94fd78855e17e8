"""What a technician does at a table that is out of service; the loop only hands things through.

While the fault `in-service` is up the table halts like in any other: the gate is shut, no hand starts. What readers,
keys and sensors say then goes to the workshop and not to the table, and the workshop may light lamps.
"""

from typing import Protocol

from controller.core.model.table_state import TableState
from controller.core.protocol.table_display import Lamps
from controller.runtime.faults.fault_table import FAULTS, OUT_OF_SERVICE, list_latched_faults
from drivers.contract.driver_interface import DeviceEvent, DeviceLost, DeviceReady, EventsMissed, GateHeldShut


class Workshop(Protocol):
    """Who hears the devices of a table that is out of service. All calls come from the loop's thread."""

    def on_device_event(self, event: DeviceEvent, at: float) -> None:
        """Take what a device said; `at` is monotonic seconds."""
        ...

    def lamps(self) -> Lamps | None:
        """Return which lamps to light instead of the table's own, `None` for those."""
        ...

    def on_service_ended(self) -> None:
        """Take it that the table is in service again."""
        ...


DEVICE_STATE_EVENTS = (DeviceLost, DeviceReady, EventsMissed, GateHeldShut)
"""What devices say of themselves: the table hears it also out of service."""


def is_out_of_service(state: TableState) -> bool:
    """Whether a technician has taken the table out of service."""
    return FAULTS[OUT_OF_SERVICE] in list_latched_faults(state.faults)

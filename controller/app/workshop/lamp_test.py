"""The order in which a technician is shown the lamps of a table."""

from collections.abc import Iterator, Mapping

from config.table_file import TableFile
from controller.core.protocol.table_display import Lamps
from drivers.lamps.lamp_patterns import ROLES

LampStep = tuple[str, Lamps]
"""What is lit, in words, and the lamps."""


def find_lamp_seats(file: TableFile) -> dict[str, tuple[int, ...]]:
    """Which seats have a lamp for each role, whatever device it is on."""
    seats: dict[str, set[int]] = {}
    for section in file.devices.values():
        outputs = section.driver_keys.get("outputs")
        if isinstance(outputs, Mapping):
            for role, wired in outputs.items():
                seats.setdefault(role, set()).update(int(seat) for seat in wired)
    return {role: tuple(sorted(seats[role])) for role in ROLES if role in seats}


def iter_lamp_steps(file: TableFile) -> Iterator[LampStep]:
    """Every lamp alone, role by role and seat by seat, then each role at all seats."""
    wired = find_lamp_seats(file)
    for role, seats in wired.items():
        for seat in seats:
            yield f"{role.replace('_', ' ')}, seat {seat}", Lamps(**{role: (seat,)})
    for role, seats in wired.items():
        yield f"{role.replace('_', ' ')}, all seats", Lamps(**{role: seats})

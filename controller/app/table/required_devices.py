"""Without which devices a table must not deal."""

from config.table_file import TableFile


def find_required_devices(file: TableFile) -> frozenset[str]:
    """Name the devices without which no card may be dealt: the sensors of the shoe and the gate."""
    return frozenset((*find_gate_devices(file), *(() if file.shoe is None else file.shoe.devices())))


def find_gate_devices(file: TableFile) -> list[str]:
    """Name the devices that carry a gate."""
    return [
        name
        for name, section in file.devices.items()
        if section.driver == "gate" or section.driver_keys.get("gate") is True
    ]

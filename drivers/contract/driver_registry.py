"""Which drivers there are, and how one is built from the keys of a configuration.

A driver is named here and imported only when a table uses it. Its keyword-only constructor arguments are its keys:
their annotations say what is accepted, their defaults what may be left out. Whatever else a configuration says is
refused, never guessed. A name that is not here may be that of a plug-in (`controller.plug_ins`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from inspect import Parameter, signature
from typing import Any, get_type_hints

from controller import plug_ins
from controller.plug_ins import PlugIn, PlugInError
from controller.shape import ShapeError, make_shape
from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import ByteDriver, PinDriver
from drivers.contract.older_contract import load_contract_class, refuse_older_names

DRIVERS: dict[str, str] = {
    "barcode": "drivers.scanners.barcode_scanner:BarcodeScanner",
    "bridge": "drivers.bridge:Bridge",
    "buzzer": "drivers.sound.buzzer:Buzzer",
    "cr95hf": "drivers.readers.cr95hf:Cr95Hf",
    "de2120": "drivers.scanners.de2120:De2120",
    "feig": "drivers.readers.feig:Feig",
    "gate": "drivers.shoe.shoe_gate:ShoeGate",
    "gm65": "drivers.scanners.gm65:Gm65",
    "key_panel": "drivers.panels.key_panel:KeyPanel",
    "keyboard_scanner": "drivers.scanners.keyboard_scanner:KeyboardScanner",
    "lamps_595": "drivers.lamps.lamps_595:Lamps595",
    "lamps_pins": "drivers.lamps.lamps_pins:LampsPins",
    "lamps_ws2812": "drivers.lamps.lamps_ws2812:LampsWs2812",
    "lines": "drivers.readers.lines:LineReader",
    "panel_165": "drivers.panels.panel_165:Panel165",
    "panel_matrix": "drivers.panels.panel_matrix:PanelMatrix",
    "pepper_c1": "drivers.readers.pepper_c1:PepperC1",
    "pn532": "drivers.readers.pn532:Pn532",
    "rc522": "drivers.readers.rc522:Rc522",
    "rdm6300": "drivers.readers.rdm6300:Rdm6300",
    "s6350": "drivers.readers.s6350:S6350",
    "shoe_sensors": "drivers.shoe.shoe_sensors:ShoeSensors",
    "ssi": "drivers.scanners.ssi:Ssi",
    "thingmagic": "drivers.readers.thingmagic:ThingMagic",
}
"""Name in the configuration -> "module:Class"."""


@dataclass(frozen=True, slots=True)
class DriverKey:
    """One key of a driver: the annotation says what it accepts."""

    name: str
    annotation: Any
    is_required: bool
    default: object = None

    @property
    def accepted_text(self) -> str:
        """What the key accepts, in words."""
        return make_shape(self.annotation).words

    def is_right(self, value: object) -> bool:
        """Whether the key accepts a value."""
        try:
            make_shape(self.annotation).read(value)
        except ShapeError:
            return False
        return True


def build_driver(driver: str, device: str, keys: Mapping[str, object]) -> ByteDriver | PinDriver:
    """Make the driver of `device` from its keys. Raises `DriverConfigError` with what would be accepted."""
    for fault in find_key_errors(driver, device, keys):
        raise fault
    plug_in = _find_plug_in(driver)
    try:
        made = load_driver_class(driver)(device, **keys)
        if plug_in is not None:
            refuse_older_names(plug_in, made)  # what is set when it is made
    except DriverConfigError:
        raise
    except PlugInError as why:
        raise DriverConfigError(device, "driver", str(why)) from why
    except Exception as why:
        if plug_in is None:
            raise
        raise DriverConfigError(device, "driver", str(plug_ins.make_error(plug_in, "cannot be made", why))) from why
    if not isinstance(made, ByteDriver | PinDriver):
        if plug_in is None:
            raise TypeError(f"{DRIVERS[driver]} is neither a ByteDriver nor a PinDriver")
        lacks = (
            "is no driver: it lacks methods or attributes of drivers.contract.driver_interface.ByteDriver or PinDriver"
        )
        raise DriverConfigError(device, "driver", str(plug_ins.make_error(plug_in, lacks)))
    return made


def find_key_errors(driver: str, device: str, keys: Mapping[str, object]) -> Iterator[DriverConfigError]:
    """Say of each key what is wrong with it by itself: unknown, missing, of the wrong kind; or that no such driver is.

    What only the driver can tell, it raises itself when it is built.
    """
    try:
        known = {key.name: key for key in list_driver_keys(driver)}
    except PlugInError as why:
        yield DriverConfigError(device, "driver", str(why))
        return
    listed = ", ".join(known) or "none"
    for name in keys:
        if name not in known:
            yield DriverConfigError(device, name, f"driver {driver!r} has no such key; its keys are {listed}")
    for key in known.values():
        if key.name not in keys:
            if key.is_required:
                yield DriverConfigError(device, key.name, f"driver {driver!r} needs it: {key.accepted_text}")
        elif not key.is_right(keys[key.name]):
            yield DriverConfigError(device, key.name, f"it must be {key.accepted_text}, not {keys[key.name]!r}")


def load_driver_class(driver: str) -> Any:  # noqa: ANN401 - whatever class the name stands for
    """The class of a driver, ours or a plug-in's. Raises `PlugInError` where there is none, or it cannot be loaded."""
    plug_in = _find_plug_in(driver)
    return import_class(DRIVERS[driver]) if plug_in is None else load_contract_class(plug_in)


def _find_plug_in(driver: str) -> PlugIn | None:
    """Who brings a driver that is not ours. Raises `PlugInError` where nobody does, or two do."""
    if driver in DRIVERS:
        return None
    plug_in = plug_ins.find_plug_in(plug_ins.DRIVERS, driver)
    if plug_in is None:
        raise PlugInError(f"there is no driver {driver!r}; there are {', '.join(sorted(DRIVERS))}")
    return plug_in


def list_driver_keys(driver: str) -> tuple[DriverKey, ...]:
    """Return the keys of a driver, in the order of its constructor; raises `PlugInError` where they cannot be told."""
    plug_in = _find_plug_in(driver)
    made = load_driver_class(driver)
    if plug_in is None:
        return _inspect_keys(made)
    try:
        keys = _inspect_keys(made)
        for key in keys:
            make_shape(key.annotation)
    except Exception as why:
        raise plug_ins.make_error(plug_in, "has keys that cannot be understood", why) from why
    return keys


def _inspect_keys(made: Any) -> tuple[DriverKey, ...]:  # noqa: ANN401 - a class of a driver
    hints = get_type_hints(made.__init__)
    return tuple(
        DriverKey(
            name,
            hints[name],
            parameter.default is Parameter.empty,
            None if parameter.default is Parameter.empty else parameter.default,
        )
        for name, parameter in signature(made).parameters.items()
        if parameter.kind is Parameter.KEYWORD_ONLY
    )


def import_class(where: str) -> Any:  # noqa: ANN401 - whatever class the registry names
    """Import the class that "module:Class" names."""
    module, _, name = where.partition(":")
    return getattr(import_module(module), name)

"""What drivers and simulators had to be called once, and the refusal of a package that still calls them so.

These tables are all that is known of older contracts. Whatever is renamed again gets a line here, and
`docs/plug-ins.md` lists it for those who write packages.
"""

from collections.abc import Iterator, Mapping
from inspect import signature
from typing import Any

from controller import plug_ins
from controller.plug_ins import PlugIn, PlugInError

PIN_DRIVER_NAMES = {"perform": "show_signals"}
BYTE_DRIVER_NAMES = {
    "hello": "on_port_opened",
    "received": "receive_data",
    "tick": "on_tick",
    **PIN_DRIVER_NAMES,
    "gone_after": "absence_timeout_s",
}
PIN_SIMULATOR_NAMES = {"lit": "lit_seats", "lengths": "tone_lengths_s"}
BYTE_SIMULATOR_NAMES = {
    "heard": "receive_data",
    "sent": "take_frames",
    "configured": "configure",
    "lossless": "is_lossless",
    **PIN_SIMULATOR_NAMES,
}
"""Older name of a method or attribute -> its name now, for each contract."""

MODULE_NAMES = {
    "drivers.contract.base": "drivers.contract.driver_interface",
    "drivers.contract.errors": "drivers.contract.device_errors",
    "drivers.contract.registry": "drivers.contract.driver_registry",
    "drivers.panels.debounce": "drivers.panels.debouncer",
    "drivers.panels.keys": "drivers.panels.key_tracker",
    "drivers.readers.dialogue": "drivers.readers.poll_session",
    "drivers.readers.polled": "drivers.readers.polled_reader",
    "drivers.scanners.codes": "drivers.scanners.line_splitter",
    "drivers.sim": "drivers.simulators",
    "drivers.sim.bench.twin": "drivers.simulators.bench.simulator_interfaces",
}
"""Older name of a module that packages import -> its name now."""

IMPORTED_NAMES = {
    "CardEdge": "CardEdgeSensed",
    "Dialogue": "PollSession",
    "Jammed": "ShoeJammed",
    "Junk": "Noise",
    "More": "NeedData",
    "MORE": "NEED_DATA",
    "Noise": "NoiseDropped",
    "Question": "Request",
    "Receiver": "FrameReceiver",
    "Whole": "Frame",
    "noise_or_events": "translate_frames",
}
"""Older name of what packages import from these modules -> its name now; each was in one of them only."""


class OlderContractError(PlugInError):
    """A package is written for an older contract; the sentence says what to rename."""


def load_contract_class(plug_in: PlugIn) -> Any:  # noqa: ANN401 - whatever the package has there
    """Import the class of a driver or simulator. Raises `PlugInError`, `OlderContractError` where that is why."""
    try:
        made = plug_ins.load_plug_in(plug_in)
    except PlugInError as why:
        renames = list(_find_older_imports(why.__cause__))
        if not renames:
            raise
        all_names = BYTE_DRIVER_NAMES if plug_in.group == plug_ins.DRIVERS else BYTE_SIMULATOR_NAMES
        raise _make_error(plug_in, [*renames, *all_names.items()]) from why.__cause__
    refuse_older_names(plug_in, made)
    return made


def refuse_older_names(plug_in: PlugIn, made: object) -> None:
    """Raise `OlderContractError` where a driver or simulator, or its class, lacks a name and has the older one."""
    known = _list_driver_names(made) if plug_in.group == plug_ins.DRIVERS else _list_simulator_names(made)
    renames = [(old, new) for old, new in known.items() if hasattr(made, old) and not hasattr(made, new)]
    if renames:
        raise _make_error(plug_in, renames)


def _list_driver_names(made: object) -> Mapping[str, str]:
    return PIN_DRIVER_NAMES if hasattr(made, "pins_used") else BYTE_DRIVER_NAMES


def _list_simulator_names(made: object) -> Mapping[str, str]:
    try:
        on_pins = callable(made) and "pins" in signature(made).parameters
    except ValueError:  # a class of C's, which has no signature
        on_pins = False
    return PIN_SIMULATOR_NAMES if on_pins else BYTE_SIMULATOR_NAMES


def _find_older_imports(why: BaseException | None) -> Iterator[tuple[str, str]]:
    """The older names for want of which an import failed, and their names now: a package is told with its modules."""
    if not isinstance(why, ImportError) or why.name is None:
        return
    missing = f"{why.name}."
    for older, name in MODULE_NAMES.items():
        if missing.startswith(f"{older}.") or older.startswith(missing):
            yield older, name
    if why.name.startswith("drivers."):
        yield from (each for each in IMPORTED_NAMES.items() if f"cannot import name '{each[0]}' " in str(why))


def _make_error(plug_in: PlugIn, renames: list[tuple[str, str]]) -> OlderContractError:
    listed = ", ".join(f"`{old}` to `{new}`" for old, new in renames)
    sentence = f"is written for an older contract: rename {listed}; docs/plug-ins.md has all names"
    return OlderContractError(str(plug_ins.make_error(plug_in, sentence)))

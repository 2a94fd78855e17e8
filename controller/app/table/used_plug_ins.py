"""Which plug-ins a table uses: journal, check and doctor name them."""

from config.table_file import TableFile
from controller import plug_ins
from controller.plug_ins import PlugInError
from drivers.contract.driver_registry import DRIVERS


def find_used_plug_ins(file: TableFile) -> tuple[str, ...]:
    """Package and version of each plug-in that a table's file names, in the order of their names.

    One that cannot be found is left out: what builds the device says so.
    """
    told = {package.label for package in file.library.packages}
    for section in file.devices.values():
        if section.driver not in DRIVERS:
            try:
                found = plug_ins.find_plug_in(plug_ins.DRIVERS, section.driver)
            except PlugInError:
                continue
            if found is not None:
                told.add(found.label)
    return tuple(sorted(told))

"""A jam, an open lid and a lost device, over a restart and together: the table halts while they last and no longer."""

from pathlib import Path

import pytest

from config.table_file import DEMO_FILE, TableFile, load_table_file
from controller.runtime.devices.port_messages import DeviceEventsReported
from drivers.contract.driver_interface import DeviceLost
from tests.app.rig import Rig

MOUTH = """
[device.mouth]
driver = "shoe_sensors"
edge_pin = 26
lid_pin = 27

"""


@pytest.fixture
def file(tmp_path: Path) -> TableFile:
    text = DEMO_FILE.read_text().replace('reader = "shoe"', 'reader = "shoe"\nedge = "mouth"\nlid = "mouth"')
    path = tmp_path / "table.toml"
    path.write_text(text.replace("[device.gate]", MOUTH + "[device.gate]"))
    return load_table_file(path)


def rename_reader(path: Path) -> TableFile:
    """The same table after its reader was exchanged for one of another name."""
    text = path.read_text().replace("[device.shoe]", "[device.new]").replace('reader = "shoe"', 'reader = "new"')
    text = text.replace("sim://rdm6300/shoe", "sim://rdm6300/new")
    path.write_text(text)
    return load_table_file(path)


def phase(rig: Rig) -> str:
    return str(rig.output["phase"])


def gate_is_open(rig: Rig) -> bool:
    return rig.bench.gate("gate").is_open()


@pytest.mark.parametrize("fault", ["jam", "lid"])
@pytest.mark.parametrize("mended", [True, False], ids=["mended meanwhile", "still there"])
def test_a_fault_of_the_shoe_lasts_over_a_restart_only_while_it_is_there(
    tmp_path: Path, file: TableFile, fault: str, mended: bool
) -> None:
    def cause(rig: Rig) -> None:
        mouth = rig.bench.sensors("mouth")
        mouth.jam() if fault == "jam" else mouth.move_lid(open_it=True)

    with Rig(tmp_path, file=file) as rig:
        rig.press("start")
        assert gate_is_open(rig)
        cause(rig)
        rig.run(2)
        assert phase(rig) == "halted"
        assert not gate_is_open(rig)
    with Rig(tmp_path, file=file) as rig:
        if not mended:
            cause(rig)
        rig.run(1)
        assert phase(rig) == "halted"
        assert not gate_is_open(rig), "nobody knows yet that it is over"
        rig.run(3)
        assert phase(rig) == ("deal" if mended else "halted")
        assert gate_is_open(rig) is mended
        if not mended:
            mouth = rig.bench.sensors("mouth")
            mouth.clear() if fault == "jam" else mouth.move_lid(open_it=False)
            rig.run(1)
            assert phase(rig) == "deal"


def test_a_device_that_the_table_no_longer_has_does_not_halt_it(tmp_path: Path, file: TableFile) -> None:
    with Rig(tmp_path, file=file) as rig:
        rig.press("start")
        rig.lose_port("unplugged")
        assert phase(rig) == "halted"
    with Rig(tmp_path, file=rename_reader(file.path), reader="new") as rig:
        assert phase(rig) == "deal"
        assert gate_is_open(rig)


@pytest.mark.parametrize("first", ["jam", "port"])
def test_a_cleared_jam_does_not_bring_a_lost_reader_back_nor_a_plug_clear_a_jam(
    tmp_path: Path, file: TableFile, first: str
) -> None:
    with Rig(tmp_path, file=file) as rig:
        rig.press("start")
        rig.bench.sensors("mouth").jam()
        rig.run(2)
        rig.lose_port("unplugged")
        if first == "jam":
            rig.bench.sensors("mouth").clear()
            rig.run(1)
        else:
            rig.open_port()
        assert phase(rig) == "halted"
        assert not gate_is_open(rig)
        if first == "jam":
            rig.open_port()
        else:
            rig.bench.sensors("mouth").clear()
            rig.run(1)
        assert phase(rig) == "deal"
        assert gate_is_open(rig)


def test_a_reader_of_the_shoe_halts_the_table_whatever_its_name(tmp_path: Path, file: TableFile) -> None:
    """Its name begins as those do without which the table goes on; what it is in the file is what counts."""
    text = file.path.read_text().replace("[device.shoe]", "[device.board-reader]")
    file.path.write_text(text.replace('reader = "shoe"', 'reader = "board-reader"'))
    with Rig(tmp_path, file=load_table_file(file.path), reader="board-reader") as rig:
        rig.press("start")
        rig.lose_port("unplugged")
        assert phase(rig) == "halted"
        assert not gate_is_open(rig)
    with Rig(tmp_path, file=load_table_file(file.path), reader="board-reader") as rig:
        rig.run(3)
        assert phase(rig) == "deal"
        rig.bench.sensors("mouth").jam()
        rig.run(2)
        assert phase(rig) == "halted"


def test_a_panel_halts_no_table_whatever_its_name(tmp_path: Path, file: TableFile) -> None:
    text = file.path.read_text()
    for old, new in (("[device.panel", "[device.dealer"), ("[keys.panel]", "[keys.dealer]")):
        text = text.replace(old, new)
    file.path.write_text(text)
    with Rig(tmp_path, file=load_table_file(file.path)) as rig:
        rig.bench.panel("dealer").tap("start")
        rig.run(0.35)
        rig.loop.handle_message(
            DeviceEventsReported((DeviceLost("dealer", "its wires are cut"),), rig.clock()), rig.clock()
        )
        assert phase(rig) == "deal"
        assert gate_is_open(rig)
        assert ("dealer", "lost") in [(device.name, device.state) for device in rig.standing.devices]

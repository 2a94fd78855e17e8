"""A package written for older names is refused, at a table and by `check-driver`, with what to rename."""

import ast
import re
from pathlib import Path

import pytest

from controller import plug_ins
from controller.app.commissioning.table_file_check import find_problems
from controller.cli import main
from drivers.contract import older_contract
from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_registry import build_driver
from drivers.contract.older_contract import OlderContractError
from drivers.simulators.bench.bench import load_simulator_class
from tests.plug_ins.packages import ROOT, example, install
from tests.plug_ins.test_plug_ins import TABLE, reader_of

OLDER_READER = """
class Plain:
    baudrate, parity, stopbits = 9600, "N", 1.0
    gone_after = 0.5
    def __init__(self, name: str) -> None: self.name = name
    def hello(self): return b""
    def received(self, data, now): return ()
    def tick(self, now): return b"", ()
    def perform(self, signals): return b""
"""
OLDER_ON_PINS = """
class Plain:
    def __init__(self, name: str) -> None: self.name = name
    def pins_used(self): return {}
    def start(self, pins): pass
    def stop(self, pins): pass
    def sample(self, pins, now): return ()
    def tick(self): pass
    def perform(self, signals, pins): pass
"""
ALL_RENAMES = (
    "rename `hello` to `on_port_opened`, `received` to `receive_data`, `tick` to `on_tick`, "
    "`perform` to `show_signals`, "
    "`gone_after` to `absence_timeout_s`; docs"
)


def with_new_names(text: str, *older: str) -> str:
    """The text with these of its names renamed."""
    for old in older:
        text = re.sub(rf"\b{old}\b", older_contract.BYTE_DRIVER_NAMES[old], text)
    return text


CASES = [
    pytest.param(OLDER_READER, ALL_RENAMES, id="all"),
    pytest.param(
        with_new_names(OLDER_READER, "hello", "tick", "gone_after"),
        "rename `received` to `receive_data`, `perform` to `show_signals`; docs",
        id="half",
    ),
    pytest.param(
        with_new_names(OLDER_READER, "hello", "received", "tick", "perform"),
        "rename `gone_after` to `absence_timeout_s`; docs",
        id="an attribute alone, without which it were no reader",
    ),
    pytest.param(OLDER_ON_PINS, "rename `perform` to `show_signals`; docs", id="on pins, with a tick of its own"),
    pytest.param(
        f"from drivers.contract.base import TagRead\n{OLDER_READER}",
        f"rename `drivers.contract.base` to `drivers.contract.driver_interface`, {ALL_RENAMES[7:]}",
        id="an import of a module",
    ),
    pytest.param(
        f"from drivers.readers.framing import Receiver\n{OLDER_READER}",
        f"rename `Receiver` to `FrameReceiver`, {ALL_RENAMES[7:]}",
        id="an import of a name",
    ),
]


@pytest.mark.parametrize(("module", "words"), CASES)
def test_a_driver_of_older_names_is_refused(
    site: Path, capsys: pytest.CaptureFixture[str], module: str, words: str
) -> None:
    reader_of(site, module, driver="starline")
    sentence = f"the driver 'starline' of odd-reader 1.0 is written for an older contract: {words}"
    with pytest.raises(DriverConfigError, match=re.escape(sentence)):
        build_driver("starline", "shoe", {})
    assert any(sentence in str(problem) for problem in find_problems(TABLE))
    assert main(["check-driver", "odd-reader"]) == 1
    out = capsys.readouterr().out
    assert re.search(rf"BAD  .*\n +-> {re.escape(sentence)}", out), out
    assert "Traceback" not in out


def test_what_is_set_when_it_is_made_is_seen(site: Path) -> None:
    text = with_new_names(OLDER_READER, "hello", "received", "tick", "perform").replace("    gone_after = 0.5\n", "")
    reader_of(site, text.replace("self.name = name", "self.name, self.gone_after = name, 0.5"))
    with pytest.raises(DriverConfigError, match="older contract: rename `gone_after` to `absence_timeout_s`"):
        build_driver("odd", "shoe", {})


@pytest.mark.parametrize("module", [OLDER_READER, OLDER_ON_PINS], ids=["on a port", "on pins"])
def test_a_name_of_before_beside_those_of_now_is_no_fault(site: Path, module: str) -> None:
    helper = "    def tick(self): pass\n    def hello(self): pass\n"
    reader_of(site, with_new_names(module, *older_contract.BYTE_DRIVER_NAMES) + helper)
    assert build_driver("odd", "shoe", {}).name == "shoe"


def test_check_driver_takes_a_helper_of_an_older_name(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    helper = "    def tick(self) -> None:\n        pass\n\n    def _parse_frame("
    example(site, reader=("    def _parse_frame(", helper))
    assert main(["check-driver", "table-controller-starline"]) == 0, capsys.readouterr().out


@pytest.mark.parametrize(
    ("older", "words"),
    [
        ({"receive_data": "heard", "take_frames": "sent"}, "`heard` to `receive_data`, `sent` to `take_frames`;"),
        ({"take_frames": "sent"}, "`sent` to `take_frames`;"),
        (
            {"drivers.simulators.bench.simulator_interfaces": "drivers.sim.bench.twin"},
            "`drivers.sim` to `drivers.simulators`, "
            "`drivers.sim.bench.twin` to `drivers.simulators.bench.simulator_interfaces`, ",
        ),
    ],
)
def test_a_simulator_of_older_names_is_refused(
    site: Path, capsys: pytest.CaptureFixture[str], older: dict[str, str], words: str
) -> None:
    example(site)
    path = site / "table_controller_starline" / "simulator.py"
    text = path.read_text()
    for new, old in older.items():
        text = text.replace(new, old)
    path.write_text(text)
    sentence = (
        "the simulated device 'starline' of table-controller-starline 1.0 is written for an older contract: rename "
    )
    with pytest.raises(OlderContractError, match=re.escape(sentence + words)):
        load_simulator_class("starline")
    assert main(["check-driver", "table-controller-starline"]) == 1
    out = capsys.readouterr().out
    assert f"BAD  starline: the simulated device can be loaded\n       -> {sentence}{words}" in out
    assert "Traceback" not in out


def test_a_simulator_on_pins_may_hear_and_send(site: Path) -> None:
    text = "class Far:\n    def __init__(self, pins): pass\n    def heard(self): pass\n"
    text += "    sent = lit_seats = lit = heard\n"
    install(site, "far", {plug_ins.SIMULATORS: {"odd": "far:Far"}}, {"far.py": text})
    assert load_simulator_class("odd").__name__ == "Far"


def test_the_page_has_every_name_and_every_name_of_now_is_there() -> None:
    page = (ROOT / "docs" / "plug-ins.md").read_text(encoding="utf-8")
    tables = {
        "driver on a port": older_contract.BYTE_DRIVER_NAMES,
        "driver on pins": older_contract.PIN_DRIVER_NAMES,
        "simulator on a port": older_contract.BYTE_SIMULATOR_NAMES,
        "simulator on pins": older_contract.PIN_SIMULATOR_NAMES,
        "module": older_contract.MODULE_NAMES,
        "import": older_contract.IMPORTED_NAMES,
    }
    rows = [f"| {of} | {old} | `{new}` |" for of, names in tables.items() for old, new in names.items()]
    assert re.findall(r"^\| .* \| .* \| `.*` \|$", page.partition("## Written for an older")[2], re.MULTILINE) == rows
    for module in older_contract.MODULE_NAMES.values():
        assert (ROOT / f"{module.replace('.', '/')}.py").exists() or (ROOT / module.replace(".", "/")).is_dir()
    defined = {
        name
        for path in (ROOT / "drivers").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for name in [getattr(node, "name", None), getattr(node, "id", None)]
    }
    for names in tables.values():
        assert {new for new in names.values() if "." not in new} <= defined

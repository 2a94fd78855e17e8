"""Readers, rulebooks and games from other packages: found by name, refused in words, and no matter of other tables."""

import base64
import hashlib
import importlib
import json
import re
import shutil
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from config import game_file, rulebook_file
from config.config_error import ConfigError
from config.file_library import Library, add_plug_in_packages
from config.table_file import DEMO_FILE, load_table_file
from config.table_line import parse_table_line
from controller import plug_ins
from controller.app.commissioning.table_file_check import find_problems
from controller.app.commissioning.table_file_schema import make_table_schema
from controller.app.diagnostics.plug_in_checks import check_plug_ins
from controller.app.table.session_start import make_header, resume_or_begin
from controller.app.table.table_devices import attach_simulators, build_devices
from controller.cli import main
from controller.plug_ins import COMMANDS, DRIVERS, GAMES, RULEBOOKS
from controller.runtime.faults import self_check
from controller.runtime.journal.journal import Journal
from controller.runtime.loop.table_view import LIVE
from controller.web.wording.rule_clauses import find_clause_cases
from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import TagReader
from drivers.contract.driver_registry import build_driver
from drivers.simulators.bench.bench import Bench
from tests.plug_ins.packages import EXAMPLE, example, install

TABLE = EXAMPLE / "table.toml"
PLAIN_DRIVER = "class Plain:\n    def __init__(self, name: str) -> None: self.name = name\n"


def reader_of(site: Path, module: str, *, driver: str = "odd", package: str = "odd-reader") -> None:
    """A package with a driver whose module is `module`."""
    name = package.replace("-", "_")
    install(site, package, {DRIVERS: {driver: f"{name}:Plain"}}, {f"{name}.py": module})


def table_with(site: Path, old: str, new: str) -> Path:
    """The example's table, changed."""
    text = TABLE.read_text(encoding="utf-8")
    assert old in text
    path = site.parent / "table.toml"
    path.write_text(text.replace(old, new))
    shutil.copy(EXAMPLE / "deck.csv", site.parent)
    return path


def test_a_table_uses_what_packages_bring(site: Path) -> None:
    example(site)
    assert find_problems(TABLE) == []
    file = load_table_file(TABLE)
    devices = build_devices(file)
    assert isinstance(devices.byte_drivers["shoe"], TagReader)
    with Bench() as bench:
        assert attach_simulators(bench, file, devices)["shoe"] == "sim://starline/shoe"
        assert bench.reader("shoe").nth_tag(0) == "04A1B20000"
    setup = parse_table_line(file.table_line, file.library).setup
    assert (setup.rulebook.title, setup.game.name) == ("The Starline Room", "starline-three")
    assert setup.rulebook.boxed.one.source == "SL, House rule 1"
    (clause,) = find_clause_cases(["SL-1"], file.library)["SL-1"]
    assert clause["section"] == "House rule 1"


def test_journal_check_and_doctor_name_package_and_version(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    example(site)
    file = load_table_file(TABLE)
    header = make_header(file, LIVE)
    assert header["plug_ins"] == "table-controller-starline 1.0"
    assert len(header["rulebook_sha256"]) == len(header["game_sha256"]) == 64
    journal = Journal(tmp_path / "journal.sqlite")
    journal.begin_run("boot", "test")
    resume_or_begin(journal, file, LIVE)
    assert journal.list_sessions()[-1].header["plug_ins"] == "table-controller-starline 1.0"
    journal.close()
    assert main(["check", str(TABLE)]) == 0
    assert capsys.readouterr().out.rstrip().endswith("; by table-controller-starline 1.0")
    assert next(check_plug_ins(file)).text == "the table uses table-controller-starline 1.0"


def test_a_script_plays_by_a_book_of_a_package(site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    example(site)
    lines: list[dict[str, object]] = [
        {
            "ev": "table", "rulebook": "starline-room", "game": "starline-three", "button": 1,
            "betting": {"structure": "no-limit", "small_blind": 1, "big_blind": 2},
            "seats": [{"seat": 1, "stack": 200}, {"seat": 4, "stack": 200}],
        },
        {"ev": "start"},
        {"ev": "card", "card": "As", "face": "up"},
    ]  # fmt: skip
    script = tmp_path / "script.jsonl"
    script.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert main(["replay", str(script)]) == 0
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert any("SL" in str(ruling) for ruling in last["rulings"]), last["rulings"]


def test_a_table_without_plug_ins_looks_nothing_up(site: Path, mocker: MockerFixture) -> None:
    reader_of(site, "raise SystemExit('bad luck')")
    looked = mocker.patch("importlib.metadata.distributions", side_effect=AssertionError("looked up"))
    assert find_problems(DEMO_FILE) == []
    file = load_table_file(DEMO_FILE)
    build_devices(file)
    assert "plug_ins" not in make_header(file, LIVE)
    assert looked.call_count == 0


@pytest.mark.parametrize(
    ("module", "words"),
    [
        (
            "import no_such_module_at_all",
            "cannot be loaded from odd_reader:Plain: ModuleNotFoundError: No module named",
        ),
        ("raise SystemExit('bad luck')", "cannot be loaded from odd_reader:Plain: SystemExit: bad luck"),
        ("def", "cannot be loaded from odd_reader:Plain: SyntaxError"),
        ("Other = 1", "cannot be loaded from odd_reader:Plain: AttributeError"),
        (PLAIN_DRIVER, "is no driver: it lacks methods or attributes"),
        ("class Plain:\n    def __init__(self, name: str) -> None: 1 / 0\n", "cannot be made: ZeroDivisionError"),
        (
            "class Plain:\n    def __init__(self, name: str, *, key: bytes = b'') -> None: pass\n",
            "cannot be understood",
        ),
        ("class Plain:\n    def __init__(self, name: str, *, key: 'Gone' = 1) -> None: pass\n", "cannot be understood"),
        ("class Plain:\n    def __init__(self, name: str, *, key=1) -> None: pass\n", "cannot be understood"),
        ("Plain = 3", "cannot be understood|is no driver|cannot be made"),
    ],
)
def test_a_broken_driver_names_its_package_and_ends_no_other_table(site: Path, module: str, words: str) -> None:
    reader_of(site, module)
    with pytest.raises(DriverConfigError, match=rf"the driver 'odd' of odd-reader 1\.0 .*({words})"):
        build_driver("odd", "shoe", {})
    path = table_with(site, 'driver = "starline"\nport = "sim://starline/shoe"\nantennas = 2', 'driver = "odd"')
    path.write_text(path.read_text().replace('"starline-room"', '"roberts-7"').replace('"starline-three"', '"holdem"'))
    (problem,) = [each for each in find_problems(path) if "odd-reader 1.0" in str(each)]
    assert str(problem).startswith("table.toml:"), problem
    assert problem.key == "device.shoe.driver"
    assert find_problems(DEMO_FILE) == []


def test_one_name_of_two_packages_is_refused_with_both_named(site: Path) -> None:
    example(site)
    reader_of(site, PLAIN_DRIVER, driver="starline", package="other-readers")
    both = "'starline' is brought by other-readers 1.0 and table-controller-starline 1.0; uninstall all but one"
    with pytest.raises(DriverConfigError, match=both):
        build_driver("starline", "shoe", {})
    assert any(both in str(problem) for problem in find_problems(TABLE))
    assert any(both in finding.text for finding in check_plug_ins(load_table_file(DEMO_FILE)))
    assert find_problems(DEMO_FILE) == []


def test_one_book_of_two_packages_is_refused_with_both_named(site: Path) -> None:
    example(site)
    for group, name, key in ((GAMES, "starline-three", "game"), (RULEBOOKS, "starline-room", "rulebook")):
        install(site, f"other-{key}", {group: {name: f"other_{key}"}}, {f"other_{key}/__init__.py": ""})
        plug_ins.clear_cache()
        (problem,) = [each for each in find_problems(TABLE) if each.key == f"table.{key}"]
        assert f"other-{key} 1.0 and table-controller-starline 1.0" in str(problem)


def test_a_name_of_the_programs_own_is_never_taken_and_named(site: Path) -> None:
    reader_of(site, "raise RuntimeError", driver="rdm6300")
    install(site, "odd-book", {RULEBOOKS: {"roberts-7": "odd_book"}})
    assert type(build_driver("rdm6300", "shoe", {})).__module__ == "drivers.readers.rdm6300"
    assert rulebook_file.load_rulebook("roberts-7").code == "R7"
    told = [finding.text for finding in check_plug_ins(load_table_file(DEMO_FILE))]
    assert told == [
        "odd-reader 1.0 brings a driver 'rdm6300', which is the name of the program's own",
        "odd-book 1.0 brings a rulebook 'roberts-7', which is the name of the program's own",
    ]


def test_a_mistake_in_a_book_names_the_package(site: Path) -> None:
    example(site, **{"starline-room": ('is = "muck"', 'is = "mud"')})
    (problem,) = find_problems(TABLE)
    assert str(problem).startswith("starline-room.toml:6: boxed.one: 'mud' is no answer.")
    assert str(problem).endswith("(table-controller-starline 1.0)")


def test_a_book_that_is_not_in_its_package_is_refused(site: Path) -> None:
    install(site, "thin", {RULEBOOKS: {"starline-room": "thin"}}, {"thin/__init__.py": ""})
    with pytest.raises(ConfigError, match=r"thin 1\.0 is to bring the rulebook 'starline-room', but has no file"):
        add_plug_in_packages(Library(), {"rulebook": "starline-room"})


def test_an_editor_knows_what_packages_bring(site: Path) -> None:
    example(site)
    schema = make_table_schema()
    assert "starline" in schema["$defs"]["device"]["properties"]["driver"]["enum"]
    for key, name in (("rulebook", "starline-room"), ("game", "starline-three")):
        assert name in schema["properties"]["table"]["properties"][key]["enum"]


def test_a_file_of_a_plug_in_that_was_changed_is_a_fault(site: Path) -> None:
    """As of the program: what pip wrote down at the installation is compared at each start."""
    example(site)
    (not_sealed,) = self_check.check_plug_ins(["table-controller-starline"])
    assert (not_sealed.fault_code, "no record" in not_sealed.text) == (None, True)
    reader = site / "table_controller_starline/reader.py"
    record = site / "table_controller_starline-1.0.dist-info/RECORD"
    modules = sorted(reader.parent.rglob("*.py"))
    digests = [base64.urlsafe_b64encode(hashlib.sha256(path.read_bytes()).digest()).rstrip(b"=") for path in modules]
    lines = zip((path.relative_to(site) for path in modules), (digest.decode() for digest in digests), strict=True)
    record.write_text("".join(f"{path},sha256={digest},\n" for path, digest in lines))
    (well,) = self_check.check_plug_ins(["table-controller-starline"])
    assert (well.fault_code, well.text) == (None, f"table-controller-starline 1.0: {len(modules)} files as installed")
    importlib.import_module("table_controller_starline.reader")
    (loaded,) = self_check.check_plug_ins(["table-controller-starline"])
    assert loaded == well, "Python compiles by itself"
    (reader.parent / "reader").mkdir()
    (reader.parent / "reader/__init__.py").write_text("card = 'As'\n")
    (added,) = self_check.check_plug_ins(["table-controller-starline"])
    assert (added.fault_code, "not as installed: reader/__init__.py" in added.text) == (
        self_check.SELF_CHECK_FAULT,
        True,
    )
    shutil.rmtree(reader.parent / "reader")
    reader.write_text(reader.read_text() + "#")
    (changed,) = self_check.check_plug_ins(["table-controller-starline"])
    assert changed.fault_code == self_check.SELF_CHECK_FAULT
    assert "not as installed: reader.py" in changed.text
    (gone,) = self_check.check_plug_ins(["no-such-package"])
    assert gone.fault_code == self_check.SELF_CHECK_FAULT
    assert any(finding.text == changed.text for finding in check_plug_ins(load_table_file(TABLE)))


def test_a_package_whose_list_cannot_be_read_ends_nothing(site: Path) -> None:
    example(site)
    install(site, "garbled", {})
    (site / "garbled-1.0.dist-info" / "entry_points.txt").write_text("[table_controller.drivers]\nstarline\n")
    assert find_problems(TABLE) == []


@pytest.mark.parametrize("name", ["../../etc/passwd", "\0", "starline-room\n", "", 7, None])
def test_no_name_leads_out_of_the_folders(site: Path, name: object) -> None:
    example(site)
    assert add_plug_in_packages(Library(), {"rulebook": name, "game": name}) == Library()


def test_a_driver_gets_signals_and_nothing_else() -> None:
    """No card is in what a driver is handed, whoever wrote it: `Signals` has lamps, gate and sound."""
    from dataclasses import fields
    from typing import get_type_hints

    from drivers.contract.driver_interface import ByteDriver, PinDriver, Signals

    assert [each.name for each in fields(Signals)] == ["lamps", "gate_open", "sound"]
    for kind in (ByteDriver, PinDriver):
        assert get_type_hints(kind.show_signals)["signals"] is Signals


def test_check_driver_passes_the_example(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    example(site)
    assert main(["check-driver", "Table.Controller_Starline"]) == 0
    out = capsys.readouterr().out
    assert "starline: tags are read, a bad day" in out
    assert "ok  starline-room: the rulebook can be read" in out
    assert "0 bad, " in out


@pytest.mark.parametrize(
    ("file", "old", "new", "words"),
    [
        (
            "reader",
            'if line is None:\n            return Noise("no line of the reader")',
            "",
            "TypeError|AttributeError",
        ),
        ("reader", "import re\n", "import re\nimport time\n", "has 'time' of time: a driver holds no port, no thread"),
        ("starline-room", '"SL-1"', '"SL-2"', "'SL-2' is no id in catalogue.csv"),
        ("starline-three", "board = 3", "bored = 3", "no such key"),
        (
            "simulator",
            "class StarlineSimulator",
            "class Simulator",
            "cannot be loaded from table_controller_starline.simulator:StarlineSimulator",
        ),
    ],
)
def test_check_driver_finds_what_is_broken(
    site: Path, capsys: pytest.CaptureFixture[str], file: str, old: str, new: str, words: str
) -> None:
    import re

    example(site, **{file: (old, new)})
    assert main(["check-driver", "table-controller-starline"]) == 1
    out = capsys.readouterr().out
    assert re.search(rf"BAD .*\n +-> .*({words})", out), out
    assert "Traceback" not in out


def test_check_driver_of_a_package_that_is_none(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    example(site)
    assert main(["check-driver", "starlight"]) == 2
    assert "there is table-controller-starline" in capsys.readouterr().err


def test_the_names_that_a_package_adds_are_those_of_the_table_that_uses_it(site: Path) -> None:
    example(site)
    assert "starline-room" in rulebook_file.list_rulebooks(load_table_file(TABLE).library)
    assert "starline-room" not in rulebook_file.list_rulebooks(load_table_file(DEMO_FILE).library)
    assert "starline-three" not in game_file.list_games(load_table_file(DEMO_FILE).library)


COUNTER = """
from controller.command_table import Command, Option
COMMAND = Command("count", "count chips", Option("chips N", "how many", int), run=lambda options: options.chips)
"""


def test_a_package_brings_a_command(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install(site, "counter", {COMMANDS: {"count": "counter:COMMAND"}}, {"counter.py": COUNTER})
    assert main(["count", "7"]) == 7
    with pytest.raises(SystemExit):
        main(["--help"])
    assert re.search(r"count +of counter 1.0\n", capsys.readouterr().out)
    assert main(["check-driver", "counter"]) == 0
    assert "command of tablectl count" in capsys.readouterr().out


def test_a_command_that_cannot_be_loaded_is_named(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install(site, "counter", {COMMANDS: {"count": "counter:COMMAND"}}, {"counter.py": "raise OSError('broken')"})
    assert main(["count", "7"]) == 2
    assert capsys.readouterr().err == (
        "tablectl count: the command of tablectl 'count' of counter 1.0 cannot be loaded from counter:COMMAND: "
        "OSError: broken\n"
    )
    assert main(["status", "--url", "http://127.0.0.1:9/"]) == 1, "no other command ends with it"


def test_no_package_takes_the_place_of_a_command(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install(site, "counter", {COMMANDS: {"ports": "counter:COMMAND"}}, {"counter.py": COUNTER})
    assert main(["ports"]) == 0
    assert main(["check-driver", "counter"]) == 1
    assert "which is the name of the program's own" in capsys.readouterr().out

"""The unit that ships, by systemd's own tools and without a running systemd: whole, and locked up."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from controller.app.commissioning.table_upkeep import CERTIFICATE_REQUEST, TABLE_FILE_REQUEST
from controller.app.releases import UPDATE_LOG
from controller.app.releases.system_files import TARGET_BY_FILE
from controller.cli import main
from controller.cli.table.announce_command import DEFAULT_CONFIG
from controller.cli.table.release_command import DEFAULT_KEY_FILE, DEFAULT_PREFIX
from controller.cli.table_options import INSTALLED_TABLE_FILE
from controller.uplink.uplink_command import DEFAULT_CONFIG as UPLINK

UNITS = Path(__file__).parents[2] / "systemd"
SYSTEM = Path("/lib/systemd/system")
MAX_EXPOSURE = {
    "table-controller.service": 1.5, "table-display.service": 2.5, "table-announcer.service": 1.5,
    "table-uplink.service": 1.5,
}  # fmt: skip
"""What `systemd-analyze security` may say: 10 is open to everything, 0 to nothing."""

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None or not (SYSTEM / "basic.target").exists(),
    reason="systemd-analyze is not installed: apt install systemd",
)


def run_systemd_analyze(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(("systemd-analyze", *arguments), capture_output=True, text=True, check=False, timeout=300)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A system with our units, what they start, and the units of systemd itself that they stand on."""
    there = tmp_path / "etc/systemd/system"
    there.mkdir(parents=True)
    for unit in UNITS.glob("*.service"):
        shutil.copy(unit, there)
    for unit in SYSTEM.iterdir():
        if unit.suffix in (".target", ".slice", ".socket", ".mount") or unit.name.startswith("systemd-user-sessions"):
            shutil.copy(unit, there / unit.name)
    commands = {
        path
        for unit in UNITS.glob("*.service")
        for path in re.findall(r"(?m)^Exec\w+=-?(\S+)", unit.read_text("utf-8"))
    }
    for path in commands:
        command = tmp_path / path.lstrip("/")
        command.parent.mkdir(parents=True, exist_ok=True)
        command.touch(mode=0o755)
    return tmp_path


@needs_systemd
@pytest.mark.parametrize("unit", sorted(path.name for path in UNITS.glob("*.service")))
def test_verify_has_nothing_to_say(root: Path, unit: str) -> None:
    done = run_systemd_analyze("verify", "--man=no", f"--root={root}", unit)
    ours = [line for line in done.stderr.splitlines() if "table-" in line]
    assert ours == [], "an unknown key is told here, and not by the exit status"


@needs_systemd
def test_verify_would_tell_a_mistake(root: Path) -> None:
    unit = root / "etc/systemd/system/table-controller.service"
    unit.write_text(unit.read_text(encoding="utf-8").replace("WatchdogSec=", "WatchdogSecs="), encoding="utf-8")
    assert (
        "WatchdogSecs" in run_systemd_analyze("verify", "--man=no", f"--root={root}", "table-controller.service").stderr
    )


@needs_systemd
@pytest.mark.parametrize("unit", MAX_EXPOSURE)
def test_it_is_locked_up(unit: str) -> None:
    done = run_systemd_analyze("security", "--offline=true", "--no-pager", str(UNITS / unit))
    found = re.search(r"exposure level for \S+: ([0-9.]+)", done.stdout)
    assert found is not None, done.stderr
    assert float(found[1]) <= MAX_EXPOSURE[unit]


def test_the_unit_starts_commands_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    text = (UNITS / "table-controller.service").read_text(encoding="utf-8")
    commands = re.findall(r"(?m)^Exec\w+=(\S+) (.*)$", text)
    assert [path for path, _ in commands] == [f"{DEFAULT_PREFIX}/current/venv/bin/tablectl"] * 2
    for _, words in commands:
        assert words.endswith(f"--config {INSTALLED_TABLE_FILE}")
        with pytest.raises(SystemExit, match="0"):
            main([*words.split(), "--help"])
    assert "--config FILE" in capsys.readouterr().out


def test_the_announcers_unit_starts_a_command_that_there_is_and_has_nothing_of_the_table() -> None:
    text = (UNITS / "table-announcer.service").read_text(encoding="utf-8")
    (command,) = re.findall(r"(?m)^ExecStart=(\S+ .*)$", text)
    assert command == f"{DEFAULT_PREFIX}/current/venv/bin/tablectl announce run --config {DEFAULT_CONFIG}"
    with pytest.raises(SystemExit, match="0"):
        main([*command.split()[1:], "--help"])
    lines = set(text.splitlines())
    assert {"User=table-announcer", "InaccessiblePaths=-/var/lib/table-controller -/run/table-controller"} <= lines
    assert "\nu table-announcer - " in (UNITS / "table-controller.sysusers").read_text(encoding="utf-8")
    assert {"OOMScoreAdjust=500", "MemoryMax=96M", "CPUWeight=10"} <= lines, "the table comes first"


@pytest.mark.parametrize(
    ("unit", "left"), [("table-set-up", TABLE_FILE_REQUEST), ("table-certificate", CERTIFICATE_REQUEST)]
)
def test_what_the_page_leaves_for_root_is_what_the_units_look_for(
    unit: str, left: str, capsys: pytest.CaptureFixture[str]
) -> None:
    place = f"/var/lib/table-controller/{left}"
    assert f"\nPathExists={place}\n" in (UNITS / f"{unit}.path").read_text(encoding="utf-8")
    service = (UNITS / f"{unit}.service").read_text(encoding="utf-8")
    (stop,) = re.findall(r"(?m)^ExecStopPost=-?(.*)$", service)
    assert place in stop.split(), "it is taken away whatever came of it: else the unit would start for ever"
    (start,) = re.findall(rf"(?m)^ExecStart={DEFAULT_PREFIX}/current/venv/bin/tablectl (.*)$", service)
    with pytest.raises(SystemExit, match="0"):
        main([*start.split(), "--help"])
    assert capsys.readouterr().out.startswith("usage: tablectl")
    assert {f"{unit}.path", f"{unit}.service"} <= set(TARGET_BY_FILE)


def test_the_uplinks_unit_reaches_nobody_until_a_network_is_named_and_reads_the_journal_alone() -> None:
    text = (UNITS / "table-uplink.service").read_text(encoding="utf-8")
    (command,) = re.findall(r"(?m)^ExecStart=(\S+ .*)$", text)
    assert command == f"{DEFAULT_PREFIX}/current/venv/bin/tablectl room uplink run --config {UPLINK}"
    with pytest.raises(SystemExit, match="0"):
        main([*command.split()[1:], "--help"])
    lines = set(text.splitlines())
    assert {"User=table-uplink", "SupplementaryGroups=table-journal", "IPAddressDeny=any"} <= lines
    assert {"OOMScoreAdjust=500", "MemoryMax=96M", "CPUWeight=10", "Nice=10"} <= lines, "the table comes first"
    users = (UNITS / "table-controller.sysusers").read_text(encoding="utf-8")
    assert "\nu table-uplink - " in users
    assert "\ng table-journal - -\n" in users
    dropped = (UNITS / "examples/uplink.conf").read_text(encoding="utf-8")
    assert {"Group=table-journal", "StateDirectoryMode=2750"} <= set(dropped.splitlines())


def test_paths_are_the_same_everywhere() -> None:
    places = (UNITS / "table-controller.tmpfiles").read_text(encoding="utf-8")
    for path in (DEFAULT_KEY_FILE.parent, UPDATE_LOG.parent, Path("/var/lib/table-controller")):
        assert f"d {path} " in places


def test_memory_is_never_written_down() -> None:
    text = (UNITS / "table-controller.service").read_text(encoding="utf-8")
    assert {"LimitCORE=0", "MemorySwapMax=0"} <= set(text.splitlines())


def test_the_image_has_on_what_a_room_and_a_technician_ask_of_root() -> None:
    enabled = re.search(r"systemctl -q enable (.*)", (UNITS.parent / "image" / "root").read_text())
    assert enabled is not None
    assert {"table-set-up.path", "table-certificate.path", "table-release.path"} <= set(enabled.group(1).split())

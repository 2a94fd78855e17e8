"""A table without extras plays, and whoever wants one is told which it is, in one sentence and with no traceback."""

import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from config.table_file import DEMO_FILE, load_table_file
from controller import extras
from controller.app.releases.needed_extras import find_needed_extras, iter_table_needs
from controller.app.releases.release_installation import find_installed_extras, select_requirements
from controller.cli import main
from controller.core.play.showdown import hand_ranks
from controller.extras import EXTRAS
from controller.uplink import room_command
from tests.announcer.room import write_announcer_file
from tests.app.table.test_process import TABLECTL, table
from tests.uplink.test_uplink_file import WHOLE

ROOT = Path(__file__).parents[2]
MQTT = '[mqtt]\nhost = "127.0.0.1"\n'
WITHOUT_EXTRAS = f"""
from importlib.machinery import PathFinder
find = PathFinder.find_spec
blocked = {[extra.module for extra in EXTRAS.values()]}
def find_others(name, path=None, target=None):
    return None if name.partition(".")[0] in blocked else find(name, path, target)
PathFinder.find_spec = find_others
"""
"""What every Python that the test starts begins with: libraries of extras are not installed."""


@pytest.fixture
def without_extras(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "path").mkdir()
    (tmp_path / "path/sitecustomize.py").write_text(WITHOUT_EXTRAS, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path / 'path'}:{ROOT}")


def run(*words: object) -> tuple[int, str]:
    done = subprocess.run(
        [*TABLECTL, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    return done.returncode, done.stdout


def demo(folder: Path, page: str = "") -> Path:
    text = DEMO_FILE.read_text(encoding="utf-8").replace("[page]", f"[page]\n{page}", 1)
    path = folder / "table.toml"
    path.write_text(text.replace('"demo-deck.csv"', f'"{DEMO_FILE.with_name("demo-deck.csv")}"'), encoding="utf-8")
    return path


@pytest.mark.usefixtures("without_extras")
def test_a_table_without_extras_plays_seals_and_replays_and_refuses_an_export(tmp_path: Path) -> None:
    state = tmp_path / "state"
    with table(state, "--no-mistakes") as running:
        running.play_until(lambda state: state["table"]["hand"] == 2)
        assert "<html" in running.ask("GET", "/")[1]
        status, answer = running.ask("GET", "/hands/export?format=phh")
        assert (status, "pip install 'table-controller[records]'" in answer) == (503, True), answer
    assert run("hands", "show", 1, "--state", state)[0] == 0
    assert run("journal", "verify", state / "journal.sqlite")[0] == 0
    assert run("hands", "export", "--state", state) == (
        2, "tablectl hands: exporting hands, or ranking those of a deck without a table, needs pokerkit: "
        "pip install 'table-controller[records]'\n",
    )  # fmt: skip


WANTS: dict[str, Callable[[Path], tuple[tuple[object, ...], ...]]] = {
    "announcer": lambda folder: (
        ("check", "--announcer", write_announcer_file(folder, MQTT).path),
        ("announce", "run", "--config", folder / "announcer.toml"),
        ("doctor", "--config", demo(folder)),
    ),
    "metrics": lambda folder: (
        ("check", demo(folder, "metrics = true")),
        ("doctor", "--config", folder / "table.toml"),
        ("run", "--simulate", "--config", folder / "table.toml", "--state", folder),
    ),
    "uplink": lambda folder: (
        ("room", "uplink", "check", "--config", write_uplink_file(folder)),
        ("room", "uplink", "run", "--config", folder / "uplink.toml"),
    ),
}
"""Extra -> the commands that want it."""


def write_uplink_file(folder: Path) -> Path:
    path = folder / "uplink.toml"
    path.write_text(WHOLE, encoding="utf-8")
    return path


@pytest.mark.usefixtures("without_extras")
@pytest.mark.parametrize("name", WANTS)
def test_each_command_that_wants_an_extra_names_it(tmp_path: Path, name: str) -> None:
    for command in WANTS[name](tmp_path):
        status, said = run(*command)
        assert status in ((1,) if command[0] == "doctor" else (2,)), (command, said)
        assert f"{EXTRAS[name].needed_by} needs {EXTRAS[name].package}" in said, (command, said)
        assert f"pip install 'table-controller[{name}]'" in said
        assert "Traceback" not in said


@pytest.mark.usefixtures("without_extras")
def test_an_announcer_of_webhooks_alone_needs_none(tmp_path: Path) -> None:
    hook = '[[webhook]]\nname = "pager"\nurl = "http://127.0.0.1:9/"\nsecret_file = "key"\nevents = ["hand.over"]\n'
    assert run("check", "--announcer", write_announcer_file(tmp_path, hook).path)[0] == 0


def test_on_an_installed_table_the_technician_types_another_command(tmp_path: Path, mocker: MockerFixture) -> None:
    (tmp_path / "wheels").mkdir()
    mocker.patch.object(sys, "prefix", str(tmp_path / "venv"))
    mocker.patch.object(extras, "find_spec", return_value=None)
    assert str(extras.find_missing("uplink")).endswith("needs nats-py: sudo tablectl release extras uplink")


def test_what_a_tables_files_need_is_known(tmp_path: Path, mocker: MockerFixture) -> None:
    assert find_needed_extras(DEMO_FILE) == set()
    path = demo(tmp_path, "metrics = true")
    write_uplink_file(tmp_path)
    write_announcer_file(tmp_path, MQTT)
    assert find_needed_extras(path) == {"metrics", "uplink", "announcer"}
    (tmp_path / "uplink.toml").write_text(WHOLE.replace('"live"', '"off"'), encoding="utf-8")
    path.write_text("is no table", encoding="utf-8")
    assert find_needed_extras(path) == {"announcer"}
    mocker.patch.object(hand_ranks, "_load_rank_tables", return_value={})
    assert [name for name, _ in iter_table_needs(load_table_file(DEMO_FILE))] == ["records"]


def test_a_release_installs_of_its_wheels_what_is_wanted(tmp_path: Path) -> None:
    pinned = (ROOT / "requirements/table.txt").read_text(encoding="ascii")
    assert select_requirements(pinned, EXTRAS) == pinned
    chosen = select_requirements(pinned, {"records"})
    gone = {line for line in pinned.splitlines() if "==" in line} - set(chosen.splitlines())
    assert {line.partition("==")[0] for line in gone} == {"paho-mqtt", "prometheus-client", "nats-py"}
    assert len(re.findall("--hash", pinned)) - len(re.findall("--hash", chosen)) == 2 * len(gone)
    (tmp_path / "venv/lib/python3.11/site-packages/pokerkit").mkdir(parents=True)
    assert find_installed_extras(tmp_path) == {"records"}
    assert find_installed_extras(tmp_path / "none") == set()


def test_the_room_is_a_distribution_of_its_own_for_this_version(
    mocker: MockerFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    own, room = (
        tomllib.loads(path.read_text())["project"] for path in (ROOT / "pyproject.toml", ROOT / "room/pyproject.toml")
    )
    assert room["version"] == own["version"]
    assert f"table-controller[uplink]=={own['version']}" in room["dependencies"]
    brought = {name: own["optional-dependencies"][name][0].partition(">")[0] for name in EXTRAS}
    assert brought == {name: extra.package for name, extra in EXTRAS.items()}
    mocker.patch.object(room_command, "entry_points", return_value=())
    with pytest.raises(SystemExit):
        main(["room", "server", "run"])
    assert capsys.readouterr().err.strip().endswith(room_command.MISSING_ROOM)

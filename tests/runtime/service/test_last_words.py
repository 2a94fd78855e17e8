"""Whatever fails, and wherever: the place is said, and no value."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from controller.runtime.service.core_dumps import disable_core_dumps
from controller.runtime.service.crash_log import format_traceback, install_crash_log

CANARY = "CANARY-Qd"

WAYS = {
    "uncaught": "fail()",
    "in a thread": "import threading; t = threading.Thread(target=fail); t.start(); t.join()",
    "in a destructor": "class Shoe:\n    def __del__(self): fail()\nShoe()",
    "in the log": "logging.getLogger('x').exception('it failed', exc_info=caught())",
    "in the log, chained": "try:\n    fail()\nexcept KeyError as why:\n    raise ValueError(CARD) from why",
    "in a task": "import asyncio\nasync def main():\n    asyncio.get_running_loop().call_soon(fail)\n"
    "    await asyncio.sleep(0)\nasyncio.run(main())",
    "a record that cannot be written": "logging.getLogger('x').error('%d', CARD)",
    "unwound at the end": "import atexit; atexit.register(fail)",
}

PROGRAM = f"""
import logging, sys
logging.basicConfig(stream=sys.stderr)
from controller.runtime.service.crash_log import install_crash_log
from controller.runtime.service.core_dumps import disable_core_dumps
install_crash_log()
disable_core_dumps()
CARD = "{CANARY}"[:]
def fail():
    card = CARD
    raise KeyError(card)
def caught():
    try:
        fail()
    except KeyError as why:
        return why
"""


@pytest.mark.parametrize("way", WAYS)
def test_the_place_is_said_and_no_value(way: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM + WAYS[way]], capture_output=True, text=True, check=False, timeout=300
    )
    said = ended.stdout + ended.stderr
    assert CANARY not in said
    if way != "a record that cannot be written":
        assert "KeyError in fail, line 11" in said


def test_a_failure_that_came_from_another_names_both_places() -> None:
    def deal() -> None:
        try:
            raise KeyError(CANARY)
        except KeyError as why:
            raise ValueError(CANARY) from why

    with pytest.raises(ValueError, match=CANARY) as failed:
        deal()
    text = format_traceback(failed.value)
    assert "KeyError in " in text
    assert "ValueError in " in text
    assert CANARY not in text


MEMORY = """
import ctypes, os, resource
from controller.runtime.service.core_dumps import disable_core_dumps
disable_core_dumps()
print(resource.getrlimit(resource.RLIMIT_CORE), ctypes.CDLL(None).prctl(3, 0, 0, 0, 0), flush=True)
os.abort()
"""


def test_a_process_that_dies_leaves_no_core(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("core")
    ended = subprocess.run([sys.executable, "-c", MEMORY], capture_output=True, text=True, check=False, cwd=folder)
    assert ended.stdout.strip() == "(0, 0) 0", "no room for a core file, and not dumpable"
    assert ended.returncode < 0
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("module", ["controller.cli.table.announce_command", "controller.uplink.uplink_command"])
def test_what_has_the_tables_keys_leaves_no_core_either(module: str) -> None:
    text = Path(str(import_module(module).__file__)).read_text(encoding="utf-8")
    called = f"{disable_core_dumps.__name__}()"
    assert 0 < text.find(called) < text.find("load_", text.find(called)), "before a file with a secret is read"


def test_these_are_the_functions_that_the_table_calls() -> None:
    from controller.cli.table import run_command

    text = Path(str(run_command.__file__)).read_text(encoding="utf-8")
    assert f"{disable_core_dumps.__name__}()" in text
    assert f"{install_crash_log.__name__}()" in text

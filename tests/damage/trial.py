"""What a table whose files were damaged does: commands over them, a start, a look from outside; in other processes.

The start is that of `tablectl run` at a live table, up to the moment at which its loop would turn. What is asked then
is what people and machines of the house can ask: over HTTP, and by commands.
"""

import ctypes
import gc
import http.client
import importlib
import io
import json
import logging
import os
import re
import select
import signal
import ssl
import time
import warnings
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import urlsplit

from config.file_library import HOUSE_VARIABLE
from controller.app.table import table_run
from controller.app.table.past_drop import DropQuestion
from controller.app.table.past_hands import read_drop
from controller.cli import main
from controller.records.drop import DropGrouping
from controller.runtime.journal.recovery.journal_replay import RecoveryError
from controller.runtime.loop.table_loop import TableLoop
from controller.runtime.storage.sqlite_database import DatabaseError
from controller.runtime.storage.state_directory import JOURNAL_FILE
from drivers.simulators.bench.bench import Bench
from tests.damage.evening import TOKEN_FILE

PATIENCE_S, MAX_PATIENCE_S = 60.0, 600.0
"""After so long it hangs, unless it was at work meanwhile and is merely slow, on a machine that has much to do; and
after so long in any case."""

COMMANDS: Mapping[str, tuple[str, ...]] = {
    "journal check": ("journal", "check"),
    "journal list": ("journal", "list"),
    "journal export": ("journal", "export"),
    "journal verify": ("journal", "verify", "state/journal.sqlite", "--key", "state/device.pub"),
    "journal receipt": ("journal", "verify", "state/journal.sqlite", "--receipt", "receipt.txt"),
    "check": ("check",),
    "doctor": ("doctor",),
    "hands list": ("hands", "list"),
    "drop": ("drop",),
    "staff list": ("staff", "list"),
    "token list": ("token", "list"),
    "deck list": ("deck", "list"),
    "backup make": ("backup", "make", "../backup.tar", "--keys"),
}
"""The commands that are tried; those about a table are told which."""

LATER = ("staff list", "token list", "deck list")
"""What is asked after a start, beside the page."""

_WITHOUT_CONFIG = ("journal verify", "journal receipt", "check")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a process came to: its status, -1 where it hangs and -2 where it died; what it said on either output."""

    status: int
    said: str = ""
    told: str = ""


@dataclass(frozen=True, slots=True)
class Start(Answer):
    """A start: `shown` is what is shown from then on, by who asks; empty where the table did not start."""

    shown: Mapping[str, Any] | None = None


def run_command(folder: Path, name: str) -> Answer:
    """Run a command about the table in `folder`, in a process of its own."""
    found = _run_forked(folder, lambda: {"answer": _ask(name)})
    return Answer(**found["answer"]) if "answer" in found else _fail(found)


def start_table(folder: Path, *, looks_at_drop: bool = True) -> Start:
    """Start the table in `folder` as `tablectl run` does, look at it, and end it as by SIGTERM."""
    found = _run_forked(folder, lambda: _start(looks_at_drop=looks_at_drop))
    if "status" not in found:
        failed = _fail(found)
        return Start(failed.status, failed.said, failed.told)
    return Start(**found)


def _fail(found: Mapping[str, Any]) -> Answer:
    return Answer(-1, "", "it hangs") if found.get("hangs") else Answer(-2, "", f"it died: {found.get('why')}")


def _ask(name: str) -> dict[str, Any]:
    words = [*COMMANDS[name], *(() if name in _WITHOUT_CONFIG else ("--config", "table.toml"))]
    if name == "check":
        words.append("table.toml")
    output, errors = io.StringIO(), io.StringIO()
    with redirect_stdout(output), redirect_stderr(errors):
        try:
            status = main(words)
        except SystemExit as ended:
            status = ended.code if isinstance(ended.code, int) else 1
    return {"status": status, "said": output.getvalue(), "told": errors.getvalue()}


def _start(*, looks_at_drop: bool = True) -> dict[str, Any]:
    errors = io.StringIO()
    shown: dict[str, Any] = {}

    def look(_loop: TableLoop, _turned: object = None) -> str:
        found = re.search(r"page at (\S+)", errors.getvalue())
        try:
            shown.update({"no page": True} if found is None else _look(found[1]))
        except (OSError, http.client.HTTPException) as why:
            shown["no page"] = str(why)
        return "SIGTERM"

    with (
        redirect_stderr(errors),
        Bench() as bench,
        mock.patch.object(TableLoop, "run", look),
        mock.patch.object(table_run, "open_pins", return_value=bench.pins),
    ):
        status = main(["run", "--config", "table.toml"])
    if not shown:
        return {"status": status, "told": errors.getvalue()}
    shown |= {name: _ask(name) for name in LATER}
    if looks_at_drop:
        shown["drop page"] = _look_at_drop()
    return {"status": status, "told": errors.getvalue(), "shown": shown}


def _look(url: str) -> dict[str, Any]:
    """What the page shows to everybody, and what a machine of the house gets by its token."""
    token = Path(f"../{TOKEN_FILE}").read_text(encoding="ascii")
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    where = urlsplit(url)
    assert where.hostname is not None
    page: http.client.HTTPConnection = (
        http.client.HTTPSConnection(where.hostname, where.port, timeout=PATIENCE_S / 2, context=context)
        if where.scheme == "https"
        else http.client.HTTPConnection(where.hostname, where.port, timeout=PATIENCE_S / 2)
    )

    def get(path: str, **headers: str) -> Any:  # noqa: ANN401 (JSON)
        page.request("GET", path, headers=headers)
        answer = page.getresponse()
        text = answer.read().decode()
        return json.loads(text) if answer.status == HTTPStatus.OK else {"status": answer.status, "text": text}

    try:
        decks = get("/decks", Authorization=f"Bearer {token}")
        return {"state": get("/state"), "staff": get("/staff"), "decks": decks}
    finally:
        page.close()


def _look_at_drop() -> dict[str, Any]:
    """What the page of the drop shows, which it has read in a process of its own."""
    try:
        found = read_drop(Path("state") / JOURNAL_FILE, DropQuestion(DropGrouping.HAND, 0))
    except (DatabaseError, RecoveryError, OSError) as why:  # the table may stand in another directory by now
        return {"status": 1, "told": str(why)}
    return {"status": 0, "said": json.dumps(found)}


def _run_forked(folder: Path, work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Do `work` in a process of its own in `folder`, and return what it says."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        warnings.simplefilter("ignore")  # as at a table; a test has them be errors
        _drop_privileges()
        os.chdir(folder)
        os.environ[HOUSE_VARIABLE] = "house"
        for each in logging.getLogger().handlers[:]:
            logging.getLogger().removeHandler(each)
        try:
            said = work()
        except BaseException as why:
            said = {"why": repr(why)}
        with open(writer, "w", encoding="utf-8", errors="backslashreplace") as told:
            json.dump(said, told)
        os._exit(0)
    os.close(writer)
    heard, worked_s, until = b"", 0.0, time.monotonic() + MAX_PATIENCE_S
    while True:
        ready, _, _ = select.select([reader], [], [], PATIENCE_S)
        before, worked_s = worked_s, _find_worked_time(child)
        if not ready and before < worked_s < PATIENCE_S and time.monotonic() < until:
            continue
        data = os.read(reader, 1 << 16) if ready else b""
        if not data:
            break
        heard += data
    hangs = not ready
    if hangs:
        os.kill(child, signal.SIGKILL)
    os.close(reader)
    _, status = os.waitpid(child, 0)
    if hangs:
        return {"hangs": True}
    try:
        found: dict[str, Any] = json.loads(heard)
    except ValueError:
        return {"why": f"wait status {status}"}
    return found


def _find_worked_time(process: int) -> float:
    """How many seconds a process has had of a processor."""
    numbers = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
    return (int(numbers[11]) + int(numbers[12])) / os.sysconf("SC_CLK_TCK")


_CAPABILITIES_VERSION = 0x2008_0522
_DAC_OVERRIDE, _DAC_READ_SEARCH = 1 << 1, 1 << 2


def _drop_privileges() -> None:
    """Let what is closed be closed also to root, as it is to the account that a table runs under."""
    if os.geteuid() != 0:
        return
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(_CAPABILITIES_VERSION, 0)
    held = (ctypes.c_uint32 * 6)()
    if libc.capget(header, held):
        raise OSError(ctypes.get_errno(), "capget")
    for at in (0, 1, 2):
        held[at] &= ~(_DAC_OVERRIDE | _DAC_READ_SEARCH)
    if libc.capset(header, held):
        raise OSError(ctypes.get_errno(), "capset")


def warm_up(folder: Path) -> None:
    """Import and read here what every start imports and reads, before processes are forked."""
    importlib.import_module("tests.preloaded")
    before, log = os.getcwd(), logging.getLogger()
    handlers, level, mask = log.handlers[:], log.level, os.umask(0o077)
    os.chdir(folder)
    try:
        with (
            mock.patch.dict(os.environ, {HOUSE_VARIABLE: "house"}),
            mock.patch("controller.runtime.service.core_dumps.disable_core_dumps"),
            mock.patch("controller.runtime.service.crash_log.install_crash_log"),
        ):
            log.handlers.clear()
            started = _start()
            assert "state" in started.get("shown", ()), started
            for name in COMMANDS:
                _ask(name)
    finally:
        log.handlers[:] = handlers
        log.setLevel(level)
        os.chdir(before)
        os.umask(mask)
    gc.collect()
    gc.freeze()

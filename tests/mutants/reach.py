"""Which tests run which lines: one map a test file, made once and kept until the program or that file changes."""

import hashlib
import json
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.mutants.copies import Copy, Outcome, Run, limit

ROOMS = {
    "controller/core": "core laws rules games people tournament notation conformance recorded completeness two_worlds "
    "explore",
    "controller/runtime": "runtime laws crash damage people two_worlds evenings",
    "controller/records": "records broadcast recorded",
    "controller/web": "web broadcast languages",
    "controller/app": "app first_run",
    "controller/cli": "cli",
    "controller/announcer": "announcer",
    "controller/client": "announcer web",
    "controller/plug_ins": "plug_ins",
    "controller/room_contract": "room_contract uplink room",
    "controller/uplink": "uplink room",
    "controller/webhooks": "announcer room",
    "room": "room room_contract uplink",
    "config": "config cli",
    "drivers": "drivers wire completeness",
    "firmware_bridge": "wire firmware drivers",
}
"""The folders of tests in which a room's quick tests lie; those of any other folder are all."""

MAX_FILE_S = 1200
"""Seconds of processor that the quick tests of one file may take while their lines are noted."""


@dataclass(frozen=True)
class KnownTest:
    """A test that passes on the tree as it is: seconds of processor and of the wall, and how many lines it runs.

    `spawns` says that it starts processes, in which no lines are noted.
    """

    id: str
    cpu: float
    wall: float
    spawns: bool
    size: int

    @property
    def file(self) -> str:
        """The file that it stands in."""
        return self.id.partition("::")[0]


class Map:
    """Which tests run which lines."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.tests: list[KnownTest] = []
        self.failed: list[str] = []
        self.slow: list[str] = []
        self.file_keys: dict[str, str] = {}
        self._files: list[tuple[list[KnownTest | None], dict[str, dict[str, str]]]] = []

    def add(self, file: str, key: str, outcome: Outcome) -> None:
        """Add what one test file runs."""
        self.file_keys[file] = key
        sizes = [0] * len(outcome.tests)
        for masks in outcome.sources.values():
            for text in masks.values():
                mask = int(text, 16) >> 1
                while mask:
                    sizes[(mask & -mask).bit_length() - 1] += 1
                    mask &= mask - 1
        rows: list[KnownTest | None] = []
        for row, size in zip(outcome.tests, sizes, strict=True):
            test = KnownTest(row["id"], row["cpu"], row["wall"], row["spawns"], size) if row["ok"] else None
            rows.append(test)
            if test:
                self.tests.append(test)
            elif row["slow"]:
                self.slow.append(row["id"])
        if outcome.failed:
            self.failed.append(outcome.failed)
        self._files.append((rows, outcome.sources))

    def find(self, source: str, lines: Iterable[int]) -> tuple[list[KnownTest], list[KnownTest]]:
        """Return the tests that run one of these lines, and those beside them that may meet it without.

        Their file runs one of the lines, at import time say, or they start processes.
        """
        wanted = [str(line) for line in lines]
        direct: list[KnownTest] = []
        beside: list[KnownTest] = []
        for rows, sources in self._files:
            masks = sources.get(source, {})
            mask = 0
            for line in wanted:
                mask |= int(masks.get(line, "0"), 16)
            for index, test in enumerate(rows):
                if test and mask >> (index + 1) & 1:
                    direct.append(test)
                elif test and (mask or test.spawns):
                    beside.append(test)
        return direct, beside


def _digest(root: Path, files: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(f"{file.relative_to(root)}\0".encode() + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:20]


def is_test_file(file: Path) -> bool:
    """Whether a file has tests of its own: in Python, or stories."""
    return file.match("test_*.py") or (file.suffix == ".scn" and file.stem != "beginnings")


def list_files(root: Path, folder: str) -> list[Path]:
    """Return the files of a folder that a test may read, without what is made."""
    return [file for file in (root / folder).rglob("*") if file.is_file() and "__pycache__" not in file.parts]


def make_map(
    root: Path,
    kept: Path,
    copies: Sequence[Copy],
    program: Sequence[str],
    folders: Sequence[str],
    tell: Callable[[str], None],
) -> Map:
    """Return the map of the quick tests in these folders, from what is kept, and from runs for what is not.

    A file's map holds as long as the folders of the program and every file beside the tests stay as they are.
    """
    files = sorted({file for folder in folders for file in list_files(root, folder) if is_test_file(file)})
    shared = [file for folder in program for file in list_files(root, folder)]
    own = root / "tests" / "mutants"
    shared += [file for file in list_files(root, "tests") if not is_test_file(file) and own not in file.parents]
    common = _digest(root, shared)
    keys = {file: _digest(root, [file]) for file in files}
    found = Map(hashlib.sha256(f"{common} {sorted(keys.values())}".encode()).hexdigest()[:20])
    outcomes: dict[Path, Outcome] = {}
    waiting = []
    for file in files:
        place = kept / f"{common}-{keys[file]}.json"
        if place.exists():
            outcomes[file] = Outcome(**json.loads(place.read_text(encoding="utf-8")))
        else:
            waiting.append(file)
    kept.mkdir(parents=True, exist_ok=True)
    total, failures = len(waiting), list[BaseException]()

    def work(copy: Copy) -> None:
        try:
            while waiting:
                file = waiting.pop(0)
                name = file.relative_to(root).as_posix()
                cpu_s, wall_s = limit(MAX_FILE_S, MAX_FILE_S)
                log = str(kept / "map.log")
                outcome = copy.run(Run((name,), cpu_s=cpu_s, wall_s=wall_s, covered=tuple(program), log=log))
                if not outcome.tests and outcome.outcome != "passed":
                    raise RuntimeError(f"{name} cannot be run: {outcome}; {log} says why")
                place = kept / f"{common}-{keys[file]}.json"
                place.with_suffix(".part").write_text(json.dumps(asdict(outcome)), encoding="utf-8")
                place.with_suffix(".part").rename(place)
                outcomes[file] = outcome
                tell(f"map {total - len(waiting)} of {total}: {name}, {len(outcome.tests)} tests, {outcome.cpu:.0f} s")
        except BaseException as error:  # the others must not wait for this one's files
            failures.append(error)
            waiting.clear()

    run_side_by_side(work, copies)
    if failures:
        raise failures[0]
    for file in files:
        found.add(file.relative_to(root).as_posix(), f"{common}-{keys[file]}", outcomes[file])
    return found


def run_side_by_side(work: Callable[[Copy], None], copies: Sequence[Copy]) -> None:
    """Run `work` with each copy, in threads; a Ctrl-C ends the copies, and the threads by that."""
    threads = [threading.Thread(target=work, args=(copy,)) for copy in copies]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    except BaseException:
        for copy in copies:
            copy.end()
        for thread in threads:
            thread.join()
        raise


def list_test_folders(room_or_file: str) -> tuple[str, ...]:
    """Return the folders with the quick tests of what lies at this path; all where no room has it."""
    for room, folders in ROOMS.items():
        if f"{room_or_file}/".startswith(f"{room}/"):
            return tuple(f"tests/{folder}" for folder in folders.split())
    return ("tests",)

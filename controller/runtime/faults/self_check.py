"""The self-check: are program and rules what they should be, and can the journal be kept.

It is made at every start and on demand; where it fails the table does not deal (`faults`).

The installer records the SHA-256 of every file (`RECORD` of a wheel, PEP 427); files are compared with that. It finds a
bad medium and a hand that slipped. It does not find somebody who can write the record as well: a program that judges
itself can lie (docs/security.md), and only the signed release, compared off-line, is a proof.
"""

import base64
import csv
import hashlib
import json
import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution, distributions
from pathlib import Path

from controller.extras import EXTRAS
from controller.runtime.storage.revision_counter import ACCEPT_REMEDY
from controller.runtime.storage.sqlite_database import DatabaseError, describe_error

DISTRIBUTION_NAME = "table-controller"

SELF_CHECK_FAULT, DISK_LOW_FAULT, CLOCK_UNSET_FAULT = "self-check", "disk-low", "clock-unset"
DECK_UNREGISTERED_FAULT, STAFF_REPLACED_FAULT = "deck-unregistered", "staff-replaced"
"""The faults that a check can find."""

MIN_CLOCK_YEAR = 2026
"""A clock before this program was written has never been set."""

MIN_FREE_BYTES = 50_000_000
"""Room for some weeks of play, at a few hundred bytes an entry: with less no hand is begun."""

LOW_FREE_BYTES = 200_000_000
"""With less it is said in play, while there is still time to make room."""

MAX_NAMED_FILES = 3
"""So many files that are wrong are named; the others are counted."""

MODULE_SUFFIXES = (".py", ".so", ".pyc")
"""How the name of what can be imported ends."""

_TABLE_EXTRA_PATTERN = re.compile(rf"extra == ['\"]({'|'.join(('pi5?', *EXTRAS))})['\"]")
"""The options that a table is installed with; all others are a developer's."""

_REQUIREMENT_NAME_PATTERN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(frozen=True, slots=True)
class SelfCheckResult:
    """One thing checked; `fault_code` is the code of the fault that it is, or nothing when all is well."""

    subject: str
    text: str
    fault_code: str | None = None


SelfCheckRunner = Callable[[], tuple[SelfCheckResult, ...]]
"""Checks everything, when it is called."""


@dataclass(frozen=True, slots=True)
class SelfCheck:
    """What is checked at a table: its directory, and the hashes that the session's files had when it began."""

    directory: Path
    sha256_by_file: Mapping[Path, str]
    """Path of a rulebook or game -> its SHA-256 by the session's header."""
    wall_clock: Callable[[], float] = time.time
    list_deck_names: Callable[[], Collection[str]] | None = None
    """Names the registered decks; nothing at a table that has no use for one."""
    find_staff_trouble: Callable[[], str | None] = lambda: None
    """Says why the staff's file is not the one that the journal knows."""
    plug_in_packages: Collection[str] = ()
    """The packages whose plug-ins the table uses (`controller.plug_ins`), by name."""

    def run(self) -> tuple[SelfCheckResult, ...]:
        """Check everything; takes as long as reading the program takes."""
        found = (
            check_program(),
            *check_plug_ins(self.plug_in_packages),
            check_rules(self.sha256_by_file),
            *check_disk(self.directory),
            check_clock(self.wall_clock()),
            *check_staff(self.find_staff_trouble()),
        )
        return found if self.list_deck_names is None else (*found, self._check_decks(self.list_deck_names))

    def _check_decks(self, list_names: Callable[[], Collection[str]]) -> SelfCheckResult:
        try:
            return check_decks(list_names())
        except DatabaseError as why:
            return SelfCheckResult("decks", str(why), SELF_CHECK_FAULT)


def find_remaining_cause(results: Collection[SelfCheckResult], fault: str) -> str | None:
    """Say why a fault is still there; `None` when no check finds it."""
    found = [f"{result.subject}: {result.text}" for result in results if result.fault_code == fault]
    return "; ".join(found) or None


def check_program(name: str = DISTRIBUTION_NAME) -> SelfCheckResult:
    """Compare the program, and the libraries it needs, with what was installed."""
    try:
        own = distribution(name)
    except PackageNotFoundError:
        return SelfCheckResult("program", f"{name} is not installed, so nothing says what its files should be")
    if is_editable(own):
        return SelfCheckResult("program", f"{name} {own.version} runs from a checkout: its own files are not sealed")
    wrong: list[str] = []
    count = 0
    for one in iter_required_distributions(own):
        for path, digest in iter_recorded_files(one):
            count += 1
            if hash_file(path) != digest:
                wrong.append(path.name if path.exists() else f"{path.name} (missing)")
    wrong += [path.name for path in find_foreign_modules(own)]
    if not count:
        return SelfCheckResult("program", f"{name} {own.version} has no record of its files", SELF_CHECK_FAULT)
    if wrong:
        more = f" and {len(wrong) - MAX_NAMED_FILES} more" if len(wrong) > MAX_NAMED_FILES else ""
        text = f"not as installed: {', '.join(wrong[:MAX_NAMED_FILES])}{more}; install the release again"
        return SelfCheckResult("program", text, SELF_CHECK_FAULT)
    return SelfCheckResult("program", f"{name} {own.version}: {count} files as installed")


def check_plug_ins(packages: Collection[str]) -> Iterator[SelfCheckResult]:
    """Compare the files of each package that the table uses with what was installed, as far as a record was kept."""
    for name in packages:
        try:
            one = distribution(name)
        except PackageNotFoundError:
            yield SelfCheckResult("plug-in", f"{name} is not installed any more; install it again", SELF_CHECK_FAULT)
            continue
        told, files = f"{one.name} {one.version}", list(iter_recorded_files(one))
        wrong = [path.name for path, digest in files if hash_file(path) != digest]
        wrong += [f"{path.parent.name}/{path.name}" for path in find_added_modules(one)]
        if wrong:
            text = f"{told}: not as installed: {', '.join(wrong[:MAX_NAMED_FILES])}; install it again"
            yield SelfCheckResult("plug-in", text, SELF_CHECK_FAULT)
        elif is_editable(one) or not files:
            yield SelfCheckResult("plug-in", f"{told} has no record of its files: they are not sealed")
        else:
            yield SelfCheckResult("plug-in", f"{told}: {len(files)} files as installed")


def is_editable(installed: Distribution) -> bool:
    """Whether a distribution is a link to a checkout (PEP 660, PEP 610)."""
    text = installed.read_text("direct_url.json")
    return text is not None and bool(json.loads(text).get("dir_info", {}).get("editable", False))


def iter_required_distributions(own: Distribution) -> Iterator[Distribution]:
    """Yield a distribution and every installed one that it needs, each once."""
    seen, waiting = set[str](), [own]
    while waiting:
        one = waiting.pop()
        if one.name in seen:
            continue
        seen.add(one.name)
        yield one
        for requirement in one.requires or ():
            if "extra ==" in requirement and not _TABLE_EXTRA_PATTERN.search(requirement):
                continue
            name = _REQUIREMENT_NAME_PATTERN.match(requirement)
            try:
                waiting.append(distribution(name.group() if name else requirement))
            except PackageNotFoundError:
                continue  # of an option that was not installed, or for another system


def iter_recorded_files(installed: Distribution) -> Iterator[tuple[Path, str]]:
    """Yield the files of a distribution that its record has a SHA-256 of, in hex; also those that are not there.

    From the record itself: since Python 3.12 `Distribution.files` leaves out what is missing.
    """
    rows = csv.reader((installed.read_text("RECORD") or "").splitlines())
    for name, sealed in (row[:2] for row in rows if len(row) > 1):
        method, _, value = sealed.partition("=")
        if method == "sha256":
            digest = base64.urlsafe_b64decode(value + "=" * (-len(value) % 4))
            yield Path(str(installed.locate_file(name))), digest.hex()


def find_foreign_modules(own: Distribution) -> list[Path]:
    """Modules that lie in a distribution's packages and that it did not install."""
    known = _list_files(own)
    packages = [root for root in _list_folders(own) if (root / "__init__.py") in known]
    return sorted(path for root in packages for path in _iter_modules(root) if path not in known)


def find_added_modules(one: Distribution) -> list[Path]:
    """Modules that nobody installed and that may be loaded in place of a distribution's own, or by them.

    Looked at are its packages, its folders that no other distribution has files in, and what goes before a module
    that lies outside of these: a package or a library of the same name.
    """
    if is_editable(one) or not any(iter_recorded_files(one)):
        return []
    known = _list_files(one)
    apart = {root for root in _list_folders(one) if (root / "__init__.py") not in known}
    found = {*find_foreign_modules(one), *_iter_shadowing_modules(known)} - known
    loose = {path for root in apart for path in _iter_modules(root)} - known - found
    if found or loose:  # only now: reading what every other distribution has takes time
        others = {path for other in distributions() if (files := _list_files(other)) != known for path in files}
        shared = [root for root in apart if any(path.is_relative_to(root) for path in others)]
        found |= {path for path in loose if not any(path.is_relative_to(root) for root in shared)}
        found -= others
    return sorted(found)


def _list_files(one: Distribution) -> set[Path]:
    return {Path(str(one.locate_file(file))) for file in one.files or ()}


def _list_folders(one: Distribution) -> set[Path]:
    """The folders that it has beside others' packages: not what describes it, nor what lies elsewhere (commands)."""
    tops = {file.parts[0] for file in one.files or () if len(file.parts) > 1}
    return {Path(str(one.locate_file(top))) for top in tops if top not in ("..", "/") and not top.endswith("-info")}


def _iter_modules(folder: Path) -> Iterator[Path]:
    """Everything below a folder that can be imported; what Python compiles by itself is none of it (PEP 3147)."""
    for path in folder.rglob("*"):
        if path.suffix in MODULE_SUFFIXES and not (path.suffix == ".pyc" and path.parent.name == "__pycache__"):
            yield path


def _iter_shadowing_modules(modules: Collection[Path]) -> Iterator[Path]:
    """What Python would load instead of a source: a package or a library of its name beside it."""
    for module in modules:
        if module.suffix == ".py":
            package = module.with_suffix("")
            yield from (path for path in package.glob("__init__.*") if path.suffix in MODULE_SUFFIXES)
            yield from (path for path in module.parent.glob("*.so") if path.name.startswith(f"{module.stem}."))


def check_rules(files: Mapping[Path, str]) -> SelfCheckResult:
    """Compare rulebook and game with those of the session: a house changes its rules between sessions."""
    changed = [path.name for path, digest in files.items() if hash_file(path) != digest]
    if changed:
        text = f"{', '.join(changed)} is not what it was when the session began"
        return SelfCheckResult(
            "rules", f"{text}; put the file back, or begin a session between hands", SELF_CHECK_FAULT
        )
    return SelfCheckResult("rules", f"{', '.join(path.name for path in files) or 'nothing'} as the session began")


def check_disk(directory: Path) -> Iterator[SelfCheckResult]:
    """Whether the journal can be kept: a write that arrives, and room."""
    try:
        with tempfile.NamedTemporaryFile(dir=directory, prefix=".check-") as file:
            file.write(b"can be written")
            file.flush()
            os.fsync(file.fileno())
        free = find_free_bytes(directory)
    except OSError as why:
        yield SelfCheckResult(
            "disk", f"{directory} cannot be written: {describe_error(why, directory)}", SELF_CHECK_FAULT
        )
        return
    shown = f"{free / 1e6:.0f} MB free for {directory}"
    if free < MIN_FREE_BYTES:
        yield SelfCheckResult(
            "disk", f"{shown}, and {MIN_FREE_BYTES // 1_000_000} MB are wanted: make room", DISK_LOW_FAULT
        )
    else:
        yield SelfCheckResult("disk", shown)


def find_free_bytes(directory: Path) -> int:
    """How much room there is for the journal; takes no time. Raises `OSError`."""
    return shutil.disk_usage(directory).free


def check_decks(names: Collection[str]) -> SelfCheckResult:
    """Whether there is a deck that the table knows the cards of."""
    if not names:
        text = "none is registered; the technician's page registers one, or tablectl deck register"
        return SelfCheckResult("decks", text, DECK_UNREGISTERED_FAULT)
    return SelfCheckResult("decks", f"registered: {', '.join(names)}")


def check_staff(trouble: str | None) -> Iterator[SelfCheckResult]:
    """Whether the files of staff and tokens are those that the table had; `trouble` names the one that is not."""
    if trouble is not None:
        yield SelfCheckResult("staff", f"{trouble}; {ACCEPT_REMEDY}", STAFF_REPLACED_FAULT)


def check_clock(wall: float) -> SelfCheckResult:
    """Whether the clock can be right."""
    shown = time.gmtime(wall)
    text = time.strftime("it says %Y-%m-%d %H:%M UTC", shown)
    return SelfCheckResult("clock", text, CLOCK_UNSET_FAULT if shown.tm_year < MIN_CLOCK_YEAR else None)


def hash_file(path: Path) -> str | None:
    """Hash a file; `None` when it cannot be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None

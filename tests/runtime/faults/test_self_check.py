"""The self-check finds what is not as installed, as the session began, or as the journal needs it."""

import base64
import hashlib
import shutil
import subprocess
import sys
from functools import partial
from importlib.metadata import PathDistribution, distribution, distributions
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.runtime.faults import self_check
from controller.runtime.faults.self_check import (
    CLOCK_UNSET_FAULT,
    DECK_UNREGISTERED_FAULT,
    DISK_LOW_FAULT,
    SELF_CHECK_FAULT,
    SelfCheck,
    find_remaining_cause,
)

FILES = {"table/__init__.py": "", "table/hand.py": "pot = 1\n", "table/rules.toml": "burn = true\n"}


def make_distribution(folder: Path, *, editable: bool = False, requires: str = "") -> PathDistribution:
    """A distribution as an installer leaves it, with its record of hashes."""
    info = folder / "a_table-1.0.dist-info"
    info.mkdir(parents=True)
    lines = []
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(text)}")
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: a-table\nVersion: 1.0\n{requires}")
    (info / "RECORD").write_text("\n".join([*lines, "a_table-1.0.dist-info/RECORD,,"]))
    if editable:
        (info / "direct_url.json").write_text('{"url": "file:///x", "dir_info": {"editable": true}}')
    return PathDistribution(info)


@pytest.fixture
def own_distribution(tmp_path: Path, mocker: MockerFixture) -> PathDistribution:
    made = make_distribution(tmp_path / "site")
    mocker.patch.object(self_check, "distribution", lambda name: made if name == "a-table" else distribution(name))
    return made


def test_a_program_as_installed_is_well(own_distribution: PathDistribution) -> None:
    assert own_distribution.version == "1.0"
    assert self_check.check_program("a-table") == self_check.SelfCheckResult(
        "program", "a-table 1.0: 3 files as installed"
    )


def test_a_file_that_is_gone_is_missed_also_where_python_leaves_it_out(
    own_distribution: PathDistribution, mocker: MockerFixture
) -> None:
    """As `Distribution.files` does since 3.12."""
    whole = list(own_distribution.files or ())
    there = property(lambda self: [file for file in whole if self.locate_file(file).exists()])
    mocker.patch.object(PathDistribution, "files", there)
    Path(str(own_distribution.locate_file("table/hand.py"))).unlink()
    assert "hand.py (missing)" in self_check.check_program("a-table").text


@pytest.mark.parametrize("name", ["table/hand.py", "table/rules.toml"])
@pytest.mark.parametrize("harm", ["changed", "gone", "one bit"])
def test_a_file_that_is_not_as_installed_is_named(own_distribution: PathDistribution, name: str, harm: str) -> None:
    path = Path(str(own_distribution.locate_file(name)))
    if harm == "gone":
        path.unlink()
    elif harm == "changed":
        path.write_text(path.read_text() + "#")
    else:
        content = bytearray(path.read_bytes())
        content[0] ^= 1
        path.write_bytes(bytes(content))
    found = self_check.check_program("a-table")
    assert found.fault_code == SELF_CHECK_FAULT
    assert path.name in found.text


def test_a_module_that_nobody_installed_is_named(own_distribution: PathDistribution) -> None:
    Path(str(own_distribution.locate_file("table/peek.py"))).write_text("print('As')\n")
    found = self_check.check_program("a-table")
    assert (found.fault_code, "peek.py" in found.text) == (SELF_CHECK_FAULT, True)


@pytest.mark.parametrize("name", ["table/_hand.cpython-312-x86_64-linux-gnu.so", "table/peek.pyc"])
def test_a_module_without_a_source_that_nobody_installed_is_named(
    own_distribution: PathDistribution, name: str
) -> None:
    Path(str(own_distribution.locate_file("table/__pycache__"))).mkdir()
    Path(str(own_distribution.locate_file("table/__pycache__/hand.cpython-312.pyc"))).write_bytes(b"")
    assert self_check.check_program("a-table").fault_code is None, "Python compiles by itself"
    Path(str(own_distribution.locate_file(name))).write_bytes(b"")
    assert name.removeprefix("table/") in self_check.check_program("a-table").text


def plug_in(site: Path, name: str, *files: str) -> None:
    """A plug-in's distribution with these files, all empty, and what Python compiles beside them."""
    info = site / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    digest = base64.urlsafe_b64encode(hashlib.sha256(b"").digest()).rstrip(b"=").decode()
    for file in files:
        put(site, file)
        put(site, f"{Path(file).parent}/__pycache__/{Path(file).stem}.cpython-312.pyc")
    (info / "RECORD").write_text("".join(f"{file},sha256={digest},0\n" for file in files))


def put(site: Path, file: str) -> None:
    (site / file).parent.mkdir(parents=True, exist_ok=True)
    (site / file).write_bytes(b"")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of packages besides which nothing is installed: reading a developer's own takes seconds."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(self_check, "distributions", partial(distributions, path=[str(tmp_path)]))
    return tmp_path


PACKAGE = ("plg/__init__.py", "plg/reader.py")
NAMESPACE = ("plg/reader.py",)
ALONE = ("reader.py",)


@pytest.mark.parametrize(
    ("files", "name"),
    [
        (PACKAGE, "plg/reader/__init__.py"),
        (PACKAGE, "plg/reader/__init__.pyc"),
        (PACKAGE, "plg/reader.abi3.so"),
        (PACKAGE, "plg/serial.pyc"),
        (NAMESPACE, "plg/reader/__init__.py"),
        (NAMESPACE, "plg/__init__.py"),
        (NAMESPACE, "plg/_speed.so"),
        (ALONE, "reader/__init__.py"),
        (ALONE, "reader.cpython-312-x86_64-linux-gnu.so"),
    ],
)
def test_what_was_added_to_a_plug_in_is_named(site: Path, files: tuple[str, ...], name: str) -> None:
    plug_in(site, "plg", *files)
    (found,) = self_check.check_plug_ins(["plg"])
    assert (found.fault_code, found.text) == (None, f"plg 1.0: {len(files)} files as installed")
    put(site, name)
    (found,) = self_check.check_plug_ins(["plg"])
    assert (found.fault_code, name.removeprefix("plg/") in found.text) == (SELF_CHECK_FAULT, True), found


@pytest.mark.parametrize("first", [PACKAGE, NAMESPACE, ALONE])
def test_what_another_package_has_beside_a_plug_in_is_no_fault(site: Path, first: tuple[str, ...]) -> None:
    plug_in(site, "plg", *first)
    plug_in(site, "lamps", "plg/lamps_command.py", "other.py", "plg/fast.abi3.so")
    put(site, "of_nobody.py")
    (site / "~eft-1.0.dist-info").mkdir()  # as pip leaves it where it was cut off
    if first is NAMESPACE:
        put(site, "plg/of_somebody.py")
    (found,) = self_check.check_plug_ins(["plg"])
    assert found.fault_code is None, found
    put(site, f"{first[-1].removesuffix('.py')}/__init__.py")
    (found,) = self_check.check_plug_ins(["plg"])
    assert found.fault_code == SELF_CHECK_FAULT, "what goes before its own module is, wherever it lies"


def test_a_library_that_was_changed_is_named(tmp_path: Path, mocker: MockerFixture) -> None:
    own = make_distribution(
        tmp_path / "own", requires="Requires-Dist: library>=1\nRequires-Dist: linter; extra == 'dev'\n"
    )
    library = make_distribution(tmp_path / "library")
    Path(str(library.locate_file("table/hand.py"))).write_text("pot = 2\n")
    known = {"a-table": own, "library": library}
    mocker.patch.object(self_check, "distribution", lambda name: known[name])
    mocker.patch.object(type(library), "name", property(lambda one: str(one._path)))
    assert self_check.check_program("a-table").fault_code == SELF_CHECK_FAULT


def test_a_checkout_says_that_it_is_not_sealed(tmp_path: Path, mocker: MockerFixture) -> None:
    made = make_distribution(tmp_path, editable=True)
    mocker.patch.object(self_check, "distribution", return_value=made)
    found = self_check.check_program("a-table")
    assert (found.fault_code, "checkout" in found.text) == (None, True)
    assert self_check.check_program().fault_code is None


def test_a_program_without_a_record_cannot_be_checked(own_distribution: PathDistribution) -> None:
    Path(str(own_distribution.locate_file("a_table-1.0.dist-info/RECORD"))).write_text("")
    assert self_check.check_program("a-table").fault_code == SELF_CHECK_FAULT


def test_the_wheel_of_this_program_has_a_record_of_every_file_that_runs(tmp_path: Path) -> None:
    root = Path(__file__).parents[3]
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(tmp_path)]
    subprocess.run([*command, str(root)], check=True, capture_output=True)
    shutil.unpack_archive(next(tmp_path.glob("*.whl")), tmp_path / "site", "zip")
    made = PathDistribution(next((tmp_path / "site").glob("*.dist-info")))
    recorded = dict(self_check.iter_recorded_files(made))
    assert all(self_check.hash_file(path) == digest for path, digest in recorded.items())
    names = {str(path.relative_to(tmp_path / "site")) for path in recorded}
    assert {
        "controller/runtime/loop/table_loop.py",
        "config/rulebooks/roberts-7.toml",
        "controller/web/static/dealer.js",
    } <= names
    assert self_check.find_foreign_modules(made) == []
    assert all((tmp_path / "site" / name).is_file() for name in names)
    assert not {path.suffix for path in recorded} & {".pyc"}


def test_rules_that_are_not_those_of_the_session_are_named(tmp_path: Path) -> None:
    book = tmp_path / "book.toml"
    book.write_text("a = 1\n")
    files = {book: hashlib.sha256(b"a = 1\n").hexdigest()}
    assert self_check.check_rules(files).fault_code is None
    book.write_text("a = 2\n")
    found = self_check.check_rules(files)
    assert (found.fault_code, "book.toml" in found.text) == (SELF_CHECK_FAULT, True)


def test_a_directory_that_cannot_be_written_and_a_disk_that_fills_are_found(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    assert [found.fault_code for found in self_check.check_disk(tmp_path)] == [None]
    assert [found.fault_code for found in self_check.check_disk(tmp_path / "gone")] == [SELF_CHECK_FAULT]
    assert list(tmp_path.iterdir()) == []
    usage = shutil.disk_usage(tmp_path)
    mocker.patch.object(shutil, "disk_usage", return_value=usage._replace(free=49_000_000))
    assert [found.fault_code for found in self_check.check_disk(tmp_path)] == [DISK_LOW_FAULT]
    mocker.patch("os.fsync", side_effect=OSError(5, "Input/output error"))
    assert [found.fault_code for found in self_check.check_disk(tmp_path)] == [SELF_CHECK_FAULT]


def test_a_clock_that_was_never_set_is_found(tmp_path: Path) -> None:
    results = SelfCheck(tmp_path, {}, wall_clock=lambda: 3600.0).run()
    assert find_remaining_cause(results, CLOCK_UNSET_FAULT) == "clock: it says 1970-01-01 01:00 UTC"
    assert find_remaining_cause(results, SELF_CHECK_FAULT) is None


def test_a_table_without_any_deck_says_so_until_one_is_registered(tmp_path: Path) -> None:
    names: list[str] = []
    check = SelfCheck(tmp_path, {}, list_deck_names=lambda: names)
    assert find_remaining_cause(check.run(), DECK_UNREGISTERED_FAULT) is not None
    names.append("red")
    assert find_remaining_cause(check.run(), DECK_UNREGISTERED_FAULT) is None
    assert find_remaining_cause(SelfCheck(tmp_path, {}).run(), DECK_UNREGISTERED_FAULT) is None, (
        "a table without a shoe wants none"
    )

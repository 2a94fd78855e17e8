"""Releases: what is right is installed, and everything else is refused with a sentence, with nothing changed."""

import hashlib
import http.server
import io
import json
import shutil
import subprocess
import tarfile
import threading
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nacl.signing import SigningKey
from pytest_mock import MockerFixture

from config.table_file import load_table_file
from controller.app.releases.release_archive import (
    FORMAT_VERSION,
    MANIFEST_FILE,
    SIGNATURE_FILE,
    TAR_BLOCK_BYTES,
    ReleaseError,
    parse_version,
    read_release,
    write_release,
)
from controller.app.releases.release_installation import install, install_folder, roll_back
from controller.app.releases.release_keys import make_key_pair, read_private_key, read_public_key
from controller.app.releases.release_store import ReleaseStore
from controller.app.releases.release_verification import find_differences
from controller.app.releases.system_files import REQUIRED_UNIT, TARGET_BY_FILE, place_system_files
from controller.cli import main
from controller.runtime.service.table_activity import find_update_blocker
from controller.runtime.storage.state_directory import LOCK_FILE

ROOT = Path(__file__).parents[3]
KEY = SigningKey(bytes(range(32)))
OTHER = SigningKey(bytes(range(1, 33)))
FILES = {
    "requirements.txt": b"one==1.0 --hash=sha256:00\n",
    "wheels/table_controller-1.0.0-py3-none-any.whl": b"a wheel" * 300,
    "systemd/table-controller.service": b"[Unit]\n",
    "docs/installing.md": b"",
}


class World:
    """A maker of releases and a table."""

    def __init__(self, directory: Path, mocker: MockerFixture) -> None:
        self.directory = directory
        self.store = ReleaseStore(directory / "opt", directory / "updates/log.jsonl")
        self.prepared: list[Path] = []
        self.against: str | None = None
        mocker.patch("platform.machine", return_value="aarch64")
        mocker.patch("platform.python_version_tuple", return_value=("3", "11", "2"))

    def make_release(
        self, version: str = "1.0.0", key: SigningKey = KEY, machine: str = "aarch64", python: str = "3.11"
    ) -> Path:
        """Make a release."""
        folder = self.directory / f"folder-{version}"
        for name, data in FILES.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data + version.encode())
        archive = self.directory / f"{version}.tar"
        write_release(folder, version, machine, python, key, archive)
        return archive

    def install(self, archive: Path) -> str:
        return install(archive, KEY.verify_key, self.store, lambda: self.against, self.prepared.append)

    def check_install_refused(self, archive: Path) -> str:
        """Try to install; return the sentence, having seen that nothing has changed but the log."""
        before, lines = self.hash_files(), len(self.store.read_log())
        with pytest.raises(ReleaseError) as refused:
            self.install(archive)
        assert self.hash_files() == before
        assert str(self.store.read_log()[lines]["result"]) == f"refused: {refused.value}"
        return str(refused.value)

    def hash_files(self) -> dict[str, str]:
        """Everything under the prefix."""
        return {
            str(path.relative_to(self.store.prefix)): str(path.readlink())
            if path.is_symlink()
            else hashlib.sha256(path.read_bytes()).hexdigest()
            for path in self.store.prefix.rglob("*")
            if (path.is_symlink() or path.is_file()) and path.name != ".lock"
        }


@pytest.fixture
def world(tmp_path: Path, mocker: MockerFixture) -> World:
    return World(tmp_path, mocker)


def tar_of(members: list[tuple[tarfile.TarInfo, bytes]]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:", format=tarfile.GNU_FORMAT) as archive:
        for member, data in members:
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return out.getvalue()


def members_of(archive: Path) -> list[tuple[tarfile.TarInfo, bytes]]:
    with tarfile.open(archive) as opened:
        return [(member, b"" if (f := opened.extractfile(member)) is None else f.read()) for member in opened]


def rewritten(archive: Path, change: Callable[[list[tuple[tarfile.TarInfo, bytes]]], object]) -> Path:
    """Make another archive of the same members, after `change`."""
    members = members_of(archive)
    change(members)
    other = archive.with_suffix(".other.tar")
    other.write_bytes(tar_of(members))
    return other


def write_signed_archive(content: dict[str, Any], files: dict[str, bytes], directory: Path) -> Path:
    """Make an archive whose manifest says anything at all, rightly signed."""
    text = json.dumps(content).encode()
    signature = KEY.sign(b"table-controller release 1\n" + text).signature
    members = [(MANIFEST_FILE, text), (SIGNATURE_FILE, signature), *files.items()]
    path = directory / "made.tar"
    path.write_bytes(tar_of([(tarfile.TarInfo(name), data) for name, data in members]))
    return path


def content_of(named: dict[str, bytes], **other: Any) -> dict[str, Any]:  # noqa: ANN401 - anything
    listed = {name: {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data)} for name, data in named.items()}
    right = {"format": FORMAT_VERSION, "component": "table-controller", "version": "1.0.0", "machine": "aarch64"}
    return {**right, "python": "3.11", "files": listed, **other}


def test_a_release_is_installed_and_used(world: World) -> None:
    assert world.install(world.make_release("1.0.0")) == "1.0.0"
    folder = world.store.release_folder("1.0.0")
    assert world.prepared == [folder]
    assert (world.store.prefix / "current").resolve() == folder
    for name, data in FILES.items():
        assert (folder / name).read_bytes() == data + b"1.0.0"
    (line,) = world.store.read_log()
    assert line["result"] == "installed"
    assert {"start", "end", "component", "version", "signature", "who"} < set(line)
    assert len(str(line["signature"])) == 128


def test_the_previous_release_is_kept_and_gone_back_to(world: World) -> None:
    for version in ("1.0.0", "1.0.1", "1.1.0"):
        world.install(world.make_release(version))
    kept = ["1.0.0", "1.0.1", "1.1.0"]
    assert sorted(path.name for path in world.store.releases_folder.iterdir() if path.is_dir()) == kept
    assert roll_back(world.store, lambda: None) == "1.0.1"
    assert world.store.current_version() == "1.0.1"
    assert "1.1.0" in world.check_install_refused(world.make_release("1.0.2")), (
        "what it went back from is still the newest it had"
    )
    assert roll_back(world.store, lambda: None) == "1.1.0"
    assert world.install(world.make_release("1.2.0")) == "1.2.0"
    kept = ["1.0.1", "1.1.0", "1.2.0"]
    assert sorted(path.name for path in world.store.releases_folder.iterdir() if path.is_dir()) == kept


def test_no_way_back_from_the_first_or_in_mid_hand(world: World) -> None:
    with pytest.raises(ReleaseError, match="no previous release"):
        roll_back(world.store, lambda: None)
    for version in ("1.0.0", "1.0.1"):
        world.install(world.make_release(version))
    with pytest.raises(ReleaseError, match="a hand"):
        roll_back(world.store, lambda: "a hand is in progress: finish it first")
    assert world.store.current_version() == "1.0.1"


@pytest.mark.parametrize("version", ["1.0.0", "0.9.9", "0.10.0"])
def test_an_older_or_the_same_version_is_refused(world: World, version: str) -> None:
    world.install(world.make_release("1.0.0"))
    assert "only a newer one is installed" in world.check_install_refused(world.make_release(version))


def test_versions_are_numbers(world: World) -> None:
    world.install(world.make_release("1.9.0"))
    assert world.install(world.make_release("1.10.0")) == "1.10.0"
    for version in ("1.0", "1.0.0rc1", "01.0.0", "1.0.0/../../x", "-1.0.0", ""):
        with pytest.raises(ReleaseError, match="three numbers"):
            parse_version(version)


def test_a_release_in_mid_hand_is_refused(world: World) -> None:
    world.against = "a hand is in progress: finish it first"
    assert world.check_install_refused(world.make_release()) == world.against


def test_a_release_for_another_machine_is_refused(world: World) -> None:
    assert "this is aarch64 with Python 3.11" in world.check_install_refused(world.make_release(machine="x86_64"))
    assert "this is aarch64 with Python 3.11" in world.check_install_refused(world.make_release(python="3.13"))


def test_the_wrong_key_is_refused(world: World) -> None:
    assert "signature" in world.check_install_refused(world.make_release(key=OTHER))


def test_a_forged_manifest_is_refused(world: World) -> None:
    def forge(members: list[tuple[tarfile.TarInfo, bytes]]) -> None:
        members[0] = (members[0][0], members[0][1].replace(b'"1.0.0"', b'"2.0.0"'))

    assert "signature" in world.check_install_refused(rewritten(world.make_release(), forge))


def test_a_signature_of_another_length_is_refused(world: World) -> None:
    def cut(members: list[tuple[tarfile.TarInfo, bytes]]) -> None:
        members[1] = (members[1][0], members[1][1][:63])

    assert "signature" in world.check_install_refused(rewritten(world.make_release(), cut))


def test_a_changed_or_swapped_file_is_refused(world: World) -> None:
    def change(members: list[tuple[tarfile.TarInfo, bytes]]) -> None:
        members[3] = (members[3][0], members[3][1].replace(b"=", b"#", 1).replace(b"[", b"(", 1))

    def swap(members: list[tuple[tarfile.TarInfo, bytes]]) -> None:
        members[2], members[3] = (members[2][0], members[3][1]), (members[3][0], members[2][1])

    assert "is not the file that was signed" in world.check_install_refused(rewritten(world.make_release(), change))
    assert "is not the file that was signed" in world.check_install_refused(rewritten(world.make_release(), swap))


def test_a_missing_a_further_and_a_second_file_are_refused(world: World) -> None:
    archive = world.make_release()
    extra = tarfile.TarInfo("systemd/extra.service")
    assert "is missing" in world.check_install_refused(rewritten(archive, lambda members: members.pop()))
    assert "does not name" in world.check_install_refused(
        rewritten(archive, lambda members: members.append((extra, b"x")))
    )
    assert "twice" in world.check_install_refused(rewritten(archive, lambda members: members.append(members[-1])))


def test_links_and_folders_are_refused(world: World) -> None:
    archive = world.make_release()
    for kind in (
        tarfile.SYMTYPE,
        tarfile.LNKTYPE,
        tarfile.DIRTYPE,
        tarfile.CHRTYPE,
        tarfile.FIFOTYPE,
        tarfile.AREGTYPE,
    ):

        def put(members: list[tuple[tarfile.TarInfo, bytes]], kind: bytes = kind) -> None:
            members[2][0].type, members[2][0].linkname = kind, "/etc/passwd"

        assert "no plain file" in world.check_install_refused(rewritten(archive, put))


@pytest.mark.parametrize(
    "name",
    ["/etc/passwd", "../../etc/cron.d/x", "wheels/../../x", "wheels//x", "wheels/./x", "wheels/...", "x", "bin/x",
     "wheels/a b", "wheels/a\\b", "wheels/" + "x" * 100, "requirements.txt/x", ""],
)  # fmt: skip
def test_even_a_signed_manifest_reaches_no_other_place(world: World, name: str) -> None:
    files = {"requirements.txt": b"", name: b"x"}
    archive = write_signed_archive(content_of(files), files, world.directory)
    assert "called" in world.check_install_refused(archive) or name == ""
    assert not (world.directory / "etc").exists()


@pytest.mark.parametrize(
    ("platforms", "kept"),
    [
        ("manylinux2014_aarch64.manylinux_2_17_aarch64", "manylinux2014_aarch64.manylinux_2_17_aarch64"),
        (
            "manylinux2014_aarch64.manylinux_2_17_aarch64.manylinux_2_28_aarch64.musllinux_1_2_aarch64",
            "manylinux2014_aarch64.manylinux_2_17_aarch64",
        ),
    ],
)
def test_a_wheel_that_names_many_platforms_gets_a_name_that_a_release_may_hold(
    world: World, platforms: str, kept: str
) -> None:
    """As `make release` for a Pi did not: 102 characters, and no release."""
    wheels, folder = world.directory / "built", world.directory / "gathered"
    wheels.mkdir()
    plain = "tomli-2.3.2-py2.py3-none-any.whl"
    for name in (f"tomli-2.3.2-cp311-cp311-{platforms}.whl", plain):
        (wheels / name).write_bytes(name.encode())
    subprocess.run([ROOT / "systemd/gather", wheels, folder], check=True)
    write_release(folder, "1.0.0", "aarch64", "3.11", KEY, world.directory / "1.0.0.tar")
    wanted = f"tomli-2.3.2-cp311-cp311-{kept}.whl"
    assert sorted(path.name for path in (folder / "wheels").iterdir()) == [wanted, plain]
    assert (folder / "wheels" / wanted).read_bytes().decode().endswith(f"{platforms}.whl")
    with (world.directory / "1.0.0.tar").open("rb") as archive:
        assert f"wheels/{wanted}" in read_release(archive, KEY.verify_key).manifest.files


@pytest.mark.parametrize(
    "other",
    [
        {"format": 2}, {"component": "other"}, {"version": "1"}, {"files": {}}, {"files": []}, {"files": None},
        {"files": {"requirements.txt": {"sha256": "", "size": -1}}}, {"files": {"requirements.txt": 7}},
    ],
)  # fmt: skip
def test_a_signed_mistake_is_refused(world: World, other: dict[str, Any]) -> None:
    archive = write_signed_archive(content_of({}, **other), {}, world.directory)
    assert world.check_install_refused(archive)


def test_every_cut_of_an_archive_is_refused(world: World) -> None:
    archive = world.make_release()
    whole = archive.read_bytes()
    end = (
        sum(TAR_BLOCK_BYTES + -(-len(data) // TAR_BLOCK_BYTES) * TAR_BLOCK_BYTES for _, data in members_of(archive))
        + 2 * TAR_BLOCK_BYTES
    )
    assert read_release(io.BytesIO(whole[:end]), KEY.verify_key)
    for length in [*range(0, end, 97), end - 1, end - TAR_BLOCK_BYTES]:
        with pytest.raises(ReleaseError):
            read_release(io.BytesIO(whole[:length]), KEY.verify_key)


@settings(max_examples=300, deadline=None)
@given(place=st.integers(0, 10_000_000), value=st.integers(1, 255))
def test_no_flipped_byte_is_installed(place: int, value: int) -> None:
    whole = bytearray(WHOLE)
    whole[place % len(whole)] ^= value
    try:
        release = read_release(io.BytesIO(bytes(whole)), KEY.verify_key)
    except ReleaseError:
        return
    # What stands for nothing may change: padding, and what a tar says besides name and size.
    assert release.manifest == read_release(io.BytesIO(WHOLE), KEY.verify_key).manifest


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=3 * TAR_BLOCK_BYTES))
def test_no_other_file_is_taken_for_a_release(data: bytes) -> None:
    with pytest.raises(ReleaseError):
        read_release(io.BytesIO(data), KEY.verify_key)


def _make_archive() -> bytes:
    files = {name: data[:700] for name, data in FILES.items()}
    text = json.dumps(content_of(files)).encode()
    signature = KEY.sign(b"table-controller release 1\n" + text).signature
    members = [(MANIFEST_FILE, text), (SIGNATURE_FILE, signature), *files.items()]
    return tar_of([(tarfile.TarInfo(name), data) for name, data in members])


WHOLE = _make_archive()


def test_an_archive_that_cannot_be_read_is_refused(world: World) -> None:
    assert "cannot be read" in world.check_install_refused(world.directory / "none.tar")


def test_what_cannot_be_prepared_leaves_nothing(world: World) -> None:
    world.install(world.make_release("1.0.0"))

    def fail(folder: Path) -> None:
        (folder / "venv").mkdir()
        raise ReleaseError("its programs could not be installed: no such wheel")

    before = world.hash_files()
    with pytest.raises(ReleaseError, match="no such wheel"):
        install(world.make_release("1.0.1"), KEY.verify_key, world.store, lambda: None, fail)
    assert world.hash_files() == before
    assert world.install(world.make_release("1.0.1")) == "1.0.1"


def test_what_a_cut_of_the_power_left_half_unpacked_is_no_hindrance(world: World) -> None:
    (world.store.release_folder("1.0.0") / "wheels").mkdir(parents=True)
    assert world.install(world.make_release("1.0.0")) == "1.0.0"


def test_a_damaged_log_stops_updates(world: World) -> None:
    world.install(world.make_release("1.0.0"))
    world.store.log_file.write_text("{", encoding="ascii")
    with pytest.raises(ReleaseError, match="cannot be read"):
        world.install(world.make_release("1.0.1"))
    assert world.store.current_version() == "1.0.0"


def test_two_updates_at_once_are_refused(world: World) -> None:
    with world.store.lock(), pytest.raises(ReleaseError, match="another update"):
        world.install(world.make_release())


def test_a_folder_built_here_is_placed(world: World) -> None:
    world.make_release("1.0.0")
    folder = world.directory / "folder-1.0.0"
    for _ in range(2):
        install_folder(folder, "1.0.0", world.store, lambda: None, world.prepared.append)
    assert world.store.current_version() == "1.0.0"
    assert world.store.read_log()[-1]["signature"] == "built here"


def wheel_of(path: Path, files: dict[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w") as wheel:
        for name, data in files.items():
            wheel.writestr(name, data)


def test_an_installed_release_is_compared_with_what_was_signed(world: World) -> None:
    files = {"one/__init__.py": b"x = 1\n", "one-1.0.dist-info/METADATA": b"", "one-1.0.dist-info/RECORD": b"before"}

    def prepare(folder: Path) -> None:
        for name, data in {**files, "one-1.0.dist-info/RECORD": b"after", "one/__pycache__/x.pyc": b""}.items():
            path = folder / "venv/lib/python3.11/site-packages" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)

    world.make_release()
    wheel = world.directory / "folder-1.0.0/wheels/table_controller-1.0.0-py3-none-any.whl"
    wheel_of(wheel, files)
    archive = world.directory / "1.0.0.tar"
    write_release(wheel.parents[1], "1.0.0", "aarch64", "3.11", KEY, archive)
    install(archive, KEY.verify_key, world.store, lambda: None, prepare)
    folder = world.store.release_folder("1.0.0")
    packages = folder / "venv/lib/python3.11/site-packages"
    assert find_differences(folder, KEY.verify_key) == ("1.0.0", [])
    with pytest.raises(ReleaseError, match="signature"):
        find_differences(folder, OTHER.verify_key)

    def list_differences() -> list[str]:
        return find_differences(folder, KEY.verify_key)[1]

    (packages / "one/__init__.py").write_bytes(b"x = 2\n")
    assert list_differences() == ["one/__init__.py is not that of table_controller-1.0.0-py3-none-any.whl"]
    (packages / "one/__init__.py").unlink()
    assert list_differences() == ["one/__init__.py is not that of table_controller-1.0.0-py3-none-any.whl"]
    (packages / "one/__init__.py").write_bytes(b"x = 1\n")
    (packages / "more.pth").write_bytes(b"import more")
    assert list_differences() == ["more.pth is of no wheel"]
    (packages / "more.pth").unlink()
    (folder / "systemd/more.service").write_bytes(b"")
    assert list_differences() == ["systemd/more.service was not signed"]
    (folder / "systemd/more.service").unlink()
    (folder / "docs/installing.md").write_bytes(b"other")
    assert list_differences() == ["docs/installing.md is another"]
    (folder / "docs/installing.md").unlink()
    assert list_differences() == ["docs/installing.md is missing"]
    (folder / "manifest.sig").unlink()
    with pytest.raises(ReleaseError, match="no signed list"):
        list_differences()


def test_system_files_have_their_places(tmp_path: Path) -> None:
    source = Path(__file__).parents[3] / "systemd"
    placed = place_system_files(source, tmp_path)
    assert len(placed) == len(TARGET_BY_FILE)
    assert (tmp_path / "etc/systemd/system/table-controller.service").is_file()
    assert (tmp_path / "usr/lib/sysusers.d/table-controller.conf").is_file()
    assert (tmp_path / "etc/sysctl.d/70-table-controller.conf").is_file()
    assert (tmp_path / "etc/systemd/journald.conf.d/table-journal.conf").is_file()
    assert not list(tmp_path.rglob(".*")), "nothing half written is left"
    shipped = {path.name for path in source.iterdir() if path.is_file() and path.suffix}
    assert shipped == set(TARGET_BY_FILE), "what ships has a place, and nothing else has"


def test_a_release_that_is_older_than_a_unit_leaves_it_as_it_is(tmp_path: Path) -> None:
    """Else there were no way back: the release was in use again by then, and its units were not."""
    old, root = tmp_path / "old", tmp_path / "root"
    shutil.copytree(Path(__file__).parents[3] / "systemd", old)
    place_system_files(old, root)
    for name in ("table-certificate.path", "table-certificate.service"):
        (old / name).unlink()
    assert len(place_system_files(old, root)) == len(TARGET_BY_FILE) - 2
    assert (root / "etc/systemd/system/table-certificate.path").is_file()
    (old / REQUIRED_UNIT).unlink()
    with pytest.raises(ReleaseError, match="No such file"):
        place_system_files(old, root)


def test_keys_are_made_once(tmp_path: Path) -> None:
    public = make_key_pair(tmp_path / "release.key")
    assert (tmp_path / "release.key").stat().st_mode & 0o777 == 0o600
    assert read_private_key(tmp_path / "release.key").verify_key == read_public_key(public)
    with pytest.raises(ReleaseError, match="never written over"):
        make_key_pair(tmp_path / "release.key")
    for text in ("", "zz", "00" * 31):
        public.write_text(text, encoding="ascii")
        with pytest.raises(ReleaseError, match="holds no public key"):
            read_public_key(public)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str], world: World) -> None:
    world.make_release("1.0.0")
    key, archive = tmp_path / "release.key", tmp_path / "release.tar"
    assert main(["release", "key", str(key)]) == 0
    sign = ["release", "sign", str(tmp_path / "folder-1.0.0"), "--version", "1.2.3", "--machine", "aarch64"]
    assert main([*sign, "--python", "3.11", "--key", str(key), "--output", str(archive)]) == 0
    capsys.readouterr()
    assert main(["release", "verify", str(archive), "--key", str(key.with_suffix(".pub"))]) == 0
    assert "whole and signed: version 1.2.3" in capsys.readouterr().out
    archive.write_bytes(archive.read_bytes()[:3000])
    assert main(["release", "verify", str(archive), "--key", str(key.with_suffix(".pub"))]) == 1
    assert capsys.readouterr().err.startswith("tablectl release verify: ")
    assert main(["release", "log", "--log", str(tmp_path / "none")]) == 0


class Page(http.server.BaseHTTPRequestHandler):
    """A table's page that says a phase."""

    phase = "idle"

    def do_GET(self) -> None:
        body = json.dumps({"table": {"phase": self.phase}}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def page() -> Iterator[http.server.HTTPServer]:
    with http.server.HTTPServer(("127.0.0.1", 0), Page) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_whether_a_table_may_be_disturbed(tmp_path: Path, page: http.server.HTTPServer, mocker: MockerFixture) -> None:
    import fcntl

    from config.table_file import DEMO_FILE

    state = tmp_path / "state"
    text = DEMO_FILE.read_text(encoding="utf-8").replace('"var/demo"', f'"{state}"')
    path = tmp_path / "table.toml"
    path.write_text(text.replace("port = 8080", f"port = {page.server_port}"), encoding="utf-8")
    file = load_table_file(path)
    assert find_update_blocker(file) is None, "it has never run"
    state.mkdir()
    with (state / LOCK_FILE).open("w") as lock:
        assert find_update_blocker(file) is None, "it does not run"
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert find_update_blocker(file) is None, "it runs, and no hand is on"
        mocker.patch.object(Page, "phase", "deal")
        assert find_update_blocker(file) == "a hand is in progress: finish it first"
        page.server_close()
        assert "does not say" in str(find_update_blocker(file))
    (state / "hand.key").write_bytes(b"")
    assert find_update_blocker(file) is None
    (state / "hand.key").write_bytes(b"x" * 32)
    assert find_update_blocker(file) == "a hand is in progress: finish it first", (
        "also when it was switched off in mid-hand"
    )

"""Size, list and headers of what is handed over are looked at before a byte of it is copied or unpacked."""

import io
import json
import os
import socket
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from pytest_mock import MockerFixture

from controller.app.releases import release_installation
from controller.app.releases.release_archive import (
    MANIFEST_FILE,
    MAX_ARCHIVE_BYTES,
    MAX_FILES,
    SIGNATURE_FILE,
    ReleaseError,
    read_outline,
)
from controller.app.releases.release_installation import MAX_INSTALLED_BYTES, build_venv
from controller.app.releases.requested_release import read_requested_release
from controller.cli import main
from controller.runtime.storage.plain_file import RESERVED_BYTES, copy_bytes, measure_folder, open_plain_file
from tests.app.release.test_release import KEY, World, content_of, rewritten, tar_of, write_signed_archive

GIBIBYTE = 1 << 30


@pytest.fixture
def world(tmp_path: Path, mocker: MockerFixture) -> World:
    return World(tmp_path, mocker)


@pytest.fixture
def forbid_copying(mocker: MockerFixture) -> None:
    mocker.patch.object(release_installation, "copy_bytes", side_effect=AssertionError("a byte was copied"))


def give_free_space(mocker: MockerFixture, free: int) -> None:
    mocker.patch("shutil.disk_usage", return_value=SimpleNamespace(free=free))


def _make_socket_file(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(path))


@pytest.mark.usefixtures("forbid_copying")
def test_a_file_that_is_too_large_is_refused_at_once(world: World) -> None:
    archive = world.make_release()
    os.truncate(archive, 2 * GIBIBYTE)  # sparse: it has the size and not the blocks
    assert world.check_install_refused(archive) == "it has 2147 MB; a release has 1073 at most"
    os.truncate(archive, MAX_ARCHIVE_BYTES)
    assert world.check_install_refused(archive) == "something stands after its end, which nobody signed"


@pytest.mark.usefixtures("forbid_copying")
@pytest.mark.parametrize("tail", [b"\0" * 20_000, b"x"], ids=["zeros", "a byte"])
def test_what_stands_after_the_end_is_no_release(world: World, tail: bytes) -> None:
    archive = world.make_release()
    whole = archive.read_bytes().rstrip(b"\0")
    archive.write_bytes(whole + b"\0" * (1024 + -len(whole) % 512) + tail)
    assert world.check_install_refused(archive) == "something stands after its end, which nobody signed"


@pytest.mark.usefixtures("forbid_copying")
@pytest.mark.parametrize(
    ("make", "words"),
    [
        (os.mkfifo, "it is a pipe, and a plain file is wanted"),
        (os.mkdir, "it is a folder, and a plain file is wanted"),
        (lambda path: os.symlink("/dev/zero", path), "it is a device, and a plain file is wanted"),
        (_make_socket_file, "it is a socket, and a plain file is wanted"),
        (lambda path: os.symlink("/nowhere", path), "No such file or directory"),
    ],
    ids=["pipe", "folder", "device", "socket", "nothing"],
)
def test_only_a_plain_file_is_opened(
    world: World, make: Callable[[Path], object], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    archive = world.directory / "x.tar"
    make(archive)
    assert world.check_install_refused(archive) == f"{archive} cannot be read: {words}"
    assert main(["release", "verify", str(archive), "--key", "/nowhere"]) == 1
    assert f"{archive} cannot be read: {words}" in capsys.readouterr().err


def test_what_the_table_left_for_root_is_a_plain_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "release.wanted")
    with pytest.raises(ReleaseError, match="cannot be read"):
        read_requested_release(tmp_path / "release.wanted", tmp_path)


@pytest.mark.usefixtures("forbid_copying")
def test_a_list_that_lies_about_a_size_is_refused_before_anything_is_copied(world: World) -> None:
    files = {"requirements.txt": b"x", "docs/a": b"twelve bytes"}
    for lie in (0, 11, 13, 1 << 27):
        content = content_of(files)
        content["files"]["docs/a"]["size"] = lie
        archive = write_signed_archive(content, files, world.directory)
        assert world.check_install_refused(archive) == "docs/a is not the file that was signed"
    content["files"]["docs/a"]["size"] = 1 << 40
    assert "larger than a file" in world.check_install_refused(write_signed_archive(content, files, world.directory))


@pytest.mark.usefixtures("forbid_copying")
def test_a_header_that_lies_about_a_size_is_refused_before_anything_is_copied(world: World) -> None:
    def claim(members: list[tuple[tarfile.TarInfo, bytes]]) -> None:
        members.append((tarfile.TarInfo("docs/more"), b""))

    archive = rewritten(world.make_release(), claim)
    assert "does not name" in world.check_install_refused(archive)
    data = bytearray(world.make_release().read_bytes())
    place = data.index(b"docs/installing.md", 2048)
    data[place + 124 : place + 136] = b"%011o\0" % (1 << 20)
    data[place + 148 : place + 156] = b" " * 8
    data[place + 148 : place + 156] = b"%06o\0 " % sum(data[place : place + 512])
    archive.write_bytes(data)
    assert world.check_install_refused(archive) == "docs/installing.md is not the file that was signed"


class CountedFile(io.BytesIO):
    """Counts what is read of it."""

    taken = 0

    def read(self, size: int | None = -1, /) -> bytes:
        found = super().read(size)
        self.taken += len(found)
        return found


def test_of_a_strangers_archive_two_headers_are_read_and_the_list() -> None:
    members = [(tarfile.TarInfo(MANIFEST_FILE), b"{}"), (tarfile.TarInfo(SIGNATURE_FILE), bytes(64))]
    members += [(tarfile.TarInfo(f"docs/{number}"), b"") for number in range(20_000)]
    archive = CountedFile(tar_of(members))
    with pytest.raises(ReleaseError, match="signature"):
        read_outline(archive, KEY.verify_key)
    assert archive.taken <= 2 * 512 + 2 + 64


@pytest.mark.usefixtures("forbid_copying")
def test_many_small_files_are_no_release(world: World) -> None:
    named = {"requirements.txt": b"", **{f"docs/{number}": b"" for number in range(MAX_FILES)}}
    content = content_of(named)
    content["files"] = {name: {"sha256": "0", "size": 0} for name in named}
    archive = write_signed_archive(content, {}, world.directory)
    assert world.check_install_refused(archive) == f"it has {MAX_FILES + 1} files; a release has {MAX_FILES} at most"


@pytest.mark.usefixtures("forbid_copying")
def test_a_list_that_says_something_twice_is_refused(world: World) -> None:
    text = json.dumps(content_of({"requirements.txt": b""})).replace('"version": "1.0.0"', '"version": "1.0.0", ' * 2)
    text = text.replace(", ,", ",")
    signature = KEY.sign(b"table-controller release 1\n" + text.encode()).signature
    archive = world.directory / "twice.tar"
    members = [(MANIFEST_FILE, text.encode()), (SIGNATURE_FILE, signature)]
    archive.write_bytes(tar_of([(tarfile.TarInfo(name), data) for name, data in members]))
    assert 'something twice: the key "version" stands twice, at column' in world.check_install_refused(archive)


@pytest.mark.usefixtures("forbid_copying")
def test_the_card_is_asked_for_room(world: World, mocker: MockerFixture) -> None:
    archive = world.make_release()
    size, files = (
        archive.stat().st_size,
        sum(path.stat().st_size for path in (world.directory / "folder-1.0.0").rglob("*.*")),
    )
    give_free_space(mocker, RESERVED_BYTES + size + files - 1)
    said = world.check_install_refused(archive)
    assert said.startswith(f"the disk of {world.store.releases_folder} has 200 MB free; 0 MB are wanted")
    assert said.endswith("and 200 MB stay free: make room")


def test_what_an_unused_release_takes_counts_as_room(world: World, mocker: MockerFixture) -> None:
    for version in ("1.0.0", "1.1.0", "1.2.0"):
        world.install(world.make_release(version))
    assert world.store.measure_unused() > 0
    archive = world.make_release("1.3.0")
    give_free_space(mocker, RESERVED_BYTES + archive.stat().st_size)
    assert world.install(archive) == "1.3.0"
    assert not world.store.release_folder("1.0.0").exists()


def test_no_more_is_copied_than_was_looked_at() -> None:
    target = io.BytesIO()
    copy_bytes(io.BytesIO(b"abcdef"), target, 4)
    assert target.getvalue() == b"abcd"


def make_wheel_folder(tmp_path: Path, unpacked: int) -> Path:
    wheels = tmp_path / "release/wheels"
    wheels.mkdir(parents=True)
    with zipfile.ZipFile(wheels / "table_controller-1.0.0-py3-none-any.whl", "w", zipfile.ZIP_DEFLATED) as wheel:
        with wheel.open("zeros", "w", force_zip64=True) as inside:
            inside.write(bytes(1 << 20))
        wheel.filelist[0].file_size = unpacked  # what it will say of itself
    return tmp_path / "release"


def test_wheels_that_unpack_to_too_much_are_not_installed(tmp_path: Path, mocker: MockerFixture) -> None:
    run = mocker.patch("subprocess.run")
    with pytest.raises(ReleaseError, match="its wheels have 2147 MB when unpacked; those of a release"):
        build_venv(make_wheel_folder(tmp_path / "bomb", MAX_INSTALLED_BYTES + 1), ())
    give_free_space(mocker, RESERVED_BYTES + (1 << 20))
    with pytest.raises(ReleaseError, match="2 MB are wanted"):
        build_venv(make_wheel_folder(tmp_path / "full", 1 << 20), ())
    (tmp_path / "none/wheels").mkdir(parents=True)
    (tmp_path / "none/wheels/table_controller-1.0.0-py3-none-any.whl").write_bytes(b"no wheel")
    with pytest.raises(ReleaseError, match="is no wheel, or it is damaged"):
        build_venv(tmp_path / "none", ())
    run.assert_not_called()


def test_a_folder_is_measured_and_may_hold_files_alone(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a").write_bytes(b"12345")
    assert measure_folder(tmp_path) == 5
    os.mkfifo(tmp_path / "in/pipe")
    with pytest.raises(OSError, match="it is a pipe"):
        measure_folder(tmp_path)
    (tmp_path / "in/pipe").unlink()
    (tmp_path / "link").symlink_to("/etc/passwd")
    with pytest.raises(OSError, match="it is a link"):
        measure_folder(tmp_path)


def test_a_file_that_is_exchanged_for_a_pipe_is_not_waited_at(tmp_path: Path, mocker: MockerFixture) -> None:
    os.mkfifo(tmp_path / "pipe")
    mocker.patch("os.stat", return_value=os.stat(__file__))
    with pytest.raises(OSError, match="it is a pipe"):
        open_plain_file(tmp_path / "pipe")


def test_a_list_of_cards_without_end_is_not_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deck", "import", "blue", "/dev/zero", "--state", str(tmp_path)]) == 1
    assert "/dev/zero has more than 1000 kB; a list of cards has a few" in capsys.readouterr().err

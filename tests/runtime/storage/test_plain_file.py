"""What is handed over is copied as far as it was measured, is a plain file, and leaves room for the journal."""

import io
import os
import shutil
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.runtime.storage.atomic_file import write_at_offset, write_atomically
from controller.runtime.storage.plain_file import (
    COPY_CHUNK_BYTES,
    RESERVED_BYTES,
    copy_bytes,
    find_space_problem,
    format_megabytes,
    measure_folder,
    open_plain_file,
)

SIZES = (0, 1, COPY_CHUNK_BYTES - 1, COPY_CHUNK_BYTES, COPY_CHUNK_BYTES + 1, 3 * COPY_CHUNK_BYTES)


@pytest.mark.parametrize("there", SIZES)
@pytest.mark.parametrize("wanted", SIZES)
def test_no_more_is_copied_than_was_wanted_and_is_there(there: int, wanted: int) -> None:
    data = (b"0123456789" * (there // 10 + 1))[:there]
    source, target = io.BytesIO(data), io.BytesIO()
    copy_bytes(source, target, wanted)
    assert target.getvalue() == data[:wanted]
    assert source.tell() == min(there, wanted)


def test_a_folder_is_as_large_as_its_files_and_has_nothing_else_in_it(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "one").write_bytes(b"x" * 10)
    (tmp_path / "two").write_bytes(b"x" * 7)
    assert measure_folder(tmp_path) == 17
    (tmp_path / "link").symlink_to(tmp_path / "two")
    with pytest.raises(OSError, match="it is a link, and a plain file is wanted"):
        measure_folder(tmp_path)
    (tmp_path / "link").unlink()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="it is a pipe, and a plain file is wanted"):
        measure_folder(tmp_path)


def test_what_is_no_file_is_named_and_not_waited_at(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, kind in ((tmp_path, "a folder"), (tmp_path / "pipe", "a pipe"), (Path("/dev/null"), "a device")):
        with pytest.raises(OSError, match=f"it is {kind}, and a plain file is wanted"):
            open_plain_file(path)
    (tmp_path / "file").write_bytes(b"said")
    with open_plain_file(tmp_path / "file") as file:
        assert file.read() == b"said"
    with pytest.raises(FileNotFoundError):
        open_plain_file(tmp_path / "none")


@pytest.mark.parametrize(("wanted", "fits"), [(0, True), (1_000_000, True), (1_000_001, False)])
def test_what_is_copied_leaves_the_journal_its_room(
    wanted: int, fits: bool, tmp_path: Path, mocker: MockerFixture
) -> None:
    usage = shutil.disk_usage(tmp_path)._replace(free=RESERVED_BYTES + 1_000_000)
    mocker.patch.object(shutil, "disk_usage", return_value=usage)
    problem = find_space_problem(tmp_path, wanted)
    assert (problem is None) is fits
    if problem is not None:
        assert problem == (f"the disk of {tmp_path} has 201 MB free; 1 MB are wanted, and 200 MB stay free: make room")


@pytest.mark.parametrize(("size", "text"), [(0, "0 MB"), (499_999, "0 MB"), (1_500_001, "2 MB"), (10**9, "1000 MB")])
def test_megabytes_are_said_round(size: int, text: str) -> None:
    assert format_megabytes(size) == text


def test_a_small_file_is_put_there_whole_with_its_mode_whatever_was_there(tmp_path: Path) -> None:
    path = tmp_path / "key"
    for data, mode in ((b"first and long", 0o600), (b"second", 0o640), (b"", 0o600)):
        write_atomically(path, data, mode=mode)
        assert (path.read_bytes(), path.stat().st_mode & 0o777) == (data, mode)
    write_atomically(path, b"third")
    assert path.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["key"]


def test_what_the_system_takes_in_parts_is_written_whole(tmp_path: Path, mocker: MockerFixture) -> None:
    write = os.pwrite
    mocker.patch("os.pwrite", lambda handle, data, at: write(handle, data[:3], at))
    handle = os.open(tmp_path / "file", os.O_RDWR | os.O_CREAT)
    try:
        write_at_offset(handle, b"0123456789", 4)
        write_at_offset(handle, b"ab", 0)
    finally:
        os.close(handle)
    assert (tmp_path / "file").read_bytes() == b"ab\0\x000123456789"

"""The room's own releases: what has their shape is kept under the name that its manifest gives, and nothing else."""

import io
import os
import tarfile
from pathlib import Path
from types import SimpleNamespace

import pytest
from pytest_mock import MockerFixture

from controller.room_contract import artifact
from controller.runtime.storage.plain_file import RESERVED_BYTES
from room.fleet import release_library
from room.fleet.release_library import MAX_RELEASES, ReleaseFileError, ReleaseLibrary
from tests.room.fleet.archive_maker import make_release_archive

NAME = "table-controller-1.4.0-aarch64.tar"


def test_a_signed_release_is_kept_by_its_own_name_and_sent_as_it_is(tmp_path: Path) -> None:
    kept = ReleaseLibrary(tmp_path)
    path = make_release_archive(tmp_path, "1.4.0", size=600_000)
    assert kept.list_names() == []
    assert kept.add(path) == NAME
    assert kept.list_names() == [NAME]
    told = kept.make_artifact(NAME)
    pieces = [kept.read_chunk(NAME, at) for at in range(0, told.size_bytes, artifact.CHUNK_BYTES)]
    assert b"".join(pieces) == path.read_bytes()
    assert all(told.is_chunk(number * artifact.CHUNK_BYTES, piece) for number, piece in enumerate(pieces))
    assert kept.make_artifact(NAME) is told, "its hashes are taken once"
    path.write_bytes(make_release_archive(tmp_path, "1.4.1").read_bytes())
    kept.add(path)
    kept.remove(NAME)
    assert kept.list_names() == [NAME.replace("1.4.0", "1.4.1")]


def test_no_more_than_a_few_are_kept(tmp_path: Path) -> None:
    kept = ReleaseLibrary(tmp_path)
    for number in range(MAX_RELEASES):
        kept.add(make_release_archive(tmp_path, f"1.{number}.0"))
    with pytest.raises(ReleaseFileError, match="release remove"):
        kept.add(make_release_archive(tmp_path, "2.0.0"))
    kept.add(tmp_path / "made-1.0.0.tar")
    assert len(kept.list_names()) == MAX_RELEASES


def test_a_release_is_a_plain_file_and_the_rooms_disk_is_asked(tmp_path: Path, mocker: MockerFixture) -> None:
    kept = ReleaseLibrary(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ReleaseFileError, match="it is a pipe, and a plain file is wanted"):
        kept.add(tmp_path / "pipe")
    large = make_release_archive(tmp_path, "1.4.0")
    mocker.patch("shutil.disk_usage", return_value=SimpleNamespace(free=RESERVED_BYTES))
    with pytest.raises(ReleaseFileError, match="200 MB stay free: make room"):
        kept.add(large)
    assert not [*(tmp_path / release_library.RELEASES_FOLDER).iterdir()]
    os.truncate(large, 2 << 30)  # sparse
    with pytest.raises(ReleaseFileError, match="has 2147 MB; a release has 419 at most"):
        kept.add(large)


def test_what_is_no_release_is_refused_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = ReleaseLibrary(tmp_path)
    wrong = tmp_path / "wrong.tar"

    def members(*found: tuple[str, bytes]) -> None:
        with tarfile.open(wrong, "w") as opened:
            for name, data in found:
                member = tarfile.TarInfo(name)
                member.size = len(data)
                opened.addfile(member, io.BytesIO(data))

    wrong.write_bytes(b"no archive" * 100)
    with pytest.raises(ReleaseFileError, match="damaged"):
        kept.add(wrong)
    members(("manifest.json", b"{}"))
    with pytest.raises(ReleaseFileError, match="no signed release"):
        kept.add(wrong)
    members(("manifest.json", b"{}"), ("manifest.sig", b"s" * 64))
    with pytest.raises(ReleaseFileError, match="damaged"):
        kept.add(wrong)
    members(("manifest.json", b'{"component":"../x","version":"1.4.0","machine":"a"}'), ("manifest.sig", b"s" * 64))
    with pytest.raises(ReleaseFileError, match="does not say what it is"):
        kept.add(wrong)
    with pytest.raises(ReleaseFileError, match="cannot be read"):
        kept.add(tmp_path / "absent")
    monkeypatch.setattr(release_library, "MAX_ARTIFACT_BYTES", 5)
    with pytest.raises(ReleaseFileError, match="at most"):
        kept.add(wrong)
    assert kept.list_names() == []

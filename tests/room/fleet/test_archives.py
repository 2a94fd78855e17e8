"""The room's own releases: what has their shape is kept under the name that its manifest gives, and nothing else."""

import io
import tarfile
from pathlib import Path

import pytest

from room.contract import parcel
from room.fleet import archives
from room.fleet.archives import MOST, Archives, BadArchive
from tests.room.fleet.archive_maker import made

NAME = "table-controller-1.4.0-aarch64.tar"


def test_a_signed_release_is_kept_by_its_own_name_and_sent_as_it_is(tmp_path: Path) -> None:
    kept = Archives(tmp_path)
    path = made(tmp_path, "1.4.0", size=600_000)
    assert kept.names() == []
    assert kept.add(path) == NAME
    assert kept.names() == [NAME]
    told = kept.parcel(NAME)
    pieces = [kept.piece(NAME, at) for at in range(0, told.size, parcel.PIECE_BYTES)]
    assert b"".join(pieces) == path.read_bytes()
    assert all(told.holds(number * parcel.PIECE_BYTES, piece) for number, piece in enumerate(pieces))
    assert kept.parcel(NAME) is told, "its hashes are taken once"
    path.write_bytes(made(tmp_path, "1.4.1").read_bytes())
    kept.add(path)
    kept.remove(NAME)
    assert kept.names() == [NAME.replace("1.4.0", "1.4.1")]


def test_no_more_than_a_few_are_kept(tmp_path: Path) -> None:
    kept = Archives(tmp_path)
    for number in range(MOST):
        kept.add(made(tmp_path, f"1.{number}.0"))
    with pytest.raises(BadArchive, match="release remove"):
        kept.add(made(tmp_path, "2.0.0"))
    kept.add(tmp_path / "made-1.0.0.tar")
    assert len(kept.names()) == MOST


def test_what_is_no_release_is_refused_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Archives(tmp_path)
    wrong = tmp_path / "wrong.tar"

    def members(*found: tuple[str, bytes]) -> None:
        with tarfile.open(wrong, "w") as opened:
            for name, data in found:
                member = tarfile.TarInfo(name)
                member.size = len(data)
                opened.addfile(member, io.BytesIO(data))

    wrong.write_bytes(b"no archive" * 100)
    with pytest.raises(BadArchive, match="damaged"):
        kept.add(wrong)
    members(("manifest.json", b"{}"))
    with pytest.raises(BadArchive, match="no signed release"):
        kept.add(wrong)
    members(("manifest.json", b"{}"), ("manifest.sig", b"s" * 64))
    with pytest.raises(BadArchive, match="damaged"):
        kept.add(wrong)
    members(("manifest.json", b'{"component":"../x","version":"1.4.0","machine":"a"}'), ("manifest.sig", b"s" * 64))
    with pytest.raises(BadArchive, match="does not say what it is"):
        kept.add(wrong)
    with pytest.raises(BadArchive, match="cannot be read"):
        kept.add(tmp_path / "absent")
    monkeypatch.setattr(archives, "MOST_BYTES", 5)
    with pytest.raises(BadArchive, match="at most"):
        kept.add(wrong)
    assert kept.names() == []

"""The uplink's folder: a release is whole there or not at all, whatever comes, and what is there stays small."""

import json
import resource
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.room_contract.artifact import CHUNK_BYTES, MAX_ARTIFACT_BYTES, Artifact, Chunk
from controller.room_contract.table_request import MessageFormatError
from controller.uplink import fetched_releases
from controller.uplink.fetched_releases import (
    EXPECTED_FILE,
    MAX_KEPT_RELEASES,
    PARTIAL_FILE,
    FetchedReleases,
    FetchRefusedError,
)
from controller.uplink.uplink import MAX_REQUEST_BYTES

NAME = "table-controller-1.4.0-aarch64.tar"
DATA = bytes(range(256)) * (5 * CHUNK_BYTES // 512)
"""Two pieces and a half."""


def cut(data: bytes) -> list[bytes]:
    return [data[at : at + CHUNK_BYTES] for at in range(0, len(data), CHUNK_BYTES)]


def parcel(name: str = NAME, data: bytes = DATA) -> Artifact:
    return Artifact.from_chunks(name, cut(data))


def pieces(data: bytes = DATA) -> list[Chunk]:
    sha256 = parcel(data=data).sha256
    return [Chunk(sha256, number * CHUNK_BYTES, piece) for number, piece in enumerate(cut(data))]


def test_it_is_there_when_its_last_piece_is_and_only_what_was_expected_is_taken(tmp_path: Path) -> None:
    fetched = FetchedReleases(tmp_path)
    with pytest.raises(FetchRefusedError, match="No technician"):
        fetched.write_chunk(pieces()[0])
    fetched.expect(parcel())
    for piece in pieces():
        assert not (tmp_path / NAME).exists()
        fetched.write_chunk(piece)
    assert (tmp_path / NAME).read_bytes() == DATA
    assert fetched.write_chunk(pieces()[0]) == (len(DATA), len(DATA)), "what comes again is nothing new"
    assert FetchedReleases(tmp_path).expect(parcel()) == len(DATA), "also after a start"


@settings(max_examples=30, deadline=None)
@given(st.lists(st.one_of(st.integers(0, 2), st.sampled_from(["start", "lie", "cut"])), max_size=25))
def test_whatever_comes_it_is_whole_or_not_there(tmp_path_factory: pytest.TempPathFactory, steps: list[object]) -> None:
    folder = tmp_path_factory.mktemp("releases")
    fetched = FetchedReleases(folder)
    fetched.expect(parcel())
    for step in steps:
        if step == "start":
            fetched = FetchedReleases(folder)
        elif step == "cut" and (folder / PARTIAL_FILE).exists():
            size = (folder / PARTIAL_FILE).stat().st_size
            (folder / PARTIAL_FILE).write_bytes(bytes(size))  # the power went before the disk had it
        elif step == "lie":
            have = fetched.write_chunk(Chunk(parcel().sha256, 0, b""))[0]
            with suppress(FetchRefusedError):
                fetched.write_chunk(Chunk(parcel().sha256, have, b"x" * parcel().chunk_length(have)))
            assert fetched.write_chunk(Chunk(parcel().sha256, 0, b""))[0] == have
        elif isinstance(step, int):
            fetched.write_chunk(pieces()[step])
        assert not (folder / NAME).exists() or (folder / NAME).read_bytes() == DATA
    for _ in range(4):
        have = fetched.write_chunk(Chunk(parcel().sha256, 0, b""))[0]
        for piece in pieces()[have // CHUNK_BYTES :]:
            fetched.write_chunk(piece)
    assert (folder / NAME).read_bytes() == DATA


def test_the_two_newest_stay_and_another_takes_the_place_of_what_is_half_there(tmp_path: Path) -> None:
    fetched = FetchedReleases(tmp_path)
    for number in range(4):
        data = DATA[: 1000 + number]
        fetched.expect(parcel(NAME.replace("1.4", f"1.{number}"), data))
        fetched.write_chunk(pieces(data)[0])
    fetched.expect(parcel())
    fetched.write_chunk(pieces()[0])
    fetched.expect(parcel(data=DATA[:500]))
    assert fetched.write_chunk(Chunk(parcel(data=DATA[:500]).sha256, 0, b"")) == (0, 500)
    found = sorted(path.name for path in tmp_path.iterdir())
    assert found == [EXPECTED_FILE, NAME.replace("1.4", "1.2"), NAME.replace("1.4", "1.3")]
    assert len(found) == 1 + MAX_KEPT_RELEASES


def test_a_disk_without_room_is_said_before_anything_comes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fetched = FetchedReleases(tmp_path)
    monkeypatch.setattr(fetched_releases.shutil, "disk_usage", lambda _: SimpleNamespace(free=200_500_000))  # type: ignore[attr-defined]
    with pytest.raises(FetchRefusedError, match="200 MB free"):
        fetched.ensure_space(parcel())
    fetched.ensure_space(parcel(data=DATA[:400_000]))


def test_a_disk_that_is_full_in_the_middle_leaves_nothing_half(tmp_path: Path) -> None:
    fetched = FetchedReleases(tmp_path)
    fetched.expect(parcel())
    fetched.write_chunk(pieces()[0])
    with no_longer_than(CHUNK_BYTES + 1000), pytest.raises(FetchRefusedError, match="cannot be kept"):
        fetched.write_chunk(pieces()[1])
    assert list(tmp_path.iterdir()) == []
    fetched.expect(parcel())
    for piece in pieces():
        fetched.write_chunk(piece)
    assert (tmp_path / NAME).read_bytes() == DATA


@contextmanager
def no_longer_than(size: int) -> Iterator[None]:
    """Let the kernel refuse what makes a file longer, as a full disk does."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_parcel_is_bounded_and_its_hashes_are_those_that_were_signed() -> None:
    whole = parcel().to_json()
    assert Artifact.from_json(whole) == parcel()
    for wrong in (
        {"size": MAX_ARTIFACT_BYTES + 1}, {"size": 0}, {"name": "../x.tar"}, {"name": ".tar"},
        {"hashes": whole["hashes"][:-2]},
        {"hashes": "z" * len(whole["hashes"])}, {"hashes": "0" * len(whole["hashes"])}, {"sha256": "0" * 64},
        {"size": True},
    ):  # fmt: skip
        with pytest.raises(MessageFormatError):
            Artifact.from_json({**whole, **wrong})
    piece = pieces()[1].to_json()
    assert Chunk.from_json(piece) == pieces()[1]
    for changed in ({"sha256": "x"}, {"at": -1}, {"at": MAX_ARTIFACT_BYTES + 1}, {"data": "?"}, {"data": 5}):
        with pytest.raises(MessageFormatError):
            Chunk.from_json({**piece, **changed})
    assert len(json.dumps(piece)) < MAX_REQUEST_BYTES


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(FetchRefusedError, match="cannot keep"):
        FetchedReleases(tmp_path / "file" / "releases").ensure_space(parcel())
    shutil.rmtree(tmp_path)

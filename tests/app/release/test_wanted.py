"""What the table leaves for root names one archive of one folder, or none, and nothing else is opened."""

import json
from pathlib import Path

import pytest

from controller.app.releases.release_archive import ReleaseError
from controller.app.releases.requested_release import read_requested_release

NAME = "table-controller-1.4.0-aarch64.tar"


def write_requested_release(folder: Path, content: object) -> Path:
    path = folder / "release.wanted"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def test_an_archive_that_was_fetched_is_found_and_none_means_back(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b"")
    assert read_requested_release(write_requested_release(tmp_path, {"name": NAME}), tmp_path) == tmp_path / NAME
    assert read_requested_release(write_requested_release(tmp_path, {"name": None}), tmp_path) is None


@pytest.mark.parametrize(
    "content",
    [
        {"name": "../../etc/shadow.tar"}, {"name": "/etc/x.tar"}, {"name": ".tar"}, {"name": "x"}, {"name": 3},
        {"name": NAME, "key": "mine"}, {}, [], "no json", "[" * 5000, {"name": "linked.tar"}, {"name": "absent.tar"},
    ],
    ids=range(12),
)  # fmt: skip
def test_nothing_else_is_opened(tmp_path: Path, content: object) -> None:
    (tmp_path / "elsewhere").write_bytes(b"")
    (tmp_path / "linked.tar").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ReleaseError):
        read_requested_release(write_requested_release(tmp_path, content), tmp_path)

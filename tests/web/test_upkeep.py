"""The set-up and the backup on the page: for the technician, and refused in words."""

import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette

from controller.web.pages.upkeep_page import UpkeepPage
from tests.web.test_pages import Client


class RecordingUpkeep:
    """Remembers what is asked for; its backup is a small file."""

    error_type: type[Exception] = RuntimeError

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked: list[object] = []

    def ca_certificate(self) -> Path | None:
        path = self.folder / "ca.crt"
        return path if path.exists() else None

    def describe_certificate(self) -> Mapping[str, Any]:
        return {"until": "2027-12-24", "own": True}

    def renew(self) -> None:
        self.asked.append("renew")

    def make_backup(self, *, keys: bool) -> tuple[Path, str]:
        self.asked.append(keys)
        path = self.folder / "made.tar"
        with tarfile.open(path, "w"):
            pass
        return path, "table-07-2026-11-22.tar"

    def describe_setup(self) -> Mapping[str, Any]:
        return {"ports": []}

    def search(self) -> None:
        raise RuntimeError("a search is under way; wait for its end")

    def propose(self, choice: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"text": f"# {choice}", "wrong": []}

    def request_chosen_file(self, choice: Mapping[str, Any]) -> None:
        self.asked.append(dict(choice))


@pytest.fixture
def recording_upkeep(tmp_path: Path) -> RecordingUpkeep:
    return RecordingUpkeep(tmp_path)


@pytest.fixture
def page(recording_upkeep: RecordingUpkeep) -> Client:
    return Client(Starlette(routes=UpkeepPage(recording_upkeep).make_routes()))


def test_a_backup_is_a_file_and_gone_afterwards(page: Client, recording_upkeep: RecordingUpkeep) -> None:
    answer = page.post("/backup", json={"keys": False})
    assert answer.status_code == 200
    assert answer.headers["content-disposition"] == 'attachment; filename="table-07-2026-11-22.tar"'
    assert len(answer.content) == 10240
    assert recording_upkeep.asked == [False]
    assert not (recording_upkeep.folder / "made.tar").exists()


@pytest.mark.parametrize("body", [{}, {"keys": 1}, {"keys": True, "x": 1}, []])
def test_what_is_no_wish_for_a_backup_is_refused(page: Client, recording_upkeep: RecordingUpkeep, body: object) -> None:
    assert page.post("/backup", json=body).status_code == 400
    assert recording_upkeep.asked == []


def test_the_set_up_is_proposed_and_written(page: Client, recording_upkeep: RecordingUpkeep) -> None:
    assert page.get("/set-up").text.startswith("<!doctype html>")
    assert page.get("/set-up/found").json() == {"ports": []}
    assert page.post("/set-up", json={"do": "propose", "choice": {"game": "omaha"}}).json()["wrong"] == []
    assert page.post("/set-up", json={"do": "write", "choice": {"game": "omaha"}}).status_code == 204
    assert recording_upkeep.asked == [{"game": "omaha"}]
    refused = page.post("/set-up", json={"do": "search"})
    assert (refused.status_code, refused.json()["message"]) == (409, "A search is under way; wait for its end.")
    assert page.post("/set-up", json={"do": "write"}).status_code == 400
    assert page.post("/set-up", content=b"x").status_code == 415


def test_the_certificate_is_told_and_renewed(page: Client, recording_upkeep: RecordingUpkeep) -> None:
    assert page.get("/certificate").json() == {"until": "2027-12-24", "own": True}
    assert page.post("/certificate", json={"do": "renew"}).status_code == 204
    assert page.post("/certificate", json={"do": "x"}).status_code == 400
    assert page.post("/certificate", content=b"x").status_code == 415
    assert recording_upkeep.asked == ["renew"]


def test_the_authority_is_there_when_it_was_made(page: Client, recording_upkeep: RecordingUpkeep) -> None:
    assert page.get("/ca.crt").status_code == 404
    (recording_upkeep.folder / "ca.crt").write_text("x")
    answer = page.get("/ca.crt")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/x-x509-ca-cert")

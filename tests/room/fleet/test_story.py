"""From the desk to the disk and back: staged, sent, left for root, installed by what root's unit runs, told.

The prefix is a folder instead of `/opt`; pip and systemd are left out here: `tests/systemd/run` has both.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import pytest
from nacl.signing import SigningKey
from pytest_mock import MockerFixture

from controller.app.releases import release_installation, system_files
from controller.app.releases.installed_program import read_last_update
from controller.app.releases.release_store import ReleaseStore
from controller.cli import main
from controller.room_contract.subjects import TableTopic
from controller.room_contract.table_health import TableHealth
from room.server.pages.fleet_page import FleetPage
from room.server.pages.people_page import PeoplePage
from tests.room.fleet.archive_maker import MACHINE, archive
from tests.room.server.house import House
from tests.room.server.test_house_pages import RealTable, refresh_page


class Root:
    """Root of the table's machine: looks at what the table left, and does what table-release.service does."""

    def __init__(self, folder: Path, table: RealTable, key: SigningKey) -> None:
        self.store = ReleaseStore(folder / "opt", folder / "log.jsonl")
        self._folder, self._table = folder, table
        (folder / "release.pub").write_text(key.verify_key.encode().hex() + "\n")

    def wakes(self) -> int:
        left = self._folder / "release.wanted"
        left.write_text(json.dumps({"name": self._table.table.left.releases[-1]}))
        return main([
            "release", "wanted", str(left), "--fetched", str(self._table.folder),
            "--key", str(self._folder / "release.pub"), "--prefix", str(self.store.prefix),
            "--log", str(self.store.log_file), "--config", str(self._folder / "none"), "--root",
            str(self._folder / "root"),
        ])  # fmt: skip


@pytest.fixture
def key() -> SigningKey:
    return SigningKey.generate()


@pytest.fixture
def root(real: RealTable, key: SigningKey, tmp_path: Path, mocker: MockerFixture) -> Root:
    mocker.patch("platform.machine", return_value=MACHINE)
    mocker.patch("platform.python_version_tuple", return_value=("3", "11", "2"))
    mocker.patch.object(release_installation, "build_venv")
    mocker.patch.object(system_files, "reload_system")
    mocker.patch.object(system_files, "place_system_files")
    (tmp_path / "root").mkdir()
    return Root(tmp_path / "root", real, key)


def report_health(house: House, root: Root) -> Mapping[str, Any]:
    """The table says how it is; return what the page says of its release."""
    health = TableHealth(
        house.time, "live", is_up=True, version_by_component={"program": root.store.current_version() or "1.3.0"},
        last_update=read_last_update(root.store.log_file) or {},
    )  # fmt: skip
    house.deliver_table_message("table-01", TableTopic.HEALTH, health.to_json())
    return cast(Mapping[str, Any], house.room.hub.read_values("fleet")["table-01"]["wanted"])


def stage(house: House, release: str | None) -> None:
    answer = house.browser("Cy").post("/fleet/stage", {"tables": ["table-01"], "release": release})
    assert answer.status_code == 204
    for _ in range(2):
        refresh_page(house, FleetPage)


def test_a_release_goes_from_the_desk_to_the_disk_and_back_by_one_touch(
    house: House, real: RealTable, root: Root, key: SigningKey
) -> None:
    refresh_page(house, PeoplePage)
    first, second = archive(house, "1.4.0", key=key), archive(house, "1.4.1", 700_000, key=key)
    for release in (first, second):
        stage(house, release)
        assert not report_health(house, root)["done"]
        assert root.wakes() == 0
        assert report_health(house, root)["done"], "the table says that it runs it"
    assert root.store.current_version() == "1.4.1"

    stage(house, None)
    assert real.table.left.releases == [first, second, None]
    assert not report_health(house, root)["done"], "taken is not done"
    assert root.wakes() == 0
    assert (root.store.current_version(), report_health(house, root)["done"]) == ("1.4.0", True)


def test_what_the_tables_root_refuses_is_said_on_the_page(house: House, real: RealTable, root: Root) -> None:
    refresh_page(house, PeoplePage)
    stage(house, archive(house, "1.4.0"))  # signed by somebody
    assert root.wakes() == 1
    shown = report_health(house, root)
    assert not shown["done"]
    assert "is not that of the key that this table trusts" in shown["why"]
    assert root.store.current_version() is None

    stage(house, None)
    assert root.wakes() == 1
    assert "no previous release" in report_health(house, root)["why"]
    (real.folder / "table-controller-1.4.0-aarch64.tar").unlink()
    real.table.left.releases.append("table-controller-1.4.0-aarch64.tar")
    assert root.wakes() == 1
    assert "was not fetched" in report_health(house, root)["why"]

"""The fleet's page in Chromium, at a desk and on a phone: a release goes out and back by touch, a file is changed."""

import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from controller.room_contract.artifact import Artifact
from controller.room_contract.subjects import TableTopic
from controller.room_contract.table_health import TableHealth
from controller.room_contract.table_request import RequestKind, TableReply
from controller.runtime.staff.permissions import Role
from tests.room.fleet.archive_maker import archive
from tests.room.server.conftest import SIZES
from tests.room.server.served import ServedRoom
from tests.web.house import PINS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAME = "table-controller-1.4.0-aarch64.tar"
FILE = '[table]\nrulebook = "roberts-7"\n\n[state]\ndirectory = "/var/lib/table-controller"\n'

CUT = """() => [...document.querySelectorAll("header *, #desk *, td *, dialog *")]
  .filter((place) => place.tagName !== "TEXTAREA" && place.scrollWidth > place.clientWidth + 1 && place.clientWidth > 1
    && getComputedStyle(place).overflowX !== "auto")
  .map((place) => place.textContent)
  .concat(document.documentElement.scrollWidth > innerWidth ? ["the page is wider than the screen"] : [])"""


class Tables:
    """Tables that take what they are asked; one mistake in a file is known to them."""

    def __init__(self) -> None:
        self.hand = True
        self.size = 0
        self.have = 0
        self.releases: list[object] = []
        self.files: list[str] = []

    async def ask(self, table: str, verb: RequestKind, what: Mapping[str, Any]) -> TableReply:  # noqa: ARG002 - all are alike
        match verb:
            case RequestKind.POSITION:
                told = {"journal": "j", "session": 1, "entry": 5, "rests": not self.hand, "staff": 0, "own": []}
                return TableReply(True, content=told)
            case RequestKind.CHUNK if not self.size:
                return TableReply(False, None, "not-expected", "Nothing is to come.")
            case RequestKind.FETCH:
                self.size = Artifact.from_json(what).size_bytes
                return TableReply(True, content={"have": 0, "size": self.size})
            case RequestKind.CHUNK:
                self.have = self.size if what["data"] else self.have
                return TableReply(True, content={"have": self.have, "size": self.size})
            case RequestKind.RELEASE if self.hand:
                return TableReply(False, None, "not-now-here", "A hand is on; ask again when it is over.")
            case RequestKind.RELEASE:
                self.releases.append(what["name"])
            case RequestKind.READ_FILE:
                return TableReply(True, content={"text": FILE})
            case RequestKind.REPLACE_FILE if "roberts-8" in what["text"]:
                why = "The file has mistakes: table.toml:2: table.rulebook: there is no rulebook 'roberts-8'."
                return TableReply(False, None, "not-now-here", why)
            case RequestKind.REPLACE_FILE:
                self.files.append(what["text"])
            case _:
                pass
        return TableReply(True)


@pytest.fixture
def tables() -> Tables:
    return Tables()


@pytest.fixture
def room(tmp_path: Path, tables: Tables) -> Iterator[ServedRoom]:
    served = ServedRoom(tmp_path)
    served.room.tables.ask = tables.ask  # type: ignore[method-assign]
    archive(served, "1.4.0")
    for number, version in (("01", "1.3.0"), ("02", "1.3.0"), ("03", "1.2.0")):
        runs(served, version, f"table-{number}")
    yield served
    served.end()


def runs(room: ServedRoom, version: str, table: str = "table-01") -> None:
    """A table says what it runs."""
    health = TableHealth(
        time.time(), "live", is_up=True, version_by_component={"program": version, "rulebook": "roberts-7",
        "firmware:board": "1.0.0"},
        hash_by_component={"program": ("1" if version == "1.2.0" else "2") * 64},
        free_bytes_by_disk={"journal": 8 * 10**9, "system": 10**9},
        fault_codes=("device-lost",), raised_at_by_fault={"device-lost": time.time() - 60},
    )  # fmt: skip
    room.say(table, TableTopic.HEALTH, health.to_json())


@pytest.fixture(params=SIZES)
def page(request: pytest.FixtureRequest, browser: "Browser", room: ServedRoom) -> Iterator["Page"]:
    width, height = request.param
    assert room.staff.list_people()[2].role is Role.TECHNICIAN
    assert room.door.sessions is not None
    token = room.door.sessions.begin(room.staff.sign_in("Cy", PINS["Cy"]), None)
    context = browser.new_context(viewport={"width": width, "height": height})
    context.add_cookies([{"name": "room", "value": token, "url": room.url}])
    opened = context.new_page()
    failed: list[str] = []
    opened.on("pageerror", lambda error: failed.append(str(error)))
    opened.goto(f"{room.url}fleet")
    opened.wait_for_selector('[data-table="table-03"]')
    yield opened
    context.close()
    assert failed == [], "the page's own scripts failed"


def row(page: "Page", text: str, table: str = "table-01") -> None:
    page.locator(f'[data-table="{table}"]').get_by_text(text).first.wait_for()


def test_a_release_is_staged_installed_between_hands_and_taken_back_by_touch(
    page: "Page", room: ServedRoom, tables: Tables
) -> None:
    row(page, "device lost since")
    assert page.locator(".odd").all_inner_texts() == ["1.2.0 11111111"], "what most do not have stands out"
    assert page.evaluate(CUT) == []
    page.locator('select[name="release"] option', has_text=NAME).wait_for(state="attached")
    page.check('[data-table="table-01"] input')
    page.click("text=What would it do?")
    row(page, "1.3.0 to 1.4.0, between hands")
    page.click("text=Stage at the chosen tables")
    row(page, f"{NAME}: when no hand is on")
    assert tables.releases == []
    tables.hand = False
    row(page, f"{NAME}: is being installed")
    runs(room, "1.4.0")
    row(page, f"{NAME}: installed")
    page.click("text=Back by one")
    row(page, "the release before: is being installed")
    assert tables.releases == [NAME, None]
    runs(room, "1.3.0")
    row(page, "the release before: installed")
    assert page.evaluate(CUT) == []


def test_a_tables_file_is_read_changed_refused_with_its_line_and_taken(page: "Page", tables: Tables) -> None:
    page.get_by_role("button", name="Its file").click()
    page.get_by_text("Choose one table").wait_for()
    page.check('[data-table="table-02"] input')
    page.get_by_role("button", name="Its file").click()
    page.wait_for_selector("dialog textarea")
    assert page.input_value("dialog textarea") == FILE
    page.fill("dialog textarea", FILE.replace("roberts-7", "roberts-8"))
    page.click("dialog button.main")
    page.get_by_text("there is no rulebook").last.wait_for()
    selected = page.evaluate("() => { const t = document.querySelector('dialog textarea');"
                             " return t.value.slice(t.selectionStart, t.selectionEnd); }")  # fmt: skip
    assert selected == 'rulebook = "roberts-8"', "the line of the first mistake"
    assert tables.files == []
    assert page.evaluate(CUT) == []
    page.fill("dialog textarea", FILE.replace("roberts-7", "maryport"))
    page.click("dialog button.main")
    page.get_by_text("table-02 has taken its file").wait_for()
    page.locator("dialog").wait_for(state="detached")
    assert ["maryport" in text for text in tables.files] == [True]

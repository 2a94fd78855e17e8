"""The floor decides from a table's case, in Chromium: what a real table offers is looked at, entered, or refused."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from controller.core.protocol import script_lines
from controller.core.protocol.events import Event
from controller.room_contract.subjects import TableTopic
from controller.room_contract.table_request import TableReply
from controller.web.wording.step_instructions import add_instructions
from room.server.pages.people_page import PeoplePage
from tests.room.people import Room as Staffed
from tests.room.people import TableOfARoom
from tests.room.server.conftest import SIZES
from tests.room.server.served import ServedRoom
from tests.room.server.test_house_pages import RealTable

if TYPE_CHECKING:
    from playwright.sync_api import Page

OUT_OF_TURN: list[dict[str, Any]] = [
    {"ev": "start"}, *[{"ev": "card", "card": None}] * 6, {"ev": "act", "seat": 2, "do": "raise", "to": 6}
]  # fmt: skip
CUT = """() => [...document.querySelectorAll("#case *")]
  .filter((place) => place.scrollWidth > place.clientWidth + 1 && place.clientWidth > 1 && place.tagName !== "INPUT")
  .map((place) => place.textContent)
  .concat(document.documentElement.scrollWidth > innerWidth ? ["the page is wider than the screen"] : [])"""

Opened = Callable[..., "Page"]


class Deciding:
    """A served room with one real table, whose word the test carries."""

    def __init__(self, room: ServedRoom, folder: Path) -> None:
        self.room = room
        self.real = room.now(lambda: self._make_table(folder))
        for line in OUT_OF_TURN:
            self.enter(line)

    def _make_table(self, folder: Path) -> RealTable:
        people = next(page for page in self.room.pages if isinstance(page, PeoplePage))
        people._publisher = people._open_publisher()
        staffed = Staffed(folder / "unused", {})
        staffed.key = people._publisher._key
        real = RealTable(TableOfARoom(folder / "table", staffed))
        self.room.room.tables.ask = real.ask  # type: ignore[method-assign]
        return real

    @property
    def table(self) -> TableOfARoom:
        return self.real.table

    def enter(self, line: dict[str, Any]) -> None:
        event: Event = script_lines.parse_line(line)
        self.room.now(lambda: self.table.three.enter(event))
        self.say()

    def say(self) -> None:
        """The table tells the room how it stands, as a spectator sees it."""
        stands = self.table.three.standings[-1]
        output: Any = stands.output_line
        self.room.say("table-01", TableTopic.STATE, {
            "entry": stands.entry, "hand": output["hand"], "phase": output["phase"],
            "next": add_instructions(output["next"]),
            "rulings": list(stands.rulings), "ruled_in": stands.rulings_hand, "remedy": [], "floor_called": True,
            "game": "holdem", "places": 3, "seats": [{"seat": seat, "player": "", "away": False} for seat in (1, 2, 3)],
        })  # fmt: skip

    def entries(self) -> list[dict[str, Any]]:
        return self.room.now(lambda: [dict(record.parse_body()) for record in self.table.journal.read_records()])


@pytest.fixture
def deciding(room: ServedRoom, tmp_path: Path) -> Iterator[Deciding]:
    made = Deciding(room, tmp_path)
    yield made
    room.now(made.table.close)


@pytest.mark.parametrize("size", SIZES)
def test_what_the_table_waits_for_is_decided_from_its_case(
    deciding: Deciding, open_page: Opened, size: tuple[int, int]
) -> None:
    page = open_page(deciding.room, size=size)
    page.click(".call >> text=Case")
    page.click("#decide button.main:has-text('bind')")
    before = deciding.table.three.standings[-1].entry
    sure = page.inner_text("#decide .sure")
    assert f"at table-01, after entry {before}" in sure
    assert '{"ev":"floor","decide":"bind"}' in sure
    assert page.evaluate(CUT) == []
    assert deciding.table.three.standings[-1].entry == before, "nothing is entered before it was looked at"
    page.click("#decide .sure button.main")
    page.wait_for_selector(f"#decide .result:has-text('Entered as entry {before + 1}.')")
    entered = next(body for body in deciding.entries() if body.get("entry") == before + 1)
    assert (entered["source"], entered["by"]["name"]) == ("room", "Bo")
    deciding.say()
    page.wait_for_selector("#decide >> text=The table waits for no decision.")


def test_a_table_that_moved_on_meanwhile_is_shown_as_such_and_nothing_is_sent(
    deciding: Deciding, open_page: Opened
) -> None:
    page = open_page(deciding.room)
    page.click(".call >> text=Case")
    page.click("#decide button.main:has-text('bind')")
    deciding.enter({"ev": "undo"})  # at the table itself
    page.wait_for_selector("#decide .moved:not([hidden])")
    assert page.is_disabled("#decide .sure button.main")
    stands = deciding.table.three.standings[-1].entry
    page.click("#decide >> text=Not this")
    page.wait_for_selector("#decide >> text=The table waits for no decision.")
    assert deciding.table.three.standings[-1].entry == stands


def test_a_screen_that_has_not_heard_yet_is_refused_by_the_table(deciding: Deciding, open_page: Opened) -> None:
    page = open_page(deciding.room)
    page.click(".call >> text=Case")
    page.click("#decide button.main:has-text('bind')")
    line = script_lines.parse_line({"ev": "undo"})
    deciding.room.now(lambda: deciding.table.three.enter(line))
    page.click("#decide .sure button.main")
    page.wait_for_selector("#decide .result:has-text('moved on')")


def test_a_ruling_is_set_aside_with_a_reason_and_a_line_of_script_is_looked_at_first(
    deciding: Deciding, open_page: Opened
) -> None:
    deciding.enter({"ev": "undo"})
    page = open_page(deciding.room)
    page.click(".call >> text=Case")
    page.fill("#decide [name=script]", "misdeal")
    page.click("#decide >> text=Look at it")
    page.wait_for_selector("#decide .result:has-text('no line of the table script')")
    page.fill("#decide [name=script]", '{"ev": "floor", "decide": "deal"}')
    page.click("#decide >> text=Look at it")
    page.click("#decide .sure button.main")
    page.wait_for_selector("#decide .result:has-text('Not entered')")
    page.click("#decide summary")
    page.click("#decide details button:has-text('misdeal')")
    page.click("#decide .sure button.main")
    assert page.locator("#decide .sure").count(), "it wants to know why"
    page.fill("#decide [name=why]", "A card was seen")
    page.click("#decide .sure button.main")
    page.wait_for_selector("#decide .result:has-text('Entered as entry')")
    told = deciding.table.three.lines()[-1]
    assert told["decide"] == "misdeal"
    assert told["why"] == "A card was seen"


def test_the_dealer_is_told_something(deciding: Deciding, open_page: Opened) -> None:
    page = open_page(deciding.room)
    page.click(".call >> text=Case")
    page.fill("#decide [name=say]", "Break in three hands")
    page.click("#decide >> text=Say it")
    page.wait_for_selector("#decide .result:has-text('Said at table-01.')")
    asked = [body["line"] for body in deciding.entries() if body.get("line", {}).get("ev") == "room-announce"]
    assert asked[-1]["text"] == "Break in three hands"


def test_a_table_that_may_not_be_asked_says_so_and_offers_nothing(deciding: Deciding, open_page: Opened) -> None:
    async def build_refusal(*_: object) -> TableReply:
        return TableReply(False, None, "no-room", "This table takes nothing of a room.")

    deciding.room.room.tables.ask = build_refusal  # type: ignore[method-assign, assignment]
    page = open_page(deciding.room)
    page.click(".call >> text=Case")
    page.wait_for_selector("#decide .refused:has-text('takes nothing of a room')")
    assert page.locator("#decide button").count() == 0


def test_who_is_not_of_the_floor_is_offered_the_sign_in_alone(deciding: Deciding, open_page: Opened) -> None:
    page = open_page(deciding.room, name="Ada")
    page.click(".call >> text=Case")
    page.wait_for_selector("#decide >> text=Sign in as floor")
    assert page.locator("#decide button").count() == 1

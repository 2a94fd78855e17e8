"""The board of a tournament on a screen of 1920 x 1080, and the director's desk: by touch, and nothing cut."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import pytest

from controller.room_contract.subjects import TableTopic
from controller.room_contract.table_request import TableReply
from controller.web.access.authenticator import Principal
from room.server.pages.tournament_page import TournamentPage
from room.tournament.tournament_state import InstructionStatus, RoomTournament
from tests.room.server.conftest import SIZES
from tests.room.server.served import PATIENCE, ServedRoom
from tests.room.server.test_event import Tables

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAMES = tuple(f"table-{number:02}" for number in range(1, 13))
SPILT = """() => [...document.querySelectorAll("main *")]
  .filter((place) => place.scrollWidth > place.clientWidth + 1 && place.clientWidth > 1 && place.tagName !== "INPUT")
  .map((place) => place.textContent)
  .concat(document.documentElement.scrollWidth > innerWidth ? ["the page is wider than the screen"] : [])"""
CUT = """() => [...document.querySelectorAll("h1, #left, #stakes, #stage, #prizes li, #moves li, .card h2, .time p")]
  .filter((place) => place.scrollWidth > place.clientWidth + 1 && place.clientWidth > 1)
  .map((place) => place.textContent)
  .concat([...document.querySelectorAll(".seats, .moves")].filter((one) => one.scrollHeight > one.clientHeight + 1)
    .map((one) => one.className))
  .concat(document.documentElement.scrollWidth > innerWidth ? ["the page is wider than the screen"] : [])"""

LETTERS = """() => parseFloat(getComputedStyle(document.querySelector(".seats .who")).fontSize) / innerHeight"""


def free_seats(event: RoomTournament) -> Iterator[tuple[str, int]]:
    """Seats of the first eleven tables that nobody has."""
    return ((name, seat) for name in NAMES[:11] for seat in range(1, 10) if seat not in event.seating_at(name))


class Evening(ServedRoom):
    """A hundred players at twelve tables; somebody is out, and somebody moves."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.told_tables = Tables(*NAMES)
        self.room.tables = self.told_tables
        self.desk = next(page for page in self.pages if isinstance(page, TournamentPage))
        self.token = self.door.sessions.begin(self.staff.sign_in("Bo", "503316"), None)  # type: ignore[union-attr]

    def enter(self, **what: Any) -> None:  # noqa: ANN401 (JSON)
        async def enter() -> None:
            await self.desk._enter_or_refuse(
                self.desk._running_by_name["1"],
                self.desk._draw_missing_lot(self.desk._running_by_name["1"], what),
                "Bo",
            )

        asyncio.run_coroutine_threadsafe(enter(), self._loop).result(PATIENCE)

    def open_tournament(self, players: int) -> None:
        async def open_() -> None:
            from config import schedule_file
            from room.tournament import schedule_codec

            running = self.desk._make_running("1")
            what: Mapping[str, Any] = {
                "do": "open", "title": "Sunday Special", "rulebook": "tda-2024", "buy_in": 120, "stack": 20000,
                "schedule": schedule_codec.to_json(schedule_file.load_schedule("T20000")), "by_tables": True,
                "tables": [{"name": name, "places": 9} for name in NAMES],
            }  # fmt: skip
            assert await self.desk._enter_or_refuse(running, what, "Bo") is None
            self.desk._running_by_name["1"] = running

        asyncio.run_coroutine_threadsafe(open_(), self._loop).result(PATIENCE)
        for number in range(players):
            self.enter(do="register", player=f"Player {number:03}")

    def list_refused_duties(self) -> list[int]:
        event = self.desk._running_by_name["1"].stream.state
        assert event is not None
        refused = InstructionStatus.REFUSED
        return [number for number, duty in event.instruction_by_number.items() if duty.status is refused]

    def hear(self) -> None:
        for name in NAMES:
            self.say(name, TableTopic.STATE, self.told_tables.state(name))


def report_states_until(page: "Page", evening: Evening, true: Callable[[], bool]) -> None:
    """Let the tables say how they stand, until something is so."""
    ends = monotonic() + PATIENCE
    while not true():
        assert monotonic() < ends, page.inner_text("main")
        evening.hear()
        page.wait_for_timeout(50)


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    made = Evening(tmp_path)
    yield made
    made.end()


@pytest.fixture
def page(browser: "Browser", evening: Evening) -> Iterator["Page"]:
    context = browser.new_context(viewport={"width": 1920, "height": 1080})
    context.add_cookies([{"name": "room", "value": evening.token, "url": evening.url}])
    opened = context.new_page()
    failed: list[str] = []
    opened.on("pageerror", lambda error: failed.append(str(error)))
    yield opened
    context.close()
    assert failed == [], "the page's own scripts failed"


def test_the_board_shows_clock_prizes_moves_and_seats(page: "Page", evening: Evening, tmp_path: Path) -> None:
    """All of it on one screen, nothing cut; a move is there while it is fresh."""
    evening.open_tournament(100)
    evening.enter(do="draw")
    evening.enter(do="start")
    evening.enter(do="begin", anyway=True)
    event = evening.desk._running_by_name["1"].stream.state
    assert event is not None
    table, seats = next((name, seats) for name, seats in event.seating_by_table().items() if len(seats) == 8)
    out, mover = list(event.seating_at("table-01").values())[:2]
    evening.enter(do="eliminate", player=out, hand=1, stack=20000)
    free = next(seat for seat in range(1, 10) if seat not in seats)
    evening.enter(do="move", moves=[[mover, table, free]])
    page.goto(f"{evening.url.rstrip('/')}/events/board")
    page.wait_for_selector("#moves li.open")
    assert page.inner_text("#stage").startswith("Level 1")
    assert page.locator(".board .card").count() == 2, "a screenful at a time"
    assert page.evaluate(LETTERS) >= 0.04, "seats are read from 8 m (docs/room-tournament.md)"
    assert page.locator("#prizes li").count() == 9
    assert mover in page.inner_text("#moves")
    event = evening.desk._running_by_name["1"].stream.state
    assert event is not None
    evening.enter(do="break", table="table-12", moves=[
        [player, name, seat]
        for player, (name, seat) in zip(event.seating_at("table-12").values(), free_seats(event), strict=False)
    ])  # fmt: skip
    page.wait_for_function("() => document.querySelectorAll('#moves li').length === 5")
    seen: set[str] = set()
    while len(seen) < 9:  # each part has its turn
        seen |= set(page.locator("#moves b").all_inner_texts())
    assert "99 of 100" in page.inner_text("#players")
    assert page.evaluate(CUT) == []
    page.screenshot(path=tmp_path / "event-board.png")


def test_the_director_confirms_at_the_desk(page: "Page", evening: Evening, tmp_path: Path) -> None:
    """From the form to the draw by touch; a player who is gone from a table is out with one touch more."""
    page.goto(f"{evening.url.rstrip('/')}/events")
    page.fill("[name=title]", "Sunday")
    page.fill("[name=tables]", "table-01 table-02")
    page.click("#open button.main")
    page.wait_for_url("**/events?event=1")
    for player in ("Ana", "Ben", "Cem", "Dan", "Eve"):
        page.fill("#name", player)
        page.click("#register button:has-text('Enter')")
        page.wait_for_function("() => document.querySelector('#name').value === ''")
    page.wait_for_function(
        "() => document.querySelector('#registered').textContent.endsWith('Ana, Ben, Cem, Dan, Eve')"
    )
    page.fill("#name", "Bem")
    page.click("#withdraw")
    page.wait_for_function("() => document.querySelector('#said').textContent.includes('Bem is not registered')")
    page.fill("#name", "Eve")
    page.click("#withdraw")
    page.wait_for_function("() => document.querySelector('#registered').textContent.endsWith('Ana, Ben, Cem, Dan')")
    page.wait_for_function("() => document.querySelector('#name').value === ''")  # the answer may come after the list
    page.fill("#name", "Eve")
    page.click("#register button:has-text('Enter')")
    page.wait_for_function(
        "() => document.querySelector('#registered').textContent.endsWith('Ana, Ben, Cem, Dan, Eve')"
    )
    page.click("#words button:has-text('Draw seats')")
    page.click("#words button:has-text('Start')")
    page.wait_for_selector("#asked:not([hidden])")
    assert page.evaluate(CUT) == []
    begun = (
        "() => /Level 1/.test(document.querySelector('#stage').textContent) && document.querySelector('#asked').hidden"
    )
    report_states_until(page, evening, lambda: bool(page.evaluate(begun)))
    assert sum(map(len, evening.told_tables.chairs.values())) == 5
    table = next(name for name, chairs in evening.told_tables.chairs.items() if len(chairs) == 3)
    player = evening.now(lambda: evening.told_tables.lose_player(table))
    gone = page.locator("#proposals li", has_text=f"{player} is out")
    report_states_until(page, evening, lambda: bool(gone.count()))  # a table says how it stands after every entry
    page.screenshot(path=tmp_path / "event-desk.png")
    page.click("#proposals button.main")
    page.wait_for_function("() => document.querySelector('#players').textContent.startsWith('4 of 5')")
    assert isinstance(evening.desk._principal_by_name["Bo"], Principal)


@pytest.mark.parametrize("size", SIZES)
def test_what_a_table_refuses_in_the_same_words_is_one_row_and_one_touch(
    page: "Page", evening: Evening, tmp_path: Path, size: tuple[int, int]
) -> None:
    """A table that takes nobody refuses all its players; mended there, all of them are asked for again."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    evening.told_tables.refuses["table-02"] = TableReply(
        False, None, "no-room-asks", "This table takes nothing of a room."
    )
    evening.told_tables.takes = {"halt"}
    evening.open_tournament(60)
    evening.enter(do="draw")
    page.goto(f"{evening.url.rstrip('/')}/events")
    page.click("#words button:has-text('Start')")
    wall = page.locator("#duties li.refused", has_text="5 refused")
    report_states_until(page, evening, lambda: bool(wall.count()))
    text = wall.inner_text()
    assert "table-02" in text
    assert text.count("sits at seat") == 5
    assert text.count("takes nothing of a room") == 1
    assert page.locator("#stuck").is_visible()
    assert page.evaluate(SPILT) == []
    page.screenshot(path=tmp_path / "event-wall.png", full_page=True)
    del evening.told_tables.refuses["table-02"]
    wall.get_by_role("button", name="Ask again").click()
    report_states_until(page, evening, lambda: len(evening.told_tables.chairs["table-02"]) == 5)


@pytest.mark.parametrize("size", SIZES)
def test_the_winner_has_no_key_to_go_out_and_the_event_is_closed(
    page: "Page", evening: Evening, tmp_path: Path, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    evening.open_tournament(3)
    evening.enter(do="draw")
    evening.enter(do="start")
    page.goto(f"{evening.url.rstrip('/')}/events")
    page.wait_for_selector("#seats button:has-text('Out') >> nth=2")
    page.click("text=Break off")
    page.get_by_text("3 players still play.").wait_for()
    assert page.evaluate(SPILT) == []
    evening.enter(do="begin", anyway=True)
    page.get_by_role("button", name="Next level").wait_for()  # the keys are drawn anew
    assert page.is_visible("text=Break off and close")
    last = page.locator("#seats li", has_text="Player 002")
    last.locator("button").click()
    typed = last.locator("input").first
    typed.fill("17")
    evening.enter(do="eliminate", player="Player 000", hand=1, stack=20000)
    page.locator("#seats li", has_text="Player 000").wait_for(state="detached")
    assert typed.input_value() == "17", "what was typed stays while the seats are drawn anew"
    assert typed.evaluate("field => field === document.activeElement")
    evening.enter(do="eliminate", player="Player 001", hand=2, stack=20000)
    page.click("#words button:has-text('Close tournament')")
    page.get_by_text("Closed by Bo").wait_for()
    assert page.locator("#seats").inner_text().count("Player") == 1
    assert page.locator("#seats button").count() == 0
    report_states_until(page, evening, lambda: page.locator("#words button").count() == 0)
    page.click("#places button:has-text('Pay out')")
    page.get_by_text("paid out").wait_for()
    page.get_by_role("link", name="New tournament").click()
    page.wait_for_selector("#open button.main")
    page.get_by_role("link", name="Sunday Special, closed").wait_for()
    assert page.evaluate(SPILT) == []
    page.screenshot(path=tmp_path / "event-closed.png", full_page=True)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", ["en", "de", "es"])
def test_the_desk_counts_who_is_not_seated_yet_and_the_floor_begins_without_them_at_two_touches(
    page: "Page", evening: Evening, tmp_path: Path, size: tuple[int, int], language: str
) -> None:
    counted = {
        "en": "3 of 27 not yet seated",
        "de": "3 von 27 sitzen noch nicht",
        "es": "3 de 27 aún no están sentados",
    }
    page.context.add_cookies([{"name": "language", "value": language, "url": evening.url}])
    page.set_viewport_size({"width": size[0], "height": size[1]})
    evening.told_tables.refuses["table-02"] = TableReply(False, None, "not-reached", "table-02 is not reached.")
    evening.open_tournament(27)
    evening.enter(do="draw")
    evening.enter(do="start")
    page.goto(f"{evening.url.rstrip('/')}/events")
    report_states_until(page, evening, lambda: counted[language] in page.inner_text("#unseated-count"))
    assert "table-02" in page.inner_text("#unseated")
    assert "table-02 is not reached." in page.inner_text("#unseated")
    assert page.inner_text("#stage").count("27") == 1
    assert page.locator("#words button").count() == 1, "nothing but breaking off"
    assert page.evaluate(SPILT) == []
    page.screenshot(path=tmp_path / f"event-seating-{language}.png")
    page.click("#begin button")
    evening.told_tables.refuses["table-02"] = TableReply(False, None, "not-reached", "table-02 is switched off.")
    for number in evening.list_refused_duties():
        evening.enter(do="again", duty=number)
    report_states_until(page, evening, lambda: "table-02 is switched off." in page.inner_text("#unseated"))
    page.click("#begin button.main")  # what is asked a second time stands while the list is drawn anew
    page.wait_for_selector("#seating", state="hidden")
    assert page.locator("#words button").count() == 4


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_desk_says_an_events_money_and_shows_its_account(
    page: "Page", evening: Evening, size: tuple[int, int]
) -> None:
    """The form has the parts of an entry and the payouts; the account is there from the start on, and fits."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{evening.url.rstrip('/')}/events")
    fill = {"title": "Sunday", "buy_in": "100", "fee": "15", "rebuy_fee": "5", "staff": "2.5", "tables": "table-01"}
    for name, value in fill.items():
        page.fill(f"[name={name}]", value)
    page.select_option("[name=rulebook]", "fish-n-chips")
    page.select_option("[name=payouts]", "standard")
    assert page.evaluate(SPILT) == []
    page.click("#open button.main")
    page.wait_for_function("() => document.querySelector('#title').textContent === 'Sunday'")
    for player in ("Ana", "Ben", "Cem"):
        evening.enter(do="register", player=player)
    assert page.is_hidden("#money")
    evening.enter(do="draw")
    evening.enter(do="start")
    page.wait_for_selector("#money:not([hidden])")
    rows = """() => [...document.querySelectorAll("#account tr")]
      .map((row) => [...row.cells].map((cell) => cell.textContent))"""
    assert page.evaluate(rows) == [
        ["Taken in", "345", "buy-ins 300, fees 45"],
        ["Paid", "0", ""],
        ["Kept", "52.50", "fees 45, staff 7.50"],
        ["To the season", "30", "season 30 (FC, Section 10, Payouts)"],
        ["Still to be won", "262.50", ""],
    ]
    assert page.inner_text("#structure") == "Payouts: One in eight, by default"
    assert page.evaluate(SPILT) == []
    for hand, player in enumerate(("Cem", "Ben"), start=1):
        evening.enter(do="eliminate", player=player, hand=hand, stack=2000)
    page.wait_for_function("() => document.querySelector('#account').innerText.includes('Not collected')")
    assert page.evaluate(rows)[1:2] + page.evaluate(rows)[4:] == [
        ["Paid", "262.50", "prizes 262.50"],
        ["Difference", "0", ""],
        ["Not collected", "262.50", ""],
    ]
    with page.expect_download() as told:
        page.click("#account-file")
    assert told.value.path().read_text().splitlines()[-1] == "difference,,,0.00"
    page.click("text=Pay out")
    page.wait_for_function("() => !document.querySelector('#account').innerText.includes('Not collected')")
    page.click("text=Close tournament")
    page.wait_for_function("() => document.querySelector('#closed').textContent.startsWith('Closed by Bo')")


@pytest.mark.parametrize("size", SIZES)
def test_the_desk_shows_bounties_and_takes_who_has_won_one(
    page: "Page", evening: Evening, tmp_path: Path, size: tuple[int, int]
) -> None:
    """Covers: WSOP-T-39.a WSOP-T-39.a#without."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{evening.url.rstrip('/')}/events")
    for name, value in (("title", "Sunday"), ("tables", "table-01 table-02"), ("bounty", "20")):
        page.fill(f"[name={name}]", value)
    page.click("#open button.main")
    page.wait_for_url("**/events?event=1")
    for player in ("Ana", "Ben", "Cem", "Dan", "Eve"):
        evening.enter(do="register", player=player)
    evening.enter(do="draw")
    evening.enter(do="start")
    report_states_until(page, evening, lambda: page.locator("#words button").count() == 4)
    evening.enter(do="eliminate", player="Ben", hand=1, stack=500, knocked_by=["Ana", "Cem"], shares=[3, 1])
    evening.enter(do="eliminate", player="Dan", hand=2, stack=500)
    page.wait_for_function("() => document.querySelector('#bounties').innerText.includes('15')")
    assert page.locator("#bounty-keys select").first.locator("option").all_inner_texts() == [
        "Dan: ?", "Ben: Ana 3/4, Cem 1/4",
    ]  # fmt: skip
    page.fill("#bounty-keys input", "Eve, Ana")
    page.click("#bounty-keys button:has-text('Confirm')")
    page.wait_for_function("() => document.querySelector('#bounties').innerText.includes('25')")
    page.screenshot(path=tmp_path / "bounties.png", full_page=True)
    page.click("#bounty-keys button:has-text('Nobody')")
    page.wait_for_function("() => !document.querySelector('#bounties').innerText.includes('25')")
    page.click("#bounty-keys button:has-text('pays for another')")
    page.wait_for_function("() => document.querySelector('#account').innerText.includes('markers 20')")
    assert page.evaluate(SPILT) == []

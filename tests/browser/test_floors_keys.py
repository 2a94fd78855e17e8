"""What the floor tells a table of a tournament, and time extensions and hands that are asked for at the dealer's.

The pages' files are served from the folder; what the table says is what the core says, and what a touch enters is given
to the same table, which must take it.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from config.table_line import parse_table_line
from controller.core.engine.report_offers import describe_seat_offers, describe_table_offers
from controller.core.engine.table import Table
from controller.core.protocol.script_lines import parse_line
from tests.browser.alone import NO_SERVER, give
from tests.browser.conftest import DEMO, disable_tap_guard
from tests.browser.publications import of_lines
from tests.browser.tables import SIZES, DealersPage, RunningTable
from tests.browser.test_legible import LOOK

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

Line = dict[str, Any]
SHOT = {"seconds": 30, "extensions": 2}
DEALT: list[Line] = [{"ev": "start"}, *[{"ev": "card", "card": None}] * 8]


def make_table_line(book: str, **more: object) -> Line:
    """The line of a table of four."""
    seats = [{"seat": seat, "player": name, "stack": 200} for seat, name in enumerate(("Ana", "Ben", "Cleo", "Dev"), 1)]
    betting = {"structure": "no-limit", "small_blind": 1, "big_blind": 2}
    return {"ev": "table", "rulebook": book, "game": "holdem", "betting": betting, "seats": seats, "button": 1, **more}


KEY = """text => [...document.querySelectorAll(document.querySelector("#sheet[open]") ? "#sheet button" : "button")]
  .find((made) => made.getClientRects().length && made.firstChild && made.firstChild.textContent === text)"""
"""The key of these words, in the sheet if one is open."""


def play_lines(lines: Sequence[Line]) -> Table:
    """A table that has taken these lines."""
    table = Table()
    for each in lines:
        table.handle(parse_table_line(each) if each["ev"] == "table" else parse_line(each))
    return table


class ShownTable:
    """A page on which a table of the core is shown; every line that is touched goes to the table."""

    def __init__(self, page: "Page", roles: list[str], path: str) -> None:
        self.page, self.roles = page, roles
        self.entered: list[Line] = []
        self.posted: list[list[Line]] = []
        self.lines: list[Line] = []
        page.route("**/*", self._answer)
        page.add_init_script(NO_SERVER)
        page.goto(f"http://table.test{path}")
        page.wait_for_function("() => window.tell")

    def play(self, *lines: Line) -> None:
        """Play lines, and show how the table stands then."""
        self.lines.extend(lines)
        *_, last = of_lines(self.lines)
        self.page.evaluate("text => window.tell(text)", last)

    def touch(self, *keys: str) -> None:
        """Touch keys one after the other, the last of which enters something; the table must take it."""
        before = len(self.entered)
        for text in keys:
            key = self.page.wait_for_function(KEY, arg=text).as_element()
            assert key is not None
            key.click()
        self.page.wait_for_function("before => window.entered && window.entered.length > before", arg=before)
        line = self.entered[-1]
        play_lines([*self.lines, line])
        self.play(line)

    def looks_right(self) -> None:
        """Nothing of the dealer's page is cut, and nothing contradicts the large line."""
        *_, last = of_lines(self.lines)
        assert self.page.evaluate(LOOK, [last]) == [[]]

    def keys(self) -> list[str]:
        """The words of what the floor may tell the table."""
        return [text.split("\n")[0] for text in self.page.locator("#tell:not([hidden]) button").all_inner_texts()]

    def _describe_offers(self, seat: int | None) -> Line:
        """What the loop says of a seat, where this table is in it."""
        state = play_lines(self.lines).outcome.state
        return describe_table_offers(state) if seat is None else describe_seat_offers(state, seat)

    def _answer(self, route: "Route") -> None:
        path = route.request.url.removeprefix("http://table.test").removeprefix("/static")
        if path == "/who":
            route.fulfill(json={"mode": "live", "name": "Bo", "roles": self.roles, "showroom": True, "seconds": 600})
        elif path == "/entry":
            posted = json.loads(route.request.post_data or "")
            self.posted.append(posted.get("lines") or [posted["line"]])
            self.entered.append(self.posted[-1][-1])
            self.page.evaluate("n => { window.entered = { length: n }; window.posted = n; }", len(self.entered))
            route.fulfill(status=202)
        elif path.startswith("/offers"):
            seat = path.partition("=")[2]
            route.fulfill(json={"seen": len(self.lines), **self._describe_offers(int(seat) if seat else None)})
        elif path == "/tap-guard.js":
            disable_tap_guard(route)
        else:
            give(route, {"/": "dealer.html", "/floor": "floor.html"}.get(path, path.lstrip("/")))


@pytest.fixture(params=SIZES)
def page_of(request: pytest.FixtureRequest, browser: "Browser") -> Iterator[Callable[[list[str], str], ShownTable]]:
    width, height = request.param
    pages: list[Page] = []
    said: list[str] = []

    def make(roles: list[str], path: str) -> ShownTable:
        pages.append(browser.new_page(viewport={"width": width, "height": height}))
        pages[-1].on("pageerror", lambda error: said.append(str(error)))
        return ShownTable(pages[-1], roles, path)

    yield make
    for page in pages:
        page.close()
    assert said == [], "the page's own scripts failed"


def make_action_lines(said: str) -> list[Line]:
    """Seats and what they do, one after the other; `bet:4` bets four."""
    words = said.split()
    acts = [(int(seat), *do.partition(":")) for seat, do in zip(words[::2], words[1::2], strict=True)]
    return [{"ev": "act", "seat": seat, "do": do, **({"to": int(to)} if to else {})} for seat, do, _, to in acts]


PageOf = Callable[[list[str], str], ShownTable]


def test_the_floor_of_a_tournament_tells_the_table_by_touch(page_of: PageOf) -> None:
    """TDA-RP-8, TDA-11-D, TDA-71, WSOP-T-113, WSOP-T-125, WSOP-T-126."""
    floor = page_of(["floor"], "/floor")
    floor.play(make_table_line("wsop-2024"))
    assert floor.keys() == ["Hand for hand", "Last hands…", "Halt play", "Penalty…"]
    floor.touch("Hand for hand")
    floor.touch("Last hands…", "4", "Enter")
    assert "4 hands more begin today." in floor.page.inner_text("#question")
    floor.touch("Halt play")
    assert "halted" in floor.page.inner_text("#question")
    floor.touch("Play goes on")
    floor.touch("Penalty…", "Seat 2", "1 round")
    floor.touch("Penalty…", "Seat 2", "Penalty is over")
    assert floor.entered == [
        {"ev": "hand-for-hand", "on": True}, {"ev": "last-hands", "hands": 4}, {"ev": "halt"},
        {"ev": "halt", "on": False}, {"ev": "penalty", "seat": 2, "rounds": 1},
        {"ev": "penalty", "seat": 2, "hands": 0},
    ]  # fmt: skip
    floor.play(*DEALT, *make_action_lines("4 fold 1 fold 2 fold"), {"ev": "done"})
    assert "Hand for hand: the table waits" in floor.page.inner_text("#question.waits")
    assert floor.page.evaluate("['next', 'due'].filter((id) => document.getElementById(id).scrollHeight > "
                               "document.getElementById(id).clientHeight + 1)") == []  # fmt: skip
    floor.touch("Go on")
    floor.touch("Hand for hand is over")
    floor.touch("No last hands")
    assert "Nothing waits" in floor.page.inner_text("#question")
    width, height = floor.page.evaluate("[innerWidth, innerHeight]")
    assert floor.page.evaluate("document.documentElement.scrollWidth") <= width
    assert floor.page.evaluate("document.documentElement.scrollHeight") <= height
    for box in floor.page.locator("#tell button").evaluate_all(
        "all => all.map((b) => [b.offsetHeight, b.scrollWidth - b.clientWidth])"
    ):
        assert box[0] >= 36
        assert box[1] <= 1


def test_a_skipped_hand_is_left_passive_and_the_floor_says_why(page_of: PageOf) -> None:
    """TDA-53-B."""
    floor = page_of(["floor"], "/floor")
    floor.play(make_table_line("tda-2024", mode="cash"), *DEALT)
    assert floor.keys() == ["Passive…"]
    floor.page.fill("#why", "passed by")
    floor.touch("Passive…", "Seat 1")
    assert floor.entered == [{"ev": "floor", "decide": "passive", "seat": 1, "why": "passed by"}]


@pytest.mark.parametrize("book", ["roberts-7", "maryport"])
def test_a_cash_game_has_none_of_these_keys(page_of: PageOf, book: str) -> None:
    floor = page_of(["floor"], "/floor")
    floor.play(make_table_line(book), *DEALT)
    assert floor.keys() == []
    dealer = page_of(["dealer"], "/")
    dealer.play(make_table_line(book), *DEALT)
    assert dealer.page.get_by_role("button", name="More time").count() == 0


def test_the_floor_tells_the_table_at_the_dealers_own_screen(page_of: PageOf) -> None:
    dealer = page_of(["dealer", "floor"], "/")
    dealer.play(make_table_line("wsop-2024"), {"ev": "hand-for-hand", "on": True}, *DEALT)
    dealer.play(*make_action_lines("4 fold 1 fold 2 fold"), {"ev": "done"})
    assert dealer.page.locator("#now button").all_inner_texts() == ["Call the floor", "The floor decides…"]
    dealer.looks_right()
    dealer.touch("The floor decides…", "Go on")
    dealer.play({"ev": "start"})
    dealer.page.get_by_role("button", name="Call the floor").first.wait_for()
    assert dealer.entered == [{"ev": "hand-for-hand", "go": True}]


def test_who_serves_a_penalty_is_seen_at_the_seat(page_of: PageOf) -> None:
    """TDA-71-A."""
    dealer = page_of(["dealer"], "/")
    dealer.play(make_table_line("wsop-2024"), {"ev": "penalty", "seat": 2, "rounds": 1})
    assert "penalty 4" in dealer.page.inner_text("[data-seat='2']")
    dealer.looks_right()
    dealer.play(*DEALT, *make_action_lines("4 fold 1 fold 2 fold"), {"ev": "done"})
    assert "penalty 3" in dealer.page.inner_text("[data-seat='2']")
    dealer.looks_right()


def test_the_seat_on_which_the_shot_clock_runs_takes_more_time_in_one_touch(page_of: PageOf) -> None:
    """WSOP-T-80, TDA-RP-19."""
    dealer = page_of(["dealer"], "/")
    dealer.play(make_table_line("wsop-2024", shot_clock=SHOT), *DEALT)
    dealer.looks_right()
    dealer.touch("More time")
    dealer.looks_right()  # with the clause of the ruling beside it
    assert dealer.page.locator("#answers button").count() == 3
    dealer.touch("More time")
    assert dealer.entered == [{"ev": "clock", "seat": 4, "extend": True}] * 2
    assert dealer.page.get_by_role("button", name="More time").count() == 0


def test_a_caller_asks_to_see_the_hand_of_the_last_to_bet(page_of: PageOf) -> None:
    """TDA-18-B."""
    dealer = page_of(["dealer"], "/")
    acts = "4 call 1 call 2 call 3 check"
    checks = "2 check 3 check 4 check 1 check"
    dealer.play(make_table_line("tda-2024"), *DEALT, *make_action_lines(acts))
    for cards, said in ((4, checks), (2, checks), (2, "2 bet:4 3 call 4 fold 1 fold")):
        dealer.lines += [{"ev": "card", "card": None}] * cards
        dealer.play(*make_action_lines(said))
    dealer.page.click("[data-seat='2']")
    dealer.touch("Shows: seat 3 asks to see it")
    assert dealer.entered == [{"ev": "show", "seat": 2, "asked": 3}]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[RunningTable]:
    """The table of the demo, in a tournament of a book that has these rules."""
    text = DEMO.read_text().replace('"demo-deck.csv"', f'"{DEMO.parent / "demo-deck.csv"}"')
    config = tmp_path / "table.toml"
    config.write_text(text.replace("speed = 1", "speed = 20").replace('"roberts-7"', '"tda-2024"\nmode = "tournament"'))
    running = RunningTable(tmp_path / "state", config=config)
    yield running
    running.end()


def test_a_table_that_runs_is_halted_and_let_go_on_by_the_floor(dealer: DealersPage) -> None:
    """TDA-11-D."""
    browser = dealer.page.context.browser
    assert browser is not None
    floor = browser.new_page(viewport=dealer.page.viewport_size)
    floor.goto(dealer.table.url + "floor")
    floor.get_by_role("button", name="Halt play").click()
    floor.wait_for_function("() => document.querySelector('#question').innerText.includes('Play is halted here.')")
    dealer.page.wait_for_function("() => document.querySelector('#next').innerText.includes('Wait for the floor')")
    floor.get_by_role("button", name="Play goes on").click()
    dealer.page.get_by_role("button", name="Start the hand").wait_for()
    dealer.touch("Start the hand")
    assert dealer.table.state()["table"]["hand"] == 1
    floor.close()


def test_the_floor_sees_that_the_gate_must_rest_as_long_as_the_table_says_so(page_of: PageOf) -> None:
    floor = page_of(["floor"], "/floor")
    floor.play(make_table_line("roberts-7"), *DEALT[:2])
    *_, last = of_lines(floor.lines)
    text = "Its coil has been on long enough and rests: the gate opens again by itself in 60 s."
    held = {"code": "gate-held", "device": "gate", "text": text, "dealer": "Wait a moment."}
    for notices, shown in (([], "Nothing waits for the floor."), ([held], text), ([], "Nothing waits for the floor.")):
        floor.page.evaluate("text => window.tell(text)", json.dumps({**json.loads(last), "notices": notices}))
        assert floor.page.locator("#question .asked").inner_text() == shown

"""A room on a real socket, with tables that tell what the test says, for a browser. `python -m` takes screenshots."""

import asyncio
import json
import sys
import tempfile
import threading
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any, TypeVar

from controller.room_contract.subjects import TableTopic
from controller.room_contract.table_health import TableHealth
from controller.web.serving.listener import listen
from controller.web.serving.page_server import PageServer
from room.server.app import make_app
from room.staff.staff_list_publisher import load_or_make_room_key
from tests.room.server.house import House
from tests.room.test_standing import TOLD

T = TypeVar("T")
PATIENCE = 60.0

GAMES = (
    ("No-limit hold'em", {"small_blind": 1, "big_blind": 2}), ("Pot-limit Omaha", {"small_blind": 2, "big_blind": 5}),
    ("Seven-card stud", {"ante": 1, "small_bet": 4, "big_bet": 8}),
    ("Razz", {"ante": 2, "small_bet": 10, "big_bet": 20}),
)  # fmt: skip
PHASES = (("deal", "Deal a card to seat 4"), ("betting", "Seat 2 acts: 40 to call"), ("showdown", "Seat 7 shows"))
NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida")


def make_table_state(number: int, **changed: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """What table `number` tells, in play."""
    game, betting = GAMES[number % 4]
    phase, step = PHASES[number % 3]
    seats = [{"seat": seat, "player": NAMES[seat - 1], "away": seat == number % 9, "stack": 100 * seat}
             for seat in range(1, 10 - number % 4)]  # fmt: skip
    return TOLD | {
        "game": game, "betting": betting, "hand": 40 + 7 * number, "phase": phase, "remedy": [], "rulings": [],
        "next": [{"step": "x", "text": step, "short": step}], "floor_called": False, "seats": seats,
    } | changed  # fmt: skip


def ruling() -> dict[str, Any]:
    return {key: TOLD[key] for key in ("phase", "rulings", "remedy", "next", "ruled_in", "hand")}


class ServedRoom(House):
    """The room, served in a thread of its own, in whose loop everything happens."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.room.wall_clock = __import__("time").time
        load_or_make_room_key(
            self.room.file.state_directory
        )  # a page makes it in a thread, and a test may ask for it at that moment
        bound = listen("127.0.0.1", 0)
        app = make_app(self.room, ["127.0.0.1"], self.pages)
        self.server = PageServer(app, bound, self.room.hub)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return self.server.url

    def say(self, table: str, what: TableTopic, content: Mapping[str, Any] | bytes) -> None:
        text = content if isinstance(content, bytes) else json.dumps(content).encode()
        self._loop.call_soon_threadsafe(self.deliver_table_message, table, what, text)

    def call_soon(self, do: Callable[[], object]) -> None:
        self._loop.call_soon_threadsafe(do)

    def now(self, do: Callable[[], T]) -> T:
        """Do something in the room's loop, and wait for it."""

        async def call() -> T:
            return do()

        return asyncio.run_coroutine_threadsafe(call(), self._loop).result(PATIENCE)

    def begin(self, do: Callable[[], Coroutine[Any, Any, None]]) -> "asyncio.Task[None]":
        """Begin something that goes on."""
        return self.now(lambda: asyncio.get_running_loop().create_task(do()))

    def end(self) -> None:
        self._loop.call_soon_threadsafe(self._end)
        self._thread.join(PATIENCE)
        self.server.end()
        self.close()

    def _end(self) -> None:
        self.room.hub.close()
        self.server._server.should_exit = True

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    async def _serve(self) -> None:
        beside = [asyncio.create_task(page.run()) for page in self.pages]
        await self.server.serve()
        for task in beside:
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)


def evening(room: ServedRoom, tables: int = 12) -> None:
    """Twelve tables as on any evening: a ruling, a fault, calls, one that tells its health alone, one that is away."""
    for number in range(1, tables + 1):
        extra: dict[str, Any] = {}
        if number == 3:
            extra = ruling() | {"floor_called": True}
        if number == 5:
            extra = {"faults": [{"code": "gate-stuck", "stops": "deal"}], "phase": "halted"}
        if number == 9:
            extra = {"floor_called": True}
        if number != 11:
            room.say(f"table-{number:02}", TableTopic.STATE, make_table_state(number, **extra))
        room.say(
            f"table-{number:02}",
            TableTopic.HEALTH,
            TableHealth(1.0, "health" if number == 11 else "live", True).to_json(),
        )

    def mark_table_away() -> None:
        from room.server.pages.floor_page import FloorPage

        page = next(page for page in room.pages if isinstance(page, FloorPage))
        page._seen_by_table["table-08"].is_away = True
        page._show_table("table-08", page._seen_by_table["table-08"])

    room.call_soon(mark_table_away)


def main(place: Path) -> int:
    from playwright.sync_api import sync_playwright

    from tests.browser.tables import CHROMIUM

    binary = next(path for path in CHROMIUM if Path(path).exists())
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        room = ServedRoom(Path(folder))
        evening(room)
        browser = driver.chromium.launch(executable_path=binary, args=["--no-sandbox"])
        token = room.door.sessions.begin(room.staff.sign_in("Bo", "503316"), None)  # type: ignore[union-attr]
        for width, height in ((800, 480), (1920, 1080), (390, 844)):
            context = browser.new_context(viewport={"width": width, "height": height})
            context.add_cookies([{"name": "room", "value": token, "url": room.url}])
            page = context.new_page()
            page.on("pageerror", print)
            page.goto(room.url)
            page.wait_for_selector('[data-table="table-12"]')
            page.wait_for_timeout(300)
            page.screenshot(path=place / f"room-floor-{width}.png")
            page.click('[data-table="table-03"]')
            page.wait_for_selector("#case[open]")
            page.screenshot(path=place / f"room-case-{width}.png")
            for path in sys.argv[2:]:
                page.goto(room.url.rstrip("/") + path)
                page.wait_for_timeout(500)
                page.screenshot(path=place / f"room-{path.strip('/').replace('/', '-')}-{width}.png")
            context.close()
        browser.close()
        room.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))

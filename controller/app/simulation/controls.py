"""What somebody who watches the simulated table can do to it: set its pace, let things go wrong, change the game.

A change of game or rulebook is a new session: the loop ends and the table is opened anew with another `table` line.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from config import game_file, rulebook_file
from config.folders import Library, library_of
from config.setup import open_table
from config.table_file import TableFile
from controller.app.simulation.pace import Player
from controller.app.simulation.room import Room
from controller.core.engine import other_book
from controller.core.engine.display import view
from controller.core.model.outcome import Outcome
from controller.core.model.state import Previous
from controller.core.protocol.display import Phase
from controller.core.protocol.errors import Refused
from controller.core.rules.rulebook import Rulebook
from controller.runtime.loop.loop import Loop
from controller.runtime.loop.standing import Standing
from controller.web.pages.dealer_page import FAULTS
from controller.web.pages.remedy import remedial
from controller.web.wording import worded
from drivers.sim.bench.bench import Bench

ANOTHER_TABLE = "another table"
"""Why the loop ended when a new session is to begin."""

STAKES: Mapping[str, Mapping[str, object]] = {
    "stud": {"structure": "fixed-limit", "ante": 1, "bring_in": 1, "small_bet": 2, "big_bet": 4},
    "limit": {"structure": "fixed-limit", "small_blind": 1, "big_blind": 2, "small_bet": 2, "big_bet": 4},
    "pot": {"structure": "pot-limit", "small_blind": 1, "big_blind": 2},
    "no": {"structure": "no-limit", "small_blind": 1, "big_blind": 2},
}

STEPS_SHOWN = 6
"""How many steps of another rulebook's answer are shown: those of the remedy, or the first of the deal."""


class Showroom:
    """The controls of the simulation, for whichever session is running. `status` is told whenever they change."""

    def __init__(self, status: Callable[[Mapping[str, object]], None], *, playing: bool) -> None:
        self._status = status
        self._running: tuple[Player, Room, Loop, Bench, str] | None = None
        self._pace: Mapping[str, object] = {"playing": playing}
        self._line: Mapping[str, object] = {}
        self._library = library_of()
        self._wanted: Mapping[str, object] | None = None
        self._ruled: Previous | None = None
        self._unplugged = False
        self._lock = threading.Lock()

    def open(self, player: Player, room: Room, loop: Loop, bench: Bench, reader: str, file: TableFile) -> None:
        """Take over a session of the table of `file` that is about to run; `reader` is the device of the shoe."""
        with self._lock:
            self._library = file.library
            self._running = (player, room, loop, bench, reader)
            self._line, self._ruled, self._unplugged = file.table, None, False
        loop.subscribe(self.see)
        self._tell()

    def see(self, standing: Standing) -> None:  # noqa: ARG002 - as the loop calls it
        """Remember the event that was ruled on last; in the loop's thread."""
        running = self._running
        if running is None:
            return
        previous = running[2].outcome.state.undo.previous
        if previous is not None and previous.ruled:
            self._ruled = previous
        self._tell()

    def paced(self, status: Mapping[str, object]) -> None:
        """Hear of the player how it goes."""
        self._pace = status
        self._tell()

    @property
    def playing(self) -> bool:
        """Whether people go on by themselves, also in the next session."""
        return bool(self._pace["playing"])

    @property
    def speed(self) -> float | None:
        """How many times as fast as people do; `None` before anybody has moved."""
        speed = self._pace.get("speed")
        return speed if isinstance(speed, float | int) else None

    def wanted(self) -> Mapping[str, object] | None:
        """Return the `table` line of the session that is to follow, once."""
        with self._lock:
            wanted, self._wanted = self._wanted, None
            return wanted

    def play(self) -> None:
        """Go on by itself."""
        self._player.play()

    def pause(self) -> None:
        """Stop after the move in hand."""
        self._player.pause()

    def step(self) -> None:
        """Make one move."""
        self._player.step()

    def set_speed(self, speed: float) -> None:
        """Go `speed` times as fast as people do."""
        self._player.set_speed(speed)

    def go_wrong(self, fault: str) -> None:
        """Let something go wrong as soon as it can; cables at once."""
        if self._running is None:
            return
        _, room, _, bench, reader = self._running
        if fault == "unplug":
            bench.unplug(reader)
            self._unplugged = True
        elif fault == "plug":
            bench.plug(reader)
            self._unplugged = False
        else:
            room.go_wrong(fault)
        self._tell()

    def set_table(self, game: str, rulebook: str) -> str | None:
        """End this session and begin one with another game or rulebook, between hands; return why not, if not."""
        if self._running is None:
            return "The table is not up yet."
        loop = self._running[2]
        if loop.outcome.phase is not Phase.IDLE:
            return "Finish the hand first: game and rulebook change between hands."
        books, games = rulebook_file.names(self._library), game_file.names(self._library)
        if game not in games or rulebook not in books:
            return f"There are the games {', '.join(games)} and the rulebooks {', '.join(books)}."
        line = table_line(self._line, game, rulebook, self._library)
        try:
            open_table(line, self._library)
        except Refused as why:
            return why.message
        with self._lock:
            self._wanted = line
        loop.stop(ANOTHER_TABLE)
        return None

    def answers(self) -> Sequence[Mapping[str, Any]]:
        """Return what every rulebook says to the event that was ruled on last, this table's own first."""
        ruled = self._ruled
        if ruled is None:
            return []
        own = ruled.state.setup.rulebook
        books = [own, *(book for book in self._books().values() if book.title != own.title)]
        return [_answer(book, ruled, own=book is own) for book in books]

    @property
    def _player(self) -> Player:
        assert self._running is not None
        return self._running[0]

    def _books(self) -> Mapping[str, Rulebook]:
        return {name: rulebook_file.load(name, self._library) for name in rulebook_file.names(self._library)}

    def _tell(self) -> None:
        running = self._running
        names = rulebook_file.names(self._library)
        offers = {name: rulebook_file.offer_of(name, self._library) for name in names}
        self._status(
            {
                **self._pace,
                "faults": [fault for fault in FAULTS if fault != ("unplug" if self._unplugged else "plug")],
                "wrong": None if running is None else running[1].wrong,
                "game": self._line.get("game"),
                "rulebook": self._line.get("rulebook"),
                "books": {name: title for name, (title, _) in offers.items()},
                "games": {name: list(games) for name, (_, games) in offers.items()},
                "ruled": self._ruled is not None,
            }
        )


KEPT = ("ev", "seats", "places", "sensors", "button", "amounts", "follow", "discards")
"""What of the `table` line stays with another game."""


def table_line(
    line: Mapping[str, object], game: str, rulebook: str, library: Library | None = None
) -> dict[str, object]:
    """Return the `table` line for another game and book, with stakes that the game is played at."""
    form = game_file.load(game, library)
    structure = "no" if game in ("holdem", "lowball-27") else "pot" if game == "omaha" else "limit"
    kept = {key: line[key] for key in KEPT if key in line}
    if not form.button:
        structure = "stud"
        kept.pop("button", None)
    elif "button" not in kept:
        seats = line["seats"]
        assert isinstance(seats, list)
        kept["button"] = seats[0]["seat"]
    joker = {} if form.joker == "never" else {"joker": False}
    return {**kept, "rulebook": rulebook, "game": game, "betting": dict(STAKES[structure]), **joker}


def _answer(book: Rulebook, ruled: Previous, *, own: bool) -> dict[str, Any]:
    """Say what a book rules, and the first steps that follow."""
    shown: dict[str, Any] = {"book": book.title, "code": book.code, "own": own, "rulings": [], "next": []}
    if ruled.state.setup.game.name not in book.games:
        return {**shown, "none": f"It has no rules for {ruled.state.setup.game.title}."}
    try:
        outcome: Outcome = other_book.under(book, ruled.state, ruled.event)
    except Refused as why:
        return {**shown, "none": why.message}
    line = view.line(outcome, 0, live=True)
    steps = [step for step in line["next"] if remedial(step)] or line["next"]
    return {**shown, "rulings": line["rulings"], "next": worded(steps[:STEPS_SHOWN]), "phase": line["phase"]}

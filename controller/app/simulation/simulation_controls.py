"""What somebody who watches the simulated table can do to it: set its pace, let things go wrong, change the game.

A change of game or rulebook is a new session: the loop ends and the table is opened anew with another `table` line.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from config import game_file, rulebook_file
from config.file_library import Library, resolve_library
from config.table_file import TableFile
from config.table_line import parse_table_line
from controller.app.simulation.simulated_people import SimulatedPeople
from controller.app.simulation.simulation_runner import SimulationRunner
from controller.core.engine import other_rulebook
from controller.core.engine.output import outcome_rendering
from controller.core.model.outcome import Outcome
from controller.core.model.table_state import PreviousEntry
from controller.core.protocol.table_error import Refused
from controller.core.rules.rulebook import Rulebook
from controller.runtime.loop.table_loop import TableLoop
from controller.runtime.loop.table_view import TableView
from controller.web.pages.dealer_page import MISHAPS
from controller.web.publishing.remedy_progress import is_remedy_step
from controller.web.wording.step_instructions import add_instructions
from drivers.simulators.bench.bench import Bench

TABLE_CHANGE_REASON = "another table"
"""Why the loop ended when a new session is to begin."""

BETTING_BY_STRUCTURE: Mapping[str, Mapping[str, object]] = {
    "stud": {"structure": "fixed-limit", "ante": 1, "bring_in": 1, "small_bet": 2, "big_bet": 4},
    "limit": {"structure": "fixed-limit", "small_blind": 1, "big_blind": 2, "small_bet": 2, "big_bet": 4},
    "pot": {"structure": "pot-limit", "small_blind": 1, "big_blind": 2},
    "no": {"structure": "no-limit", "small_blind": 1, "big_blind": 2},
}

MAX_SHOWN_STEPS = 6
"""How many steps of another rulebook's answer are shown: those of the remedy, or the first of the deal."""


class SimulationControls:
    """The controls of the simulation, for whichever session is running. `status` is told whenever they change."""

    def __init__(self, status: Callable[[Mapping[str, object]], None], *, playing: bool) -> None:
        self._on_status = status
        self._session: tuple[SimulationRunner, SimulatedPeople, TableLoop, Bench, str] | None = None
        self._pace_status: Mapping[str, object] = {"playing": playing}
        self._table_line: Mapping[str, object] = {}
        self._library = resolve_library()
        self._next_table_line: Mapping[str, object] | None = None
        self._last_ruled: PreviousEntry | None = None
        self._is_unplugged = False
        self._lock = threading.Lock()

    def attach_session(
        self,
        player: SimulationRunner,
        room: SimulatedPeople,
        loop: TableLoop,
        bench: Bench,
        reader: str,
        file: TableFile,
    ) -> None:
        """Take over a session of the table of `file` that is about to run; `reader` is the device of the shoe."""
        with self._lock:
            self._library = file.library
            self._session = (player, room, loop, bench, reader)
            self._table_line, self._last_ruled, self._is_unplugged = file.table_line, None, False
        loop.subscribe(self.on_view_published)
        self._publish_status()

    def on_view_published(self, standing: TableView) -> None:  # noqa: ARG002 - as the loop calls it
        """Remember the event that was ruled on last; in the loop's thread."""
        running = self._session
        if running is None:
            return
        previous = running[2].outcome.state.undo.previous
        if previous is not None and previous.has_ruling:
            self._last_ruled = previous
        self._publish_status()

    def on_pace_changed(self, status: Mapping[str, object]) -> None:
        """Hear of the player how it goes."""
        self._pace_status = status
        self._publish_status()

    @property
    def is_playing(self) -> bool:
        """Whether people go on by themselves, also in the next session."""
        return bool(self._pace_status["playing"])

    @property
    def speed(self) -> float | None:
        """How many times as fast as people do; `None` before anybody has moved."""
        speed = self._pace_status.get("speed")
        return speed if isinstance(speed, float | int) else None

    def take_next_table_line(self) -> Mapping[str, object] | None:
        """Return the `table` line of the session that is to follow, once."""
        with self._lock:
            wanted, self._next_table_line = self._next_table_line, None
            return wanted

    def play(self) -> None:
        """Go on by itself."""
        self._runner.play()

    def pause(self) -> None:
        """Stop after the move in hand."""
        self._runner.pause()

    def step(self) -> None:
        """Make one move."""
        self._runner.step()

    def set_speed(self, speed: float) -> None:
        """Go `speed` times as fast as people do."""
        self._runner.set_speed(speed)

    def cause_mishap(self, fault: str) -> None:
        """Let something go wrong as soon as it can; cables at once."""
        if self._session is None:
            return
        _, room, _, bench, reader = self._session
        if fault == "unplug":
            bench.unplug(reader)
            self._is_unplugged = True
        elif fault == "plug":
            bench.replug(reader)
            self._is_unplugged = False
        else:
            room.cause_mishap(fault)
        self._publish_status()

    def set_table(self, game: str, rulebook: str) -> str | None:
        """End this session and begin one with another game or rulebook, between hands; return why not, if not."""
        if self._session is None:
            return "The table is not up yet."
        loop = self._session[2]
        if loop.outcome.state.is_hand_on:
            return "Finish the hand first: game and rulebook change between hands."
        books, games = rulebook_file.list_rulebooks(self._library), game_file.list_games(self._library)
        if game not in games or rulebook not in books:
            return f"There are the games {', '.join(games)} and the rulebooks {', '.join(books)}."
        line = make_table_line(self._table_line, game, rulebook, self._library)
        try:
            parse_table_line(line, self._library)
        except Refused as why:
            return why.message
        with self._lock:
            self._next_table_line = line
        loop.stop(TABLE_CHANGE_REASON)
        return None

    def compare_rulings(self) -> Sequence[Mapping[str, Any]]:
        """Return what every rulebook says to the event that was ruled on last, this table's own first."""
        ruled = self._last_ruled
        if ruled is None:
            return []
        own = ruled.state.setup.rulebook
        books = [own, *(book for book in self._load_rulebooks().values() if book.title != own.title)]
        return [_describe_ruling(book, ruled, own=book is own) for book in books]

    @property
    def _runner(self) -> SimulationRunner:
        assert self._session is not None
        return self._session[0]

    def _load_rulebooks(self) -> Mapping[str, Rulebook]:
        return {
            name: rulebook_file.load_rulebook(name, self._library)
            for name in rulebook_file.list_rulebooks(self._library)
        }

    def _publish_status(self) -> None:
        running = self._session
        names = rulebook_file.list_rulebooks(self._library)
        offers = {name: rulebook_file.read_title_and_games(name, self._library) for name in names}
        self._on_status(
            {
                **self._pace_status,
                "faults": [fault for fault in MISHAPS if fault != ("unplug" if self._is_unplugged else "plug")],
                "wrong": None if running is None else running[1].next_mishap,
                "game": self._table_line.get("game"),
                "rulebook": self._table_line.get("rulebook"),
                "books": {name: title for name, (title, _) in offers.items()},
                "games": {name: list(games) for name, (_, games) in offers.items()},
                "ruled": self._last_ruled is not None,
            }
        )


KEPT_TABLE_KEYS = ("ev", "seats", "places", "sensors", "button", "amounts", "follow", "discards")
"""What of the `table` line stays with another game."""


def make_table_line(
    line: Mapping[str, object], game: str, rulebook: str, library: Library | None = None
) -> dict[str, object]:
    """Return the `table` line for another game and book, with stakes that the game is played at."""
    form = game_file.load_game(game, library)
    structure = "no" if game in ("holdem", "lowball-27") else "pot" if game == "omaha" else "limit"
    kept = {key: line[key] for key in KEPT_TABLE_KEYS if key in line}
    if not form.has_button:
        structure = "stud"
        kept.pop("button", None)
    elif "button" not in kept:
        seats = line["seats"]
        assert isinstance(seats, list)
        kept["button"] = seats[0]["seat"]
    joker = {} if form.joker_use == "never" else {"joker": False}
    return {**kept, "rulebook": rulebook, "game": game, "betting": dict(BETTING_BY_STRUCTURE[structure]), **joker}


def _describe_ruling(book: Rulebook, ruled: PreviousEntry, *, own: bool) -> dict[str, Any]:
    """Say what a book rules, and the first steps that follow."""
    shown: dict[str, Any] = {"book": book.title, "code": book.code, "own": own, "rulings": [], "next": []}
    if ruled.state.setup.game.name not in book.games:
        return {**shown, "none": f"It has no rules for {ruled.state.setup.game.title}."}
    try:
        outcome: Outcome = other_rulebook.handle_under_rulebook(book, ruled.state, ruled.event)
    except Refused as why:
        return {**shown, "none": why.message}
    line = outcome_rendering.render_outcome(outcome, 0, live=True)
    steps = [step for step in line["next"] if is_remedy_step(step)] or line["next"]
    return {
        **shown,
        "rulings": line["rulings"],
        "next": add_instructions(steps[:MAX_SHOWN_STEPS]),
        "phase": line["phase"],
    }

"""What was seen of one entry: who sent what which way, what came back, and how the table stood before and after.

An oracle looks at nothing else. It knows what a page, a program, a room and the people at the table can know, and
nothing of the code behind them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

WAYS = ("api", "page", "key", "device", "room", "power")
"""How an entry came in: by a program's token, from a page, by a panel's key, by a shoe or an antenna, from the room's
desk; `power` is what happens to the program itself: a stop, a kill, a start, an update, a cable."""

ROLES = ("dealer", "floor", "technician", "nobody", "key", "shoe", "antenna", "program", "room", "power")
"""Who did it: a person by his role, a page that nobody has signed in at, a key of the panel, a device, a program."""


@dataclass(frozen=True, slots=True)
class Truth:
    """What the simulated world knows independent of the program."""

    book: str
    game: str
    """The rulebook and the game that the table was last set up with, as it was asked for."""
    deck: tuple[str, ...] = ()
    """The order in which the cards lay in the shoe when the hand's deck went in; the first leaves it first."""
    left_shoe: tuple[str | None, ...] = ()
    """The cards that have left the shoe since then, in their order; None is a card that nothing could read."""
    in_shoe: tuple[str, ...] = ()
    """The cards that are still in the shoe, the next first."""
    bought_in: Mapping[int, int] = field(default_factory=dict)
    """What each seat has brought to the table in all while its player sat there, by seat: stack and chips added."""
    taken_away: Mapping[int, int] = field(default_factory=dict)
    """What went from the table with a player who has left the seat, by seat, as the page had his stack."""
    is_tournament: bool = False
    power: bool = True
    """Whether the program runs."""
    unplugged: tuple[str, ...] = ()
    """The devices whose cables are out."""
    language: str = "en"
    clock: float = 0.0
    """Seconds since the evening began."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One entry, and everything that could be seen of it."""

    number: int
    """Counted from 1 in the evening."""
    role: str
    way: str
    entry: Mapping[str, Any]
    """What was sent: a line of the table script ({"ev": …}), a card ({"card": …}), a cable ({"unplug": …}), a power
    entry ({"power": "stop" | "kill" | "start" | …})."""
    taken: bool
    """Whether the table took it: its journal has an entry more of it, and no refusal came."""
    answer: Mapping[str, Any]
    """What came back: `status`, `code` and `message` over HTTP; the page's `refusal` for a key or a device."""
    before: Mapping[str, Any]
    """The whole page state as the floor's page gets it, before; the table's own line is its `table`."""
    after: Mapping[str, Any]
    pages: Mapping[str, Mapping[str, Any]]
    """The page state as others get it after the entry, by role; sometimes some of them, mostly none."""
    journal: Path
    """The journal's file (SQLite); its newest records may still stand in the file beside it."""
    room: Mapping[str, Any] | None
    """What the room shows of the tables, where there is a room and it was looked at."""
    truth: Truth

    @property
    def table(self) -> Mapping[str, Any]:
        """The table's own line after the entry: `phase`, `next`, `stacks`, `pots`, `bets`, `piles`, `board` …"""
        found: Mapping[str, Any] = self.after.get("table", {})
        return found

    @property
    def table_before(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.before.get("table", {})
        return found


class Evening(Protocol):
    """What an oracle may ask at the end."""

    seed: int
    seen: list[Seen]
    """Every entry of the evening, in order."""
    journal: Path


class Oracle(Protocol):
    """Somebody who watches an evening and complains; a new one is made for each evening."""

    def look(self, seen: Seen) -> Iterator[str]:
        """Look at one entry."""
        ...

    def end(self, evening: Evening) -> Iterator[str]:
        """Look back on the evening."""
        ...

"""Waiting lists: who waits for which game, who was called and until when, and in which order they are seated.

A fold of the stream `waiting:DAY`, one a day of the house. Without an open table a list is one of interest: the same
list, and the same order once a table opens. Words, each with `list` and mostly `player`:

    {"do": "list", "list": "1/3 NL", "game": "holdem", "stakes": [1, 3]}    a list is kept
    {"do": "join" | "leave" | "seat", …}                                    waits; waits no more; has a seat (`table`)
    {"do": "page", …}               called, and has `PAGE_SECONDS` to come
    {"do": "chips", …}              has come, and fetches chips: keeps the place, and no time runs
    {"do": "late", …}               did not come in time: to the bottom, and off the list the second time
    {"do": "open", "table": "table-04", "list": "1/3 NL", "main": "table-01"}  a table opens; `main`: must-move to that
    {"do": "close", "table": "table-04"}
    {"do": "sat" | "left", "table": …, "player": …}                         took, or left, a chair there
    {"do": "chairs", "table": …, "places": 9, "taken": [[3, "Ana", 1764000000.0], [5, null, null]]}   as the table says:
                                    chair, player, since when, where it is known; places 0: it has not told how many

What does not fit the lists as they are (`why_not`) changes nothing, so that every program folds the same lines alike.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from room.record.lines import Line

PAGE_SECONDS = 300.0
"""How long somebody who was called may take to come: five minutes, as cardrooms have it."""

PAGES = 2
"""After so many pages in vain somebody is off the list."""

MOST_LISTS = 40
MOST_WAITING = 200
"""People on one list."""
MOST_TABLES = 200
MOST_SEATED = 12
"""People at one table."""
MOST_STAKE = 999_999_999
LONGEST = 40
"""Signs of a name."""


@dataclass(frozen=True, slots=True)
class Waits:
    """One person on a list; times in Unix seconds. `paged`: called then; `chips`: has come and fetches chips."""

    player: str
    since: float
    paged: float | None = None
    chips: bool = False
    missed: int = 0

    def due(self, now: float) -> bool:
        """Whether the page has run out."""
        return self.paged is not None and not self.chips and now >= self.paged + PAGE_SECONDS


@dataclass(frozen=True, slots=True)
class WaitingList:
    """A list of one game and its stakes, in the order in which people are seated."""

    name: str
    game: str
    stakes: tuple[int, ...]
    people: tuple[Waits, ...] = ()


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A table that is open for a list; `main`: the one to which its players must move; `seated`: since when each is.

    `places`: its chairs, 0 until the table has told; `taken`: those in which somebody sits, and who, by its own word.
    """

    name: str
    list: str
    main: str | None = None
    seated: tuple[tuple[str, float], ...] = ()
    places: int = 0
    taken: tuple[tuple[int, str], ...] = ()

    @property
    def free(self) -> int | None:
        """Chairs for which nobody is on the way, either; `None` until the table has told."""
        there = [player for _, player in self.taken]
        coming = sum(not any(_same(name, player) for player in there) for name, _ in self.seated)
        return max(0, self.places - len(self.taken) - coming) if self.places else None


@dataclass(frozen=True, slots=True)
class Lists:
    """All lists and open tables of a day, by name."""

    lists: Mapping[str, WaitingList] = field(default_factory=dict)
    tables: Mapping[str, OpenTable] = field(default_factory=dict)

    def in_order(self) -> list[WaitingList]:
        """The lists as a board shows them: by game, then by stakes, then by name."""
        return sorted(self.lists.values(), key=lambda one: (one.game, one.stakes, one.name))

    def is_interest(self, name: str) -> bool:
        """Whether no table of that list is open."""
        return not any(table.list == name for table in self.tables.values())

    def late(self, now: float) -> Iterator[Mapping[str, Any]]:
        """The words that are due because somebody did not come in time; entered by the room itself."""
        for one in self.in_order():
            for waits in one.people:
                if waits.due(now):
                    yield {"do": "late", "list": one.name, "player": waits.player}

    def moves(self, main: str) -> list[tuple[str, str]]:
        """Who must move to `main`, as table and player: who sits longest at a table that feeds it comes first."""
        feeders = [table for table in self.tables.values() if table.main == main]
        seated = [(since, table.name, player) for table in feeders for player, since in table.seated]
        return [(table, player) for _, table, player in sorted(seated)]

    def proposed(self) -> list[tuple[str, str | None, str]]:
        """Who is next for each free chair, as table, the table that they come from, and player.

        Must-move first: a free chair at a main game is for who sits longest at a table that feeds it, then for the
        list; nobody is proposed twice, and whoever is called already is counted on.
        """
        found: list[tuple[str, str | None, str]] = []
        for name in sorted(self.tables, key=lambda name: (self.tables[name].main is not None, name)):
            table = self.tables[name]
            for _ in range(table.free or 0):
                next_one = self._next_for(table, {player for _, _, player in found})
                if next_one is not None:
                    found.append((name, *next_one))
        return found

    def _next_for(self, table: OpenTable, gone: set[str]) -> tuple[str | None, str] | None:
        moving = next(((at, player) for at, player in self.moves(table.name) if player not in gone), None)
        if moving is not None:
            return moving
        waiting = self.lists[table.list].people if table.list in self.lists else ()
        return next(((None, waits.player) for waits in waiting if waits.player not in gone), None)

    def why_not(self, what: Mapping[str, Any]) -> str:
        """Say why a word is not taken; empty where it is."""
        match what:
            case {"do": "list", "list": str(name), "game": str(game), "stakes": [*stakes]}:
                if not (fits(name) and fits(game)):
                    return f"a list has a name and a game, each of 1 to {LONGEST} printable signs"
                if not (0 < len(stakes) <= 4 and all(type(s) is int and 0 <= s <= MOST_STAKE for s in stakes)):
                    return f"stakes are one to four whole numbers of at most {MOST_STAKE}, such as 1/3"
                return f"there are {MOST_LISTS} lists" if len(self.lists) >= MOST_LISTS else self._no_list(name)
            case {"do": "join", "list": str(name), "player": str(player)}:
                one = self.lists.get(name)
                if one is None:
                    return self._is_none(name)
                if not fits(player):
                    return f"a name has 1 to {LONGEST} printable signs"
                if (place := _place(one, player)) is not None:
                    return f"{one.people[place].player} is on that list already"
                return f"{MOST_WAITING} wait there already" if len(one.people) >= MOST_WAITING else ""
            case {"do": "leave" | "page" | "chips" | "late" | "seat" as do, "list": str(name), "player": str(player)}:
                return self._why_not_of(do, name, player, what)
            case {"do": "open", "table": str(table), "list": str(name), **rest}:
                return self._why_not_open(table, name, rest.get("main"))
            case {"do": "close", "table": str(table)}:
                if any(other.main == table for other in self.tables.values()):
                    return f"players must move to {table}: close the tables that feed it first"
                return "" if table in self.tables else f"{table} is not open"
            case {"do": "sat", "table": str(table), "player": str(player)} if fits(player):
                there = self.tables.get(table)
                if there is None:
                    return f"{table} is not open"
                if (at := self.seat_of(player)) is not None:
                    return f"{player} sits at {at}"
                return f"{MOST_SEATED} sit at {table}" if len(there.seated) >= MOST_SEATED else ""
            case {"do": "chairs", "table": str(table), "places": int(places), "taken": [*taken]}:
                if table not in self.tables:
                    return f"{table} is not open"
                if not (0 <= places <= MOST_SEATED >= len(taken) and all(map(_is_chair, taken))):
                    return f"a table has {MOST_SEATED} chairs at most, and says of each who sits there since when"
                return "" if len({chair[0] for chair in taken}) == len(taken) else "a chair is taken once"
            case {"do": "left", "table": str(table), "player": str(player)}:
                return "" if self.seat_of(player) == table else f"{player} does not sit at {table}"
            case _:
                return "want one of the words of a waiting list, with what it needs"

    def seat_of(self, player: str) -> str | None:
        """At which table somebody sits."""
        at = (table.name for table in self.tables.values() if any(_same(player, name) for name, _ in table.seated))
        return next(at, None)

    def _no_list(self, name: str) -> str:
        return f"there is a list {name} already" if name in self.lists else ""

    def _is_none(self, name: str) -> str:
        some = ", ".join([one.name for one in self.in_order()][:8])
        return f"there is no list {name[:LONGEST]}" + (f"; there is {some}" if some else "; make it first")

    def _why_not_of(self, do: str, name: str, player: str, what: Mapping[str, Any]) -> str:
        one = self.lists.get(name)
        place = None if one is None else _place(one, player)
        if one is None or place is None:
            return f"{player} is not on list {name}"
        waits = one.people[place]
        if do == "page" and waits.paged is not None:
            return f"{player} is called already"
        if do == "page" and self.is_interest(name):
            return f"no table of {name} is open"
        if do in ("chips", "late") and waits.paged is None:
            return f"{player} was not called"
        if do == "late" and waits.chips:
            return f"{player} has come, and fetches chips"
        if do == "seat":
            table = what.get("table")
            there = self.tables.get(table) if isinstance(table, str) else None
            if there is None or there.list != name:
                return f"{table} is not open for {name}"
            return self.why_not({"do": "sat", "table": table, "player": player})
        return ""

    def _why_not_open(self, table: str, name: str, main: object) -> str:
        if table in self.tables:
            return f"{table} is open already"
        if name not in self.lists:
            return self._is_none(name)
        if len(self.tables) >= MOST_TABLES or not fits(table):
            return f"{MOST_TABLES} tables are open at most, each with a name of {LONGEST} signs at most"
        if main is None:
            return ""
        there = self.tables.get(main) if isinstance(main, str) else None
        if there is None or there.list != name or there.main is not None:
            return f"{main} is no main game of {name}"
        return ""


def after(lists: Lists, line: Line) -> Lists:
    """Take one line more."""
    what = line.what
    if lists.why_not(what):
        return lists
    match what:
        case {"do": "list", "list": str(name), "game": str(game), "stakes": [*stakes]}:
            return _with(lists, WaitingList(name, game, tuple(int(stake) for stake in stakes)))
        case {"do": "join", "list": str(name), "player": str(player)}:
            one = lists.lists[name]
            return _with(lists, replace(one, people=(*one.people, Waits(player, line.at))))
        case {"do": "open", "table": str(table), "list": str(name), **rest}:
            main = rest.get("main")
            return replace(lists, tables={**lists.tables, table: OpenTable(table, name, main)})
        case {"do": "close", "table": str(table)}:
            return replace(lists, tables={name: one for name, one in lists.tables.items() if name != table})
        case {"do": "sat", "table": str(table), "player": str(player)}:
            return _sat(lists, table, player, line.at)
        case {"do": "chairs", "table": str(table), "places": int(places), "taken": [*taken]}:
            return _told(lists, table, places, taken, line.at)
        case {"do": "left", "table": str(table), "player": str(player)}:
            there = lists.tables[table]
            seated = tuple(one for one in there.seated if not _same(one[0], player))
            return replace(lists, tables={**lists.tables, table: replace(there, seated=seated)})
        case {"do": str(do), "list": str(name), "player": str(player)}:
            return _moved(lists, do, lists.lists[name], player, what, line.at)
        case _:
            return lists


def _moved(lists: Lists, do: str, one: WaitingList, player: str, what: Mapping[str, Any], at: float) -> Lists:
    place = _place(one, player)
    assert place is not None
    waits, others = one.people[place], one.people[:place] + one.people[place + 1 :]
    match do:
        case "page":
            people = (*one.people[:place], replace(waits, paged=at), *one.people[place + 1 :])
        case "chips":
            people = (*one.people[:place], replace(waits, chips=True), *one.people[place + 1 :])
        case "late" if waits.missed + 1 < PAGES:
            people = (*others, replace(waits, paged=None, missed=waits.missed + 1))
        case _:
            people = others
    changed = _with(lists, replace(one, people=people))
    return _sat(changed, str(what["table"]), player, at) if do == "seat" else changed


def _sat(lists: Lists, table: str, player: str, at: float) -> Lists:
    there = lists.tables[table]
    return replace(lists, tables={**lists.tables, table: replace(there, seated=(*there.seated, (player, at)))})


def _told(lists: Lists, name: str, places: int, taken: list[Any], at: float) -> Lists:
    """Believe the table's own word of its chairs: who sits there sits nowhere else, and waits no more for its list."""
    table = lists.tables[name]
    before = [player for _, player in table.taken]
    there = [(player, since) for _, player, since in taken if player]
    stay = [
        (player, since) for player, since in table.seated
        if not any(_same(player, other) for other in (*before, *(one for one, _ in there)))
    ]  # fmt: skip
    for player, since in there:
        known = next((one for who, one in table.seated if _same(who, player)), at)
        if not any(_same(player, who) for who, _ in stay):
            stay.append((player, min(at, float(since)) if since is not None else known))
    names = [player for player, _ in there]
    tables = {
        other: one if other == name else replace(
            one, seated=tuple(each for each in one.seated if not any(_same(each[0], player) for player in names))
        )
        for other, one in lists.tables.items()
    }  # fmt: skip
    chairs = tuple(sorted((seat, player or "") for seat, player, _ in taken))
    tables[name] = replace(table, seated=tuple(stay), places=places, taken=chairs)
    lists = replace(lists, tables=tables)
    if (one := lists.lists.get(table.list)) is None:
        return lists
    people = tuple(waits for waits in one.people if not any(_same(waits.player, player) for player in names))
    return _with(lists, replace(one, people=people))


def _is_chair(chair: object) -> bool:
    match chair:
        case [int(seat), str() | None as player, int() | float() | None as since]:
            return 0 < seat <= MOST_SEATED and (not player or fits(player)) and (since is None or since >= 0)
        case _:
            return False


def _with(lists: Lists, one: WaitingList) -> Lists:
    return replace(lists, lists={**lists.lists, one.name: one})


def _place(one: WaitingList, player: str) -> int | None:
    return next((place for place, waits in enumerate(one.people) if _same(waits.player, player)), None)


def _same(one: str, other: str) -> bool:
    """Whether two ways to write a name are one person's."""
    return " ".join(one.casefold().split()) == " ".join(other.casefold().split())


def fits(name: str) -> bool:
    """Whether something may be called so."""
    return 0 < len(name) <= LONGEST and name.isprintable() and name.strip() == name

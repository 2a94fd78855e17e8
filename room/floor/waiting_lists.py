"""Waiting lists: who waits for which game, who was called and until when, and in which order they are seated.

A fold of the stream `waiting:DAY`, one a day of the house. Without an open table a list is one of interest: the same
list, and the same order once a table opens. Words, each with `list` and mostly `player`:

    {"do": "list", "list": "1/3 NL", "game": "holdem", "stakes": [1, 3]}    a list is kept
    {"do": "join" | "leave" | "seat", …}                                    waits; waits no more; has a seat (`table`)
    {"do": "page", …}               called, and has `PAGE_TIMEOUT_S` to come
    {"do": "chips", …}              has come, and fetches chips: the chair is locked up
    {"do": "late", …}               did not come in time: to the bottom, and off the list the second time
    {"do": "pick-up", …}            was locked up for too long while others wait: as who is late
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

from room.record.room_record import RecordLine

PAGE_TIMEOUT_S = 300.0
"""How long somebody who was called may take to come: five minutes, as cardrooms have it."""

LOCK_UP_TIMEOUT_S = 600.0
"""No chair is locked up for longer while somebody waits to play: ten minutes [R7-2.proc.21]."""

NEW_GAME_LOCK_UP_TIMEOUT_S = 300.0
"""In a new game it is five minutes [R7-2.proc.21]."""

MIN_PLAYERS_OF_GAME = 2
"""With fewer at its tables a game is new: nobody plays there yet."""

MAX_MISSED_PAGES = 2
"""After so many pages in vain somebody is off the list."""

MAX_LISTS = 40
MAX_WAITING = 200
"""People on one list."""
MAX_TABLES = 200
MAX_SEATED = 12
"""People at one table."""
MAX_STAKE = 999_999_999
MAX_NAME_LENGTH = 40
"""Signs of a name."""


@dataclass(frozen=True, slots=True)
class WaitingPlayer:
    """One person on a list; times in Unix seconds. `paged_at`: called then.

    `is_fetching_chips`: has come and fetches chips; `locked_up_at`: a chair is locked up since then.
    `is_game_new`: the chair is one of a game that had not begun.
    """

    player: str
    joined_at: float
    paged_at: float | None = None
    is_fetching_chips: bool = False
    missed_page_count: int = 0
    locked_up_at: float | None = None
    is_game_new: bool = False

    @property
    def lock_up_ends_at(self) -> float | None:
        """Until when the chair stays locked up though others wait."""
        timeout_s = NEW_GAME_LOCK_UP_TIMEOUT_S if self.is_game_new else LOCK_UP_TIMEOUT_S
        return None if self.locked_up_at is None else self.locked_up_at + timeout_s

    def is_overdue(self, now: float) -> bool:
        """Whether the page has run out."""
        return self.paged_at is not None and not self.is_fetching_chips and now >= self.paged_at + PAGE_TIMEOUT_S


@dataclass(frozen=True, slots=True)
class WaitingList:
    """A list of one game and its stakes, in the order in which people are seated."""

    name: str
    game: str
    stakes: tuple[int, ...]
    waiting_players: tuple[WaitingPlayer, ...] = ()

    def find_lock_up_end(self, player: WaitingPlayer) -> float | None:
        """Until when a player's chair stays locked up; `None` without a lock-up, or while nobody waits to play."""
        is_waited_for = any(other.paged_at is None for other in self.waiting_players)
        return player.lock_up_ends_at if is_waited_for else None


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A table that is open for a list; `main_table`: the one to which its players must move.

    `seated_players`: since when each is.
    `seat_count`: its chairs, 0 until the table has told; `occupied_seats`: those in which somebody sits, and who, by
    its own word.
    """

    name: str
    list_name: str
    main_table: str | None = None
    seated_players: tuple[tuple[str, float], ...] = ()
    seat_count: int = 0
    occupied_seats: tuple[tuple[int, str], ...] = ()

    @property
    def free_seat_count(self) -> int | None:
        """Chairs for which nobody is on the way, either; `None` until the table has told."""
        there = [player for _, player in self.occupied_seats]
        coming = sum(not any(_is_same_name(name, player) for player in there) for name, _ in self.seated_players)
        return max(0, self.seat_count - len(self.occupied_seats) - coming) if self.seat_count else None


@dataclass(frozen=True, slots=True)
class WaitingLists:
    """All lists and open tables of a day, by name."""

    list_by_name: Mapping[str, WaitingList] = field(default_factory=dict)
    table_by_name: Mapping[str, OpenTable] = field(default_factory=dict)

    def sort_lists(self) -> list[WaitingList]:
        """The lists as a board shows them: by game, then by stakes, then by name."""
        return sorted(self.list_by_name.values(), key=lambda one: (one.game, one.stakes, one.name))

    def is_interest_list(self, name: str) -> bool:
        """Whether no table of that list is open."""
        return not any(table.list_name == name for table in self.table_by_name.values())

    def is_game_new(self, name: str) -> bool:
        """Whether nobody plays yet at any table of that list."""
        tables = (table for table in self.table_by_name.values() if table.list_name == name)
        return all(len(table.seated_players) < MIN_PLAYERS_OF_GAME for table in tables)

    def iter_late_lines(self, now: float) -> Iterator[Mapping[str, Any]]:
        """The words due since somebody did not come, or sit down, in time; entered by the room itself."""
        for one in self.sort_lists():
            for waits in one.waiting_players:
                if waits.is_overdue(now):
                    yield {"do": "late", "list": one.name, "player": waits.player}
                ends_at = one.find_lock_up_end(waits)
                if ends_at is not None and now >= ends_at:
                    yield {"do": "pick-up", "list": one.name, "player": waits.player}

    def list_must_moves(self, main: str) -> list[tuple[str, str]]:
        """Who must move to `main`, as table and player: who sits longest at a table that feeds it comes first."""
        feeders = [table for table in self.table_by_name.values() if table.main_table == main]
        seated = [(since, table.name, player) for table in feeders for player, since in table.seated_players]
        return [(table, player) for _, table, player in sorted(seated)]

    def propose_seats(self) -> list[tuple[str, str | None, str]]:
        """Who is next for each free chair, as table, the table that they come from, and player.

        Must-move first: a free chair at a main game is for who sits longest at a table that feeds it, then for the
        list; nobody is proposed twice, and whoever is called already is counted on.
        """
        found: list[tuple[str, str | None, str]] = []
        for name in sorted(
            self.table_by_name, key=lambda name: (self.table_by_name[name].main_table is not None, name)
        ):
            table = self.table_by_name[name]
            for _ in range(table.free_seat_count or 0):
                next_one = self._find_next_player(table, {player for _, _, player in found})
                if next_one is not None:
                    found.append((name, *next_one))
        return found

    def _find_next_player(self, table: OpenTable, gone: set[str]) -> tuple[str | None, str] | None:
        moving = next(((at, player) for at, player in self.list_must_moves(table.name) if player not in gone), None)
        if moving is not None:
            return moving
        waiting = self.list_by_name[table.list_name].waiting_players if table.list_name in self.list_by_name else ()
        return next(((None, waits.player) for waits in waiting if waits.player not in gone), None)

    def find_refusal(self, what: Mapping[str, Any]) -> str:
        """Say why a word is not taken; empty where it is."""
        match what:
            case {"do": "list", "list": str(name), "game": str(game), "stakes": [*stakes]}:
                if not (is_valid_name(name) and is_valid_name(game)):
                    return f"a list has a name and a game, each of 1 to {MAX_NAME_LENGTH} printable signs"
                if not (0 < len(stakes) <= 4 and all(type(s) is int and 0 <= s <= MAX_STAKE for s in stakes)):
                    return f"stakes are one to four whole numbers of at most {MAX_STAKE}, such as 1/3"
                return (
                    f"there are {MAX_LISTS} lists"
                    if len(self.list_by_name) >= MAX_LISTS
                    else self._find_name_clash(name)
                )
            case {"do": "join", "list": str(name), "player": str(player)}:
                one = self.list_by_name.get(name)
                if one is None:
                    return self._describe_missing_list(name)
                if not is_valid_name(player):
                    return f"a name has 1 to {MAX_NAME_LENGTH} printable signs"
                if (place := _find_position(one, player)) is not None:
                    return f"{one.waiting_players[place].player} is on that list already"
                return f"{MAX_WAITING} wait there already" if len(one.waiting_players) >= MAX_WAITING else ""
            case {
                "do": "leave" | "page" | "chips" | "late" | "pick-up" | "seat" as do,
                "list": str(name),
                "player": str(player),
            }:
                return self._find_player_refusal(do, name, player, what)
            case {"do": "open", "table": str(table), "list": str(name), **rest}:
                return self._find_opening_refusal(table, name, rest.get("main"))
            case {"do": "close", "table": str(table)}:
                if any(other.main_table == table for other in self.table_by_name.values()):
                    return f"players must move to {table}: close the tables that feed it first"
                return "" if table in self.table_by_name else f"{table} is not open"
            case {"do": "sat", "table": str(table), "player": str(player)} if is_valid_name(player):
                there = self.table_by_name.get(table)
                if there is None:
                    return f"{table} is not open"
                if (at := self.find_table(player)) is not None:
                    return f"{player} sits at {at}"
                return f"{MAX_SEATED} sit at {table}" if len(there.seated_players) >= MAX_SEATED else ""
            case {"do": "chairs", "table": str(table), "places": int(places), "taken": [*taken]}:
                if table not in self.table_by_name:
                    return f"{table} is not open"
                if not (0 <= places <= MAX_SEATED >= len(taken) and all(map(_is_seat_row, taken))):
                    return f"a table has {MAX_SEATED} chairs at most, and says of each who sits there since when"
                return "" if len({chair[0] for chair in taken}) == len(taken) else "a chair is taken once"
            case {"do": "left", "table": str(table), "player": str(player)}:
                return "" if self.find_table(player) == table else f"{player} does not sit at {table}"
            case _:
                return "want one of the words of a waiting list, with what it needs"

    def find_table(self, player: str) -> str | None:
        """At which table somebody sits."""
        at = (
            table.name
            for table in self.table_by_name.values()
            if any(_is_same_name(player, name) for name, _ in table.seated_players)
        )
        return next(at, None)

    def _find_name_clash(self, name: str) -> str:
        return f"there is a list {name} already" if name in self.list_by_name else ""

    def _describe_missing_list(self, name: str) -> str:
        some = ", ".join([one.name for one in self.sort_lists()][:8])
        return f"there is no list {name[:MAX_NAME_LENGTH]}" + (f"; there is {some}" if some else "; make it first")

    def _find_player_refusal(self, do: str, name: str, player: str, what: Mapping[str, Any]) -> str:
        one = self.list_by_name.get(name)
        place = None if one is None else _find_position(one, player)
        if one is None or place is None:
            return f"{player} is not on list {name}"
        waits = one.waiting_players[place]
        if do == "page" and waits.paged_at is not None:
            return f"{player} is called already"
        if do == "page" and self.is_interest_list(name):
            return f"no table of {name} is open"
        if do in ("chips", "late") and waits.paged_at is None:
            return f"{player} was not called"
        if do == "late" and waits.is_fetching_chips:
            return f"{player} has come, and fetches chips"
        if do == "pick-up" and one.find_lock_up_end(waits) is None:
            return f"no chair is locked up for {player}, or nobody waits for it"
        if do == "seat":
            table = what.get("table")
            there = self.table_by_name.get(table) if isinstance(table, str) else None
            if there is None or there.list_name != name:
                return f"{table} is not open for {name}"
            return self.find_refusal({"do": "sat", "table": table, "player": player})
        return ""

    def _find_opening_refusal(self, table: str, name: str, main: object) -> str:
        if table in self.table_by_name:
            return f"{table} is open already"
        if name not in self.list_by_name:
            return self._describe_missing_list(name)
        if len(self.table_by_name) >= MAX_TABLES or not is_valid_name(table):
            return f"{MAX_TABLES} tables are open at most, each with a name of {MAX_NAME_LENGTH} signs at most"
        if main is None:
            return ""
        there = self.table_by_name.get(main) if isinstance(main, str) else None
        if there is None or there.list_name != name or there.main_table is not None:
            return f"{main} is no main game of {name}"
        return ""


def apply_waiting_line(lists: WaitingLists, line: RecordLine) -> WaitingLists:
    """Take one line more."""
    what = line.content
    if lists.find_refusal(what):
        return lists
    match what:
        case {"do": "list", "list": str(name), "game": str(game), "stakes": [*stakes]}:
            return _replace_list(lists, WaitingList(name, game, tuple(int(stake) for stake in stakes)))
        case {"do": "join", "list": str(name), "player": str(player)}:
            one = lists.list_by_name[name]
            return _replace_list(
                lists, replace(one, waiting_players=(*one.waiting_players, WaitingPlayer(player, line.entered_at)))
            )
        case {"do": "open", "table": str(table), "list": str(name), **rest}:
            main = rest.get("main")
            return replace(lists, table_by_name={**lists.table_by_name, table: OpenTable(table, name, main)})
        case {"do": "close", "table": str(table)}:
            return replace(
                lists, table_by_name={name: one for name, one in lists.table_by_name.items() if name != table}
            )
        case {"do": "sat", "table": str(table), "player": str(player)}:
            return _add_seated_player(lists, table, player, line.entered_at)
        case {"do": "chairs", "table": str(table), "places": int(places), "taken": [*taken]}:
            return _apply_table_seats(lists, table, places, taken, line.entered_at)
        case {"do": "left", "table": str(table), "player": str(player)}:
            there = lists.table_by_name[table]
            seated = tuple(one for one in there.seated_players if not _is_same_name(one[0], player))
            return replace(lists, table_by_name={**lists.table_by_name, table: replace(there, seated_players=seated)})
        case {"do": str(do), "list": str(name), "player": str(player)}:
            return _apply_player_word(lists, do, lists.list_by_name[name], player, what, line.entered_at)
        case _:
            return lists


def _apply_player_word(
    lists: WaitingLists, do: str, one: WaitingList, player: str, what: Mapping[str, Any], at: float
) -> WaitingLists:
    place = _find_position(one, player)
    assert place is not None
    waits, others = one.waiting_players[place], one.waiting_players[:place] + one.waiting_players[place + 1 :]
    match do:
        case "page":
            called = replace(waits, paged_at=at, is_game_new=lists.is_game_new(one.name))
            people = (*one.waiting_players[:place], called, *one.waiting_players[place + 1 :])
        case "chips":
            people = (
                *one.waiting_players[:place],
                replace(waits, is_fetching_chips=True, locked_up_at=at),
                *one.waiting_players[place + 1 :],
            )
        case "late" | "pick-up" if waits.missed_page_count + 1 < MAX_MISSED_PAGES:
            missed = waits.missed_page_count + 1
            people = (*others, WaitingPlayer(waits.player, waits.joined_at, missed_page_count=missed))
        case _:
            people = others
    changed = _replace_list(lists, replace(one, waiting_players=people))
    return _add_seated_player(changed, str(what["table"]), player, at) if do == "seat" else changed


def _add_seated_player(lists: WaitingLists, table: str, player: str, at: float) -> WaitingLists:
    there = lists.table_by_name[table]
    return replace(
        lists,
        table_by_name={
            **lists.table_by_name,
            table: replace(there, seated_players=(*there.seated_players, (player, at))),
        },
    )


def _apply_table_seats(lists: WaitingLists, name: str, places: int, taken: list[Any], at: float) -> WaitingLists:
    """Believe the table's own word of its chairs: who sits there sits nowhere else, and waits no more for its list."""
    table = lists.table_by_name[name]
    before = [player for _, player in table.occupied_seats]
    there = [(player, since) for _, player, since in taken if player]
    stay = [
        (player, since) for player, since in table.seated_players
        if not any(_is_same_name(player, other) for other in (*before, *(one for one, _ in there)))
    ]  # fmt: skip
    for player, since in there:
        known = next((one for who, one in table.seated_players if _is_same_name(who, player)), at)
        if not any(_is_same_name(player, who) for who, _ in stay):
            stay.append((player, min(at, float(since)) if since is not None else known))
    names = [player for player, _ in there]
    tables = {
        other: one if other == name else replace(
            one, seated_players=tuple(each for each in one.seated_players if not any(_is_same_name(each[0],
            player) for player in names))
        )
        for other, one in lists.table_by_name.items()
    }  # fmt: skip
    chairs = tuple(sorted((seat, player or "") for seat, player, _ in taken))
    tables[name] = replace(table, seated_players=tuple(stay), seat_count=places, occupied_seats=chairs)
    lists = replace(lists, table_by_name=tables)
    if (one := lists.list_by_name.get(table.list_name)) is None:
        return lists
    people = tuple(
        waits for waits in one.waiting_players if not any(_is_same_name(waits.player, player) for player in names)
    )
    return _replace_list(lists, replace(one, waiting_players=people))


def _is_seat_row(chair: object) -> bool:
    match chair:
        case [int(seat), str() | None as player, int() | float() | None as since]:
            return 0 < seat <= MAX_SEATED and (not player or is_valid_name(player)) and (since is None or since >= 0)
        case _:
            return False


def _replace_list(lists: WaitingLists, one: WaitingList) -> WaitingLists:
    return replace(lists, list_by_name={**lists.list_by_name, one.name: one})


def _find_position(one: WaitingList, player: str) -> int | None:
    return next((place for place, waits in enumerate(one.waiting_players) if _is_same_name(waits.player, player)), None)


def _is_same_name(one: str, other: str) -> bool:
    """Whether two ways to write a name are one person's."""
    return " ".join(one.casefold().split()) == " ".join(other.casefold().split())


def is_valid_name(name: str) -> bool:
    """Whether something may be called so."""
    return 0 < len(name) <= MAX_NAME_LENGTH and name.isprintable() and name.strip() == name

"""The waiting lists: a board that everybody may look at, and the desk's keys beside it."""

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from room.contract.subjects import Told
from room.floor.standing import standing_of
from room.floor.waiting import MOST_TABLES, PAGE_SECONDS, Lists, after
from room.server.pages.today import NotSo, PageOfToday
from room.server.room import Room

SEATED_SECONDS = 5.0
"""How often the tables' records are asked who sits since when."""


class ListsPage(PageOfToday[Lists]):
    """Takes the desk's words, lets pages run out, and hears from the tables who sits where."""

    name = "lists"
    stream = "waiting"
    wanted = 'Want {"do": …} with what the word needs.'

    def __init__(self, room: Room) -> None:
        super().__init__(room, Lists(), after)
        self._chairs: dict[str, tuple[int, dict[int, str]]] = {}
        """Table -> its places, and who sits where, as it told last."""
        self._seated: Mapping[str, Mapping[int, tuple[str, float]]] = {}
        self._looked: float | None = None

    def word_of(self, told: object) -> Mapping[str, Any] | None:
        """A word of `room.floor.waiting` that people say; the others are the room's own."""
        match told:
            case {"do": str(do), **rest} if do not in ("late", "chairs"):
                return {"do": do, **{str(key): value for key, value in rest.items()}}
            case _:
                return None

    def why_not(self, state: Lists, word: Mapping[str, Any]) -> str:
        """Ask the lists."""
        return state.why_not(word)

    def heard(self, table: str, what: Told, text: bytes) -> None:
        """Remember who sits where; it is written with the next look, where the table is open here."""
        if what is not Told.STATE or (table not in self._chairs and len(self._chairs) >= MOST_TABLES):
            return
        with suppress(ValueError, RecursionError):
            if isinstance(told := json.loads(text), dict):
                stands = standing_of(told)
                self._chairs[table] = (stands["places"], {one["seat"]: one["player"] for one in stands["seats"]})

    async def look(self) -> None:
        """Look once."""
        day = await self._day.today()
        now = self._room.now()
        if self._looked is None or not 0 <= now - self._looked < SEATED_SECONDS:  # the clock may be put right
            self._seated = await asyncio.to_thread(self._room.newest.seated)
            self._looked = now
        for word in [*self._of_chairs(day.state), *day.state.late(now)]:
            with suppress(NotSo):  # somebody at the desk was quicker
                await self.enter(word, "room")
        self.show(day.state)

    def _of_chairs(self, lists: Lists) -> list[Mapping[str, Any]]:
        """The words of tables whose chairs are otherwise than the lists know."""
        found: list[Mapping[str, Any]] = []
        for name, table in lists.tables.items():
            recorded = self._seated.get(name, {})
            places, there = self._chairs.get(name, (0, {seat: player for seat, (player, _) in recorded.items()}))
            taken: list[list[Any]] = []
            for seat, player in sorted(there.items()):
                who, since = recorded.get(seat, ("", None))
                known = who == player and since is not None and since <= self._room.now()
                taken.append([seat, player or None, since if known else None])
            told = tuple((seat, player or "") for seat, player, _ in taken)
            times = dict(table.seated)
            moved = any(
                since is not None and player in times and abs(times[player] - since) > 1.0 for _, player, since in taken
            )
            if (name in self._chairs or recorded) and (moved or (places, told) != (table.places, table.taken)):
                found.append({"do": "chairs", "table": name, "places": places, "taken": taken})
        return found

    def show(self, state: Lists) -> None:
        """Put lists, open tables and proposed moves on the screens."""
        told: dict[str, Any] = {}
        for place, one in enumerate(state.in_order()):
            people = [
                {"player": waits.player, "since": waits.since, "chips": waits.chips, "missed": waits.missed}
                | ({} if waits.paged is None else {"until": waits.paged + PAGE_SECONDS})
                for waits in one.people
            ]
            tables = sorted(table.name for table in state.tables.values() if table.list == one.name)
            told[f"list:{one.name}"] = {
                "name": one.name, "game": one.game, "place": place, "interest": state.is_interest(one.name),
                "people": people, "tables": tables,
            }  # fmt: skip
        told["next"] = {
            "proposed": [{"table": at, "from": source, "player": player} for at, source, player in state.proposed()]
        }
        for table in state.tables.values():
            moves = [{"table": at, "player": player} for at, player in state.moves(table.name)]
            told[f"table:{table.name}"] = {
                "name": table.name, "list": table.list, "main": table.main, "moves": moves,
                "seated": [player for player, _ in table.seated], "places": table.places, "free": table.free,
            }  # fmt: skip
        for key in [*self._room.hub.shown(self.name)]:
            told.setdefault(key, None)
        for key, value in told.items():
            self._room.hub.put(self.name, key, value)

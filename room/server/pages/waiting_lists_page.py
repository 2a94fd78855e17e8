"""The waiting lists: a board that everybody may look at, and the desk's keys beside it."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from controller.room_contract.subjects import TableTopic
from controller.strict_json import parse_json
from room.floor.table_summary import summarize_table
from room.floor.waiting_lists import MAX_TABLES, PAGE_TIMEOUT_S, WaitingLists, apply_waiting_line
from room.server.pages.daily_page import DailyPage, LineRefusedError
from room.server.room_context import RoomContext

SEATING_POLL_INTERVAL_S = 5.0
"""How often the tables' records are asked who sits since when."""


class WaitingListsPage(DailyPage[WaitingLists]):
    """Takes the desk's words, lets pages run out, and hears from the tables who sits where."""

    name = "lists"
    stream_name = "waiting"
    format_hint = 'Want {"do": …} with what the word needs.'

    def __init__(self, room: RoomContext) -> None:
        super().__init__(room, WaitingLists(), apply_waiting_line)
        self._seats_by_table: dict[str, tuple[int, dict[int, str]]] = {}
        """Table -> its places, and who sits where, as it told last."""
        self._seating_by_table: Mapping[str, Mapping[int, tuple[str, float]]] = {}
        self._polled_at: float | None = None

    def parse_line(self, told: object) -> Mapping[str, Any] | None:
        """A word of `room.floor.waiting_lists` that people say; the others are the room's own."""
        match told:
            case {"do": str(do), **rest} if do not in ("late", "pick-up", "chairs"):
                return {"do": do, **{str(key): value for key, value in rest.items()}}
            case _:
                return None

    def find_refusal(self, state: WaitingLists, word: Mapping[str, Any]) -> str:
        """Ask the lists."""
        return state.find_refusal(word)

    def on_table_message(self, table: str, what: TableTopic, text: bytes) -> None:
        """Remember who sits where; it is written with the next look, where the table is open here."""
        if what is not TableTopic.STATE or (
            table not in self._seats_by_table and len(self._seats_by_table) >= MAX_TABLES
        ):
            return
        with suppress(ValueError, RecursionError):
            if isinstance(told := parse_json(text), dict):
                stands = summarize_table(told)
                self._seats_by_table[table] = (
                    stands["places"],
                    {one["seat"]: one["player"] for one in stands["seats"]},
                )

    async def refresh(self) -> None:
        """Look once."""
        day = await self._daily_stream.read_today()
        now = self._room.wall_clock()
        if (
            self._polled_at is None or not 0 <= now - self._polled_at < SEATING_POLL_INTERVAL_S
        ):  # the clock may be put right
            self._seating_by_table = await asyncio.to_thread(self._room.recent_facts.read_seating)
            self._polled_at = now
        for word in [*self._make_seat_lines(day.state), *day.state.iter_late_lines(now)]:
            with suppress(LineRefusedError):  # somebody at the desk was quicker
                await self.enter_line(word, "room")
        self.show_state(day.state)

    def _make_seat_lines(self, lists: WaitingLists) -> list[Mapping[str, Any]]:
        """The words of tables whose chairs are otherwise than the lists know."""
        found: list[Mapping[str, Any]] = []
        for name, table in lists.table_by_name.items():
            recorded = self._seating_by_table.get(name, {})
            places, there = self._seats_by_table.get(
                name, (0, {seat: player for seat, (player, _) in recorded.items()})
            )
            taken: list[list[Any]] = []
            for seat, player in sorted(there.items()):
                who, since = recorded.get(seat, ("", None))
                known = who == player and since is not None and since <= self._room.wall_clock()
                taken.append([seat, player or None, since if known else None])
            told = tuple((seat, player or "") for seat, player, _ in taken)
            times = dict(table.seated_players)
            moved = any(
                since is not None and player in times and abs(times[player] - since) > 1.0 for _, player, since in taken
            )
            if (name in self._seats_by_table or recorded) and (
                moved or (places, told) != (table.seat_count, table.occupied_seats)
            ):
                found.append({"do": "chairs", "table": name, "places": places, "taken": taken})
        return found

    def show_state(self, state: WaitingLists) -> None:
        """Put lists, open tables and proposed moves on the screens."""
        told: dict[str, Any] = {}
        for place, one in enumerate(state.sort_lists()):
            people = [
                {
                    "player": waits.player,
                    "since": waits.joined_at,
                    "chips": waits.is_fetching_chips,
                    "missed": waits.missed_page_count,
                }
                | ({} if waits.paged_at is None else {"until": waits.paged_at + PAGE_TIMEOUT_S})
                | ({} if (ends_at := one.find_lock_up_end(waits)) is None else {"locked_until": ends_at})
                for waits in one.waiting_players
            ]
            tables = sorted(table.name for table in state.table_by_name.values() if table.list_name == one.name)
            told[f"list:{one.name}"] = {
                "name": one.name, "game": one.game, "place": place, "interest": state.is_interest_list(one.name),
                "people": people, "tables": tables,
            }  # fmt: skip
        told["next"] = {
            "proposed": [
                {"table": at, "from": source, "player": player} for at, source, player in state.propose_seats()
            ]
        }
        for table in state.table_by_name.values():
            moves = [{"table": at, "player": player} for at, player in state.list_must_moves(table.name)]
            told[f"table:{table.name}"] = {
                "name": table.name, "list": table.list_name, "main": table.main_table, "moves": moves,
                "seated": [player for player, _ in table.seated_players], "places": table.seat_count,
                "free": table.free_seat_count,
            }  # fmt: skip
        for key in [*self._room.hub.read_values(self.name)]:
            told.setdefault(key, None)
        for key, value in told.items():
            self._room.hub.put(self.name, key, value)

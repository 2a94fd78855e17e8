"""The room's list of staff on its way: signed anew with each change of the file, and sent until every table has it."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from nacl.signing import SigningKey

from controller.room_contract.table_request import RequestKind, TableReply
from controller.runtime.staff.room_staff_list import MAX_PEOPLE, ListedPerson, RoomStaffList
from controller.runtime.staff.staff_store import StaffStore
from controller.runtime.storage.atomic_file import write_atomically
from room.record.folded_stream import FoldedStream
from room.record.room_record import RoomRecord
from room.staff.signed_requests import parse_names
from room.staff.staff_list_distribution import STAFF_STREAM, Distribution, HeldList, apply_staff_line, is_news

KEY_FILE = "room.key"
"""Beside the room's staff: the private key (Ed25519, hex), by whose public half every table knows the room's word."""

MAX_NUMBER_GAP = 10_000
"""So many lists at most may have been signed since the copy was made from which a room was put back."""

REPEAT_INTERVAL_S = 60.0
"""So often at most the record says anew why a table has not the newest list: a table can find ever new reasons."""

TableAsker = Callable[[str, RequestKind, Mapping[str, Any]], Awaitable[TableReply]]
"""Asks a table; one that is not reached is an answer, too (`room.server.room_context.TableGateway`)."""


class StaffListFullError(ValueError):
    """More people are enrolled than a list may have."""


def load_or_make_room_key(directory: Path) -> SigningKey:
    """Load the room's key, or make it; raises `OSError` where neither can be done."""
    path = directory / KEY_FILE
    try:
        return SigningKey(bytes.fromhex(path.read_text(encoding="ascii").strip()))
    except FileNotFoundError:
        key = SigningKey.generate()
        old = os.umask(0o077)
        try:
            write_atomically(path, bytes(key).hex().encode() + b"\n")
        finally:
            os.umask(old)
        return key
    except ValueError as why:
        raise OSError(f"{path} holds no key of a room; put the right one back") from why


class StaffListPublisher:
    """Signs lists and hands them out; one for a room, in one thread."""

    def __init__(
        self, staff: StaffStore, key: SigningKey, record: RoomRecord, now: Callable[[], float], by: str = "room"
    ) -> None:
        self._staff = staff
        self._key = key
        self._wall_clock = now
        self._entered_by = by
        self._stream = FoldedStream(record, STAFF_STREAM, Distribution(), apply_staff_line)
        self._stream.read()
        self._published_people: list[ListedPerson] | None = None
        self._believed_tables: set[str] = set()
        """Tables whose word of a newer list was believed since this start: none can have another one."""
        self._repeated_at_by_table: dict[str, float] = {}
        """Table -> when something was written of it that brought it no newer list."""
        self._signed_list = RoomStaffList(self.distribution.number, staff.list_for_room()).sign(key)

    @property
    def distribution(self) -> Distribution:
        """Which table has which list."""
        return self._stream.state

    @property
    def signed_list(self) -> dict[str, str]:
        """The newest list, as it goes to a table."""
        return self._signed_list

    def publish(self, by: str | None = None, *, above: int = 0) -> int:
        """Sign a list of everybody who is enrolled now, as the next number; return it. Raises `OSError`."""
        people, number = self._staff.list_for_room(), max(above, self.distribution.number) + 1
        if len(people) > MAX_PEOPLE:
            raise StaffListFullError(f"a room has {MAX_PEOPLE} people at most")
        what = {"do": "list", "number": number, "people": [person.name for person in people]}
        self._stream.enter(self._wall_clock(), by or self._entered_by, lambda _: what)
        self._published_people, self._signed_list = people, RoomStaffList(number, people).sign(self._key)
        return number

    @property
    def public_key(self) -> str:
        """What stands as `key` in `[room]` of each table's file."""
        return bytes(self._key.verify_key).hex()

    def publish_if_changed(self) -> None:
        """Publish, if anybody came, went or changed since the last list of this start. Raises `OSError`."""
        now = self._staff.list_for_room()
        if now != self._published_people or not self.distribution.number:
            self.publish()

    async def distribute(self, tables: Iterable[str], ask: TableAsker) -> tuple[str, ...]:
        """Send the newest list to those that have it not, all at once; return who still has not. Raises `OSError`."""
        owing = self.distribution.find_owing_tables(tables)
        sent = self._signed_list
        answers = await asyncio.gather(*(ask(table, RequestKind.STAFF, sent) for table in owing))
        for table, answer in zip(owing, answers, strict=True):
            self.record_reply(table, answer)
        return self.distribution.find_owing_tables(tables)

    def record_held_list(self, table: str, number: int, own: Iterable[str]) -> None:
        """Take a table's word of which list it has.

        Where it has a newer one than the room knows of, the room was put back from a copy: it signs one above that.
        Nothing proves a table's word, so that one is believed once, and not that there were lists without end: a stolen
        card could use the numbers up.
        """
        if number > self.distribution.number:
            if table in self._believed_tables or number > self.distribution.number + MAX_NUMBER_GAP:
                why = f"It says that it has list {number}, which this room never signed."
                self._enter_if_news({"do": "owed", "table": table, "why": why})
                return
            self._believed_tables.add(table)
            self.publish(above=number)
        self._enter_if_news({"do": "held", "table": table, "number": number, "own": list(own)})

    def record_reply(self, table: str, answer: TableReply) -> None:
        """Take what a table answered to a list. Raises `OSError`."""
        match answer:
            case TableReply(is_accepted=True, content={"staff": int(number), "own": [*own]}) if (
                0 < number <= self.distribution.number
            ):
                self._enter_if_news({"do": "held", "table": table, "number": number, "own": list(parse_names(own))})
            case TableReply(is_accepted=True):
                self._enter_if_news({"do": "owed", "table": table, "why": "It says that it took another list."})
            case _:
                self._enter_if_news({"do": "owed", "table": table, "why": answer.message})

    def _enter_if_news(self, what: Mapping[str, Any]) -> None:
        table, now = str(what["table"]), self._wall_clock()
        if what.get("number", 0) <= self.distribution.held_list_by_table.get(table, HeldList()).number:
            if now - self._repeated_at_by_table.get(table, -REPEAT_INTERVAL_S) < REPEAT_INTERVAL_S:
                return
            self._repeated_at_by_table[table] = now
        self._stream.enter(now, self._entered_by, lambda spread: what if is_news(spread, what) else None)

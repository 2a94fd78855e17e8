"""The room's list of staff on its way: signed anew with each change of the file, and sent until every table has it."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from nacl.signing import SigningKey

from controller.runtime.journal.whole_file import write_whole
from controller.runtime.staff.room_list import MOST, Listed, RoomList
from controller.runtime.staff.staff import Staff
from room.contract.request import Answer, Verb
from room.record.folded import Folded
from room.record.lines import RoomRecord
from room.staff.asking import names_of
from room.staff.staff_list import STREAM, Held, Spread, after, news

KEY_FILE = "room.key"
"""Beside the room's staff: the private key (Ed25519, hex), by whose public half every table knows the room's word."""

MOST_AHEAD = 10_000
"""So many lists at most may have been signed since the copy was made from which a room was put back."""

AGAIN_SECONDS = 60.0
"""So often at most the record says anew why a table has not the newest list: a table can find ever new reasons."""

Ask = Callable[[str, Verb, Mapping[str, Any]], Awaitable[Answer]]
"""Asks a table; one that is not reached is an answer, too (`room.server.room.Tables`)."""


class FullList(ValueError):
    """More people are enrolled than a list may have."""


def room_key(directory: Path) -> SigningKey:
    """Load the room's key, or make it; raises `OSError` where neither can be done."""
    path = directory / KEY_FILE
    try:
        return SigningKey(bytes.fromhex(path.read_text(encoding="ascii").strip()))
    except FileNotFoundError:
        key = SigningKey.generate()
        old = os.umask(0o077)
        try:
            write_whole(path, bytes(key).hex().encode() + b"\n")
        finally:
            os.umask(old)
        return key
    except ValueError as why:
        raise OSError(f"{path} holds no key of a room; put the right one back") from why


class Publisher:
    """Signs lists and hands them out; one for a room, in one thread."""

    def __init__(
        self, staff: Staff, key: SigningKey, record: RoomRecord, now: Callable[[], float], by: str = "room"
    ) -> None:
        self._staff = staff
        self._key = key
        self._now = now
        self._by = by
        self._stream = Folded(record, STREAM, Spread(), after)
        self._stream.read()
        self._people: list[Listed] | None = None
        self._ahead: set[str] = set()
        """Tables whose word of a newer list was believed since this start: none can have another one."""
        self._written: dict[str, float] = {}
        """Table -> when something was written of it that brought it no newer list."""
        self._sent = RoomList(self.spread.number, staff.listed()).signed(key)

    @property
    def spread(self) -> Spread:
        """Which table has which list."""
        return self._stream.state

    @property
    def sent(self) -> dict[str, str]:
        """The newest list, as it goes to a table."""
        return self._sent

    def publish(self, by: str | None = None, *, above: int = 0) -> int:
        """Sign a list of everybody who is enrolled now, as the next number; return it. Raises `OSError`."""
        people, number = self._staff.listed(), max(above, self.spread.number) + 1
        if len(people) > MOST:
            raise FullList(f"a room has {MOST} people at most")
        what = {"do": "list", "number": number, "people": [person.name for person in people]}
        self._stream.enter(self._now(), by or self._by, lambda _: what)
        self._people, self._sent = people, RoomList(number, people).signed(self._key)
        return number

    @property
    def public_key(self) -> str:
        """What stands as `key` in `[room]` of each table's file."""
        return bytes(self._key.verify_key).hex()

    def publish_news(self) -> None:
        """Publish, if anybody came, went or changed since the last list of this start. Raises `OSError`."""
        now = self._staff.listed()
        if now != self._people or not self.spread.number:
            self.publish()

    async def hand_out(self, tables: Iterable[str], ask: Ask) -> tuple[str, ...]:
        """Send the newest list to those that have it not, all at once; return who still has not. Raises `OSError`."""
        owing = self.spread.owing(tables)
        sent = self._sent
        answers = await asyncio.gather(*(ask(table, Verb.STAFF, sent) for table in owing))
        for table, answer in zip(owing, answers, strict=True):
            self.hear(table, answer)
        return self.spread.owing(tables)

    def stands(self, table: str, number: int, own: Iterable[str]) -> None:
        """Take a table's word of which list it has.

        Where it has a newer one than the room knows of, the room was put back from a copy: it signs one above that.
        Nothing proves a table's word, so that one is believed once, and not that there were lists without end: a stolen
        card could use the numbers up.
        """
        if number > self.spread.number:
            if table in self._ahead or number > self.spread.number + MOST_AHEAD:
                why = f"It says that it has list {number}, which this room never signed."
                self._news({"do": "owed", "table": table, "why": why})
                return
            self._ahead.add(table)
            self.publish(above=number)
        self._news({"do": "held", "table": table, "number": number, "own": list(own)})

    def hear(self, table: str, answer: Answer) -> None:
        """Take what a table answered to a list. Raises `OSError`."""
        match answer:
            case Answer(taken=True, told={"staff": int(number), "own": [*own]}) if 0 < number <= self.spread.number:
                self._news({"do": "held", "table": table, "number": number, "own": list(names_of(own))})
            case Answer(taken=True):
                self._news({"do": "owed", "table": table, "why": "It says that it took another list."})
            case _:
                self._news({"do": "owed", "table": table, "why": answer.message})

    def _news(self, what: Mapping[str, Any]) -> None:
        table, now = str(what["table"]), self._now()
        if what.get("number", 0) <= self.spread.tables.get(table, Held()).number:
            if now - self._written.get(table, -AGAIN_SECONDS) < AGAIN_SECONDS:
                return
            self._written[table] = now
        self._stream.enter(now, self._by, lambda spread: what if news(spread, what) else None)

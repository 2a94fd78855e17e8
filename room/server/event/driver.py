"""Turns what the director has confirmed into requests to tables, with patience: links are lost, servers start again.

Before a table is asked, the room's record says so (`asked`), and its answer is the next line. What is not answered is
looked for in the table's next standing (`room.event.asking`), so that nothing is entered twice.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol

from controller.core.tournament.event import EventError
from room.contract.request import Answer
from room.event.asking import ALREADY, Ask, Found, Unclear, Wait, next_of
from room.event.duties import due
from room.event.model import Duty, Event, How
from room.event.standing import TableStanding

NOT_HEARD = ("no-broker", "not-reached", "no-answer", "off")
"""Codes of an answer that no table has given: it is asked again."""

LATER = ("moved", "in-hand", "not-now", "hand-on")
"""Codes of a table that will take it at another moment."""

PATIENCE_SECONDS = 2.0
"""How long after such an answer a table is left alone."""

log = logging.getLogger(__name__)


class Enters(Protocol):
    """Has a table enter a line by somebody's word: one signed line, as that person's own touch would be."""

    async def enter(self, table: str, line: Mapping[str, Any], by: str, seen: int) -> Answer:
        """Ask for it; `seen`: the table's entry that the person goes by."""
        ...


Write = Callable[[Mapping[str, Any], str], Awaitable[Event]]
"""Enters a line into the event's record by somebody's word, and returns the event after it."""


class Driver:
    """Works the duties of one event off. Used in the server's loop."""

    def __init__(self, enters: Enters, write: Write) -> None:
        self._enters = enters
        self._write = write
        self._not_before: dict[str, float] = {}
        self._until_entry: dict[str, int] = {}
        """Table -> the entry that it has answered: until its standing shows that, it is not asked anew."""

    def is_behind(self, table: str, standing: TableStanding) -> bool:
        """Whether a standing is older than what the table has answered since."""
        return standing.entry < self._until_entry.get(table, 0)

    async def step(self, event: Event, standings: Mapping[str, TableStanding], now: float) -> None:
        """Ask each table at most one thing, all of them at a time."""
        first: dict[str, Duty] = {}
        for duty in due(event):
            if duty.table not in first and not isinstance(next_of(duty, standings.get(duty.table)), Wait):
                first[duty.table] = duty
        for table in [one for one in self._not_before if one not in first]:
            del self._not_before[table]
        await asyncio.gather(*(
            self._try(duty, standings.get(table), now)
            for table, duty in first.items()
            if now >= self._not_before.get(table, 0.0)
        ))  # fmt: skip

    async def _try(self, duty: Duty, standing: TableStanding | None, now: float) -> None:
        if standing is not None and self.is_behind(duty.table, standing):
            return
        try:
            match next_of(duty, standing):
                case Ask(what):
                    await self._ask(duty, what, now)
                case Found():
                    await self._write({"do": "entered", "duty": duty.number, "entry": None}, duty.by)
                case Unclear(text):
                    unclear = {"do": "refused", "duty": duty.number, "code": "unclear", "message": text}
                    await self._write(unclear, duty.by)
                case _:
                    pass
        except EventError:
            log.info("duty %d is no more: somebody was quicker", duty.number)

    async def _ask(self, duty: Duty, what: Mapping[str, Any], now: float) -> None:
        asked = (what["seen"], what["hand"], what.get("stack"), what.get("misses", 0), what.get("level", 0))
        if duty.how is not How.ASKED or asked != (duty.seen, duty.hand, duty.stack, duty.misses, duty.level):
            event = await self._write(what, duty.by)
            duty = event.duties.get(duty.number, duty)
        answer = await self._enters.enter(duty.table, duty.line, duty.by, int(what["seen"]))
        if answer.taken:
            if answer.entry is not None:
                self._until_entry[duty.table] = answer.entry
            await self._write({"do": "entered", "duty": duty.number, "entry": answer.entry}, duty.by)
        elif answer.code in NOT_HEARD or answer.code in LATER:
            self._not_before[duty.table] = now + PATIENCE_SECONDS
        elif answer.code == ALREADY and duty.word == "hand-for-hand":
            await self._write({"do": "entered", "duty": duty.number, "entry": None}, duty.by)
        else:
            said = {"code": answer.code, "message": answer.message}
            await self._write({"do": "refused", "duty": duty.number, **said}, duty.by)

"""Turns what the director has confirmed into requests to tables, with patience: links are lost, servers start again.

Before a table is asked, the room's record says so (`asked`), and its answer is the next line. What is not answered is
looked for in the table's next standing (`room.event.asking`), so that nothing is entered twice.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any, Protocol

from controller.core.tournament.event import EventError
from room.contract.refusals import IN_DOUBT, passes
from room.contract.request import Answer
from room.event.asking import ALREADY, Ask, Found, Unclear, Wait, next_of
from room.event.duties import due
from room.event.model import Duty, Event, How
from room.event.standing import TableStanding

PATIENCE_SECONDS = 2.0
"""How long a table is left alone after a refusal that passes by itself."""

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
        self._not_taken: dict[int, int] = {}
        """Duty -> the entry for which its table was asked, and has said itself that it did not take it."""
        self.waits: dict[int, str] = {}
        """Duty -> why its table has not taken it yet, where that passes by itself."""

    def is_behind(self, table: str, standing: TableStanding) -> bool:
        """Whether a standing is older than what the table has answered since."""
        return standing.entry < self._until_entry.get(table, 0)

    async def step(self, event: Event, standings: Mapping[str, TableStanding], now: float) -> None:
        """Ask each table at most one thing, all of them at a time."""
        first: dict[str, Duty] = {}
        for duty in map(self._as_known, due(event)):
            if duty.table not in first and not isinstance(next_of(duty, standings.get(duty.table)), Wait):
                first[duty.table] = duty
        for table in [one for one in self._not_before if one not in first]:
            del self._not_before[table]
        self._not_taken = {number: seen for number, seen in self._not_taken.items() if number in event.duties}
        self.waits = {number: why for number, why in self.waits.items() if number in event.duties}
        await asyncio.gather(*(
            self._try(duty, standings.get(table), now)
            for table, duty in first.items()
            if now >= self._not_before.get(table, 0.0)
        ))  # fmt: skip

    def _as_known(self, duty: Duty) -> Duty:
        """A duty that was asked and surely not taken is open as before."""
        surely = duty.how is How.ASKED and self._not_taken.get(duty.number) == duty.seen
        return replace(duty, how=How.OPEN) if surely else duty

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
        seen = int(what["seen"])
        asked = (seen, what["hand"], what.get("stack"), what.get("misses", 0), what.get("level", 0))
        is_first = duty.how is not How.ASKED or duty.seen != seen  # for this entry: no answer to it can have been lost
        known = self._not_taken.get(duty.number) == seen
        if not known and (duty.how is not How.ASKED or asked != _as_asked(duty)):
            event = await self._write(what, duty.by)
            duty = event.duties.get(duty.number, duty)
        self._not_taken.pop(duty.number, None)
        answer = await self._enters.enter(duty.table, duty.line, duty.by, seen)
        if answer.taken:
            if answer.entry is not None:
                self._until_entry[duty.table] = answer.entry
            await self._write({"do": "entered", "duty": duty.number, "entry": answer.entry}, duty.by)
        elif passes(answer.code):
            self._not_before[duty.table] = now + PATIENCE_SECONDS
            self.waits[duty.number] = answer.message
            if is_first and answer.code not in IN_DOUBT:
                self._not_taken[duty.number] = seen
        elif answer.code == ALREADY and duty.word == "hand-for-hand":
            await self._write({"do": "entered", "duty": duty.number, "entry": None}, duty.by)
        else:
            said = {"code": answer.code, "message": answer.message}
            await self._write({"do": "refused", "duty": duty.number, **said}, duty.by)


def _as_asked(duty: Duty) -> tuple[int, int, int | None, int, int]:
    return (duty.seen, duty.hand, duty.stack, duty.misses, duty.level)

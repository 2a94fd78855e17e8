"""Turns what the director has confirmed into requests to tables, with patience: links are lost, servers start again.

Before a table is asked, the room's record says so (`asked`), and its answer is the next line. What is not answered is
looked for in the table's next standing (`room.tournament.dispatch_decision`), so that nothing is entered twice.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any, Protocol

from controller.core.tournament.tournament import TournamentError
from controller.room_contract.refusal_codes import IN_DOUBT_CODES, is_temporary
from controller.room_contract.table_request import TableReply
from room.tournament.dispatch_decision import (
    NOTHING_WAITS_CODE,
    AlreadyEntered,
    AskTable,
    PersonNeeded,
    WaitForTable,
    decide_dispatch,
)
from room.tournament.instructions import find_due_instructions
from room.tournament.tournament_state import Instruction, InstructionStatus, RoomTournament
from room.tournament.tournament_table_view import TournamentTableView

RETRY_DELAY_S = 2.0
"""How long a table is left alone after a refusal that passes by itself."""

log = logging.getLogger(__name__)


class EntryClient(Protocol):
    """Has a table enter a line by somebody's word: one signed line, as that person's own touch would be."""

    async def enter(self, table: str, line: Mapping[str, Any], by: str, seen: int) -> TableReply:
        """Ask for it; `seen`: the table's entry that the person goes by."""
        ...


LineWriter = Callable[[Mapping[str, Any], str], Awaitable[RoomTournament]]
"""Enters a line into the event's record by somebody's word, and returns the event after it."""


class InstructionDispatcher:
    """Works the duties of one event off. Used in the server's loop."""

    def __init__(self, enters: EntryClient, write: LineWriter) -> None:
        self._client = enters
        self._write = write
        self._retry_at_by_table: dict[str, float] = {}
        self._answered_entry_by_table: dict[str, int] = {}
        """Table -> the entry that it has answered: until its standing shows that, it is not asked anew."""
        self._refused_entry_by_instruction: dict[int, int] = {}
        """Duty -> the entry for which its table was asked, and has said itself that it did not take it."""
        self.wait_reason_by_instruction: dict[int, str] = {}
        """Duty -> why its table has not taken it yet, where that passes by itself."""

    def is_behind(self, table: str, standing: TournamentTableView) -> bool:
        """Whether a standing is older than what the table has answered since."""
        return standing.entry < self._answered_entry_by_table.get(table, 0)

    async def dispatch_due(
        self, event: RoomTournament, standings: Mapping[str, TournamentTableView], now: float
    ) -> None:
        """Ask each table at most one thing, all of them at a time."""
        first: dict[str, Instruction] = {}
        for duty in map(self._reopen_if_not_taken, find_due_instructions(event)):
            if duty.table not in first and not isinstance(
                decide_dispatch(duty, standings.get(duty.table)), WaitForTable
            ):
                first[duty.table] = duty
        for table in [one for one in self._retry_at_by_table if one not in first]:
            del self._retry_at_by_table[table]
        self._refused_entry_by_instruction = {
            number: seen
            for number, seen in self._refused_entry_by_instruction.items()
            if number in event.instruction_by_number
        }
        self.wait_reason_by_instruction = {
            number: why
            for number, why in self.wait_reason_by_instruction.items()
            if number in event.instruction_by_number
        }
        await asyncio.gather(*(
            self._try_instruction(duty, standings.get(table), now)
            for table, duty in first.items()
            if now >= self._retry_at_by_table.get(table, 0.0)
        ))  # fmt: skip

    def _reopen_if_not_taken(self, duty: Instruction) -> Instruction:
        """A duty that was asked and surely not taken is open as before."""
        surely = (
            duty.status is InstructionStatus.ASKED
            and self._refused_entry_by_instruction.get(duty.number) == duty.seen_entry
        )
        return replace(duty, status=InstructionStatus.OPEN) if surely else duty

    async def _try_instruction(self, duty: Instruction, standing: TournamentTableView | None, now: float) -> None:
        if standing is not None and self.is_behind(duty.table, standing):
            return
        try:
            match decide_dispatch(duty, standing):
                case AskTable(what):
                    await self._ask_table(duty, what, now)
                case AlreadyEntered():
                    await self._write({"do": "entered", "duty": duty.number, "entry": None}, duty.signer)
                case PersonNeeded(text):
                    unclear = {"do": "refused", "duty": duty.number, "code": "unclear", "message": text}
                    await self._write(unclear, duty.signer)
                case _:
                    pass
        except TournamentError:
            log.info("duty %d is no more: somebody was quicker", duty.number)

    async def _ask_table(self, duty: Instruction, what: Mapping[str, Any], now: float) -> None:
        seen = int(what["seen"])
        asked = (seen, what["hand"], what.get("stack"), what.get("misses", 0), what.get("level", 0))
        is_first = (
            duty.status is not InstructionStatus.ASKED or duty.seen_entry != seen
        )  # for this entry: no answer to it can have been lost
        known = self._refused_entry_by_instruction.get(duty.number) == seen
        if not known and (duty.status is not InstructionStatus.ASKED or asked != _asked_state(duty)):
            event = await self._write(what, duty.signer)
            duty = event.instruction_by_number.get(duty.number, duty)
        self._refused_entry_by_instruction.pop(duty.number, None)
        answer = await self._client.enter(duty.table, duty.script_line, duty.signer, seen)
        if answer.is_accepted:
            if answer.entry_number is not None:
                self._answered_entry_by_table[duty.table] = answer.entry_number
            await self._write({"do": "entered", "duty": duty.number, "entry": answer.entry_number}, duty.signer)
        elif is_temporary(answer.code):
            self._retry_at_by_table[duty.table] = now + RETRY_DELAY_S
            self.wait_reason_by_instruction[duty.number] = answer.message
            if is_first and answer.code not in IN_DOUBT_CODES:
                self._refused_entry_by_instruction[duty.number] = seen
        elif answer.code == NOTHING_WAITS_CODE and duty.event_name == "hand-for-hand":
            await self._write({"do": "entered", "duty": duty.number, "entry": None}, duty.signer)
        else:
            said = {"code": answer.code, "message": answer.message}
            await self._write({"do": "refused", "duty": duty.number, **said}, duty.signer)


def _asked_state(duty: Instruction) -> tuple[int, int, int | None, int, int]:
    return (duty.seen_entry, duty.seen_hand, duty.stack, duty.penalty_hands, duty.seen_level)

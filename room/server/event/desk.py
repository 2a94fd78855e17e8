"""One event as its desk has it: what is known, what the tables show, what is to be confirmed, and who is told."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from controller.core.tournament.event import EventError
from room.event import advice
from room.event.advice import Proposal
from room.event.clock import Apart, apart
from room.event.model import Event, How
from room.event.standing import BadStanding, Bust, TableStanding, Watched, missing, seen
from room.server.event.driver import Driver, Enters, Write

Lot = Callable[[int], Sequence[int]]
"""Draws a permutation of 0 … n - 1, by a generator fit for lots."""


class EventDesk:
    """The desk of one event. `state` is the event as its lines have it now; `write` adds a line."""

    def __init__(self, state: Callable[[], Event], write: Write, enters: Enters, lot: Lot) -> None:
        self._state = state
        self._write = write
        self._lot = lot
        self._driver = Driver(enters, write)
        self.watched: dict[str, Watched] = {}
        self._busts: dict[str, Bust] = {}
        self._out_of_sight: dict[str, float] = {}

    @property
    def event(self) -> Event:
        """The event as its lines have it now."""
        return self._state()

    @property
    def standings(self) -> Mapping[str, TableStanding]:
        """How the tables of the event stood when they were last heard."""
        return {table: one.standing for table, one in self.watched.items()}

    def heard(self, table: str, state: Mapping[str, Any], at: float) -> bool:
        """Take in what a table shows; false where it is no table of the event, or shows too little."""
        event = self.event
        if table not in event.tables and not any(duty.table == table for duty in event.duties.values()):
            return False
        try:
            now = TableStanding.read(state, at)
        except BadStanding:
            return False
        self.watched[table], busts = seen(table, self.watched.get(table), now)
        self._busts.update({bust.player: bust for bust in busts})
        return True

    def gone(self) -> tuple[Bust, ...]:
        """Who has a seat and is not there: with hand and stack where the table was seen meanwhile."""
        event = self.event
        if event.tournament is None:
            return ()
        awaited: dict[str, int] = {}
        for duty in event.duties.values():
            if duty.word == "sit":
                awaited.setdefault(duty.player, duty.number)
        leaving = {
            duty.player: duty
            for duty in event.duties.values()
            if duty.word == "leave" and awaited.get(duty.player, duty.number) >= duty.number
        }
        expected = {table: dict(seats) for table, seats in event.by_table().items()}
        for player in awaited:
            table, seat = event.seats.get(player, ("", 0))
            expected.get(table, {}).pop(seat, None)
        for player, duty in leaving.items():
            expected.setdefault(duty.table, {})[int(duty.line["seat"])] = player
        found = []
        for table, seats in expected.items():
            if table not in self.watched or self._driver.is_behind(table, self.watched[table].standing):
                continue
            now = self.watched[table].standing
            for seat, player in missing(seats, now).items():
                if player in leaving and leaving[player].how is How.ASKED and player not in self._busts:
                    continue
                bust = self._busts.get(player)
                known = bust if bust and bust.table == table else None
                found.append(known or Bust(table, seat, player, now.hand, 0, sure=False))
        self._busts = {player: bust for player, bust in self._busts.items() if player in event.seats}
        return tuple(sorted(found, key=lambda bust: (bust.table, bust.hand, bust.stack, bust.seat)))

    def proposals(self, now: float) -> tuple[Proposal, ...]:
        """What is to be confirmed now: who is out first, as all else goes by that."""
        out = tuple(
            Proposal(
                f"{bust.player} is out at table {bust.table}, seat {bust.seat}, hand {bust.hand}"
                + ("" if bust.sure else ": say the stack at the start of that hand"),
                {"do": "eliminate", "player": bust.player, "hand": bust.hand, "stack": bust.stack, "sure": bust.sure},
            )
            for bust in self.gone()
        )
        return out or advice.proposals(self.event, self.watched, now)

    @property
    def waits(self) -> Mapping[int, str]:
        """Why a table has not taken a duty yet, by its number, where that passes by itself."""
        return self._driver.waits

    def apart(self, now: float) -> tuple[Apart, ...]:
        """The tables whose timers do not agree with the event's clock."""
        return apart(self.event, now, self.standings)

    def with_lot(self, proposal: Proposal) -> dict[str, Any]:
        """The line of a proposal, with a lot where it wants one."""
        return advice.with_lot(proposal, self._lot(proposal.draws) if proposal.draws else ())

    async def confirm(self, proposal: Proposal, by: str) -> Event:
        """Enter what was proposed, with a lot where it wants one; raises `EventError`."""
        return await self._write(self.with_lot(proposal), by)

    async def step(self, now: float) -> None:
        """Enter what tables have seen themselves, where the house has said so, and ask what is due."""
        if self.event.by_tables:
            gone = self.gone()
            unsure = {bust.table for bust in gone if not bust.sure}  # it may have been on an earlier hand
            for bust in gone:
                if bust.table not in unsure:
                    what = {"do": "eliminate", "player": bust.player, "hand": bust.hand, "stack": bust.stack}
                    try:
                        await self._write(what, bust.table)
                    except EventError:
                        break
        await self._driver.step(self.event, self.standings, now)

"""One event as its desk has it: what is known, what the tables show, what is to be confirmed, and who is told."""

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from controller.core.tournament.river_jackpot import find_river_card
from controller.core.tournament.tournament import TournamentError
from room.server.tournament.instruction_dispatcher import EntryClient, InstructionDispatcher, LineWriter
from room.tournament import proposals, seating
from room.tournament.clock_deviation import ClockDeviation, find_deviations
from room.tournament.proposals import Proposal
from room.tournament.tournament_state import InstructionStatus, RoomTournament, TableSeat
from room.tournament.tournament_table_view import (
    Bust,
    SeenKnockout,
    TableViewError,
    TournamentTableView,
    WatchedTable,
    find_absent_players,
    observe_view,
)

LotDrawer = Callable[[int], Sequence[int]]
"""Draws a permutation of 0 … n - 1, by a generator fit for lots."""


class TournamentDesk:
    """The desk of one event. `state` is the event as its lines have it now; `write` adds a line."""

    def __init__(
        self, state: Callable[[], RoomTournament], write: LineWriter, enters: EntryClient, lot: LotDrawer
    ) -> None:
        self._get_tournament = state
        self._write = write
        self._draw_lot = lot
        self._dispatcher = InstructionDispatcher(enters, write)
        self.watched_by_table: dict[str, WatchedTable] = {}
        self._bust_by_player: dict[str, Bust] = {}
        self._player_by_lost_chair: dict[tuple[str, int, int], str] = {}
        """Table, hand, seat -> who was seen to go out there."""
        self._player_by_chair_by_hand: dict[tuple[str, int], dict[int, str]] = {}
        """Table, hand -> who sat in which chair."""
        self._first_word_by_player: dict[str, SeenKnockout] = {}
        """Player -> by whom, as the table said it first."""
        self._last_word_by_player: dict[str, SeenKnockout] = {}
        """Player -> by whom, as the table says it since an undo, an amendment, a decision of the floor."""
        self._out_of_sight_since_by_table: dict[str, float] = {}

    @property
    def tournament(self) -> RoomTournament:
        """The event as its lines have it now."""
        return self._get_tournament()

    @property
    def view_by_table(self) -> Mapping[str, TournamentTableView]:
        """How the tables of the event stood when they were last heard."""
        return {table: one.view for table, one in self.watched_by_table.items()}

    def receive_state(self, table: str, state: Mapping[str, Any], at: float) -> bool:
        """Take in what a table shows; false where it is no table of the event, or shows too little."""
        event = self.tournament
        plays = table in event.seat_count_by_table and not event.closed_by and not event.is_let_go
        if not plays and not any(duty.table == table for duty in event.instruction_by_number.values()):
            return False
        try:
            now = TournamentTableView.from_json(state, at)
        except TableViewError:
            return False
        now = now.name_winners(self._remember_chairs(table, now))
        self.watched_by_table[table], busts = observe_view(table, self.watched_by_table.get(table), now)
        self._bust_by_player.update({bust.player: bust for bust in busts})
        self._hear_knockouts(table, now, busts)
        return True

    def _remember_chairs(self, table: str, now: TournamentTableView) -> Mapping[int, str]:
        """Who sat where when a hand was first seen: a table goes on to say chairs when other players sit there."""
        then = self._player_by_chair_by_hand.setdefault((table, now.hand), {})
        for seat, chair in now.view_by_seat.items():
            then.setdefault(seat, chair.player)
        return then

    def _hear_knockouts(self, table: str, now: TournamentTableView, busts: Iterable[Bust]) -> None:
        playing = self.tournament.active_players
        for bust in busts:
            self._player_by_lost_chair[table, bust.hand, bust.seat] = bust.player
            if bust.player in playing:  # a new end of the same hand says it again of who is out already
                self._first_word_by_player.pop(bust.player, None)
        for seat, knockout in now.knockout_by_seat.items():
            player = self._player_by_lost_chair.get((table, now.hand, seat))
            if player is not None:
                self._first_word_by_player.setdefault(player, knockout)
                self._last_word_by_player[player] = knockout

    def find_changed_knockouts(self) -> tuple[tuple[str, dict[str, Any]], ...]:
        """Who has a bounty by what a table says by now, and not by the lines: the table, and the line for that."""
        event = self.tournament
        tournament = event.progress
        if tournament is None or not event.bounty:
            return ()
        known = {one.player: SeenKnockout(one.winners, one.shares) for one in tournament.knockouts}
        return tuple(
            (gone.table, {"do": "knockout", "player": gone.player, **word.to_line_keys()})
            for gone in tournament.eliminations
            if (word := self._last_word_by_player.get(gone.player)) is not None
            and word not in (self._first_word_by_player[gone.player], known.get(gone.player))
        )

    def find_busts(self) -> tuple[Bust, ...]:
        """Who has a seat and is not there: with hand and stack where the table was seen meanwhile."""
        event = self.tournament
        if event.progress is None or event.seating_by or event.closed_by or event.is_let_go:
            return ()
        if len(event.progress.remaining_players) < 2 or event.progress.deal_cents_by_player:
            return ()  # whoever leaves then goes home
        awaited: dict[str, int] = {}
        for duty in event.instruction_by_number.values():
            if duty.event_name == "sit":
                awaited.setdefault(duty.player, duty.number)
        leaving = {
            duty.player: duty
            for duty in event.instruction_by_number.values()
            if duty.event_name == "leave"
            and duty.player in event.seat_by_player  # who is sent away is out already
            and awaited.get(duty.player, duty.number) >= duty.number
        }
        expected = {table: dict(seats) for table, seats in event.seating_by_table().items()}
        for player in awaited:
            table, seat = event.seat_by_player.get(player, ("", 0))
            expected.get(table, {}).pop(seat, None)
        for player, duty in leaving.items():
            expected.setdefault(duty.table, {})[int(duty.script_line["seat"])] = player
        found = []
        for table, seats in expected.items():
            if table not in self.watched_by_table or self._dispatcher.is_behind(
                table, self.watched_by_table[table].view
            ):
                continue
            now = self.watched_by_table[table].view
            for seat, player in find_absent_players(seats, now).items():
                if (
                    player in leaving
                    and leaving[player].status is InstructionStatus.ASKED
                    and player not in self._bust_by_player
                ):
                    continue
                bust = self._bust_by_player.get(player)
                known = bust if bust and bust.table == table else None
                unseen = Bust(table, seat, player, now.hand, 0, False, now.knockout_by_seat.get(seat))
                found.append(known or unseen)
        self._bust_by_player = {
            player: bust for player, bust in self._bust_by_player.items() if player in event.seat_by_player
        }
        return tuple(sorted(found, key=lambda bust: (bust.table, bust.hand, bust.stack, bust.seat)))

    def find_proposals(self, now: float) -> tuple[Proposal, ...]:
        """What is to be confirmed now: who is out first, as all else goes by that."""
        out = tuple(
            Proposal(
                f"{bust.player} is out at table {bust.table}, seat {bust.seat}, hand {bust.hand}"
                + ("" if bust.is_certain else ": say the stack at the start of that hand"),
                {
                    "do": "eliminate",
                    "player": bust.player,
                    "hand": bust.hand,
                    "stack": bust.stack,
                    "sure": bust.is_certain,
                    **self._make_knockout_keys(bust),
                },
            )
            for bust in self.find_busts()
        )
        rule = self.tournament.rules.bounty_in_last_pot
        changed = tuple(
            Proposal(f"the bounty of {line['player']} is another's", line, rule.cite, rule.by_default)
            for _, line in self.find_changed_knockouts()
        )
        others = out or self._propose_river_card()
        return (*changed, *(others or proposals.find_proposals(self.tournament, self.watched_by_table, now)))

    def _make_knockout_keys(self, bust: Bust) -> dict[str, Any]:
        """Who has the bounty, where one is played for and the table has seen it."""
        return bust.knockout.to_line_keys() if bust.knockout is not None and self.tournament.bounty else {}

    def _propose_river_card(self) -> tuple[Proposal, ...]:
        """The river card of the last hand, as its table shows it, where cards of a jackpot were sold."""
        event = self.tournament
        tournament, tables = event.progress, tuple(event.seat_count_by_table)
        if not event.is_over or tournament is None or tournament.card_sale is None or tournament.river_card is not None:
            return ()
        views = [self.watched_by_table[table].view for table in tables if table in self.watched_by_table]
        if len(tables) != 1 or not views or not views[0].is_idle:
            return ()
        card = find_river_card(views[0].board)
        said = f"the river card of the last hand was {card}" if card else "the last hand had no river card"
        rule = event.rules.side_games
        return (Proposal(said, {"do": "river", "card": card}, rule.cite[:1], rule.by_default),)

    def find_unseated(self) -> Mapping[str, TableSeat]:
        """Who is not seated yet where the event waits for that, by what the tables have entered and show."""
        event = self.tournament
        return seating.find_unseated(event, self.view_by_table) if event.seating_by else {}

    @property
    def wait_reason_by_instruction(self) -> Mapping[int, str]:
        """Why a table has not taken a duty yet, by its number, where that passes by itself."""
        return self._dispatcher.wait_reason_by_instruction

    def find_clock_deviations(self, now: float) -> tuple[ClockDeviation, ...]:
        """The tables whose timers do not agree with the event's clock."""
        return find_deviations(self.tournament, now, self.view_by_table)

    def insert_lot(self, proposal: Proposal) -> dict[str, Any]:
        """The line of a proposal, with a lot where it wants one."""
        return proposals.insert_lot(proposal, self._draw_lot(proposal.lot_size) if proposal.lot_size else ())

    async def confirm(self, proposal: Proposal, by: str) -> RoomTournament:
        """Enter what was proposed, with a lot where it wants one; raises `TournamentError`."""
        return await self._write(self.insert_lot(proposal), by)

    async def step(self, now: float) -> None:
        """Enter what tables have seen themselves, where the house has said so, and ask what is due."""
        if self.tournament.eliminates_by_tables:
            gone = self.find_busts()
            unsure = {bust.table for bust in gone if not bust.is_certain}  # it may have been on an earlier hand
            for bust in gone:
                if bust.table not in unsure:
                    what = {"do": "eliminate", "player": bust.player, "hand": bust.hand, "stack": bust.stack}
                    what |= self._make_knockout_keys(bust)
                    try:
                        await self._write(what, bust.table)
                    except TournamentError:
                        break
            for table, what in self.find_changed_knockouts():
                try:
                    await self._write(what, table)
                except TournamentError:
                    break
        await self._dispatcher.dispatch_due(self.tournament, self.view_by_table, now)
        await self._begin_when_seated()

    async def _begin_when_seated(self) -> None:
        """Play begins once every table has entered, and shows, who sits there."""
        event = self.tournament
        views, tables = self.view_by_table, {table for table, _ in event.seat_by_player.values()}
        if not event.seating_by or self.find_unseated() or tables - set(views):
            return
        if any(self._dispatcher.is_behind(table, views[table]) for table in tables):
            return
        with contextlib.suppress(TournamentError):  # somebody was quicker
            await self._write({"do": "begin"}, event.seating_by)

"""Who is not seated yet, before the first hand of an event may begin, and at which table.

Who has a seat is dealt in and posts, there or not [R7-15.tourn.6, WSOP-T-36, TDA-30]: so no table deals, and the clock
does not run, before every table has entered who sits there, or the floor says that play begins all the same.
"""

from collections.abc import Mapping

from controller.core.values.plurals import pluralize
from room.tournament.tournament_state import RoomTournament, TableSeat
from room.tournament.tournament_table_view import TournamentTableView, find_absent_players

NO_VIEWS: Mapping[str, TournamentTableView] = {}


def find_unseated(event: RoomTournament, views: Mapping[str, TournamentTableView] = NO_VIEWS) -> dict[str, TableSeat]:
    """Whose table has not entered that they sit there, or does not show them: player -> seat, by table and seat."""
    waiting = {duty.player for duty in event.instruction_by_number.values() if duty.event_name == "sit"}
    for table, seats in event.seating_by_table().items():
        if table in views:
            waiting |= set(find_absent_players(seats, views[table]).values())
    order = {table: place for place, table in enumerate(event.seat_count_by_table)}
    found = [(player, event.seat_by_player[player]) for player in waiting if player in event.seat_by_player]
    return dict(sorted(found, key=lambda one: (order.get(one[1][0], 0), one[1][1])))


def describe_unseated(event: RoomTournament, missing: Mapping[str, TableSeat]) -> str:
    """How many of how many are not seated, and where."""
    tables = list(dict.fromkeys(table for table, _ in missing.values()))
    whom = f"{len(missing)} of {pluralize(len(event.seat_by_player), 'player')}"
    return f"{whom} {'is' if len(missing) == 1 else 'are'} not seated yet, at table {', '.join(tables)}"

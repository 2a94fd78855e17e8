"""A tournament as its record of events: entered, begun, paused, eliminated. The same lines give the same tournament."""

from collections.abc import Mapping, Sequence
from typing import Any

from controller.core.rules.questions.house.tournament_rules import SameHandRanking, TournamentRules
from controller.core.tournament.finishing_order import Elimination, Finish, award_prizes, rank_finishes
from controller.core.tournament.payouts import (
    CENTS_PER_UNIT,
    compute_championship_pool,
    compute_prizes,
    split_pool,
    split_satellite,
)
from controller.core.tournament.schedule import Schedule
from controller.core.tournament.tournament_clock import ClockError, TournamentClock
from controller.core.values.plurals import pluralize
from controller.core.values.value import Value, field, replace

MAX_NUMBER = 10**15
"""The largest number of a line, seconds or chips."""
COMMANDS = ("start", "pause", "resume", "eliminate", "rebuy", "add-on", "late-entry", "re-entry", "hand-for-hand")


class TournamentError(ValueError):
    """A line of the record that makes no sense as things stand."""


class Tournament(Value):
    """A tournament: its clock, who entered, what was paid (in whole units) and who is out, in the order of time.

    `season_rakes`: of a season, which come into the pool of its Championship; `None` for any other event.
    `last_line_s`: the second of the last line. `rules`: whose limits rebuys have; `None` where the event's are
    unlimited. `lost_level_by_player`: player -> level (index from 0) of the last chip; `rebuy_count_by_player`: player
    -> how many. `hand_for_hand_count`: how often the tables have begun to play hand for hand; `is_hand_for_hand`: they
    do now. `late_entry_levels`: until the end of which level one may enter late or again (0: until the event is over);
    `bounty`: what knocking a player out earns, in whole units; `knockouts`: who did it. `satellite_seat_price`: of a
    satellite, what a seat costs in the event that it leads to, in whole units; 0 for any other event.
    `same_hand_ranking`: the book's word on those who go out on one hand, hand for hand.
    """

    clock: TournamentClock
    entrants: tuple[str, ...]
    buy_in: int
    extra_payments: tuple[tuple[str, int], ...] = ()
    eliminations: tuple[Elimination, ...] = ()
    season_rakes: int | None = None
    last_line_s: float = 0.0
    rules: TournamentRules | None = None
    lost_level_by_player: Mapping[str, int] = field(default_factory=dict)
    rebuy_count_by_player: Mapping[str, int] = field(default_factory=dict)
    hand_for_hand_count: int = 0
    is_hand_for_hand: bool = False
    late_entry_levels: int = 0
    bounty: int = 0
    knockouts: tuple[tuple[str, str], ...] = ()
    satellite_seat_price: int = 0
    same_hand_ranking: SameHandRanking = SameHandRanking.LARGER_STACK

    @property
    def remaining_players(self) -> tuple[str, ...]:
        """Who still plays."""
        gone = {elimination.player for elimination in self.eliminations}
        return tuple(player for player in self.entrants if player not in gone)

    def split_purse(self) -> tuple[int, int]:
        """(prize pool, rake) in cents."""
        if self.season_rakes is not None:
            return compute_championship_pool(
                self.buy_in * len(self.entrants) * CENTS_PER_UNIT, self.season_rakes * CENTS_PER_UNIT
            ), 0
        more = sum(amount for _, amount in self.extra_payments)
        return split_pool(self.buy_in * len(self.entrants) * CENTS_PER_UNIT, more * CENTS_PER_UNIT)

    def to_championship(self, rakes: int) -> "Tournament":
        """The same event as the Championship of a season: the season's rakes come in, and none goes out."""
        return replace(self, season_rakes=rakes)

    def prizes(self) -> tuple[int, ...]:
        """What each paid place gets, in cents, by the number of players at the start; a seat counts what it costs."""
        purse, players = self.split_purse()[0], len(self.entrants)
        return (
            split_satellite(purse, self.satellite_seat_price * CENTS_PER_UNIT, players)[1]
            if self.satellite_seat_price
            else compute_prizes(purse, players)
        )

    @property
    def satellite_seat_count(self) -> int:
        """How many seats of another event a satellite has to give; 0 for any other event."""
        return (
            split_satellite(self.split_purse()[0], self.satellite_seat_price * CENTS_PER_UNIT, len(self.entrants))[0]
            if self.satellite_seat_price
            else 0
        )

    @property
    def is_satellite_over(self) -> bool:
        """Whether a satellite is over: no more players are left than it has seats, or one where it has none."""
        return bool(self.satellite_seat_price) and len(self.remaining_players) <= max(self.satellite_seat_count, 1)

    def finishes(self) -> tuple[Finish, ...]:
        """The places as far as they are known, with what they win; who is left in a satellite that is over is first."""
        found = rank_finishes(len(self.entrants), self.eliminations, self.remaining_players, self.same_hand_ranking)
        left = self.remaining_players if self.is_satellite_over and len(self.remaining_players) > 1 else ()
        return award_prizes((*(Finish(player, 1, len(left)) for player in left), *found), self.prizes())

    def bounty_by_player(self) -> dict[str, int]:
        """What each player has earned by knocking others out, in cents; who is left at last keeps the own bounty."""
        won = [by for by, _ in self.knockouts]
        if len(self.remaining_players) == 1:
            won.append(self.remaining_players[0])
        return (
            {player: won.count(player) * self.bounty * CENTS_PER_UNIT for player in dict.fromkeys(won)}
            if self.bounty
            else {}
        )

    def total_spent(self, player: str) -> int:
        """Buy-in and rebuys of a player, whole units."""
        return self.buy_in + sum(amount for who, amount in self.extra_payments if who == player)


def open_tournament(
    schedule: Schedule, entrants: Sequence[str], buy_in: int, at: float = 0.0, book: TournamentRules | None = None
) -> Tournament:
    """A tournament that has not begun; `book` limits rebuys, where it is given.

    Raises `TournamentError`.
    """
    if len(entrants) < 2 or len(set(entrants)) != len(entrants):
        raise TournamentError("a tournament needs two or more entrants, each with a name of its own.")
    if buy_in < 0:
        raise TournamentError("the buy-in cannot be below 0.")
    return Tournament(TournamentClock(schedule), tuple(entrants), buy_in, last_line_s=at, rules=book)


def apply_line(tournament: Tournament, line: Mapping[str, Any]) -> Tournament:
    """The tournament after a line of its record: `do`, `at` (seconds), what it needs; raises `TournamentError`."""
    at = parse_amount(line, "at")
    if at < tournament.last_line_s:
        raise TournamentError(f"`at` {at:g} was before the last line of the record, {tournament.last_line_s:g}.")
    return replace(_apply_command(tournament, line, at), last_line_s=at)


def _apply_command(tournament: Tournament, line: Mapping[str, Any], at: float) -> Tournament:
    match line.get("do"):
        case "start" | "pause" | "resume" as word:
            clock = tournament.clock
            change = {"start": clock.start, "pause": clock.pause, "resume": clock.resume}[word]
            try:
                return replace(tournament, clock=change(at))
            except ClockError as error:
                raise TournamentError(str(error)) from error
        case "eliminate":
            return _eliminate_player(tournament, line)
        case "rebuy" | "add-on":
            return _add_payment(tournament, line)
        case "late-entry" | "re-entry":
            return _enter_player(tournament, line)
        case "hand-for-hand":
            begun = not tournament.is_hand_for_hand
            return replace(
                tournament, is_hand_for_hand=begun, hand_for_hand_count=tournament.hand_for_hand_count + begun
            )
        case _:
            raise TournamentError(f"`do` cannot be {line.get('do')!r}; it may be {', '.join(COMMANDS)}.")


def _eliminate_player(tournament: Tournament, line: Mapping[str, Any]) -> Tournament:
    player = _parse_player(line)
    if player not in tournament.remaining_players:
        raise TournamentError(f"{player} does not play any more; there are {', '.join(tournament.remaining_players)}.")
    if len(tournament.remaining_players) == 1:
        raise TournamentError(f"{player} is the last player and has won.")
    hand, stack, table = int(parse_amount(line, "hand")), int(parse_amount(line, "stack")), str(line.get("table") or "")
    common = tournament.hand_for_hand_count if tournament.is_hand_for_hand else 0
    gone = Elimination(player, hand, stack, bool(line.get("disqualified", False)), table, common)
    if tournament.is_satellite_over and gone.deal_key != (
        tournament.eliminations[-1].deal_key if tournament.eliminations else None
    ):
        raise TournamentError(f"the satellite is over: {_describe_seats_won(tournament)}.")
    before = max((one.hand for one in tournament.eliminations if one.deal_key[0] == gone.deal_key[0]), default=0)
    if hand < before:
        where = f" at table {table}" if table and not common else ""
        raise TournamentError(f"hand {hand} was before hand {before}{where}, on which the last player went out.")
    level = tournament.clock.read(parse_amount(line, "at")).level_index
    by = line.get("by")
    if by is not None and by not in tournament.remaining_players:
        raise TournamentError(f"{by} does not play any more; there are {', '.join(tournament.remaining_players)}.")
    knocked = tournament.knockouts if by is None else (*tournament.knockouts, (str(by), player))
    out, lost = (*tournament.eliminations, gone), {**tournament.lost_level_by_player, player: level}
    return replace(tournament, eliminations=out, lost_level_by_player=lost, knockouts=knocked)


def _describe_seats_won(tournament: Tournament) -> str:
    return f"{pluralize(tournament.satellite_seat_count, 'seat')} for {', '.join(tournament.remaining_players)}"


def _enter_player(tournament: Tournament, line: Mapping[str, Any]) -> Tournament:
    """A new entrant with a full stack: a late or alternate player, or one without chips who enters again [WSOP-T-13].

    Who enters again is a participant of its own, `Name (2)`: the place of the first entry stands.
    """
    player, last = _parse_player(line), tournament.late_entry_levels
    level = tournament.clock.read(parse_amount(line, "at")).level_index
    if tournament.is_satellite_over:
        raise TournamentError(f"the satellite is over: {_describe_seats_won(tournament)}.")
    if (last and level >= last) or len(tournament.remaining_players) < 2:
        raise TournamentError(f"nobody enters any more: entry was open until the end of level {last or level + 1}.")
    if line["do"] == "late-entry":
        if player in tournament.entrants:
            raise TournamentError(f"{player} has entered; who has lost all chips enters again by re-entry.")
        return replace(tournament, entrants=(*tournament.entrants, player))
    entries = [name for name in tournament.entrants if name == player or name.startswith(f"{player} (")]
    if not entries:
        raise TournamentError(f"{player} has not entered; a first entry is late-entry.")
    if entries[-1] in tournament.remaining_players:
        raise TournamentError(f"{entries[-1]} still has chips; who has none left enters again.")
    return replace(tournament, entrants=(*tournament.entrants, f"{player} ({len(entries) + 1})"))


def _add_payment(tournament: Tournament, line: Mapping[str, Any]) -> Tournament:
    player, amount = _parse_player(line), int(parse_amount(line, "amount"))
    if player not in tournament.entrants or amount < 1:
        raise TournamentError(f"{line['do']} wants an entrant and an amount above 0.")
    out = tournament.eliminations
    if tournament.is_satellite_over:
        raise TournamentError(f"the satellite is over: {_describe_seats_won(tournament)}.")
    if line["do"] == "rebuy":
        if player in tournament.remaining_players:
            raise TournamentError(f"{player} still has chips; a rebuy is for who has lost all.")
        _refuse_rebuy(tournament, player, line)
        paid_before = tournament.rebuy_count_by_player.get(player, 0)
        out = tuple(gone for gone in out if gone.player != player)
        tournament = replace(
            tournament, rebuy_count_by_player={**tournament.rebuy_count_by_player, player: paid_before + 1}
        )
    return replace(tournament, eliminations=out, extra_payments=(*tournament.extra_payments, (player, amount)))


def _refuse_rebuy(tournament: Tournament, player: str, line: Mapping[str, Any]) -> None:
    """Refuse a rebuy beyond the book's number, level or time [FC-10.rebuy.2, FC-10.rebuy.4(a)]."""
    book = tournament.rules
    if book is None:
        return
    most, last, made = book.rebuys, book.rebuy_levels, tournament.rebuy_count_by_player.get(player, 0)
    level = tournament.clock.read(parse_amount(line, "at")).level_index
    lost = tournament.lost_level_by_player.get(player, level)
    if most.value and made >= most.value:
        raise TournamentError(f"{player} has had {pluralize(made, 'rebuy')}, no more are allowed ({most.source}).")
    if not last.value:
        return
    if level >= last.value:
        raise TournamentError(f"no rebuy after level {last.value} ({last.source}).")
    if level > lost + 1 or (level > lost and not line.get("last_hand")):
        raise TournamentError(
            f"{player} could buy in again on level {lost + 1}, that of the loss ({last.source}); who went out on its "
            "last hand has two hands more, and `--last-hand` says so."
        )


def parse_amount(line: Mapping[str, Any], key: str) -> float:
    """A number of a line; raises `TournamentError`."""
    value = line.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MAX_NUMBER:
        raise TournamentError(f"`{line.get('do')}` wants `{key}`, a number from 0; it is {value!r}.")
    return value


def _parse_player(line: Mapping[str, Any]) -> str:
    value = line.get("player")
    if not isinstance(value, str):
        raise TournamentError(f"`{line.get('do')}` wants `player`, a name; it is {value!r}.")
    return value

"""A tournament as its record of events: entered, begun, paused, eliminated. The same lines give the same tournament."""

from collections.abc import Mapping, Sequence
from typing import Any

from controller.core.rules.questions.house.tournament import SameHand, TournamentRules
from controller.core.tournament.clock import Clock, ClockError
from controller.core.tournament.finish import Elimination, Finish, paid, places
from controller.core.tournament.payouts import championship_pool, pool, prizes, satellite
from controller.core.tournament.schedule import Schedule
from controller.core.values.counted import counted
from controller.core.values.value import Value, field, replace

CENTS = 100
LARGEST = 10**15
"""The largest number of a line, seconds or chips."""
VERBS = ("start", "pause", "resume", "eliminate", "rebuy", "add-on", "late-entry", "re-entry", "hand-for-hand")


class EventError(ValueError):
    """A line of the record that makes no sense as things stand."""


class Tournament(Value):
    """A tournament: its clock, who entered, what was paid (in whole units) and who is out, in the order of time.

    `rakes`: of a season, which come into the pool of its Championship; `None` for any other event. `at`: the second of
    the last line. `book`: whose limits rebuys have; `None` where the event's are unlimited. `lost_on`: player -> level
    (index from 0) of the last chip; `rebuys`: player -> how many. `common`: how often the tables have begun to play
    hand for hand; `hand_for_hand`: they do now. `late_levels`: until the end of which level one may enter late or again
    (0: until the event is over); `bounty`: what knocking a player out earns, in whole units; `knocked_out`: who did it.
    `seat`: of a satellite, what a seat costs in the event that it leads to, in whole units; 0 for any other event.
    `together`: the book's word on those who go out on one hand, hand for hand.
    """

    clock: Clock
    entrants: tuple[str, ...]
    buy_in: int
    paid_more: tuple[tuple[str, int], ...] = ()
    out: tuple[Elimination, ...] = ()
    rakes: int | None = None
    at: float = 0.0
    book: TournamentRules | None = None
    lost_on: Mapping[str, int] = field(default_factory=dict)
    rebuys: Mapping[str, int] = field(default_factory=dict)
    common: int = 0
    hand_for_hand: bool = False
    late_levels: int = 0
    bounty: int = 0
    knocked_out: tuple[tuple[str, str], ...] = ()
    seat: int = 0
    together: SameHand = SameHand.LARGER_STACK

    @property
    def remaining(self) -> tuple[str, ...]:
        """Who still plays."""
        gone = {elimination.player for elimination in self.out}
        return tuple(player for player in self.entrants if player not in gone)

    def purse(self) -> tuple[int, int]:
        """(prize pool, rake) in cents."""
        if self.rakes is not None:
            return championship_pool(self.buy_in * len(self.entrants) * CENTS, self.rakes * CENTS), 0
        more = sum(amount for _, amount in self.paid_more)
        return pool(self.buy_in * len(self.entrants) * CENTS, more * CENTS)

    def as_championship(self, rakes: int) -> "Tournament":
        """The same event as the Championship of a season: the season's rakes come in, and none goes out."""
        return replace(self, rakes=rakes)

    def prizes(self) -> tuple[int, ...]:
        """What each paid place gets, in cents, by the number of players at the start; a seat counts what it costs."""
        purse, players = self.purse()[0], len(self.entrants)
        return satellite(purse, self.seat * CENTS, players)[1] if self.seat else prizes(purse, players)

    @property
    def seats(self) -> int:
        """How many seats of another event a satellite has to give; 0 for any other event."""
        return satellite(self.purse()[0], self.seat * CENTS, len(self.entrants))[0] if self.seat else 0

    @property
    def over(self) -> bool:
        """Whether a satellite is over: no more players are left than it has seats, or one where it has none."""
        return bool(self.seat) and len(self.remaining) <= max(self.seats, 1)

    def finishes(self) -> tuple[Finish, ...]:
        """The places as far as they are known, with what they win; who is left in a satellite that is over is first."""
        found = places(len(self.entrants), self.out, self.remaining, self.together)
        left = self.remaining if self.over and len(self.remaining) > 1 else ()
        return paid((*(Finish(player, 1, len(left)) for player in left), *found), self.prizes())

    def bounties(self) -> dict[str, int]:
        """What each player has earned by knocking others out, in cents; who is left at last keeps the own bounty."""
        won = [by for by, _ in self.knocked_out]
        if len(self.remaining) == 1:
            won.append(self.remaining[0])
        return {player: won.count(player) * self.bounty * CENTS for player in dict.fromkeys(won)} if self.bounty else {}

    def spent(self, player: str) -> int:
        """Buy-in and rebuys of a player, whole units."""
        return self.buy_in + sum(amount for who, amount in self.paid_more if who == player)


def opened(
    schedule: Schedule, entrants: Sequence[str], buy_in: int, at: float = 0.0, book: TournamentRules | None = None
) -> Tournament:
    """A tournament that has not begun; `book` limits rebuys, where it is given.

    Raises `EventError`.
    """
    if len(entrants) < 2 or len(set(entrants)) != len(entrants):
        raise EventError("a tournament needs two or more entrants, each with a name of its own.")
    if buy_in < 0:
        raise EventError("the buy-in cannot be below 0.")
    return Tournament(Clock(schedule), tuple(entrants), buy_in, at=at, book=book)


def after(tournament: Tournament, line: Mapping[str, Any]) -> Tournament:
    """The tournament after a line of its record: `do`, `at` (seconds), what the word needs; raises `EventError`."""
    at = amount_of(line, "at")
    if at < tournament.at:
        raise EventError(f"`at` {at:g} was before the last line of the record, {tournament.at:g}.")
    return replace(_after(tournament, line, at), at=at)


def _after(tournament: Tournament, line: Mapping[str, Any], at: float) -> Tournament:
    match line.get("do"):
        case "start" | "pause" | "resume" as word:
            clock = tournament.clock
            change = {"start": clock.start, "pause": clock.pause, "resume": clock.resume}[word]
            try:
                return replace(tournament, clock=change(at))
            except ClockError as error:
                raise EventError(str(error)) from error
        case "eliminate":
            return _eliminated(tournament, line)
        case "rebuy" | "add-on":
            return _paid_more(tournament, line)
        case "late-entry" | "re-entry":
            return _entered(tournament, line)
        case "hand-for-hand":
            begun = not tournament.hand_for_hand
            return replace(tournament, hand_for_hand=begun, common=tournament.common + begun)
        case _:
            raise EventError(f"`do` cannot be {line.get('do')!r}; it may be {', '.join(VERBS)}.")


def _eliminated(tournament: Tournament, line: Mapping[str, Any]) -> Tournament:
    player = _name(line)
    if player not in tournament.remaining:
        raise EventError(f"{player} does not play any more; there are {', '.join(tournament.remaining)}.")
    if len(tournament.remaining) == 1:
        raise EventError(f"{player} is the last player and has won.")
    hand, stack, table = int(amount_of(line, "hand")), int(amount_of(line, "stack")), str(line.get("table") or "")
    common = tournament.common if tournament.hand_for_hand else 0
    gone = Elimination(player, hand, stack, bool(line.get("disqualified", False)), table, common)
    if tournament.over and gone.deal != (tournament.out[-1].deal if tournament.out else None):
        raise EventError(f"the satellite is over: {_seats_won(tournament)}.")
    before = max((one.hand for one in tournament.out if one.deal[0] == gone.deal[0]), default=0)
    if hand < before:
        where = f" at table {table}" if table and not common else ""
        raise EventError(f"hand {hand} was before hand {before}{where}, on which the last player went out.")
    level = tournament.clock.read(amount_of(line, "at")).level
    by = line.get("by")
    if by is not None and by not in tournament.remaining:
        raise EventError(f"{by} does not play any more; there are {', '.join(tournament.remaining)}.")
    knocked = tournament.knocked_out if by is None else (*tournament.knocked_out, (str(by), player))
    out, lost = (*tournament.out, gone), {**tournament.lost_on, player: level}
    return replace(tournament, out=out, lost_on=lost, knocked_out=knocked)


def _seats_won(tournament: Tournament) -> str:
    return f"{counted(tournament.seats, 'seat')} for {', '.join(tournament.remaining)}"


def _entered(tournament: Tournament, line: Mapping[str, Any]) -> Tournament:
    """A new entrant with a full stack: a late or alternate player, or one without chips who enters again [WSOP-T-13].

    Who enters again is a participant of its own, `Name (2)`: the place of the first entry stands.
    """
    player, last = _name(line), tournament.late_levels
    level = tournament.clock.read(amount_of(line, "at")).level
    if tournament.over:
        raise EventError(f"the satellite is over: {_seats_won(tournament)}.")
    if (last and level >= last) or len(tournament.remaining) < 2:
        raise EventError(f"nobody enters any more: entry was open until the end of level {last or level + 1}.")
    if line["do"] == "late-entry":
        if player in tournament.entrants:
            raise EventError(f"{player} has entered; who has lost all chips enters again by re-entry.")
        return replace(tournament, entrants=(*tournament.entrants, player))
    entries = [name for name in tournament.entrants if name == player or name.startswith(f"{player} (")]
    if not entries:
        raise EventError(f"{player} has not entered; a first entry is late-entry.")
    if entries[-1] in tournament.remaining:
        raise EventError(f"{entries[-1]} still has chips; who has none left enters again.")
    return replace(tournament, entrants=(*tournament.entrants, f"{player} ({len(entries) + 1})"))


def _paid_more(tournament: Tournament, line: Mapping[str, Any]) -> Tournament:
    player, amount = _name(line), int(amount_of(line, "amount"))
    if player not in tournament.entrants or amount < 1:
        raise EventError(f"{line['do']} wants an entrant and an amount above 0.")
    out = tournament.out
    if tournament.over:
        raise EventError(f"the satellite is over: {_seats_won(tournament)}.")
    if line["do"] == "rebuy":
        if player in tournament.remaining:
            raise EventError(f"{player} still has chips; a rebuy is for who has lost all.")
        _rebuy_allowed(tournament, player, line)
        paid_before = tournament.rebuys.get(player, 0)
        out = tuple(gone for gone in out if gone.player != player)
        tournament = replace(tournament, rebuys={**tournament.rebuys, player: paid_before + 1})
    return replace(tournament, out=out, paid_more=(*tournament.paid_more, (player, amount)))


def _rebuy_allowed(tournament: Tournament, player: str, line: Mapping[str, Any]) -> None:
    """Refuse a rebuy beyond the book's number, level or time [FC-10.rebuy.2, FC-10.rebuy.4(a)]."""
    book = tournament.book
    if book is None:
        return
    most, last, made = book.rebuys, book.rebuy_levels, tournament.rebuys.get(player, 0)
    level = tournament.clock.read(amount_of(line, "at")).level
    lost = tournament.lost_on.get(player, level)
    if most.value and made >= most.value:
        raise EventError(f"{player} has had {counted(made, 'rebuy')}, no more are allowed ({most.source}).")
    if not last.value:
        return
    if level >= last.value:
        raise EventError(f"no rebuy after level {last.value} ({last.source}).")
    if level > lost + 1 or (level > lost and not line.get("last_hand")):
        raise EventError(
            f"{player} could buy in again on level {lost + 1}, that of the loss ({last.source}); who went out on its "
            "last hand has two hands more, and `--last-hand` says so."
        )


def amount_of(line: Mapping[str, Any], key: str) -> float:
    """A number of a line; raises `EventError`."""
    value = line.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= LARGEST:
        raise EventError(f"`{line.get('do')}` wants `{key}`, a number from 0; it is {value!r}.")
    return value


def _name(line: Mapping[str, Any]) -> str:
    value = line.get("player")
    if not isinstance(value, str):
        raise EventError(f"`{line.get('do')}` wants `player`, a name; it is {value!r}.")
    return value

"""A tournament as its record of events: entered, begun, paused, eliminated. The same lines give the same tournament."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from controller.core.tournament.clock import Clock, ClockError
from controller.core.tournament.finish import Elimination, Finish, paid, places
from controller.core.tournament.payouts import championship_pool, pool, prizes
from controller.core.tournament.schedule import Schedule

CENTS = 100
VERBS = ("start", "pause", "resume", "eliminate", "rebuy", "add-on")


class EventError(ValueError):
    """A line of the record that makes no sense as things stand."""


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament: its clock, who entered, what was paid (in whole units) and who is out.

    `rakes`: of a season, which come into the pool of its Championship; `None` for any other event.
    """

    clock: Clock
    entrants: tuple[str, ...]
    buy_in: int
    paid_more: tuple[tuple[str, int], ...] = ()
    out: tuple[Elimination, ...] = ()
    rakes: int | None = None

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
        """What each paid place gets, in cents, by the number of players at the start."""
        return prizes(self.purse()[0], len(self.entrants))

    def finishes(self) -> tuple[Finish, ...]:
        """The places as far as they are known, with what they win."""
        return paid(places(len(self.entrants), self.out, self.remaining), self.prizes())

    def spent(self, player: str) -> int:
        """Buy-in and rebuys of a player, whole units."""
        return self.buy_in + sum(amount for who, amount in self.paid_more if who == player)


def opened(schedule: Schedule, entrants: Sequence[str], buy_in: int) -> Tournament:
    """A tournament that has not begun."""
    if len(entrants) < 2 or len(set(entrants)) != len(entrants):
        raise EventError("a tournament needs two or more entrants, each with a name of its own.")
    if buy_in < 0:
        raise EventError("the buy-in cannot be below 0.")
    return Tournament(Clock(schedule), tuple(entrants), buy_in)


def after(tournament: Tournament, line: Mapping[str, Any]) -> Tournament:
    """The tournament after one line of its record: `do`, `at` (seconds) and what the word needs."""
    at = float(line["at"])
    match line["do"]:
        case "start" | "pause" | "resume" as word:
            try:
                return replace(tournament, clock=getattr(tournament.clock, word)(at))
            except ClockError as error:
                raise EventError(str(error)) from error
        case "eliminate":
            return _eliminated(tournament, line)
        case "rebuy" | "add-on":
            return _paid_more(tournament, line)
        case _:
            raise EventError(f"`do` cannot be {line['do']!r}; it may be {', '.join(VERBS)}.")


def _eliminated(tournament: Tournament, line: Mapping[str, Any]) -> Tournament:
    player = line["player"]
    if player not in tournament.remaining:
        raise EventError(f"{player} does not play any more; there are {', '.join(tournament.remaining)}.")
    if len(tournament.remaining) == 1:
        raise EventError(f"{player} is the last player and has won.")
    hand = int(line["hand"])
    if tournament.out and hand < tournament.out[-1].hand:
        raise EventError(f"hand {hand} was before hand {tournament.out[-1].hand}, on which the last player went out.")
    gone = Elimination(player, hand, int(line["stack"]), bool(line.get("disqualified", False)))
    return replace(tournament, out=(*tournament.out, gone))


def _paid_more(tournament: Tournament, line: Mapping[str, Any]) -> Tournament:
    player, amount = line["player"], int(line["amount"])
    if player not in tournament.entrants or amount < 1:
        raise EventError(f"{line['do']} wants an entrant and an amount above 0.")
    out = tournament.out
    if line["do"] == "rebuy":
        if player in tournament.remaining:
            raise EventError(f"{player} still has chips; a rebuy is for who has lost all.")
        out = tuple(gone for gone in out if gone.player != player)
    return replace(tournament, out=out, paid_more=(*tournament.paid_more, (player, amount)))

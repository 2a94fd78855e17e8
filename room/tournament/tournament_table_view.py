"""How a table of the event stands, as every spectator sees it, and what one standing after another tells of a hand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

from controller.core.values.cards import ALL_CARDS

HOLD_STEP = "hold"


class TableViewError(ValueError):
    """A table's state that lacks what an event needs of it; the message says what."""


@dataclass(frozen=True, slots=True)
class SeatView:
    """Who sits there; `stack`: `None` where amounts are untracked.

    `penalty_hands`: so many hands of a penalty are left.
    """

    player: str
    stack: int | None = None
    penalty_hands: int = 0


@dataclass(frozen=True, slots=True)
class SeenKnockout:
    """Who has knocked out a player by what the table shows: names, the first for an odd chip, and their `shares`.

    `seats`: the chairs in which they played that hand.
    """

    winners: tuple[str, ...]
    shares: tuple[int, ...] = ()
    seats: tuple[int, ...] = field(default=(), compare=False)

    def to_line_keys(self) -> dict[str, Any]:
        """The keys of a line of the event."""
        return {"knocked_by": list(self.winners)} | ({"shares": list(self.shares)} if self.shares else {})


@dataclass(frozen=True, slots=True)
class TableTimer:
    """What a table's own timer shows: `level` from 1, `left_s` in seconds until the `stage` ends."""

    stage: str
    level: int
    left_s: float
    is_running: bool


@dataclass(frozen=True, slots=True)
class TournamentTableView:
    """A table at a moment: `entry` numbers its journal's last entry, `hand` is on or, where `is_idle`, was the last.

    `is_held`: the next step waits for the floor. `button_seat`, `big_blind_seat`: 0 while no lamp shows them.
    `seat_count`: its chairs, 0 where it does not say. `seen_at`: Unix seconds. `board`: of the hand
    that is on, or was the last; empty where a card of it was not read. `knockout_by_seat`: who is out with the last
    hand, and by whom.
    """

    entry: int
    hand: int
    is_idle: bool
    is_held: bool
    view_by_seat: Mapping[int, SeatView]
    button_seat: int = 0
    big_blind_seat: int = 0
    timer: TableTimer | None = None
    seen_at: float = 0.0
    seat_count: int = 0
    board: tuple[str, ...] = ()
    knockout_by_seat: Mapping[int, SeenKnockout] = field(default_factory=dict)

    @classmethod
    def from_json(cls, state: Mapping[str, Any], at: float = 0.0) -> Self:
        """Read what a table publishes (`controller.client.api_types.Table`); raises `TableViewError`."""
        try:
            steps, lamps = state["next"], state["lamps"]
            chairs = {
                int(one["seat"]): SeatView(str(one["player"]), one.get("stack"), int(one.get("misses", 0)))
                for one in state["seats"]
                if one.get("player")
            }
            return cls(
                int(state["entry"]),
                int(state["hand"]),
                state["phase"] == "idle",
                bool(steps) and steps[0]["step"] == HOLD_STEP,
                chairs,
                _first_seat(lamps.get("button")),
                _first_seat(lamps.get("big_blind")),
                _parse_timer(state.get("timer")),
                at,
                int(state.get("places", 0)),
                _parse_board(state.get("board", ())),
                _parse_knockouts(state.get("out") or (), chairs),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as why:
            raise TableViewError(f"the table's state has no {why}, or not as the table script has it.") from why

    def name_winners(self, player_by_seat: Mapping[int, str]) -> Self:
        """The same with those as winners of bounties who sat in the chairs then."""
        return replace(
            self,
            knockout_by_seat={
                seat: replace(one, winners=tuple(player_by_seat[winner] for winner in one.seats))
                for seat, one in self.knockout_by_seat.items()
            },
        )

    def find_seat(self, player: str) -> int:
        """Where somebody sits; 0: nowhere here."""
        return next((seat for seat, chair in self.view_by_seat.items() if chair.player == player), 0)


def _parse_board(cards: Sequence[object]) -> tuple[str, ...]:
    known = tuple(card for card in cards if isinstance(card, str) and card in ALL_CARDS)
    return known if len(known) == len(cards) else ()


def _first_seat(seats: Any) -> int:  # noqa: ANN401 (JSON)
    return int(seats[0]) if seats else 0


def _parse_knockouts(shown: Any, chairs: Mapping[int, SeatView]) -> dict[int, SeenKnockout]:  # noqa: ANN401 (JSON)
    """Read who is out, and by whom: those whose names the table shows."""
    found = {}
    for one in shown:
        seats = tuple(int(seat) for seat in one["by"])
        winners = tuple(chairs[seat].player for seat in seats if seat in chairs)
        if len(winners) == len(seats):
            shares = tuple(int(share) for share in one.get("shares") or ())
            found[int(one["seat"])] = SeenKnockout(winners, shares, seats)
    return found


def _parse_timer(shown: Mapping[str, Any] | None) -> TableTimer | None:
    if not shown:
        return None
    return TableTimer(str(shown["stage"]), int(shown["level"]), float(shown["left"]), bool(shown["running"]))


@dataclass(frozen=True, slots=True)
class Bust:
    """Somebody lost the last chip on `hand`, having begun it with `stack`.

    `is_certain`: hand and stack were seen; else the floor says them. `knockout`: by whom; `None` where it is unknown.
    """

    table: str
    seat: int
    player: str
    hand: int
    stack: int
    is_certain: bool = True
    knockout: SeenKnockout | None = None


@dataclass(frozen=True, slots=True)
class WatchedTable:
    """What was seen of a table: its last standing, who had button and big blind last, the stacks between two hands."""

    view: TournamentTableView
    last_button_seat: int = 0
    last_big_blind_seat: int = 0
    stacks_after_hand: int = -1
    """After which hand `stack_by_player` were seen; -1: never."""
    stack_by_player: Mapping[str, int] = field(default_factory=dict)


def observe_view(
    table: str, before: WatchedTable | None, now: TournamentTableView
) -> tuple[WatchedTable, tuple[Bust, ...]]:
    """Take in how a table stands now; what is older than the last is passed over.

    A player who is gone with no chip missing at the table has lost them there; one who left took chips along.
    """
    if before is not None and now.entry < before.view.entry:
        return before, ()
    stacks = {chair.player: chair.stack for chair in now.view_by_seat.values() if chair.stack is not None}
    between, kept = (now.hand, stacks) if now.is_idle else (-1, {})
    if before is None:
        return WatchedTable(now, now.button_seat, now.big_blind_seat, between, kept), ()
    if not now.is_idle:
        between, kept = before.stacks_after_hand, dict(before.stack_by_player)
    watched = WatchedTable(
        now, now.button_seat or before.last_button_seat, now.big_blind_seat or before.last_big_blind_seat, between, kept
    )
    return watched, _find_busts(table, before, now) if now.is_idle else ()


def _find_busts(table: str, before: WatchedTable, now: TournamentTableView) -> tuple[Bust, ...]:
    was = before.view
    gone = {
        seat: chair
        for seat, chair in was.view_by_seat.items()
        if now.view_by_seat.get(seat, SeatView("")).player != chair.player
    }
    if not gone or (was.is_idle and was.hand == now.hand):
        return ()
    all_in = {seat for seat, chair in gone.items() if chair.stack == 0 and not was.is_idle}
    return tuple(
        Bust(table, seat, chair.player, now.hand, before.stack_by_player.get(chair.player, 0),
             was.hand == now.hand and before.stacks_after_hand == now.hand - 1
             and chair.player in before.stack_by_player, now.knockout_by_seat.get(seat))
        for seat, chair in sorted(gone.items())
        if seat in all_in or _has_all_chips(before, now)
    )  # fmt: skip


def _has_all_chips(before: WatchedTable, now: TournamentTableView) -> bool:
    """Whether those who were there between the hands have all chips still: then nobody took any along."""
    left = [chair.stack or 0 for chair in now.view_by_seat.values() if chair.player in before.stack_by_player]
    return bool(before.stack_by_player) and sum(left) == sum(before.stack_by_player.values())


def find_absent_players(expected: Mapping[int, str], now: TournamentTableView) -> dict[int, str]:
    """Who has a seat at a table and does not sit there: seat -> player."""
    return {seat: who for seat, who in expected.items() if now.find_seat(who) != seat}

"""The course of a finished hand in chips, street by street, for the formats that tell amounts.

A record says what was posted, what each act put in and what was pushed to whom. Played through from the starting
stacks, every seat must come to its finishing stack; where it does not (a ruling moved chips otherwise, a pot was
carried on) the hand is `Untold`, as no tracker could add it up either.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from controller.core.protocol.vocabulary import Do
from controller.core.rules.games import Street
from controller.records.hand import Drew, Record


class Untold(Exception):
    """The hand cannot be told in a format; the message says why."""


@dataclass(frozen=True, slots=True)
class Deed:
    """What a seat did when it had to act: FOLD, CHECK, CALL, BET, RAISE or BRING_IN.

    `paid`: the chips that went in; `to`: the seat's total of the round after it; `over`: what it had to match; `left`:
    what it has behind; `dead`: a ruling killed the hand.
    """

    seat: int
    do: Do
    paid: int = 0
    to: int = 0
    over: int = 0
    left: int = 0
    dead: bool = False

    @property
    def all_in(self) -> bool:
        """Whether it put in the last chip."""
        return self.paid > 0 and not self.left


@dataclass(frozen=True, slots=True)
class Stretch:
    """A street as it was played: its board cards, the new upcards by seat, draws, deeds, and what nobody called."""

    index: int
    street: Street
    board: tuple[str, ...]
    up: Mapping[int, tuple[str, ...]]
    draws: tuple[Drew, ...]
    deeds: tuple[Deed, ...]
    uncalled: tuple[int, int] | None
    """Seat and amount."""


@dataclass(frozen=True, slots=True)
class Course:
    """A hand: its streets as far as it went, who was in it at the end, and who won how much of which pot."""

    stretches: tuple[Stretch, ...]
    live: tuple[int, ...]
    pots: Mapping[int, Mapping[int, int]]
    """Pot (the main pot is 0) -> seat -> chips, in the order in which they were pushed."""

    @property
    def shown_down(self) -> bool:
        """Whether more than one hand was left."""
        return len(self.live) > 1

    @property
    def total(self) -> int:
        """Everything that was won."""
        return sum(sum(wins.values()) for wins in self.pots.values())


def course_of(record: Record) -> Course:
    """Play the record through; raises `Untold`."""
    _is_told(record)
    return _Playing(record).play()


def _is_told(record: Record) -> None:
    setup = record.setup
    if not setup.tracked:
        raise Untold("amounts were not tracked")
    if len(record.board) > sum(street.board for street in setup.game.streets):
        raise Untold("the rest of the board was dealt more than once")
    if None in record.board:
        raise Untold("a card of the board was not read")
    unread = sorted(seat for seat, cards in record.up.items() if None in cards)
    if unread:
        raise Untold(f"an upcard of seat {unread[0]} was not read")


class _Playing:
    """One hand being played through."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._stacks = dict(record.starting)
        self._bets: dict[int, int] = {}
        self._live = list(record.order)
        for posted in record.posts:
            self._stacks[posted.seat] -= posted.amount
            if posted.what.is_bet:
                self._bets[posted.seat] = self._bets.get(posted.seat, 0) + posted.amount

    def play(self) -> Course:
        record, stretches = self._record, []
        board = [card for card in record.board if card is not None]
        up = {seat: [card for card in cards if card is not None] for seat, cards in record.up.items()}
        for index, street in enumerate(record.setup.game.streets):
            lying, board = tuple(board[: street.board]), board[street.board :]
            faces = sum(face == "up" for face in street.deal)
            shown = {seat: tuple(up[seat][:faces]) for seat in record.order if up.get(seat) and faces}
            up = {seat: cards[faces:] for seat, cards in up.items()}
            draws = tuple(drew for drew in record.draws if drew.street == index)
            deeds = self._deeds(index)
            if index and not (lying or shown or draws or deeds):
                continue
            stretches.append(Stretch(index, street, lying, shown, draws, deeds, self._uncalled()))
            self._bets = {}
        if any(up.values()):
            raise Untold("more cards lay open than the game deals face up")
        pots: dict[int, dict[int, int]] = {}
        for pushed in record.pushed:
            wins = pots.setdefault(pushed.pot, {})
            wins[pushed.seat] = wins.get(pushed.seat, 0) + pushed.amount
            self._stacks[pushed.seat] += pushed.amount
        if self._stacks != dict(record.finishing):
            raise Untold("chips moved otherwise than by posts, acts and pots")
        return Course(tuple(stretches), tuple(self._live), pots)

    def _deeds(self, street: int) -> tuple[Deed, ...]:
        acts = [(index, 1, act.seat) for index, act in enumerate(self._record.acts) if act.street == street]
        dead = [(killed.acts, 0, killed.seat) for killed in self._record.killed if killed.street == street]
        deeds: list[Deed] = []
        for index, acted, seat in sorted(acts + dead):
            if acted:
                deeds.append(self._deed(index))
            elif seat in self._live:
                deeds.append(Deed(seat, Do.FOLD, left=self._stacks[seat], dead=True))
                self._live.remove(seat)
        return tuple(deeds)

    def _deed(self, index: int) -> Deed:
        act = self._record.acts[index]
        seat = act.seat
        if act.paid > self._stacks[seat] or seat not in self._live:
            raise Untold(f"seat {seat} acted otherwise than its chips and hand would have it")
        self._stacks[seat] -= act.paid
        self._bets[seat] = self._bets.get(seat, 0) + act.paid
        deed = Deed(seat, act.do, act.paid, self._bets[seat], act.high, self._stacks[seat])
        if act.do is Do.FOLD:
            self._live.remove(seat)
            return deed
        if act.do is Do.BRING_IN:
            return deed
        if act.to is None or act.to <= act.high:
            return replace(deed, do=Do.CALL if act.paid else Do.CHECK)
        return replace(deed, do=Do.RAISE if act.high else Do.BET)

    def _uncalled(self) -> tuple[int, int] | None:
        """What goes back of the highest bet of the round, as nobody called it."""
        ranked = sorted(self._bets.values(), reverse=True)
        if not ranked:
            return None
        matched = ranked[1] if len(ranked) > 1 else 0
        seat = next((seat for seat in self._live if self._bets.get(seat, 0) > matched), None)
        if seat is None:
            return None
        self._stacks[seat] += ranked[0] - matched
        return seat, ranked[0] - matched

"""The course of a finished hand in chips, street by street, for the formats that tell amounts.

A record says what was posted, what each act put in and what was pushed to whom. Played through from the starting
stacks, every seat must come to its finishing stack; where it does not (a ruling moved chips otherwise, a pot was
carried on) the hand is `NotRepresentableError`, as no tracker could add it up either.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from controller.core.protocol.vocabulary import ActionType
from controller.core.rules.games import Street
from controller.records.hand_record import CardsDrawn, HandRecord


class NotRepresentableError(Exception):
    """The hand cannot be told in a format; the message says why."""


@dataclass(frozen=True, slots=True)
class PlayedAction:
    """What a seat did when it had to act: FOLD, CHECK, CALL, BET, RAISE or BRING_IN.

    `chips_paid`: the chips that went in; `total`: the seat's total of the round after it; `total_to_match`: what it
    had to match; `stack_left`: what it has behind; `is_dead_hand`: a ruling killed the hand.
    """

    seat: int
    action_type: ActionType
    chips_paid: int = 0
    total: int = 0
    total_to_match: int = 0
    stack_left: int = 0
    is_dead_hand: bool = False

    @property
    def is_all_in(self) -> bool:
        """Whether it put in the last chip."""
        return self.chips_paid > 0 and not self.stack_left


@dataclass(frozen=True, slots=True)
class PlayedStreet:
    """A street as it was played: its board cards, the new upcards by seat, draws, deeds, and what nobody called."""

    street_index: int
    street: Street
    board_cards: tuple[str, ...]
    upcards_by_seat: Mapping[int, tuple[str, ...]]
    draws: tuple[CardsDrawn, ...]
    actions: tuple[PlayedAction, ...]
    uncalled: tuple[int, int] | None
    """Seat and amount."""


@dataclass(frozen=True, slots=True)
class ActionHistory:
    """A hand: its streets as far as it went, who was in it at the end, and who won how much of which pot."""

    streets: tuple[PlayedStreet, ...]
    live_seats: tuple[int, ...]
    wins_by_pot: Mapping[int, Mapping[int, int]]
    """Pot (the main pot is 0) -> seat -> chips, in the order in which they were pushed."""
    taken_by_pot: Mapping[int, int]
    """What the house took of each pot before it was pushed, of some all."""

    @property
    def has_showdown(self) -> bool:
        """Whether more than one hand was left."""
        return len(self.live_seats) > 1

    @property
    def total_won(self) -> int:
        """Everything that was won."""
        return sum(sum(wins.values()) for wins in self.wins_by_pot.values())

    @property
    def total_taken(self) -> int:
        """Everything that the house took of the pots."""
        return sum(self.taken_by_pot.values())


def build_action_history(record: HandRecord) -> ActionHistory:
    """Play the record through; raises `NotRepresentableError`."""
    _check_representable(record)
    return _ActionReplay(record).play()


def _check_representable(record: HandRecord) -> None:
    setup = record.setup
    if not setup.tracks_amounts:
        raise NotRepresentableError("amounts were not tracked")
    if len(record.board) > sum(street.board_count for street in setup.game.streets):
        raise NotRepresentableError("the rest of the board was dealt more than once")
    if None in record.board:
        raise NotRepresentableError("a card of the board was not read")
    unread = sorted(seat for seat, cards in record.upcards_by_seat.items() if None in cards)
    if unread:
        raise NotRepresentableError(f"an upcard of seat {unread[0]} was not read")


class _ActionReplay:
    """One hand being played through."""

    def __init__(self, record: HandRecord) -> None:
        self._record = record
        self._stack_by_seat = dict(record.starting_stack_by_seat)
        self._bet_by_seat: dict[int, int] = {}
        self._live_seats = list(record.dealing_order)
        for posted in record.postings:
            self._stack_by_seat[posted.seat] -= posted.amount
            if posted.kind.is_bet:
                self._bet_by_seat[posted.seat] = self._bet_by_seat.get(posted.seat, 0) + posted.amount

    def play(self) -> ActionHistory:
        record, stretches = self._record, []
        board = [card for card in record.board if card is not None]
        up = {seat: [card for card in cards if card is not None] for seat, cards in record.upcards_by_seat.items()}
        for index, street in enumerate(record.setup.game.streets):
            lying, board = tuple(board[: street.board_count]), board[street.board_count :]
            faces = sum(face == "up" for face in street.deal_faces)
            shown = {seat: tuple(up[seat][:faces]) for seat in record.dealing_order if up.get(seat) and faces}
            up = {seat: cards[faces:] for seat, cards in up.items()}
            draws = tuple(drew for drew in record.draws if drew.street_index == index)
            deeds = self._play_street(index)
            if index and not (lying or shown or draws or deeds):
                continue
            stretches.append(PlayedStreet(index, street, lying, shown, draws, deeds, self._return_uncalled_bet()))
            self._bet_by_seat = {}
        if any(up.values()):
            raise NotRepresentableError("more cards lay open than the game deals face up")
        pots: dict[int, dict[int, int]] = {}
        for pushed in record.pot_pushes:
            wins = pots.setdefault(pushed.pot_number, {})
            wins[pushed.seat] = wins.get(pushed.seat, 0) + pushed.amount
            self._stack_by_seat[pushed.seat] += pushed.amount
        if self._stack_by_seat != dict(record.finishing_stack_by_seat):
            raise NotRepresentableError("chips moved otherwise than by posts, acts and pots")
        return ActionHistory(tuple(stretches), tuple(self._live_seats), pots, record.taken_by_pot)

    def _play_street(self, street: int) -> tuple[PlayedAction, ...]:
        acts = [(index, 1, act.seat) for index, act in enumerate(self._record.actions) if act.street_index == street]
        dead = [
            (killed.action_count, 0, killed.seat)
            for killed in self._record.killed_hands
            if killed.street_index == street
        ]
        deeds: list[PlayedAction] = []
        for index, acted, seat in sorted(acts + dead):
            if acted:
                deeds.append(self._play_action(index))
            elif seat in self._live_seats:
                deeds.append(
                    PlayedAction(seat, ActionType.FOLD, stack_left=self._stack_by_seat[seat], is_dead_hand=True)
                )
                self._live_seats.remove(seat)
        return tuple(deeds)

    def _play_action(self, index: int) -> PlayedAction:
        act = self._record.actions[index]
        seat = act.seat
        if act.chips_paid > self._stack_by_seat[seat] or seat not in self._live_seats:
            raise NotRepresentableError(f"seat {seat} acted otherwise than its chips and hand would have it")
        self._stack_by_seat[seat] -= act.chips_paid
        self._bet_by_seat[seat] = self._bet_by_seat.get(seat, 0) + act.chips_paid
        deed = PlayedAction(
            seat,
            act.action_type,
            act.chips_paid,
            self._bet_by_seat[seat],
            act.total_to_match,
            self._stack_by_seat[seat],
        )
        if act.action_type is ActionType.FOLD:
            self._live_seats.remove(seat)
            return deed
        if act.is_bring_in(self._record.setup):
            return replace(deed, action_type=ActionType.BRING_IN)
        if act.total is None or act.total <= act.total_to_match:
            return replace(deed, action_type=ActionType.CALL if act.chips_paid else ActionType.CHECK)
        return replace(deed, action_type=ActionType.RAISE if act.total_to_match else ActionType.BET)

    def _return_uncalled_bet(self) -> tuple[int, int] | None:
        """What goes back of the highest bet of the round, as nobody called it."""
        ranked = sorted(self._bet_by_seat.values(), reverse=True)
        if not ranked:
            return None
        matched = ranked[1] if len(ranked) > 1 else 0
        seat = next((seat for seat in self._live_seats if self._bet_by_seat.get(seat, 0) > matched), None)
        if seat is None:
            return None
        self._stack_by_seat[seat] += ranked[0] - matched
        return seat, ranked[0] - matched

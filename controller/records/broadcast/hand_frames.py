"""The pictures of a hand: what an overlay shows of it, entry by entry, hole cards included.

A frame of a hand that is on holds cards that nobody may see. Whoever makes one has to know that its time has come:
`controller/runtime/broadcast` does, and hands out nothing before.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from controller.core.engine.output.showdown_view import render_showdown
from controller.core.model.hand import Hand
from controller.core.model.table_state import TableState
from controller.core.play.betting import pots
from controller.core.play.showdown.run_it_twice import boards
from controller.core.protocol.facts import Fact, HandOver, HandReopened, RoundBegan, SeatActed
from controller.core.protocol.vocabulary import ActionType
from controller.core.values.piles import PlacedCard, hand_place
from controller.records.broadcast.equities import EquitySituation

MAX_FRAMES = 2000
"""Of a hand with more pictures the newest are kept; a hand at a table has some 60."""

CardBySerial = Mapping[int, str]
"""Number of a card -> its name, of all cards that the table read."""


class FilmedEntry(NamedTuple):
    """How the table stood after an entry, at this second of the table, and what happened with it."""

    table_time_s: float
    state: TableState
    facts: tuple[Fact, ...] = ()

    def __repr__(self) -> str:
        return f"FilmedEntry({self.table_time_s})"

    @property
    def is_before_deal(self) -> bool:
        """Whether a hand is on of which no card has left the shoe."""
        hand = self.state.hand
        return hand is not None and self.state.is_hand_on and not hand.cards.piles.dealt_count

    @property
    def ends_hand(self) -> bool:
        """Whether the hand is over with it."""
        return any(isinstance(fact, HandOver) for fact in self.facts)


class FrameAction(NamedTuple):
    """An act: whose, which, and to what total on the round it brought the seat (`None`: no chips moved)."""

    seat: int
    action_type: ActionType
    total: int | None


@dataclass(frozen=True, slots=True)
class FramePlayer:
    """A player who was dealt in. `cards` in the order dealt, `None` where nobody read one; `up`: how many lie open.

    `chips_put_in`: what the seat has put into the hand so far, `bet` on this round. `chips_won`: what it has been
    given.
    """

    seat: int
    name: str
    stack: int | None
    bet: int
    chips_put_in: int
    cards: tuple[str | None, ...] = field(repr=False)
    is_in: bool
    is_all_in: bool
    is_to_act: bool
    last_action: FrameAction | None
    chips_won: int


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of hand `hand_number`, `table_time_s` this second of the table.

    `boards`: one, or as many as the rest was dealt.
    `new_actions`: the act that this picture is the first to show. `pot`: all chips in the middle, bets included.
    """

    hand_number: int
    table_time_s: float
    street: str
    game: str
    boards: tuple[tuple[str | None, ...], ...] = field(repr=False)
    pot: int
    button: int | None
    players: tuple[FramePlayer, ...]
    new_actions: tuple[FrameAction, ...] = ()
    is_over: bool = False
    situation: EquitySituation | None = field(default=None, repr=False)
    """What the equities are to be told from; `None` where they cannot be."""
    showdown: Mapping[str, Any] | None = field(default=None, repr=False)
    """Who wins what, and with which of the hands that were tabled (`showdown_view.render_showdown`)."""

    def visible_parts(self) -> tuple[object, ...]:
        """What viewers see of it: two frames that show the same are one."""
        return self.street, self.boards, self.pot, self.players, self.is_over


class FrameBuilder:
    """Makes the frames of one deal of a hand from its entries, the oldest first."""

    def __init__(self) -> None:
        self._card_by_serial: dict[int, str] = {}
        self._cards_by_seat: dict[int, tuple[PlacedCard, ...]] = {}
        self._last_action_by_seat: dict[int, FrameAction] = {}
        self._has_new_round = False
        """Whether these acts are of the round before it."""
        self._live_seats: frozenset[int] = frozenset()
        self._is_over = False
        self._last_frame: Frame | None = None

    def receive_entry(self, entry: FilmedEntry) -> Frame | None:
        """Return the picture after an entry; `None` where it shows what the one before did, or there is no hand."""
        hand = entry.state.hand
        if hand is None:
            return None
        acts = self._take_actions(entry.facts, tracked=hand.setup.tracks_amounts)
        self._is_over = entry.ends_hand or (
            self._is_over and not any(isinstance(fact, HandReopened) for fact in entry.facts)
        )
        self._learn_cards(hand)
        frame = self._build_frame(entry.table_time_s, entry.state, hand, acts)
        if self._last_frame is not None and not acts and frame.visible_parts() == self._last_frame.visible_parts():
            return None
        self._last_frame = frame
        return frame

    def _take_actions(self, facts: tuple[Fact, ...], *, tracked: bool) -> tuple[FrameAction, ...]:
        """The acts of an entry. The first picture without one after a round has begun shows that nobody has acted."""
        acts: list[FrameAction] = []
        for fact in facts:
            if isinstance(fact, RoundBegan):
                self._has_new_round = True
            elif isinstance(fact, SeatActed):
                self._forget_last_round()
                total = fact.total if tracked and fact.action_type is not ActionType.CHECK else None
                acts.append(FrameAction(fact.seat, fact.action_type, total))
                self._last_action_by_seat[fact.seat] = acts[-1]
        if not acts:
            self._forget_last_round()
        return tuple(acts)

    def _forget_last_round(self) -> None:
        """On a new round nobody has done anything yet but fold."""
        if self._has_new_round:
            self._last_action_by_seat = {
                seat: did for seat, did in self._last_action_by_seat.items() if did.action_type is ActionType.FOLD
            }
            self._has_new_round = False

    def _learn_cards(self, hand: Hand) -> None:
        for pile in hand.cards.piles.cards_by_place.values():
            self._card_by_serial |= {lying.serial: lying.card for lying in pile if lying.card is not None}
        for seat in hand.dealing_order:
            lying = hand.cards.piles.cards_at(hand_place(seat))
            if lying or (seat in hand.betting.live_seats and not self._is_over):
                self._cards_by_seat[seat] = lying

    def _build_frame(self, at: float, state: TableState, hand: Hand, acts: tuple[FrameAction, ...]) -> Frame:
        first = hand.plan.next_step
        asked = first.awaited_seats[:1] if first is not None else ()
        tracked, over = hand.setup.tracks_amounts, self._is_over
        if not over:
            self._live_seats = frozenset(hand.betting.live_seats)
        chairs = state.seating.state_by_seat
        players = tuple(
            FramePlayer(
                seat=seat,
                name=chairs[seat].player if seat in chairs else "",
                stack=_find_stack(state, hand, seat, over=over) if tracked else None,
                bet=hand.chips.bet_by_seat.get(seat, 0),
                chips_put_in=_sum_chips_put_in(hand, seat),
                cards=self._name_cards(self._cards_by_seat.get(seat, ())),
                is_in=seat in self._live_seats,
                is_all_in=seat in hand.betting.all_in_seats,
                is_to_act=seat in asked,
                last_action=self._last_action_by_seat.get(seat),
                chips_won=hand.showdown.won_chips_by_seat.get(seat, 0),
            )
            for seat in sorted(hand.dealing_order)
        )
        laid = tuple(self._name_cards(board) for board in boards(hand))
        frame = Frame(
            hand_number=hand.number,
            table_time_s=at,
            street=_find_street_name(hand),
            game=hand.setup.game.title,
            boards=laid,
            pot=_sum_pot(hand, over=over) if tracked else 0,
            button=hand.positions.button,
            players=players,
            new_actions=acts,
            is_over=over,
            showdown=render_showdown(state),
        )
        return replace(frame, situation=_build_situation(hand, frame))

    def _name_cards(self, lying: Iterable[PlacedCard]) -> tuple[str | None, ...]:
        return tuple(self._card_by_serial.get(one.serial) if one.card is None else one.card for one in lying)


def build_frames(entries: Iterable[FilmedEntry]) -> tuple[Frame, ...]:
    """Film a hand that is over: its final deal, from its entries. `MAX_FRAMES` at most."""
    filming, frames = FrameBuilder(), list[Frame]()
    for entry in entries:
        if entry.is_before_deal:
            filming, frames = FrameBuilder(), []
        frame = filming.receive_entry(entry)
        if frame is not None:
            frames.append(frame)
            if len(frames) > 2 * MAX_FRAMES:
                del frames[:-MAX_FRAMES]
    return tuple(frames[-MAX_FRAMES:])


def render_frame(frame: Frame, equities: Mapping[int, float] | None = None) -> dict[str, Any]:
    """A frame as the overlay takes it."""
    return {
        "hand": frame.hand_number,
        "street": frame.street,
        "game": frame.game,
        "boards": [list(board) for board in frame.boards],
        "pot": frame.pot,
        "button": frame.button,
        "over": frame.is_over,
        "players": [
            {
                "seat": player.seat,
                "name": player.name,
                "stack": player.stack,
                "bet": player.bet,
                "cards": list(player.cards),
                "in": player.is_in,
                "all_in": player.is_all_in,
                "acts": player.is_to_act,
                "did": None
                if player.last_action is None
                else {"do": player.last_action.action_type.value, "to": player.last_action.total},
                "won": player.chips_won,
                "equity": None if equities is None else equities.get(player.seat),
            }
            for player in frame.players
        ],
    }


def _find_street_name(hand: Hand) -> str:
    streets = hand.setup.game.streets
    return streets[min(hand.streets.reached_street, len(streets) - 1)].name


def _sum_chips_put_in(hand: Hand, seat: int) -> int:
    chips = hand.chips
    return (
        chips.paid_earlier_by_seat.get(seat, 0) + chips.bet_by_seat.get(seat, 0) + chips.dead_post_by_seat.get(seat, 0)
    )


def _find_stack(state: TableState, hand: Hand, seat: int, *, over: bool) -> int:
    chair = state.seating.state_by_seat.get(seat)
    return (0 if chair is None else chair.stack or 0) if over else hand.chips.stack_by_seat.get(seat, 0)


def _sum_pot(hand: Hand, *, over: bool) -> int:
    if over:
        return sum(hand.showdown.won_chips_by_seat.values())
    given = sum(hand.showdown.pushed_chips_by_part.values()) + sum((hand.collection.taken_by_pot or {}).values())
    return sum(pot.amount for pot in pots.build_pots(hand)) - given + sum(hand.chips.bet_by_seat.values())


def _build_situation(hand: Hand, frame: Frame) -> EquitySituation | None:
    """What the live hands can still become; `None` in games where players choose their cards, or with a card unread."""
    game = hand.setup.game
    live = [player for player in frame.players if player.is_in]
    if len(live) < 2 or frame.is_over or hand.showdown.won_chips_by_seat or len(frame.boards) != 1:
        return None
    if any(street.has_draw or street.discard_count for street in game.streets) or hand.setup.has_joker:
        return None
    read = {player.seat: tuple(card for card in player.cards if card) for player in frame.players}
    if any(len(read[player.seat]) != len(player.cards) for player in live) or not all(frame.boards[0]):
        return None
    reached = hand.streets.reached_street
    dealt = sum(len(street.deal_faces) for street in game.streets[: reached + 1])
    if any(len(read[player.seat]) != dealt for player in live):
        return None  # in the middle of a deal
    return EquitySituation(
        rankings=tuple(ranking.value for ranking in game.rankings),
        exactly=game.hole_cards_to_play,
        deck=hand.setup.deck_size,
        hand_size=game.hand_size,
        board_size=sum(street.board_count for street in game.streets),
        hands=tuple((player.seat, read[player.seat]) for player in live),
        board=tuple(card for card in frame.boards[0] if card),
        dead=tuple(card for player in frame.players if not player.is_in for card in read[player.seat]),
    )

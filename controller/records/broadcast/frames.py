"""The pictures of a hand: what an overlay shows of it, entry by entry, hole cards included.

A frame of a hand that is on holds cards that nobody may see. Whoever makes one has to know that its time has come:
`controller/runtime/broadcast` does, and hands out nothing before.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from controller.core.model.hand import Hand
from controller.core.model.state import State
from controller.core.play.betting import pots
from controller.core.play.showdown.run_it_twice import boards
from controller.core.protocol.vocabulary import Do
from controller.core.values.piles import Lying, hand_of
from controller.records.broadcast.equities import Situation

MOST_FRAMES = 2000
"""Of a hand with more pictures the newest are kept; a hand at a table has some 60."""

Known = Mapping[int, str]
"""Number of a card -> its name, of all cards that the table read."""


class Did(NamedTuple):
    """An act: whose, which, and to what total on the round it brought the seat (`None`: no chips moved)."""

    seat: int
    do: Do
    to: int | None


@dataclass(frozen=True, slots=True)
class Player:
    """A player who was dealt in. `cards` in the order dealt, `None` where nobody read one; `up`: how many lie open.

    `put_in`: what the seat has put into the hand so far, `bet` on this round. `won`: what it has been given.
    """

    seat: int
    name: str
    stack: int | None
    bet: int
    put_in: int
    cards: tuple[str | None, ...] = field(repr=False)
    is_in: bool
    all_in: bool
    acts: bool
    did: Did | None
    won: int


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of hand `number`, `at` this second of the table. `boards`: one, or as many as the rest was dealt.

    `did`: the act that this picture is the first to show. `pot`: all chips in the middle, bets included.
    """

    number: int
    at: float
    street: str
    game: str
    boards: tuple[tuple[str | None, ...], ...] = field(repr=False)
    pot: int
    button: int | None
    players: tuple[Player, ...]
    did: tuple[Did, ...] = ()
    over: bool = False
    situation: Situation | None = field(default=None, repr=False)
    """What the equities are to be told from; `None` where they cannot be."""

    def shows(self) -> tuple[object, ...]:
        """What viewers see of it: two frames that show the same are one."""
        return self.street, self.boards, self.pot, self.players, self.over


class Filming:
    """Makes the frames of one deal of a hand from how the table stood after each entry, the oldest first."""

    def __init__(self) -> None:
        self._known: dict[int, str] = {}
        self._held: dict[int, tuple[Lying, ...]] = {}
        self._before: Hand | None = None
        self._did: dict[int, Did] = {}
        self._round: int | None = None
        """The betting round that these acts were made on."""
        self._live: frozenset[int] = frozenset()
        self._frame: Frame | None = None

    def take(self, at: float, state: State) -> Frame | None:
        """Return the picture after an entry; `None` where it shows what the one before did, or there is no hand."""
        hand = state.hand
        if hand is None or not (hand.plan or self._before):
            return None
        acts = self._acts_since(hand)
        self._learn(hand)
        frame = self._pictured(at, state, hand, acts)
        self._before = hand
        if self._frame is not None and not acts and frame.shows() == self._frame.shows():
            return None
        self._frame = frame
        return frame

    def _acts_since(self, hand: Hand) -> tuple[Did, ...]:
        """The acts since the entry before; on a new round nobody has done anything yet."""
        before = self._before
        if before is None:
            return ()
        count, now = len(before.betting.acts), hand.betting.acts
        fresh = () if len(now) < count else tuple(zip(hand.betting.acted[count:], now[count:], strict=False))
        on = None if hand.round is None else hand.round.street
        if on != self._round and not fresh:
            self._did = {seat: did for seat, did in self._did.items() if did.do is Do.FOLD}
            self._round = on
        acts = []
        for seat, do in fresh:
            added = _put_in(hand, seat) - _put_in(before, seat)
            moved = do not in (Do.FOLD, Do.CHECK) and hand.setup.tracked
            acts.append(Did(seat, do, before.chips.bets.get(seat, 0) + added if moved else None))
        self._did |= {did.seat: did for did in acts}
        return tuple(acts)

    def _learn(self, hand: Hand) -> None:
        for pile in hand.cards.piles.out.values():
            self._known |= {lying.serial: lying.card for lying in pile if lying.card is not None}
        for seat in hand.order:
            lying = hand.cards.piles.at(hand_of(seat))
            if lying or (seat in hand.betting.live and hand.plan):
                self._held[seat] = lying

    def _pictured(self, at: float, state: State, hand: Hand, acts: tuple[Did, ...]) -> Frame:
        first = hand.plan.now
        asked = first.asks[:1] if first is not None else ()
        tracked, over = hand.setup.tracked, not hand.plan
        if not over:
            self._live = frozenset(hand.betting.live)
        chairs = state.seating.chairs
        players = tuple(
            Player(
                seat=seat,
                name=chairs[seat].player if seat in chairs else "",
                stack=_stack(state, hand, seat) if tracked else None,
                bet=hand.chips.bets.get(seat, 0),
                put_in=_put_in(hand, seat),
                cards=self._named(self._held.get(seat, ())),
                is_in=seat in self._live,
                all_in=seat in hand.betting.all_in,
                acts=seat in asked,
                did=self._did.get(seat),
                won=hand.showdown.took.get(seat, 0),
            )
            for seat in sorted(hand.order)
        )
        laid = tuple(self._named(board) for board in boards(hand))
        frame = Frame(
            number=hand.number,
            at=at,
            street=_street(hand),
            game=hand.setup.game.title,
            boards=laid,
            pot=_in_the_middle(hand) if tracked else 0,
            button=hand.positions.button,
            players=players,
            did=acts,
            over=over,
        )
        return replace(frame, situation=_situation(hand, frame))

    def _named(self, lying: Iterable[Lying]) -> tuple[str | None, ...]:
        return tuple(self._known.get(one.serial) if one.card is None else one.card for one in lying)


def filmed(states: Iterable[tuple[float, State]]) -> tuple[Frame, ...]:
    """Film a hand that is over: its final deal, from how the table stood after each entry. `MOST_FRAMES` at most."""
    filming, frames = Filming(), list[Frame]()
    for at, state in states:
        if frames and state.hand is not None and not state.hand.cards.piles.left and state.hand.plan:
            filming, frames = Filming(), []
        frame = filming.take(at, state)
        if frame is not None:
            frames.append(frame)
            if len(frames) > 2 * MOST_FRAMES:
                del frames[:-MOST_FRAMES]
    return tuple(frames[-MOST_FRAMES:])


def shown(frame: Frame, equities: Mapping[int, float] | None = None) -> dict[str, Any]:
    """A frame as the overlay takes it."""
    return {
        "hand": frame.number,
        "street": frame.street,
        "game": frame.game,
        "boards": [list(board) for board in frame.boards],
        "pot": frame.pot,
        "button": frame.button,
        "over": frame.over,
        "players": [
            {
                "seat": player.seat,
                "name": player.name,
                "stack": player.stack,
                "bet": player.bet,
                "cards": list(player.cards),
                "in": player.is_in,
                "all_in": player.all_in,
                "acts": player.acts,
                "did": None if player.did is None else {"do": player.did.do.value, "to": player.did.to},
                "won": player.won,
                "equity": None if equities is None else equities.get(player.seat),
            }
            for player in frame.players
        ],
    }


def _street(hand: Hand) -> str:
    streets = hand.setup.game.streets
    return streets[min(hand.streets.reached, len(streets) - 1)].name


def _put_in(hand: Hand, seat: int) -> int:
    chips = hand.chips
    return chips.paid.get(seat, 0) + chips.bets.get(seat, 0) + chips.dead_posts.get(seat, 0)


def _stack(state: State, hand: Hand, seat: int) -> int:
    chair = state.seating.chairs.get(seat)
    return hand.chips.stacks.get(seat, 0) if hand.plan else (0 if chair is None else chair.stack or 0)


def _in_the_middle(hand: Hand) -> int:
    if not hand.plan:
        return sum(hand.showdown.took.values())
    given = sum(hand.showdown.given.values())
    return sum(pot.amount for pot in pots.pots(hand)) - given + sum(hand.chips.bets.values())


def _situation(hand: Hand, frame: Frame) -> Situation | None:
    """What the live hands can still become; `None` in games where players choose their cards, or with a card unread."""
    game = hand.setup.game
    live = [player for player in frame.players if player.is_in]
    if len(live) < 2 or frame.over or hand.showdown.took or len(frame.boards) != 1:
        return None
    if any(street.draw or street.discard for street in game.streets) or hand.setup.joker:
        return None
    read = {player.seat: tuple(card for card in player.cards if card) for player in frame.players}
    if any(len(read[player.seat]) != len(player.cards) for player in live) or not all(frame.boards[0]):
        return None
    reached = hand.streets.reached
    dealt = sum(len(street.deal) for street in game.streets[: reached + 1])
    if any(len(read[player.seat]) != dealt for player in live):
        return None  # in the middle of a deal
    return Situation(
        rankings=tuple(ranking.value for ranking in game.rankings),
        exactly=game.hole,
        deck=hand.setup.deck,
        hand_size=game.hand_size,
        board_size=sum(street.board for street in game.streets),
        hands=tuple((player.seat, read[player.seat]) for player in live),
        board=tuple(card for card in frame.boards[0] if card),
        dead=tuple(card for player in frame.players if not player.is_in for card in read[player.seat]),
    )

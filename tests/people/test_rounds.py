"""People come, leave, miss hands and come back at random: what everybody pays, and when nobody may come in."""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from config.setup import open_table
from controller.core import events, people
from controller.core.button import passed
from controller.core.chair import Chair
from controller.core.errors import Refused
from controller.core.start import start
from controller.core.state import State

PLACES = 7
OPS = st.sampled_from(("sit", "sit-post", "leave", "away", "back", "back-post", "change"))
MOVES = st.lists(st.tuples(OPS, st.integers(1, PLACES)), max_size=3)


@dataclass
class Dealt:
    """What a hand looked like when its first card was due."""

    order: tuple[int, ...]
    players: dict[int, str]
    big: tuple[int, ...]
    small: int | None
    button: int
    arc_end: int
    entered: tuple[int, ...]
    bets: dict[int, int]

    @property
    def begins_anew(self) -> bool:
        """Whether so many had left that who waited had to be dealt in at once."""
        return len(self.order) - len(self.entered) < 2


@dataclass
class Session:
    """A cash table of which only the starts of hands are played."""

    rule: str
    state: State = field(init=False)
    hands: list[Dealt] = field(default_factory=list)
    names: int = 0

    def open(self) -> "Session":
        line = {
            "ev": "table",
            "rulebook": "roberts-7",
            "game": "holdem",
            "betting": {"structure": "no-limit", "small_blind": 1, "big_blind": 2},
            "seats": [{"seat": seat, "player": f"p{seat}", "stack": 10_000} for seat in (1, 2, 4, 6)],
            "places": PLACES,
            "button": 1,
            "button_rule": self.rule,
        }
        setup = open_table(line).setup
        self.state = State(setup, {place.seat: Chair(place.seat, place.player, place.stack) for place in setup.seats})
        return self

    def move(self, op: str, seat: int) -> None:
        """One thing that people do; what makes no sense is refused and changes nothing."""
        self.names += 1
        match op:
            case "sit" | "sit-post":
                self._do(people.sit, events.Sit(seat, f"n{self.names}", 10_000, post=op == "sit-post"))
            case "leave":
                self._do(people.leave, events.Leave(seat))
            case "away":
                self._do(people.away, events.Away(seat))
            case "change":
                self._do(people.sit, events.Sit(seat, came_from=seat % PLACES + 1))
            case _:
                self._do(people.back, events.Back(seat, post=op == "back-post"))

    def _do(self, work: Callable[[State, Any], object], event: object) -> bool:
        state = self.state.copy()
        try:
            work(state, event)
        except Refused:
            return False
        self.state = state
        return True

    def play(self) -> bool:
        """The start of one hand, whose cards nobody needs; false when too few can be dealt in."""
        before = dict(self.state.chairs)
        if not self._do(lambda state, _: start(state), None):
            return False
        state, hand = self.state, self.state.hand
        assert hand is not None
        assert hand.button is not None
        assert state.positions is not None
        entered = tuple(
            seat
            for seat in hand.order
            if before[seat].fresh or before[seat].owes_big or before[seat].owes_small or before[seat].waits
        )
        players = {seat: chair.player for seat, chair in state.chairs.items()}
        dealt = Dealt(
            hand.order, players, hand.big, hand.small, hand.button, state.positions.big, entered, dict(hand.bets)
        )
        self.hands.append(dealt)
        hand.plan, state.before = (), None
        return True


def check(session: Session) -> None:
    for number, dealt in enumerate(session.hands):
        check_hand(dealt, number)
    seated = {
        (seat, player) for dealt in session.hands for seat, player in dealt.players.items() if seat in dealt.order
    }
    for seat, player in seated:
        check_rounds(session, seat, player)


def check_hand(dealt: Dealt, number: int) -> None:
    """The lamps name players who were dealt in, and nobody came in between the button and the big blind."""
    assert set(dealt.big) <= set(dealt.order)
    assert dealt.small is None or dealt.small in dealt.order
    assert dealt.small not in dealt.big
    assert all(dealt.bets[seat] == 2 for seat in dealt.big)
    assert dealt.small is None or dealt.bets[dealt.small] == 1
    if number and len(dealt.order) > 2 and not dealt.begins_anew:
        for seat in dealt.entered:
            behind = seat == dealt.button or passed(dealt.button, dealt.arc_end, seat)
            assert seat in dealt.big or not behind, (seat, dealt)


def check_rounds(session: Session, seat: int, player: str) -> None:
    """From one big blind of a player to the next everybody who stayed paid it; with a dead button exactly once.

    With a dead button everybody also pays the small blind exactly once. A moving button promises the big blind only:
    the blinds adjust, so that a small blind may be skipped or, in rare changes of players, come again.
    """
    here = [
        index
        for index, dealt in enumerate(session.hands)
        if seat in dealt.order and dealt.players[seat] == player and seat in dealt.big
    ]
    for first, last in pairwise(here):
        hands = session.hands[first : last + 1]
        if not all(stays(dealt, seat, player) for dealt in hands):
            continue
        if any(dealt.begins_anew for dealt in hands):
            continue
        if session.rule == "moving" and any(len(dealt.order) == 2 for dealt in hands):
            continue  # heads-up the button simply moves on, whoever had the big blind last [HR-blinds.1]
        others = [
            (other, hands[0].players[other])
            for other in hands[0].order
            if other != seat and all(stays(dealt, other, hands[0].players[other]) for dealt in hands)
        ]
        for other, _ in others:
            if any(other in dealt.entered for dealt in hands[1:]):
                continue
            paid = sum(other in dealt.big for dealt in hands)
            assert paid >= 1, (session.rule, seat, other, hands)
            if session.rule == "dead":
                assert paid == 1, (session.rule, seat, other, hands)
        if session.rule == "dead" and all(len(dealt.order) > 2 for dealt in hands):
            smalls = sum(dealt.small == seat for dealt in hands)
            assert smalls == 1, (seat, hands)


def stays(dealt: Dealt, seat: int, player: str) -> bool:
    return seat in dealt.order and dealt.players[seat] == player


def run(rule: str, hands: list[list[tuple[str, int]]]) -> Session:
    session = Session(rule).open()
    for moves in hands:
        for op, seat in moves:
            session.move(op, seat)
        session.play()
    check(session)
    return session


@pytest.mark.parametrize("rule", ["moving", "dead"])
@settings(max_examples=40, deadline=None)
@given(hands=st.lists(MOVES, min_size=12, max_size=25))
def test_everybody_who_stays_pays_what_is_due(rule: str, hands: list[list[tuple[str, int]]]) -> None:
    run(rule, hands)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("rule", ["moving", "dead"])
@settings(max_examples=200, deadline=None)
@given(hands=st.lists(MOVES, min_size=50, max_size=50))
def test_ten_thousand_hands(rule: str, hands: list[list[tuple[str, int]]]) -> None:
    run(rule, hands)

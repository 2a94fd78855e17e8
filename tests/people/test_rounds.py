"""People come, leave, miss hands, go broke and come back at random: what everybody pays, when nobody may come in.

The short form runs with the other tests. The long one plays ten thousand hands under each rule and logs its figures:
`pytest tests/people/test_rounds.py -m slow --log-cli-level=INFO`.
"""

import logging
import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from config.table_line import parse_table_line
from controller.core.model.plan import Plan
from controller.core.model.table_state import TableSeating, TableState
from controller.core.play.game_flow.hand_start import start_hand
from controller.core.play.game_flow.table_machine import TABLE_MACHINE
from controller.core.play.seating import attendance as people
from controller.core.play.seating.button import has_passed
from controller.core.protocol import events
from controller.core.protocol.table_error import Refused
from controller.core.values.seat_state import SeatState
from controller.core.values.value import replace

PLACES = 7
WORDS = ("sit", "sit-post", "leave", "away", "back", "back-post", "change", "bust", "rebuy")
OPS = st.sampled_from(WORDS)
MOVES = st.lists(st.tuples(OPS, st.integers(1, PLACES)), max_size=3)
GAMES = (
    ("roberts-7", "cash", "moving"),
    ("roberts-7", "cash", "dead"),
    ("house-rules", "cash", "moving"),
    ("roberts-7", "tournament", "dead"),
    ("fish-n-chips", "tournament", "dead"),
    ("maryport", "tournament", "dead"),
    ("maryport", "tournament", "moving"),
)
"""Books, kinds of game and button rules."""


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
    dead: int
    owed: dict[int, tuple[int, int]]

    @property
    def stayed(self) -> int:
        """How many of those dealt in were in the game before."""
        return len(self.order) - len(self.entered)

    @property
    def begins_anew(self) -> bool:
        """Whether so many had left that who waited had to be dealt in at once."""
        return self.stayed < 2


@dataclass
class Session:
    """A table of which only the starts and the ends of hands are played."""

    book: str
    mode: str
    rule: str
    state: TableState = field(init=False)
    hands: list[Dealt] = field(default_factory=list)
    names: int = 0
    busting: set[int] = field(default_factory=set)

    def open(self) -> "Session":
        line = {
            "ev": "table",
            "rulebook": self.book,
            "mode": self.mode,
            "game": "holdem",
            "betting": {"structure": "no-limit", "small_blind": 1, "big_blind": 2},
            "seats": [{"seat": seat, "player": f"p{seat}", "stack": 10_000} for seat in (1, 2, 4, 6)],
            "places": PLACES,
            "button": 1,
            "button_rule": self.rule,
            "house": {"tournament.rebuys": 0, "tournament.rebuy-levels": 0},
        }
        setup = parse_table_line(line).setup
        self.state = TableState(
            setup,
            setup,
            TableSeating({place.seat: SeatState(place.seat, place.player, place.stack) for place in setup.players}),
        )
        return self

    def move(self, op: str, seat: int) -> None:
        """One thing that people do; what makes no sense is refused and changes nothing."""
        self.names += 1
        match op:
            case "sit" | "sit-post":
                self._do(people.sit, events.PlayerSeated(seat, f"n{self.names}", 10_000, posts_blinds=op == "sit-post"))
            case "leave":
                self._do(people.leave, events.PlayerLeft(seat))
            case "away":
                self._do(people.mark_away, events.PlayerWentAway(seat))
            case "bust":
                self.busting.add(seat)
            case "rebuy":
                gone = self.state.seating.busted_by_seat.get(seat)
                self._do(people.sit, events.PlayerSeated(seat, gone.player if gone else None, 10_000))
            case "change":
                self._do(people.sit, events.PlayerSeated(seat, previous_seat=seat % PLACES + 1))
            case _:
                self._do(people.mark_back, events.PlayerReturned(seat, posts_blinds=op == "back-post"))

    def _do(self, work: Callable[[TableState, Any], object], event: object) -> bool:
        state = self.state.copy()
        try:
            work(state, event)
        except Refused:
            return False
        self.state = state
        return True

    def play(self) -> bool:
        """The start of one hand, whose cards nobody needs; false when too few can be dealt in."""
        before = dict(self.state.seating.state_by_seat)
        if not self._do(lambda state, _: start_hand(state), None):
            return False
        state, hand = self.state, self.state.hand
        assert hand is not None
        assert hand.positions.button is not None
        assert state.button.positions is not None
        owed = {seat: (before[seat].owes_small_blind, before[seat].owes_big_blind) for seat in hand.dealing_order}
        entered = tuple(
            seat
            for seat in hand.dealing_order
            if before[seat].was_never_dealt_in
            or before[seat].came_from_table
            or before[seat].waits_for_big_blind
            or any(owed[seat])
        )
        players = {seat: chair.player for seat, chair in state.seating.state_by_seat.items()}
        self.hands.append(
            Dealt(
                hand.dealing_order,
                players,
                hand.positions.big_blinds,
                hand.positions.small_blind,
                hand.positions.button,
                state.button.positions.small_blind if self.mode == "tournament" else state.button.positions.big_blind,
                entered,
                dict(hand.chips.bet_by_seat),
                hand.chips.dead_chips,
                {
                    seat: owed[seat]
                    for seat in entered
                    if not before[seat].was_never_dealt_in and not before[seat].came_from_table
                },
            )
        )
        hand.plan = Plan()
        hand.chips = replace(
            hand.chips,
            stack_by_seat={
                seat: 0 if seat in self.busting else stack for seat, stack in hand.chips.stack_by_seat.items()
            },
        )
        self.busting.clear()
        TABLE_MACHINE.move(state, "end_hand")
        return True


def check(session: Session) -> Counter[str]:
    """What must hold of all hands of a session; how much was looked at."""
    figures: Counter[str] = Counter(hands=len(session.hands))
    for number, dealt in enumerate(session.hands):
        check_hand(session, dealt, number)
        figures["several big blinds"] += len(dealt.big) > 1
        figures["dead buttons"] += dealt.button not in dealt.order
        figures["entries"] += len(dealt.entered)
    seated = {
        (seat, player) for dealt in session.hands for seat, player in dealt.players.items() if seat in dealt.order
    }
    for seat, player in sorted(seated):
        check_rounds(session, seat, player, figures)
    return figures


def check_hand(session: Session, dealt: Dealt, number: int) -> None:
    """The lamps name players who were dealt in; everybody posted what was due; nobody came in where nobody may."""
    assert set(dealt.big) <= set(dealt.order)
    assert dealt.small is None or dealt.small in dealt.order
    assert dealt.small not in dealt.big
    assert len(dealt.big) == 1 or session.rule == "moving"
    posted = dict.fromkeys(dealt.big, 2) | ({} if dealt.small is None else {dealt.small: 1})
    dead = 0
    for seat, bet in dealt.bets.items():
        owed = dealt.owed.get(seat)
        if seat not in posted and bet:
            assert seat in dealt.entered, (seat, dealt)
            assert session.mode == "cash" or owed is not None, (seat, dealt)
            posted[seat] = 2 if owed is None or owed[1] else 1
            dead += owed == (True, True)
        elif seat == dealt.small and owed is not None and any(owed):
            posted[seat] = 2  # up to the opening bet is live
            dead += 2 * owed[1] + owed[0] - 1
    if dealt.begins_anew:
        return  # who waits is dealt in at once then, and need not post
    assert {seat: bet for seat, bet in dealt.bets.items() if bet} == posted
    assert dealt.dead == dead
    if number and len(dealt.order) > 2:
        for seat in dealt.entered:
            behind = seat == dealt.button or has_passed(dealt.button, dealt.arc_end, seat)
            if session.mode == "cash":
                assert seat in dealt.big or not behind, (seat, dealt)
            elif session.book == "maryport":
                assert seat in dealt.owed or seat not in (dealt.button, dealt.small), (seat, dealt)


def check_rounds(session: Session, seat: int, player: str, figures: Counter[str]) -> None:
    """From one big blind of a player to the next: what that player and everybody else who stayed has paid.

    With a dead button everybody pays each blind once. With a moving one the big blind is skipped by nobody; the small
    blind adjusts to the button: it is skipped by who posts a big blind beside another, and comes again where all but
    two leave and a newcomer has the big blind, because the button then goes to the other of the two [R7-4.blinds.2(a)].
    """
    here = [index for index, dealt in enumerate(session.hands) if stays(dealt, seat, player) and seat in dealt.big]
    for first, last in pairwise(here):
        hands = session.hands[first : last + 1]
        if not all(stays(dealt, seat, player) for dealt in hands) or any(dealt.begins_anew for dealt in hands):
            continue
        heads_up = any(len(dealt.order) == 2 for dealt in hands)
        if heads_up and session.rule == "moving":
            continue  # heads-up the button simply moves on, whoever had the big blind last [HR-blinds.1]
        if session.rule == "moving" and session.mode == "tournament" and any(dealt.entered for dealt in hands):
            continue  # who comes in between button and blinds moves them apart: the big blind stands still once
        figures["rounds"] += 1
        for other in hands[0].order:
            name = hands[0].players[other]
            if other == seat or any(other in dealt.entered or not stays(dealt, other, name) for dealt in hands):
                continue
            figures["neighbours"] += 1
            paid = sum(other in dealt.big for dealt in hands)
            assert paid == 1 or (paid > 1 and may_come_again(session, hands)), (session, other, hands)
        if heads_up:
            continue
        smalls = sum(dealt.small == seat for dealt in hands)
        quiet = all(dealt.order == hands[0].order or set(dealt.order) == set(hands[0].order) for dealt in hands)
        if session.rule == "dead" or (quiet and all(len(dealt.big) == 1 for dealt in hands)):
            assert smalls == 1, (session, seat, hands)
        else:
            figures["small blind skipped"] += smalls == 0
            figures["small blind twice"] += smalls > 1
            assert smalls <= 1 or any(dealt.stayed == 2 for dealt in hands[1:]), (session, seat, hands)


def may_come_again(session: Session, hands: list[Dealt]) -> bool:
    """Whether a round had a hand in which the book lets a big blind come again: several at once, by a moving button."""
    return session.rule == "moving" and any(len(dealt.big) > 1 or dealt.stayed == 2 for dealt in hands)


def stays(dealt: Dealt, seat: int, player: str) -> bool:
    return seat in dealt.order and dealt.players[seat] == player


def run(game: tuple[str, str, str], hands: list[list[tuple[str, int]]]) -> Counter[str]:
    session = Session(*game).open()
    for moves in hands:
        for op, seat in moves:
            session.move(op, seat)
        session.play()
    return check(session)


@pytest.mark.parametrize("game", GAMES, ids=" ".join)
@settings(max_examples=15, deadline=None)
@given(hands=st.lists(MOVES, min_size=12, max_size=25))
def test_everybody_who_stays_pays_what_is_due(game: tuple[str, str, str], hands: list[list[tuple[str, int]]]) -> None:
    run(game, hands)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("game", GAMES, ids=" ".join)
def test_ten_thousand_hands(game: tuple[str, str, str]) -> None:
    """Ten thousand hands in sessions of fifty, from a seed that `ROUNDS_SEED` may name."""
    chance = Random(int(os.environ.get("ROUNDS_SEED", "1")))
    figures: Counter[str] = Counter()
    while figures["hands"] < 10_000:
        moves = [
            [(chance.choice(WORDS), chance.randint(1, PLACES)) for _ in range(chance.choice((0, 0, 1, 1, 2, 3)))]
            for _ in range(50)
        ]
        figures += run(game, moves)
    logging.getLogger(__name__).info("%s: %s", " ".join(game), dict(figures))
    assert figures["rounds"] > 500

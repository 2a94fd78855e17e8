"""Who is dealt in: regular players, those whom the big blind reaches, and those who post to come in."""

from controller.core.model.positions import Positions
from controller.core.model.state import State
from controller.core.play.betting import carried_pot
from controller.core.play.posting import kill_pots
from controller.core.play.seating import button, single_blind
from controller.core.protocol.errors import Refused
from controller.core.rules.questions.house.table import ButtonRule, Mode
from controller.core.rules.questions.house.tournament import Moved
from controller.core.values.chair import Chair
from controller.core.values.seat_order import after
from controller.core.values.value import Value


class Lineup(Value):
    """Who plays the next hand: its positions, the seats dealt in, who of them posts to come in, who is kept waiting.

    `barred`: chairs that would post or come in, but stand between the big blind and the button.
    `second`: chairs that would kill a pot which is killed already. `buyer`: who buys the button and alone posts.
    `straddler`: who comes back as the live straddle.
    """

    positions: Positions
    seats: tuple[int, ...]
    posting: tuple[Chair, ...] = ()
    barred: tuple[int, ...] = ()
    second: tuple[int, ...] = ()
    buyer: int | None = None
    straddler: int | None = None


def lineup(state: State) -> Lineup:
    """Who plays the next hand; refuses when that are fewer than two."""
    able = tuple(chair for _, chair in sorted(state.seating.chairs.items()) if _able(state, chair))
    if _closed(state):
        able = tuple(chair for chair in able if chair.seat in state.dealt)
    if not state.setup.game.button:
        return Lineup(button.placed(state.setup, _enough(able), _enough(able)[-1]), _enough(able))
    regular = tuple(chair.seat for chair in able if not chair.waits)
    if state.button.positions is None and (len(regular) < 2 or len(regular) == len(able)):
        seats, due = _enough(able), state.button.due
        return Lineup(
            button.first(state.setup, seats) if due is None else button.placed(state.setup, seats, due), seats
        )
    return _Entering(state, able, state.button.positions or button.first(state.setup, regular)).lineup()


def _closed(state: State) -> bool:
    """Whether the pot holds chips forfeited on the last deal: only who was dealt in there plays [R7-3.irreg.6].

    Antes of a hand that nobody opened are none: whoever antes may play for them [R7-12.draw.12].
    """
    forfeited = state.carried_pot.forfeited or bool(state.carried_pot.chips and not state.carried_pot.passed)
    return forfeited and state.setup.rulebook.people.carried_closed.value


def _able(state: State, chair: Chair) -> bool:
    """Whether the chair's player may have a hand: in a tournament an absent one too [R7-15.tourn.6, MP-7.tourn.7].

    Who must kill the pot does so even when wishing to be dealt out [R7-13.kill.6]. A new player has no part in a killed
    pot, unless agreeing to kill the next one [R7-13.kill.12].
    """
    setup = state.setup
    if carried_pot.sits_out(state, chair.player):
        return False
    if setup.tracked and not chair.stack and not carried_pot.plays_for_matched(state, chair.seat):
        return False
    if (
        state.kill.due not in (None, chair.seat)
        and chair.fresh
        and not chair.pledges
        and not setup.rulebook.kill.newcomers.value
    ):
        return False
    return setup.mode is Mode.TOURNAMENT or not chair.away or chair.seat == state.kill.due


def _enough(chairs: tuple[Chair, ...]) -> tuple[int, ...]:
    if len(chairs) < 2:
        raise too_few(len(chairs))
    return tuple(chair.seat for chair in chairs)


class _Entering:
    """Lets those who wait come in, one after the other clockwise from the last big blind, where the rules allow it."""

    def __init__(self, state: State, able: tuple[Chair, ...], last: Positions) -> None:
        self.state = state
        self.last = last
        self.able = able
        self.seats = [chair.seat for chair in able if not self._waiting(chair)]
        # a player moved to a blind's chair goes on in its place [R7-15.tourn.16]
        had_turn = (self.last.small, self.last.big)
        self.entering = {
            chair.seat for chair in able if chair.moved and chair.seat in self.seats and chair.seat not in had_turn
        }

    def _waiting(self, chair: Chair) -> bool:
        comes = chair.moved or (chair.fresh and self._moved() is Moved.NOT_BEHIND_THE_BUTTON)
        return chair.waits or (comes and self._moved() is not Moved.TAKES_DUTIES)

    def _moved(self) -> Moved:
        """How whoever comes to the table enters; a cash game has other rules."""
        setup = self.state.setup
        return setup.rulebook.tournament.moved.value if setup.mode is Mode.TOURNAMENT else Moved.TAKES_DUTIES

    def positions_with(self, seat: int | None = None) -> Positions | None:
        """The positions if `seat` played too; `None` where that makes fewer than two."""
        seats = {*self.seats, *(() if seat is None else (seat,))}
        if len(seats) < 2:
            return None
        entering = {*self.entering, *(() if seat is None else (seat,))}
        heads_up = len(self.state.dealt) == 2
        if self.state.button.due is not None:
            return button.placed(self.state.setup, tuple(sorted(seats)), self.state.button.due)
        if self.state.button.positions is None:
            return button.first(self.state.setup, tuple(sorted(seats)))
        had_big = {chair.seat: chair.had_big for chair in self.able}
        found = button.moved(self.state.setup, self.last, tuple(sorted(seats)), heads_up, entering, had_big)
        if found.button == self.state.button.had:
            return button.moved(self.state.setup, found, tuple(sorted(seats)), heads_up, entering, had_big)
        return found

    def lineup(self) -> Lineup:
        """Try all who wait: first whom the big blind reaches, then who may come in elsewhere.

        Raises `Refused` (`too-few-players`).
        """
        waiting = self._clockwise()
        bought = self._bought(waiting)
        if bought is not None:
            return bought
        for chair in waiting[: max(0, 2 - len(self.seats))]:
            self._let_in(chair)
        for chair in waiting:
            positions = self.positions_with(chair.seat)
            if positions is not None and chair.seat in positions.bigs:
                self._let_in(chair)
        posting, barred, second = [], [], []
        straddler: int | None = None
        killing = self.state.kill.due is not None
        for chair in waiting:
            positions = self.positions_with(chair.seat)
            if positions is not None and chair.seat not in self.seats and self._straddles_in(chair, positions):
                straddler = chair.seat
                self._let_in(chair)
                continue
            if chair.seat in self.seats or positions is None or not self._wants_in(chair, positions):
                continue
            if self._barred(chair, positions):
                barred.append(chair.seat)
                continue
            if chair.seat != self.state.kill.due and kill_pots.comes_in_by(self.state.setup, chair):
                if killing:
                    second.append(chair.seat)
                    continue
                killing = True
            self._let_in(chair)
            if chair.posts and not chair.free:
                posting.append(chair)
        final = self.positions_with()
        if final is None:
            raise too_few(len(self.seats))
        seats = tuple(sorted(self.seats))
        return Lineup(final, seats, tuple(posting), tuple(barred), tuple(second), straddler=straddler)

    def _bought(self, waiting: list[Chair]) -> Lineup | None:
        """A newcomer between button and small blind buys the button: it has both blinds alone, which do not move.

        So on the next hand it has the button, and the blinds are those who would have had them now [WSOP-L-154].
        """
        setup, regular = self.state.setup, self.positions_with()
        if regular is None or len(self.seats) < 3 or self.state.button.due is not None:
            return None
        if setup.button_rule is not ButtonRule.DEAD or self.state.kill.due in (regular.small, regular.big):
            return None
        for chair in waiting:
            if chair.buys_button and button.between(regular.button, regular.small, (chair.seat,)):
                positions = Positions(regular.button, chair.seat, regular.small, False, (regular.small,))
                return Lineup(positions, tuple(sorted((*self.seats, chair.seat))), buyer=chair.seat)
        return None

    def _straddles_in(self, chair: Chair, positions: Positions) -> bool:
        """Whether the seat is under the gun, has the chips for a straddle, and nobody kills the pot [WSOP-L-199]."""
        setup = self.state.setup
        if not chair.straddles or self.state.kill.due is not None:
            return False
        enough = not setup.tracked or (chair.stack or 0) > 2 * setup.betting.big_blind
        return enough and after({*self.seats, chair.seat}, positions.big)[0] == chair.seat

    def _clockwise(self) -> list[Chair]:
        """The chairs that wait, from the left of the last big blind on."""
        waiting = {chair.seat: chair for chair in self.able if self._waiting(chair)}
        return [waiting[seat] for seat in after(waiting, self.last.big)]

    def _let_in(self, chair: Chair) -> None:
        if chair.seat not in self.seats:
            self.seats.append(chair.seat)
            if self._moved() is not Moved.NOT_BEHIND_THE_BUTTON or chair.seat not in (self.last.small, self.last.big):
                self.entering.add(chair.seat)

    def _wants_in(self, chair: Chair, positions: Positions) -> bool:
        if single_blind.missed(self.state.setup, chair):
            return False
        if chair.posts or chair.moved or chair.free or self._moved() is Moved.NOT_BEHIND_THE_BUTTON:
            return True
        return chair.fresh and not chair.hold and self._first_round_free(chair, positions)

    def _barred(self, chair: Chair, positions: Positions) -> bool:
        """Nobody enters, nor makes up blinds, between the big blind and the button [R7-4.blinds.8, HR-blinds.7].

        In a tournament only a player who was moved there waits, on the small blind or the button [MP-7.tourn.16#a]; so
        does one in a cash game who comes from a must-move game without a post [WSOP-L-97].
        """
        setup = self.state.setup
        if setup.mode is Mode.TOURNAMENT:
            until = positions.small
            if self._moved() is Moved.NOT_BEHIND_THE_BUTTON:
                return chair.seat != until and button.passed(positions.button, until, chair.seat)
            if not chair.moved:
                return False
        elif chair.seat in positions.bigs:
            return False
        elif chair.moved:
            until = positions.small
        elif setup.rulebook.people.enter_behind_blind.value:
            return False
        else:
            until = positions.big
        return chair.seat == positions.button or button.passed(positions.button, until, chair.seat)

    def _first_round_free(self, chair: Chair, positions: Positions) -> bool:
        """A new game: free until the button has been round, unless a blind has passed the seat [R7-4.blinds.13b]."""
        began = self.state.button.began
        if began is None or not self.state.setup.rulebook.people.first_round_free.value:
            return False
        return not button.passed(began, positions.big, chair.seat)


def too_few(players: int) -> Refused:
    """No hand can be dealt."""
    return Refused("too-few-players", f"a hand needs two players who can be dealt in; there are {players}.")

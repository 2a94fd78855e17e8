"""Who is dealt in: regular players, those whom the big blind reaches, and those who post to come in."""

from controller.core.model.positions import Positions
from controller.core.model.table_state import TableState
from controller.core.play.betting import carried_pot
from controller.core.play.posting import forced_bets, kill_pots
from controller.core.play.seating import button, single_blind
from controller.core.protocol.table_error import Refused
from controller.core.rules.questions.house.table_rules import ButtonRule, GameMode
from controller.core.rules.questions.house.tournament_rules import MovedPlayerEntry
from controller.core.values.seat_order import seats_after
from controller.core.values.seat_state import SeatState
from controller.core.values.value import Value


class Lineup(Value):
    """Who plays the next hand: its positions, the seats dealt in, who of them posts to come in, who is kept waiting.

    `barred_seats`: chairs that would post or come in, but stand between the big blind and the button.
    `second_killers`: chairs that would kill a pot which is killed already. `button_buyer`: who buys the button and
    alone posts. `straddler`: who comes back as the live straddle.
    """

    positions: Positions
    seats: tuple[int, ...]
    posters: tuple[SeatState, ...] = ()
    barred_seats: tuple[int, ...] = ()
    second_killers: tuple[int, ...] = ()
    button_buyer: int | None = None
    straddler: int | None = None


def build_lineup(state: TableState) -> Lineup:
    """Who plays the next hand; raises `Refused` where fewer than two can."""
    able = tuple(chair for _, chair in sorted(state.seating.state_by_seat.items()) if _can_play(state, chair))
    if _is_pot_closed(state):
        able = tuple(chair for chair in able if chair.seat in state.last_dealt_seats)
    if not state.setup.game.has_button:
        return Lineup(
            button.positions_from_button(state.setup, _require_two_players(able), _require_two_players(able)[-1]),
            _require_two_players(able),
        )
    regular = tuple(chair.seat for chair in able if not chair.waits_for_big_blind)
    if state.button.positions is None and (len(regular) < 2 or len(regular) == len(able)):
        seats, due = _require_two_players(able), state.button.corrected_button
        return Lineup(
            button.first_positions(state.setup, seats)
            if due is None
            else button.positions_from_button(state.setup, seats, due),
            seats,
        )
    return _LineupBuilder(state, able, state.button.positions or button.first_positions(state.setup, regular)).build()


def _is_pot_closed(state: TableState) -> bool:
    """Whether the pot holds chips forfeited on the last deal: only who was dealt in there plays [R7-3.irreg.6].

    Antes of a hand that nobody opened are none: whoever antes may play for them [R7-12.draw.12].
    """
    forfeited = state.carried_pot.has_forfeited_chips or bool(
        state.carried_pot.chips and not state.carried_pot.passed_out_count
    )
    return forfeited and state.setup.rulebook.people.carried_closed.value


def _can_play(state: TableState, chair: SeatState) -> bool:
    """Whether the chair's player may have a hand: in a tournament an absent one too [R7-15.tourn.6, MP-7.tourn.7].

    Who must kill the pot does so even when wishing to be dealt out [R7-13.kill.6]. A new player has no part in a killed
    pot, unless agreeing to kill the next one [R7-13.kill.12].
    """
    setup = state.setup
    if carried_pot.is_sitting_out(state, chair.player):
        return False
    if setup.tracks_amounts and not chair.stack and not carried_pot.can_play_for_matched_antes(state, chair.seat):
        return False
    if (
        state.kill.required_killer not in (None, chair.seat)
        and chair.was_never_dealt_in
        and not chair.pledges_kill
        and not setup.rulebook.kill.newcomers.value
    ):
        return False
    return setup.mode is GameMode.TOURNAMENT or not chair.is_away or chair.seat == state.kill.required_killer


def _require_two_players(chairs: tuple[SeatState, ...]) -> tuple[int, ...]:
    if len(chairs) < 2:
        raise too_few_players_refusal(len(chairs))
    return tuple(chair.seat for chair in chairs)


class _LineupBuilder:
    """Lets those who wait come in, one after the other clockwise from the last big blind, where the rules allow it."""

    def __init__(self, state: TableState, able: tuple[SeatState, ...], last: Positions) -> None:
        self.state = state
        self.last_positions = last
        self.able_players = able
        self.seats = [chair.seat for chair in able if not self._is_waiting(chair)]
        # a player moved to a blind's chair goes on in its place [R7-15.tourn.16]
        had_turn = (self.last_positions.small_blind, self.last_positions.big_blind)
        self.entering_seats = {
            chair.seat
            for chair in able
            if chair.came_from_table and chair.seat in self.seats and chair.seat not in had_turn
        }

    def _is_waiting(self, chair: SeatState) -> bool:
        if chair.owes_blinds and not self.state.setup.has_blinds:
            return False  # no blind is due in this game: what is owed is, when one with blinds comes
        comes = chair.came_from_table or (
            chair.was_never_dealt_in and self._arrival_rule() is MovedPlayerEntry.NOT_BEHIND_THE_BUTTON
        )
        return chair.waits_for_big_blind or (comes and self._arrival_rule() is not MovedPlayerEntry.TAKES_DUTIES)

    def _arrival_rule(self) -> MovedPlayerEntry:
        """How whoever comes to the table enters; a cash game has other rules."""
        setup = self.state.setup
        return (
            setup.rulebook.tournament.moved.value
            if setup.mode is GameMode.TOURNAMENT
            else MovedPlayerEntry.TAKES_DUTIES
        )

    def positions_with(self, seat: int | None = None) -> Positions | None:
        """The positions if `seat` played too; `None` where that makes fewer than two."""
        seats = {*self.seats, *(() if seat is None else (seat,))}
        if len(seats) < 2:
            return None
        entering = {*self.entering_seats, *(() if seat is None else (seat,))}
        heads_up = len(self.state.last_dealt_seats) == 2
        if self.state.button.corrected_button is not None:
            return button.positions_from_button(
                self.state.setup, tuple(sorted(seats)), self.state.button.corrected_button
            )
        if self.state.button.positions is None:
            return button.first_positions(self.state.setup, tuple(sorted(seats)))
        had_big = {chair.seat: chair.last_big_blind_hand for chair in self.able_players}
        found = button.next_positions(
            self.state.setup, self.last_positions, tuple(sorted(seats)), heads_up, entering, had_big
        )
        if found.button == self.state.button.passed_over_seat:
            return button.next_positions(self.state.setup, found, tuple(sorted(seats)), heads_up, entering, had_big)
        return found

    def build(self) -> Lineup:
        """Try all who wait: first whom the big blind reaches, then who may come in elsewhere.

        Raises `Refused` (`too-few-players`).
        """
        waiting = self._waiting_clockwise()
        bought = self._build_with_button_buyer(waiting)
        if bought is not None:
            return bought
        for chair in waiting[: max(0, 2 - len(self.seats))]:
            self._let_in(chair)
        for chair in waiting:
            positions = self.positions_with(chair.seat)
            if positions is not None and chair.seat in positions.big_blind_seats:
                self._let_in(chair)
        posting, barred, second = [], [], []
        straddler: int | None = None
        killing = self.state.kill.required_killer is not None
        for chair in waiting:
            positions = self.positions_with(chair.seat)
            if positions is not None and chair.seat not in self.seats and self._can_straddle_in(chair, positions):
                straddler = chair.seat
                self._let_in(chair)
                continue
            if chair.seat in self.seats or positions is None or not self._can_come_in(chair, positions):
                continue
            if self._is_barred(chair, positions):
                barred.append(chair.seat)
                continue
            if chair.seat != self.state.kill.required_killer and kill_pots.is_posting_kill(self.state.setup, chair):
                if killing and not kill_pots.may_post_into_kill(self.state.setup, chair):
                    second.append(chair.seat)
                    continue
                killing = True
            self._let_in(chair)
            if chair.posts_to_enter and not chair.free_entry:
                posting.append(chair)
        if killing and straddler is not None and not self.state.setup.rulebook.kill.straddle.value:
            self.seats.remove(straddler)
            self.entering_seats.discard(straddler)
            straddler = None
        final = self.positions_with()
        if final is None:
            raise too_few_players_refusal(len(self.seats))
        seats = tuple(sorted(self.seats))
        return Lineup(final, seats, tuple(posting), tuple(barred), tuple(second), straddler=straddler)

    def _build_with_button_buyer(self, waiting: list[SeatState]) -> Lineup | None:
        """A newcomer between button and small blind buys the button: it has both blinds alone, which do not move.

        So on the next hand it has the button, and the blinds are those who would have had them now [WSOP-L-154]. Of
        more blinds it posts all: the last is live, the others are dead.
        """
        setup, regular = self.state.setup, self.positions_with()
        if regular is None or len(self.seats) < 3 or self.state.button.corrected_button is not None:
            return None
        if setup.button_rule is not ButtonRule.DEAD or self.state.kill.required_killer in (
            regular.small_blind,
            regular.big_blind,
        ):
            return None
        for chair in waiting:
            if chair.buys_button and button.seats_between(regular.button, regular.small_blind, (chair.seat,)):
                first, *others = (chair.seat, *regular.blind_chairs[:-1])
                positions = Positions(regular.button, first, others[-1], False, (others[-1],), tuple(others[:-1]))
                return Lineup(positions, tuple(sorted((*self.seats, chair.seat))), button_buyer=chair.seat)
        return None

    def _can_straddle_in(self, chair: SeatState, positions: Positions) -> bool:
        """Whether the seat is under the gun, has the chips for a straddle, and nobody kills the pot [WSOP-L-199]."""
        setup = self.state.setup
        killed = self.state.kill.required_killer is not None and not setup.rulebook.kill.straddle.value
        if not chair.straddles_in or killed:
            return False
        enough = not setup.tracks_amounts or (chair.stack or 0) > 2 * setup.stakes.big_blind
        return enough and seats_after({*self.seats, chair.seat}, positions.big_blind)[0] == chair.seat

    def _waiting_clockwise(self) -> list[SeatState]:
        """The chairs that wait, from the left of the last big blind on."""
        waiting = {chair.seat: chair for chair in self.able_players if self._is_waiting(chair)}
        return [waiting[seat] for seat in seats_after(waiting, self.last_positions.big_blind)]

    def _let_in(self, chair: SeatState) -> None:
        if chair.seat not in self.seats:
            self.seats.append(chair.seat)
            if self._arrival_rule() is not MovedPlayerEntry.NOT_BEHIND_THE_BUTTON or chair.seat not in (
                self.last_positions.small_blind,
                self.last_positions.big_blind,
            ):
                self.entering_seats.add(chair.seat)

    def _can_come_in(self, chair: SeatState, positions: Positions) -> bool:
        if single_blind.has_missed_single_blind(self.state.setup, chair):
            return False
        if (
            chair.posts_to_enter
            or chair.came_from_table
            or chair.free_entry
            or self._arrival_rule() is MovedPlayerEntry.NOT_BEHIND_THE_BUTTON
            or self._enters_without_post(chair)
        ):
            return True
        return chair.was_never_dealt_in and not chair.hands_to_wait and self._is_first_round_free(chair, positions)

    def _enters_without_post(self, chair: SeatState) -> bool:
        """Whether the book asks no post of this newcomer to a cash game, who need not say so [WSOP-L-100.a]."""
        setup = self.state.setup
        if not chair.was_never_dealt_in or chair.hands_to_wait or setup.mode is GameMode.TOURNAMENT:
            return False
        asks_for_more = kill_pots.is_posting_kill(setup, chair) or chair.pledges_kill or chair.buys_button
        return not asks_for_more and forced_bets.amounts_to_post(setup, chair, 0) == (0, 0)

    def _is_barred(self, chair: SeatState, positions: Positions) -> bool:
        """Nobody enters, nor makes up blinds, between the big blind and the button [R7-4.blinds.8, HR-blinds.7].

        In a tournament only a player who was moved there waits, on the small blind or the button [MP-7.tourn.16#a]; so
        does one in a cash game who comes from a must-move game without a post [WSOP-L-97].
        """
        setup = self.state.setup
        if setup.mode is GameMode.TOURNAMENT:
            until = positions.small_blind
            if self._arrival_rule() is MovedPlayerEntry.NOT_BEHIND_THE_BUTTON:
                return chair.seat != until and button.has_passed(positions.button, until, chair.seat)
            if not chair.came_from_table:
                return False
        elif chair.seat in positions.big_blind_seats:
            return False
        elif chair.came_from_table:
            until = positions.small_blind
        elif setup.rulebook.people.enter_behind_blind.value:
            return False
        else:
            until = positions.big_blind
        return chair.seat == positions.button or button.has_passed(positions.button, until, chair.seat)

    def _is_first_round_free(self, chair: SeatState, positions: Positions) -> bool:
        """A new game: free until the button has been round, unless a blind has passed the seat [R7-4.blinds.13b]."""
        began = self.state.button.first_button
        if began is None or not self.state.setup.rulebook.people.first_round_free.value:
            return False
        return not button.has_passed(began, positions.big_blind, chair.seat)


def too_few_players_refusal(players: int) -> Refused:
    """No hand can be dealt."""
    return Refused("too-few-players", f"a hand needs two players who can be dealt in; there are {players}.")

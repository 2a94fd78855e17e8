"""The table: one way in, `handle`, and one answer, `Outcome`.

`handle` is a function with a memory: it knows no clock, no chance and no file, and the same events lead to the same
outcomes anywhere. An event that does not fit raises `Refused` and leaves everything as it was.
"""

from collections.abc import Sequence

from controller.core.engine.display import redaction
from controller.core.engine.display.redaction import Entries
from controller.core.engine.machine import actions
from controller.core.engine.machine.state_machine import Region
from controller.core.engine.machine.transition_table import Health, Work, hand_rows, health_rows
from controller.core.engine.past import amend, late_misread
from controller.core.engine.past.history import LONGEST, History
from controller.core.irregularities.conduct import absent_player, out_of_turn, time_called
from controller.core.model.kept import Kept
from controller.core.model.outcome import Outcome
from controller.core.model.setup import AnyEvent, Opened
from controller.core.model.state import Previous, State, TableMixed, TableSeating, TableTime, TableUndo
from controller.core.play.betting import carried_pot
from controller.core.play.refusals import not_now
from controller.core.protocol.display import Phase
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import (
    NAMES,
    Act,
    Amend,
    Break,
    Card,
    ColourUp,
    Device,
    Event,
    Floor,
    Level,
    Motion,
    Report,
    Time,
    Timer,
    Undo,
)
from controller.core.protocol.vocabulary import Status
from controller.core.rules.rulings import Ruling, Verdict
from controller.core.values.chair import Chair
from controller.core.values.value import replace

UNDO_DEPTH = 32
"""How many entries can be taken back one after the other."""

FAULTS = (Status.LOST, Status.JAM, Status.LID_OPEN)

NO_ENTRIES = Entries()

NO_ENTRY = (Time, Device)
"""Events that are no entries of the dealer: `undo` does not take them back."""

BY_TIMER = (Level, Timer, Break, ColourUp)
"""Events that are no entries either where the tournament's timer brought them."""

NO_PREVIOUS = (TableUndo(), TableUndo(by_floor=True))
"""What an entry that is remembered remembers itself, without and with a decision of the floor: no entry before it."""


class Table:
    """A table from its `table` line on."""

    def __init__(self) -> None:
        """Nothing stands yet: the first event must be `Opened`."""
        self._outcome: Outcome | None = None
        self._hand: Region[Phase, Work] = Region(hand_rows(), Phase.IDLE)
        self._health: Region[Health, None] = Region(health_rows(), Health.READY)
        self._entries = NO_ENTRIES
        self._histories: list[History] = []
        """What had been entered before each of `_entries`."""
        self._history: History | None = None
        self._tried: tuple[Amend, int, History, Outcome, History] | None = None
        """The last amendment that was played, its line, of what history, and what came of it: tried, then taken."""
        self._line = 0

    @classmethod
    def at(cls, kept: Kept, line: int = 0, past: Sequence[History] = ()) -> "Table":
        """Make a table that stands as another did; what it does to its state stays its own.

        Only what the `past` of the other holds can be amended; without it, nothing up to `line`.
        """
        table = cls()
        table._outcome = Outcome(kept.state, kept.rulings)
        table._entries = Entries(kept.entries)
        older = [History(entry, line) for entry in kept.entries[: max(0, len(kept.entries) - len(past) + 1)]]
        table._histories = [*older, *past[len(older) - len(kept.entries) - 1 : -1]]
        table._history = past[-1] if past else History(kept.state, line)
        table._line = line
        table._hand.phase = kept.state.planned_phase
        table._health.phase = health_of(kept.state)
        return table

    @classmethod
    def after(cls, history: History) -> "Table":
        """Make a table that stands where the entries of a history led; it takes nothing back."""
        return cls.at(Kept(history.state), past=(history,))

    def kept(self) -> Kept:
        """All that makes the table what it is, as `at` takes it."""
        base = None if self.history.base.plan else self.history.base
        return Kept(self.outcome.state, self.outcome.rulings, self._entries.known, base, self.history.line)

    @property
    def outcome(self) -> Outcome:
        """How the table stands after the last event that it took; raises `Refused` (`no-table`)."""
        if self._outcome is None:
            raise Refused("no-table", "there is no table yet: the first line must be a `table` line.")
        return self._outcome

    @property
    def past(self) -> tuple[History, ...]:
        """What an amendment could reach before each entry that `undo` takes back, and can now."""
        return (*self._histories, self.history)

    @property
    def history(self) -> History:
        """What an amendment can reach."""
        return History(self.outcome.state, self._line) if self._history is None else self._history

    def handle(self, event: AnyEvent, line: int | None = None) -> Outcome:
        """Take one event; raises `Refused`, with everything as it was, when it does not fit.

        `line`: the number by which an amendment names it; events are counted where nobody says it.
        """
        self._line = line = self._line + 1 if line is None else line
        if isinstance(event, Opened):
            return self._open(event)
        now = self.outcome.state
        if event.t is not None and event.t < now.time.t:
            raise Refused("time-backwards", f"time never decreases: `t` was {now.time.t}, this line says {event.t}.")
        if isinstance(event, (Undo, Report, Amend)):
            if isinstance(event, Undo):
                return self._undo(event)
            event = self.meant(event)
            if isinstance(event, Amend):
                return self._amend(event, line)
        history, self._tried = self.history, None
        outcome = self._take(event)
        history = history.then(line, event, now, outcome.state, outcome.rulings)
        self._history = history if len(history.entries) <= LONGEST else history.shortened()
        return outcome

    def meant(self, event: Event) -> Event:
        """What an event comes to: a `misread` told after the last award amends the line of its card.

        Raises `Refused` where it names no card.
        """
        if not isinstance(event, Report):
            return event
        return late_misread.meant(self.history, self.outcome.state, event)

    def tried(self, event: Amend, line: int) -> Outcome:
        """How the table would stand with an amendment, which it does not take; raises `Refused` as `handle`."""
        kept = self._outcome, self._hand.phase, self._entries, self._histories, self._history, self._line
        try:
            return self.handle(event, line)
        finally:
            self._outcome, self._hand.phase, self._entries, self._histories, self._history, self._line = kept

    def _take(self, event: Event) -> Outcome:
        now = self.outcome.state
        if time_called.runs_out(now, event) and not isinstance(event, Time):
            return self._after_time_ran_out(event)
        name = NAMES[type(event)]
        work = self._hand.rows.works.get((name, self._hand.phase))
        if work is None:
            raise not_now(now, name)
        after = now.copy()
        if now.hand is not None:
            after.hand = now.hand.copy()
        expired = actions.pass_time(after, event.t) if event.t is not None else ()
        rulings = (*expired, *work(after, event), *_what_follows(after))
        if after.setup.shot_clock is not None:
            time_called.shot_clock(after)
        self._hand.take(name, after.planned_phase)
        if isinstance(event, Device):
            self._health.take("fault" if event.status in FAULTS else "mended", health_of(after))
        self._remember(event, now, after, rulings)
        if now.plan and not after.plan:
            after = self._forget(after)
        self._outcome = Outcome(after, rulings)
        return self._outcome

    def _remember(self, event: Event, now: State, after: State, rulings: tuple[Ruling, ...]) -> None:
        """Keep what `undo` and the floor need to take the event back; a card that has left the shoe stays out."""
        entered = not (isinstance(event, NO_ENTRY) or (isinstance(event, BY_TIMER) and event.due))
        by_floor = after.undo.by_floor
        if isinstance(event, Card):
            self._entries, self._histories, by_floor = NO_ENTRIES, [], False
        elif entered:
            self._push(now)
            by_floor = isinstance(event, Floor)
        if rulings or entered:
            without = replace(now, undo=NO_PREVIOUS[now.undo.by_floor])
            after.undo = TableUndo(Previous(without, event, bool(rulings)), by_floor)
        elif by_floor != after.undo.by_floor:
            after.undo = replace(after.undo, by_floor=by_floor)

    def _push(self, now: State) -> None:
        """Keep how the table stands before an entry, and what had been entered."""
        self._entries = self._entries.then(now, UNDO_DEPTH)
        self._histories = [*self._histories[1 - UNDO_DEPTH :], self.history]

    def _forget(self, after: State) -> State:
        """The hand is over: what was never shown is not known any more, nor to `undo`."""
        shown = frozenset() if after.hand is None else redaction.open_at(after.hand)
        self._entries = self._entries.over(shown)
        return redaction.without_hidden((after,), shown)[0]

    def _after_time_ran_out(self, event: Event) -> Outcome:
        """The clock ran out before the event, which comes too late if it is the act of a hand that is dead by then."""
        standing = self._outcome, self._hand.phase, self._entries, self._histories
        expired = self._take(Time(t=event.t))
        over = {ruling.seat for ruling in expired.rulings if ruling.verdict in (Verdict.DEAD_HAND, Verdict.BIND)}
        if isinstance(event, (Act, Motion)) and event.seat in over:
            return expired
        try:
            outcome = self._take(event)
        except Refused:
            self._outcome, self._hand.phase, self._entries, self._histories = standing
            raise
        self._outcome = Outcome(outcome.state, expired.rulings + outcome.rulings)
        return self._outcome

    def _open(self, event: Opened) -> Outcome:
        if self._outcome is not None:
            raise Refused("table-stands", "a table stands already; a script has one `table` line, its first.")
        setup = event.setup
        chairs = {place.seat: Chair(place.seat, place.player, place.stack) for place in setup.seats}
        self._outcome = Outcome(
            State(setup, TableSeating(chairs), time=TableTime(event.t or 0.0), mixed=TableMixed(choice=setup.choice))
        )
        self._history = History(self._outcome.state, self._line)
        return self._outcome

    def _amend(self, event: Amend, line: int) -> Outcome:
        """Play the hand again from its entries, with those that the amendment puts right."""
        now, history = self.outcome.state, self.history
        by_floor = amend.needs_floor(history, now, event)
        tried = self._tried
        if tried is None or tried[:2] != (event, line) or tried[2] is not history:
            tried = event, line, history, *amend.played_again(Table.after, history, now, event, line)
        self._tried = tried
        outcome, put_right = tried[3:]
        after = replace(outcome.state, undo=replace(outcome.state.undo, by_floor=by_floor))
        self._hand.take("amend", after.planned_phase)
        self._push(now)
        if now.plan and not after.plan:
            shown = frozenset() if after.hand is None else redaction.open_at(after.hand)
            self._entries = self._entries.over(shown)
        self._history = put_right
        self._outcome = replace(outcome, state=after)
        return self._outcome

    def _undo(self, event: Undo) -> Outcome:
        before = self._entries.known
        if not before:
            raise Refused(
                "nothing-to-undo", "no entry can be taken back: a card has left the shoe since, or none was made."
            )
        now = self.outcome.state
        back = now.copy()
        back.time = replace(back.time, t=now.time.t if event.t is None else event.t)
        back.become(before[-1])
        self._hand.take("undo", back.planned_phase)
        self._history = self._histories[-1].without(self.history)
        self._entries, self._histories = Entries(before[:-1]), self._histories[:-1]
        self._outcome = Outcome(back)
        return self._outcome


def _what_follows(state: State) -> tuple[Ruling, ...]:
    """What is to be ruled on now that the event has gone through, whatever it was."""
    rulings = absent_player.dealt_with(state) + out_of_turn.doubtful(state) + carried_pot.settle(state)
    hand = state.hand
    if hand is None or not hand.said:
        return rulings
    said, hand.said = hand.said, ()
    return rulings + said


def health_of(state: State) -> Health:
    """Whether the devices let the table deal."""
    return Health.HALTED if state.down else Health.READY

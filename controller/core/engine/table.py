"""The table: one way in, `handle`, and one answer, `Outcome`.

`handle` is a function with a memory: it knows no clock, no chance and no file, and the same events lead to the same
outcomes anywhere. An event that does not fit raises `Refused` and leaves everything as it was.
"""

from controller.core.engine.amendments import amendment_replay, late_misread
from controller.core.engine.amendments.hand_history import MAX_ENTRIES, HandHistory
from controller.core.engine.amendments.undo_stack import UndoStack
from controller.core.engine.handlers import entry_handlers
from controller.core.engine.handlers.transition_table import find_row
from controller.core.engine.output import hand_redaction
from controller.core.irregularities.common import unexpected_card
from controller.core.irregularities.conduct import absent_player, player_clock, turn_order
from controller.core.model.outcome import Outcome
from controller.core.model.setup import AnyEvent, TableOpened
from controller.core.model.table_memory import TableMemory
from controller.core.model.table_state import (
    PreviousEntry,
    RotationState,
    TableSeating,
    TableState,
    TableTime,
    TableUndo,
)
from controller.core.play.betting import carried_pot
from controller.core.play.dealing import hand_machine
from controller.core.play.refusal_messages import not_now_refusal
from controller.core.protocol.events import (
    EVENT_NAME_BY_CLASS,
    AmendmentMade,
    BreakStarted,
    CardDealt,
    ChipMotion,
    ChipsColouredUp,
    DeviceChanged,
    EntryUndone,
    Event,
    FloorDecided,
    LevelAdvanced,
    PlayerActed,
    Report,
    TimePassed,
    TimerChanged,
)
from controller.core.protocol.facts import (
    EntryAmended,
    EntryTakenBack,
    Fact,
    HandOver,
    HandReopened,
    PhaseChanged,
    StartTakenBack,
    TimeRanOut,
)
from controller.core.protocol.table_error import Refused
from controller.core.rules.rulings import Ruling, Verdict
from controller.core.values.seat_state import SeatState
from controller.core.values.value import replace

MAX_UNDO_ENTRIES = 32
"""How many entries can be taken back one after the other."""

EMPTY_UNDO_STACK = UndoStack()

NON_ENTRY_EVENTS = (TimePassed, DeviceChanged)
"""Events that are no entries of the dealer: `undo` does not take them back."""

TIMER_EVENTS = (LevelAdvanced, TimerChanged, BreakStarted, ChipsColouredUp)
"""Events that are no entries either where the tournament's timer brought them."""

UNDO_WITHOUT_PREVIOUS = (TableUndo(), TableUndo(is_floor_decision=True))
"""What an entry that is remembered remembers itself, without and with a decision of the floor: no entry before it."""


class Table:
    """A table from its `table` line on."""

    def __init__(self) -> None:
        """Nothing stands yet: the first event must be `Opened`."""
        self._outcome: Outcome | None = None
        self._undo_stack = EMPTY_UNDO_STACK
        self._history: HandHistory | None = None
        self._last_trial: tuple[AmendmentMade, int, HandHistory, Outcome, HandHistory] | None = None
        """The last amendment that was played, its line, of what history, and what came of it: tried, then taken."""
        self._line_number = 0

    @classmethod
    def from_memory(cls, kept: TableMemory, line: int = 0) -> "Table":
        """Make a table that stands after line `line` as another did; what it does to its state stays its own.

        Nothing that was entered up to there can be amended or taken back.
        """
        return cls._resume(Outcome(kept.state, kept.rulings), HandHistory(kept.state, line), line)

    @classmethod
    def from_history(cls, history: HandHistory) -> "Table":
        """Make a table that stands where the entries of a history led; it takes nothing back."""
        return cls._resume(Outcome(history.state), history)

    @classmethod
    def _resume(
        cls, outcome: Outcome, history: HandHistory, line: int = 0, undo_stack: UndoStack = EMPTY_UNDO_STACK
    ) -> "Table":
        table = cls()
        table._outcome, table._history, table._undo_stack, table._line_number = outcome, history, undo_stack, line
        return table

    def copy(self) -> "Table":
        """Another table that stands as this one, and can amend and take back the same."""
        return self._resume(self.outcome, self.history, self._line_number, self._undo_stack)

    def to_memory(self) -> TableMemory:
        """How the table stands, as `from_memory` takes it."""
        return TableMemory(self.outcome.state, self.outcome.rulings)

    @property
    def outcome(self) -> Outcome:
        """How the table stands after the last event that it took; raises `Refused` (`no-table`)."""
        if self._outcome is None:
            raise Refused("no-table", "there is no table yet: the first line must be a `table` line.")
        return self._outcome

    @property
    def histories(self) -> tuple[HandHistory, ...]:
        """What an amendment could reach before each entry that `undo` takes back, and can now."""
        return (*self._undo_stack.histories, self.history)

    @property
    def history(self) -> HandHistory:
        """What an amendment can reach."""
        return HandHistory(self.outcome.state, self._line_number) if self._history is None else self._history

    def handle(self, event: AnyEvent, line: int | None = None) -> Outcome:
        """Take one event; raises `Refused`, with everything as it was, when it does not fit.

        `line`: the number by which an amendment names it; events are counted where nobody says it.
        """
        self._line_number = line = self._line_number + 1 if line is None else line
        if isinstance(event, TableOpened):
            return self._open(event)
        now = self.outcome.state
        if event.time_s is not None and event.time_s < now.time.time_s:
            raise Refused(
                "time-backwards", f"time never decreases: `t` was {now.time.time_s}, this line says {event.time_s}."
            )
        if isinstance(event, (EntryUndone, Report, AmendmentMade)):
            if isinstance(event, EntryUndone):
                return self._undo(event)
            event = self.resolve_event(event)
            if isinstance(event, AmendmentMade):
                return self._amend(event, line)
        history, self._last_trial = self.history, None
        outcome = self._apply_event(event)
        history = history.append_entry(line, event, now, outcome)
        self._history = history if len(history.entries) <= MAX_ENTRIES else history.drop_older_half()
        return outcome

    def resolve_event(self, event: Event) -> Event:
        """What an event comes to: a `misread` told after the last award amends the line of its card.

        Raises `Refused` where it names no card.
        """
        if not isinstance(event, Report):
            return event
        return late_misread.resolve_late_misread(self.history, self.outcome.state, event)

    def try_amendment(self, event: AmendmentMade, line: int) -> Outcome:
        """How the table would stand with an amendment, which it does not take; raises `Refused` as `handle`."""
        kept = self._outcome, self._undo_stack, self._history, self._line_number
        try:
            return self.handle(event, line)
        finally:
            self._outcome, self._undo_stack, self._history, self._line_number = kept

    def _apply_event(self, event: Event) -> Outcome:
        now = self.outcome.state
        if player_clock.has_clock_run_out(now, event) and not isinstance(event, TimePassed):
            return self._apply_after_timeout(event)
        name = EVENT_NAME_BY_CLASS[type(event)]
        phase = now.planned_phase
        row = find_row(name, phase)
        if row is None:
            raise not_now_refusal(now, name)
        after = now.copy()
        if now.hand is not None:
            after.hand = now.hand.copy()
        expired = entry_handlers.advance_time(after, event.time_s) if event.time_s is not None else ()
        clock = now.time.clock
        ran_out = clock is not None and player_clock.has_clock_run_out(now, event)
        rulings = (*expired, *row.handler(after, event), *_settle(after))
        facts = _take_facts(after)
        if clock is not None and ran_out:
            facts = (*facts, TimeRanOut(clock.seat, len(rulings)))
        facts += _find_changes(now, after)
        if after.setup.shot_clock is not None:
            player_clock.start_shot_clock(after)
        row.require_arrival(phase, after.planned_phase)
        self._remember(event, now, after, rulings)
        if now.plan and not after.plan:
            after = self._forget_hidden_cards(after)
        self._outcome = Outcome(after, rulings, facts=facts)
        return self._outcome

    def _remember(self, event: Event, now: TableState, after: TableState, rulings: tuple[Ruling, ...]) -> None:
        """Keep what `undo` and the floor need to take the event back; a card that has left the shoe stays out."""
        entered = not (isinstance(event, NON_ENTRY_EVENTS) or (isinstance(event, TIMER_EVENTS) and event.is_by_timer))
        by_floor = after.undo.is_floor_decision
        if isinstance(event, CardDealt):
            self._undo_stack, by_floor = EMPTY_UNDO_STACK, False
        elif entered:
            self._undo_stack = self._undo_stack.push(self.history, MAX_UNDO_ENTRIES)
            by_floor = isinstance(event, FloorDecided)
        if rulings or entered:
            without = replace(now, undo=UNDO_WITHOUT_PREVIOUS[now.undo.is_floor_decision])
            after.undo = TableUndo(PreviousEntry(without, event, bool(rulings)), by_floor)
        elif by_floor != after.undo.is_floor_decision:
            after.undo = replace(after.undo, is_floor_decision=by_floor)

    def _forget_hidden_cards(self, after: TableState) -> TableState:
        """The hand is over: what was never shown is not known any more, nor to `undo`."""
        shown = frozenset() if after.hand is None else hand_redaction.find_open_cards(after.hand)
        self._undo_stack = self._undo_stack.end_hand(shown)
        return hand_redaction.forget_hidden_cards((after,), shown)[0]

    def _apply_after_timeout(self, event: Event) -> Outcome:
        """The clock ran out before the event, which comes too late if it is the act of a hand that is dead by then."""
        standing = self._outcome, self._undo_stack
        expired = self._apply_event(TimePassed(time_s=event.time_s))
        over = {ruling.seat for ruling in expired.rulings if ruling.verdict in (Verdict.DEAD_HAND, Verdict.BIND)}
        if isinstance(event, (PlayerActed, ChipMotion)) and event.seat in over:
            return expired
        try:
            outcome = self._apply_event(event)
        except Exception:
            self._outcome, self._undo_stack = standing
            raise
        self._outcome = Outcome(outcome.state, expired.rulings + outcome.rulings, facts=expired.facts + outcome.facts)
        return self._outcome

    def _open(self, event: TableOpened) -> Outcome:
        if self._outcome is not None:
            raise Refused("table-stands", "a table stands already; a script has one `table` line, its first.")
        setup = event.setup
        chairs = {place.seat: SeatState(place.seat, place.player, place.stack) for place in setup.players}
        self._outcome = Outcome(
            TableState(
                setup,
                TableSeating(chairs),
                time=TableTime(event.time_s or 0.0),
                rotation_state=RotationState(choice_button=setup.choice_button),
            )
        )
        self._history = HandHistory(self._outcome.state, self._line_number)
        return self._outcome

    def _amend(self, event: AmendmentMade, line: int) -> Outcome:
        """Play the hand again from its entries, with those that the amendment puts right."""
        now, history = self.outcome.state, self.history
        by_floor = amendment_replay.needs_floor(history, now, event)
        tried = self._last_trial
        if tried is None or tried[:2] != (event, line) or tried[2] is not history:
            tried = (
                event,
                line,
                history,
                *amendment_replay.replay_amended(Table.from_history, history, now, event, line),
            )
        self._last_trial = tried
        outcome, put_right = tried[3:]
        after = replace(outcome.state, undo=replace(outcome.state.undo, is_floor_decision=by_floor))
        self._undo_stack = self._undo_stack.push(history, MAX_UNDO_ENTRIES)
        if now.plan and not after.plan:
            shown = frozenset() if after.hand is None else hand_redaction.find_open_cards(after.hand)
            self._undo_stack = self._undo_stack.end_hand(shown)
        self._history = replace(put_right, standing_state=after)
        self._outcome = replace(outcome, state=after, facts=(EntryAmended(line), *_find_changes(now, after)))
        return self._outcome

    def _undo(self, event: EntryUndone) -> Outcome:
        entries = self._undo_stack.entries
        if not entries:
            raise Refused(
                "nothing-to-undo", "no entry can be taken back: a card has left the shoe since, or none was made."
            )
        now = self.outcome.state
        back = now.copy()
        back.time = replace(back.time, time_s=now.time.time_s if event.time_s is None else event.time_s)
        back.assign_from(entries[-1].state)
        self._history = replace(entries[-1].history.add_later_facts(self.history), standing_state=back)
        self._undo_stack = UndoStack(entries[:-1])
        self._outcome = Outcome(back, facts=(EntryTakenBack(), *_find_changes(now, back)))
        return self._outcome


def _settle(state: TableState) -> tuple[Ruling, ...]:
    """Plan on from what the event has changed, rule on what follows, and plan on from that."""
    _plan_on(state)
    plan, rulings = state.plan, _rule_on_consequences(state)
    if state.plan is not plan:
        _plan_on(state)
    return rulings


def _plan_on(state: TableState) -> None:
    """Make the plan of a hand that is on reach as far as the next decision of a person."""
    if state.state_before_hand is not None:
        hand_machine.extend(state.hand_in_play)
        unexpected_card.keep_question_first(state.hand_in_play)


def _rule_on_consequences(state: TableState) -> tuple[Ruling, ...]:
    """What is to be ruled on now that the event has gone through, whatever it was."""
    rulings = (
        absent_player.rule_on_absent_players(state)
        + turn_order.ask_about_doubtful_action(state)
        + carried_pot.carry_pot_over(state)
    )
    hand = state.hand
    if hand is None or not hand.play_rulings:
        return rulings
    said, hand.play_rulings = hand.play_rulings, ()
    return rulings + said


def _take_facts(state: TableState) -> tuple[Fact, ...]:
    """Take what has happened off the hand, which keeps nothing of it."""
    hand = state.hand
    if hand is None or not hand.facts:
        return ()
    facts, hand.facts = hand.facts, ()
    return facts


def _find_changes(before: TableState, after: TableState) -> tuple[Fact, ...]:
    """Whether a hand is over with an entry, or one that was over is on again, and what the table does now."""
    facts: tuple[Fact, ...] = ()
    if before.is_hand_on and not after.is_hand_on:
        facts = (HandOver(after.hand_count) if after.hand_count == before.hand_count else StartTakenBack(),)
    elif after.is_hand_on and not before.is_hand_on and after.hand_count <= before.hand_count:
        facts = (HandReopened(after.hand_count),)
    return facts if after.phase is before.phase else (*facts, PhaseChanged(before.phase, after.phase))

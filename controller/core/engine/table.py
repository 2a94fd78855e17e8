"""The table: one way in, `handle`, and one answer, `Outcome`.

`handle` is a function with a memory: it knows no clock, no chance and no file, and the same events lead to the same
outcomes anywhere. An event that does not fit raises `Refused` and leaves everything as it was.
"""

from controller.core.engine.amendments import amendment_replay, late_misread, refused_acts
from controller.core.engine.amendments.hand_history import MAX_ENTRIES, HandHistory
from controller.core.engine.amendments.undo_stack import UndoStack
from controller.core.engine.handlers import entry_handlers
from controller.core.engine.handlers.transition_table import find_row
from controller.core.engine.output import hand_redaction
from controller.core.engine.table_standing import TableStanding
from controller.core.irregularities.common import unexpected_card
from controller.core.irregularities.conduct import absent_player, player_clock, turn_order
from controller.core.irregularities.remedies import plan_edits
from controller.core.model import known_cards
from controller.core.model.outcome import Outcome
from controller.core.model.setup import AnyEvent, TableOpened
from controller.core.model.table_memory import TableMemory
from controller.core.model.table_state import (
    PreviousEntry,
    RotationState,
    TableCollection,
    TableSeating,
    TableState,
    TableTime,
    TableUndo,
)
from controller.core.play.betting import pot_collection
from controller.core.play.dealing import hand_machine
from controller.core.play.game_flow.table_machine import TABLE_MACHINE
from controller.core.play.refusal_messages import not_now_refusal
from controller.core.play.showdown import pot_awards
from controller.core.protocol.events import (
    EVENT_NAME_BY_CLASS,
    AmendmentMade,
    BreakStarted,
    CardDealt,
    ChipMotion,
    ChipsColouredUp,
    DeviceChanged,
    DrawRequested,
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
from controller.core.protocol.steps import AwardStep, ShowStep
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import FloorDecision
from controller.core.rules.rulings import Ruling, Verdict
from controller.core.values.seat_state import SeatState
from controller.core.values.value import replace

MAX_UNDO_ENTRIES = 32
"""How many entries can be taken back one after the other."""

NO_STANDING = TableStanding()
EMPTY_UNDO_STACK = UndoStack()

NON_ENTRY_EVENTS = (TimePassed, DeviceChanged)
"""Events that are no entries of the dealer: `undo` does not take them back."""

TIMER_EVENTS = (LevelAdvanced, TimerChanged, BreakStarted, ChipsColouredUp)
"""Events that are no entries either where the tournament's timer brought them."""

UNDO_WITHOUT_PREVIOUS = (TableUndo(), TableUndo(is_floor_decision=True))
"""What an entry that is remembered remembers itself, without and with a decision of the floor: no entry before it."""


class Table:
    """A table from its `table` line on."""

    def __init__(self, standing: TableStanding = NO_STANDING) -> None:
        """Stand so; where nothing stands yet, the first event must be `TableOpened`."""
        self._standing = standing
        self._last_trial: tuple[AmendmentMade, int, HandHistory, Outcome, HandHistory] | None = None
        """The last amendment that was played, its line, of what history, and what came of it: tried, then taken."""

    @classmethod
    def from_memory(cls, kept: TableMemory, line: int = 0) -> "Table":
        """Make a table that stands after line `line` as another did; what it does to its state stays its own.

        Nothing that was entered up to there can be amended or taken back.
        """
        return cls(TableStanding(line, Outcome(kept.state, kept.rulings), HandHistory(kept.state, line)))

    @classmethod
    def from_history(cls, history: HandHistory) -> "Table":
        """Make a table that stands where the entries of a history led; it takes nothing back."""
        return cls(TableStanding(0, Outcome(history.state), history))

    def copy(self) -> "Table":
        """Another table that stands as this one, and can amend and take back the same."""
        return Table(self._standing)

    def to_memory(self) -> TableMemory:
        """How the table stands, as `from_memory` takes it."""
        return TableMemory(self.outcome.state, self.outcome.rulings)

    @property
    def outcome(self) -> Outcome:
        """How the table stands after the last event that it took; raises `Refused` (`no-table`)."""
        return self._standing.outcome

    @property
    def histories(self) -> tuple[HandHistory, ...]:
        """What an amendment could reach before each entry that `undo` takes back, and can now."""
        return (*self._standing.undo_stack.histories, self.history)

    @property
    def history(self) -> HandHistory:
        """What an amendment can reach."""
        return self._standing.history

    def handle(self, event: AnyEvent, line: int | None = None) -> Outcome:
        """Take one event; raises `Refused`, with everything as it was, when it does not fit.

        `line`: the number by which an amendment names it; events are counted where nobody says it.
        """
        standing = self._standing
        line = standing.line_number + 1 if line is None else line
        try:
            taken = self._take(standing, event, line)
        except Refused:
            refused_act = standing.refused_act
            if standing.latest_outcome is not None:
                refused_act = refused_acts.note_refused_act(refused_act, standing.outcome.state, event)
            self._standing = replace(standing, line_number=line, refused_act=refused_act)
            raise
        except Exception:
            self._standing = replace(standing, line_number=line)
            raise
        if standing.refused_act is not None:
            taken = replace(taken, refused_act=standing.refused_act)
        self._standing = taken
        return self._standing.outcome

    def _take(self, standing: TableStanding, event: AnyEvent, line: int) -> TableStanding:
        """How the table stands after an event."""
        if isinstance(event, TableOpened):
            return _open(standing, event, line)
        now = standing.outcome.state
        if event.time_s is not None and event.time_s < now.time.time_s:
            raise Refused(
                "time-backwards", f"time never decreases: `t` was {now.time.time_s}, this line says {event.time_s}."
            )
        if isinstance(event, EntryUndone):
            return _undo(standing, event, line)
        event = self.resolve_event(event)
        if isinstance(event, AmendmentMade):
            return self._amend(standing, event, line)
        self._last_trial = None
        outcome, undo_stack = _apply_event(standing, event)
        history = standing.history.append_entry(line, event, now, outcome)
        if len(history.entries) > MAX_ENTRIES:
            history = history.drop_older_half()
        return TableStanding(line, outcome, history, undo_stack)

    def resolve_event(self, event: Event) -> Event:
        """What an event comes to: a `misread` told after the last award amends the line of its card.

        A report of a wrong burn says whether an act was refused since the street's last card. Raises `Refused` where a
        card that is named is none.
        """
        if not isinstance(event, Report):
            return event
        event = refused_acts.resolve_burn_report(self._standing.refused_act, self.outcome.state, event)
        return late_misread.resolve_late_misread(self.history, self.outcome.state, event)

    def try_amendment(self, event: AmendmentMade, line: int) -> Outcome:
        """How the table would stand with an amendment, which it does not take; raises `Refused` as `handle`."""
        kept = self._standing
        try:
            return self.handle(event, line)
        finally:
            self._standing = kept

    def _amend(self, standing: TableStanding, event: AmendmentMade, line: int) -> TableStanding:
        """Play the hand again from its entries, with those that the amendment puts right."""
        now, history = standing.outcome.state, standing.history
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
        if now.setup.is_live and known_cards.find_newly_known(now, after):
            raise Refused(
                "not-known",
                "with this a card would be known that lies face down: no amendment tells one. Enter `show`, or the "
                "floor has it turned up (`floor` decide `turned-up`).",
            )
        known_cards.keep_known(now, after)
        undo_stack = standing.undo_stack.push(history, MAX_UNDO_ENTRIES)
        if now.is_hand_on and not after.is_hand_on:
            after, undo_stack = _forget_hidden_cards(after, undo_stack)
        outcome = replace(outcome, state=after, facts=(EntryAmended(line), *_find_changes(now, after)))
        return TableStanding(line, outcome, replace(put_right, standing_state=after), undo_stack)


def _apply_event(standing: TableStanding, event: Event) -> tuple[Outcome, UndoStack]:
    """What comes of an event that is about no past entry, and what can be taken back then."""
    now = standing.outcome.state
    if player_clock.has_clock_run_out(now, event) and not isinstance(event, TimePassed):
        return _apply_after_timeout(standing, event)
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
    _refuse_play_after_award(now, after)
    if isinstance(event, (Report, FloorDecided)):
        known_cards.keep_known(now, after)  # what a ruling takes back, nobody forgets
    facts = _take_facts(after)
    if clock is not None and ran_out:
        facts = (*facts, TimeRanOut(clock.seat, len(rulings)))
    arrived = after.planned_phase
    facts += _find_hand_change(now, after) if now.is_hand_on is not after.is_hand_on else ()
    if arrived is not phase or now.faults is not after.faults:
        facts += _find_phase_change(now, after)
    if after.setup.shot_clock is not None:
        player_clock.start_shot_clock(after)
    row.require_arrival(phase, arrived)
    undo_stack = _remember(standing, event, after, rulings)
    if now.is_hand_on and not after.is_hand_on:
        after, undo_stack = _forget_hidden_cards(after, undo_stack)
    return Outcome(after, rulings, facts=facts), undo_stack


def _refuse_play_after_award(now: TableState, after: TableState) -> None:
    """Once part of a pot has been pushed nothing but awards is left to do, unless the whole hand is void.

    Raises `Refused` (`award-pushed`).
    """
    for state in (now, after):
        if state.hand is None or not state.hand.is_award_pushed or not state.is_hand_on:
            return
    if any(not isinstance(step, (AwardStep, ShowStep)) and step not in now.plan for step in after.plan):
        raise Refused("award-pushed", "a pot of this hand has been pushed; what is left is settled by hand.")


def _remember(standing: TableStanding, event: Event, after: TableState, rulings: tuple[Ruling, ...]) -> UndoStack:
    """Keep what `undo` and the floor need to take the event back; a card that has left the shoe stays out."""
    now, undo_stack = standing.outcome.state, standing.undo_stack
    entered = not (isinstance(event, NON_ENTRY_EVENTS) or (isinstance(event, TIMER_EVENTS) and event.is_by_timer))
    by_floor = after.undo.is_floor_decision
    if isinstance(event, CardDealt):
        undo_stack, by_floor = EMPTY_UNDO_STACK, False
    elif entered:
        undo_stack = undo_stack.push(standing.history, MAX_UNDO_ENTRIES)
        by_floor = amendment_replay.is_floor_only(event) and not amendment_replay.is_asked(event, now.plan)
    if rulings or entered:
        previous = now.undo.previous
        if not (isinstance(event, FloorDecided) and event.decision is FloorDecision.TURNED_UP and previous):
            without = replace(now, undo=UNDO_WITHOUT_PREVIOUS[now.undo.is_floor_decision])
            previous = PreviousEntry(without, event, bool(rulings))  # who looks at a card may set aside what was ruled
        after.undo = TableUndo(previous, by_floor)
    elif by_floor != after.undo.is_floor_decision:
        after.undo = replace(after.undo, is_floor_decision=by_floor)
    return undo_stack


def _forget_hidden_cards(after: TableState, undo_stack: UndoStack) -> tuple[TableState, UndoStack]:
    """The hand is over: what was never shown is not known any more, nor to `undo`."""
    shown = frozenset() if after.hand is None else hand_redaction.find_open_cards(after.hand)
    return hand_redaction.forget_hidden_cards((after,), shown)[0], undo_stack.end_hand(shown)


def _apply_after_timeout(standing: TableStanding, event: Event) -> tuple[Outcome, UndoStack]:
    """The clock ran out before the event, which comes too late if it is the act of a hand that is dead by then."""
    before, undo_stack = _apply_event(standing, TimePassed(time_s=event.time_s))
    over = {ruling.seat for ruling in before.rulings if ruling.verdict in (Verdict.DEAD_HAND, Verdict.BIND)}
    if isinstance(event, (PlayerActed, ChipMotion, DrawRequested)) and event.seat in over:
        return before, undo_stack
    after, undo_stack = _apply_event(replace(standing, latest_outcome=before, undo_stack=undo_stack), event)
    return Outcome(after.state, before.rulings + after.rulings, facts=before.facts + after.facts), undo_stack


def _open(standing: TableStanding, event: TableOpened, line: int) -> TableStanding:
    if standing.latest_outcome is not None:
        raise Refused("table-stands", "a table stands already; a script has one `table` line, its first.")
    setup = event.setup
    chairs = {place.seat: SeatState(place.seat, place.player, place.stack) for place in setup.players}
    state = TableState(
        setup,
        setup,
        TableSeating(chairs),
        time=TableTime(event.time_s or 0.0),
        rotation_state=RotationState(choice_button=setup.choice_button),
        collection=None if setup.collection is None else TableCollection(),
    )
    return TableStanding(line, Outcome(state), HandHistory(state, line))


def _undo(standing: TableStanding, event: EntryUndone, line: int) -> TableStanding:
    entries = standing.undo_stack.entries
    if not entries:
        raise Refused(
            "nothing-to-undo", "no entry can be taken back: a card has left the shoe since, or none was made."
        )
    now = standing.outcome.state
    back = now.copy()
    back.time = replace(back.time, time_s=now.time.time_s if event.time_s is None else event.time_s)
    back.assign_from(entries[-1].state)
    known_cards.keep_known(now, back)
    history = replace(entries[-1].history.add_later_facts(standing.history), standing_state=back)
    outcome = Outcome(back, facts=(EntryTakenBack(), *_find_changes(now, back)))
    return TableStanding(line, outcome, history, UndoStack(entries[:-1]))


def _settle(state: TableState) -> tuple[Ruling, ...]:
    """Plan on from what the event has changed, rule on what follows, plan on from that, and end a hand without plan."""
    _plan_on(state)
    plan = state.plan
    rulings = absent_player.rule_on_absent_players(state) + turn_order.ask_about_doubtful_action(state)
    if state.plan is not plan:
        _plan_on(state)
    if state.is_hand_on and not state.plan:
        TABLE_MACHINE.move(state, "end_hand")
    hand = state.hand
    if hand is None or not hand.play_rulings:
        return rulings
    said, hand.play_rulings = hand.play_rulings, ()
    return rulings + said


def _plan_on(state: TableState) -> None:
    """Make the plan of a hand that is on reach as far as the next decision of a person."""
    if state.is_hand_on:
        hand_machine.extend(state.hand_in_play)
        pot_collection.put_collect_step_first(state.hand_in_play)
        if state.hand_in_play.collection.taken_by_pot:
            pot_awards.pay_empty_awards(state.hand_in_play)
        unexpected_card.keep_question_first(state.hand_in_play)
        plan_edits.recount_cards_to_gather(state.hand_in_play)


def _take_facts(state: TableState) -> tuple[Fact, ...]:
    """Take what has happened off the hand, which keeps nothing of it."""
    hand = state.hand
    if hand is None or not hand.facts:
        return ()
    facts, hand.facts = hand.facts, ()
    return facts


def _find_changes(before: TableState, after: TableState) -> tuple[Fact, ...]:
    """Whether a hand is over with an entry, or one that was over is on again, and what the table does now."""
    return _find_hand_change(before, after) + _find_phase_change(before, after)


def _find_hand_change(before: TableState, after: TableState) -> tuple[Fact, ...]:
    if before.is_hand_on and not after.is_hand_on:
        return (HandOver(after.hand_count) if after.hand_count == before.hand_count else StartTakenBack(),)
    if after.is_hand_on and not before.is_hand_on and after.hand_count <= before.hand_count:
        return (HandReopened(after.hand_count),)
    return ()


def _find_phase_change(before: TableState, after: TableState) -> tuple[Fact, ...]:
    was, now = before.phase, after.phase
    return () if now is was else (PhaseChanged(was, now),)

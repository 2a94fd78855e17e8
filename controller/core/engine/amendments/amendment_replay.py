"""`amend`: an entry is put right, and the hand played again from its entries (docs/amend.md).

The changed entries are played again from the end of the hand before, by the same `handle` that took them first; the
table then stands where it would stand had they been so from the beginning. Only the result must fit.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, Protocol

from controller.core.engine.amendments.hand_history import (
    AcceptedEntry,
    AmendedEntry,
    Amendment,
    HandHistory,
    find_last_deal_lines,
    is_due,
)
from controller.core.engine.output import outcome_rendering
from controller.core.engine.output.amendment_sentence import describe_amendment, select_due_steps
from controller.core.model.known_cards import HIDDEN_CARD_WORDS, is_hidden
from controller.core.model.outcome import AmendmentEffect, LineChange, Outcome
from controller.core.model.table_state import TableState
from controller.core.play.refusal_messages import describe_first_step
from controller.core.protocol import events, script_lines
from controller.core.protocol.events import (
    AmendmentMade,
    BreakStarted,
    CardDealt,
    CardDetected,
    ChipMotion,
    ChipsColouredUp,
    CollectionChanged,
    DeviceChanged,
    Entry,
    EntryChange,
    Event,
    FloorDecided,
    HaltChanged,
    HandForHandChanged,
    HandStarted,
    LastHandsAnnounced,
    LevelAdvanced,
    PenaltyImposed,
    PlayerActed,
    Report,
    StepConfirmed,
    TimePassed,
    TimerChanged,
    TournamentEnded,
)
from controller.core.protocol.facts import SeatActed
from controller.core.protocol.steps import (
    ActStep,
    BettingRoundStep,
    MoveStep,
    QuestionStep,
    ReturnStep,
    ShuffleStep,
    Step,
)
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import ActionType, ReportKind
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.piles import ALL, STUB, STUB_BOTTOM, PlacedCard
from controller.core.values.value import MutableValue, replace

FLOOR_ONLY_EVENTS = frozenset(
    (
        FloorDecided,
        PenaltyImposed,
        CollectionChanged,
        HandForHandChanged,
        LastHandsAnnounced,
        HaltChanged,
        TournamentEnded,
    )
)
"""What the floor alone enters, whatever it says."""

AMENDED_FINDING = "amended"
TURNLESS_ACTIONS = (ActionType.STRADDLE, ActionType.KILL)
"""Acts that are not made in turn."""


class ReplayTable(Protocol):
    """A table that plays entries again."""

    @property
    def outcome(self) -> Outcome:
        """How it stands."""

    @property
    def history(self) -> HandHistory:
        """What it has played."""

    def handle(self, event: Event, line: int | None = None) -> Outcome:
        """Take one entry; raises `Refused`."""


class _ReplaySlot(MutableValue):
    """An entry to be played: `original` is how it stood before, `is_changed`: the amendment speaks of it."""

    line: int
    event: Entry | None
    original: AcceptedEntry | None = None
    is_changed: bool = False


def replay_amended(
    table: Callable[[HandHistory], ReplayTable], history: HandHistory, now: TableState, event: AmendmentMade, line: int
) -> tuple[Outcome, HandHistory]:
    """Let a `table` that stands where the entries begin to differ play them again; returns how it then stands.

    Raises `Refused` with `amend-a-fact`, `amend-too-late`, `amend-unknown-line`, `amend-conflict`, or with the code of
    the amended line itself where that is refused at its own place.
    """
    event = _mark_named(now, event)
    slots = _build_slots(history, now, event, line)
    if all(slot.original is not None and slot.event == slot.original.event for slot in slots):
        return _leave_as_it_is(table, history, now, event, line, slots)
    alike = next(i for i, slot in enumerate(slots) if slot.is_changed)
    before = history.cut_after(alike)
    player = table(before)
    gone: list[int] = []
    elsewhere: dict[int, str] = {}
    for place, slot in enumerate(slots[len(before.entries) :], start=len(before.entries) + 1):
        if slot.event is None:
            continue
        if _is_lapsed(slot, player, history):
            assert slot.original is not None
            if slot.original.first_step not in history.corrective_moves:
                gone.append(slot.line)
            _record_moved_cards(elsewhere, slot.original, history)
            continue
        if not _is_explained(slots, place):
            _refuse_unfitting(slot, player.outcome.state)
        step = player.outcome.state.plan[:1]
        try:
            player.handle(slot.event, slot.line)
        except Refused as why:
            if slot.is_changed:
                raise
            raise _conflict_refusal(slot.line, why.message) from None
        if isinstance(slot.event, StepConfirmed):
            _forget_moved_cards(elsewhere, step, player.history)
    if event.time_s is not None:
        player.handle(TimePassed(time_s=event.time_s), 0)
    played = _restore_was_due(player.history, history)
    # what has yet to be moved lies there now, whatever was moved before
    after = _prepend_moves(player.outcome.state, elsewhere | _find_pending_moves(history, now), played)
    told = _build_effect(event, line, slots, gone, now, after, history, played)
    rulings = (_build_amended_ruling(told, after), *_find_missing_rulings(played, history))
    struck = Amendment(line, rulings[0], tuple(_iterate_amended_entries(slots, gone, line, now)))
    moves = after.plan[: len(after.plan) - len(player.outcome.plan)]
    return Outcome(after, rulings, told), replace(played, amendments=history.amendments).add_amendment(struck, moves)


def _leave_as_it_is(
    table: Callable[[HandHistory], ReplayTable],
    history: HandHistory,
    now: TableState,
    event: AmendmentMade,
    line: int,
    slots: Sequence[_ReplaySlot],
) -> tuple[Outcome, HandHistory]:
    """Every entry is said to be what it is: nothing is played again, and what is to be moved stays as it is."""
    player = table(history)
    if event.time_s is not None:
        player.handle(TimePassed(time_s=event.time_s), 0)
    after, played = player.outcome.state, player.history
    told = _build_effect(event, line, slots, (), now, after, history, played)
    rulings = (_build_amended_ruling(told, after), *_find_missing_rulings(played, history))
    noted = replace(played, amendments=history.amendments).add_amendment(Amendment(line, rulings[0], ()), ())
    kept = replace(noted, corrective_moves=history.corrective_moves, sound_entry_count=history.sound_entry_count)
    return Outcome(after, rulings, told), kept


def needs_floor(history: HandHistory, state: TableState, event: AmendmentMade) -> bool:
    """Whether only the floor may make the amendment.

    A card has left since, a face-down card is named, or it is of an entry that the floor alone makes.
    """
    changes = _list_changes(event)
    order = {each.line: index for index, each in enumerate(history.entries)}
    for change in changes:
        place = change.line if change.line is not None else change.before_line
        index = order.get(place or 0, len(history.entries))
        after = history.entries[index + (change.line is not None) :]
        of = history.entries[index].event if change.line is not None and index < len(history.entries) else None
        if (
            is_floor_only(change.corrected)
            or is_floor_only(of)
            or any(isinstance(each.event, CardDealt) for each in after)
        ):
            return True
        if isinstance(change.corrected, CardDealt) and change.corrected.card is not None:
            origin = None if change.line is None or index >= len(history.entries) else history.entries[index]
            if origin is None or _find_open_card(state, origin.last_serial) is None:
                return True
    return False


def is_floor_only(event: Event | None) -> bool:
    """Whether the floor alone enters it: a decision, what the house takes, what it has seen itself, what a card is."""
    if isinstance(event, Report):
        return event.is_witnessed or event.kind is ReportKind.MISREAD
    return type(event) in FLOOR_ONLY_EVENTS


def is_asked(event: Event, plan: Sequence[Step]) -> bool:
    """Whether the table itself asks for a report: what a card is that it could not read."""
    return isinstance(event, Report) and any(
        isinstance(step, QuestionStep) and event.kind.value in step.options for step in plan
    )


def _list_changes(event: AmendmentMade) -> tuple[EntryChange, ...]:
    dropped = tuple(EntryChange(None, line=number) for number in event.dropped_lines)
    return (EntryChange(event.corrected, event.line, event.before_line), *event.further_changes, *dropped)


def _build_slots(history: HandHistory, now: TableState, event: AmendmentMade, line: int) -> list[_ReplaySlot]:
    """The entries as they should have been."""
    slots = [_ReplaySlot(each.line, each.event, each) for each in history.entries]
    reach = _count_unreachable(history)
    for change in _list_changes(event):
        if (change.line is None) is (change.before_line is None):
            raise Refused(
                "key-missing", "a change names the `line` that it puts right, or the one `before` which it comes."
            )
        if change.before_line is not None:
            if change.corrected is None:
                raise Refused("value", "`to` null takes a line out: name it with `line`, not with `before`.")
            _refuse_fact(change.corrected)
            place = (
                len(slots)
                if change.before_line == line
                else _find_slot_index(slots, history, change.before_line, reach)
            )
            slots.insert(place, _ReplaySlot(line, change.corrected, None, is_changed=True))
            continue
        assert change.line is not None
        slot = slots[_find_slot_index(slots, history, change.line, reach)]
        assert slot.original is not None
        if slot.is_changed:
            raise Refused("value", f"line {change.line} is named twice: say once what it should have been.")
        _refuse_hidden_card(now, slot.original, change.corrected)
        slot.event, slot.is_changed = _correct_entry(slot.original, change.corrected), True
    return slots


def _mark_named(now: TableState, event: AmendmentMade) -> AmendmentMade:
    """What an amendment at a live table says that a card is, no sensor says."""
    if not now.setup.is_live:
        return event
    changes = tuple([replace(change, corrected=_name(change.corrected)) for change in event.further_changes])
    return replace(event, corrected=_name(event.corrected), further_changes=changes)


def _name(to: Entry | None) -> Entry | None:
    return replace(to, is_named=True) if isinstance(to, CardDealt) and to.card is not None else to


def _refuse_hidden_card(now: TableState, origin: AcceptedEntry, to: Entry | None) -> None:
    """Refuse another line for a card that was read and that not everybody knows: what comes of it would tell the card.

    Raises `Refused` (`not-known`, `amend-a-fact`).
    """
    if not now.setup.is_live:
        return
    if isinstance(origin.event, CardDetected) and to is not None:
        raise Refused("amend-a-fact", "an antenna did read that card there.")  # said of the right name and of others
    if not isinstance(origin.event, CardDealt):
        return
    states = [state for state in (now, origin.state_after) if state is not None and state.hand is not None]
    laid = (
        lying
        for state in states
        for pile in state.hand_in_play.cards.piles.cards_by_place.values()
        for lying in pile
        if lying.serial == origin.last_serial
    )
    found = next(laid, None)
    if found is not None and is_hidden(states[0].hand_in_play, found):
        raise Refused("not-known", HIDDEN_CARD_WORDS)


def _count_unreachable(history: HandHistory) -> int:
    """How many of the oldest entries lay before cards that were shuffled in since."""
    entries = history.entries
    shuffled = (i for i in range(len(entries), 0, -1) if _is_shuffle(entries[i - 1]))
    return next(shuffled, 0)


def _is_shuffle(entry: AcceptedEntry) -> bool:
    return isinstance(entry.event, StepConfirmed) and isinstance(entry.first_step, ShuffleStep)


def _find_slot_index(slots: Sequence[_ReplaySlot], history: HandHistory, number: int, reach: int) -> int:
    """Where the entry of a line stands among the slots."""
    place = next((i for i, slot in enumerate(slots) if slot.original is not None and slot.line == number), None)
    if place is None:
        if number <= history.base_line:
            raise Refused(
                "amend-too-late",
                f"line {number} lies before the end of the hand before: what can be put right begins after line "
                f"{history.base_line}.",
            )
        raise Refused(
            "amend-unknown-line",
            f"line {number} names no entry that stands: it was refused, taken back, or never made.",
        )
    if reach and any(slots[place].original is each for each in history.entries[:reach]):
        raise Refused(
            "amend-too-late", f"line {number} lies before cards that were shuffled in since: it cannot be played again."
        )
    return place


def _correct_entry(origin: AcceptedEntry, to: Entry | None) -> Entry | None:
    """What takes the place of an entry; raises `Refused` where it was a fact."""
    was = origin.event
    _refuse_fact(was)
    if to is None:
        if isinstance(was, HandStarted):
            raise Refused("amend-a-fact", "the hand did begin: `start` is not taken out.")
        if isinstance(was, CardDealt):
            raise Refused("amend-a-fact", "a card did leave the shoe: give it another name, it is not taken out.")
        if isinstance(was, CardDetected) and not is_counted_as_fold(origin):
            raise Refused("amend-a-fact", "an antenna did read the card there.")
        return None
    _refuse_fact(to)
    if isinstance(was, (HandStarted, CardDealt)) and type(to) is not type(was):
        what = "the hand did begin" if isinstance(was, HandStarted) else "a card did leave the shoe"
        raise Refused("amend-a-fact", f"{what}: the line stays a `{events.EVENT_NAME_BY_CLASS[type(was)]}`.")
    if to.time_s is not None and to.time_s != was.time_s:
        raise Refused("amend-a-fact", "when it was entered is a fact: leave `t` out.")
    to = replace(to, time_s=was.time_s)
    if isinstance(to, CardDealt) and isinstance(was, CardDealt) and to.card == was.card:
        to = replace(to, is_named=was.is_named)  # said to be what it is: who read it stays who read it
    if isinstance(was, CardDetected) and to != was:
        raise Refused("amend-a-fact", "an antenna did read that card there.")
    return to


def is_counted_as_fold(origin: AcceptedEntry) -> bool:
    """Whether a card seen at the muck was taken for the fold of its seat: the seat was to act when it was read.

    Where a whole round is told, its seat was out then; a second card of that hand told the same.
    """
    was, first, after = origin.event, origin.first_step, origin.state_after
    if not isinstance(was, CardDetected) or was.place != "muck":
        return False
    if isinstance(first, BettingRoundStep):
        if after is None or after.hand is None:
            return False
        hand = after.hand
        return any(
            hand.cards.piles.find_place(serial) is not None and hand.cards.piles.get_card(serial).card == was.card
            for folded in hand.folds.folded_hand_by_seat.values()
            for serial in folded.serials
        )
    return isinstance(first, ActStep)


def _refuse_fact(event: Event) -> None:
    """Refuse what nobody enters: it is so."""
    timer = isinstance(event, (LevelAdvanced, TimerChanged, BreakStarted, ChipsColouredUp)) and event.is_by_timer
    if isinstance(event, (TimePassed, DeviceChanged)) or timer:
        raise Refused(
            "amend-a-fact",
            f"`{events.EVENT_NAME_BY_CLASS[type(event)]}` tells of a fact that nobody entered: it is not amended.",
        )


def _conflict_refusal(line: int, why: str) -> Refused:
    return Refused("amend-conflict", f"line {line} does not fit then: {why} Mend it with `drop` or `also`.")


def _refuse_unfitting(slot: _ReplaySlot, state: TableState) -> None:
    """Refuse an act that was in turn and no longer is, and a card that comes when none is due any more."""
    origin = slot.original
    if origin is None or slot.event is None or not origin.was_due or is_due(slot.event, state.plan.next_step):
        return
    if isinstance(slot.event, CardDealt):
        raise _conflict_refusal(
            slot.line, f"a card left the shoe when none was due, because {describe_first_step(state)}."
        )
    acted = isinstance(slot.event, ChipMotion) or (
        isinstance(slot.event, PlayerActed) and slot.event.action_type not in TURNLESS_ACTIONS
    )
    if isinstance(slot.event, (PlayerActed, ChipMotion)) and acted and not slot.is_changed:
        seat = slot.event.seat
        raise _conflict_refusal(
            slot.line, f"seat {seat} acted in turn and would not any more: {describe_first_step(state)}."
        )


def _is_explained(slots: Sequence[_ReplaySlot], place: int) -> bool:
    """Whether the entry before `place` is a card, and the amendment says behind it what it and those after it were."""
    if not isinstance(slots[place - 1].event, CardDealt):
        return False
    behind = next((slot for slot in slots[place:] if not isinstance(slot.event, CardDealt)), None)
    return behind is not None and behind.is_changed and isinstance(behind.event, Report)


def _restore_was_due(played: HandHistory, history: HandHistory) -> HandHistory:
    """The entries that were played again, of each whether it was due when it first came."""
    undue = {each.line for each in history.entries if not each.was_due}
    if not undue:
        return played
    entries = (replace(each, was_due=False) if each.line in undue else each for each in played.entries)
    return replace(played, entries=tuple(entries))


def _is_lapsed(slot: _ReplaySlot, player: ReplayTable, history: HandHistory) -> bool:
    """Whether the entry confirmed a step of a ruling that is gone, or one that a ruling now takes the place of."""
    origin = slot.original
    if origin is None or slot.event != origin.event or not isinstance(slot.event, StepConfirmed):
        return False
    step, first = origin.first_step, player.outcome.state.plan.next_step
    if step is None:
        return False
    if not step.is_ruled:
        return first is not None and first.is_ruled and type(first) is not type(step)
    if step in history.corrective_moves:  # an amendment put it on the plan, no entry
        return True
    if first is not None and first.is_ruled and type(first) is type(step):
        return False
    return not _is_still_ruled(step, origin, player, history)


def _is_still_ruled(step: Step, origin: AcceptedEntry, player: ReplayTable, history: HandHistory) -> bool:
    """Whether what put the step on the plan is ruled as it was."""
    index = history.entries.index(origin)
    while index and any(each is step for each in history.entries[index].plan_before):
        index -= 1
    put = history.entries[index]
    keys = [_ruling_key(ruling) for ruling in put.rulings]
    now = (each for each in player.history.entries if each.line == put.line)
    return bool(keys) and any([_ruling_key(ruling) for ruling in each.rulings] == keys for each in now)


def _record_moved_cards(elsewhere: dict[int, str], origin: AcceptedEntry, history: HandHistory) -> None:
    """A confirmed step that falls away has moved cards all the same; `elsewhere`: line of a card -> where it lies."""
    step = origin.first_step
    if not isinstance(step, (ReturnStep, MoveStep)):
        return
    lines = find_last_deal_lines(history.entries[: history.entries.index(origin)])
    serials = tuple(lines) if isinstance(step, ReturnStep) and step.source == ALL else step.serials
    elsewhere |= {lines[serial]: step.destination for serial in serials if serial in lines}


def _forget_moved_cards(elsewhere: dict[int, str], first: Sequence[Step], played: HandHistory) -> None:
    """A step that is confirmed in the amended hand, too, has moved its cards where it says."""
    if elsewhere and first and isinstance(first[0], (ReturnStep, MoveStep)):
        if isinstance(first[0], ReturnStep) and first[0].source == ALL:
            elsewhere.clear()
        lines = played.find_card_lines()
        for serial in first[0].serials:
            elsewhere.pop(lines.get(serial, 0), None)


def _find_pending_moves(history: HandHistory, now: TableState) -> dict[int, str]:
    """Cards that an earlier amendment found elsewhere and that have not been moved yet."""
    lines = history.find_card_lines()
    steps = [step for step in now.plan if isinstance(step, MoveStep) and step in history.corrective_moves]
    return {lines[serial]: step.source for step in steps for serial in step.serials if serial in lines}


def _prepend_moves(state: TableState, elsewhere: dict[int, str], played: HandHistory) -> TableState:
    """The table with the steps that bring cards where the amended plan says, in the order in which they left."""
    hand = state.hand
    if hand is None or not hand.plan or not elsewhere:
        return state
    moves: list[MoveStep] = []
    piles = hand.cards.piles
    for serial, line in sorted(played.find_card_lines().items()):
        source, to = elsewhere.get(line), piles.find_place(serial) or STUB
        if source is None or source == to or {source, to} == {STUB, STUB_BOTTOM}:
            continue
        moves.append(MoveStep(source, to, "card", 1, (serial,), is_ruled=True))
        if to != STUB:
            piles = piles.place_card(serial, source)
    return replace(state, hand=replace(hand, plan=hand.plan.prepend(*moves), cards=replace(hand.cards, piles=piles)))


def _iterate_amended_entries(
    slots: Sequence[_ReplaySlot], gone: Sequence[int], line: int, before: TableState
) -> Iterator[AmendedEntry]:
    """The entries that are struck through, in their order."""
    for index, slot in enumerate(slots):
        was = None if slot.original is None else slot.original.event
        now = None if was is not None and slot.line in gone else slot.event
        if was != now:
            follows = (each.line for each in slots[index:] if each.original is not None)
            lying = None if slot.original is None else _find_open_card(before, slot.original.last_serial)
            faces_up = lying is not None and isinstance(was, CardDealt) and lying.known_card == was.card
            yield AmendedEntry(slot.line, next(follows, line), was, now, faces_up)


def _build_amended_ruling(effect: AmendmentEffect, after: TableState) -> Ruling:
    """What was put right and what is to be done now; it names no card that a live table would not."""
    due = select_due_steps(outcome_rendering.render_plan(after))
    sentence = describe_amendment(outcome_rendering.render_amendment(effect, live=True), due)
    return build_ruling(AMENDED_FINDING, Verdict.CORRECT, after.setup.rulebook.floor.corrected, sentence)


def _find_missing_rulings(one: HandHistory, other: HandHistory) -> tuple[Ruling, ...]:
    """The rulings of one history that the other has not, compared by everything that they say."""
    known = Counter(key for key, _ in _iterate_rulings(other))
    missing: list[Ruling] = []
    for key, ruling in _iterate_rulings(one):
        if known[key]:
            known[key] -= 1
        else:
            missing.append(ruling)
    return tuple(missing)


def _iterate_rulings(history: HandHistory) -> Iterator[tuple[Hashable, Ruling]]:
    """Every ruling of a history and what it says; the steps of an entry's remedy go with its first one."""
    for entry in history.entries:
        for index, ruling in enumerate(entry.rulings):
            yield (ruling, () if index else _list_remedy_steps(entry)), ruling


def _list_remedy_steps(entry: AcceptedEntry) -> tuple[str, ...]:
    """The steps that the rulings of an entry put on the plan, as they are told: without numbers of cards."""
    plan = () if entry.state_after is None else entry.state_after.plan
    return tuple(
        str(outcome_rendering.render_step(None, step))
        for step in plan
        if step.is_ruled and not isinstance(step, ActStep) and not any(step is each for each in entry.plan_before)
    )


def _all_rulings(history: HandHistory) -> Iterable[Ruling]:
    return (ruling for entry in history.entries for ruling in entry.rulings)


def _ruling_key(ruling: Ruling) -> tuple[str, Verdict, int | None]:
    return ruling.finding, ruling.verdict, ruling.seat


def _build_effect(
    event: AmendmentMade,
    line: int,
    slots: Sequence[_ReplaySlot],
    gone: Sequence[int],
    now: TableState,
    after: TableState,
    history: HandHistory,
    played: HandHistory,
) -> AmendmentEffect:
    main = _find_main_slot(slots, event, line)
    lines = {index: _build_line_change(slot, now, after, played) for index, slot in enumerate(slots) if slot.is_changed}
    removed = {slot.line for slot in slots if slot.event is None and slot is not slots[main]}
    still = Counter(ruling.finding for ruling in _all_rulings(played))
    no_more: list[str] = []
    for ruling in _all_rulings(history):
        if still[ruling.finding]:
            still[ruling.finding] -= 1
        else:
            no_more.append(ruling.finding)
    return AmendmentEffect(
        lines.pop(main),
        dropped_lines=tuple(sorted({*removed, *gone})),
        chip_change_by_seat=_chip_change_by_seat(now, after),
        lapsed_findings=tuple(no_more),
        withdrawn_rulings=_find_missing_rulings(history, played),
        before_line=None if event.before_line == line else event.before_line,
        resulting_act=_find_resulting_act(slots[main], played),
        further_changes=tuple(lines.values()),
    )


def _find_main_slot(slots: Sequence[_ReplaySlot], event: AmendmentMade, line: int) -> int:
    """Which slot is the one that the amendment names first."""
    if event.line is None:
        return next(i for i, slot in enumerate(slots) if slot.line == line and slot.event is event.corrected)
    return next(i for i, slot in enumerate(slots) if slot.is_changed and slot.line == event.line)


def _build_line_change(slot: _ReplaySlot, now: TableState, after: TableState, played: HandHistory) -> LineChange:
    hidden = _is_card_hidden(slot, now, after, played)
    return LineChange(
        slot.line,
        None if slot.original is None else _render_entry(slot.original.event, hidden),
        None if slot.event is None else _render_entry(slot.event, hidden),
        is_card_public=_is_card_public(slot, now, after, played),
    )


def _find_resulting_act(slot: _ReplaySlot, played: HandHistory) -> SeatActed | None:
    """What chips and words of a seat came to."""
    event = slot.event
    if not isinstance(event, ChipMotion):
        return None
    facts = next((each.facts for each in played.entries if each.line == slot.line and each.event == event), ())
    return next((fact for fact in facts if isinstance(fact, SeatActed) and fact.seat == event.seat), None)


def _is_card_hidden(slot: _ReplaySlot, now: TableState, after: TableState, played: HandHistory) -> bool:
    """Whether the card of which a change speaks lies face down."""
    return any(
        isinstance(event, Report) or (isinstance(event, CardDealt) and _find_open_card(*lying) is None)
        for event, lying in _list_named_cards(slot, now, after, played)
    )


def _is_card_public(slot: _ReplaySlot, now: TableState, after: TableState, played: HandHistory) -> bool:
    """Whether everybody may know by now the card of which a change speaks: nobody need only say that it lies open."""
    for event, lying in _list_named_cards(slot, now, after, played):
        if isinstance(event, (Report, StepConfirmed, CardDetected)):
            return False
        if isinstance(event, CardDealt):
            found = _find_open_card(*lying)
            if found is None or not found.is_known:
                return False
    return True


def _list_named_cards(
    slot: _ReplaySlot, now: TableState, after: TableState, played: HandHistory
) -> list[tuple[Entry, tuple[TableState, int]]]:
    """What a slot held and holds, each with the table and the number of the card of which it speaks."""
    serial = next((number for number, line in played.find_card_lines().items() if line == slot.line), 0)
    held = [] if slot.original is None else [(slot.original.event, (now, slot.original.last_serial))]
    return held if slot.event is None else [*held, (slot.event, (after, serial))]


def _find_open_card(state: TableState, serial: int) -> PlacedCard | None:
    """The card with this number, where it lies open."""
    if state.hand is None:
        return None
    piles = state.hand.cards.piles.cards_by_place.values()
    return next((lying for pile in piles for lying in pile if lying.serial == serial and lying.is_face_up), None)


def _render_entry(event: Event, hidden: bool) -> dict[str, Any]:
    line = script_lines.format_line(replace(event, time_s=None))
    if hidden:
        line.pop("card", None)
    return line


def _chip_change_by_seat(now: TableState, after: TableState) -> dict[int, int]:
    """What each stack has more or less than before."""
    if not now.setup.tracks_amounts:
        return {}
    was, is_ = outcome_rendering.render_money(now)["stacks"], outcome_rendering.render_money(after)["stacks"]
    seats = sorted({*was, *is_}, key=int)
    return {int(s): is_.get(s, 0) - was.get(s, 0) for s in seats if is_.get(s, 0) != was.get(s, 0)}

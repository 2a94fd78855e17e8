"""The alarm on repeated questions: cards are named, or reports taken back, more often in a hand than a person would.

Whoever names a card that nobody sees, or reports something and takes it back, may want to know what the table answers.
Once or twice is a slip. So questions are counted: at `limit` of them the fault `repeated-questions` stands on the pages
of floor and technician and in the room. It stops nothing: nobody holds up play by asking.

They are counted for the table and not by name, so that a second name, another page or a key of the panel does not begin
anew; whoever has not signed in is one person with everybody else who has not. Refused ones count, too: they are asked
as well. Each hand that begins takes one question off, so that two a hand do not go unseen for an evening.

The count is a record of the journal, `questions`, with each question and each word that it was looked into. So no
undo, amendment, start or file of the next day takes it away. That word is somebody else's than who asked: where the
floor asked, the technician's.
"""

import logging
from collections.abc import Iterator
from dataclasses import dataclass, replace

from controller.core.engine.amendments.hand_history import AcceptedEntry, HandHistory
from controller.core.engine.table import Table
from controller.core.model.table_state import TableState
from controller.core.protocol.events import (
    EVENT_NAME_BY_CLASS,
    AmendmentMade,
    DeviceChanged,
    EntryUndone,
    Event,
    FloorDecided,
    HandTabled,
    Report,
    StepConfirmed,
)
from controller.core.protocol.facts import EntryAmended, EntryTakenBack
from controller.core.protocol.steps import QuestionStep, ShowStep, Step
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import DeviceChange
from controller.runtime.faults.fault_latches import FaultStatus
from controller.runtime.faults.fault_table import FAULTS, FLOOR, TECHNICIAN
from controller.runtime.journal.journal import Journal
from controller.runtime.loop.processed_entry import ProcessedEntry
from controller.runtime.staff.entry_signature import Signer

RECORD_KIND = "questions"
"""The kind of the journal's records."""

REPEATED_QUESTIONS = FAULTS["repeated-questions"]

DEFAULT_QUESTION_LIMIT = 3
"""So many questions raise the alarm. Of 477 written stories of what goes wrong at a table none has more than one."""

MAX_RECORDED_QUESTIONS = 32
"""So many questions are written down one by one; of more only each doubling is, so that nobody fills the disk."""

MAX_ASKERS = 16
"""So many people are kept by name. More count as the floor, whatever they are."""

NOBODY = ("", "")
"""Whoever has not signed in, as name and role."""
MANY_ASKERS = ("…", FLOOR)

NAMING_EVENTS = (HandTabled, Report, StepConfirmed)
"""Entries with which a person can say which card something is."""

TELLING_EVENTS = (*NAMING_EVENTS, FloorDecided)
"""Entries that tell something of a card, or have it told, and may be taken back for that."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class QuestionCount:
    """How many questions stand at a table in hand `hand`, who asked them, and whether the alarm is up.

    `askers`: name and role of each, since the count was nothing or somebody looked into it.
    """

    hand: int = 0
    count: int = 0
    askers: tuple[tuple[str, str], ...] = ()
    is_up: bool = False

    def begin_hand(self, hand: int) -> "QuestionCount":
        """Take one question off for each hand that has begun; a hand that begins again is not another one."""
        if hand <= self.hand:
            return self
        count = max(0, self.count - (hand - self.hand))
        return QuestionCount(hand, count, self.askers if count or self.is_up else (), self.is_up)

    def add(self, asker: tuple[str, str], limit: int) -> "QuestionCount":
        """Count one question more."""
        askers = self.askers if asker in self.askers else (*self.askers, asker)
        if len(askers) > MAX_ASKERS:
            askers = (*askers[: MAX_ASKERS - 1], MANY_ASKERS)
        return replace(self, count=self.count + 1, askers=askers, is_up=self.is_up or self.count + 1 >= limit)


class QuestionAlarm:
    """Counts the questions of one table, and says who may say that they were looked into.

    `limit`: so many raise the alarm. `anybody`: at a simulated table everybody in the room has every role.
    """

    def __init__(self, table: Table, journal: Journal, limit: int, *, anybody: bool) -> None:
        self._journal = journal
        self._limit = limit
        self._anybody_can_clear = anybody
        self._history = table.history
        self._question_count = self._read_count().begin_hand(table.outcome.state.hand_count)

    @property
    def faults(self) -> tuple[FaultStatus, ...]:
        """The fault, while it is up, with who may say that it was looked into."""
        count = self._question_count
        if not count.is_up:
            return ()
        status = FaultStatus.from_fault(REPEATED_QUESTIONS)
        return (replace(status, clears=self._list_clearing_roles(), people=count.askers),)

    def find_refusal(self, event: Event, by: Signer | None) -> Refused | None:
        """Say why `by` cannot say that the questions were looked into; `None` where they can, or say something else."""
        if not is_clearance(event):
            return None
        if not self._question_count.is_up:
            return Refused("no-fault", "Only a fault that is up can be said to be over.")
        if self._anybody_can_clear:
            return None
        roles = self._list_clearing_roles()
        if by is None or by.get("role") not in roles:
            return Refused("fault-role", f"Only the {' or the '.join(roles)} may say that this is over.")
        if str(by.get("name")) in [name for name, _ in self._question_count.askers]:
            return Refused("own-questions", "Whoever asked does not say that it was looked into: somebody else does.")
        return None

    def on_entry(self, processed: ProcessedEntry) -> None:
        """Count an entry that the table took or refused; raises `DatabaseError`."""
        before, self._history = self._history, processed.history
        state, event = processed.outcome.state, processed.event
        self._question_count = self._question_count.begin_hand(state.hand_count)
        if processed.error is not None:
            self._count_refused(event, processed.told, state, processed.signer, processed.error)
        elif is_clearance(event):
            self._record_clearance(processed.signer)
        elif state.setup.sensors and _is_question(processed, before):
            self._add(_describe(processed.told), processed.signer)

    def on_entry_refused(self, event: Event, by: Signer | None, refused: Refused, state: TableState) -> None:
        """Count what a person entered and nobody took; raises `DatabaseError`."""
        self._count_refused(event, event, state, by, refused)

    def _count_refused(self, event: Event, told: Event, state: TableState, by: Signer | None, refused: Refused) -> None:
        targets = _list_targets(event, self._history)
        if state.setup.sensors and (
            _can_ask(told) or _can_ask(event) or any(isinstance(each.event, TELLING_EVENTS) for each in targets)
        ):
            self._add(_describe(told), by, refused.code)

    def _add(self, what: str, by: Signer | None, refused: str | None = None) -> None:
        was = self._question_count
        asker = NOBODY if by is None else (str(by.get("name", "")), str(by.get("role", "")))
        self._question_count = now = was.add(asker, self._limit)
        is_news = now.is_up is not was.is_up or now.askers != was.askers
        if is_news or now.count <= MAX_RECORDED_QUESTIONS or not now.count & (now.count - 1):
            self._write_record(what, asker, {} if refused is None else {"refused": refused})
        if now.is_up and not was.is_up:
            log.warning("repeated questions in hand %d: %d", now.hand, now.count)

    def _record_clearance(self, by: Signer | None) -> None:
        asker = NOBODY if by is None else (str(by.get("name", "")), str(by.get("role", "")))
        self._question_count = QuestionCount(self._question_count.hand)
        self._write_record("cleared", asker, {})

    def _write_record(self, what: str, by: tuple[str, str], more: dict[str, str]) -> None:
        now = self._question_count
        body = {"hand": now.hand, "count": now.count, "askers": [list(each) for each in now.askers], "up": now.is_up}
        self._journal.append_note(RECORD_KIND, body | {"what": what, "by": {"name": by[0], "role": by[1]}} | more)

    def _read_count(self) -> QuestionCount:
        """The count as the journal left it; a session that began since begins its hands anew."""
        begun = False
        for record in self._journal.read_newest_records(RECORD_KIND, "session"):
            body = record.parse_body()
            if record.kind == RECORD_KIND:
                askers = tuple((str(name), str(role)) for name, role in body["askers"])
                return QuestionCount(0 if begun else body["hand"], body["count"], askers, body["up"])
            begun = begun or "continued" not in body
        return QuestionCount()

    def _list_clearing_roles(self) -> tuple[str, ...]:
        """Where the floor asked, the floor does not say that it was looked into."""
        return (TECHNICIAN,) if any(role == FLOOR for _, role in self._question_count.askers) else (FLOOR, TECHNICIAN)


def is_clearance(event: Event) -> bool:
    """Whether somebody says with it that the questions were looked into."""
    return (
        isinstance(event, DeviceChanged)
        and event.device_id == REPEATED_QUESTIONS.device_id
        and event.change is DeviceChange.BACK
    )


def _is_question(processed: ProcessedEntry, before: HandHistory) -> bool:
    """Whether an entry that was taken names a card for which nobody asked, or takes back what was no question yet."""
    event, outcome, now = processed.event, processed.outcome, processed.history.entries
    if outcome.has_fact(EntryAmended):
        return _can_ask(event) or any(_has_told_uncounted(each) for each in _list_targets(event, before))
    if outcome.has_fact(EntryTakenBack):
        standing = {each.line for each in now}
        return any(_has_told_uncounted(each) for each in before.entries if each.line not in standing)
    return (
        _names_card(event) and now[-1].line == processed.entry_number and not _is_asked_for(event, now[-1].plan_before)
    )


def _has_told_uncounted(entry: AcceptedEntry) -> bool:
    """Whether an entry that is taken back told something, and was not counted when it was made."""
    event = entry.event
    return isinstance(event, TELLING_EVENTS) and (not _names_card(event) or _is_asked_for(event, entry.plan_before))


def _can_ask(event: Event) -> bool:
    """Whether a report, or what names a card, is entered or put in the place of something."""
    if isinstance(event, AmendmentMade):
        return any(isinstance(each, TELLING_EVENTS) or list_cards(each) for each in _iterate_corrected(event))
    return isinstance(event, Report) or _names_card(event)


def _list_targets(event: Event, history: HandHistory) -> list[AcceptedEntry]:
    """What `undo` or an amendment would take back, or put otherwise."""
    match event:
        case EntryUndone():
            return list(history.entries[-1:])
        case AmendmentMade():
            lines = {event.line, *event.dropped_lines, *(each.line for each in event.further_changes)}
            return [each for each in history.entries if each.line in lines]
        case _:
            return []


def _iterate_corrected(event: AmendmentMade) -> Iterator[Event]:
    yield from (each for each in (event.corrected, *(change.corrected for change in event.further_changes)) if each)


def _names_card(event: Event) -> bool:
    """Whether a person says with it which card something is."""
    return isinstance(event, NAMING_EVENTS) and bool(list_cards(event))


def list_cards(event: Event) -> tuple[str, ...]:
    """The cards that a line names."""
    card: str | None = getattr(event, "card", None)
    return (*([] if card is None else [card]), *getattr(event, "cards", ()))


def _is_asked_for(event: Event, plan: tuple[Step, ...]) -> bool:
    """Whether the table itself waits for the name: of a card that it could not read, of a hand that is to be shown."""
    match event:
        case Report():
            return any(isinstance(step, QuestionStep) and event.kind.value in step.options for step in plan)
        case HandTabled():
            return any(isinstance(step, ShowStep) and step.seat == event.seat for step in plan)
        case _:
            return False


def _describe(event: Event) -> str:
    """Say what was entered, without what is said in it."""
    word = EVENT_NAME_BY_CLASS[type(event)]
    return f"{word} {event.kind.value}" if isinstance(event, Report) else word

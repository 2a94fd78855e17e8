"""Rebuilding a table from its journal, and proving that a journal tells the truth.

Both take the same road as the live table: the recorded events, in order, through `Table.handle`.
"""

import hashlib
import json
import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from operator import itemgetter

from controller.core.engine.table import Table
from controller.core.model.outcome import Outcome
from controller.core.model.setup import AnyEvent, Setup, TableOpened
from controller.core.model.table_memory import TableMemory, is_same_at_rest, make_resting_memory
from controller.core.protocol import script_lines
from controller.core.protocol.events import DeviceChanged, TimePassed
from controller.core.protocol.facts import EntryAmended
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import DeviceChange
from controller.runtime.journal.entry_result import (
    INTERNAL_FAULT_CODE,
    EntryResult,
    handle_entry,
    list_shown_rulings,
    make_failed_result,
)
from controller.runtime.journal.journal_reader import JournalEntry, JournalReader, JournalSession
from controller.runtime.journal.proof.chain import BadRecordError
from controller.runtime.journal.proof.output_digest import DigestMatch, compare_digest
from controller.runtime.journal.recovery.snapshot import (
    SNAPSHOT_FILE,
    SNAPSHOT_VERSION,
    RestingTable,
    Snapshot,
    SnapshotError,
    from_text,
    parse_snapshot,
    to_text,
)
from controller.runtime.journal.recovery.unnamed_duplicates import UnnamedDuplicates
from controller.runtime.journal.sealing.hand_reader import (
    HandKeyFinder,
    HandReader,
    StandInClashError,
    UnsealedHand,
    find_no_key,
    list_said_aliases,
    read_hands,
    replace_line,
)
from controller.runtime.storage.sqlite_database import DatabaseError

MAX_VERIFIED_ENTRIES = 500
"""How many of the last entries are compared with their record at a start. A table that came to stand otherwise than it
did would show in them; to compare all takes twice as long, and is what `compare_with_replay` is for."""

PROGRESS_INTERVAL_ENTRIES = 1000
"""After so many entries, a fraction of a second, whoever waits is told how far it is."""

UNKNOWN_LINE_REFUSAL = Refused(
    "unknown-line", "another program wrote this entry, with words that this one does not know."
)

VOID_HAND_ADVICE = "give the hand up with --void-hand, which keeps everybody's chips as they were before it"

log = logging.getLogger(__name__)

ProgressReporter = Callable[[int, int], None]
"""Takes the number of the entry that was played again, and that of the last."""


def ignore_progress(_played: int, _last: int) -> None:
    """Tell nobody."""


TableOpener = Callable[[Mapping[str, object]], TableOpened]
"""Turns a `table` line into its event, looking up rulebook and game; `config.table_line.parse_table_line`."""

EARLIER_TABLE_DEFAULTS: Mapping[str, object] = {"discards": "first"}
"""What a recorded `table` line means by a key that it lacks: it is older than the key, which every live table says."""


class RecoveryError(Exception):
    """The journal cannot be taken up; the message names the entry and says what to do."""


@dataclass(slots=True)
class RecoveredTable:
    """A table as its journal leaves it."""

    table: Table
    entry_count: int = 0
    table_time_s: float = 0.0
    """The table's time, in seconds, at the last entry."""
    last_result: EntryResult | None = None
    rulings: tuple[Mapping[str, object], ...] = ()
    rulings_hand: int = 0
    """The number of the hand in which the last rulings were made."""
    lost_devices: set[str] = field(default_factory=set)
    """Devices that were lost at the end."""
    last_idle_entry: int = 0
    """The last entry after which no hand was in progress."""
    unsealed_hand: UnsealedHand = field(default_factory=UnsealedHand)
    """What the journal hides of the last hand."""
    doubtful_entry: int | None = None
    """An entry between whose outcome and its record chips or cards differ, no hand being in progress any more."""
    is_taken_at_rest: bool = False
    """It is the table at rest of the snapshot: what was entered before it was not, or not any more, what led to it."""
    base: tuple[int, Outcome] | None = None
    """The entry from whose outcome a start can play again all that can be amended or taken back now."""
    idle_outcomes: dict[int, Outcome] = field(default_factory=dict)
    """Entry -> its outcome, no hand being in progress: of these comes the next base."""

    def add_entry(self, event: AnyEvent, given: EntryResult, t: float) -> None:
        """Take an entry, what the table answered, and the table's time after it."""
        self.entry_count += 1
        self.table_time_s, self.last_result = t, given
        if isinstance(event, DeviceChanged) and event.change is DeviceChange.LOST:
            self.lost_devices.add(event.device_id)
        if isinstance(event, DeviceChanged) and event.change is DeviceChange.BACK:
            self.lost_devices.discard(event.device_id)
        if given.error is None and given.outcome.has_fact(EntryAmended) and self.base is not None:
            # Behind an amendment that is taken back again the table begins anew to be what it was: nothing after the
            # base is where a start could begin to play all of it.
            self.idle_outcomes = {line: one for line, one in self.idle_outcomes.items() if line <= self.base[0]}
        if given.error is None and not given.outcome.state.is_hand_on:
            self.idle_outcomes[given.entry_number] = given.outcome
            self._move_base()

    def _move_base(self) -> None:
        """Take what the oldest history begins with for base, as long as that is how the table stood after an entry.

        The end of a hand that was amended later is not: then the base stays where it was, and more is played again.
        """
        oldest = self.table.histories[0]
        outcome = self.idle_outcomes.get(oldest.base_line)
        is_new = self.base is None or oldest.base_line > self.base[0]
        if is_new and outcome is not None and outcome.state is oldest.base_state:
            self.base = (oldest.base_line, outcome)
            self.idle_outcomes = {line: one for line, one in self.idle_outcomes.items() if line >= oldest.base_line}


def parse_event(entry: JournalEntry, line: Mapping[str, object], open_table: TableOpener) -> AnyEvent:
    """Read the event of an entry; raises `RecoveryError`, which quotes nothing of it: it may be a card."""
    try:
        return (
            open_table({**EARLIER_TABLE_DEFAULTS, **line})
            if line.get("ev") == "table"
            else script_lines.parse_line(line)
        )
    except (ValueError, AttributeError, Refused) as why:
        kind = why.code if isinstance(why, Refused) else "no line of the table script"
        raise _make_unreadable_error(entry, kind) from None


def replay_session(
    archive: JournalReader, session: JournalSession, open_table: TableOpener, keys: HandKeyFinder = find_no_key
) -> Iterator[tuple[JournalEntry, AnyEvent, EntryResult, Table]]:
    """Play a session again, entry by entry; in the line of each entry, cards that are not known are `None`."""
    return (
        (entry, event, given, table)
        for entry, event, given, table, _ in _replay_from(archive, session, open_table, keys)
    )


def _replay_from(
    archive: JournalReader,
    session: JournalSession,
    open_table: TableOpener,
    keys: HandKeyFinder,
    begun: RecoveredTable | None = None,
    start: int = 0,
    *,
    tolerant: bool = False,
) -> Iterator[tuple[JournalEntry, AnyEvent, EntryResult, Table, UnsealedHand]]:
    if begun is None:
        begun = _restore_session_start(archive, session, open_table)
    table, given = (Table(), None) if begun is None else (begun.table, begun.last_result)
    after = 0 if given is None else given.entry_number
    taken_up = None if session.snapshot_text is None else session.last_entry_before + 1
    for reader, entries in read_hands(archive, session, keys, start, after):
        hand = replay_hand(reader, entries, (table, given), open_table, taken_up, tolerant=tolerant)
        for entry, event, given, table in hand:
            yield entry, event, given, table, reader.unsealed_hand


def replay_hand(
    reader: HandReader,
    entries: list[JournalEntry],
    begun: tuple[Table, EntryResult | None],
    open_table: TableOpener,
    taken_up: int | None = None,
    *,
    tolerant: bool = False,
) -> Iterator[tuple[JournalEntry, AnyEvent, EntryResult, Table]]:
    """Play the entries of one hand again, from a table and what it answered last.

    `taken_up`: the entry of the line with which a session went on. `tolerant`: an entry that this program does not know
    is passed over. Where cards clash that only stand in for others, or a hand that was amended or has a name that was
    said is not answered as it was, what was played of the hand is played again with others: so the table that is
    yielded may be another than the one before.
    """
    table, given = begun
    at = None if given is None or not reader.has_unknown_cards else table.copy()
    is_doubtful = False
    for number, entry in enumerate(entries):
        try:
            line = json.loads(entry.script_line)
            told = reader.fill_in_known_cards(line)
            is_doubtful = is_doubtful or line["ev"] == "amend" or bool(list_said_aliases(line))
            step = _replay_entry(reader, entry, line, (table, given), open_table, taken_up, tolerant=tolerant)
            while step is None or (
                is_doubtful and not _is_as_recorded(entry, step[1]) and reader.choose_other_stand_ins(line)
            ):
                reader.restart()
                table, given = Table() if at is None else at.copy(), begun[1]
                before = replay_hand(reader, entries[:number], (table, given), open_table, taken_up, tolerant=tolerant)
                for _, _, answered, so_far in before:
                    table, given = so_far, answered
                step = _replay_entry(reader, entry, line, (table, given), open_table, taken_up, tolerant=tolerant)
        except (ValueError, AttributeError, KeyError, TypeError):
            raise _make_unreadable_error(entry, "no line of the table script") from None
        event, given = step
        yield entry if given.error is UNKNOWN_LINE_REFUSAL else replace_line(entry, told), event, given, table


def _replay_entry(
    reader: HandReader,
    entry: JournalEntry,
    line: dict[str, object],
    begun: tuple[Table, EntryResult | None],
    open_table: TableOpener,
    taken_up: int | None,
    *,
    tolerant: bool,
) -> tuple[AnyEvent, EntryResult] | None:
    """Play one entry again; `None` where a card of it stands in for another."""
    table, given = begun
    try:
        opened = reader.open_next_line(line, None if given is None else given.outcome.state)
    except StandInClashError:
        return None
    try:
        event = parse_event(entry, opened, open_table)
    except RecoveryError:
        if not tolerant or given is None:
            raise
        return TimePassed(), EntryResult(entry.number, table.outcome, UNKNOWN_LINE_REFUSAL)
    if entry.number == taken_up:
        return event, EntryResult(entry.number, table.outcome, None)
    return event, make_failed_result(
        table, entry.number
    ) if entry.refusal_code == INTERNAL_FAULT_CODE else handle_entry(table, event, entry.number)


def _is_as_recorded(entry: JournalEntry, given: EntryResult) -> bool:
    return entry.digest is None or compare_digest(entry.digest, given.to_output_line()) is DigestMatch.SAME


def _make_unreadable_error(entry: JournalEntry, kind: str) -> RecoveryError:
    return RecoveryError(
        f"entry {entry.number} of the journal cannot be read any more ({kind}): the file is damaged, or another "
        "program wrote it; keep it for the technician and start with --new-session"
    )


def recover_table(
    journal: JournalReader,
    session: JournalSession,
    open_table: TableOpener,
    keys: HandKeyFinder = find_no_key,
    progress: ProgressReporter = ignore_progress,
) -> RecoveredTable:
    """Rebuild the table of a session; a hand that is on needs its key.

    Another program may have written the entries. Raises `RecoveryError` when chips or cards of the hand that is on now
    stand otherwise than was recorded: then either the journal or the program is not what it was, and the table must not
    act on it. Between hands it starts, and says which entry is `doubtful`.
    """
    found: RecoveredTable | None = None
    differs: int | None = None
    for found, entry, given in _follow_session(journal, session, open_table, keys, progress):
        goes_on = session.snapshot_text is not None and entry.number == session.last_entry_before + 1
        verified = goes_on or entry.number > journal.last_entry_number - MAX_VERIFIED_ENTRIES
        match = (
            compare_digest(entry.digest, given.to_output_line())
            if verified and entry.digest is not None
            else DigestMatch.SAME
        )
        if match is DigestMatch.OTHER_PLAY:
            log.warning("entry %d is answered otherwise than by the program that recorded it", entry.number)
        if match is DigestMatch.OTHER_STAKES or given.error is UNKNOWN_LINE_REFUSAL:
            differs = differs or entry.number
        if found.last_idle_entry == entry.number:
            found.doubtful_entry, differs = differs or found.doubtful_entry, None
    if found is None or found.last_result is None:
        raise RecoveryError(f"session {session.number} of the journal has no entry; start with --new-session")
    if differs is not None and found.last_idle_entry != found.last_result.entry_number:
        raise RecoveryError(
            f"entry {differs} of the journal gives another outcome than was recorded, and a hand is being played: "
            f"start the program that it was begun with and finish the hand, or {VOID_HAND_ADVICE}"
        )
    if _has_guessed_cards(found.table, found.unsealed_hand):
        raise RecoveryError(
            "a hand is being played and hand.key, which opens its cards, is missing or not of this hand: put it back, "
            f"or {VOID_HAND_ADVICE}"
        )
    return found


def find_last_idle_snapshot(
    journal: JournalReader,
    session: JournalSession,
    open_table: TableOpener,
    progress: ProgressReporter = ignore_progress,
) -> Snapshot:
    """How the table of a session stood when last no hand was in progress; raises `RecoveryError`."""
    return _find_last_idle(session, _follow_session(journal, session, open_table, find_no_key, progress))


def _find_last_idle(
    session: JournalSession, followed: Iterator[tuple[RecoveredTable, JournalEntry, EntryResult]]
) -> Snapshot:
    left: Snapshot | None = None
    for found, entry, _given in followed:
        if found.last_idle_entry == entry.number:
            left = make_idle_snapshot(found)
    if left is None:
        raise RecoveryError(f"session {session.number} of the journal has no entry; start with --new-session")
    return left


def _follow_session(
    journal: JournalReader,
    session: JournalSession,
    open_table: TableOpener,
    keys: HandKeyFinder,
    progress: ProgressReporter,
) -> Iterator[tuple[RecoveredTable, JournalEntry, EntryResult]]:
    """Follow a session to its end, from its last snapshot on: the table after each entry.

    It is the same object always, but for the table at rest that the snapshot has, which comes for the one before where
    the entries up to there cannot be read, or do not lead to it.
    """
    kept = _load_snapshot(journal, session, open_table)
    if kept is None:
        yield from _follow_from(journal, session, open_table, keys, None, 0, progress)
        return
    rest, why = kept.rest, "what was entered before cannot be read or played any more"
    try:
        for found, entry, given in _follow_snapshot(journal, session, open_table, keys, kept, progress):
            if rest is not None and entry.number == rest.entry:
                is_same = is_same_at_rest(given.outcome.state, rest.memory.state)
                if not is_same and not _reaches_behind_rest(journal, session, open_table, keys, kept):
                    why = "what was entered before leads to another table now"
                    break
                rest = None
            yield found, entry, given
    except (DatabaseError, RecoveryError):
        if rest is None:
            raise
    if rest is None:
        return
    log.warning("the table is taken up at rest after entry %d: %s", rest.entry, why)
    for found, entry, given in _follow_snapshot(journal, session, open_table, keys, _take_rest(kept), progress):
        if entry.number == rest.entry:
            found.is_taken_at_rest, found.doubtful_entry = True, rest.entry
        yield found, entry, given


def _take_rest(kept: Snapshot) -> Snapshot:
    """The table at rest that a snapshot has, as a snapshot of its own."""
    assert kept.rest is not None
    return replace(kept, entry=kept.rest.entry, memory=kept.rest.memory, rest=None)


def _reaches_behind_rest(
    journal: JournalReader, session: JournalSession, open_table: TableOpener, keys: HandKeyFinder, kept: Snapshot
) -> bool:
    """Whether something was taken after the table rested, before the next hand, that it refuses from there.

    An `undo` or an amendment of the hand before, or what was entered after such a one. The last entry before the power
    went, of which nobody knows, counts as taken.
    """
    resting = _take_rest(kept)
    return any(
        given.error is not None and entry.refusal_code is None
        for _, entry, given in _follow_snapshot(journal, session, open_table, keys, resting, ignore_progress)
        if given.outcome.state.hand_count == resting.memory.state.hand_count
    )


def _follow_snapshot(
    journal: JournalReader,
    session: JournalSession,
    open_table: TableOpener,
    keys: HandKeyFinder,
    kept: Snapshot,
    progress: ProgressReporter,
) -> Iterator[tuple[RecoveredTable, JournalEntry, EntryResult]]:
    """Follow a session from a snapshot of it on; raises `DatabaseError` and `RecoveryError`."""
    found = restore_from_snapshot(kept, kept.entry, kept.entry - session.last_entry_before)
    start = _find_record_before(journal, session, kept.entry)
    return _follow_from(journal, session, open_table, keys, found, start, progress)


def _follow_from(
    journal: JournalReader,
    session: JournalSession,
    open_table: TableOpener,
    keys: HandKeyFinder,
    found: RecoveredTable | None,
    start: int,
    progress: ProgressReporter,
) -> Iterator[tuple[RecoveredTable, JournalEntry, EntryResult]]:
    """Follow a session to its end, from the table `found` and record `start` on; `found` comes first, by itself."""
    found = found or _restore_session_start(journal, session, open_table, progress)
    if found is not None and found.last_result is not None:
        number = found.last_result.entry_number
        yield found, JournalEntry(number, session.number, 0, "", "", "", None, None), found.last_result
    replayed = _replay_from(journal, session, open_table, keys, found, start, tolerant=True)
    for played, (entry, event, given, table, hand) in enumerate(replayed, 1):
        found = found or RecoveredTable(table)
        found.table, found.unsealed_hand = table, hand
        found.add_entry(event, given, max(found.table_time_s, event.time_s or 0.0))
        if given.outcome.rulings and given.error is None and entry.number > session.last_entry_before + 1:
            found.rulings = list_shown_rulings(given.to_output_line())
            found.rulings_hand = given.outcome.state.hand_count
        if not given.outcome.state.is_hand_on:
            found.last_idle_entry = entry.number
        if not played % PROGRESS_INTERVAL_ENTRIES:
            progress(entry.number, journal.last_entry_number)
        yield found, entry, given


def make_snapshot(recovered: RecoveredTable) -> Snapshot:
    """What a start needs, with the entries since, to have a table as it stands; raises `SnapshotError`.

    Beside the table it has what is so now, which the entries since lead to again, and the table at rest now.
    """
    kept = make_base_snapshot(recovered)
    entry, outcome = max(recovered.idle_outcomes.items(), key=itemgetter(0))
    return kept if entry == kept.entry else replace(kept, rest=RestingTable(entry, make_resting_memory(outcome)))


def make_base_snapshot(recovered: RecoveredTable) -> Snapshot:
    """A table as it stood where its base is; raises `SnapshotError`."""
    if recovered.base is None:
        raise SnapshotError("the table cannot be written down (it has not begun)")
    return _make_snapshot(recovered, *recovered.base)


def make_idle_snapshot(recovered: RecoveredTable) -> Snapshot:
    """A table between two hands as it stands, which takes nothing back."""
    last = recovered.last_result
    return _make_snapshot(recovered, 0 if last is None else last.entry_number, recovered.table.outcome)


def _make_snapshot(recovered: RecoveredTable, line: int, outcome: Outcome) -> Snapshot:
    return Snapshot(
        line,
        TableMemory(outcome.state, outcome.rulings),
        recovered.table_time_s,
        recovered.rulings,
        recovered.rulings_hand,
        frozenset(recovered.lost_devices),
    )


def _load_snapshot(journal: JournalReader, session: JournalSession, open_table: TableOpener) -> Snapshot | None:
    """The last snapshot of a session; nothing where it cannot be used."""
    record = next(journal.read_newest_records("snapshot"), None)
    if record is None:
        return None
    try:
        body = record.parse_body()
        if body["session"] != session.number:
            return None
        if body["version"] != SNAPSHOT_VERSION:
            raise SnapshotError("it is of another form")
        data = (journal.path.parent / SNAPSHOT_FILE).read_bytes()
        if hashlib.sha256(data).hexdigest() != body["sha256"]:
            raise SnapshotError("it is not the one that was recorded")
        return parse_snapshot(data, load_setup(session, open_table))
    except (OSError, BadRecordError, SnapshotError, KeyError, ValueError, Refused) as why:
        said = why.strerror if isinstance(why, OSError) else why if isinstance(why, SnapshotError) else "it is damaged"
        log.warning("the snapshot is not used (%s): the session is played again", said)
        return None


def _find_record_before(journal: JournalReader, session: JournalSession, entry: int) -> int:
    """A record of the session from which on all is to be found that was entered after `entry`, and little else."""
    bodies = ((record.number, record.parse_body()) for record in journal.read_newest_records("snapshot"))
    ours = ((number, body["entry"]) for number, body in bodies if body["session"] == session.number)
    return next((number for number, last in ours if last <= entry), 0)


def restore_from_snapshot(kept: Snapshot, line: int, entry_count: int) -> RecoveredTable:
    """A table as a snapshot has it, after line `line`, the last of so many entries of its session."""
    table = Table.from_memory(kept.memory, line)
    given = EntryResult(line, table.outcome, None)
    return RecoveredTable(
        table, entry_count, kept.table_time_s, given, kept.rulings, kept.rulings_hand, set(kept.lost_devices), line,
        base=(line, table.outcome), idle_outcomes={line: table.outcome},
    )  # fmt: skip


def take_up(left: Snapshot, setup: Setup, line: int) -> RecoveredTable:
    """The table from which a session goes on after entry `line`, as another session left it, under its own set-up.

    Raises `SnapshotError`.
    """
    return restore_from_snapshot(from_text(to_text(left), setup), line, 0)


def take_up_recorded(session: JournalSession, open_table: TableOpener) -> RecoveredTable | None:
    """The table from which a session goes on, before its first entry; nothing where it begins with its line alone.

    Raises `SnapshotError` where this program does not read what was recorded.
    """
    if session.snapshot_text is None:
        return None
    kept = from_text(session.snapshot_text, load_setup(session, open_table))
    return restore_from_snapshot(kept, session.last_entry_before, 0)


def _restore_session_start(
    journal: JournalReader,
    session: JournalSession,
    open_table: TableOpener,
    progress: ProgressReporter = ignore_progress,
) -> RecoveredTable | None:
    """The table before the first entry of a session; nothing where it begins with its line alone.

    What a program of another form recorded is not read: the sessions before are played again. Raises `RecoveryError`.
    """
    following: list[JournalSession] = []
    earlier = [session]
    while earlier:
        one = earlier.pop()
        try:
            begun = take_up_recorded(one, open_table)
            break
        except SnapshotError as why:
            log.warning("session %d cannot be taken up (%s): the one before it is played again", one.number, why)
            earlier = earlier or [each for each in journal.list_sessions() if each.number < one.number]
            following.append(one)
    else:
        raise RecoveryError(f"session {session.number} of the journal goes on from one that is not there")
    while following:
        left = _find_last_idle(one, _follow_from(journal, one, open_table, find_no_key, begun, 0, progress))
        one = following.pop()
        begun = take_up(left, load_setup(one, open_table), one.last_entry_before)
    return begun


def load_setup(session: JournalSession, open_table: TableOpener) -> Setup:
    """The set-up with which a session was begun."""
    live = {"live": True} if "live" in session.header else {}
    return open_table({**EARLIER_TABLE_DEFAULTS, **json.loads(session.header["table"]), **live, "t": 0.0}).setup


def _has_guessed_cards(table: Table, hand: UnsealedHand) -> bool:
    """Whether a card of the hand in play is one that only stands in for it."""
    playing = table.outcome.state.hand
    if playing is None or not table.outcome.state.is_hand_on:
        return False
    guessed = {*hand.stand_in_by_alias.values()}
    return any(lying.card in guessed for pile in playing.cards.piles.cards_by_place.values() for lying in pile)


@dataclass(slots=True)
class ReplayComparison:
    """How a session compares with its replay."""

    entry_count: int = 0
    same_count: int = 0
    unrecorded_count: int = 0
    """Entries without a recorded outcome: the last one before the power went."""
    first_difference: int | None = None


def compare_with_replay(journal: JournalReader, session: JournalSession, open_table: TableOpener) -> ReplayComparison:
    """Play a session again and compare every outcome with the recorded one; raises `RecoveryError`."""
    found = ReplayComparison()
    for entry, _, given, _ in replay_session(journal, session, open_table):
        found.entry_count += 1
        refused = None if given.error is None else given.error.code
        if entry.digest is None:
            found.unrecorded_count += 1
        elif compare_digest(entry.digest, given.to_output_line()) is DigestMatch.SAME and entry.refusal_code == refused:
            found.same_count += 1
        elif found.first_difference is None:
            found.first_difference = entry.number
    return found


def list_releasable_entries(
    journal: JournalReader,
    session: JournalSession,
    open_table: TableOpener,
    keys: HandKeyFinder = find_no_key,
    *,
    live_hand: bool = False,
) -> tuple[list[JournalEntry], int]:
    """Return the entries that may leave the table, and how many are held back because their cards lie face down.

    A card that has no name there says whether it was a duplicate.
    """
    entries: list[JournalEntry] = []
    settled = 0
    duplicates = UnnamedDuplicates()
    for entry, event, given, table in replay_session(journal, session, open_table, keys):
        entries.append(entry if given.error else duplicates.tell_duplicates(entry, event, table.history))
        if not given.outcome.state.is_hand_on:
            settled = len(entries)
    return (entries, 0) if live_hand else (entries[:settled], len(entries) - settled)


def find_session(journal: JournalReader, number: int | None) -> JournalSession:
    """The session of that number, the last one for `None`; raises `RecoveryError` where there is none."""
    sessions = journal.list_sessions()
    if not sessions:
        raise RecoveryError("the journal is empty")
    if number is None:
        return sessions[-1]
    for session in sessions:
        if session.number == number:
            return session
    known = ", ".join(str(session.number) for session in sessions)
    raise RecoveryError(f"there is no session {number}; there are {known}")

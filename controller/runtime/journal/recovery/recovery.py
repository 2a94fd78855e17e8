"""Rebuilding a table from its journal, and proving that a journal tells the truth.

Both take the same road as the live table: the recorded events, in order, through `Table.handle`.
"""

import hashlib
import json
import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from controller.core.engine.display import view
from controller.core.engine.past.history import LONGEST, History
from controller.core.engine.table import Table
from controller.core.model.kept import Kept
from controller.core.model.outcome import Outcome
from controller.core.model.setup import AnyEvent, Opened, Setup
from controller.core.protocol import script
from controller.core.protocol.display import Phase
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Device, Time
from controller.core.protocol.vocabulary import Status
from controller.runtime.journal.archive import Archive, Entry, Session
from controller.runtime.journal.proof.chain import BadRecord
from controller.runtime.journal.proof.digests import Match, compared
from controller.runtime.journal.recovery.snapshot import SNAPSHOT_FILE, Snapshot, SnapshotError, of_text
from controller.runtime.journal.recovery.snapshot import read as read_snapshot
from controller.runtime.journal.sealing.unsealing import Clash, HandReader, Keys, OpenHand, hands_of, no_keys, with_line
from controller.runtime.loop.ruling import FAULT, Answer, answer, failed

VERIFIED = 500
"""How many of the last entries are compared with their record at a start. A table that came to stand otherwise than it
did would show in them; to compare all takes twice as long, and is what `check` is for."""

REACH = 2 * LONGEST
"""So many entries before the last snapshot are played again at most, so that they can be put right. A table has more
since the end of its last hand only where most were refused or taken back."""

PROGRESS_ENTRIES = 1000
"""After so many entries, a fraction of a second, whoever waits is told how far it is."""

UNKNOWN = Refused("unknown-line", "another program wrote this entry, with words that this one does not know.")

VOID_HAND = "give the hand up with --void-hand, which keeps everybody's chips as they were before it"

log = logging.getLogger(__name__)

Progress = Callable[[int, int], None]
"""Takes the number of the entry that was played again, and that of the last."""


def quietly(_played: int, _last: int) -> None:
    """Tell nobody."""


OpenTable = Callable[[Mapping[str, object]], Opened]
"""Turns a `table` line into its event, looking up rulebook and game; `config.setup.open_table`."""


class RecoveryError(Exception):
    """The journal cannot be taken up; the message names the entry and says what to do."""


@dataclass(slots=True)
class Recovered:
    """A table as its journal leaves it."""

    table: Table
    entries: int = 0
    t: float = 0.0
    """The table's time, in seconds, at the last entry."""
    last: Answer | None = None
    rulings: tuple[Mapping[str, object], ...] = ()
    ruled_in: int = 0
    """The number of the hand in which the last rulings were made."""
    lost: set[str] = field(default_factory=set)
    """Devices that were lost at the end."""
    idle_since: int = 0
    """The last entry after which no hand was in progress."""
    hand: OpenHand = field(default_factory=OpenHand)
    """What the journal hides of the last hand."""
    doubtful: int | None = None
    """An entry between whose outcome and its record chips or cards differ, no hand being in progress any more."""


def event_of(entry: Entry, line: Mapping[str, object], open_table: OpenTable) -> AnyEvent:
    """Read the event of an entry; raises `RecoveryError`, which quotes nothing of it: it may be a card."""
    try:
        return open_table(line) if line.get("ev") == "table" else script.read(line)
    except (ValueError, AttributeError, Refused) as why:
        kind = why.code if isinstance(why, Refused) else "no line of the table script"
        raise _unreadable(entry, kind) from None


def replay(
    archive: Archive, session: Session, open_table: OpenTable, keys: Keys = no_keys
) -> Iterator[tuple[Entry, AnyEvent, Answer, Table]]:
    """Play a session again, entry by entry; in the line of each entry, cards that are not known are `None`."""
    return (
        (entry, event, given, table) for entry, event, given, table, _ in _played(archive, session, open_table, keys)
    )


def _played(
    archive: Archive,
    session: Session,
    open_table: OpenTable,
    keys: Keys,
    begun: Recovered | None = None,
    start: int = 0,
    *,
    tolerant: bool = False,
) -> Iterator[tuple[Entry, AnyEvent, Answer, Table, OpenHand]]:
    table, given = taken_up_by(session, open_table) if begun is None else (begun.table, begun.last)
    taken_up = None if session.kept is None else session.before + 1
    for reader, entries in hands_of(archive, session, keys, start):
        hand = hand_again(reader, entries, (table, given), open_table, taken_up, tolerant=tolerant)
        for entry, event, given, table in hand:
            yield entry, event, given, table, reader.hand


def hand_again(
    reader: HandReader,
    entries: list[Entry],
    begun: tuple[Table, Answer | None],
    open_table: OpenTable,
    taken_up: int | None = None,
    *,
    tolerant: bool = False,
) -> Iterator[tuple[Entry, AnyEvent, Answer, Table]]:
    """Play the entries of one hand again, from a table and what it answered last.

    `taken_up`: the entry of the line with which a session went on. `tolerant`: an entry that this program does not know
    is passed over. Where cards clash that only stand in for others, or an amended hand is not answered as it was, what
    was played of the hand is played again with others: so the table that is yielded may be another than the one before.
    """
    table, given = begun
    at = None if given is None or not reader.guesses else (table.kept(), table.history.line, table.past)
    amended = False
    for number, entry in enumerate(entries):
        try:
            line = json.loads(entry.line)
            told = reader.told(line)
            amended = amended or line["ev"] == "amend"
            step = _step(reader, entry, line, (table, given), open_table, taken_up, tolerant=tolerant)
            while step is None or (amended and not _as_recorded(entry, step[1]) and reader.deals_others()):
                reader.restart()
                table, given = Table() if at is None else Table.at(*at), begun[1]
                before = hand_again(reader, entries[:number], (table, given), open_table, taken_up, tolerant=tolerant)
                for _, _, answered, so_far in before:
                    table, given = so_far, answered
                step = _step(reader, entry, line, (table, given), open_table, taken_up, tolerant=tolerant)
        except (ValueError, AttributeError, KeyError, TypeError):
            raise _unreadable(entry, "no line of the table script") from None
        event, given = step
        yield entry if given.error is UNKNOWN else with_line(entry, told), event, given, table


def _step(
    reader: HandReader,
    entry: Entry,
    line: dict[str, object],
    begun: tuple[Table, Answer | None],
    open_table: OpenTable,
    taken_up: int | None,
    *,
    tolerant: bool,
) -> tuple[AnyEvent, Answer] | None:
    """Play one entry again; `None` where a card of it stands in for another."""
    table, given = begun
    try:
        opened = reader.opened(line, None if given is None else given.outcome.state)
    except Clash:
        return None
    try:
        event = event_of(entry, opened, open_table)
    except RecoveryError:
        if not tolerant or given is None:
            raise
        return Time(), Answer(entry.sequence, table.outcome, UNKNOWN)
    if entry.sequence == taken_up:
        return event, Answer(entry.sequence, table.outcome, None)
    return event, failed(table, entry.sequence) if entry.refused == FAULT else answer(table, event, entry.sequence)


def _as_recorded(entry: Entry, given: Answer) -> bool:
    return entry.digest is None or compared(entry.digest, given.output()) is Match.ALIKE


def _unreadable(entry: Entry, kind: str) -> RecoveryError:
    return RecoveryError(
        f"entry {entry.sequence} of the journal cannot be read any more ({kind}): the file is damaged, or another "
        "program wrote it; keep it for the technician and start with --new-session"
    )


def recover(
    journal: Archive, session: Session, open_table: OpenTable, keys: Keys = no_keys, progress: Progress = quietly
) -> Recovered:
    """Rebuild the table of a session; a hand that is on needs its key.

    Another program may have written the entries. Raises `RecoveryError` when chips or cards of the hand that is on now
    stand otherwise than was recorded: then either the journal or the program is not what it was, and the table must not
    act on it. Between hands it starts, and says which entry is `doubtful`.
    """
    found: Recovered | None = None
    differs: int | None = None
    for found, entry, given in _recovered(journal, session, open_table, keys, progress):
        verified = entry.digest is not None and entry.sequence > journal.last - VERIFIED
        match = compared(entry.digest, given.output()) if verified and entry.digest is not None else Match.ALIKE
        if match is Match.OTHER_PLAY:
            log.warning("entry %d is answered otherwise than by the program that recorded it", entry.sequence)
        if match is Match.OTHER_STAKES or given.error is UNKNOWN:
            differs = differs or entry.sequence
        if found.idle_since == entry.sequence:
            found.doubtful, differs = differs or found.doubtful, None
    if found is None or found.last is None:
        raise RecoveryError(f"session {session.number} of the journal has no entry; start with --new-session")
    if differs is not None and found.idle_since != found.last.entry:
        raise RecoveryError(
            f"entry {differs} of the journal gives another outcome than was recorded, and a hand is being played: "
            f"start the program that it was begun with and finish the hand, or {VOID_HAND}"
        )
    if _stands_on_guesses(found.table, found.hand):
        raise RecoveryError(
            "a hand is being played and hand.key, which opens its cards, is missing or not of this hand: put it back, "
            f"or {VOID_HAND}"
        )
    return found


def left_between_hands(
    journal: Archive, session: Session, open_table: OpenTable, progress: Progress = quietly
) -> Snapshot:
    """How the table of a session stood when last no hand was in progress; raises `RecoveryError`."""
    begun, _ = _from_snapshot(journal, session, open_table)
    left = None if begun is None else snapshot_of(begun)
    for found, entry, _given in _recovered(journal, session, open_table, no_keys, progress):
        if found.idle_since == entry.sequence:
            left = snapshot_of(found)
    if left is None:
        raise RecoveryError(f"session {session.number} of the journal has no entry; start with --new-session")
    return left


def _recovered(
    journal: Archive, session: Session, open_table: OpenTable, keys: Keys, progress: Progress
) -> Iterator[tuple[Recovered, Entry, Answer]]:
    """Follow a session to its end, from its last snapshot on: the table after each entry, always the same object.

    Where nothing was entered since the snapshot, its own last entry comes alone.
    """
    found, start = _from_snapshot(journal, session, open_table)
    played = 0
    for entry, event, given, table, hand in _played(journal, session, open_table, keys, found, start, tolerant=True):
        found = found or _kept_by(session, open_table) or Recovered(table)
        found.table, found.hand = table, hand
        found.entries += 1
        found.t = max(found.t, event.t or 0.0)
        found.last = given
        if isinstance(event, Device) and event.status is Status.LOST:
            found.lost.add(event.id)
        if isinstance(event, Device) and event.status is Status.BACK:
            found.lost.discard(event.id)
        if given.outcome.rulings and given.error is None and entry.sequence > session.before + 1:
            found.rulings = tuple(_rulings(given))
            found.ruled_in = given.outcome.state.number
        if given.outcome.state.planned_phase is Phase.IDLE:
            found.idle_since = entry.sequence
        played += 1
        if not played % PROGRESS_ENTRIES:
            progress(entry.sequence, journal.last)
        yield found, entry, given
    if found is not None and not played and found.last is not None:
        yield found, Entry(found.last.entry, session.number, 0, "", "", "", None, None), found.last


def snapshot_of(recovered: Recovered) -> Snapshot:
    """What a snapshot keeps of a table as it stands."""
    last = recovered.last
    return Snapshot(
        0 if last is None else last.entry,
        recovered.table.kept(),
        recovered.t,
        recovered.rulings,
        recovered.ruled_in,
        frozenset(recovered.lost),
        recovered.entries,
    )


def _from_snapshot(journal: Archive, session: Session, open_table: OpenTable) -> tuple[Recovered | None, int]:
    """Take the table from its last snapshot, and say with which record to go on; nothing where it cannot be used."""
    record = next(journal.newest("snapshot"), None)
    if record is None:
        return None, 0
    try:
        body = record.read()
        if body["session"] != session.number:
            return None, 0
        data = (journal.path.parent / SNAPSHOT_FILE).read_bytes()
        if hashlib.sha256(data).hexdigest() != body["sha256"]:
            raise SnapshotError("it is not the one that was recorded")
        kept = read_snapshot(data, _setup(session, open_table))
    except (OSError, BadRecord, SnapshotError, KeyError, ValueError, Refused) as why:
        said = str(why) if isinstance(why, SnapshotError) else type(why).__name__
        log.warning("the snapshot is not used (%s): the session is played again", said)
        return None, 0
    found = standing(kept)
    found.table = Table.at(kept.kept, kept.entry, past=_past_of(journal, session, kept, open_table))
    found.last, found.idle_since = Answer(kept.entry, found.table.outcome, None), kept.entry
    return found, record.number


def _past_of(journal: Archive, session: Session, kept: Snapshot, open_table: OpenTable) -> tuple[History, ...]:
    """What was entered since the end of the hand before, up to a snapshot, so that it can still be put right.

    It is played again without the cards that nobody showed; nothing where the table then stands otherwise, or more was
    entered than `REACH`.
    """
    if kept.kept.base is None:
        return ()
    base = max(kept.kept.line, session.before + 1)  # the first of a session is its `table` line
    if kept.entry - base > REACH:
        log.warning("the %d entries before the last snapshot are too many to be put right now", kept.entry - base)
        return ()
    told = Table.at(Kept(kept.kept.base), kept.kept.line)
    try:
        for entry, line in _lines_of(journal, session, kept, base, told):
            try:
                told.handle(event_of(entry, line, open_table), entry.sequence)
            except Refused:
                if entry.digest is not None:
                    raise  # it was taken then; of an entry without a result nobody knows whether it was
    except (BadRecord, Clash, RecoveryError, Refused, ValueError, KeyError) as why:
        log.warning("what was entered before the last snapshot cannot be put right any more (%s)", type(why).__name__)
        return ()
    stands, stood = (view.line(Outcome(state), 0, live=True) for state in (told.outcome.state, kept.kept.state))
    return told.past if stands == stood else ()


def _lines_of(
    journal: Archive, session: Session, kept: Snapshot, base: int, told: Table
) -> Iterator[tuple[Entry, dict[str, object]]]:
    """The entries that were taken after entry `base`, up to a snapshot, as a table can be told them."""
    bodies = ((record.number, record.read()) for record in journal.newest("snapshot"))
    ours = ((number, body["entry"]) for number, body in bodies if body["session"] == session.number)
    start = next((number for number, entry in ours if entry <= base), 0)
    for reader, entries in hands_of(journal, session, no_keys, start):
        for entry in entries:
            if entry.sequence > kept.entry:
                return
            line = reader.opened(json.loads(entry.line), told.outcome.state)
            if entry.sequence > base and entry.refused is None:
                yield entry, line


def standing(kept: Snapshot) -> Recovered:
    """A table as a snapshot has it."""
    table = Table.at(kept.kept)
    return Recovered(table, kept.entries, kept.t, None, kept.rulings, kept.ruled_in, set(kept.lost))


def taken_up_by(session: Session, open_table: OpenTable) -> tuple[Table, Answer | None]:
    """The table before the first entry of a session, and what it answered last; raises `RecoveryError`."""
    begun = _kept_by(session, open_table)
    return (Table(), None) if begun is None else (begun.table, begun.last)


def _kept_by(session: Session, open_table: OpenTable) -> Recovered | None:
    """The table from which a session goes on, before its first entry; nothing where it begins with its line alone."""
    if session.kept is None:
        return None
    try:
        found = standing(of_text(session.kept, _setup(session, open_table)))
    except SnapshotError as why:
        raise RecoveryError(f"session {session.number} of the journal cannot be taken up: {why}") from None
    found.entries = 0
    return found


def _setup(session: Session, open_table: OpenTable) -> Setup:
    return open_table({**json.loads(session.header["table"]), "t": 0.0}).setup


def _stands_on_guesses(table: Table, hand: OpenHand) -> bool:
    """Whether a card of the hand in play is one that only stands in for it."""
    playing = table.outcome.state.hand
    if playing is None or not playing.plan:
        return False
    guessed = {*hand.guessed.values()}
    return any(lying.card in guessed for pile in playing.cards.piles.out.values() for lying in pile)


@dataclass(slots=True)
class Checked:
    """How a session compares with its replay."""

    entries: int = 0
    alike: int = 0
    unrecorded: int = 0
    """Entries without a recorded outcome: the last one before the power went."""
    first_difference: int | None = None


def check(journal: Archive, session: Session, open_table: OpenTable) -> Checked:
    """Play a session again and compare every outcome with the recorded one; raises `RecoveryError`."""
    found = Checked()
    for entry, _, given, _ in replay(journal, session, open_table):
        found.entries += 1
        refused = None if given.error is None else given.error.code
        if entry.digest is None:
            found.unrecorded += 1
        elif compared(entry.digest, given.output()) is Match.ALIKE and entry.refused == refused:
            found.alike += 1
        elif found.first_difference is None:
            found.first_difference = entry.sequence
    return found


def settled_entries(
    journal: Archive, session: Session, open_table: OpenTable, keys: Keys = no_keys, *, live_hand: bool = False
) -> tuple[list[Entry], int]:
    """Return the entries that may leave the table, and how many are held back because their cards lie face down."""
    entries: list[Entry] = []
    settled = 0
    for entry, _, given, _ in replay(journal, session, open_table, keys):
        entries.append(entry)
        if given.outcome.state.planned_phase is Phase.IDLE:
            settled = len(entries)
    return (entries, 0) if live_hand else (entries[:settled], len(entries) - settled)


def _rulings(given: Answer) -> list[Mapping[str, object]]:
    rulings = given.output().get("rulings")
    return list(rulings) if isinstance(rulings, list) else []


def session_of(journal: Archive, number: int | None) -> Session:
    """The session of that number, the last one for `None`; raises `RecoveryError` where there is none."""
    sessions = journal.sessions()
    if not sessions:
        raise RecoveryError("the journal is empty")
    if number is None:
        return sessions[-1]
    for session in sessions:
        if session.number == number:
            return session
    known = ", ".join(str(session.number) for session in sessions)
    raise RecoveryError(f"there is no session {number}; there are {known}")

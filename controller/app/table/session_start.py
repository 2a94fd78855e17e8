"""Takes the table up where its journal left it, or begins a new session."""

import hashlib
import json
import logging
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from pathlib import Path

from config import game_file, rulebook_file
from config.table_file import TableFile
from config.table_line import parse_table_line
from controller.app.table.deck_selector import load_registered_decks
from controller.app.table.used_plug_ins import find_used_plug_ins
from controller.core.engine.table import Table
from controller.core.model.table_state import TableState
from controller.core.protocol import script_lines
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import DeviceChange
from controller.core.values import value
from controller.runtime.faults.fault_table import (
    CONTROLLER_SOURCE,
    FAULT_DEVICE_PREFIX,
    FAULTS,
    Fault,
    find_fault_by_device,
    list_latched_faults,
    make_raise_event,
)
from controller.runtime.faults.self_check import SelfCheck
from controller.runtime.journal.entry_result import EntryResult, handle_entry
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.journal_reader import JournalReader, JournalSession, describe_missing_record
from controller.runtime.journal.recovery.journal_replay import (
    EARLIER_TABLE_DEFAULTS,
    ProgressReporter,
    RecoveredTable,
    RecoveryError,
    TableOpener,
    find_last_idle_snapshot,
    ignore_progress,
    make_idle_snapshot,
    recover_table,
    take_up,
)
from controller.runtime.journal.recovery.known_auditor import is_auditor_missing
from controller.runtime.journal.recovery.snapshot import Snapshot, SnapshotError, to_text
from controller.runtime.journal.sealing.hand_reader import UnsealedHand, make_current_key_finder
from controller.runtime.journal.sealing.hand_seal import (
    AUDITOR_KEY_FILE,
    read_card_knowledge,
)
from controller.runtime.loop.table_view import LIVE
from controller.runtime.staff.entry_signature import Signer
from controller.web.entries.room_endpoint import MAX_ANSWERED_SIGNATURES

log = logging.getLogger(__name__)

RULES_HEADERS = frozenset(("live", "rulebook_sha256", "further_rulebooks_sha256", "game_sha256"))
"""Headers of a session that say by which rules it is played; `live` is missing where rulings told hidden cards."""

LIVE_TABLE_KEYS: Mapping[str, object] = {"live": True}
"""What the program adds to the table line of each session that it begins: it rules by known cards alone."""

BOOT_ID_FILE = Path("/proc/sys/kernel/random/boot_id")


@cache
def read_program_version() -> str:
    """Name the version of this program as it was installed; "unknown" when run from a bare directory."""
    try:
        return version("table-controller")
    except PackageNotFoundError:
        return "unknown"


def read_boot_id() -> str:
    """Name this start of the machine, where the kernel does."""
    try:
        return BOOT_ID_FILE.read_text(encoding="ascii").strip()
    except OSError:
        return "unknown"


def make_header(file: TableFile, mode: str) -> dict[str, str]:
    """Say everything that explains a journal to whoever finds it."""
    rulebook, game = str(file.table_line.get("rulebook")), str(file.table_line.get("game"))
    return {
        "mode": mode,
        **dict.fromkeys(LIVE_TABLE_KEYS, "yes"),
        "table": json.dumps(dict(file.table_line), sort_keys=True, ensure_ascii=False),
        "file": str(file.path),
        "file_sha256": file.sha256,
        "parts": json.dumps(file.parts),
        "rulebook": rulebook,
        "rulebook_sha256": _hash_file(rulebook_file.find_rulebook_path(rulebook, file.library)),
        **(
            {"further_rulebooks_sha256": json.dumps(further)}
            if (further := _hash_further_books(file, rulebook))
            else {}
        ),
        "game": game,
        "game_sha256": _hash_file(game_file.find_game_path(game, file.library)),
        "program": read_program_version(),
        "python": platform.python_version(),
        **({"plug_ins": ", ".join(plug_ins)} if (plug_ins := find_used_plug_ins(file)) else {}),
    }


def find_lost_parts(session: JournalSession, file: TableFile) -> str | None:
    """Say what the table's file had when the session began and has not now; `None` where it has all, or more."""
    lost = sorted(set(json.loads(session.header.get("parts", "[]"))) - set(file.parts))
    if not lost:
        return None
    sections = {part.rpartition(".")[0] for part in file.parts}
    named = dict[str, list[str]]()
    for section, _, key in (part.rpartition(".") for part in lost):
        named.setdefault(section, []).extend([key] if section in sections else [])
    told = ", ".join(" ".join((f"[{section}]", " and ".join(keys))).strip() for section, keys in named.items())
    return f"{file.path} has no longer what it had when session {session.number} began: {told}"


LOST_PARTS_REMEDY = "put the file back that had it, unless it was taken out on purpose"


def resume_or_begin(
    journal: Journal,
    file: TableFile,
    mode: str,
    *,
    fresh: bool = False,
    void_hand: bool = False,
    progress: ProgressReporter = ignore_progress,
) -> RecoveredTable:
    """Rebuild the table of the last session, or begin a session when there is none or the set-up has changed.

    `void_hand`: the hand that is on is given up and the table goes on as it stood before it, in a session of its own.
    Raises `RecoveryError` when the last session belongs to the other mode, or its hand is still being played under
    another set-up, and `ConfigError` when the set-up is refused.
    """
    last = journal.find_last_session()
    if mode == LIVE and journal.missing_head is None and next(journal.read_newest_records("hand-key"), None) is None:
        log.warning(
            "no table has been in play in %s: a new one begins; if there was one, put back the %s that named its "
            "directory (section [state])",
            journal.path.parent,
            file.path,
        )
    if last is None and journal.missing_head is None:
        return _begin_session(journal, file, mode)
    if journal.missing_head is not None and not fresh:
        raise RecoveryError(
            f"{describe_missing_record(journal.path, journal.missing_head[0])}, or start with --new-session, which "
            "records the gap"
        )
    if last is not None and not fresh:
        _refuse_missing_auditor(journal)
    is_cut_off = last is not None and journal.last_entry_number == last.last_entry_before  # before its first entry
    if last is None or fresh or (is_cut_off and last.snapshot_text is None):
        return _begin_session(journal, file, mode)
    if last.header["mode"] != mode:
        raise RecoveryError(
            f"{journal.path} belongs to a {last.header['mode']} table and this is a {mode}; "
            "give each its own directory (section [state], or --state)"
        )
    changed = find_header_changes(last, file)
    if changed:  # it is the journal that has changed, where its record does not fit into the chain
        journal.check_newest_record("session")
    if mode == LIVE and (lost := find_lost_parts(last, file)) is not None:
        log.warning("%s; %s", lost, LOST_PARTS_REMEDY)
    if void_hand:
        if "table" in changed:
            raise RecoveryError(
                f"{file.path} sets the table up otherwise than the hand that is to be given up was begun: start once "
                "with the set-up that it had, and --void-hand"
            )
        return _begin_from_snapshot(
            journal, file, mode, find_last_idle_snapshot(journal, last, _make_table_opener(file), progress)
        )
    recovered = recover_table(
        journal, last, _make_table_opener(file), make_current_key_finder(journal.path.parent), progress
    )
    in_hand = recovered.last_result is not None and recovered.last_result.outcome.state.is_hand_on
    # Other rules make a new session, but never in the middle of a hand: there the self-check says what was changed.
    # So does a table that was taken at rest: each later replay begins with it then, and not with what leads elsewhere.
    is_another = is_cut_off or recovered.is_taken_at_rest or RULES_HEADERS & set(changed)
    if "table" not in changed and (in_hand or not is_another):
        journal.continue_session(last)
        journal.resume_hand(read_card_knowledge(recovered.table.outcome), recovered.unsealed_hand)
        recovered.unsealed_hand = UnsealedHand()  # the journal keeps it now, and no longer than the hand lasts
        return _raise_missing_faults(journal, last, recovered)
    if in_hand:
        raise RecoveryError(
            f"a hand is being played under another set-up of the table, as {journal.path} has it, than {file.path} "
            "has: put the file back and finish it, or give it up with --new-session"
        )
    if "table" not in changed:
        begun = _begin_from_snapshot(journal, file, mode, make_idle_snapshot(recovered))
        begun.doubtful_entry = recovered.doubtful_entry
        return begun
    log.warning(
        "%s sets the table up otherwise than session %d, which ends with what it had: another begins; to go on with "
        "it, put the file back that it began with",
        file.path,
        last.number,
    )
    if _can_be_cut_off(journal, last):
        return _begin_session(journal, file, mode)
    return _begin_session(
        journal, file, mode, [fault.code for fault in list_latched_faults(recovered.table.outcome.state.faults)]
    )


def _refuse_missing_auditor(journal: Journal) -> None:
    """Raise `RecoveryError` where hands were sealed to an auditor whose key is gone: nobody could open the next."""
    if is_auditor_missing(journal):
        raise RecoveryError(
            f"{journal.path.parent / AUDITOR_KEY_FILE} is missing, and hands are sealed to the auditor whose key it "
            "was: put it back, enrol one with `tablectl journal auditor enrol`, or start with --new-session to seal to "
            "nobody"
        )


def restore_table_line(journal: Journal, file: TableFile) -> TableFile:
    """Return the table as its last session had it, where that differed from the same file: a showroom's other game."""
    last = journal.find_last_session()
    if last is None or last.header.get("file_sha256") != file.sha256:
        return file
    return replace(file, table_line=json.loads(last.header["table"]))


def make_self_check(journal: JournalReader, directory: Path, file: TableFile) -> SelfCheck:
    """Say what the self-check compares: the rules that the session began with, plug-ins, and the state directory."""
    library = file.library
    header = journal.list_sessions()[-1].header
    files = {rulebook_file.find_rulebook_path(header["rulebook"], library): header["rulebook_sha256"]}
    further: Mapping[str, str] = json.loads(header.get("further_rulebooks_sha256", "{}"))
    files |= {rulebook_file.find_rulebook_path(name, library): digest for name, digest in further.items()}
    files[game_file.find_game_path(header["game"], library)] = header["game_sha256"]
    packages = [told.rpartition(" ")[0] for told in find_used_plug_ins(file)]
    decks = None if file.shoe is None else lambda: [deck.name for deck in load_registered_decks(directory)]
    return SelfCheck(directory, files, list_deck_names=decks, plug_in_packages=packages)


def _make_table_opener(file: TableFile) -> TableOpener:
    """How a `table` line of the file's journal is read: with the books and games that the file has."""
    return partial(parse_table_line, library=file.library)


def _begin_session(
    journal: Journal, file: TableFile, mode: str, still_up: Sequence[str] | None = None
) -> RecoveredTable:
    """Begin a session; faults that were latched in the one before it still are (a new session clears nothing).

    `still_up`: those faults, where they are known; else the session before is read for them.
    """
    if still_up is None:
        before = journal.find_last_session()
        still_up = [] if before is None else find_latched_faults(journal, before)
    line: Mapping[str, object] = {**EARLIER_TABLE_DEFAULTS, **file.table_line, **LIVE_TABLE_KEYS, "t": 0.0}
    try:
        event = parse_table_line(line, file.library)
    except Refused as error:
        named = next((key for key in file.table_line if error.message.startswith(f"`{key}`")), None)
        raise file.make_error(error.message, "table", *([] if named is None else [named])) from error
    journal.begin_session(make_header(file, mode))
    entry = journal.append_entry(line, "configuration")
    table = Table()
    given = handle_entry(table, event, entry)
    refused = None if given.error is None else given.error.code
    journal.record_result(
        entry, given.compute_digest(given.to_output_line()), refused, read_card_knowledge(given.outcome)
    )
    recovered = RecoveredTable(table)
    recovered.add_entry(event, given, 0.0)
    return _raise_faults(journal, recovered, still_up)


def _begin_from_snapshot(journal: Journal, file: TableFile, mode: str, left: Snapshot) -> RecoveredTable:
    """Begin a session with the table as it was left, under the rules as they are now."""
    setup = parse_table_line(
        {**EARLIER_TABLE_DEFAULTS, **file.table_line, **LIVE_TABLE_KEYS, "t": 0.0}, file.library
    ).setup
    try:
        kept = to_text(left)
        recovered = take_up(left, setup, journal.last_entry_number)
    except SnapshotError as why:
        raise RecoveryError(f"the table cannot be taken over into a new session ({why}): use --new-session") from None
    journal.begin_session(make_header(file, mode), kept)
    entry = journal.append_entry(_make_table_line(file, left.memory.state), "configuration")
    given = EntryResult(entry, recovered.table.outcome, None)
    journal.record_result(entry, given.compute_digest(given.to_output_line()), None, read_card_knowledge(given.outcome))
    recovered.entry_count, recovered.last_result, recovered.last_idle_entry = 1, given, entry
    still_up = [fault.code for fault in list_latched_faults(left.memory.state.faults)]
    return _raise_faults(journal, recovered, still_up)


def _make_table_line(file: TableFile, state: TableState) -> Mapping[str, object]:
    """The `table` line with players, stacks and button as they are: all that a script of the session can say of it."""
    table = file.table_line
    seats = [
        {"seat": seat, "player": chair.player} | ({} if chair.stack is None else {"stack": chair.stack})
        for seat, chair in sorted(state.seating.state_by_seat.items())
    ]
    button = (
        {} if state.button.positions is None or "button" not in table else {"button": state.button.positions.button}
    )
    line = {**table, "seats": seats, **button, **LIVE_TABLE_KEYS, "t": 0.0}
    if "collection" in table or state.setup.collection is not None:  # the floor may have changed it
        line["collection"] = script_lines.format_collection(state.setup.collection)
    try:
        parse_table_line(line, file.library)
    except Refused:
        return {**table, "t": 0.0}
    return line


def _raise_missing_faults(journal: Journal, session: JournalSession, recovered: RecoveredTable) -> RecoveredTable:
    """Enter the faults of the session before that a cut kept from being entered when this one was begun."""
    earlier = _find_previous_session(journal, session) if _can_be_cut_off(journal, session) else None
    if earlier is None:
        return recovered
    named = {fault.code for fault, _ in _iter_faults(journal, session)}
    return _raise_faults(
        journal, recovered, [code for code in find_latched_faults(journal, earlier) if code not in named]
    )


def _raise_faults(journal: Journal, recovered: RecoveredTable, codes: Sequence[str]) -> RecoveredTable:
    for code in codes:
        fault = value.replace(make_raise_event(code), time_s=recovered.table_time_s)
        entry = journal.append_entry(script_lines.format_line(fault), CONTROLLER_SOURCE)
        given = handle_entry(recovered.table, fault, entry)
        journal.record_result(entry, given.compute_digest(given.to_output_line()), None)
        recovered.add_entry(fault, given, recovered.table_time_s)
    return recovered


def find_latched_faults(journal: JournalReader, session: JournalSession) -> list[str]:
    """The faults that are up at the end of a session, whether or not it can be played again."""
    earlier = _find_previous_session(journal, session) if _can_be_cut_off(journal, session) else None
    up = set() if earlier is None else set(find_latched_faults(journal, earlier))
    for fault, is_up in _iter_faults(journal, session):
        up = up | {fault.code} if is_up else up - {fault.code}
    return sorted(up)


def _can_be_cut_off(journal: JournalReader, session: JournalSession) -> bool:
    """Whether a session is so short that its beginning may not be whole: its `table` line, then the faults."""
    return journal.count_entries(session) <= len(FAULTS)


def _find_previous_session(journal: JournalReader, session: JournalSession) -> JournalSession | None:
    return next((one for one in journal.list_sessions() if one.number == session.number - 1), None)


def _iter_faults(journal: JournalReader, session: JournalSession) -> Iterator[tuple[Fault, bool]]:
    """The latched faults that a session speaks of, each with whether it came up."""
    for entry in journal.search_entries(session, FAULT_DEVICE_PREFIX):
        news = json.loads(entry.script_line)
        fault = find_fault_by_device(str(news.get("id"))) if news.get("ev") == "device" else None
        if fault is not None:
            yield fault, news["status"] == DeviceChange.LOST.value


def read_recent_requests(journal: JournalReader) -> list[Signer]:
    """Who signed what a room asked last that was no entry, the newest first: none of it is done again."""
    return [
        record.parse_body()["by"] for record in islice(journal.read_newest_records("asked"), MAX_ANSWERED_SIGNATURES)
    ]


def find_header_changes(session: JournalSession, file: TableFile) -> list[str]:
    """Say which parts of the header differ now: program, rulebook, game, file."""
    now = make_header(file, session.header["mode"])
    return [key for key in now if session.header.get(key) != now[key]]


def _hash_further_books(file: TableFile, rulebook: str) -> dict[str, str]:
    """The hashes of the books that answer where the table's own is silent, by their names."""
    own = rulebook_file.find_rulebook_path(rulebook, file.library)
    paths = rulebook_file.list_source_paths(rulebook, file.library)
    return {path.stem: _hash_file(path) for path in paths if path != own}


def _hash_file(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""

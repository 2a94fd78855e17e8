"""Takes the table up where its journal left it, or begins a new session."""

import hashlib
import json
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from pathlib import Path

from config import game_file, rulebook_file
from config.setup import open_table
from config.table_file import TableFile
from controller.app.table.deck_box import registered_decks
from controller.app.table.plug_ins_used import used
from controller.core.engine.table import Table
from controller.core.model.state import State
from controller.core.protocol import script
from controller.core.protocol.display import Phase
from controller.core.protocol.errors import Refused
from controller.core.protocol.vocabulary import Status
from controller.core.values import value
from controller.runtime.faults.alarm import OWN
from controller.runtime.faults.faults import FAULTS, PREFIX, Fault, latched, latched_by, raised
from controller.runtime.faults.self_check import SelfCheck
from controller.runtime.journal.archive import Archive, Session
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.recovery.recovery import (
    OpenTable,
    Progress,
    Recovered,
    RecoveryError,
    left_between_hands,
    quietly,
    recover,
    snapshot_of,
    standing,
)
from controller.runtime.journal.recovery.snapshot import Snapshot, SnapshotError, as_text, of_text
from controller.runtime.journal.sealing.sealing import cards_at
from controller.runtime.journal.sealing.unsealing import OpenHand, keys_in_play
from controller.runtime.loop.ruling import Answer, answer
from controller.web.serving.room_desk import ANSWERED

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


@cache
def program_version() -> str:
    """Name the version of this program as it was installed; "unknown" when run from a bare directory."""
    try:
        return version("table-controller")
    except PackageNotFoundError:
        return "unknown"


def boot_id() -> str:
    """Name this start of the machine, where the kernel does."""
    try:
        return BOOT_ID.read_text(encoding="ascii").strip()
    except OSError:
        return "unknown"


def header_of(file: TableFile, mode: str) -> dict[str, str]:
    """Say everything that explains a journal to whoever finds it."""
    rulebook, game = str(file.table.get("rulebook")), str(file.table.get("game"))
    return {
        "mode": mode,
        "table": json.dumps(dict(file.table), sort_keys=True, ensure_ascii=False),
        "file": str(file.path),
        "file_sha256": file.sha256,
        "rulebook": rulebook,
        "rulebook_sha256": _sha256(rulebook_file.path_of(rulebook, file.library)),
        "game": game,
        "game_sha256": _sha256(game_file.path_of(game, file.library)),
        "program": program_version(),
        "python": platform.python_version(),
        **({"plug_ins": ", ".join(plug_ins)} if (plug_ins := used(file)) else {}),
    }


def take_up(
    journal: Journal,
    file: TableFile,
    mode: str,
    *,
    fresh: bool = False,
    void_hand: bool = False,
    progress: Progress = quietly,
) -> Recovered:
    """Rebuild the table of the last session, or begin a session when there is none or the set-up has changed.

    `void_hand`: the hand that is on is given up and the table goes on as it stood before it, in a session of its own.
    Raises `RecoveryError` when the last session belongs to the other mode, or its hand is still being played under
    another set-up, and `ConfigError` when the set-up is refused.
    """
    last = journal.last_session()
    if last is None and journal.missing is None:
        return _begin(journal, file, mode)
    if journal.missing is not None and not fresh:
        raise RecoveryError(
            f"{journal.path} has not the record {journal.missing[0]} that the table has written: journal.tail or "
            "the -wal is missing or damaged, or the file is an older copy. Put the right files back, or start with "
            "--new-session, which records the gap"
        )
    if last is None or fresh or journal.last == last.before:  # the last: it was cut off before its first entry
        return _begin(journal, file, mode)
    if last.header["mode"] != mode:
        raise RecoveryError(
            f"{journal.path} belongs to a {last.header['mode']} table and this is a {mode}; "
            "give each its own directory (section [state], or --state)"
        )
    changed = header_changes(last, file)
    if void_hand:
        if "table" in changed:
            raise RecoveryError(
                f"{file.path} sets the table up otherwise than the hand that is to be given up was begun: start once "
                "with the set-up that it had, and --void-hand"
            )
        return _go_on(journal, file, mode, left_between_hands(journal, last, _opening(file), progress))
    recovered = recover(journal, last, _opening(file), keys_in_play(journal.path.parent), progress)
    in_hand = recovered.last is not None and recovered.last.outcome.state.planned_phase is not Phase.IDLE
    # Other rules make a new session, but never in the middle of a hand: there the self-check says what was changed.
    if "table" not in changed and (in_hand or not {"rulebook_sha256", "game_sha256"} & set(changed)):
        journal.continue_session(last)
        journal.take_up(cards_at(recovered.table.outcome), recovered.hand)
        recovered.hand = OpenHand()  # the journal keeps it now, and no longer than the hand lasts
        return _begun_whole(journal, last, recovered)
    if in_hand:
        raise RecoveryError(
            f"a hand is being played under another set-up of the table than {file.path} has: finish it with the old "
            "one, or give it up with --new-session"
        )
    if "table" not in changed:
        return _go_on(journal, file, mode, snapshot_of(recovered))
    if _may_be_cut_off(journal, last):
        return _begin(journal, file, mode)
    return _begin(journal, file, mode, [fault.code for fault in latched(recovered.table.outcome.state.down)])


def as_left(journal: Journal, file: TableFile) -> TableFile:
    """Return the table as its last session had it, where that differed from the same file: a showroom's other game."""
    last = journal.last_session()
    if last is None or last.header.get("file_sha256") != file.sha256:
        return file
    return replace(file, table=json.loads(last.header["table"]))


def self_check_of(journal: Archive, directory: Path, file: TableFile) -> SelfCheck:
    """Say what the self-check compares: the rules that the session began with, plug-ins, and the state directory."""
    library = file.library
    header = journal.sessions()[-1].header
    files = {rulebook_file.path_of(header["rulebook"], library): header["rulebook_sha256"]}
    files[game_file.path_of(header["game"], library)] = header["game_sha256"]
    packages = [told.rpartition(" ")[0] for told in used(file)]
    decks = None if file.shoe is None else lambda: [deck.name for deck in registered_decks(directory)]
    return SelfCheck(directory, files, decks=decks, packages=packages)


def _opening(file: TableFile) -> OpenTable:
    """How a `table` line of the file's journal is read: with the books and games that the file has."""
    return partial(open_table, library=file.library)


def _begin(journal: Journal, file: TableFile, mode: str, still_up: Sequence[str] | None = None) -> Recovered:
    """Begin a session; faults that were latched in the one before it still are (a new session clears nothing).

    `still_up`: those faults, where they are known; else the session before is read for them.
    """
    if still_up is None:
        before = journal.last_session()
        still_up = [] if before is None else left_latched(journal, before)
    line: Mapping[str, object] = {**file.table, "t": 0.0}
    try:
        event = open_table(line, file.library)
    except Refused as error:
        named = next((key for key in file.table if error.message.startswith(f"`{key}`")), None)
        raise file.error(error.message, "table", *([] if named is None else [named])) from error
    journal.begin_session(header_of(file, mode))
    entry = journal.append(line, "configuration")
    table = Table()
    given = answer(table, event, entry)
    refused = None if given.error is None else given.error.code
    journal.settle(entry, given.digest(given.output()), refused, cards_at(given.outcome))
    return _raised_again(journal, Recovered(table, entries=1, last=given), still_up)


def _go_on(journal: Journal, file: TableFile, mode: str, left: Snapshot) -> Recovered:
    """Begin a session with the table as it was left, under the rules as they are now."""
    setup = open_table({**file.table, "t": 0.0}, file.library).setup
    try:
        kept = as_text(left)
        recovered = standing(of_text(kept, setup))
    except SnapshotError as why:
        raise RecoveryError(f"the table cannot be taken over into a new session ({why}): use --new-session") from None
    journal.begin_session(header_of(file, mode), kept)
    entry = journal.append(_line_of(file, left.kept.state), "configuration")
    given = Answer(entry, recovered.table.outcome, None)
    journal.settle(entry, given.digest(given.output()), None, cards_at(given.outcome))
    recovered.entries, recovered.last, recovered.idle_since = 1, given, entry
    still_up = [fault.code for fault in latched(left.kept.state.down)]
    return _raised_again(journal, recovered, still_up)


def _line_of(file: TableFile, state: State) -> Mapping[str, object]:
    """The `table` line with players, stacks and button as they are: all that a script of the session can say of it."""
    table = file.table
    seats = [
        {"seat": seat, "player": chair.player} | ({} if chair.stack is None else {"stack": chair.stack})
        for seat, chair in sorted(state.seating.chairs.items())
    ]
    button = (
        {} if state.button.positions is None or "button" not in table else {"button": state.button.positions.button}
    )
    line = {**table, "seats": seats, **button, "t": 0.0}
    try:
        open_table(line, file.library)
    except Refused:
        return {**table, "t": 0.0}
    return line


def _begun_whole(journal: Journal, session: Session, recovered: Recovered) -> Recovered:
    """Enter the faults of the session before that a cut kept from being entered when this one was begun."""
    earlier = _before(journal, session) if _may_be_cut_off(journal, session) else None
    if earlier is None:
        return recovered
    named = {fault.code for fault, _ in _faults_in(journal, session)}
    return _raised_again(journal, recovered, [code for code in left_latched(journal, earlier) if code not in named])


def _raised_again(journal: Journal, recovered: Recovered, codes: Sequence[str]) -> Recovered:
    for code in codes:
        fault = value.replace(raised(code), t=recovered.t)
        entry = journal.append(script.write(fault), OWN)
        given = answer(recovered.table, fault, entry)
        journal.settle(entry, given.digest(given.output()), None)
        recovered.lost.add(fault.id)
        recovered.entries, recovered.last = recovered.entries + 1, given
    return recovered


def left_latched(journal: Archive, session: Session) -> list[str]:
    """The faults that are up at the end of a session, whether or not it can be played again."""
    earlier = _before(journal, session) if _may_be_cut_off(journal, session) else None
    up = set() if earlier is None else set(left_latched(journal, earlier))
    for fault, is_up in _faults_in(journal, session):
        up = up | {fault.code} if is_up else up - {fault.code}
    return sorted(up)


def _may_be_cut_off(journal: Archive, session: Session) -> bool:
    """Whether a session is so short that its beginning may not be whole: its `table` line, then the faults."""
    return journal.count(session) <= len(FAULTS)


def _before(journal: Archive, session: Session) -> Session | None:
    return next((one for one in journal.sessions() if one.number == session.number - 1), None)


def _faults_in(journal: Archive, session: Session) -> Iterator[tuple[Fault, bool]]:
    """The latched faults that a session speaks of, each with whether it came up."""
    for entry in journal.entries_with(session, PREFIX):
        news = json.loads(entry.line)
        fault = latched_by(str(news.get("id"))) if news.get("ev") == "device" else None
        if fault is not None:
            yield fault, news["status"] == Status.LOST.value


def lately_asked(journal: Archive) -> list[str]:
    """The signatures of what a room asked last that was no entry, the newest first: none of it is done again."""
    return [str(record.read()["by"]["signature"]) for record in islice(journal.newest("asked"), ANSWERED)]


def header_changes(session: Session, file: TableFile) -> list[str]:
    """Say which parts of the header differ now: program, rulebook, game, file."""
    now = header_of(file, session.header["mode"])
    return [key for key in now if session.header.get(key) != now[key]]


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""

"""What `tablectl doctor` says about the program, the rules of the session, and the faults that are latched."""

from collections.abc import Iterator
from contextlib import closing

from config.table_file import TableFile
from controller.app.diagnostics.check_result import CheckResult, report_bad, report_doubtful, report_good
from controller.app.table.session_start import LOST_PARTS_REMEDY, find_latched_faults, find_lost_parts, make_self_check
from controller.runtime.faults import self_check
from controller.runtime.faults.fault_table import FAULTS
from controller.runtime.journal.journal_reader import JournalReader, has_other_files, is_in_use
from controller.runtime.storage.sqlite_database import DatabaseError, describe_error
from controller.runtime.storage.state_directory import JOURNAL_FILE

JOURNAL_REMEDY = "keep the file, and see docs/journal.md"
REINSTALL_REMEDY = "install the release again; docs/security.md says what this check can show and what it cannot"


def check_parts(file: TableFile) -> Iterator[str]:
    """Say what the table's file has lost since its session began, or why that cannot be told."""
    path = file.state_directory / JOURNAL_FILE
    try:
        if not is_in_use(path):  # no table has run here yet
            return
        with closing(JournalReader.open(path)) as journal:
            journal.check_newest_record("session")  # what it names is read below, and may be no list any more
            last = journal.find_last_session()
            lost = None if last is None else find_lost_parts(last, file)
    except (DatabaseError, OSError) as why:
        told = str(why) if isinstance(why, DatabaseError) else f"{path}: {describe_error(why, path)}"
        yield f"{file.path} cannot be compared with what it had: {told}"
        return
    if lost is not None:
        yield f"{lost}; {LOST_PARTS_REMEDY}"


def check_integrity(file: TableFile) -> Iterator[CheckResult]:
    """Check program, rules and journal as every start does."""
    program = self_check.check_program()
    if program.fault_code is not None:
        yield report_bad(program.subject, program.text, REINSTALL_REMEDY)
    elif "as installed" in program.text:
        yield report_good(program.subject, program.text)
    else:
        yield report_doubtful(program.subject, program.text, "at a table that is in play, install a release")
    path = file.state_directory / JOURNAL_FILE
    try:
        archive = JournalReader.open(path)
    except DatabaseError as why:
        if path.exists() or has_other_files(path):  # else no table has run here yet
            yield report_bad("journal", str(why), JOURNAL_REMEDY)
        return
    try:
        archive.check_closed_files()
        if (loss := archive.find_loss()) is not None:
            yield report_bad("journal", loss, JOURNAL_REMEDY)
        sessions = archive.list_sessions()
        if not sessions:
            return
        if (lost := find_lost_parts(sessions[-1], file)) is not None:
            yield report_doubtful("file", lost, LOST_PARTS_REMEDY)
        rules = self_check.check_rules(make_self_check(archive, file.state_directory, file).sha256_by_file)
        yield (
            report_good(rules.subject, rules.text)
            if rules.fault_code is None
            else report_bad(rules.subject, rules.text, "see who changed it and why")
        )
        for code in find_latched_faults(archive, sessions[-1]):
            fault = FAULTS[code]
            yield report_bad(
                "fault", fault.text, f"when it is over, the {' or the '.join(fault.clearing_roles)} says so on the page"
            )
    except DatabaseError as why:
        yield report_bad("journal", str(why), JOURNAL_REMEDY)
    finally:
        archive.close()

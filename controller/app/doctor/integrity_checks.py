"""What `tablectl doctor` says about the program, the rules of the session, and the faults that are latched."""

from collections.abc import Iterator

from config.table_file import TableFile
from controller.app.doctor.check_result import Finding, bad, doubtful, good
from controller.app.table.session import left_latched, self_check_of
from controller.runtime.faults import self_check
from controller.runtime.faults.faults import FAULTS
from controller.runtime.journal.archive import Archive
from controller.runtime.journal.database import DatabaseError
from controller.runtime.state_directory import JOURNAL_FILE

INSTALL = "install the release again; docs/security.md says what this check can show and what it cannot"


def examine(file: TableFile) -> Iterator[Finding]:
    """Check program, rules and journal as every start does."""
    program = self_check.program()
    if program.fault is not None:
        yield bad(program.about, program.text, INSTALL)
    elif "as installed" in program.text:
        yield good(program.about, program.text)
    else:
        yield doubtful(program.about, program.text, "at a table that is in play, install a release")
    try:
        archive = Archive.open(file.directory / JOURNAL_FILE)
    except DatabaseError:  # no table has run here yet, or its start says what is wrong with the file
        return
    try:
        sessions = archive.sessions()
        if not sessions:
            return
        rules = self_check.rules(self_check_of(archive, file.directory, file).files)
        yield (
            good(rules.about, rules.text)
            if rules.fault is None
            else bad(rules.about, rules.text, "see who changed it and why")
        )
        for code in left_latched(archive, sessions[-1]):
            fault = FAULTS[code]
            yield bad("fault", fault.text, f"when it is over, the {' or the '.join(fault.clears)} says so on the page")
    except DatabaseError as why:
        yield bad("journal", str(why), "keep the file, and see docs/journal.md")
    finally:
        archive.close()

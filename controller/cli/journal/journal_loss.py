"""What a command says where the journal that it read ends before what the table has written."""

import sys

from controller.runtime.journal.journal_reader import JournalReader


def report_loss(command: str, journal: JournalReader) -> int:
    """Say what is missed, and what is not among the files; return the exit status for it: 0 where nothing is missed.

    What was said of the journal is still said: it is what is left. Raises `DatabaseError`, also for a file that is
    another journal's.
    """
    journal.check_closed_files()
    absent = journal.find_absent_file()
    if absent is not None:
        print(
            f"tablectl {command}: {absent} is not here, with the records before those that are: put it back to have "
            "them too",
            file=sys.stderr,
        )
    loss, doubt = journal.find_loss(), journal.find_doubt()
    if loss is not None:
        print(f"tablectl {command}: this is not all: {loss}", file=sys.stderr)
    if doubt is not None:
        print(f"tablectl {command}: nobody knows whether this is all: {doubt}", file=sys.stderr)
    return int(loss is not None or doubt is not None)

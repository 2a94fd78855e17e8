"""An auditor of a table under test, who may read every card of its journal."""

import json
from pathlib import Path
from typing import Any

from nacl.public import PrivateKey

from controller.cli.journal.auditor_command import CardDecryptor, decrypt_entries
from controller.runtime.journal.journal_reader import JournalReader


class Auditor:
    """Enrolled at the table whose state lies in `directory`, before its first hand."""

    def __init__(self, directory: Path) -> None:
        self._key = PrivateKey.generate()
        directory.mkdir(parents=True, exist_ok=True)
        (directory / "auditor.pub").write_text(bytes(self._key.public_key).hex())

    def lines(self, journal: JournalReader) -> list[dict[str, Any]]:
        """The lines of every entry, as they were before they were sealed."""
        opener = CardDecryptor(self._key)
        lines = [json.loads(line) for line in decrypt_entries(journal.read_records(), opener, script=True)]
        assert not opener.unopened_hands
        return lines

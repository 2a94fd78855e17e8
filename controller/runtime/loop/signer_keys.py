"""With which key each person of the house signs, as the journal of this run has it."""

from controller.runtime.journal.journal import Journal
from controller.runtime.staff.entry_signature import Signer


class SignerKeys:
    """Notes sign-ins and signers in the journal, each key before the first thing that is signed with it."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._key_by_name: dict[str, str] = {}
        """Name -> the key with which that person signed in last."""

    def record_sign_in(self, name: str, role: str, key: str, **where: str) -> None:
        """Note that a person signed in and signs with `key`."""
        self._journal.append_note("sign-in", {"name": name, "role": role, "key": key, **where})
        self._key_by_name[name] = key

    def ensure_recorded(self, by: Signer, source: str) -> None:
        """Note the key of a person who signs at `source`, not at the table, where it is not the one noted last."""
        if self._key_by_name.get(str(by["name"])) != by["key"]:
            self.record_sign_in(str(by["name"]), str(by["role"]), str(by["key"]), at=source)

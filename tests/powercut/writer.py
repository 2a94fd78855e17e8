"""Runs in the guest: proves the journal that it finds, says so on the wire, then writes until the power goes.

    writer.py MOUNT_OPTIONS MOUNT_POINT WIRE

Says `FOUND entry`, or `BROKEN why`; then `entry` for every entry that the journal has acknowledged. Hands are short:
a start, cards, the end, so that keys of hands come and go too. When the disk has lost its power it says `DOWN`, waits
for a line, and mounts the disk anew: to the disk and to what lies on it that is another machine, many seconds sooner.
"""

import json
import os
import subprocess
import sys
import time
import tty
from pathlib import Path

from nacl.exceptions import CryptoError
from nacl.secret import SecretBox

from controller.core.values.cards import build_deck
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.journal_reader import JournalReader
from controller.runtime.journal.proof.chain import BadRecordError, JournalRecord, verify_journal
from controller.runtime.journal.sealing.hand_seal import HandKeyFile, is_hidden_card, list_cards, unseal_card
from controller.runtime.storage.sqlite_database import DatabaseError
from controller.runtime.storage.state_directory import JOURNAL_FILE

CARDS = 9
DISK = "/dev/vda"
MENDED = (0, 1)
"""What e2fsck ends with where the disk is whole: it was, or is now."""


def verify_records(directory: Path) -> str:
    """Check everything that the directory holds; return what to say of it."""
    if not (directory / JOURNAL_FILE).exists():
        return "FOUND 0"
    try:
        archive = JournalReader.open(directory / JOURNAL_FILE)
        records = list(archive.read_records(linked=False))
        archive.close()
        proof = verify_journal(records) if records else None
        return cards_opened(directory, records) or f"FOUND {0 if proof is None else proof.last_entry}"
    except (BadRecordError, DatabaseError) as why:
        return f"BROKEN {why}"


def cards_opened(directory: Path, records: list[JournalRecord]) -> str | None:
    """Open the cards of a hand that was cut short with the key that lies beside; return what is wrong."""
    at = max((place for place, record in enumerate(records) if record.kind == "hand-key"), default=None)
    if at is None or any(record.kind in ("signed", "session") for record in records[at:]):
        return None
    found, body = HandKeyFile(directory).read(), records[at].parse_body()
    if found is None or found[0] != body["hand"]:
        return f"BROKEN the key of hand {body['hand']} is not there"
    for record in records[at:]:
        hidden = list_cards(record.parse_body()["line"]) if record.kind == "entry" else []
        for card in hidden:
            try:
                assert is_hidden_card(card)
                unseal_card(SecretBox(found[1]), str(card["sealed"]))  # type: ignore[index]  # it is hidden
            except CryptoError:
                return f"BROKEN a card of record {record.number} cannot be opened"
    return None


def write_for_ever(directory: Path, wire: int) -> None:
    """Write hands, and say what is acknowledged."""
    journal = Journal(directory / JOURNAL_FILE)
    journal.begin_run("powercut", "powercut")
    journal.begin_session({"mode": "test"})
    while True:
        lines = [{"ev": "start"}, *({"ev": "card", "card": card} for card in build_deck()[:CARDS])]
        for line in lines:
            entry = journal.append_entry(line, "powercut")
            os.write(wire, f"{entry}\n".encode("ascii"))
            journal.record_result(entry, json.dumps(line)[:8], None)
        journal.finish_hand()


def one_power_on(directory: Path, wire: int) -> None:
    """Prove and write, as a process of its own, until the disk fails."""
    os.write(wire, f"{verify_records(directory)}\n".encode())
    try:
        write_for_ever(directory, wire)
    except DatabaseError as why:
        sys.stderr.write(f"{why}\n")


def mount(options: str, point: str) -> bool:
    """Mount the disk; where that fails, check it first, as the image does at each boot (image/initramfs/overlay).

    ext4's superblock is two sectors. A cut between them leaves one that no kernel mounts, and a copy that e2fsck takes.
    """
    command = ("mount", "-t", "ext4", "-o", options, DISK, point)
    if subprocess.run(command, check=False).returncode == 0:
        return True
    if subprocess.run(("e2fsck", "-p", DISK), check=False).returncode not in MENDED:
        subprocess.run(("e2fsck", "-y", DISK), check=False)
    return subprocess.run(command, check=False).returncode == 0


def main() -> int:
    """Live through power cuts, until the machine is ended."""
    options, point, wire = sys.argv[1], sys.argv[2], os.open(sys.argv[3], os.O_RDWR | os.O_NOCTTY)
    tty.setraw(wire)
    while True:
        if not mount(options, point):
            os.write(wire, b"BROKEN the disk cannot be mounted\n")
            return 1
        child = os.fork()
        if child == 0:
            one_power_on(Path(point) / "table", wire)
            os._exit(0)
        os.waitpid(child, 0)
        while subprocess.run(("umount", point), check=False).returncode != 0:
            time.sleep(0.1)
        subprocess.run(("blockdev", "--flushbufs", DISK), check=False)  # nothing of before may be read again
        os.write(wire, b"DOWN\n")
        while os.read(wire, 1) != b"\n":
            pass


if __name__ == "__main__":
    sys.exit(main())

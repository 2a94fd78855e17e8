"""`tablectl journal auditor` and `journal decrypt`: who may read the cards that nobody showed, and how."""

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from nacl.public import PrivateKey
from nacl.secret import SecretBox

from config.config_error import ConfigError
from config.table_file import load_table_file
from controller.cli.journal.verify_command import read_records
from controller.cli.table_options import JOURNAL_OPTIONS
from controller.command_table import Command, Option
from controller.core.values.plurals import pluralize
from controller.runtime.journal.proof.chain import BadRecordError, JournalRecord
from controller.runtime.journal.proof.device_key import DEVICE_PUBLIC_KEY_FILE
from controller.runtime.journal.sealing.hand_seal import (
    AUDITOR_KEY_FILE,
    is_hidden_card,
    list_cards,
    read_auditor_public_key,
    render_line,
    replace_cards,
    unseal_card,
    unseal_hand_key,
)
from controller.runtime.storage.atomic_file import write_atomically
from controller.runtime.storage.sqlite_database import DatabaseError

PUBLIC_KEY_LABEL, SECRET_KEY_LABEL = "auditor-public", "auditor-secret"
"""The first word of a key's file; one without it is of an earlier program."""


def _make_key_pair(options: argparse.Namespace) -> int:
    path: Path = options.file
    public = path.with_name(f"{path.name}.pub")
    if path.exists() or public.exists():
        print(f"tablectl journal: {path} or {public} exists already; a key is not written over", file=sys.stderr)
        return 1
    key = PrivateKey.generate()
    try:
        write_atomically(path, f"{SECRET_KEY_LABEL} {bytes(key).hex()}\n".encode())
        write_atomically(public, f"{PUBLIC_KEY_LABEL} {bytes(key.public_key).hex()}\n".encode(), mode=0o644)
    except OSError as why:
        print(f"tablectl journal: {path}: cannot be written: {why.strerror}", file=sys.stderr)
        return 1
    print(f"{path} opens what is sealed to {public}; without it nobody can. Keep it, and a copy, off the table.")
    return 0


def _enrol_auditor(options: argparse.Namespace) -> int:
    try:
        directory = options.state or load_table_file(options.config).state_directory
        key = read_auditor_key(options.file, PUBLIC_KEY_LABEL)
        os.makedirs(directory, mode=0o700, exist_ok=True)
        if (directory / DEVICE_PUBLIC_KEY_FILE).is_file() and _read_key_bytes(
            directory / DEVICE_PUBLIC_KEY_FILE
        ) == key:
            raise ValueError(f"{options.file}: is the table's own key, and no auditor's")
        before = _read_enrolled(directory)
        write_atomically(directory / AUDITOR_KEY_FILE, key.hex().encode() + b"\n", mode=0o644)
    except (ConfigError, ValueError) as why:
        print(f"tablectl journal: {why}", file=sys.stderr)
        return 2
    except OSError as why:
        print(f"tablectl journal: {why.filename}: {why.strerror}", file=sys.stderr)
        return 1
    replaced = "" if before in (None, key) else f", and no longer to {before.hex()}"
    print(f"from the next hand on, cards are sealed to {key.hex()}{replaced}")
    return 0


def _read_enrolled(directory: Path) -> bytes | None:
    """Who is enrolled; a file that is damaged names nobody, and is written anew."""
    try:
        return read_auditor_public_key(directory)
    except DatabaseError:
        return None


def _decrypt_journal(options: argparse.Namespace) -> int:
    try:
        opener = CardDecryptor(PrivateKey(read_auditor_key(options.key, SECRET_KEY_LABEL)))
        for line in decrypt_entries(read_records(options.files), opener, script=options.script):
            print(line)
    except BadRecordError as why:
        print(f"tablectl journal: {why}", file=sys.stderr)
        return 1
    except (DatabaseError, ValueError) as why:
        print(f"tablectl journal: {why}", file=sys.stderr)
        return 2
    except OSError as why:
        print(f"tablectl journal: {why.filename}: cannot be read: {why.strerror}", file=sys.stderr)
        return 2
    if opener.unopened_hands:
        print(
            f"tablectl journal: {pluralize(len(opener.unopened_hands), 'hand')} sealed to another auditor or to none",
            file=sys.stderr,
        )
        return 1
    return 0


class CardDecryptor:
    """Opens the cards of records as they come; `unopened_hands` are the hands whose key is sealed to somebody else."""

    def __init__(self, key: PrivateKey) -> None:
        self.unopened_hands: set[int] = set()
        self._key = key
        self._hand_number = 0
        self._box: SecretBox | None = None
        self._card_by_alias: dict[int, str] = {}

    def begin_hand(self, body: Mapping[str, Any]) -> None:
        """Take the key of the next hand."""
        self._hand_number, self._card_by_alias = int(body["hand"]), {}
        found = None if body.get("sealed") is None else unseal_hand_key(self._key, str(body["sealed"]))
        self._box = None if found is None else SecretBox(found)

    def decrypt_line(self, line: Mapping[str, object]) -> dict[str, object]:
        """The line with its cards, `None` for those that cannot be opened."""
        return replace_cards(line, [self._decrypt_card(card) for card in list_cards(line)])

    def _decrypt_card(self, card: Any) -> object:  # noqa: ANN401 - a value of a line
        if not is_hidden_card(card):
            return card
        alias = int(card["alias"])
        if "sealed" in card and self._box is not None:
            self._card_by_alias[alias] = unseal_card(self._box, str(card["sealed"]))
        if alias not in self._card_by_alias:
            self.unopened_hands.add(self._hand_number)
        return self._card_by_alias.get(alias)


def decrypt_entries(records: Iterable[object], opener: CardDecryptor, *, script: bool) -> Iterator[str]:
    """Write the entries of a journal, opened."""
    for record in records:
        if not isinstance(record, JournalRecord):
            continue
        if record.kind == "hand-key":
            opener.begin_hand(record.parse_body())
        elif record.kind == "entry":
            body = record.parse_body()
            line = opener.decrypt_line(body["line"])
            yield render_line(line) if script else json.dumps(_make_shown_entry(body, line), ensure_ascii=False)


def _make_shown_entry(body: Mapping[str, Any], line: Mapping[str, object]) -> dict[str, object]:
    kept = ("entry", "session", "run", "wall", "source", "by")
    return {**{name: body[name] for name in kept if name in body}, "line": line}


def read_auditor_key(path: Path, kind: str) -> bytes:
    """Read the half of an auditor's pair that is wanted, `PUBLIC` or `SECRET`; raises `ValueError`, and `OSError`.

    Files of earlier programs do not say which half they are: the secret one was readable by its owner alone.
    """
    key = _read_key_bytes(path)
    if len(key) != PrivateKey.SIZE:
        raise ValueError(f"{path}: is no key of an auditor (64 hexadecimal signs)")
    named = path.read_text(encoding="ascii").split()[0]
    secret = named == SECRET_KEY_LABEL or (named != PUBLIC_KEY_LABEL and not path.stat().st_mode & 0o077)
    if kind == PUBLIC_KEY_LABEL and secret:
        raise ValueError(f"{path}: is the secret half of the auditor's keys, which no table may have: take FILE.pub")
    if kind == SECRET_KEY_LABEL and (named == PUBLIC_KEY_LABEL or (not secret and path.suffix == ".pub")):
        raise ValueError(
            f"{path}: is the public half of the auditor's keys, which opens nothing: take the one without .pub"
        )
    return key


def _read_key_bytes(path: Path) -> bytes:
    try:
        *_, digits = path.read_text(encoding="ascii").split() or [""]
        return bytes.fromhex(digits)
    except ValueError:
        return b""


COMMANDS = (
    Command(
        "auditor",
        "make the auditor's key, and name the auditor to a table",
        Command(
            "new",
            "make the auditor's pair of keys",
            Option("file FILE", "where to put the key; must not exist yet", Path),
            description="Makes the auditor's key FILE, which opens hidden cards, and FILE.pub, which seals them. Make "
            "it on a machine that is not the table's, and bring only FILE.pub to the table.",
            run=_make_key_pair,
        ),
        Command(
            "enrol",
            "seal the cards of every hand to this auditor, from the next hand on",
            Option("file FILE.pub", "the auditor's public key", Path),
            *JOURNAL_OPTIONS,
            description="Takes the auditor's public key, FILE.pub, into the directory of the table.",
            run=_enrol_auditor,
        ),
    ),
    Command(
        "decrypt",
        "show what the journal hides, with the auditor's key",
        Option("files FILE", "an export, or files in their order", Path, nargs="+"),
        Option("--key FILE", "the auditor's key", Path, required=True),
        Option("--script", "only the lines, as a table script", flag=True),
        description="Prints the entries of a journal with the cards that lay face down, one JSON object per line. "
        "--script prints the lines of the table script. Works on an export, and needs no table.",
        run=_decrypt_journal,
        aliases=("open",),
    ),
)

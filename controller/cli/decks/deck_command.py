"""`tablectl deck`: the registered decks of a table."""

import argparse
import sys
from collections.abc import Collection
from contextlib import nullcontext
from pathlib import Path

from config.config_error import ConfigError
from config.table_file import load_table_file
from controller.app.workshop.deck_recovery import describe_absent_file, read_recorded_decks
from controller.cli.decks import deck_register_command
from controller.cli.table_options import make_table_options
from controller.command_table import Command, Option
from controller.runtime.devices.deck_list_formats import TagFormat, parse_deck_list, render_csv, render_json
from controller.runtime.devices.deck_store import CardMarking, DeckError, DeckStore
from controller.runtime.storage.sqlite_database import DatabaseError
from controller.runtime.storage.state_directory import TABLE_DATABASE_FILE

NO_DECK_MESSAGE = "no deck is registered: see `tablectl deck register` and `tablectl deck import`"

MAX_LIST_BYTES = 1_000_000
"""Of a list of cards; one of 54 tags has two or three thousand."""


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 done, 1 refused, 2 the configuration cannot be used."""
    try:
        directory = options.state or load_table_file(options.config).state_directory
        path = directory / TABLE_DATABASE_FILE
        if options.action is _list and not path.exists():
            return _say_what_is_missing(directory, ())
        decks = DeckStore(path, create=options.action is _import)
    except ConfigError as why:
        print(f"tablectl deck: {why}", file=sys.stderr)
        return 2
    except DatabaseError as why:
        print(f"tablectl deck: {why}", file=sys.stderr)
        return 1
    try:
        options.action(options, decks)
        if options.action is _list:
            return _say_what_is_missing(directory, decks.list_names())
    except (DeckError, DatabaseError, UnicodeDecodeError) as why:
        print(f"tablectl deck: {why}", file=sys.stderr)
        return 1
    finally:
        decks.close()
    return 0


def _say_what_is_missing(directory: Path, names: Collection[str]) -> int:
    """Say which decks only the journal knows, or that there is none; return the exit status."""
    lost = sorted(read_recorded_decks(directory).keys() - set(names))
    if lost:
        print(
            f"tablectl deck: {directory / TABLE_DATABASE_FILE} has not what the journal knows: {', '.join(lost)}; "
            "start the table, which restores it",
            file=sys.stderr,
        )
    elif not names:
        print(NO_DECK_MESSAGE, file=sys.stderr)
    if (lost or not names) and (absent := describe_absent_file(directory)) is not None:
        print(f"tablectl deck: {absent}", file=sys.stderr)
    return 1 if lost else 0


def _list(options: argparse.Namespace, decks: DeckStore) -> None:  # noqa: ARG001 - every command takes both
    for name in decks.list_names():
        deck = decks.get(name)
        print(f"{name}\t{len(deck.card_by_tag)} cards\t{deck.marking.value}\tchecksum {deck.compute_checksum()}")


def _import(options: argparse.Namespace, decks: DeckStore) -> None:
    with nullcontext(sys.stdin.buffer) if options.file == "-" else Path(options.file).open("rb") as file:
        content = file.read(MAX_LIST_BYTES + 1)
    if len(content) > MAX_LIST_BYTES:
        raise DeckError(f"{options.file} has more than {MAX_LIST_BYTES // 1000} kB; a list of cards has a few")
    text = content.decode()
    form = None if options.tags is None else TagFormat(options.tags)
    marks = CardMarking.PRINTED if options.printed else CardMarking.TAGGED
    deck = parse_deck_list(options.name, text, form, marks, options.hex_digits)
    decks.register(deck, replace=options.replace)
    print(f"registered {deck.name}: {len(deck.card_by_tag)} cards, checksum {deck.compute_checksum()}")


def _export(options: argparse.Namespace, decks: DeckStore) -> None:
    deck = decks.get(options.name)
    sys.stdout.write(render_csv(deck) if options.format == "csv" else render_json(deck))


DECK_OPTIONS = make_table_options(state="its decks are")

COMMAND = Command(
    "deck",
    "Registers, lists and exports the decks of a table: which tag is which card.",
    Command(
        "list",
        "list the registered decks with their checksums",
        *DECK_OPTIONS,
        description="Prints each registered deck with its number of cards and the checksum of its tags.",
        action=_list,
    ),
    *deck_register_command.COMMANDS,
    Command(
        "import",
        "register a deck from a list",
        Option("name", "the name of the deck"),
        Option("file FILE", "the list; - for standard input"),
        Option(
            "--tags",
            "how tags are written, where the list leaves that open",
            choices=[form.value for form in TagFormat],
        ),
        Option("--hex-digits N", "length in hex of a decimal tag (10)", int, default=10),
        Option("--printed", "the cards carry printed codes: equal cards, equal codes", flag=True),
        Option("--replace", "register a known deck anew; old tags stay on record", flag=True),
        *DECK_OPTIONS,
        description="Registers a deck from a CSV list with the columns UID,Rank,Suit, or from JSON (tag to card, or "
        "our own export). Refuses a tag of another deck, two tags for one card and missing cards; then "
        "nothing changes.",
        action=_import,
    ),
    Command(
        "export",
        "write a deck as a list",
        Option("name", "the name of the deck"),
        Option("--format", "csv (UID,Rank,Suit) or json", choices=("csv", "json"), default="csv"),
        *DECK_OPTIONS,
        description="Prints a registered deck, tag by tag. Keep the list as you would keep the deck.",
        action=_export,
    ),
    run=run,
    as_table_user=True,
)

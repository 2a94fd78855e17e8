"""`tablectl deck`: the registered decks of a table."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from config.errors import ConfigError
from config.table_file import load_table
from controller.cli.decks import register
from controller.cli.which_table import add_table
from controller.runtime.devices.decklists import TagForm, read_list, write_csv, write_json
from controller.runtime.devices.decks import DeckError, Decks, Marks
from controller.runtime.journal.database import DatabaseError
from controller.runtime.state_directory import TABLE_FILE

NONE = "no deck is registered: see `tablectl deck register` and `tablectl deck import`"


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command and its own commands."""
    parser = subparsers.add_parser(
        "deck",
        description="Registers, lists and exports the decks of a table: which tag is which card.",
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    listing = commands.add_parser(
        "list",
        help="list the registered decks with their checksums",
        description="Prints each registered deck with its number of cards and the checksum of its tags.",
    )
    _finish(listing, _list)

    register.add(commands)
    register.add_deal(commands)

    take = commands.add_parser(
        "import",
        help="register a deck from a list",
        description="Registers a deck from a CSV list with the columns UID,Rank,Suit, or from JSON (tag to card, or "
        "our own export). Refuses a tag of another deck, two tags for one card and missing cards; then "
        "nothing changes.",
    )
    take.add_argument("name", help="the name of the deck")
    take.add_argument("file", metavar="FILE", help="the list; - for standard input")
    forms = [form.value for form in TagForm]
    take.add_argument("--tags", choices=forms, help="how tags are written, where the list leaves that open")
    take.add_argument("--hex-digits", type=int, default=10, metavar="N", help="length in hex of a decimal tag (10)")
    take.add_argument("--printed", action="store_true", help="the cards carry printed codes: equal cards, equal codes")
    take.add_argument("--replace", action="store_true", help="register a known deck anew; old tags stay on record")
    _finish(take, _import)

    give = commands.add_parser(
        "export",
        help="write a deck as a list",
        description="Prints a registered deck, tag by tag. Keep the list as you would keep the deck.",
    )
    give.add_argument("name", help="the name of the deck")
    give.add_argument("--format", choices=("csv", "json"), default="csv", help="csv (UID,Rank,Suit) or json")
    _finish(give, _export)


def _finish(parser: argparse.ArgumentParser, command: Callable[[argparse.Namespace, Decks], None]) -> None:
    add_table(parser, state="its decks are")
    parser.set_defaults(run=run, deck_command=command)


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 done, 1 refused, 2 the configuration cannot be used."""
    try:
        directory = options.state or load_table(options.config).directory
        path = directory / TABLE_FILE
        if options.deck_command is _list and not path.exists():
            print(NONE, file=sys.stderr)
            return 0
        decks = Decks(path, create=options.deck_command is _import)
    except ConfigError as why:
        print(f"tablectl deck: {why}", file=sys.stderr)
        return 2
    except DatabaseError as why:
        print(f"tablectl deck: {why}", file=sys.stderr)
        return 1
    try:
        options.deck_command(options, decks)
    except (DeckError, UnicodeDecodeError) as why:
        print(f"tablectl deck: {why}", file=sys.stderr)
        return 1
    finally:
        decks.close()
    return 0


def _list(options: argparse.Namespace, decks: Decks) -> None:  # noqa: ARG001 - every command takes both
    if not decks.names():
        print(NONE, file=sys.stderr)
    for name in decks.names():
        deck = decks.get(name)
        print(f"{name}\t{len(deck.cards)} cards\t{deck.marks.value}\tchecksum {deck.checksum()}")


def _import(options: argparse.Namespace, decks: Decks) -> None:
    text = sys.stdin.read() if options.file == "-" else Path(options.file).read_text(encoding="utf-8")
    form = None if options.tags is None else TagForm(options.tags)
    marks = Marks.PRINTED if options.printed else Marks.TAGGED
    deck = read_list(options.name, text, form, marks, options.hex_digits)
    decks.register(deck, replace=options.replace)
    print(f"registered {deck.name}: {len(deck.cards)} cards, checksum {deck.checksum()}")


def _export(options: argparse.Namespace, decks: Decks) -> None:
    deck = decks.get(options.name)
    sys.stdout.write(write_csv(deck) if options.format == "csv" else write_json(deck))

"""`tablectl deck register`: a deck card by card at the reader of the shoe."""

import argparse
import io
import select
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from controller.app.workshop.deck_registration import DeckRegistration, format_card_name, refuse_tag_of_other_deck
from controller.app.workshop.deck_verification import DeckVerification
from controller.app.workshop.device_event_text import describe_event
from controller.cli.devices.device_access import (
    COMMAND_ERRORS,
    CommandError,
    DeviceAccess,
    open_device_access,
    poll_events,
    report_refusal,
)
from controller.cli.table_options import make_table_options
from controller.command_table import Command, Option
from controller.runtime.devices.deck_store import CardMarking, DeckError, DeckStore, check_deck_name
from controller.runtime.service.table_activity import is_hand_in_progress
from controller.runtime.storage.sqlite_database import DatabaseError
from controller.runtime.storage.state_directory import TABLE_DATABASE_FILE
from drivers.contract.driver_interface import DeviceEvent, DeviceLost, DeviceReady, TagRead, TagReader


def run_deal(options: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 all are right, 1 not, refused or left off, 2 a file cannot be used."""
    try:
        device = options.device
        options.device = None if device is None else [device]
        with open_device_access(options, lambda driver: isinstance(driver, TagReader)) as readers:
            site = _select_reader(readers, device)
            directory = options.state or site.file.state_directory
            if is_hand_in_progress(directory):
                raise CommandError("a hand is in progress: its cards lie face down; finish it first")
            decks = DeckStore(directory / TABLE_DATABASE_FILE, create=False)
            try:
                deal = DeckVerification(decks.get(options.name))
            finally:
                decks.close()
            return _verify_deck(deal, site, options.seconds)
    except (*COMMAND_ERRORS, DeckError, DatabaseError) as why:
        return report_refusal("deck", why)


def _verify_deck(deal: DeckVerification, site: DeviceAccess, seconds: float | None) -> int:
    _ask_for_card(deal)
    for heard in _read_tags_and_lines(site, seconds):
        if heard == "q":
            break
        if isinstance(heard, TagRead):
            said = deal.take(heard.tag, time.monotonic())
            if said.message:
                print(said.message, flush=True)
            if said.accepted:
                _ask_for_card(deal)
        if deal.expected_card is None:
            break
    found = deal.find_mistakes()
    for sentence in found:
        print(sentence)
    left = len(deal.cards) - deal.taken_count
    print(f"{deal.taken_count} cards dealt, {len(found)} wrong" + (f", {left} not dealt" if left else ""))
    return 1 if found or left else 0


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 registered, 1 refused or left off, 2 the file cannot be used."""
    try:
        return _register(options)
    except (*COMMAND_ERRORS, DeckError, DatabaseError) as why:
        return report_refusal("deck", why)


def _register(options: argparse.Namespace) -> int:
    device = options.device
    options.device = None if device is None else [device]
    with open_device_access(options, lambda driver: isinstance(driver, TagReader)) as readers:
        site = _select_reader(readers, device)
        directory = options.state or site.file.state_directory
        decks = DeckStore(directory / TABLE_DATABASE_FILE)
        try:
            if options.card is not None:
                return _register_card(options, site, decks)
            check_deck_name(options.name)
            return _register_deck(options, site, decks, directory / f"register-{options.name}.json")
        finally:
            decks.close()


def _select_reader(site: DeviceAccess, device: str | None) -> DeviceAccess:
    """Leave only the reader at which the cards are shown."""
    if device is None:
        if site.file.shoe is None:
            raise CommandError("the table has no [shoe]; say which reader with --device")
        device = site.file.shoe.reader
    if device not in site.devices.byte_drivers:
        raise CommandError(f"device {device!r} reads no tags; readers are {', '.join(site.devices.byte_drivers)}")
    return site.select_device(device)


def _register_deck(options: argparse.Namespace, site: DeviceAccess, decks: DeckStore, progress: Path) -> int:
    if options.name in decks.list_names() and not options.replace:
        raise DeckError(
            f"deck {options.name!r} is registered already; --card registers one card of it anew, --replace all of them"
        )
    marks = CardMarking.PRINTED if options.printed else CardMarking.TAGGED
    registration = DeckRegistration(options.name, decks, progress, marks, options.jokers)
    if options.restart:
        registration.restart()
    if taken := registration.resume():
        print(f"going on after {taken} cards")
    _ask_for_card(registration)
    last = ""
    for heard in _read_tags_and_lines(site, options.seconds):
        if isinstance(heard, TagRead):
            said = registration.take(heard.tag, time.monotonic())
            if said.message and said.message != last:
                print(said.message, flush=True)
            last = said.message or last
            if said.accepted:
                if registration.expected_card is None:
                    deck = registration.finish(replace=options.replace)
                    print(f"registered {deck.name}: {len(deck.card_by_tag)} cards, checksum {deck.compute_checksum()}")
                    return 0
                _ask_for_card(registration)
        elif heard == "u":
            card = registration.take_back()
            print("nothing to take back" if card is None else f"taken back: {format_card_name(card)}")
            _ask_for_card(registration)
        elif heard == "q":
            break
    left = len(registration.cards) - len(registration.tags)
    print(f"left off with {left} card{'s' if left > 1 else ''} to go; the same command goes on")
    return 1


def _ask_for_card(registration: DeckRegistration | DeckVerification) -> None:
    if registration.expected_card is not None:
        print(f"next: {format_card_name(registration.expected_card)}", flush=True)


def _register_card(options: argparse.Namespace, site: DeviceAccess, decks: DeckStore) -> int:
    deck = decks.get(options.name)
    before = [tag for tag, card in deck.card_by_tag.items() if card == options.card]
    if not before:
        raise DeckError(
            f"deck {options.name!r} has no card {options.card!r}; a card is rank and suit like As, or joker"
        )
    print(f"show the new {format_card_name(options.card)}", flush=True)
    told: set[str] = set()
    for heard in _read_tags_and_lines(site, options.seconds):
        if heard == "q":
            break
        if not isinstance(heard, TagRead) or heard.tag in told:
            continue
        told.add(heard.tag)
        try:
            refuse_tag_of_other_deck(decks, options.name, heard.tag, deck.marking)
            decks.replace_card(options.name, options.card, heard.tag)
        except DeckError as why:
            print(why, flush=True)
            continue
        print(f"registered the {format_card_name(options.card)} of {options.name} anew")
        for tag in (before[0], heard.tag):
            for _, card, since, until in decks.find_tag_history(tag):
                print(f"    {tag}: {card} from {since} {'until ' + until if until else 'on'}")
        return 0
    print("nothing was changed")
    return 1


def _read_tags_and_lines(site: DeviceAccess, seconds: float | None) -> Iterator[TagRead | str]:
    """Yield tags as they are read, and lines as they are typed.

    Of the shoe's reader, where it has antennas elsewhere, only those in the shoe count: cards may lie at the others.
    """
    shoe = site.file.shoe
    waiting: list[TagRead | str] = []

    def on_event(event: DeviceEvent, at: float) -> None:  # noqa: ARG001 - when it was is no matter here
        if isinstance(event, TagRead):
            if shoe is None or event.device != shoe.reader or site.file.is_in_shoe(event.device, event.antenna):
                waiting.append(event)
        elif isinstance(event, DeviceLost | DeviceReady):
            print(f"{event.device}: {describe_event(event)}", flush=True)

    with site.open_console() as station:
        for _ in poll_events(station, on_event, seconds=seconds):
            waiting += _read_typed_lines()
            while waiting:
                yield waiting.pop(0)


def _read_typed_lines() -> list[str]:
    """Take a line from the terminal, if one was typed."""
    try:
        if not sys.stdin.isatty() or not select.select([sys.stdin], [], [], 0)[0]:
            return []
        return [sys.stdin.readline().strip().lower()]
    except (io.UnsupportedOperation, ValueError):  # there is no terminal
        return []


COMMANDS = (
    Command(
        "register",
        "register a deck card by card at the reader",
        Option("name", "the name of the deck"),
        Option("--card CARD", "only this card, such as As or joker, of a registered deck"),
        Option("--jokers", "jokers in the deck (0)", int, choices=(0, 1, 2), default=0),
        Option("--printed", "the cards carry printed codes: equal cards, equal codes", flag=True),
        Option("--replace", "register a known deck anew; old tags stay on record", flag=True),
        Option("--restart", "forget the cards of a registration that was left off", flag=True),
        Option("--device NAME", "the reader, instead of the shoe's"),
        *make_table_options(state="its decks are"),
        Option("--seconds N", "stop after so long", float),
        description="Asks for one card after the other, ace to king of spades, hearts, diamonds and clubs, and notes "
        "the tag of each. Stop with Ctrl-C or q and go on later with the same command. Type u to take the last card "
        "back. A card of another deck is refused. With --card, registers a new piece of plastic for one card of a "
        "registered deck; the old tag stays on record.",
        run=run,
    ),
    Command(
        "deal",
        "deal a registered deck through the reader, and find cards that were swapped",
        Option("name", "the name of the deck"),
        Option("--device NAME", "the reader, instead of the shoe's"),
        *make_table_options(state="its decks are"),
        Option("--seconds N", "stop after so long", float),
        description="Asks for one card after the other, in the order of `deck register`, and compares what each tag is "
        "registered as. Changes nothing. Between two hands only.",
        run=run_deal,
    ),
)

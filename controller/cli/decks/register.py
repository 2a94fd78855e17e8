"""`tablectl deck register`: a deck card by card at the reader of the shoe."""

import argparse
import io
import select
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from controller.app.release.safe_moment import hand_lives
from controller.app.workshop.deal_through import DealThrough
from controller.app.workshop.device_words import words
from controller.app.workshop.register_deck import Registration, card_name, refuse_taken
from controller.cli.devices.on_site import REFUSALS, CommandRefused, Site, listen, on_site, refused
from controller.cli.which_table import add_table
from controller.runtime.devices.decks import DeckError, Decks, Marks, check_name
from controller.runtime.journal.database import DatabaseError
from controller.runtime.state_directory import TABLE_FILE
from drivers.contract.base import DeviceEvent, DeviceLost, DeviceReady, TagRead, TagReader


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to those of `tablectl deck`."""
    parser = commands.add_parser(
        "register",
        help="register a deck card by card at the reader",
        description="Asks for one card after the other, ace to king of spades, hearts, diamonds and clubs, and notes "
        "the tag of each. Stop with Ctrl-C or q and go on later with the same command. Type u to take the last card "
        "back. A card of another deck is refused. With --card, registers a new piece of plastic for one card of a "
        "registered deck; the old tag stays on record.",
    )
    parser.add_argument("name", help="the name of the deck")
    parser.add_argument("--card", metavar="CARD", help="only this card, such as As or joker, of a registered deck")
    parser.add_argument("--jokers", type=int, choices=(0, 1, 2), default=0, help="jokers in the deck (0)")
    parser.add_argument(
        "--printed", action="store_true", help="the cards carry printed codes: equal cards, equal codes"
    )
    parser.add_argument("--replace", action="store_true", help="register a known deck anew; old tags stay on record")
    parser.add_argument("--restart", action="store_true", help="forget the cards of a registration that was left off")
    parser.add_argument("--device", metavar="NAME", help="the reader, instead of the shoe's")
    add_table(parser, state="its decks are")
    parser.add_argument("--seconds", metavar="N", type=float, help="stop after so long")
    parser.set_defaults(run=run)


def add_deal(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `deck deal` to those of `tablectl deck`."""
    parser = commands.add_parser(
        "deal",
        help="deal a registered deck through the reader, and find cards that were swapped",
        description="Asks for one card after the other, in the order of `deck register`, and compares what each tag is "
        "registered as. Changes nothing. Between two hands only.",
    )
    parser.add_argument("name", help="the name of the deck")
    parser.add_argument("--device", metavar="NAME", help="the reader, instead of the shoe's")
    add_table(parser, state="its decks are")
    parser.add_argument("--seconds", metavar="N", type=float, help="stop after so long")
    parser.set_defaults(run=run_deal)


def run_deal(options: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 all are right, 1 not, refused or left off, 2 a file cannot be used."""
    try:
        device = options.device
        options.device = None if device is None else [device]
        with on_site(options, lambda driver: isinstance(driver, TagReader)) as readers:
            site = _at_one_reader(readers, device)
            directory = options.state or site.file.directory
            if hand_lives(directory):
                raise CommandRefused("a hand is in progress: its cards lie face down; finish it first")
            decks = Decks(directory / TABLE_FILE, create=False)
            try:
                deal = DealThrough(decks.get(options.name))
            finally:
                decks.close()
            return _dealt(deal, site, options.seconds)
    except (*REFUSALS, DeckError, DatabaseError) as why:
        return refused("deck", why)


def _dealt(deal: DealThrough, site: Site, seconds: float | None) -> int:
    _ask(deal)
    for heard in _tags(site, seconds):
        if heard == "q":
            break
        if isinstance(heard, TagRead):
            said = deal.take(heard.tag, time.monotonic())
            if said.text:
                print(said.text, flush=True)
            if said.accepted:
                _ask(deal)
        if deal.due is None:
            break
    found = deal.found()
    for sentence in found:
        print(sentence)
    left = len(deal.cards) - deal.taken
    print(f"{deal.taken} cards dealt, {len(found)} wrong" + (f", {left} not dealt" if left else ""))
    return 1 if found or left else 0


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 registered, 1 refused or left off, 2 the file cannot be used."""
    try:
        return _run(options)
    except (*REFUSALS, DeckError, DatabaseError) as why:
        return refused("deck", why)


def _run(options: argparse.Namespace) -> int:
    device = options.device
    options.device = None if device is None else [device]
    with on_site(options, lambda driver: isinstance(driver, TagReader)) as readers:
        site = _at_one_reader(readers, device)
        directory = options.state or site.file.directory
        decks = Decks(directory / TABLE_FILE)
        try:
            if options.card is not None:
                return _one_card(options, site, decks)
            check_name(options.name)
            return _whole_deck(options, site, decks, directory / f"register-{options.name}.json")
        finally:
            decks.close()


def _at_one_reader(site: Site, device: str | None) -> Site:
    """Leave only the reader at which the cards are shown."""
    if device is None:
        if site.file.shoe is None:
            raise CommandRefused("the table has no [shoe]; say which reader with --device")
        device = site.file.shoe.reader
    if device not in site.devices.byte_drivers:
        raise CommandRefused(f"device {device!r} reads no tags; readers are {', '.join(site.devices.byte_drivers)}")
    return site.only(device)


def _whole_deck(options: argparse.Namespace, site: Site, decks: Decks, progress: Path) -> int:
    if options.name in decks.names() and not options.replace:
        raise DeckError(
            f"deck {options.name!r} is registered already; --card registers one card of it anew, --replace all of them"
        )
    marks = Marks.PRINTED if options.printed else Marks.TAGGED
    registration = Registration(options.name, decks, progress, marks, options.jokers)
    if options.restart:
        registration.restart()
    if taken := registration.resume():
        print(f"going on after {taken} cards")
    _ask(registration)
    last = ""
    for heard in _tags(site, options.seconds):
        if isinstance(heard, TagRead):
            said = registration.take(heard.tag, time.monotonic())
            if said.text and said.text != last:
                print(said.text, flush=True)
            last = said.text or last
            if said.accepted:
                if registration.due is None:
                    deck = registration.finish(replace=options.replace)
                    print(f"registered {deck.name}: {len(deck.cards)} cards, checksum {deck.checksum()}")
                    return 0
                _ask(registration)
        elif heard == "u":
            card = registration.take_back()
            print("nothing to take back" if card is None else f"taken back: {card_name(card)}")
            _ask(registration)
        elif heard == "q":
            break
    left = len(registration.cards) - len(registration.tags)
    print(f"left off with {left} cards to go; the same command goes on")
    return 1


def _ask(registration: Registration | DealThrough) -> None:
    if registration.due is not None:
        print(f"next: {card_name(registration.due)}", flush=True)


def _one_card(options: argparse.Namespace, site: Site, decks: Decks) -> int:
    deck = decks.get(options.name)
    before = [tag for tag, card in deck.cards.items() if card == options.card]
    if not before:
        raise DeckError(
            f"deck {options.name!r} has no card {options.card!r}; a card is rank and suit like As, or joker"
        )
    print(f"show the new {card_name(options.card)}", flush=True)
    told: set[str] = set()
    for heard in _tags(site, options.seconds):
        if heard == "q":
            break
        if not isinstance(heard, TagRead) or heard.tag in told:
            continue
        told.add(heard.tag)
        try:
            refuse_taken(decks, options.name, heard.tag, deck.marks)
            decks.replace_card(options.name, options.card, heard.tag)
        except DeckError as why:
            print(why, flush=True)
            continue
        print(f"registered the {card_name(options.card)} of {options.name} anew")
        for tag in (before[0], heard.tag):
            for _, card, since, until in decks.history(tag):
                print(f"    {tag}: {card} from {since} {'until ' + until if until else 'on'}")
        return 0
    print("nothing was changed")
    return 1


def _tags(site: Site, seconds: float | None) -> Iterator[TagRead | str]:
    """Yield tags as they are read, and lines as they are typed."""
    waiting: list[TagRead | str] = []

    def told(event: DeviceEvent, at: float) -> None:  # noqa: ARG001 - when it was is no matter here
        if isinstance(event, TagRead):
            waiting.append(event)
        elif isinstance(event, DeviceLost | DeviceReady):
            print(f"{event.device}: {words(event)}", flush=True)

    with site.station() as station:
        for _ in listen(station, told, seconds=seconds):
            waiting += _typed()
            while waiting:
                yield waiting.pop(0)


def _typed() -> list[str]:
    """Take a line from the terminal, if one was typed."""
    try:
        if not sys.stdin.isatty() or not select.select([sys.stdin], [], [], 0)[0]:
            return []
        return [sys.stdin.readline().strip().lower()]
    except (io.UnsupportedOperation, ValueError):  # there is no terminal
        return []

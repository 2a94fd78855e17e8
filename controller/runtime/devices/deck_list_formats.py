"""Deck lists as other programs write them: CSV `UID,Rank,Suit` and JSON, with tags in hex or decimal.

A tag in hex may have `:`, `-`, `_` or spaces between its bytes. A column of digits alone is ambiguous,
so the whole list decides: `tags` says which, and without it a list is decimal only where every tag in it is digits
alone and one of them cannot be pairs of hex digits, or their lengths differ.
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping
from enum import Enum, unique

from controller.runtime.devices.deck_store import JOKER, RANKS, SUITS, CardMarking, Deck, DeckError
from controller.strict_json import RepeatedKeyError, parse_json


@unique
class TagFormat(Enum):
    """How the tags of a list are written."""

    HEX = "hex"
    DECIMAL = "decimal"
    TEXT = "text"


_SEPARATOR_PATTERN = re.compile(r"[:\-_\s]")
_HEX_PATTERN = re.compile(r"(?:[0-9A-Fa-f]{2})+")
_RANK_BY_WORD = {"10": "T", "1": "A", "ace": "A", "king": "K", "queen": "Q", "jack": "J", "ten": "T"}
_SUIT_BY_WORD = {
    "spades": "s", "hearts": "h", "diamonds": "d", "clubs": "c",
    "spade": "s", "heart": "h", "diamond": "d", "club": "c",
    "♠": "s", "♥": "h", "♦": "d", "♣": "c",
}  # fmt: skip


def normalize_tag(text: str, form: TagFormat, width: int = 10) -> str:
    """Spell a tag the one way: upper-case hex without separators.

    A decimal tag is written with `width` hex digits, as its reader will report it (10 for 125 kHz readers: version
    byte and 32-bit number). Raises `DeckError`.
    """
    if form is TagFormat.TEXT:
        return text.strip().upper()
    bare = _SEPARATOR_PATTERN.sub("", text.strip())
    if form is TagFormat.DECIMAL:
        if not bare.isdecimal():
            raise DeckError(f"{text!r} is no decimal tag")
        return f"{int(bare):0{width}X}"
    bare = bare.removeprefix("0x").removeprefix("0X")
    if not _HEX_PATTERN.fullmatch(bare):
        raise DeckError(f"{text!r} is no tag: want pairs of hex digits, with or without separators, or --tags decimal")
    return bare.upper()


def parse_card(rank: str, suit: str) -> str:
    """`"T"`, `"hearts"` to `"Th"`; raises `DeckError` listing what is a rank and a suit."""
    if JOKER in (rank.strip().lower(), suit.strip().lower()):
        return JOKER
    rank_word = rank.strip().lower()
    suit_word = suit.strip().lower()
    known_rank = _RANK_BY_WORD.get(rank_word, rank_word.upper())
    known_suit = _SUIT_BY_WORD.get(suit_word, suit_word)
    if len(known_rank) != 1 or known_rank not in RANKS:
        raise DeckError(f"{rank!r} is no rank; ranks are {', '.join(RANKS)} (or 10)")
    if len(known_suit) != 1 or known_suit not in SUITS:
        raise DeckError(f"{suit!r} is no suit; suits are s, h, d, c or their English names")
    return known_rank + known_suit


def parse_deck_list(
    name: str, text: str, tags: TagFormat | None = None, marks: CardMarking = CardMarking.TAGGED, width: int = 10
) -> Deck:
    """Read a deck from a CSV or JSON list; raises `DeckError` naming the line or entry.

    Our own export says itself when the cards carry printed codes.
    """
    if text.lstrip().startswith("{") and _is_printed_list(text):
        tags, marks = tags or TagFormat.TEXT, CardMarking.PRINTED
    rows = list(_parse_json_rows(text) if text.lstrip().startswith(("{", "[")) else _parse_csv_rows(text))
    form = tags or _detect_tag_format([tag for _, tag, _ in rows])
    cards: dict[str, str] = {}
    for where, written, card in rows:
        try:
            tag = normalize_tag(written, form, width)
        except DeckError as why:
            raise DeckError(f"{where}: {why}") from why
        if tag in cards:
            raise DeckError(f"{where}: tag {tag} stands for {cards[tag]} already; one tag stands for one card")
        cards[tag] = card
    return Deck(name, cards, marks)


def render_csv(deck: Deck) -> str:
    """Write the deck as `UID,Rank,Suit`, in the order of registration."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("UID", "Rank", "Suit"))
    for tag, card in _sort_cards(deck):
        writer.writerow((tag, JOKER, "") if card == JOKER else (tag, card[0], card[1]))
    return out.getvalue()


def render_json(deck: Deck) -> str:
    """Write the deck as a JSON object: name, marks, checksum, and `cards` from tag to card."""
    content = {
        "name": deck.name,
        "marks": deck.marking.value,
        "checksum": deck.compute_checksum(),
        "cards": dict(_sort_cards(deck)),
    }
    return json.dumps(content, indent=1) + "\n"


def _sort_cards(deck: Deck) -> list[tuple[str, str]]:
    def place(pair: tuple[str, str]) -> tuple[int, int, str]:
        tag, card = pair
        return (4, 0, tag) if card == JOKER else (SUITS.index(card[1]), RANKS.index(card[0]), tag)

    return sorted(deck.card_by_tag.items(), key=place)


def _detect_tag_format(tags: Iterable[str]) -> TagFormat:
    bare = [_SEPARATOR_PATTERN.sub("", tag.strip()) for tag in tags]
    if not bare or not all(tag.isdecimal() for tag in bare):
        return TagFormat.HEX
    if len({len(tag) for tag in bare}) > 1 or any(len(tag) % 2 for tag in bare):
        return TagFormat.DECIMAL
    raise DeckError("the tags are all digits and of one length: say --tags hex or --tags decimal")


def _parse_csv_rows(text: str) -> Iterable[tuple[str, str, str]]:
    reader = csv.DictReader(io.StringIO(text.lstrip("\ufeff")), skipinitialspace=True)
    fields = {(name or "").strip().lower(): name for name in reader.fieldnames or ()}
    missing = [name for name in ("uid", "rank", "suit") if name not in fields]
    if missing:
        raise DeckError(f"line 1: want the columns UID,Rank,Suit; missing: {', '.join(missing)}")
    for row in reader:
        where = f"line {reader.line_num}"
        uid, rank, suit = (row[fields[name]] or "" for name in ("uid", "rank", "suit"))
        yield where, uid, _parse_card_at(where, rank, suit)


def _parse_json_rows(text: str) -> Iterable[tuple[str, str, str]]:
    """Three shapes: our own export, a plain object from tag to card, a list of `{"UID", "Rank", "Suit"}`."""
    try:
        content = parse_json(text)
    except RepeatedKeyError as why:
        raise DeckError(f"the list says something twice: {why}") from why
    except ValueError as why:
        raise DeckError(f"the list is no JSON: {why}") from why
    if isinstance(content, dict):
        cards = content["cards"] if isinstance(content.get("cards"), dict) else content
        for tag, card in cards.items():
            where = f"tag {tag}"
            if not isinstance(card, str) or not card:
                raise DeckError(f"{where}: want a card like 'As'")
            yield where, str(tag), JOKER if card.lower() == JOKER else _parse_card_at(where, card[:-1], card[-1])
        return
    for number, item in enumerate(content, start=1):
        where = f"entry {number}"
        if not isinstance(item, Mapping):
            raise DeckError(f"{where}: want an object with UID, Rank, Suit")
        lower = {str(key).lower(): str(value) for key, value in item.items()}
        missing = [key for key in ("uid", "rank", "suit") if key not in lower]
        if missing:
            raise DeckError(f"{where}: want UID, Rank, Suit; missing: {', '.join(missing)}")
        yield where, lower["uid"], _parse_card_at(where, lower["rank"], lower["suit"])


def _is_printed_list(text: str) -> bool:
    try:
        content = parse_json(text)
    except ValueError:  # said where the rows are read
        return False
    return isinstance(content, dict) and content.get("marks") == CardMarking.PRINTED.value


def _parse_card_at(where: str, rank: str, suit: str) -> str:
    try:
        return parse_card(rank, suit)
    except DeckError as why:
        raise DeckError(f"{where}: {why}") from why

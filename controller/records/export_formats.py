"""The formats in which finished hands are exported, and whether what was exported is what a journal says.

An export can be checked because it can be made again: the same journal gives the same hand, word for word.
"""

import re
import tomllib
from dataclasses import dataclass, replace
from enum import Enum, unique
from types import NoneType

from controller.records import ohh, phh, pokerstars
from controller.records.action_history import NotRepresentableError
from controller.records.hand_record import HandRecord
from controller.strict_json import parse_json

__all__ = ["ExportFormat", "ExportedHand", "NotRepresentableError", "read_hands", "write_hand"]

SECTION_PATTERN = re.compile(rf"^({phh.COMMENT_PREFIX})?\[([1-9][0-9]*)\]$", re.MULTILINE)
"""The line before a hand in a PHH file of several; that of a hand without a regular part is a comment, too."""

IRREGULAR_LINE = "\n_regular = false\n"
"""What a hand in PHH has that has no regular part."""


@unique
class ExportFormat(Enum):
    """PHH: TOML, every hand. OHH: JSON, flop games. POKERSTARS: text, the games that PokerStars names."""

    PHH = "phh"
    OHH = "ohh"
    POKERSTARS = "pokerstars"

    @property
    def suffix(self) -> str:
        """What the name of a file with several hands ends in."""
        return {ExportFormat.PHH: "phhs", ExportFormat.OHH: "ohh", ExportFormat.POKERSTARS: "txt"}[self]


@dataclass(frozen=True, slots=True)
class ExportedHand:
    """A hand read out of an exported file: its format, what names it, and its text as it stands there.

    `hand_name`: session and hand, as text with a hyphen, or the id that the hand has in text
    (`Provenance.make_hand_id`). `currency`: what the file says a unit is; no journal says that.
    `is_signed`: whether it tells how the journal was signed.
    """

    format: ExportFormat
    hand_name: str
    text: str
    currency: str | None = None
    is_signed: bool = False

    def is_hand(self, record: HandRecord, place: phh.Provenance) -> bool:
        """Whether it names this hand of a journal."""
        return self.hand_name in (f"{place.session}-{record.number}", place.make_hand_id(record.number))

    def is_identical(self, record: HandRecord, place: phh.Provenance) -> bool:
        """Whether it says of this hand, letter by letter, what the journal says, which may have been signed since."""
        then = place if self.is_signed else replace(place, journal_signature=None)
        try:
            hand = write_hand(self.format, record, then, self.currency).strip("\n")
        except NotRepresentableError:
            return False
        return self.text in (hand, _comment_out(hand)) if IRREGULAR_LINE in hand else self.text == hand


def write_hand(
    form: ExportFormat, record: HandRecord, place: phh.Provenance, currency: str | None = None, section: int = 0
) -> str:
    """Write one hand; raises `NotRepresentableError` where the format cannot say it.

    `currency`: its code where a unit of chips is one of it. `section`: the hand's place in a file of several, from 1.
    """
    if form is ExportFormat.OHH:
        return ohh.render_text(ohh.build_fields(record, place, currency))
    if form is ExportFormat.POKERSTARS:
        return pokerstars.render_text(record, place, currency)
    content = phh.build_fields(record, place)
    return phh.render_section(section, content) if section else phh.render_text(content)


def read_hands(content: str) -> list[ExportedHand]:
    """Find the hands in an exported file; raises `ValueError`, which says why, where it is none of the formats."""
    try:
        if content.startswith("{"):
            return [_parse_ohh(line) for line in content.split("\n") if line]
        if content.startswith("PokerStars Hand #"):
            return [_parse_pokerstars(part.strip("\n")) for part in content.split("\n\n\n") if part.strip("\n")]
        return _parse_phh(content)
    except RecursionError:
        raise ValueError("brackets stand in it deeper than in any hand") from None


def _comment_out(hand: str) -> str:
    """A hand without a regular part, as it stands in a file of several."""
    return "\n".join(f"{phh.COMMENT_PREFIX}{line}" for line in hand.split("\n"))


def _parse_phh(content: str) -> list[ExportedHand]:
    first, *parts = SECTION_PATTERN.split(content)
    if not parts:
        return [_parse_phh_section(first)]
    if first.strip("\n"):
        raise ValueError("something stands before its first hand")
    prefixes, numbers, sections = parts[::3], parts[1::3], parts[2::3]
    if len(set(numbers)) != len(numbers):
        raise ValueError("two hands of it have one number")
    return [_parse_phh_section(section, prefix or "") for prefix, section in zip(prefixes, sections, strict=True)]


def _parse_phh_section(section: str, prefix: str = "") -> ExportedHand:
    """Read a hand, each line of which begins with the prefix."""
    lines = section.strip("\n").split("\n")
    if not all(line.startswith(prefix) for line in lines):
        raise ValueError("something stands in the comment that a hand of it is")
    fields = tomllib.loads("\n".join(line.removeprefix(prefix) for line in lines))
    name = _make_hand_name(fields.get("_session"), fields.get("hand"))
    return ExportedHand(ExportFormat.PHH, name, section.strip("\n"), is_signed="_signed" in fields)


def _parse_ohh(line: str) -> ExportedHand:
    hand = parse_json(line)
    own, told = (hand.get(key) if isinstance(hand, dict) else None for key in ("_table_controller", "ohh"))
    if not isinstance(own, dict) or not isinstance(told, dict):
        raise ValueError("a line of it is no hand that a table exported")
    currency = next((code for code in pokerstars.SYMBOL_BY_CURRENCY if code == told.get("currency")), None)
    return ExportedHand(
        ExportFormat.OHH, _make_hand_name(own.get("session"), own.get("hand")), line, currency, "signed" in own
    )


def _make_hand_name(session: object, hand: object) -> str:
    if type(hand) is not int or type(session) not in (int, NoneType):
        raise ValueError("what should be a hand of it has no number")
    return f"{session}-{hand}"


def _parse_pokerstars(hand: str) -> ExportedHand:
    head = hand.partition("\n")[0]
    name = head.removeprefix("PokerStars Hand #").partition(":")[0]
    if not (name.isascii() and name.isdecimal()):
        raise ValueError("what should be a hand of it has no number")
    currency = next((code for code in pokerstars.SYMBOL_BY_CURRENCY if f" {code})" in head), None)
    return ExportedHand(ExportFormat.POKERSTARS, name, hand, currency)

"""The formats in which finished hands are exported, and whether what was exported is what a journal says.

An export can be checked because it can be made again: the same journal gives the same hand, word for word.
"""

import json
import re
import tomllib
from dataclasses import dataclass, replace
from enum import Enum, unique
from types import NoneType
from typing import Any

from controller.records import ohh, phh, pokerstars
from controller.records.course import Untold
from controller.records.hand import Record

__all__ = ["Exported", "Format", "Untold", "read", "write"]

SECTION = re.compile(r"^\[([1-9][0-9]*)\]$", re.MULTILINE)
"""The line before a hand in a PHH file of several."""


@unique
class Format(Enum):
    """PHH: TOML, every hand. OHH: JSON, flop games. POKERSTARS: text, the games that PokerStars names."""

    PHH = "phh"
    OHH = "ohh"
    POKERSTARS = "pokerstars"

    @property
    def suffix(self) -> str:
        """What the name of a file with several hands ends in."""
        return {Format.PHH: "phhs", Format.OHH: "ohh", Format.POKERSTARS: "txt"}[self]


@dataclass(frozen=True, slots=True)
class Exported:
    """A hand read out of an exported file: its format, what names it, and its text as it stands there.

    `name`: session and hand, as text with a hyphen, or the id that the hand has in text (`Provenance.hand_id`).
    `currency`: what the file says a unit is; no journal says that.
    `signed`: whether it tells how the journal was signed.
    """

    format: Format
    name: str
    text: str
    currency: str | None = None
    signed: bool = False

    def is_of(self, record: Record, place: phh.Provenance) -> bool:
        """Whether it names this hand of a journal."""
        return self.name in (f"{place.session}-{record.number}", place.hand_id(record.number))

    def is_as(self, record: Record, place: phh.Provenance) -> bool:
        """Whether it says of this hand, letter by letter, what the journal says, which may have been signed since."""
        then = place if self.signed else replace(place, signed=None)
        try:
            return write(self.format, record, then, self.currency).strip("\n") == self.text
        except Untold:
            return False


def write(form: Format, record: Record, place: phh.Provenance, currency: str | None = None, section: int = 0) -> str:
    """Write one hand; raises `Untold` where the format cannot say it.

    `currency`: its code where a unit of chips is one of it. `section`: the hand's place in a file of several, from 1.
    """
    if form is Format.OHH:
        return ohh.text(ohh.fields(record, place, currency))
    if form is Format.POKERSTARS:
        return pokerstars.text(record, place, currency)
    content = phh.fields(record, place)
    return phh.section(section, content) if section else phh.text(content)


def read(content: str) -> list[Exported]:
    """Find the hands in an exported file; raises `ValueError`, which says why, where it is none of the formats."""
    try:
        if content.startswith("{"):
            return [_of_ohh(line) for line in content.split("\n") if line]
        if content.startswith("PokerStars Hand #"):
            return [_of_text(part.strip("\n")) for part in content.split("\n\n\n") if part.strip("\n")]
        return _of_phh(content)
    except RecursionError:
        raise ValueError("brackets stand in it deeper than in any hand") from None


def _of_phh(content: str) -> list[Exported]:
    first, *parts = SECTION.split(content)
    if not parts:
        return [_section_of(first)]
    if first.strip("\n"):
        raise ValueError("something stands before its first hand")
    numbers, sections = parts[::2], parts[1::2]
    if len(set(numbers)) != len(numbers):
        raise ValueError("two hands of it have one number")
    return [_section_of(section) for section in sections]


def _section_of(section: str) -> Exported:
    fields = tomllib.loads(section)
    name = _name(fields.get("_session"), fields.get("hand"))
    return Exported(Format.PHH, name, section.strip("\n"), signed="_signed" in fields)


def _of_ohh(line: str) -> Exported:
    hand = json.loads(line, object_pairs_hook=_once)
    own, told = (hand.get(key) if isinstance(hand, dict) else None for key in ("_table_controller", "ohh"))
    if not isinstance(own, dict) or not isinstance(told, dict):
        raise ValueError("a line of it is no hand that a table exported")
    currency = next((code for code in pokerstars.SYMBOLS if code == told.get("currency")), None)
    return Exported(Format.OHH, _name(own.get("session"), own.get("hand")), line, currency, "signed" in own)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON; its readers disagree about a key that stands there twice."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice in one object of it")
    return found


def _name(session: object, hand: object) -> str:
    if type(hand) is not int or type(session) not in (int, NoneType):
        raise ValueError("what should be a hand of it has no number")
    return f"{session}-{hand}"


def _of_text(hand: str) -> Exported:
    head = hand.partition("\n")[0]
    name = head.removeprefix("PokerStars Hand #").partition(":")[0]
    if not (name.isascii() and name.isdecimal()):
        raise ValueError("what should be a hand of it has no number")
    currency = next((code for code in pokerstars.SYMBOLS if f" {code})" in head), None)
    return Exported(Format.POKERSTARS, name, hand, currency)

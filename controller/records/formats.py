"""The formats in which finished hands are exported, and whether what was exported is what a journal says.

An export can be checked because it can be made again: the same journal gives the same hand, word for word.
"""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, unique
from typing import Any

from controller.records import ohh, phh, pokerstars
from controller.records.course import Untold
from controller.records.hand import Record

__all__ = ["Exported", "Format", "Untold", "read", "write"]


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
    """A hand read out of an exported file: its format, what names it, and what stands there.

    `name`: session and hand, as text with a hyphen, or the id that the hand has in text (`Provenance.hand_id`).
    """

    format: Format
    name: str
    content: Mapping[str, Any] | str
    currency: str | None = None

    def is_of(self, record: Record, place: phh.Provenance) -> bool:
        """Whether it names this hand of a journal."""
        return self.name in (f"{place.session}-{record.number}", place.hand_id(record.number))

    def is_as(self, record: Record, place: phh.Provenance) -> bool:
        """Whether it says of this hand what the journal says; the journal may have been signed since."""
        try:
            again = read(write(self.format, record, place, self.currency))[0].content
        except Untold:
            return False
        return _unsigned(again, self.content) == self.content


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
    """Find the hands in an exported file; raises `ValueError` where it is none of the formats."""
    if content.startswith("{"):
        return [_of_ohh(json.loads(line)) for line in content.splitlines() if line.strip()]
    if content.startswith("PokerStars Hand #"):
        return [_of_text(part.strip()) for part in content.split("\n\n\n") if part.strip()]
    fields = tomllib.loads(content)
    hands = [fields] if "hand" in fields else [hand for hand in fields.values() if isinstance(hand, Mapping)]
    if not hands or any("hand" not in hand for hand in hands):
        raise ValueError("no hand is in it")
    return [Exported(Format.PHH, f"{hand.get('_session')}-{hand['hand']}", hand) for hand in hands]


def _of_ohh(hand: Any) -> Exported:  # noqa: ANN401 - what JSON has
    own = hand.get("_table_controller") if isinstance(hand, Mapping) else None
    if not isinstance(own, Mapping) or not isinstance(hand.get("ohh"), Mapping):
        raise ValueError("a line of it is no hand that a table exported")
    currency = hand["ohh"].get("currency")
    known = None if currency == ohh.PLAY_CHIPS else str(currency)
    return Exported(Format.OHH, f"{own.get('session')}-{own.get('hand')}", hand, known)


def _of_text(hand: str) -> Exported:
    name = hand.removeprefix("PokerStars Hand #").partition(":")[0]
    head = hand.partition("\n")[0]
    currency = next((code for code in pokerstars.SYMBOLS if f" {code})" in head), None)
    return Exported(Format.POKERSTARS, name, hand, currency)


def _unsigned(again: Mapping[str, Any] | str, then: Mapping[str, Any] | str) -> Mapping[str, Any] | str:
    """What is exported now, without the signature of the journal where it was exported before that was made."""
    if isinstance(again, str) or isinstance(then, str):
        return again
    own = "_table_controller"
    if own in again and own in then and "signed" not in then[own]:
        return {**again, own: {key: value for key, value in again[own].items() if key != "signed"}}
    return {key: value for key, value in again.items() if key != "_signed" or "_signed" in then}

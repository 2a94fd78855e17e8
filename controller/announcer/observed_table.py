"""What the announcer knows of the table: that which its API tells a spectator, in one value. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

REMEDY_PHASES = ("remedy", "floor")
"""The phases in which a ruling is being carried out, or waited for."""


@dataclass(frozen=True, slots=True)
class ObservedRuling:
    """A ruling as the table said it: codes of the table script, a sentence, and the clauses."""

    finding: str
    verdict: str
    seat: int | None
    text: str
    cite: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        """Say it as the announcements do; whoever has it stored knows it again by the order of these."""
        return {
            "finding": self.finding, "verdict": self.verdict, "seat": self.seat, "text": self.text,
            "cite": list(self.cite),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class ObservedTable:
    """The table at one moment: keys that every spectator is told, whatever more the role of the token is."""

    entry: int
    """Number of the journal's entry that it stands at."""
    mode: str
    program: str
    hand_number: int
    phase: str
    street: str | None
    """`None` between hands."""
    game: str
    rulebook: str
    taken_seat_count: int
    next_step: str
    """What is due now, as the dealer is told it; empty where nothing is."""
    rulings: tuple[ObservedRuling, ...]
    """The last that were made, in the hand `rulings_hand`."""
    rulings_hand: int
    remedy_done: bool
    """Whether every step that they prescribed is done."""
    fault_codes: tuple[str, ...]
    """Codes of what halts the table."""
    floor_called: bool

    @property
    def hand_in_progress(self) -> int | None:
        """Number of the hand that is being played; `None` between hands."""
        return None if self.street is None else self.hand_number

    @property
    def current_ruling(self) -> ObservedRuling | None:
        """The ruling that is being carried out, if one is."""
        return self.rulings[0] if self.rulings and self.phase in REMEDY_PHASES else None


def parse_table(table: Mapping[str, Any]) -> ObservedTable:
    """Read what the API says of the table. Raises `ValueError` where it is nothing that this program understands."""
    try:
        steps = table["next"]
        return ObservedTable(
            entry=int(table["entry"]),
            mode=str(table["mode"]),
            program=str(table["program"]),
            hand_number=int(table["hand"]),
            phase=str(table["phase"]),
            street=None if table["street"] is None else str(table["street"]),
            game=str(table["game"]),
            rulebook=str(table["rulebook"]),
            taken_seat_count=len(table["seats"]),
            next_step=str(steps[0]["text"]) if steps else "",
            rulings=tuple(map(_parse_ruling, table["rulings"])),
            rulings_hand=int(table["ruled_in"]),
            remedy_done=all(step.get("done") for step in table["remedy"]),
            fault_codes=tuple(str(fault["code"]) for fault in table["faults"]),
            floor_called=bool(table["floor_called"]),
        )
    except (KeyError, TypeError, AttributeError, ValueError) as why:
        raise ValueError(f"the table's API says something else than this program knows ({type(why).__name__})") from why


def _parse_ruling(ruling: Mapping[str, Any]) -> ObservedRuling:
    return ObservedRuling(
        finding=str(ruling["finding"]),
        verdict=str(ruling["verdict"]),
        seat=ruling.get("seat"),
        text=str(ruling["text"]),
        cite=tuple(map(str, ruling["cite"])),
    )

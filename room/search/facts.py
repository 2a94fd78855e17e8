"""What the hands of a table came to: pure, made of the entries as the replay answers them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from controller.runtime.journal.archive import Session
from controller.runtime.journal.recovery.following import PlayedEntry
from controller.runtime.staff.authority import Role

EARLIEST, LATEST = 1970, 2200
"""Years that a table's clock may show; one that was never set begins in 1970."""


@dataclass(frozen=True, slots=True)
class Ruled:
    """A ruling: at which entry, by whose word, which clauses; `dealer`: who was dealing, as far as somebody signed."""

    entry: int
    place: int
    hand: int
    at: str
    finding: str
    verdict: str
    cites: tuple[str, ...]
    text: str
    seat: int | None
    player: str
    dealer: str
    by: str

    @property
    def words(self) -> str:
        """By what it is found, folded: clauses, finding, verdict, and what was said."""
        return folded(*self.cites, self.finding, self.verdict, self.text)


@dataclass(slots=True)
class Hand:
    """A hand; times as the table's clock had them (UTC). `refused`: touches that the table did not take."""

    number: int
    began: str
    ended: str
    game: str
    players: dict[str, None] = field(default_factory=dict)
    dealers: dict[str, None] = field(default_factory=dict)
    refused: int = 0


def folded(*words: str) -> str:
    """Words as they are compared: letters alike, and `boxed-card` as `boxed card`."""
    return "\n".join(words).casefold().replace("-", " ")


def facts_of(session: Session, entries: Sequence[PlayedEntry]) -> tuple[list[Hand], list[Ruled]]:
    """The hands and rulings of entries that were played together; what is entered before the first hand has none.

    Raises `ValueError` for a time that no clock of a table shows.
    """
    hands: dict[int, Hand] = {}
    ruled: list[Ruled] = []
    dealer = ""
    game = game_of(session.header)
    for each in entries:
        by = each.entry.by or {}
        signed = str(by.get("name", ""))
        if by.get("role") == Role.DEALER.value:
            dealer = signed
        if not each.hand:
            continue
        if (hand := hands.get(each.hand)) is None:
            if each.told.get("ev") != "start":
                continue  # it belongs to the hand before, which is told already
            hand = hands[each.hand] = Hand(each.hand, _moment(each.entry.wall), _moment(each.entry.wall), game)
        hand.ended = _moment(each.entry.wall)
        hand.refused += each.refused
        hand.players |= dict.fromkeys(each.players.values())
        if dealer:
            hand.dealers[dealer] = None
        if not each.refused:
            ruled += _rulings(each, dealer, signed)
    return list(hands.values()), ruled


def _moment(wall: str) -> str:
    """A table's time, if it is one: the database knows `infinity` and years that no program can read back."""
    at = datetime.fromisoformat(wall)
    if not (EARLIEST <= at.year < LATEST and at.tzinfo is not None):
        raise ValueError("no table has that time")
    return at.astimezone(UTC).isoformat()


def game_of(header: Mapping[str, str]) -> str:
    """What a session plays, by the name in its `table` line."""
    try:
        game = json.loads(header["table"]).get("game", "")
    except (KeyError, ValueError, AttributeError):
        return ""
    return game if isinstance(game, str) else ""


def _rulings(each: PlayedEntry, dealer: str, by: str) -> Iterable[Ruled]:
    told = each.output.get("rulings")
    for place, ruling in enumerate(told if isinstance(told, list) else []):
        seat = ruling.get("seat")
        cites = tuple(dict.fromkeys(str(cite).split("#")[0] for cite in ruling.get("cite", ())))
        at = seat if isinstance(seat, int) else None
        yield Ruled(
            each.entry.sequence, place, each.hand, _moment(each.entry.wall), str(ruling["finding"]),
            str(ruling["verdict"]), cites,
            str(ruling.get("text", "")), at, "" if at is None else each.players.get(at, ""), dealer, by,
        )  # fmt: skip

"""What the hands of a table came to: pure, made of the entries as the replay answers them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from controller.runtime.journal.archive import Session
from controller.runtime.journal.proof.chain import Record
from controller.runtime.journal.recovery.following import PlayedEntry
from controller.runtime.staff.authority import Role

EARLIEST, LATEST = 1970, 2200
"""Years that a table's clock may show; one that was never set begins in 1970."""

SIGNED = ("sign-in", "sign-out")


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


@dataclass(frozen=True, slots=True)
class Tabled:
    """A hand that somebody showed down: own cards and board as they lay face up, at the end of `hand`.

    `pot`: what all had put in, 0 where amounts are untracked; `dealt`: how many were dealt in.
    """

    hand: int
    seat: int
    at: str
    game: str
    player: str
    own: tuple[str, ...]
    board: tuple[str, ...]
    pot: int
    dealt: int


@dataclass(frozen=True, slots=True)
class Signed:
    """A dealer signed in at the table, or out (`gone`), at record `number`."""

    number: int
    at: str
    name: str
    gone: bool


Seated = Mapping[int, tuple[str, str]]
"""Seat -> who sits there, and since when by the table's clock (UTC)."""


def tabled_in(session: Session, entries: Sequence[PlayedEntry]) -> list[Tabled]:
    """The hands that were shown down in entries that were played together, as they stood at their end.

    Raises `ValueError` as `facts_of` does.
    """
    last: dict[int, PlayedEntry] = {}
    first: dict[int, PlayedEntry] = {}
    names: dict[int, dict[int, str]] = {}
    for each in entries:
        if each.hand not in first:  # who lost everything may have got up with the last award
            names.setdefault(each.hand, {}).update(each.players)
        if each.over is not None:
            first.setdefault(each.hand, each)
            last[each.hand] = each
    game = game_of(session.header)
    return [
        Tabled(hand, seat, _moment(first[hand].entry.wall), game, names[hand].get(seat, ""), own, over.board, over.pot,
               over.dealt)
        for hand, each in last.items() if (over := each.over) is not None
        for seat, own in over.tabled.items()
    ]  # fmt: skip


def seated_after(seated: Seated, entries: Sequence[PlayedEntry]) -> Seated:
    """Who sits where after entries, and since when: whoever stays keeps the time, whoever gets up loses it.

    Raises `ValueError` as `facts_of` does.
    """
    for each in entries:
        there = {seat: since for seat, (player, since) in seated.items() if each.players.get(seat) == player}
        seated = {seat: (player, there.get(seat) or _moment(each.entry.wall)) for seat, player in each.players.items()}
    return seated


def signed_in(record: Record) -> Signed | None:
    """The dealer whose coming or going at the table a record tells; `None` for any other.

    Raises `BadRecord`, and `ValueError` as `facts_of` does.
    """
    if record.kind not in SIGNED:
        return None
    match record.read():
        case {"name": str(name), "role": Role.DEALER.value, "wall": str(wall), **rest} if name and "at" not in rest:
            return Signed(record.number, _moment(wall), name, record.kind == "sign-out")
        case _:
            return None


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

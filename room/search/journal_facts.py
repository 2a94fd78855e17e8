"""What the hands of a table came to: pure, made of the entries as the replay answers them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from controller.runtime.journal.journal_reader import JournalSession
from controller.runtime.journal.proof.chain import JournalRecord
from controller.runtime.journal.recovery.journal_follower import PlayedEntry
from controller.runtime.staff.permissions import Role

MIN_YEAR, MAX_YEAR = 1970, 2200
"""Years that a table's clock may show; one that was never set begins in 1970."""

SIGN_IN_KINDS = ("sign-in", "sign-out")


@dataclass(frozen=True, slots=True)
class RulingFact:
    """A ruling: at which entry, by whose word, which clauses; `dealer`: who was dealing, as far as somebody signed."""

    entry: int
    position: int
    hand: int
    made_at: str
    finding: str
    verdict: str
    cites: tuple[str, ...]
    text: str
    seat: int | None
    player: str
    dealer: str
    signer: str

    @property
    def search_text(self) -> str:
        """By what it is found, folded: clauses, finding, verdict, and what was said."""
        return normalize_words(*self.cites, self.finding, self.verdict, self.text)


@dataclass(slots=True)
class HandFact:
    """A hand; times as the table's clock had them (UTC). `refused_entry_count`: touches that the table did not take."""

    number: int
    began_at: str
    ended_at: str
    game: str
    players: dict[str, None] = field(default_factory=dict)
    dealers: dict[str, None] = field(default_factory=dict)
    refused_entry_count: int = 0


@dataclass(frozen=True, slots=True)
class TabledHand:
    """A hand that somebody showed down: own cards and board as they lay face up, at the end of `hand`.

    `pot`: what all had put in, 0 where amounts are untracked; `dealt_in_count`: how many were dealt in.
    """

    hand: int
    seat: int
    tabled_at: str
    game: str
    player: str
    own_cards: tuple[str, ...]
    board: tuple[str, ...]
    pot: int
    dealt_in_count: int


@dataclass(frozen=True, slots=True)
class DealerSignIn:
    """A dealer signed in at the table, or out (`is_sign_out`), at record `record_number`."""

    record_number: int
    signed_at: str
    name: str
    is_sign_out: bool


Seating = Mapping[int, tuple[str, str]]
"""Seat -> who sits there, and since when by the table's clock (UTC)."""


def find_tabled_hands(session: JournalSession, entries: Sequence[PlayedEntry]) -> list[TabledHand]:
    """The hands that were shown down in entries that were played together, as they stood at their end.

    Raises `ValueError` as `find_hands_and_rulings` does.
    """
    last: dict[int, PlayedEntry] = {}
    first: dict[int, PlayedEntry] = {}
    names: dict[int, dict[int, str]] = {}
    for each in entries:
        if each.hand_number not in first:  # who lost everything may have got up with the last award
            names.setdefault(each.hand_number, {}).update(each.player_by_seat)
        if each.showdown_result is not None:
            first.setdefault(each.hand_number, each)
            last[each.hand_number] = each
    game = read_game(session.header)
    return [
        TabledHand(hand, seat, normalize_time(first[hand].entry.wall_time), game, names[hand].get(seat, ""), own,
        over.board_cards, over.pot_chips,
               over.dealt_in_count)
        for hand, each in last.items() if (over := each.showdown_result) is not None
        for seat, own in over.tabled_cards_by_seat.items()
    ]  # fmt: skip


def update_seating(seated: Seating, entries: Sequence[PlayedEntry]) -> Seating:
    """Who sits where after entries, and since when: whoever stays keeps the time, whoever gets up loses it.

    Raises `ValueError` as `find_hands_and_rulings` does.
    """
    for each in entries:
        there = {seat: since for seat, (player, since) in seated.items() if each.player_by_seat.get(seat) == player}
        seated = {
            seat: (player, there.get(seat) or normalize_time(each.entry.wall_time))
            for seat, player in each.player_by_seat.items()
        }
    return seated


def parse_dealer_sign_in(record: JournalRecord) -> DealerSignIn | None:
    """The dealer whose coming or going at the table a record tells; `None` for any other.

    Raises `BadRecordError`, and `ValueError` as `find_hands_and_rulings` does.
    """
    if record.kind not in SIGN_IN_KINDS:
        return None
    match record.parse_body():
        case {"name": str(name), "role": Role.DEALER.value, "wall": str(wall), **rest} if name and "at" not in rest:
            return DealerSignIn(record.number, normalize_time(wall), name, record.kind == "sign-out")
        case _:
            return None


def normalize_words(*words: str) -> str:
    """Words as they are compared: letters alike, and `boxed-card` as `boxed card`."""
    return "\n".join(words).casefold().replace("-", " ")


def find_hands_and_rulings(
    session: JournalSession, entries: Sequence[PlayedEntry]
) -> tuple[list[HandFact], list[RulingFact]]:
    """The hands and rulings of entries that were played together; what is entered before the first hand has none.

    Raises `ValueError` for a time that no clock of a table shows.
    """
    hands: dict[int, HandFact] = {}
    ruled: list[RulingFact] = []
    dealer = ""
    game = read_game(session.header)
    for each in entries:
        by = each.entry.signer or {}
        signed = str(by.get("name", ""))
        if by.get("role") == Role.DEALER.value:
            dealer = signed
        if not each.hand_number:
            continue
        if (hand := hands.get(each.hand_number)) is None:
            if each.public_line.get("ev") != "start":
                continue  # it belongs to the hand before, which is told already
            hand = hands[each.hand_number] = HandFact(
                each.hand_number, normalize_time(each.entry.wall_time), normalize_time(each.entry.wall_time), game
            )
        hand.ended_at = normalize_time(each.entry.wall_time)
        hand.refused_entry_count += each.is_refused
        hand.players |= dict.fromkeys(each.player_by_seat.values())
        if dealer:
            hand.dealers[dealer] = None
        if not each.is_refused:
            ruled += _iter_rulings(each, dealer, signed)
    return list(hands.values()), ruled


def normalize_time(wall: str) -> str:
    """A table's time, if it is one: the database knows `infinity` and years that no program can read back."""
    at = datetime.fromisoformat(wall)
    if not (MIN_YEAR <= at.year < MAX_YEAR and at.tzinfo is not None):
        raise ValueError("no table has that time")
    return at.astimezone(UTC).isoformat()


def read_game(header: Mapping[str, str]) -> str:
    """What a session plays, by the name in its `table` line."""
    try:
        game = json.loads(header["table"]).get("game", "")
    except (KeyError, ValueError, AttributeError):
        return ""
    return game if isinstance(game, str) else ""


def _iter_rulings(each: PlayedEntry, dealer: str, by: str) -> Iterable[RulingFact]:
    told = each.output_line.get("rulings")
    for place, ruling in enumerate(told if isinstance(told, list) else []):
        seat = ruling.get("seat")
        cites = tuple(dict.fromkeys(str(cite).split("#")[0] for cite in ruling.get("cite", ())))
        at = seat if isinstance(seat, int) else None
        yield RulingFact(
            each.entry.number, place, each.hand_number, normalize_time(each.entry.wall_time), str(ruling["finding"]),
            str(ruling["verdict"]), cites,
            str(ruling.get("text", "")), at, "" if at is None else each.player_by_seat.get(at, ""), dealer, by,
        )  # fmt: skip

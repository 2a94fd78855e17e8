"""Notices of cards that an entry made known: a hand that was shown, cards that the floor had turned up.

`show` and `turned-up` are the two entries by which everybody comes to know a card. Each leaves a notice for the floor:
a quiet one where the seat showed in its turn, and the loudest where it is taken back, which takes the notice of it with
no card back: who showed which hand, and who took that back. All of them are records of the journal, `shown`, and so on
the page again after a start.
"""

from controller.core.engine.amendments.hand_history import AcceptedEntry, HandHistory
from controller.core.engine.table import Table
from controller.core.protocol.events import Event, FloorDecided, HandTabled
from controller.core.protocol.facts import EntryAmended, EntryTakenBack
from controller.core.protocol.steps import ShowStep
from controller.core.protocol.vocabulary import CardPlace, FloorDecision
from controller.runtime.faults.notices import Notice, NoticeCode
from controller.runtime.journal.journal import Journal
from controller.runtime.loop.notice_board import MAX_NOTICES, NoticeBoard
from controller.runtime.loop.processed_entry import ProcessedEntry

RECORD_KIND = "shown"
"""The kind of the journal's records."""

MAX_KEPT_NAMES = 64
"""Of so many entries it is kept who made them; a hand has fewer that make a card known."""

LOUD_CODES = (NoticeCode.CARDS_TURNED_UP, NoticeCode.SHOWING_TAKEN_BACK)
"""What stands in the log, too."""

_TEXT_BY_CODE = {
    NoticeCode.SHOWN_IN_TURN: "{what} was shown, in turn.",
    NoticeCode.SHOWN_OUT_OF_TURN: "{what} was shown, though another seat shows first.",
    NoticeCode.CARDS_TURNED_UP: "The floor had {what} turned up: everybody knows it.",
    NoticeCode.SHOWING_TAKEN_BACK: "{what} was shown or turned up, and that was taken back: everybody still knows it.",
}


class DisclosureNotices:
    """Tells one table's `notices` of every entry that makes a card known, or takes such a one back."""

    def __init__(self, table: Table, journal: Journal, notices: NoticeBoard) -> None:
        self._journal = journal
        self._notices = notices
        self._history = table.history
        self._name_by_line: dict[int, str] = {}

    def resume(self) -> None:
        """Take up the newest of those before this start."""
        newest = []
        for record, _ in zip(self._journal.read_newest_records(RECORD_KIND), range(MAX_KEPT_NAMES), strict=False):
            newest.append(record.parse_body())
        for body in reversed(newest[:MAX_NOTICES]):
            code, what = NoticeCode(body["code"]), body.get("place") or "hand"
            self._notices.keep_disclosure(_make_notice(code, body["who"], body.get("seat"), what))
        self._name_by_line = {body["entry"]: body["who"] for body in reversed(newest)}

    def on_entry(self, processed: ProcessedEntry) -> None:
        """Tell what an entry made known, or took back; raises `DatabaseError`."""
        before, self._history = self._history, processed.history
        if processed.error is not None:
            return
        who = processed.source if processed.signer is None else str(processed.signer.get("name", ""))
        if not processed.outcome.has_fact(EntryTakenBack, EntryAmended):
            if (code := _classify(processed.history, processed.entry_number)) is not None:
                self._tell(code, processed.entry_number, processed.event, who)
            return
        standing = {each.line: each.event for each in processed.history.entries}
        for each in before.entries:
            if _discloses(each.event) and standing.get(each.line) != each.event:
                shown_by = self._name_by_line.get(each.line, "")
                both = who if shown_by in (who, "") else f"{shown_by} → {who}"
                self._tell(NoticeCode.SHOWING_TAKEN_BACK, each.line, each.event, both)

    def _tell(self, code: NoticeCode, entry: int, event: Event, who: str) -> None:
        seat: int | None = getattr(event, "seat", None)
        place = getattr(event, "card_place", None) or CardPlace.HAND
        body = {"code": code.value, "entry": entry, "seat": seat, "place": place.value, "who": who}
        self._journal.append_note(RECORD_KIND, body)
        if code is not NoticeCode.SHOWING_TAKEN_BACK:
            self._name_by_line[entry] = who
            while len(self._name_by_line) > MAX_KEPT_NAMES:
                self._name_by_line.pop(next(iter(self._name_by_line)))
        self._notices.keep_disclosure(_make_notice(code, who, seat, place.value), is_loud=code in LOUD_CODES)


def _classify(history: HandHistory, entry: int) -> NoticeCode | None:
    """What kind of notice entry `entry` leaves, where it is the newest and made a card known."""
    taken: AcceptedEntry | None = history.entries[-1] if history.entries else None
    if taken is None or taken.line != entry or not _discloses(taken.event):
        return None
    if isinstance(taken.event, FloorDecided):
        return NoticeCode.CARDS_TURNED_UP
    step = taken.first_step
    in_turn = isinstance(step, ShowStep) and step.seat == getattr(taken.event, "seat", None)
    return NoticeCode.SHOWN_IN_TURN if in_turn else NoticeCode.SHOWN_OUT_OF_TURN


def _discloses(event: Event) -> bool:
    """Whether everybody knows a card by an entry."""
    return isinstance(event, HandTabled) or (
        isinstance(event, FloorDecided) and event.decision is FloorDecision.TURNED_UP
    )


def _make_notice(code: NoticeCode, who: str, seat: int | None, place: str) -> Notice:
    what = f"the {place} of seat {seat}" if seat is not None else f"a card of the {place}"
    text = _TEXT_BY_CODE[code].format(what=what)
    return Notice(code, who, text[0].upper() + text[1:], seat)

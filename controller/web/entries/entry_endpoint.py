"""What a page enters: a line of the table script a touch, or several that belong together, by whoever is signed in.

A touch belongs to what the person saw. Each carries the number of the entry that the page showed; when the table has
moved on meanwhile, or the same showing was answered already (a finger that touched twice), it is not taken: otherwise
a second touch on "fold" would be an act out of turn of the next seat.

Several lines of one touch ("all between have folded, and this seat calls") are looked at before the first of them is
entered, and the next `undo` takes back all of them.

Who may enter which word is said by `permissions.ROLES_BY_EVENT`. Whoever is signed in signs the line with their key;
the journal keeps the signature with the entry. At a showroom nobody is, and nothing is signed.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from controller.core.protocol import script_lines
from controller.core.protocol.events import (
    DeviceChanged,
    EntryUndone,
    Event,
    FloorDecided,
)
from controller.core.protocol.player_names import refuse_unfit_player_names
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import DeviceChange
from controller.core.values.value import replace
from controller.runtime.faults.fault_table import OUT_OF_SERVICE, find_fault_by_device
from controller.runtime.loop.loop_messages import EntryBatch
from controller.runtime.staff.admission import RefusalCode
from controller.runtime.staff.entry_signature import JournalPosition, Signer, sign_entry
from controller.runtime.staff.permissions import ROLES_BY_EVENT, Role, Roles, can_enter
from controller.web.access.authenticator import Principal

PAGE_SOURCE = "page"

EntrySubmitter = Callable[[Event, str, Signer | None, EntryBatch | None], object]
"""Takes an entry, and the batch that it is of; false when more came from pages than the table can take."""


@dataclass(frozen=True, slots=True)
class EntryResponse:
    """Whether a touch was taken, as a status of HTTP, and why not."""

    status: int
    code: str | None = None
    message: str | None = None


ACCEPTED = EntryResponse(202)

MAX_LINES = 24
"""How many lines one touch may enter: more than there are seats."""

BATCHABLE_EVENTS = ("act", "away", "back", "collect", "done", "show", "start", "won")
"""Words of which one touch may enter several."""


class EntryEndpoint:
    """Takes the touches of one page or several.

    `shown` tells the number of the newest entry that pages show, `place` in which session of which journal they are,
    `decided` whether the entry that an undo would take back is a decision of the floor: that only the floor takes back.
    `refused` counts the touches that the table itself did not take: such a one leaves the same showing to be answered.
    """

    def __init__(
        self,
        enter: EntrySubmitter,
        shown: Callable[[], int | None],
        *,
        place: Callable[[], JournalPosition],
        decided: Callable[[], bool] = lambda: False,
        refused: Callable[[], int] = lambda: 0,
    ) -> None:
        self._submit_entry = enter
        self._find_shown_entry = shown
        self._find_journal_position = place
        self._is_last_entry_a_decision = decided
        self._count_refusals = refused
        self._last_answered = (-1, 0)
        self._last_tap = (-1, 0, 1)
        """Of the last touch: the entry that is shown once it was taken, how many were refused before it, its lines."""
        self._last_batch = EntryBatch()
        self._lock = threading.Lock()

    def submit(self, wish: object, who: Principal) -> EntryResponse:
        """Take `{"seen": N, "line": {…}}` from somebody, or `{"seen": N, "lines": [{…}, …]}`."""
        match wish:
            case {"seen": int() as seen, "line": {**line}, **rest} if not rest and not isinstance(seen, bool):
                return self._submit_lines(seen, [{str(key): value for key, value in line.items()}], who)
            case {"seen": int() as seen, "lines": [*lines], **rest} if (
                not rest
                and not isinstance(seen, bool)
                and 0 < len(lines) <= MAX_LINES
                and all(isinstance(line, Mapping) and line.get("ev") in BATCHABLE_EVENTS for line in lines)
            ):
                return self._submit_lines(seen, lines, who)
            case _:
                return EntryResponse(
                    400,
                    RefusalCode.NOT_UNDERSTOOD.value,
                    'Want {"seen": number of the entry shown, "line": a line of the table script}, or "lines" with up '
                    f"to {MAX_LINES} of {', '.join(BATCHABLE_EVENTS)}.",
                )

    def _submit_lines(self, seen: int, lines: Sequence[Mapping[str, object]], who: Principal) -> EntryResponse:
        meant: list[Event] = []
        for line in lines:
            read = parse_entry_line(line, who.roles, who.name if who.person else None)
            if isinstance(read, EntryResponse):
                return read
            meant.append(read)
        undo = isinstance(meant[0], EntryUndone)
        with self._lock:
            refused = self._count_refusals()
            answering = (seen, refused)
            if seen != self._find_shown_entry() or answering <= self._last_answered:
                return EntryResponse(409, RefusalCode.MOVED_ON.value, "The table has moved on since; look again.")
            if undo and not who.can_enter("floor") and self._is_last_entry_a_decision():
                return EntryResponse(
                    403, RefusalCode.FLOOR_ONLY.value, "The floor decided this; only the floor takes it back."
                )
            # After a batch that was cut short, the same number is shown for another's entry.
            if undo and self._last_tap[:2] == answering and not self._last_batch.is_refused:
                meant *= self._last_tap[2]
            self._last_answered = answering
            self._last_tap = (seen + len(meant), refused, 1 if undo else len(meant))
            batch = self._last_batch = EntryBatch()
        for event in meant:
            if self._submit_entry(event, PAGE_SOURCE, self._sign(event, seen, who), batch) is False:
                return EntryResponse(
                    429, RefusalCode.TOO_MUCH.value, "More is entered than the table can take; wait a moment."
                )
        return ACCEPTED

    def _sign(self, event: Event, seen: int, who: Principal) -> Signer | None:
        person = who.person
        if person is None:
            return None
        return sign_entry(
            person.signing_key,
            person.name,
            person.role.value,
            script_lines.format_line(event),
            seen,
            self._find_journal_position(),
        )


def parse_entry_line(line: Mapping[str, object], roles: Roles, name: str | None) -> Event | EntryResponse:
    """What somebody with `roles` enters with a line, or why it is not taken; `name` of whoever signs it."""
    word = line.get("ev")
    if not isinstance(word, str) or word not in ROLES_BY_EVENT or not _can_person_know(word, line):
        words = ", ".join(word for word in ROLES_BY_EVENT if _can_enter(word, roles))
        return EntryResponse(
            400, "value", f"A page may enter {words}; a card only as unread (null), a device only as a fault's end."
        )
    if not _can_enter(word, roles):
        return _make_refusal(word)
    if "t" in line:
        return EntryResponse(400, "value", "The table sets the time itself; leave `t` out.")
    if "due" in line:
        return EntryResponse(400, "value", "Only the table's own timer says that something is due; leave `due` out.")
    try:
        refuse_unfit_player_names(line)
        event = script_lines.parse_line(line)
    except Refused as why:
        return EntryResponse(400, why.code, why.message)
    if isinstance(event, DeviceChanged) and not _can_clear(event, roles):
        return EntryResponse(
            403, RefusalCode.WRONG_ROLE.value, "This fault is cleared by another role; the fault's line says which."
        )
    if isinstance(event, FloorDecided) and name is not None:
        event = replace(event, floor_name=name)
    return event


def _can_enter(word: str, roles: Roles) -> bool:
    return any(can_enter(role, word) for role in roles)


def _can_person_know(word: str, line: Mapping[str, object]) -> bool:
    """Whether a line of this word is one that a person can know about."""
    match word:
        case "card":
            return line == {"ev": "card", "card": None}
        case "device":
            fault = find_fault_by_device(str(line.get("id")))
            wanted = line.get("status")
            begins = fault is not None and fault.code == OUT_OF_SERVICE and wanted == DeviceChange.LOST.value
            return begins or (fault is not None and wanted == DeviceChange.BACK.value)
        case _:
            return True


def _can_clear(event: DeviceChanged, roles: Roles) -> bool:
    fault = find_fault_by_device(event.device_id)
    return fault is not None and any(role.value in fault.clearing_roles for role in roles)


def _make_refusal(word: str) -> EntryResponse:
    if can_enter(Role.FLOOR, word) and not can_enter(Role.DEALER, word):
        return EntryResponse(403, RefusalCode.FLOOR_ONLY.value, "Only the floor decides; call the floor.")
    return EntryResponse(403, RefusalCode.WRONG_ROLE.value, f"Who is signed in may not enter {word!r}.")

"""What a page enters: a line of the table script a touch, or several that belong together, by whoever is signed in.

A touch belongs to what the person saw. Each carries the number of the entry that the page showed; when the table has
moved on meanwhile, or the same showing was answered already (a finger that touched twice), it is not taken: otherwise
a second touch on "fold" would be an act out of turn of the next seat.

Several lines of one touch ("all between have folded, and this seat calls") are looked at before the first of them is
entered, and the next `undo` takes back all of them.

Who may enter which word is said by `authority.WORDS`. Whoever is signed in signs the line with their own key; the
journal keeps the signature with the entry. At a showroom nobody is, and nothing is signed.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from controller.core.protocol import script
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import (
    Device,
    Event,
    Floor,
    Report,
    Undo,
)
from controller.core.protocol.vocabulary import Status
from controller.core.values.value import replace
from controller.runtime.faults.faults import IN_SERVICE, latched_by
from controller.runtime.staff.admission import Code
from controller.runtime.staff.authority import WORDS, Role, Roles, may_enter
from controller.runtime.staff.signature import By, JournalPosition, signed
from controller.web.access.door import Who

SOURCE = "page"

Enter = Callable[[Event, str, By | None], object]
"""Takes an entry; false when more came from pages than the table can take."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Whether a touch was taken, as a status of HTTP, and why not."""

    status: int
    code: str | None = None
    message: str | None = None


TAKEN = Answer(202)

MOST_LINES = 24
"""How many lines one touch may enter: more than there are seats."""

TOGETHER = ("act", "done", "show", "start")
"""Words of which one touch may enter several."""


class Desk:
    """Takes the touches of one page or several.

    `shown` tells the number of the newest entry that pages show, `place` in which session of which journal they are,
    `decided` whether the entry that an undo would take back is a decision of the floor: that only the floor takes back.
    `refused` counts the touches that the table itself did not take: such a one leaves the same showing to be answered.
    """

    def __init__(
        self,
        enter: Enter,
        shown: Callable[[], int | None],
        *,
        place: Callable[[], JournalPosition],
        decided: Callable[[], bool] = lambda: False,
        refused: Callable[[], int] = lambda: 0,
    ) -> None:
        self._enter = enter
        self._shown = shown
        self._place = place
        self._decided = decided
        self._refused = refused
        self._answered = (-1, 0)
        self._touch = (-1, 0, 1)
        """Of the last touch: the entry that is shown once it was taken, how many were refused before it, its lines."""
        self._lock = threading.Lock()

    def take(self, wish: object, who: Who) -> Answer:
        """Take `{"seen": N, "line": {…}}` from somebody, or `{"seen": N, "lines": [{…}, …]}`."""
        match wish:
            case {"seen": int() as seen, "line": {**line}, **rest} if not rest and not isinstance(seen, bool):
                return self._take(seen, [{str(key): value for key, value in line.items()}], who)
            case {"seen": int() as seen, "lines": [*lines], **rest} if (
                not rest
                and not isinstance(seen, bool)
                and 0 < len(lines) <= MOST_LINES
                and all(isinstance(line, Mapping) and line.get("ev") in TOGETHER for line in lines)
            ):
                return self._take(seen, lines, who)
            case _:
                return Answer(
                    400,
                    Code.FORM.value,
                    'Want {"seen": number of the entry shown, "line": a line of the table script}, or "lines" with up '
                    f"to {MOST_LINES} of {', '.join(TOGETHER)}.",
                )

    def _take(self, seen: int, lines: Sequence[Mapping[str, object]], who: Who) -> Answer:
        meant: list[Event] = []
        for line in lines:
            read = read_line(line, who.roles, who.name if who.person else None)
            if isinstance(read, Answer):
                return read
            meant.append(read)
        undo = isinstance(meant[0], Undo)
        with self._lock:
            refused = self._refused()
            answering = (seen, refused)
            if seen != self._shown() or answering <= self._answered:
                return Answer(409, Code.MOVED.value, "The table has moved on since; look again.")
            if undo and not who.may_enter("floor") and self._decided():
                return Answer(403, Code.FLOOR.value, "The floor decided this; only the floor takes it back.")
            if undo and self._touch[:2] == answering:
                meant *= self._touch[2]
            self._answered = answering
            self._touch = (seen + len(meant), refused, 1 if undo else len(meant))
        for event in meant:
            if self._enter(event, SOURCE, self._signed(event, seen, who)) is False:
                return Answer(429, Code.TOO_MUCH.value, "More is entered than the table can take; wait a moment.")
        return TAKEN

    def _signed(self, event: Event, seen: int, who: Who) -> By | None:
        person = who.person
        if person is None:
            return None
        return signed(person.key, person.name, person.role.value, script.write(event), seen, self._place())


def read_line(line: Mapping[str, object], roles: Roles, name: str | None) -> Event | Answer:
    """What somebody with `roles` enters with a line, or why it is not taken; `name` of whoever signs it."""
    word = line.get("ev")
    if not isinstance(word, str) or word not in WORDS or not _is_a_persons(word, line):
        words = ", ".join(word for word in WORDS if _may_enter(word, roles))
        return Answer(
            400, "value", f"A page may enter {words}; a card only as unread (null), a device only as a fault's end."
        )
    if not _may_enter(word, roles):
        return _refused_word(word)
    if "t" in line:
        return Answer(400, "value", "The table sets the time itself; leave `t` out.")
    if "due" in line:
        return Answer(400, "value", "Only the table's own timer says that something is due; leave `due` out.")
    try:
        event = script.read(line)
    except Refused as why:
        return Answer(400, why.code, why.message)
    if isinstance(event, Device) and not _may_clear(event, roles):
        return Answer(403, Code.ROLE.value, "This fault is cleared by another role; the fault's line says which.")
    if isinstance(event, Floor) and name is not None:
        event = replace(event, who=name)
    if isinstance(event, Report):
        event = replace(event, witnessed=name is not None and Role.FLOOR in roles)
    return event


def _may_enter(word: str, roles: Roles) -> bool:
    return any(may_enter(role, word) for role in roles)


def _is_a_persons(word: str, line: Mapping[str, object]) -> bool:
    """Whether a line of this word is one that a person can know about."""
    match word:
        case "card":
            return line == {"ev": "card", "card": None}
        case "device":
            fault = latched_by(str(line.get("id")))
            wanted = line.get("status")
            begins = fault is not None and fault.code == IN_SERVICE and wanted == Status.LOST.value
            return begins or (fault is not None and wanted == Status.BACK.value)
        case _:
            return True


def _may_clear(event: Device, roles: Roles) -> bool:
    fault = latched_by(event.id)
    return fault is not None and any(role.value in fault.clears for role in roles)


def _refused_word(word: str) -> Answer:
    if may_enter(Role.FLOOR, word) and not may_enter(Role.DEALER, word):
        return Answer(403, Code.FLOOR.value, "Only the floor decides; call the floor.")
    return Answer(403, Code.ROLE.value, f"Who is signed in may not enter {word!r}.")

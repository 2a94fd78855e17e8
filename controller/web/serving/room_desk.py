"""What a room of many tables asks of this one: decisions of its people, its list of staff, releases, files, words.

Whoever carries a request proves nothing by that. An entry, a release, a file and an announcement are each signed by a
person whom the room's list names, over what is asked, over the place in the journal and over the entry that they saw;
the list is signed by the room. So whoever has the uplink, its token and its network can hold back what was asked, and
ask nothing by themselves; and nothing twice: a signature is answered once, and what was seen before is stale.
"""

import base64
import hashlib
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from nacl.signing import VerifyKey

from controller.core.protocol import script
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Event
from controller.runtime.loop.messages import Asked
from controller.runtime.staff import signature
from controller.runtime.staff.admission import Code, NotAdmitted
from controller.runtime.staff.authority import ASKS_FROM_THE_ROOM, FLOOR, TECHNICIAN, Roles
from controller.runtime.staff.room_list import RoomList
from controller.runtime.staff.signature import By, JournalPosition
from controller.runtime.staff.staff import Person, Staff
from controller.web.serving.desk import Answer as Unread
from controller.web.serving.desk import read_line

SOURCE = "room"

WAIT_SECONDS = 5.0
"""How long an entry may take; the uplink waits longer."""

ANSWERED = 64
"""Signatures that are kept so that nothing is done twice at the same standing of the table."""

BY = {"name": str, "role": str, "key": str, "signature": str, "seen": int}
"""What says whose word something is."""

LONGEST_TEXT = 200
"""Signs of an announcement."""

OFF = "This table takes nothing of a room; its own file allows it, with the room's key and `asks = true` in [room]."


NOT_INSTALLED = "This table is not installed: nobody here puts releases or files in place."


@dataclass(frozen=True, slots=True)
class Answer:
    """What the table says: `taken`, then `entry` numbers the entry of its journal, if there is one; else why not."""

    taken: bool
    entry: int | None = None
    code: str = ""
    message: str = ""
    told: Mapping[str, object] = field(default_factory=dict)
    """What was asked for besides."""

    @classmethod
    def no(cls, code: Code | str, message: str, entry: int | None = None) -> "Answer":
        """Refuse; `entry`: where the journal has the attempt."""
        return cls(False, entry, code.value if isinstance(code, Code) else code, message)


class Proposals(Protocol):
    """What is left for the machine's root, who checks it again and puts it in its place."""

    refused: type[Exception]

    def present_file(self) -> str:
        """Return the table's file as it stands; raises `refused`."""
        ...

    def want_file(self, text: str) -> None:
        """Leave a table's file; raises `refused` for one with a mistake."""
        ...

    def want_release(self, name: str | None) -> None:
        """Leave which release of those that were fetched is to be installed, `None`: the one before; raises `refused`.

        Nothing of the release is read here: that is not for the table's account.
        """
        ...


class _NotTaken(Exception):
    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.message)
        self.answer = answer


class RoomDesk:
    """Takes what a room asks, one request at a time; from any thread.

    `room`: its public key, `None` where the table's file lets no room ask. `shown` and `place` as `Desk` has them;
    `ask` and `note` hand in an entry and a record of something that was asked; `rests`: whether no hand is on;
    `offers`: what the floor may enter now.
    `answered`: signatures that were answered before this start.
    """

    def __init__(
        self,
        room: bytes | None,
        staff: Staff | None,
        *,
        shown: Callable[[], int | None],
        place: Callable[[], JournalPosition],
        ask: Callable[[Event, str, By, Asked], bool],
        note: Callable[[Mapping[str, object], By], bool],
        rests: Callable[[], bool],
        offers: Callable[[], Sequence[Mapping[str, object]]] = lambda: (),
        announce: Callable[[str, str], None],
        proposals: Proposals | None = None,
        answered: Iterable[str] = (),
    ) -> None:
        self._room = None if room is None or staff is None else VerifyKey(room)
        self._staff = staff
        self._shown = shown
        self._place = place
        self._ask = ask
        self._note = note
        self._rests = rests
        self._offers = offers
        self._announce = announce
        self._proposals = proposals
        self._answered = deque((base64.b64decode(one) for one in answered), maxlen=ANSWERED)
        self._lock = threading.Lock()

    def take(self, verb: str, body: object) -> Answer:
        """Do what a verb of `room.contract.request` asks, with the body that came with it."""
        verbs = {
            "standing": self._standing, "enter": self._enter, "staff": self._list, "fetch": self._fetch,
            "release": self._release, "file": self._file, "set-up": self._set_up, "announce": self._say,
        }  # fmt: skip
        if self._room is None:
            return Answer.no(Code.NO_ROOM, OFF)
        if not isinstance(body, dict):
            return Answer.no(Code.FORM, "Want a JSON object.")
        try:
            with self._lock:
                return verbs[verb](body)
        except _NotTaken as why:
            return why.answer
        except NotAdmitted as why:
            return Answer.no(why.code, why.message)

    def _standing(self, body: Mapping[str, Any]) -> Answer:  # noqa: ARG002 - as the others
        journal, session = self._place()
        staff = self._people_file
        told = {
            "journal": journal, "session": session, "entry": self._shown(), "rests": self._rests(),
            "staff": staff.room_list_number(), "own": [one.name for one in staff.people() if not one.of_room],
            "offers": list(self._offers()),
        }  # fmt: skip
        return Answer(True, told=told)

    def _enter(self, body: Mapping[str, Any]) -> Answer:
        line, by = _parts(body, "line", dict), body.get("by")
        person = self._signer(by)
        event = read_line(line, frozenset({person.role}), person.name)
        if isinstance(event, Unread):
            return Answer.no(event.code or "", event.message or "")
        signed = self._checked(by, script.write(event), person, ASKS_FROM_THE_ROOM)
        heard: list[tuple[int | None, Refused | None]] = []
        done = threading.Event()

        def hear(entry: int | None, error: Refused | None) -> None:
            heard.append((entry, error))
            done.set()

        if not self._ask(event, SOURCE, signed, Asked(int(str(signed["seen"])), hear)):
            return _too_much()
        self._answered.append(_bytes(signed))
        if not done.wait(WAIT_SECONDS):
            return Answer.no(Code.TOO_MUCH, "The table has not answered yet; look whether it was entered.")
        match heard[0]:
            case None, None:
                return _moved()
            case entry, None:
                return Answer(True, entry)
            case entry, Refused(code=code, message=message):
                return Answer.no(code, message, entry)

    def _list(self, body: Mapping[str, Any]) -> Answer:
        assert self._room is not None
        staff = self._people_file
        not_taken = staff.take_list(RoomList.read(body, self._room), self._room)
        return Answer(True, told={"staff": staff.room_list_number(), "own": not_taken})

    def _fetch(self, body: Mapping[str, Any]) -> Answer:
        """Say whether a release may come to this machine; nothing of it is read or changed here, hand or no hand."""
        match body:
            case {"name": str(name), "size": int(size), "sha256": str(sha256), "by": by, **rest} if not rest:
                pass
            case _:
                return Answer.no(Code.FORM, "Want name, size, sha256 and by.")
        if self._proposals is None:
            return Answer.no(Code.NOT_NOW, NOT_INSTALLED)
        line = {"ev": "room-fetch", "name": name, "size": size, "sha256": sha256}
        signed = self._checked(by, line, self._signer(by), TECHNICIAN)
        if not self._note(line, signed):
            return _too_much()
        self._answered.append(_bytes(signed))
        return Answer(True)

    def _release(self, body: Mapping[str, Any]) -> Answer:
        name = body.get("name")
        if name is not None and not isinstance(name, str):
            return Answer.no(Code.FORM, 'Want {"name": of a release that was fetched, or null for the one before}.')
        return self._proposed({"ev": "room-release", "name": name}, body, lambda wanted: wanted.want_release(name))

    def _set_up(self, body: Mapping[str, Any]) -> Answer:
        text = _parts(body, "text", str)
        line = {"ev": "room-set-up", "sha256": hashlib.sha256(text.encode()).hexdigest()}
        return self._proposed(line, body, lambda wanted: wanted.want_file(text))

    def _file(self, body: Mapping[str, Any]) -> Answer:
        """Tell a technician the table's file, which names other files and holds no secret; hand or no hand."""
        by = body.get("by")
        if not body.keys() <= {"by"}:
            return Answer.no(Code.FORM, "Want `by`.")
        if self._proposals is None:
            return Answer.no(Code.NOT_NOW, NOT_INSTALLED)
        line = {"ev": "room-file"}
        signed = self._checked(by, line, self._signer(by), TECHNICIAN)
        if not self._note(line, signed):
            return _too_much()
        self._answered.append(_bytes(signed))
        try:
            return Answer(True, told={"text": self._proposals.present_file()})
        except self._proposals.refused as why:
            return Answer.no(Code.NOT_NOW, f"{str(why)[:1].upper()}{str(why)[1:]}.")

    def _say(self, body: Mapping[str, Any]) -> Answer:
        text = _parts(body, "text", str)
        if not (0 < len(text) <= LONGEST_TEXT and text.isprintable()):
            return Answer.no(Code.FORM, f"An announcement has 1 to {LONGEST_TEXT} printable signs.")
        line, by = {"ev": "room-announce", "text": text}, body.get("by")
        signed = self._checked(by, line, self._signer(by), FLOOR)
        if not self._note(line, signed):
            return _too_much()
        self._answered.append(_bytes(signed))
        self._announce(text, str(signed["name"]))
        return Answer(True)

    def _proposed(
        self, line: Mapping[str, object], body: Mapping[str, Any], propose: Callable[[Proposals], None]
    ) -> Answer:
        """Leave something for root, by the word of a technician, while no hand is on."""
        by = body.get("by")
        if self._proposals is None:
            return Answer.no(Code.NOT_NOW, NOT_INSTALLED)
        if not self._rests():
            return Answer.no(Code.NOT_NOW, "A hand is on; ask again when it is over.")
        signed = self._checked(by, line, self._signer(by), TECHNICIAN)
        if not self._note(line, signed):
            return _too_much()
        self._answered.append(_bytes(signed))
        try:
            propose(self._proposals)
        except self._proposals.refused as why:
            return Answer.no(Code.NOT_NOW, f"{str(why)[:1].upper()}{str(why)[1:]}.")
        return Answer(True)

    @property
    def _people_file(self) -> Staff:
        assert self._staff is not None
        return self._staff

    def _signer(self, by: object) -> Person:
        """Find whose word it is among those whom the room enrolled and who are in now."""
        if not isinstance(by, dict) or {key: type(value) for key, value in by.items()} != BY:
            raise _NotTaken(Answer.no(Code.FORM, "Want `by` with name, role, key, signature and seen."))
        for person in self._people_file.people():
            key = base64.b64encode(person.public_key).decode()
            told = {"name": person.name, "role": person.role.value, "key": key}
            if person.of_room and told.items() <= by.items():
                return person
        raise _NotTaken(
            Answer.no(Code.UNKNOWN, "The room's list that this table has names nobody with that role and key.")
        )

    def _checked(self, by: object, line: Mapping[str, object], person: Person, roles: Roles) -> By:
        """Return whose word it is, if it is theirs, is new, and the table stands as they saw it."""
        assert isinstance(by, dict)
        if person.role not in roles:
            may = " or ".join(sorted(role.value for role in roles))
            raise _NotTaken(Answer.no(Code.ROLE, f"This a {may} of the room asks, not a {person.role.value}."))
        if not signature.is_signed(by, line, self._place()):
            raise _NotTaken(Answer.no(Code.UNSIGNED, "The signature is not over this, at this place of the journal."))
        if by["seen"] != self._shown() or _bytes(by) in self._answered:
            raise _NotTaken(_moved())
        return by


def _bytes(by: By) -> bytes:
    """What was signed with, as bytes: as text one signature can be written in several ways."""
    return base64.b64decode(str(by["signature"]))


def _too_much() -> Answer:
    return Answer.no(Code.TOO_MUCH, "More is entered than the table can take; wait a moment.")


def _moved() -> Answer:
    return Answer.no(Code.MOVED, "The table has moved on since, or was asked this before; look again.")


def _parts(body: Mapping[str, Any], key: str, kind: type) -> Any:  # noqa: ANN401 - as `kind` says
    found = body.get(key)
    if not isinstance(found, kind) or not body.keys() <= {key, "by"}:
        raise _NotTaken(Answer.no(Code.FORM, f"Want `{key}` and `by`."))
    return found

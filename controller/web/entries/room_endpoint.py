"""What a room of many tables asks of this one: decisions of its people, its list of staff, releases, files, words.

Whoever carries a request proves nothing by that. An entry, a release, a file and an announcement are each signed by a
person whom the room's list names, over what is asked, over the place in the journal and over the entry that they saw;
the list is signed by the room. So whoever has the uplink, its token and its network can hold back what was asked, and
ask nothing by themselves; and nothing twice: a signature is answered once, and what was seen before is stale.
"""

import base64
import hashlib
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from nacl.signing import VerifyKey

from controller.core.protocol import script_lines
from controller.core.protocol.events import Event
from controller.core.protocol.table_error import Refused
from controller.runtime.loop.loop_messages import RemoteRequest
from controller.runtime.staff import entry_signature
from controller.runtime.staff.admission import AdmissionError, RefusalCode
from controller.runtime.staff.entry_signature import JournalPosition, Signer
from controller.runtime.staff.permissions import FLOOR_ROLES, REMOTE_ENTRY_ROLES, TECHNICIAN_ROLES, Roles
from controller.runtime.staff.room_staff_list import RoomStaffList
from controller.runtime.staff.staff_store import Person, StaffStore
from controller.web.entries.entry_endpoint import EntryResponse as Unread
from controller.web.entries.entry_endpoint import parse_entry_line

ROOM_SOURCE = "room"

RESULT_TIMEOUT_S = 5.0
"""How long an entry may take; the uplink waits longer."""

MAX_ANSWERED_SIGNATURES = 64
"""What a table does for its room at one standing. All their signatures are kept, so that nothing is done twice."""

TYPE_BY_SIGNER_KEY = {"name": str, "role": str, "key": str, "signature": str, "seen": int}
"""What says whose word something is."""

MAX_ANNOUNCEMENT_LENGTH = 200
"""Signs of an announcement."""

REQUESTS_OFF_MESSAGE = (
    "This table takes nothing of a room; its own file allows it, with the room's key and `asks = true` in [room]."
)


NOT_INSTALLED_MESSAGE = "This table is not installed: nobody here puts releases or files in place."


@dataclass(frozen=True, slots=True)
class RoomResponse:
    """What the table says: `is_accepted`, then `entry` numbers the entry of its journal, if there is one.

    Else why not.
    """

    is_accepted: bool
    entry: int | None = None
    code: str = ""
    message: str = ""
    content: Mapping[str, object] = field(default_factory=dict)
    """What was asked for besides."""

    @classmethod
    def make_refusal(cls, code: RefusalCode | str, message: str, entry: int | None = None) -> "RoomResponse":
        """Refuse; `entry`: where the journal has the attempt."""
        return cls(False, entry, code.value if isinstance(code, RefusalCode) else code, message)


class Proposals(Protocol):
    """What is left for the machine's root, who checks it again and puts it in its place."""

    error_type: type[Exception]

    def read_present_file(self) -> str:
        """Return the table's file as it stands; raises `error_type`."""
        ...

    def request_file(self, text: str) -> None:
        """Leave a table's file; raises `error_type` for one with a mistake."""
        ...

    def request_release(self, name: str | None) -> None:
        """Leave which release of those that were fetched is to be installed, `None`: the one before.

        Raises `error_type`.
        Nothing of the release is read here: that is not for the table's account.
        """
        ...


class _RequestRefusedError(Exception):
    def __init__(self, answer: RoomResponse) -> None:
        super().__init__(answer.message)
        self.response = answer


class RoomEndpoint:
    """Takes what a room asks, one request at a time; from any thread.

    `room`: its public key, `None` where the table's file lets no room ask. `shown` and `place` as `Desk` has them;
    `ask` and `note` hand in an entry and a record of something that was asked; `rests`: whether no hand is on;
    `offers`: what the floor may enter now.
    `answered`: who signed what was answered before this start.
    """

    def __init__(
        self,
        room: bytes | None,
        staff: StaffStore | None,
        *,
        shown: Callable[[], int | None],
        place: Callable[[], JournalPosition],
        ask: Callable[[Event, str, Signer, RemoteRequest], bool],
        note: Callable[[Mapping[str, object], Signer], bool],
        rests: Callable[[], bool],
        offers: Callable[[], Sequence[Mapping[str, object]]] = lambda: (),
        announce: Callable[[str, str], None],
        proposals: Proposals | None = None,
        answered: Iterable[Signer] = (),
    ) -> None:
        self._room_key = None if room is None or staff is None else VerifyKey(room)
        self._staff = staff
        self._find_shown_entry = shown
        self._find_journal_position = place
        self._submit_remote_entry = ask
        self._record_request = note
        self._is_between_hands = rests
        self._list_floor_offers = offers
        self._show_announcement = announce
        self._proposals = proposals
        self._seen_by_answered_signature: dict[bytes, object] = {}
        for signer in answered:
            self._note_answered(signer)
        self._lock = threading.Lock()

    def handle_request(self, verb: str, body: object) -> RoomResponse:
        """Do what a verb of `controller.room_contract.table_request` asks, with the body that came with it."""
        verbs = {
            "standing": self._describe_table, "enter": self._enter_line, "staff": self._apply_staff_list,
            "fetch": self._authorize_fetch,
            "release": self._request_release, "file": self._read_table_file, "set-up": self._request_table_file,
            "announce": self._announce_text,
        }  # fmt: skip
        if self._room_key is None:
            return RoomResponse.make_refusal(RefusalCode.NO_ROOM_REQUESTS, REQUESTS_OFF_MESSAGE)
        if not isinstance(body, dict):
            return RoomResponse.make_refusal(RefusalCode.NOT_UNDERSTOOD, "Want a JSON object.")
        try:
            with self._lock:
                return verbs[verb](body)
        except _RequestRefusedError as why:
            return why.response
        except AdmissionError as why:
            return RoomResponse.make_refusal(why.code, why.message)

    def _describe_table(self, body: Mapping[str, Any]) -> RoomResponse:  # noqa: ARG002 - as the others
        journal, session = self._find_journal_position()
        staff = self._staff_store
        told = {
            "journal": journal, "session": session, "entry": self._find_shown_entry(),
            "rests": self._is_between_hands(),
            "staff": staff.find_room_list_number(),
            "own": [one.name for one in staff.list_people() if not one.is_of_room],
            "offers": list(self._list_floor_offers()),
        }  # fmt: skip
        return RoomResponse(True, content=told)

    def _enter_line(self, body: Mapping[str, Any]) -> RoomResponse:
        line, by = _require_value(body, "line", dict), body.get("by")
        person = self._find_person(by)
        event = parse_entry_line(line, frozenset({person.role}), person.name)
        if isinstance(event, Unread):
            return RoomResponse.make_refusal(event.code or "", event.message or "")
        signed = self._check_signer(by, script_lines.format_line(event), person, REMOTE_ENTRY_ROLES)
        heard: list[tuple[int | None, Refused | None]] = []
        done = threading.Event()

        def hear(entry: int | None, error: Refused | None) -> None:
            heard.append((entry, error))
            done.set()

        if not self._submit_remote_entry(event, ROOM_SOURCE, signed, RemoteRequest(int(str(signed["seen"])), hear)):
            return _make_overload_refusal()
        self._note_answered(signed)
        if not done.wait(RESULT_TIMEOUT_S):
            return RoomResponse.make_refusal(
                RefusalCode.TOO_MUCH, "The table has not answered yet; look whether it was entered."
            )
        match heard[0]:
            case None, None:
                return _make_stale_refusal()
            case entry, None:
                return RoomResponse(True, entry)
            case entry, Refused(code=code, message=message):
                return RoomResponse.make_refusal(code, message, entry)

    def _apply_staff_list(self, body: Mapping[str, Any]) -> RoomResponse:
        assert self._room_key is not None
        staff = self._staff_store
        not_taken = staff.apply_room_list(RoomStaffList.parse(body, self._room_key), self._room_key)
        return RoomResponse(True, content={"staff": staff.find_room_list_number(), "own": not_taken})

    def _authorize_fetch(self, body: Mapping[str, Any]) -> RoomResponse:
        """Say whether a release may come to this machine; nothing of it is read or changed here, hand or no hand."""
        match body:
            case {"name": str(name), "size": int(size), "sha256": str(sha256), "by": by, **rest} if not rest:
                pass
            case _:
                return RoomResponse.make_refusal(RefusalCode.NOT_UNDERSTOOD, "Want name, size, sha256 and by.")
        if self._proposals is None:
            return RoomResponse.make_refusal(RefusalCode.NOT_NOW, NOT_INSTALLED_MESSAGE)
        line = {"ev": "room-fetch", "name": name, "size": size, "sha256": sha256}
        signed = self._check_signer(by, line, self._find_person(by), TECHNICIAN_ROLES)
        if not self._record_request(line, signed):
            return _make_overload_refusal()
        self._note_answered(signed)
        return RoomResponse(True)

    def _request_release(self, body: Mapping[str, Any]) -> RoomResponse:
        name = body.get("name")
        if name is not None and not isinstance(name, str):
            return RoomResponse.make_refusal(
                RefusalCode.NOT_UNDERSTOOD, 'Want {"name": of a release that was fetched, or null for the one before}.'
            )
        return self._submit_proposal(
            {"ev": "room-release", "name": name}, body, lambda wanted: wanted.request_release(name)
        )

    def _request_table_file(self, body: Mapping[str, Any]) -> RoomResponse:
        text = _require_value(body, "text", str)
        line = {"ev": "room-set-up", "sha256": hashlib.sha256(text.encode()).hexdigest()}
        return self._submit_proposal(line, body, lambda wanted: wanted.request_file(text))

    def _read_table_file(self, body: Mapping[str, Any]) -> RoomResponse:
        """Tell a technician the table's file, which names other files and holds no secret; hand or no hand."""
        by = body.get("by")
        if not body.keys() <= {"by"}:
            return RoomResponse.make_refusal(RefusalCode.NOT_UNDERSTOOD, "Want `by`.")
        if self._proposals is None:
            return RoomResponse.make_refusal(RefusalCode.NOT_NOW, NOT_INSTALLED_MESSAGE)
        line = {"ev": "room-file"}
        signed = self._check_signer(by, line, self._find_person(by), TECHNICIAN_ROLES)
        if not self._record_request(line, signed):
            return _make_overload_refusal()
        self._note_answered(signed)
        try:
            return RoomResponse(True, content={"text": self._proposals.read_present_file()})
        except self._proposals.error_type as why:
            return RoomResponse.make_refusal(RefusalCode.NOT_NOW, f"{str(why)[:1].upper()}{str(why)[1:]}.")

    def _announce_text(self, body: Mapping[str, Any]) -> RoomResponse:
        text = _require_value(body, "text", str)
        if not (0 < len(text) <= MAX_ANNOUNCEMENT_LENGTH and text.isprintable()):
            return RoomResponse.make_refusal(
                RefusalCode.NOT_UNDERSTOOD, f"An announcement has 1 to {MAX_ANNOUNCEMENT_LENGTH} printable signs."
            )
        line, by = {"ev": "room-announce", "text": text}, body.get("by")
        signed = self._check_signer(by, line, self._find_person(by), FLOOR_ROLES)
        if not self._record_request(line, signed):
            return _make_overload_refusal()
        self._note_answered(signed)
        self._show_announcement(text, str(signed["name"]))
        return RoomResponse(True)

    def _submit_proposal(
        self, line: Mapping[str, object], body: Mapping[str, Any], propose: Callable[[Proposals], None]
    ) -> RoomResponse:
        """Leave something for root, by the word of a technician, while no hand is on."""
        by = body.get("by")
        if self._proposals is None:
            return RoomResponse.make_refusal(RefusalCode.NOT_NOW, NOT_INSTALLED_MESSAGE)
        if not self._is_between_hands():
            return RoomResponse.make_refusal(RefusalCode.NOT_NOW, "A hand is on; ask again when it is over.")
        signed = self._check_signer(by, line, self._find_person(by), TECHNICIAN_ROLES)
        if not self._record_request(line, signed):
            return _make_overload_refusal()
        self._note_answered(signed)
        try:
            propose(self._proposals)
        except self._proposals.error_type as why:
            return RoomResponse.make_refusal(RefusalCode.NOT_NOW, f"{str(why)[:1].upper()}{str(why)[1:]}.")
        return RoomResponse(True)

    @property
    def _staff_store(self) -> StaffStore:
        assert self._staff is not None
        return self._staff

    def _find_person(self, by: object) -> Person:
        """Find whose word it is among those whom the room enrolled and who are in now."""
        if not isinstance(by, dict) or {key: type(value) for key, value in by.items()} != TYPE_BY_SIGNER_KEY:
            raise _RequestRefusedError(
                RoomResponse.make_refusal(
                    RefusalCode.NOT_UNDERSTOOD, "Want `by` with name, role, key, signature and seen."
                )
            )
        for person in self._staff_store.list_people():
            key = base64.b64encode(person.public_key).decode()
            told = {"name": person.name, "role": person.role.value, "key": key}
            if person.is_of_room and told.items() <= by.items():
                return person
        raise _RequestRefusedError(
            RoomResponse.make_refusal(
                RefusalCode.UNKNOWN_PERSON, "The room's list that this table has names nobody with that role and key."
            )
        )

    def _check_signer(self, by: object, line: Mapping[str, object], person: Person, roles: Roles) -> Signer:
        """Return whose word it is, if it is theirs, is new, and the table stands as they saw it."""
        assert isinstance(by, dict)
        if person.role not in roles:
            may = " or ".join(sorted(role.value for role in roles))
            raise _RequestRefusedError(
                RoomResponse.make_refusal(
                    RefusalCode.WRONG_ROLE, f"This a {may} of the room asks, not a {person.role.value}."
                )
            )
        if not entry_signature.is_entry_signed(by, line, self._find_journal_position()):
            raise _RequestRefusedError(
                RoomResponse.make_refusal(
                    RefusalCode.UNSIGNED, "The signature is not over this, at this place of the journal."
                )
            )
        known = self._seen_by_answered_signature
        if by["seen"] != self._find_shown_entry() or _decode_signature(by) in known:
            raise _RequestRefusedError(_make_stale_refusal())
        # What was signed at an earlier standing is stale for ever, and need not be known any more.
        self._seen_by_answered_signature = {one: seen for one, seen in known.items() if seen == by["seen"]}
        if len(self._seen_by_answered_signature) >= MAX_ANSWERED_SIGNATURES:
            raise _RequestRefusedError(_make_overload_refusal())
        return by

    def _note_answered(self, by: Signer) -> None:
        self._seen_by_answered_signature[_decode_signature(by)] = by["seen"]


def _decode_signature(by: Signer) -> bytes:
    """What was signed with, as bytes: as text one signature can be written in several ways."""
    return base64.b64decode(str(by["signature"]))


def _make_overload_refusal() -> RoomResponse:
    return RoomResponse.make_refusal(RefusalCode.TOO_MUCH, "More is entered than the table can take; wait a moment.")


def _make_stale_refusal() -> RoomResponse:
    return RoomResponse.make_refusal(
        RefusalCode.MOVED_ON, "The table has moved on since, or was asked this before; look again."
    )


def _require_value(body: Mapping[str, Any], key: str, kind: type) -> Any:  # noqa: ANN401 - as `kind` says
    found = body.get(key)
    if not isinstance(found, kind) or not body.keys() <= {key, "by"}:
        raise _RequestRefusedError(RoomResponse.make_refusal(RefusalCode.NOT_UNDERSTOOD, f"Want `{key}` and `by`."))
    return found

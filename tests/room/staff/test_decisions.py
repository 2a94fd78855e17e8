"""Decisions of the room at a table: taken as that person's entries, refused in words, and nothing without their key."""

import base64
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.core.protocol import script_lines
from controller.room_contract.table_request import RequestKind, TableReply
from controller.runtime.journal.proof.chain import BadRecordError, JournalRecord, compute_chain, verify_journal
from controller.runtime.staff.entry_signature import JournalPosition, sign_entry
from controller.runtime.staff.permissions import Role
from controller.web.entries.room_endpoint import MAX_ANSWERED_SIGNATURES
from room.staff import signed_requests
from room.staff.signed_requests import MAX_OFFERS, RequestNotSentError, TablePosition
from tests.room.people import ENROLS, ROLES, Room, TableOfARoom

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
START = {"ev": "start"}
HAND_FOR_HAND = {"ev": "hand-for-hand", "on": True}
SERVICE = {"ev": "device", "id": "fault:in-service", "status": "lost"}
FETCHED = {"name": "a.tar", "size": 5, "sha256": "ab" * 32}
FILE = "[table]\n"


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path / "room")
    yield room
    room.staff.close()


@pytest.fixture
def table(tmp_path: Path, room: Room) -> Iterator[TableOfARoom]:
    table = TableOfARoom(tmp_path / "table", room)
    assert table.send_request(RequestKind.STAFF, room.list(1)).is_accepted
    yield table
    table.close()


def records(table: TableOfARoom) -> list[JournalRecord]:
    return list(table.journal.read_records())


def test_a_decision_of_the_floor_is_an_entry_that_the_proof_of_the_journal_checks(
    table: TableOfARoom, room: Room
) -> None:
    given = table.decide(room.person("Bo"), START)
    assert given.is_accepted, given.message
    body = next(
        record.parse_body() for record in records(table) if record.parse_body().get("entry") == given.entry_number
    )
    assert (body["source"], body["by"]["name"], body["by"]["role"]) == ("room", "Bo", "floor")
    verify_journal(records(table))


def test_the_standing_offers_the_answers_to_what_the_table_waits_for_and_each_is_taken(
    table: TableOfARoom, room: Room
) -> None:
    def read_offers() -> dict[str, tuple[bool, bool]]:
        return {json.dumps(one["line"]): (one["asked"], one["why"]) for one in table.standing().offers}

    assert read_offers() == {}, "nothing is asked before a hand"
    dealt: list[dict[str, Any]] = [START, *[{"ev": "card", "card": None}] * 6]
    for line in dealt:
        table.three.enter(script_lines.parse_line(line))
    unasked = read_offers()
    assert unasked['{"ev": "floor", "decide": "misdeal"}'] == (False, True)
    assert unasked['{"ev": "floor", "decide": "dead-hand", "seat": 4}'] == (False, True)
    table.three.enter(script_lines.parse_line({"ev": "act", "seat": 2, "do": "raise", "to": 6}))
    assert read_offers() == {
        '{"ev": "floor", "decide": "bind"}': (True, False), '{"ev": "floor", "decide": "release"}': (True, False),
    }  # fmt: skip
    assert table.decide(room.person("Bo"), table.standing().offers[0]["line"]).is_accepted


def test_a_table_is_believed_no_offer_that_the_floor_may_not_enter() -> None:
    good = {"line": {"ev": "floor", "decide": "misdeal"}, "asked": True, "why": False}
    bad: list[object] = [
        None, {"line": {"ev": "act"}, "asked": True, "why": False}, {**good, "line": {"ev": "card", "card": "As"}},
        {**good, "asked": 1}, {**good, "line": {"ev": "floor", "decide": "misdeal", "why": "x" * 500}},
    ]  # fmt: skip
    told = {"journal": "j", "session": 1, "entry": 2, "rests": True, "staff": 0, "own": []}
    assert TablePosition.from_reply(TableReply(True, content={**told, "offers": [*bad, good]})).offers == (good,)
    assert len(TablePosition.from_reply(TableReply(True, content={**told, "offers": [good] * 90})).offers) == MAX_OFFERS
    assert TablePosition.from_reply(TableReply(True, content={**told, "offers": "all"})).offers == ()


def test_a_changed_signer_of_the_room_is_found_by_the_proof(table: TableOfARoom, room: Room) -> None:
    number = table.decide(room.person("Bo"), START).entry_number
    forged: list[JournalRecord] = []
    chain = None
    for record in records(table):
        body = dict(record.parse_body())
        if body.get("entry") == number:
            body["by"] = {**body["by"], "name": "Eve"}
        made = JournalRecord(record.number, record.kind, json.dumps(body), "")
        chain = compute_chain(made, chain) if chain is not None else record.chain
        forged.append(JournalRecord(made.number, made.kind, made.body, chain))
    with pytest.raises(BadRecordError):
        verify_journal(forged)


def test_a_table_that_no_room_may_ask_says_so_and_does_nothing(tmp_path: Path, room: Room) -> None:
    table = TableOfARoom(tmp_path / "other", room, asks=False)
    for verb in RequestKind:
        answer = table.send_request(verb, room.list(1) if verb is RequestKind.STAFF else {})
        assert (answer.is_accepted, answer.code) == (False, "no-room-asks")
        assert "asks = true" in answer.message
    assert table.staff.list_people() == []
    table.close()


def test_what_was_seen_before_is_stale_and_a_request_counts_once(table: TableOfARoom, room: Room) -> None:
    first = signed_requests.sign_script_line(room.person("Bo"), START, table.standing())
    assert table.send_request(RequestKind.ENTER, first).is_accepted
    count = len(records(table))
    assert table.send_request(RequestKind.ENTER, first).code == "moved-on"
    assert len(records(table)) == count


def test_one_signature_written_otherwise_is_the_same_one(table: TableOfARoom, room: Room) -> None:
    body = signed_requests.sign_announcement(room.person("Bo"), "Break", table.standing())
    assert table.send_request(RequestKind.ANNOUNCE, body).is_accepted
    text = body["by"]["signature"]
    last = DIGITS[DIGITS.index(text[-3]) ^ 1]  # a bit of which nothing is made
    body["by"]["signature"] = f"{text[:-3]}{last}=="
    assert base64.b64decode(body["by"]["signature"]) == base64.b64decode(text)
    assert table.send_request(RequestKind.ANNOUNCE, body).code == "moved-on"


@pytest.mark.parametrize("change", ["line", "name", "role", "seen", "key", "signature", "more"])
def test_whoever_has_the_uplink_and_no_persons_key_enters_nothing(table: TableOfARoom, room: Room, change: str) -> None:
    body: dict[str, Any] = signed_requests.sign_script_line(room.person("Bo"), START, table.standing())
    by = body["by"]
    match change:
        case "line":
            body["line"] = {"ev": "start", "button": 2}
        case "name":
            by["name"] = "Cy"
        case "role":
            by["role"] = "technician"
        case "seen":
            by["seen"] += 1
        case "key":
            by["key"] = base64.b64encode(bytes(room.key.verify_key)).decode()
        case "signature":
            by["signature"] = base64.b64encode(bytes(64)).decode()
        case _:
            by["more"] = 1
    count = len(records(table))
    answer = table.send_request(RequestKind.ENTER, body)
    assert not answer.is_accepted
    assert answer.message
    assert len(records(table)) == count


def test_a_signature_is_worth_nothing_at_another_table_or_in_another_session(
    tmp_path: Path, table: TableOfARoom, room: Room
) -> None:
    other = TableOfARoom(tmp_path / "second", room)
    other.send_request(RequestKind.STAFF, room.list(1))
    assert other.standing().shown_entry == table.standing().shown_entry
    body = signed_requests.sign_script_line(room.person("Bo"), START, other.standing())
    assert table.send_request(RequestKind.ENTER, body).code == "not-signed"
    table.place = table.place._replace(session=9)
    body = signed_requests.sign_script_line(room.person("Bo"), START, table.standing())
    table.place = table.place._replace(session=1)
    assert table.send_request(RequestKind.ENTER, body).code == "not-signed"
    other.close()


def test_who_was_withdrawn_is_refused_at_once(table: TableOfARoom, room: Room) -> None:
    bo = room.person("Bo")
    body = signed_requests.sign_script_line(bo, START, table.standing())
    room.staff.remove("Bo", ENROLS)
    assert table.send_request(RequestKind.STAFF, room.list(2)).is_accepted
    assert table.send_request(RequestKind.ENTER, body).code == "unknown-staff"


def test_somebody_of_the_table_itself_is_nobody_of_the_room(table: TableOfARoom, room: Room) -> None:
    table.staff.enrol("Eve", Role.FLOOR, "503317", ENROLS)
    eve = table.staff.sign_in("Eve", "503317")
    assert table.decide(eve, START).code == "unknown-staff"
    assert room.list(1)


def test_each_role_has_the_words_that_it_has_at_the_table_and_who_deals_deals_there(
    table: TableOfARoom, room: Room
) -> None:
    with pytest.raises(RequestNotSentError):
        table.decide(room.person("Cy"), HAND_FOR_HAND)
    forged: dict[str, Any] = {"line": HAND_FOR_HAND}
    at = table.standing()
    cy = room.person("Cy")
    forged["by"] = dict(
        sign_entry(cy.signing_key, "Cy", "technician", forged["line"], at.shown_entry, at.journal_position)
    )
    assert table.send_request(RequestKind.ENTER, forged).code == "floor-only"
    assert table.decide(room.person("Ada"), {"ev": "start"}).code == "not-your-role"


ASKED: dict[str, tuple[RequestKind, dict[str, Any], dict[str, Any] | None, Role]] = {
    "a line": (RequestKind.ENTER, {"line": START}, START, Role.FLOOR),
    "a decision": (RequestKind.ENTER, {"line": {"ev": "halt"}}, None, Role.FLOOR),
    "out of service": (RequestKind.ENTER, {"line": SERVICE}, SERVICE, Role.TECHNICIAN),
    "a fetch": (RequestKind.FETCH, {**FETCHED}, {"ev": "room-fetch", **FETCHED}, Role.TECHNICIAN),
    "a release": (RequestKind.RELEASE, {"name": "a.tar"}, {"ev": "room-release", "name": "a.tar"}, Role.TECHNICIAN),
    "the one before": (RequestKind.RELEASE, {"name": None}, {"ev": "room-release", "name": None}, Role.TECHNICIAN),
    "the file": (RequestKind.READ_FILE, {}, {"ev": "room-file"}, Role.TECHNICIAN),
    "another file": (
        RequestKind.REPLACE_FILE, {"text": FILE},
        {"ev": "room-set-up", "sha256": hashlib.sha256(FILE.encode()).hexdigest()}, Role.TECHNICIAN,
    ),
    "words": (RequestKind.ANNOUNCE, {"text": "Break"}, {"ev": "room-announce", "text": "Break"}, Role.FLOOR),
}  # fmt: skip
"""What a room asks: the request without `by`, what is signed (`None`: the table does not take it now), and by whom."""


@pytest.mark.parametrize("asked", ASKED)
def test_each_request_is_for_its_role_signed_over_all_of_it_and_done_once(tmp_path: Path, asked: str) -> None:
    verb, request, line, right = ASKED[asked]
    room = Room(tmp_path / "room", {**ROLES, "Di": Role.AUDITOR})
    table = TableOfARoom(tmp_path / "table", room)
    table.send_request(RequestKind.STAFF, room.list(1))
    at, people = table.standing(), {person.role: person for person in map(room.person, (*ROLES, "Di"))}
    place, count = at.journal_position, len(records(table))

    def sign(role: Role, seen: int = at.shown_entry, place: JournalPosition = place, **other: object) -> dict[str, Any]:
        person, signed = people[role], {**(request["line"] if line is None else line), **other}
        return dict(sign_entry(person.signing_key, person.name, role.value, signed, seen, place))

    def ask(by: dict[str, Any], **other: object) -> str:
        answer = table.send_request(verb, {**request, **other, "by": by})
        assert (answer.is_accepted, bool(answer.code)) in ((True, False), (False, True))
        return answer.code

    for role in set(Role) - {right}:
        assert ask(sign(role)) in ("not-your-role", "floor-only")
        assert ask({**sign(role), "role": right.value}) == "unknown-staff", "nor with another role"
        assert ask({**sign(right), "name": people[role].name}) == "unknown-staff", "nor in another's name"
        assert ask({**sign(right), "key": sign(role)["key"]}) == "unknown-staff"
        assert ask({**sign(right), "signature": sign(role)["signature"]}) == "not-signed"
    for forged in (
        sign(right, note="x"), sign(right, place=place._replace(session=place.session + 1)),
        sign(right, place=place._replace(journal="f" * 32)),
        {**sign(right, seen=at.shown_entry - 1), "seen": at.shown_entry},
    ):  # fmt: skip
        assert ask(forged) == "not-signed"
    for key in request.keys() - {"line"}:
        changed = 6 if key == "size" else "other"
        assert ask(sign(right), **{key: changed}) == "not-signed", "another thing than was signed"
    for seen in (at.shown_entry - 1, at.shown_entry + 1):
        assert ask(sign(right, seen=seen)) == "moved-on"
    assert len(records(table)) == count, "nothing of it is on record, or was done"
    assert table.left.files == table.left.releases == []
    if line is not None:
        assert ask(sign(right)) == ""
        count = len(records(table))
        assert ask(sign(right)) == "moved-on"
        assert len(records(table)) == count
    table.close()
    room.staff.close()


def test_what_the_table_refuses_comes_back_in_words(table: TableOfARoom, room: Room) -> None:
    answer = table.decide(room.person("Bo"), {"ev": "act", "seat": 1, "do": "fold"})
    assert (answer.is_accepted, bool(answer.code), bool(answer.message)) == (False, True, True)


@pytest.mark.parametrize("body", [{}, {"line": 3}, {"line": {}, "by": 1}, {"line": {"ev": "x"}, "by": {}}])
def test_what_is_no_request_is_refused_in_words(table: TableOfARoom, body: dict[str, Any]) -> None:
    for verb in (
        RequestKind.ENTER,
        RequestKind.RELEASE,
        RequestKind.REPLACE_FILE,
        RequestKind.ANNOUNCE,
        RequestKind.STAFF,
    ):
        answer = table.send_request(verb, body)
        assert (answer.is_accepted, bool(answer.message)) == (False, True)


def technicians(table: TableOfARoom, room: Room, what: str) -> tuple[RequestKind, dict[str, Any]]:
    at, cy = table.standing(), room.person("Cy")
    return {
        "release": (RequestKind.RELEASE, signed_requests.sign_release(cy, "table-1.4.0.tar", at)),
        "back": (RequestKind.RELEASE, signed_requests.sign_release(cy, None, at)),
        "file": (RequestKind.REPLACE_FILE, signed_requests.sign_file_replacement(cy, "[table]\n", at)),
    }[what]


@pytest.mark.parametrize("what", ["release", "back", "file"])
def test_a_technician_of_the_room_proposes_between_hands_once_and_on_record(
    table: TableOfARoom, room: Room, what: str
) -> None:
    verb, body = technicians(table, room, what)
    assert table.send_request(verb, body) == TableReply(True)
    assert len(table.left.files + table.left.releases) == 1
    assert table.send_request(verb, body).code == "moved-on"
    kept = [record.parse_body() for record in records(table) if record.kind == "asked"]
    assert [body["by"]["name"] for body in kept] == ["Cy"]
    verify_journal(records(table))
    table.start_page()
    assert table.send_request(verb, body).code == "moved-on"
    assert len(table.left.files + table.left.releases) == 1


def test_however_much_is_asked_at_one_standing_nothing_is_done_twice_nor_after_a_start(
    table: TableOfARoom, room: Room
) -> None:
    """A table between hands stands still for hours; whoever has the uplink has all that was asked meanwhile."""
    at, bo = table.standing(), room.person("Bo")
    words = [signed_requests.sign_announcement(bo, f"Break {number}", at) for number in range(MAX_ANSWERED_SIGNATURES)]
    for number, body in enumerate(words):
        assert table.send_request(RequestKind.ANNOUNCE, body).is_accepted
        if number % 16 == 7:
            table.start_page()
        assert {table.send_request(RequestKind.ANNOUNCE, old).code for old in (words[0], words[number // 2], body)} == {
            "moved-on"
        }
    more = signed_requests.sign_announcement(bo, "Enough", at)
    assert table.send_request(RequestKind.ANNOUNCE, more).code == "too-much"
    assert table.decide(bo, START).code == "too-much", "until somebody at the table enters something"
    table.start()
    assert {table.send_request(RequestKind.ANNOUNCE, old).code for old in (*words, more)} == {"moved-on"}
    again = signed_requests.sign_announcement(bo, "Break", table.standing())
    assert table.send_request(RequestKind.ANNOUNCE, again).is_accepted


@pytest.mark.parametrize("what", ["release", "back", "file"])
def test_nothing_is_proposed_in_the_middle_of_a_hand_or_by_the_floor(
    table: TableOfARoom, room: Room, what: str
) -> None:
    at, bo = table.standing(), room.person("Bo")
    assert (
        table.send_request(RequestKind.RELEASE, signed_requests.sign_release(bo, "a.tar", at)).code == "not-your-role"
    )
    table.start()
    verb, body = technicians(table, room, what)
    assert table.send_request(verb, body).code == "not-now-here"
    assert table.left.files + table.left.releases == []


def test_a_file_with_a_mistake_is_refused_with_the_mistake(table: TableOfARoom, room: Room) -> None:
    body = signed_requests.sign_file_replacement(room.person("Cy"), "a mistake", table.standing())
    assert "mistakes: line 1" in table.send_request(RequestKind.REPLACE_FILE, body).message
    exchanged = signed_requests.sign_file_replacement(room.person("Cy"), "[table]\n", table.standing()) | {
        "text": "[page]\n"
    }
    assert table.send_request(RequestKind.REPLACE_FILE, exchanged).code == "not-signed"


def test_an_announcement_is_shown_and_on_record(table: TableOfARoom, room: Room) -> None:
    body = signed_requests.sign_announcement(room.person("Bo"), "Last three hands", table.standing())
    assert table.send_request(RequestKind.ANNOUNCE, body).is_accepted
    table.three.drain()
    assert table.three.standings[-1].notices[0].text == "Last three hands"


def test_a_forged_word_in_a_record_of_what_was_asked_is_found(table: TableOfARoom, room: Room) -> None:
    table.send_request(
        RequestKind.ANNOUNCE, signed_requests.sign_announcement(room.person("Bo"), "Break", table.standing())
    )
    found = records(table)
    place = next(index for index, record in enumerate(found) if record.kind == "asked")
    body = dict(found[place].parse_body())
    body["line"] = {**body["line"], "text": "Go home"}
    changed = JournalRecord(found[place].number, "asked", json.dumps(body), "")
    changed = JournalRecord(changed.number, "asked", changed.body, compute_chain(changed, found[place - 1].chain))
    with pytest.raises(BadRecordError, match="not signed by whom it names"):
        verify_journal([*found[:place], changed])

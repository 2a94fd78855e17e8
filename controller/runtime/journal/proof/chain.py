"""Records and the chain that runs through them (`docs/journal.md`); they are checked without the table.

A record is a line of text, and the chain is over the bytes of that line: nothing is read and written anew before it is
hashed, so that no two texts count as the same record.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from nacl.exceptions import CryptoError
from nacl.signing import VerifyKey

from controller.runtime.staff import entry_signature

ORIGIN = "0" * 64
"""The chain before the first record."""

JOURNAL_FORMAT = 2

_RECORD_PATTERN = re.compile(
    r'(?P<content>\{"number":(?P<number>[1-9][0-9]*),"kind":"(?P<kind>[a-z-]+)","body":(?P<body>\{.*\}))'
    r',"chain":"(?P<chain>[0-9a-f]{64})"\}'
)
_END_PATTERN = re.compile(
    r'\{"end":(?P<number>0|[1-9][0-9]*),"chain":"(?P<chain>[0-9a-f]{64})",'
    r'"signature":(?:null|"(?P<signature>[0-9a-f]{128})")\}'
)


class BadRecordError(Exception):
    """A record is not as it was written; says so of a record by its number, and quotes nothing of it."""

    def __init__(self, place: int, why: str) -> None:
        """`place` is the number that the record has, or should have."""
        super().__init__(f"record {place} {why}")
        self.record_number = place


@dataclass(frozen=True, slots=True, repr=False)
class JournalRecord:
    """One record; `body` is the text of a JSON object."""

    number: int
    kind: str
    body: str
    chain: str

    def __repr__(self) -> str:
        """Name the record without what it says."""
        return f"<Record {self.number} {self.kind}>"

    @property
    def chained_text(self) -> str:
        """What the chain is over."""
        return render_chained_text(self.number, self.kind, self.body)

    @property
    def export_line(self) -> str:
        """The record as it is exported."""
        return f'{self.chained_text},"chain":"{self.chain}"}}'

    def parse_body(self) -> dict[str, Any]:
        """Parse the body; raises `BadRecordError`."""
        try:
            body = json.loads(self.body)
        except (ValueError, RecursionError):
            raise BadRecordError(self.number, "is no JSON") from None
        if not isinstance(body, dict):
            raise BadRecordError(self.number, "is no JSON object")
        return body


def render_chained_text(number: int, kind: str, body: str) -> str:
    """What the chain of a record is over."""
    return f'{{"number":{number},"kind":"{kind}","body":{body}'


def render_body(body: Mapping[str, object]) -> str:
    """Write a body as it is stored; nothing outside ASCII, so that no two programs disagree about its bytes."""
    return json.dumps(body, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def make_record(number: int, kind: str, body: str, before: str) -> JournalRecord:
    """Make record `number`, whose chain goes on from `before`."""
    content = render_chained_text(number, kind, body)
    return JournalRecord(number, kind, body, hashlib.sha256((before + content).encode()).hexdigest())


def compute_chain(record: JournalRecord, before: str) -> str:
    """Compute the chain of a record from that of the one before it."""
    return hashlib.sha256((before + record.chained_text).encode()).hexdigest()


def parse_export_line(line: str, place: int) -> JournalRecord:
    """Read one exported line; raises `BadRecordError`."""
    found = _RECORD_PATTERN.fullmatch(line)
    if found is None:
        raise BadRecordError(place, "is no line of an exported journal")
    return JournalRecord(int(found["number"]), found["kind"], found["body"], found["chain"])


@dataclass(frozen=True, slots=True)
class ExportEnd:
    """The last line of an export: how far it goes, and the signature of the table where its key could be read."""

    number: int
    chain: str
    signature: str | None

    @property
    def export_line(self) -> str:
        """The line as it is exported."""
        signature = "null" if self.signature is None else f'"{self.signature}"'
        return f'{{"end":{self.number},"chain":"{self.chain}","signature":{signature}}}'


def parse_export(raw_lines: Iterable[bytes]) -> Iterator[JournalRecord | ExportEnd]:
    """Read an exported journal line by line; raises `BadRecordError`."""
    place, ended = 1, False
    for raw in raw_lines:
        if ended:
            raise BadRecordError(place, "stands behind the end of the export")
        try:
            line = raw.decode("ascii")
        except UnicodeDecodeError:
            raise BadRecordError(place, "is no line of an exported journal") from None
        if not line.endswith("\n"):
            raise BadRecordError(place, "is cut off: its line has no end")
        end = _END_PATTERN.fullmatch(line[:-1])
        if end is not None:
            ended = True
            yield ExportEnd(int(end["number"]), end["chain"], end["signature"])
            continue
        record = parse_export_line(line[:-1], place)
        yield record
        place = record.number + 1
    if not ended:
        raise BadRecordError(place, "and the end of the export are missing: the copy is cut off")


def render_signed_text(table: str, number: int, chain: str) -> bytes:
    """What a table signs when it signs its journal up to record `number`."""
    return f"table-controller journal {table} {number} {chain}".encode("ascii")


def is_head_signed(key: str, table: str, number: int, chain: str, signature: str) -> bool:
    """Whether `signature` (hexadecimal) is of the holder of `key` (hexadecimal) over that head."""
    try:
        VerifyKey(bytes.fromhex(key)).verify(render_signed_text(table, number, chain), bytes.fromhex(signature))
    except (CryptoError, ValueError, TypeError):
        return False
    return True


@dataclass(frozen=True, slots=True)
class KnownHead:
    """A chain that a journal must have at record `number`, and from where that is known, such as a receipt."""

    number: int
    chain: str
    known_from: str


@dataclass(slots=True)
class JournalProof:
    """What a journal, read from its first record, has proved so far."""

    journal_name: str = ""
    """Its random name."""
    device_key: str = ""
    """The public key of the table."""
    record_count: int = 0
    first_record: int = 0
    last_record: int = 0
    chain: str = ORIGIN
    entry_count: int = 0
    last_signed_record: int = 0
    """The last record that a signature covers."""
    is_end_signed: bool = False
    """Whether the table has signed that the export ends here, so that nothing was cut off."""
    power_loss_count: int = 0
    clock_setback_count: int = 0
    """How often the wall clock of a record is earlier than that of the record before."""
    gap_count: int = 0
    """How often records that had been acknowledged were lost."""
    last_wall_time: str = ""
    last_entry: int = 0
    """The number of the last entry."""
    record_range_by_auditor: dict[str, tuple[int, int]] = field(default_factory=dict)
    """The public keys to which hands are sealed, each with the first and the last record that names it."""


class JournalVerifier:
    """Takes records one by one and raises `BadRecordError` at the first that is not as the table wrote it.

    `device`: the public key that must have signed, where the caller knows it from elsewhere; otherwise the one that
    the journal itself names is believed, and a journal made anew as a whole would not be noticed. `heads`: what is
    known of it from elsewhere; one that the journal does not reach is missing, see `finish`.
    """

    def __init__(self, device: str | None = None, heads: Iterable[KnownHead] = ()) -> None:
        self.proof = JournalProof(device_key=device or "")
        self._heads = sorted(heads, key=lambda head: head.number, reverse=True)
        self._known_device = device
        self._last_uptime_ms: int | None = None
        self._last_result_entry = 0
        self._session: int | None = None
        self._is_simulated = False
        self._run_just_begun = True
        """Whether no record `broadcast` stands yet in the run."""
        self._signing_key_by_name: dict[str, object] = {}
        """Name -> the key that whoever signed in last under it signs with."""

    def receive_record(self, record: JournalRecord | ExportEnd) -> None:
        """Check one record after those before it."""
        proof = self.proof
        if isinstance(record, ExportEnd):
            self._check_end(record)
            return
        if not proof.record_count:
            self._check_first_record(record)
        if record.number != proof.last_record + 1:
            raise BadRecordError(
                proof.last_record + 1, f"is missing, or out of its place: record {record.number} stands there"
            )
        if record.chain != compute_chain(record, proof.chain):
            raise BadRecordError(record.number, "was changed, or the record before it is another")
        self._check_body(record, record.parse_body())
        proof.record_count += 1
        proof.last_record, proof.chain = record.number, record.chain
        self._compare_with_heads(record.number, record.chain)

    def finish(self) -> JournalProof:
        """Return what was proved; raises `BadRecordError` where the journal does not reach as far as it is known to."""
        proof = self.proof
        if not proof.record_count:
            raise BadRecordError(1, "is missing: there is no record at all")
        if self._heads:
            head = self._heads[-1]
            raise BadRecordError(
                proof.last_record + 1, f"is missing: {head.known_from} goes up to record {head.number}"
            )
        return proof

    def _compare_with_heads(self, number: int, chain: str) -> None:
        """Compare everything that is known of a record from elsewhere; more than one source may know of it."""
        while self._heads and self._heads[-1].number <= number:
            head = self._heads.pop()
            if head.number < number:
                raise BadRecordError(
                    head.number, f"is missing: {head.known_from} is of it, and of the files before these"
                )
            if head.chain != chain:
                raise BadRecordError(number, f"is not the one of {head.known_from}")

    def _check_end(self, end: ExportEnd) -> None:
        proof = self.proof
        if (end.number, end.chain) != (proof.last_record, proof.chain):
            number = min(end.number, proof.last_record) + 1
            raise BadRecordError(
                number, f"is missing or too much: the export says that it ends with record {end.number}"
            )
        if end.signature is None:
            return
        if not is_head_signed(proof.device_key, proof.journal_name, end.number, end.chain, end.signature):
            raise BadRecordError(end.number, "is the last, and the end of the export is not signed by this table's key")
        proof.last_signed_record = end.number
        proof.is_end_signed = True

    def _check_first_record(self, record: JournalRecord) -> None:
        """Take the first record, which says which journal this is and, in a later file, what its chain goes on from."""
        proof = self.proof
        if record.kind != "file":
            raise BadRecordError(1, "is missing: a journal begins with a record of kind `file`")
        body = record.parse_body()
        before = body.get("previous")
        if before is not None:
            proof.last_record, proof.chain = _parse_previous_head(record, before)
            self._compare_with_heads(proof.last_record, proof.chain)
        proof.first_record = record.number

    def _check_body(self, record: JournalRecord, body: Mapping[str, Any]) -> None:
        proof = self.proof
        wall = body.get("wall")
        if isinstance(wall, str):
            proof.clock_setback_count += wall < proof.last_wall_time
            proof.last_wall_time = wall
        result = body.get("result")
        if result is not None:
            self._check_result(record, result)
        match record.kind:
            case "file":
                self._check_file(record, body)
            case "run":
                proof.power_loss_count += body.get("after") == "power lost"
                self._last_uptime_ms = None
                self._run_just_begun = True
            case "session":
                number, header = body.get("session"), body.get("header")
                self._session = number if type(number) is int else None
                self._is_simulated = isinstance(header, dict) and header.get("mode") == "simulation"
            case "broadcast":
                self._check_broadcast(record, body)
            case "drop-box":
                self._check_box_count(record, body)
            case "entry":
                self._check_entry(record, body)
            case "asked":
                self._check_room_request(record, body)
            case "signed":
                self._check_signature(record, body)
            case "sign-in":
                self._signing_key_by_name[str(body.get("name"))] = body.get("key")
            case "hand-key" if body.get("auditor") is not None:
                auditor = str(body["auditor"])
                proof.record_range_by_auditor[auditor] = (
                    proof.record_range_by_auditor.get(auditor, (record.number, 0))[0],
                    record.number,
                )
            case "gap":
                proof.gap_count += 1
            case _:
                pass
        mono = body.get("mono")
        if isinstance(mono, int):
            if self._last_uptime_ms is not None and mono < self._last_uptime_ms:
                raise BadRecordError(record.number, "was written before the record that stands before it")
            self._last_uptime_ms = mono

    def _check_file(self, record: JournalRecord, body: Mapping[str, Any]) -> None:
        proof = self.proof
        if body.get("format") != JOURNAL_FORMAT:
            raise BadRecordError(
                record.number, f"is of format {body.get('format')!r}; this program knows {JOURNAL_FORMAT}"
            )
        table, device, before = str(body.get("table")), str(body.get("device")), body.get("previous")
        if self._known_device is not None and device != self._known_device:
            raise BadRecordError(record.number, "names another table's key than the one given")
        if proof.journal_name and table != proof.journal_name:
            raise BadRecordError(record.number, "belongs to another journal")
        if before is None and record.number != 1:
            raise BadRecordError(record.number, "names no file before it, though it is not the first record")
        if before is not None and _parse_previous_head(record, before) != (proof.last_record, proof.chain):
            raise BadRecordError(record.number, "does not go on from the end of the file before it")
        if proof.device_key and device != proof.device_key:
            raise BadRecordError(record.number, "names another key of the table than the file before it")
        proof.journal_name, proof.device_key = table, device

    def _check_entry(self, record: JournalRecord, body: Mapping[str, Any]) -> None:
        number = body.get("entry")
        if type(number) is not int or (self.proof.last_entry and number != self.proof.last_entry + 1):
            raise BadRecordError(record.number, "has not the number of the next entry")
        if "by" in body and not _is_signed_entry(body, self.proof.journal_name):
            raise BadRecordError(record.number, "is not signed by whom it names")
        if "by" in body and not self._is_current_key(body["by"]):
            raise BadRecordError(record.number, "is signed with a key that the one it names did not sign in with")
        self.proof.last_entry = number
        self.proof.entry_count += 1

    def _check_broadcast(self, record: JournalRecord, body: Mapping[str, Any]) -> None:
        """Take a word about the delay of a broadcast: that of both, of whoever takes it back, or of a start."""
        delay, words = body.get("delay"), body.get("by")
        begun, self._run_just_begun = self._run_just_begun, False
        if delay is None and words == [] and begun:
            return
        if not isinstance(words, list) or not all(isinstance(word, dict) for word in words):
            raise BadRecordError(record.number, "does not say whose word it is")
        roles = sorted(str(word.get("role")) for word in words)
        if roles not in ([["floor"], ["technician"]] if delay is None else [["floor", "technician"]]):
            wanted = "floor or technician" if delay is None else "floor and technician"
            raise BadRecordError(record.number, f"is not the word of {wanted}")
        for word in words:
            self._check_word(record, word, {"ev": "broadcast", "delay": delay})

    def _check_box_count(self, record: JournalRecord, body: Mapping[str, Any]) -> None:
        """Take a count of the drop box: the word of two people about the same line."""
        line, words = body.get("line"), body.get("by")
        if not isinstance(line, dict) or not isinstance(words, list) or not all(isinstance(by, dict) for by in words):
            raise BadRecordError(record.number, "does not say whose word it is")
        if len({str(by.get("name")).casefold() for by in words}) != 2 or len(words) != 2:
            raise BadRecordError(record.number, "is not the word of two people")
        for by in words:
            self._check_word(record, by, line)

    def _check_word(self, record: JournalRecord, by: Mapping[str, Any], line: Mapping[str, Any]) -> None:
        """Take a signed word about a line; at a simulated table nobody need sign."""
        if self._is_simulated and "signature" not in by and "key" not in by:
            return
        place = entry_signature.JournalPosition(self.proof.journal_name, self._session or 0)
        if not entry_signature.is_entry_signed(by, line, place):
            raise BadRecordError(record.number, "is not signed by whom it names")
        if not self._is_current_key(by):
            raise BadRecordError(record.number, "is signed with a key that the one it names did not sign in with")

    def _check_room_request(self, record: JournalRecord, body: Mapping[str, Any]) -> None:
        """Take what somebody of the room asked that is no entry."""
        line, by = body.get("line"), body.get("by")
        place = entry_signature.JournalPosition(self.proof.journal_name, self._session or 0)
        if (
            not isinstance(line, dict)
            or not isinstance(by, dict)
            or not entry_signature.is_entry_signed(by, line, place)
        ):
            raise BadRecordError(record.number, "is not signed by whom it names")
        if not self._is_current_key(by):
            raise BadRecordError(record.number, "is signed with a key that the one it names did not sign in with")

    def _is_current_key(self, by: Mapping[str, Any]) -> bool:
        """Whether the key is that of the last sign-in, which may stand in an earlier file of the journal."""
        known = self._signing_key_by_name.get(str(by.get("name")))
        return by.get("key") == known if known is not None else self.proof.first_record != 1

    def _check_result(self, record: JournalRecord, result: object) -> None:
        number = result.get("entry") if isinstance(result, dict) else None
        last = self.proof.last_entry
        if type(number) is not int or number <= self._last_result_entry or (last and number > last):
            raise BadRecordError(record.number, "has the result of an entry that stands elsewhere")
        self._last_result_entry = number

    def _check_signature(self, record: JournalRecord, body: Mapping[str, Any]) -> None:
        proof = self.proof
        if (body.get("upto"), body.get("chain")) != (proof.last_record, proof.chain):
            raise BadRecordError(record.number, "signs another journal than the one before it")
        if not is_head_signed(
            proof.device_key, proof.journal_name, proof.last_record, proof.chain, str(body.get("signature"))
        ):
            raise BadRecordError(record.number, "is not signed by this table's key")
        proof.last_signed_record = proof.last_record


def verify_journal(
    records: Iterable[JournalRecord | ExportEnd], device: str | None = None, heads: Iterable[KnownHead] = ()
) -> JournalProof:
    """Check a whole journal; raises `BadRecordError` at its first bad record."""
    verifier = JournalVerifier(device, heads)
    for record in records:
        verifier.receive_record(record)
    return verifier.finish()


SIGNED_AND_ENTERED_EVENTS = (("done", "device"), ("report", "amend"))
"""What somebody says and signs -> the entry that the table takes it for."""


def _is_signed_entry(body: Mapping[str, Any], table: str) -> bool:
    by, line, session = body["by"], body.get("line"), body.get("session")
    if not isinstance(by, dict) or not isinstance(line, dict) or type(session) is not int:
        return False
    said = by.get("said", line)
    if not isinstance(said, dict) or (
        said is not line and (said.get("ev"), line.get("ev")) not in SIGNED_AND_ENTERED_EVENTS
    ):
        return False
    return entry_signature.is_entry_signed(by, said, entry_signature.JournalPosition(table, session))


def _parse_previous_head(record: JournalRecord, before: object) -> tuple[int, str]:
    if isinstance(before, dict):
        number, chain = before.get("number"), before.get("chain")
        if type(number) is int and isinstance(chain, str):
            return number, chain
    raise BadRecordError(record.number, "does not say what it goes on from")
